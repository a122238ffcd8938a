//! The variables by which OpenAI, Anthropic, Azure and Ollama are known elsewhere, read where `LLM_*` says nothing. What could
//! mean two servers is refused: a guess would send people's words to one that the operator did not choose.

use super::given;
use super::llm_api::LlmApi;
use clap::Args;
use secrecy::SecretString;

/// Where Ollama listens when its variable names no port.
const OLLAMA_PORT: u16 = 11434;

/// Variables of others.
#[derive(Debug, Clone, Default, Args)]
pub struct UsualNames {
    /// Read when `LLM_API_KEY` is not set
    #[arg(long, env = "OPENAI_API_KEY", hide_env_values = true, hide = true)]
    pub openai_api_key: Option<SecretString>,
    /// Read when `LLM_BASE_URL` is not set
    #[arg(long, env = "OPENAI_BASE_URL", hide = true)]
    pub openai_base_url: Option<String>,
    /// Selects Anthropic and its format
    #[arg(long, env = "ANTHROPIC_API_KEY", hide_env_values = true, hide = true)]
    pub anthropic_api_key: Option<SecretString>,
    /// Another address with Anthropic's format
    #[arg(long, env = "ANTHROPIC_BASE_URL", hide = true)]
    pub anthropic_base_url: Option<String>,
    /// Needs the endpoint
    #[arg(long, env = "AZURE_OPENAI_API_KEY", hide_env_values = true, hide = true)]
    pub azure_openai_api_key: Option<SecretString>,
    /// As in `https://NAME.openai.azure.com`
    #[arg(long, env = "AZURE_OPENAI_ENDPOINT", hide = true)]
    pub azure_openai_endpoint: Option<String>,
    /// The model
    #[arg(long, env = "AZURE_OPENAI_DEPLOYMENT", hide = true)]
    pub azure_openai_deployment: Option<String>,
    /// A date selects the dated API
    #[arg(long, env = "AZURE_OPENAI_API_VERSION", hide = true)]
    pub azure_openai_api_version: Option<String>,
    /// Host and port of Ollama
    #[arg(long, env = "OLLAMA_HOST", hide = true)]
    pub ollama_host: Option<String>,
}

/// What one of them says in the spelling of `LLM_*`.
pub(super) struct Server {
    /// The variable that names it.
    pub named_by: &'static str,
    pub base_url: Option<String>,
    pub key: Option<SecretString>,
    pub api: LlmApi,
    pub model: Option<String>,
}

impl UsualNames {
    /// The key for an address that the operator named: a provider's own key goes to its own hosts only, OpenAI's to any.
    pub(super) fn key_for(&self, url: &str, api: LlmApi) -> Option<&SecretString> {
        let host = url.split("://").nth(1).unwrap_or(url);
        let host = host.split(['/', '?', ':']).next().unwrap_or_default();
        let is_of = |domain: &str| host == domain || host.ends_with(&format!(".{domain}"));
        let own = match () {
            () if is_of("anthropic.com") => return given::key(self.anthropic_api_key.as_ref()),
            () if is_of("azure.com") => given::key(self.azure_openai_api_key.as_ref()),
            () if api == LlmApi::Messages && given::key(self.openai_api_key.as_ref()).is_none() => {
                given::key(self.anthropic_api_key.as_ref())
            }
            () => None,
        };
        own.or(given::key(self.openai_api_key.as_ref()))
    }

    /// The servers that are named.
    pub(super) fn servers(&self) -> Result<Vec<Server>, String> {
        let [openai, anthropic] = [
            (
                ("OPENAI_BASE_URL", &self.openai_base_url),
                ("OPENAI_API_KEY", &self.openai_api_key),
                LlmApi::Auto,
                None,
            ),
            (
                ("ANTHROPIC_BASE_URL", &self.anthropic_base_url),
                ("ANTHROPIC_API_KEY", &self.anthropic_api_key),
                LlmApi::Messages,
                Some("https://api.anthropic.com"),
            ),
        ]
        .map(|((url_name, url), (key_name, key), api, default)| {
            let (url, key) = (given::text(url.as_deref()), given::key(key.as_ref()));
            let named_by = if url.is_some() { url_name } else { key_name };
            (url.is_some() || key.is_some()).then(|| Server {
                named_by,
                base_url: url.or(default).map(str::to_owned),
                key: key.cloned(),
                api,
                model: None,
            })
        });
        let ollama = given::text(self.ollama_host.as_deref()).map(|host| Server {
            named_by: "OLLAMA_HOST",
            base_url: Some(ollama_url(host)),
            key: None,
            api: LlmApi::Chat,
            model: None,
        });
        Ok([openai, anthropic, self.azure()?, ollama]
            .into_iter()
            .flatten()
            .collect())
    }

    fn azure(&self) -> Result<Option<Server>, String> {
        let key = given::key(self.azure_openai_api_key.as_ref());
        let Some(endpoint) = given::text(self.azure_openai_endpoint.as_deref()) else {
            return match key {
                Some(_) => Err("AZURE_OPENAI_API_KEY needs AZURE_OPENAI_ENDPOINT, or LLM_BASE_URL".into()),
                None => Ok(None),
            };
        };
        let endpoint = endpoint.trim_end_matches('/').trim_end_matches("/openai");
        let deployment = given::text(self.azure_openai_deployment.as_deref());
        let version = given::text(self.azure_openai_api_version.as_deref());
        let base_url = match (version.filter(|version| version.starts_with("20")), deployment) {
            _ if endpoint.contains("/openai/") => endpoint.to_owned(),
            (Some(version), Some(deployment)) => {
                format!("{endpoint}/openai/deployments/{deployment}?api-version={version}")
            }
            (Some(_), None) => return Err("AZURE_OPENAI_API_VERSION needs AZURE_OPENAI_DEPLOYMENT".into()),
            (None, _) => format!("{endpoint}/openai/v1"),
        };
        Ok(Some(Server {
            named_by: "AZURE_OPENAI_ENDPOINT",
            base_url: Some(base_url),
            key: key.cloned(),
            api: LlmApi::Auto,
            model: deployment.map(str::to_owned),
        }))
    }
}

/// Ollama's variable holds an address with or without scheme and port. Where it is the address that Ollama listens at, all of
/// this machine's, it is reached at home.
fn ollama_url(host: &str) -> String {
    let (scheme, rest) = host.split_once("://").unwrap_or(("http", host));
    let rest = rest.trim_end_matches('/').trim_end_matches("/v1");
    let has_port = rest.rsplit_once(':').is_some_and(|(before, port)| {
        !port.is_empty() && port.bytes().all(|c| c.is_ascii_digit()) && (!before.contains(':') || before.ends_with(']'))
    });
    let port = match (has_port, scheme) {
        (true, _) | (false, "https") => String::new(),
        (false, _) => format!(":{OLLAMA_PORT}"),
    };
    let rest = match rest.strip_prefix("0.0.0.0") {
        Some(port) => format!("127.0.0.1{port}"),
        None if rest.starts_with(':') => format!("127.0.0.1{rest}"),
        None => rest.replacen("[::]", "[::1]", 1),
    };
    format!("{scheme}://{rest}{port}/v1")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ollamas_address_is_read_as_ollama_does() {
        for (host, want) in [
            ("127.0.0.1", "http://127.0.0.1:11434/v1"),
            (":8080", "http://127.0.0.1:8080/v1"),
            ("0.0.0.0:11434", "http://127.0.0.1:11434/v1"),
            ("[::]:8080", "http://[::1]:8080/v1"),
            ("http://gpu.lan:1234/v1", "http://gpu.lan:1234/v1"),
            ("ollama", "http://ollama:11434/v1"),
        ] {
            assert_eq!(ollama_url(host), want, "{host}");
        }
    }
}
