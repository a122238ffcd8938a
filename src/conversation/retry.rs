//! Trying again while the database is away.

use crate::store::StoreError;
use futures_util::future::BoxFuture;
use plan_model::ids::TurnId;
use std::fmt::Display;
use std::time::Duration;
use tokio::time::{Instant, sleep};
use tokio_util::sync::CancellationToken;

/// What a turn needs from the database is tried for so long: longer than a failover to another server takes.
pub const FAILOVER: Duration = Duration::from_secs(60);

/// An ending without an answer is tried for so long. Without it the lease runs out, and the turn is marked as interrupted.
pub const ENDING: Duration = Duration::from_secs(10);

/// Before the second attempt; doubled before each further one, up to [`LONGEST_PAUSE`].
const FIRST_PAUSE: Duration = Duration::from_millis(50);
const LONGEST_PAUSE: Duration = Duration::from_secs(1);

/// A failure that may be gone a moment later.
pub trait Transient: Display {
    fn is_transient(&self) -> bool;
}

impl Transient for StoreError {
    fn is_transient(&self) -> bool {
        Self::is_transient(self)
    }
}

/// Runs a step of a turn until it succeeds, fails for good or has been tried for `patience`; once `leaving` is cancelled it is
/// not tried again. Returns the last result.
///
/// # Errors
/// That of the last attempt.
pub async fn while_away<'a, T, E: Transient>(
    turn: TurnId,
    patience: Duration,
    leaving: &CancellationToken,
    mut attempt: impl FnMut() -> BoxFuture<'a, Result<T, E>>,
) -> Result<T, E> {
    let deadline = Instant::now() + patience;
    let mut pause = FIRST_PAUSE;
    loop {
        let error = match attempt().await {
            Err(error) if error.is_transient() && Instant::now() + pause < deadline => error,
            result => return result,
        };
        tracing::warn!(turn.id = %turn, error = %error, "Turn {turn} waits for the database");
        tokio::select! {
            biased;
            () = leaving.cancelled() => return Err(error),
            () = sleep(pause) => {}
        }
        pause = (pause * 2).min(LONGEST_PAUSE);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures_util::FutureExt;
    use std::future::ready;

    fn away() -> StoreError {
        StoreError::Unavailable("no server".into())
    }

    #[tokio::test(start_paused = true)]
    async fn a_step_is_tried_until_the_database_is_back() {
        let mut attempts = 0;
        let stays = CancellationToken::new();
        let result = while_away(TurnId::fresh(), FAILOVER, &stays, || {
            attempts += 1;
            let result = if attempts < 4 { Err(away()) } else { Ok(attempts) };
            ready(result).boxed()
        });
        assert_eq!(result.await.ok(), Some(4));
    }

    #[tokio::test(start_paused = true)]
    async fn patience_ends_and_other_errors_end_it_at_once() {
        let started = Instant::now();
        let result: Result<(), _> = while_away(TurnId::fresh(), FAILOVER, &CancellationToken::new(), || {
            ready(Err(away())).boxed()
        })
        .await;
        assert!(result.is_err());
        let waited = started.elapsed();
        assert!(waited <= FAILOVER && waited > FAILOVER / 2, "{waited:?}");

        let mut attempts = 0;
        let result: Result<(), _> = while_away(TurnId::fresh(), FAILOVER, &CancellationToken::new(), || {
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
        let work = while_away(TurnId::fresh(), FAILOVER, &leaving, || {
            ready(Err::<(), _>(away())).boxed()
        });
        let (result, ()) = tokio::join!(work, async {
            sleep(Duration::from_secs(3)).await;
            leaving.cancel();
        });
        assert!(result.is_err());
        assert_eq!(started.elapsed().as_secs(), 3);
    }
}
