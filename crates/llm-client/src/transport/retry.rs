//! When and how often to retry. Pure but for the random jitter.

use std::{
    collections::HashMap,
    sync::{Mutex, PoisonError},
    time::{Duration, SystemTime},
};

/// Tries after the first.
pub(crate) const MAX_RETRIES: u32 = 2;
const BASE: Duration = Duration::from_millis(200);
const CAP: Duration = Duration::from_secs(2);

/// How long to wait before try number `attempt + 1` (full jitter), or what the provider asked for.
/// `None`: what it asked for does not fit into `remaining`, so there is no use in waiting.
pub(crate) fn pause(attempt: u32, asked: Option<Duration>, remaining: Duration, dice: f64) -> Option<Duration> {
    let longest = BASE.saturating_mul(1 << attempt.min(16)).min(CAP);
    let pause = asked.unwrap_or_else(|| longest.mul_f64(dice.clamp(0.0, 1.0)));
    (pause < remaining).then_some(pause)
}

/// A number in 0.0..1.0, different at each call.
pub(crate) fn dice() -> f64 {
    let bits = uuid::Uuid::new_v4().as_u128() as u32;
    f64::from(bits) / (f64::from(u32::MAX) + 1.0)
}

/// Reads `Retry-After`: seconds, or an HTTP date seen from `now`.
pub(crate) fn retry_after(value: &str, now: SystemTime) -> Option<Duration> {
    let value = value.trim();
    if let Ok(seconds) = value.parse::<f64>() {
        return Duration::try_from_secs_f64(seconds).ok();
    }
    let date = httpdate::parse_http_date(value).ok()?;
    Some(date.duration_since(now).unwrap_or(Duration::ZERO))
}

/// A person's retries are at most a tenth of that person's calls and a few, so that a struggling provider is not hit harder by
/// us, and whoever spends them leaves those of others alone.
#[derive(Debug, Default)]
pub(crate) struct RetryBudget {
    /// Tenths of a retry, by person; the program itself is `None`.
    tenths: Mutex<HashMap<Option<u128>, u32>>,
}

const FULL: u32 = 100;
/// More people than these are not remembered: then all begin anew.
const MAX_PEOPLE: usize = 10_000;

impl RetryBudget {
    /// A first try: earns a tenth of a retry.
    pub(crate) fn earn(&self, person: Option<u128>) {
        self.change(person, |tenths| Some((tenths + 1).min(FULL)));
    }

    /// Takes one retry, if there is one.
    pub(crate) fn spend(&self, person: Option<u128>) -> bool {
        self.change(person, |tenths| tenths.checked_sub(10))
    }

    fn change(&self, person: Option<u128>, to: impl Fn(u32) -> Option<u32>) -> bool {
        let mut people = self.tenths.lock().unwrap_or_else(PoisonError::into_inner);
        if people.len() >= MAX_PEOPLE && !people.contains_key(&person) {
            people.clear();
        }
        let tenths = people.entry(person).or_insert(FULL);
        let changed = to(*tenths);
        *tenths = changed.unwrap_or(*tenths);
        changed.is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_grow_to_the_cap_and_respect_what_is_left() {
        let second = Duration::from_secs(1);
        assert_eq!(pause(0, None, second, 1.0), Some(Duration::from_millis(200)));
        assert_eq!(pause(1, None, second, 0.5), Some(Duration::from_millis(200)));
        assert_eq!(pause(9, None, second * 30, 1.0), Some(Duration::from_secs(2)));
        assert_eq!(pause(0, Some(Duration::ZERO), second, 1.0), Some(Duration::ZERO));
        assert_eq!(pause(0, Some(second * 86_400), second * 30, 1.0), None);
        assert_eq!(pause(0, None, Duration::ZERO, 0.0), None);
    }

    #[test]
    fn retry_after_is_seconds_or_a_date() {
        let now = httpdate::parse_http_date("Sat, 21 Nov 2026 10:00:00 GMT").expect("a date");
        let read = |value| retry_after(value, now).map(|d| d.as_millis());
        assert_eq!(read("0"), Some(0));
        assert_eq!(read(" 1 "), Some(1000));
        assert_eq!(read("1.5"), Some(1500));
        assert_eq!(read("86400"), Some(86_400_000));
        assert_eq!(read("Sat, 21 Nov 2026 10:00:07 GMT"), Some(7000));
        assert_eq!(read("Sat, 21 Nov 2026 09:00:00 GMT"), Some(0));
        assert_eq!(read("Saturday, 21-Nov-26 10:00:07 GMT"), Some(7000));
        assert_eq!(read("Sat Nov 21 10:00:07 2026"), Some(7000));
        for nonsense in ["-1", "soon", "", "NaN", "inf", "1e300"] {
            assert_eq!(read(nonsense), None, "{nonsense}");
        }
    }

    #[test]
    fn one_retry_costs_ten_calls_of_the_same_person() {
        let budget = RetryBudget::default();
        let sam = Some(1);
        assert_eq!((0..20).filter(|_| budget.spend(sam)).count(), 10);
        (0..9).for_each(|_| budget.earn(sam));
        assert!(!budget.spend(sam));
        assert!(budget.spend(Some(2)) && budget.spend(None), "others have theirs");
        budget.earn(sam);
        assert!(budget.spend(sam));
    }

    #[test]
    fn the_dice_stay_in_range_and_differ() {
        let throws: Vec<f64> = (0..100).map(|_| dice()).collect();
        assert!(throws.iter().all(|t| (0.0..1.0).contains(t)));
        assert!(throws.windows(2).any(|pair| pair[0] != pair[1]));
    }
}
