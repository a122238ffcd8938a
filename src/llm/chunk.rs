//! Chat completion chunks as providers really send them. Every field may be absent, null or of another kind.

use super::wire::{Content, Int, List, Object, Word};
use crate::model::{clean, message::Usage};
use serde::Deserialize;
use serde_json::value::RawValue;
use std::borrow::Cow;

/// One frame of a stream, or a whole answer.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Chunk<'a> {
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
    #[serde(borrow)]
    pub message: Option<&'a RawValue>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Choice<'a> {
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
pub(super) struct Delta<'a> {
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
pub(super) struct CallDelta<'a> {
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
pub(super) struct FunctionDelta<'a> {
    #[serde(borrow)]
    pub name: Word<'a>,
    /// A string with a piece of JSON, or the object itself; raw, so that no digit of a number is lost.
    #[serde(borrow)]
    pub arguments: Option<&'a RawValue>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct UsageHolder {
    pub usage: Object<RawUsage>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct RawUsage {
    prompt_tokens: Int,
    completion_tokens: Int,
    total_tokens: Int,
    input_tokens: Int,
    output_tokens: Int,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Timings {
    prompt_n: Int,
    cache_n: Int,
    predicted_n: Int,
}

/// A count that can be true: not negative, not absurd.
fn count(value: Int) -> Option<i64> {
    value.0.filter(|n| (0..=1_000_000_000).contains(n))
}

impl RawUsage {
    /// The usage, if this says anything at all.
    pub fn usage(&self) -> Option<Usage> {
        let prompt = count(self.prompt_tokens).or(count(self.input_tokens)).unwrap_or(0);
        let completion = count(self.completion_tokens).or(count(self.output_tokens)).unwrap_or(0);
        let total = count(self.total_tokens).unwrap_or(0).max(prompt + completion);
        (total > 0).then_some(Usage {
            prompt_tokens: prompt,
            completion_tokens: completion,
            total_tokens: total,
            estimated: false,
        })
    }
}

impl<'a> Delta<'a> {
    /// A piece of text and nothing else.
    pub fn of_text(text: &'a str) -> Self {
        Self {
            content: Content {
                text: Cow::Borrowed(text),
                ..Content::default()
            },
            ..Self::default()
        }
    }

    /// The piece of text, where this holds one as it stands in the JSON, and nothing else.
    fn only_text(&self) -> Option<&'a str> {
        let others = [&self.refusal, &self.reasoning_content, &self.reasoning, &self.thinking];
        let is_alone = !self.content.has_reasoning
            && !self.content.has_unknown
            && others.iter().all(|other| other.text.is_empty() && !other.has_reasoning)
            && self.tool_calls.0.is_empty()
            && self.function_call.0.is_none();
        match &self.content.text {
            Cow::Borrowed(text) if is_alone && !text.is_empty() => Some(text),
            _ => None,
        }
    }
}

impl<'a> Chunk<'a> {
    /// The piece of text in the choice `index`, where the frame says nothing else.
    pub fn only_text(&self, index: Option<i64>) -> Option<&'a str> {
        let [Object(Some(choice))] = self.choices.as_ref()?.0.as_slice() else {
            return None;
        };
        let is_alone = choice.index.0.or(Some(0)) == index
            && choice.message.0.is_none()
            && choice.finish_reason.get().is_none()
            && choice.error.is_none()
            && self.error.is_none()
            && self.usage().is_none();
        choice.delta.0.as_ref().filter(|_| is_alone)?.only_text()
    }
}

impl Chunk<'_> {
    /// The token counts in this frame, wherever they are.
    pub fn usage(&self) -> Option<Usage> {
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
        counted.or_else(|| {
            let timings = self.timings.0.as_ref()?;
            let prompt = count(timings.prompt_n).unwrap_or(0) + count(timings.cache_n).unwrap_or(0);
            let completion = count(timings.predicted_n)?;
            Some(Usage {
                prompt_tokens: prompt,
                completion_tokens: completion,
                total_tokens: prompt + completion,
                estimated: false,
            })
        })
    }
}

/// JSON as text that serde accepts: UTF-8, no lone surrogates, no U+0000.
pub(super) fn readable(payload: &[u8]) -> Cow<'_, str> {
    match clean::json_escapes(payload) {
        // The lossy reading takes ten times as long over what has no loss.
        Cow::Borrowed(bytes) => {
            std::str::from_utf8(bytes).map_or_else(|_| String::from_utf8_lossy(bytes), Cow::Borrowed)
        }
        Cow::Owned(bytes) => Cow::Owned(match String::from_utf8(bytes) {
            Ok(text) => text,
            Err(broken) => String::from_utf8_lossy(broken.as_bytes()).into_owned(),
        }),
    }
}

/// A second try for JSON that is nearly JSON: raw control characters in strings become escapes, `NaN` and `Infinity`
/// become null.
pub(super) fn mended(json: &str) -> String {
    let mut out = String::with_capacity(json.len() + 16);
    let (mut in_string, mut escaped) = (false, false);
    let mut rest = json.chars();
    while let Some(c) = rest.next() {
        if in_string {
            match c {
                '\0' => out.push('\u{FFFD}'),
                c if c.is_ascii_control() && c < ' ' => out.push_str(&format!("\\u{:04x}", u32::from(c))),
                c => out.push(c),
            }
            in_string = escaped || c != '"';
            escaped = !escaped && c == '\\';
            continue;
        }
        in_string = c == '"';
        let tail = rest.as_str();
        match (c, tail) {
            ('N', tail) if tail.starts_with("aN") => {
                out.push_str("null");
                rest = tail[2..].chars();
            }
            ('I', tail) if tail.starts_with("nfinity") => {
                out.push_str("null");
                rest = tail[7..].chars();
            }
            ('-', tail) if tail.starts_with("Infinity") => {}
            (c, _) => out.push(c),
        }
    }
    out
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

    #[test]
    fn counts_that_cannot_be_true_are_no_counts() {
        let usage = |json: &str| serde_json::from_str::<RawUsage>(json).expect(json).usage();
        assert_eq!(usage("{}"), None);
        assert_eq!(usage(r#"{"prompt_tokens":null,"total_tokens":-5}"#), None);
        assert_eq!(
            usage(r#"{"prompt_tokens":1e18,"completion_tokens":1000000000000000000}"#),
            None
        );
        let some = |p, c, t| {
            Some(Usage {
                prompt_tokens: p,
                completion_tokens: c,
                total_tokens: t,
                estimated: false,
            })
        };
        assert_eq!(usage(r#"{"prompt_tokens":"7","completion_tokens":2.0}"#), some(7, 2, 9));
        assert_eq!(
            usage(r#"{"input_tokens":7,"output_tokens":2,"total_tokens":20}"#),
            some(7, 2, 20)
        );
        assert_eq!(
            usage(r#"{"prompt_tokens":7,"completion_tokens":-1,"total_tokens":3}"#),
            some(7, 0, 7)
        );
    }

    #[test]
    fn nearly_json_is_mended() {
        let broken = "{\"a\":\"x\ny\\\"\0\",\"b\":NaN,\"c\":-Infinity,\"d\":\"NaN\"}";
        let value: serde_json::Value = serde_json::from_str(&mended(broken)).expect("mended");
        assert_eq!(
            value,
            serde_json::json!({"a": "x\ny\"\u{FFFD}", "b": null, "c": null, "d": "NaN"})
        );
    }
}
