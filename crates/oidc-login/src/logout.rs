//! Logout tokens: a provider ends sessions here, without a browser (OpenID Connect Back-Channel Logout 1.0).

use super::claims::is_id;
use super::error::{SsoResult, failed};
use super::id_token::{ALGORITHMS, LEEWAY, check_issue_time, payload};
use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use openidconnect::core::{CoreJsonWebKey, CoreJsonWebKeySet, CoreJwsSigningAlgorithm};
use openidconnect::{JsonWebKey, JsonWebKeyAlgorithm, JsonWebKeyUse, JwsSigningAlgorithm};
use serde_json::{Map, Value};
use time::OffsetDateTime;

const EVENT: &str = "http://schemas.openid.net/event/backchannel-logout";

/// Whose sessions end: those of `sid`, else all of `subject`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LoggedOut {
    /// Whoever signed out, in all sessions.
    pub subject: Option<String>,
    /// The one session that ended, as the provider named it at sign-in.
    pub sid: Option<String>,
}

/// A token whose signature is still to be checked.
pub struct LogoutToken<'a> {
    algorithm: CoreJwsSigningAlgorithm,
    key_id: Option<String>,
    signed: &'a str,
    signature: Vec<u8>,
    claims: Map<String, Value>,
}

impl<'a> LogoutToken<'a> {
    pub fn parse(token: &'a str) -> SsoResult<Self> {
        let no_token = || failed("the logout token is no signed token");
        let (signed, signature) = token.rsplit_once('.').ok_or_else(no_token)?;
        let (header, _) = signed.split_once('.').ok_or_else(no_token)?;
        let header = BASE64_URL_SAFE_NO_PAD.decode(header).map_err(|_| no_token())?;
        let header: Map<String, Value> = serde_json::from_slice(&header).map_err(|_| no_token())?;
        let algorithm = header.get("alg").cloned().unwrap_or_default();
        let algorithm = serde_json::from_value(algorithm).map_err(|_| no_token())?;
        if !ALGORITHMS.contains(&algorithm) || header.contains_key("crit") {
            return Err(failed("the logout token is signed in a way that is not accepted"));
        }
        let is_of_type =
            |name: &str| ["jwt", "logout+jwt", "application/logout+jwt"].contains(&name.to_lowercase().as_str());
        if header
            .get("typ")
            .is_some_and(|name| !name.as_str().is_some_and(is_of_type))
        {
            return Err(failed("the logout token is a token of another kind (typ)"));
        }
        Ok(Self {
            algorithm,
            key_id: header.get("kid").and_then(Value::as_str).map(str::to_owned),
            signed,
            signature: BASE64_URL_SAFE_NO_PAD.decode(signature).map_err(|_| no_token())?,
            claims: payload(token).ok_or_else(no_token)?,
        })
    }

    pub fn is_signed_by(&self, keys: &CoreJsonWebKeySet) -> bool {
        let fitting = keys.keys().iter().filter(|key| self.may_be_signed_with(key));
        fitting.into_iter().any(|key| {
            key.verify_signature(&self.algorithm, self.signed.as_bytes(), &self.signature)
                .is_ok()
        })
    }

    fn may_be_signed_with(&self, key: &CoreJsonWebKey) -> bool {
        let has_id = match &self.key_id {
            Some(id) => key.key_id().is_some_and(|key| **key == *id),
            None => true,
        };
        let is_for_algorithm = match key.signing_alg() {
            JsonWebKeyAlgorithm::Algorithm(algorithm) => *algorithm == self.algorithm,
            JsonWebKeyAlgorithm::Unspecified => true,
            JsonWebKeyAlgorithm::Unsupported => false,
        };
        has_id
            && is_for_algorithm
            && self.algorithm.key_type().as_ref() == Some(key.key_type())
            && key.key_use().is_none_or(JsonWebKeyUse::allows_signature)
    }
}

/// What a token must say.
pub struct LogoutCheck<'a> {
    pub issuer: &'a str,
    pub client_id: &'a str,
    pub now: OffsetDateTime,
}

impl LogoutCheck<'_> {
    /// Whom a token logs out whose signature was checked.
    pub fn whom(&self, token: &LogoutToken<'_>) -> SsoResult<LoggedOut> {
        let claims = &token.claims;
        let text = |name: &str| claims.get(name).and_then(Value::as_str);
        if text("iss") != Some(self.issuer) {
            return Err(failed("the logout token is of another issuer (iss)"));
        }
        let is_for_us = match claims.get("aud") {
            Some(Value::String(one)) => one == self.client_id,
            Some(Value::Array(many)) => many.iter().any(|one| one.as_str() == Some(self.client_id)),
            _ => false,
        };
        if !is_for_us {
            return Err(failed("the logout token is for another client (aud)"));
        }
        let now = self.now.unix_timestamp();
        let leeway = i64::try_from(LEEWAY.as_secs()).unwrap_or(0);
        let lives = seconds(claims.get("exp")).is_some_and(|end| end.saturating_add(leeway) > now);
        let is_new = seconds(claims.get("iat")).is_some_and(|issued| check_issue_time(issued, now).is_ok());
        if !lives || !is_new {
            return Err(failed(
                "the logout token is not of this time (exp, iat): do the clocks agree?",
            ));
        }
        let is_logout = claims
            .get("events")
            .and_then(|events| events.get(EVENT))
            .is_some_and(Value::is_object);
        // With a nonce it would be an ID token.
        if !is_logout || claims.contains_key("nonce") {
            return Err(failed("the logout token is a token of another kind (events, nonce)"));
        }
        let id = |name: &str| text(name).filter(|id| is_id(id)).map(str::to_owned);
        let whom = LoggedOut {
            subject: id("sub"),
            sid: id("sid"),
        };
        if whom.subject.is_none() && whom.sid.is_none() {
            return Err(failed("the logout token names nobody (sub, sid)"));
        }
        Ok(whom)
    }
}

fn seconds(claim: Option<&Value>) -> Option<i64> {
    let claim = claim?;
    claim.as_i64().or_else(|| claim.as_f64().map(|seconds| seconds as i64))
}
