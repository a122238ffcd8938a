//! Logs of turns as a test makes them up, and their frames as a log hands them out: any number at once.

use crate::conversation::stream::frame::{self, Cursor};
use bytes::Bytes;
use plan_model::ids::TurnId;
use proptest::prelude::*;
use serde_json::{Value, json};

/// A turn: pieces of text, an end, and after how many frames a reader looks again.
#[derive(Debug, Clone)]
pub(super) struct Log {
    pub turn: TurnId,
    pub pieces: Vec<String>,
    pub end: Value,
    pub sizes: Vec<usize>,
}

pub(super) const CONFIRMATION: &str = "0197a000-0000-7000-8000-00000000000c";

fn value(nth: usize, status: &str) -> Value {
    json!({"id": format!("0197a000-0000-7000-8000-0000000000{nth:02}"), "field": "operatingCosts.rentMonthly", "label": "Rent",
        "kind": "money", "value": 420_000, "previousValue": null, "confidence": "high", "status": status, "applied": status == "applied",
        "rangeWarning": null, "rangeCode": null, "evidence": "rent is \"$4,200\"", "note": null})
}

pub(super) fn done(values: &[Value], asks: bool, has_outputs: bool, reason: &str) -> Value {
    let outputs = json!({"metrics": {"totalInvestment": 1}, "changes": []});
    let pending = json!({"id": CONFIRMATION, "toolName": "clear_conversation", "prompt": "Shall I?", "arguments": {"a": 1}, "expiresAt": "2026-11-22T10:00:00Z"});
    json!({"type": "done", "turnId": TurnId::fresh(), "fullResponse": "", "extractedValues": values,
        "updatedOutputs": if has_outputs { outputs } else { Value::Null }, "pendingConfirmation": if asks { pending } else { Value::Null },
        "finishReason": reason, "missingFields": ["revenue.monthlyAuv"],
        "usage": {"promptTokens": 100, "completionTokens": 20, "totalTokens": 120, "estimated": false, "cachedPromptTokens": 7}})
}

pub(super) fn error(code: &str) -> Value {
    json!({"type": "error", "message": format!("Because of {code} \"–\""), "code": code, "retryable": true})
}

pub(super) fn logs() -> impl Strategy<Value = Log> {
    let status = prop::sample::select(vec!["applied", "unchanged", "proposed", "dismissed", "invalid"]);
    let values = prop::collection::vec(status, 0..4);
    let reason = prop::sample::select(vec!["stop", "length", "content_filter"]);
    let ends = prop_oneof![
        (values, any::<bool>(), any::<bool>(), reason).prop_map(|(values, asks, has_outputs, reason)| {
            let values: Vec<Value> = values
                .iter()
                .enumerate()
                .map(|(nth, status)| value(nth, status))
                .collect();
            done(&values, asks, has_outputs, reason)
        }),
        prop::sample::select(vec![
            "STOPPED",
            "LLM_UNAVAILABLE",
            "SERVER_RESTARTING",
            "INTERNAL_ERROR"
        ])
        .prop_map(error),
    ];
    let pieces = prop::collection::vec("\\PC{1,8}|[\\x00-\\x20\"\\\\\u{2028}]{1,3}", 0..8);
    (pieces, ends, prop::collection::vec(1usize..4, 0..9)).prop_map(|(pieces, end, sizes)| Log {
        turn: TurnId::fresh(),
        pieces,
        end,
        sizes,
    })
}

impl Log {
    /// A turn whose frames are read one by one.
    pub(super) fn of(pieces: &[&str], end: Value) -> Self {
        Self {
            turn: TurnId("0197a000-0000-7000-8000-000000000001".parse().expect("a UUID")),
            pieces: pieces.iter().map(|piece| (*piece).to_owned()).collect(),
            end,
            sizes: Vec::new(),
        }
    }

    pub(super) fn text(&self) -> String {
        self.pieces.concat()
    }

    /// All frames, joined as the reads of one client found them. Behind the end comes one event more, which no log has.
    pub(super) fn reads(&self) -> Vec<Bytes> {
        let cursor = Cursor {
            turn: self.turn,
            attempt: 1,
            offset: 1,
        };
        let mut frames: Vec<Bytes> = self.pieces.iter().map(|piece| frame::token(cursor, piece)).collect();
        frames.push(frame::terminal(cursor, &self.end.to_string()));
        frames.push(frame::terminal(cursor, &error("INTERNAL_ERROR").to_string()));
        let mut sizes = self.sizes.iter();
        let mut reads = Vec::new();
        while !frames.is_empty() {
            let size = sizes.next().map_or(1, |size| *size).min(frames.len());
            reads.push(frames.drain(..size).collect::<Vec<_>>().concat().into());
        }
        reads
    }
}

/// The data of each event, in order. Every event is one line and a blank one.
pub(super) fn data_of(bytes: &[u8]) -> Vec<String> {
    let text = std::str::from_utf8(bytes).expect("UTF-8");
    assert!(!text.contains('\r'));
    text.split_terminator("\n\n")
        .map(|block| {
            assert!(!block.contains('\n'), "{block:?}");
            block.strip_prefix("data: ").expect("a data line").to_owned()
        })
        .collect()
}
