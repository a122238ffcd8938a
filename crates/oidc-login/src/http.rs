//! Requests to the provider: no redirects, 5 seconds, answers of at most 1 MiB, nothing over plain http to other machines.

use super::error::{SsoError, SsoResult, failed, unavailable};
use http::header::{ACCEPT, AUTHORIZATION};
use http::{HeaderValue, Method};
use openidconnect::{AsyncHttpClient, HttpRequest, HttpResponse};
use serde_json::{Map, Value};
use std::pin::Pin;
use std::time::Duration;

const TIMEOUT: Duration = Duration::from_secs(5);
const CONNECT_TIMEOUT: Duration = Duration::from_secs(3);
const MAX_ANSWER: usize = 1024 * 1024;

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
pub enum HttpError {
    #[error("it would be asked over plain http")]
    Exposed,
    #[error("it does not answer within {} s", TIMEOUT.as_secs())]
    Timeout,
    #[error("it cannot be reached")]
    Unreachable,
    #[error("its answer broke off")]
    Broken,
    #[error("it answers with more than {} KiB", MAX_ANSWER / 1024)]
    TooLarge,
    #[error("it answers {0}")]
    Status(u16),
    #[error("the request cannot be sent")]
    Request,
}

/// The HTTP client for one provider.
#[derive(Debug)]
pub struct Gateway(reqwest::Client);

impl Gateway {
    pub fn new(issuer: &str) -> SsoResult<Self> {
        // Someone may have chosen a provider already; either will do.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let mut http = reqwest::Client::builder()
            .user_agent(concat!("plan-advisor/", env!("CARGO_PKG_VERSION")))
            .redirect(reqwest::redirect::Policy::none())
            .no_proxy()
            .referer(false)
            .timeout(TIMEOUT)
            .connect_timeout(CONNECT_TIMEOUT)
            .tcp_nodelay(true)
            .pool_idle_timeout(Duration::from_secs(30));
        if issuer.starts_with("http://") {
            // No need for CA certificates, which a small image may not have.
            http = http.tls_certs_only([]);
        }
        let http = http.build();
        Ok(Self(http.map_err(|_| {
            unavailable("no HTTP client: are CA certificates installed?")
        })?))
    }

    /// What the provider says about the owner of an access token.
    pub async fn get_userinfo(&self, url: &str, access_token: &str) -> SsoResult<Map<String, Value>> {
        let mut bearer = HeaderValue::from_str(&format!("Bearer {access_token}"))
            .map_err(|_| failed("the access token is not one"))?;
        bearer.set_sensitive(true);
        let request = http::Request::builder()
            .method(Method::GET)
            .uri(url)
            .header(ACCEPT, "application/json")
            .header(AUTHORIZATION, bearer)
            .body(Vec::new())
            .map_err(|_| failed("the userinfo endpoint is no URL"))?;
        let answer = self
            .send(request)
            .await
            .map_err(|error| of("userinfo endpoint", &error))?;
        if !answer.status().is_success() {
            return Err(failed(format!(
                "the userinfo endpoint answers {}",
                answer.status().as_u16()
            )));
        }
        serde_json::from_slice(answer.body()).map_err(|_| failed("the userinfo endpoint's answer is no JSON object"))
    }

    async fn send(&self, mut request: HttpRequest) -> Result<HttpResponse, HttpError> {
        if !may_be_asked(request.uri()) {
            return Err(HttpError::Exposed);
        }
        // Kept out of logs at every level.
        if let Some(secret) = request.headers_mut().get_mut(AUTHORIZATION) {
            secret.set_sensitive(true);
        }
        let request = reqwest::Request::try_from(request).map_err(|_| HttpError::Request)?;
        let mut answer = self.0.execute(request).await.map_err(|error| sent(&error))?;
        if answer.status().is_server_error() {
            return Err(HttpError::Status(answer.status().as_u16()));
        }
        let mut body = Vec::new();
        while let Some(chunk) = answer.chunk().await.map_err(|error| sent(&error))? {
            if body.len() + chunk.len() > MAX_ANSWER {
                return Err(HttpError::TooLarge);
            }
            body.extend_from_slice(&chunk);
        }
        let mut whole = HttpResponse::new(body);
        *whole.status_mut() = answer.status();
        *whole.headers_mut() = answer.headers().clone();
        Ok(whole)
    }
}

impl<'c> AsyncHttpClient<'c> for Gateway {
    type Error = HttpError;
    type Future = Pin<Box<dyn Future<Output = Result<HttpResponse, HttpError>> + Send + 'c>>;

    fn call(&'c self, request: HttpRequest) -> Self::Future {
        Box::pin(self.send(request))
    }
}

/// The failure of a request to a part of the provider.
pub fn of(part: &str, error: &HttpError) -> SsoError {
    unavailable(format!("the provider's {part}: {error}"))
}

fn sent(error: &reqwest::Error) -> HttpError {
    match () {
        () if error.is_timeout() => HttpError::Timeout,
        () if error.is_connect() => HttpError::Unreachable,
        () => HttpError::Broken,
    }
}

/// https, or this machine.
pub fn may_be_asked(uri: &http::Uri) -> bool {
    let host = uri.host().unwrap_or_default();
    let address = host.trim_matches(['[', ']']).parse::<std::net::IpAddr>();
    match uri.scheme_str() {
        Some("https") => !host.is_empty(),
        Some("http") => host == "localhost" || address.is_ok_and(|address| address.is_loopback()),
        _ => false,
    }
}
