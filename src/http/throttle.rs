//! Guessing passwords is slow business: failed logins are counted per account and address, and per account.
//!
//! In this process's memory only, and bounded: with several instances an attacker has as many times the limit, which is
//! still few. The owner is never locked out of a place they have logged in from. What no restart and no number of instances
//! widens is counted with the account: see `User::begin_login`.

use moka::sync::Cache;
use std::net::IpAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

/// In which failures add up.
const WINDOW: Duration = Duration::from_secs(15 * 60);

/// How long an address is remembered as one of the owner's.
const FAMILIAR_FOR: Duration = Duration::from_secs(30 * 24 * 3600);

/// Failures on one account from all unfamiliar addresses together, as a multiple of the limit.
const ACCOUNT_FACTOR: u32 = 10;

/// Accounts and addresses that are remembered at once.
const CAPACITY: u64 = 100_000;

type Account = [u8; 32];
type Place = (Account, Option<IpAddr>);

#[derive(Clone, Debug)]
struct Count {
    since: Instant,
    failures: Arc<AtomicU32>,
}

impl Default for Count {
    fn default() -> Self {
        Self {
            since: Instant::now(),
            failures: Arc::default(),
        }
    }
}

/// Counts failed logins. Clones count together.
#[derive(Clone, Debug)]
pub struct Logins {
    limit: u32,
    places: Cache<Place, Count>,
    accounts: Cache<Account, Count>,
    familiar: Cache<Place, ()>,
}

/// One try, counted as a failure until it is said to have succeeded: many at once cannot slip through.
#[derive(Debug)]
pub struct Try {
    logins: Logins,
    place: Place,
    counts: Vec<Count>,
}

impl Logins {
    /// `limit` failures per account and address in fifteen minutes; 0 = as many as they like.
    #[must_use]
    pub fn new(limit: u32) -> Self {
        Self {
            limit,
            places: remembering(WINDOW),
            accounts: remembering(WINDOW),
            familiar: remembering(FAMILIAR_FOR),
        }
    }

    /// Begins a try.
    ///
    /// # Errors
    /// The seconds to wait, where there were too many.
    pub fn begin(&self, email: &str, address: Option<IpAddr>) -> Result<Try, u64> {
        let account: Account = ring::digest::digest(&ring::digest::SHA256, email.to_lowercase().as_bytes())
            .as_ref()
            .try_into()
            .unwrap_or_default();
        let place = (account, address);
        let mut counts = Vec::new();
        if self.limit > 0 {
            counts.push((self.places.get_with(place, Count::default), self.limit));
            if !self.familiar.contains_key(&place) {
                counts.push((
                    self.accounts.get_with(account, Count::default),
                    self.limit.saturating_mul(ACCOUNT_FACTOR),
                ));
            }
        }
        let attempt = Try {
            logins: self.clone(),
            place,
            counts: counts.iter().map(|(count, _)| count.clone()).collect(),
        };
        let waits = counts
            .iter()
            .filter(|(count, limit)| count.failures.fetch_add(1, Ordering::Relaxed) >= *limit);
        // All of them are counted, so that taking the try back is one rule.
        let waits: Vec<u64> = waits
            .map(|(count, _)| WINDOW.saturating_sub(count.since.elapsed()).as_secs().max(1))
            .collect();
        match waits.into_iter().max() {
            None => Ok(attempt),
            Some(seconds) => {
                attempt.take_back();
                Err(seconds)
            }
        }
    }
}

fn remembering<K, V>(life: Duration) -> Cache<K, V>
where
    K: Eq + std::hash::Hash + Send + Sync + 'static,
    V: Clone + Send + Sync + 'static,
{
    Cache::builder().max_capacity(CAPACITY).time_to_live(life).build()
}

impl Try {
    fn take_back(&self) {
        for count in &self.counts {
            count.failures.fetch_sub(1, Ordering::Relaxed);
        }
    }

    /// It failed for a reason that says nothing about the password.
    pub fn forget(self) {
        self.take_back();
    }

    /// It was the owner: what failed here before was a slip.
    pub fn succeeded(self) {
        self.take_back();
        self.logins.places.invalidate(&self.place);
        self.logins.familiar.insert(self.place, ());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOME: Option<IpAddr> = Some(IpAddr::V4(std::net::Ipv4Addr::LOCALHOST));

    fn other(n: u32) -> Option<IpAddr> {
        Some(IpAddr::V4(n.into()))
    }

    fn fails(logins: &Logins, address: Option<IpAddr>) -> bool {
        logins.begin("Sam@demo.test", address).is_ok()
    }

    #[test]
    fn ten_failures_close_the_door_for_this_address_only() {
        let logins = Logins::new(10);
        for _ in 0..10 {
            assert!(fails(&logins, HOME));
        }
        let wait = logins.begin("sam@demo.test", HOME).expect_err("closed");
        assert!((1..=900).contains(&wait));
        assert!(fails(&logins, other(7)));
        assert!(logins.begin("riley@demo.test", HOME).is_ok());
    }

    #[test]
    fn success_forgives_what_failed_before() {
        let logins = Logins::new(2);
        assert!(fails(&logins, HOME));
        logins.begin("sam@demo.test", HOME).expect("open").succeeded();
        assert!(fails(&logins, HOME) && fails(&logins, HOME) && !fails(&logins, HOME));
    }

    #[test]
    fn many_addresses_together_are_stopped_too_but_never_the_owners() {
        let logins = Logins::new(10);
        logins.begin("sam@demo.test", HOME).expect("open").succeeded();
        let guesses = (0..1_000).filter(|n| fails(&logins, other(*n))).count();
        assert_eq!(guesses, 100);
        assert!(fails(&logins, HOME));
    }

    #[test]
    fn no_limit_is_no_limit() {
        let logins = Logins::new(0);
        assert!((0..1_000).all(|_| fails(&logins, HOME)));
    }
}
