//! One-time links: an unknown one counts as a failed login of its network, so that guessing is slow.

use super::password_check::{PasswordCheck, too_many};
use crate::app::AppState;
use crate::http::error::AppError;
use crate::http::throttle::LinkAttempt;
use crate::store::StoreResult;
use crate::store::people::audit::{AuditEvent, AuditKind};
use plan_model::error::ErrorCode;
use serde_json::json;

/// Counts an attempt, before the link is looked up.
///
/// # Errors
/// 429 after too many failures from this network, 503 if the database fails.
pub(crate) async fn begin(app: &AppState, checks: &PasswordCheck) -> Result<LinkAttempt, AppError> {
    let address = checks.from.address();
    checks.logins.precheck(address).map_err(too_many)?;
    let attempt = checks.logins.begin_link(&*app.db.conn().await?, address).await?;
    attempt.map_err(too_many)
}

/// What the link has opened.
///
/// # Errors
/// 404 if nothing; then the attempt stays counted.
pub(crate) async fn end<T>(
    app: &AppState,
    checks: &PasswordCheck,
    attempt: LinkAttempt,
    found: StoreResult<Option<T>>,
) -> Result<T, AppError> {
    let conn = app.db.conn().await?;
    if let Ok(None) = found {
        AuditEvent::new(AuditKind::LoginFailed, None, None)
            .detail(json!({"address": checks.from.address(), "with": "link"}))
            .insert(&conn)
            .await?;
    } else {
        attempt.take_back(&conn).await?;
    }
    found?.ok_or_else(does_not_work)
}

/// Says the same of every link that opens nothing.
pub(crate) fn does_not_work() -> AppError {
    AppError::new(
        ErrorCode::NotFound,
        "This link does not work any more: it was used, has expired or was replaced. Ask for a new one.",
    )
}
