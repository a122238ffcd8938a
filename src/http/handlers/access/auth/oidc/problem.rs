//! Why a browser is redirected to the sign-in page instead of the page it asked for.

use crate::app::AppState;
use crate::http::error::AppError;
use crate::http::handlers::access::auth::sign_in::Connection;
use crate::store::StoreError;
use crate::store::people::audit::{AuditEvent, AuditKind};
use crate::store::people::sessions::SignInMethod;
use oidc_login::SsoError;
use serde_json::json;

/// Code and cause. The page has a sentence for the code; the cause is the operator's.
#[derive(Debug)]
pub(super) struct Problem {
    code: &'static str,
    cause: String,
    /// Whether it is kept in the audit log. Answers to no sign-in of ours are not: anybody could fill the log with them.
    is_login: bool,
}

impl Problem {
    pub(super) fn new(code: &'static str, cause: impl Into<String>) -> Self {
        Self {
            code,
            cause: cause.into(),
            is_login: false,
        }
    }

    /// It ended a sign-in that began here.
    pub(super) fn of_login(mut self) -> Self {
        self.is_login = true;
        self
    }

    /// Logs and counts it; where the browser goes.
    pub(super) async fn report(&self, app: &AppState, from: &Connection) -> String {
        let Self { code, cause, .. } = self;
        tracing::warn!(problem = code, "Single sign-on: {code}: {cause}");
        let outcome = match *code {
            "sso_unavailable" => "unavailable",
            _ => "refused",
        };
        metrics::counter!("plan_advisor_logins_total", "outcome" => outcome).increment(1);
        if self.is_login
            && let Ok(conn) = app.db.conn().await
        {
            let detail = json!({"address": from.address(), "method": SignInMethod::Oidc, "problem": code});
            let event = AuditEvent::new(AuditKind::LoginFailed, None, None).detail(detail);
            if let Err(error) = event.insert(&conn).await {
                tracing::warn!("A failed sign-in could not be recorded: {}", error.chain());
            }
        }
        format!("/?view=sign-in&problem={code}")
    }
}

impl From<SsoError> for Problem {
    fn from(error: SsoError) -> Self {
        let code = match &error {
            SsoError::Unavailable(_) => "sso_unavailable",
            SsoError::Refused(_) => "sso_refused",
            SsoError::Failed(_) => "sso_failed",
            SsoError::Expired => "sso_expired",
        };
        Self::new(code, error.to_string())
    }
}

impl From<StoreError> for Problem {
    fn from(error: StoreError) -> Self {
        let code = match &error {
            StoreError::Unavailable(_) => "sso_unavailable",
            StoreError::NotFound | StoreError::Conflict(_) | StoreError::Query(_) => "sso_failed",
        };
        Self::new(code, error.chain())
    }
}

/// Of the session's store.
impl From<AppError> for Problem {
    fn from(error: AppError) -> Self {
        Self::new(
            "sso_unavailable",
            format!("the session could not begin: {:?}", error.code()),
        )
    }
}
