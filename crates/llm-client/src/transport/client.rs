//! The client for OpenAI, Anthropic and every server with one of their APIs.

use super::{
    answering::Answering,
    breaker::Breaker,
    endpoint::Endpoint,
    opened::Opened,
    refusal::Refused,
    retry::MAX_RETRIES,
    upstream::{Call, Upstream},
};
use crate::{
    ApiChoice, ApiKind, Attempts, Llm, LlmError, LlmRequest, LlmSettings, LlmSettingsError, LlmStream, StatusReason,
    api, error_body,
    quirks::{Change, LearnedQuirks, Quirks, Route},
    settings::ModelOptions,
};
use async_stream::stream;
use bytes::Bytes;
use futures_util::StreamExt;
use std::{
    fmt,
    sync::{
        OnceLock,
        atomic::{AtomicU32, Ordering},
    },
    time::Duration,
};
use tokio::time::Instant;

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
        Ok(Self {
            model: settings.model.trim().to_owned(),
            chosen_model: OnceLock::new(),
            may_choose_model: settings.may_choose_model,
            options: settings.options,
            timeout: settings.timeout,
            gap_timeout: settings.gap_timeout,
            upstream,
            breaker: Breaker::default(),
            quirks: LearnedQuirks::new(Quirks::new(route)),
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
        upstream.earn_retry();
        let mut model = request.model.as_deref().unwrap_or(self.model_name());
        let mut quirks = self.quirks.of(model);
        let mut body = Bytes::from(api::body(model, request, &self.options, quirks));
        let mut changed: Option<Change> = None;
        loop {
            let call = Call {
                api: quirks.api(),
                body: body.clone(),
                retries,
                deadline,
                timeout: self.timeout,
            };
            let refused = match upstream.open(&call).await {
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
