//! Beginning a session, whatever way the person signed in.

use crate::app::AppState;
use crate::http::error::AppError;
use crate::http::extract::SessionId;
use crate::http::layers::forwarded::ClientAddress;
use crate::http::layers::session::{wants_secure, warn_of_plain_http};
use crate::http::throttle::device_key;
use crate::store::people::audit::{AuditEvent, AuditKind};
use crate::store::people::logins::{Key, devices};
use crate::store::people::sessions::{LOGGED_IN_KEY, METHOD_KEY, OIDC_SID_KEY, SignInMethod, USER_AGENT_KEY, USER_KEY};
use axum::http::header::{COOKIE, SET_COOKIE, USER_AGENT};
use axum::http::{Extensions, HeaderMap};
use plan_model::access::Person;
use plan_model::secret::Secret;
use serde_json::json;
use std::net::IpAddr;
use time::format_description::well_known::Rfc3339;
use time::{Duration, OffsetDateTime};
use tower_sessions::Session;

/// The cookie of a device from which a user has signed in.
const DEVICE_COOKIE: &str = "device";

/// Characters of a `User-Agent` that are kept.
const USER_AGENT_CHARACTERS: usize = 300;

/// Headers and where the connection comes from.
pub(crate) struct Connection(pub HeaderMap, pub Extensions);

impl<S: Send + Sync> axum::extract::FromRequestParts<S> for Connection {
    type Rejection = std::convert::Infallible;

    async fn from_request_parts(parts: &mut axum::http::request::Parts, _: &S) -> Result<Self, Self::Rejection> {
        Ok(Self(parts.headers.clone(), parts.extensions.clone()))
    }
}

impl Connection {
    /// The client's address, as far as trusted proxies tell it.
    pub(crate) fn address(&self) -> Option<IpAddr> {
        self.1.get::<ClientAddress>().and_then(|client| client.0)
    }

    /// The device's cookie, if the browser sent one.
    pub(crate) fn device(&self) -> Option<&str> {
        self.cookie(DEVICE_COOKIE)
    }

    /// Names and values, in the browser's order: the oldest first.
    pub(crate) fn cookies(&self) -> impl Iterator<Item = (&str, &str)> {
        let lines = self.0.get_all(COOKIE).iter().filter_map(|line| line.to_str().ok());
        lines
            .flat_map(|line| line.split(';'))
            .filter_map(|cookie| cookie.trim().split_once('='))
    }

    /// A cookie's value.
    pub(crate) fn cookie(&self, name: &str) -> Option<&str> {
        self.cookies().find(|(found, _)| *found == name).map(|(_, value)| value)
    }

    /// `; Secure`, unless the request came over plain http from this machine.
    pub(crate) fn secure_attribute(&self, app: &AppState) -> &'static str {
        match wants_secure(app.config.session.secure_cookie, &self.0, &self.1) {
            true => "; Secure",
            false => "",
        }
    }

    fn user_agent(&self) -> Option<String> {
        let text = self.0.get(USER_AGENT)?.to_str().ok()?;
        Some(text.chars().take(USER_AGENT_CHARACTERS).collect())
    }
}

/// A person who has shown who they are, and how.
pub(crate) struct SignIn<'a> {
    person: &'a Person,
    method: SignInMethod,
    /// The device, if the account knows it.
    device: Option<Key>,
    oidc_sid: Option<String>,
}

impl<'a> SignIn<'a> {
    pub(crate) fn new(person: &'a Person, method: SignInMethod) -> Self {
        Self {
            person,
            method,
            device: None,
            oidc_sid: None,
        }
    }

    /// The device is known: it gets no new cookie.
    #[must_use]
    pub(crate) fn device(mut self, device: Option<Key>) -> Self {
        self.device = device;
        self
    }

    /// The identity provider's id of the session.
    #[must_use]
    pub(crate) fn oidc_sid(mut self, sid: Option<String>) -> Self {
        self.oidc_sid = sid;
        self
    }

    /// Begins a session under a new id; whatever the browser had before is over. Returns the device's cookie if the device is
    /// new.
    ///
    /// # Errors
    /// 503 if the database fails.
    pub(crate) async fn begin(
        self,
        app: &AppState,
        session: &Session,
        from: &Connection,
    ) -> Result<HeaderMap, AppError> {
        warn_of_plain_http(app.config.session.secure_cookie, &from.0, &from.1);
        session.cycle_id().await?;
        session.clear().await;
        session.insert(USER_KEY, self.person.id).await?;
        let now = app.clock.or_database(app.db.now().await?);
        let at = now.format(&Rfc3339).map_err(AppError::internal)?;
        session.insert(LOGGED_IN_KEY, at).await?;
        session.insert(METHOD_KEY, self.method).await?;
        if let Some(agent) = from.user_agent() {
            session.insert(USER_AGENT_KEY, agent).await?;
        }
        if let Some(sid) = &self.oidc_sid {
            session.insert(OIDC_SID_KEY, sid).await?;
        }
        // Here rather than in the layer, whose failure would be a bare 500.
        session.save().await?;
        let id = Some(self.person.id);
        let event = AuditEvent::new(AuditKind::Login, id, id).detail(json!({ "method": self.method }));
        let conn = app.db.conn().await?;
        event.insert(&conn).await?;
        let mut headers = HeaderMap::new();
        if self.device.is_none() {
            let device = Secret::new().map_err(AppError::internal)?;
            devices::remember(&conn, &device_key(device.expose()), self.person.id).await?;
            let secure = from.secure_attribute(app);
            let life = u64::from(devices::DAYS.unsigned_abs()) * 24 * 3600;
            let device = device.expose();
            let cookie = format!("{DEVICE_COOKIE}={device}; HttpOnly; SameSite=Lax; Path=/; Max-Age={life}{secure}");
            headers.append(SET_COOKIE, cookie.try_into().map_err(AppError::internal)?);
        }
        Ok(headers)
    }
}

/// Removes the device's cookie.
///
/// # Errors
/// Never: the text is a valid header.
pub(crate) fn forget_device(app: &AppState, from: &Connection) -> Result<HeaderMap, AppError> {
    let secure = from.secure_attribute(app);
    let cookie = format!("{DEVICE_COOKIE}=; HttpOnly; SameSite=Lax; Path=/; Max-Age=0{secure}");
    let mut headers = HeaderMap::new();
    headers.append(SET_COOKIE, cookie.try_into().map_err(AppError::internal)?);
    Ok(headers)
}

/// Puts a running session under a new id, keeping what it holds.
///
/// # Errors
/// 503 if the database fails.
pub(crate) async fn rotate(session: &Session, _: SessionId) -> Result<(), AppError> {
    session.cycle_id().await?;
    Ok(session.save().await?)
}

/// How long after signing in a person need not show again who they are.
const RECENT: Duration = Duration::minutes(10);

/// Whether the session's person has signed in a few minutes ago. Asked where no password can be.
///
/// # Errors
/// 503 if the database fails.
pub(crate) async fn is_recent(app: &AppState, session: &Session) -> Result<bool, AppError> {
    let Some(text) = session.get::<String>(LOGGED_IN_KEY).await? else {
        return Ok(false);
    };
    let now = app.clock.or_database(app.db.now().await?);
    Ok(OffsetDateTime::parse(&text, &Rfc3339).is_ok_and(|at| at + RECENT > now))
}
