//! What every request passes on its way in and every answer on its way out. `http.rs` shows the order.

pub mod authenticate;
pub mod cors;
pub mod envelope;
pub mod headers;
pub mod observe;
pub mod origin;
pub mod session;

use axum::extract::ConnectInfo;
use axum::http::{Extensions, HeaderMap};
use std::net::{IpAddr, SocketAddr};

/// Whether the client spoke https to us or to a proxy in front of us.
#[must_use]
pub fn is_https(headers: &HeaderMap) -> bool {
    headers
        .get("x-forwarded-proto")
        .and_then(|value| value.to_str().ok())
        .and_then(|value| value.split(',').next())
        .is_some_and(|proto| proto.trim().eq_ignore_ascii_case("https"))
}

/// Whose connection this is.
#[must_use]
pub fn peer(extensions: &Extensions) -> Option<IpAddr> {
    extensions
        .get::<ConnectInfo<SocketAddr>>()
        .map(|ConnectInfo(address)| address.ip().to_canonical())
}

/// The client's address. A proxy's word is taken only where the connection comes from our own network: anybody can write
/// the header, and the last entry is the one that the nearest proxy saw with its own eyes.
#[must_use]
pub fn client_address(headers: &HeaderMap, extensions: &Extensions) -> Option<IpAddr> {
    let peer = peer(extensions)?;
    if !is_ours(peer) {
        return Some(peer);
    }
    let forwarded = headers
        .get_all("x-forwarded-for")
        .iter()
        .next_back()
        .and_then(|value| value.to_str().ok());
    forwarded
        .and_then(|value| value.rsplit(',').next()?.trim().parse().ok())
        .or(Some(peer))
}

fn is_ours(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(v4) => v4.is_loopback() || v4.is_private(),
        IpAddr::V6(v6) => v6.is_loopback() || v6.is_unique_local(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_proxys_word_counts_only_from_our_own_network() {
        let seen = |peer: &str, forwarded: &str| {
            let mut extensions = Extensions::new();
            extensions.insert(ConnectInfo(SocketAddr::new(peer.parse().expect("an address"), 1)));
            let headers = HeaderMap::from_iter([(
                "x-forwarded-for".parse().expect("a name"),
                forwarded.parse().expect("a value"),
            )]);
            client_address(&headers, &extensions).expect("an address").to_string()
        };
        assert_eq!(seen("127.0.0.1", "6.6.6.6, 9.9.9.9"), "9.9.9.9");
        assert_eq!(seen("::ffff:10.0.0.1", "9.9.9.9"), "9.9.9.9");
        assert_eq!(seen("8.8.8.8", "9.9.9.9"), "8.8.8.8");
        assert_eq!(seen("127.0.0.1", "nonsense"), "127.0.0.1");
    }
}
