//! The wire form of a turn's events.
//!
//! Every frame is one `id:` line, one `data:` line of JSON and a blank line. JSON escapes line breaks, so text can never end a
//! frame early.

use bytes::Bytes;
use plan_model::event::TurnEvent;
use plan_model::ids::TurnId;
use plan_model::json_text;
use serde_json::value::{RawValue, to_raw_value};

/// Names a place in a turn: `<turnId>:<attempt>.<offset>`, the offset in UTF-8 bytes of the answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Cursor {
    pub turn: TurnId,
    pub attempt: i32,
    pub offset: usize,
}

impl Cursor {
    /// Reads what a client echoes; `None` for anything we did not write.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let (turn, place) = text.trim().split_once(':')?;
        let (attempt, offset) = place.split_once('.')?;
        let digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
        if !digits(attempt) || !digits(offset) {
            return None;
        }
        Some(Self {
            turn: TurnId(turn.parse().ok()?),
            attempt: attempt.parse().ok()?,
            offset: offset.parse().ok()?,
        })
    }
}

impl std::fmt::Display for Cursor {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}.{}", self.turn, self.attempt, self.offset)
    }
}

/// What all cursors of an attempt begin with, as the beginning of an `id:` line.
pub(crate) fn head(turn: TurnId, attempt: i32) -> String {
    format!("id: {turn}:{attempt}.")
}

/// A frame with a piece of the answer; `cursor` is the offset after the piece.
pub(crate) fn token(cursor: Cursor, content: &str) -> Bytes {
    let mut frame = String::new();
    push_token(&mut frame, &head(cursor.turn, cursor.attempt), cursor.offset, content);
    Bytes::from(frame)
}

/// Appends a frame with a piece of the answer up to `offset`, of the attempt that `head` names.
pub(crate) fn push_token(out: &mut String, head: &str, offset: usize, content: &str) {
    out.reserve(head.len() + content.len() + content.len() / 8 + 64);
    out.push_str(head);
    out.push_str(&offset.to_string());
    out.push_str("\ndata: {\"type\":\"token\",\"content\":");
    json_text::push_string(out, content);
    out.push_str("}\n\n");
}

/// The last frame, from the terminal event's JSON.
pub(crate) fn terminal(cursor: Cursor, json: &str) -> Bytes {
    Bytes::from(format!("id: {cursor}\ndata: {json}\n\n"))
}

/// The JSON of a terminal event. Serialisation of our own plain types cannot fail; should it ever, the reader still gets an end.
pub(crate) fn json(event: &TurnEvent) -> Box<RawValue> {
    to_raw_value(event).unwrap_or_else(|_| {
        let failed = r#"{"type":"error","message":"Something went wrong on our side. Please try again.","code":"INTERNAL_ERROR","retryable":true}"#;
        RawValue::from_string(failed.into()).unwrap_or_default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_cursor_is_read_as_it_was_written_and_nothing_else_is() {
        let cursor = Cursor {
            turn: TurnId::fresh(),
            attempt: 2,
            offset: 17,
        };
        assert_eq!(Cursor::parse(&cursor.to_string()), Some(cursor));
        let turn = cursor.turn;
        for text in [
            "",
            "x",
            &format!("{turn}"),
            &format!("{turn}:1"),
            &format!("{turn}:1.-1"),
            &format!("{turn}:+1.1"),
            "7:1.2",
        ] {
            assert_eq!(Cursor::parse(text), None, "{text}");
        }
    }

    proptest! {
        #[test]
        fn any_text_makes_one_frame_that_gives_the_text_back(text in "\\PC*|[\\x00-\\x20\"\\\\\u{2028}]*") {
            let frame = token(Cursor { turn: TurnId::fresh(), attempt: 1, offset: 3 }, &text);
            let frame = std::str::from_utf8(&frame).expect("utf-8");
            let lines: Vec<_> = frame.split('\n').collect();
            prop_assert_eq!(lines.len(), 4);
            prop_assert!(!frame.contains('\r'));
            let data: serde_json::Value = serde_json::from_str(lines[1].strip_prefix("data: ").expect("data")).expect("json");
            prop_assert_eq!(data["content"].as_str(), Some(text.as_str()));
        }
    }
}
