//! The page: files of `web/` inside the binary. Names carry no fingerprint, so browsers ask each time and mostly hear 304.

use super::error::AppError;
use axum::body::Body;
use axum::extract::Request;
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::response::{IntoResponse, Response};
use rust_embed::{EmbeddedFile, RustEmbed};
use std::fmt::Write;

/// No inline script or style, nothing from elsewhere, no text turned into markup.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; \
    font-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; require-trusted-types-for 'script'";

#[derive(RustEmbed)]
#[folder = "web/"]
struct Web;

/// A file of the page, or the 404 of everything that is no other address.
pub async fn serve(request: Request) -> Result<Response, AppError> {
    let missing = || AppError::not_found("This address");
    if !matches!(*request.method(), Method::GET | Method::HEAD) {
        return Err(missing());
    }
    let path = request.uri().path().trim_start_matches('/');
    let path = if path.is_empty() { "index.html" } else { path };
    let file = Web::get(path).ok_or_else(missing)?;
    Ok(respond(file, request.headers()))
}

fn respond(file: EmbeddedFile, asked: &HeaderMap) -> Response {
    let etag = tag(&file.metadata.sha256_hash());
    let mime = file.metadata.mimetype();
    let mime = if mime.starts_with("text/") || mime.ends_with("javascript") {
        format!("{mime}; charset=utf-8")
    } else {
        mime.to_owned()
    };
    let is_page = mime.starts_with("text/html");
    let mut response = match is_known(asked, &etag) {
        true => StatusCode::NOT_MODIFIED.into_response(),
        false => Body::from(file.data).into_response(),
    };
    let headers = response.headers_mut();
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    if let (Ok(etag), Ok(mime)) = (HeaderValue::try_from(etag), HeaderValue::try_from(mime)) {
        headers.insert(header::ETAG, etag);
        headers.insert(header::CONTENT_TYPE, mime);
    }
    if is_page {
        headers.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY));
    }
    response
}

/// Weak, because compression changes the bytes and not what they say.
fn tag(hash: &[u8; 32]) -> String {
    let mut tag = String::from("W/\"");
    for byte in &hash[..12] {
        let _ = write!(tag, "{byte:02x}");
    }
    tag.push('"');
    tag
}

fn is_known(asked: &HeaderMap, etag: &str) -> bool {
    let opaque = |tag: &str| tag.trim().trim_start_matches("W/").to_owned();
    let known = asked
        .get(header::IF_NONE_MATCH)
        .and_then(|value| value.to_str().ok())
        .unwrap_or_default();
    known.trim() == "*" || known.split(',').any(|tag| opaque(tag) == opaque(etag))
}
