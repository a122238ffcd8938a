//! The checks of an ID token.

use super::error::{SsoError, failed, word};
use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use openidconnect::core::{CoreIdToken, CoreIdTokenVerifier, CoreJsonWebKeySet, CoreJwsSigningAlgorithm};
use openidconnect::{ClaimsVerificationError, ClientId, IssuerUrl, Nonce, SignatureVerificationError};
use serde_json::{Map, Value};
use std::time::{Duration, SystemTime};
use time::OffsetDateTime;

/// How far the provider's clock may differ from ours.
pub const LEEWAY: Duration = Duration::from_secs(60);

/// Some providers date their tokens back by five minutes.
pub const MAX_AGE: Duration = Duration::from_secs(600);

/// Signatures with a private key. Never `none`, and never a MAC: whoever knows the client's secret could make tokens.
pub const ALGORITHMS: [CoreJwsSigningAlgorithm; 9] = [
    CoreJwsSigningAlgorithm::RsaSsaPkcs1V15Sha256,
    CoreJwsSigningAlgorithm::RsaSsaPkcs1V15Sha384,
    CoreJwsSigningAlgorithm::RsaSsaPkcs1V15Sha512,
    CoreJwsSigningAlgorithm::RsaSsaPssSha256,
    CoreJwsSigningAlgorithm::RsaSsaPssSha384,
    CoreJwsSigningAlgorithm::RsaSsaPssSha512,
    CoreJwsSigningAlgorithm::EcdsaP256Sha256,
    CoreJwsSigningAlgorithm::EcdsaP384Sha384,
    CoreJwsSigningAlgorithm::EdDsa,
];

/// What a token must say.
pub struct IdTokenCheck<'a> {
    pub issuer: &'a str,
    pub client_id: &'a str,
    pub nonce: &'a str,
    pub now: OffsetDateTime,
}

/// Why a token is not believed.
pub struct NotBelieved {
    pub error: SsoError,
    /// Newer keys may help.
    pub is_about_key: bool,
}

impl IdTokenCheck<'_> {
    /// All claims of a token that is signed by the provider, for us, now, and for this sign-in.
    pub fn claims(&self, token: &CoreIdToken, keys: &CoreJsonWebKeySet) -> Result<Map<String, Value>, NotBelieved> {
        let issuer = IssuerUrl::new(self.issuer.to_owned()).map_err(|_| not_believed("OIDC_ISSUER is no URL"))?;
        // As for a client without a secret, so that no MAC can pass.
        let client_id = ClientId::new(self.client_id.to_owned());
        let now = SystemTime::from(self.now);
        let seconds = self.now.unix_timestamp();
        let verifier = CoreIdTokenVerifier::new_public_client(client_id, issuer, keys.clone())
            .set_allowed_algs(ALGORITHMS)
            .set_time_fn(move || (now - LEEWAY).into())
            .set_issue_time_verifier_fn(move |issued| check_issue_time(issued.timestamp(), seconds));
        let nonce = Nonce::new(self.nonce.to_owned());
        token.claims(&verifier, &nonce).map_err(refusal)?;
        let claims = payload(&token.to_string()).ok_or_else(|| not_believed("the ID token holds no JSON object"))?;
        // The library leaves this one to us.
        match claims.get("azp") {
            Some(party) if party.as_str() != Some(self.client_id) => {
                Err(not_believed("the ID token was issued to another client (azp)"))
            }
            _ => Ok(claims),
        }
    }
}

/// Whether a token was issued just now; both in seconds since 1970.
pub fn check_issue_time(issued: i64, now: i64) -> Result<(), String> {
    let seconds = |time: Duration| i64::try_from(time.as_secs()).unwrap_or(i64::MAX);
    match now.saturating_sub(issued) {
        age if age < -seconds(LEEWAY) => Err(format!("issued {} s in the future", -age)),
        age if age > seconds(MAX_AGE) => Err(format!("issued {age} s ago")),
        _ => Ok(()),
    }
}

/// The claims in a token, whoever signed it.
pub fn payload(token: &str) -> Option<Map<String, Value>> {
    let payload = BASE64_URL_SAFE_NO_PAD.decode(token.split('.').nth(1)?).ok()?;
    serde_json::from_slice(&payload).ok()
}

fn not_believed(cause: &str) -> NotBelieved {
    NotBelieved {
        error: failed(cause),
        is_about_key: false,
    }
}

fn refusal(error: ClaimsVerificationError) -> NotBelieved {
    use ClaimsVerificationError as Claims;
    use SignatureVerificationError as Signature;
    let is_about_key = matches!(
        error,
        Claims::SignatureVerification(Signature::NoMatchingKey | Signature::CryptoError(_))
    );
    // The library's texts may quote what the token says, so they are not passed on.
    let cause = match error {
        Claims::Expired(_) => "is expired or not of this time (exp, iat): do the clocks agree?".to_owned(),
        Claims::InvalidAudience(_) => "is for another client (aud)".to_owned(),
        Claims::InvalidIssuer(_) => "is of another issuer (iss): OIDC_ISSUER must match every character".to_owned(),
        Claims::InvalidNonce(_) => "is of another sign-in (nonce)".to_owned(),
        Claims::SignatureVerification(Signature::NoMatchingKey) => "is signed with an unknown key".to_owned(),
        Claims::SignatureVerification(Signature::CryptoError(_)) => "has a wrong signature".to_owned(),
        Claims::SignatureVerification(Signature::NoSignature) => "is not signed".to_owned(),
        Claims::SignatureVerification(Signature::AmbiguousKeyId(_)) => {
            "does not say with which key it is signed".to_owned()
        }
        Claims::SignatureVerification(Signature::DisallowedAlg(_) | Signature::UnsupportedAlg(_)) => {
            "is signed in a way that is not accepted (RS*, PS*, ES256, ES384, EdDSA are)".to_owned()
        }
        other => format!(
            "is not what it should be ({})",
            word(
                &format!("{other:?}")
                    .chars()
                    .take_while(char::is_ascii_alphabetic)
                    .collect::<String>()
            )
        ),
    };
    NotBelieved {
        error: failed(format!("the ID token {cause}")),
        is_about_key,
    }
}

#[cfg(test)]
mod tests {
    use super::check_issue_time;

    #[test]
    fn a_clock_may_differ_by_a_minute_and_a_token_be_dated_back() {
        let now = 1_800_000_000;
        for (issued, accepted) in [
            (0, true),
            (60, true),
            (61, false),
            (300, false),
            (-300, true),
            (-600, true),
            (-601, false),
        ] {
            assert_eq!(check_issue_time(now + issued, now).is_ok(), accepted, "{issued}");
        }
        assert!(check_issue_time(i64::MIN, now).is_err() && check_issue_time(i64::MAX, now).is_err());
    }
}
