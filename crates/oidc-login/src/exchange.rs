//! Requests with what a sign-in has brought: the code is exchanged for tokens, and the access token asks for more claims. Of
//! the answers only what we use is read, because providers differ in the rest.

use super::OidcSettings;
use super::error::{SsoError, SsoResult, failed, word};
use super::http::{Gateway, Received, send};
use super::known::Metadata;
use reqwest::Url;
use reqwest::header::{AUTHORIZATION, CONTENT_TYPE, HeaderValue};
use secrecy::ExposeSecret;
use serde_json::{Map, Value};

/// What the token endpoint gives.
pub(crate) struct Tokens {
    pub id_token: String,
    pub access_token: Option<String>,
}

/// Exchanges the code.
pub(crate) async fn exchange(
    http: &Gateway,
    metadata: &Metadata,
    settings: &OidcSettings,
    code: &str,
    verifier: &str,
) -> SsoResult<Tokens> {
    let (id, secret) = (&settings.client_id, settings.client_secret.expose_secret());
    let mut form = vec![
        ("grant_type", "authorization_code"),
        ("code", code),
        ("redirect_uri", &settings.redirect_uri),
        ("code_verifier", verifier),
    ];
    let mut request = http.post(&metadata.token);
    if metadata.wants_secret_in_body {
        form.extend([("client_id", id.as_str()), ("client_secret", secret)]);
    } else {
        // RFC 6749 2.3.1: both are encoded as in a form.
        request = request.basic_auth(escaped(id), Some(escaped(secret)));
    }
    let request = request
        .header(CONTENT_TYPE, "application/x-www-form-urlencoded")
        .body(pairs(&form));
    let answer = send("token endpoint", request).await?;
    let said: Option<Map<String, Value>> = serde_json::from_slice(&answer.body).ok();
    let text = |name: &str| said.as_ref().and_then(|said| said.get(name)).and_then(Value::as_str);
    if let Some(code) = text("error") {
        return Err(refusal(code));
    }
    if !answer.status.is_success() {
        return Err(failed(format!("the token endpoint answers {}", answer.status.as_u16())));
    }
    if said.is_none() {
        return Err(failed("the token endpoint's answer is no JSON object"));
    }
    Ok(Tokens {
        id_token: text("id_token")
            .map(str::to_owned)
            .ok_or_else(|| failed("the provider gave no ID token"))?,
        access_token: text("access_token").map(str::to_owned),
    })
}

/// What the provider answers about the owner of an access token.
pub(crate) async fn userinfo(http: &Gateway, url: &Url, access_token: &str) -> SsoResult<Received> {
    let mut bearer =
        HeaderValue::from_str(&format!("Bearer {access_token}")).map_err(|_| failed("the access token is not one"))?;
    bearer.set_sensitive(true);
    let answer = send("userinfo endpoint", http.get(url).header(AUTHORIZATION, bearer)).await?;
    match answer.status.is_success() {
        true => Ok(answer),
        false => Err(failed(format!(
            "the userinfo endpoint answers {}",
            answer.status.as_u16()
        ))),
    }
}

/// Without the provider's own words, which may quote the code.
fn refusal(code: &str) -> SsoError {
    let code = word(code);
    let hint = match code.as_str() {
        "invalid_client" => ": are OIDC_CLIENT_ID and OIDC_CLIENT_SECRET right?",
        _ => "",
    };
    failed(format!("the provider refused the code ({code}){hint}"))
}

fn pairs(form: &[(&str, &str)]) -> String {
    let mut url = Url::parse("form:").expect("a URL");
    url.query_pairs_mut().extend_pairs(form);
    url.query().unwrap_or_default().to_owned()
}

/// As a value in a form.
fn escaped(text: &str) -> String {
    pairs(&[("", text)]).trim_start_matches('=').to_owned()
}
