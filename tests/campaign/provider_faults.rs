//! The parts from which the faults of a provider are made.

use crate::kinds::Case;
use crate::model::{Script, arguments};
use crate::wire::{END, OPEN, Step, calls, chunk, delta, end, finish, pieces, plain, reply, says, text};
use serde_json::{Value, json};
use std::net::SocketAddr;

const SET: &str = "set_financial_field";
const RENT: &str = "operatingCosts.rentMonthly";

/// The words of the answer, without its finish.
fn words(script: &Script) -> String {
    pieces(&script.text, script.pieces)
        .iter()
        .map(|piece| says(piece))
        .collect()
}

/// The events of the complete answer.
pub fn answer(script: &Script) -> String {
    words(script) + &end("stop")
}

/// A stream with this body.
pub fn framed(body: impl Into<Vec<u8>>) -> Vec<Step> {
    vec![text(OPEN), Step::Send(body.into())]
}

fn status(code: u16, more: &str, body: &str) -> Vec<Step> {
    let length = body.len();
    vec![text(format!(
        "HTTP/1.1 {code} X\r\ncontent-type: application/json\r\n{more}content-length: {length}\r\nconnection: close\r\n\r\n{body}"
    ))]
}

fn error_body() -> String {
    json!({"error": {"message": "internal words of the provider", "type": "x", "code": null}}).to_string()
}

pub fn refused(code: u16) -> Vec<Step> {
    status(code, "", &error_body())
}

/// A refusal that says what a request may not hold, in one person's turn: others' requests stay as they are.
pub fn refused_with(code: &str, message: &str) -> Vec<Step> {
    status(
        400,
        "",
        &json!({"error": {"message": message, "type": code, "code": code}}).to_string(),
    )
}

pub fn refused_until(retry_after: &str) -> Vec<Step> {
    status(429, &format!("retry-after: {retry_after}\r\n"), &error_body())
}

pub fn json_200() -> Vec<Step> {
    vec![Step::Send(reply(200, "application/json", &error_body()))]
}

pub fn page() -> Vec<Step> {
    vec![Step::Send(reply(
        200,
        "text/html",
        "<html><body>Bad gateway</body></html>",
    ))]
}

pub fn redirect(elsewhere: SocketAddr) -> Vec<Step> {
    status(
        307,
        &format!("location: http://{elsewhere}/v1/chat/completions\r\n"),
        "",
    )
}

pub fn echo_of_the_key(authorization: &str) -> Vec<Step> {
    let body = json!({"error": {"message": format!("Incorrect key: {authorization}"), "code": authorization}});
    status(401, "", &body.to_string())
}

/// Some words, then silence or only this comment.
pub fn stall(words: usize, comment: Option<&'static str>) -> Vec<Step> {
    vec![text(OPEN), text(says("word ").repeat(words)), Step::Stall(comment)]
}

/// The answer up to any byte before its finish: after it the answer would be complete.
pub fn before_the_finish(mut case: Case) -> Vec<u8> {
    let mut said = words(case.script).into_bytes();
    said.truncate(case.asked.rng.place_in(said.len()));
    said
}

pub fn reset_within_a_character() -> Vec<Step> {
    let cut = says("Grüße").into_bytes();
    let at = cut.iter().position(|byte| *byte > 127).unwrap_or(0) + 1;
    vec![
        text(OPEN),
        text(says("word ")),
        Step::Send(cut[..at].to_vec()),
        Step::Pause(30),
        Step::Reset,
    ]
}

pub fn endless(begin: &str, again: String) -> Vec<Step> {
    vec![text(OPEN), text(begin), Step::Endless(again.into_bytes())]
}

pub fn empty_deltas(script: &Script) -> Vec<Step> {
    let mut steps = vec![text(OPEN)];
    steps.extend((0..100).map(|_| text(delta(&json!({})).repeat(1_000))));
    steps.push(text(answer(script)));
    steps
}

pub fn gzip() -> Vec<Step> {
    vec![
        text(
            "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ncontent-encoding: gzip\r\nconnection: close\r\n\r\n",
        ),
        Step::Send([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3].repeat(2_000)),
    ]
}

/// The answer with this count of tokens.
pub fn counted(script: &Script, usage: &Value) -> Vec<Step> {
    let count = if usage.is_null() {
        String::new()
    } else {
        chunk(&json!([]), usage)
    };
    framed(words(script) + &finish("stop") + &count + END)
}

/// Tool calls, whatever was called before.
pub fn call(events: String) -> Vec<Step> {
    framed(events + &end("tool_calls"))
}

/// Tool calls in the first round, then the plain answer.
pub fn with_a_tool(case: &Case, events: String) -> Vec<Step> {
    if case.asked.round > 0 {
        return plain(case.script, case.asked.round);
    }
    call(events)
}

/// A value with arguments that must not be applied.
pub fn sets(case: &Case, arguments: &str) -> Vec<Step> {
    with_a_tool(case, calls(0, SET, arguments))
}

pub fn many_calls(case: &Case) -> Vec<Step> {
    let events = (0..10_000).map(|index| calls(index, "get_plan_summary", "{}"));
    with_a_tool(case, events.collect())
}

pub fn interleaved(case: &Case) -> Vec<Step> {
    let piece =
        |index: usize, part: &str| delta(&json!({"tool_calls": [{"index": index, "function": {"arguments": part}}]}));
    let events =
        calls(0, SET, "{\"path\":") + &calls(1, "what_is_this", "{\"a\":") + &piece(0, "\"x\"}") + &piece(1, "1}");
    with_a_tool(case, events)
}

/// A value, words, and an end before the model was done.
pub fn cut(reason: &str) -> Vec<Step> {
    let said = calls(0, SET, &arguments(RENT, "4100")) + &says("And then");
    framed(said + &end(reason))
}
