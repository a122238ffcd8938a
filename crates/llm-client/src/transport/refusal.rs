//! Why a call brought no answer: the status and body of a refusal, or what broke on the way.

use super::{raw::RawLog, retry};
use crate::{LlmError, error::body::ErrorBody};
use http::{HeaderMap, header};
use reqwest::Response;
use std::{
    error::Error,
    io,
    time::{Duration, SystemTime},
};
use tokio::time::timeout;

/// Bytes read of an error body; enough to find out what it is about.
const MAX_ERROR_BYTES: usize = 64 * 1024;
/// How long the body of a refusal is waited for; its status is known already.
const ERROR_BODY_WAIT: Duration = Duration::from_secs(2);

/// Why the server did not answer.
pub(crate) async fn read(mut response: Response, raw: &RawLog) -> LlmError {
    let status = response.status().as_u16();
    let retry_after = asked_pause(response.headers());
    let mut body = Vec::new();
    let read = async {
        while body.len() < MAX_ERROR_BYTES
            && let Ok(Some(bytes)) = response.chunk().await
        {
            body.extend_from_slice(&bytes);
        }
    };
    // A body that is late or broken is read as far as it came.
    let _ = timeout(ERROR_BODY_WAIT, read).await;
    body.truncate(MAX_ERROR_BYTES);
    raw.received(&body);
    let said = ErrorBody::read(&String::from_utf8_lossy(&body));
    LlmError::Status {
        status,
        reason: said.refusal_reason(status),
        retry_after,
        said: Box::new(said),
    }
}

/// How long the server asks to be left alone; in milliseconds where it says so.
fn asked_pause(headers: &HeaderMap) -> Option<Duration> {
    let text = |name: &str| headers.get(name)?.to_str().ok();
    let milliseconds = ["retry-after-ms", "x-ms-retry-after-ms"]
        .into_iter()
        .find_map(|name| text(name)?.trim().parse::<f64>().ok());
    match milliseconds.and_then(|ms| Duration::try_from_secs_f64(ms / 1_000.0).ok()) {
        Some(pause) => Some(pause),
        None => retry::retry_after(text("retry-after")?, SystemTime::now()),
    }
}

/// What broke before there was a response.
pub(crate) fn send_error(error: reqwest::Error) -> LlmError {
    if error.is_builder() {
        return LlmError::Request("address or body");
    }
    // Errors get into logs; the address may hold what the operator put into its query.
    let error = error.without_url();
    if !error.is_connect() {
        return LlmError::Connection(error.into());
    }
    let is_refused = |kind| kind == io::ErrorKind::ConnectionRefused;
    let kind = match () {
        () if caused_by(&error, <dyn Error + 'static>::is::<rustls::Error>) => "tls",
        () if error.is_timeout() => "timeout",
        () if caused_by(&error, |cause| io_kind(cause).is_some_and(is_refused)) => "refused",
        () => "network",
    };
    LlmError::Connect {
        kind,
        source: error.into(),
    }
}

fn io_kind(cause: &(dyn Error + 'static)) -> Option<io::ErrorKind> {
    cause.downcast_ref::<io::Error>().map(io::Error::kind)
}

fn caused_by(error: &(dyn Error + 'static), is: impl Fn(&(dyn Error + 'static)) -> bool) -> bool {
    let mut cause = Some(error);
    while let Some(current) = cause {
        let inside = current.downcast_ref::<io::Error>().and_then(io::Error::get_ref);
        if is(current) || inside.is_some_and(|inside| is(inside)) {
            return true;
        }
        cause = inside.map_or_else(|| current.source(), |inside| Some(inside));
    }
    false
}

/// Refuses what cannot be an answer before reading it.
pub(crate) fn check_head(headers: &http::HeaderMap) -> Result<(), LlmError> {
    let text = |name| {
        headers
            .get(name)
            .and_then(|value| value.to_str().ok())
            .unwrap_or_default()
            .to_ascii_lowercase()
    };
    if !matches!(text(header::CONTENT_ENCODING).as_str(), "" | "identity") {
        return Err(LlmError::NotAStream("compressed"));
    }
    let content_type = text(header::CONTENT_TYPE);
    if content_type.starts_with("text/html") {
        return Err(LlmError::NotAStream("HTML"));
    }
    let is_binary = ["image/", "audio/", "video/", "multipart/"]
        .iter()
        .any(|kind| content_type.starts_with(kind));
    if is_binary {
        Err(LlmError::NotAStream("binary"))
    } else {
        Ok(())
    }
}
