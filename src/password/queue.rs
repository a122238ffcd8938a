//! The places of the queue for hashing: a flood from one address or network leaves some of them to others, and any flood leaves some to
//! those who have logged in before.

use super::{AT_ONCE, Asker, PasswordError};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// How many wait, besides those that run.
const QUEUE: usize = 16;
const PLACES: usize = AT_ONCE + QUEUE;

/// Places that only known devices get: many networks together must not keep people out of where they have been before.
const FOR_KNOWN: usize = 4;

/// Places that one region may hold while half of all are taken. So a flood from one address, or one /48, leaves at least half of
/// the queue to others.
const SHARE: usize = PLACES / 4;

/// The places that are taken, in all and by unknown devices of each region.
#[derive(Debug, Default)]
pub(super) struct Places {
    taken: usize,
    by: HashMap<[u8; 32], usize>,
}

/// A place among those that wait or run; dropping it frees it.
pub(super) struct Place {
    places: Arc<Mutex<Places>>,
    asker: Asker,
}

impl Place {
    /// # Errors
    /// [`PasswordError::Busy`] if there is no place, or none for this asker.
    pub(super) fn take(places: &Arc<Mutex<Places>>, asker: Asker) -> Result<Self, PasswordError> {
        let mut inside = places.lock().unwrap_or_else(PoisonError::into_inner);
        let most = if asker.is_known { PLACES } else { PLACES - FOR_KNOWN };
        if inside.taken >= most {
            return Err(PasswordError::Busy);
        }
        if !asker.is_known {
            let own = inside.by.get(&asker.region).copied().unwrap_or_default();
            if own >= SHARE && inside.taken >= PLACES / 2 {
                return Err(PasswordError::Busy);
            }
            inside.by.insert(asker.region, own + 1);
        }
        inside.taken += 1;
        Ok(Self {
            places: Arc::clone(places),
            asker,
        })
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut inside = self.places.lock().unwrap_or_else(PoisonError::into_inner);
        inside.taken -= 1;
        if self.asker.is_known {
            return;
        }
        if let Some(own) = inside.by.get_mut(&self.asker.region) {
            *own -= 1;
            if *own == 0 {
                inside.by.remove(&self.asker.region);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::password::Passwords;

    fn unknown(nth: u8) -> Asker {
        Asker {
            region: [nth; 32],
            is_known: false,
        }
    }

    fn known(nth: u8) -> Asker {
        Asker {
            is_known: true,
            ..unknown(nth)
        }
    }

    #[tokio::test]
    async fn the_queue_is_short_and_known_devices_have_places_of_their_own() {
        let passwords = Passwords::default();
        let all = |asker: fn(u8) -> Asker| -> Vec<_> {
            (0..=u8::MAX)
                .map_while(|nth| Place::take(&passwords.places, asker(nth)).ok())
                .collect()
        };
        let strangers = all(unknown);
        assert_eq!(strangers.len(), PLACES - FOR_KNOWN);
        let refused = passwords.verify("x".into(), None, unknown(255)).await;
        assert!(matches!(refused, Err(PasswordError::Busy)));
        let refused = passwords.hash("x".into(), Vec::new(), unknown(255)).await;
        assert!(matches!(refused, Err(PasswordError::Busy)));
        assert!(passwords.verify("x".into(), None, known(0)).await.is_ok());

        let owners = all(known);
        assert_eq!(owners.len(), FOR_KNOWN);
        let refused = passwords.verify("x".into(), None, known(0)).await;
        assert!(matches!(refused, Err(PasswordError::Busy)));
        drop((strangers, owners));
        assert!(passwords.verify("x".into(), None, unknown(255)).await.is_ok());
    }

    #[tokio::test]
    async fn one_region_leaves_half_of_the_queue_to_others() {
        let passwords = Passwords::default();
        let flood = |nth: u8| -> Vec<_> {
            std::iter::from_fn(|| Place::take(&passwords.places, unknown(nth)).ok())
                .take(100)
                .collect()
        };
        let first = flood(1);
        assert_eq!(first.len(), PLACES / 2);
        let second = flood(2);
        assert_eq!(second.len(), SHARE);
        assert!(passwords.verify("x".into(), None, unknown(3)).await.is_ok());
        assert!(passwords.verify("x".into(), None, known(1)).await.is_ok());
        assert!(matches!(
            passwords.verify("x".into(), None, unknown(1)).await,
            Err(PasswordError::Busy)
        ));
        drop((first, second));
        assert!(passwords.places.lock().expect("not poisoned").by.is_empty());
    }
}
