//! Logging in and out.

use super::error::AppError;
use super::extract::{SessionId, ValidJson};
use super::layers::client_address;
use super::throttle::{Logins, Try};
use super::wire::{Data, data};
use crate::app::AppState;
use crate::model::access::{Caller, Impersonation, Person};
use crate::model::error::ErrorCode;
use crate::model::ids::UserId;
use crate::password::{Passwords, Verdict};
use crate::store::StoreResult;
use crate::store::audit::AuditEvent;
use crate::store::sessions::{self, LOGGED_IN_KEY, USER_KEY};
use crate::store::users::User;
use axum::Extension;
use axum::http::{Extensions, HeaderMap, StatusCode};
use serde::{Deserialize, Serialize};
use time::format_description::well_known::Rfc3339;
use tower_sessions::Session;
use validator::Validate;

#[derive(Deserialize, Validate, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"email": "sam@demo.test", "password": "demo-password-1"}))]
pub struct LoginRequest {
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
pub struct MeResponse {
    pub user: Person,
    pub effective_user: Person,
    /// `null` unless an administrator acts for a franchisee.
    pub impersonation: Option<Impersonation>,
}

impl From<Caller> for MeResponse {
    fn from(caller: Caller) -> Self {
        Self {
            user: caller.actor,
            effective_user: caller.effective,
            impersonation: caller.impersonation,
        }
    }
}

/// Logs in and sets the session cookie.
///
/// A wrong pair is answered the same, and as late, whether or not the e-mail is known. Repeated failures are throttled.
#[utoipa::path(post, path = "/api/auth/login", tag = "session", security(()), request_body = LoginRequest,
    responses((status = 200, body = Data<Person>)))]
pub async fn log_in(
    app: AppState,
    session: Session,
    Extension(passwords): Extension<Passwords>,
    Extension(logins): Extension<Logins>,
    Connection(headers, extensions): Connection,
    ValidJson(body): ValidJson<LoginRequest>,
) -> Result<Data<Person>, AppError> {
    let attempt = logins
        .begin(&body.email, client_address(&headers, &extensions))
        .map_err(too_many)?;
    let person = check(&app, &passwords, attempt, body).await?;
    open_session(&app, &session, &person).await?;
    AuditEvent::new("login", Some(person.id), Some(person.id))
        .insert(&*app.db.conn().await?)
        .await?;
    Ok(data(person))
}

/// Ends this session on the server.
#[utoipa::path(post, path = "/api/auth/logout", tag = "session", responses((status = 204, description = "The session is gone")))]
pub async fn log_out(app: AppState, caller: Caller, session: Session) -> Result<StatusCode, AppError> {
    session.flush().await?;
    AuditEvent::by("logout", &caller).insert(&*app.db.conn().await?).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Ends every session of this person, on all devices.
#[utoipa::path(post, path = "/api/auth/logout-everywhere", tag = "session", responses((status = 204, description = "All sessions are gone")))]
pub async fn log_out_everywhere(app: AppState, caller: Caller, session: Session) -> Result<StatusCode, AppError> {
    {
        let conn = app.db.conn().await?;
        sessions::delete_all_of(&conn, caller.actor.id).await?;
        AuditEvent::by("logout_everywhere", &caller).insert(&conn).await?;
    }
    session.flush().await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Tells who is logged in, and in whose name they act.
#[utoipa::path(get, path = "/api/auth/me", tag = "session", responses((status = 200, body = Data<MeResponse>)))]
pub async fn get_me(caller: Caller) -> Data<MeResponse> {
    data(caller.into())
}

/// Headers and where the connection comes from.
pub struct Connection(pub HeaderMap, pub Extensions);

impl<S: Send + Sync> axum::extract::FromRequestParts<S> for Connection {
    type Rejection = std::convert::Infallible;

    async fn from_request_parts(parts: &mut axum::http::request::Parts, _: &S) -> Result<Self, Self::Rejection> {
        Ok(Self(parts.headers.clone(), parts.extensions.clone()))
    }
}

fn too_many(seconds: u64) -> AppError {
    AppError::new(ErrorCode::RateLimited, "Too many failed logins. Try again later.").retry_after(seconds)
}

/// The person, if the pair is right. Every way to be wrong takes the same steps.
async fn check(app: &AppState, passwords: &Passwords, attempt: Try, body: LoginRequest) -> Result<Person, AppError> {
    let (is_open, (user, stored)) = match begin(app, body.email.trim()).await {
        Ok((is_open, found)) => (is_open, found.unzip()),
        Err(error) => {
            attempt.forget();
            return Err(error.into());
        }
    };
    let verdict = match passwords.verify(body.password, stored).await {
        Ok(verdict) => verdict,
        Err(error) => {
            attempt.forget();
            if let Some(user) = user.filter(|_| is_open) {
                User::forget_login(&*app.db.conn().await?, UserId(user.id)).await?;
            }
            return Err(error.into());
        }
    };
    let conn = app.db.conn().await?;
    // An account that failed too often is answered as if the password were wrong, right or not.
    let Some(user) = user.filter(|_| is_open && verdict != Verdict::Wrong) else {
        metrics::counter!("plan_advisor_logins_total", "outcome" => "refused").increment(1);
        AuditEvent::new("login_failed", None, None).insert(&conn).await?;
        return Err(AppError::new(
            ErrorCode::Unauthenticated,
            "The e-mail address or the password is wrong.",
        ));
    };
    attempt.succeeded();
    User::forgive_login(&conn, UserId(user.id)).await?;
    metrics::counter!("plan_advisor_logins_total", "outcome" => "accepted").increment(1);
    let person = user.person();
    if let Verdict::RightButWeak(hash) = verdict {
        User::set_password_hash(&conn, person.id, &hash).await?;
    }
    Ok(person)
}

/// Whether the account may be tried, and the account; the same two statements for one that is not there.
async fn begin(app: &AppState, email: &str) -> StoreResult<(bool, Option<(User, String)>)> {
    let conn = app.db.conn().await?;
    futures_util::try_join!(User::begin_login(&conn, email), User::find_for_login(&conn, email))
}

/// Begins a session under a new id; whatever the browser had before is over.
async fn open_session(app: &AppState, session: &Session, person: &Person) -> Result<(), AppError> {
    session.cycle_id().await?;
    session.clear().await;
    session.insert(USER_KEY, person.id).await?;
    let now = app.clock.or_told(app.db.now().await?);
    session
        .insert(LOGGED_IN_KEY, now.format(&Rfc3339).map_err(AppError::internal)?)
        .await?;
    // Here rather than in the layer, whose failure would be a bare 500.
    Ok(session.save().await?)
}

/// Puts a running session under a new id, keeping what it holds.
pub async fn rotate(session: &Session, _: SessionId) -> Result<(), AppError> {
    session.cycle_id().await?;
    Ok(session.save().await?)
}
