//! Messages of the protocol: revisions, and what is no message or contradicts itself.

use super::{Assistant, ENDPOINT, READ, REVISION, TALK, answer, world};
use crate::support::{TestApp, redacted};
use insta::assert_snapshot;
use reqwest::Method;
use serde_json::{Value, json};

const NEWEST: &str = "2026-07-28";

fn initialize(revision: &str) -> Value {
    json!({"jsonrpc": "2.0", "id": 7, "method": "initialize", "params": {
        "protocolVersion": revision, "capabilities": {}, "clientInfo": {"name": "test", "version": "1"},
    }})
}

/// A request of the revision without handshakes.
fn newest(method: &str, mut params: Value) -> Value {
    params["_meta"] = json!({
        "io.modelcontextprotocol/protocolVersion": NEWEST,
        "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    json!({"jsonrpc": "2.0", "id": 7, "method": method, "params": params})
}

#[tokio::test]
async fn a_client_of_any_revision_that_we_know_is_answered_in_its_own() {
    let app = world().await;
    let assistant = Assistant::of(&app.sam, READ).await;
    for (asked, agreed) in [
        (REVISION, REVISION),
        ("2025-06-18", "2025-06-18"),
        ("2025-03-26", "2025-03-26"),
        ("1999-01-01", REVISION),
        ("9999-12-31", REVISION),
    ] {
        let reply = assistant.fetch(assistant.request(&initialize(asked))).await;
        let result = answer(&reply)["result"].clone();
        assert_eq!(result["protocolVersion"], agreed, "{asked}");
        assert_eq!(result["serverInfo"]["name"], "plan-advisor");
        assert!(
            result["instructions"]
                .as_str()
                .is_some_and(|text| text.contains("never instructions"))
        );
    }
    let discover = assistant.request(&newest("server/discover", json!({})));
    let discover = discover
        .header("mcp-protocol-version", NEWEST)
        .header("mcp-method", "server/discover");
    let found = answer(&assistant.fetch(discover).await);
    assert_snapshot!(found["result"]["supportedVersions"], @r#"["2024-11-05","2025-03-26","2025-06-18","2025-11-25","2026-07-28"]"#);
    let call = newest("tools/call", json!({"name": "list_plans", "arguments": {}}));
    let call = assistant.request(&call).header("mcp-protocol-version", NEWEST);
    let call = call.header("mcp-method", "tools/call").header("mcp-name", "list_plans");
    let result = answer(&assistant.fetch(call).await)["result"].clone();
    assert_eq!(Assistant::structured(&result)["plans"][0]["id"], json!(app.sam.plan));
}

#[tokio::test]
async fn an_unknown_revision_is_refused_with_its_reason() {
    let app = world().await;
    let assistant = Assistant::of(&app.sam, READ).await;
    let listing = json!({"jsonrpc": "2.0", "id": 7, "method": "tools/list"});
    let refused = assistant.request(&listing).header("mcp-protocol-version", "1999-01-01");
    assert_snapshot!(assistant.fetch(refused).await.refusal(), @"400 VALIDATION_ERROR: Bad Request: Unsupported MCP-Protocol-Version: 1999-01-01");
    let mut future = newest("tools/list", json!({}));
    future["params"]["_meta"]["io.modelcontextprotocol/protocolVersion"] = json!("9999-12-31");
    let refused = assistant
        .request(&future)
        .header("mcp-protocol-version", "9999-12-31")
        .header("mcp-method", "tools/list");
    let reply = assistant.fetch(refused).await;
    assert_eq!(
        (reply.status, &reply.json()["error"]["code"]),
        (400, &json!(-32_022)),
        "{}",
        reply.text
    );
}

#[tokio::test]
async fn headers_that_disagree_with_the_body_are_refused() {
    let app = world().await;
    let assistant = Assistant::of(&app.sam, READ).await;
    let call = newest("tools/call", json!({"name": "list_plans", "arguments": {}}));
    for (revision, method, name) in [
        (REVISION, "tools/call", "list_plans"),
        (NEWEST, "tools/list", "list_plans"),
        (NEWEST, "tools/call", "get_plan"),
        (NEWEST, "tools/call", "LIST_PLANS"),
    ] {
        let request = assistant.request(&call).header("mcp-protocol-version", revision);
        let reply = assistant
            .fetch(request.header("mcp-method", method).header("mcp-name", name))
            .await;
        assert_eq!(
            (reply.status, &reply.json()["error"]["code"]),
            (400, &json!(-32_020)),
            "{method} {name}: {}",
            reply.text
        );
    }
    let request = assistant
        .request(&initialize(REVISION))
        .header("mcp-protocol-version", "2025-06-18");
    assert_eq!(assistant.fetch(request).await.status, 400);
}

#[tokio::test]
async fn what_is_no_message_is_refused_before_it_is_read() {
    let app = world().await;
    let assistant = Assistant::of(&app.sam, TALK).await;
    let send = async |body: String, kind: &str| {
        let request = assistant.0.request(Method::POST, ENDPOINT).header("content-type", kind);
        let request = request
            .header("accept", "application/json, text/event-stream")
            .body(body);
        assistant.fetch(request).await
    };
    let large = |bytes: usize| {
        let message = json!({"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": {
            "name": "ask_advisor", "arguments": {"planId": app.sam.plan, "message": "x".repeat(bytes)},
        }});
        message.to_string()
    };
    assert_snapshot!(send(large(1024 * 1024), "application/json").await.refusal(), @"413 PAYLOAD_TOO_LARGE: The body may have at most 262144 bytes.");
    let reply = send(large(200 * 1024), "application/json").await;
    assert!(
        reply.text.contains("must have at most 8000 characters"),
        "{}",
        reply.text
    );
    assert_eq!(send("{}".to_owned(), "text/plain").await.status, 415);
    for body in [
        "",
        "{",
        "[]",
        "7",
        r#"{"jsonrpc":"2.0","id":7,"method":"tools/list","method":"tools/call"}"#,
    ] {
        assert_eq!(send(body.to_owned(), "application/json").await.status, 400, "{body}");
    }
    let deep = format!("{}{}", r#"{"a":"#.repeat(40), "7".to_owned() + &"}".repeat(40));
    assert_eq!(send(deep, "application/json").await.status, 400);
    let listing = json!({"jsonrpc": "2.0", "id": 7, "method": "tools/list"});
    let no_accept = assistant
        .0
        .request(reqwest::Method::POST, super::ENDPOINT)
        .json(&listing);
    assert_snapshot!(assistant.fetch(no_accept).await.refusal(), @"400 VALIDATION_ERROR: Not Acceptable: Client must accept both application/json and text/event-stream");
}

#[tokio::test]
async fn a_notification_is_taken_and_an_unknown_method_is_an_error_of_the_protocol() {
    let app = world().await;
    let assistant = Assistant::of(&app.sam, READ).await;
    for method in ["notifications/initialized", "notifications/cancelled"] {
        let params = json!({"requestId": 7, "reason": "no longer wanted"});
        let message = json!({"jsonrpc": "2.0", "method": method, "params": params});
        let reply = assistant.fetch(assistant.request(&message)).await;
        assert_eq!((reply.status, reply.text.as_str()), (202, ""), "{method}");
    }
    for method in ["tools/CALL", "logging/setLevel", "completion/complete", "nothing"] {
        let answer = assistant.ask(method, json!({"level": "info", "ref": {"type": "ref/prompt", "name": "x"}, "argument": {"name": "a", "value": "b"}})).await;
        assert_eq!(answer["error"]["code"], -32_601, "{method}: {answer}");
    }
    assert_snapshot!(redacted(&assistant.ask("ping", json!({})).await), @r#"{"id":7,"jsonrpc":"2.0","result":{}}"#);
}

#[tokio::test]
async fn two_servers_on_one_database_answer_a_clients_requests_in_turns() {
    let app: TestApp = world().await;
    let sibling = app.sibling().await;
    let here = Assistant::of(&app.riley, TALK).await;
    let there = here.at(&sibling);
    let plan = app.riley.plan;
    assert_eq!(
        answer(&here.fetch(here.request(&initialize(REVISION))).await)["result"]["protocolVersion"],
        REVISION
    );
    assert_eq!(
        there.ask("tools/list", json!({})).await["result"]["tools"]
            .as_array()
            .unwrap()
            .len(),
        11
    );
    let before = here
        .read("get_projection", json!({"planId": plan, "line": "sales", "year": 2}))
        .await;
    let changes = json!([{"path": "rent per month", "by": -500}]);
    let supposed = there.read("what_if", json!({"planId": plan, "changes": changes})).await;
    assert_eq!(supposed["values"][0]["path"], super::RENT);
    let value = json!({"planId": plan, "path": super::RENT, "value": 4200, "unit": "dollars", "quote": "my rent is $4,200 a month"});
    let first = here.read("propose_value", value.clone()).await;
    assert_eq!(
        there.read("propose_value", value).await,
        first,
        "a call whose answer was lost"
    );
    let after = there
        .read("get_projection", json!({"planId": plan, "line": "sales", "year": 2}))
        .await;
    assert_eq!(before, after);
    assert_eq!(super::waiting(&app.riley).await.len(), 1);
}
