//! The reducer of `ai`, strict as its oldest versions, over turns of every kind.

use super::*;
use crate::http::dialect::event::events_of;
use crate::http::dialect::testing::{CONFIRMATION, Log, data_of, done, error, logs};
use insta::assert_snapshot;
use proptest::prelude::*;
use serde_json::{Value, json};

/// Keys that the strict schemas of version 5 know; the last two chunks are known to version 6 and newer.
fn known_keys(kind: &str) -> &'static [&'static str] {
    match kind {
        "start" => &["messageId", "messageMetadata"],
        "text-start" | "text-end" => &["id"],
        "text-delta" => &["id", "delta"],
        "data-extracted-value" | "data-updated-outputs" | "data-missing-fields" | "data-confirmation" => {
            &["id", "data"]
        }
        "finish" => &["finishReason", "messageMetadata"],
        "start-step" | "finish-step" => &[],
        "abort" => &["reason"],
        "error" => &["errorText"],
        "tool-input-available" => &["toolCallId", "toolName", "input", "providerExecuted"],
        "tool-output-available" => &["toolCallId", "output", "providerExecuted"],
        "tool-output-denied" => &["toolCallId"],
        "tool-approval-request" => &["approvalId", "toolCallId", "reason"],
        other => panic!("no chunk is called {other}"),
    }
}

/// What a client holds after these chunks, and how the stream ended. Panics where a client would throw.
fn reduce(stream: &[u8], message: &mut Vec<Value>) -> &'static str {
    let mut data = data_of(stream);
    assert_eq!(data.pop().as_deref(), Some("[DONE]"));
    let (mut open, mut ended, mut in_step) = (None, "open", false);
    for chunk in data {
        let chunk: Value = serde_json::from_str(&chunk).expect("JSON");
        assert_eq!(ended, "open", "behind the end: {chunk}");
        let kind = chunk["type"].as_str().expect("a type");
        for key in chunk
            .as_object()
            .expect("an object")
            .keys()
            .filter(|key| *key != "type")
        {
            assert!(known_keys(kind).contains(&key.as_str()), "{kind}.{key}");
        }
        let tool = |message: &mut Vec<Value>, id: &Value| {
            message
                .iter()
                .position(|part| part["toolCallId"] == *id)
                .expect("a known call")
        };
        match kind {
            "start" => assert!(chunk["messageId"].as_str().is_some_and(|id| id.ends_with("-a"))),
            "start-step" => {
                in_step = true;
                message.push(json!({"type": "step-start"}));
            }
            "text-start" => {
                open = Some(message.len());
                message.push(json!({"type": "text", "text": ""}));
            }
            "text-delta" => {
                let part = &mut message[open.expect("an open text")];
                let text = [part["text"].as_str().unwrap(), chunk["delta"].as_str().unwrap()].concat();
                part["text"] = json!(text);
            }
            "text-end" => open = None,
            "tool-input-available" => message.push(json!({"toolCallId": chunk["toolCallId"]})),
            "tool-approval-request" => {
                let at = tool(message, &chunk["toolCallId"]);
                message[at]["state"] = json!("approval-requested");
            }
            "tool-output-available" | "tool-output-denied" => {
                let at = tool(message, &chunk["toolCallId"]);
                message[at]["state"] = json!(kind);
            }
            "finish-step" => {
                assert!(open.is_none() && std::mem::take(&mut in_step));
            }
            "finish" => ended = "finish",
            "abort" => ended = "abort",
            "error" => ended = "error",
            _ => match message
                .iter()
                .position(|part| part["type"] == chunk["type"] && part["id"] == chunk["id"])
            {
                Some(at) => message[at] = chunk,
                None => message.push(chunk),
            },
        }
    }
    assert!(open.is_none() && !(in_step && ended == "finish"));
    ended
}

fn translate(log: &Log, approvals: bool) -> Vec<u8> {
    let mut state = State::new(log.turn, approvals);
    let mut out = begin(&state).to_vec();
    for read in log.reads() {
        for event in events_of(&read) {
            out.extend_from_slice(&step(&mut state, &event));
        }
    }
    out
}

proptest! {
    #[test]
    fn every_turn_is_a_message_that_the_reducer_takes(log in logs(), approvals: bool) {
        let mut message = Vec::new();
        let ended = reduce(&translate(&log, approvals), &mut message);
        let expected = match log.end["code"].as_str() {
            None => "finish",
            Some("STOPPED") => "abort",
            Some(_) => "error",
        };
        prop_assert_eq!(ended, expected);
        prop_assert_eq!(&message[1]["text"], &json!(log.text()));
        let values = log.end["extractedValues"].as_array().map_or(0, Vec::len);
        prop_assert_eq!(message.iter().filter(|part| part["type"] == "data-extracted-value").count(), values);
        let asked = !log.end["pendingConfirmation"].is_null() && expected == "finish";
        prop_assert_eq!(message.iter().any(|part| part["type"] == "data-confirmation"), asked);
        prop_assert_eq!(message.iter().any(|part| part["state"] == "approval-requested"), asked && approvals);
    }

    #[test]
    fn a_stream_that_begins_anew_at_any_place_gives_the_same_message(log in logs()) {
        let whole = translate(&log, false);
        let (mut first, mut again) = (Vec::new(), Vec::new());
        reduce(&whole, &mut first);
        let at_once = Log { pieces: vec![log.text()].into_iter().filter(|text| !text.is_empty()).collect(), ..log.clone() };
        reduce(&translate(&at_once, false), &mut again);
        prop_assert_eq!(first, again);
    }
}

fn shown(stream: &[u8]) -> String {
    data_of(stream).join("\n")
}

#[test]
fn a_turn_with_everything() {
    let heard = json!({"id": CONFIRMATION, "status": "applied", "more": [1.50]});
    let turn = Log::of(&["I've noted ", "$4,200.\n"], done(&[heard], true, true, "length"));
    assert_snapshot!(shown(&translate(&turn, true)), @r#"
    {"type":"start","messageId":"0197a000-0000-7000-8000-000000000001-a","messageMetadata":{"turnId":"0197a000-0000-7000-8000-000000000001"}}
    {"type":"start-step"}
    {"type":"text-start","id":"t0"}
    {"type":"text-delta","id":"t0","delta":"I've noted "}
    {"type":"text-delta","id":"t0","delta":"$4,200.\n"}
    {"type":"text-end","id":"t0"}
    {"type":"data-extracted-value","id":"0197a000-0000-7000-8000-00000000000c","data":{"id":"0197a000-0000-7000-8000-00000000000c","more":[1.5],"status":"applied"}}
    {"type":"data-updated-outputs","id":"outputs","data":{"changes":[],"metrics":{"totalInvestment":1}}}
    {"type":"data-missing-fields","id":"missing","data":["revenue.monthlyAuv"]}
    {"type":"data-confirmation","id":"0197a000-0000-7000-8000-00000000000c","data":{"id":"0197a000-0000-7000-8000-00000000000c","toolName":"clear_conversation","prompt":"Shall I?","arguments":{"a":1},"expiresAt":"2026-11-22T10:00:00Z"}}
    {"type":"tool-input-available","toolCallId":"0197a000-0000-7000-8000-00000000000c","toolName":"clear_conversation","input":{"a":1},"providerExecuted":true}
    {"type":"tool-approval-request","approvalId":"0197a000-0000-7000-8000-00000000000c","toolCallId":"0197a000-0000-7000-8000-00000000000c","reason":"Shall I?"}
    {"type":"finish-step"}
    {"type":"finish","finishReason":"length","messageMetadata":{"usage":{"inputTokens":100,"outputTokens":20,"totalTokens":120,"cachedInputTokens":7}}}
    [DONE]
    "#);
}

#[test]
fn turns_that_end_otherwise() {
    let ending = |pieces: &[&str], code: &str| {
        let all = data_of(&translate(&Log::of(pieces, error(code)), false));
        all[3..].join("\n")
    };
    assert_snapshot!(ending(&["I've no"], "STOPPED"), @r#"
    {"type":"text-delta","id":"t0","delta":"I've no"}
    {"type":"text-end","id":"t0"}
    {"type":"abort","reason":"Because of STOPPED \"–\""}
    [DONE]
    "#);
    assert_snapshot!(ending(&[], "LLM_UNAVAILABLE"), @r#"
    {"type":"text-end","id":"t0"}
    {"type":"error","errorText":"Because of LLM_UNAVAILABLE \"–\""}
    [DONE]
    "#);
}

#[test]
fn a_settled_confirmation_goes_on_in_the_message_that_asked() {
    let turn = Log::of(&["Shall I?"], done(&[], true, true, "stop"));
    let mut message = Vec::new();
    reduce(&translate(&turn, true), &mut message);
    for (approved, state) in [(true, "tool-output-available"), (false, "tool-output-denied")] {
        let mut message = message.clone();
        let outputs = serde_json::value::to_raw_value(&json!({"metrics": {"totalInvestment": 2}})).expect("JSON");
        let answer = settled(&Settled {
            message_id: "x-a",
            confirmation: CONFIRMATION.parse().expect("a UUID"),
            approved,
            text: "Done \"it\".",
            updated_outputs: Some(&outputs),
        });
        assert_eq!(reduce(&answer, &mut message), "finish");
        let call = message
            .iter()
            .find(|part| part["toolCallId"] == CONFIRMATION)
            .expect("the call");
        assert_eq!(call["state"], state);
        assert_eq!(
            message.iter().rfind(|part| part["type"] == "text").expect("text")["text"],
            "Done \"it\"."
        );
        let outputs: Vec<_> = message
            .iter()
            .filter(|part| part["type"] == "data-updated-outputs")
            .collect();
        assert_eq!(outputs.len(), 1, "replaced in place");
    }
}
