//! The end of a turn in one transaction: prompt, messages, tokens, values, audit and pending action together, or not at all.
//!
//! The first statement after the plan's lock checks that the lease is still held. `done` is sent only after the commit.

use crate::conversation::confirmation::Decision;
use crate::conversation::retry::Transient;
use crate::conversation::snapshot::cache::BasePlan;
use crate::conversation::stream::stored;
use crate::conversation::tools::{Intercepted, ToolContext};
use crate::conversation::{Engine, TurnRequest, retry};
use crate::plans::{Actor, EditError, PlanRef};
use crate::store::plans::conversations::Appended;
use crate::store::turns::pending_actions::PendingAction;
use crate::store::turns::prompts::{Prompt, PromptState, TurnLease};
use crate::store::{Db, StoreError, StoreResult};
use diesel_async::AsyncConnection;
use futures_util::FutureExt;
use pg_link::json::Json;
use plan_model::ids::PlanId;
use plan_model::message::{FinishReason, Message};
use plan_model::usage::Usage;
use serde_json::value::RawValue;
use std::time::Duration;

mod candidates;
mod effects;
mod ending;
mod records;
mod writer;

use writer::Writer;

pub use ending::end_without_answer;

/// What a turn has decided, to be stored.
pub enum Finished {
    Answer {
        /// The plan as the turn found it.
        base: BasePlan,
        ctx: Box<ToolContext>,
        finish: FinishReason,
        usage: Usage,
        intercepted: Option<Intercepted>,
    },
    /// A plain yes or no to a pending action; the model was not asked.
    Confirmation {
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
    /// The messages it has added; `None` where only the outcome is known.
    added: Option<(Appended, Vec<Message>)>,
}

/// Why nothing was stored.
#[derive(Debug, thiserror::Error)]
pub enum CommitError {
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

/// Drops the pending action: the franchisee has sent another message instead of a yes or no.
pub async fn drop_pending(db: &Db, plan: PlanId) -> StoreResult<()> {
    PendingAction::drop_all(&*db.conn().await?, plan).await
}

/// Stores the turn. Tries again for `patience` while the database is away; an outcome that got lost with a connection is looked up.
pub async fn commit(
    engine: &Engine,
    request: &TurnRequest,
    lease: TurnLease,
    text: &str,
    finished: Finished,
    patience: Duration,
) -> Result<Committed, CommitError> {
    // Waiting for a permit does not count as waiting for the database: a late turn still has all its attempts.
    let _permit = engine.commit_permits.acquire().await;
    retry::while_away(lease.turn, patience, &engine.restart, || {
        attempt(engine, request, lease, text, &finished).boxed()
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
        Err(CommitError::Lost) => {
            let known = Prompt::find(&conn, lease.turn).await?;
            let ours = known.filter(|prompt| prompt.attempt == lease.attempt);
            let prompt = ours.ok_or(CommitError::Lost)?;
            match prompt.state {
                PromptState::Completed => {}
                // The lease is not gone, so the rights are.
                PromptState::Running if prompt.fence == lease.fence => return Err(CommitError::Forbidden),
                _ => return Err(CommitError::Lost),
            }
            let said = prompt.output.clone().filter(|_| text.is_empty());
            let tokens = prompt.total_tokens;
            let Json(stored) = prompt.ending.as_ref().ok_or(CommitError::Lost)?;
            let json = stored::event(stored, prompt.output.as_deref());
            Ok(Committed {
                said,
                json,
                tokens,
                added: None,
            })
        }
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
