//! The session cookie. Its name and `Secure` attribute depend on the request's scheme, so there are two session layers and
//! each request uses one of them.

use crate::config::{SecureCookie, SessionConfig};
use crate::http::error::AppError;
use crate::http::layers::{bearer, is_https, peer};
use crate::http::policy::Policy;
use crate::store::Db;
use crate::store::people::sessions::PgSessions;
use axum::extract::Request;
use axum::http::{Extensions, HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use futures_util::future::BoxFuture;
use std::convert::Infallible;
use std::task::{Context, Poll};
use time::Duration;
use tower::{Layer, Service, ServiceExt};
use tower_sessions::cookie::SameSite;
use tower_sessions::{Expiry, SessionManagerLayer};

/// The cookie over https. The `__Host-` prefix prevents other hosts and plain http from setting it.
pub const SECURE_NAME: &str = "__Host-session";
/// The cookie over plain http on the same machine.
pub const PLAIN_NAME: &str = "session";

/// A removal must have the same attributes as the cookie, or browsers ignore it.
const ATTRIBUTES: &str = "; Secure; HttpOnly; SameSite=Lax";

type Manager = SessionManagerLayer<PgSessions>;

/// Provides `tower_sessions::Session`; the lookup is lazy.
#[derive(Clone)]
pub struct SessionLayer {
    secure: Manager,
    plain: Manager,
    policy: SecureCookie,
}

/// Idle lifetime.
pub fn idle_time(config: &SessionConfig) -> Duration {
    Duration::minutes(config.idle_minutes)
}

impl SessionLayer {
    pub fn new(db: Db, config: &SessionConfig) -> Self {
        let manager = |name: &'static str, secure: bool| {
            SessionManagerLayer::new(PgSessions(db.clone()))
                .with_name(name)
                .with_secure(secure)
                .with_http_only(true)
                .with_same_site(SameSite::Lax)
                .with_path("/")
                .with_expiry(Expiry::OnInactivity(idle_time(config)))
        };
        Self {
            secure: manager(SECURE_NAME, true),
            plain: manager(PLAIN_NAME, false),
            policy: config.secure_cookie,
        }
    }
}

impl<S: Clone> Layer<S> for SessionLayer {
    type Service = SessionService<<Manager as Layer<S>>::Service>;

    fn layer(&self, inner: S) -> Self::Service {
        SessionService {
            secure: self.secure.layer(inner.clone()),
            plain: self.plain.layer(inner),
            policy: self.policy,
        }
    }
}

/// See [`SessionLayer`].
#[derive(Clone)]
pub struct SessionService<M> {
    secure: M,
    plain: M,
    policy: SecureCookie,
}

impl<M> Service<Request> for SessionService<M>
where
    M: Service<Request, Response = Response, Error = Infallible> + Clone + Send + 'static,
    M::Future: Send + 'static,
{
    type Response = Response;
    type Error = Infallible;
    type Future = BoxFuture<'static, Result<Response, Infallible>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, mut request: Request) -> Self::Future {
        // A program's request neither uses nor changes a session, whatever cookies it sends.
        if Policy::of(request.extensions()).needs_caller() && bearer::is_presented(request.headers()) {
            request.headers_mut().remove(header::COOKIE);
        }
        if wants_secure(self.policy, request.headers(), request.extensions()) {
            let manager = self.secure.clone();
            Box::pin(async move { Ok(order(harden(excuse(manager.oneshot(request).await?)))) })
        } else {
            let manager = self.plain.clone();
            Box::pin(async move { Ok(order(excuse(manager.oneshot(request).await?))) })
        }
    }
}

/// Whether cookies of this request's answer are `Secure`.
pub fn wants_secure(policy: SecureCookie, headers: &HeaderMap, extensions: &Extensions) -> bool {
    match policy {
        SecureCookie::On => true,
        SecureCookie::Off => false,
        SecureCookie::Auto => is_https(headers) || !peer(extensions).is_some_and(|ip| ip.is_loopback()),
    }
}

/// Says once that browsers will not keep the cookie of a sign-in: nothing else in the log would tell why it leads back to the form.
pub fn warn_of_plain_http(policy: SecureCookie, headers: &HeaderMap, extensions: &Extensions) {
    static SAID: std::sync::Once = std::sync::Once::new();
    if policy == SecureCookie::Auto && wants_secure(policy, headers, extensions) && !is_https(headers) {
        SAID.call_once(|| {
            tracing::warn!(
                "A sign-in over plain http from another machine: browsers do not keep its cookie. Use https; a proxy must send \
                 X-Forwarded-Proto; on a trusted network without TLS set SESSION_SECURE_COOKIE=off"
            );
        });
    }
}

/// If the session cannot be saved, tower-sessions discards the response and answers a bare 500. The cause is an unavailable
/// database, so this becomes a retryable 503; our own failures have a body.
fn excuse(response: Response) -> Response {
    let is_bare = !response.headers().contains_key(header::CONTENT_TYPE);
    if response.status() == StatusCode::INTERNAL_SERVER_ERROR && is_bare {
        return AppError::unavailable().into_response();
    }
    response
}

/// The session's cookie comes first, because simple clients take the first one only.
fn order(mut response: Response) -> Response {
    let is_session = |cookie: &HeaderValue| {
        let bytes = cookie.as_bytes();
        bytes.starts_with(SECURE_NAME.as_bytes()) || bytes.starts_with(PLAIN_NAME.as_bytes())
    };
    let headers = response.headers_mut();
    let cookies: Vec<_> = headers.get_all(header::SET_COOKIE).iter().cloned().collect();
    if cookies.len() > 1 {
        headers.remove(header::SET_COOKIE);
        let (first, rest): (Vec<_>, Vec<_>) = cookies.into_iter().partition(is_session);
        for cookie in first.into_iter().chain(rest) {
            headers.append(header::SET_COOKIE, cookie);
        }
    }
    response
}

fn harden(mut response: Response) -> Response {
    if let header::Entry::Occupied(mut cookies) = response.headers_mut().entry(header::SET_COOKIE) {
        for cookie in cookies.iter_mut() {
            let Ok(text) = cookie.to_str() else { continue };
            if text.starts_with(SECURE_NAME) && !text.contains("; Secure") {
                *cookie = HeaderValue::from_str(&format!("{text}{ATTRIBUTES}")).unwrap_or_else(|_| cookie.clone());
            }
        }
    }
    response
}
