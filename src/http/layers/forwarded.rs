//! `X-Forwarded-*` counts only from proxies that the operator has listed, because anybody can send it.

use crate::app::AppState;
use crate::config::TrustedProxies;
use crate::http::layers::peer;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName};
use axum::middleware::Next;
use axum::response::Response;
use std::net::IpAddr;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

const FORWARDED: [HeaderName; 2] = [
    HeaderName::from_static("x-forwarded-for"),
    HeaderName::from_static("x-forwarded-proto"),
];

/// The client's address, behind all trusted proxies.
#[derive(Debug, Clone, Copy)]
pub struct ClientAddress(pub Option<IpAddr>);

/// Finds out the client's address and removes the headers of peers that are not trusted.
pub async fn forwarded(State(app): State<AppState>, mut request: Request, next: Next) -> Response {
    let trusted = &app.config.http.trusted_proxies;
    let peer = peer(request.extensions());
    if !peer.is_some_and(|peer| trusted.contain(peer)) {
        let headers = request.headers_mut();
        let found = FORWARDED.iter().filter(|name| headers.remove(*name).is_some()).count();
        if let Some(peer) = peer.filter(|_| found > 0) {
            report(peer);
        }
    }
    let address = peer.map(|peer| client(request.headers(), peer, trusted));
    request.extensions_mut().insert(ClientAddress(address));
    next.run(request).await
}

/// The last entry that no trusted proxy has; each proxy adds its peer at the end.
fn client(headers: &HeaderMap, peer: IpAddr, trusted: &TrustedProxies) -> IpAddr {
    let lines = headers.get_all(&FORWARDED[0]).iter().rev();
    let entries = lines
        .filter_map(|line| line.to_str().ok())
        .flat_map(|line| line.rsplit(','))
        .map_while(|entry| entry.trim().parse::<IpAddr>().ok())
        .map(|address| address.to_canonical());
    let mut nearest = peer;
    for address in entries {
        nearest = address;
        if !trusted.contain(address) {
            break;
        }
    }
    nearest
}

/// Once a minute, because every request may have the header.
fn report(peer: IpAddr) {
    static LAST: AtomicU64 = AtomicU64::new(0);
    let minute = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .map_or(1, |now| now.as_secs() / 60);
    if LAST.swap(minute, Ordering::Relaxed) != minute {
        tracing::warn!("X-Forwarded headers from {peer} are ignored. If that is your proxy: TRUSTED_PROXIES={peer}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_client_is_whom_the_outermost_trusted_proxy_saw() {
        let trusted: TrustedProxies = "127.0.0.1,10.0.0.0/8".parse().expect("a list");
        let seen = |forwarded: &str| {
            let name = FORWARDED[0].clone();
            let headers = HeaderMap::from_iter([(name, forwarded.parse().expect("a value"))]);
            client(&headers, "127.0.0.1".parse().expect("an address"), &trusted).to_string()
        };
        assert_eq!(seen("6.6.6.6, 9.9.9.9"), "9.9.9.9");
        assert_eq!(seen("6.6.6.6, 9.9.9.9, 10.0.0.7"), "9.9.9.9");
        assert_eq!(seen("::ffff:9.9.9.9"), "9.9.9.9");
        assert_eq!(seen("nonsense"), "127.0.0.1");
        assert_eq!(seen("10.0.0.8, 10.0.0.7"), "10.0.0.8");
    }
}
