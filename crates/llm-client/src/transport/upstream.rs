//! One server: sends, retries until the answer has begun, and sorts every refusal into our own error.
//!
//! reqwest carries the bytes. async-openai's client lists models (`models.rs`) and asks for no answers: its reader knows neither
//! CR line ends nor `[DONE]` from the end of the body, and reports a cut answer as a whole one; and one error of its own hides
//! the refusal's body, which says how to ask instead. Its types are the official shapes that the tests hold our bodies against.

use super::{
    endpoint::Endpoint,
    http,
    opened::Opened,
    raw::RawLog,
    refusal::{self, check_head, send_error},
    retry::{self, RetryBudget},
};
use crate::{ApiKind, LlmError, LlmSettings, LlmSettingsError};
use ::http::header;
use bytes::Bytes;
use std::time::Duration;
use tokio::time::{Instant, timeout_at};

/// The model's server and the way to it.
pub(crate) struct Upstream {
    pub endpoint: Endpoint,
    /// The wire format to begin with.
    pub api: ApiKind,
    pub http: reqwest::Client,
    budget: RetryBudget,
    raw: RawLog,
}

/// One request.
pub(crate) struct Call {
    pub api: ApiKind,
    /// The request's body, written already.
    pub body: Bytes,
    /// Whose retries it may use.
    pub person: Option<u128>,
    /// Tries after the first.
    pub retries: u32,
    /// When the first piece of the answer must have come.
    pub deadline: Instant,
    pub timeout: Duration,
}

impl Upstream {
    pub(crate) fn new(endpoint: Endpoint, settings: &LlmSettings) -> Result<Self, LlmSettingsError> {
        if endpoint.is_exposed {
            tracing::warn!("The model is asked over plain http: what people write can be read on the way");
        }
        let http = http::client(&endpoint, settings.connect_timeout)
            .map_err(|error| LlmSettingsError::Client(error.into()))?;
        Ok(Self {
            http,
            raw: RawLog::new(settings.log_raw, endpoint.key()),
            api: endpoint.api(settings.api),
            endpoint,
            budget: RetryBudget::default(),
        })
    }

    /// A question has come: it earns its share of a retry.
    pub(crate) fn earn_retry(&self, person: Option<u128>) {
        self.budget.earn(person);
    }

    /// Tries until an answer begins, the error is final, or time or budget is up.
    pub(crate) async fn open(&self, call: &Call) -> Result<Opened, LlmError> {
        let mut attempt = 0;
        loop {
            let tried = timeout_at(call.deadline, self.attempt(call)).await;
            let error = match tried {
                Ok(Ok(opened)) => return Ok(opened),
                Ok(Err(error)) => error,
                Err(_) => return Err(LlmError::FirstToken(call.timeout)),
            };
            let asked = match error {
                LlmError::Status { retry_after, .. } => retry_after,
                _ => None,
            };
            let remaining = call.deadline.saturating_duration_since(Instant::now());
            let pause = retry::pause(attempt, asked, remaining, retry::dice());
            // A call that the model made wrong twice it makes wrong again.
            let most = if error.is_malformed_call() { 1 } else { u32::MAX };
            let may_retry = error.is_transient() && attempt < call.retries.min(most);
            match pause.filter(|_| may_retry && self.budget.spend(call.person)) {
                Some(pause) => tokio::time::sleep(pause).await,
                None => return Err(error),
            }
            attempt += 1;
            tracing::debug!(
                llm.attempt = attempt,
                llm.error = error.class(),
                "Asking the model again"
            );
        }
    }

    /// One try: sends, and reads until the answer has begun.
    async fn attempt(&self, call: &Call) -> Result<Opened, LlmError> {
        self.raw.sent(&call.body);
        let sent = self
            .http
            .post(self.endpoint.url(call.api.path()))
            .headers(self.endpoint.headers_of(call.api).clone())
            .header(header::CONTENT_TYPE, "application/json")
            .body(call.body.clone())
            .send();
        let response = sent.await.map_err(send_error)?;
        if !response.status().is_success() {
            return Err(refusal::read(response, &self.raw).await);
        }
        check_head(response.headers())?;
        let mut opened = Opened::new(response, self.raw.clone(), call.api);
        while !opened.has_begun() && !opened.is_over() && !opened.reader().is_done() {
            opened.read().await;
        }
        opened.begun_or_failed()
    }

    /// Asks for the server's list of models, which costs no tokens.
    pub(crate) async fn get_models(&self) -> reqwest::Result<reqwest::Response> {
        let request = self.http.get(self.endpoint.url("/models"));
        request.headers(self.endpoint.headers_of(self.api).clone()).send().await
    }
}
