//! Signing in with a password, and out.

pub(crate) mod invitations;
pub(crate) mod link_check;
pub(crate) mod methods;
pub(crate) mod oidc;
pub(crate) mod password;
pub(crate) mod password_check;
pub(crate) mod proof;
pub(crate) mod remaining;
pub(crate) mod sign_in;

use crate::app::AppState;
use crate::http::error::AppError;
use crate::http::extract::ValidJson;
use crate::http::layers::authenticate::ImpersonationOver;
use crate::http::wire::{Data, data};
use crate::store::people::audit::{AuditEvent, AuditKind};
use crate::store::people::password_resets::{self, Redeemed};
use crate::store::people::sessions::{IMPERSONATION_KEY, METHOD_KEY, SignInMethod};
use crate::store::people::users::User;
use axum::Extension;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use password_check::{Accepted, PasswordCheck};
use plan_model::access::{Caller, Impersonation, Person};
use plan_model::error::ErrorCode;
use remaining::{RemainingResponse, remaining};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sign_in::SignIn;
use time::OffsetDateTime;
use tower_sessions::Session;
use validator::Validate;

#[derive(Deserialize, Validate, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"email": "sam@demo.test", "password": "demo-password-1"}))]
pub(crate) struct LoginRequest {
    #[validate(length(min = 1, max = 254, message = "must have 1 to 254 characters"))]
    #[schema(min_length = 1, max_length = 254)]
    pub email: String,
    #[validate(length(min = 1, max = 256, message = "must have 1 to 256 characters"))]
    #[schema(min_length = 1, max_length = 256)]
    pub password: String,
}

/// Who is logged in, and in whose name they act.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct MeResponse {
    pub user: Person,
    pub effective_user: Person,
    /// `null` unless an administrator acts for a franchisee.
    pub impersonation: Option<Impersonation>,
    /// That the password was lately chosen by a link which an administrator had made. For 30 days.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub password_reset: Option<PasswordResetNotice>,
}

/// That a one-time link was used to choose the person's password.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PasswordResetNotice {
    #[serde(with = "time::serde::rfc3339")]
    pub at: OffsetDateTime,
    /// The name of who had made the link; `null` for the operator's command line.
    pub issued_by: Option<String>,
}

impl From<Caller> for MeResponse {
    fn from(caller: Caller) -> Self {
        Self {
            user: caller.actor,
            effective_user: caller.effective,
            impersonation: caller.impersonation,
            password_reset: None,
        }
    }
}

/// Logs in and sets the session cookie.
///
/// A wrong pair is answered the same, and as late, whether or not the e-mail is known. Repeated failures are throttled.
#[utoipa::path(post, path = "/api/auth/login", tag = "session", request_body = LoginRequest,
    responses((status = 200, body = Data<Person>)))]
pub(crate) async fn log_in(
    app: AppState,
    session: Session,
    checks: PasswordCheck,
    ValidJson(body): ValidJson<LoginRequest>,
) -> Result<(HeaderMap, Data<Person>), AppError> {
    methods::require_passwords(&app)?;
    let accepted = checks.check(body.email.trim(), body.password).await?;
    let outcome = if accepted.is_some() { "accepted" } else { "refused" };
    metrics::counter!("plan_advisor_logins_total", "outcome" => outcome).increment(1);
    let Some(Accepted { person, device }) = accepted else {
        return Err(AppError::new(
            ErrorCode::Unauthenticated,
            "The e-mail address or the password is wrong.",
        ));
    };
    let headers = SignIn::new(&person, SignInMethod::Password)
        .device(device)
        .begin(&app, &session, &checks.from)
        .await?;
    Ok((headers, data(person)))
}

/// Where the browser goes to sign out at the identity provider, too.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub(crate) struct SignOutPage {
    pub url: String,
}

/// Ends this session on the server.
///
/// If it began with single sign-on and the identity provider has a page for signing out, the answer names it.
#[utoipa::path(post, path = "/api/auth/logout", tag = "session", responses(
    (status = 200, body = Data<SignOutPage>, description = "The session is gone; the identity provider's still lasts"),
    (status = 204, description = "The session is gone")))]
pub(crate) async fn log_out(app: AppState, caller: Caller, session: Session) -> Result<Response, AppError> {
    let method: Option<SignInMethod> = session.get(METHOD_KEY).await?;
    session.flush().await?;
    AuditEvent::by(AuditKind::Logout, &caller)
        .insert(&*app.db.conn().await?)
        .await?;
    let page = match &app.oidc {
        Some(provider) if method == Some(SignInMethod::Oidc) => provider.logout_url().await,
        _ => None,
    };
    Ok(match page {
        Some(url) => data(SignOutPage { url }).into_response(),
        None => StatusCode::NO_CONTENT.into_response(),
    })
}

/// Ends every session of this person, on all devices, forgets those devices, and ends access tokens and open links that the
/// person made.
///
/// If accounts at an identity provider still sign the person in, the answer names them.
#[utoipa::path(post, path = "/api/auth/logout-everywhere", tag = "session", responses(
    (status = 200, body = Data<RemainingResponse>, description = "All of it is gone; these identities remain"),
    (status = 204, description = "All of it is gone")))]
pub(crate) async fn log_out_everywhere(app: AppState, caller: Caller, session: Session) -> Result<Response, AppError> {
    let recorded = AuditEvent::by(AuditKind::LogoutEverywhere, &caller);
    User::sign_out_everywhere(&mut *app.db.conn().await?, caller.actor.id, recorded).await?;
    session.flush().await?;
    remaining(&app, caller.actor.id).await
}

/// The logged-in user, and the user they act for.
#[utoipa::path(get, path = "/api/auth/me", tag = "session", responses((status = 200, body = Data<MeResponse>)))]
pub(crate) async fn get_me(
    app: AppState,
    caller: Caller,
    over: Option<Extension<ImpersonationOver>>,
    session: Session,
) -> Result<Data<MeResponse>, AppError> {
    // Whoever reads the answer knows whose rights the session has from now on.
    if over.is_some() && session.remove::<Value>(IMPERSONATION_KEY).await?.is_some() {
        session.save().await?;
        AuditEvent::by(AuditKind::ImpersonationEnded, &caller)
            .insert(&*app.db.conn().await?)
            .await?;
    }
    let mut me: MeResponse = caller.into();
    if me.impersonation.is_none() {
        let last = password_resets::last_redeemed(&*app.db.conn().await?, me.user.id).await?;
        me.password_reset = last.map(|Redeemed { at, issued_by }| PasswordResetNotice { at, issued_by });
    }
    Ok(data(me))
}
