//! Trying again while the database is away, or while somebody else holds what is to be written.

use crate::conversation::permits::CommitPermits;
use crate::conversation::stream::turn_log::TurnLog;
use crate::store::StoreError;
use futures_util::future::BoxFuture;
use plan_model::ids::{TurnId, UserId};
use std::fmt::Display;
use std::time::Duration;
use tokio::time::{Instant, sleep, sleep_until};
use tokio_util::sync::CancellationToken;

/// What a turn needs from the database is tried for so long: longer than a failover to another server takes.
pub(super) const FAILOVER: Duration = Duration::from_secs(60);

/// A failed ending is tried for so long. Without it the lease runs out, and the turn is marked as interrupted.
pub(super) const ENDING: Duration = Duration::from_secs(10);

/// Before the second attempt; doubled before each further one, up to [`LONGEST_PAUSE`].
const FIRST_PAUSE: Duration = Duration::from_millis(50);
const LONGEST_PAUSE: Duration = Duration::from_secs(1);

/// A failure that may be gone a moment later.
pub(super) trait Transient: Display + From<StoreError> {
    fn is_transient(&self) -> bool;
    /// It waited in vain for a lock.
    fn is_contended(&self) -> bool;
}

impl Transient for StoreError {
    fn is_transient(&self) -> bool {
        Self::is_transient(self)
    }

    fn is_contended(&self) -> bool {
        Self::is_contended(self)
    }
}

/// How long a step of a turn is tried, and what ends that sooner.
#[derive(Clone, Copy)]
pub(super) struct Patience<'a> {
    pub turn: TurnId,
    pub until: Instant,
    /// Once it is cancelled, what failed is not tried again.
    pub leaving: &'a CancellationToken,
    /// Once this turn is stopped or taken over, nothing is tried any more.
    pub log: Option<&'a TurnLog>,
    /// Each attempt has a permit, in the name of this user.
    pub permits: Option<(&'a CommitPermits, UserId)>,
}

impl Patience<'_> {
    async fn given_up(&self) {
        match self.log {
            Some(log) => log.given_up().await,
            None => std::future::pending().await,
        }
    }
}

/// Runs a step of a turn until it succeeds, fails for good or `patience` is over. Returns the last result.
///
/// # Errors
/// That of the last attempt; [`StoreError::Unavailable`] where none was made.
pub(super) async fn while_away<'a, T, E: Transient>(
    patience: Patience<'_>,
    mut attempt: impl FnMut() -> BoxFuture<'a, Result<T, E>>,
) -> Result<T, E> {
    let mut pause = FIRST_PAUSE;
    let mut last: Option<E> = None;
    let in_vain =
        |last: Option<E>| last.unwrap_or_else(|| StoreError::Unavailable("no attempt was made".into()).into());
    loop {
        let has_waited = last.as_ref().is_some_and(E::is_contended);
        let permit = async {
            match patience.permits {
                Some((permits, user)) => Some(permits.acquire(user, has_waited).await),
                None => None,
            }
        };
        let permit = tokio::select! {
            biased;
            () = patience.given_up() => return Err(in_vain(last)),
            permit = permit => permit,
            () = sleep_until(patience.until) => return Err(in_vain(last)),
        };
        let result = attempt().await;
        // Others have the place while this one sleeps.
        drop(permit);
        let error = match result {
            Err(error) if error.is_transient() && Instant::now() + pause < patience.until => error,
            result => return result,
        };
        tracing::warn!(turn.id = %patience.turn, error = %error, "Turn {} waits for the database", patience.turn);
        tokio::select! {
            biased;
            () = patience.leaving.cancelled() => return Err(error),
            () = patience.given_up() => return Err(error),
            () = sleep(pause) => {}
        }
        pause = (pause * 2).min(LONGEST_PAUSE);
        last = Some(error);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::conversation::stream::turn_log::LiveTurns;
    use crate::store::turns::prompts::TurnLease;
    use futures_util::FutureExt;
    use plan_model::ids::PlanId;
    use std::future::ready;

    fn lease() -> TurnLease {
        TurnLease {
            turn: TurnId::fresh(),
            attempt: 1,
            fence: 1,
        }
    }

    fn patient(leaving: &CancellationToken) -> Patience<'_> {
        Patience {
            turn: TurnId::fresh(),
            until: Instant::now() + FAILOVER,
            leaving,
            log: None,
            permits: None,
        }
    }

    fn away() -> StoreError {
        StoreError::Unavailable("no server".into())
    }

    #[tokio::test(start_paused = true)]
    async fn a_step_is_tried_until_the_database_is_back() {
        let mut attempts = 0;
        let stays = CancellationToken::new();
        let result = while_away(patient(&stays), || {
            attempts += 1;
            let result = if attempts < 4 { Err(away()) } else { Ok(attempts) };
            ready(result).boxed()
        });
        assert_eq!(result.await.ok(), Some(4));
    }

    #[tokio::test(start_paused = true)]
    async fn patience_ends_and_other_errors_end_it_at_once() {
        let stays = CancellationToken::new();
        let started = Instant::now();
        let result: Result<(), _> = while_away(patient(&stays), || ready(Err(away())).boxed()).await;
        assert!(result.is_err());
        let waited = started.elapsed();
        assert!(waited <= FAILOVER && waited > FAILOVER / 2, "{waited:?}");

        let mut attempts = 0;
        let result: Result<(), _> = while_away(patient(&stays), || {
            attempts += 1;
            ready(Err(StoreError::NotFound)).boxed()
        })
        .await;
        assert!(result.is_err());
        assert_eq!(attempts, 1);
    }

    #[tokio::test(start_paused = true)]
    async fn a_process_that_leaves_does_not_wait() {
        let leaving = CancellationToken::new();
        let started = Instant::now();
        let work = while_away(patient(&leaving), || ready(Err::<(), _>(away())).boxed());
        let (result, ()) = tokio::join!(work, async {
            sleep(Duration::from_secs(3)).await;
            leaving.cancel();
        });
        assert!(result.is_err());
        assert_eq!(started.elapsed().as_secs(), 3);
    }

    #[tokio::test(start_paused = true)]
    async fn waiting_for_a_permit_is_part_of_the_time_and_a_stop_ends_it() {
        let (permits, user) = (CommitPermits::new(1), UserId::fresh());
        let _taken = permits.acquire(user, false).await;
        let (stays, log) = (
            CancellationToken::new(),
            LiveTurns::default().open(PlanId::fresh(), lease()),
        );
        let waiting = Patience {
            log: Some(&log),
            permits: Some((&permits, user)),
            ..patient(&stays)
        };
        let never = || ready(Ok::<_, StoreError>(())).boxed();
        let started = Instant::now();
        assert!(while_away(waiting, never).await.is_err());
        assert_eq!(started.elapsed(), FAILOVER);

        let again = Patience {
            until: Instant::now() + FAILOVER,
            ..waiting
        };
        let (result, ()) = tokio::join!(while_away(again, never), async { log.stop.cancel() });
        assert!(result.is_err());
        assert_eq!(started.elapsed(), FAILOVER);
    }

    #[tokio::test(start_paused = true)]
    async fn nobody_holds_a_permit_while_sleeping() {
        let (permits, stays) = (CommitPermits::new(1), CancellationToken::new());
        let patience = Patience {
            permits: Some((&permits, UserId::fresh())),
            ..patient(&stays)
        };
        let blocked = while_away(patience, || ready(Err::<(), _>(away())).boxed());
        let other = async {
            sleep(Duration::from_secs(1)).await;
            let started = Instant::now();
            drop(permits.acquire(UserId::fresh(), false).await);
            assert_eq!(started.elapsed(), Duration::ZERO);
        };
        let (result, ()) = tokio::join!(blocked, other);
        assert!(result.is_err());
    }
}
