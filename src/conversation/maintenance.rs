//! Background tasks: leases, stop requests from other instances, orphaned turns, expired sessions.
//!
//! Every step may fail with the database; the next tick tries again.

mod lease_keeper;

use crate::conversation::{Conversations, Engine};
use crate::store::people::sessions::PgSessions;
use crate::store::retention::Aged;
use crate::store::turns::prompts::Prompt;
use crate::store::{
    StoreResult, people::access_tokens, people::logins, spent_tokens, turns::instances, turns::prompts,
    turns::rate_limits,
};
use futures_util::FutureExt;
use plan_model::ids::TurnId;
use std::collections::HashMap;
use std::panic::AssertUnwindSafe;
use std::sync::atomic::Ordering;
use std::time::Duration;
use tokio::time::{Instant, MissedTickBehavior, interval};
use tokio_util::sync::CancellationToken;
use tower_sessions::ExpiredDeletion;
use tracing::{debug, error, info, warn};

/// The beat everything below is counted in.
const TICK: Duration = Duration::from_millis(250);
const STOP_REQUESTS_EVERY: u32 = 2;
const REAP_EVERY: u32 = 20;
const SESSIONS_EVERY: u32 = 2_400;
const RETENTION_EVERY: Duration = Duration::from_secs(10);
const RETENTION_BATCHES: u32 = 5;
/// Rounds after which the age of what should be gone is measured, and rows that were passed over are tried again.
const MEASURE_EVERY: u32 = 6;
const RETRY_EVERY: u32 = 360;

impl Conversations {
    /// Takes over what a dead process left. `alone` says that no other instance can be using the database.
    ///
    /// # Errors
    /// Where the database cannot be reached.
    pub async fn recover(&self, alone: bool) -> StoreResult<usize> {
        let engine = self.engine();
        let conn = engine.db.conn().await?;
        let reaped = Prompt::reap(&conn, engine.instance, alone).await?;
        if reaped > 0 {
            info!(turns = reaped, "{reaped} interrupted turns can be sent again");
        }
        Ok(reaped)
    }

    /// Runs the background maintenance until `end` is cancelled.
    pub async fn maintain(&self, end: CancellationToken) {
        let engine = self.engine();
        tokio::join!(
            lease_keeper::keep(engine, end.clone()),
            chores(engine, end.clone()),
            retention(engine, end)
        );
    }
}

/// Everything that may wait for the pool.
async fn chores(engine: &Engine, end: CancellationToken) {
    let mut beat = interval(TICK);
    beat.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut published = HashMap::new();
    let mut quiet_until = Instant::now();
    for tick in 0_u32.. {
        tokio::select! {
            () = end.cancelled() => break,
            _ = beat.tick() => {}
        }
        // Without this loop no orphan is found and no stop request seen: not even a panic may end it.
        match AssertUnwindSafe(step(engine, tick, &mut published))
            .catch_unwind()
            .await
        {
            Ok(Err(error)) if Instant::now() >= quiet_until => {
                warn!(error = %error.chain(), "Housekeeping waits for the database");
                quiet_until = Instant::now() + Duration::from_secs(30);
            }
            Ok(_) => {}
            Err(_) => error!("A step of the housekeeping panicked; the next one goes on"),
        }
    }
}

/// All that is due, whether or not what comes before succeeds; returns the first error.
async fn step(engine: &Engine, tick: u32, published: &mut HashMap<prompts::TurnLease, usize>) -> StoreResult<()> {
    failpoint!("housekeeping");
    let due = |every: u32| tick.is_multiple_of(every);
    let has_readers = !engine.live.is_empty() && engine.has_siblings.load(Ordering::Relaxed);
    let mut done = Ok(());
    if has_readers {
        done = done.and(publish(engine, published).await);
    }
    if (has_readers || engine.stop_pending.load(Ordering::Relaxed)) && due(STOP_REQUESTS_EVERY) {
        done = done.and(stop_requested(engine).await);
    }
    if due(REAP_EVERY) && engine.may_reap.load(Ordering::Relaxed) {
        done = done.and(reap(engine).await);
    }
    if due(SESSIONS_EVERY)
        && let Err(error) = PgSessions(engine.db.clone()).delete_expired().await
    {
        debug!(error = %error, "Expired sessions stay a little longer");
    }
    if due(SESSIONS_EVERY) {
        done = done.and(forget_counts(engine).await);
    }
    done
}

/// Deletes and erases what is kept for a number of days. A task of its own, because a batch may take seconds, and stop
/// requests may not.
async fn retention(engine: &Engine, end: CancellationToken) {
    let mut beat = interval(RETENTION_EVERY);
    beat.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut passed_over = vec![0; engine.retention.len()];
    for round in 0_u32.. {
        tokio::select! {
            () = end.cancelled() => break,
            _ = beat.tick() => {}
        }
        if round.is_multiple_of(RETRY_EVERY) {
            passed_over.fill(0);
        }
        // Each for itself: what stops one kind says nothing about the others.
        for ((what, days), passed_over) in engine.retention.iter().zip(&mut passed_over) {
            let done = AssertUnwindSafe(forget_aged(engine, *what, *days, passed_over)).catch_unwind();
            let done = tokio::select! {
                () = end.cancelled() => return,
                done = done => done,
            };
            match done {
                Ok(Ok(())) => {}
                Ok(Err(error)) => {
                    warn!(kind = what.name(), error = %error.chain(), "What is old waits for the database");
                }
                Err(_) => error!(
                    kind = what.name(),
                    "Forgetting what is old panicked; the next round goes on"
                ),
            }
            if round.is_multiple_of(MEASURE_EVERY)
                && let Err(error) = measure(engine, *what, *days).await
            {
                debug!(kind = what.name(), error = %error.chain(), "The age of what should be gone is not known");
            }
        }
    }
}

/// Some of them: a round must not take as long as millions of rows do.
async fn forget_aged(engine: &Engine, what: Aged, days: u32, passed_over: &mut i64) -> StoreResult<()> {
    for _ in 0..RETENTION_BATCHES {
        let conn = engine.db.conn().await?;
        let batch = what.forget_some(&conn, days, *passed_over).await?;
        *passed_over += batch.failed_count();
        for (row, error) in &batch.failed {
            metrics::counter!("plan_advisor_retention_failures_total", "kind" => what.name()).increment(1);
            let (kind, error) = (what.name(), error.chain());
            error!(
                kind,
                row, error, "A row that is too old cannot be erased ({kind} {row}): {error}"
            );
        }
        if !batch.may_be_more {
            break;
        }
    }
    Ok(())
}

/// How long the oldest of them should have been gone; 0 if none is left.
async fn measure(engine: &Engine, what: Aged, days: u32) -> StoreResult<()> {
    let oldest = what.oldest(&*engine.db.conn().await?, days, 0).await?;
    let overdue = oldest.map_or(0.0, |oldest| oldest.overdue_seconds.max(0.0));
    metrics::gauge!("plan_advisor_retention_overdue_seconds", "kind" => what.name()).set(overdue);
    Ok(())
}

/// Each for itself; returns the first error.
async fn forget_counts(engine: &Engine) -> StoreResult<()> {
    let conn = engine.db.conn().await?;
    let done = logins::delete_expired(&conn).await;
    let done = done.and(access_tokens::delete_expired(&conn).await);
    let done = done.and(instances::delete_gone(&conn).await);
    let done = done.and(spent_tokens::delete_old(&conn).await);
    done.and(rate_limits::delete_idle(&conn).await)
}

async fn reap(engine: &Engine) -> StoreResult<()> {
    let conn = engine.db.conn().await?;
    let reaped = Prompt::reap(&conn, engine.instance, false).await?;
    if reaped > 0 {
        info!(turns = reaped, "{reaped} interrupted turns can be sent again");
    }
    prompts::drop_ended_progress(&conn).await
}

/// Text that has grown, for readers on other instances.
async fn publish(engine: &Engine, published: &mut HashMap<prompts::TurnLease, usize>) -> StoreResult<()> {
    let logs = engine.live.all();
    published.retain(|lease, _| logs.iter().any(|log| log.lease == *lease));
    let grown: Vec<_> = logs
        .iter()
        .filter(|log| log.len() > published.get(&log.lease).copied().unwrap_or(0))
        .map(|log| (log.lease, log.text()))
        .collect();
    let rows: Vec<_> = grown
        .iter()
        .map(|(lease, text)| (lease.turn, lease.attempt, text.clone()))
        .collect();
    prompts::publish_progress(&*engine.db.conn().await?, &rows).await?;
    published.extend(grown.into_iter().map(|(lease, text)| (lease, text.len())));
    Ok(())
}

async fn stop_requested(engine: &Engine) -> StoreResult<()> {
    engine.stop_pending.store(false, Ordering::Relaxed);
    let requested = Prompt::cancel_requests(&*engine.db.conn().await?, engine.instance).await;
    let mut waits = requested.is_err();
    for id in requested.iter().flatten() {
        match engine.live.find(TurnId(*id)) {
            Some(log) => log.stop.cancel(),
            None => waits = true,
        }
    }
    if waits {
        engine.stop_pending.store(true, Ordering::Relaxed);
    }
    requested.map(drop)
}
