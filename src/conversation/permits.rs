//! How many turns may be storing their end at the same time. Thousands that end in one moment take their turn instead of
//! fighting for connections, and requests find one in between.

use crate::lru::Lru;
use plan_model::ids::UserId;
use std::sync::Arc;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, SemaphorePermit};

/// Users whose share is remembered. One that is forgotten while it is in use is only too large for a moment.
const USERS: usize = 1024;

/// Held during one attempt, never between two.
pub(crate) struct CommitPermits {
    first: Semaphore,
    /// For turns that have waited in vain for a lock and will do so again: they are in nobody's way.
    again: Semaphore,
    /// Of one user.
    each: usize,
    users: Lru<UserId, Arc<Semaphore>>,
}

/// The right to one attempt.
pub(crate) struct Permit<'a> {
    _share: Option<OwnedSemaphorePermit>,
    _place: Option<SemaphorePermit<'a>>,
}

impl CommitPermits {
    /// Two fewer than the pool has connections: a quarter of them for one user at most, and a quarter for those who try again.
    pub(crate) fn new(pool_size: u32) -> Self {
        let all = pool_size.saturating_sub(2).max(1) as usize;
        let quarter = (all / 4).max(1);
        Self {
            first: Semaphore::new(all.saturating_sub(quarter).max(1)),
            again: Semaphore::new(quarter),
            each: quarter,
            users: Lru::new(USERS),
        }
    }

    /// Waits for a permit.
    pub(crate) async fn acquire(&self, user: UserId, has_waited_for_a_lock: bool) -> Permit<'_> {
        let lane = match has_waited_for_a_lock {
            true => &self.again,
            false => &self.first,
        };
        // Neither semaphore is ever closed. The user's own comes first, so that nobody waits with a place in the hand.
        let share = self.share(user).acquire_owned().await.ok();
        Permit {
            _share: share,
            _place: lane.acquire().await.ok(),
        }
    }

    fn share(&self, user: UserId) -> Arc<Semaphore> {
        self.users
            .get_or_insert_with(user, || Arc::new(Semaphore::new(self.each)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures_util::FutureExt;

    #[tokio::test]
    async fn neither_one_user_nor_those_who_wait_for_locks_take_all_places() {
        let permits = CommitPermits::new(10);
        let (riley, sam) = (UserId::fresh(), UserId::fresh());
        let mut held = Vec::new();
        while let Some(permit) = permits.acquire(riley, false).now_or_never() {
            held.push(permit);
        }
        assert_eq!(held.len(), 2);
        assert!(permits.acquire(sam, false).now_or_never().is_some());
        drop(held);

        let mut blocked = Vec::new();
        while let Some(permit) = permits.acquire(UserId::fresh(), true).now_or_never() {
            blocked.push(permit);
        }
        assert_eq!(blocked.len(), 2);
        assert!(permits.acquire(sam, false).now_or_never().is_some());
    }

    #[tokio::test]
    async fn the_smallest_pool_has_a_place() {
        let permits = CommitPermits::new(1);
        for has_waited in [false, true] {
            assert!(permits.acquire(UserId::fresh(), has_waited).now_or_never().is_some());
        }
    }
}
