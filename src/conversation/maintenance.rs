//! Background tasks: leases, stop requests from other instances, orphaned turns, expired sessions.
//!
//! Every step may fail with the database; the next tick tries again.

mod clockwork;
mod heartbeat;
mod lease_keeper;

use crate::conversation::{Conversations, Engine};
use crate::store::people::sessions::PgSessions;
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
const RETENTION_EVERY: u32 = 40;
const RETENTION_BATCHES: u32 = 5;

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

    /// The database could not be reached when the process started, so that others may have been cut off from it, too.
    pub fn started_during_an_outage(&self) {
        self.engine().is_settling.store(true, Ordering::Relaxed);
    }

    /// Runs the background maintenance until `end` is cancelled.
    pub async fn maintain(&self, end: CancellationToken) {
        let engine = self.engine();
        // Apart: none of them waits for what another one waits for.
        tokio::join!(
            heartbeat::beat(engine, &end),
            lease_keeper::keep(engine, &end),
            chores(engine, &end)
        );
    }
}

/// Everything that may wait for the pool.
async fn chores(engine: &Engine, end: &CancellationToken) {
    // Before the first heartbeat it is not known whether turns may be taken over.
    tokio::select! {
        () = end.cancelled() => return,
        () = engine.db.first_write() => {}
    }
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
    if due(REAP_EVERY) && !engine.is_settling.load(Ordering::Relaxed) {
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
    if due(RETENTION_EVERY) {
        done = done.and(forget_aged(engine).await);
    }
    done
}

/// Some of them: the other tasks of this loop must not wait for millions of rows.
async fn forget_aged(engine: &Engine) -> StoreResult<()> {
    for (what, days) in &engine.retention {
        for _ in 0..RETENTION_BATCHES {
            let conn = engine.db.conn().await?;
            if !what.forget_some(&conn, *days).await? {
                break;
            }
        }
    }
    Ok(())
}

async fn forget_counts(engine: &Engine) -> StoreResult<()> {
    let conn = engine.db.conn().await?;
    logins::delete_expired(&conn).await?;
    access_tokens::delete_expired(&conn).await?;
    instances::delete_gone(&conn).await?;
    spent_tokens::delete_old(&conn).await?;
    rate_limits::delete_idle(&conn).await
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
    if grown.is_empty() {
        return Ok(());
    }
    prompts::publish_progress(&*engine.db.conn().await?, &grown).await?;
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
