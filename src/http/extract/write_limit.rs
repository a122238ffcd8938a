//! Limits the writes of a user per minute, over all instances.
//!
//! The contract answers 404, 403, 413, 415 and 400 before 429: a plan that cannot be written is left to its handler, and
//! where a handler reads a body, the body's extractor counts the write once it is valid.

use crate::app::AppState;
use crate::http::error::AppError;
use crate::http::extract::plan::{FoundPlan, may_touch};
use crate::http::policy::{Count, Policy};
use crate::store::turns::rate_limits::{self, RateKind};
use axum::http::Extensions;
use plan_model::access::Caller;
use plan_model::error::ErrorCode;

/// Counts the request, if its route counts as a write.
///
/// # Errors
/// 429 if it is one too many.
pub(crate) async fn count(app: &AppState, extensions: &Extensions) -> Result<(), AppError> {
    let caller = extensions.get::<Caller>();
    match caller.filter(|caller| is_open_to(caller, extensions)) {
        Some(caller) if Policy::of(extensions).count == Count::Write => take(app, caller).await,
        _ => Ok(()),
    }
}

/// Counts a write of the caller.
///
/// # Errors
/// 429 if it is one too many.
pub(crate) async fn take(app: &AppState, caller: &Caller) -> Result<(), AppError> {
    let per_minute = i32::try_from(app.config.limits.rate_limit_writes_per_minute).unwrap_or(i32::MAX);
    if per_minute == 0 {
        return Ok(());
    }
    let conn = app.db.conn().await?;
    let taken = rate_limits::take(&conn, caller.actor.id, RateKind::Writes, per_minute).await?;
    taken.map_err(|wait| {
        AppError::new(ErrorCode::RateLimited, "That was a lot of changes. Wait a moment.")
            .retry_after(wait.as_secs() + 1)
    })
}

/// Whether the plan of the path, if there is one, exists and is the caller's.
pub(in crate::http) fn is_open_to(caller: &Caller, extensions: &Extensions) -> bool {
    match extensions.get::<FoundPlan>() {
        Some(FoundPlan::Asked(_, plan)) => plan.as_ref().is_some_and(|plan| may_touch(caller, plan)),
        Some(FoundPlan::NotAsked) | None => true,
    }
}
