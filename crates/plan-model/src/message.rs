//! The stored conversation: messages and tool calls.

pub use super::access::Author;
use super::extracted::ExtractedValue;
use super::ids::{MessageId, TurnId};
use super::outputs::MetricChange;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use time::OffsetDateTime;

/// Who wrote a stored message. Tool messages exist only while a turn runs and are never stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Role {
    /// The franchisee, or who acts for it.
    User,
    /// The advisor.
    Assistant,
}

/// Why a finished answer ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum FinishReason {
    /// The model ended it.
    #[default]
    Stop,
    /// It became too long.
    Length,
    /// The provider cut it.
    ContentFilter,
}

impl FinishReason {
    /// Whether the model ended the answer itself.
    pub const fn is_stop(&self) -> bool {
        matches!(self, Self::Stop)
    }
}

/// One element of `ai_conversations.messages`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Message {
    /// Unique in all conversations.
    pub id: MessageId,
    /// The turn that it belongs to: a question and its answer have one.
    pub turn_id: TurnId,
    /// Who wrote it.
    pub role: Role,
    /// Reference-counted: while a turn runs, several caches share the same message.
    pub content: Arc<str>,
    /// As they were when the turn ended; readers replace them by the current rows.
    #[serde(default)]
    pub extracted_values: Option<Vec<ExtractedValue>>,
    /// When it was stored.
    #[serde(with = "time::serde::rfc3339")]
    pub timestamp: OffsetDateTime,
    /// Set where the user stopped the answer before its end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stopped: Option<bool>,
    /// Set where the words were erased: the content is empty then.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub erased: Option<bool>,
    /// Left out where the model ended the answer itself.
    #[serde(default, skip_serializing_if = "FinishReason::is_stop")]
    pub finish_reason: FinishReason,
    /// Set where an administrator or an assistant wrote the message; readers leave out an administrator whose own plan it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub author: Option<Author>,
    /// What the turn moved in the results.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub changes: Vec<MetricChange>,
}

impl Message {
    /// A message that is nothing but its words.
    pub fn plain(id: MessageId, turn_id: TurnId, role: Role, content: Arc<str>, timestamp: OffsetDateTime) -> Self {
        Self {
            id,
            turn_id,
            role,
            content,
            extracted_values: None,
            timestamp,
            stopped: None,
            erased: None,
            finish_reason: FinishReason::Stop,
            author: None,
            changes: Vec::new(),
        }
    }

    /// Whether the words were erased.
    pub fn is_erased(&self) -> bool {
        self.erased == Some(true)
    }

    /// Whether an assistant passed the message on: the person may not have said it.
    pub fn is_of_assistant(&self) -> bool {
        self.author.as_ref().is_some_and(|author| author.is_assistant)
    }
}

/// A model's request to run a tool.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ToolCall {
    /// The provider's; the result names it.
    pub id: String,
    /// The tool.
    pub name: String,
    /// JSON text as the model wrote it; parsed and validated by the tool.
    pub arguments: String,
}
