//! Choosing a new password: one's own, or by a link that an administrator has issued.

use super::link_check;
use super::methods::require_passwords;
use super::password_check::PasswordCheck;
use super::proof;
use super::remaining::{RemainingResponse, remaining};
use super::sign_in::{is_recent, rotate};
use crate::app::AppState;
use crate::http::error::AppError;
use crate::http::extract::{InPerson, JsonBody, SessionId};
use crate::http::throttle::{asker, device_key};
use crate::http::wire::Data;
use crate::password::check_new;
use crate::password::strength::EASY_TO_GUESS;
use crate::store::brands::find_brand_name;
use crate::store::people::audit::{AuditEvent, AuditKind};
use crate::store::people::password_resets::{self, Reset};
use crate::store::people::sessions;
use crate::store::people::users::{Kept, User};
use axum::response::Response;
use plan_model::access::Person;
use plan_model::ids::BrandId;
use plan_model::secret::hash_of;
use serde::Deserialize;
use tower_sessions::Session;

#[derive(Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"current": "demo-password-1", "next": "correct horse battery"}))]
pub(crate) struct ChangePasswordRequest {
    /// The password until now. Empty for a person without one, within ten minutes of signing in.
    #[schema(max_length = 256)]
    pub current: String,
    #[schema(min_length = 10, max_length = 128)]
    pub next: String,
}

#[derive(Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ResetPasswordRequest {
    /// From the link.
    pub token: String,
    #[schema(min_length = 10, max_length = 128)]
    pub next: String,
}

/// Changes one's own password. All other sessions end, access tokens and open links that the person made too, and this session goes
/// on under a new id.
///
/// A wrong current password counts as a failed login. If accounts at an identity provider still sign the person in, the answer names
/// them.
#[utoipa::path(post, path = "/api/auth/password", tag = "session", request_body = ChangePasswordRequest, responses(
    (status = 200, body = Data<RemainingResponse>, description = "The new password counts; these identities remain"),
    (status = 204, description = "The new password counts")))]
pub(crate) async fn change_password(
    app: AppState,
    InPerson(person): InPerson,
    id: SessionId,
    session: Session,
    checks: PasswordCheck,
    JsonBody(body): JsonBody<ChangePasswordRequest>,
) -> Result<Response, AppError> {
    require_passwords(&app)?;
    check_new(&body.next).map_err(|problem| AppError::invalid("next", problem))?;
    show_again(&app, &session, &checks, &person, body.current).await?;
    let brand = brand_name(&app, person.brand_id).await?;
    let about = [person.email.as_str(), &person.display_name, &brand];
    let hash = new_password(&checks, "next", body.next, &about).await?;
    let (current, device) = (sessions::hash_of(&id.0), checks.from.device().map(device_key));
    let kept = Kept {
        session: &current,
        device: device.as_ref(),
    };
    let mut conn = app.db.conn().await?;
    let recorded = AuditEvent::new(AuditKind::PasswordChanged, Some(person.id), Some(person.id));
    if !User::replace_password(&mut conn, person.id, &hash, Some(kept), recorded).await? {
        return Err(AppError::unauthenticated());
    }
    drop(conn);
    rotate(&session, id).await?;
    remaining(&app, person.id).await
}

/// The person shows once more who they are, because a session may have been stolen.
async fn show_again(
    app: &AppState,
    session: &Session,
    checks: &PasswordCheck,
    person: &Person,
    current: String,
) -> Result<(), AppError> {
    if !proof::has_password(app, person).await? {
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

/// Stores a new password by a one-time link. All other ways in end: sessions, access tokens, and identities that were linked by hand.
///
/// An unknown, used or expired token is answered alike. 409 for a link that a second administrator has to approve. If accounts at an
/// identity provider still sign the person in, the answer names them.
#[utoipa::path(post, path = "/api/auth/password-reset", tag = "session", request_body = ResetPasswordRequest, responses(
    (status = 200, body = Data<RemainingResponse>, description = "The new password counts; these identities remain"),
    (status = 204, description = "The new password counts")))]
pub(crate) async fn reset_password(
    app: AppState,
    checks: PasswordCheck,
    JsonBody(body): JsonBody<ResetPasswordRequest>,
) -> Result<Response, AppError> {
    require_passwords(&app)?;
    check_new(&body.next).map_err(|problem| AppError::invalid("next", problem))?;
    let token = hash_of(&body.token);
    let attempt = link_check::begin(&app, &checks).await?;
    let found = password_resets::find(&*app.db.conn().await?, &token).await;
    let Reset { user, needs_approval } = link_check::end(&app, &checks, attempt, found).await?;
    if needs_approval {
        return Err(AppError::conflict(
            "A second administrator has to approve this link before it opens anything.",
        ));
    }
    let brand = brand_name(&app, user.brand_id.map(BrandId)).await?;
    let about = [user.email.as_str(), &user.display_name, &brand];
    let hash = new_password(&checks, "next", body.next, &about).await?;
    let mut conn = app.db.conn().await?;
    let address = checks.from.address();
    let redeemed = password_resets::redeem(&mut conn, &token, &hash, address).await?;
    let person = redeemed.ok_or_else(link_check::does_not_work)?;
    checks.logins.forget(&conn, &user.email, address).await?;
    drop(conn);
    remaining(&app, person).await
}

/// The name of a person's brand, whose words others would try first; empty without one.
async fn brand_name(app: &AppState, brand: Option<BrandId>) -> Result<String, AppError> {
    let Some(brand) = brand else { return Ok(String::new()) };
    let name = find_brand_name(&*app.db.conn().await?, brand).await?;
    Ok(name.unwrap_or_default())
}

/// The hash of a new password that is good enough. `about` is what others know of the person.
///
/// # Errors
/// 400 for `field`, or 503 if too many passwords are being checked.
pub(crate) async fn new_password(
    checks: &PasswordCheck,
    field: &str,
    password: String,
    about: &[&str],
) -> Result<String, AppError> {
    check_new(&password).map_err(|problem| AppError::invalid(field, problem))?;
    let asker = asker(checks.from.address(), false);
    let about = about.iter().map(|text| (*text).to_owned()).collect();
    let hash = checks.passwords.hash(password, about, asker).await?;
    hash.ok_or_else(|| AppError::invalid(field, EASY_TO_GUESS))
}
