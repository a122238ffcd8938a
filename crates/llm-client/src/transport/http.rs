//! The HTTP client for the model: reqwest and its pool, one for all calls.

use super::endpoint::Endpoint;
use std::time::Duration;

/// How long a connection is kept for the next call.
const IDLE_TIME: Duration = Duration::from_secs(60);

/// Connections kept for the next calls. Each holds about twenty KiB, and thousands may end in one moment.
const MAX_IDLE: usize = 256;

/// After how long without data the system asks whether the other side is still there.
const KEEPALIVE: Duration = Duration::from_secs(30);
/// How long it waits between two of these questions.
const KEEPALIVE_INTERVAL: Duration = Duration::from_secs(15);
/// How many of them stay unanswered before the connection counts as broken.
const KEEPALIVE_RETRIES: u32 = 3;
/// How long sent data may stay unacknowledged.
#[cfg(target_os = "linux")]
const UNACKNOWLEDGED: Duration = Duration::from_secs(30);

const USER_AGENT: &str = concat!("plan-advisor/", env!("CARGO_PKG_VERSION"));

/// Sends requests without following redirects: the key goes to the configured host and to no other. A proxy of the environment
/// sees nothing of what goes by https, and is asked for nothing else, nor for this machine. With `connect_timeout` for DNS, TCP and TLS together.
/// Fails where `https` is wanted and the system has no CA certificates, which a small image may not have.
pub(crate) fn client(endpoint: &Endpoint, connect_timeout: Duration) -> reqwest::Result<reqwest::Client> {
    // Someone may have chosen a provider already; either will do.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let client = reqwest::Client::builder()
        .user_agent(USER_AGENT)
        .redirect(reqwest::redirect::Policy::none())
        .connect_timeout(connect_timeout)
        .tcp_nodelay(true)
        .tcp_keepalive(KEEPALIVE)
        .tcp_keepalive_interval(KEEPALIVE_INTERVAL)
        .tcp_keepalive_retries(KEEPALIVE_RETRIES)
        .pool_idle_timeout(IDLE_TIME)
        .pool_max_idle_per_host(MAX_IDLE);
    #[cfg(target_os = "linux")]
    let client = client.tcp_user_timeout(UNACKNOWLEDGED);
    // Over plain http no certificate is looked at, so none has to be there.
    let client = if endpoint.is_https {
        client
    } else {
        client.tls_certs_only([])
    };
    let client = if endpoint.is_https && !endpoint.is_loopback {
        client
    } else {
        client.no_proxy()
    };
    client.build()
}
