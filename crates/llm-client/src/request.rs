//! A request to a model. Cheap to clone: the long, stable parts are shared.

use super::{Asker, Replay, tokens::tokens};
use plan_model::field::{Bounds, Field, FieldPath};
use plan_model::json_text;
use plan_model::language::Language;
use plan_model::message::ToolCall;
use std::fmt;
use std::sync::{Arc, OnceLock};

/// What the marks around a message cost.
const TOKENS_AROUND: usize = 4;

/// One call of the model.
#[derive(Clone, Default)]
pub struct LlmRequest {
    /// Asks another model of the same server; `None` asks the configured one.
    pub model: Option<Arc<str>>,
    /// System messages first, then the conversation, the user's or a tool's message last.
    pub messages: Vec<ChatMessage>,
    /// Empty: the model gets no tools at all.
    pub tools: Arc<[ToolDefinition]>,
    /// The plan's fields, for an advisor that is a program and reads no prompt; never sent.
    pub fields: Arc<[Field]>,
    /// For each of these fields what the brand discloses as usual, for such an advisor; never sent. Empty: nothing is known.
    pub ranges: Arc<[Option<Bounds>]>,
    /// The field whose value was written or asked about last, for such an advisor; never sent.
    pub about: Option<FieldPath>,
    /// The language of the person's page, for such an advisor; never sent.
    pub language: Language,
    /// `None` leaves it to the provider.
    pub temperature: Option<f32>,
    /// The longest answer.
    pub max_output_tokens: u32,
    /// What requests with the same beginning have in common, for providers that route by it.
    pub cache_key: Option<Arc<str>>,
    /// How often it may be tried.
    pub attempts: Attempts,
    /// On whose behalf.
    pub asker: Asker,
}

/// How often a call is tried, and whether its failure says something about the model.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Attempts {
    /// Again until the answer has begun, within the timeout and the retry budget; the circuit breaker counts the outcome.
    #[default]
    UntilBegun,
    /// Once. The circuit breaker refuses the call while it is not closed, and does not count its outcome. A parameter that
    /// the server refuses by name is left out all the same: that is learned once per process and not tried again.
    Once,
}

/// One message as the model sees it.
#[derive(Clone, PartialEq, Eq)]
pub enum ChatMessage {
    /// Those at the front travel as one message, joined by a blank line: templates of small models want exactly one.
    System(Arc<str>),
    /// The same, for a text that many requests share.
    Stable(Arc<StableText>),
    /// The person's words.
    User(Arc<str>),
    /// What the model answered before.
    Assistant {
        /// Its text; may be empty.
        content: Arc<str>,
        /// The calls it made.
        tool_calls: Vec<ToolCall>,
    },
    /// The result of a call of the assistant message before it.
    Tool {
        /// Which call it answers.
        call_id: String,
        /// What the tool gave back.
        content: Arc<str>,
    },
    /// The assistant message behind it, as the model sent it: for the format that it came in.
    Replay(Arc<Replay>),
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
            Self::Replay(_) => "",
        }
    }

    /// Its size in bytes, calls included.
    pub fn size(&self) -> usize {
        let calls = match self {
            Self::Assistant { tool_calls, .. } => tool_calls.as_slice(),
            Self::Replay(replay) => return replay.size(),
            _ => &[],
        };
        let called: usize = calls.iter().map(|call| call.name.len() + call.arguments.len()).sum();
        self.content().len() + called
    }

    /// About how many tokens it has, calls and the marks around it included.
    pub fn tokens(&self) -> usize {
        let content = match self {
            Self::Stable(text) => *text.tokens.get_or_init(|| tokens(&text.text)),
            // Encrypted: about four bytes a token.
            Self::Replay(replay) => replay.size() / 4,
            _ => tokens(self.content()),
        };
        let calls = match self {
            Self::Assistant { tool_calls, .. } => tool_calls.as_slice(),
            _ => &[],
        };
        let called: usize = calls
            .iter()
            .map(|call| tokens(&call.name) + tokens(&call.arguments))
            .sum();
        content + called + TOKENS_AROUND
    }

    pub(super) fn is_blank(&self) -> bool {
        self.content().trim().is_empty()
    }
}

/// A tool the model may call.
#[derive(Clone, Debug)]
pub struct ToolDefinition {
    /// What the model calls it by.
    pub name: String,
    /// When to call it, for the model.
    pub description: String,
    /// JSON Schema of an object, without `$ref`.
    pub parameters: serde_json::Value,
    /// Name and description as members of a JSON object, and the schema: written once, because they are long and the same
    /// in every call.
    pub(super) head: Box<str>,
    pub(super) schema: Box<str>,
}

impl ToolDefinition {
    /// `parameters`: JSON Schema of an object, without `$ref`.
    pub fn new(name: &str, description: &str, parameters: serde_json::Value) -> Self {
        let mut head = String::from("\"name\":");
        json_text::push_string(&mut head, name);
        head.push_str(",\"description\":");
        json_text::push_string(&mut head, description);
        Self {
            name: name.to_owned(),
            description: description.to_owned(),
            schema: parameters.to_string().into(),
            head: head.into(),
            parameters,
        }
    }

    /// Its size in bytes, as a model sees it.
    pub(super) fn size(&self) -> usize {
        self.head.len() + self.schema.len()
    }

    /// About how many tokens it has.
    pub fn tokens(&self) -> usize {
        tokens(&self.head) + tokens(&self.schema) + TOKENS_AROUND
    }
}

/// A long text that is sent again and again, with its form inside a JSON string.
#[derive(Clone)]
pub struct StableText {
    text: Box<str>,
    escaped: Box<str>,
    /// Estimated at most once, because it is long.
    tokens: OnceLock<usize>,
}

impl PartialEq for StableText {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

impl Eq for StableText {}

impl StableText {
    /// Keeps it with its escaped form.
    pub fn new(text: String) -> Self {
        let mut escaped = String::with_capacity(text.len() + text.len() / 16);
        json_text::push_escaped(&mut escaped, &text);
        Self {
            escaped: escaped.into(),
            tokens: OnceLock::new(),
            text: text.into(),
        }
    }

    /// As it was given.
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
            .field("model", &self.model)
            .field("messages", &self.messages)
            .field("tools", &self.tools.len())
            .field("fields", &self.fields.len())
            .field("temperature", &self.temperature)
            .field("max_output_tokens", &self.max_output_tokens)
            .field("cache_key", &self.cache_key)
            .field("attempts", &self.attempts)
            .field("asker", &self.asker)
            .finish_non_exhaustive()
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
            Self::Replay(replay) => write!(f, "{replay:?}"),
        }
    }
}
