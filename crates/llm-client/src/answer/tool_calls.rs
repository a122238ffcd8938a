//! Puts tool calls together from fragments, whatever a provider thinks of index and id. Pure.
//!
//! The index is the key where there is one, but a whole call with another id at the same index is another call; without an
//! index the id decides, without both a name opens a call and everything else continues the last one.
//!
//! Seen: one index for all calls (<https://github.com/ollama/ollama/issues/15457>), none at all
//! (<https://github.com/ollama/ollama/issues/7881>, <https://github.com/openai/openai-python/pull/3246>).

mod arguments;
mod finished;

pub(crate) use arguments::{arguments, is_object};

use crate::LlmError;
use arguments::whole;
use finished::{make_ids_unique, push_unwrapped};
use plan_model::clean;
use plan_model::message::ToolCall;
use std::borrow::Cow;

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
    /// The provider said that its arguments are whole.
    is_closed: bool,
}

impl Partial {
    fn is_whole(&self) -> bool {
        self.arguments.trim_end().ends_with('}') && is_object(&self.arguments)
    }

    fn push(&mut self, arguments: &str) -> Result<(), LlmError> {
        self.arguments.push_str(arguments);
        if self.arguments.len() > MAX_ARGUMENT_BYTES {
            return Err(LlmError::TooLarge("tool call"));
        }
        Ok(())
    }
}

/// The calls of an answer so far.
#[derive(Debug, Default)]
pub(crate) struct ToolCalls {
    calls: Vec<Partial>,
    frame: u64,
    /// The call that the last fragment belonged to.
    touched: usize,
}

/// What one fragment says, in one form.
pub(crate) struct Fragment<'a> {
    pub index: Option<i64>,
    pub id: &'a str,
    pub name: &'a str,
    pub arguments: Cow<'a, str>,
}

/// What becomes of a call that was cut off or has no name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unfinished {
    /// The limit cut it: it is left out.
    Drop,
    /// The model ended in good order: the call goes to the tool, which refuses it, so that the model can repeat it.
    PassOn,
    /// The end of the answer is missing.
    Fail,
}

impl ToolCalls {
    pub(crate) fn is_empty(&self) -> bool {
        self.calls.is_empty()
    }

    /// A new frame begins: the named fragments of one frame are different calls.
    pub(crate) fn next_frame(&mut self) {
        self.frame += 1;
    }

    /// Opens the call at `index`, in a format whose index is certain. A second opening says the same again.
    pub(crate) fn open_at(&mut self, index: i64, id: &str, name: &str) -> Result<(), LlmError> {
        let at = match self.at(index) {
            Some(at) => at,
            None => self.open(Some(index))?,
        };
        let call = &mut self.calls[at];
        if !id.is_empty() {
            id.clone_into(&mut call.id);
        }
        if !name.is_empty() {
            name.clone_into(&mut call.name);
        }
        Ok(())
    }

    /// Adds a piece of the arguments of the call at `index`, unless they are known to be whole. False if it said nothing.
    pub(crate) fn append_at(&mut self, index: i64, piece: &str) -> Result<bool, LlmError> {
        let at = match self.at(index) {
            Some(at) => at,
            None => self.open(Some(index))?,
        };
        let call = &mut self.calls[at];
        if piece.is_empty() || call.is_closed {
            return Ok(false);
        }
        call.push(piece)?;
        Ok(true)
    }

    /// The arguments of the call at `index` are whole; what comes later is no part of them.
    pub(crate) fn close_at(&mut self, index: i64, arguments: Option<&str>) -> Result<(), LlmError> {
        let Some(at) = self.at(index) else { return Ok(()) };
        let call = &mut self.calls[at];
        if let Some(arguments) = arguments.filter(|arguments| !arguments.is_empty()) {
            call.arguments.clear();
            call.push(arguments)?;
        }
        call.is_closed = true;
        Ok(())
    }

    fn at(&self, index: i64) -> Option<usize> {
        self.calls.iter().rposition(|call| call.index == Some(index))
    }

    /// The place of the call at `index`.
    pub(crate) fn place(&self, index: i64) -> Option<usize> {
        self.at(index)
    }

    /// The place of the call that the last fragment belonged to.
    pub(crate) fn touched(&self) -> usize {
        self.touched
    }

    /// Adds a fragment of the chat format. False if it said nothing.
    pub(crate) fn add(&mut self, fragment: &Fragment<'_>) -> Result<bool, LlmError> {
        let found = self.find(fragment);
        if fragment.id.is_empty() && fragment.name.is_empty() && fragment.arguments.is_empty() {
            // Members of a call may come later than the rest of it.
            self.touched = found.unwrap_or(self.touched);
            return Ok(false);
        }
        let at = match found {
            Some(at) if self.is_repetition(at, fragment) => {
                self.touched = at;
                return Ok(true);
            }
            Some(at) if !self.opens_another(at, fragment) => at,
            _ => self.open(fragment.index)?,
        };
        self.touched = at;
        let call = &mut self.calls[at];
        if call.id.is_empty() {
            fragment.id.clone_into(&mut call.id);
        }
        if fragment.name.starts_with(&call.name) {
            fragment.name.clone_into(&mut call.name);
        } else if !call.name.starts_with(fragment.name) {
            call.name.push_str(fragment.name);
        }
        call.push(&fragment.arguments)?;
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

    fn open(&mut self, index: Option<i64>) -> Result<usize, LlmError> {
        if self.calls.len() >= MAX_CALLS {
            return Err(LlmError::TooLarge("tool calls"));
        }
        self.calls.push(Partial {
            index,
            frame: self.frame,
            ..Partial::default()
        });
        Ok(self.calls.len() - 1)
    }

    /// The calls as they are to be carried out, with what has become of those that were cut off or have no name, and the
    /// place that each had before.
    pub(crate) fn finish(self, unfinished: Unfinished) -> Result<(Vec<ToolCall>, Vec<usize>), LlmError> {
        let mut finished = Vec::with_capacity(self.calls.len());
        let mut places = Vec::with_capacity(self.calls.len());
        for (place, call) in self.calls.into_iter().enumerate() {
            // Escapes that no database and no string can hold would come to light when the tool reads them.
            let arguments = clean::storable(call.arguments);
            let arguments = String::from_utf8_lossy(&clean::json_escapes(arguments.as_bytes())).into_owned();
            if call.name.is_empty() && arguments.trim().is_empty() {
                continue;
            }
            let name = call.name.strip_prefix("functions.").unwrap_or(&call.name).to_owned();
            let (is_whole, arguments) = match whole(&arguments) {
                Some(whole) => (true, whole),
                None => (false, arguments),
            };
            let call = ToolCall {
                id: call.id,
                name,
                arguments,
            };
            match unfinished {
                _ if is_whole && !call.name.is_empty() => push_unwrapped(&mut finished, call),
                Unfinished::Drop => {}
                Unfinished::PassOn => finished.push(call),
                Unfinished::Fail if call.name.is_empty() => {
                    return Err(LlmError::Malformed("tool call without a name"));
                }
                Unfinished::Fail => return Err(LlmError::Malformed("tool call cut off")),
            }
            places.resize(finished.len(), place);
        }
        make_ids_unique(&mut finished);
        Ok((finished, places))
    }
}
