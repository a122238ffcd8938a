//! Ends a turn without a complete answer: failed, stopped or interrupted.

use crate::conversation::commit::records::TurnRecord;
use crate::conversation::{Engine, TurnRequest, retry};
use crate::store::plans::conversations::Conversation;
use crate::store::turns::prompts::{Ending, PromptState, TurnLease};
use crate::store::{StoreError, StoreResult};
use diesel_async::AsyncConnection;
use futures_util::FutureExt;

/// Stores the end of a turn that has no whole answer. A stopped one keeps its text in the history; the others leave the
/// history as it was and keep the text on the turn only. Tries again while the database is away.
pub async fn end_without_answer(
    engine: &Engine,
    request: &TurnRequest,
    lease: TurnLease,
    ending: &Ending<'_>,
) -> StoreResult<()> {
    let _permit = engine.commit_permits.acquire().await;
    retry::while_away(lease.turn, retry::ENDING, &engine.restart, || {
        attempt(engine, request, lease, ending).boxed()
    })
    .await
}

async fn attempt(engine: &Engine, request: &TurnRequest, lease: TurnLease, ending: &Ending<'_>) -> StoreResult<()> {
    failpoint!("end.before");
    let stopped_text = ending
        .output
        .filter(|text| ending.state == PromptState::Stopped && !text.is_empty());
    let mut conn = engine.db.conn().await?;
    conn.transaction::<_, StoreError, _>(async |conn| {
        let ended = lease.end(conn, request.plan, ending).await?;
        failpoint!("end.ended");
        if let Some(text) = stopped_text.filter(|_| ended) {
            let record = TurnRecord {
                text,
                stopped: true,
                ..TurnRecord::default()
            };
            let messages = record.messages(request, lease, engine.clock.now());
            Conversation::append(conn, request.plan, &messages, ending.usage.total_tokens).await?;
        }
        Ok(())
    })
    .await
}
