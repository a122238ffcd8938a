//! Asks the model, runs its tools, asks again: until it answers in words, asks for a yes, or has used up its rounds.

use super::Engine;
use super::briefing::Briefing;
use super::live::TurnSender;
use super::tools::{self, Called, Intercepted, Workbench};
use super::traces;
use crate::llm::{self, ChatMessage, Completion, LlmError, LlmEvent, LlmRequest};
use crate::model::event::FinishReason;
use crate::model::message::{ToolCall, Usage};
use crate::store::StoreError;
use serde_json::json;
use std::sync::Arc;
use tokio::time::Instant;
use tokio_stream::StreamExt;
use tracing::Instrument;

/// Said when the rounds are used up, or when the model had nothing to say.
pub const FALLBACK: &str =
    "I could not finish that just now. Please put it to me again in a few words, one value at a time.";

/// Between the texts of two rounds.
const ROUND_BREAK: &str = "\n\n";

/// Calls of one answer that are run; the rest are refused.
const MAX_CALLS_PER_ROUND: usize = 50;

/// How the model's part of a turn ended.
#[derive(Debug, Default)]
pub struct Answer {
    pub finish: FinishReason,
    pub usage: Usage,
    /// A destructive call that the franchisee has to confirm.
    pub intercepted: Option<Intercepted>,
}

/// Why there is no answer. The usage is what was spent until then.
#[derive(Debug, thiserror::Error)]
pub enum LoopError {
    #[error("the model failed")]
    Llm(#[source] LlmError, Usage),
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error("the answer is longer than a turn may hold")]
    TooLong(Usage),
}

/// One conversation with the model within a turn.
pub struct ToolLoop<'a> {
    pub engine: &'a Engine,
    pub sender: &'a TurnSender,
    pub bench: &'a mut Workbench,
    pub briefing: Briefing<'a>,
    /// The briefing for the first call, given away with it.
    pub messages: Vec<ChatMessage>,
    /// What model and tools have said to each other in this turn.
    pub exchange: Vec<ChatMessage>,
    /// When the turn began, for the time to its first token.
    pub started: Instant,
}

impl ToolLoop<'_> {
    /// Runs until there is an answer.
    ///
    /// # Errors
    /// Where the model fails or its text grows past all measure. What was pushed so far stays in the log.
    pub async fn run(mut self) -> Result<Answer, LoopError> {
        let mut answer = Answer::default();
        for _ in 0..self.engine.settings.max_tool_rounds {
            let completion = self.round(&mut answer.usage).await?;
            answer.finish = match completion.finish {
                llm::FinishReason::Length => FinishReason::Length,
                llm::FinishReason::ContentFilter => FinishReason::ContentFilter,
                llm::FinishReason::Stop | llm::FinishReason::ToolCalls => FinishReason::Stop,
            };
            if completion.tool_calls.is_empty() {
                return self.close(answer);
            }
            if let Some(intercepted) = self.run_calls(&completion.tool_calls).await {
                self.say(&intercepted.prompt, answer.usage)?;
                answer.intercepted = Some(intercepted);
                return Ok(answer);
            }
            if answer.finish != FinishReason::Stop {
                return self.close(answer);
            }
        }
        self.say(FALLBACK, answer.usage)?;
        Ok(answer)
    }

    /// A turn always says something.
    fn close(&self, answer: Answer) -> Result<Answer, LoopError> {
        if self.sender.log().is_empty() {
            let text = if self.bench.heard.is_empty() {
                FALLBACK
            } else {
                "I have looked at that; you find it in your plan."
            };
            self.say(text, answer.usage)?;
        }
        Ok(answer)
    }

    /// Server-made text behind whatever was said before.
    fn say(&self, text: &str, usage: Usage) -> Result<(), LoopError> {
        let apart = self.sender.log().is_empty() || self.sender.push(ROUND_BREAK);
        if apart && self.sender.push(text) {
            Ok(())
        } else {
            Err(LoopError::TooLong(usage))
        }
    }

    /// One call of the model, with its span.
    async fn round(&mut self, usage: &mut Usage) -> Result<Completion, LoopError> {
        let settings = &self.engine.settings;
        let span = traces::chat(
            self.engine.llm.model_name(),
            settings.max_output_tokens,
            settings.temperature,
        );
        let result = self.ask(usage).instrument(span.clone()).await;
        match &result {
            Ok(completion) => traces::completed(&span, completion),
            Err(LoopError::Llm(error, _)) => traces::failed(&span, error.class()),
            Err(LoopError::Store(_)) => traces::failed(&span, "database"),
            Err(LoopError::TooLong(_)) => traces::failed(&span, "too_long"),
        }
        result
    }

    /// Sends the conversation: the answer's text goes out as it comes, the rest is returned.
    async fn ask(&mut self, usage: &mut Usage) -> Result<Completion, LoopError> {
        let mut messages = std::mem::take(&mut self.messages);
        if messages.is_empty() {
            messages = self.briefing.again().await?;
        }
        messages.extend_from_slice(&self.exchange);
        let asked: usize = messages.iter().map(ChatMessage::size).sum();
        let request = LlmRequest {
            messages,
            tools: Arc::clone(&self.briefing.prefix.tools),
            temperature: Some(self.engine.settings.temperature),
            max_output_tokens: self.engine.settings.max_output_tokens,
        };
        failpoint!("model.before_call", failed(LlmError::Cut, *usage));
        let mut stream = self
            .engine
            .llm
            .stream(request)
            .await
            .map_err(|error| failed(error, *usage))?;
        let mut said = String::new();
        while let Some(event) = stream.next().await {
            match event.map_err(|error| failed(error, *usage))? {
                LlmEvent::Text(text) => {
                    if self.sender.log().is_empty() {
                        metrics::histogram!("plan_advisor_first_token_seconds")
                            .record(self.started.elapsed().as_secs_f64());
                    }
                    let apart = !said.is_empty() || self.sender.log().is_empty() || self.sender.push(ROUND_BREAK);
                    if !apart || !self.sender.push(&text) {
                        return Err(LoopError::TooLong(*usage));
                    }
                    said.push_str(&text);
                    failpoint!("model.first_token", failed(LlmError::Cut, *usage));
                }
                LlmEvent::Completed(completion) => {
                    usage.add(
                        completion
                            .usage
                            .unwrap_or_else(|| estimate(asked, said.len(), &completion)),
                    );
                    self.exchange.push(ChatMessage::Assistant {
                        content: Arc::from(said),
                        tool_calls: completion.tool_calls.clone(),
                    });
                    return Ok(completion);
                }
            }
        }
        Err(failed(LlmError::Cut, *usage))
    }

    /// Runs the calls of one answer in their order; stops at a destructive one.
    async fn run_calls(&mut self, calls: &[ToolCall]) -> Option<Intercepted> {
        for (nth, call) in calls.iter().enumerate() {
            failpoint!(in "tool.before");
            let called = if nth < MAX_CALLS_PER_ROUND {
                traces::tool(tools::known_name(&call.name)).in_scope(|| self.bench.call(&call.name, &call.arguments))
            } else {
                Called::Refused(json!({"status": "invalid", "error": "Too many calls in one answer."}).to_string())
            };
            failpoint!(in "tool.after");
            let result = match &called {
                Called::Intercepted(_) => "intercepted",
                Called::Refused(_) => "refused",
                Called::Result(_) | Called::Status => "done",
            };
            metrics::counter!("plan_advisor_tool_calls_total", "tool" => tools::known_name(&call.name), "result" => result).increment(1);
            let content = match called {
                Called::Result(content) | Called::Refused(content) => content,
                Called::Status => self.status().await,
                Called::Intercepted(intercepted) => return Some(intercepted),
            };
            self.exchange.push(ChatMessage::Tool {
                call_id: call.id.clone(),
                content: Arc::from(content),
            });
        }
        None
    }

    async fn status(&self) -> String {
        let database = if self.engine.db.conn().await.is_ok() {
            "ok"
        } else {
            "down"
        };
        json!({"database": database, "model": "ok", "modelName": self.engine.llm.model_name()}).to_string()
    }
}

fn failed(error: LlmError, mut spent: Usage) -> LoopError {
    if let Some(usage) = error.usage() {
        spent.add(usage);
    }
    LoopError::Llm(error, spent)
}

/// About four bytes make a token, for providers that do not count.
fn estimate(asked: usize, said: usize, completion: &Completion) -> Usage {
    let called: usize = completion
        .tool_calls
        .iter()
        .map(|call| call.name.len() + call.arguments.len())
        .sum();
    tokens_of(asked, said + called)
}

/// An estimate from the sizes of question and answer in bytes.
#[must_use]
pub fn tokens_of(asked: usize, answered: usize) -> Usage {
    let tokens = |bytes: usize| i64::try_from(bytes.div_ceil(4)).unwrap_or(i64::MAX / 4);
    let (prompt_tokens, completion_tokens) = (tokens(asked), tokens(answered));
    Usage {
        prompt_tokens,
        completion_tokens,
        total_tokens: prompt_tokens + completion_tokens,
        estimated: true,
    }
}
