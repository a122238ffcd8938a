//! Checking a password within the limits of failed logins: at login, and before what a stolen session must not do.

use super::sign_in::Connection;
use crate::app::AppState;
use crate::http::error::AppError;
use crate::http::throttle::{Logins, asker, device_key};
use crate::password::{PasswordError, Passwords, Verdict};
use crate::store::people::audit::{AuditEvent, AuditKind};
use crate::store::people::logins::{Key, devices};
use crate::store::people::users::User;
use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use plan_model::access::Person;
use plan_model::error::ErrorCode;
use plan_model::ids::UserId;
use serde_json::json;

/// What a check of a password needs of the request.
pub(crate) struct PasswordCheck {
    app: AppState,
    pub passwords: Passwords,
    pub logins: Logins,
    pub from: Connection,
}

/// The person whose password it was, and the device if the account knows it.
pub(crate) struct Accepted {
    pub person: Person,
    pub device: Option<Key>,
}

impl FromRequestParts<AppState> for PasswordCheck {
    type Rejection = AppError;

    async fn from_request_parts(parts: &mut Parts, app: &AppState) -> Result<Self, AppError> {
        let Ok(from) = Connection::from_request_parts(parts, app).await;
        let missing = || AppError::internal("the router adds the limits of logins");
        Ok(Self {
            app: app.clone(),
            passwords: parts.extensions.get::<Passwords>().cloned().ok_or_else(missing)?,
            logins: parts.extensions.get::<Logins>().cloned().ok_or_else(missing)?,
            from,
        })
    }
}

impl PasswordCheck {
    /// The person with this e-mail address, if the password is theirs and they may sign in. Every way to be wrong takes the
    /// same steps and counts as a failed login.
    ///
    /// # Errors
    /// 429 after too many failures, 503 if the database fails or too many passwords are being checked.
    pub(crate) async fn check(&self, email: &str, password: String) -> Result<Option<Accepted>, AppError> {
        let (app, address) = (&self.app, self.from.address());
        let device = self.from.device().map(device_key);
        if device.is_none() {
            self.logins.precheck(address).map_err(too_many)?;
        }
        let (attempt, device, user, stored) = {
            let conn = app.db.conn().await?;
            let (user, stored) = User::find_for_login(&conn, email).await?.unzip();
            let device = match (device, &user) {
                (Some(device), Some(user)) if devices::knows(&conn, &device, UserId(user.id)).await? => Some(device),
                _ => None,
            };
            if device.is_none() {
                self.logins.precheck(address).map_err(too_many)?;
            }
            let attempt = self.logins.begin(&conn, email, address, device.as_ref()).await?;
            (attempt.map_err(too_many)?, device, user, stored.flatten())
        };
        let asker = asker(address, device.is_some());
        let verdict = match self.passwords.verify(password, stored, asker).await {
            Ok(verdict) => verdict,
            Err(error) => {
                let conn = app.db.conn().await?;
                match error {
                    PasswordError::Busy => attempt.turned_away(&conn).await?,
                    PasswordError::Hashing(_) => attempt.take_back(&conn).await?,
                }
                return Err(error.into());
            }
        };
        tokio::time::sleep(attempt.delay).await;
        let conn = app.db.conn().await?;
        let user_id = user.as_ref().map(|user| UserId(user.id));
        let Some(user) = user.filter(|_| verdict != Verdict::Wrong) else {
            AuditEvent::new(AuditKind::LoginFailed, None, user_id)
                .detail(json!({ "address": address }))
                .insert(&conn)
                .await?;
            return Ok(None);
        };
        attempt.succeeded(&conn).await?;
        let person = user.person();
        if let Verdict::RightButWeak(hash) = verdict {
            User::set_password_hash(&conn, person.id, &hash).await?;
        }
        Ok(Some(Accepted { person, device }))
    }
}

/// What somebody learns who has failed too often.
pub(crate) fn too_many(seconds: u64) -> AppError {
    metrics::counter!("plan_advisor_logins_total", "outcome" => "limited").increment(1);
    AppError::new(ErrorCode::RateLimited, "Too many failed logins. Try again later.").retry_after(seconds)
}
