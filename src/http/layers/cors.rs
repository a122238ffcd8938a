//! CORS for exactly the origins in `ALLOWED_ORIGINS`.

use crate::config::HttpConfig;
use axum::http::{HeaderName, HeaderValue, Method, header};
use std::time::Duration;
use tower_http::cors::{AllowOrigin, CorsLayer};

/// Answers preflight requests and sets the CORS headers; `None` if no origin is listed.
pub(crate) fn layer(config: &HttpConfig) -> Option<CorsLayer> {
    let origins: Vec<HeaderValue> = config
        .allowed_origins
        .iter()
        .map(|origin| origin.trim())
        .filter(|origin| !origin.is_empty())
        .filter_map(parse)
        .collect();
    if origins.is_empty() {
        return None;
    }
    let layer = CorsLayer::new()
        .allow_origin(AllowOrigin::list(origins))
        .allow_credentials(true)
        .allow_methods([Method::GET, Method::POST, Method::PUT, Method::PATCH, Method::DELETE])
        .allow_headers(
            [
                "authorization",
                "content-type",
                "idempotency-key",
                "if-match",
                "last-event-id",
                "prefer",
                "x-request-id",
            ]
            .map(HeaderName::from_static),
        )
        .expose_headers([
            header::ETAG,
            header::LOCATION,
            header::RETRY_AFTER,
            HeaderName::from_static("idempotency-replayed"),
            HeaderName::from_static("x-request-id"),
            HeaderName::from_static("x-turn-id"),
        ])
        .max_age(Duration::from_secs(600));
    Some(layer)
}

/// A wildcard with credentials would give every site access to every session.
fn parse(origin: &str) -> Option<HeaderValue> {
    let origin = origin.trim_end_matches('/');
    if !(origin.starts_with("https://") || origin.starts_with("http://")) || origin.contains('*') {
        tracing::warn!("An entry of ALLOWED_ORIGINS is no origin and is left out");
        return None;
    }
    HeaderValue::from_str(origin).ok()
}
