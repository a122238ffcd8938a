//! The typesetter's places: it works for seconds without a pause, so few documents are made at once, off the threads that answer, and
//! of one person one at a time.

use plan_documents::{TypesetError, Typesetter};
use plan_model::ids::UserId;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task::spawn_blocking;
use tokio::time::timeout;

/// Documents that are made at once.
const AT_ONCE: usize = 2;

/// How long one may take, and how long a request waits for its turn.
const LONGEST: Duration = Duration::from_secs(5);

/// Why nothing came of a piece of work.
#[derive(Debug, thiserror::Error)]
pub(crate) enum PressError {
    #[error("all places were taken for {LONGEST:?}")]
    Busy,
    #[error("the document was not finished within {LONGEST:?}")]
    TooSlow,
    #[error("the typesetter panicked")]
    Panicked,
    #[error(transparent)]
    Typeset(TypesetError),
}

/// The places of this process. Clones share them.
#[derive(Debug, Clone)]
pub(crate) struct Press {
    places: Arc<Semaphore>,
    /// Of those who have a turn or wait for one.
    people: Arc<Mutex<HashMap<UserId, Arc<Semaphore>>>>,
    typesetter: Typesetter,
}

/// That a person makes a document; dropping it lets their next one begin.
#[derive(Debug)]
pub(crate) struct Turn {
    _place: OwnedSemaphorePermit,
}

impl Press {
    /// With `fonts` beside those of this program.
    pub(crate) fn new(fonts: &[Arc<[u8]>]) -> Self {
        Self {
            places: Arc::new(Semaphore::new(AT_ONCE)),
            people: Arc::default(),
            typesetter: Typesetter::new(fonts),
        }
    }

    /// Waits until nothing else is made for the person, so that one person never holds all slots.
    ///
    /// # Errors
    /// [`PressError::Busy`].
    pub(crate) async fn turn(&self, person: UserId) -> Result<Turn, PressError> {
        let own = {
            let mut people = self.people.lock().unwrap_or_else(PoisonError::into_inner);
            people.retain(|_, own| Arc::strong_count(own) > 1);
            let own = people.entry(person).or_insert_with(|| Arc::new(Semaphore::new(1)));
            Arc::clone(own)
        };
        Ok(Turn {
            _place: patiently(own).await?,
        })
    }

    /// Does the work when there is a place, and hands the turn back. Work that takes too long cannot be interrupted: it keeps place and
    /// turn until it ends, so that never more than allowed runs.
    ///
    /// # Errors
    /// See [`PressError`].
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        turn: Turn,
        work: impl FnOnce(&Typesetter) -> T + Send + 'static,
    ) -> Result<(T, Turn), PressError> {
        let place = patiently(Arc::clone(&self.places)).await?;
        let typesetter = self.typesetter.clone();
        let work = spawn_blocking(move || {
            let result = work(&typesetter);
            drop(place);
            (result, turn)
        });
        match timeout(LONGEST, work).await {
            Err(_) => Err(PressError::TooSlow),
            Ok(Err(_)) => Err(PressError::Panicked),
            Ok(Ok(done)) => Ok(done),
        }
    }
}

/// A place of a queue that is served in its order.
async fn patiently(queue: Arc<Semaphore>) -> Result<OwnedSemaphorePermit, PressError> {
    let place = timeout(LONGEST, queue.acquire_owned()).await;
    place.ok().and_then(Result::ok).ok_or(PressError::Busy)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc;

    async fn run(press: &Press, work: impl FnOnce() + Send + 'static) -> Result<(), PressError> {
        let turn = press.turn(UserId::fresh()).await?;
        press.run(turn, |_| work()).await.map(drop)
    }

    #[tokio::test(start_paused = true)]
    async fn a_third_document_waits_and_is_told_so() {
        let press = Press::new(&[]);
        let (release, gate) = mpsc::channel::<()>();
        let gate = Arc::new(Mutex::new(gate));
        let busy: Vec<_> = (0..AT_ONCE)
            .map(|_| {
                let (press, gate) = (press.clone(), Arc::clone(&gate));
                let wait = move || drop(gate.lock().map(|gate| gate.recv()));
                tokio::spawn(async move { run(&press, wait).await })
            })
            .collect();
        while press.places.available_permits() > 0 {
            tokio::task::yield_now().await;
        }
        let third = tokio::spawn({
            let press = press.clone();
            async move { run(&press, || ()).await }
        });
        tokio::task::yield_now().await;
        tokio::time::advance(LONGEST).await;
        assert!(matches!(third.await.expect("no panic"), Err(PressError::Busy)));
        for one in busy {
            assert!(matches!(one.await.expect("no panic"), Err(PressError::TooSlow)));
        }
        assert_eq!(press.places.available_permits(), 0, "what runs keeps its place");
        drop(release);
        assert!(run(&press, || ()).await.is_ok());
    }

    #[tokio::test(start_paused = true)]
    async fn a_person_makes_one_document_at_a_time_and_keeps_nobody_else_waiting() {
        let (press, person) = (Press::new(&[]), UserId::fresh());
        let first = press.turn(person).await.expect("a turn");
        assert!(matches!(press.turn(person).await, Err(PressError::Busy)));
        assert!(run(&press, || ()).await.is_ok());
        let ((), again) = press.run(first, |_| ()).await.expect("done");
        drop(again);
        assert!(press.turn(person).await.is_ok());
        let people = || press.people.lock().expect("whole").len();
        assert!(people() <= 2, "those who have gone are forgotten");
    }

    #[tokio::test]
    async fn a_panic_frees_the_place_and_is_told() {
        let press = Press::new(&[]);
        for _ in 0..=AT_ONCE {
            let ended = run(&press, || panic!("on purpose")).await;
            assert!(matches!(ended, Err(PressError::Panicked)));
        }
    }
}
