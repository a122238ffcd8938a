//! Gives every request an id, a log line and two metrics, none of which contain users' data.

use axum::extract::{MatchedPath, Request};
use axum::http::{HeaderName, HeaderValue, Method};
use axum::middleware::Next;
use axum::response::Response;
use std::time::Instant;
use tracing::Instrument;
use uuid::Uuid;

/// The header of the request id, in requests and responses.
pub(crate) const X_REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// Sets the request id, then logs and measures the response. For a stream the duration ends with its head.
pub(crate) async fn observe(mut request: Request, next: Next) -> Response {
    let id = request
        .headers()
        .get(X_REQUEST_ID)
        .filter(|id| is_sane(id))
        .cloned()
        .unwrap_or_else(fresh);
    request.headers_mut().insert(X_REQUEST_ID, id.clone());
    let method = method_name(request.method());
    // The route pattern, not the path: labels must not contain ids.
    let route = request
        .extensions()
        .get::<MatchedPath>()
        .map_or("none", MatchedPath::as_str)
        .to_owned();
    let span = tracing::info_span!(
        "request",
        request.id = id.to_str().unwrap_or_default(),
        http.method = method,
        http.route = route
    );
    let started = Instant::now();

    let mut response = next.run(request).instrument(span.clone()).await;

    let (status, took) = (response.status().as_u16(), started.elapsed());
    let took_ms = u64::try_from(took.as_millis()).unwrap_or(u64::MAX);
    span.in_scope(|| {
        tracing::info!(
            http.status = status,
            took_ms,
            "{method} {route} answered {status} in {took_ms} ms"
        );
    });
    let labels = [
        ("method", method.to_owned()),
        ("route", route),
        ("status", status.to_string()),
    ];
    metrics::counter!("plan_advisor_http_requests_total", &labels).increment(1);
    metrics::histogram!("plan_advisor_http_request_duration_seconds", &labels[..2]).record(took.as_secs_f64());
    response.headers_mut().insert(X_REQUEST_ID, id);
    response
}

fn is_sane(id: &HeaderValue) -> bool {
    let bytes = id.as_bytes();
    (1..=128).contains(&bytes.len())
        && bytes
            .iter()
            .all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.' | b':'))
}

fn fresh() -> HeaderValue {
    HeaderValue::from_str(&Uuid::now_v7().to_string()).unwrap_or_else(|_| HeaderValue::from_static("none"))
}

/// Unknown methods share one label, so that clients cannot create new time series.
fn method_name(method: &Method) -> &'static str {
    match method.as_str() {
        "GET" => "GET",
        "HEAD" => "HEAD",
        "POST" => "POST",
        "PUT" => "PUT",
        "PATCH" => "PATCH",
        "DELETE" => "DELETE",
        "OPTIONS" => "OPTIONS",
        _ => "other",
    }
}
