//! `X-Forwarded-*` counts only from proxies that the operator has listed, because anybody can send it.

use crate::app::AppState;
use crate::config::TrustedProxies;
use crate::http::layers::peer;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName};
use axum::middleware::Next;
use axum::response::Response;
use std::net::{IpAddr, SocketAddr};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

const FORWARDED: [HeaderName; 2] = [
    HeaderName::from_static("x-forwarded-for"),
    HeaderName::from_static("x-forwarded-proto"),
];

/// The client's address, behind all trusted proxies. `None` where a proxy named none that can be read: a client that could hide
/// behind the proxy's own address would share it with everybody.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ClientAddress(pub Option<IpAddr>);

/// Finds out the client's address and removes the headers of peers that are not trusted.
pub(crate) async fn forwarded(State(app): State<AppState>, mut request: Request, next: Next) -> Response {
    let trusted = &app.config.http.trusted_proxies;
    let peer = peer(request.extensions());
    if !peer.is_some_and(|peer| trusted.contain(peer)) {
        let headers = request.headers_mut();
        let found = FORWARDED.iter().filter(|name| headers.remove(*name).is_some()).count();
        if let Some(peer) = peer.filter(|_| found > 0) {
            report(peer);
        }
    }
    let address = peer.and_then(|peer| client(request.headers(), peer, trusted));
    request.extensions_mut().insert(ClientAddress(address));
    next.run(request).await
}

/// The last entry that no trusted proxy has; each proxy adds its peer at the end.
fn client(headers: &HeaderMap, peer: IpAddr, trusted: &TrustedProxies) -> Option<IpAddr> {
    let lines = headers.get_all(&FORWARDED[0]);
    if lines.iter().next().is_none() {
        return Some(peer);
    }
    // Bytes, because the client's part of a line may be anything. Lists may have empty entries (RFC 9110, 5.6.1).
    let entries = lines
        .iter()
        .rev()
        .flat_map(|line| line.as_bytes().rsplit(|byte| *byte == b','));
    let mut nearest = None;
    for entry in entries.map(<[u8]>::trim_ascii).filter(|entry| !entry.is_empty()) {
        let address = address_of(entry)?;
        nearest = Some(address);
        if !trusted.contain(address) {
            break;
        }
    }
    nearest
}

/// An address as proxies write it: with a port or without, IPv6 in brackets or without.
fn address_of(entry: &[u8]) -> Option<IpAddr> {
    let text = std::str::from_utf8(entry).ok()?;
    let bare = text
        .strip_prefix('[')
        .and_then(|rest| rest.strip_suffix(']'))
        .unwrap_or(text);
    let parsed = bare
        .parse()
        .or_else(|_| text.parse::<SocketAddr>().map(|with_port| with_port.ip()));
    parsed.ok().map(|address: IpAddr| address.to_canonical())
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
    use axum::http::HeaderValue;

    #[test]
    fn the_client_is_whom_the_outermost_trusted_proxy_saw() {
        let trusted: TrustedProxies = "127.0.0.1,10.0.0.0/8".parse().expect("a list");
        let lines = |lines: &[&[u8]]| {
            let mut headers = HeaderMap::new();
            for line in lines {
                headers.append(FORWARDED[0].clone(), HeaderValue::from_bytes(line).expect("a value"));
            }
            let found = client(&headers, "127.0.0.1".parse().expect("an address"), &trusted);
            found.map_or_else(|| "unknown".to_owned(), |address| address.to_string())
        };
        let seen = |line: &str| lines(&[line.as_bytes()]);
        assert_eq!(seen("6.6.6.6, 9.9.9.9"), "9.9.9.9");
        assert_eq!(seen("6.6.6.6, 9.9.9.9, 10.0.0.7"), "9.9.9.9");
        assert_eq!(seen("::ffff:9.9.9.9"), "9.9.9.9");
        assert_eq!(seen("10.0.0.8, 10.0.0.7"), "10.0.0.8");
        assert_eq!(lines(&[]), "127.0.0.1", "no proxy spoke");
        // What the client sent before does not hide what the proxy saw.
        assert_eq!(lines(&[b"\xff, 9.9.9.9"]), "9.9.9.9");
        assert_eq!(lines(&[b"\xff\xfe", b"9.9.9.9"]), "9.9.9.9");
        assert_eq!(lines(&[b"6.6.6.6 \xe9", b"9.9.9.9", b"10.0.0.7"]), "9.9.9.9");
        for (written, address) in [
            ("9.9.9.9:443", "9.9.9.9"),
            ("9.9.9.9,", "9.9.9.9"),
            ("9.9.9.9 , ,", "9.9.9.9"),
            ("[2001:db8::1]", "2001:db8::1"),
            ("[2001:db8::1]:8080", "2001:db8::1"),
            ("2001:db8::1", "2001:db8::1"),
            ("[::ffff:9.9.9.9]:1", "9.9.9.9"),
        ] {
            assert_eq!(seen(written), address, "{written}");
        }
        // The proxy's own address would be everybody's.
        for unreadable in ["nonsense", "unknown", "9.9.9.9, _hidden", "9.9.9.9, 10.0.0", "", ","] {
            assert_eq!(seen(unreadable), "unknown", "{unreadable}");
        }
        assert_eq!(lines(&[b"9.9.9.9, \xff"]), "unknown");
        assert_eq!(seen("nonsense, 10.0.0.7"), "unknown");
    }
}
