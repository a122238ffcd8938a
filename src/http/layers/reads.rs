//! Counts the requests that read. What cannot be read is left to its handler: 404 and 403 come before 429.

use crate::http::error::AppError;
use crate::http::extract::write_limit::is_open_to;
use crate::http::policy::Policy;
use crate::http::reads::Reads;
use axum::extract::{Request, State};
use axum::http::Method;
use axum::middleware::Next;
use axum::response::Response;
use plan_model::access::Caller;

/// Refuses a read that is one too many.
pub(crate) async fn limit_reads(
    State(reads): State<Reads>,
    request: Request,
    next: Next,
) -> Result<Response, AppError> {
    let (extensions, policy) = (request.extensions(), Policy::of(request.extensions()));
    let reads_something = matches!(*request.method(), Method::GET | Method::HEAD)
        && policy.needs_caller()
        && !policy.works_without_database;
    if let Some(caller) = extensions.get::<Caller>()
        && reads_something
        && is_open_to(caller, extensions)
    {
        reads.count(caller.actor.id)?;
    }
    Ok(next.run(request).await)
}
