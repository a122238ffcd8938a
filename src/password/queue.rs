//! The places of the queue for hashing: a flood from one address leaves some of them to others.

use super::{AT_ONCE, Asker, PasswordError};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// How many wait, besides those that run.
const QUEUE: usize = 16;
const PLACES: usize = AT_ONCE + QUEUE;

/// Places that one address may hold while half of all are taken. So an address that floods the queue leaves at least half of
/// it to others.
const SHARE: usize = PLACES / 4;

/// The places that are taken, in all and by whom.
#[derive(Debug, Default)]
pub struct Places {
    taken: usize,
    by: HashMap<Asker, usize>,
}

/// A place among those that wait or run; dropping it frees it.
pub struct Place {
    places: Arc<Mutex<Places>>,
    asker: Asker,
}

impl Place {
    /// # Errors
    /// [`PasswordError::Busy`] if there is no place, or none for this asker.
    pub fn take(places: &Arc<Mutex<Places>>, asker: Asker) -> Result<Self, PasswordError> {
        let mut inside = places.lock().unwrap_or_else(PoisonError::into_inner);
        let own = inside.by.get(&asker).copied().unwrap_or_default();
        if inside.taken >= PLACES || (own >= SHARE && inside.taken >= PLACES / 2) {
            return Err(PasswordError::Busy);
        }
        inside.taken += 1;
        inside.by.insert(asker, own + 1);
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
        if let Some(own) = inside.by.get_mut(&self.asker) {
            *own -= 1;
            if *own == 0 {
                inside.by.remove(&self.asker);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::password::Passwords;

    #[tokio::test]
    async fn the_queue_is_short() {
        let passwords = Passwords::default();
        let askers = (0..=u8::MAX).map(|nth| [nth; 32]);
        let taken: Vec<_> = askers
            .map_while(|asker| Place::take(&passwords.places, asker).ok())
            .collect();
        assert_eq!(taken.len(), AT_ONCE + QUEUE);
        let refused = passwords.verify("x".into(), None, [255; 32]).await;
        assert!(matches!(refused, Err(PasswordError::Busy)));
        let refused = passwords.hash("x".into(), Vec::new(), [255; 32]).await;
        assert!(matches!(refused, Err(PasswordError::Busy)));
        drop(taken);
        assert!(passwords.verify("x".into(), None, [255; 32]).await.is_ok());
    }

    #[tokio::test]
    async fn one_address_leaves_half_of_the_queue_to_others() {
        let passwords = Passwords::default();
        let flood = |nth: u8| -> Vec<_> {
            std::iter::from_fn(|| Place::take(&passwords.places, [nth; 32]).ok())
                .take(100)
                .collect()
        };
        let first = flood(1);
        assert_eq!(first.len(), PLACES / 2);
        let second = flood(2);
        assert_eq!(second.len(), SHARE);
        assert!(passwords.verify("x".into(), None, [3; 32]).await.is_ok());
        assert!(matches!(
            passwords.verify("x".into(), None, [1; 32]).await,
            Err(PasswordError::Busy)
        ));
        drop((first, second));
        assert!(passwords.places.lock().expect("not poisoned").by.is_empty());
    }
}
