//! What is known of the provider: its metadata, for an hour, and its keys. Fetched when first needed.

use super::error::{SsoError, SsoResult, unavailable};
use super::http::{Gateway, HttpError, may_be_asked, of};
use openidconnect::core::{
    CoreAuthDisplay, CoreClaimName, CoreClaimType, CoreClientAuthMethod, CoreGrantType, CoreJsonWebKey,
    CoreJsonWebKeySet, CoreJweContentEncryptionAlgorithm, CoreJweKeyManagementAlgorithm, CoreResponseMode,
    CoreResponseType, CoreSubjectIdentifierType,
};
use openidconnect::url::Url;
use openidconnect::{AdditionalProviderMetadata, DiscoveryError, IssuerUrl, ProviderMetadata};
use serde::{Deserialize, Serialize};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};
use tokio::sync::Mutex;

const METADATA_LIFE: Duration = Duration::from_secs(3600);

/// Tokens with made-up key ids must not make us ask the provider each time.
const BETWEEN_KEY_FETCHES: Duration = Duration::from_secs(5);

/// What the library's metadata lacks.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct More {
    #[serde(default)]
    end_session_endpoint: Option<String>,
    /// RFC 9207.
    #[serde(default)]
    authorization_response_iss_parameter_supported: Option<bool>,
    #[serde(default)]
    backchannel_logout_supported: Option<bool>,
}

impl AdditionalProviderMetadata for More {}

pub type Metadata = ProviderMetadata<
    More,
    CoreAuthDisplay,
    CoreClientAuthMethod,
    CoreClaimName,
    CoreClaimType,
    CoreGrantType,
    CoreJweContentEncryptionAlgorithm,
    CoreJweKeyManagementAlgorithm,
    CoreJsonWebKey,
    CoreResponseMode,
    CoreResponseType,
    CoreSubjectIdentifierType,
>;

/// Metadata with keys.
#[derive(Debug)]
pub struct Known(Metadata);

impl Known {
    pub fn metadata(&self) -> &Metadata {
        &self.0
    }

    pub fn keys(&self) -> &CoreJsonWebKeySet {
        self.0.jwks()
    }

    pub fn userinfo_url(&self) -> Option<String> {
        self.0.userinfo_endpoint().map(|url| url.url().to_string())
    }

    pub fn end_session_url(&self) -> Option<Url> {
        let url = self.0.additional_metadata().end_session_endpoint.as_deref()?;
        is_usable(url).then(|| Url::parse(url).ok())?
    }

    /// Whether its answers say who answers.
    pub fn names_itself(&self) -> bool {
        self.0
            .additional_metadata()
            .authorization_response_iss_parameter_supported
            .unwrap_or(false)
    }

    /// Most take the secret as HTTP Basic, the default; some in the body only.
    pub fn wants_secret_in_body(&self) -> bool {
        use CoreClientAuthMethod::{ClientSecretBasic, ClientSecretPost};
        let methods = self.0.token_endpoint_auth_methods_supported();
        methods.is_some_and(|methods| !methods.contains(&ClientSecretBasic) && methods.contains(&ClientSecretPost))
    }

    /// For operators, one line for each finding.
    pub fn describe(&self) -> Vec<String> {
        let more = self.0.additional_metadata();
        let has = |is: bool| if is { "yes" } else { "no" };
        vec![
            format!(
                "{} answers; {} keys",
                self.0.issuer().as_str(),
                self.keys().keys().len()
            ),
            format!(
                "userinfo: {}, sign-out at the provider: {}, back-channel logout: {}, names itself (RFC 9207): {}",
                has(self.0.userinfo_endpoint().is_some()),
                has(more.end_session_endpoint.is_some()),
                has(more.backchannel_logout_supported.unwrap_or(false)),
                has(self.names_itself()),
            ),
        ]
    }
}

fn is_usable(url: &str) -> bool {
    url.parse().is_ok_and(|uri| may_be_asked(&uri))
}

/// Asks the provider, and remembers.
#[derive(Debug)]
pub struct Provider {
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
    pub fn new(issuer: String) -> Self {
        Self {
            issuer,
            gateway: OnceLock::new(),
            cache: Mutex::default(),
        }
    }

    pub fn gateway(&self) -> SsoResult<&Gateway> {
        if let Some(gateway) = self.gateway.get() {
            return Ok(gateway);
        }
        let gateway = Gateway::new(&self.issuer)?;
        Ok(self.gateway.get_or_init(|| gateway))
    }

    pub async fn known(&self) -> SsoResult<Arc<Known>> {
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
            Ok(metadata) => {
                let known = Arc::new(Known(metadata));
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
    pub async fn refresh_keys(&self, seen: &Arc<Known>) -> SsoResult<Arc<Known>> {
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
        let keys = CoreJsonWebKeySet::fetch_async(seen.0.jwks_uri(), self.gateway()?).await;
        let keys = keys.map_err(|error| discovery_error("keys", error))?;
        let known = Arc::new(Known(seen.0.clone().set_jwks(keys)));
        cache.known = Some((Arc::clone(&known), at));
        Ok(known)
    }

    async fn discover(&self) -> SsoResult<Metadata> {
        let issuer = IssuerUrl::new(self.issuer.clone()).map_err(|_| unavailable("OIDC_ISSUER is no URL"))?;
        let metadata = Metadata::discover_async(issuer, self.gateway()?)
            .await
            .map_err(|error| discovery_error("discovery document", error))?;
        let token = metadata.token_endpoint().map(|url| url.url().as_str());
        for (what, url) in [
            (
                "authorization_endpoint",
                Some(metadata.authorization_endpoint().url().as_str()),
            ),
            ("token_endpoint", token),
        ] {
            if !url.is_some_and(is_usable) {
                return Err(unavailable(format!("the provider's {what} is no https URL")));
            }
        }
        Ok(metadata)
    }
}

fn discovery_error(part: &str, error: DiscoveryError<HttpError>) -> SsoError {
    match error {
        DiscoveryError::Request(error) => of(part, &error),
        DiscoveryError::Response(status, _, _) if !status.is_success() => {
            unavailable(format!("the provider's {part}: it answers {}", status.as_u16()))
        }
        // The texts of a document that everybody may read.
        DiscoveryError::Validation(text) => unavailable(format!(
            "the provider's {part}: {text}; OIDC_ISSUER must be exactly what the provider calls itself"
        )),
        _ => unavailable(format!("the provider's {part} is not what it should be")),
    }
}
