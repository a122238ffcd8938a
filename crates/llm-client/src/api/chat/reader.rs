//! Folds chat completion chunks into the answer.

use super::chunk::{CallDelta, Choice, Chunk, Delta, FunctionDelta};
use crate::{
    FinishReason, LlmError,
    answer::replay::{ChunkMembers, RawMembers, is_empty, members_of},
    answer::tool_calls::{Fragment, arguments},
    answer::wire::{Content, List, Word},
    answer::{Answer, Ending, finish_reason},
    error::body::{self, ErrorBody},
};
use serde::Deserialize;

/// The state between two chunks.
#[derive(Debug, Default)]
pub(crate) struct Frames {
    /// The choice that is read: the first one that came.
    choice: Option<i64>,
}

impl Frames {
    /// `None`: no JSON.
    pub(crate) fn json(&mut self, answer: &mut Answer, json: &str, is_error: bool) -> Option<Result<(), LlmError>> {
        if json.starts_with('[') {
            let chunks = serde_json::from_str::<List<Chunk>>(json).ok()?;
            let mut chunks = chunks.0.into_iter().filter_map(|chunk| chunk.0);
            return Some(chunks.try_for_each(|chunk| self.chunk(answer, chunk, json, is_error)));
        }
        let chunk = serde_json::from_str::<Chunk>(json).ok()?;
        Some(self.chunk(answer, chunk, json, is_error))
    }

    /// `json` is what the chunk was read from.
    fn chunk(&mut self, answer: &mut Answer, chunk: Chunk<'_>, json: &str, is_error: bool) -> Result<(), LlmError> {
        let usage = chunk.usage();
        answer.count(usage);
        if chunk.is_error(is_error) {
            return Err(ErrorBody::read(json).into());
        }
        if chunk.r#type.get() == Some("ping") {
            answer.ping();
            return Ok(());
        }
        if chunk.is_blocked() {
            answer.begin();
            answer.end(Ending::known(FinishReason::ContentFilter));
            return Ok(());
        }
        let members = ChunkMembers::read(json);
        let choices = chunk.choices.map(|list| list.0);
        let mut is_known = choices.as_ref().map_or(usage.is_some(), Vec::is_empty);
        for (position, choice) in choices.into_iter().flatten().enumerate() {
            let Some(choice) = choice.0 else { continue };
            let index = choice.index.0.unwrap_or(position as i64);
            if *self.choice.get_or_insert(index) == index {
                is_known = true;
                answer.begin();
                fold_choice(answer, choice, members.of(position))?;
            }
        }
        if !is_known {
            answer.ignore();
        }
        Ok(())
    }
}

fn fold_choice(answer: &mut Answer, choice: Choice<'_>, members: Option<&RawMembers<'_>>) -> Result<(), LlmError> {
    if let Some(error) = choice.error.filter(|error| body::says_something(error)) {
        return Err(ErrorBody::read(error.get()).into());
    }
    match choice.delta.0 {
        Some(delta) => fold_delta(answer, delta, members)?,
        None => answer.show(&choice.text.text),
    }
    // Some servers repeat the whole message behind its pieces; it is read only where there were none.
    if let Some(message) = choice.message.0
        && !answer.has_text()
        && answer.calls.is_empty()
    {
        fold_delta(answer, message, members)?;
    }
    if let Some(reason) = choice.finish_reason.get() {
        answer.end(finish_reason(reason)?);
    }
    Ok(())
}

fn fold_delta(answer: &mut Answer, delta: Delta<'_>, members: Option<&RawMembers<'_>>) -> Result<(), LlmError> {
    let thoughts = [&delta.reasoning_content, &delta.reasoning, &delta.thinking];
    let has_known = delta.content.has_reasoning || thoughts.iter().any(|t| !t.text.is_empty() || t.has_reasoning);
    if has_known || members.is_some_and(has_thoughts) {
        answer.think();
    }
    keep_thinking_parts(answer, members);
    if delta.content.has_unknown {
        answer.ignore();
    }
    answer.show(&delta.content.text);
    answer.show(&delta.refusal.text);
    let raw_calls = members.and_then(|members| members.get("tool_calls"));
    let raw_calls: Vec<RawMembers<'_>> =
        raw_calls.map_or_else(Vec::new, |calls| serde_json::from_str(calls.get()).unwrap_or_default());
    answer.calls.next_frame();
    for (position, call) in delta.tool_calls.0.iter().enumerate() {
        let Some(call) = &call.0 else { continue };
        let is_new = answer.calls.add(&fragment(call))?;
        answer.called(is_new);
        if let Some(raw) = raw_calls.get(position) {
            keep_beside_call(answer, raw);
        }
    }
    if let Some(members) = members {
        keep_beside_text(answer, members);
    }
    if let Some(function) = &delta.function_call.0 {
        let is_new = answer.calls.add(&function_fragment(function))?;
        answer.called(is_new);
    }
    Ok(())
}

/// Thoughts in members of other names: `OpenRouter`'s `reasoning_details`, Copilot's `reasoning_text`.
fn has_thoughts(members: &RawMembers<'_>) -> bool {
    let is_thought = |name: &str| {
        ["reasoning", "thinking", "thought"]
            .iter()
            .any(|word| name.contains(word))
    };
    members
        .iter()
        .any(|(name, value)| is_thought(name) && !is_empty(value.get()))
}

/// Magistral's thoughts are parts of the content: <https://docs.mistral.ai/capabilities/reasoning>.
fn keep_thinking_parts(answer: &mut Answer, members: Option<&RawMembers<'_>>) {
    #[derive(Default, Deserialize)]
    #[serde(default)]
    struct Part<'a> {
        #[serde(borrow)]
        r#type: Word<'a>,
        #[serde(borrow)]
        thinking: Content<'a>,
    }
    let content = members
        .and_then(|members| members.get("content"))
        .map(|content| content.get());
    let Some(parts) = content.filter(|content| content.starts_with('[')) else {
        return;
    };
    let parts = serde_json::from_str::<List<Part<'_>>>(parts).unwrap_or_default();
    for part in parts.0.iter().filter_map(|part| part.0.as_ref()) {
        if part.r#type.get() == Some("thinking") {
            answer.replay.add_thinking(&part.thinking.text);
        }
    }
}

/// Gemini's signature and whatever else belongs to a call: <https://github.com/labring/aiproxy/issues/450>.
fn keep_beside_call(answer: &mut Answer, raw: &RawMembers<'_>) {
    let function = raw
        .get("function")
        .map(|function| members_of(function.get()))
        .unwrap_or_default();
    let known = ["index", "id", "type", "function", "name", "arguments"];
    let (members, in_function) = answer.replay.call(answer.calls.touched());
    let bytes = members.add_all_but(raw, &known) + in_function.add_all_but(&function, &["name", "arguments"]);
    answer.replay.grow(bytes);
}

/// Reasoning that comes in members of the message: DeepSeek's and Kimi's `reasoning_content`
/// (<https://github.com/danny-avila/LibreChat/issues/13366>), `OpenRouter`'s `reasoning_details`
/// (<https://github.com/microsoft/agent-framework/issues/2947>), and others'.
fn keep_beside_text(answer: &mut Answer, members: &RawMembers<'_>) {
    const KNOWN: [&str; 5] = ["role", "content", "refusal", "tool_calls", "function_call"];
    if members.keys().all(|name| KNOWN.contains(&name.as_str())) {
        return;
    }
    let bytes = answer.replay.message().add_all_but(members, &KNOWN);
    answer.replay.grow(bytes);
}

fn fragment<'a>(delta: &'a CallDelta<'_>) -> Fragment<'a> {
    let function = delta.function.0.as_ref();
    Fragment {
        index: delta.index.0,
        id: delta.id.get().unwrap_or_default(),
        name: function
            .and_then(|f| f.name.get())
            .or(delta.name.get())
            .unwrap_or_default(),
        arguments: arguments(function.and_then(|f| f.arguments).or(delta.arguments)),
    }
}

/// The form before tools: one call, no id.
fn function_fragment<'a>(function: &'a FunctionDelta<'_>) -> Fragment<'a> {
    Fragment {
        index: Some(0),
        id: "",
        name: function.name.get().unwrap_or_default(),
        arguments: arguments(function.arguments),
    }
}
