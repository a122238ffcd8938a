//! Time as an argument: the system clock in production, a hand-moved one in tests.

use std::sync::{Arc, Mutex, PoisonError};
use time::{Duration, OffsetDateTime};

/// Wall-clock time. Leases and expiries use the database's clock instead.
#[derive(Clone, Default)]
pub enum Clock {
    /// The machine's.
    #[default]
    System,
    /// Moved by hand.
    Manual(Arc<Mutex<OffsetDateTime>>),
    /// Any other source of time.
    Source(Arc<dyn Fn() -> OffsetDateTime + Send + Sync>),
}

impl Clock {
    /// A clock that stands until it is moved.
    pub fn manual(start: OffsetDateTime) -> Self {
        Self::Manual(Arc::new(Mutex::new(start)))
    }

    /// Now, cut to microseconds, which is what PostgreSQL keeps.
    pub fn now(&self) -> OffsetDateTime {
        let now = match self {
            Self::System => OffsetDateTime::now_utc(),
            Self::Source(source) => source(),
            Self::Manual(time) => *time.lock().unwrap_or_else(PoisonError::into_inner),
        };
        now.replace_nanosecond(now.nanosecond() / 1_000 * 1_000).unwrap_or(now)
    }

    /// Database time, for everything that expires: instances whose clocks differ agree on it. A clock
    /// that is moved by hand has its own.
    pub fn or_database(&self, database: OffsetDateTime) -> OffsetDateTime {
        match self {
            Self::Manual(_) => self.now(),
            Self::System | Self::Source(_) => database,
        }
    }

    /// Moves a manual clock forward; does nothing to the system's.
    pub fn advance(&self, by: Duration) {
        if let Self::Manual(time) = self {
            *time.lock().unwrap_or_else(PoisonError::into_inner) += by;
        }
    }
}
