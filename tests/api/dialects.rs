//! The AI SDK's stream and AG-UI over a real socket: what clients get, and what they send that must not count.

mod ag_ui;
mod ai_sdk;

use crate::support::{Client, Reply, soon};
use reqwest::Method;
use serde_json::{Value, json};

/// The events of a stream that was read to its end, without comments and `[DONE]`.
fn events(reply: &Reply) -> Vec<Value> {
    assert_eq!(reply.status, 200, "{}", reply.text);
    assert_eq!(reply.header("content-type"), Some("text/event-stream"));
    let data = reply.text.lines().filter_map(|line| line.strip_prefix("data: "));
    data.filter(|data| *data != "[DONE]")
        .map(|data| serde_json::from_str(data).unwrap())
        .collect()
}

fn types(events: &[Value]) -> Vec<&str> {
    let mut types: Vec<&str> = events.iter().map(|event| event["type"].as_str().unwrap()).collect();
    types.dedup();
    types
}

/// The first event of a type.
#[track_caller]
fn first<'a>(events: &'a [Value], kind: &str) -> &'a Value {
    events
        .iter()
        .find(|event| event["type"] == kind)
        .unwrap_or_else(|| panic!("no {kind} in {events:#?}"))
}

/// The text of an answer, whatever the dialect.
fn text_of(events: &[Value]) -> String {
    events.iter().filter_map(|event| event["delta"].as_str()).collect()
}

/// A stream whose head has come: whoever holds it is attached.
async fn open(client: &Client, method: Method, path: &str, body: Option<&Value>) -> reqwest::Response {
    let request = client.request(method, &client.path(path));
    let request = match body {
        Some(body) => request.json(body),
        None => request,
    };
    soon("a head", request.send()).await.unwrap()
}

/// The rest of an open stream.
async fn rest(stream: reqwest::Response) -> Reply {
    Reply::read(stream).await
}

fn user_message(id: &str, text: &str) -> Value {
    json!({"id": id, "role": "user", "parts": [{"type": "text", "text": text}]})
}
