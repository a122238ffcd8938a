//! What is known of the provider: its metadata, for an hour, and its keys. Fetched when first needed.

use super::error::{SsoError, SsoResult, unavailable};
use super::http::{Gateway, may_be_asked, send};
use openidconnect::core::CoreJsonWebKeySet;
use reqwest::Url;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};
use tokio::sync::Mutex;

const METADATA_LIFE: Duration = Duration::from_secs(3600);

/// Tokens with made-up key ids must not make us ask the provider each time.
const BETWEEN_KEY_FETCHES: Duration = Duration::from_secs(5);

/// What we use of the discovery document. Whatever else it says, in whatever form, does not matter.
#[derive(Debug, Clone)]
pub(crate) struct Metadata {
    pub issuer: String,
    pub authorization: Url,
    pub token: Url,
    pub userinfo: Option<Url>,
    /// Where people end their session at the provider.
    pub end_session: Option<Url>,
    /// Whether its answers say who answers (RFC 9207).
    pub names_itself: bool,
    /// Most take the secret as HTTP Basic, the default; some in the body only.
    pub wants_secret_in_body: bool,
    has_backchannel_logout: bool,
    keys: Url,
}

impl Metadata {
    fn read(document: &Map<String, Value>, issuer: &str) -> SsoResult<Self> {
        let text = |name: &str| document.get(name).and_then(Value::as_str);
        let named = text("issuer").unwrap_or_default();
        if named != issuer {
            // A text of a document that everybody may read.
            let named: String = named.chars().take(200).collect();
            return Err(unavailable(format!(
                "the provider's discovery document: it calls itself {named:?}; OIDC_ISSUER must be exactly what the provider \
                 calls itself"
            )));
        }
        let url = |name: &str| text(name).and_then(|url| Url::parse(url).ok()).filter(may_be_asked);
        let needed =
            |name: &str| url(name).ok_or_else(|| unavailable(format!("the provider's {name} is no https URL")));
        let is = |name: &str| document.get(name) == Some(&Value::Bool(true));
        let methods = document
            .get("token_endpoint_auth_methods_supported")
            .and_then(Value::as_array);
        let takes = |method: &str| methods.is_some_and(|methods| methods.iter().any(|one| one == method));
        Ok(Self {
            issuer: issuer.to_owned(),
            authorization: needed("authorization_endpoint")?,
            token: needed("token_endpoint")?,
            keys: needed("jwks_uri")?,
            userinfo: url("userinfo_endpoint"),
            end_session: url("end_session_endpoint"),
            names_itself: is("authorization_response_iss_parameter_supported"),
            wants_secret_in_body: takes("client_secret_post") && !takes("client_secret_basic"),
            has_backchannel_logout: is("backchannel_logout_supported"),
        })
    }
}

/// Metadata with keys.
#[derive(Debug)]
pub(crate) struct Known {
    pub metadata: Metadata,
    pub keys: CoreJsonWebKeySet,
}

impl Known {
    /// For operators, one line for each finding.
    pub(crate) fn describe(&self) -> Vec<String> {
        let metadata = &self.metadata;
        let has = |is: bool| if is { "yes" } else { "no" };
        vec![
            format!("{} answers; {} keys", metadata.issuer, self.keys.keys().len()),
            format!(
                "userinfo: {}, sign-out at the provider: {}, back-channel logout: {}, names itself (RFC 9207): {}",
                has(metadata.userinfo.is_some()),
                has(metadata.end_session.is_some()),
                has(metadata.has_backchannel_logout),
                has(metadata.names_itself),
            ),
        ]
    }
}

/// Asks the provider, and remembers.
#[derive(Debug)]
pub(crate) struct Provider {
    issuer: String,
    gateway: OnceLock<Gateway>,
    /// Locked while the provider is asked: others wait for the same answer.
    cache: Mutex<Cache>,
}

#[derive(Debug, Default)]
struct Cache {
    known: Option<(Arc<Known>, Instant)>,
    failed: Option<(SsoError, Instant)>,
    keys_fetched_again: Option<Instant>,
}

impl Provider {
    pub(crate) fn new(issuer: String) -> Self {
        Self {
            issuer,
            gateway: OnceLock::new(),
            cache: Mutex::default(),
        }
    }

    pub(crate) fn gateway(&self) -> SsoResult<&Gateway> {
        if let Some(gateway) = self.gateway.get() {
            return Ok(gateway);
        }
        let gateway = Gateway::new(&self.issuer)?;
        Ok(self.gateway.get_or_init(|| gateway))
    }

    pub(crate) async fn known(&self) -> SsoResult<Arc<Known>> {
        let asked_at = Instant::now();
        let mut cache = self.cache.lock().await;
        if let Some((known, at)) = &cache.known
            && at.elapsed() < METADATA_LIFE
        {
            return Ok(Arc::clone(known));
        }
        // Who waited for an attempt that failed does not wait for another one of their own.
        if let Some((error, at)) = &cache.failed
            && *at >= asked_at
        {
            return Err(error.clone());
        }
        match self.discover().await {
            Ok(known) => {
                let known = Arc::new(known);
                cache.known = Some((Arc::clone(&known), Instant::now()));
                Ok(known)
            }
            Err(error) => {
                cache.failed = Some((error.clone(), Instant::now()));
                Err(error)
            }
        }
    }

    /// The keys after `seen` has turned out to lack one; asks the provider at most once in a few seconds.
    pub(crate) async fn refresh_keys(&self, seen: &Arc<Known>) -> SsoResult<Arc<Known>> {
        let mut cache = self.cache.lock().await;
        let at = match &cache.known {
            Some((known, _)) if !Arc::ptr_eq(known, seen) => return Ok(Arc::clone(known)),
            Some((_, at)) => *at,
            None => Instant::now(),
        };
        let is_recent = |at: Instant| at.elapsed() < BETWEEN_KEY_FETCHES;
        if cache.keys_fetched_again.is_some_and(is_recent) {
            return Ok(Arc::clone(seen));
        }
        cache.keys_fetched_again = Some(Instant::now());
        let known = Arc::new(Known {
            keys: self.fetch("keys", &seen.metadata.keys).await?,
            metadata: seen.metadata.clone(),
        });
        cache.known = Some((Arc::clone(&known), at));
        Ok(known)
    }

    async fn discover(&self) -> SsoResult<Known> {
        let base = self.issuer.trim_end_matches('/');
        let url = Url::parse(&format!("{base}/.well-known/openid-configuration"));
        let url = url.map_err(|_| unavailable("OIDC_ISSUER is no URL"))?;
        let document: Map<String, Value> = self.fetch("discovery document", &url).await?;
        let metadata = Metadata::read(&document, &self.issuer)?;
        Ok(Known {
            keys: self.fetch("keys", &metadata.keys).await?,
            metadata,
        })
    }

    async fn fetch<T: DeserializeOwned>(&self, part: &str, url: &Url) -> SsoResult<T> {
        let answer = send(part, self.gateway()?.get(url)).await?;
        if !answer.status.is_success() {
            let status = answer.status.as_u16();
            return Err(unavailable(format!("the provider's {part}: it answers {status}")));
        }
        serde_json::from_slice(&answer.body)
            .map_err(|_| unavailable(format!("the provider's {part} is not what it should be")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn read(document: &Value) -> SsoResult<Metadata> {
        Metadata::read(document.as_object().expect("an object"), "https://id.example.com")
    }

    #[test]
    fn only_what_is_used_must_be_there_and_right() {
        let mut document = json!({
            "issuer": "https://id.example.com", "authorization_endpoint": "https://id.example.com/authorize?tenant=1",
            "token_endpoint": "https://id.example.com/token", "jwks_uri": "https://id.example.com/keys",
            "userinfo_endpoint": null, "response_types_supported": "code", "claims_supported": {"a": 1},
            "token_endpoint_auth_methods_supported": ["private_key_jwt", "client_secret_post", 7],
        });
        let metadata = read(&document).expect("read");
        assert!(metadata.wants_secret_in_body && metadata.userinfo.is_none() && !metadata.names_itself);
        for (name, value, cause) in [
            (
                "issuer",
                json!("https://id.example.com/"),
                "OIDC_ISSUER must be exactly",
            ),
            (
                "token_endpoint",
                json!("http://id.example.com/token"),
                "token_endpoint is no https URL",
            ),
            ("jwks_uri", json!(7), "jwks_uri is no https URL"),
        ] {
            let right = std::mem::replace(&mut document[name], value);
            assert!(read(&document).expect_err(name).to_string().contains(cause), "{name}");
            document[name] = right;
        }
    }
}
