//! Counts the writes whose handler reads no body; the others are counted by the extractor of their body.

use crate::app::AppState;
use crate::http::error::AppError;
use crate::http::extract::path::has_readable_ids;
use crate::http::extract::write_limit;
use crate::http::policy::{NO_BODY, Policy};
use axum::extract::rejection::RawPathParamsRejection;
use axum::extract::{RawPathParams, Request, State};
use axum::middleware::Next;
use axum::response::Response;

/// Refuses a write that is one too many, where its handler reads no body.
pub(crate) async fn limit_writes(
    State(app): State<AppState>,
    params: Result<RawPathParams, RawPathParamsRejection>,
    request: Request,
    next: Next,
) -> Result<Response, AppError> {
    if Policy::of(request.extensions()).body == NO_BODY && params.as_ref().is_ok_and(has_readable_ids) {
        write_limit::count(&app, request.extensions()).await?;
    }
    Ok(next.run(request).await)
}
