//! A turn's events as the dialects read them: from the log's own frames, without unpacking what is only passed on.

use plan_model::message::FinishReason;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use std::borrow::Cow;
use time::OffsetDateTime;
use uuid::Uuid;

/// How [`crate::conversation::stream::frame::token`] begins the JSON of a piece of the answer.
const TOKEN_PREFIX: &str = r#"{"type":"token","content":""#;

/// One event of a turn. `Token`s come first; one `Done` or `Error` ends every turn.
#[derive(Debug)]
pub enum TurnEvent<'a> {
    /// Text of the answer, never empty, escaped as inside a JSON string: it is copied, not decoded and encoded again.
    Token(Cow<'a, str>),
    Done(Box<Done<'a>>),
    Error(Failure<'a>),
}

/// The end of a stored turn. Parts that a dialect passes on stay as they were written.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Done<'a> {
    #[serde(borrow, default)]
    pub extracted_values: Vec<&'a RawValue>,
    #[serde(borrow, default)]
    pub updated_outputs: Option<&'a RawValue>,
    #[serde(default)]
    pub pending_confirmation: Option<Confirmation>,
    #[serde(default)]
    pub finish_reason: FinishReason,
    #[serde(borrow, default)]
    pub missing_fields: Option<&'a RawValue>,
    #[serde(default)]
    pub usage: Usage,
    #[serde(default)]
    pub suggestions: Vec<String>,
    #[serde(borrow, default)]
    pub heard_as: Option<&'a RawValue>,
}

/// The end of a turn without a whole answer.
#[derive(Debug, Deserialize)]
pub struct Failure<'a> {
    #[serde(borrow)]
    pub message: Cow<'a, str>,
    #[serde(borrow)]
    pub code: Cow<'a, str>,
}

/// An action that waits for a yes.
#[derive(Debug, Clone, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Confirmation {
    pub id: Uuid,
    pub tool_name: String,
    pub prompt: String,
    pub arguments: serde_json::Value,
    #[serde(with = "time::serde::rfc3339")]
    pub expires_at: OffsetDateTime,
}

/// What is read of an extracted value; the rest is passed on.
#[derive(Debug, Deserialize)]
pub struct ValueHead<'a> {
    pub id: Uuid,
    #[serde(borrow)]
    pub status: Cow<'a, str>,
}

/// Tokens of a turn as `done` counts them.
#[derive(Debug, Default, Clone, Copy, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Usage {
    pub prompt_tokens: i64,
    pub completion_tokens: i64,
    pub total_tokens: i64,
    pub estimated: bool,
    pub cached_prompt_tokens: Option<i64>,
    pub reasoning_tokens: Option<i64>,
}

/// Tokens under the names that both dialects have for them.
#[derive(Debug, Clone, Copy, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct TokenUsage {
    input_tokens: i64,
    output_tokens: i64,
    total_tokens: i64,
    #[serde(skip_serializing_if = "Option::is_none")]
    cached_input_tokens: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reasoning_tokens: Option<i64>,
}

impl From<Usage> for TokenUsage {
    fn from(usage: Usage) -> Self {
        Self {
            input_tokens: usage.prompt_tokens,
            output_tokens: usage.completion_tokens,
            total_tokens: usage.total_tokens,
            cached_input_tokens: usage.cached_prompt_tokens,
            reasoning_tokens: usage.reasoning_tokens,
        }
    }
}

impl Failure<'_> {
    /// The user stopped the turn.
    pub fn is_stop(&self) -> bool {
        self.code == "STOPPED"
    }
}

/// The events of whole frames, tokens that follow each other as one.
pub fn events_of(frames: &[u8]) -> Vec<TurnEvent<'_>> {
    let text = std::str::from_utf8(frames).unwrap_or_default();
    let mut events: Vec<TurnEvent<'_>> = Vec::new();
    for json in text.split('\n').filter_map(|line| line.strip_prefix("data: ")) {
        let token = json
            .strip_prefix(TOKEN_PREFIX)
            .and_then(|rest| rest.strip_suffix("\"}"));
        match (token, events.last_mut()) {
            (Some(""), _) => {}
            (Some(piece), Some(TurnEvent::Token(text))) => text.to_mut().push_str(piece),
            (Some(piece), _) => events.push(TurnEvent::Token(Cow::Borrowed(piece))),
            (None, _) => events.push(terminal(json)),
        }
    }
    events
}

/// Whether these frames hold the end of the turn.
pub fn holds_end(frames: &[u8]) -> bool {
    let text = std::str::from_utf8(frames).unwrap_or_default();
    text.split('\n')
        .filter_map(|line| line.strip_prefix("data: "))
        .any(|json| !json.starts_with(TOKEN_PREFIX))
}

/// A terminal event from its JSON, fresh or as the database gives it back: keys in any order. What cannot be read ends
/// the turn as an internal error, because every reader gets an end.
pub fn terminal(json: &str) -> TurnEvent<'_> {
    #[derive(Deserialize)]
    struct Head<'a> {
        #[serde(rename = "type", borrow)]
        kind: Cow<'a, str>,
    }
    let read = || -> serde_json::Result<TurnEvent<'_>> {
        match serde_json::from_str::<Head<'_>>(json)?.kind.as_ref() {
            "done" => Ok(TurnEvent::Done(Box::new(serde_json::from_str(json)?))),
            _ => Ok(TurnEvent::Error(serde_json::from_str(json)?)),
        }
    };
    read().unwrap_or_else(|_| {
        TurnEvent::Error(Failure {
            message: "Something went wrong on our side. Please try again.".into(),
            code: "INTERNAL_ERROR".into(),
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::conversation::stream::frame::{self, Cursor};
    use plan_model::ids::TurnId;

    fn cursor() -> Cursor {
        Cursor {
            turn: TurnId::fresh(),
            attempt: 1,
            offset: 1,
        }
    }

    fn text_of(event: &TurnEvent<'_>) -> String {
        let TurnEvent::Token(escaped) = event else {
            panic!("no token: {event:?}")
        };
        serde_json::from_str(&format!("\"{escaped}\"")).expect("a JSON string")
    }

    #[test]
    fn tokens_that_follow_each_other_are_one_and_keep_every_character() {
        let pieces = ["I've \"noted\"\n", "–\u{2028}\\", "", "\t\u{1F4B0}\"}"];
        let frames: Vec<u8> = pieces.iter().flat_map(|piece| frame::token(cursor(), piece)).collect();
        let events = events_of(&frames);
        assert_eq!(events.iter().map(text_of).collect::<Vec<_>>(), [pieces.concat()]);
        assert!(!holds_end(&frames));
    }

    #[test]
    fn an_end_is_read_in_any_order_of_keys_and_an_unreadable_one_is_an_error() {
        let json = r#"{"usage": {"promptTokens": 3}, "type": "done", "extractedValues": [], "updatedOutputs": null}"#;
        let frames = frame::terminal(cursor(), json);
        assert!(holds_end(&frames));
        assert!(
            matches!(&events_of(&frames)[..], [TurnEvent::Done(done)] if done.usage.prompt_tokens == 3 && done.updated_outputs.is_none())
        );
        for json in ["{}", "nope", r#"{"type":"done","usage":7}"#] {
            assert!(
                matches!(terminal(json), TurnEvent::Error(failure) if failure.code == "INTERNAL_ERROR"),
                "{json}"
            );
        }
        assert!(matches!(
            terminal(r#"{"type":"error","message":"x","code":"STOPPED","retryable":false}"#),
            TurnEvent::Error(failure) if failure.is_stop()
        ));
    }
}
