//! Password hashing: argon2id, at most two at once, never on the async worker threads.
//!
//! A hash costs about 0.1 s and 19 MiB by design. A flood of logins therefore waits in a short queue and then gets 503,
//! instead of starving running turns.

mod queue;
pub(crate) mod strength;

use argon2::password_hash::phc::PasswordHash;
use argon2::{Algorithm, Argon2, Params, PasswordHasher, PasswordVerifier, Version};
use queue::{Place, Places};
use std::sync::{Arc, LazyLock, Mutex};
use tokio::sync::Semaphore;

/// OWASP's setting for argon2id with 19 MiB: two passes, one lane.
const MEMORY_KIB: u32 = 19_456;
const PASSES: u32 = 2;
const LANES: u32 = 1;

/// Concurrent hashes.
const AT_ONCE: usize = 2;

/// Length of a new password in characters.
pub const CHARACTERS: std::ops::RangeInclusive<usize> = 10..=128;

/// Refuses a new password that is too short or too long, or that could not be typed again. Every other character counts.
///
/// # Errors
/// What it must be, as the rest of a sentence.
pub fn check_new(password: &str) -> Result<(), String> {
    if !CHARACTERS.contains(&password.chars().count()) {
        let (least, most) = (CHARACTERS.start(), CHARACTERS.end());
        return Err(format!("must have {least} to {most} characters"));
    }
    // U+FFFD is what U+0000 and half a character become on their way here.
    if password.contains(|c: char| c.is_control() || c == '\u{FFFD}') {
        return Err("must not contain control characters".to_owned());
    }
    Ok(())
}

/// Why a password was not checked.
#[derive(Debug, thiserror::Error)]
pub enum PasswordError {
    /// The queue is full.
    #[error("too many passwords are being checked")]
    Busy,
    #[error("hashing failed: {0}")]
    Hashing(String),
}

/// The result of a check.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    Wrong,
    Right,
    /// Correct, but the stored hash has weaker parameters: store this new hash.
    RightButWeak(String),
}

/// Who is asking.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Asker {
    /// The key of a client's address, or of the /48 of IPv6.
    pub region: [u8; 32],
    /// Whether the account knows the device.
    pub is_known: bool,
}

/// Checks passwords within the limits above. Clones share them.
#[derive(Debug, Clone)]
pub struct Passwords {
    running: Arc<Semaphore>,
    places: Arc<Mutex<Places>>,
}

impl Default for Passwords {
    fn default() -> Self {
        Self {
            running: Arc::new(Semaphore::new(AT_ONCE)),
            places: Arc::default(),
        }
    }
}

impl Passwords {
    /// Compares a password with a stored hash. Without one it takes the same time and returns [`Verdict::Wrong`], so that
    /// the duration does not reveal whether an account exists.
    ///
    /// # Errors
    /// [`PasswordError::Busy`] if the queue, or the asker's share of it, is full.
    pub async fn verify(
        &self,
        password: String,
        stored: Option<String>,
        asker: Asker,
    ) -> Result<Verdict, PasswordError> {
        self.run(asker, move || verify_now(&password, stored.as_deref())).await
    }

    /// Hashes a new password for storage. `None` if it is easy to guess; `about` is what others know of the person.
    ///
    /// # Errors
    /// [`PasswordError::Busy`] if the queue, or the asker's share of it, is full.
    pub async fn hash(
        &self,
        password: String,
        about: Vec<String>,
        asker: Asker,
    ) -> Result<Option<String>, PasswordError> {
        let work = move || {
            let about: Vec<&str> = about.iter().map(String::as_str).collect();
            if strength::is_easy_to_guess(&password, &about) {
                return Ok(None);
            }
            hash(&password).map(Some)
        };
        self.run(asker, work).await
    }

    async fn run<T: Send + 'static>(
        &self,
        asker: Asker,
        work: impl FnOnce() -> Result<T, PasswordError> + Send + 'static,
    ) -> Result<T, PasswordError> {
        let _place = Place::take(&self.places, asker)?;
        let permit = Arc::clone(&self.running)
            .acquire_owned()
            .await
            .map_err(|_| PasswordError::Busy)?;
        let work = move || {
            // Held by the blocking task, not by the request: a client that disconnects does not free the slot early.
            let _permit = permit;
            work()
        };
        tokio::task::spawn_blocking(work)
            .await
            .map_err(|error| PasswordError::Hashing(error.to_string()))?
    }
}

/// Hashes a password for storage. Blocks for about 0.1 s: for commands, not for handlers.
///
/// # Errors
/// If the system's random generator fails.
pub fn hash(password: &str) -> Result<String, PasswordError> {
    let hash = hasher()
        .hash_password(password.as_bytes())
        .map_err(|error| PasswordError::Hashing(error.to_string()))?;
    Ok(hash.to_string())
}

/// Whether a password is the one of a stored hash. Blocks for about 0.1 s: for commands, not for handlers.
///
/// # Errors
/// If the stored hash cannot be read.
pub fn is_right(password: &str, stored: &str) -> Result<bool, PasswordError> {
    Ok(verify_now(password, Some(stored))? != Verdict::Wrong)
}

fn hasher() -> Argon2<'static> {
    let params = Params::new(MEMORY_KIB, PASSES, LANES, None).expect("the constants are within argon2's limits");
    Argon2::new(Algorithm::Argon2id, Version::V0x13, params)
}

fn verify_now(password: &str, stored: Option<&str>) -> Result<Verdict, PasswordError> {
    static UNUSED: LazyLock<Option<String>> = LazyLock::new(|| hash("no account has this password").ok());
    let known = stored.is_some();
    let Some(text) = stored.or(UNUSED.as_deref()) else {
        return Ok(Verdict::Wrong);
    };
    let parsed = PasswordHash::new(text).map_err(|error| PasswordError::Hashing(error.to_string()))?;
    let right = hasher().verify_password(password.as_bytes(), &parsed).is_ok();
    if !(right && known) {
        return Ok(Verdict::Wrong);
    }
    if is_weak(&parsed) {
        Ok(Verdict::RightButWeak(hash(password)?))
    } else {
        Ok(Verdict::Right)
    }
}

fn is_weak(stored: &PasswordHash) -> bool {
    let number = |name: &str| stored.params.get_decimal(name).unwrap_or(0);
    stored.algorithm.as_str() != "argon2id" || number("m") < MEMORY_KIB || number("t") < PASSES
}

/// Computes the dummy hash for unknown e-mails in advance.
pub fn warm_up() {
    let _ = verify_now("", None);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn the_right_password_and_only_it_is_right() {
        let stored = hash("correct horse").expect("hashes");
        assert!(stored.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{stored}");
        let passwords = Passwords::default();
        let verify = |password: &str, stored: Option<String>| {
            passwords.verify(
                password.to_owned(),
                stored,
                Asker {
                    region: [0; 32],
                    is_known: false,
                },
            )
        };
        assert_eq!(
            verify("correct horse", Some(stored.clone())).await.expect("checks"),
            Verdict::Right
        );
        assert_eq!(
            verify("correct hors", Some(stored)).await.expect("checks"),
            Verdict::Wrong
        );
        assert_eq!(
            verify("no account has this password", None).await.expect("checks"),
            Verdict::Wrong
        );
    }

    #[test]
    fn a_weak_hash_is_replaced_when_its_owner_comes_by() {
        let weak = Argon2::new(
            Algorithm::Argon2id,
            Version::V0x13,
            Params::new(8_192, 1, 1, None).expect("params"),
        );
        let stored = weak.hash_password(b"correct horse").expect("hashes").to_string();
        let Verdict::RightButWeak(new) = verify_now("correct horse", Some(&stored)).expect("checks") else {
            panic!("a weak hash passed as a strong one");
        };
        assert_eq!(verify_now("correct horse", Some(&new)).expect("checks"), Verdict::Right);
    }

    #[test]
    fn new_passwords_are_long_enough_and_can_be_typed_again() {
        for good in [
            "1234567890",
            "with spaces too",
            &"\u{1F600}".repeat(128),
            "пароль-пароль",
        ] {
            assert_eq!(check_new(good), Ok(()), "{good}");
        }
        let too_long = "x".repeat(129);
        for bad in [
            "",
            "123456789",
            &too_long,
            "with\0in it.",
            "with\u{FFFD}in it",
            "with\tin it",
        ] {
            assert!(check_new(bad).is_err(), "{bad:?}");
        }
    }
}
