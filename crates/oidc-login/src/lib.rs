//! Single sign-on: what is said to an identity provider by OpenID Connect, and what of its answers is believed.
//!
//! Code flow with PKCE, for one provider. Nothing is asked before the first sign-in, so that a server starts while its
//! provider is away. Knows neither the store nor HTTP requests of ours.

#![deny(missing_docs)]

mod claims;
mod error;
mod http;
mod id_token;
mod known;
mod logout;
mod state;

pub use claims::Claims;
pub use error::SsoError;
pub use logout::LoggedOut;
pub use state::Flow;

pub use error::word;
use error::{SsoResult, failed, unavailable};
use known::{Known, Provider};
use openidconnect::core::{CoreAuthenticationFlow, CoreClient, CoreErrorResponseType, CoreTokenResponse};
use openidconnect::{
    AuthType, AuthorizationCode, ClientId, ClientSecret, CsrfToken, EndpointMaybeSet, EndpointNotSet, EndpointSet,
    Nonce, PkceCodeChallenge, PkceCodeVerifier, RedirectUrl, RequestTokenError, Scope, StandardErrorResponse,
    TokenResponse,
};
use secrecy::{ExposeSecret, SecretString};
use state::Sealer;
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
}

/// A sign-in that has begun.
#[derive(Debug)]
pub struct Begun {
    /// Where the browser goes.
    pub url: String,
    /// What the browser keeps meanwhile: sealed, for [`Oidc::open`].
    pub cookie: String,
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

type Client =
    CoreClient<EndpointSet, EndpointNotSet, EndpointNotSet, EndpointNotSet, EndpointMaybeSet, EndpointMaybeSet>;

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
        let client = self.client(&known)?;
        let mut request = client
            .authorize_url(
                CoreAuthenticationFlow::AuthorizationCode,
                || CsrfToken::new_random_len(32),
                || Nonce::new_random_len(32),
            )
            .set_pkce_challenge(challenge);
        // The library adds `openid`.
        for scope in self.settings.scopes.iter().filter(|scope| *scope != "openid") {
            request = request.add_scope(Scope::new(scope.clone()));
        }
        let (url, state, nonce) = request.url();
        let flow = Flow {
            state: state.into_secret(),
            nonce: nonce.secret().clone(),
            verifier: verifier.into_secret(),
            next,
            link,
            expires_at: (now + PATIENCE).unix_timestamp(),
        };
        Ok(Begun {
            url: url.into(),
            cookie: self.sealer.seal(&flow)?,
        })
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
        let promised = self.provider.known().await?.names_itself();
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
        let client = self.client(&known)?;
        let exchange = client
            .exchange_code(AuthorizationCode::new(answer.code))
            .map_err(|_| failed("the provider has no token endpoint"))?
            .set_pkce_verifier(PkceCodeVerifier::new(flow.verifier.clone()));
        let tokens = exchange.request_async(http).await.map_err(exchange_error)?;
        let token = tokens
            .id_token()
            .ok_or_else(|| failed("the provider gave no ID token"))?;
        let check = id_token::IdTokenCheck {
            issuer: &self.settings.issuer,
            client_id: &self.settings.client_id,
            nonce: &flow.nonce,
            now,
        };
        let mut said = match check.claims(token, known.keys()) {
            // Keys may have changed while the person was at the provider.
            Err(refused) if refused.is_about_key => {
                let keys = self.provider.refresh_keys(&known).await?;
                check.claims(token, keys.keys()).map_err(|refused| refused.error)?
            }
            other => other.map_err(|refused| refused.error)?,
        };
        let role_claim = self.settings.role_claim.as_deref();
        if !claims::are_complete(&said, role_claim)
            && let Some(url) = known.userinfo_url()
        {
            let more = http.get_userinfo(&url, access_of(&tokens)).await?;
            claims::add(&mut said, more)?;
        }
        Claims::read(&said, role_claim)
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
        let token = logout::LogoutToken::parse(token)?;
        if token.is_signed_by(known.keys()) {
            return check.whom(&token);
        }
        let keys = self.provider.refresh_keys(&known).await?;
        if token.is_signed_by(keys.keys()) {
            return check.whom(&token);
        }
        Err(failed("no key of the provider fits the token's signature"))
    }

    /// Where a browser ends its session at the provider, if the provider has such a page. `None` also where the provider
    /// does not answer: signing out here must not depend on it.
    pub async fn logout_url(&self) -> Option<String> {
        let known = self.provider.known().await.ok()?;
        let mut url = known.end_session_url()?;
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
        let known = self.provider.known().await?;
        self.client(&known)?;
        Ok(known.describe())
    }

    fn client(&self, known: &Known) -> SsoResult<Client> {
        let redirect =
            RedirectUrl::new(self.settings.redirect_uri.clone()).map_err(|_| unavailable("PUBLIC_URL is no URL"))?;
        let client = CoreClient::from_provider_metadata(
            known.metadata().clone(),
            ClientId::new(self.settings.client_id.clone()),
            Some(ClientSecret::new(
                self.settings.client_secret.expose_secret().to_owned(),
            )),
        )
        .set_redirect_uri(redirect);
        Ok(if known.wants_secret_in_body() {
            client.set_auth_type(AuthType::RequestBody)
        } else {
            client
        })
    }
}

fn access_of(tokens: &CoreTokenResponse) -> &str {
    use openidconnect::OAuth2TokenResponse;
    tokens.access_token().secret()
}

/// Without the provider's own words, which may quote the code.
fn exchange_error(error: RequestTokenError<http::HttpError, StandardErrorResponse<CoreErrorResponseType>>) -> SsoError {
    match error {
        RequestTokenError::Request(error) => http::of("token endpoint", &error),
        RequestTokenError::ServerResponse(answer) => {
            let code = word(answer.error().as_ref());
            let hint = match code.as_str() {
                "invalid_client" => ": are OIDC_CLIENT_ID and OIDC_CLIENT_SECRET right?",
                _ => "",
            };
            failed(format!("the provider refused the code ({code}){hint}"))
        }
        _ => failed("the token endpoint's answer is not what it should be"),
    }
}
