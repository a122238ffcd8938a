//! Room 1: talking to a language model. One request in, a stream of text out, then the completion.
//!
//! Knows nothing of plans, brands or people; what a provider gets wrong is mended or refused here.

mod adapt;
mod answer;
mod body;
mod breaker;
mod chunk;
mod client;
mod complaint;
mod error;
mod form;
#[cfg(feature = "fuzzing")]
#[doc(hidden)]
pub mod fuzzing;
mod gateway;
mod opened;
mod raw;
mod reader;
mod request;
mod retry;
mod settings;
mod sse;
mod thinking;
mod tool_calls;
mod wire;

#[cfg(test)]
mod mock_server;
#[cfg(test)]
mod server_tests;
#[cfg(test)]
mod stream_tests;

pub use client::OpenAiLlm;
pub use error::LlmError;
pub use request::{ChatMessage, LlmRequest, StableText, ToolDefinition};
pub use settings::{LlmSettings, LlmSettingsError};

use crate::model::message::{ToolCall, Usage};
use futures_util::stream::BoxStream;

/// A language model: an OpenAI-compatible server or the built-in advisor.
#[async_trait::async_trait]
pub trait Llm: Send + Sync + 'static {
    /// The model's name, as stored with each prompt.
    fn model_name(&self) -> &str;

    /// Whether turns can be tried at all; false only where neither key nor base URL is set.
    fn is_configured(&self) -> bool {
        true
    }

    /// Starts one call. Returns when the answer has begun (until then failures are retried); dropping the future or the
    /// stream drops the provider's request.
    async fn stream(&self, request: LlmRequest) -> Result<LlmStream, LlmError>;

    /// Whether the model can be reached right now. Costs no tokens.
    async fn is_reachable(&self) -> bool;
}

/// Text as it comes, then exactly one [`LlmEvent::Completed`]. A stream that ends without it was cut: the last item is an error.
pub type LlmStream = BoxStream<'static, Result<LlmEvent, LlmError>>;

/// One item of an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LlmEvent {
    /// Never empty; all the text that one read of the provider's socket brought.
    Text(String),
    /// The answer is whole. Nothing follows.
    Completed(Completion),
}

/// What there is to know when an answer has ended well.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Completion {
    /// In the order the model made them, ids unique and never empty. The arguments are a JSON object, or what the model
    /// wrote instead of one: then the tool must refuse them.
    pub tool_calls: Vec<ToolCall>,
    pub finish: FinishReason,
    /// As the provider counted; `None` where it did not say.
    pub usage: Option<Usage>,
    /// Frames that carried nothing we know.
    pub ignored_frames: u32,
}

/// Why the model stopped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FinishReason {
    #[default]
    Stop,
    /// The token limit cut the answer; calls that were not finished are dropped.
    Length,
    /// The provider's filter cut the answer; calls that were not finished are dropped.
    ContentFilter,
    /// There is at least one tool call.
    ToolCalls,
}
