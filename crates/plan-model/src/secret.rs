//! Random secrets that are handed out once: device cookies, links, access tokens. Only their SHA-256 is stored.

use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use ring::digest::{SHA256, digest};
use ring::rand::{SystemRandom, generate};
use secrecy::{ExposeSecret, SecretString};
use subtle::ConstantTimeEq;
use uuid::Uuid;

/// What is stored of a secret: its SHA-256. With 256 random bits it needs neither salt nor stretching.
pub type SecretHash = [u8; 32];

/// How an access token begins, for people and for scanners that look for secrets.
const TOKEN_PREFIX: &str = "pat_";

/// Characters of a secret.
const LENGTH: usize = 43;

/// The system gave no random numbers.
#[derive(Debug, thiserror::Error)]
#[error("the system's random generator failed")]
pub struct NoRandomness;

/// 256 random bits as 43 characters that URLs and cookies take as they are. Never shown by `Debug`.
#[derive(Debug, Clone)]
pub struct Secret(SecretString);

impl Secret {
    /// A fresh one.
    ///
    /// # Errors
    /// If the system's random generator fails.
    pub fn new() -> Result<Self, NoRandomness> {
        let random: [u8; 32] = generate(&SystemRandom::new()).map_err(|_| NoRandomness)?.expose();
        Ok(Self(BASE64_URL_SAFE_NO_PAD.encode(random).into()))
    }

    /// The text, for the one answer that shows it.
    pub fn expose(&self) -> &str {
        self.0.expose_secret()
    }

    /// What is stored of it.
    pub fn hash(&self) -> SecretHash {
        hash_of(self.expose())
    }

    /// The text of the access token with this id, whose secret this is.
    pub fn token(&self, id: Uuid) -> String {
        format!("{TOKEN_PREFIX}{}_{}", id.simple(), self.expose())
    }
}

/// The id in the text of an access token, and the hash of its secret; `None` for any other text.
pub fn read_token(text: &[u8]) -> Option<(Uuid, SecretHash)> {
    let text = std::str::from_utf8(text).ok()?.strip_prefix(TOKEN_PREFIX)?;
    let (id, secret) = text.split_at_checked(32)?;
    let secret = secret.strip_prefix('_')?;
    let is_lower_hex = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
    let is_url_safe = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
    let is_token = id.bytes().all(is_lower_hex) && secret.len() == LENGTH && secret.bytes().all(is_url_safe);
    is_token.then(|| Some((Uuid::try_parse(id).ok()?, hash_of(secret))))?
}

/// Whether an access token, or the beginning of one, is in the text.
pub fn holds_token(text: &str) -> bool {
    let begins = |behind: &str| behind.len() >= 8 && behind.bytes().take(8).all(|byte| byte.is_ascii_hexdigit());
    text.split(TOKEN_PREFIX).skip(1).any(begins)
}

/// Compares hashes in a time that does not depend on where they differ.
pub fn is_same(stored: &[u8], sent: &SecretHash) -> bool {
    stored.ct_eq(sent).into()
}

/// The hash of a secret that somebody has sent; any text has one.
pub fn hash_of(text: &str) -> SecretHash {
    digest(&SHA256, text.as_bytes()).as_ref().try_into().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_is_long_new_and_never_printed() {
        let (one, other) = (Secret::new().expect("random"), Secret::new().expect("random"));
        assert_eq!(one.expose().len(), 43);
        assert_ne!(one.expose(), other.expose());
        assert_eq!(one.hash(), hash_of(one.expose()));
        assert!(!format!("{one:?}").contains(one.expose()));
    }

    #[test]
    fn a_token_reads_back_as_its_id_and_the_hash_of_its_secret() {
        let (id, secret) = (Uuid::now_v7(), Secret::new().expect("random"));
        let token = secret.token(id);
        assert_eq!(read_token(token.as_bytes()), Some((id, secret.hash())));
        assert_eq!(token.len(), 80);
        assert!(is_same(&secret.hash(), &hash_of(&token[37..])));
        assert!(!is_same(&secret.hash(), &hash_of(&token)) && !is_same(&[], &secret.hash()));
    }

    #[test]
    fn what_is_not_quite_a_token_is_none() {
        let token = Secret::new().expect("random").token(Uuid::now_v7());
        let dashes = token.replacen(&token[4..36], &Uuid::now_v7().to_string(), 1);
        let near = [
            "",
            "pat_",
            "pat",
            &token[1..],
            &token[..79],
            &format!("{token}x"),
            &format!(" {token}"),
            &token.replace("pat_", "PAT_"),
            &token[..36].replace('_', "-"),
            &dashes,
            &format!("{}é{}", &token[..40], &token[42..]),
            &format!("pat_{}", "é".repeat(38)),
            &format!("pat_{}{}", "ABCDEF0123456789ABCDEF0123456789", &token[36..]),
            &format!("{}={}", &token[..60], &token[61..]),
        ]
        .map(|text| read_token(text.as_bytes()));
        assert!(near.iter().all(Option::is_none), "{near:?}");
        assert_eq!(read_token(b"pat_\xff\0"), None);
    }

    #[test]
    fn a_token_is_noticed_in_a_text_but_a_name_is_none() {
        let token = Secret::new().expect("random").token(Uuid::now_v7());
        assert!(holds_token(&token) && holds_token(&format!("key:{}", &token[..20])));
        assert!(!holds_token("pat_smith@demo.test") && !holds_token("pat_") && !holds_token("pat_1234567"));
    }
}
