//! Entity tags and conditional requests (RFC 9110).

use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use ring::digest::{SHA256, digest};
use std::fmt::Write;

/// Hexadecimal digits of a content hash: 96 bits, far more than accidents need.
const DIGITS: usize = 24;

/// The weak tag of a content: compression changes the bytes and not what they say.
pub(crate) fn of_content(content: &[u8]) -> HeaderValue {
    let mut tag = String::from("W/\"");
    for byte in &digest(&SHA256, content).as_ref()[..DIGITS / 2] {
        // Writing to a string cannot fail.
        let _ = write!(tag, "{byte:02x}");
    }
    tag.push('"');
    HeaderValue::try_from(tag).unwrap_or_else(|_| HeaderValue::from_static("W/\"0\""))
}

/// 304 where `If-None-Match` names the tag, else what `content` makes; both with the tag.
pub(crate) fn respond<T: IntoResponse>(asked: &HeaderMap, tag: HeaderValue, content: impl FnOnce() -> T) -> Response {
    let mut response = match is_known(asked, &tag) {
        true => StatusCode::NOT_MODIFIED.into_response(),
        false => content().into_response(),
    };
    response.headers_mut().insert(header::ETAG, tag);
    response
}

/// The weak comparison of RFC 9110, 8.8.3.2.
pub(crate) fn is_known(asked: &HeaderMap, tag: &HeaderValue) -> bool {
    let opaque = |tag: &str| tag.trim().trim_start_matches("W/").to_owned();
    let known = asked.get(header::IF_NONE_MATCH).and_then(|value| value.to_str().ok());
    let (known, tag) = (known.unwrap_or_default(), opaque(tag.to_str().unwrap_or_default()));
    known.trim() == "*" || known.split(',').any(|known| opaque(known) == tag)
}
