//! Creates the configured advisor.

use crate::config::{LlmApi, LlmConfig, LlmProvider};
use crate::offline::OfflineAdvisor;
use anyhow::{Context, Result};
use llm_client::{ApiChoice, ApiKind, Llm, LlmSettings, ModelOptions, OpenAiLlm, ReasoningEffort};
use std::sync::Arc;
use std::time::Duration;

/// Pause between the words of the offline advisor in a demo, to make streaming visible.
const DEMO_PACE: Duration = Duration::from_millis(18);

/// The configured model. Without one, `demo` uses the offline advisor and `serve` fails each turn with `LLM_UNAVAILABLE`.
///
/// # Errors
/// If key or URL cannot be used.
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
/// If key or URL cannot be used.
pub(super) fn open_ai(config: &LlmConfig) -> Result<OpenAiLlm> {
    let defaults = LlmSettings::default();
    let settings = LlmSettings {
        base_url: config.url().map(str::to_owned),
        api_key: config.key(),
        model: config.model().unwrap_or(&defaults.model).to_owned(),
        may_choose_model: config.model().is_none(),
        api: match config.api {
            LlmApi::Auto => ApiChoice::Auto,
            LlmApi::Chat => ApiChoice::Fixed(ApiKind::Chat),
            LlmApi::Responses => ApiChoice::Fixed(ApiKind::Responses),
            LlmApi::Messages => ApiChoice::Fixed(ApiKind::Messages),
        },
        options: ModelOptions {
            effort: config.reasoning_effort.as_deref().and_then(ReasoningEffort::named),
            service_tier: config.service_tier.clone().filter(|tier| !tier.trim().is_empty()),
        },
        context_tokens: config.context_tokens,
        timeout: Duration::from_secs(config.timeout_seconds),
        thinking_timeout: Duration::from_secs(config.thinking_timeout_seconds),
        allow_insecure: config.allow_insecure_http,
        log_raw: config.log_raw,
        ..defaults
    };
    OpenAiLlm::new(settings).context("the model's settings cannot be used")
}
