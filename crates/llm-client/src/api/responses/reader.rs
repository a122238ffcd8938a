//! Folds the events of a Responses stream into the answer. The output index is the key: ids may change between two events
//! (seen at GitHub Copilot). Only a terminal event ends an answer.

use super::events::{Frame, Item, Part, Response};
use crate::{
    FinishReason, LlmError, StatusReason,
    answer::replay::{ReplayItem, members_of},
    answer::tool_calls::arguments,
    answer::{Answer, Ending, finish_reason},
    error::body::ErrorBody,
};
use serde_json::value::RawValue;

/// The state between two events.
#[derive(Debug, Default)]
pub(crate) struct Frames {
    /// The parts of messages whose text came in pieces: output index and content index.
    streamed: Vec<(i64, i64)>,
    /// The item that was opened last, for servers that send no index.
    last_opened: i64,
}

impl Frames {
    /// `None`: no JSON.
    pub(crate) fn json(&mut self, answer: &mut Answer, json: &str) -> Option<Result<(), LlmError>> {
        let frame = serde_json::from_str::<Frame>(json).ok()?;
        if frame.r#type.get().is_none() && frame.object.get() == Some("response") {
            // A server that ignores `stream`.
            let response = serde_json::from_str::<Response>(json).ok()?;
            return Some(self.terminal(answer, response));
        }
        Some(self.frame(answer, frame, json))
    }

    /// `json` is what the frame was read from.
    fn frame(&mut self, answer: &mut Answer, frame: Frame<'_>, json: &str) -> Result<(), LlmError> {
        let index = frame.output_index.0.unwrap_or(self.last_opened);
        let part = frame.content_index.0.unwrap_or(0);
        match frame.r#type.get().unwrap_or_default() {
            "response.output_text.delta" | "response.refusal.delta" => {
                let text = frame.delta.get().unwrap_or_default();
                self.show(answer, index, part, text);
            }
            "response.output_text.done" => self.show_missed(answer, index, part, frame.text.get()),
            "response.refusal.done" => self.show_missed(answer, index, part, frame.refusal.get()),
            "response.function_call_arguments.delta" => {
                let is_new = answer.calls.append_at(index, frame.delta.get().unwrap_or_default())?;
                answer.called(is_new);
            }
            "response.function_call_arguments.done" => answer.calls.close_at(index, frame.arguments.get())?,
            "response.output_item.added" => self.added(answer, index, frame.item)?,
            "response.output_item.done" => self.completed_item(answer, index, frame.item)?,
            "response.completed" | "response.incomplete" | "response.done" => {
                self.terminal(answer, frame.response.0.unwrap_or_default())?;
            }
            "response.failed" | "response.cancelled" => return Err(failure(frame.response.0.unwrap_or_default())),
            // Nested in `error` or flat: https://github.com/openai/openai-dotnet/issues/881
            "error" => return Err(ErrorBody::read(json).into()),
            kind if kind.starts_with("response.reasoning") => {
                if frame.delta.get().is_some() {
                    answer.think();
                }
            }
            kind if kind.starts_with("response.") || kind == "keepalive" || kind == "ping" => answer.ping(),
            _ => return unknown(answer, &frame, json),
        }
        Ok(())
    }

    fn show(&mut self, answer: &mut Answer, index: i64, part: i64, text: &str) {
        if text.is_empty() {
            return;
        }
        if !self.streamed.contains(&(index, part)) {
            self.streamed.push((index, part));
        }
        answer.show(text);
    }

    /// Shows a text that was never sent in pieces.
    fn show_missed(&mut self, answer: &mut Answer, index: i64, part: i64, text: Option<&str>) {
        if let Some(text) = text.filter(|_| !self.streamed.contains(&(index, part))) {
            self.show(answer, index, part, text);
        }
    }

    fn added(&mut self, answer: &mut Answer, index: i64, item: Option<&RawValue>) -> Result<(), LlmError> {
        self.last_opened = index;
        let Some(item) = parsed(item) else { return Ok(()) };
        match item.r#type.get() {
            // Also where its first words take long: the answer has begun.
            Some("reasoning") => answer.think(),
            _ => answer.thinks(false),
        }
        if item.r#type.get() == Some("function_call") {
            answer
                .calls
                .open_at(index, call_id(&item), item.name.get().unwrap_or_default())?;
            let is_new = answer.calls.append_at(index, &arguments(item.arguments))?;
            answer.called(true);
            answer.called(is_new);
        }
        Ok(())
    }

    fn completed_item(&mut self, answer: &mut Answer, index: i64, raw: Option<&RawValue>) -> Result<(), LlmError> {
        let (Some(raw), Some(item)) = (raw, parsed(raw)) else {
            return Ok(());
        };
        answer.replay.in_block(index);
        match item.r#type.get() {
            Some("function_call") => {
                answer
                    .calls
                    .open_at(index, call_id(&item), item.name.get().unwrap_or_default())?;
                answer.calls.close_at(index, Some(&arguments(item.arguments)))?;
                answer.called(true);
                if let Some(place) = answer.calls.place(index) {
                    let (members, _) = answer.replay.call(place);
                    let bytes = members.add_all_but(&members_of(raw.get()), &["type", "call_id", "name", "arguments"]);
                    answer.replay.grow(bytes);
                }
            }
            Some("message") => {
                // With its `phase`: https://github.com/Chevey339/kelivo/pull/385
                answer.replay.push(ReplayItem::Raw(raw.get().to_owned()));
                for (part, content) in (0..).zip(&item.content.0) {
                    let Some(Part { text, refusal }) = &content.0 else {
                        continue;
                    };
                    self.show_missed(answer, index, part, text.get().or(refusal.get()));
                }
            }
            Some("reasoning") => {
                answer.think();
                answer.thinks(false);
                // Without both it is a name for what the provider has not kept, and would refuse.
                if item.encrypted_content.get().is_some() || !item.content.0.is_empty() {
                    answer.replay.push(ReplayItem::Raw(raw.get().to_owned()));
                }
            }
            // Whatever it is for, it came with the calls.
            Some(_) => answer.replay.push(ReplayItem::Raw(raw.get().to_owned())),
            None => {}
        }
        Ok(())
    }

    fn terminal(&mut self, answer: &mut Answer, response: Response<'_>) -> Result<(), LlmError> {
        answer.count(
            response
                .usage
                .0
                .as_ref()
                .and_then(crate::answer::usage::RawUsage::usage),
        );
        if matches!(response.status.get(), Some("failed" | "cancelled")) {
            return Err(failure(response));
        }
        if !answer.has_text() && answer.calls.is_empty() {
            for (index, item) in (0..).zip(response.output.into_iter().flatten()) {
                self.completed_item(answer, index, Some(item))?;
            }
        }
        let reason = response
            .incomplete_details
            .0
            .as_ref()
            .and_then(|details| details.reason.get());
        answer.begin();
        answer.end(match reason {
            Some(reason) => finish_reason(reason)?,
            None if response.status.get() == Some("incomplete") => Ending::known(FinishReason::Length),
            None => Ending::known(FinishReason::Stop),
        });
        answer.done();
        Ok(())
    }
}

fn parsed(item: Option<&RawValue>) -> Option<Item<'_>> {
    serde_json::from_str(item?.get()).ok()
}

fn call_id<'a>(item: &'a Item<'_>) -> &'a str {
    item.call_id.get().or(item.id.get()).unwrap_or_default()
}

fn failure(response: Response<'_>) -> LlmError {
    let usage = response
        .usage
        .0
        .as_ref()
        .and_then(crate::answer::usage::RawUsage::usage);
    let error = match ErrorBody::read(response.error.map_or("", RawValue::get)).into() {
        LlmError::InStream {
            status,
            reason: StatusReason::Other,
            said,
        } => LlmError::InStream {
            status,
            reason: StatusReason::Server,
            said,
        },
        error => error,
    };
    error.with_usage(usage)
}

/// A frame that is no event of this format: an error of a proxy, or nothing we know.
fn unknown(answer: &mut Answer, frame: &Frame<'_>, json: &str) -> Result<(), LlmError> {
    let is_error = frame.error.is_some_and(crate::error::body::says_something) || frame.error_type.get().is_some();
    if is_error {
        return Err(ErrorBody::read(json).into());
    }
    answer.ignore();
    Ok(())
}
