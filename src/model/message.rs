//! The stored conversation: messages, tool calls, token usage.

use super::extracted::ExtractedValue;
use super::ids::{MessageId, TurnId};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use time::OffsetDateTime;

/// Who said a stored message. Tool messages live only inside a running turn and are never stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Role {
    User,
    Assistant,
}

/// One element of `ai_conversations.messages`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Message {
    pub id: MessageId,
    pub turn_id: TurnId,
    pub role: Role,
    /// Shared by whoever holds the message: a conversation is kept in several places while a turn runs.
    pub content: Arc<str>,
    /// As they were when the turn ended; readers replace them by the current rows.
    #[serde(default)]
    pub extracted_values: Option<Vec<ExtractedValue>>,
    #[serde(with = "time::serde::rfc3339")]
    pub timestamp: OffsetDateTime,
    /// Set where the user stopped the answer before its end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stopped: Option<bool>,
}

/// A model's request to run a tool.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ToolCall {
    pub id: String,
    pub name: String,
    /// JSON text as the model wrote it; parsed and validated by the tool.
    pub arguments: String,
}

/// Tokens of a turn, as the provider counted them, or estimated and flagged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Usage {
    pub prompt_tokens: i64,
    pub completion_tokens: i64,
    pub total_tokens: i64,
    pub estimated: bool,
}

impl Usage {
    /// Adds the usage of another round.
    pub fn add(&mut self, other: Self) {
        self.prompt_tokens = self.prompt_tokens.saturating_add(other.prompt_tokens);
        self.completion_tokens = self.completion_tokens.saturating_add(other.completion_tokens);
        self.total_tokens = self.total_tokens.saturating_add(other.total_tokens);
        self.estimated |= other.estimated;
    }
}
