//! Puts tool calls together from fragments, whatever a provider thinks of index and id. Pure.
//!
//! The index is the key where there is one, but a whole call with another id at the same index is another call; without an
//! index the id decides, without both a name opens a call and everything else continues the last one.

use super::{
    LlmError,
    chunk::{CallDelta, FunctionDelta},
};
use crate::model::{clean, message::ToolCall};
use serde_json::value::RawValue;
use std::{borrow::Cow, collections::HashSet};

/// More calls in one answer, and more bytes in one call, than any honest model makes.
const MAX_CALLS: usize = 128;
const MAX_ARGUMENT_BYTES: usize = 256 * 1024;

#[derive(Debug, Default)]
struct Partial {
    index: Option<i64>,
    id: String,
    name: String,
    arguments: String,
    /// The frame that opened it.
    frame: u64,
}

impl Partial {
    fn is_whole(&self) -> bool {
        self.arguments.trim_end().ends_with('}') && is_object(&self.arguments)
    }
}

/// The calls of an answer so far.
#[derive(Debug, Default)]
pub(super) struct ToolCalls {
    calls: Vec<Partial>,
    frame: u64,
}

/// What one fragment says, in one form.
struct Fragment<'a> {
    index: Option<i64>,
    id: &'a str,
    name: &'a str,
    arguments: Cow<'a, str>,
}

impl ToolCalls {
    pub fn is_empty(&self) -> bool {
        self.calls.is_empty()
    }

    /// A new frame begins: the named fragments of one frame are different calls.
    pub fn next_frame(&mut self) {
        self.frame += 1;
    }

    /// Adds a fragment. False if it said nothing.
    pub fn push(&mut self, delta: &CallDelta<'_>) -> Result<bool, LlmError> {
        let function = delta.function.0.as_ref();
        let fragment = Fragment {
            index: delta.index.0,
            id: delta.id.get().unwrap_or_default(),
            name: function
                .and_then(|f| f.name.get())
                .or(delta.name.get())
                .unwrap_or_default(),
            arguments: arguments(function.and_then(|f| f.arguments).or(delta.arguments)),
        };
        self.add(&fragment)
    }

    /// Adds a fragment in the form before tools: one call, no id.
    pub fn push_function(&mut self, function: &FunctionDelta<'_>) -> Result<bool, LlmError> {
        self.add(&Fragment {
            index: Some(0),
            id: "",
            name: function.name.get().unwrap_or_default(),
            arguments: arguments(function.arguments),
        })
    }

    fn add(&mut self, fragment: &Fragment<'_>) -> Result<bool, LlmError> {
        if fragment.id.is_empty() && fragment.name.is_empty() && fragment.arguments.is_empty() {
            return Ok(false);
        }
        let at = match self.find(fragment) {
            Some(at) if self.is_repetition(at, fragment) => return Ok(true),
            Some(at) if !self.opens_another(at, fragment) => at,
            _ => self.open(fragment)?,
        };
        let call = &mut self.calls[at];
        if call.id.is_empty() {
            fragment.id.clone_into(&mut call.id);
        }
        if fragment.name.starts_with(&call.name) {
            fragment.name.clone_into(&mut call.name);
        } else if !call.name.starts_with(fragment.name) {
            call.name.push_str(fragment.name);
        }
        call.arguments.push_str(&fragment.arguments);
        if call.arguments.len() > MAX_ARGUMENT_BYTES {
            return Err(LlmError::TooLarge("tool call"));
        }
        Ok(true)
    }

    /// The call this fragment may belong to.
    fn find(&self, fragment: &Fragment<'_>) -> Option<usize> {
        let has_id = |call: &Partial| !fragment.id.is_empty() && call.id == fragment.id;
        let last = || self.calls.len().checked_sub(1);
        let Some(index) = fragment.index else {
            return self.calls.iter().rposition(has_id).or_else(last);
        };
        let has_index = |call: &Partial| call.index == Some(index);
        let has_both = |call: &Partial| has_index(call) && has_id(call);
        let opened_without_index = |call: &Partial| call.index.is_none() && has_id(call);
        let continues_one_without_index = || {
            last().filter(|at| fragment.name.is_empty() && fragment.id.is_empty() && self.calls[*at].index.is_none())
        };
        let position = |is: &dyn Fn(&Partial) -> bool| self.calls.iter().rposition(is);
        position(&has_both)
            .or_else(|| position(&has_index))
            .or_else(|| position(&opened_without_index))
            .or_else(continues_one_without_index)
    }

    /// Whether the fragment begins a new call although an earlier one has its index (or it has none).
    fn opens_another(&self, at: usize, fragment: &Fragment<'_>) -> bool {
        let call = &self.calls[at];
        let has_name = !fragment.name.is_empty();
        let other_id = !fragment.id.is_empty() && !call.id.is_empty() && fragment.id != call.id;
        let same_id = !fragment.id.is_empty() && fragment.id == call.id;
        if call.is_whole() {
            let has_arguments = fragment.arguments.trim_start().starts_with('{');
            let is_other = other_id || (!same_id && fragment.name != call.name);
            return (has_name && (has_arguments || is_other)) || (other_id && has_arguments);
        }
        // A fresh id, and perhaps the name again, in front of each piece of one call.
        let is_next_piece = !call.arguments.is_empty() && !fragment.arguments.trim_start().starts_with('{');
        if !has_name || (fragment.name == call.name && is_next_piece) {
            return false;
        }
        // Without index and id a name is the only sign of a new call.
        let only_name = fragment.index.is_none() && fragment.id.is_empty() && fragment.name != call.name;
        other_id || only_name || (call.frame == self.frame && !same_id)
    }

    /// Whether the fragment says once more, whole, what the call already holds.
    fn is_repetition(&self, at: usize, fragment: &Fragment<'_>) -> bool {
        let call = &self.calls[at];
        !fragment.id.is_empty()
            && fragment.id == call.id
            && fragment.name == call.name
            && call.is_whole()
            && (fragment.arguments.is_empty() || fragment.arguments == call.arguments)
    }

    fn open(&mut self, fragment: &Fragment<'_>) -> Result<usize, LlmError> {
        if self.calls.len() >= MAX_CALLS {
            return Err(LlmError::TooLarge("tool calls"));
        }
        self.calls.push(Partial {
            index: fragment.index,
            frame: self.frame,
            ..Partial::default()
        });
        Ok(self.calls.len() - 1)
    }

    /// The calls as they are to be carried out. With `drop_unfinished` the ones that the end of the answer cut are left
    /// out, otherwise one such call spoils the answer.
    pub fn finish(self, drop_unfinished: bool) -> Result<Vec<ToolCall>, LlmError> {
        let mut finished = Vec::with_capacity(self.calls.len());
        for call in self.calls {
            // Escapes that no database and no string can hold would come to light when the tool reads them.
            let arguments = clean::storable(call.arguments);
            let arguments = String::from_utf8_lossy(&clean::json_escapes(arguments.as_bytes())).into_owned();
            match whole(&arguments) {
                Some(_) if call.name.is_empty() && (drop_unfinished || arguments.trim().is_empty()) => {}
                Some(_) if call.name.is_empty() => return Err(LlmError::Malformed("tool call without a name")),
                Some(arguments) => finished.push(ToolCall {
                    id: call.id,
                    name: call.name,
                    arguments,
                }),
                None if drop_unfinished => {}
                None => return Err(LlmError::Malformed("tool call cut off")),
            }
        }
        make_ids_unique(&mut finished);
        Ok(finished)
    }
}

/// The text of an `arguments` value: a piece of JSON in a string, or the JSON itself.
fn arguments(raw: Option<&RawValue>) -> Cow<'_, str> {
    let Some(json) = raw.map(|raw| raw.get().trim()) else {
        return Cow::Borrowed("");
    };
    if json.starts_with('"') {
        return serde_json::from_str::<super::wire::Word>(json)
            .ok()
            .and_then(|word| word.0)
            .unwrap_or_default();
    }
    Cow::Borrowed(if json == "null" { "" } else { json })
}

fn is_object(json: &str) -> bool {
    json.trim_start().starts_with('{') && serde_json::from_str::<&RawValue>(json).is_ok()
}

/// The arguments as one JSON object; what is no object is passed on as it is, for the tool to refuse. `None`: cut off.
fn whole(arguments: &str) -> Option<String> {
    let text = arguments.trim();
    if text.is_empty() || text == "null" {
        return Some("{}".to_owned());
    }
    if is_object(text) {
        return Some(text.to_owned());
    }
    if let Ok(inner) = serde_json::from_str::<String>(text) {
        return Some(if is_object(inner.trim()) {
            inner.trim().to_owned()
        } else {
            text.to_owned()
        });
    }
    // Several values in a row: an empty object sent ahead of the real one, or the same one sent again.
    let mut values: Vec<&str> = Vec::new();
    for value in serde_json::Deserializer::from_str(text).into_iter::<&RawValue>() {
        match value {
            Ok(value) => values.push(value.get()),
            Err(error) if error.is_eof() => return None,
            Err(_) => return Some(text.to_owned()),
        }
    }
    values.retain(|value| !matches!(*value, "{}" | "null"));
    values.dedup();
    match values.as_slice() {
        [] => Some("{}".to_owned()),
        [one] if is_object(one) => Some((*one).to_owned()),
        _ => Some(text.to_owned()),
    }
}

/// Results are matched to calls by id, so each call gets one of its own.
fn make_ids_unique(calls: &mut [ToolCall]) {
    let mut taken: HashSet<String> = HashSet::new();
    for (at, call) in calls.iter_mut().enumerate() {
        if call.id.is_empty() || taken.contains(&call.id) {
            call.id = (at..)
                .map(|n| format!("call_{n}"))
                .find(|id| !taken.contains(id))
                .unwrap_or_default();
        }
        taken.insert(call.id.clone());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_become_one_object_or_stay_for_the_tool_to_refuse() {
        let cases = [
            ("", Some("{}")),
            (" null ", Some("{}")),
            (
                r#"{"a":12345678901234567890123}"#,
                Some(r#"{"a":12345678901234567890123}"#),
            ),
            (r#""{\"a\":1}""#, Some(r#"{"a":1}"#)),
            (r#"{}{"a":1}"#, Some(r#"{"a":1}"#)),
            (r#"{"a":1}{"a":1}"#, Some(r#"{"a":1}"#)),
            (r#"{"a":1}{"a":2}"#, Some(r#"{"a":1}{"a":2}"#)),
            ("[1]", Some("[1]")),
            ("{a:1}", Some("{a:1}")),
            (r#"{"a":NaN}"#, Some(r#"{"a":NaN}"#)),
            (r#"{"a":1"#, None),
            (r#"{"a":"x"#, None),
            (r#"{"a":1}{"b"#, None),
            ("{}{", None),
            ("[1,", None),
        ];
        for (arguments, want) in cases {
            assert_eq!(whole(arguments).as_deref(), want, "{arguments}");
        }
    }

    #[test]
    fn ids_are_made_unique_and_never_taken_from_another_call() {
        let call = |id: &str| ToolCall {
            id: id.into(),
            ..ToolCall::default()
        };
        let mut calls = vec![call("a"), call(""), call("a"), call("call_3"), call("")];
        make_ids_unique(&mut calls);
        let ids: Vec<&str> = calls.iter().map(|call| call.id.as_str()).collect();
        assert_eq!(ids, ["a", "call_1", "call_2", "call_3", "call_4"]);
    }
}
