//! Logout tokens: a provider ends sessions here, without a browser (OpenID Connect Back-Channel Logout 1.0).

use super::claims::is_id;
use super::error::{SsoResult, failed};
use super::jws::Jws;
use serde_json::Value;
use time::OffsetDateTime;

const EVENT: &str = "http://schemas.openid.net/event/backchannel-logout";

/// Whose sessions end: those of `sid`, else all of `subject`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LoggedOut {
    /// Whoever signed out, in all sessions.
    pub subject: Option<String>,
    /// The one session that ended, as the provider named it at sign-in.
    pub sid: Option<String>,
    /// The token's own id (`jti`); a token is good once. Without one, the time at which it was issued.
    pub token_id: String,
}

/// What a token must say.
pub(crate) struct LogoutCheck<'a> {
    pub issuer: &'a str,
    pub client_id: &'a str,
    pub now: OffsetDateTime,
}

impl LogoutCheck<'_> {
    /// Whom a token logs out whose signature was checked.
    pub(crate) fn whom(&self, token: &Jws<'_>) -> SsoResult<LoggedOut> {
        let is_of_kind = |kind: &str| ["jwt", "logout+jwt", "application/logout+jwt"].contains(&kind);
        if token.kind.as_deref().is_some_and(|kind| !is_of_kind(kind)) {
            return Err(failed("the logout token is a token of another kind (typ)"));
        }
        if token.text("iss") != Some(self.issuer) {
            return Err(failed("the logout token is of another issuer (iss)"));
        }
        if !token.audiences().contains(&self.client_id) {
            return Err(failed("the logout token is for another client (aud)"));
        }
        if !token.is_of(self.now.unix_timestamp()) {
            return Err(failed(
                "the logout token is not of this time (exp, iat): do the clocks agree?",
            ));
        }
        let is_logout = token
            .claims
            .get("events")
            .and_then(|events| events.get(EVENT))
            .is_some_and(Value::is_object);
        // With a nonce it would be an ID token.
        if !is_logout || token.claims.contains_key("nonce") {
            return Err(failed("the logout token is a token of another kind (events, nonce)"));
        }
        let id = |name: &str| token.text(name).filter(|id| is_id(id)).map(str::to_owned);
        let whom = LoggedOut {
            subject: id("sub"),
            sid: id("sid"),
            token_id: match token.claims.get("jti").or_else(|| token.claims.get("iat")) {
                Some(Value::String(id)) => id.clone(),
                Some(other) => other.to_string(),
                None => String::new(),
            },
        };
        if whom.subject.is_none() && whom.sid.is_none() {
            return Err(failed("the logout token names nobody (sub, sid)"));
        }
        Ok(whom)
    }
}
