//! Time as an argument: the system clock in production, a hand-moved one in tests.

use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use time::{Duration, OffsetDateTime};

/// Tells wall-clock time. Leases and expiries use the database's clock instead.
#[derive(Clone, Debug, Default)]
pub enum Clock {
    #[default]
    System,
    Manual(Arc<Mutex<OffsetDateTime>>),
    /// The system's, but it panics once, when asked for the n-th time: shows what a panic in any stage leaves behind.
    Fragile(Arc<AtomicI64>),
}

impl Clock {
    #[must_use]
    pub fn manual(start: OffsetDateTime) -> Self {
        Self::Manual(Arc::new(Mutex::new(start)))
    }

    /// Now, cut to microseconds, which is what PostgreSQL keeps.
    #[must_use]
    pub fn now(&self) -> OffsetDateTime {
        let now = match self {
            Self::System => OffsetDateTime::now_utc(),
            Self::Fragile(left) => {
                assert!(
                    left.fetch_sub(1, Ordering::SeqCst) != 1,
                    "the clock breaks, as it was asked to"
                );
                OffsetDateTime::now_utc()
            }
            Self::Manual(time) => *time.lock().unwrap_or_else(PoisonError::into_inner),
        };
        now.replace_nanosecond(now.nanosecond() / 1_000 * 1_000).unwrap_or(now)
    }

    /// The time that the database told, for whatever ends at a time: instances whose clocks differ agree on it. A clock
    /// that is moved by hand has its own.
    #[must_use]
    pub fn or_told(&self, told: OffsetDateTime) -> OffsetDateTime {
        match self {
            Self::Manual(_) => self.now(),
            Self::System | Self::Fragile(_) => told,
        }
    }

    /// Moves a manual clock forward; does nothing to the system's.
    pub fn advance(&self, by: Duration) {
        if let Self::Manual(time) = self {
            *time.lock().unwrap_or_else(PoisonError::into_inner) += by;
        }
    }
}
