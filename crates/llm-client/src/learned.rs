//! What the refusals of a server have taught, for each of its models. Pure: time is an argument.
//!
//! A refusal of one person's request may be about that person's words, or made up by them. It holds for others where a
//! request of the program itself, or a second person's within ten minutes, was refused in the same way; it is forgotten when a
//! request that contradicts it succeeds, and after an hour in any case.

use crate::{
    asker::Asker,
    quirks::{Change, Quirks},
};
use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};
use tokio::time::Instant;

/// How long what was learned holds.
const HOLDS_FOR: Duration = Duration::from_secs(3_600);
/// Within what time two people must be refused in the same way.
const AGREE_WITHIN: Duration = Duration::from_secs(600);
/// Refusals of a model that are kept; the oldest go.
const MAX_REFUSALS: usize = 64;

/// What is known of all models of one server.
#[derive(Debug)]
pub(crate) struct Learned {
    first: Quirks,
    models: Mutex<HashMap<Arc<str>, Facts>>,
}

#[derive(Debug, Default)]
struct Facts {
    /// In the order in which they were learned, for everybody.
    changes: Vec<(Change, Instant)>,
    suspected: Vec<Suspicion>,
    too_long: Vec<TooLong>,
    /// The largest request that was taken, in tokens.
    accepted: Option<(u32, Instant)>,
}

/// A change that one person's refusal asked for.
#[derive(Debug)]
struct Suspicion {
    change: Change,
    person: u128,
    at: Instant,
    is_probed: bool,
}

/// A request of this size, or of more than the size that the refusal named, was too long.
#[derive(Debug)]
struct TooLong {
    tokens: u32,
    person: Option<u128>,
    at: Instant,
}

/// What a refusal is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Worth {
    /// It holds for this turn.
    Turn,
    /// The same, and the same person was refused so before: a request of our own should find out.
    Probe,
    /// It holds for everybody.
    Everybody,
}

impl Learned {
    pub(crate) fn new(first: Quirks) -> Self {
        Self {
            first,
            models: Mutex::default(),
        }
    }

    /// How this model is asked in this turn.
    pub(crate) fn quirks(&self, model: &str, asker: &Asker, now: Instant) -> Quirks {
        let own = asker.taught(model);
        self.known(model, now)
            .into_iter()
            .chain(own)
            .fold(self.first, Quirks::with)
    }

    /// How this model is asked by everybody.
    pub(crate) fn common(&self, model: &str, now: Instant) -> Quirks {
        self.known(model, now).into_iter().fold(self.first, Quirks::with)
    }

    fn known(&self, model: &str, now: Instant) -> Vec<Change> {
        let models = self.models();
        let changes = models
            .get(model)
            .map(|facts| facts.changes.as_slice())
            .unwrap_or_default();
        let holds = changes.iter().filter(|(_, at)| now.duration_since(*at) < HOLDS_FOR);
        holds.map(|(change, _)| *change).collect()
    }

    /// A refusal asked for this change, and it helped.
    pub(crate) fn refused(&self, model: &Arc<str>, change: Change, asker: &Asker, now: Instant) -> Worth {
        asker.teach(model, change);
        let mut models = self.models();
        let facts = models.entry(Arc::clone(model)).or_default();
        facts.forget_old(now);
        let person = asker.id();
        let same = facts.suspected.iter_mut().find(|suspicion| suspicion.change == change);
        match (person, same) {
            (Some(person), Some(suspicion)) if suspicion.person == person => {
                suspicion.at = now;
                return match std::mem::replace(&mut suspicion.is_probed, true) {
                    true => Worth::Turn,
                    false => Worth::Probe,
                };
            }
            (Some(person), None) => {
                facts.suspected.push(Suspicion {
                    change,
                    person,
                    at: now,
                    is_probed: false,
                });
                return Worth::Turn;
            }
            (None, _) | (Some(_), Some(_)) => {}
        }
        facts.suspected.retain(|suspicion| suspicion.change != change);
        facts.changes.retain(|(known, _)| *known != change);
        facts.changes.push((change, now));
        Worth::Everybody
    }

    /// A request of so many tokens was taken. `contradicts`: whether it held what a change leaves out.
    pub(crate) fn accepted(&self, model: &Arc<str>, tokens: u32, contradicts: impl Fn(Change) -> bool, now: Instant) {
        let mut models = self.models();
        let facts = models.entry(Arc::clone(model)).or_default();
        facts.forget_old(now);
        facts.changes.retain(|(change, _)| !contradicts(*change));
        facts.suspected.retain(|suspicion| !contradicts(suspicion.change));
        // Our count of tokens may be a fifth too high.
        facts.too_long.retain(|refused| refused.tokens > tokens / 5 * 4);
        if facts.accepted.is_none_or(|(most, _)| tokens >= most) {
            facts.accepted = Some((tokens, now));
        }
    }

    /// A request was too long: of so many tokens, or for a context of so many.
    pub(crate) fn too_long(&self, model: &Arc<str>, tokens: u32, asker: &Asker, now: Instant) {
        let mut models = self.models();
        let facts = models.entry(Arc::clone(model)).or_default();
        facts.forget_old(now);
        if facts.too_long.len() == MAX_REFUSALS {
            facts.too_long.remove(0);
        }
        facts.too_long.push(TooLong {
            tokens,
            person: asker.id(),
            at: now,
        });
    }

    /// What question and answer may have together, as far as two people or the program itself were refused.
    pub(crate) fn context_tokens(&self, model: &str, now: Instant) -> Option<u32> {
        let models = self.models();
        let refused = &models.get(model)?.too_long;
        let holds = refused.iter().filter(|one| now.duration_since(one.at) < HOLDS_FOR);
        let is_confirmed = |one: &&TooLong| {
            one.person.is_none()
                || refused.iter().any(|other| {
                    other.person != one.person
                        && other.tokens <= one.tokens
                        && one.at.max(other.at).duration_since(one.at.min(other.at)) <= AGREE_WITHIN
                })
        };
        holds.filter(is_confirmed).map(|one| one.tokens).min()
    }

    /// The largest request of the last hour that was taken, in tokens.
    pub(crate) fn largest_accepted(&self, model: &str, now: Instant) -> u32 {
        let models = self.models();
        let accepted = models.get(model).and_then(|facts| facts.accepted);
        accepted
            .filter(|(_, at)| now.duration_since(*at) < HOLDS_FOR)
            .map_or(0, |(tokens, _)| tokens)
    }

    fn models(&self) -> MutexGuard<'_, HashMap<Arc<str>, Facts>> {
        self.models.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Facts {
    fn forget_old(&mut self, now: Instant) {
        let is_within = |at: Instant, time| now.duration_since(at) < time;
        self.changes.retain(|(_, at)| is_within(*at, HOLDS_FOR));
        self.suspected.retain(|suspicion| is_within(suspicion.at, AGREE_WITHIN));
        self.too_long.retain(|refused| is_within(refused.at, HOLDS_FOR));
        self.accepted = self.accepted.filter(|(_, at)| is_within(*at, HOLDS_FOR));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::quirks::Optional;

    const TEMPERATURE: Change = Change::LeftOut(Optional::Temperature);
    const MINUTE: Duration = Duration::from_secs(60);

    fn learned() -> (Learned, Arc<str>, Instant) {
        (Learned::new(Quirks::default()), "m".into(), Instant::now())
    }

    fn sends_temperature(learned: &Learned, asker: &Asker, now: Instant) -> bool {
        learned.quirks("m", asker, now).sends(Optional::Temperature)
    }

    #[test]
    fn what_one_person_is_refused_changes_that_turn_alone() {
        let (learned, model, now) = learned();
        let turn = Asker::person(1);
        assert_eq!(learned.refused(&model, TEMPERATURE, &turn, now), Worth::Turn);
        assert!(!sends_temperature(&learned, &turn, now));
        assert!(sends_temperature(&learned, &Asker::person(1), now), "another turn");
        assert!(sends_temperature(&learned, &Asker::person(2), now));
        assert!(learned.quirks("reviewer", &turn, now).sends(Optional::Temperature));
    }

    #[test]
    fn a_second_person_within_ten_minutes_makes_it_hold_for_all_for_an_hour() {
        for (later, holds) in [(9, true), (11, false)] {
            let (learned, model, now) = learned();
            learned.refused(&model, TEMPERATURE, &Asker::person(1), now);
            let then = now + MINUTE * later;
            learned.refused(&model, TEMPERATURE, &Asker::person(2), then);
            assert_eq!(!sends_temperature(&learned, &Asker::person(3), then), holds, "{later}");
            assert!(sends_temperature(&learned, &Asker::person(3), then + MINUTE * 60));
        }
    }

    #[test]
    fn the_same_person_twice_asks_for_a_probe_once_and_the_programs_own_refusal_decides() {
        let (learned, model, now) = learned();
        for worth in [Worth::Turn, Worth::Probe, Worth::Turn] {
            assert_eq!(learned.refused(&model, TEMPERATURE, &Asker::person(1), now), worth);
        }
        assert!(sends_temperature(&learned, &Asker::person(2), now));
        let worth = learned.refused(&model, TEMPERATURE, &Asker::program(), now);
        assert_eq!(worth, Worth::Everybody);
        assert!(!sends_temperature(&learned, &Asker::person(2), now));
    }

    #[test]
    fn a_success_that_contradicts_it_is_believed() {
        let (learned, model, now) = learned();
        learned.refused(&model, TEMPERATURE, &Asker::person(1), now);
        learned.accepted(&model, 100, |change| change == TEMPERATURE, now);
        learned.refused(&model, TEMPERATURE, &Asker::person(2), now);
        assert!(sends_temperature(&learned, &Asker::person(3), now), "one refusal again");
        learned.refused(&model, TEMPERATURE, &Asker::program(), now);
        learned.accepted(&model, 100, |_| false, now);
        assert!(!sends_temperature(&learned, &Asker::person(3), now));
        learned.accepted(&model, 100, |_| true, now);
        assert!(sends_temperature(&learned, &Asker::person(3), now));
    }

    #[test]
    fn a_size_holds_where_two_people_were_refused_and_as_far_as_both_were() {
        let (learned, model, now) = learned();
        let context = |now| learned.context_tokens("m", now);
        learned.too_long(&model, 4_096, &Asker::person(1), now);
        learned.too_long(&model, 4_096, &Asker::person(1), now);
        assert_eq!(context(now), None);
        learned.too_long(&model, 20_000, &Asker::person(2), now + MINUTE * 11);
        assert_eq!(context(now + MINUTE * 11), None, "too late");
        learned.too_long(&model, 9_000, &Asker::person(3), now + MINUTE * 12);
        assert_eq!(context(now + MINUTE * 12), Some(20_000));
        learned.too_long(&model, 8_192, &Asker::program(), now + MINUTE * 13);
        assert_eq!(context(now + MINUTE * 13), Some(8_192));
        assert_eq!(learned.context_tokens("another", now), None);
        learned.accepted(&model, 12_000, |_| false, now + MINUTE * 14);
        assert_eq!(context(now + MINUTE * 14), None, "a larger one was taken");
        assert_eq!(learned.largest_accepted("m", now + MINUTE * 14), 12_000);
        assert_eq!(learned.largest_accepted("m", now + MINUTE * 80), 0);
    }

    #[test]
    fn a_size_is_forgotten_after_an_hour() {
        let (learned, model, now) = learned();
        learned.too_long(&model, 4_096, &Asker::program(), now);
        assert_eq!(learned.context_tokens("m", now + MINUTE * 59), Some(4_096));
        assert_eq!(learned.context_tokens("m", now + MINUTE * 60), None);
    }
}
