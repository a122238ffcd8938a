//! The client for OpenAI and every server that speaks its chat completions.

use super::{
    Completion, Llm, LlmError, LlmEvent, LlmRequest, LlmSettings, LlmSettingsError, LlmStream,
    adapt::{Adaptations, Dialect},
    body::body,
    breaker::{Breaker, Permit},
    error::StatusReason,
    gateway::{Gateway, Refused},
    opened::Opened,
    raw::RawLog,
    retry::RetryBudget,
    settings::Endpoint,
};
use async_openai::{Client, config::Config, error::OpenAIError};
use bytes::Bytes;
use futures_util::{StreamExt, stream};
use serde::de::IgnoredAny;
use std::{
    fmt,
    pin::Pin,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};
use tokio::time::{Instant, Sleep, sleep_until, timeout};

/// How long usage is waited for once the model has said that it is finished.
const AFTER_FINISH: Duration = Duration::from_secs(2);
/// How long the end of the body is waited for behind `[DONE]`, so that the connection can serve the next call.
const AFTER_DONE: Duration = Duration::from_millis(50);
/// How long a look at the server may take.
const REACHABLE_WITHIN: Duration = Duration::from_secs(3);

/// A model behind an OpenAI-compatible API.
pub struct OpenAiLlm {
    model: String,
    timeout: Duration,
    gap_timeout: Duration,
    upstream: Option<Upstream>,
    breaker: Breaker,
    adaptations: Adaptations,
}

struct Upstream {
    endpoint: Arc<Endpoint>,
    http: reqwest::Client,
    budget: Arc<RetryBudget>,
    raw: RawLog,
}

impl OpenAiLlm {
    /// Checks the settings. Without key and base URL it is made all the same, and every call says `NotConfigured`.
    pub fn new(settings: LlmSettings) -> Result<Self, LlmSettingsError> {
        let upstream = match Endpoint::new(&settings)? {
            Some(endpoint) => Some(Upstream::new(endpoint, &settings)?),
            None => None,
        };
        Ok(Self {
            model: settings.model.trim().to_owned(),
            timeout: settings.timeout,
            gap_timeout: settings.gap_timeout,
            upstream,
            breaker: Breaker::default(),
            adaptations: Adaptations::default(),
        })
    }

    /// What this server did not take, learned since the start; one line each, for people.
    #[must_use]
    pub fn adaptations(&self) -> Vec<String> {
        self.adaptations.describe()
    }

    /// Opens an answer, leaving out an optional parameter that the server refuses.
    async fn open(&self, upstream: &Upstream, request: &LlmRequest) -> Result<Opened, LlmError> {
        let deadline = Instant::now() + self.timeout;
        upstream.budget.earn();
        let mut dialect = self.adaptations.dialect();
        loop {
            let body = Bytes::from(body(&self.model, request, dialect));
            let refused = match upstream.call(body, deadline, self.timeout).await {
                Ok(opened) => {
                    self.adaptations.remember(dialect);
                    return Ok(opened);
                }
                Err(refused) => refused,
            };
            match next_dialect(dialect, &refused) {
                Some(next) => dialect = next,
                None => return Err(refused.error),
            }
        }
    }
}

/// What to leave out after this refusal, if it is about an optional parameter. Each step leaves out more, so it ends.
fn next_dialect(dialect: Dialect, refused: &Refused) -> Option<Dialect> {
    match refused.error {
        // It may name the token limit, but the conversation is what is too long.
        LlmError::Status {
            reason: StatusReason::ContextLength,
            ..
        } => None,
        LlmError::Status { status: 400 | 422, .. } => dialect.after_refusal(&refused.body),
        _ => None,
    }
}

impl Upstream {
    fn new(endpoint: Endpoint, settings: &LlmSettings) -> Result<Self, LlmSettingsError> {
        if endpoint.is_exposed {
            tracing::warn!("The model is asked over plain http: what people write can be read on the way");
        }
        // Someone may have chosen a provider already; either will do.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let mut http = reqwest::Client::builder()
            .user_agent(concat!("plan-advisor/", env!("CARGO_PKG_VERSION")))
            .redirect(reqwest::redirect::Policy::none())
            .no_proxy()
            .referer(false)
            .connect_timeout(settings.connect_timeout)
            .tcp_nodelay(true)
            .tcp_keepalive(Duration::from_secs(30))
            .pool_idle_timeout(Duration::from_secs(60));
        if !endpoint.is_https {
            // No need for CA certificates, which a small image may not have.
            http = http.tls_certs_only([]);
        }
        Ok(Self {
            http: http
                .build()
                .map_err(|error| LlmSettingsError::Client(error.without_url()))?,
            raw: RawLog::new(settings.log_raw, endpoint.api_key()),
            endpoint: Arc::new(endpoint),
            budget: Arc::default(),
        })
    }

    async fn call(&self, body: Bytes, deadline: Instant, within: Duration) -> Result<Opened, Refused> {
        let opened = Arc::new(Mutex::new(None));
        let gateway = Gateway {
            http: self.http.clone(),
            budget: Arc::clone(&self.budget),
            raw: self.raw.clone(),
            body,
            deadline,
            timeout: within,
            opened: Arc::clone(&opened),
        };
        let config: Arc<dyn Config> = Arc::clone(&self.endpoint) as _;
        let client = Client::build(self.http.clone(), config).with_http_service(gateway);
        // The gateway has the body and keeps the answer; what async-openai gets to write and to read is empty.
        match client.chat().create_stream_byot::<_, IgnoredAny>(()).await {
            Ok(_) => {}
            Err(OpenAIError::Boxed(error)) => {
                return Err(match error.downcast::<Refused>() {
                    Ok(refused) => *refused,
                    Err(_) => LlmError::Request("client").into(),
                });
            }
            Err(_) => return Err(LlmError::Request("client").into()),
        }
        let opened = opened.lock().unwrap_or_else(PoisonError::into_inner).take();
        opened.ok_or_else(|| LlmError::Request("client").into())
    }

    async fn is_reachable(&self) -> bool {
        let query = self.endpoint.query();
        let request = self
            .http
            .get(self.endpoint.url("/models"))
            .query(&query)
            .headers(self.endpoint.headers());
        match timeout(REACHABLE_WITHIN, request.send()).await {
            // A server without that list still is a server.
            Ok(Ok(response)) => !matches!(response.status().as_u16(), 300..=399 | 401 | 403 | 500..),
            Ok(Err(_)) | Err(_) => false,
        }
    }
}

#[async_trait::async_trait]
impl Llm for OpenAiLlm {
    fn model_name(&self) -> &str {
        &self.model
    }

    fn is_configured(&self) -> bool {
        self.upstream.is_some()
    }

    async fn stream(&self, request: LlmRequest) -> Result<LlmStream, LlmError> {
        let upstream = self.upstream.as_ref().ok_or(LlmError::NotConfigured)?;
        let mut permit = self.breaker.enter(Instant::now())?;
        match self.open(upstream, &request).await {
            Ok(opened) => {
                permit.answering();
                let answering = Answering::new(opened, permit, self.gap_timeout);
                Ok(stream::unfold(answering, |mut a| async move { a.next().await.map(|item| (item, a)) }).boxed())
            }
            Err(error) => {
                permit.failed(&error, Instant::now());
                Err(error)
            }
        }
    }

    async fn is_reachable(&self) -> bool {
        match &self.upstream {
            Some(upstream) => upstream.is_reachable().await,
            None => false,
        }
    }
}

impl fmt::Debug for OpenAiLlm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OpenAiLlm")
            .field("model", &self.model)
            .finish_non_exhaustive()
    }
}

/// The second half of a call: from the first piece of the answer to its end.
struct Answering {
    /// `None` once the last item has been made.
    opened: Option<Opened>,
    permit: Option<Permit>,
    completion: Option<Completion>,
    gap_timeout: Duration,
    seen: u64,
    last_progress: Instant,
    /// One timer for all pieces of the answer.
    alarm: Pin<Box<Sleep>>,
}

/// Waits for the next piece until `deadline`. The alarm may ring too early, because it is not put off for every piece.
async fn in_time(mut alarm: Pin<&mut Sleep>, deadline: Instant, piece: impl Future<Output = ()>) -> bool {
    tokio::pin!(piece);
    if alarm.deadline() > deadline {
        alarm.as_mut().reset(deadline);
    }
    loop {
        tokio::select! {
            biased;
            () = &mut piece => return true,
            () = &mut alarm => {
                if Instant::now() >= deadline {
                    return false;
                }
                alarm.as_mut().reset(deadline);
            }
        }
    }
}

impl Answering {
    fn new(mut opened: Opened, permit: Permit, gap_timeout: Duration) -> Self {
        let seen = opened.reader().progress();
        let last_progress = Instant::now();
        Self {
            opened: Some(opened),
            permit: Some(permit),
            completion: None,
            gap_timeout,
            seen,
            last_progress,
            alarm: Box::pin(sleep_until(last_progress + gap_timeout)),
        }
    }

    async fn next(&mut self) -> Option<Result<LlmEvent, LlmError>> {
        if let Some(completion) = self.completion.take() {
            return Some(Ok(LlmEvent::Completed(completion)));
        }
        // The provider's silence is measured, not the reader's.
        self.last_progress = Instant::now();
        loop {
            let opened = self.opened.as_mut()?;
            let text = opened.reader().take_text();
            if !text.is_empty() {
                return Some(Ok(LlmEvent::Text(text)));
            }
            if opened.is_over() {
                return self.finish();
            }
            let wait = match opened.reader() {
                reader if reader.is_done() => AFTER_DONE,
                reader if reader.is_finished() => AFTER_FINISH,
                _ => self.gap_timeout,
            };
            let in_time = in_time(self.alarm.as_mut(), self.last_progress + wait, opened.read()).await;
            let progress = opened.reader().progress();
            if std::mem::replace(&mut self.seen, progress) != progress {
                self.last_progress = Instant::now();
            } else if !in_time && opened.reader().is_finished() {
                opened.end();
            } else if !in_time {
                return self.fail(LlmError::Gap(wait));
            }
        }
    }

    /// The last item, or the text before it.
    fn finish(&mut self) -> Option<Result<LlmEvent, LlmError>> {
        let mut opened = self.opened.take()?;
        let usage = opened.reader().usage();
        let finished = match opened.take_failure() {
            Some(error) => Err(error),
            None => std::mem::take(opened.reader()).finish(),
        };
        let (text, completion) = match finished {
            Ok(finished) => finished,
            Err(error) => return self.fail(error.with_usage(usage)),
        };
        if let Some(permit) = self.permit.take() {
            permit.succeeded();
        }
        if text.is_empty() {
            return Some(Ok(LlmEvent::Completed(completion)));
        }
        self.completion = Some(completion);
        Some(Ok(LlmEvent::Text(text)))
    }

    fn fail(&mut self, error: LlmError) -> Option<Result<LlmEvent, LlmError>> {
        let usage = self.opened.take().and_then(|mut opened| opened.reader().usage());
        let error = error.with_usage(usage);
        if let Some(permit) = self.permit.take() {
            permit.failed(&error, Instant::now());
        }
        Some(Err(error))
    }
}
