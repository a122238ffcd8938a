//! The end of a turn in one transaction: prompt, messages, tokens, values, audit and pending action together, or not at all.
//!
//! The first statement after the plan's lock asks whether the turn is still ours. `done` is said only after the commit.

use super::confirmation::Decision;
use super::context::Base;
use super::tools::{Intercepted, Workbench};
use super::{Engine, Question};
use crate::model::event::FinishReason;
use crate::model::ids::PlanId;
use crate::model::message::Usage;
use crate::store::json::Json;
use crate::store::pending_actions::PendingAction;
use crate::store::prompts::{Hold, Prompt, PromptState};
use crate::store::{Db, StoreError, StoreResult};
use diesel_async::AsyncConnection;
use serde_json::value::RawValue;
use std::time::Duration;
use tokio::time::{Instant, sleep};

mod effects;
mod ending;
mod records;
mod writer;

use effects::Settling;
use writer::Writer;

pub use ending::end_badly;
pub use records::new_change;

/// A turn waits this long for a database that is away.
pub const PATIENCE: Duration = Duration::from_secs(10);

/// What a turn wants to store.
pub enum Finished {
    Answer {
        /// The plan as the turn found it.
        base: Base,
        bench: Box<Workbench>,
        finish: FinishReason,
        usage: Usage,
        intercepted: Option<Intercepted>,
    },
    /// A plain yes or no to a pending action; the model was not asked.
    Settlement {
        pending: Box<PendingAction>,
        decision: Decision,
    },
}

/// A stored turn.
#[derive(Debug)]
pub struct Committed {
    /// Server-made text that is still to be said.
    pub said: Option<String>,
    /// The `done` event.
    pub json: Box<RawValue>,
    pub tokens: i64,
}

/// Why nothing was stored.
#[derive(Debug, thiserror::Error)]
pub enum CommitError {
    #[error("another instance has the turn")]
    Lost,
    #[error("the plan is no longer this person's")]
    Forbidden,
    #[error(transparent)]
    Store(#[from] StoreError),
}

#[cfg(feature = "failpoints")]
impl From<std::io::Error> for CommitError {
    fn from(error: std::io::Error) -> Self {
        Self::Store(error.into())
    }
}

impl From<diesel::result::Error> for CommitError {
    fn from(error: diesel::result::Error) -> Self {
        Self::Store(error.into())
    }
}

/// Forgets what waited for a yes: the franchisee speaks of something else.
pub async fn drop_pending(db: &Db, plan: PlanId) -> StoreResult<()> {
    PendingAction::drop_all(&*db.conn().await?, plan).await
}

/// Stores the turn. Tries again while the database is away; an outcome that got lost with a connection is looked up.
pub async fn commit(
    engine: &Engine,
    question: &Question,
    hold: Hold,
    text: &str,
    finished: Finished,
) -> Result<Committed, CommitError> {
    let deadline = Instant::now() + PATIENCE;
    let mut pause = Duration::from_millis(50);
    // Waiting for a place is not waiting for the database: whoever gets one late still has its try.
    let _place = engine.endings.acquire().await;
    loop {
        let error = match attempt(engine, question, hold, text, &finished).await {
            Err(CommitError::Store(error)) if error.is_transient() && Instant::now() + pause < deadline => error,
            result => return result,
        };
        tracing::warn!(turn.id = %hold.turn, error = %error, "Turn {} waits for the database", hold.turn);
        sleep(pause).await;
        pause = (pause * 2).min(Duration::from_secs(1));
    }
}

async fn attempt(
    engine: &Engine,
    question: &Question,
    hold: Hold,
    text: &str,
    finished: &Finished,
) -> Result<Committed, CommitError> {
    failpoint!("commit.before_begin");
    let edition = engine.db.edition(question.edition).await?;
    let mut conn = engine.db.conn().await?;
    let turn = Settling {
        question,
        hold,
        edition: &edition,
        now: engine.clock.now(),
    };
    let mut writer = Writer {
        engine,
        turn,
        grown: None,
    };
    let result = match writer.write_plainly(&mut conn, text, finished).await? {
        Some(committed) => Ok(committed),
        None => {
            conn.transaction::<_, CommitError, _>(async |conn| writer.write(conn, text, finished).await)
                .await
        }
    };
    if result.is_ok() {
        failpoint!("commit.after_commit");
    }
    if let (Ok(_), Some((appended, messages))) = (&result, writer.grown.take()) {
        let count = engine.settings.max_context_messages;
        engine.recent.grow(question.plan, appended, messages, count);
    }
    match result {
        // The gate was shut: by somebody else, or by ourselves in a commit whose answer never reached us.
        Err(CommitError::Lost) => {
            let known = Prompt::find(&conn, hold.turn).await?;
            let ours =
                known.filter(|prompt| prompt.attempt == hold.attempt && prompt.state() == PromptState::Completed);
            let Some(prompt) = ours else {
                return Err(CommitError::Lost);
            };
            let said = prompt.output.clone().filter(|_| text.is_empty());
            let tokens = prompt.total_tokens;
            let Json(json) = prompt.ending.ok_or(CommitError::Lost)?;
            Ok(Committed { said, json, tokens })
        }
        other => other,
    }
}
