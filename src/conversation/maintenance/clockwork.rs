//! What must be done by the clock: a loop that nothing ends but the process, and a connection that it shares with nobody.

use crate::store::{Conn, Db, StoreError, StoreResult};
use futures_util::FutureExt;
use std::panic::AssertUnwindSafe;
use std::time::Duration;
use tokio::time::{Instant, MissedTickBehavior, interval, timeout};
use tokio_util::sync::CancellationToken;
use tracing::{error, warn};

/// How often it is looked what is due; also the pause after a failure.
const TICK: Duration = Duration::from_millis(250);
/// One statement may take so long; then it is tried on a new connection. Several attempts fit into a lease's life.
const STEP_LIMIT: Duration = Duration::from_secs(3);
/// A database that is away is reported this often.
const REPORT_EVERY: Duration = Duration::from_secs(30);

/// What is done at every tick, if it is due.
pub(super) trait Step: Send {
    fn step(&mut self) -> impl Future<Output = StoreResult<()>> + Send;
}

/// Runs the step at every tick until `end` is cancelled. `what` begins the log lines: `The heartbeat`.
pub(super) async fn every_tick(what: &str, end: &CancellationToken, work: &mut impl Step) {
    let mut beat = interval(TICK);
    beat.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut quiet_until = Instant::now();
    loop {
        tokio::select! {
            () = end.cancelled() => return,
            _ = beat.tick() => {}
        }
        // Without this loop every turn is lost after a lease's life: not even a panic may end it.
        match AssertUnwindSafe(work.step()).catch_unwind().await {
            Ok(Err(error)) if Instant::now() >= quiet_until => {
                warn!(error = %error.chain(), "{what} waits for the database");
                quiet_until = Instant::now() + REPORT_EVERY;
            }
            Ok(_) => {}
            Err(_) => error!("{what} panicked; it goes on at the next tick"),
        }
    }
}

/// A connection outside the pool, opened anew after every failure.
pub(super) struct Link<'a> {
    db: &'a Db,
    conn: Option<Conn>,
}

impl<'a> Link<'a> {
    pub(super) fn new(db: &'a Db) -> Self {
        Self { db, conn: None }
    }

    /// The connection, to be given back with [`Link::keep`] where all went well.
    pub(super) async fn take(&mut self) -> StoreResult<Conn> {
        let known = self.conn.take();
        match known.and_then(|mut conn| (!conn.is_broken()).then_some(conn)) {
            Some(conn) => Ok(conn),
            None => self.db.dedicated().await,
        }
    }

    pub(super) fn keep(&mut self, conn: Conn) {
        self.conn = Some(conn);
    }

    /// The connection, if one is open.
    pub(super) fn close(self) -> Option<Conn> {
        self.conn
    }
}

/// Gives a statement three seconds.
pub(super) async fn in_time<T>(step: impl Future<Output = StoreResult<T>>) -> StoreResult<T> {
    let late = |elapsed| StoreError::Unavailable(Box::new(elapsed));
    timeout(STEP_LIMIT, step).await.map_err(late)?
}
