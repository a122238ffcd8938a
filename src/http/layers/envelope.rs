//! Rewrites every failure, including axum's own responses, into the error envelope.

use crate::http::error::AppError;
use axum::extract::Request;
use axum::http::{HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use futures_util::FutureExt;
use plan_model::error::ErrorCode;
use std::panic::AssertUnwindSafe;

/// Replaces the body of failures that do not have the envelope, and answers for handlers that panic: only this request
/// fails. A panic's message may contain anything, so only the panic hook logs it.
pub(crate) async fn envelope(request: Request, next: Next) -> Response {
    let Ok(response) = AssertUnwindSafe(next.run(request)).catch_unwind().await else {
        return AppError::internal("a handler panicked").into_response();
    };
    let status = response.status();
    if !(status.is_client_error() || status.is_server_error()) || is_json(&response) {
        return response;
    }
    let allow = response.headers().get(header::ALLOW).cloned();
    let cookies: Vec<HeaderValue> = response.headers().get_all(header::SET_COOKIE).iter().cloned().collect();
    let mut response = bare(status).into_response();
    if let Some(allow) = allow {
        response.headers_mut().insert(header::ALLOW, allow);
    }
    for cookie in cookies {
        response.headers_mut().append(header::SET_COOKIE, cookie);
    }
    response
}

fn is_json(response: &Response) -> bool {
    response
        .headers()
        .get(header::CONTENT_TYPE)
        .is_some_and(|value| value.as_bytes().starts_with(b"application/json"))
}

/// The error for a bare status.
fn bare(status: StatusCode) -> AppError {
    match status {
        StatusCode::METHOD_NOT_ALLOWED => AppError::new(
            ErrorCode::MethodNotAllowed,
            "This address does not know the method; the Allow header lists those it knows.",
        ),
        StatusCode::NOT_FOUND => AppError::not_found("This address"),
        StatusCode::UNAUTHORIZED => AppError::unauthenticated(),
        StatusCode::FORBIDDEN => AppError::forbidden("This is not allowed."),
        StatusCode::PAYLOAD_TOO_LARGE => AppError::new(ErrorCode::PayloadTooLarge, "The body is too large."),
        StatusCode::UNSUPPORTED_MEDIA_TYPE => AppError::new(ErrorCode::UnsupportedMediaType, "The body must be JSON."),
        StatusCode::SERVICE_UNAVAILABLE => AppError::unavailable(),
        other if other.is_client_error() => AppError::invalid("request", "cannot be understood"),
        other => AppError::internal(format!("a bare {other}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::Router;
    use axum::body::Body;
    use axum::middleware::from_fn;
    use axum::routing::get;
    use http_body_util::BodyExt;
    use tower::ServiceExt;

    async fn answer(path: &str) -> (u16, String) {
        let router = Router::new()
            .route(
                "/panic",
                get(|| async { panic!("the password is hunter2") as &'static str }),
            )
            .route("/bare", get(|| async { StatusCode::BAD_GATEWAY }))
            .layer(from_fn(envelope));
        let request = Request::builder().uri(path).body(Body::empty()).expect("a request");
        let response = router.oneshot(request).await.expect("an answer");
        let status = response.status().as_u16();
        let body = response.into_body().collect().await.expect("a body").to_bytes();
        (status, String::from_utf8_lossy(&body).into_owned())
    }

    #[tokio::test]
    async fn a_panic_is_an_internal_error_and_nobody_hears_its_words() {
        let (status, body) = answer("/panic").await;
        assert_eq!(status, 500);
        assert!(body.contains("INTERNAL_ERROR") && !body.contains("hunter2"), "{body}");
    }

    #[tokio::test]
    async fn a_bare_status_becomes_an_envelope() {
        let (status, body) = answer("/bare").await;
        assert_eq!(status, 500);
        assert!(body.contains("INTERNAL_ERROR"), "{body}");
        assert_eq!(answer("/nowhere").await.0, 404);
    }
}
