//! Counts the requests that read. What cannot be read is left to its handler: 404, 403 and 400 come before 429.

use crate::http::error::AppError;
use crate::http::extract::path::has_readable_ids;
use crate::http::extract::write_limit::is_open_to;
use crate::http::policy::Policy;
use crate::http::reads::{Reads, UncountedRead};
use axum::extract::rejection::RawPathParamsRejection;
use axum::extract::{RawPathParams, Request, State};
use axum::http::Method;
use axum::middleware::Next;
use axum::response::Response;
use plan_model::access::Caller;

/// Refuses a read that is one too many. Where the handler reads a query, the query's extractor does, once it is valid.
pub(crate) async fn limit_reads(
    State(reads): State<Reads>,
    params: Result<RawPathParams, RawPathParamsRejection>,
    mut request: Request,
    next: Next,
) -> Result<Response, AppError> {
    let (extensions, policy) = (request.extensions(), Policy::of(request.extensions()));
    let reads_something = matches!(*request.method(), Method::GET | Method::HEAD)
        && policy.needs_caller()
        && !policy.works_without_database
        && params.as_ref().is_ok_and(has_readable_ids);
    let caller = extensions.get::<Caller>();
    let counted = caller.filter(|caller| reads_something && is_open_to(caller, extensions));
    if let Some(person) = counted.map(|caller| caller.actor.id) {
        match policy.reads_query {
            true => {
                request.extensions_mut().insert(UncountedRead { reads, person });
            }
            false => reads.count(person)?,
        }
    }
    Ok(next.run(request).await)
}
