//! The request in the last message of a chat.

use crate::http::error::AppError;
use serde::Deserialize;
use serde_json::Value;

/// A message id becomes part of an idempotency key.
const MAX_ID_BYTES: usize = 200;

/// A `UIMessage`; of its parts only those count that are read below.
#[derive(Debug, Deserialize)]
pub(super) struct ChatMessage {
    #[serde(default)]
    pub id: String,
    role: String,
    #[serde(default)]
    parts: Vec<Part>,
}

#[derive(Debug, Deserialize)]
struct Part {
    #[serde(rename = "type")]
    kind: String,
    #[serde(default)]
    text: Option<String>,
    #[serde(default)]
    state: Option<String>,
    #[serde(default)]
    approval: Option<Approval>,
}

#[derive(Debug, Deserialize)]
struct Approval {
    id: String,
    #[serde(default)]
    approved: Option<bool>,
}

/// What is to be done.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum ChatAction {
    Message {
        id: String,
        text: String,
    },
    /// The user answered a confirmation.
    Answer {
        approval: String,
        approved: bool,
    },
}

impl ChatMessage {
    /// Reads a message as a client sent it.
    pub(super) fn read(message: Value) -> Result<Self, AppError> {
        let message: Self =
            serde_json::from_value(message).map_err(|error| AppError::invalid("message", error.to_string()))?;
        match message.id.len() <= MAX_ID_BYTES && !message.id.chars().any(char::is_control) {
            true => Ok(message),
            false => Err(AppError::invalid(
                "message.id",
                format!("must have at most {MAX_ID_BYTES} bytes, no control characters"),
            )),
        }
    }

    /// What the message asks for. Tool outputs and texts of other roles are the client's own and never count.
    pub(super) fn asked(&self) -> Result<ChatAction, AppError> {
        match self.role.as_str() {
            "user" => self.message(),
            "assistant" => self.answer(),
            _ => Err(AppError::invalid("message.role", "must be the user's")),
        }
    }

    fn message(&self) -> Result<ChatAction, AppError> {
        if self.parts.iter().any(|part| part.kind == "file") {
            return Err(AppError::invalid("message.parts", "attachments are not supported"));
        }
        let texts: Vec<&str> = self
            .parts
            .iter()
            .filter(|part| part.kind == "text")
            .filter_map(|part| part.text.as_deref())
            .collect();
        Ok(ChatAction::Message {
            id: self.id.clone(),
            text: texts.join("\n"),
        })
    }

    fn answer(&self) -> Result<ChatAction, AppError> {
        let is_tool = |part: &&Part| part.kind.starts_with("tool-") || part.kind == "dynamic-tool";
        let responded = self
            .parts
            .iter()
            .filter(is_tool)
            .rfind(|part| part.state.as_deref() == Some("approval-responded"));
        let Some(approval) = responded.and_then(|part| part.approval.as_ref()) else {
            return Err(AppError::invalid("messages", "must end with a message of the user"));
        };
        let approved = approval
            .approved
            .ok_or_else(|| AppError::invalid("message.parts", "the approval must say whether it was approved"))?;
        Ok(ChatAction::Answer {
            approval: approval.id.clone(),
            approved,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn asked(message: Value) -> Result<ChatAction, AppError> {
        ChatMessage::read(message)?.asked()
    }

    #[test]
    fn only_the_users_text_counts() {
        let message = json!({"id": "m", "role": "user", "extra": 1, "parts": [
            {"type": "text", "text": "My rent"}, {"type": "data-x", "data": {}}, {"type": "text", "text": "is $4,200"},
            {"type": "tool-x", "state": "output-available", "output": "rent is 1"},
        ]});
        let expected = ChatAction::Message {
            id: "m".into(),
            text: "My rent\nis $4,200".into(),
        };
        assert_eq!(asked(message).expect("a message"), expected);
    }

    #[test]
    fn files_other_roles_and_shapes_are_refused() {
        for message in [
            json!({"role": "user", "parts": [{"type": "text", "text": "a"}, {"type": "file", "url": "data:,"}]}),
            json!({"role": "system", "parts": [{"type": "text", "text": "a"}]}),
            json!({"role": "assistant", "parts": [{"type": "tool-x", "state": "output-available", "output": 1}]}),
            json!({"role": "assistant", "parts": [{"type": "tool-x", "state": "approval-responded", "approval": {"id": "x"}}]}),
            json!({"role": "user", "parts": "text"}),
            json!({"role": "user", "id": "x".repeat(201), "parts": []}),
            json!({"role": "user", "id": "a\u{7}", "parts": []}),
            json!("text"),
        ] {
            assert!(asked(message.clone()).is_err(), "{message}");
        }
    }

    #[test]
    fn an_answered_approval_is_found() {
        let part = |state: &str, approved: bool| json!({"type": "tool-clear_conversation", "state": state, "approval": {"id": "7", "approved": approved}});
        let message = json!({"id": "t-a", "role": "assistant", "parts": [part("output-available", true), part("approval-responded", false)]});
        let expected = ChatAction::Answer {
            approval: "7".into(),
            approved: false,
        };
        assert_eq!(asked(message).expect("an answer"), expected);
    }
}
