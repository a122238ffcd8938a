//! The end of a turn in one transaction: prompt, messages, tokens, values, audit and pending action together, or not at all.
//!
//! The first statement after the plan's lock checks that the lease is still held. `done` is sent only after the commit.

use crate::conversation::confirmation::Decision;
use crate::conversation::retry::{Patience, Transient};
use crate::conversation::snapshot::cache::BasePlan;
use crate::conversation::stream::stored;
use crate::conversation::stream::turn_log::TurnLog;
use crate::conversation::tools::{Hints, Intercepted, ToolContext};
use crate::conversation::{Engine, TurnRequest, retry};
use crate::plans::{Actor, EditError, PlanRef};
use crate::store::plans::conversations::Appended;
use crate::store::turns::pending_actions::PendingAction;
use crate::store::turns::prompts::{Prompt, PromptState, TurnLease};
use crate::store::{Conn, StoreError, StoreResult};
use diesel_async::AsyncConnection;
use futures_util::FutureExt;
use pg_link::json::Json;
use plan_model::message::{FinishReason, Message};
use plan_model::usage::Usage;
use serde_json::value::RawValue;
use std::time::Duration;
use tokio::time::Instant;

mod candidates;
mod effects;
mod ending;
mod records;
mod writer;

use writer::Writer;

pub(super) use ending::{Ended, end_without_answer};

/// What a turn has decided, to be stored.
pub(super) enum Finished {
    Answer {
        /// The plan as the turn found it.
        base: BasePlan,
        ctx: Box<ToolContext>,
        finish: FinishReason,
        usage: Usage,
        intercepted: Option<Intercepted>,
        hints: Hints,
    },
    /// A plain yes or no to a pending action; the model was not asked.
    Confirmation { pending: PendingAction, decision: Decision },
}

/// A stored turn.
#[derive(Debug)]
pub(super) struct Committed {
    /// Server-made text that is still to be said.
    pub said: Option<String>,
    /// The `done` event.
    pub json: Box<RawValue>,
    pub tokens: i64,
    /// The messages it has added; `None` where only the outcome is known.
    added: Option<(Appended, Vec<Message>)>,
}

/// Why nothing was stored.
#[derive(Debug, thiserror::Error)]
pub(super) enum CommitError {
    #[error("another instance has the turn")]
    Lost,
    #[error("the right to write in the plan has ended")]
    Forbidden,
    #[error(transparent)]
    Edit(EditError),
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<EditError> for CommitError {
    fn from(error: EditError) -> Self {
        match error {
            EditError::Store(error) => Self::Store(error),
            error @ (EditError::UnknownField(_) | EditError::TooManyChanges(_)) => Self::Edit(error),
        }
    }
}

impl Transient for CommitError {
    fn is_transient(&self) -> bool {
        matches!(self, Self::Store(error) if error.is_transient())
    }

    fn is_contended(&self) -> bool {
        matches!(self, Self::Store(error) if error.is_contended())
    }
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

/// Stores the turn. Tries again for `patience`, from now on, while the database is away or somebody holds what is to be written;
/// an outcome that got lost with a connection is looked up.
///
/// # Errors
/// See [`CommitError`]. Once the turn is stopped or taken over it is not tried again: `log` says so.
pub(super) async fn commit(
    engine: &Engine,
    request: &TurnRequest,
    log: &TurnLog,
    text: &str,
    finished: Finished,
    patience: Duration,
) -> Result<Committed, CommitError> {
    let patience = Patience {
        turn: log.lease.turn,
        until: Instant::now() + patience,
        leaving: &engine.restart,
        log: Some(log),
        permits: Some((&engine.commit_permits, request.caller.effective.id)),
    };
    retry::while_away(patience, || {
        attempt(engine, request, log.lease, text, &finished).boxed()
    })
    .await
}

async fn attempt(
    engine: &Engine,
    request: &TurnRequest,
    lease: TurnLease,
    text: &str,
    finished: &Finished,
) -> Result<Committed, CommitError> {
    failpoint!("commit.before_begin");
    let brand_version = engine.db.brand_version(request.brand_version).await?;
    let mut conn = engine.db.conn().await?;
    let writer = Writer {
        engine,
        request,
        lease,
        actor: Actor::from(&request.caller),
        plan: PlanRef {
            id: request.plan,
            brand_version,
        },
        now: engine.clock.now(),
    };
    let result = match writer.commit_without_edits(&mut conn, text, finished).await? {
        Some(stored) => Ok(stored),
        None => {
            conn.transaction::<_, CommitError, _>(async |conn| writer.write(conn, text, finished).await)
                .await
        }
    };
    if result.is_ok() {
        failpoint!("commit.after_commit");
    }
    match result {
        // Refused: rights have ended, another instance has taken the turn over, or our own commit ended it and its reply
        // was lost.
        Err(CommitError::Lost) => match outcome(&conn, lease, text).await? {
            Outcome::Committed(committed) => Ok(committed),
            Outcome::StillOurs => Err(CommitError::Forbidden),
            Outcome::Ended | Outcome::Lost => Err(CommitError::Lost),
        },
        Err(error) => Err(error),
        Ok(mut committed) => {
            if let Some((appended, messages)) = committed.added.take() {
                let count = engine.settings.max_context_messages;
                engine.snapshots.cache.append(request.plan, appended, messages, count);
            }
            Ok(committed)
        }
    }
}

/// What has become of a turn that could not be ended.
enum Outcome {
    /// Our own commit had ended it.
    Committed(Committed),
    /// We had ended it in another way.
    Ended,
    /// It runs, and the lease is not gone: the rights are.
    StillOurs,
    Lost,
}

async fn outcome(conn: &Conn, lease: TurnLease, text: &str) -> StoreResult<Outcome> {
    let known = Prompt::find(conn, lease.turn).await?;
    let Some(prompt) = known.filter(|prompt| prompt.attempt == lease.attempt) else {
        return Ok(Outcome::Lost);
    };
    match (prompt.state, &prompt.ending) {
        (PromptState::Completed, Some(Json(stored))) => Ok(Outcome::Committed(Committed {
            said: prompt.output.clone().filter(|_| text.is_empty()),
            json: stored::event(stored, prompt.output.as_deref()),
            tokens: prompt.total_tokens,
            added: None,
        })),
        // Whoever takes a turn over moves its fence.
        _ if prompt.fence != lease.fence => Ok(Outcome::Lost),
        (PromptState::Running, _) => Ok(Outcome::StillOurs),
        _ => Ok(Outcome::Ended),
    }
}
