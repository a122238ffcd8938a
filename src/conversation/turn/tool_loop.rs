//! Calls the model and runs its tools until it answers in text, needs a confirmation, or has used up its rounds.

use crate::conversation::TurnSettings;
use crate::conversation::estimate::{Calibration, Meter, RequestSize, estimate};
use crate::conversation::form::{PromptForm, form, output_tokens};
use crate::conversation::snapshot::brand::Prefix;
use crate::conversation::snapshot::builder::Prompts;
use crate::conversation::snapshot::history::{FALLBACK, FILTERED, LEARNED, LOOKED, WAITS};
use crate::conversation::stream::turn_log::TurnSender;
use crate::conversation::tools::{Hints, Intercepted, Services, ToolContext};
use crate::conversation::turn::progress::{Halt, Progress};
use crate::conversation::turn::second_look::Reviewer;
use crate::conversation::turn::traces;
use crate::store::StoreError;
use llm_client::{Asker, ChatMessage, Completion, Llm, LlmError, LlmEvent, LlmRequest, LlmStream};
use plan_model::message::FinishReason;
use plan_model::usage::Usage;
use plan_reader::{Decision, Outcome};
use std::sync::Arc;
use tokio::time::Instant;
use tokio_stream::StreamExt;
use tracing::Instrument;

/// How the model's part of a turn ended.
#[derive(Debug, Default)]
pub(crate) struct Answer {
    pub finish: FinishReason,
    pub usage: Usage,
    /// A destructive call that the franchisee has to confirm.
    pub intercepted: Option<Intercepted>,
    pub hints: Hints,
}

/// Why there is no answer. What was spent until then is in the meter.
#[derive(Debug, thiserror::Error)]
pub(crate) enum LoopError {
    #[error("the model failed")]
    Llm(#[source] Box<LlmError>),
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error("the answer is longer than a turn may hold")]
    TooLong,
}

/// One conversation with the model within a turn.
pub(crate) struct ToolLoop<'a> {
    pub llm: &'a dyn Llm,
    pub settings: &'a TurnSettings,
    /// Asked for the messages of a further call.
    pub prompts: &'a dyn Prompts,
    pub services: &'a dyn Services,
    /// `None` where no second look is taken.
    pub reviewer: Option<&'a dyn Reviewer>,
    pub sender: &'a TurnSender,
    pub ctx: &'a mut ToolContext,
    pub prefix: Arc<Prefix>,
    pub calibration: &'a Calibration,
    pub form: PromptForm,
    /// Tokens that question and answer may have together, where that is known. A refusal changes it for this turn.
    pub context: Option<u32>,
    pub asker: Asker,
    /// The prompt for the first call, given away with it; empty where the loop has to ask for it.
    pub messages: Vec<ChatMessage>,
    pub meter: &'a Meter,
    /// When the turn began, for the time to its first token.
    pub started: Instant,
    pub progress: Progress,
}

impl ToolLoop<'_> {
    /// Runs until there is an answer.
    ///
    /// # Errors
    /// Where the model fails or its text grows past all measure. What was pushed so far stays in the log.
    pub(crate) async fn run(mut self) -> Result<Answer, LoopError> {
        let mut answer = Answer::default();
        self.ctx.form = self.form;
        for _ in 0..self.settings.max_tool_rounds {
            let completion = match self.round(&mut answer.usage).await {
                // No model takes every limit: what it said within the first one, nothing, was its answer.
                Err(LoopError::Llm(error))
                    if self.progress.has_raised && (error.is_refusal() || error.status() == Some(402)) =>
                {
                    answer.usage = self.meter.total(&self.sender.log().text());
                    answer.finish = FinishReason::Length;
                    return self.close(answer);
                }
                // An end of its own, and no outage: trying again does not help.
                Err(LoopError::Llm(error)) if error.is_filtered() => {
                    answer.usage = self.meter.total(&self.sender.log().text());
                    answer.finish = FinishReason::ContentFilter;
                    self.say(FILTERED)?;
                    return Ok(answer);
                }
                Err(LoopError::Llm(error)) if error.is_malformed_call() && self.progress.asks_for_lost_call() => {
                    continue;
                }
                Err(LoopError::Llm(error)) if self.can_do_without(&error) => {
                    answer.usage = self.meter.total(&self.sender.log().text());
                    return self.close_early(answer);
                }
                round => round?,
            };
            if completion.finish == llm_client::FinishReason::Length && self.raise_limit() {
                continue;
            }
            answer.finish = match completion.finish {
                llm_client::FinishReason::Length => FinishReason::Length,
                llm_client::FinishReason::ContentFilter => FinishReason::ContentFilter,
                llm_client::FinishReason::Stop | llm_client::FinishReason::ToolCalls => FinishReason::Stop,
            };
            answer.hints = Hints {
                suggestions: completion.suggestions.clone(),
                heard_as: completion.heard_as.clone(),
            };
            // Values of an answer that was cut wait in any case.
            let is_whole = answer.finish == FinishReason::Stop;
            if completion.tool_calls.is_empty() {
                // Also where the answer was too long: the reading is of the message, and is only proposed.
                if answer.finish != FinishReason::ContentFilter && !self.progress.has_called {
                    self.ctx.offer_reading();
                }
                return self.close(answer);
            }
            let intercepted = self.run_calls(&completion, is_whole, &mut answer.usage).await;
            self.meter.settles(answer.usage);
            if let Some(intercepted) = intercepted {
                self.say(&intercepted.prompt)?;
                answer.intercepted = Some(intercepted);
                return Ok(answer);
            }
            if !is_whole {
                return self.close(answer);
            }
            match self.progress.halt {
                None => {}
                Some(Halt::Answered) => return self.close(answer),
                Some(Halt::Repeats) if self.has_text_and_values() => return self.close(answer),
                Some(Halt::Repeats | Halt::Fails) => return self.close_early(answer),
            }
        }
        self.say(FALLBACK)?;
        Ok(answer)
    }

    /// Whether the turn has come to something although the model takes no more of it.
    fn can_do_without(&self, error: &LlmError) -> bool {
        error.is_context_length() && !self.ctx.candidates.is_empty()
    }

    fn has_text_and_values(&self) -> bool {
        !self.sender.log().is_empty() && !self.ctx.candidates.is_empty()
    }

    /// Ends a turn in which the model does not get any further, with what was learned.
    fn close_early(&mut self, answer: Answer) -> Result<Answer, LoopError> {
        self.ctx.offer_reading();
        let learned = self.ctx.learned();
        let text = if learned.is_empty() {
            FALLBACK.to_owned()
        } else {
            format!("{LEARNED} {learned}")
        };
        self.say(&text)?;
        Ok(answer)
    }

    /// A turn always says something.
    fn close(&self, answer: Answer) -> Result<Answer, LoopError> {
        if self.sender.log().is_empty() {
            let decisions = self.ctx.decisions();
            let is_written = |decision: &Decision| decision.outcome == Outcome::Apply;
            let text = match answer.finish == FinishReason::Stop && decisions.iter().any(is_written) {
                true => LOOKED,
                false if decisions.is_empty() => FALLBACK,
                false => WAITS,
            };
            self.say(text)?;
        }
        Ok(answer)
    }

    /// Server-made text behind whatever was said before.
    fn say(&self, text: &str) -> Result<(), LoopError> {
        let has_room = self.sender.log().is_empty() || self.sender.begin_paragraph();
        if has_room && self.sender.push(text) {
            Ok(())
        } else {
            Err(LoopError::TooLong)
        }
    }

    /// One call of the model, with its span.
    async fn round(&mut self, usage: &mut Usage) -> Result<Completion, LoopError> {
        let span = traces::chat(
            &self.llm.model_name(),
            self.settings.max_output_tokens,
            self.settings.temperature,
        );
        let result = self.ask(usage).instrument(span.clone()).await;
        match &result {
            Ok(completion) => traces::completed(&span, completion),
            Err(LoopError::Llm(error)) => traces::failed(&span, error.class()),
            Err(LoopError::Store(_)) => traces::failed(&span, "database"),
            Err(LoopError::TooLong) => traces::failed(&span, "too_long"),
        }
        result
    }

    /// Sends the conversation: the answer's text goes out as it comes, the rest is returned.
    async fn ask(&mut self, usage: &mut Usage) -> Result<Completion, LoopError> {
        let (mut stream, size) = self.open(usage).await?;
        let mut said = String::new();
        let mut is_first = self.sender.log().is_empty();
        let mut needs_paragraph = !is_first;
        while let Some(event) = stream.next().await {
            let event = match event {
                Ok(event) => event,
                Err(error) => {
                    self.progress.lost_call(&error, said);
                    return Err(self.failed(error, *usage));
                }
            };
            match event {
                LlmEvent::Text(text) => {
                    if std::mem::take(&mut is_first) {
                        metrics::histogram!("plan_advisor_first_token_seconds")
                            .record(self.started.elapsed().as_secs_f64());
                    }
                    let has_room = !std::mem::take(&mut needs_paragraph) || self.sender.begin_paragraph();
                    if !has_room || !self.sender.push(&text) {
                        return Err(LoopError::TooLong);
                    }
                    said.push_str(&text);
                    failpoint!("model.first_token", self.failed(LlmError::Cut, *usage));
                }
                LlmEvent::Completed(completion) => {
                    let spent = completion
                        .usage
                        .unwrap_or_else(|| estimate(size.tokens, &said, &completion));
                    if let Some(counted) = completion.usage.filter(|_| self.progress.exchange.is_empty()) {
                        self.calibration.observe(size, counted.prompt_tokens);
                    }
                    traces::spent(spent);
                    usage.add(spent);
                    self.meter.settles(*usage);
                    let replay = completion.replay.iter().cloned().map(ChatMessage::Replay);
                    let exchange = &mut self.progress.exchange;
                    exchange.extend(replay);
                    exchange.push(ChatMessage::Assistant {
                        content: Arc::from(said),
                        tool_calls: completion.tool_calls.clone(),
                    });
                    return Ok(completion);
                }
            }
        }
        Err(self.failed(LlmError::Cut, *usage))
    }

    /// Asks, a second time in a smaller form where the model refuses the first for its size. Gives the answer that has
    /// begun, and how large the question is.
    async fn open(&mut self, usage: &Usage) -> Result<(LlmStream, RequestSize), LoopError> {
        loop {
            let (request, size) = self.request().await?;
            self.meter.asks(size.tokens, self.sender.log().len());
            failpoint!("model.before_call", self.failed(LlmError::Cut, *usage));
            match self.llm.stream(request).await {
                Ok(stream) => return Ok((stream, size)),
                Err(error) if error.is_context_length() && !self.progress.has_shrunk => {
                    self.shrink(error.context_tokens(), size.tokens);
                }
                Err(error) => return Err(self.failed(error, *usage)),
            }
        }
    }

    async fn request(&mut self) -> Result<(LlmRequest, RequestSize), LoopError> {
        let mut messages = std::mem::take(&mut self.messages);
        if messages.is_empty() {
            messages = self.prompts.messages(self.form, self.context).await?;
        }
        messages.extend_from_slice(&self.progress.exchange);
        let prefix = self.prefix.form(self.form);
        // The prefix is the first message, and estimated with its tools.
        let size = self
            .calibration
            .size(prefix.tokens, messages.get(1..).unwrap_or_default());
        let request = LlmRequest {
            messages,
            tools: Arc::clone(&prefix.tools),
            fields: Arc::clone(&self.ctx.brand_version.fields),
            ranges: Arc::clone(self.ctx.vocabulary.ranges()),
            about: self.ctx.words.about.clone(),
            language: self.ctx.language,
            temperature: Some(self.settings.temperature),
            max_output_tokens: output_tokens(self.context, self.wanted_output()),
            cache_key: Some(Arc::clone(&prefix.cache_key)),
            asker: self.asker.clone(),
            ..LlmRequest::default()
        };
        Ok((request, size))
    }

    /// The limit was used up without a word, by thinking or with blanks: the same is asked once more with four times as many tokens.
    fn raise_limit(&mut self) -> bool {
        let exchange = &mut self.progress.exchange;
        let is_nothing = |message: &ChatMessage| matches!(message, ChatMessage::Assistant { content, tool_calls } if content.trim().is_empty() && tool_calls.is_empty());
        if self.progress.has_raised || !exchange.last().is_some_and(is_nothing) {
            return false;
        }
        exchange.pop();
        self.progress.has_raised = true;
        let limit = self.settings.max_output_tokens;
        tracing::warn!(
            "The model used up LLM_MAX_OUTPUT_TOKENS={limit} without a word: it is asked once more with four times as many. Set it higher, or LLM_REASONING_EFFORT lower"
        );
        true
    }

    fn wanted_output(&self) -> u32 {
        let factor = if self.progress.has_raised { 4 } else { 1 };
        self.settings.max_output_tokens.saturating_mul(factor)
    }

    /// The model refused a prompt of so many tokens for its size: the next one of this turn holds less of the history, and is
    /// compact where the full form does not fit. Where no size is named that can be believed, it is half as long.
    fn shrink(&mut self, named: Option<u32>, asked: usize) {
        self.progress.has_shrunk = true;
        let wanted = self.wanted_output();
        let half = || u32::try_from(asked).unwrap_or(u32::MAX / 2).saturating_add(wanted) / 2;
        self.context = Some(named.unwrap_or_else(half));
        let output = output_tokens(self.context, wanted);
        self.form = form(self.prefix.full.tokens, self.context, output);
        self.ctx.form = self.form;
        metrics::counter!("plan_advisor_prompts_shrunk_total").increment(1);
    }
}
