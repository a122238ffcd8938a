//! Folds the frames of an answer into text and tool calls. Pure: no clock, no socket.

use super::{
    Completion, FinishReason, LlmError,
    chunk::{Choice, Chunk, Delta, mended, readable},
    complaint::{self, Complaint},
    error::StatusReason,
    form::Form,
    sse::Event,
    thinking::Thinking,
    tool_calls::ToolCalls,
};
use crate::model::{clean, message::Usage};

/// What has been heard of an answer.
#[derive(Debug, Default)]
pub(super) struct Answer {
    /// Text not yet handed on.
    text: String,
    has_text: bool,
    thinking: Thinking,
    calls: ToolCalls,
    finish: Option<FinishReason>,
    done: bool,
    /// The choice we listen to: the first one heard.
    choice: Option<i64>,
    /// Of the last frame that held a piece of text only.
    form: Option<Form>,
    usage: Option<Usage>,
    ignored_frames: u32,
    progress: u64,
}

impl Answer {
    /// Folds one event of the stream.
    pub fn event(&mut self, event: &Event) -> Result<(), LlmError> {
        if self.done {
            return Ok(());
        }
        let payload = strip_prefixes(&event.data);
        if payload == b"[DONE]" {
            self.done = true;
            return Ok(());
        }
        let folded = self.payload(payload, event.is_error);
        if self.finish.is_some() && folded.is_err() {
            // The answer was whole already; what is broken behind it costs nothing.
            self.ignore();
            return Ok(());
        }
        folded
    }

    fn payload(&mut self, payload: &[u8], is_error: bool) -> Result<(), LlmError> {
        match payload.first() {
            None => return Ok(()),
            Some(b'{' | b'[') => {}
            Some(_) if is_error => return Err(Complaint::read(&readable(payload)).into()),
            // A bare word is no chunk, so no text is lost with it.
            Some(_) => {
                self.ignore();
                return Ok(());
            }
        }
        if !is_error && let Some(text) = self.form.as_ref().and_then(|form| form.text(payload)) {
            return self.delta(Delta::of_text(text));
        }
        let json = readable(payload);
        let folded = self
            .json(&json, is_error)
            .or_else(|| self.json(&mended(&json), is_error));
        folded.unwrap_or(Err(LlmError::Malformed("frame is no JSON")))
    }

    /// A whole answer, or an error, as one JSON document instead of a stream.
    pub fn document(&mut self, body: &[u8]) -> Result<(), LlmError> {
        let json = readable(body.trim_ascii());
        self.json(&json, false)
            .unwrap_or(Err(LlmError::NotAStream("neither events nor one JSON document")))?;
        if self.choice.is_none() {
            return Err(LlmError::NotAStream("JSON without an answer"));
        }
        self.finish.get_or_insert(FinishReason::Stop);
        Ok(())
    }

    /// `None`: no JSON.
    fn json(&mut self, json: &str, is_error: bool) -> Option<Result<(), LlmError>> {
        if json.starts_with('[') {
            let chunks = serde_json::from_str::<super::wire::List<Chunk>>(json).ok()?;
            let mut chunks = chunks.0.into_iter().filter_map(|chunk| chunk.0);
            return Some(chunks.try_for_each(|chunk| self.chunk(chunk, is_error)));
        }
        let chunk = serde_json::from_str::<Chunk>(json).ok()?;
        let text = chunk.only_text(self.choice);
        let folded = self.chunk(chunk, is_error);
        if let Some(text) = text.filter(|_| folded.is_ok() && !is_error) {
            self.form = Form::of(json, text);
        }
        Some(folded)
    }

    fn chunk(&mut self, chunk: Chunk<'_>, is_error: bool) -> Result<(), LlmError> {
        let usage = chunk.usage();
        self.usage = usage.or(self.usage);
        if let Some(complaint) = complaint::in_chunk(&chunk, is_error) {
            return Err(complaint.into());
        }
        let choices = chunk.choices.map(|list| list.0);
        let mut heard = choices.as_ref().map_or(usage.is_some(), Vec::is_empty);
        for (position, choice) in choices.into_iter().flatten().enumerate() {
            let Some(choice) = choice.0 else { continue };
            let index = choice.index.0.unwrap_or(position as i64);
            if *self.choice.get_or_insert(index) == index {
                heard = true;
                self.choice(choice)?;
            }
        }
        if !heard {
            self.ignore();
        }
        Ok(())
    }

    fn choice(&mut self, choice: Choice<'_>) -> Result<(), LlmError> {
        if let Some(error) = choice.error.filter(|error| complaint::says_something(error)) {
            return Err(Complaint::read(error.get()).into());
        }
        match choice.delta.0 {
            Some(delta) => self.delta(delta)?,
            None => self.show(&choice.text.text),
        }
        // Some servers repeat the whole message behind its pieces; it is read only where there were none.
        if let Some(message) = choice.message.0
            && !self.has_text
            && self.calls.is_empty()
        {
            self.delta(message)?;
        }
        if let Some(reason) = choice.finish_reason.get() {
            self.finish = Some(finish_reason(reason)?);
            self.progress += 1;
        }
        Ok(())
    }

    fn delta(&mut self, delta: Delta<'_>) -> Result<(), LlmError> {
        let thoughts = [&delta.reasoning_content, &delta.reasoning, &delta.thinking];
        if delta.content.has_reasoning || thoughts.iter().any(|t| !t.text.is_empty() || t.has_reasoning) {
            self.progress += 1;
        }
        if delta.content.has_unknown {
            self.ignore();
        }
        self.show(&delta.content.text);
        self.show(&delta.refusal.text);
        self.calls.next_frame();
        for call in delta.tool_calls.0.iter().filter_map(|call| call.0.as_ref()) {
            self.progress += u64::from(self.calls.push(call)?);
        }
        if let Some(function) = &delta.function_call.0 {
            self.progress += u64::from(self.calls.push_function(function)?);
        }
        Ok(())
    }

    fn show(&mut self, text: &str) {
        if text.is_empty() {
            return;
        }
        let before = self.text.len();
        self.thinking.filter(text, &mut self.text);
        self.has_text |= self.text.len() > before;
        self.progress += 1;
    }

    fn ignore(&mut self) {
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

    /// Whether the provider has said that the answer is whole.
    pub fn is_finished(&self) -> bool {
        self.finish.is_some() || self.done
    }

    /// Whether it may end here and be taken for a whole answer.
    pub fn is_whole(&self) -> bool {
        self.finish_reason().is_ok()
    }

    /// Grows with each piece of text, of thoughts or of a call, and with the end; not with pings and empty frames.
    pub fn progress(&self) -> u64 {
        self.progress
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
        let cut_by_limit = matches!(finish, FinishReason::Length | FinishReason::ContentFilter);
        let text = self.take_text();
        let tool_calls: Vec<_> = self.calls.finish(cut_by_limit)?.into_iter().map(storable).collect();
        let finish = match finish {
            FinishReason::Stop if !tool_calls.is_empty() => FinishReason::ToolCalls,
            FinishReason::ToolCalls if tool_calls.is_empty() && self.has_text => FinishReason::Stop,
            FinishReason::ToolCalls if tool_calls.is_empty() => return Err(LlmError::Malformed("tool call missing")),
            finish => finish,
        };
        let completion = Completion {
            tool_calls,
            finish,
            usage: self.usage,
            ignored_frames: self.ignored_frames,
        };
        Ok((text, completion))
    }

    fn finish_reason(&self) -> Result<FinishReason, LlmError> {
        match self.finish {
            Some(finish) => Ok(finish),
            // `[DONE]` alone counts, but not where a swallowed frame may have been the rest of the answer.
            None if self.done && self.choice.is_some() && self.ignored_frames == 0 => Ok(FinishReason::Stop),
            None => Err(LlmError::Cut),
        }
    }
}

/// What some servers write in front of the data: white space, a second `data:`.
fn strip_prefixes(data: &[u8]) -> &[u8] {
    let data = data.trim_ascii();
    data.strip_prefix(b"data:").map_or(data, <[u8]>::trim_ascii)
}

fn storable(mut call: crate::model::message::ToolCall) -> crate::model::message::ToolCall {
    call.id = clean::storable(call.id);
    call.name = clean::storable(call.name);
    call
}

/// The reasons of all dialects. One we do not know still means that the answer is whole.
fn finish_reason(reason: &str) -> Result<FinishReason, LlmError> {
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
