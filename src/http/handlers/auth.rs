//! Logging in and out.

use crate::app::AppState;
use crate::http::error::AppError;
use crate::http::extract::{SessionId, ValidJson};
use crate::http::layers::authenticate::ImpersonationOver;
use crate::http::layers::forwarded::ClientAddress;
use crate::http::layers::session::wants_secure;
use crate::http::throttle::{Logins, device_key};
use crate::http::wire::{Data, data};
use crate::model::access::{Caller, Impersonation, Person};
use crate::model::error::ErrorCode;
use crate::model::ids::UserId;
use crate::password::{Passwords, Verdict};
use crate::store::audit::{AuditEvent, AuditKind};
use crate::store::logins::devices;
use crate::store::sessions;
use crate::store::sessions::{IMPERSONATION_KEY, LOGGED_IN_KEY, USER_KEY};
use crate::store::users::User;
use axum::Extension;
use axum::http::header::{COOKIE, SET_COOKIE};
use axum::http::{Extensions, HeaderMap, StatusCode};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::net::IpAddr;
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

/// The cookie of a device from which a user has logged in.
const DEVICE_COOKIE: &str = "device";

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
    from: Connection,
    ValidJson(body): ValidJson<LoginRequest>,
) -> Result<(HeaderMap, Data<Person>), AppError> {
    let Accepted { person, device } = check(&app, &passwords, &logins, &from, body).await?;
    open_session(&app, &session, &person).await?;
    AuditEvent::new(AuditKind::Login, Some(person.id), Some(person.id))
        .insert(&*app.db.conn().await?)
        .await?;
    let mut headers = HeaderMap::new();
    if let Some(device) = device {
        let secure = match wants_secure(app.config.session.secure_cookie, &from.0, &from.1) {
            true => "; Secure",
            false => "",
        };
        let life = u64::from(devices::DAYS.unsigned_abs()) * 24 * 3600;
        let cookie = format!("{DEVICE_COOKIE}={device}; HttpOnly; SameSite=Lax; Path=/; Max-Age={life}{secure}");
        headers.append(SET_COOKIE, cookie.try_into().map_err(AppError::internal)?);
    }
    Ok((headers, data(person)))
}

/// Ends this session on the server.
#[utoipa::path(post, path = "/api/auth/logout", tag = "session", responses((status = 204, description = "The session is gone")))]
pub async fn log_out(app: AppState, caller: Caller, session: Session) -> Result<StatusCode, AppError> {
    session.flush().await?;
    AuditEvent::by(AuditKind::Logout, &caller)
        .insert(&*app.db.conn().await?)
        .await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Ends every session of this person, on all devices, and forgets those devices.
#[utoipa::path(post, path = "/api/auth/logout-everywhere", tag = "session", responses((status = 204, description = "All sessions are gone")))]
pub async fn log_out_everywhere(app: AppState, caller: Caller, session: Session) -> Result<StatusCode, AppError> {
    {
        let conn = app.db.conn().await?;
        sessions::delete_all_of(&conn, caller.actor.id).await?;
        devices::forget_all(&conn, caller.actor.id).await?;
        AuditEvent::by(AuditKind::LogoutEverywhere, &caller)
            .insert(&conn)
            .await?;
    }
    session.flush().await?;
    Ok(StatusCode::NO_CONTENT)
}

/// The logged-in user, and the user they act for.
#[utoipa::path(get, path = "/api/auth/me", tag = "session", responses((status = 200, body = Data<MeResponse>)))]
pub async fn get_me(
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
    Ok(data(caller.into()))
}

/// Headers and where the connection comes from.
pub struct Connection(pub HeaderMap, pub Extensions);

impl<S: Send + Sync> axum::extract::FromRequestParts<S> for Connection {
    type Rejection = std::convert::Infallible;

    async fn from_request_parts(parts: &mut axum::http::request::Parts, _: &S) -> Result<Self, Self::Rejection> {
        Ok(Self(parts.headers.clone(), parts.extensions.clone()))
    }
}

impl Connection {
    fn address(&self) -> Option<IpAddr> {
        self.1.get::<ClientAddress>().and_then(|client| client.0)
    }

    fn device(&self) -> Option<&str> {
        let lines = self.0.get_all(COOKIE).iter().filter_map(|line| line.to_str().ok());
        let mut cookies = lines
            .flat_map(|line| line.split(';'))
            .filter_map(|cookie| cookie.trim().split_once('='));
        cookies.find(|(name, _)| *name == DEVICE_COOKIE).map(|(_, value)| value)
    }
}

fn too_many(seconds: u64) -> AppError {
    metrics::counter!("plan_advisor_logins_total", "outcome" => "limited").increment(1);
    AppError::new(ErrorCode::RateLimited, "Too many failed logins. Try again later.").retry_after(seconds)
}

/// Who has logged in, and the cookie of the device if it is a new one.
struct Accepted {
    person: Person,
    device: Option<String>,
}

/// The person, if the pair is right. Every way to be wrong takes the same steps.
async fn check(
    app: &AppState,
    passwords: &Passwords,
    logins: &Logins,
    from: &Connection,
    body: LoginRequest,
) -> Result<Accepted, AppError> {
    let (email, address) = (body.email.trim(), from.address());
    let device = from.device().map(device_key);
    if device.is_none() {
        logins.precheck(address).map_err(too_many)?;
    }
    let (attempt, device, user, stored) = {
        let conn = app.db.conn().await?;
        let (user, stored) = User::find_for_login(&conn, email).await?.unzip();
        let device = match (device, &user) {
            (Some(device), Some(user)) if devices::knows(&conn, &device, UserId(user.id)).await? => Some(device),
            _ => None,
        };
        if device.is_none() {
            logins.precheck(address).map_err(too_many)?;
        }
        let attempt = logins.begin(&conn, email, address, device.as_ref()).await?;
        (attempt.map_err(too_many)?, device, user, stored)
    };
    let verdict = match passwords.verify(body.password, stored).await {
        Ok(verdict) => verdict,
        Err(error) => {
            attempt.take_back(&*app.db.conn().await?).await?;
            return Err(error.into());
        }
    };
    tokio::time::sleep(attempt.delay).await;
    let conn = app.db.conn().await?;
    let user_id = user.as_ref().map(|user| UserId(user.id));
    let Some(user) = user.filter(|_| verdict != Verdict::Wrong) else {
        metrics::counter!("plan_advisor_logins_total", "outcome" => "refused").increment(1);
        AuditEvent::new(AuditKind::LoginFailed, None, user_id)
            .detail(json!({ "address": address }))
            .insert(&conn)
            .await?;
        return Err(AppError::new(
            ErrorCode::Unauthenticated,
            "The e-mail address or the password is wrong.",
        ));
    };
    attempt.succeeded(&conn).await?;
    metrics::counter!("plan_advisor_logins_total", "outcome" => "accepted").increment(1);
    let person = user.person();
    if let Verdict::RightButWeak(hash) = verdict {
        User::set_password_hash(&conn, person.id, &hash).await?;
    }
    if device.is_some() {
        return Ok(Accepted { person, device: None });
    }
    let cookie = new_device()?;
    devices::remember(&conn, &device_key(&cookie), person.id).await?;
    Ok(Accepted {
        person,
        device: Some(cookie),
    })
}

/// A new device's cookie: 256 random bits.
fn new_device() -> Result<String, AppError> {
    let random: [u8; 32] = ring::rand::generate(&ring::rand::SystemRandom::new())
        .map_err(|_| AppError::internal(std::io::Error::other("no random numbers")))?
        .expose();
    Ok(random
        .iter()
        .fold(String::new(), |text, byte| format!("{text}{byte:02x}")))
}

/// Begins a session under a new id; whatever the browser had before is over.
async fn open_session(app: &AppState, session: &Session, person: &Person) -> Result<(), AppError> {
    session.cycle_id().await?;
    session.clear().await;
    session.insert(USER_KEY, person.id).await?;
    let now = app.clock.or_database(app.db.now().await?);
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
