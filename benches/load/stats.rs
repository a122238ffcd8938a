//! Statistics, and the clock of all timestamps.

use std::sync::OnceLock;
use std::time::{Duration, Instant};

/// Nanoseconds since the first call. Tokens are sent and received in this process, so both ends share the clock.
pub fn now() -> u64 {
    static ZERO: OnceLock<Instant> = OnceLock::new();
    nanos(ZERO.get_or_init(Instant::now).elapsed())
}

pub fn nanos(duration: Duration) -> u64 {
    u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX)
}

/// Samples in nanoseconds.
#[derive(Debug, Default)]
pub struct Samples(Vec<u64>);

impl Samples {
    pub fn push(&mut self, nanos: u64) {
        self.0.push(nanos);
    }

    pub fn merge(&mut self, other: Self) {
        self.0.extend(other.0);
    }

    pub fn sorted(mut self) -> Sorted {
        self.0.sort_unstable();
        Sorted(self.0)
    }
}

#[derive(Debug, Default)]
pub struct Sorted(Vec<u64>);

impl Sorted {
    /// The quantile `share` in milliseconds; `None` without samples.
    pub fn ms(&self, share: f64) -> Option<f64> {
        let last = self.0.len().checked_sub(1)?;
        let rank = (share * self.0.len() as f64).ceil() as usize;
        Some(self.0[rank.saturating_sub(1).min(last)] as f64 / 1e6)
    }
}

/// The median; of an even number the mean of the two in the middle.
pub fn median(mut numbers: Vec<f64>) -> Option<f64> {
    numbers.sort_by(f64::total_cmp);
    let last = numbers.len().checked_sub(1)?;
    Some(f64::midpoint(numbers[last / 2], numbers[last.div_ceil(2)]))
}

pub fn mean(numbers: &[f64]) -> Option<f64> {
    (!numbers.is_empty()).then(|| numbers.iter().sum::<f64>() / numbers.len() as f64)
}
