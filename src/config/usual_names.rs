//! The variables by which OpenAI, Anthropic, Azure and Ollama are known elsewhere, read where `LLM_*` says nothing. What could
//! mean two servers is refused: a guess would send people's words to one that the operator did not choose.

use super::llm::{LlmApi, LlmConfig};
use clap::Args;
use secrecy::{ExposeSecret, SecretString};

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
struct Server {
    /// The variable that names it.
    named_by: &'static str,
    base_url: Option<String>,
    key: Option<SecretString>,
    api: LlmApi,
    model: Option<String>,
}

impl LlmConfig {
    /// Puts what other variables say into the place of those of `LLM_*` that are not set. From here on there is one spelling.
    ///
    /// # Errors
    /// Where they name two servers, or half of one; for the operator.
    pub fn settle_names(&mut self) -> Result<(), String> {
        let is_offline = self.provider == Some(super::LlmProvider::Offline);
        let is_key_set = self.key().is_some();
        if is_offline {
            return Ok(());
        }
        if let Some(url) = self.url().map(str::to_owned) {
            if !is_key_set {
                self.api_key = self.usual.key_for(&url, self.api).cloned();
            }
            return Ok(());
        }
        let mut servers = self.usual.servers()?;
        // A key of our own goes to an address that is named, never along with a key of another server.
        if is_key_set {
            servers.retain(|server| server.base_url.is_some() && server.key.is_none());
        }
        if servers.len() > 1 {
            let format = self.api;
            servers.retain(|server| match format {
                LlmApi::Auto => true,
                LlmApi::Messages => server.api == LlmApi::Messages,
                LlmApi::Chat | LlmApi::Responses => server.api != LlmApi::Messages,
            });
        }
        if let [one, other, ..] = servers.as_slice() {
            return Err(format!(
                "{} and {} name two servers of models: set LLM_BASE_URL to the one that is meant, or take one of them away",
                one.named_by, other.named_by
            ));
        }
        let Some(server) = servers.pop() else { return Ok(()) };
        self.base_url = server.base_url;
        if !is_key_set {
            self.api_key = server.key;
        }
        if self.api == LlmApi::Auto {
            self.api = server.api;
        }
        if self.model().is_none() {
            self.model = server.model;
        }
        Ok(())
    }
}

impl UsualNames {
    /// The key for an address that the operator named: a provider's own key goes to its own hosts only, OpenAI's to any.
    fn key_for(&self, url: &str, api: LlmApi) -> Option<&SecretString> {
        let host = url.split("://").nth(1).unwrap_or(url);
        let host = host.split(['/', '?', ':']).next().unwrap_or_default();
        let is_of = |domain: &str| host == domain || host.ends_with(&format!(".{domain}"));
        let own = match () {
            () if is_of("anthropic.com") => return set(self.anthropic_api_key.as_ref()),
            () if is_of("azure.com") => set(self.azure_openai_api_key.as_ref()),
            () if api == LlmApi::Messages && set(self.openai_api_key.as_ref()).is_none() => {
                set(self.anthropic_api_key.as_ref())
            }
            () => None,
        };
        own.or(set(self.openai_api_key.as_ref()))
    }

    /// The servers that are named.
    fn servers(&self) -> Result<Vec<Server>, String> {
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
            let (url, key) = (text(url.as_deref()), set(key.as_ref()));
            let named_by = if url.is_some() { url_name } else { key_name };
            (url.is_some() || key.is_some()).then(|| Server {
                named_by,
                base_url: url.or(default).map(str::to_owned),
                key: key.cloned(),
                api,
                model: None,
            })
        });
        let ollama = text(self.ollama_host.as_deref()).map(|host| Server {
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
        let key = set(self.azure_openai_api_key.as_ref());
        let Some(endpoint) = text(self.azure_openai_endpoint.as_deref()) else {
            return match key {
                Some(_) => Err("AZURE_OPENAI_API_KEY needs AZURE_OPENAI_ENDPOINT, or LLM_BASE_URL".into()),
                None => Ok(None),
            };
        };
        let endpoint = endpoint.trim_end_matches('/').trim_end_matches("/openai");
        let deployment = text(self.azure_openai_deployment.as_deref());
        let version = text(self.azure_openai_api_version.as_deref());
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

fn set(key: Option<&SecretString>) -> Option<&SecretString> {
    key.filter(|key| !key.expose_secret().trim().is_empty())
}

fn text(value: Option<&str>) -> Option<&str> {
    value.map(str::trim).filter(|value| !value.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Config;

    fn configured(variables: &[(&str, &str)]) -> LlmConfig {
        let mut config = Config::for_testing("postgres://x").llm;
        for (name, value) in variables {
            let (text, key) = (Some((*value).to_owned()), Some(SecretString::from(*value)));
            match *name {
                "LLM_API_KEY" => config.api_key = key,
                "LLM_BASE_URL" => config.base_url = text,
                "LLM_MODEL" => config.model = text,
                "LLM_API" => {
                    config.api = match *value {
                        "messages" => LlmApi::Messages,
                        _ => LlmApi::Chat,
                    };
                }
                "OPENAI_API_KEY" => config.usual.openai_api_key = key,
                "OPENAI_BASE_URL" => config.usual.openai_base_url = text,
                "ANTHROPIC_API_KEY" => config.usual.anthropic_api_key = key,
                "ANTHROPIC_BASE_URL" => config.usual.anthropic_base_url = text,
                "AZURE_OPENAI_API_KEY" => config.usual.azure_openai_api_key = key,
                "AZURE_OPENAI_ENDPOINT" => config.usual.azure_openai_endpoint = text,
                "AZURE_OPENAI_DEPLOYMENT" => config.usual.azure_openai_deployment = text,
                "AZURE_OPENAI_API_VERSION" => config.usual.azure_openai_api_version = text,
                "OLLAMA_HOST" => config.usual.ollama_host = text,
                other => panic!("{other}"),
            }
        }
        config
    }

    /// Address, key, format and model.
    fn settled(variables: &[(&str, &str)]) -> Result<String, String> {
        let mut config = configured(variables);
        config.settle_names()?;
        let key = config.key().map(|key| key.expose_secret().to_owned());
        let or_none = |text: Option<&str>| text.unwrap_or("-").to_owned();
        Ok(format!(
            "{} {} {:?} {}",
            or_none(config.url()),
            or_none(key.as_deref()),
            config.api,
            or_none(config.model())
        ))
    }

    #[test]
    fn the_usual_variables_of_four_providers_name_a_server() {
        let cases: [(&[(&str, &str)], &str); 15] = [
            (&[], "- - Auto -"),
            (&[("OPENAI_API_KEY", "o")], "- o Auto -"),
            (
                &[("OPENAI_API_KEY", "o"), ("OPENAI_BASE_URL", "http://x/v1")],
                "http://x/v1 o Auto -",
            ),
            (&[("ANTHROPIC_API_KEY", "a")], "https://api.anthropic.com a Messages -"),
            (
                &[
                    ("ANTHROPIC_API_KEY", "a"),
                    ("ANTHROPIC_BASE_URL", "https://p.test"),
                    ("LLM_MODEL", "m"),
                ],
                "https://p.test a Messages m",
            ),
            (
                &[
                    ("AZURE_OPENAI_API_KEY", "z"),
                    ("AZURE_OPENAI_ENDPOINT", "https://n.openai.azure.com/"),
                    ("AZURE_OPENAI_DEPLOYMENT", "d"),
                ],
                "https://n.openai.azure.com/openai/v1 z Auto d",
            ),
            (
                &[
                    ("AZURE_OPENAI_API_KEY", "z"),
                    ("AZURE_OPENAI_ENDPOINT", "https://n.openai.azure.com"),
                    ("AZURE_OPENAI_DEPLOYMENT", "d"),
                    ("AZURE_OPENAI_API_VERSION", "2024-10-21"),
                ],
                "https://n.openai.azure.com/openai/deployments/d?api-version=2024-10-21 z Auto d",
            ),
            (&[("OLLAMA_HOST", "gpu:8080")], "http://gpu:8080/v1 - Chat -"),
            (&[("OLLAMA_HOST", "0.0.0.0")], "http://127.0.0.1:11434/v1 - Chat -"),
            (
                &[("OLLAMA_HOST", "https://ollama.test/")],
                "https://ollama.test/v1 - Chat -",
            ),
            // Ours come first, also an address without a key.
            (
                &[
                    ("LLM_BASE_URL", "http://x/v1"),
                    ("OLLAMA_HOST", "gpu"),
                    ("OPENAI_API_KEY", "o"),
                ],
                "http://x/v1 o Auto -",
            ),
            (&[("LLM_API_KEY", "l"), ("ANTHROPIC_API_KEY", "a")], "- l Auto -"),
            (
                &[("LLM_API_KEY", "l"), ("OPENAI_BASE_URL", "http://x/v1")],
                "http://x/v1 l Auto -",
            ),
            // A provider's key goes to nobody else.
            (
                &[("LLM_BASE_URL", "http://localhost:1/v1"), ("ANTHROPIC_API_KEY", "a")],
                "http://localhost:1/v1 - Auto -",
            ),
            (
                &[
                    ("LLM_BASE_URL", "https://api.anthropic.com"),
                    ("OPENAI_API_KEY", "o"),
                    ("ANTHROPIC_API_KEY", "a"),
                ],
                "https://api.anthropic.com a Auto -",
            ),
        ];
        for (variables, want) in cases {
            assert_eq!(settled(variables).as_deref(), Ok(want), "{variables:?}");
        }
    }

    #[test]
    fn two_servers_are_refused_with_both_names_unless_the_format_decides() {
        let both = [("OPENAI_API_KEY", "o"), ("ANTHROPIC_API_KEY", "a")];
        let refused = settled(&both).expect_err("two servers");
        assert!(
            refused.contains("OPENAI_API_KEY") && refused.contains("ANTHROPIC_API_KEY"),
            "{refused}"
        );
        assert!(!refused.contains("sk"), "no key is shown");
        let with = |api| [both[0], both[1], ("LLM_API", api)];
        assert_eq!(
            settled(&with("messages")).as_deref(),
            Ok("https://api.anthropic.com a Messages -")
        );
        assert_eq!(settled(&with("chat")).as_deref(), Ok("- o Chat -"));
        let refused = settled(&[("OPENAI_API_KEY", "o"), ("OLLAMA_HOST", "gpu")]).expect_err("two servers");
        assert!(refused.contains("OLLAMA_HOST"), "{refused}");
        let half = settled(&[("AZURE_OPENAI_API_KEY", "z")]).expect_err("half a server");
        assert!(half.contains("AZURE_OPENAI_ENDPOINT"), "{half}");
        let mut offline = configured(&both);
        offline.provider = Some(crate::config::LlmProvider::Offline);
        assert_eq!(offline.settle_names(), Ok(()), "nobody is asked");
    }

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
