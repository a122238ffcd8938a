//! The client for OpenAI, Anthropic and every server with one of their APIs.

use super::{
    answering::Answering,
    breaker::Breaker,
    endpoint::Endpoint,
    opened::Opened,
    retry::MAX_RETRIES,
    upstream::{Call, Upstream},
};
use crate::{
    ApiChoice, ApiKind, Asker, Attempts, ChatMessage, Llm, LlmError, LlmRequest, LlmSettings, LlmSettingsError,
    LlmStream, api,
    error::body::Echo,
    learned::{Learned, Worth},
    quirks::{Change, Quirks, Route},
    settings::ModelOptions,
};
use async_stream::stream;
use bytes::Bytes;
use futures_util::StreamExt;
use secrecy::ExposeSecret;
use std::{
    fmt,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};
use tokio::time::Instant;

/// How long the server's own model is taken without asking for ours again.
const CHOSEN_FOR: Duration = Duration::from_secs(3_600);

/// A model behind an HTTP API.
pub struct OpenAiLlm(Arc<Client>);

struct Client {
    model: Arc<str>,
    may_choose_model: bool,
    /// The server's own model, where it does not know ours and the operator named none.
    chosen_model: Mutex<Option<(Arc<str>, Instant)>>,
    options: ModelOptions,
    timeout: Duration,
    /// The longest silence while the model writes, and while it thinks.
    gaps: (Duration, Duration),
    upstream: Option<Upstream>,
    breaker: Breaker,
    learned: Learned,
    /// `LLM_CONTEXT_TOKENS`.
    context_tokens: Option<u32>,
}

impl OpenAiLlm {
    /// Checks the settings. Without key and base URL it is made all the same, and every call says `NotConfigured`.
    pub fn new(settings: LlmSettings) -> Result<Self, LlmSettingsError> {
        let upstream = match Endpoint::new(&settings)? {
            Some(endpoint) => Some(Upstream::new(endpoint, &settings)?),
            None => None,
        };
        let api = upstream.as_ref().map_or(ApiKind::Chat, |upstream| upstream.api);
        let route = match settings.api {
            ApiChoice::Fixed(_) => Route::Fixed(api),
            ApiChoice::Auto => Route::ByHost(api),
        };
        Ok(Self(Arc::new(Client {
            model: settings.model.trim().into(),
            may_choose_model: settings.may_choose_model,
            chosen_model: Mutex::default(),
            options: settings.options,
            timeout: settings.timeout,
            gaps: (settings.gap_timeout, settings.thinking_timeout),
            upstream,
            breaker: Breaker::default(),
            learned: Learned::new(Quirks::new(route)),
            context_tokens: settings.context_tokens,
        })))
    }

    /// What an operator should know of the model: a word, and a sentence about it. True once it has been asked.
    pub fn facts(&self) -> Vec<(&'static str, String)> {
        let (client, now) = (&self.0, Instant::now());
        let model = client.model_name(now);
        let mut facts = client.learned.common(&model, now).facts(&client.options);
        let context = match (client.context_tokens, client.learned.context_tokens(&model, now)) {
            (Some(set), _) => format!("{set} tokens, as LLM_CONTEXT_TOKENS says"),
            (None, Some(found)) => {
                format!("{found} tokens, as the server's refusal says; LLM_CONTEXT_TOKENS={found} saves it")
            }
            (None, None) => "not known and nothing was too long; LLM_CONTEXT_TOKENS names it".to_owned(),
        };
        facts.push(("context", context));
        facts
    }

    /// What this server does not take, as far as everybody is asked otherwise for it; one line each, for operators.
    pub fn adaptations(&self) -> Vec<String> {
        let (client, now) = (&self.0, Instant::now());
        let model = client.model_name(now);
        let mut lines = client.learned.common(&model, now).describe();
        if model != client.model {
            lines.push(format!(
                "the server has no {}: its own {model} is used; set LLM_MODEL={model}",
                client.model
            ));
        }
        if let (Some(set), Some(taken)) = (client.context_tokens, client.learned.context_tokens(&model, now))
            && taken < set
        {
            lines.push(format!(
                "the server takes {taken} tokens, and LLM_CONTEXT_TOKENS says {set}: set LLM_CONTEXT_TOKENS={taken}"
            ));
        }
        lines
    }
}

impl Client {
    fn model_name(&self, now: Instant) -> Arc<str> {
        let chosen = self.chosen_model.lock().unwrap_or_else(PoisonError::into_inner);
        match &*chosen {
            Some((chosen, at)) if now.duration_since(*at) < CHOSEN_FOR => Arc::clone(chosen),
            _ => Arc::clone(&self.model),
        }
    }

    /// Opens an answer. A refusal that names an optional parameter or another address is followed once; what it taught is
    /// kept even where the call fails later.
    async fn open(self: &Arc<Self>, upstream: &Upstream, request: &LlmRequest) -> Result<Opened, LlmError> {
        let deadline = Instant::now() + self.timeout;
        let retries = match request.attempts {
            Attempts::UntilBegun => MAX_RETRIES,
            Attempts::Once => 0,
        };
        let person = request.asker.id();
        upstream.earn_retry(person);
        let now = Instant::now();
        let mut model = request.model.clone().unwrap_or_else(|| self.model_name(now));
        let mut quirks = self.learned.quirks(&model, &request.asker, now);
        let mut body = Bytes::from(api::body(&model, request, &self.options, quirks));
        let mut changed: Option<Change> = None;
        let mut tried: Vec<Change> = Vec::new();
        loop {
            let call = Call {
                api: quirks.api(),
                body: body.clone(),
                person,
                retries,
                deadline,
                timeout: self.timeout,
            };
            let mut refused = match upstream.open(&call).await {
                Ok(opened) => {
                    changed.inspect(|change| self.learn(&model, *change, request));
                    self.accepted(&model, request, quirks, &body);
                    return Ok(opened);
                }
                Err(refused) => refused,
            };
            self.judge(&model, request, &body, &mut refused);
            if let Some(change) = changed.filter(|change| !change.is_refused_again(&refused)) {
                self.learn(&model, change, request);
            }
            if self.is_about_unknown_model(request, &model, &refused)
                && let Some(chosen) = self.choose_model(upstream).await
            {
                (model, changed) = (chosen, None);
            } else {
                let Some(change) =
                    quirks.after(&refused, &self.options, quirks.output_tokens(request.max_output_tokens))
                else {
                    return Err(refused);
                };
                // Refused with it and without it.
                if tried.iter().any(|earlier| change.takes_back(*earlier)) {
                    return Err(refused);
                }
                tried.push(change);
                (quirks, changed) = (quirks.with(change), Some(change));
            }
            let next = Bytes::from(api::body(&model, request, &self.options, quirks));
            if next == body && !matches!(changed, Some(Change::Api(..))) {
                return Err(refused);
            }
            body = next;
        }
    }

    /// Sorts out what a refusal may teach, and tells the operator what is not understood.
    fn judge(&self, model: &Arc<str>, request: &LlmRequest, body: &Bytes, refused: &mut LlmError) {
        let (now, sent) = (Instant::now(), tokens_of(request, body));
        // Our count may be a fifth too high, and for some tokenizers a third too low.
        let sizes = self.learned.largest_accepted(model, now) / 5 * 4 + 1..sent / 2 * 3;
        let is_own = request.asker.id().is_none();
        let key = self
            .upstream
            .as_ref()
            .map_or("", |upstream| upstream.endpoint.key().expose_secret());
        refused.judge(&echo(&request.messages), key, sizes, is_own);
        if refused.is_context_length() {
            let tokens = refused.context_tokens().unwrap_or(sent);
            self.learned.too_long(model, tokens, &request.asker, now);
            if let Some(set) = self.context_tokens.filter(|set| *set > tokens) {
                tracing::warn!(llm.model = %model, "The model refuses what LLM_CONTEXT_TOKENS={set} allows: set it lower");
            }
        } else if let Some(sentence) = refused.unknown_sentence() {
            tracing::warn!(llm.model = %model, llm.said = sentence, "The model's server refuses a request: {sentence}");
        }
    }

    /// A change has helped.
    fn learn(self: &Arc<Self>, model: &Arc<str>, change: Change, request: &LlmRequest) {
        match self.learned.refused(model, change, &request.asker, Instant::now()) {
            Worth::Turn => {}
            Worth::Everybody => {
                tracing::info!(llm.model = %model, "The model is asked otherwise from now on: {change:?}");
            }
            Worth::Probe => {
                let (client, probe) = (Arc::clone(self), probe(model, request, change));
                tokio::spawn(async move {
                    if let Some(upstream) = &client.upstream {
                        // Whether it is refused or answered: `open` has learned from it.
                        drop(Box::pin(client.open(upstream, &probe)).await);
                    }
                });
            }
        }
    }

    fn accepted(&self, model: &Arc<str>, request: &LlmRequest, quirks: Quirks, body: &Bytes) {
        let contradicts = |change: Change| {
            (!request.tools.is_empty() || !change.needs_tools())
                && api::body(model, request, &self.options, quirks.with(change)).as_bytes() != &**body
        };
        let tokens = tokens_of(request, body);
        self.learned.accepted(model, tokens, contradicts, Instant::now());
    }

    fn is_about_unknown_model(&self, request: &LlmRequest, model: &Arc<str>, refused: &LlmError) -> bool {
        self.may_choose_model
            && request.model.is_none()
            && *model == self.model
            && matches!(refused.status(), Some(400 | 404))
            && refused.said().is_some_and(crate::ErrorBody::is_unknown_model)
    }

    /// The only model of the server, else its first that can talk; none where its list holds ours. The list is no answer to
    /// anybody's words, so it holds for all.
    async fn choose_model(&self, upstream: &Upstream) -> Option<Arc<str>> {
        let chosen: Arc<str> = upstream.first_model_instead_of(&self.model).await?.into();
        tracing::warn!(llm.model = %chosen, "The server has no {}; its own {chosen} is asked. Set LLM_MODEL", self.model);
        let mut place = self.chosen_model.lock().unwrap_or_else(PoisonError::into_inner);
        *place = Some((Arc::clone(&chosen), Instant::now()));
        Some(chosen)
    }
}

/// The words that a refusal may repeat.
fn echo(messages: &[ChatMessage]) -> Echo {
    let mut echo = Echo::default();
    for message in messages {
        match message {
            ChatMessage::User(text) => echo.push_person(text),
            other => echo.push(other.content()),
        }
        if let ChatMessage::Assistant { tool_calls, .. } = message {
            for call in tool_calls {
                echo.push(&call.name);
                echo.push(&call.arguments);
            }
        }
    }
    echo
}

/// About how many tokens question and answer may have together.
fn tokens_of(request: &LlmRequest, body: &Bytes) -> u32 {
    let asked = u32::try_from(body.len() / 4).unwrap_or(u32::MAX / 4);
    asked.saturating_add(request.max_output_tokens)
}

/// A small request with everything that the refused one had but its words.
fn probe(model: &Arc<str>, request: &LlmRequest, change: Change) -> LlmRequest {
    let max_output_tokens = match change {
        Change::OutputLimit(_) => request.max_output_tokens,
        _ => 16,
    };
    LlmRequest {
        model: Some(Arc::clone(model)),
        messages: vec![
            ChatMessage::System("Answer with one word.".into()),
            ChatMessage::User("Say ok.".into()),
        ],
        tools: request.tools.first().cloned().into_iter().collect(),
        temperature: request.temperature,
        max_output_tokens,
        cache_key: request.cache_key.clone(),
        attempts: Attempts::Once,
        asker: Asker::program(),
        ..LlmRequest::default()
    }
}

#[async_trait::async_trait]
impl Llm for OpenAiLlm {
    fn model_name(&self) -> Arc<str> {
        self.0.model_name(Instant::now())
    }

    fn is_configured(&self) -> bool {
        self.0.upstream.is_some()
    }

    fn context_tokens(&self) -> Option<u32> {
        let now = Instant::now();
        let learned = || self.0.learned.context_tokens(&self.0.model_name(now), now);
        self.0.context_tokens.or_else(learned)
    }

    async fn stream(&self, request: LlmRequest) -> Result<LlmStream, LlmError> {
        let client = &self.0;
        let upstream = client.upstream.as_ref().ok_or(LlmError::NotConfigured)?;
        let person = request.asker.id();
        let mut permit = match request.attempts {
            Attempts::UntilBegun => client.breaker.enter(person, Instant::now())?,
            Attempts::Once => client.breaker.enter_uncounted(Instant::now())?,
        };
        match client.open(upstream, &request).await {
            Ok(opened) => {
                permit.answering();
                let mut answering = Answering::new(opened, permit, client.gaps);
                Ok(stream! { while let Some(item) = answering.next().await { yield item } }.boxed())
            }
            Err(error) => {
                permit.failed(&error, Instant::now());
                Err(error)
            }
        }
    }

    async fn is_reachable(&self) -> bool {
        match &self.0.upstream {
            Some(upstream) => upstream.is_reachable().await,
            None => false,
        }
    }
}

impl fmt::Debug for OpenAiLlm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OpenAiLlm")
            .field("model", &self.0.model)
            .finish_non_exhaustive()
    }
}
