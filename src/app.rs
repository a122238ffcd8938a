//! The composition root: creates and connects the parts of a running server.

use crate::config::Config;
use crate::conversation::Conversations;
use crate::store::Db;
use llm_client::Llm;
use oidc_login::{Oidc, OidcSettings};
use plan_model::clock::Clock;
use std::net::IpAddr;
use std::ops::Deref;
use std::sync::Arc;

/// The shared state of all requests.
pub struct App {
    pub config: Config,
    pub db: Db,
    pub llm: Arc<dyn Llm>,
    pub clock: Clock,
    /// The engine that runs turns.
    pub conversations: Conversations,
    /// The identity provider, if single sign-on is on.
    pub oidc: Option<Oidc>,
    /// Set where the sign-in page offers the demo logins.
    pub demo: Option<Demo>,
}

/// What differs in the demo.
#[derive(Debug, Clone, Default)]
pub struct Demo {
    /// Host names besides those of this machine's loopback, in lower case and without port.
    hosts: Vec<String>,
}

impl Demo {
    /// A demo that answers under the host names of loopback, those given (`*` for all) and that of `PUBLIC_URL`.
    pub fn new(hosts: Vec<String>, public_url: Option<&str>) -> Self {
        let uri = public_url.and_then(|url| url.parse::<http::Uri>().ok());
        let public = uri.as_ref().and_then(http::Uri::host).map(str::to_owned);
        let hosts = hosts
            .into_iter()
            .chain(public)
            .map(|host| host.trim().to_ascii_lowercase());
        Self { hosts: hosts.collect() }
    }

    /// Whether the demo answers under this name. Its logins are public: a page elsewhere whose name is made to lead here would
    /// use them otherwise (DNS rebinding).
    pub fn answers_as(&self, host: &str) -> bool {
        let host = host.to_ascii_lowercase();
        let bare = host.trim_start_matches('[').trim_end_matches(']');
        let is_loopback = match bare.parse::<IpAddr>() {
            Ok(address) => address.to_canonical().is_loopback(),
            Err(_) => bare == "localhost" || bare.ends_with(".localhost"),
        };
        is_loopback
            || self
                .hosts
                .iter()
                .any(|known| known == "*" || *known == host || known == bare)
    }
}

/// A shared [`App`].
#[derive(Clone)]
pub struct AppState(pub Arc<App>);

impl Deref for AppState {
    type Target = App;

    fn deref(&self) -> &App {
        &self.0
    }
}

impl App {
    /// Connects the parts. Starts nothing.
    #[expect(clippy::new_ret_no_self, reason = "an app is only ever used shared")]
    pub fn new(config: Config, db: Db, llm: Arc<dyn Llm>, clock: Clock, demo: Option<Demo>) -> AppState {
        let conversations = Conversations::new(db.clone(), Arc::clone(&llm), clock.clone(), &config);
        let oidc = oidc(&config).ok().flatten();
        AppState(Arc::new(Self {
            config,
            db,
            llm,
            clock,
            conversations,
            oidc,
            demo,
        }))
    }
}

/// The identity provider that is configured, if any. Sends no request.
///
/// # Errors
/// One line for the operator if the configuration cannot be used.
pub fn oidc(config: &Config) -> Result<Option<Oidc>, String> {
    let Some(complete) = config.oidc.complete(&config.http)? else {
        return Ok(None);
    };
    let (scopes, role_claim) = (config.oidc.scopes.split_whitespace(), config.oidc.role_claim());
    Ok(Some(Oidc::new(OidcSettings {
        issuer: complete.issuer.to_owned(),
        client_id: complete.client_id.to_owned(),
        client_secret: complete.client_secret.to_owned().into(),
        scopes: scopes.map(str::to_owned).collect(),
        redirect_uri: format!("{}/api/auth/oidc/callback", complete.public_url),
        after_logout: format!("{}/?view=sign-in", complete.public_url),
        role_claim: role_claim.map(str::to_owned),
        trusted_audiences: config.oidc.trusted_audiences(),
    })))
}
