//! Access tokens that the provider issued to programs for us (RFC 9068): the other way round of signing in.

use super::claims::is_id;
use super::error::{SsoResult, failed};
use super::jws::Jws;
use serde_json::Value;
use time::OffsetDateTime;

/// What an access token says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Granted {
    /// Whose it is: the person's id at the provider.
    pub subject: String,
    /// The client that it was issued to.
    pub client: Option<String>,
    /// What it is for, in the provider's words.
    pub scopes: Vec<String>,
}

/// What a token must say.
pub(crate) struct GrantCheck<'a> {
    pub issuer: &'a str,
    /// Our address as a resource.
    pub audience: &'a str,
    pub now: OffsetDateTime,
}

impl GrantCheck<'_> {
    /// What a token grants whose signature was checked.
    pub(crate) fn read(&self, token: &Jws<'_>) -> SsoResult<Granted> {
        let is_of_kind = |kind: &str| ["jwt", "at+jwt", "application/at+jwt"].contains(&kind);
        let problem = if token.kind.as_deref().is_some_and(|kind| !is_of_kind(kind)) {
            "is a token of another kind (typ)"
        } else if token.text("iss") != Some(self.issuer) {
            "is of another issuer (iss)"
        } else if !token.audiences().contains(&self.audience) {
            "is not for us (aud)"
        } else if !token.is_live(self.now.unix_timestamp()) {
            "is not of this time (exp, nbf)"
        // ID tokens and logout tokens tell who somebody is and give nobody a right.
        } else if token.claims.contains_key("nonce") || token.claims.contains_key("events") {
            "is a token of another kind (nonce, events)"
        } else {
            let subject = token.text("sub").filter(|subject| is_id(subject));
            let subject = subject.ok_or_else(|| failed(format!("{} names nobody (sub)", token.what)))?;
            return Ok(Granted {
                subject: subject.to_owned(),
                client: token.text("azp").or_else(|| token.text("client_id")).map(str::to_owned),
                scopes: scopes(token.claims.get("scope").or_else(|| token.claims.get("scp"))),
            });
        };
        Err(failed(format!("{} {problem}", token.what)))
    }
}

/// A text with blanks between them, or a list.
fn scopes(claim: Option<&Value>) -> Vec<String> {
    match claim {
        Some(Value::String(text)) => text.split_whitespace().map(str::to_owned).collect(),
        Some(Value::Array(list)) => list.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use base64::Engine;
    use base64::prelude::BASE64_URL_SAFE_NO_PAD;
    use serde_json::json;

    const NOW: i64 = 1_800_000_000;

    fn read(kind: &str, change: impl Fn(&mut Value)) -> Result<Granted, String> {
        let mut claims = json!({
            "iss": "https://id.example", "aud": ["https://plans.example/mcp"], "sub": "ana-1", "exp": NOW + 60,
            "iat": NOW - 3_000, "azp": "claude", "scope": "read chat openid",
        });
        change(&mut claims);
        let part = |value: &Value| BASE64_URL_SAFE_NO_PAD.encode(value.to_string());
        let token = format!("{}.{}.AAAA", part(&json!({"alg": "ES256", "typ": kind})), part(&claims));
        let check = GrantCheck {
            issuer: "https://id.example",
            audience: "https://plans.example/mcp",
            now: OffsetDateTime::from_unix_timestamp(NOW).expect("a time"),
        };
        let token = Jws::parse(&token, "the access token").expect("a token");
        check.read(&token).map_err(|error| error.to_string())
    }

    #[test]
    fn a_token_for_us_grants_what_it_says_however_long_ago_it_was_issued() {
        let granted = read("at+JWT", |_| ()).expect("granted");
        assert_eq!(
            (granted.subject.as_str(), granted.client.as_deref()),
            ("ana-1", Some("claude"))
        );
        assert_eq!(granted.scopes, ["read", "chat", "openid"]);
        let listed = read("JWT", |claims| claims["scp"] = claims["scope"].take()).expect("granted");
        assert_eq!(listed.scopes, [""; 0], "a scope of null is none");
        let listed = read("JWT", |claims| {
            claims.as_object_mut().expect("an object").remove("scope");
            claims["scp"] = json!(["read"]);
        });
        assert_eq!(listed.expect("granted").scopes, ["read"]);
    }

    #[test]
    fn what_is_not_for_us_or_not_of_now_grants_nothing() {
        assert!(read("logout+jwt", |_| ()).is_err());
        let changes: [(&str, Value, &str); 8] = [
            ("iss", json!("https://other.example"), "another issuer"),
            ("aud", json!("plans"), "not for us"),
            ("aud", json!("https://plans.example/mcp/"), "not for us"),
            ("exp", json!(NOW - 61), "not of this time"),
            ("exp", json!(null), "not of this time"),
            ("nbf", json!(NOW + 61), "not of this time"),
            ("nonce", json!("n"), "another kind"),
            ("sub", json!(7), "names nobody"),
        ];
        for (claim, value, cause) in changes {
            let refusal = read("JWT", |claims| claims[claim] = value.clone()).expect_err(claim);
            assert!(refusal.contains(cause), "{claim}: {refusal}");
        }
    }
}
