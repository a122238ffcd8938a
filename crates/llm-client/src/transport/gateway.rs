//! The HTTP service under async-openai: sends, retries until the answer has begun, sorts every refusal into our own error.
//!
//! async-openai makes the request (address, headers); the body is put in here, see [`crate::api`]. Its own reader of the
//! answer is not used: it knows neither CR line ends nor `[DONE]` from the end of the body, feeds an unbounded channel, ties
//! one event to one item and reports a cut answer as a whole one. So the answer is taken here, and async-openai is handed an
//! empty one.

use super::{
    http::{HttpClient, SendError},
    opened::Opened,
    raw::RawLog,
    retry::{self, RetryBudget},
};
use crate::{ApiKind, LlmError, StatusReason, error_body::ErrorBody};
use async_openai::{error::OpenAIError, middleware::HttpRequestFactory};
use bytes::Bytes;
use futures_util::StreamExt;
use http::{Response, header};
use http_body_util::BodyExt;
use hyper::body::Incoming;
use std::{
    error::Error,
    future::Future,
    io,
    pin::Pin,
    sync::{Arc, Mutex, PoisonError},
    task::{Context, Poll},
    time::Duration,
};
use time::OffsetDateTime;
use tokio::time::{Instant, timeout, timeout_at};

/// Bytes read of an error body; enough to find out what it is about.
const MAX_ERROR_BYTES: usize = 64 * 1024;
/// How long the body of a refusal is waited for; its status is known already.
const ERROR_BODY_WAIT: Duration = Duration::from_secs(2);

/// A refusal, with the body that says which parameter it is about. The body goes nowhere else.
#[derive(Debug, thiserror::Error)]
#[error("{error}")]
pub struct Refused {
    #[source]
    pub error: LlmError,
    pub body: String,
}

impl From<LlmError> for Refused {
    fn from(error: LlmError) -> Self {
        Self {
            error,
            body: String::new(),
        }
    }
}

/// One call: the service async-openai sends it through.
#[derive(Clone)]
pub struct Gateway {
    pub http: HttpClient,
    pub budget: Arc<RetryBudget>,
    pub raw: RawLog,
    pub api: ApiKind,
    /// The request's body, written already.
    pub body: Bytes,
    /// When the first piece of the answer must have come.
    pub deadline: Instant,
    pub timeout: Duration,
    /// Tries after the first.
    pub retries: u32,
    /// Where the answer is put.
    pub opened: Arc<Mutex<Option<Opened>>>,
}

impl tower::Service<HttpRequestFactory> for Gateway {
    type Response = reqwest::Response;
    type Error = OpenAIError;
    type Future = Pin<Box<dyn Future<Output = Result<reqwest::Response, OpenAIError>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), OpenAIError>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: HttpRequestFactory) -> Self::Future {
        let gateway = self.clone();
        Box::pin(async move {
            let opened = gateway
                .open(&request)
                .await
                .map_err(|refused| OpenAIError::Boxed(Box::new(refused)))?;
            *gateway.opened.lock().unwrap_or_else(PoisonError::into_inner) = Some(opened);
            Ok(http::Response::new(reqwest::Body::default()).into())
        })
    }
}

impl Gateway {
    /// Tries until an answer begins, the error is final, or time or budget is up.
    async fn open(&self, request: &HttpRequestFactory) -> Result<Opened, Refused> {
        let mut attempt = 0;
        loop {
            let tried = timeout_at(self.deadline, self.attempt(request)).await;
            let refused = match tried {
                Ok(Ok(opened)) => return Ok(opened),
                Ok(Err(refused)) => refused,
                Err(_) => return Err(LlmError::FirstToken(self.timeout).into()),
            };
            let asked = match refused.error {
                LlmError::Status { retry_after, .. } => retry_after,
                _ => None,
            };
            let remaining = self.deadline.saturating_duration_since(Instant::now());
            let pause = retry::pause(attempt, asked, remaining, retry::dice());
            let may_retry = refused.error.is_transient() && attempt < self.retries;
            match pause.filter(|_| may_retry && self.budget.spend()) {
                Some(pause) => tokio::time::sleep(pause).await,
                None => return Err(refused),
            }
            attempt += 1;
            tracing::debug!(
                llm.attempt = attempt,
                llm.error = refused.error.class(),
                "Asking the model again"
            );
        }
    }

    /// One try: sends, and reads until the answer has begun.
    async fn attempt(&self, request: &HttpRequestFactory) -> Result<Opened, Refused> {
        let request = request
            .build()
            .await
            .map_err(|_| LlmError::Request("address or body"))?;
        self.raw.sent(&self.body);
        let response = self.http.send(request, self.body.clone()).await.map_err(send_error)?;
        if !response.status().is_success() {
            return Err(self.refusal(response).await);
        }
        check_head(response.headers())?;
        let mut opened = Opened::new(response, self.raw.clone(), self.api);
        while !opened.has_begun() && !opened.is_over() && !opened.reader().is_done() {
            opened.read().await;
        }
        opened.begun_or_failed().map_err(Refused::from)
    }

    async fn refusal(&self, response: Response<Incoming>) -> Refused {
        let status = response.status().as_u16();
        let header = response
            .headers()
            .get(header::RETRY_AFTER)
            .and_then(|value| value.to_str().ok());
        let retry_after = header.and_then(|value| retry::retry_after(value, OffsetDateTime::now_utc()));
        let mut body = Vec::new();
        let mut pieces = response.into_body().into_data_stream();
        let read = async {
            while let Some(Ok(bytes)) = pieces.next().await
                && body.len() < MAX_ERROR_BYTES
            {
                body.extend_from_slice(&bytes);
            }
        };
        // What has come by then has to do.
        let _ = timeout(ERROR_BODY_WAIT, read).await;
        body.truncate(MAX_ERROR_BYTES);
        self.raw.received(&body);
        let body = String::from_utf8_lossy(&body).into_owned();
        let reason = refusal_reason(status, &body);
        Refused {
            error: LlmError::Status {
                status,
                reason,
                retry_after,
            },
            body,
        }
    }
}

/// What the status says, sharpened by what the body says.
fn refusal_reason(status: u16, body: &str) -> StatusReason {
    let said = ErrorBody::read(body).reason;
    let by_status = StatusReason::of_status(status);
    match (by_status, said) {
        (StatusReason::RateLimited | StatusReason::Forbidden, Some(StatusReason::Quota)) => StatusReason::Quota,
        (StatusReason::BadRequest, Some(StatusReason::ContextLength)) => StatusReason::ContextLength,
        _ => by_status,
    }
}

fn send_error(error: SendError) -> LlmError {
    let error = match error {
        SendError::Address => return LlmError::Request("address or body"),
        SendError::Http(error) => error,
    };
    if !error.is_connect() {
        return LlmError::Connection(error.into());
    }
    let is_timeout = |kind| kind == io::ErrorKind::TimedOut;
    let is_refused = |kind| kind == io::ErrorKind::ConnectionRefused;
    let kind = match () {
        () if caused_by(&error, <dyn Error + 'static>::is::<rustls::Error>) => "tls",
        () if caused_by(&error, |cause| io_kind(cause).is_some_and(is_timeout)) => "timeout",
        () if caused_by(&error, |cause| io_kind(cause).is_some_and(is_refused)) => "refused",
        () => "network",
    };
    LlmError::Connect {
        kind,
        source: error.into(),
    }
}

fn io_kind(cause: &(dyn Error + 'static)) -> Option<io::ErrorKind> {
    cause.downcast_ref::<io::Error>().map(io::Error::kind)
}

fn caused_by(error: &(dyn Error + 'static), is: impl Fn(&(dyn Error + 'static)) -> bool) -> bool {
    let mut cause = Some(error);
    while let Some(current) = cause {
        let inside = current.downcast_ref::<io::Error>().and_then(io::Error::get_ref);
        if is(current) || inside.is_some_and(|inside| is(inside)) {
            return true;
        }
        cause = inside.map_or_else(|| current.source(), |inside| Some(inside));
    }
    false
}

/// Refuses what cannot be an answer before reading it.
fn check_head(headers: &http::HeaderMap) -> Result<(), LlmError> {
    let text = |name| {
        headers
            .get(name)
            .and_then(|value| value.to_str().ok())
            .unwrap_or_default()
            .to_ascii_lowercase()
    };
    if !matches!(text(header::CONTENT_ENCODING).as_str(), "" | "identity") {
        return Err(LlmError::NotAStream("compressed"));
    }
    let content_type = text(header::CONTENT_TYPE);
    if content_type.starts_with("text/html") {
        return Err(LlmError::NotAStream("HTML"));
    }
    let is_binary = ["image/", "audio/", "video/", "multipart/"]
        .iter()
        .any(|kind| content_type.starts_with(kind));
    if is_binary {
        Err(LlmError::NotAStream("binary"))
    } else {
        Ok(())
    }
}
