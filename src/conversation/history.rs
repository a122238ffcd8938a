//! Reads and clears a conversation.

use crate::conversation::{Conversations, TurnError};
use crate::store::people::audit::{AuditEvent, AuditKind};
use crate::store::plans::Plan;
use crate::store::plans::conversations::{Conversation, StoredPage};
use crate::store::plans::extractions::Extraction;
use crate::store::turns::prompts::Prompt;
use crate::store::{StoreError, StoreResult};
use diesel_async::AsyncConnection;
use plan_model::access::Caller;
use plan_model::ids::{MessageId, PlanId};
use plan_model::message::Message;
use uuid::Uuid;

/// Part of a conversation.
#[derive(Debug)]
pub struct Page {
    pub messages: Vec<Message>,
    pub total_tokens_used: i64,
    /// Messages in the whole conversation.
    pub total: usize,
    /// Give it back as `before` for the messages before these.
    pub next_before: Option<MessageId>,
}

/// Which part.
#[derive(Debug, Clone, Copy, Default)]
pub struct Range {
    /// The newest so many; all when not given.
    pub limit: Option<usize>,
    /// Only messages before this one; unknown ids give an empty page.
    pub before: Option<MessageId>,
}

impl Conversations {
    /// Messages in order, each value with its current status.
    ///
    /// # Errors
    /// Where the database cannot be read.
    pub async fn history(&self, plan: PlanId, range: Range) -> StoreResult<Page> {
        let conn = self.engine().db.conn().await?;
        let StoredPage {
            mut messages,
            more_before,
            total,
            total_tokens_used,
        } = Conversation::page(&conn, plan, range.before, range.limit).await?;
        let next_before = messages.first().filter(|_| more_before).map(|message| message.id);
        let shown = messages.iter().filter_map(|message| message.extracted_values.as_ref());
        let ids: Vec<Uuid> = shown.flatten().map(|value| value.id.0).collect();
        let resolved = Extraction::resolved(&conn, plan, &ids).await?;
        for value in messages
            .iter_mut()
            .filter_map(|message| message.extracted_values.as_mut())
            .flatten()
        {
            if let Some(current) = resolved.get(&value.id.0) {
                *value = current.clone();
            }
        }
        Ok(Page {
            messages,
            total_tokens_used,
            total,
            next_before,
        })
    }

    /// Erases the words of a plan: messages, evidence and turns lose their texts, numbers and times stay.
    ///
    /// # Errors
    /// [`TurnError::Busy`] while a turn runs. Nothing is erased where it fails.
    pub async fn erase_words(&self, caller: &Caller, plan: PlanId) -> Result<(), TurnError> {
        let mut conn = self.engine().db.patient().await?;
        let running = conn
            .transaction::<_, StoreError, _>(async |conn| {
                if !Conversation::erase_words(conn, plan).await? {
                    return Ok(Some(Prompt::find_running(conn, plan).await?));
                }
                let event = AuditEvent::by(AuditKind::WordsErased, caller);
                event.plan(plan).insert(conn).await?;
                Ok(None)
            })
            .await?;
        match running {
            None => {
                self.engine().snapshots.cache.forget(plan);
                Ok(())
            }
            Some(Some(running)) => Err(TurnError::Busy(running.turn())),
            // It has ended since.
            Some(None) => Err(StoreError::Conflict("erase_words".to_owned()).into()),
        }
    }

    /// Clears the history. Audit trail and token total stay.
    ///
    /// # Errors
    /// [`TurnError::Busy`] while a turn runs.
    pub async fn clear(&self, caller: &Caller, plan: PlanId) -> Result<(), TurnError> {
        let mut conn = self.engine().db.conn().await?;
        let running = conn
            .transaction::<_, StoreError, _>(async |conn| {
                // No turn is claimed or stored between the look and the clearing.
                Plan::lock_against_turns(conn, plan).await?;
                let running = Prompt::find_running(conn, plan).await?;
                if running.is_none() {
                    Conversation::clear(conn, plan).await?;
                    AuditEvent::by(AuditKind::ConversationCleared, caller)
                        .plan(plan)
                        .insert(conn)
                        .await?;
                }
                Ok(running)
            })
            .await?;
        running.map_or(Ok(()), |running| Err(TurnError::Busy(running.turn())))
    }
}
