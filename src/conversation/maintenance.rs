//! What runs beside the turns: signs of life, leases, stop requests from other instances, orphans, expired sessions.
//!
//! Every step may fail with the database; the next tick tries again.

use super::{Conversations, Engine};
use crate::store::prompts::{self, Prompt};
use crate::store::sessions::PgSessions;
use crate::store::{StoreResult, instances};
use futures_util::FutureExt;
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
const PULSE_EVERY: u32 = 4;
const REAP_EVERY: u32 = 20;
const LEASES_EVERY: u32 = 40;
const SESSIONS_EVERY: u32 = 2_400;

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

    /// Keeps house until `end`.
    pub async fn maintain(&self, end: CancellationToken) {
        let engine = self.engine();
        let mut beat = interval(TICK);
        beat.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut published = HashMap::new();
        let mut quiet_until = Instant::now();
        for tick in 0_u32.. {
            tokio::select! {
                () = end.cancelled() => break,
                _ = beat.tick() => {}
            }
            // Without housekeeping no lease is renewed and no orphan found: not even a panic may end it.
            match AssertUnwindSafe(step(engine, tick, &mut published))
                .catch_unwind()
                .await
            {
                Ok(Err(error)) if Instant::now() >= quiet_until => {
                    warn!(error = %error, "Housekeeping waits for the database");
                    quiet_until = Instant::now() + Duration::from_secs(30);
                }
                Ok(_) => {}
                Err(_) => error!("A step of the housekeeping panicked; the next one goes on"),
            }
        }
        if let Ok(conn) = engine.db.conn().await {
            let _ = instances::leave(&conn, engine.instance).await;
        }
    }
}

async fn step(engine: &Engine, tick: u32, published: &mut HashMap<prompts::Hold, usize>) -> StoreResult<()> {
    failpoint!("housekeeping");
    let due = |every: u32| tick.is_multiple_of(every);
    let busy = !engine.live.is_empty();
    if due(PULSE_EVERY) {
        let conn = engine.db.conn().await?;
        instances::pulse(&conn, engine.instance).await?;
        let siblings = instances::count_others(&conn, engine.instance).await? > 0;
        engine.has_siblings.store(siblings, Ordering::Relaxed);
    }
    if busy && engine.has_siblings.load(Ordering::Relaxed) {
        publish(engine, published).await?;
        if due(STOP_REQUESTS_EVERY) {
            hear_stop_requests(engine).await?;
        }
    }
    if busy && due(LEASES_EVERY) {
        renew(engine).await?;
    }
    if due(REAP_EVERY) {
        let conn = engine.db.conn().await?;
        let reaped = Prompt::reap(&conn, engine.instance, false).await?;
        if reaped > 0 {
            info!(turns = reaped, "{reaped} interrupted turns can be sent again");
        }
        prompts::drop_ended_progress(&conn).await?;
    }
    if due(SESSIONS_EVERY)
        && let Err(error) = PgSessions(engine.db.clone()).delete_expired().await
    {
        debug!(error = %error, "Expired sessions stay a little longer");
    }
    Ok(())
}

/// Text that has grown, for readers on other instances.
async fn publish(engine: &Engine, published: &mut HashMap<prompts::Hold, usize>) -> StoreResult<()> {
    let logs = engine.live.all();
    published.retain(|hold, _| logs.iter().any(|log| log.hold == *hold));
    let grown: Vec<_> = logs
        .iter()
        .filter(|log| log.len() > published.get(&log.hold).copied().unwrap_or(0))
        .map(|log| (log.hold, log.text()))
        .collect();
    let rows: Vec<_> = grown
        .iter()
        .map(|(hold, text)| (hold.turn, hold.attempt, text.clone()))
        .collect();
    prompts::publish_progress(&*engine.db.conn().await?, &rows).await?;
    published.extend(grown.into_iter().map(|(hold, text)| (hold, text.len())));
    Ok(())
}

async fn hear_stop_requests(engine: &Engine) -> StoreResult<()> {
    for id in Prompt::cancel_requests(&*engine.db.conn().await?, engine.instance).await? {
        if let Some(log) = engine.live.find(crate::model::ids::TurnId(id)) {
            log.stop.cancel();
        }
    }
    Ok(())
}

/// Prolongs the leases of the turns that really run here; a turn that is no longer ours is given up. A row in our name
/// without a turn is what a claim left whose answer got lost: it must run out.
async fn renew(engine: &Engine) -> StoreResult<()> {
    let before = engine.live.all();
    let turns: Vec<_> = before.iter().map(|log| log.hold.turn.0).collect();
    let held: HashMap<_, _> = Prompt::renew_leases(&*engine.db.conn().await?, engine.instance, &turns)
        .await?
        .into_iter()
        .collect();
    for log in before {
        let still_runs = engine.live.find(log.hold.turn).is_some();
        if still_runs && held.get(&log.hold.turn.0) != Some(&log.hold.fence) {
            log.lost.cancel();
        }
    }
    Ok(())
}
