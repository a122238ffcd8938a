//! Classifies a provider's error. Its text is searched for known phrases and is never passed on.

use super::{
    LlmError, StatusReason,
    wire::{Object, Word},
};
use serde_json::value::RawValue;

/// The little we take from an error object or error body.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ErrorBody {
    /// The HTTP status it names.
    pub status: Option<u16>,
    /// What its words say.
    pub reason: Option<StatusReason>,
}

#[derive(Default, serde::Deserialize)]
#[serde(default)]
struct Codes<'a> {
    #[serde(borrow)]
    code: Word<'a>,
    #[serde(borrow)]
    status: Word<'a>,
    #[serde(borrow)]
    status_code: Word<'a>,
}

impl ErrorBody {
    /// Reads an error in any shape: object, array, text, HTML.
    pub fn read(error: &str) -> Self {
        let codes = serde_json::from_str::<Object<Codes>>(error)
            .ok()
            .and_then(|codes| codes.0)
            .unwrap_or_default();
        let words = [&codes.code, &codes.status, &codes.status_code];
        let status = words.into_iter().find_map(|word| http_status(word.get()?));
        Self {
            status,
            reason: reason(&error.to_ascii_lowercase()),
        }
    }
}

impl From<ErrorBody> for LlmError {
    fn from(error: ErrorBody) -> Self {
        let reason = error.reason.or(error.status.map(StatusReason::of_status));
        Self::InStream {
            status: error.status,
            reason: reason.unwrap_or(StatusReason::Other),
        }
    }
}

/// The HTTP status that a code stands for, if it is that of an error.
pub fn http_status(code: &str) -> Option<u16> {
    code.parse().ok().filter(|status| (400..=599).contains(status))
}

fn reason(words: &str) -> Option<StatusReason> {
    const KNOWN: &[(StatusReason, &[&str])] = &[
        (
            StatusReason::Quota,
            &[
                "insufficient_quota",
                "insufficient_balance",
                "insufficient balance",
                "billing_hard_limit",
                "credit balance",
            ],
        ),
        (
            StatusReason::ContextLength,
            &[
                "context_length_exceeded",
                "maximum context length",
                "context window",
                "exceed_context_size",
                "available context size",
                "context length of only",
                "prompt is too long",
                "input is too long",
                "input token count",
                "too many input tokens",
                "maximum prompt length",
                "reduce the length of the messages",
                "`max_new_tokens` must be <=",
            ],
        ),
        (
            StatusReason::RateLimited,
            &["rate_limit", "rate limit", "resource_exhausted", "too many requests"],
        ),
        (
            StatusReason::Server,
            &["overloaded", "server_error", "internal_error", "unavailable"],
        ),
    ];
    let known = KNOWN
        .iter()
        .find(|(_, signs)| signs.iter().any(|sign| words.contains(sign)));
    known.map(|(reason, _)| *reason)
}

/// How many tokens question and answer may have together, where a refusal for their number names it.
pub fn context_tokens(body: &str) -> Option<u32> {
    const BEFORE: [&str; 8] = [
        "\"n_ctx\":",
        "maximum context length is ",
        "available context size (",
        "context length of only ",
        "maximum number of tokens allowed (",
        "maximum prompt length is ",
        "tokens > ",
        "must be <= ",
    ];
    let number = |text: &str| -> Option<u32> {
        let digits: String = text
            .trim_start()
            .chars()
            .take_while(|c| c.is_ascii_digit() || *c == ',')
            .filter(char::is_ascii_digit)
            .collect();
        digits.parse().ok().filter(|tokens| *tokens >= 256)
    };
    let words = body.to_ascii_lowercase();
    BEFORE
        .iter()
        .find_map(|before| number(&words[words.find(before)? + before.len()..]))
}

/// Whether a refusal says that the server has no such model.
pub fn is_unknown_model(body: &str) -> bool {
    let words = body.to_ascii_lowercase();
    words.contains("model")
        && [
            "not found",
            "not_found",
            "does not exist",
            "no such model",
            "unknown model",
            "invalid model",
            "try pulling",
        ]
        .iter()
        .any(|sign| words.contains(sign))
}

/// An error value that is more than a placeholder.
pub fn says_something(error: &RawValue) -> bool {
    !matches!(error.get().trim(), "null" | "\"\"" | "{}" | "[]" | "false")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_of_all_shapes_are_sorted() {
        let cases = [
            (r#"{"code":429}"#, Some(429), None),
            (
                r#"{"code":"503","message":"Overloaded"}"#,
                Some(503),
                Some(StatusReason::Server),
            ),
            (
                r#"{"status":"RESOURCE_EXHAUSTED"}"#,
                None,
                Some(StatusReason::RateLimited),
            ),
            (
                r#"{"status_code":400,"message":"maximum context length is 8192"}"#,
                Some(400),
                Some(StatusReason::ContextLength),
            ),
            (
                r#"{"code":12,"type":"insufficient_quota"}"#,
                None,
                Some(StatusReason::Quota),
            ),
            (r#""a text""#, None, None),
            ("<html>Too Many Requests</html>", None, Some(StatusReason::RateLimited)),
            ("", None, None),
        ];
        for (error, status, reason) in cases {
            assert_eq!(ErrorBody::read(error), ErrorBody { status, reason }, "{error}");
        }
    }

    #[test]
    fn the_size_of_a_context_is_read_from_the_refusals_of_many_servers() {
        let cases = [
            (
                r#"{"error":{"code":400,"message":"the request exceeds the available context size. try increasing the context size or enable context shift","type":"exceed_context_size_error","n_prompt_tokens":9350,"n_ctx":4096}}"#,
                Some(4096),
            ),
            (
                r#"{"error":{"message":"request (9350 tokens) exceeds the available context size (4,096 tokens), try increasing it"}}"#,
                Some(4096),
            ),
            (
                r#"{"error":{"message":"This model's maximum context length is 8192 tokens. However, your messages resulted in 9350 tokens.","code":"context_length_exceeded"}}"#,
                Some(8192),
            ),
            (
                "Trying to keep the first 9350 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens",
                Some(4096),
            ),
            (
                r#"{"type":"error","error":{"type":"invalid_request_error","message":"prompt is too long: 210000 tokens > 200000 maximum"}}"#,
                Some(200_000),
            ),
            (
                "The input token count (40000) exceeds the maximum number of tokens allowed (32768).",
                Some(32_768),
            ),
            (
                "`inputs` tokens + `max_new_tokens` must be <= 4096. Given: 9000",
                Some(4096),
            ),
            (
                "This model's maximum prompt length is 131072 but the request contains 140000 tokens",
                Some(131_072),
            ),
        ];
        for (body, tokens) in cases {
            assert_eq!(context_tokens(body), tokens, "{body}");
            assert_eq!(
                ErrorBody::read(body).reason,
                Some(StatusReason::ContextLength),
                "{body}"
            );
        }
        assert_eq!(context_tokens("maximum context length is 3"), None);
    }

    #[test]
    fn a_model_that_is_not_there_is_told_from_an_address_that_is_not_there() {
        for body in [
            r#"{"error":{"message":"model \"gpt-4o\" not found, try pulling it first"}}"#,
            r#"{"object":"error","message":"The model `gpt-4o` does not exist.","type":"NotFoundError"}"#,
            r#"{"error":{"message":"The model `gpt-9` does not exist or you do not have access to it.","code":"model_not_found"}}"#,
        ] {
            assert!(is_unknown_model(body), "{body}");
        }
        for body in [
            "404 page not found",
            r#"{"detail":"Not Found"}"#,
            r#"{"error":"unauthorized"}"#,
        ] {
            assert!(!is_unknown_model(body), "{body}");
        }
    }
}
