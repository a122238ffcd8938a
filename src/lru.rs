//! A bounded cache whose clones share their entries: the least recently used one goes first.

use lru::LruCache;
use std::fmt::{Debug, Formatter, Result};
use std::hash::Hash;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A cache of at most so many entries. Values are cloned out of it, so they are small or behind an [`Arc`].
pub(crate) struct Lru<K, V> {
    entries: Arc<Mutex<LruCache<K, V>>>,
    capacity: usize,
}

impl<K: Hash + Eq, V: Clone> Lru<K, V> {
    pub(crate) fn new(capacity: usize) -> Self {
        // With a bound of its own it would take the memory for all entries at once.
        Self {
            entries: Arc::new(Mutex::new(LruCache::unbounded())),
            capacity,
        }
    }

    pub(crate) fn get(&self, key: &K) -> Option<V> {
        self.lock().get(key).cloned()
    }

    /// The entry, made if it is missing; of two that ask at once, one makes it.
    pub(crate) fn get_or_insert_with(&self, key: K, make: impl FnOnce() -> V) -> V {
        let mut entries = self.lock();
        let value = entries.get_or_insert(key, make).clone();
        let surplus = (entries.len() > self.capacity).then(|| entries.pop_lru());
        drop(entries);
        drop(surplus);
        value
    }

    pub(crate) fn insert(&self, key: K, value: V) {
        let mut entries = self.lock();
        let replaced = entries.put(key, value);
        let surplus = (entries.len() > self.capacity).then(|| entries.pop_lru());
        // Freed once the lock is released.
        drop(entries);
        drop((replaced, surplus));
    }

    pub(crate) fn remove(&self, key: &K) {
        let removed = self.lock().pop(key);
        drop(removed);
    }

    /// No key or value panics while it is put or taken, so what a lock protects is whole.
    fn lock(&self) -> MutexGuard<'_, LruCache<K, V>> {
        self.entries.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<K, V> Clone for Lru<K, V> {
    fn clone(&self) -> Self {
        Self {
            entries: Arc::clone(&self.entries),
            capacity: self.capacity,
        }
    }
}

impl<K, V> Debug for Lru<K, V> {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        f.debug_struct("Lru").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_least_recently_used_entry_goes_first() {
        let cache = Lru::new(2);
        cache.insert(1, "one");
        cache.insert(2, "two");
        assert_eq!(cache.get(&1), Some("one"));
        cache.clone().insert(3, "three");
        assert_eq!([1, 2, 3].map(|key| cache.get(&key)), [Some("one"), None, Some("three")]);
        cache.insert(3, "III");
        cache.remove(&1);
        assert_eq!([1, 3].map(|key| cache.get(&key)), [None, Some("III")]);
    }
}
