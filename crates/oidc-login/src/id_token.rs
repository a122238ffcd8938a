//! The checks of an ID token whose signature was checked.

use super::error::{SsoResult, failed};
use super::jws::Jws;
use time::OffsetDateTime;

/// What a token must say.
pub(crate) struct IdTokenCheck<'a> {
    pub issuer: &'a str,
    pub client_id: &'a str,
    /// Other audiences that may stand beside us.
    pub trusted_audiences: &'a [String],
    pub nonce: &'a str,
    pub now: OffsetDateTime,
}

impl IdTokenCheck<'_> {
    /// Whether it is of our provider, for us, of now and of this sign-in.
    pub(crate) fn check(&self, token: &Jws<'_>) -> SsoResult<()> {
        let problem = if token.text("iss") != Some(self.issuer) {
            "is of another issuer (iss): OIDC_ISSUER must match every character"
        } else if let Some(problem) = self.audience_problem(token) {
            problem
        } else if !token.is_of(self.now.unix_timestamp()) {
            "is expired or not of this time (exp, iat): do the clocks agree?"
        } else if token.text("nonce") != Some(self.nonce) {
            "is of another sign-in (nonce)"
        } else {
            return Ok(());
        };
        Err(failed(format!("the ID token {problem}")))
    }

    /// Others may be named beside us where the token says that it was issued to us, or where the operator trusts them:
    /// OpenID Connect Core 3.1.3.7, 3 to 5.
    fn audience_problem(&self, token: &Jws<'_>) -> Option<&'static str> {
        let audiences = token.audiences();
        if !audiences.contains(&self.client_id) {
            return Some("is for another client (aud)");
        }
        match token.claims.get("azp") {
            Some(party) if party.as_str() == Some(self.client_id) => None,
            Some(_) => Some("was issued to another client (azp)"),
            None => {
                let is_trusted = |audience: &&str| {
                    *audience == self.client_id || self.trusted_audiences.iter().any(|trusted| trusted == audience)
                };
                (!audiences.iter().all(is_trusted)).then_some(
                    "is also for others (aud) and does not say to whom it was issued (azp): see OIDC_TRUSTED_AUDIENCES",
                )
            }
        }
    }
}
