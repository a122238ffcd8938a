//! Who asks, and what the refusals of one turn have taught.

use crate::quirks::Change;
use std::{
    fmt,
    sync::{Arc, Mutex, PoisonError},
};

/// On whose behalf a request is made. One for all calls of a turn: what a refusal teaches holds for the rest of it at once,
/// and for others only when a request without anybody's words, or another person's, is refused in the same way.
#[derive(Clone)]
pub struct Asker(Arc<Inner>);

struct Inner {
    /// `None`: the program itself.
    person: Option<u128>,
    taught: Mutex<Vec<(Arc<str>, Change)>>,
}

impl Asker {
    /// The program itself, with words of its own only. What it is refused holds for everybody.
    pub fn program() -> Self {
        Self::new(None)
    }

    /// One turn of a person.
    pub fn person(id: u128) -> Self {
        Self::new(Some(id))
    }

    fn new(person: Option<u128>) -> Self {
        Self(Arc::new(Inner {
            person,
            taught: Mutex::default(),
        }))
    }

    pub(crate) fn id(&self) -> Option<u128> {
        self.0.person
    }

    /// The changes that this turn has been taught for a model.
    pub(crate) fn taught(&self, model: &str) -> Vec<Change> {
        let taught = self.0.taught.lock().unwrap_or_else(PoisonError::into_inner);
        let own = taught.iter().filter(|(of, _)| **of == *model);
        own.map(|(_, change)| *change).collect()
    }

    pub(crate) fn teach(&self, model: &Arc<str>, change: Change) {
        let mut taught = self.0.taught.lock().unwrap_or_else(PoisonError::into_inner);
        taught.push((Arc::clone(model), change));
    }
}

/// A person whom nobody knows, so that nothing holds for others by accident.
impl Default for Asker {
    fn default() -> Self {
        Self::person(0)
    }
}

impl fmt::Debug for Asker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.person.is_some() { "Person" } else { "Program" })
    }
}
