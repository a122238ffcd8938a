//! What is asked of a model. Cheap to clone: the long, stable parts are shared.

use crate::model::{json_text, message::ToolCall};
use serde_json::json;
use serde_json::value::RawValue;
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
    /// The same, for a text that many requests share.
    Stable(Arc<StableText>),
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

impl ChatMessage {
    /// Its text.
    pub(super) fn content(&self) -> &str {
        match self {
            Self::System(content)
            | Self::User(content)
            | Self::Assistant { content, .. }
            | Self::Tool { content, .. } => content,
            Self::Stable(text) => text.as_str(),
        }
    }

    /// Its size in bytes, calls included.
    #[must_use]
    pub fn size(&self) -> usize {
        let calls = match self {
            Self::Assistant { tool_calls, .. } => tool_calls.as_slice(),
            _ => &[],
        };
        let called: usize = calls.iter().map(|call| call.name.len() + call.arguments.len()).sum();
        self.content().len() + called
    }

    pub(super) fn is_blank(&self) -> bool {
        self.content().trim().is_empty()
    }
}

/// A tool the model may call.
#[derive(Clone, Debug)]
pub struct ToolDefinition {
    pub name: String,
    /// JSON Schema of an object, without `$ref`.
    pub parameters: serde_json::Value,
    /// As it is sent; written once, because it is long and the same in every call.
    pub(super) wire: Box<RawValue>,
}

impl ToolDefinition {
    #[must_use]
    pub fn new(name: &str, description: &str, parameters: serde_json::Value) -> Self {
        let function = json!({"name": name, "description": description, "parameters": parameters});
        let wire = json!({"type": "function", "function": function}).to_string();
        Self {
            name: name.to_owned(),
            parameters,
            wire: RawValue::from_string(wire).unwrap_or_default(),
        }
    }
}

/// A long text that is sent again and again, with its form inside a JSON string.
#[derive(Clone, PartialEq, Eq)]
pub struct StableText {
    text: Box<str>,
    escaped: Box<str>,
}

impl StableText {
    #[must_use]
    pub fn new(text: String) -> Self {
        let mut escaped = String::with_capacity(text.len() + text.len() / 16);
        json_text::push_escaped(&mut escaped, &text);
        Self {
            escaped: escaped.into(),
            text: text.into(),
        }
    }

    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Without the quotes.
    pub(super) fn escaped(&self) -> &str {
        &self.escaped
    }
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

impl fmt::Debug for StableText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "StableText({} bytes)", self.text.len())
    }
}

impl fmt::Debug for ChatMessage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::System(text) => write!(f, "System({} bytes)", text.len()),
            Self::Stable(text) => write!(f, "System({} bytes)", text.as_str().len()),
            Self::User(text) => write!(f, "User({} bytes)", text.len()),
            Self::Assistant { content, tool_calls } => {
                write!(f, "Assistant({} bytes, {} calls)", content.len(), tool_calls.len())
            }
            Self::Tool { content, .. } => write!(f, "Tool({} bytes)", content.len()),
        }
    }
}
