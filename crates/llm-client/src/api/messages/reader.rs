//! Folds the events of a Messages stream into the answer.

use super::events::{Block, Delta, Frame, Message};
use crate::{
    LlmError, StatusReason,
    answer::replay::{Members, ReplayItem, go_on, members_of},
    answer::tool_calls::arguments,
    answer::usage::RawUsage,
    answer::{Answer, failed, finish_reason},
    error::body::{self, ErrorBody},
};
use plan_model::json_text::push_string;
use plan_model::usage::Usage;
use serde_json::value::RawValue;

/// The state between two events.
#[derive(Debug, Default)]
pub(crate) struct Frames {
    has_started: bool,
    /// Reasoning that is being written; the signature comes at its end.
    thinking: Option<Thinking>,
    /// The part of the replay that is the text block being written.
    text: Option<usize>,
    /// What its words are taken from, as JSON with commas between.
    citations: String,
    /// A block of a kind that we do not know.
    unknown: Option<Members>,
    /// The input of a call to one of the provider's own tools, of which we offer none: it goes back as it came.
    own_input: Option<String>,
    usage: Usage,
}

#[derive(Debug, Default)]
struct Thinking {
    index: i64,
    text: String,
    signature: String,
    members: Members,
    /// There was more than is kept.
    is_too_large: bool,
}

impl Frames {
    /// `None`: no JSON.
    pub(crate) fn json(&mut self, answer: &mut Answer, json: &str) -> Option<Result<(), LlmError>> {
        let frame = serde_json::from_str::<Frame>(json).ok()?;
        Some(self.frame(answer, frame, json))
    }

    /// `json` is what the frame was read from.
    fn frame(&mut self, answer: &mut Answer, frame: Frame<'_>, json: &str) -> Result<(), LlmError> {
        let index = frame.index.0.unwrap_or(0);
        match frame.r#type.get().unwrap_or_default() {
            "message_start" => self.start(answer, frame.message.0.unwrap_or_default())?,
            "message" => {
                let message = Message {
                    content: frame.content,
                    stop_reason: frame.stop_reason,
                    usage: frame.usage,
                };
                self.start(answer, message)?;
            }
            "content_block_start" => self.open(answer, index, frame.content_block)?,
            "content_block_delta" => self.piece(answer, index, frame.delta)?,
            "content_block_stop" => self.close(answer, index)?,
            "message_delta" => {
                self.count(answer, frame.usage.0.as_ref());
                if let Some(delta) = frame.delta {
                    let delta = serde_json::from_str::<Delta>(delta.get()).unwrap_or_default();
                    end(answer, delta.stop_reason.get())?;
                }
            }
            "message_stop" => {
                self.keep_thinking(answer);
                answer.done();
            }
            "ping" => answer.ping(),
            "error" => return Err(ErrorBody::read(json).into()),
            _ if is_error(&frame) => return Err(ErrorBody::read(json).into()),
            _ => answer.ignore(),
        }
        Ok(())
    }

    fn start(&mut self, answer: &mut Answer, message: Message<'_>) -> Result<(), LlmError> {
        // Some servers start the same message twice.
        if std::mem::replace(&mut self.has_started, true) {
            return Ok(());
        }
        self.count(answer, message.usage.0.as_ref());
        let blocks = message.content.map_or("", RawValue::get);
        let blocks: Vec<&RawValue> = serde_json::from_str(blocks).unwrap_or_default();
        for (index, block) in (0..).zip(blocks) {
            self.open(answer, index, Some(block))?;
            self.close(answer, index)?;
        }
        end(answer, message.stop_reason.get())
    }

    fn open(&mut self, answer: &mut Answer, index: i64, raw: Option<&RawValue>) -> Result<(), LlmError> {
        let raw = raw.map_or("{}", RawValue::get);
        answer.replay.in_block(index);
        let block = serde_json::from_str::<Block>(raw).unwrap_or_default();
        match block.r#type.get() {
            Some("text") => {
                let text = block.text.get().unwrap_or_default();
                answer.show(text);
                self.open_text(answer, text);
            }
            Some("tool_use") => {
                let (id, name) = (block.id.get().unwrap_or_default(), block.name.get().unwrap_or_default());
                answer.calls.open_at(index, id, name)?;
                answer.called(true);
                // Empty where the input follows in pieces.
                let input = arguments(block.input);
                if !matches!(&*input, "" | "{}") {
                    answer.calls.append_at(index, &input)?;
                }
                if let Some(place) = answer.calls.place(index) {
                    let (members, _) = answer.replay.call(place);
                    let bytes =
                        members.add_all_but(&members_of(raw), &["type", "id", "name", "input", "cache_control"]);
                    answer.replay.grow(bytes);
                }
                self.text = None;
            }
            Some("thinking") => {
                self.keep_thinking(answer);
                let mut members = Members::default();
                members.add_all_but(&members_of(raw), &["type", "thinking", "signature"]);
                self.thinking = Some(Thinking {
                    index,
                    text: block.thinking.get().unwrap_or_default().to_owned(),
                    signature: block.signature.get().unwrap_or_default().to_owned(),
                    members,
                    is_too_large: false,
                });
                self.text = None;
                // Also where its first words take long: the answer has begun.
                answer.think();
            }
            Some("redacted_thinking") => {
                answer.think();
                answer.replay.push(ReplayItem::Raw(raw.to_owned()));
                self.text = None;
            }
            // Whatever it is for, it came with the calls.
            Some(kind) => {
                let is_own_tool = kind == "server_tool_use";
                let known: &[&str] = if is_own_tool { &["input"] } else { &[] };
                let mut members = Members::default();
                members.add_all_but(&members_of(raw), known);
                self.own_input = is_own_tool.then(|| match &*arguments(block.input) {
                    "" => "{}".to_owned(),
                    input => input.to_owned(),
                });
                self.unknown = Some(members);
                self.text = None;
            }
            None => {}
        }
        Ok(())
    }

    fn open_text(&mut self, answer: &mut Answer, text: &str) {
        self.text = Some(answer.replay.items.len());
        answer.replay.push(ReplayItem::Text(text.to_owned()));
    }

    fn piece(&mut self, answer: &mut Answer, index: i64, raw: Option<&RawValue>) -> Result<(), LlmError> {
        let raw = raw.map_or("{}", RawValue::get);
        answer.replay.in_block(index);
        if let Some(unknown) = &mut self.unknown {
            unknown.add_all_but(&members_of(raw), &["type", "partial_json"]);
        }
        let delta = serde_json::from_str::<Delta>(raw).unwrap_or_default();
        if let Some(citation) = delta.citation.filter(|_| self.text.is_some()) {
            let comma = if self.citations.is_empty() { "" } else { "," };
            self.citations.extend([comma, citation.get()]);
        }
        if let Some(text) = delta.text.get() {
            answer.show(text);
            match self.text.and_then(|at| answer.replay.items.get_mut(at)) {
                Some(ReplayItem::Text(known)) => known.push_str(text),
                _ => self.open_text(answer, text),
            }
        }
        match (delta.partial_json.get(), &mut self.own_input) {
            (Some(json), Some(input)) => append_input(input, json),
            (Some(json), None) if self.unknown.is_none() => {
                let is_new = answer.calls.append_at(index, json)?;
                answer.called(is_new);
            }
            _ => {}
        }
        if let Some(text) = delta.thinking.get() {
            answer.think();
            let thinking = self.thinking_of(index);
            thinking.text.push_str(text);
            // Too much of it is not kept, and no failure.
            if thinking.text.len() > MAX_THINKING_BYTES {
                (thinking.text, thinking.is_too_large) = (String::new(), true);
            }
        }
        if let Some(signature) = delta.signature.get() {
            answer.think();
            go_on(&mut self.thinking_of(index).signature, signature);
        }
        Ok(())
    }

    /// The reasoning that is being written, begun where its start did not come.
    fn thinking_of(&mut self, index: i64) -> &mut Thinking {
        let begun = || Thinking {
            index,
            ..Thinking::default()
        };
        self.thinking.get_or_insert_with(begun)
    }

    fn close(&mut self, answer: &mut Answer, index: i64) -> Result<(), LlmError> {
        answer.calls.close_at(index, None)?;
        answer.replay.in_block(index);
        self.keep_citations(answer);
        if let Some(mut unknown) = self.unknown.take() {
            if let Some(input) = self
                .own_input
                .take()
                .and_then(|input| RawValue::from_string(input).ok())
            {
                unknown.add_verbatim(&[("input".to_owned(), &*input)].into());
            }
            answer.replay.push(ReplayItem::Raw(unknown.object()));
        }
        if self.thinking.as_ref().is_some_and(|thinking| thinking.index == index) {
            self.keep_thinking(answer);
        }
        Ok(())
    }

    /// A text with what it is taken from is a block of its own kind.
    fn keep_citations(&mut self, answer: &mut Answer) {
        let citations = std::mem::take(&mut self.citations);
        let Some(at) = self.text.take().filter(|_| !citations.is_empty()) else {
            return;
        };
        let Some(ReplayItem::Text(text)) = answer.replay.items.get(at) else {
            return;
        };
        let mut json = String::from(r#"{"type":"text","text":"#);
        push_string(&mut json, text);
        json.extend([r#","citations":["#, &citations, "]}"]);
        let bytes = json.len();
        answer.replay.items[at] = ReplayItem::Raw(json);
        answer.replay.grow(bytes);
    }

    fn keep_thinking(&mut self, answer: &mut Answer) {
        let Some(thinking) = self.thinking.take() else { return };
        answer.replay.in_block(thinking.index);
        answer.thinks(false);
        // DeepSeek and Kimi sign nothing, and want it back: https://github.com/NousResearch/hermes-agent/issues/22313
        if thinking.is_too_large || (thinking.text.is_empty() && thinking.signature.is_empty()) {
            return;
        }
        let mut json = String::from(r#"{"type":"thinking","thinking":"#);
        push_string(&mut json, &thinking.text);
        if !thinking.signature.is_empty() {
            json.push_str(r#","signature":"#);
            push_string(&mut json, &thinking.signature);
        }
        thinking.members.write(&mut json, |_| true);
        json.push('}');
        answer.replay.push(ReplayItem::Raw(json));
    }

    /// The counts come in parts, each final for what it names.
    fn count(&mut self, answer: &mut Answer, raw: Option<&RawUsage>) {
        let Some(new) = raw.and_then(RawUsage::beside_cache) else {
            return;
        };
        let known = &mut self.usage;
        if new.prompt_tokens > 0 {
            known.prompt_tokens = new.prompt_tokens;
        }
        known.completion_tokens = new.completion_tokens.max(known.completion_tokens);
        known.total_tokens = known.prompt_tokens + known.completion_tokens;
        known.cached_prompt_tokens = new.cached_prompt_tokens.or(known.cached_prompt_tokens);
        known.cache_write_tokens = new.cache_write_tokens.or(known.cache_write_tokens);
        known.reasoning_tokens = new.reasoning_tokens.or(known.reasoning_tokens);
        answer.count(Some(*known));
    }
}

/// Adds a piece of a call's input; an empty object at the start is no input yet.
fn append_input(input: &mut String, piece: &str) {
    if input == "{}" && !piece.is_empty() {
        input.clear();
    }
    // What is too large is no JSON in the end, and left out.
    if input.len() + piece.len() <= MAX_THINKING_BYTES {
        input.push_str(piece);
    }
}

fn is_error(frame: &Frame<'_>) -> bool {
    frame.error.is_some_and(body::says_something) || frame.error_type.get().is_some()
}

/// The most reasoning of one block that is kept to be sent back.
const MAX_THINKING_BYTES: usize = 1024 * 1024;

fn end(answer: &mut Answer, reason: Option<&str>) -> Result<(), LlmError> {
    match reason {
        None => Ok(()),
        // The provider wants to be asked to go on, which only its own tools need: what came is an answer that was cut.
        Some("pause_turn") if !answer.has_text() && answer.calls.is_empty() => Err(failed(StatusReason::Other)),
        // With a beginning it is an answer that was cut.
        Some("model_context_window_exceeded") if !answer.has_text() && answer.calls.is_empty() => {
            Err(failed(StatusReason::ContextLength))
        }
        Some(reason) => {
            answer.begin();
            answer.end(finish_reason(reason)?);
            Ok(())
        }
    }
}
