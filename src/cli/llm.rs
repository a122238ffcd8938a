//! Chooses the advisor that the configuration asks for.

use crate::config::{LlmConfig, LlmProvider};
use crate::conversation::offline::OfflineAdvisor;
use crate::llm::{Llm, LlmSettings, OpenAiLlm};
use anyhow::{Context, Result};
use std::sync::Arc;
use std::time::Duration;

/// Between two words of the offline advisor in a demo, so that people see an answer grow.
const DEMO_PACE: Duration = Duration::from_millis(18);

/// The configured model. `demo` answers with the offline advisor where none is configured; `serve` then says so per turn.
///
/// # Errors
/// Where key or URL cannot be used.
pub fn build_llm(config: &LlmConfig, demo: bool) -> Result<Arc<dyn Llm>> {
    let offline = match config.provider {
        Some(provider) => provider == LlmProvider::Offline,
        None => demo && !config.is_configured(),
    };
    if offline {
        let advisor = OfflineAdvisor::new();
        return Ok(Arc::new(if demo { advisor.with_pace(DEMO_PACE) } else { advisor }));
    }
    Ok(Arc::new(open_ai(config)?))
}

/// The client of an OpenAI-compatible server.
///
/// # Errors
/// Where key or URL cannot be used.
pub fn open_ai(config: &LlmConfig) -> Result<OpenAiLlm> {
    let settings = LlmSettings {
        base_url: config.url().map(str::to_owned),
        api_key: config.key(),
        model: config.model.clone(),
        timeout: Duration::from_secs(config.timeout_seconds),
        allow_insecure: config.allow_insecure_http,
        log_raw: config.log_raw,
        ..LlmSettings::default()
    };
    OpenAiLlm::new(settings).context("the model's settings cannot be used")
}
