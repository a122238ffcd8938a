//! The answers of a provider as bytes on a socket.

use crate::model::{Script, arguments};
use serde_json::{Value, json};

/// One action of the provider.
#[derive(Clone, Debug)]
pub enum Step {
    Send(Vec<u8>),
    Pause(u64),
    /// Sends nothing more, or only this comment.
    Stall(Option<&'static str>),
    /// Repeats this until the connection closes.
    Endless(Vec<u8>),
    Reset,
}

pub fn chunk(choices: &Value, usage: &Value) -> String {
    let mut chunk =
        json!({"id": "c", "object": "chat.completion.chunk", "created": 1, "model": "m", "choices": choices});
    if !usage.is_null() {
        chunk["usage"] = usage.clone();
    }
    format!("data: {chunk}\n\n")
}

pub fn delta(delta: &Value) -> String {
    chunk(
        &json!([{"index": 0, "delta": delta, "finish_reason": null}]),
        &Value::Null,
    )
}

pub fn says(text: &str) -> String {
    delta(&json!({"content": text}))
}

pub fn calls(index: usize, name: &str, arguments: &str) -> String {
    let call = json!({"index": index, "id": format!("call_{index}"), "type": "function",
        "function": {"name": name, "arguments": arguments}});
    delta(&json!({"tool_calls": [call]}))
}

pub fn finish(reason: &str) -> String {
    chunk(
        &json!([{"index": 0, "delta": {}, "finish_reason": reason}]),
        &Value::Null,
    )
}

pub fn usage() -> Value {
    json!({"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120})
}

pub const END: &str = "data: [DONE]\n\n";

/// The end of a complete answer.
pub fn end(reason: &str) -> String {
    finish(reason) + &chunk(&json!([]), &usage()) + END
}

/// A response that is not a stream.
pub fn reply(status: u16, kind: &str, body: &str) -> Vec<u8> {
    let length = body.len();
    format!(
        "HTTP/1.1 {status} X\r\ncontent-type: {kind}\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n{body}"
    )
    .into_bytes()
}

/// The head of a stream whose body ends when the connection closes.
pub const OPEN: &str = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n";
/// The same with a chunked body, whose end is distinguishable from a broken connection.
pub const CHUNKED: &str =
    "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\nconnection: close\r\n\r\n";

pub fn in_chunks(bytes: &[u8]) -> Vec<u8> {
    let mut out = format!("{:x}\r\n", bytes.len()).into_bytes();
    out.extend_from_slice(bytes);
    out.extend_from_slice(b"\r\n");
    out
}

pub fn text(text: impl Into<String>) -> Step {
    Step::Send(text.into().into_bytes())
}

/// Splits a text at character boundaries.
pub fn pieces(text: &str, count: usize) -> Vec<String> {
    let chars: Vec<char> = text.chars().collect();
    chars
        .chunks(chars.len().div_ceil(count.max(1)).max(1))
        .map(|piece| piece.iter().collect())
        .collect()
}

/// Given instead of a path: the tool that resets all values after a confirmation.
pub const RESET: &str = "reset_fields_to_defaults";

/// A correct answer: the tool call first, if there is one, then the text at the script's pace.
pub fn plain(script: &Script, round: usize) -> Vec<Step> {
    let mut steps = vec![text(CHUNKED)];
    let mut send = |event: String| steps.push(Step::Send(in_chunks(event.as_bytes())));
    match &script.tool {
        Some((RESET, _)) if round == 0 => {
            send(calls(0, RESET, "{}"));
            send(end("tool_calls"));
        }
        Some((path, value)) if round == 0 => {
            send(calls(0, "set_financial_field", &arguments(path, value)));
            send(end("tool_calls"));
        }
        _ => {
            for piece in pieces(&script.text, script.pieces) {
                if script.pause > 0 {
                    steps.push(Step::Pause(script.pause));
                }
                steps.push(Step::Send(in_chunks(says(&piece).as_bytes())));
            }
            steps.push(Step::Send(in_chunks(end("stop").as_bytes())));
        }
    }
    steps.push(text("0\r\n\r\n"));
    steps
}
