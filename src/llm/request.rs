//! What is asked of a model. Cheap to clone: the long, stable parts are shared.

use crate::model::message::ToolCall;
use std::{fmt, sync::Arc};

/// One call of the model.
#[derive(Clone)]
pub struct LlmRequest {
    /// System messages first, then the conversation, the user's or a tool's message last.
    pub messages: Vec<ChatMessage>,
    /// Empty: the model gets no tools at all.
    pub tools: Arc<[ToolDefinition]>,
    /// `None` leaves it to the provider.
    pub temperature: Option<f32>,
    pub max_output_tokens: u32,
}

/// One message as the model sees it.
#[derive(Clone, PartialEq, Eq)]
pub enum ChatMessage {
    /// Those at the front travel as one message, joined by a blank line: templates of small models want exactly one.
    System(Arc<str>),
    User(Arc<str>),
    Assistant {
        content: Arc<str>,
        tool_calls: Vec<ToolCall>,
    },
    /// The result of a call of the assistant message before it.
    Tool {
        call_id: String,
        content: Arc<str>,
    },
}

/// A tool the model may call.
#[derive(Clone, Debug, PartialEq)]
pub struct ToolDefinition {
    pub name: String,
    pub description: String,
    /// JSON Schema of an object, without `$ref`.
    pub parameters: serde_json::Value,
}

/// Counts only: people's words never reach a log by accident.
impl fmt::Debug for LlmRequest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LlmRequest")
            .field("messages", &self.messages)
            .field("tools", &self.tools.len())
            .field("temperature", &self.temperature)
            .field("max_output_tokens", &self.max_output_tokens)
            .finish()
    }
}

impl fmt::Debug for ChatMessage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::System(text) => write!(f, "System({} bytes)", text.len()),
            Self::User(text) => write!(f, "User({} bytes)", text.len()),
            Self::Assistant { content, tool_calls } => {
                write!(f, "Assistant({} bytes, {} calls)", content.len(), tool_calls.len())
            }
            Self::Tool { content, .. } => write!(f, "Tool({} bytes)", content.len()),
        }
    }
}
