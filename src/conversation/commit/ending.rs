//! Ends a turn without a complete answer: failed, stopped or interrupted.

use crate::conversation::commit::records::TurnRecord;
use crate::conversation::commit::{Committed, Outcome, outcome};
use crate::conversation::retry::{self, Patience};
use crate::conversation::{Engine, TurnRequest};
use crate::store::plans::conversations::Conversation;
use crate::store::turns::prompts::{Ending, PromptState, TurnLease};
use crate::store::turns::stored_turn::{StoredTurn, limit_lock_waits};
use crate::store::{Conn, StoreError, StoreResult};
use diesel_async::AsyncConnection;
use futures_util::FutureExt;
use std::time::Duration;
use tokio::time::Instant;

/// How a turn has ended in the end.
pub(crate) enum Ended {
    AsAsked,
    /// A commit whose outcome was not known had stored the whole answer.
    Completed(Committed),
    /// Another instance has the turn.
    Lost,
}

/// Stores the end of a turn that has no whole answer. A stopped one keeps its text in the history, unless the right to write
/// there has ended; the others leave the history as it was and keep the text on the turn only. Tries again for `patience`, from
/// now on, while the database is away or somebody holds what is to be written.
pub(crate) async fn end_without_answer(
    engine: &Engine,
    request: &TurnRequest,
    lease: TurnLease,
    ending: &Ending<'_>,
    patience: Duration,
) -> StoreResult<Ended> {
    let patience = Patience {
        turn: lease.turn,
        until: Instant::now() + patience,
        leaving: &engine.restart,
        log: None,
        permits: Some((&engine.commit_permits, request.caller.effective.id)),
    };
    retry::while_away(patience, || attempt(engine, request, lease, ending).boxed()).await
}

async fn attempt(engine: &Engine, request: &TurnRequest, lease: TurnLease, ending: &Ending<'_>) -> StoreResult<Ended> {
    failpoint!("end.before");
    let mut conn = engine.db.conn().await?;
    let ended = conn.transaction::<_, StoreError, _>(async |conn| {
        limit_lock_waits(conn).await?;
        let ended =
            keep_text(engine, request, lease, ending, conn).await? || lease.end(conn, request.plan, ending).await?;
        failpoint!("end.ended");
        Ok(ended)
    });
    if ended.await? {
        return Ok(Ended::AsAsked);
    }
    Ok(match outcome(&conn, lease, ending.output.unwrap_or_default()).await? {
        Outcome::Committed(committed) => Ended::Completed(committed),
        // An attempt whose reply was lost.
        Outcome::Ended => Ended::AsAsked,
        Outcome::StillOurs | Outcome::Lost => Ended::Lost,
    })
}

/// Ends a stopped turn with its text in the history. `false`, and nothing is written, where there is none, where the lease is
/// lost, and where the people of the turn no longer have the right to write in the plan.
async fn keep_text(
    engine: &Engine,
    request: &TurnRequest,
    lease: TurnLease,
    ending: &Ending<'_>,
    conn: &Conn,
) -> StoreResult<bool> {
    let is_stopped = ending.state == PromptState::Stopped;
    let Some(text) = ending.output.filter(|text| is_stopped && !text.is_empty()) else {
        return Ok(false);
    };
    let record = TurnRecord {
        text,
        stopped: true,
        ..TurnRecord::default()
    };
    let turn = StoredTurn {
        lease,
        plan: request.plan,
        version: None,
        session: request.session.as_deref(),
        ending,
        messages: &record.messages(request, lease, engine.clock.now()),
    };
    let Some(appended) = turn.store(conn).await? else {
        return Ok(false);
    };
    Conversation::archive_surplus(conn, request.plan, &appended).await?;
    Ok(true)
}
