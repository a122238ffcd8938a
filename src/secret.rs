//! Random secrets that are handed out once: device cookies, links, access tokens. Only their SHA-256 is stored.

use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use ring::digest::{SHA256, digest};
use ring::rand::{SystemRandom, generate};
use secrecy::{ExposeSecret, SecretString};

/// What is stored of a secret: its SHA-256. With 256 random bits it needs neither salt nor stretching.
pub type SecretHash = [u8; 32];

/// The system gave no random numbers.
#[derive(Debug, thiserror::Error)]
#[error("the system's random generator failed")]
pub struct NoRandomness;

/// 256 random bits as 43 characters that URLs and cookies take as they are. Never shown by `Debug`.
#[derive(Debug, Clone)]
pub struct Secret(SecretString);

impl Secret {
    /// # Errors
    /// If the system's random generator fails.
    pub fn new() -> Result<Self, NoRandomness> {
        let random: [u8; 32] = generate(&SystemRandom::new()).map_err(|_| NoRandomness)?.expose();
        Ok(Self(BASE64_URL_SAFE_NO_PAD.encode(random).into()))
    }

    /// The text, for the one answer that shows it.
    #[must_use]
    pub fn expose(&self) -> &str {
        self.0.expose_secret()
    }

    #[must_use]
    pub fn hash(&self) -> SecretHash {
        hash_of(self.expose())
    }
}

/// The hash of a secret that somebody has sent; any text has one.
#[must_use]
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
}
