//! One's own account: how one signs in, and where one is signed in.

use crate::app::AppState;
use crate::http::error::AppError;
use crate::http::extract::{InPerson, SessionId};
use crate::http::handlers::access::auth::methods::{OidcMethod, oidc_method};
use crate::http::handlers::access::auth::remaining::{IdentityResponse, identities_of};
use crate::http::layers::resource;
use crate::http::layers::session::idle_time;
use crate::http::wire::{Data, data};
use crate::store::people::audit::{AuditEvent, AuditKind};
use crate::store::people::sessions::own::OwnSession;
use crate::store::people::sessions::{SignInMethod, hash_of, own};
use crate::store::people::users::User;
use axum::extract::RawPathParams;
use axum::http::{HeaderMap, StatusCode};
use plan_model::access::Person;
use serde::Serialize;
use std::fmt::Write;
use time::{Duration, OffsetDateTime};
use tower_sessions::Session;

/// How a person signs in.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct AccountResponse {
    pub user: Person,
    pub has_password: bool,
    /// Accounts at identity providers that the person signs in with.
    pub identities: Vec<IdentityResponse>,
    /// Single sign-on, if it is configured.
    pub oidc: Option<OidcMethod>,
    /// Where the person's own assistants ask; `null` where they may not.
    #[schema(example = "https://plans.example.com/mcp")]
    pub mcp: Option<String>,
    #[serde(with = "time::serde::rfc3339")]
    pub created_at: OffsetDateTime,
}

/// A browser in which the person is signed in.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SessionResponse {
    pub id: String,
    #[serde(with = "time::serde::rfc3339")]
    pub started_at: OffsetDateTime,
    /// To five minutes.
    #[serde(with = "time::serde::rfc3339")]
    pub last_used_at: OffsetDateTime,
    /// Without use until then.
    #[serde(with = "time::serde::rfc3339")]
    pub expires_at: OffsetDateTime,
    /// As the browser named itself.
    pub user_agent: Option<String>,
    #[schema(value_type = String, example = "password")]
    pub method: SignInMethod,
    /// Whether it is the one of this request.
    pub current: bool,
}

/// The person's account.
#[utoipa::path(get, path = "/api/me/account", tag = "session", responses((status = 200, body = Data<AccountResponse>)))]
pub(crate) async fn get_account(
    app: AppState,
    InPerson(person): InPerson,
    headers: HeaderMap,
) -> Result<Data<AccountResponse>, AppError> {
    let conn = app.db.conn().await?;
    let account = User::account(&conn, person.id).await?;
    let (created_at, has_password) = account.ok_or_else(AppError::unauthenticated)?;
    let identities = identities_of(&app, &conn, person.id).await?;
    Ok(data(AccountResponse {
        user: person,
        has_password,
        identities,
        oidc: oidc_method(&app),
        mcp: app.config.http.mcp.then(|| resource::address(&app.config, &headers)),
        created_at,
    }))
}

/// The browsers in which the person is signed in, newest first.
#[utoipa::path(get, path = "/api/me/sessions", tag = "session", responses((status = 200, body = Data<Vec<SessionResponse>>)))]
pub(crate) async fn list_sessions(
    app: AppState,
    InPerson(person): InPerson,
    current: SessionId,
) -> Result<Data<Vec<SessionResponse>>, AppError> {
    let conn = app.db.conn().await?;
    let (found, now) = futures_util::try_join!(own::list(&conn, person.id), app.db.now())?;
    let now = app.clock.or_database(now);
    let current = hash_of(&current.0);
    let config = &app.config.session;
    let (idle, absolute) = (idle_time(config), Duration::hours(config.absolute_hours));
    let show = |session: OwnSession| SessionResponse {
        id: hex(&session.id),
        started_at: session.started_at,
        last_used_at: (session.expires_at - idle).max(session.started_at),
        expires_at: session.expires_at.min(session.started_at + absolute),
        user_agent: session.user_agent,
        method: session.method,
        current: session.id == current,
    };
    let sessions = found.into_iter().map(show);
    Ok(data(sessions.filter(|session| session.expires_at > now).collect()))
}

/// Signs out of one browser.
#[utoipa::path(delete, path = "/api/me/sessions/{id}", tag = "session", params(("id" = String, Path, description = "As the list gives it")),
    responses((status = 204, description = "The session is gone")))]
pub(crate) async fn revoke_session(
    app: AppState,
    InPerson(person): InPerson,
    current: SessionId,
    session: Session,
    params: RawPathParams,
) -> Result<StatusCode, AppError> {
    let asked = params.iter().last().map_or("", |(_, id)| id);
    let conn = app.db.conn().await?;
    let key = unhex(asked).ok_or_else(|| AppError::not_found("The session"))?;
    if !own::delete(&conn, person.id, &key).await? {
        return Err(AppError::not_found("The session"));
    }
    AuditEvent::new(AuditKind::SessionRevoked, Some(person.id), Some(person.id))
        .insert(&conn)
        .await?;
    drop(conn);
    if key == hash_of(&current.0) {
        session.flush().await?;
    }
    Ok(StatusCode::NO_CONTENT)
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

fn unhex(text: &str) -> Option<Vec<u8>> {
    let digits: Option<Vec<u8>> = text
        .chars()
        .map(|c| c.to_digit(16).and_then(|digit| u8::try_from(digit).ok()))
        .collect();
    Some(
        digits?
            .chunks(2)
            .map(|pair| pair.iter().fold(0, |byte, digit| byte << 4 | digit))
            .collect(),
    )
}
