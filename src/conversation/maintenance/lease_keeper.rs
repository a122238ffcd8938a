//! Renews this instance's leases by the clock, on a connection of its own.
//!
//! Only an owner that is dead or frozen may lose its turns: not one whose pool is busy, whose database is far away, or whose
//! other maintenance fails; and no turn because of what happens to the row of another one.

use crate::conversation::Engine;
use crate::conversation::maintenance::clockwork::{Link, Step, every_tick, in_time};
use crate::store::StoreResult;
use crate::store::turns::prompts::{HeldLease, Prompt};
use std::collections::{HashMap, HashSet};
use std::time::Duration;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

/// A third of a lease's life.
const RENEW_EVERY: Duration = Duration::from_secs(10);
/// The same where one could not be renewed because somebody holds its row.
const RETRY_AFTER: Duration = Duration::from_secs(1);
/// Of turns that are renewed one by one: after so many failures it is the database and not a row.
const FAILURES: usize = 3;

struct Keeper<'a> {
    engine: &'a Engine,
    link: Link<'a>,
    due: Instant,
    /// A row made the statement for all of them fail.
    one_by_one: bool,
}

/// Keeps the leases until `end` is cancelled.
pub(super) async fn keep(engine: &Engine, end: &CancellationToken) {
    let mut keeper = Keeper {
        engine,
        link: Link::new(&engine.db),
        due: Instant::now() + RENEW_EVERY,
        one_by_one: false,
    };
    every_tick("The keeper of the leases", end, &mut keeper).await;
}

impl Step for Keeper<'_> {
    async fn step(&mut self) -> StoreResult<()> {
        failpoint!("leases");
        if Instant::now() < self.due {
            return Ok(());
        }
        let pause = match self.renew().await? {
            true => RENEW_EVERY,
            false => RETRY_AFTER,
        };
        self.due = Instant::now() + pause;
        Ok(())
    }
}

impl Keeper<'_> {
    /// Prolongs the leases of the turns that really run here; a turn that is no longer ours is given up. A row in our name
    /// without a turn is what a claim left whose answer got lost: it must run out. Returns whether all were renewed.
    async fn renew(&mut self) -> StoreResult<bool> {
        let running = self.engine.live.all();
        if running.is_empty() {
            return Ok(true);
        }
        let turns: Vec<Uuid> = running.iter().map(|log| log.lease.turn.0).collect();
        let (asked, held) = self.renew_what_can_be(&turns).await?;
        let held: HashMap<Uuid, HeldLease> = held.into_iter().map(|held| (held.id, held)).collect();
        let mut are_renewed = asked.len() == turns.len();
        for log in running.iter().filter(|log| asked.contains(&log.lease.turn.0)) {
            let lease = held.get(&log.lease.turn.0);
            let is_ours = lease.is_some_and(|held| held.fence == log.lease.fence);
            are_renewed &= !is_ours || lease.is_some_and(|held| held.is_renewed);
            if !is_ours && self.engine.live.find(log.lease.turn).is_some() {
                log.lost.cancel();
            }
        }
        Ok(are_renewed)
    }

    /// All in one statement or, as long as a row makes that fail, one by one. Returns the turns that it went well for, and the
    /// leases held of them.
    async fn renew_what_can_be(&mut self, turns: &[Uuid]) -> StoreResult<(HashSet<Uuid>, Vec<HeldLease>)> {
        if !self.one_by_one {
            match self.renew_leases(turns).await {
                Ok(held) => return Ok((turns.iter().copied().collect(), held)),
                Err(_) if turns.len() > 1 => self.one_by_one = true,
                Err(error) => return Err(error),
            }
        }
        // Without a connection there is nothing to try.
        let conn = self.link.take().await?;
        self.link.keep(conn);
        let (mut asked, mut leases, mut failures) = (HashSet::new(), Vec::new(), Vec::new());
        for turn in turns {
            match self.renew_leases(&[*turn]).await {
                Ok(held) => {
                    asked.insert(*turn);
                    leases.extend(held);
                }
                Err(error) => failures.push(error),
            }
            if failures.len() == FAILURES {
                break;
            }
        }
        self.one_by_one = !failures.is_empty();
        match failures.pop() {
            Some(error) if asked.is_empty() => Err(error),
            _ => Ok((asked, leases)),
        }
    }

    async fn renew_leases(&mut self, turns: &[Uuid]) -> StoreResult<Vec<HeldLease>> {
        let conn = self.link.take().await?;
        let held = in_time(Prompt::renew_leases(&conn, self.engine.instance, turns)).await?;
        self.link.keep(conn);
        Ok(held)
    }
}
