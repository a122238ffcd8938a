//! Requests to the provider: no redirects, 5 seconds, answers of at most 1 MiB, nothing over plain http to other machines.

use super::error::{SsoResult, unavailable};
use reqwest::header::{ACCEPT, CONTENT_TYPE};
use reqwest::{RequestBuilder, StatusCode, Url};
use std::error::Error;
use std::time::Duration;

const TIMEOUT: Duration = Duration::from_secs(5);
const CONNECT_TIMEOUT: Duration = Duration::from_secs(3);
const MAX_ANSWER: usize = 1024 * 1024;

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
pub(crate) enum HttpError {
    #[error("it would be asked over plain http")]
    Exposed,
    #[error("it does not answer within {} s", TIMEOUT.as_secs())]
    Timeout,
    #[error("it cannot be reached")]
    Unreachable,
    #[error("its certificate {0}")]
    Certificate(&'static str),
    #[error("no TLS connection can be made with it")]
    Tls,
    #[error("its answer broke off")]
    Broken,
    #[error("it answers with more than {} KiB", MAX_ANSWER / 1024)]
    TooLarge,
    #[error("it answers {0}")]
    Status(u16),
}

/// What came back, with any status below 500.
pub(crate) struct Received {
    pub status: StatusCode,
    /// Of the header, without parameters, in lower case.
    pub content_type: String,
    pub body: Vec<u8>,
}

/// The HTTP client for one provider.
#[derive(Debug)]
pub(crate) struct Gateway(reqwest::Client);

impl Gateway {
    pub(crate) fn new(issuer: &str) -> SsoResult<Self> {
        // Someone may have chosen a provider already; either will do.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let mut http = reqwest::Client::builder()
            .user_agent(concat!("plan-advisor/", env!("CARGO_PKG_VERSION")))
            .redirect(reqwest::redirect::Policy::none())
            .referer(false)
            .timeout(TIMEOUT)
            .connect_timeout(CONNECT_TIMEOUT)
            .tcp_nodelay(true)
            .pool_idle_timeout(Duration::from_secs(30));
        if Url::parse(issuer).is_ok_and(|issuer| is_this_machine(&issuer)) {
            // No proxy leads to it.
            http = http.no_proxy();
        }
        if issuer.starts_with("http://") {
            // No CA certificates are needed, which a small image may not have.
            http = http.tls_certs_only([]);
        }
        let http = http.build();
        Ok(Self(http.map_err(|_| {
            unavailable("no HTTP client: are CA certificates installed?")
        })?))
    }

    pub(crate) fn get(&self, url: &Url) -> RequestBuilder {
        self.0.get(url.clone()).header(ACCEPT, "application/json")
    }

    pub(crate) fn post(&self, url: &Url) -> RequestBuilder {
        self.0.post(url.clone()).header(ACCEPT, "application/json")
    }
}

/// Sends a request to a part of the provider, which is named in errors.
pub(crate) async fn send(part: &str, request: RequestBuilder) -> SsoResult<Received> {
    let answer = answer(request).await;
    answer.map_err(|error| unavailable(format!("the provider's {part}: {error}")))
}

async fn answer(request: RequestBuilder) -> Result<Received, HttpError> {
    let (client, request) = request.build_split();
    let request = request.map_err(|error| sent(&error))?;
    if !may_be_asked(request.url()) {
        return Err(HttpError::Exposed);
    }
    let mut answer = client.execute(request).await.map_err(|error| sent(&error))?;
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
    let content_type = answer.headers().get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
    let kind = content_type.and_then(|kind| kind.split(';').next()).unwrap_or_default();
    Ok(Received {
        status: answer.status(),
        content_type: kind.trim().to_ascii_lowercase(),
        body,
    })
}

fn sent(error: &reqwest::Error) -> HttpError {
    if let Some(error) = tls_error(error) {
        return match error {
            rustls::Error::InvalidCertificate(problem) => HttpError::Certificate(certificate_problem(problem)),
            _ => HttpError::Tls,
        };
    }
    match () {
        () if error.is_timeout() => HttpError::Timeout,
        () if error.is_connect() => HttpError::Unreachable,
        () => HttpError::Broken,
    }
}

/// The cause of a failed handshake. An `io::Error` hides what it holds from `source`.
fn tls_error<'e>(error: &'e (dyn Error + 'static)) -> Option<&'e rustls::Error> {
    let mut next = Some(error);
    while let Some(error) = next {
        if let Some(found) = error.downcast_ref::<rustls::Error>() {
            return Some(found);
        }
        next = match error.downcast_ref::<std::io::Error>().and_then(std::io::Error::get_ref) {
            Some(inner) => Some(inner as &(dyn Error + 'static)),
            None => error.source(),
        };
    }
    None
}

fn certificate_problem(problem: &rustls::CertificateError) -> &'static str {
    use rustls::CertificateError as Problem;
    match problem {
        Problem::UnknownIssuer => {
            "is not trusted: no known CA has signed it (SSL_CERT_FILE names a file with the CA's certificate)"
        }
        Problem::Expired | Problem::ExpiredContext { .. } => "is not trusted: it has expired",
        Problem::NotValidYet | Problem::NotValidYetContext { .. } => "is not trusted: it is not valid yet",
        Problem::NotValidForName | Problem::NotValidForNameContext { .. } => "is not trusted: it is for another host",
        Problem::Revoked => "is not trusted: it was revoked",
        _ => "is not trusted",
    }
}

/// https, or this machine.
pub(crate) fn may_be_asked(url: &Url) -> bool {
    match url.scheme() {
        "https" => url.host_str().is_some_and(|host| !host.is_empty()),
        "http" => is_this_machine(url),
        _ => false,
    }
}

fn is_this_machine(url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default();
    let address = host.trim_matches(['[', ']']).parse::<std::net::IpAddr>();
    host == "localhost" || address.is_ok_and(|address| address.is_loopback())
}
