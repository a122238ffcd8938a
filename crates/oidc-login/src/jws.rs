//! Signed tokens (JWS in its compact form): what they say, and whether the provider has signed them.

use super::error::{SsoResult, failed};
use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use openidconnect::core::{CoreJsonWebKey, CoreJsonWebKeySet, CoreJwsSigningAlgorithm};
use openidconnect::{JsonWebKey, JsonWebKeyAlgorithm, JsonWebKeyUse, JwsSigningAlgorithm};
use serde_json::{Map, Value};
use std::time::Duration;

/// How far the provider's clock may differ from ours.
const LEEWAY: Duration = Duration::from_secs(60);

/// Some providers date their tokens back by five minutes.
const MAX_AGE: Duration = Duration::from_secs(600);

/// Signatures with a private key. Never `none`, and never a MAC: whoever knows the client's secret could make tokens.
const ALGORITHMS: [CoreJwsSigningAlgorithm; 9] = [
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

/// A token whose signature is still to be checked.
pub(crate) struct Jws<'a> {
    /// What it is called in errors, such as "the ID token".
    pub what: &'static str,
    /// The header's `typ`, in lower case.
    pub kind: Option<String>,
    pub claims: Map<String, Value>,
    algorithm: CoreJwsSigningAlgorithm,
    key_id: Option<String>,
    signed: &'a str,
    signature: Vec<u8>,
}

/// What the keys say of a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Signature {
    Right,
    Wrong,
    UnknownKey,
}

impl<'a> Jws<'a> {
    /// Reads a token without believing it.
    pub(crate) fn parse(token: &'a str, what: &'static str) -> SsoResult<Self> {
        let no_token = || failed(format!("{what} is no signed token"));
        let parts: Vec<&str> = token.split('.').collect();
        let [header, payload, signature] = parts[..] else {
            return Err(match parts.len() {
                5 => failed(format!("{what} is encrypted, which is not supported")),
                _ => no_token(),
            });
        };
        let header = object(header).ok_or_else(no_token)?;
        let text = |name: &str| header.get(name).and_then(Value::as_str);
        let algorithm = text("alg").ok_or_else(no_token)?;
        if algorithm == "none" {
            return Err(failed(format!("{what} is not signed")));
        }
        let algorithm = serde_json::from_value(Value::from(algorithm)).ok();
        let algorithm = algorithm.filter(|algorithm| ALGORITHMS.contains(algorithm) && !header.contains_key("crit"));
        let algorithm = algorithm.ok_or_else(|| {
            failed(format!(
                "{what} is signed in a way that is not accepted (RS*, PS*, ES256, ES384, EdDSA are)"
            ))
        })?;
        Ok(Self {
            what,
            kind: header
                .get("typ")
                .map(|kind| kind.as_str().unwrap_or("odd").to_ascii_lowercase()),
            claims: object(payload).ok_or_else(no_token)?,
            algorithm,
            key_id: text("kid").map(str::to_owned),
            signed: &token[..token.len() - signature.len() - 1],
            signature: BASE64_URL_SAFE_NO_PAD.decode(signature).map_err(|_| no_token())?,
        })
    }

    pub(crate) fn signature(&self, keys: &CoreJsonWebKeySet) -> Signature {
        let mut found = Signature::UnknownKey;
        for key in keys.keys().iter().filter(|key| self.may_be_signed_with(key)) {
            if key
                .verify_signature(&self.algorithm, self.signed.as_bytes(), &self.signature)
                .is_ok()
            {
                return Signature::Right;
            }
            found = Signature::Wrong;
        }
        found
    }

    fn may_be_signed_with(&self, key: &CoreJsonWebKey) -> bool {
        let has_id = match &self.key_id {
            Some(id) => key.key_id().is_none_or(|key| **key == *id),
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

    pub(crate) fn text(&self, claim: &str) -> Option<&str> {
        self.claims.get(claim).and_then(Value::as_str)
    }

    /// The values of `aud`, a text or a list.
    pub(crate) fn audiences(&self) -> Vec<&str> {
        match self.claims.get("aud") {
            Some(Value::String(one)) => vec![one],
            Some(Value::Array(many)) => many.iter().map(|one| one.as_str().unwrap_or_default()).collect(),
            _ => Vec::new(),
        }
    }

    /// Whether the token is of now, the time in seconds since 1970: not expired, and issued just before.
    pub(crate) fn is_of(&self, now: i64) -> bool {
        let lives = |end: i64| end.saturating_add(seconds(LEEWAY)) > now;
        let is_new = |issued: i64| (-seconds(LEEWAY)..=seconds(MAX_AGE)).contains(&now.saturating_sub(issued));
        self.time("exp").is_some_and(lives) && self.time("iat").is_some_and(is_new)
    }

    /// Whether the token may be used now, the time in seconds since 1970, whenever it was issued.
    pub(crate) fn is_live(&self, now: i64) -> bool {
        let lives = |end: i64| end.saturating_add(seconds(LEEWAY)) > now;
        let has_begun = |begin: i64| begin <= now.saturating_add(seconds(LEEWAY));
        self.time("exp").is_some_and(lives) && self.time("nbf").is_none_or(has_begun)
    }

    /// A time as a number, also with a fraction, or as a text.
    fn time(&self, claim: &str) -> Option<i64> {
        match self.claims.get(claim)? {
            Value::Number(number) => number
                .as_i64()
                .or_else(|| number.as_f64().map(|seconds| seconds as i64)),
            Value::String(text) => text.trim().parse().ok(),
            _ => None,
        }
    }
}

fn seconds(time: Duration) -> i64 {
    i64::try_from(time.as_secs()).unwrap_or(i64::MAX)
}

fn object(part: &str) -> Option<Map<String, Value>> {
    serde_json::from_slice(&BASE64_URL_SAFE_NO_PAD.decode(part).ok()?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn token(header: &Value, claims: &Value) -> String {
        let part = |value: &Value| BASE64_URL_SAFE_NO_PAD.encode(value.to_string());
        format!("{}.{}.AAAA", part(header), part(claims))
    }

    #[test]
    fn a_clock_may_differ_by_a_minute_and_a_token_be_dated_back() {
        let now = 1_800_000_000;
        for (iat, exp, accepted) in [
            (json!(now), json!(now + 60), true),
            (json!(now + 60), json!(now + 90), true),
            (json!(now + 61), json!(now + 90), false),
            (json!(now - 600), json!(now), true),
            (json!(now - 601), json!(now + 90), false),
            (json!(now), json!(now - 59), true),
            (json!(now), json!(now - 60), false),
            (json!(i64::MIN), json!(i64::MAX), false),
            (json!(format!("{now}")), json!(1_800_000_030.5), true),
            (json!("soon"), json!(now + 60), false),
            (json!(now), json!(null), false),
        ] {
            let token = token(&json!({"alg": "ES256"}), &json!({"iat": iat, "exp": exp}));
            let token = Jws::parse(&token, "the token").expect("a token");
            assert_eq!(token.is_of(now), accepted, "{iat} {exp}");
        }
    }

    #[test]
    fn what_is_no_token_is_named() {
        let problem = |token: &str| Jws::parse(token, "the ID token").err().expect("refused").to_string();
        for odd in ["", "a.b.c", "....", "eyJ.eyJ.", "a.b"] {
            assert!(problem(odd).contains("the ID token is"), "{odd}");
        }
        assert!(problem("a.b.c.d.e").contains("is encrypted"));
        for (header, cause) in [
            (json!({"alg": "none"}), "is not signed"),
            (json!({"alg": "HS256"}), "signed in a way that is not accepted"),
            (json!({"alg": "made-up"}), "signed in a way that is not accepted"),
            (
                json!({"alg": "ES256", "crit": ["exp"]}),
                "signed in a way that is not accepted",
            ),
            (json!({}), "is no signed token"),
        ] {
            assert!(problem(&token(&header, &json!({}))).contains(cause), "{header}");
        }
    }
}
