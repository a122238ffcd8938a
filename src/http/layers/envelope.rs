//! The last resort: whatever fails leaves in the one error shape, also what the framework answered by itself.

use crate::http::error::AppError;
use crate::model::error::ErrorCode;
use axum::extract::Request;
use axum::http::{HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use std::any::Any;

/// Replaces the body of every failure that is not ours.
pub async fn envelope(request: Request, next: Next) -> Response {
    let response = next.run(request).await;
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
    response.headers().get(header::CONTENT_TYPE).is_some_and(|value| value.as_bytes().starts_with(b"application/json"))
}

/// What a status alone can say.
fn bare(status: StatusCode) -> AppError {
    match status {
        StatusCode::METHOD_NOT_ALLOWED => {
            AppError::new(ErrorCode::MethodNotAllowed, "This address does not know the method; the Allow header lists those it knows.")
        }
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

/// A panic is one request's trouble. What it said may hold anything, so it is logged by the panic hook alone.
pub fn panicked(_: Box<dyn Any + Send + 'static>) -> Response {
    AppError::internal("a handler panicked").into_response()
}
