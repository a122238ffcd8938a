//! How much one person may ask for: turns per minute, turns at once, tokens per day. Zero switches a limit off.
//!
//! Rates are counted per process; the budget is counted by the database, so its sum over all instances is right.

use super::live::LiveTurns;
use crate::config::LimitsConfig;
use crate::model::ids::UserId;
use governor::clock::{Clock, DefaultClock};
use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};
use std::num::NonZeroU32;
use std::time::Duration;

/// Somebody with as many running turns as allowed may ask again after this time.
const RUNNING_RETRY: Duration = Duration::from_secs(5);

/// Time after which one of many open streams may have ended.
pub const STREAMS_RETRY: Duration = Duration::from_secs(5);

/// Keys of people who have been quiet are forgotten once there are more than these.
const MANY_KEYS: usize = 10_000;

/// The limits of one process.
pub struct TurnLimits {
    per_minute: Option<DefaultKeyedRateLimiter<UserId>>,
    running: usize,
    /// Tokens a person may spend in a day, UTC.
    pub daily_tokens: i64,
    /// Held back for a running turn until its usage is known.
    pub reservation: i64,
}

impl TurnLimits {
    #[must_use]
    pub fn new(config: &LimitsConfig, max_output_tokens: u32) -> Self {
        Self {
            per_minute: NonZeroU32::new(config.rate_limit_turns_per_minute)
                .map(|count| RateLimiter::keyed(Quota::per_minute(count))),
            running: usize::try_from(config.rate_limit_running_turns_per_user).unwrap_or(usize::MAX),
            daily_tokens: config.token_budget_per_user_per_day.max(0),
            // The prompt of a whole plan is about 12,000 tokens; a tool round asks twice.
            reservation: 24_000 + 2 * i64::from(max_output_tokens),
        }
    }

    /// Counts a turn that wants to start; says how long to wait where there are too many.
    ///
    /// # Errors
    /// The time after which it may be tried again.
    pub fn admit(&self, user: UserId, live: &LiveTurns) -> Result<(), Duration> {
        if self.running > 0 && live.count_of(user) >= self.running {
            return Err(RUNNING_RETRY);
        }
        let Some(limiter) = &self.per_minute else { return Ok(()) };
        if limiter.len() > MANY_KEYS {
            limiter.retain_recent();
        }
        limiter
            .check_key(&user)
            .map_err(|refused| refused.wait_time_from(DefaultClock::default().now()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limits(per_minute: u32) -> TurnLimits {
        let config = crate::config::Config::for_testing("postgres://nowhere").limits;
        TurnLimits::new(
            &LimitsConfig {
                rate_limit_turns_per_minute: per_minute,
                ..config
            },
            1024,
        )
    }

    #[test]
    fn a_person_waits_after_so_many_turns_and_others_do_not() {
        let (limits, live) = (limits(2), LiveTurns::default());
        let (ana, ben) = (UserId::fresh(), UserId::fresh());
        assert!(limits.admit(ana, &live).is_ok() && limits.admit(ana, &live).is_ok());
        let wait = limits.admit(ana, &live).expect_err("the third is too many");
        assert!(
            wait <= Duration::from_secs(30) && wait > Duration::from_secs(20),
            "{wait:?}"
        );
        assert!(limits.admit(ben, &live).is_ok());
    }

    #[test]
    fn zero_means_no_limit() {
        let (limits, live) = (limits(0), LiveTurns::default());
        let ana = UserId::fresh();
        assert!((0..1_000).all(|_| limits.admit(ana, &live).is_ok()));
    }
}
