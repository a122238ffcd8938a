//! Talks to a language model: one request in, a stream of text out, then the completion.
//!
//! Knows nothing of plans, brands or users. Three wire formats ([`ApiKind`]); what a provider gets wrong is repaired or
//! refused here.

#![deny(missing_docs, unreachable_pub)]

mod answer;
mod api;
mod asker;
mod error;
#[cfg(feature = "fuzzing")]
#[doc(hidden)]
pub mod fuzzing;
mod learned;
mod quirks;
mod reader;
mod request;
mod settings;
mod sse;
mod tokens;
mod transport;

#[cfg(test)]
mod mock_server;
#[cfg(test)]
mod server_tests;
#[cfg(test)]
mod stream_tests;

pub use answer::replay::Replay;
pub use asker::Asker;
pub use error::LlmError;
pub use error::body::ErrorBody;
pub use error::status_reason::StatusReason;
pub use request::{Attempts, ChatMessage, LlmRequest, StableText, ToolDefinition};
pub use settings::api_kind::{ApiChoice, ApiKind};
pub use settings::reasoning_effort::ReasoningEffort;
pub use settings::{LlmSettings, LlmSettingsError, ModelOptions};
pub use tokens::tokens;
pub use transport::client::OpenAiLlm;

use futures_util::stream::BoxStream;
use plan_model::event::HeardAs;
use plan_model::message::ToolCall;
use plan_model::usage::Usage;
use std::sync::Arc;

/// A language model: an OpenAI-compatible server or the built-in advisor.
#[async_trait::async_trait]
pub trait Llm: Send + Sync + 'static {
    /// The model's name, as stored with each prompt.
    fn model_name(&self) -> Arc<str>;

    /// Whether turns can be tried at all; false only where neither key nor base URL is set.
    fn is_configured(&self) -> bool {
        true
    }

    /// Tokens that question and answer may have together: as configured, or as the refusals of several requests agree.
    fn context_tokens(&self) -> Option<u32> {
        None
    }

    /// Whether it can be asked to check its own work. The built-in advisor cannot: the grammar behind it has decided already.
    fn can_review(&self) -> bool {
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
    /// Never empty; the text that was there when the body was read.
    Text(String),
    /// The answer is whole. Nothing follows.
    Completed(Completion),
}

/// What there is to know when an answer has ended well.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Completion {
    /// In the order the model made them, ids unique and never empty. The arguments are a JSON object, or what the model
    /// wrote instead of one, cut off perhaps; the name may be empty. Then the tool must refuse the call.
    pub tool_calls: Vec<ToolCall>,
    /// Why it stopped.
    pub finish: FinishReason,
    /// As the provider counted; `None` where it did not say.
    pub usage: Option<Usage>,
    /// What goes back with the results of these calls, as it came; `None` where there are no calls.
    pub replay: Option<Arc<Replay>>,
    /// Frames that carried nothing we know.
    pub ignored_frames: u32,
    /// Messages that one could send next, of an advisor that is a program; a model has none.
    pub suggestions: Vec<String>,
    /// What such an advisor took the message for.
    pub heard_as: Option<HeardAs>,
}

/// Why the model stopped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FinishReason {
    /// It had said everything.
    #[default]
    Stop,
    /// The token limit cut the answer; calls that were not finished are dropped.
    Length,
    /// The provider's filter cut the answer; calls that were not finished are dropped.
    ContentFilter,
    /// There is at least one tool call.
    ToolCalls,
}
