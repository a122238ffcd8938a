//! The faults of a provider, F20 to F36, as bytes on a socket.

use crate::model::{Asked, Script, arguments};
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

/// The required outcome of the first attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expect {
    /// A complete answer with exactly the text that was sent.
    Whole,
    /// A complete answer; the text may have been repaired.
    Done,
    /// An answer or an error, and no value is applied.
    NothingApplied,
    /// `LLM_UNAVAILABLE`.
    Refused,
}

#[derive(Debug)]
pub struct Kind {
    /// Row of `docs/FAULTS.md`.
    pub row: &'static str,
    pub name: &'static str,
    pub expect: Expect,
}

macro_rules! kinds {
    ($($row:literal $name:literal $expect:ident;)*) => {
        pub const KINDS: &[Kind] = &[$(Kind { row: $row, name: $name, expect: Expect::$expect }),*];
    };
}

kinds! {
    "F20" "reset at once" Refused;
    "F20" "closed at once" Refused;
    "F22" "400" Refused; "F22" "401" Refused; "F22" "403" Refused; "F22" "404" Refused;
    "F22" "429" Refused; "F22" "429 after 0" Refused; "F22" "429 after 1" Refused;
    "F22" "429 after 86400" Refused; "F22" "429 after a date" Refused; "F22" "429 after nonsense" Refused;
    "F22" "500" Refused; "F22" "502" Refused; "F22" "503" Refused; "F22" "529" Refused;
    "F23" "error as JSON with 200" Refused;
    "F23" "page with 200" Refused;
    "F24" "first word late" Done;
    "F24" "first word too late" Refused;
    "F25" "stall before the first word" Refused;
    "F25" "stall after one word" Refused;
    "F25" "stall after fifty words" Refused;
    "F25" "stall with heartbeats" Refused;
    "F26" "body ends anywhere" Refused;
    "F26" "connection ends anywhere" Refused;
    "F26" "no end mark behind the finish" Whole;
    "F27" "reset in mid-answer" Refused;
    "F27" "reset within a character" Refused;
    "F28" "byte by byte" Whole; "F28" "CRLF" Whole; "F28" "CR" Whole; "F28" "byte order mark" Whole;
    "F28" "comments" Whole; "F28" "event lines" Whole; "F28" "empty data" Whole;
    "F29" "invalid UTF-8" Done; "F29" "NUL" Done; "F29" "lone surrogates" Done;
    "F30" "giant line" Refused; "F30" "endless text" Refused; "F30" "endless comments" Refused;
    "F30" "a hundred thousand empty deltas" NothingApplied;
    "F31" "unrequested gzip" Refused;
    "F32" "unknown tool" NothingApplied; "F32" "broken arguments" NothingApplied;
    "F32" "a key twice" NothingApplied; "F32" "extra keys" NothingApplied;
    "F32" "a list for arguments" NothingApplied; "F32" "ten thousand calls" NothingApplied;
    "F32" "gaps in the indexes" NothingApplied; "F32" "interleaved calls" NothingApplied;
    "F32" "a huge number" NothingApplied; "F32" "not a number" NothingApplied;
    "F32" "percent for dollars" NothingApplied;
    "F33" "tools without end" NothingApplied;
    "F34" "no usage" Whole; "F34" "negative usage" Whole; "F34" "enormous usage" Whole; "F34" "usage in words" Whole;
    "F35" "cut by length" NothingApplied; "F35" "cut by the filter" NothingApplied;
    "F36" "redirect" Refused;
    "S20" "another plan's id" NothingApplied; "S20" "a figure that was not said" NothingApplied;
    "S20" "a field outside the list" NothingApplied; "S20" "clears the conversation" NothingApplied;
    "S20" "confirms for the user" NothingApplied;
    "S10" "echoes the key" Refused; "S10" "echoes the key in its text" Done;
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

pub fn steps(kind: &Kind, script: &Script, asked: Asked) -> Vec<Step> {
    crate::provider_faults::steps(kind, script, asked)
}
