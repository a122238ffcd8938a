//! What a provider's error is about. Its words are searched for what we know and go no further.

use super::{
    LlmError,
    chunk::Chunk,
    error::StatusReason,
    wire::{Object, Word},
};
use serde_json::value::RawValue;

/// The little we take from an error object or error body.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Complaint {
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

impl Complaint {
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

impl From<Complaint> for LlmError {
    fn from(complaint: Complaint) -> Self {
        let reason = complaint.reason.or(complaint.status.map(StatusReason::of_status));
        Self::InStream {
            status: complaint.status,
            reason: reason.unwrap_or(StatusReason::Other),
        }
    }
}

fn http_status(code: &str) -> Option<u16> {
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

/// An error value that is more than a placeholder.
pub(super) fn says_something(error: &RawValue) -> bool {
    !matches!(error.get().trim(), "null" | "\"\"" | "{}" | "[]" | "false")
}

/// The error in a frame of the stream, if it is one; `is_error`: its event was named so.
pub(super) fn in_chunk(chunk: &Chunk<'_>, is_error: bool) -> Option<Complaint> {
    if let Some(error) = chunk.error.filter(|error| says_something(error)) {
        return Some(Complaint::read(error.get()));
    }
    let status = chunk.code.get().and_then(http_status);
    let says_error = is_error || chunk.object.get() == Some("error") || chunk.r#type.get() == Some("error");
    let holds_no_answer = chunk.choices.is_none() && chunk.usage.0.is_none();
    if !says_error && !(holds_no_answer && (chunk.detail.is_some() || status.is_some())) {
        return None;
    }
    let texts = [chunk.detail, chunk.message].into_iter().flatten().map(RawValue::get);
    let words = texts.chain(chunk.code.get()).collect::<Vec<_>>().join(" ");
    Some(Complaint {
        status,
        ..Complaint::read(&words)
    })
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
            assert_eq!(Complaint::read(error), Complaint { status, reason }, "{error}");
        }
    }
}
