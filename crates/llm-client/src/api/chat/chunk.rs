//! Chat completion chunks as providers really send them. Every field may be absent, null or of another kind.

use crate::answer::usage::{RawUsage, Timings};
use crate::answer::wire::{Content, Int, List, Object, Word};
use crate::error::body::{http_status, says_something};
use plan_model::usage::Usage;
use serde::Deserialize;
use serde_json::value::RawValue;

/// One frame of a stream, or a whole answer.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Chunk<'a> {
    /// Present and empty in frames that hold only usage or filter results.
    #[serde(borrow)]
    pub choices: Option<List<Choice<'a>>>,
    pub usage: Object<RawUsage>,
    /// Groq's place for the usage.
    pub x_groq: Object<UsageHolder>,
    /// llama.cpp's own count, used where `usage` is missing.
    pub timings: Object<Timings>,
    #[serde(borrow)]
    pub error: Option<&'a RawValue>,
    #[serde(borrow)]
    pub object: Word<'a>,
    #[serde(borrow)]
    pub r#type: Word<'a>,
    #[serde(borrow)]
    pub detail: Option<&'a RawValue>,
    #[serde(borrow)]
    pub code: Word<'a>,
    /// vLLM behind Venice: <https://github.com/NousResearch/hermes-agent/issues/68451>.
    #[serde(borrow)]
    pub error_type: Word<'a>,
    /// `MiniMax`'s place for an error, also with status 200.
    #[serde(borrow)]
    pub base_resp: Object<BaseResp<'a>>,
    /// Gemini's word for a prompt that its filter holds back, in either spelling.
    #[serde(borrow, alias = "prompt_feedback")]
    #[serde(rename = "promptFeedback")]
    pub prompt_feedback: Object<PromptFeedback<'a>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct BaseResp<'a> {
    #[serde(borrow)]
    pub status_code: Word<'a>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct PromptFeedback<'a> {
    #[serde(borrow, alias = "block_reason")]
    #[serde(rename = "blockReason")]
    pub block_reason: Word<'a>,
}

impl Chunk<'_> {
    /// Whether it is an error; `is_error`: its event was named so.
    pub(crate) fn is_error(&self, is_error: bool) -> bool {
        if self.error.is_some_and(says_something) {
            return true;
        }
        let status = self.code.get().and_then(http_status);
        let says_error = is_error || self.object.get() == Some("error") || self.r#type.get() == Some("error");
        let holds_no_answer = self.choices.is_none() && self.usage.0.is_none();
        let base = self.base_resp.0.as_ref().and_then(|base| base.status_code.get());
        let is_named = self.detail.is_some()
            || self.error_type.get().is_some()
            || status.is_some()
            || (self.choices.is_none() && self.code.get().is_some_and(|code| code != "0" && code.len() > 2))
            || base.is_some_and(|code| code != "0");
        says_error || (holds_no_answer && is_named)
    }
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Choice<'a> {
    pub index: Int,
    #[serde(borrow)]
    pub delta: Object<Delta<'a>>,
    /// In a whole answer, and in the last chunk of some servers, where it repeats everything.
    #[serde(borrow)]
    pub message: Object<Delta<'a>>,
    #[serde(borrow)]
    pub text: Content<'a>,
    #[serde(borrow)]
    pub finish_reason: Word<'a>,
    pub usage: Object<RawUsage>,
    #[serde(borrow)]
    pub error: Option<&'a RawValue>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Delta<'a> {
    #[serde(borrow)]
    pub content: Content<'a>,
    #[serde(borrow)]
    pub refusal: Content<'a>,
    #[serde(borrow)]
    pub reasoning_content: Content<'a>,
    #[serde(borrow)]
    pub reasoning: Content<'a>,
    #[serde(borrow)]
    pub thinking: Content<'a>,
    #[serde(borrow)]
    pub tool_calls: List<CallDelta<'a>>,
    /// The form before tools.
    #[serde(borrow)]
    pub function_call: Object<FunctionDelta<'a>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct CallDelta<'a> {
    pub index: Int,
    #[serde(borrow)]
    pub id: Word<'a>,
    #[serde(borrow)]
    pub function: Object<FunctionDelta<'a>>,
    /// Name and arguments without the `function` around them.
    #[serde(borrow)]
    pub name: Word<'a>,
    #[serde(borrow)]
    pub arguments: Option<&'a RawValue>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct FunctionDelta<'a> {
    #[serde(borrow)]
    pub name: Word<'a>,
    /// A string with a piece of JSON, or the object itself; raw, so that no digit of a number is lost.
    #[serde(borrow)]
    pub arguments: Option<&'a RawValue>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct UsageHolder {
    pub usage: Object<RawUsage>,
}

impl Chunk<'_> {
    /// Whether the provider's filter has held back the prompt.
    pub(crate) fn is_blocked(&self) -> bool {
        let feedback = self.prompt_feedback.0.as_ref();
        feedback.is_some_and(|feedback| feedback.block_reason.get().is_some())
    }

    /// The token counts in this frame, wherever they are.
    pub(crate) fn usage(&self) -> Option<Usage> {
        let in_choices = self
            .choices
            .iter()
            .flat_map(|list| &list.0)
            .filter_map(|c| c.0.as_ref()?.usage.0.as_ref());
        let in_groq = self.x_groq.0.as_ref().and_then(|holder| holder.usage.0.as_ref());
        let counted = self
            .usage
            .0
            .iter()
            .chain(in_groq)
            .chain(in_choices)
            .find_map(RawUsage::usage);
        counted.or_else(|| self.timings.0.as_ref()?.usage())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_of_any_kind_never_fail() {
        for odd in [
            "null",
            "true",
            "3",
            "-1.5",
            "\"x\"",
            "[]",
            "[1,\"a\",null,{}]",
            "{}",
            "{\"a\":{\"b\":[1]}}",
        ] {
            for field in [
                "choices", "usage", "x_groq", "timings", "error", "object", "type", "detail", "code", "message",
            ] {
                let json = format!("{{\"{field}\":{odd}}}");
                assert!(serde_json::from_str::<Chunk>(&json).is_ok(), "{json}");
            }
            for field in [
                "index",
                "delta",
                "message",
                "text",
                "finish_reason",
                "usage",
                "logprobs",
            ] {
                let json = format!("{{\"choices\":[{{\"{field}\":{odd}}}]}}");
                assert!(serde_json::from_str::<Chunk>(&json).is_ok(), "{json}");
            }
            for field in [
                "content",
                "refusal",
                "reasoning",
                "reasoning_content",
                "tool_calls",
                "function_call",
                "role",
            ] {
                let json = format!("{{\"choices\":[{{\"delta\":{{\"{field}\":{odd}}}}}]}}");
                assert!(serde_json::from_str::<Chunk>(&json).is_ok(), "{json}");
            }
            for field in ["index", "id", "type", "function", "name", "arguments"] {
                let json = format!("{{\"choices\":[{{\"delta\":{{\"tool_calls\":[{{\"{field}\":{odd}}}]}}}}]}}");
                assert!(serde_json::from_str::<Chunk>(&json).is_ok(), "{json}");
            }
        }
    }
}
