//! Stopping a running turn, wherever it runs.

use crate::conversation::Engine;
use crate::conversation::stream::log_reader::LogReader;
use crate::store::StoreResult;
use crate::store::turns::prompts::Prompt;
use plan_model::ids::PlanId;
use std::sync::atomic::Ordering;
use std::time::Duration;
use tokio::time::{Instant, sleep, timeout};

/// A stop is answered when the turn has ended, but not later than this.
const WAIT: Duration = Duration::from_secs(2);
const POLL: Duration = Duration::from_millis(100);

/// Stops the plan's turn and waits a moment for its end. Does nothing where none runs.
///
/// # Errors
/// Where the database cannot be asked for a turn of another instance.
pub async fn stop(engine: &Engine, plan: PlanId) -> StoreResult<()> {
    failpoint!("stop.before");
    if let Some(log) = engine.live.of_plan(plan) {
        log.stop.cancel();
        let mut events = LogReader::new(log, 0);
        let ended = async { while events.next().await.is_some() {} };
        let _ = timeout(WAIT, ended).await;
        return Ok(());
    }
    if !Prompt::request_cancel(&*engine.db.conn().await?, plan).await? {
        return Ok(());
    }
    // Claimed here a moment ago, it has no log yet; a process without others reads stored requests only then.
    engine.stop_pending.store(true, Ordering::Relaxed);
    let deadline = Instant::now() + WAIT;
    while Instant::now() < deadline && Prompt::find_running(&*engine.db.conn().await?, plan).await?.is_some() {
        sleep(POLL).await;
    }
    Ok(())
}
