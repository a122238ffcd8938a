//! Validates a message and its headers.

use crate::http::error::AppError;
use axum::http::{HeaderMap, header};
use plan_model::clean;

/// The trimmed message, or what is wrong with it.
pub(crate) fn checked(text: &str, max_chars: u32) -> Result<String, AppError> {
    let text = clean::storable(text.trim().to_owned());
    let chars = text.chars().count();
    if chars == 0 {
        return Err(AppError::invalid("message", "must not be empty"));
    }
    if chars > usize::try_from(max_chars).unwrap_or(usize::MAX) {
        return Err(AppError::invalid(
            "message",
            format!("must have at most {max_chars} characters"),
        ));
    }
    if text.chars().any(|c| c.is_control() && !matches!(c, '\n' | '\t' | '\r')) {
        return Err(AppError::invalid(
            "message",
            "must not contain control characters other than newline and tab",
        ));
    }
    // Windows line endings are line endings, not control characters.
    let text = text.replace("\r\n", "\n");
    if text.contains('\r') {
        return Err(AppError::invalid(
            "message",
            "must not contain control characters other than newline and tab",
        ));
    }
    Ok(text)
}

/// Whether the caller would rather read the stream elsewhere (RFC 7240).
pub(crate) fn wants_async(headers: &HeaderMap) -> bool {
    headers
        .get_all(header::HeaderName::from_static("prefer"))
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .any(|preference| {
            preference
                .split(';')
                .next()
                .unwrap_or_default()
                .trim()
                .eq_ignore_ascii_case("respond-async")
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_trimmed_and_counted_in_characters() {
        assert_eq!(
            checked("  My rent is $4,200\r\na month\t ", 100).expect("fine"),
            "My rent is $4,200\na month"
        );
        assert_eq!(checked(&"é".repeat(8), 8).expect("fine").chars().count(), 8);
        for bad in ["", " \n ", "a\u{7}b", "a\rb", "123456789"] {
            assert!(checked(bad, 8).is_err(), "{bad:?}");
        }
    }
}
