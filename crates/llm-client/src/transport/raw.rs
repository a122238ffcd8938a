//! `LLM_LOG_RAW`: what goes to and comes from the provider, word for word, without the key. Off unless asked for.

use base64::{Engine, prelude::BASE64_STANDARD as STANDARD};
use secrecy::{ExposeSecret, SecretString};
use std::{fmt, sync::Arc};

/// Where raw data would go; nowhere, unless switched on.
#[derive(Clone, Default)]
pub(crate) struct RawLog(Option<Arc<SecretString>>);

impl RawLog {
    pub(crate) fn new(is_on: bool, key: &SecretString) -> Self {
        Self(is_on.then(|| Arc::new(key.clone())))
    }

    /// Logs a request's body. Its headers are never logged.
    pub(crate) fn sent(&self, body: &[u8]) {
        if let Some(key) = &self.0 {
            tracing::debug!(target: "llm_client::raw", "sent {}", scrubbed(body, key.expose_secret()));
        }
    }

    /// Logs bytes of an answer.
    pub(crate) fn received(&self, bytes: &[u8]) {
        if let Some(key) = &self.0 {
            tracing::debug!(target: "llm_client::raw", "received {}", scrubbed(bytes, key.expose_secret()));
        }
    }
}

impl fmt::Debug for RawLog {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "RawLog({})", if self.0.is_some() { "on" } else { "off" })
    }
}

/// The text on one line and without the key, also where it comes back URL-encoded or in base64.
fn scrubbed(bytes: &[u8], key: &str) -> String {
    let mut text = String::from_utf8_lossy(bytes).escape_debug().to_string();
    if key.is_empty() {
        return text;
    }
    for form in forms(key) {
        text = text.replace(&form, "[key]");
    }
    text
}

/// How a key may look in what a provider sends back.
fn forms(key: &str) -> Vec<String> {
    let escaped = key.escape_debug().to_string();
    let percent: String = key
        .bytes()
        .map(|b| {
            if b.is_ascii_alphanumeric() || b"-._~".contains(&b) {
                char::from(b).to_string()
            } else {
                format!("%{b:02X}")
            }
        })
        .collect();
    let mut forms = vec![escaped, percent.to_lowercase(), percent];
    // The key inside something longer starts at any of three places of a base64 group; the edges mix with neighbours.
    for before in 0..3 {
        let padded = [&b"\0\0"[..before], key.as_bytes()].concat();
        let whole = padded.len() / 3 * 3;
        let encoded = STANDARD.encode(&padded[..whole]);
        let inner = encoded.get(if before == 0 { 0 } else { 4 }..).unwrap_or_default();
        // Shorter ones would hit by accident.
        if inner.len() >= 8 {
            forms.push(inner.replace('+', "-").replace('/', "_"));
            forms.push(inner.to_owned());
        }
    }
    forms
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_key_is_gone_in_every_form() {
        let key = "sk-canary/7+abcDEF123";
        // base64 of "Bearer <key>", of "x<key>" and of the key alone.
        for echo in [
            "Bearer sk-canary/7+abcDEF123",
            "?key=sk-canary%2F7%2BabcDEF123",
            "QmVhcmVyIHNrLWNhbmFyeS83K2FiY0RFRjEyMw==",
            "eHNrLWNhbmFyeS83K2FiY0RFRjEyMw==",
            "c2stY2FuYXJ5LzcrYWJjREVGMTIz",
        ] {
            let shown = scrubbed(echo.as_bytes(), key);
            assert!(shown.contains("[key]"), "{shown}");
            assert!(
                !shown.contains("canary") && !shown.contains("FuYXJ5LzcrYWJjREV"),
                "{shown}"
            );
        }
        assert_eq!(scrubbed(b"a\nb", ""), "a\\nb");
    }
}
