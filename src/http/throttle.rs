//! Guessing passwords is slow: failed logins are limited per account and address, and per address or network.
//!
//! Only failures count, over all instances, in PostgreSQL. Failures from elsewhere never refuse the right password: they
//! delay the answer to a device that the account has not logged in from, and once there are very many of them such a device has
//! three tries for its region instead of ten for its network. A known device is counted by itself, so that its owner does not share a
//! limit with the address.
//!
//! An IPv6 customer has at least a /64 and is one network; some have a /48, which is one region.

use crate::config::LimitsConfig;
use crate::lru::Lru;
use crate::password::Asker;
use crate::store::people::logins::{self, Counts, Key, Keys};
use crate::store::{Conn, StoreResult};
use ring::digest::{Context, SHA256};
use std::net::IpAddr;
use std::time::{Duration, Instant};

/// The longest delay of an answer.
const LONGEST_DELAY: Duration = Duration::from_secs(5);

/// Failures of an account, as a multiple of the limit for one network, from which on it is under attack: a thousand networks with one
/// try each would be as good as one with a thousand.
const ATTACK: i32 = 10;

/// Tries from unknown devices of one region at an account that is under attack.
const TRIES_UNDER_ATTACK: i32 = 3;

/// Networks over their limit that are remembered at once.
const CAPACITY: usize = 10_000;

/// The limits of failed logins. Clones share their memory.
#[derive(Clone, Debug)]
pub(crate) struct Logins {
    per_account: i32,
    per_network: i32,
    /// Networks over their limit, until when: refused without asking the database.
    closed: Lru<Key, Instant>,
}

/// One attempt, counted as a failure until it is taken back.
#[derive(Debug)]
pub(crate) struct LoginAttempt {
    keys: Keys,
    /// How long the answer waits.
    pub delay: Duration,
}

/// An attempt with a one-time link, counted as a failure until it is taken back.
#[derive(Debug)]
pub(crate) struct LinkAttempt {
    network: Key,
}

impl LinkAttempt {
    /// The link was right, or nobody could say.
    ///
    /// # Errors
    /// If the database fails; then the attempt stays counted.
    pub(crate) async fn take_back(&self, conn: &Conn) -> StoreResult<()> {
        logins::take_back(conn, &[self.network]).await
    }
}

impl Logins {
    pub(crate) fn new(config: &LimitsConfig) -> Self {
        let limit = |limit: u32| i32::try_from(limit).unwrap_or(i32::MAX);
        Self {
            per_account: limit(config.rate_limit_logins_per_15_minutes),
            per_network: limit(config.rate_limit_failed_logins_per_address_per_15_minutes),
            closed: Lru::new(CAPACITY),
        }
    }

    /// Refuses an address whose limit is known to be used up, before anything is asked or hashed.
    ///
    /// # Errors
    /// The seconds to wait.
    pub(crate) fn precheck(&self, address: Option<IpAddr>) -> Result<(), u64> {
        let until = self.closed.get(&network_key(address));
        match until.map(|until| until.saturating_duration_since(Instant::now())) {
            Some(wait) if !wait.is_zero() => Err(wait.as_secs().max(1)),
            _ => Ok(()),
        }
    }

    /// Counts an attempt; `device` is the one it comes from if the account knows it.
    ///
    /// # Errors
    /// In the inner result the seconds to wait, where there were too many failures; nothing is counted then.
    pub(crate) async fn begin(
        &self,
        conn: &Conn,
        email: &str,
        address: Option<IpAddr>,
        device: Option<&Key>,
    ) -> StoreResult<Result<LoginAttempt, u64>> {
        let email = email.to_lowercase();
        let keys = Keys {
            here: match device {
                Some(device) => key(&[b"account, device", email.as_bytes(), device]),
                None => account_here(&email, address),
            },
            network: network_key(address),
            account: key(&[b"account", email.as_bytes()]),
            region: account_region(&email, address),
        };
        let counts = logins::count(conn, &keys).await?;
        let attempt = LoginAttempt {
            keys,
            delay: self.delay(&counts, device.is_some()),
        };
        let over = |count, limit| limit > 0 && count > limit;
        let network_over = device.is_none() && over(counts.network, self.per_network);
        let is_attacked = over(counts.account, self.per_account.saturating_mul(ATTACK));
        let region_over = device.is_none() && is_attacked && counts.region > TRIES_UNDER_ATTACK;
        if !network_over && !region_over && !over(counts.here, self.per_account) {
            return Ok(Ok(attempt));
        }
        attempt.take_back(conn).await?;
        Ok(Err(if network_over {
            self.close(keys.network, counts.seconds_left)
        } else {
            counts.seconds_left.max(1).unsigned_abs()
        }))
    }

    /// Counts an attempt with a one-time link, which belongs to no account yet, for its network.
    ///
    /// # Errors
    /// As [`Logins::begin`].
    pub(crate) async fn begin_link(
        &self,
        conn: &Conn,
        address: Option<IpAddr>,
    ) -> StoreResult<Result<LinkAttempt, u64>> {
        let attempt = LinkAttempt {
            network: network_key(address),
        };
        let count = logins::count_one(conn, &attempt.network).await?;
        if self.per_network == 0 || count.failures <= self.per_network {
            return Ok(Ok(attempt));
        }
        attempt.take_back(conn).await?;
        Ok(Err(self.close(attempt.network, count.seconds_left)))
    }

    /// Forgets what failed for an account from an address: its owner has a new password.
    ///
    /// # Errors
    /// If the database fails; then the failures stay counted.
    pub(crate) async fn forget(&self, conn: &Conn, email: &str, address: Option<IpAddr>) -> StoreResult<()> {
        logins::forget(conn, &account_here(email, address)).await?;
        logins::forget(conn, &account_region(&email.to_lowercase(), address)).await
    }

    /// Refuses a network for the rest of its window.
    fn close(&self, network: Key, seconds_left: i64) -> u64 {
        // However far the clock of a database may step.
        let wait = seconds_left.clamp(1, logins::WINDOW_SECONDS.into()).unsigned_abs();
        self.closed.insert(network, Instant::now() + Duration::from_secs(wait));
        wait
    }

    /// A second for each time the account's limit was reached from all places together.
    fn delay(&self, counts: &Counts, is_known: bool) -> Duration {
        if is_known || self.per_account == 0 {
            return Duration::ZERO;
        }
        let times = (counts.account - 1) / self.per_account;
        Duration::from_secs(times.unsigned_abs().into()).min(LONGEST_DELAY)
    }
}

impl LoginAttempt {
    /// It failed for a reason that says nothing about the password.
    ///
    /// # Errors
    /// If the database fails; then the attempt stays counted.
    pub(crate) async fn take_back(&self, conn: &Conn) -> StoreResult<()> {
        let Keys {
            here,
            network,
            account,
            region,
        } = self.keys;
        logins::take_back(conn, &[here, network, account, region]).await
    }

    /// It was not looked at, because too many passwords were being checked. It counts for the network all the same: a flood is what
    /// fills the queue.
    ///
    /// # Errors
    /// If the database fails; then the attempt stays counted.
    pub(crate) async fn turned_away(&self, conn: &Conn) -> StoreResult<()> {
        let keys = [self.keys.here, self.keys.account, self.keys.region];
        logins::take_back(conn, &keys).await
    }

    /// It was the owner: what failed here before was a slip.
    ///
    /// # Errors
    /// If the database fails; then the attempt stays counted.
    pub(crate) async fn succeeded(&self, conn: &Conn) -> StoreResult<()> {
        self.take_back(conn).await?;
        logins::forget(conn, &self.keys.here).await
    }
}

/// The key of an account and one network.
fn account_here(email: &str, address: Option<IpAddr>) -> Key {
    key(&[
        b"account, network",
        email.to_lowercase().as_bytes(),
        &prefix(address, 8),
    ])
}

/// The key of an account and one region. The address is in lower case.
fn account_region(email: &str, address: Option<IpAddr>) -> Key {
    key(&[b"account, region", email.as_bytes(), &prefix(address, 6)])
}

/// The key of an address; an IPv6 customer has a whole /64.
pub(crate) fn network_key(address: Option<IpAddr>) -> Key {
    key(&[b"network", &prefix(address, 8)])
}

/// Who asks for a password to be hashed: the region, and whether the account knows the device.
pub(crate) fn asker(address: Option<IpAddr>, is_known: bool) -> Asker {
    Asker {
        region: key(&[b"region", &prefix(address, 6)]),
        is_known,
    }
}

/// An IPv4 address, or so many bytes of one of IPv6.
fn prefix(address: Option<IpAddr>, of_v6: usize) -> Vec<u8> {
    match address {
        Some(IpAddr::V6(v6)) => v6.octets()[..of_v6].to_vec(),
        Some(IpAddr::V4(v4)) => v4.octets().to_vec(),
        None => Vec::new(),
    }
}

/// SHA-256 of the parts, each with its length.
fn key(parts: &[&[u8]]) -> Key {
    let mut content = Context::new(&SHA256);
    for part in parts {
        content.update(&part.len().to_be_bytes());
        content.update(part);
    }
    content.finish().as_ref().try_into().unwrap_or_default()
}

/// The stored form of a device's cookie.
pub(crate) fn device_key(cookie: &str) -> Key {
    key(&[b"device", cookie.as_bytes()])
}

/// The key of what is good once: an answer of the identity provider, a logout token.
pub(crate) fn once_key(what: &str, parts: &[&str]) -> Key {
    let parts = parts.iter().map(|part| part.as_bytes());
    key(&std::iter::once(what.as_bytes()).chain(parts).collect::<Vec<_>>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_ipv6_customer_is_one_network_and_every_ipv4_address_is_its_own() {
        let network = |text: &str| network_key(Some(text.parse().expect("an address")));
        assert_eq!(network("2001:db8:1:2::1"), network("2001:db8:1:2:ffff::9"));
        assert_ne!(network("2001:db8:1:2::1"), network("2001:db8:1:3::1"));
        assert_ne!(network("10.0.0.1"), network("10.0.0.2"));
    }

    #[test]
    fn only_unknown_devices_wait_and_never_longer_than_five_seconds() {
        let mut config = crate::config::Config::for_testing("postgres://nowhere").limits;
        config.rate_limit_logins_per_15_minutes = 10;
        let logins = Logins::new(&config);
        let delay = |account, is_known| {
            let counts = Counts {
                here: 1,
                network: 1,
                account,
                region: 1,
                seconds_left: 900,
            };
            logins.delay(&counts, is_known).as_secs()
        };
        assert_eq!([1, 10, 11, 31, 5_000].map(|count| delay(count, false)), [0, 0, 1, 3, 5]);
        assert_eq!(delay(5_000, true), 0);
    }
}
