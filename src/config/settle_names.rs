//! One spelling for what the operator set: `LLM_*` first, then the usual names.

use super::llm::{LlmConfig, LlmProvider};
use super::llm_api::LlmApi;

impl LlmConfig {
    /// Puts what other variables say into the place of those of `LLM_*` that are not set. From here on there is one spelling.
    ///
    /// # Errors
    /// Where they name two servers, or half of one; for the operator.
    pub fn settle_names(&mut self) -> Result<(), String> {
        let is_offline = self.provider == Some(LlmProvider::Offline);
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Config;
    use secrecy::{ExposeSecret, SecretString};

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
            // A provider's key is sent to that provider only.
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
        offline.provider = Some(LlmProvider::Offline);
        assert_eq!(offline.settle_names(), Ok(()), "nobody is asked");
    }
}
