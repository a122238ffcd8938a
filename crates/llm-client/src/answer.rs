//! What has been received of an answer: text, tool calls, usage and its end. The wire formats fold their frames into it.
//! Pure: no clock, no socket.

use super::tool_calls::{ToolCalls, Unfinished};
use super::{Completion, FinishReason, LlmError, Opaque, StatusReason, thinking::Thinking};
use plan_model::clean;
use plan_model::message::ToolCall;
use plan_model::usage::Usage;

/// Bytes of reasoning kept to be sent back.
const MAX_OPAQUE_BYTES: usize = 1024 * 1024;

/// An answer so far.
#[derive(Debug, Default)]
pub struct Answer {
    /// Text not yet handed on.
    text: String,
    has_text: bool,
    thinking: Thinking,
    pub calls: ToolCalls,
    opaque: Vec<Opaque>,
    opaque_bytes: usize,
    finish: Option<FinishReason>,
    done: bool,
    /// A frame of the answer came, be it an empty one.
    begun: bool,
    usage: Option<Usage>,
    ignored_frames: u32,
    progress: u64,
    /// How much of the progress was reasoning.
    reasoning: u64,
}

impl Answer {
    /// A piece of text. A leading `<think>` section is not shown.
    pub fn show(&mut self, text: &str) {
        if text.is_empty() {
            return;
        }
        let before = self.text.len();
        let is_hidden = self.thinking.filter(text, &mut self.text);
        self.has_text |= self.text.len() > before;
        self.progress += 1;
        self.reasoning += u64::from(is_hidden && self.text.len() == before);
    }

    /// A piece of reasoning: never shown, but a sign of progress.
    pub fn think(&mut self) {
        self.progress += 1;
        self.reasoning += 1;
    }

    /// A piece of a tool call.
    pub fn called(&mut self, is_new: bool) {
        self.progress += u64::from(is_new);
    }

    /// Keeps reasoning that has to go back with the results of the calls.
    pub fn keep(&mut self, opaque: Opaque) -> Result<(), LlmError> {
        self.opaque_bytes += opaque.size();
        if self.opaque_bytes > MAX_OPAQUE_BYTES {
            return Err(LlmError::TooLarge("reasoning"));
        }
        self.opaque.push(opaque);
        Ok(())
    }

    /// A later count replaces an earlier one.
    pub fn count(&mut self, usage: Option<Usage>) {
        self.usage = usage.or(self.usage);
    }

    /// The provider says why the model stopped.
    pub fn end(&mut self, reason: FinishReason) {
        self.finish = Some(reason);
        self.progress += 1;
    }

    /// Nothing more is to come, not even usage.
    pub fn done(&mut self) {
        self.done = true;
    }

    /// A frame of the answer has come.
    pub fn begin(&mut self) {
        self.begun = true;
    }

    /// The whole answer came as one document.
    pub fn end_document(&mut self) -> Result<(), LlmError> {
        if !self.begun {
            return Err(LlmError::NotAStream("JSON without an answer"));
        }
        self.finish.get_or_insert(FinishReason::Stop);
        Ok(())
    }

    /// A frame carried nothing we know.
    pub fn ignore(&mut self) {
        self.ignored_frames = self.ignored_frames.saturating_add(1);
    }

    /// Counts lines of the stream that were no frames at all.
    pub fn ignore_lines(&mut self, lines: u32) {
        self.ignored_frames = self.ignored_frames.saturating_add(lines);
    }

    /// The text that has come since the last call; empty if none has.
    pub fn take_text(&mut self) -> String {
        clean::storable(std::mem::take(&mut self.text))
    }

    pub fn has_text(&self) -> bool {
        self.has_text
    }

    /// Whether the provider has said that the answer is whole.
    pub fn is_finished(&self) -> bool {
        self.finish.is_some() || self.done
    }

    /// Whether it may end here and be taken for a whole answer.
    pub fn is_whole(&self) -> bool {
        self.finish_reason().is_ok()
    }

    /// Grows with each piece of text, of reasoning or of a call, and with the end; not with pings and empty frames.
    pub fn progress(&self) -> u64 {
        self.progress
    }

    /// The part of [`Self::progress`] that was reasoning.
    pub fn reasoning(&self) -> u64 {
        self.reasoning
    }

    /// Whether nothing more is to come, not even usage.
    pub fn is_done(&self) -> bool {
        self.done
    }

    pub fn usage(&self) -> Option<Usage> {
        self.usage
    }

    /// The answer has ended. Gives the rest of the text and the completion, or says why it is none.
    pub fn finish(mut self) -> Result<(String, Completion), LlmError> {
        self.thinking.finish(&mut self.text);
        self.has_text |= !self.text.is_empty();
        let finish = self.finish_reason()?;
        let unfinished = match finish {
            FinishReason::Length | FinishReason::ContentFilter => Unfinished::Drop,
            FinishReason::Stop | FinishReason::ToolCalls if self.finish.is_some() => Unfinished::PassOn,
            FinishReason::Stop | FinishReason::ToolCalls => Unfinished::Fail,
        };
        let text = self.take_text();
        let tool_calls: Vec<_> = self.calls.finish(unfinished)?.into_iter().map(storable).collect();
        let finish = match finish {
            // Ollama and Gemini say `stop` behind calls: https://github.com/BerriAI/litellm/issues/35663
            FinishReason::Stop if !tool_calls.is_empty() => FinishReason::ToolCalls,
            FinishReason::ToolCalls if tool_calls.is_empty() && self.has_text => FinishReason::Stop,
            FinishReason::ToolCalls if tool_calls.is_empty() => return Err(LlmError::Malformed("tool call missing")),
            finish => finish,
        };
        let completion = Completion {
            tool_calls,
            finish,
            usage: self.usage,
            opaque: self.opaque,
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

/// The reasons of all formats. One we do not know still means that the answer is whole.
pub fn finish_reason(reason: &str) -> Result<FinishReason, LlmError> {
    Ok(match reason.to_ascii_lowercase().replace('-', "_").as_str() {
        "length" | "max_tokens" | "max_output_tokens" | "model_length" | "model_context_window_exceeded" => {
            FinishReason::Length
        }
        "content_filter"
        | "content_filtered"
        | "safety"
        | "sensitive"
        | "recitation"
        | "blocklist"
        | "prohibited_content"
        | "spii"
        | "refusal"
        | "guardrail_intervened" => FinishReason::ContentFilter,
        "tool_calls" | "tool_call" | "tool_use" | "function_call" => FinishReason::ToolCalls,
        "error"
        | "network_error"
        | "insufficient_system_resource"
        | "abort"
        | "aborted"
        | "cancelled"
        | "canceled"
        | "malformed_function_call"
        | "engine_overloaded"
        | "timeout" => {
            return Err(LlmError::InStream {
                status: None,
                reason: StatusReason::Server,
            });
        }
        _ => FinishReason::Stop,
    })
}
