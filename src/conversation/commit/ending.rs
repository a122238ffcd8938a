//! The end of a turn that has no whole answer.

use super::PATIENCE;
use super::records::pair;
use crate::conversation::{Engine, Question};
use crate::model::event::TurnFailure;
use crate::model::message::Usage;
use crate::store::conversations::Conversation;
use crate::store::prompts::{Ending, Hold, PromptState};
use crate::store::{StoreError, StoreResult};
use diesel_async::AsyncConnection;
use serde_json::value::RawValue;
use std::time::Duration;
use tokio::time::{Instant, sleep};

/// Writes the end of a turn that has no whole answer. A stopped one keeps its text in the history; the others leave the
/// history as it was and keep the text on the turn only.
#[expect(clippy::too_many_arguments, reason = "one record of how it ended, written once")]
pub async fn end_badly(
    engine: &Engine,
    question: &Question,
    hold: Hold,
    state: PromptState,
    failure: &TurnFailure,
    usage: Usage,
    text: &str,
    event: &RawValue,
) -> StoreResult<()> {
    let ending = Ending {
        state,
        output: Some(text),
        usage,
        error_code: Some(failure.code.as_str()),
        event,
    };
    let deadline = Instant::now() + PATIENCE;
    let _place = engine.endings.acquire().await;
    loop {
        let result: StoreResult<()> = async {
            failpoint!("end.before");
            let mut conn = engine.db.conn().await?;
            conn.transaction::<_, StoreError, _>(async |conn| {
                let ended = hold.end(conn, &ending).await?;
                failpoint!("end.ended");
                if ended && state == PromptState::Stopped && !text.is_empty() {
                    let messages = pair(question, hold, text, engine.clock.now(), Vec::new(), true);
                    Conversation::append(conn, question.plan, &messages, usage.total_tokens).await?;
                }
                Ok(())
            })
            .await
        }
        .await;
        match result {
            Err(error) if error.is_transient() && Instant::now() < deadline => sleep(Duration::from_millis(250)).await,
            other => return other,
        }
    }
}
