//! TLS to PostgreSQL. Unix sockets and `sslmode=disable` are not encrypted.
//!
//! tokio-postgres knows only `disable`, `prefer` and `require`, and refuses URLs with libpq's `verify-ca`, `verify-full` and
//! `sslrootcert`, which cloud consoles hand out. Those are rewritten: `require` here already verifies chain and name by the
//! system's trust store, which is at least as strict.

use rustls::ClientConfig;
use rustls_platform_verifier::BuilderVerifierExt;
use std::sync::Arc;
use tokio_postgres::config::{Host, SslMode};
use tokio_postgres_rustls::MakeRustlsConnect;

/// Why a database URL cannot be used. Never contains the URL, which has a password.
#[derive(Debug, thiserror::Error)]
pub(crate) enum TlsError {
    /// It does not parse.
    #[error("this is not a PostgreSQL URL")]
    Url(#[source] tokio_postgres::Error),
    /// The system has no CA certificates.
    #[error("the system's CA certificates cannot be used for the database (package ca-certificates?)")]
    Verifier(#[source] rustls::Error),
}

/// Makes TLS sessions.
pub(super) type Tls = MakeRustlsConnect;

/// A URL's settings, and TLS unless it is for sockets or says `sslmode=disable`.
///
/// # Errors
/// If the URL does not parse or the system has no CA certificates.
pub(super) fn for_url(url: &str) -> Result<(tokio_postgres::Config, Option<Tls>), TlsError> {
    let config: tokio_postgres::Config = rewrite(url).parse().map_err(TlsError::Url)?;
    let on_network = config.get_hosts().iter().any(|host| match host {
        Host::Tcp(name) => !matches!(name.as_str(), "localhost" | "127.0.0.1" | "::1"),
        #[cfg(unix)]
        Host::Unix(_) => false,
    });
    let asked = config.get_ssl_mode() == SslMode::Require;
    if config.get_ssl_mode() == SslMode::Disable || !(on_network || asked) {
        return Ok((config, None));
    }
    let tls = ClientConfig::builder_with_provider(Arc::new(rustls::crypto::ring::default_provider()))
        .with_safe_default_protocol_versions()
        .map_err(TlsError::Verifier)?
        .with_platform_verifier()
        .map_err(TlsError::Verifier)?
        .with_no_client_auth();
    Ok((config, Some(MakeRustlsConnect::new(tls))))
}

/// libpq's stricter modes become `require`; `sslrootcert` and `channel_binding` are dropped.
fn rewrite(url: &str) -> String {
    let Some((head, query)) = url.split_once('?') else {
        return url.to_owned();
    };
    let kept: Vec<String> = query
        .split('&')
        .filter(|part| !part.starts_with("sslrootcert=") && !part.starts_with("channel_binding="))
        .map(|part| match part {
            "sslmode=verify-ca" | "sslmode=verify-full" => "sslmode=require".to_owned(),
            other => other.to_owned(),
        })
        .collect();
    if kept.is_empty() {
        head.to_owned()
    } else {
        format!("{head}?{}", kept.join("&"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cloud_urls_are_understood_and_sockets_stay_plain() {
        assert_eq!(
            rewrite("postgres://u@h/d?sslmode=verify-full&sslrootcert=x.pem"),
            "postgres://u@h/d?sslmode=require"
        );
        assert_eq!(rewrite("postgres://u@h/d?sslrootcert=x.pem"), "postgres://u@h/d");
        assert!(
            for_url("postgresql://postgres@%2Frun%2Fpg/postgres")
                .expect("parses")
                .1
                .is_none()
        );
        assert!(
            for_url("postgres://u@db.example/d?sslmode=disable")
                .expect("parses")
                .1
                .is_none()
        );
        assert!(for_url("not a url at all").is_err());
    }
}
