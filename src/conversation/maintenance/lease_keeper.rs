//! Renews this instance's leases and heartbeat by the clock, on a connection of its own.
//!
//! Only an owner that is dead or frozen may lose its turns: not one whose pool is busy, whose database is far away, or
//! whose other maintenance fails. The heartbeat is also the write by whose age readiness is answered.

use crate::conversation::Engine;
use crate::store::turns::prompts::Prompt;
use crate::store::{Conn, StoreError, StoreResult, turns::instances};
use futures_util::FutureExt;
use std::collections::HashMap;
use std::panic::AssertUnwindSafe;
use std::sync::atomic::Ordering;
use std::time::Duration;
use tokio::time::{Instant, MissedTickBehavior, interval, timeout};
use tokio_util::sync::CancellationToken;
use tracing::{error, warn};

/// How often it is looked what is due; also the pause after a failure.
const TICK: Duration = Duration::from_millis(250);
const PULSE_EVERY: Duration = Duration::from_secs(1);
/// A third of a lease's life.
const LEASES_EVERY: Duration = Duration::from_secs(10);
/// One statement may take so long; then it is tried on a new connection. Several attempts fit into a lease's life.
const STEP_LIMIT: Duration = Duration::from_secs(3);
/// Without a heartbeat for so long others may have been cut off, too.
const GAP: Duration = Duration::from_secs(5);
/// After such a gap every instance gets this time to renew its leases before any turn is taken over.
const SETTLING: Duration = Duration::from_secs(10);
/// A database that is away is reported this often.
const REPORT_EVERY: Duration = Duration::from_secs(30);

struct Keeper<'a> {
    engine: &'a Engine,
    link: Option<Conn>,
    pulsed: Option<Instant>,
    renewed: Instant,
    reap_from: Instant,
}

/// Keeps the leases until `end` is cancelled, then says that this instance is gone.
pub async fn keep(engine: &Engine, end: CancellationToken) {
    let now = Instant::now();
    let mut keeper = Keeper {
        engine,
        link: None,
        pulsed: None,
        renewed: now,
        reap_from: now,
    };
    let mut beat = interval(TICK);
    beat.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut quiet_until = now;
    loop {
        tokio::select! {
            () = end.cancelled() => break,
            _ = beat.tick() => {}
        }
        // Without this loop every turn is lost after a lease's life: not even a panic may end it.
        let failed = match AssertUnwindSafe(keeper.step()).catch_unwind().await {
            Ok(Ok(())) => continue,
            Ok(Err(error)) => error,
            Err(_) => {
                error!("A step of the lease keeper panicked; the next one goes on");
                keeper.link = None;
                continue;
            }
        };
        keeper.link = None;
        if Instant::now() >= quiet_until {
            warn!(error = %failed.chain(), "Leases and heartbeat wait for the database");
            quiet_until = Instant::now() + REPORT_EVERY;
        }
    }
    if let Some(link) = keeper.link {
        let _ = timeout(Duration::from_millis(400), instances::leave(&link, engine.instance)).await;
    }
}

impl Keeper<'_> {
    async fn step(&mut self) -> StoreResult<()> {
        failpoint!("leases");
        let due = |last: Instant, every| last.elapsed() >= every;
        let gap = self.pulsed.is_some_and(|pulsed| due(pulsed, GAP));
        if gap {
            self.reap_from = Instant::now() + SETTLING;
        }
        self.engine
            .may_reap
            .store(Instant::now() >= self.reap_from, Ordering::Relaxed);
        // Leases first: they are what must not be late.
        if gap || due(self.renewed, LEASES_EVERY) {
            self.renew().await?;
            self.renewed = Instant::now();
        }
        if self.pulsed.is_none_or(|pulsed| due(pulsed, PULSE_EVERY)) {
            self.pulse().await?;
            self.pulsed = Some(Instant::now());
        }
        Ok(())
    }

    /// The keeper's connection; a new one after a failure.
    async fn link(&mut self) -> StoreResult<&Conn> {
        let healthy = self
            .link
            .take()
            .and_then(|mut link| (!link.is_broken()).then_some(link));
        let link = match healthy {
            Some(link) => link,
            None => self.engine.db.dedicated().await?,
        };
        Ok(self.link.insert(link))
    }

    async fn pulse(&mut self) -> StoreResult<()> {
        let engine = self.engine;
        let link = self.link().await?;
        let others = in_time(instances::pulse(link, engine.instance)).await?;
        engine.db.note_write();
        engine.has_siblings.store(others > 0, Ordering::Relaxed);
        Ok(())
    }

    /// Prolongs the leases of the turns that really run here; a turn that is no longer ours is given up. A row in our
    /// name without a turn is what a claim left whose answer got lost: it must run out.
    async fn renew(&mut self) -> StoreResult<()> {
        let engine = self.engine;
        let before = engine.live.all();
        if before.is_empty() {
            return Ok(());
        }
        let turns: Vec<_> = before.iter().map(|log| log.lease.turn.0).collect();
        let link = self.link().await?;
        let held = in_time(Prompt::renew_leases(link, engine.instance, &turns)).await?;
        let held: HashMap<_, _> = held.into_iter().collect();
        for log in before {
            let still_runs = engine.live.find(log.lease.turn).is_some();
            if still_runs && held.get(&log.lease.turn.0) != Some(&log.lease.fence) {
                log.lost.cancel();
            }
        }
        Ok(())
    }
}

async fn in_time<T>(step: impl Future<Output = StoreResult<T>>) -> StoreResult<T> {
    let late = |elapsed| StoreError::Unavailable(Box::new(elapsed));
    timeout(STEP_LIMIT, step).await.map_err(late)?
}
