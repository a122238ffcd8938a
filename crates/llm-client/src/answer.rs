//! What has been received of an answer: text, tool calls, usage and its end. The wire formats fold their frames into it.
//! Pure: no clock, no socket.

pub(crate) mod json_repair;
pub(crate) mod replay;
pub(crate) mod thinking;
pub(crate) mod tool_calls;
pub(crate) mod usage;
pub(crate) mod wire;

use crate::answer::tool_calls::{ToolCalls, Unfinished};
use crate::answer::{replay::Replay, thinking::Thinking};
use crate::{Completion, FinishReason, LlmError, StatusReason};
use plan_model::clean;
use plan_model::message::ToolCall;
use plan_model::usage::Usage;
use std::sync::Arc;

/// An answer so far.
#[derive(Debug, Default)]
pub(crate) struct Answer {
    /// Text not yet handed on.
    text: String,
    has_text: bool,
    thinking: Thinking,
    pub calls: ToolCalls,
    /// What goes back with the results of the calls.
    pub replay: Replay,
    finish: Option<FinishReason>,
    /// It ended for a reason that we do not know.
    is_odd: bool,
    done: bool,
    /// A frame of the answer came, be it an empty one.
    begun: bool,
    usage: Option<Usage>,
    ignored_frames: u32,
    progress: u64,
    /// How much of the progress was reasoning.
    reasoning: u64,
    /// The last that came was reasoning, or the beginning of it.
    is_thinking: bool,
    /// The server has said since the last piece that it is still there.
    has_pinged: bool,
}

impl Answer {
    /// A piece of text. A leading `<think>` section is not shown.
    pub(crate) fn show(&mut self, text: &str) {
        if text.is_empty() {
            return;
        }
        let before = self.text.len();
        let is_hidden = self.thinking.filter(text, &mut self.text);
        self.has_text |= self.text.len() > before;
        self.progress += 1;
        let is_thought = is_hidden && self.text.len() == before;
        self.reasoning += u64::from(is_thought);
        self.thinks(is_thought);
    }

    /// A piece of reasoning: never shown, but a sign of progress.
    pub(crate) fn think(&mut self) {
        self.progress += 1;
        self.reasoning += 1;
        self.thinks(true);
    }

    /// Reasoning begins or ends here.
    pub(crate) fn thinks(&mut self, is_thinking: bool) {
        self.is_thinking = is_thinking;
        self.has_pinged = false;
    }

    /// The server says that it is still there.
    pub(crate) fn ping(&mut self) {
        self.has_pinged = true;
    }

    /// Whether a long silence is nothing unusual now.
    pub(crate) fn may_be_silent(&self) -> bool {
        self.is_thinking || self.has_pinged
    }

    /// A piece of a tool call.
    pub(crate) fn called(&mut self, is_new: bool) {
        if is_new {
            self.thinks(false);
        }
        self.progress += u64::from(is_new);
    }

    /// A later count replaces an earlier one.
    pub(crate) fn count(&mut self, usage: Option<Usage>) {
        self.usage = usage.or(self.usage);
    }

    /// The provider says why the model stopped.
    pub(crate) fn end(&mut self, ending: Ending) {
        self.finish = Some(ending.reason);
        self.is_odd = ending.is_odd;
        self.progress += 1;
    }

    /// Nothing more is to come, not even usage.
    pub(crate) fn done(&mut self) {
        self.done = true;
    }

    /// A frame of the answer has come.
    pub(crate) fn begin(&mut self) {
        self.begun = true;
    }

    /// The whole answer came as one document.
    pub(crate) fn end_document(&mut self) -> Result<(), LlmError> {
        if !self.begun {
            return Err(LlmError::NotAStream("JSON without an answer"));
        }
        self.finish.get_or_insert(FinishReason::Stop);
        Ok(())
    }

    /// A frame carried nothing we know.
    pub(crate) fn ignore(&mut self) {
        self.ignored_frames = self.ignored_frames.saturating_add(1);
    }

    /// Counts lines of the stream that were no frames at all.
    pub(crate) fn ignore_lines(&mut self, lines: u32) {
        self.ignored_frames = self.ignored_frames.saturating_add(lines);
    }

    /// The text that has come since the last call; empty if none has.
    pub(crate) fn take_text(&mut self) -> String {
        clean::storable(std::mem::take(&mut self.text))
    }

    pub(crate) fn has_text(&self) -> bool {
        self.has_text
    }

    /// Whether the provider has said that the answer is whole.
    pub(crate) fn is_finished(&self) -> bool {
        self.finish.is_some() || self.done
    }

    /// Whether it may end here and be taken for a whole answer.
    pub(crate) fn is_whole(&self) -> bool {
        self.finish_reason().is_ok()
    }

    /// Grows with each piece of text, of reasoning or of a call, and with the end; not with pings and empty frames.
    pub(crate) fn progress(&self) -> u64 {
        self.progress
    }

    /// The part of [`Self::progress`] that was reasoning.
    pub(crate) fn reasoning(&self) -> u64 {
        self.reasoning
    }

    /// Whether nothing more is to come, not even usage.
    pub(crate) fn is_done(&self) -> bool {
        self.done
    }

    pub(crate) fn usage(&self) -> Option<Usage> {
        self.usage
    }

    /// The answer has ended. Gives the rest of the text and the completion, or says why it is none.
    pub(crate) fn finish(mut self) -> Result<(String, Completion), LlmError> {
        self.thinking.finish(&mut self.text);
        self.has_text |= !self.text.is_empty();
        let finish = self.finish_reason()?;
        let unfinished = match finish {
            FinishReason::Length | FinishReason::ContentFilter => Unfinished::Drop,
            FinishReason::Stop | FinishReason::ToolCalls if self.finish.is_some() => Unfinished::PassOn,
            FinishReason::Stop | FinishReason::ToolCalls => Unfinished::Fail,
        };
        let text = self.take_text();
        let (tool_calls, places) = self.calls.finish(unfinished)?;
        let tool_calls: Vec<_> = tool_calls.into_iter().map(storable).collect();
        let mut replay = std::mem::take(&mut self.replay);
        replay.settle(&places);
        let finish = match finish {
            // They wait for the person, as those of an answer that was cut.
            FinishReason::Stop if !tool_calls.is_empty() && self.is_odd => FinishReason::Length,
            // Ollama and Gemini say `stop` behind calls: https://github.com/BerriAI/litellm/issues/35663
            FinishReason::Stop if !tool_calls.is_empty() => FinishReason::ToolCalls,
            FinishReason::ToolCalls if tool_calls.is_empty() && self.has_text => FinishReason::Stop,
            FinishReason::ToolCalls if tool_calls.is_empty() => return Err(LlmError::Malformed("tool call missing")),
            finish => finish,
        };
        let has_calls = !tool_calls.is_empty();
        let completion = Completion {
            tool_calls,
            finish,
            usage: self.usage,
            replay: (has_calls && !replay.is_too_large()).then(|| Arc::new(replay)),
            ignored_frames: self.ignored_frames,
            ..Completion::default()
        };
        Ok((text, completion))
    }

    fn finish_reason(&self) -> Result<FinishReason, LlmError> {
        match self.finish {
            Some(finish) => Ok(finish),
            // `[DONE]` alone counts, but not where a swallowed frame may have been the rest of the answer.
            None if self.done && self.begun && self.ignored_frames == 0 => Ok(FinishReason::Stop),
            None => Err(LlmError::Cut),
        }
    }
}

fn storable(mut call: ToolCall) -> ToolCall {
    call.id = clean::storable(call.id);
    call.name = clean::storable(call.name);
    call
}

/// The reasons of all formats. One that we do not know still means that the answer is whole, but its calls are not carried
/// out without asking.
pub(crate) fn finish_reason(reason: &str) -> Result<Ending, LlmError> {
    let reason = reason.to_ascii_lowercase().replace('-', "_");
    // Gemini's filters and lost calls: https://github.com/BerriAI/litellm/issues/6104
    let reason = reason.split(':').next().unwrap_or_default().trim();
    Ok(match reason {
        "length"
        | "max_tokens"
        | "max_output_tokens"
        | "model_length"
        | "model_context_window_exceeded"
        | "pause_turn"
        | "token_limit"
        | "max_length"
        | "context_length_exceeded"
        | "repetition"
        | "repetition_truncation" => Ending::known(FinishReason::Length),
        "content_filter"
        | "content_filtered"
        | "safety"
        | "sensitive"
        | "recitation"
        | "blocklist"
        | "prohibited_content"
        | "spii"
        | "language"
        | "image_safety"
        | "refusal"
        | "guardrail_intervened" => Ending::known(FinishReason::ContentFilter),
        "tool_calls" | "tool_call" | "tool_use" | "function_call" => Ending::known(FinishReason::ToolCalls),
        "error"
        | "network_error"
        | "insufficient_system_resource"
        | "abort"
        | "aborted"
        | "cancelled"
        | "canceled"
        | "engine_overloaded"
        | "server_error"
        | "internal_error"
        | "failed"
        | "timeout" => return Err(failed(StatusReason::Server)),
        "malformed_function_call"
        | "malformed_tool_call"
        | "malformed_response"
        | "invalid_tool_call"
        | "unexpected_tool_call"
        | "too_many_tool_calls"
        | "missing_thought_signature"
        | "function_call_filter" => return Err(failed(StatusReason::MalformedCall)),
        "stop" | "end_turn" | "stop_sequence" | "eos" | "eos_token" | "end" | "complete" | "completed" | "done"
        | "finished" | "finish" | "finish_reason_stop" | "<|im_end|>" | "null" => Ending::known(FinishReason::Stop),
        _ => Ending {
            reason: FinishReason::Stop,
            is_odd: true,
        },
    })
}

/// The provider's word for the end of an answer is one for a failure; it says nothing more.
pub(crate) fn failed(reason: StatusReason) -> LlmError {
    LlmError::InStream {
        status: None,
        reason,
        said: Box::default(),
    }
}

/// Why an answer ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Ending {
    pub reason: FinishReason,
    /// The provider's word for it says nothing to us.
    pub is_odd: bool,
}

impl Ending {
    pub(crate) fn known(reason: FinishReason) -> Self {
        Self { reason, is_odd: false }
    }
}
