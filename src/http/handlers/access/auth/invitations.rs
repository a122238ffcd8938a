//! Opening an account with an invitation's link.

use super::link_check;
use super::methods::{password_required, require_passwords};
use super::password::new_password;
use super::password_check::PasswordCheck;
use super::sign_in::SignIn;
use crate::app::AppState;
use crate::http::error::AppError;
use crate::http::extract::JsonBody;
use crate::http::wire::{Data, data};
use crate::store::people::invitations::Invitation;
use crate::store::people::sessions::SignInMethod;
use axum::http::{HeaderMap, StatusCode};
use plan_model::access::{Person, UserRole};
use plan_model::clean;
use plan_model::secret::hash_of;
use serde::{Deserialize, Serialize};
use time::OffsetDateTime;
use tower_sessions::Session;

#[derive(Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct LookAtInvitationRequest {
    /// From the link.
    pub token: String,
}

#[derive(Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schema(example = json!({"token": "Yc0…", "displayName": "Ann Lee", "password": "correct horse battery"}))]
pub(crate) struct AcceptInvitationRequest {
    /// From the link.
    pub token: String,
    /// How the advisor addresses the person.
    #[schema(min_length = 1, max_length = 100)]
    pub display_name: String,
    /// May be left out where people sign in by single sign-on.
    #[schema(min_length = 10, max_length = 128)]
    pub password: Option<String>,
}

/// What an invitation opens.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct OpenInvitationResponse {
    pub email: String,
    pub role: UserRole,
    pub brand_name: Option<String>,
    #[serde(with = "time::serde::rfc3339")]
    pub expires_at: OffsetDateTime,
    pub password_required: bool,
}

/// Shows an invitation before it is accepted.
///
/// A POST, so that the token is in no URL and no log. An unknown, used or expired token is answered alike.
#[utoipa::path(post, path = "/api/auth/invitations/look", tag = "session", request_body = LookAtInvitationRequest,
    responses((status = 200, body = Data<OpenInvitationResponse>)))]
pub(crate) async fn look_at_invitation(
    app: AppState,
    checks: PasswordCheck,
    JsonBody(body): JsonBody<LookAtInvitationRequest>,
) -> Result<Data<OpenInvitationResponse>, AppError> {
    let invitation = find(&app, &checks, &body.token).await?;
    Ok(data(OpenInvitationResponse {
        email: invitation.email,
        role: invitation.role.0,
        brand_name: invitation.brand_name,
        expires_at: invitation.expires_at,
        password_required: password_required(&app),
    }))
}

/// Opens the account and begins a session. Works once.
///
/// 404 where passwords are not used: there the person signs in at the identity provider, and the invitation is accepted by
/// the address.
#[utoipa::path(post, path = "/api/auth/invitations/accept", tag = "session", request_body = AcceptInvitationRequest,
    responses((status = 201, body = Data<Person>)))]
pub(crate) async fn accept_invitation(
    app: AppState,
    session: Session,
    checks: PasswordCheck,
    JsonBody(body): JsonBody<AcceptInvitationRequest>,
) -> Result<(StatusCode, HeaderMap, Data<Person>), AppError> {
    require_passwords(&app)?;
    let Some(name) = clean::person_name(&body.display_name) else {
        return Err(AppError::invalid("displayName", "must have 1 to 100 characters"));
    };
    if body.password.is_none() && password_required(&app) {
        return Err(AppError::invalid("password", "is required"));
    }
    let invitation = find(&app, &checks, &body.token).await?;
    let hash = match body.password {
        Some(password) => Some({
            let brand = invitation.brand_name.as_deref().unwrap_or_default();
            new_password(&checks, "password", password, &[&invitation.email, &name, brand]).await?
        }),
        None => None,
    };
    let mut conn = app.db.conn().await?;
    let user = Invitation::accept(&mut conn, &hash_of(&body.token), &name, hash.as_deref()).await?;
    drop(conn);
    let person = user.ok_or_else(link_check::does_not_work)?.person();
    let headers = SignIn::new(&person, SignInMethod::Invitation)
        .begin(&app, &session, &checks.from)
        .await?;
    Ok((StatusCode::CREATED, headers, data(person)))
}

async fn find(app: &AppState, checks: &PasswordCheck, token: &str) -> Result<Invitation, AppError> {
    let attempt = link_check::begin(app, checks).await?;
    let found = Invitation::find_open(&*app.db.conn().await?, &hash_of(token)).await;
    link_check::end(app, checks, attempt, found).await
}
