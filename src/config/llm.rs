use super::given;
use super::llm_api::LlmApi;
use super::usual_names::UsualNames;
use clap::{Args, ValueEnum};
use secrecy::SecretString;

/// Which advisor answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum LlmProvider {
    /// A server with OpenAI's chat completions API
    OpenaiCompatible,
    /// The built-in advisor: rule-based, no network
    Offline,
}

/// Whether a model is asked a second time about values that it wants to record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum LlmReview {
    /// About what is not plain
    Auto,
    /// Never: what is not plain waits for the franchisee
    Off,
    /// About every value, also plain ones
    Always,
}

/// `LLM_*`, `MAX_MESSAGE_CHARS`, and what other programs call the same.
#[derive(Debug, Clone, Args)]
pub struct LlmConfig {
    /// Who answers; `demo` falls back to `offline` when no model is configured
    #[arg(id = "llm_provider", long = "llm-provider", env = "LLM_PROVIDER")]
    pub provider: Option<LlmProvider>,
    /// Key of the model's server; not needed for local ones
    #[arg(
        id = "llm_api_key",
        long = "llm-api-key",
        env = "LLM_API_KEY",
        hide_env_values = true
    )]
    pub api_key: Option<SecretString>,
    /// What other variables say; [`LlmConfig::settle_names`] reads it
    #[command(flatten)]
    pub usual: UsualNames,
    /// Base URL of the model's server, as in `http://127.0.0.1:11434/v1`; OpenAI's when not set
    #[arg(id = "llm_base_url", long = "llm-base-url", env = "LLM_BASE_URL")]
    pub base_url: Option<String>,
    /// Name of the model; where it is not set gpt-4o, or the server's own if it has no gpt-4o
    #[arg(id = "llm_model", long = "llm-model", env = "LLM_MODEL")]
    pub model: Option<String>,
    /// In which form the model is asked
    #[arg(id = "llm_api", long = "llm-api", env = "LLM_API", default_value = "auto")]
    pub api: LlmApi,
    /// How much the model reasons; its own default when not set
    #[arg(
        id = "llm_reasoning_effort",
        long = "llm-reasoning-effort",
        env = "LLM_REASONING_EFFORT",
        value_parser = ["none", "minimal", "low", "medium", "high", "xhigh"]
    )]
    pub reasoning_effort: Option<String>,
    /// The provider's service tier, as it names it
    #[arg(id = "llm_service_tier", long = "llm-service-tier", env = "LLM_SERVICE_TIER")]
    pub service_tier: Option<String>,
    /// Tokens that question and answer may have together; where it is not set, learned from the server's refusal
    #[arg(id = "llm_context_tokens", long = "llm-context-tokens", env = "LLM_CONTEXT_TOKENS", value_parser = clap::value_parser!(u32).range(1024..=100_000_000))]
    pub context_tokens: Option<u32>,
    /// How freely it answers, 0 to 2
    #[arg(id = "llm_temperature", long = "llm-temperature", env = "LLM_TEMPERATURE", default_value_t = 0.3, value_parser = temperature)]
    pub temperature: f32,
    /// Seconds until the first sign of an answer
    #[arg(id = "llm_timeout_seconds", long = "llm-timeout-seconds", env = "LLM_TIMEOUT_SECONDS", default_value_t = 30, value_parser = clap::value_parser!(u64).range(1..=600))]
    pub timeout_seconds: u64,
    /// Seconds of silence in the middle of an answer while the model thinks
    #[arg(id = "llm_thinking_timeout_seconds", long = "llm-thinking-timeout-seconds", env = "LLM_THINKING_TIMEOUT_SECONDS", default_value_t = 120, value_parser = clap::value_parser!(u64).range(20..=600))]
    pub thinking_timeout_seconds: u64,
    /// Stored messages the model is shown
    #[arg(id = "llm_max_context_messages", long = "llm-max-context-messages", env = "LLM_MAX_CONTEXT_MESSAGES", default_value_t = 20, value_parser = clap::value_parser!(u16).range(0..=100))]
    pub max_context_messages: u16,
    /// Rounds of tool calls in one turn
    #[arg(id = "llm_max_tool_iterations", long = "llm-max-tool-iterations", env = "LLM_MAX_TOOL_ITERATIONS", default_value_t = 10, value_parser = clap::value_parser!(u16).range(1..=50))]
    pub max_tool_iterations: u16,
    /// Tokens of one answer
    #[arg(id = "llm_max_output_tokens", long = "llm-max-output-tokens", env = "LLM_MAX_OUTPUT_TOKENS", default_value_t = 4096, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub max_output_tokens: u32,
    /// Whether the model looks a second time at values that the franchisee did not state in plain words
    #[arg(id = "llm_review", long = "llm-review", env = "LLM_REVIEW", default_value = "auto")]
    pub review: LlmReview,
    /// Model of the second look; the same one when not set
    #[arg(id = "llm_review_model", long = "llm-review-model", env = "LLM_REVIEW_MODEL")]
    pub review_model: Option<String>,
    /// Seconds a second look may take; after that the values wait for the franchisee
    #[arg(id = "llm_review_timeout_seconds", long = "llm-review-timeout-seconds", env = "LLM_REVIEW_TIMEOUT_SECONDS", default_value_t = 8, value_parser = clap::value_parser!(u64).range(1..=120))]
    pub review_timeout_seconds: u64,
    /// Send the key over plain http to another machine; for a trusted network only
    #[arg(id = "llm_allow_insecure_http", long = "llm-allow-insecure-http", env = "LLM_ALLOW_INSECURE_HTTP", default_value_t = false, action = clap::ArgAction::Set, value_parser = clap::builder::BoolishValueParser::new())]
    pub allow_insecure_http: bool,
    /// Log what the provider sends, without keys; holds users' words, so off unless you debug
    #[arg(id = "llm_log_raw", long = "llm-log-raw", env = "LLM_LOG_RAW", default_value_t = false, action = clap::ArgAction::Set, value_parser = clap::builder::BoolishValueParser::new())]
    pub log_raw: bool,
    /// Characters of one message
    #[arg(long, env = "MAX_MESSAGE_CHARS", default_value_t = 8000, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub max_message_chars: u32,
}

fn temperature(text: &str) -> Result<f32, String> {
    match text.parse::<f32>() {
        Ok(value) if (0.0..=2.0).contains(&value) => Ok(value),
        _ => Err("must be a number from 0 to 2".into()),
    }
}

impl LlmConfig {
    /// The key to send; empty values count as none.
    pub fn key(&self) -> Option<SecretString> {
        given::key(self.api_key.as_ref()).cloned()
    }

    /// The base URL, if one is set.
    pub fn url(&self) -> Option<&str> {
        given::text(self.base_url.as_deref())
    }

    /// The model, if one is named.
    pub fn model(&self) -> Option<&str> {
        given::text(self.model.as_deref())
    }

    /// Another model for the second look, if one is set.
    pub fn review_model(&self) -> Option<&str> {
        given::text(self.review_model.as_deref())
    }

    /// A model is configured when a key or a base URL is set.
    pub fn is_configured(&self) -> bool {
        self.key().is_some() || self.url().is_some()
    }
}
