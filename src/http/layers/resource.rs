//! Where assistants reach the plans: the address of the endpoint, and the names under which it answers.

use crate::app::Demo;
use crate::config::{Config, HttpConfig, SecureCookie};
use crate::http::layers::is_https;
use axum::http::{HeaderMap, Uri, header};
use std::net::IpAddr;

/// The endpoint of the Model Context Protocol.
pub(crate) const PATH: &str = "/mcp";

/// The endpoint as this client reaches it; its audience in tokens of the identity provider.
pub(crate) fn address(config: &Config, headers: &HeaderMap) -> String {
    format!("{}{PATH}", base(config, headers))
}

/// Metadata that a 401 names to a client (RFC 9728).
pub(crate) fn metadata_address(config: &Config, headers: &HeaderMap) -> String {
    format!("{}/.well-known/oauth-protected-resource{PATH}", base(config, headers))
}

fn base(config: &Config, headers: &HeaderMap) -> String {
    if let Some(url) = &config.http.public_url {
        return url.clone();
    }
    let host = headers.get(header::HOST).and_then(|host| host.to_str().ok());
    let host = host.and_then(|host| host.parse::<http::uri::Authority>().ok());
    let is_secure = is_https(headers) || config.session.secure_cookie == SecureCookie::On;
    let scheme = if is_secure { "https" } else { "http" };
    format!("{scheme}://{}", host.as_ref().map_or("localhost", |host| host.as_str()))
}

/// Whether the endpoint answers under this host name: this machine's, that of `PUBLIC_URL` or of `ALLOWED_ORIGINS`, or an
/// address. A page elsewhere whose name is made to lead here has none of them (DNS rebinding).
pub(crate) fn answers_as(config: &HttpConfig, host: &str) -> bool {
    let bare = host.trim_start_matches('[').trim_end_matches(']');
    let origins = config.allowed_origins.iter();
    let origins = origins.filter_map(|origin| Some(origin.trim().parse::<Uri>().ok()?.host()?.to_owned()));
    bare.parse::<IpAddr>().is_ok() || Demo::new(origins.collect(), config.public_url.as_deref()).answers_as(host)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_endpoint_answers_under_names_that_the_operator_has_said_and_no_others() {
        let mut config = Config::for_testing("postgresql://nowhere");
        let names = [
            "localhost",
            "127.0.0.1",
            "[::1]",
            "10.1.2.3",
            "plans.example",
            "app.example",
            "evil.example",
        ];
        let answered = |config: &Config| names.map(|name| answers_as(&config.http, name));
        assert_eq!(answered(&config), [true, true, true, true, false, false, false]);
        config.http.public_url = Some("https://Plans.example:8443/app".into());
        config.http.allowed_origins = vec!["https://app.example".into(), "*".into()];
        assert_eq!(answered(&config), [true, true, true, true, true, true, false]);
    }

    #[test]
    fn the_address_is_the_public_one_or_the_one_that_was_asked() {
        let mut config = Config::for_testing("postgresql://nowhere");
        let asked = |config: &Config, host: &str| {
            let headers = [(header::HOST, host.parse().expect("a value"))].into_iter().collect();
            metadata_address(config, &headers)
        };
        let rest = "/.well-known/oauth-protected-resource/mcp";
        assert_eq!(asked(&config, "127.0.0.1:3000"), format!("http://127.0.0.1:3000{rest}"));
        assert_eq!(asked(&config, "a\"b"), format!("http://localhost{rest}"));
        config.http.public_url = Some("https://plans.example/app".into());
        assert_eq!(
            asked(&config, "127.0.0.1:3000"),
            format!("https://plans.example/app{rest}")
        );
    }
}
