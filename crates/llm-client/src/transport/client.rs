//! The client for OpenAI, Anthropic and every server with one of their APIs.

use super::{
    answering::Answering,
    breaker::Breaker,
    endpoint::{Endpoint, Target},
    gateway::{Gateway, Refused},
    http::HttpClient,
    opened::Opened,
    raw::RawLog,
    retry::{MAX_RETRIES, RetryBudget},
};
use crate::{
    ApiChoice, ApiKind, Attempts, Llm, LlmError, LlmRequest, LlmSettings, LlmSettingsError, LlmStream, StatusReason,
    api, error_body,
    quirks::{Change, LearnedQuirks, Quirks},
    settings::ModelOptions,
};
use async_openai::{Client, config::Config, error::OpenAIError};
use async_stream::stream;
use bytes::Bytes;
use futures_util::StreamExt;
use http_body_util::{BodyExt, Limited};
use hyper::body::Incoming;
use serde::de::IgnoredAny;
use std::{
    fmt,
    sync::{
        Arc, Mutex, OnceLock, PoisonError,
        atomic::{AtomicU32, Ordering},
    },
    time::Duration,
};
use tokio::time::{Instant, timeout};

/// How long a look at the server may take.
const REACHABLE_WITHIN: Duration = Duration::from_secs(3);

/// Bytes read of a server's list of models.
const MAX_LIST_BYTES: usize = 4 * 1024 * 1024;

/// A model behind an HTTP API.
pub struct OpenAiLlm {
    model: String,
    /// The server's own model, where it does not know ours and the operator named none.
    chosen_model: OnceLock<String>,
    may_choose_model: bool,
    options: ModelOptions,
    timeout: Duration,
    gap_timeout: Duration,
    upstream: Option<Upstream>,
    breaker: Breaker,
    quirks: LearnedQuirks,
    /// 0: not known.
    context_tokens: AtomicU32,
}

struct Upstream {
    endpoint: Arc<Endpoint>,
    api: ApiKind,
    http: HttpClient,
    /// Makes requests; sends none.
    requests: reqwest::Client,
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
        let api = upstream.as_ref().map_or(ApiKind::Chat, |upstream| upstream.api);
        let is_fixed = matches!(settings.api, ApiChoice::Fixed(_));
        Ok(Self {
            model: settings.model.trim().to_owned(),
            chosen_model: OnceLock::new(),
            may_choose_model: settings.may_choose_model,
            options: settings.options,
            timeout: settings.timeout,
            gap_timeout: settings.gap_timeout,
            upstream,
            breaker: Breaker::default(),
            quirks: LearnedQuirks::new(Quirks::new(api, is_fixed)),
            context_tokens: AtomicU32::new(settings.context_tokens.unwrap_or(0)),
        })
    }

    /// What this server did not take, learned since the start; one line each, for operators.
    pub fn adaptations(&self) -> Vec<String> {
        let mut lines = self.quirks.describe(self.model_name());
        if let Some(chosen) = self.chosen_model.get() {
            lines.push(format!(
                "the server has no {}: its own {chosen} is used; set LLM_MODEL={chosen}",
                self.model
            ));
        }
        lines
    }

    /// Opens an answer. A refusal that names an optional parameter or another address is followed once; what it taught is
    /// kept even where the call fails later.
    async fn open(&self, upstream: &Upstream, request: &LlmRequest) -> Result<Opened, LlmError> {
        let deadline = Instant::now() + self.timeout;
        let retries = match request.attempts {
            Attempts::UntilBegun => MAX_RETRIES,
            Attempts::Once => 0,
        };
        upstream.budget.earn();
        let mut model = request.model.as_deref().unwrap_or(self.model_name());
        let mut quirks = self.quirks.of(model);
        let mut body = Bytes::from(api::body(model, request, &self.options, quirks));
        let mut changed: Option<Change> = None;
        loop {
            let call = Call {
                api: quirks.api,
                body: body.clone(),
                retries,
                deadline,
                timeout: self.timeout,
            };
            let refused = match upstream.call(call).await {
                Ok(opened) => {
                    self.quirks.remember(model, quirks);
                    return Ok(opened);
                }
                Err(refused) => refused,
            };
            let has_helped =
                changed.is_some_and(|change| !change.is_refused_again(refused.error.status(), &refused.body));
            if has_helped {
                self.quirks.remember(model, quirks);
            }
            self.learn_context(&refused);
            if self.is_about_unknown_model(request, &refused)
                && let Some(chosen) = self.choose_model(upstream).await
            {
                model = chosen;
            } else {
                let Some((next, change)) = next_quirks(quirks, &refused) else {
                    return Err(refused.error);
                };
                (quirks, changed) = (next, Some(change));
            }
            let next = Bytes::from(api::body(model, request, &self.options, quirks));
            if next == body && changed != Some(Change::Api) {
                return Err(refused.error);
            }
            body = next;
        }
    }

    fn learn_context(&self, refused: &Refused) {
        if refused.error.is_context_length()
            && let Some(tokens) = error_body::context_tokens(&refused.body)
        {
            self.context_tokens.store(tokens, Ordering::Relaxed);
        }
    }

    fn is_about_unknown_model(&self, request: &LlmRequest, refused: &Refused) -> bool {
        self.may_choose_model
            && self.chosen_model.get().is_none()
            && request.model.is_none()
            && matches!(refused.error.status(), Some(400 | 404))
            && error_body::is_unknown_model(&refused.body)
    }

    /// The only model of the server, else its first that can talk.
    async fn choose_model(&self, upstream: &Upstream) -> Option<&str> {
        let chosen = upstream.first_model().await?;
        tracing::warn!(llm.model = %chosen, "The server has no {}; its own {chosen} is asked. Set LLM_MODEL", self.model);
        Some(self.chosen_model.get_or_init(|| chosen))
    }
}

/// What to change after this refusal, if it is about how we ask. Each step leaves out more or is taken once, so it ends.
fn next_quirks(quirks: Quirks, refused: &Refused) -> Option<(Quirks, Change)> {
    match refused.error {
        // It may name the token limit, but the conversation is what is too long.
        LlmError::Status {
            reason: StatusReason::ContextLength,
            ..
        } => None,
        LlmError::Status { status: 400 | 422, .. } => quirks.after_refusal(&refused.body),
        LlmError::Status { status: 404 | 405, .. } => quirks.after_missing_path(&refused.body),
        _ => None,
    }
}

/// One request.
struct Call {
    api: ApiKind,
    body: Bytes,
    retries: u32,
    deadline: Instant,
    timeout: Duration,
}

impl Upstream {
    fn new(endpoint: Endpoint, settings: &LlmSettings) -> Result<Self, LlmSettingsError> {
        if endpoint.is_exposed {
            tracing::warn!("The model is asked over plain http: what people write can be read on the way");
        }
        let http = HttpClient::new(endpoint.is_https, settings.connect_timeout)
            .map_err(|error| LlmSettingsError::Client(error.into()))?;
        let requests = reqwest::Client::builder().tls_certs_only([]).build();
        Ok(Self {
            http,
            requests: requests.map_err(|error| LlmSettingsError::Client(error.into()))?,
            raw: RawLog::new(settings.log_raw, endpoint.key()),
            api: endpoint.api(settings.api),
            endpoint: Arc::new(endpoint),
            budget: Arc::default(),
        })
    }

    async fn call(&self, call: Call) -> Result<Opened, Refused> {
        let opened = Arc::new(Mutex::new(None));
        let gateway = Gateway {
            http: self.http.clone(),
            budget: Arc::clone(&self.budget),
            raw: self.raw.clone(),
            api: call.api,
            body: call.body,
            deadline: call.deadline,
            timeout: call.timeout,
            retries: call.retries,
            opened: Arc::clone(&opened),
        };
        let config: Arc<dyn Config> = Arc::new(Target {
            endpoint: Arc::clone(&self.endpoint),
            api: call.api,
        });
        let client = Client::build(self.requests.clone(), config).with_http_service(gateway);
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

    async fn models(&self) -> Option<http::Response<Incoming>> {
        let request = self
            .requests
            .get(self.endpoint.url("/models"))
            .query(&self.endpoint.query())
            .headers(self.endpoint.headers_of(self.api).clone());
        let sent = self.http.send(request.build().ok()?, Bytes::new());
        timeout(REACHABLE_WITHIN, sent).await.ok()?.ok()
    }

    async fn is_reachable(&self) -> bool {
        // A server without that list still is a server.
        let is_well = |status| !matches!(status, 300..=399 | 401 | 403 | 500..);
        self.models()
            .await
            .is_some_and(|response| is_well(response.status().as_u16()))
    }

    /// The first model in the server's list that is not plainly for something else.
    async fn first_model(&self) -> Option<String> {
        #[derive(serde::Deserialize)]
        struct Models {
            data: Vec<Model>,
        }
        #[derive(serde::Deserialize)]
        struct Model {
            id: String,
        }
        const NOT_FOR_CHAT: [&str; 9] = [
            "embed",
            "rerank",
            "whisper",
            "tts",
            "dall-e",
            "image",
            "moderation",
            "transcribe",
            "audio",
        ];
        let response = self.models().await?;
        if !response.status().is_success() {
            return None;
        }
        let list = Limited::new(response.into_body(), MAX_LIST_BYTES).collect();
        let list = timeout(REACHABLE_WITHIN, list).await.ok()?.ok()?;
        let models: Models = serde_json::from_slice(&list.to_bytes()).ok()?;
        let is_for_chat = |model: &&Model| {
            let name = model.id.to_ascii_lowercase();
            !NOT_FOR_CHAT.iter().any(|word| name.contains(word))
        };
        let first = models.data.iter().find(is_for_chat).or(models.data.first())?;
        Some(first.id.clone()).filter(|id| !id.trim().is_empty())
    }
}

#[async_trait::async_trait]
impl Llm for OpenAiLlm {
    fn model_name(&self) -> &str {
        self.chosen_model.get().unwrap_or(&self.model)
    }

    fn is_configured(&self) -> bool {
        self.upstream.is_some()
    }

    fn context_tokens(&self) -> Option<u32> {
        Some(self.context_tokens.load(Ordering::Relaxed)).filter(|tokens| *tokens > 0)
    }

    async fn stream(&self, request: LlmRequest) -> Result<LlmStream, LlmError> {
        let upstream = self.upstream.as_ref().ok_or(LlmError::NotConfigured)?;
        let mut permit = match request.attempts {
            Attempts::UntilBegun => self.breaker.enter(Instant::now())?,
            Attempts::Once => self.breaker.enter_uncounted(Instant::now())?,
        };
        match self.open(upstream, &request).await {
            Ok(opened) => {
                permit.answering();
                let mut answering = Answering::new(opened, permit, self.gap_timeout);
                Ok(stream! { while let Some(item) = answering.next().await { yield item } }.boxed())
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
