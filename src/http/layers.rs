//! The middleware layers; `http.rs` shows their order.

pub mod authenticate;
pub mod bearer;
pub mod cors;
pub mod envelope;
pub mod forwarded;
pub mod headers;
pub mod observe;
pub mod origin;
pub mod session;
pub mod writes;

use axum::extract::ConnectInfo;
use axum::http::{Extensions, HeaderMap};
use std::net::{IpAddr, SocketAddr};

/// The API paths without a session: ways to sign in.
const OPEN: [&str; 8] = [
    "/api/auth/login",
    "/api/auth/methods",
    "/api/auth/oidc/start",
    "/api/auth/oidc/callback",
    "/api/auth/oidc/backchannel-logout",
    "/api/auth/invitations/look",
    "/api/auth/invitations/accept",
    "/api/auth/password-reset",
];

/// Whether the path needs no session.
pub fn is_open(path: &str) -> bool {
    OPEN.contains(&path) || !is_api(path)
}

pub fn is_api(path: &str) -> bool {
    path == "/api" || path.starts_with("/api/")
}

/// Whether the client used https, to us or to the proxy in front. Only trusted proxies' headers are left: see [`forwarded`].
pub fn is_https(headers: &HeaderMap) -> bool {
    headers
        .get("x-forwarded-proto")
        .and_then(|value| value.to_str().ok())
        .and_then(|value| value.split(',').next())
        .is_some_and(|proto| proto.trim().eq_ignore_ascii_case("https"))
}

/// The peer address of the connection.
pub fn peer(extensions: &Extensions) -> Option<IpAddr> {
    extensions
        .get::<ConnectInfo<SocketAddr>>()
        .map(|ConnectInfo(address)| address.ip().to_canonical())
}
