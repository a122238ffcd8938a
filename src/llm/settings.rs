//! Where the model is and how long to wait for it, checked once at the start.

use async_openai::config::Config;
use http::{HeaderMap, HeaderValue, header};
use reqwest::Url;
use secrecy::{ExposeSecret, SecretString};
use std::{net::IpAddr, time::Duration};

const OPENAI: &str = "https://api.openai.com/v1";

/// What the operator configured. Nothing else can change it.
#[derive(Clone, Debug)]
pub struct LlmSettings {
    /// OpenAI's where there is only a key. Where the path is empty `/v1` is added.
    pub base_url: Option<String>,
    pub api_key: Option<SecretString>,
    pub model: String,
    /// From the call to the first piece of the answer, retries included.
    pub timeout: Duration,
    /// Between two pieces of the answer.
    pub gap_timeout: Duration,
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
            timeout: Duration::from_secs(30),
            gap_timeout: Duration::from_secs(20),
            connect_timeout: Duration::from_secs(3),
            allow_insecure: false,
            log_raw: false,
        }
    }
}

/// Why the settings cannot work. Never says the key.
#[derive(Debug, thiserror::Error)]
pub enum LlmSettingsError {
    #[error("LLM_API_KEY holds a character that no header can carry")]
    Key,
    #[error("LLM_BASE_URL is no http or https URL")]
    BaseUrl,
    #[error("LLM_BASE_URL must not hold a user name or password; use LLM_API_KEY")]
    Credentials,
    #[error("LLM_API_KEY would travel in the clear to {0}: use https, or no key")]
    Insecure(String),
    #[error("LLM_MODEL is empty")]
    Model,
    #[error("no HTTP client for the model ({0}); are CA certificates installed?")]
    Client(#[source] reqwest::Error),
}

/// The checked address of a model: async-openai's configuration without its reading of the environment and its panic on
/// a key that is no header value.
#[derive(Clone, Debug)]
pub(super) struct Endpoint {
    base: String,
    query: Vec<(String, String)>,
    headers: HeaderMap,
    key: SecretString,
    pub is_https: bool,
    /// Plain http to another machine.
    pub is_exposed: bool,
}

impl Endpoint {
    /// `None` where neither key nor base URL is set.
    pub fn new(settings: &LlmSettings) -> Result<Option<Self>, LlmSettingsError> {
        let key = settings.api_key.as_ref().map_or("", |key| key.expose_secret().trim());
        let base = settings
            .base_url
            .as_deref()
            .map(str::trim)
            .filter(|base| !base.is_empty());
        if settings.model.trim().is_empty() {
            return Err(LlmSettingsError::Model);
        }
        if key.is_empty() && base.is_none() {
            return Ok(None);
        }
        let mut url = Url::parse(base.unwrap_or(OPENAI)).map_err(|_| LlmSettingsError::BaseUrl)?;
        if !matches!(url.scheme(), "http" | "https") || url.host_str().is_none_or(str::is_empty) {
            return Err(LlmSettingsError::BaseUrl);
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err(LlmSettingsError::Credentials);
        }
        let is_https = url.scheme() == "https";
        let is_exposed = !is_https && !is_loopback(&url);
        if is_exposed && !key.is_empty() && !settings.allow_insecure {
            return Err(LlmSettingsError::Insecure(
                url.host_str().unwrap_or_default().to_owned(),
            ));
        }
        let query = url.query_pairs().into_owned().collect();
        let headers = headers(key, url.host_str().unwrap_or_default())?;
        url.set_query(None);
        url.set_fragment(None);
        let base = base_path(&url);
        Ok(Some(Self {
            base,
            query,
            headers,
            key: SecretString::from(key.to_owned()),
            is_https,
            is_exposed,
        }))
    }
}

/// The base without the slash and the operation that people copy along; `/v1` where there is no path.
fn base_path(url: &Url) -> String {
    let text = url.as_str().trim_end_matches('/');
    let text = text
        .strip_suffix("/chat/completions")
        .unwrap_or(text)
        .trim_end_matches('/');
    match url.path() {
        "/" | "" => format!("{text}/v1"),
        _ => text.to_owned(),
    }
}

fn is_loopback(url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default();
    match host.trim_start_matches('[').trim_end_matches(']').parse() {
        Ok(IpAddr::V6(ip)) => ip.is_loopback() || ip.to_ipv4_mapped().is_some_and(|ip| ip.is_loopback()),
        Ok(IpAddr::V4(ip)) => ip.is_loopback(),
        Err(_) => host == "localhost" || host.ends_with(".localhost"),
    }
}

fn headers(key: &str, host: &str) -> Result<HeaderMap, LlmSettingsError> {
    let mut headers = HeaderMap::new();
    headers.insert(
        header::ACCEPT,
        HeaderValue::from_static("text/event-stream, application/json"),
    );
    // A compressed answer would have to be unpacked, which is how little bytes become many.
    headers.insert(header::ACCEPT_ENCODING, HeaderValue::from_static("identity"));
    if key.is_empty() {
        return Ok(headers);
    }
    if !key.bytes().all(|b| b.is_ascii_graphic()) {
        return Err(LlmSettingsError::Key);
    }
    let secret = |text: &str| {
        let mut value = HeaderValue::from_str(text).map_err(|_| LlmSettingsError::Key)?;
        value.set_sensitive(true);
        Ok(value)
    };
    headers.insert(header::AUTHORIZATION, secret(&format!("Bearer {key}"))?);
    if host.ends_with(".azure.com") {
        headers.insert("api-key", secret(key)?);
    }
    Ok(headers)
}

impl Config for Endpoint {
    fn headers(&self) -> HeaderMap {
        self.headers.clone()
    }

    fn url(&self, path: &str) -> String {
        format!("{}{path}", self.base)
    }

    fn query(&self) -> Vec<(&str, &str)> {
        self.query
            .iter()
            .map(|(name, value)| (name.as_str(), value.as_str()))
            .collect()
    }

    fn api_base(&self) -> &str {
        &self.base
    }

    fn api_key(&self) -> &SecretString {
        &self.key
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn endpoint(base: &str, key: &str) -> Result<Option<Endpoint>, LlmSettingsError> {
        Endpoint::new(&LlmSettings {
            base_url: (base != "-").then(|| base.to_owned()),
            api_key: (key != "-").then(|| SecretString::from(key.to_owned())),
            ..LlmSettings::default()
        })
    }

    #[test]
    fn addresses_people_really_write() {
        let cases = [
            ("-", "sk-1", "https://api.openai.com/v1/chat/completions"),
            ("  ", "sk-1", "https://api.openai.com/v1/chat/completions"),
            (
                "http://localhost:11434",
                "-",
                "http://localhost:11434/v1/chat/completions",
            ),
            ("http://ollama:11434/v1/", "", "http://ollama:11434/v1/chat/completions"),
            (
                "http://127.0.0.1:8080/v1",
                "local",
                "http://127.0.0.1:8080/v1/chat/completions",
            ),
            ("http://[::1]:8080", "local", "http://[::1]:8080/v1/chat/completions"),
            (
                "https://openrouter.ai/api/v1/chat/completions",
                "k",
                "https://openrouter.ai/api/v1/chat/completions",
            ),
            (
                "https://x.openai.azure.com/openai/v1/?api-version=preview",
                "k",
                "https://x.openai.azure.com/openai/v1/chat/completions",
            ),
        ];
        for (base, key, url) in cases {
            let endpoint = endpoint(base, key).expect(base).expect("configured");
            assert_eq!(endpoint.url("/chat/completions"), url);
        }
        let azure = endpoint("https://x.openai.azure.com/openai/v1/?api-version=preview", "k")
            .expect("valid")
            .expect("set");
        assert_eq!(azure.query(), [("api-version", "preview")]);
        assert_eq!(azure.headers()["api-key"], "k");
        assert!(endpoint("-", " \n").expect("valid").is_none(), "nothing is configured");
    }

    #[test]
    fn the_key_is_trimmed_and_checked_and_only_a_header() {
        let with_newline = endpoint("-", "sk-1\n").expect("valid").expect("set");
        assert_eq!(with_newline.headers()[header::AUTHORIZATION], "Bearer sk-1");
        assert!(with_newline.headers()[header::AUTHORIZATION].is_sensitive());
        for key in ["sk 1", "sk\n1", "schlüssel", "a\u{0}b"] {
            assert!(matches!(endpoint("-", key), Err(LlmSettingsError::Key)), "{key:?}");
        }
        assert!(!format!("{with_newline:?}").contains("sk-1"));
        let keyless = endpoint("http://localhost:1", "-").expect("valid").expect("set");
        assert!(!keyless.headers().contains_key(header::AUTHORIZATION));
    }

    #[test]
    fn a_key_travels_in_the_clear_only_at_home() {
        for home in [
            "http://localhost",
            "http://me.localhost:1",
            "http://127.0.0.9",
            "http://[::ffff:127.0.0.1]",
        ] {
            assert!(endpoint(home, "k").is_ok(), "{home}");
        }
        for away in [
            "http://vllm:8000",
            "http://10.0.0.1",
            "http://localhost.evil.test",
            "http://0.0.0.0:1",
        ] {
            assert!(
                matches!(endpoint(away, "k"), Err(LlmSettingsError::Insecure(_))),
                "{away}"
            );
            assert!(endpoint(away, "-").expect(away).expect("set").is_exposed);
        }
        for wrong in [
            "api.openai.com",
            "ftp://x",
            "file:///etc/passwd",
            "http://",
            "localhost:11434",
        ] {
            assert!(
                matches!(endpoint(wrong, "-"), Err(LlmSettingsError::BaseUrl)),
                "{wrong}"
            );
        }
        assert!(matches!(
            endpoint("https://u:p@x.test", "-"),
            Err(LlmSettingsError::Credentials)
        ));
    }
}
