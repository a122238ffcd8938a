//! Single sign-on: what is said to an identity provider by OpenID Connect, and what of its answers is believed.
//!
//! Code flow with PKCE, for one provider. Nothing is asked before the first sign-in, so that a server starts while its
//! provider is away. Knows neither the store nor HTTP requests of ours.

#![deny(missing_docs, unreachable_pub)]

mod claims;
mod error;
mod exchange;
mod granted;
mod http;
mod id_token;
mod jws;
mod known;
mod logout;
mod state;

pub use claims::Claims;
pub use error::{SsoError, word};
pub use granted::Granted;
pub use logout::LoggedOut;
pub use state::Flow;

use error::{SsoResult, failed, unavailable};
use jws::{Jws, Signature};
use known::{Known, Provider};
use openidconnect::{CsrfToken, Nonce, PkceCodeChallenge};
use reqwest::Url;
use secrecy::{ExposeSecret, SecretString};
use serde_json::{Map, Value};
use state::Sealer;
use std::sync::Arc;
use time::OffsetDateTime;

/// How long a person may take at the provider.
pub const PATIENCE: time::Duration = time::Duration::minutes(10);

/// What an operator has set.
#[derive(Debug, Clone)]
pub struct OidcSettings {
    /// Exactly as the provider calls itself.
    pub issuer: String,
    /// As registered at the provider.
    pub client_id: String,
    /// Proves to the provider who asks; also seals the cookie of a sign-in.
    pub client_secret: SecretString,
    /// What to ask the provider for, `openid` among it.
    pub scopes: Vec<String>,
    /// Where the provider sends people back to.
    pub redirect_uri: String,
    /// Where the provider sends people who have signed out.
    pub after_logout: String,
    /// The claim with the person's roles; parts of a path are separated by dots.
    pub role_claim: Option<String>,
    /// Audiences that an ID token may have beside us without saying that it was issued to us.
    pub trusted_audiences: Vec<String>,
}

/// A sign-in that has begun.
#[derive(Debug)]
pub struct Begun {
    /// Where the browser goes.
    pub url: String,
    /// What the browser keeps meanwhile: sealed, for [`Oidc::open`].
    pub cookie: String,
    /// The answer names it; one browser may have several sign-ins under way.
    pub state: String,
}

/// What the provider sent the browser back with.
#[derive(Debug)]
pub struct Answer {
    /// To be exchanged for tokens, once.
    pub code: String,
    /// RFC 9207: who has answered.
    pub issuer: Option<String>,
}

/// One identity provider.
#[derive(Debug)]
pub struct Oidc {
    settings: OidcSettings,
    provider: Provider,
    sealer: Sealer,
}

impl Oidc {
    /// Sends no request.
    pub fn new(settings: OidcSettings) -> Self {
        Self {
            sealer: Sealer::new(settings.client_secret.expose_secret()),
            provider: Provider::new(settings.issuer.clone()),
            settings,
        }
    }

    /// The provider, as it calls itself.
    pub fn issuer(&self) -> &str {
        &self.settings.issuer
    }

    /// Where the provider must be allowed to send people.
    pub fn redirect_uri(&self) -> &str {
        &self.settings.redirect_uri
    }

    /// Begins a sign-in, or the linking of an identity to `link`, that ends at the path `next`.
    ///
    /// # Errors
    /// If the provider does not say where people sign in.
    pub async fn begin(&self, next: String, link: Option<uuid::Uuid>, now: OffsetDateTime) -> SsoResult<Begun> {
        let known = self.provider.known().await?;
        let (challenge, verifier) = PkceCodeChallenge::new_random_sha256();
        let expires_at = (now + PATIENCE).unix_timestamp();
        let flow = Flow {
            state: format!("{}.{expires_at}", CsrfToken::new_random_len(32).secret()),
            nonce: Nonce::new_random_len(32).secret().clone(),
            verifier: verifier.into_secret(),
            next,
            link,
            expires_at,
        };
        let others = self.settings.scopes.iter().filter(|scope| *scope != "openid");
        let scopes: Vec<&str> = std::iter::once("openid").chain(others.map(String::as_str)).collect();
        let mut url = known.metadata.authorization.clone();
        url.query_pairs_mut()
            .append_pair("response_type", "code")
            .append_pair("client_id", &self.settings.client_id)
            .append_pair("redirect_uri", &self.settings.redirect_uri)
            .append_pair("scope", &scopes.join(" "))
            .append_pair("state", &flow.state)
            .append_pair("nonce", &flow.nonce)
            .append_pair("code_challenge", challenge.as_str())
            .append_pair("code_challenge_method", "S256");
        Ok(Begun {
            url: url.into(),
            cookie: self.sealer.seal(&flow)?,
            state: flow.state,
        })
    }

    /// Whether a `state` says of itself that its sign-in began more than [`PATIENCE`] ago; also where it says nothing.
    pub fn is_over(state: &str, now: OffsetDateTime) -> bool {
        state::end_of(state).is_none_or(|end| end < now.unix_timestamp())
    }

    /// The sign-in that a browser's cookie and the `state` of its answer belong to.
    ///
    /// # Errors
    /// If the cookie is not ours, is too old, or belongs to another sign-in.
    pub fn open(&self, cookie: &str, state: &str, now: OffsetDateTime) -> SsoResult<Flow> {
        self.sealer.open(cookie, state, now)
    }

    /// Whether an answer comes from our provider, as far as it says so (RFC 9207).
    ///
    /// # Errors
    /// If it names another one, or none although the provider promises to name itself.
    pub async fn check_issuer(&self, issuer: Option<&str>) -> SsoResult<()> {
        let promised = self.provider.known().await?.metadata.names_itself;
        match issuer {
            Some(issuer) if issuer == self.settings.issuer => Ok(()),
            Some(_) => Err(failed("the answer names another issuer (iss)")),
            None if promised => Err(failed(
                "the answer does not name its issuer (iss), which the provider promises",
            )),
            None => Ok(()),
        }
    }

    /// Exchanges the code, and says who has signed in.
    ///
    /// # Errors
    /// If the provider does not answer or refuses, or its tokens are not what they should be.
    pub async fn finish(&self, flow: &Flow, answer: Answer, now: OffsetDateTime) -> SsoResult<Claims> {
        self.check_issuer(answer.issuer.as_deref()).await?;
        let known = self.provider.known().await?;
        let http = self.provider.gateway()?;
        let tokens = exchange::exchange(http, &known.metadata, &self.settings, &answer.code, &flow.verifier).await?;
        let token = Jws::parse(&tokens.id_token, "the ID token")?;
        // Keys may have changed while the person was at the provider.
        let known = self.verify(known, &token).await?;
        let check = id_token::IdTokenCheck {
            issuer: &self.settings.issuer,
            client_id: &self.settings.client_id,
            trusted_audiences: &self.settings.trusted_audiences,
            nonce: &flow.nonce,
            now,
        };
        check.check(&token)?;
        let mut said = token.claims;
        let role_claim = self.settings.role_claim.as_deref();
        if !claims::are_complete(&said, role_claim)
            && let (Some(url), Some(access)) = (&known.metadata.userinfo, &tokens.access_token)
        {
            let answer = exchange::userinfo(http, url, access).await?;
            claims::add(&mut said, self.userinfo(&known, &answer).await?)?;
        }
        Claims::read(&said, role_claim)
    }

    /// What the userinfo endpoint says, as it is or in a signed token (OpenID Connect Core 5.3.2).
    async fn userinfo(&self, known: &Arc<Known>, answer: &http::Received) -> SsoResult<Map<String, Value>> {
        let no_answer = || failed("the userinfo endpoint's answer is neither a JSON object nor a signed token");
        if answer.content_type != "application/jwt" {
            return serde_json::from_slice(&answer.body).map_err(|_| no_answer());
        }
        let text = std::str::from_utf8(&answer.body).map_err(|_| no_answer())?;
        let token = Jws::parse(text.trim(), "the userinfo endpoint's token")?;
        self.verify(Arc::clone(known), &token).await?;
        let is_ours = token
            .claims
            .get("iss")
            .is_none_or(|issuer| issuer == &self.settings.issuer)
            && (!token.claims.contains_key("aud") || token.audiences().contains(&self.settings.client_id.as_str()));
        match is_ours {
            true => Ok(token.claims),
            false => Err(failed(
                "the userinfo endpoint's token is of or for somebody else (iss, aud)",
            )),
        }
    }

    /// Checks a token's signature, with keys that are fetched again if those known do not fit. Returns what is known then.
    async fn verify(&self, known: Arc<Known>, token: &Jws<'_>) -> SsoResult<Arc<Known>> {
        if token.signature(&known.keys) == Signature::Right {
            return Ok(known);
        }
        let known = self.provider.refresh_keys(&known).await?;
        let problem = match token.signature(&known.keys) {
            Signature::Right => return Ok(known),
            Signature::Wrong => "has a wrong signature",
            Signature::UnknownKey => "is signed with an unknown key",
        };
        Err(failed(format!("{} {problem}", token.what)))
    }

    /// Whose sessions a provider's logout token ends.
    ///
    /// # Errors
    /// If the token is not what it should be, or the provider's keys cannot be read.
    pub async fn logged_out(&self, token: &str, now: OffsetDateTime) -> SsoResult<LoggedOut> {
        let known = self.provider.known().await?;
        let check = logout::LogoutCheck {
            issuer: &self.settings.issuer,
            client_id: &self.settings.client_id,
            now,
        };
        let token = Jws::parse(token, "the logout token")?;
        self.verify(known, &token).await?;
        check.whom(&token)
    }

    /// What an access token of the provider grants at the resource `audience`.
    ///
    /// # Errors
    /// If the token is not what it should be, or the provider's keys cannot be read.
    pub async fn granted(&self, token: &str, audience: &str, now: OffsetDateTime) -> SsoResult<Granted> {
        let token = Jws::parse(token, "the access token")?;
        self.verify(self.provider.known().await?, &token).await?;
        let issuer = &self.settings.issuer;
        granted::GrantCheck { issuer, audience, now }.read(&token)
    }

    /// Where a browser ends its session at the provider, if the provider has such a page. `None` also where the provider
    /// does not answer: signing out here must not depend on it.
    pub async fn logout_url(&self) -> Option<String> {
        let known = self.provider.known().await.ok()?;
        let mut url = known.metadata.end_session.clone()?;
        url.query_pairs_mut()
            .append_pair("client_id", &self.settings.client_id)
            .append_pair("post_logout_redirect_uri", &self.settings.after_logout);
        Some(url.into())
    }

    /// What discovery says, for `check-config`: one line for each finding.
    ///
    /// # Errors
    /// If the provider does not answer, or not as it should.
    pub async fn probe(&self) -> SsoResult<Vec<String>> {
        Url::parse(&self.settings.redirect_uri).map_err(|_| unavailable("PUBLIC_URL is no URL"))?;
        Ok(self.provider.known().await?.describe())
    }
}
