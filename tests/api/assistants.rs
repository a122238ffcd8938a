//! The plan as a Model Context Protocol server: what a person's own assistant reads, asks and proposes, and what it cannot do.

mod access;
mod messages;
mod nothing_written;
mod proposing;
mod provider_tokens;
mod reading;
mod turns;

use crate::support::{Client, Instance, Reply, TestApp};
use reqwest::{Method, RequestBuilder};
use serde_json::{Value, json};

const ENDPOINT: &str = "/mcp";
const RENT: &str = "operatingCosts.rentMonthly";
const REVISION: &str = "2025-11-25";
const READ: &[&str] = &["read"];
const TALK: &[&str] = &["read", "chat"];
const ALL: &[&str] = &["read", "chat", "write"];

/// A server that answers assistants.
async fn world() -> TestApp {
    TestApp::builder().config(|config| config.http.mcp = true).spawn().await
}

/// A person's assistant, at the server of its client.
#[derive(Clone)]
struct Assistant(Client);

impl Assistant {
    /// With a token of this person that is called Claude.
    async fn of(owner: &Client, scopes: &[&str]) -> Self {
        Self::with(owner, &json!({"name": "Claude", "scopes": scopes})).await
    }

    async fn with(owner: &Client, token: &Value) -> Self {
        let made = owner.post("/api/me/tokens", token).await.data();
        let mut client = owner.clone();
        client.token = made["secret"].as_str().map(str::to_owned);
        client.cookie = None;
        Self(client)
    }

    fn at(&self, instance: &Instance) -> Self {
        Self(self.0.at(instance))
    }

    fn request(&self, message: &Value) -> RequestBuilder {
        let request = self.0.request(Method::POST, ENDPOINT).json(message);
        request.header("accept", "application/json, text/event-stream")
    }

    async fn fetch(&self, request: RequestBuilder) -> Reply {
        self.0.fetch(request).await
    }

    /// Asks as clients of the last revision with sessions do, and reads the whole answer.
    async fn ask(&self, method: &str, params: Value) -> Value {
        let message = json!({"jsonrpc": "2.0", "id": 7, "method": method, "params": params});
        let reply = self
            .fetch(self.request(&message).header("mcp-protocol-version", REVISION))
            .await;
        answer(&reply)
    }

    /// The result of a tool, also one that is an error.
    async fn call(&self, tool: &str, arguments: Value) -> Value {
        let answer = self
            .ask("tools/call", json!({"name": tool, "arguments": arguments}))
            .await;
        assert!(answer["result"].is_object(), "{answer}");
        answer["result"].clone()
    }

    /// What a tool gives to a program.
    #[track_caller]
    fn structured(result: &Value) -> Value {
        assert_ne!(result["isError"], true, "{result}");
        let text = result["content"][0]["text"].as_str().expect("a text");
        let data = text.lines().nth(2).expect("data between marks");
        assert!(
            text.contains("\nBEGIN DATA plan\n") && text.ends_with("\nEND DATA plan"),
            "{text}"
        );
        assert_eq!(
            serde_json::from_str::<Value>(data).expect("JSON"),
            result["structuredContent"]
        );
        result["structuredContent"].clone()
    }

    async fn read(&self, tool: &str, arguments: Value) -> Value {
        Self::structured(&self.call(tool, arguments).await)
    }

    /// The words of a call that came to nothing.
    async fn refusal(&self, tool: &str, arguments: Value) -> String {
        let result = self.call(tool, arguments).await;
        assert_eq!(result["isError"], true, "{result}");
        result["content"][0]["text"].as_str().expect("a text").to_owned()
    }
}

/// The JSON-RPC answer, in one piece or as the only event of a stream.
#[track_caller]
fn answer(reply: &Reply) -> Value {
    assert_eq!(reply.status, 200, "{}", reply.text);
    assert!(reply.text.len() <= 64 * 1024 + 1024, "{} bytes", reply.text.len());
    let events = reply.text.lines().filter_map(|line| line.strip_prefix("data: "));
    let events: Vec<&str> = events.filter(|data| !data.is_empty()).collect();
    let text = match reply.header("content-type") {
        Some("text/event-stream") => events.last().expect("an event"),
        _ => reply.text.as_str(),
    };
    let answer: Value = serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {}", reply.text));
    assert_eq!(
        (&answer["jsonrpc"], &answer["id"]),
        (&json!("2.0"), &json!(7)),
        "{answer}"
    );
    answer
}

/// The values of a plan that wait, as the page lists them.
async fn waiting(owner: &Client) -> Vec<Value> {
    let listed = owner.get(&owner.path("/proposals")).await.data();
    listed.as_array().expect("a list").clone()
}
