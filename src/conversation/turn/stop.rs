//! Stopping a running turn, wherever it runs.

use crate::conversation::Engine;
use crate::conversation::stream::log_reader::LogReader;
use crate::conversation::stream::stored;
use crate::conversation::stream::turn_log::TurnLog;
use crate::store::StoreResult;
use crate::store::turns::prompts::{Prompt, PromptState};
use pg_link::json::Json;
use plan_model::ids::{PlanId, TurnId};
use serde_json::value::RawValue;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;
use tokio::time::{Instant, sleep, timeout};

/// A stop is answered when the turn has ended, but not later than this.
const WAIT: Duration = Duration::from_secs(2);
const POLL: Duration = Duration::from_millis(100);

/// What has come of a stop.
#[derive(Debug)]
pub enum Stop {
    /// No turn runs, and nothing more is applied.
    Ended,
    /// The turn has not ended yet. It will end as stopped, unless its answer is being stored right now.
    Stopping,
    /// The answer was stored before. With the turn's `done` event.
    Completed(Box<RawValue>),
}

/// Stops the plan's turn and waits a moment for its end. Does nothing where none runs.
///
/// # Errors
/// Where the database cannot be asked for how the turn ended, or for a turn of another instance.
pub(crate) async fn stop(engine: &Engine, plan: PlanId) -> StoreResult<Stop> {
    failpoint!("stop.before");
    match engine.live.of_plan(plan) {
        Some(log) => stop_here(engine, log).await,
        None => stop_elsewhere(engine, plan).await,
    }
}

async fn stop_here(engine: &Engine, log: Arc<TurnLog>) -> StoreResult<Stop> {
    log.stop.cancel();
    let lease = log.lease;
    let mut events = LogReader::new(log, 0);
    let ended = async { while events.next().await.is_some() {} };
    if timeout(WAIT, ended).await.is_err() {
        return Ok(Stop::Stopping);
    }
    came_of(engine, (lease.turn, lease.attempt)).await
}

async fn stop_elsewhere(engine: &Engine, plan: PlanId) -> StoreResult<Stop> {
    let requested = Prompt::request_cancel(&*engine.db.conn().await?, plan).await?;
    let Some(turn) = requested else {
        return Ok(Stop::Ended);
    };
    // Claimed here a moment ago, it has no log yet; a process without others reads stored requests only then.
    engine.stop_pending.store(true, Ordering::Relaxed);
    let deadline = Instant::now() + WAIT;
    loop {
        match came_of(engine, turn).await? {
            Stop::Stopping if Instant::now() < deadline => sleep(POLL).await,
            stop => return Ok(stop),
        }
    }
}

/// How an attempt of a turn has ended, if it has.
async fn came_of(engine: &Engine, (turn, attempt): (TurnId, i32)) -> StoreResult<Stop> {
    let found = Prompt::find(&*engine.db.conn().await?, turn).await?;
    let Some(prompt) = found.filter(|prompt| prompt.attempt == attempt) else {
        return Ok(Stop::Ended);
    };
    Ok(match (prompt.state, &prompt.ending) {
        (PromptState::Running, _) => Stop::Stopping,
        (PromptState::Completed, Some(Json(ending))) => {
            Stop::Completed(stored::event(ending, prompt.output.as_deref()))
        }
        _ => Stop::Ended,
    })
}
