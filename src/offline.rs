//! The built-in advisor: what newcomers talk to before a model is configured, and tests and benchmarks after.
//!
//! It sees what any model sees, the request, and answers in rounds: tool calls, then words about their results. What a message
//! states is read by the closed grammar, what it wants by the learned reader of `plan_reader`; `table` has one row for each
//! intent, `wording` the texts. It suggests no value, promises no result and says what it is.

use futures_util::{StreamExt, stream};
use llm_client::{ChatMessage, Completion, FinishReason, Llm, LlmError, LlmEvent, LlmRequest, LlmStream};
use plan_model::event::HeardAs;
use plan_model::message::ToolCall;
use plan_reader::Heard;
use std::sync::Arc;
use std::time::Duration;

mod ask;
mod cases;
mod figures;
mod goals;
mod lead;
mod miss;
mod plan;
mod reading;
mod record;
mod results;
mod settle;
mod situation;
mod step;
mod table;
mod talk;

use situation::Situation;
use step::Step;

/// An advisor without a model behind it.
#[derive(Debug, Clone, Default)]
pub struct OfflineAdvisor {
    pace: Duration,
    /// What every message is taken for; read from it where there is none.
    heard: Option<Heard>,
}

impl OfflineAdvisor {
    pub fn new() -> Self {
        Self::default()
    }

    /// Answers every message as if this had been heard: what an answer would be if a message were read without fault.
    pub fn hearing(heard: Heard) -> Self {
        Self {
            heard: Some(heard),
            ..Self::default()
        }
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
        let reply = reply(&request, self.heard.as_ref());
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
            suggestions: reply.suggestions,
            heard_as: Some(reply.heard_as),
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
#[derive(Debug)]
struct Reply {
    text: String,
    calls: Vec<ToolCall>,
    suggestions: Vec<String>,
    heard_as: HeardAs,
}

/// At most so many messages are suggested.
const SUGGESTIONS: usize = 3;

fn reply(request: &LlmRequest, heard: Option<&Heard>) -> Reply {
    let mut situation = Situation::of(request);
    if let Some(heard) = heard {
        situation.heard = heard.clone();
    }
    let (mut row, heard_as) = table::answering(&situation);
    if let Some(heard) = heard {
        row = table::row_of(heard.intent);
    }
    let wish = talk::by_phrase(&situation).filter(|_| situation.understanding.plain.is_empty() && heard.is_none());
    let is_wish = wish.is_some();
    let step = wish.unwrap_or_else(|| (row.next)(&situation));
    if let Step::Call(calls) = &step {
        let is_of_row = |call: &ToolCall| row.tools.contains(&call.name.as_str());
        debug_assert!(is_wish || calls.iter().all(is_of_row), "{calls:?} are not in their row");
    }
    match settle::with_lead(&situation, step) {
        Step::Call(calls) => Reply {
            text: String::new(),
            calls,
            suggestions: Vec::new(),
            heard_as,
        },
        Step::Say(answer) => Reply {
            text: answer.text,
            calls: Vec::new(),
            suggestions: answer.suggestions.into_iter().take(SUGGESTIONS).collect(),
            heard_as,
        },
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
