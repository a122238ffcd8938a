//! Settings of the model: endpoint, format and timeouts; checked once at startup.

pub(crate) mod api_kind;
pub(crate) mod reasoning_effort;

use crate::ApiChoice;
use crate::settings::reasoning_effort::ReasoningEffort;
use secrecy::SecretString;
use std::time::Duration;

/// What the operator configured. Nothing else can change it.
#[derive(Clone, Debug)]
pub struct LlmSettings {
    /// OpenAI's where there is only a key. Where the path is empty `/v1` is added.
    pub base_url: Option<String>,
    /// Sent as a header to the base URL and nowhere else.
    pub api_key: Option<SecretString>,
    /// The name the server knows it by.
    pub model: String,
    /// The operator named no model: where the server does not know ours, one of its own is taken.
    pub may_choose_model: bool,
    /// The wire format.
    pub api: ApiChoice,
    /// What goes with every request.
    pub options: ModelOptions,
    /// Tokens that question and answer may have together, where the operator knows.
    pub context_tokens: Option<u32>,
    /// From the call to the first piece of the answer, retries included.
    pub timeout: Duration,
    /// Between two pieces of the answer.
    pub gap_timeout: Duration,
    /// The same while it thinks, or the server says that it is still there.
    pub thinking_timeout: Duration,
    /// DNS, TCP and TLS together.
    pub connect_timeout: Duration,
    /// Sends the key over plain http to another machine. For a trusted network only.
    pub allow_insecure: bool,
    /// Logs what goes to and comes from the provider, people's words included, without the key.
    pub log_raw: bool,
}

impl Default for LlmSettings {
    fn default() -> Self {
        Self {
            base_url: None,
            api_key: None,
            model: "gpt-4o".to_owned(),
            may_choose_model: false,
            api: ApiChoice::Auto,
            options: ModelOptions::default(),
            context_tokens: None,
            timeout: Duration::from_secs(30),
            gap_timeout: Duration::from_secs(20),
            thinking_timeout: Duration::from_secs(120),
            connect_timeout: Duration::from_secs(3),
            allow_insecure: false,
            log_raw: false,
        }
    }
}

/// What is sent with every request, where it is set.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ModelOptions {
    /// `LLM_REASONING_EFFORT`.
    pub effort: Option<ReasoningEffort>,
    /// `LLM_SERVICE_TIER`, as the server calls it.
    pub service_tier: Option<String>,
}

/// Why the settings cannot work. Never says the key.
#[derive(Debug, thiserror::Error)]
pub enum LlmSettingsError {
    /// The key cannot be sent.
    #[error("LLM_API_KEY holds a character that no header can carry")]
    Key,
    /// The address cannot be asked.
    #[error("LLM_BASE_URL is no http or https URL")]
    BaseUrl,
    /// A password in the address would get into logs.
    #[error("LLM_BASE_URL must not hold a user name or password; use LLM_API_KEY")]
    Credentials,
    /// The host that the key would reach unencrypted.
    #[error("LLM_API_KEY would travel in the clear to {0}: use https, or no key")]
    Insecure(String),
    /// There is nothing to ask for.
    #[error("LLM_MODEL is empty")]
    Model,
    /// There is no client, mostly for want of certificates.
    #[error("no HTTP client for the model ({0}); are CA certificates installed?")]
    Client(#[source] Box<dyn std::error::Error + Send + Sync>),
}
