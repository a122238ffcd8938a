//! Other protocols over a turn's log: the AI SDK's UI message stream and AG-UI.
//!
//! A dialect is a pure translator, `step(&mut State, &TurnEvent) -> Bytes`. It is fed with the frames that native readers
//! get, so the turn knows nothing of it and native readers pay nothing for it.

pub mod ag_ui;
pub mod ai_sdk;
pub mod event;
pub(crate) mod last;
pub(crate) mod page;
pub(crate) mod plan_state;
pub(crate) mod sources;
#[cfg(test)]
mod testing;

use bytes::Bytes;
use plan_model::ids::TurnId;
use serde::Serialize;
use serde_json::json;

/// The stored user message of a turn, as both dialects name it.
pub fn user_message_id(turn: TurnId) -> String {
    format!("{turn}-u")
}

/// The answer of a turn, as both dialects name it.
pub fn answer_id(turn: TurnId) -> String {
    format!("{turn}-a")
}

/// The turn that an id of ours names: `<turn>-u` or `<turn>-a`.
pub fn turn_of(message_id: &str) -> Option<TurnId> {
    let turn = message_id
        .strip_suffix("-u")
        .or_else(|| message_id.strip_suffix("-a"))?;
    turn.parse().ok().map(TurnId)
}

/// Events as server-sent events: one `data:` line of JSON each. JSON escapes line breaks.
#[derive(Debug, Default)]
struct Frames(Vec<u8>);

impl Frames {
    fn push(&mut self, event: &impl Serialize) {
        self.0.extend_from_slice(b"data: ");
        let start = self.0.len();
        if serde_json::to_writer(&mut self.0, event).is_err() {
            // Serialization of our own plain types cannot fail; half an event must not go out in any case.
            self.0.truncate(start);
            self.0.extend_from_slice(json!({}).to_string().as_bytes());
        }
        self.0.extend_from_slice(b"\n\n");
    }

    fn push_raw(&mut self, parts: &[&str]) {
        self.0.extend_from_slice(b"data: ");
        for part in parts {
            self.0.extend_from_slice(part.as_bytes());
        }
        self.0.extend_from_slice(b"\n\n");
    }

    fn bytes(self) -> Bytes {
        self.0.into()
    }
}
