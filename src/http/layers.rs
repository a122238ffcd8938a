//! The middleware layers; `http.rs` shows their order.

pub(crate) mod authenticate;
pub(crate) mod bearer;
pub(crate) mod cors;
pub(crate) mod envelope;
pub(crate) mod forwarded;
pub(crate) mod headers;
pub(crate) mod host;
pub(crate) mod observe;
pub(crate) mod origin;
pub(crate) mod reads;
pub(crate) mod resource;
pub mod session;
pub(crate) mod signed;
pub(crate) mod writes;

use axum::extract::ConnectInfo;
use axum::http::{Extensions, HeaderMap};
use std::net::{IpAddr, SocketAddr};

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
