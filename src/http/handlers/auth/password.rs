//! Choosing a new password: one's own, or by a link that an administrator has issued.

use super::link_check;
use super::methods::require_passwords;
use super::password_check::PasswordCheck;
use super::sign_in::{is_recent, rotate};
use crate::app::AppState;
use crate::http::error::AppError;
use crate::http::extract::{InPerson, JsonBody, SessionId};
use crate::http::throttle::{device_key, network_key};
use crate::password::check_new;
use crate::password::strength::EASY_TO_GUESS;
use crate::store::people::password_resets;
use crate::store::people::sessions;
use crate::store::people::users::{Kept, User};
use axum::http::StatusCode;
use plan_model::access::Person;
use plan_model::secret::hash_of;
use serde::Deserialize;
use tower_sessions::Session;

#[derive(Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"current": "demo-password-1", "next": "correct horse battery"}))]
pub struct ChangePasswordRequest {
    /// The password until now. Empty for a person without one, within ten minutes of signing in.
    #[schema(max_length = 256)]
    pub current: String,
    #[schema(min_length = 10, max_length = 128)]
    pub next: String,
}

#[derive(Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ResetPasswordRequest {
    /// From the link.
    pub token: String,
    #[schema(min_length = 10, max_length = 128)]
    pub next: String,
}

/// Changes one's own password. All other sessions end, and this one goes on under a new id.
///
/// A wrong current password counts as a failed login.
#[utoipa::path(post, path = "/api/auth/password", tag = "session", request_body = ChangePasswordRequest,
    responses((status = 204, description = "The new password counts")))]
pub async fn change_password(
    app: AppState,
    InPerson(person): InPerson,
    id: SessionId,
    session: Session,
    checks: PasswordCheck,
    JsonBody(body): JsonBody<ChangePasswordRequest>,
) -> Result<StatusCode, AppError> {
    require_passwords(&app)?;
    check_new(&body.next).map_err(|problem| AppError::invalid("next", problem))?;
    show_again(&app, &session, &checks, &person, body.current).await?;
    let hash = new_password(&checks, "next", body.next, &[&person.email, &person.display_name]).await?;
    let (current, device) = (sessions::hash_of(&id.0), checks.from.device().map(device_key));
    let kept = Kept {
        session: &current,
        device: device.as_ref(),
    };
    let mut conn = app.db.conn().await?;
    if !User::replace_password(&mut conn, person.id, &hash, Some(kept), Some(person.id)).await? {
        return Err(AppError::unauthenticated());
    }
    drop(conn);
    rotate(&session, id).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// The person shows once more who they are, because a session may have been stolen.
async fn show_again(
    app: &AppState,
    session: &Session,
    checks: &PasswordCheck,
    person: &Person,
    current: String,
) -> Result<(), AppError> {
    let account = User::account(&*app.db.conn().await?, person.id).await?;
    let has_password = account.is_some_and(|(_, has_password)| has_password);
    if !has_password {
        return match is_recent(app, session).await? {
            true => Ok(()),
            false => Err(AppError::invalid("current", "cannot be checked: sign in again first")),
        };
    }
    match checks.check(&person.email, current).await? {
        Some(_) => Ok(()),
        None => Err(AppError::invalid("current", "is not your password")),
    }
}

/// Stores a new password by a one-time link. All sessions of the person end.
///
/// An unknown, used or expired token is answered alike.
#[utoipa::path(post, path = "/api/auth/password-reset", tag = "session", request_body = ResetPasswordRequest,
    responses((status = 204, description = "The new password counts")))]
pub async fn reset_password(
    app: AppState,
    checks: PasswordCheck,
    JsonBody(body): JsonBody<ResetPasswordRequest>,
) -> Result<StatusCode, AppError> {
    require_passwords(&app)?;
    check_new(&body.next).map_err(|problem| AppError::invalid("next", problem))?;
    let token = hash_of(&body.token);
    let attempt = link_check::begin(&app, &checks).await?;
    let found = password_resets::find(&*app.db.conn().await?, &token).await;
    let user = link_check::end(&app, &checks, attempt, found).await?;
    let hash = new_password(&checks, "next", body.next, &[&user.email, &user.display_name]).await?;
    let mut conn = app.db.conn().await?;
    if !password_resets::redeem(&mut conn, &token, &hash).await? {
        return Err(link_check::does_not_work());
    }
    checks.logins.forget(&conn, &user.email, checks.from.address()).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// The hash of a new password that is good enough. `about` is what others know of the person.
///
/// # Errors
/// 400 for `field`, or 503 if too many passwords are being checked.
pub async fn new_password(
    checks: &PasswordCheck,
    field: &str,
    password: String,
    about: &[&str],
) -> Result<String, AppError> {
    check_new(&password).map_err(|problem| AppError::invalid(field, problem))?;
    let asker = network_key(checks.from.address());
    let about = about.iter().map(|text| (*text).to_owned()).collect();
    let hash = checks.passwords.hash(password, about, asker).await?;
    hash.ok_or_else(|| AppError::invalid(field, EASY_TO_GUESS))
}
