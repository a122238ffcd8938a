//! The built-in advisor: what newcomers talk to before a model is configured, and tests and benchmarks after.
//!
//! It sees what any model sees, the request, and answers in two rounds at most: tool calls, then words about their results. It
//! understands with the grammar of `extraction`. It suggests no value, promises no result and says what it is.

use futures_util::{StreamExt, stream};
use llm_client::{ChatMessage, Completion, FinishReason, Llm, LlmError, LlmEvent, LlmRequest, LlmStream};
use std::sync::Arc;
use std::time::Duration;

mod answer;
mod ask;
mod call;
mod cases;
mod correction;
mod intent;
mod phrases;
mod prose;
mod results;
mod scenario_wish;
mod situation;
mod supposed;
mod waiting;

use intent::Intent;
use situation::Situation;

/// An advisor without a model behind it.
#[derive(Debug, Clone, Default)]
pub struct OfflineAdvisor {
    pace: Duration,
}

impl OfflineAdvisor {
    pub fn new() -> Self {
        Self::default()
    }

    /// Waits before each word, so that people can watch it being written.
    #[must_use]
    pub fn with_pace(mut self, pace: Duration) -> Self {
        self.pace = pace;
        self
    }
}

#[async_trait::async_trait]
impl Llm for OfflineAdvisor {
    fn model_name(&self) -> Arc<str> {
        "offline-advisor".into()
    }

    fn can_review(&self) -> bool {
        false
    }

    async fn stream(&self, request: LlmRequest) -> Result<LlmStream, LlmError> {
        let reply = reply(&request);
        let pace = self.pace;
        let words: Vec<String> = reply.text.split_inclusive(' ').map(str::to_owned).collect();
        let spoken = stream::iter(words).then(move |word| async move {
            if !pace.is_zero() {
                tokio::time::sleep(pace).await;
            }
            Ok(LlmEvent::Text(word))
        });
        let finish = if reply.calls.is_empty() {
            FinishReason::Stop
        } else {
            FinishReason::ToolCalls
        };
        let completion = Completion {
            tool_calls: reply.calls,
            finish,
            ..Completion::default()
        };
        Ok(spoken
            .chain(stream::once(async move { Ok(LlmEvent::Completed(completion)) }))
            .boxed())
    }

    async fn is_reachable(&self) -> bool {
        true
    }
}

/// Words, or calls of tools.
#[derive(Debug, Default)]
struct Reply {
    text: String,
    calls: Vec<plan_model::message::ToolCall>,
}

fn reply(request: &LlmRequest) -> Reply {
    let situation = Situation::of(request);
    let mut intent = intent::of(&situation);
    if let Intent::Save(_, changes) = &mut intent {
        *changes = supposed::before(request);
    }
    if situation.results.is_empty() {
        let calls = call::calls(&intent, &situation);
        if !calls.is_empty() {
            return Reply {
                text: String::new(),
                calls,
            };
        }
    }
    Reply {
        text: answer::answer(&intent, &situation),
        calls: Vec::new(),
    }
}

/// Text of a message, for those who look back.
fn content(message: &ChatMessage) -> &str {
    match message {
        ChatMessage::Replay(_) => "",
        ChatMessage::System(text) => text,
        ChatMessage::Stable(text) => text.as_str(),
        ChatMessage::User(text)
        | ChatMessage::Assistant { content: text, .. }
        | ChatMessage::Tool { content: text, .. } => text,
    }
}

#[cfg(test)]
mod tests;
