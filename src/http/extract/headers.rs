//! Headers that several handlers read.

use crate::http::error::AppError;
use axum::http::{HeaderMap, HeaderName, HeaderValue, header};
use axum::response::Response;
use plan_model::language::Language;

const MAX_KEY_BYTES: usize = 255;

/// The request's idempotency key; a structured-field string loses its quotes.
pub(crate) fn idempotency_key(headers: &HeaderMap) -> Result<Option<String>, AppError> {
    let Some(value) = headers.get("idempotency-key") else {
        return Ok(None);
    };
    let invalid = || AppError::invalid("Idempotency-Key", "must be 1 to 255 visible ASCII characters");
    let text = value.to_str().map_err(|_| invalid())?.trim();
    let text = text
        .strip_prefix('"')
        .and_then(|text| text.strip_suffix('"'))
        .unwrap_or(text);
    if text.is_empty() || text.len() > MAX_KEY_BYTES || headers.get_all("idempotency-key").iter().count() > 1 {
        return Err(invalid());
    }
    Ok(Some(text.to_owned()))
}

/// A header that is text; empty counts as absent.
pub(crate) fn text_header<'a>(headers: &'a HeaderMap, name: &str) -> Result<Option<&'a str>, AppError> {
    let Some(value) = headers.get(name) else {
        return Ok(None);
    };
    let text = value.to_str().map_err(|_| AppError::invalid(name, "must be text"))?;
    Ok(Some(text.trim()).filter(|text| !text.is_empty()))
}

/// The language that the request asks for first.
pub(crate) fn language(headers: &HeaderMap) -> Language {
    let asked = headers
        .get(header::ACCEPT_LANGUAGE)
        .and_then(|value| value.to_str().ok());
    asked.map_or_else(Language::default, Language::accepted)
}

/// Marks an answer that an earlier request with the same idempotency key has caused.
pub(crate) fn mark_replayed(response: &mut Response) {
    let name = HeaderName::from_static("idempotency-replayed");
    response.headers_mut().insert(name, HeaderValue::from_static("true"));
}
