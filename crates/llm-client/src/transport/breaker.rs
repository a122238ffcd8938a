//! Circuit breaker: stops calling a model that keeps failing, and probes until it is back. Time is an argument.

use crate::LlmError;
use std::{
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};
use tokio::time::Instant;

/// Failures in a row that open the circuit, where they are of several people.
const THRESHOLD: u32 = 5;
/// How long it stays open before one call may try again.
const OPEN_FOR: Duration = Duration::from_secs(5);
/// Nobody's id: the program itself.
const PROGRAM: u128 = u128::MAX;

#[derive(Debug, Default)]
struct State {
    failures: u32,
    /// Whose call failed first.
    first_person: Option<u128>,
    /// Calls of others failed as well. One person's requests may fail for what is in them.
    has_several: bool,
    /// Whose probe failed last.
    last_probe: Option<u128>,
    /// Set while the circuit is open, or half open when the time has passed.
    open_until: Option<Instant>,
    probing: bool,
}

/// Shared by all calls of one model.
#[derive(Clone, Debug, Default)]
pub(crate) struct Breaker(Arc<Mutex<State>>);

/// Leave to make one call. Dropped without a verdict (the user stopped the turn) it counts neither way.
#[derive(Debug)]
pub(crate) struct Permit {
    breaker: Breaker,
    /// For whom.
    person: u128,
    is_probe: bool,
    /// Whether the outcome counts.
    is_counted: bool,
}

impl Breaker {
    /// Leave to make a call whose outcome does not count; only while the circuit is closed.
    pub(crate) fn enter_uncounted(&self, now: Instant) -> Result<Permit, LlmError> {
        if let Some(until) = self.state().open_until {
            return Err(LlmError::CircuitOpen {
                retry_in: until.saturating_duration_since(now),
            });
        }
        Ok(Permit {
            breaker: self.clone(),
            person: PROGRAM,
            is_probe: false,
            is_counted: false,
        })
    }

    /// Leave to call on behalf of a person, or of the program itself, or how long to wait for it.
    pub(crate) fn enter(&self, person: Option<u128>, now: Instant) -> Result<Permit, LlmError> {
        let mut state = self.state();
        let Some(until) = state.open_until else {
            return Ok(Permit {
                breaker: self.clone(),
                person: person.unwrap_or(PROGRAM),
                is_probe: false,
                is_counted: true,
            });
        };
        if now < until || state.probing {
            return Err(LlmError::CircuitOpen {
                retry_in: until.saturating_duration_since(now),
            });
        }
        state.probing = true;
        Ok(Permit {
            breaker: self.clone(),
            person: person.unwrap_or(PROGRAM),
            is_probe: true,
            is_counted: true,
        })
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Permit {
    /// The answer has begun: the model is back, others may call again. Failures in a row still count.
    pub(crate) fn answering(&mut self) {
        if std::mem::take(&mut self.is_probe) {
            let mut state = self.breaker.state();
            *state = State {
                failures: THRESHOLD - 1,
                last_probe: state.last_probe,
                first_person: state.first_person,
                has_several: state.has_several,
                ..State::default()
            };
        }
    }

    /// The answer is whole.
    pub(crate) fn succeeded(mut self) {
        self.is_probe = false;
        if self.is_counted {
            *self.breaker.state() = State::default();
        }
    }

    /// The call failed.
    pub(crate) fn failed(mut self, error: &LlmError, now: Instant) {
        if !self.is_counted {
            return;
        }
        let was_probe = std::mem::take(&mut self.is_probe);
        let mut state = self.breaker.state();
        if !error.counts_against_model() {
            // It answered, if only to refuse our request.
            if was_probe {
                *state = State::default();
            }
            return;
        }
        state.failures = state.failures.saturating_add(1);
        let first = *state.first_person.get_or_insert(self.person);
        state.has_several |= first != self.person;
        if was_probe {
            state.probing = false;
            if state.last_probe.replace(self.person) == Some(self.person) {
                // The same person's once more: whether it is the model, another one has to find out.
                *state = State {
                    failures: THRESHOLD - 1,
                    first_person: Some(self.person),
                    ..State::default()
                };
                return;
            }
            state.open_until = Some(now + OPEN_FOR);
        } else if state.failures >= THRESHOLD && state.has_several {
            state.open_until = Some(now + OPEN_FOR);
        }
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        if self.is_probe {
            self.breaker.state().probing = false;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::StatusReason;

    /// Each failure is another person's.
    fn fail(breaker: &Breaker, times: u32, now: Instant) {
        for person in 0..times {
            let permit = breaker.enter(Some(person.into()), now).expect("closed");
            permit.failed(&LlmError::Cut, now);
        }
    }

    #[test]
    fn five_failures_in_a_row_open_it_for_five_seconds_then_one_probe() {
        let (breaker, now) = (Breaker::default(), Instant::now());
        fail(&breaker, 4, now);
        breaker.enter(Some(9), now).expect("closed").succeeded();
        fail(&breaker, 5, now);
        assert!(matches!(breaker.enter(Some(9), now), Err(LlmError::CircuitOpen { retry_in }) if retry_in == OPEN_FOR));
        assert!(
            breaker
                .enter(Some(9), now + OPEN_FOR - Duration::from_millis(1))
                .is_err()
        );

        let now = now + OPEN_FOR;
        let probe = breaker.enter(Some(9), now).expect("the probe");
        assert!(
            matches!(breaker.enter(Some(9), now), Err(LlmError::CircuitOpen { .. })),
            "only one"
        );
        probe.failed(&LlmError::Cut, now);
        assert!(breaker.enter(Some(9), now).is_err(), "open again");

        let now = now + OPEN_FOR;
        breaker.enter(Some(9), now).expect("the probe").succeeded();
        fail(&breaker, 4, now);
        assert!(breaker.enter(Some(9), now).is_ok(), "counts from zero");
    }

    #[test]
    fn a_stopped_turn_counts_neither_way_and_gives_the_probe_back() {
        let (breaker, now) = (Breaker::default(), Instant::now());
        fail(&breaker, 4, now);
        drop(breaker.enter(Some(9), now));
        fail(&breaker, 1, now);
        let now = now + OPEN_FOR;
        drop(breaker.enter(Some(9), now).expect("the probe"));
        breaker.enter(Some(9), now).expect("the next probe").succeeded();
        assert!(breaker.enter(Some(9), now).is_ok());
    }

    #[test]
    fn a_probe_that_answers_lets_the_others_in_but_its_failure_closes_the_door() {
        let (breaker, now) = (Breaker::default(), Instant::now());
        fail(&breaker, 5, now);
        let now = now + OPEN_FOR;
        let mut probe = breaker.enter(Some(9), now).expect("the probe");
        probe.answering();
        assert!(breaker.enter(Some(9), now).is_ok());
        probe.failed(&LlmError::Cut, now);
        assert!(breaker.enter(Some(9), now).is_err());
    }

    #[test]
    fn an_uncounted_call_neither_opens_nor_closes_the_circuit_and_is_never_the_probe() {
        let (breaker, now) = (Breaker::default(), Instant::now());
        fail(&breaker, 4, now);
        for _ in 0..9 {
            let permit = breaker.enter_uncounted(now).expect("closed");
            permit.failed(&LlmError::Cut, now);
        }
        breaker.enter_uncounted(now).expect("still closed").succeeded();
        fail(&breaker, 1, now);
        let later = now + OPEN_FOR;
        assert!(breaker.enter_uncounted(now).is_err(), "the fifth failure opened it");
        assert!(
            breaker.enter_uncounted(later).is_err(),
            "half open: the probe is for a turn"
        );
        assert!(breaker.enter(Some(9), later).is_ok());
    }

    #[test]
    fn a_refused_request_is_no_failure_of_the_model() {
        let status = |status| LlmError::Status {
            status,
            reason: StatusReason::of_status(status),
            retry_after: None,
            said: Box::default(),
        };
        let (breaker, now) = (Breaker::default(), Instant::now());
        for _ in 0..9 {
            breaker.enter(Some(9), now).expect("closed").failed(&status(400), now);
        }
        for (person, code) in (0..).zip([401, 403, 408, 429, 500]) {
            breaker
                .enter(Some(person), now)
                .expect("closed")
                .failed(&status(code), now);
        }
        assert!(breaker.enter(Some(9), now).is_err());
        let now = now + OPEN_FOR;
        breaker
            .enter(Some(9), now)
            .expect("the probe")
            .failed(&status(404), now);
        assert!(breaker.enter(Some(9), now).is_ok());
    }
    #[test]
    fn one_persons_failures_open_nothing_and_one_persons_probes_keep_nothing_open() {
        let (breaker, now) = (Breaker::default(), Instant::now());
        let fail_as = |person, now| {
            breaker
                .enter(Some(person), now)
                .expect("closed")
                .failed(&LlmError::Cut, now);
        };
        (0..9).for_each(|_| fail_as(1, now));
        fail_as(2, now);
        assert!(breaker.enter(Some(3), now).is_err(), "several people");
        let now = now + OPEN_FOR;
        fail_as(1, now);
        assert!(breaker.enter(Some(3), now).is_err());
        let now = now + OPEN_FOR;
        fail_as(1, now);
        breaker.enter(Some(3), now).expect("may find out").succeeded();
    }

    #[test]
    fn a_refusal_inside_of_an_answer_is_no_failure_of_the_model() {
        let (breaker, now) = (Breaker::default(), Instant::now());
        let refused = |status, reason| LlmError::InStream {
            status,
            reason,
            said: Box::default(),
        };
        for person in 0..9 {
            for error in [
                refused(Some(400), StatusReason::BadRequest),
                refused(None, StatusReason::BadRequest),
                refused(None, StatusReason::ContextLength),
                refused(Some(422), StatusReason::Other),
            ] {
                breaker.enter(Some(person), now).expect("closed").failed(&error, now);
            }
        }
        for person in 0..5 {
            let error = refused(None, StatusReason::Server);
            breaker.enter(Some(person), now).expect("closed").failed(&error, now);
        }
        assert!(breaker.enter(Some(9), now).is_err());
    }
}
