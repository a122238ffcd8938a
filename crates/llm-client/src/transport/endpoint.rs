//! The checked address of a model's server.

use crate::{ApiChoice, ApiKind, LlmSettings, LlmSettingsError};
use http::{HeaderMap, HeaderValue, header};
use reqwest::Url;
use secrecy::{ExposeSecret, SecretString};
use std::net::IpAddr;

const OPENAI: &str = "https://api.openai.com/v1";

/// The supported version of Anthropic's API.
const ANTHROPIC_VERSION: &str = "2023-06-01";

/// The checked address, and the headers of each format.
#[derive(Clone, Debug)]
pub(crate) struct Endpoint {
    /// Without a slash at the end; with the query.
    base: Url,
    host: String,
    /// For the OpenAI formats.
    headers: HeaderMap,
    messages_headers: HeaderMap,
    key: SecretString,
    pub is_https: bool,
    /// This machine.
    pub is_loopback: bool,
    /// Plain http to another machine.
    pub is_exposed: bool,
}

impl Endpoint {
    /// `None` where neither key nor base URL is set.
    pub(crate) fn new(settings: &LlmSettings) -> Result<Option<Self>, LlmSettingsError> {
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
        let is_loopback = is_loopback(&url);
        let is_exposed = !is_https && !is_loopback;
        if is_exposed && !key.is_empty() && !settings.allow_insecure {
            return Err(LlmSettingsError::Insecure(
                url.host_str().unwrap_or_default().to_owned(),
            ));
        }
        let host = url.host_str().unwrap_or_default().to_owned();
        let (headers, messages_headers) = (openai_headers(key, &host)?, anthropic_headers(key, &host)?);
        url.set_fragment(None);
        url.set_path(&base_path(url.path()));
        Ok(Some(Self {
            base: url,
            host,
            headers,
            messages_headers,
            key: SecretString::from(key.to_owned()),
            is_https,
            is_loopback,
            is_exposed,
        }))
    }

    /// The wire format to begin with.
    pub(crate) fn api(&self, choice: ApiChoice) -> ApiKind {
        match choice {
            ApiChoice::Fixed(api) => api,
            ApiChoice::Auto if self.host == "api.anthropic.com" => ApiKind::Messages,
            ApiChoice::Auto if self.host == "api.openai.com" => ApiKind::Responses,
            // The dated API has the deployment in its path, and no Responses below it.
            ApiChoice::Auto
                if self.host.ends_with(".openai.azure.com") && !self.base.path().contains("/deployments/") =>
            {
                ApiKind::Responses
            }
            ApiChoice::Auto => ApiKind::Chat,
        }
    }

    /// The headers of a request in this format.
    pub(crate) fn headers_of(&self, api: ApiKind) -> &HeaderMap {
        match api {
            ApiKind::Chat | ApiKind::Responses => &self.headers,
            ApiKind::Messages => &self.messages_headers,
        }
    }
}

/// The path without the slash and the operation that people copy along; `/v1` where there is none.
fn base_path(path: &str) -> String {
    let path = path.trim_end_matches('/');
    if path.is_empty() {
        return "/v1".to_owned();
    }
    [ApiKind::Chat, ApiKind::Responses, ApiKind::Messages]
        .into_iter()
        .find_map(|api| path.strip_suffix(api.path()))
        .unwrap_or(path)
        .trim_end_matches('/')
        .to_owned()
}

fn is_loopback(url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default();
    match host.trim_start_matches('[').trim_end_matches(']').parse() {
        Ok(IpAddr::V6(ip)) => ip.is_loopback() || ip.to_ipv4_mapped().is_some_and(|ip| ip.is_loopback()),
        Ok(IpAddr::V4(ip)) => ip.is_loopback(),
        Err(_) => host == "localhost" || host.ends_with(".localhost"),
    }
}

fn plain_headers() -> HeaderMap {
    let mut headers = HeaderMap::new();
    headers.insert(
        header::ACCEPT,
        HeaderValue::from_static("text/event-stream, application/json"),
    );
    // A compressed answer would have to be unpacked, which is how little bytes become many.
    headers.insert(header::ACCEPT_ENCODING, HeaderValue::from_static("identity"));
    headers
}

fn secret(key: &str, text: &str) -> Result<HeaderValue, LlmSettingsError> {
    if !key.bytes().all(|b| b.is_ascii_graphic()) {
        return Err(LlmSettingsError::Key);
    }
    let mut value = HeaderValue::from_str(text).map_err(|_| LlmSettingsError::Key)?;
    value.set_sensitive(true);
    Ok(value)
}

fn openai_headers(key: &str, host: &str) -> Result<HeaderMap, LlmSettingsError> {
    let mut headers = plain_headers();
    if key.is_empty() {
        return Ok(headers);
    }
    headers.insert(header::AUTHORIZATION, secret(key, &format!("Bearer {key}"))?);
    if host.ends_with(".azure.com") {
        headers.insert("api-key", secret(key, key)?);
    }
    Ok(headers)
}

/// Anthropic takes the key in a header of its own, and refuses it as a bearer token; gateways want either.
fn anthropic_headers(key: &str, host: &str) -> Result<HeaderMap, LlmSettingsError> {
    let mut headers = if host == "api.anthropic.com" {
        plain_headers()
    } else {
        openai_headers(key, host)?
    };
    headers.insert("anthropic-version", HeaderValue::from_static(ANTHROPIC_VERSION));
    if !key.is_empty() {
        headers.insert("x-api-key", secret(key, key)?);
    }
    Ok(headers)
}

impl Endpoint {
    /// The address of an operation, with the query of the configured address.
    pub(crate) fn url(&self, path: &str) -> Url {
        let mut url = self.base.clone();
        url.set_path(&format!("{}{path}", self.base.path()));
        url
    }

    pub(crate) fn base(&self) -> &str {
        self.base.as_str()
    }

    pub(crate) fn key(&self) -> &SecretString {
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
                "https://x.openai.azure.com/openai/v1/chat/completions?api-version=preview",
            ),
        ];
        for (base, key, url) in cases {
            let endpoint = endpoint(base, key).expect(base).expect("configured");
            assert_eq!(endpoint.url("/chat/completions").as_str(), url);
        }
        let azure = endpoint("https://x.openai.azure.com/openai/v1/?api-version=preview", "k")
            .expect("valid")
            .expect("set");
        assert_eq!(azure.headers["api-key"], "k");
        assert!(endpoint("-", " \n").expect("valid").is_none(), "nothing is configured");
    }

    #[test]
    fn the_key_is_trimmed_and_checked_and_only_a_header() {
        let with_newline = endpoint("-", "sk-1\n").expect("valid").expect("set");
        assert_eq!(with_newline.headers[header::AUTHORIZATION], "Bearer sk-1");
        assert!(with_newline.headers[header::AUTHORIZATION].is_sensitive());
        for key in ["sk 1", "sk\n1", "schlüssel", "a\u{0}b"] {
            assert!(matches!(endpoint("-", key), Err(LlmSettingsError::Key)), "{key:?}");
        }
        assert!(!format!("{with_newline:?}").contains("sk-1"));
        let keyless = endpoint("http://localhost:1", "-").expect("valid").expect("set");
        assert!(!keyless.headers.contains_key(header::AUTHORIZATION));
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

    #[test]
    fn the_format_follows_the_host_unless_it_is_chosen() {
        let cases = [
            ("-", ApiKind::Responses),
            ("https://api.openai.com/v1", ApiKind::Responses),
            ("https://x.openai.azure.com/openai/v1", ApiKind::Responses),
            (
                "https://x.openai.azure.com/openai/deployments/d?api-version=2024-10-21",
                ApiKind::Chat,
            ),
            ("https://api.anthropic.com", ApiKind::Messages),
            ("https://api.anthropic.com/v1/messages", ApiKind::Messages),
            ("http://localhost:11434", ApiKind::Chat),
            ("https://openrouter.ai/api/v1", ApiKind::Chat),
        ];
        for (base, api) in cases {
            let endpoint = endpoint(base, "k").expect(base).expect("set");
            assert_eq!(endpoint.api(ApiChoice::Auto), api, "{base}");
            assert_eq!(endpoint.api(ApiChoice::Fixed(ApiKind::Messages)), ApiKind::Messages);
        }
        let anthropic = endpoint("https://api.anthropic.com", "k").expect("valid").expect("set");
        let headers = anthropic.headers_of(ApiKind::Messages);
        assert_eq!(
            (&headers["x-api-key"], &headers["anthropic-version"]),
            (&HeaderValue::from_static("k"), &HeaderValue::from_static("2023-06-01"))
        );
        assert!(headers["x-api-key"].is_sensitive() && !headers.contains_key(header::AUTHORIZATION));
        let url = anthropic.url(ApiKind::Messages.path());
        assert_eq!(url.as_str(), "https://api.anthropic.com/v1/messages");
    }
}
