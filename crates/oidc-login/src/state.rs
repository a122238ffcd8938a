//! What a browser keeps while its person is at the provider: sealed, so that it can neither be read nor made up.
//!
//! The key is derived from the client's secret, which all instances have: the person may come back to another one.

use super::error::{SsoError, SsoResult, failed};
use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use ring::aead::{AES_256_GCM, Aad, LessSafeKey, NONCE_LEN, Nonce, UnboundKey};
use ring::digest::{SHA256, digest};
use ring::hkdf::{HKDF_SHA256, Salt};
use ring::rand::{SystemRandom, generate};
use serde::{Deserialize, Serialize};
use time::OffsetDateTime;
use uuid::Uuid;

const SALT: &[u8] = b"plan-advisor";
const PURPOSE: &[u8] = b"state cookie of single sign-on, version 1";

/// A sign-in between its beginning and its end.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Flow {
    /// Ties the provider's answer to this browser.
    pub(super) state: String,
    /// Ties the ID token to this sign-in.
    pub(super) nonce: String,
    /// Ties the code to this sign-in (PKCE).
    pub(super) verifier: String,
    /// Where the person wanted to go: a path.
    pub next: String,
    /// Who links an identity instead of signing in.
    pub link: Option<Uuid>,
    pub(super) expires_at: i64,
}

impl std::fmt::Debug for Flow {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Flow").finish_non_exhaustive()
    }
}

/// When an answer with this `state` comes too late, in seconds since 1970. Only for the words of a refusal: whoever made the
/// state up chose the time, too.
pub(crate) fn end_of(state: &str) -> Option<i64> {
    state.rsplit_once('.')?.1.parse().ok()
}

/// Seals and opens.
pub(crate) struct Sealer(LessSafeKey);

impl std::fmt::Debug for Sealer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Sealer")
    }
}

impl Sealer {
    pub(crate) fn new(client_secret: &str) -> Self {
        let secret = Salt::new(HKDF_SHA256, SALT).extract(client_secret.as_bytes());
        let key = secret
            .expand(&[PURPOSE], &AES_256_GCM)
            .expect("a key is far shorter than what HKDF can give");
        Self(LessSafeKey::new(UnboundKey::from(key)))
    }

    pub(crate) fn seal(&self, flow: &Flow) -> SsoResult<String> {
        let broken = |_| failed("the state cannot be sealed");
        let nonce: [u8; NONCE_LEN] = generate(&SystemRandom::new()).map_err(broken)?.expose();
        let mut text = serde_json::to_vec(flow).map_err(|_| failed("the state cannot be sealed"))?;
        self.0
            .seal_in_place_append_tag(Nonce::assume_unique_for_key(nonce), Aad::from(PURPOSE), &mut text)
            .map_err(broken)?;
        Ok(BASE64_URL_SAFE_NO_PAD.encode([&nonce[..], &text].concat()))
    }

    pub(crate) fn open(&self, cookie: &str, state: &str, now: OffsetDateTime) -> SsoResult<Flow> {
        let flow = self
            .unseal(cookie)
            .ok_or_else(|| failed("the state cookie is not ours"))?;
        // Digests, so that the time does not tell how much is right.
        if digest(&SHA256, flow.state.as_bytes()).as_ref() != digest(&SHA256, state.as_bytes()).as_ref() {
            return Err(failed("the state is of another sign-in"));
        }
        if flow.expires_at < now.unix_timestamp() {
            return Err(SsoError::Expired);
        }
        Ok(flow)
    }

    fn unseal(&self, cookie: &str) -> Option<Flow> {
        let sealed = BASE64_URL_SAFE_NO_PAD.decode(cookie).ok()?;
        let (nonce, text) = sealed.split_at_checked(NONCE_LEN)?;
        let nonce = Nonce::try_assume_unique_for_key(nonce).ok()?;
        let mut text = text.to_vec();
        let text = self.0.open_in_place(nonce, Aad::from(PURPOSE), &mut text).ok()?;
        serde_json::from_slice(text).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn flow(now: OffsetDateTime) -> Flow {
        Flow {
            state: "the-state".into(),
            nonce: "the-nonce".into(),
            verifier: "the-verifier".into(),
            next: "/plans/1".into(),
            link: None,
            expires_at: (now + super::super::PATIENCE).unix_timestamp(),
        }
    }

    #[test]
    fn only_what_we_sealed_for_this_state_within_ten_minutes_is_opened() {
        let now = OffsetDateTime::now_utc();
        let (ours, foreign) = (Sealer::new("client-secret"), Sealer::new("client-secreu"));
        let cookie = ours.seal(&flow(now)).expect("sealed");
        assert!(!cookie.contains("the-") && ours.seal(&flow(now)).expect("sealed") != cookie);

        // Another instance has the same secret.
        let opened = Sealer::new("client-secret").open(&cookie, "the-state", now);
        assert!(opened.is_ok_and(|opened| opened == flow(now)));

        let not_ours =
            |result: SsoResult<Flow>| matches!(result, Err(SsoError::Failed(cause)) if cause.contains("not ours"));
        assert!(not_ours(foreign.open(&cookie, "the-state", now)));
        for at in 0..cookie.len() {
            let mut bytes = cookie.clone().into_bytes();
            bytes[at] = if bytes[at] == b'A' { b'B' } else { b'A' };
            let changed = String::from_utf8(bytes).expect("ASCII");
            assert!(ours.open(&changed, "the-state", now).is_err(), "{at}");
        }
        for short in ["", "AA", "!", &cookie[..20]] {
            assert!(not_ours(ours.open(short, "the-state", now)), "{short}");
        }
        assert!(matches!(ours.open(&cookie, "another", now), Err(SsoError::Failed(_))));
        let late = now + super::super::PATIENCE + time::Duration::seconds(1);
        assert_eq!(ours.open(&cookie, "the-state", late), Err(SsoError::Expired));
    }
}
