//! Limits what a person reads: requests per minute, long answers at once, and blocks of them one by one.
//!
//! All count in this process only. A read is not worth a write to the database, and what they protect is this process's
//! connections and memory: with N instances a person may read N times as much.

use crate::config::LimitsConfig;
use crate::http::error::AppError;
use crate::lru::Lru;
use plan_model::error::ErrorCode;
use plan_model::ids::UserId;
use std::hash::Hash;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Answers of more than one block that a person may receive at once.
const LONG_AT_ONCE: u32 = 4;

/// Seconds after which a long answer may have ended.
const LONG_RETRY_SECONDS: u64 = 2;

/// People who are remembered.
const CAPACITY: usize = 10_000;

/// What people, or others with a key of their own, read. Clones share their memory.
#[derive(Clone, Debug)]
pub(crate) struct Reads<K = UserId> {
    /// 0: no limit.
    per_minute: u32,
    readers: Lru<K, Arc<Reader>>,
}

#[derive(Debug)]
struct Reader {
    bucket: Mutex<Bucket>,
    long: AtomicU32,
    /// Held while a block is read and written out, never while it is sent.
    block: tokio::sync::Mutex<()>,
}

/// A read that its handler's query counts.
#[derive(Clone, Debug)]
pub(crate) struct UncountedRead {
    pub reads: Reads,
    pub person: UserId,
}

impl UncountedRead {
    /// Counts it.
    ///
    /// # Errors
    /// 429 if it is one too many.
    pub(crate) fn count(self) -> Result<(), AppError> {
        self.reads.count(self.person)
    }
}

/// Holds what a minute allows and is refilled evenly.
#[derive(Debug)]
struct Bucket {
    tokens: f64,
    refilled_at: Instant,
}

impl Bucket {
    /// Takes a token, or says when there is one.
    fn take(&mut self, per_minute: u32, now: Instant) -> Result<(), Duration> {
        let per_second = f64::from(per_minute) / 60.0;
        let refill = now.saturating_duration_since(self.refilled_at).as_secs_f64() * per_second;
        self.tokens = (self.tokens + refill).min(f64::from(per_minute));
        self.refilled_at = now;
        if self.tokens >= 1.0 {
            self.tokens -= 1.0;
            return Ok(());
        }
        Err(Duration::from_secs_f64((1.0 - self.tokens) / per_second))
    }
}

/// A person's blocks, of all their answers: one is read at a time, so that twelve histories of megabytes that one person asks
/// for leave the connections and the processors to others (campaign, F58).
#[derive(Debug)]
pub(crate) struct Blocks(Arc<Reader>);

impl Blocks {
    /// Waits for the person's other blocks that were asked for before.
    pub(crate) async fn turn(&self) -> tokio::sync::MutexGuard<'_, ()> {
        self.0.block.lock().await
    }
}

/// A place among a person's long answers; dropping it leaves.
#[derive(Debug)]
pub(crate) struct LongRead(Arc<Reader>);

impl Drop for LongRead {
    fn drop(&mut self) {
        self.0.long.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Reads {
    pub(crate) fn new(config: &LimitsConfig) -> Self {
        Self::of(config.rate_limit_reads_per_minute)
    }
}

impl<K: Hash + Eq> Reads<K> {
    pub(crate) fn of(per_minute: u32) -> Self {
        Self {
            per_minute,
            readers: Lru::new(CAPACITY),
        }
    }

    fn reader(&self, reader: K) -> Arc<Reader> {
        self.readers.get_or_insert_with(reader, || {
            Arc::new(Reader {
                bucket: Mutex::new(Bucket {
                    tokens: self.per_minute.into(),
                    refilled_at: Instant::now(),
                }),
                long: AtomicU32::new(0),
                block: tokio::sync::Mutex::default(),
            })
        })
    }

    /// Counts a read.
    ///
    /// # Errors
    /// 429 if it is one too many.
    pub(crate) fn count(&self, reader: K) -> Result<(), AppError> {
        if self.per_minute == 0 {
            return Ok(());
        }
        let reader = self.reader(reader);
        let mut bucket = reader.bucket.lock().unwrap_or_else(PoisonError::into_inner);
        bucket.take(self.per_minute, Instant::now()).map_err(|wait| {
            AppError::new(ErrorCode::RateLimited, "That was a lot of requests. Wait a moment.")
                .retry_after(wait.as_secs() + 1)
        })
    }

    /// The blocks that a reader is sent.
    pub(crate) fn blocks(&self, reader: K) -> Blocks {
        Blocks(self.reader(reader))
    }

    /// Enters an answer that is streamed: a long history or an export.
    ///
    /// # Errors
    /// 429 if the reader receives as many as allowed.
    pub(crate) fn enter_long(&self, reader: K) -> Result<LongRead, AppError> {
        let place = LongRead(self.reader(reader));
        if place.0.long.fetch_add(1, Ordering::Relaxed) < LONG_AT_ONCE {
            return Ok(place);
        }
        let error = AppError::new(
            ErrorCode::RateLimited,
            "Too many long answers are still being read. Wait for one of them, or ask for a page with `limit`.",
        );
        Err(error.retry_after(LONG_RETRY_SECONDS))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures_util::FutureExt;

    #[test]
    fn a_minutes_reads_pass_at_once_and_then_one_at_a_time() {
        let start = Instant::now();
        let mut bucket = Bucket {
            tokens: 60.0,
            refilled_at: start,
        };
        let passed = (0..100).filter(|_| bucket.take(60, start).is_ok()).count();
        assert_eq!(passed, 60);
        let wait = bucket.take(60, start).expect_err("none is left");
        assert!(wait <= Duration::from_secs(1), "{wait:?}");
        assert!(bucket.take(60, start + Duration::from_secs(1)).is_ok());
        assert!(bucket.take(60, start + Duration::from_secs(1)).is_err());
        assert!(bucket.take(60, start).is_err(), "a clock that goes back gives nothing");
    }

    #[test]
    fn four_long_answers_at_once_are_allowed_to_each_person() {
        let reads = Reads::new(&crate::config::Config::for_testing("postgres://nowhere").limits);
        let (one, other) = (UserId::fresh(), UserId::fresh());
        let mut places: Vec<LongRead> = (0..4).map(|_| reads.enter_long(one).expect("a place")).collect();
        assert!(reads.enter_long(one).is_err());
        assert!(reads.enter_long(one).is_err(), "a refusal takes no place");
        assert!(reads.enter_long(other).is_ok());
        places.pop();
        assert!(reads.enter_long(one).is_ok());
    }

    #[test]
    fn one_persons_blocks_are_read_one_at_a_time_and_anothers_beside_them() {
        let reads = Reads::of(0);
        let (first, second, other) = (reads.blocks("sam"), reads.blocks("sam"), reads.blocks("riley"));
        let turn = first.turn().now_or_never();
        assert!(turn.is_some());
        assert!(second.turn().now_or_never().is_none(), "the first is still being read");
        assert!(other.turn().now_or_never().is_some(), "nobody waits for somebody else");
        drop(turn);
        assert!(second.turn().now_or_never().is_some());
    }
}
