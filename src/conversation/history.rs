//! Reads and clears a conversation.

use crate::conversation::{Conversations, TurnError};
use crate::store::people::audit::{AuditEvent, AuditKind};
use crate::store::plans::Plan;
use crate::store::plans::conversations::Conversation;
use crate::store::plans::conversations::reading::{Before, Outline};
use crate::store::plans::extractions::Extraction;
use crate::store::turns::prompts::Prompt;
use crate::store::{Conn, Db, StoreError, StoreResult};
use diesel_async::AsyncConnection;
use plan_model::access::Caller;
use plan_model::ids::PlanId;
use plan_model::message::Message;
use uuid::Uuid;

/// Which part.
#[derive(Debug, Clone, Copy, Default)]
pub struct Range {
    /// The newest so many; all when not given.
    pub limit: Option<usize>,
    /// Only messages before this one; unknown ids give an empty part.
    pub before: Option<Before>,
}

/// A part of a conversation that is read block by block. No connection is held between two blocks.
pub struct History {
    db: Db,
    plan: PlanId,
    /// `None` if nothing was ever said.
    outline: Option<Outline>,
}

impl History {
    /// What the whole of it is like.
    pub const fn outline(&self) -> Option<&Outline> {
        self.outline.as_ref()
    }

    /// Whether all blocks were read.
    pub fn is_read(&self) -> bool {
        self.outline.as_ref().is_none_or(Outline::is_read)
    }

    /// The next messages in order, each value with its current status; `None` behind the last. A call that is given up
    /// changes nothing.
    ///
    /// # Errors
    /// Where the database cannot be read.
    pub async fn block(&mut self) -> StoreResult<Option<Vec<Message>>> {
        let Some(mut outline) = self.outline.clone() else {
            return Ok(None);
        };
        let conn = self.db.conn().await?;
        let mut block = outline.block(&conn).await?;
        if let Some(messages) = &mut block {
            show_statuses(&conn, self.plan, messages).await?;
        }
        self.outline = Some(outline);
        Ok(block)
    }
}

/// Gives the values of messages their current status.
async fn show_statuses(conn: &Conn, plan: PlanId, messages: &mut [Message]) -> StoreResult<()> {
    let shown = messages.iter().filter_map(|message| message.extracted_values.as_ref());
    let ids: Vec<Uuid> = shown.flatten().map(|value| value.id.0).collect();
    let resolved = Extraction::resolved(conn, plan, &ids).await?;
    for message in messages {
        let is_erased = message.is_erased();
        for value in message.extracted_values.iter_mut().flatten() {
            if let Some(current) = resolved.get(&value.id.0) {
                *value = current.clone();
                // The words of values are erased in a batch of their own, perhaps later.
                value.evidence = value.evidence.take().filter(|_| !is_erased);
            }
        }
    }
    Ok(())
}

impl Conversations {
    /// Begins to read a conversation.
    ///
    /// # Errors
    /// Where the database cannot be read.
    pub async fn history(&self, plan: PlanId, range: Range) -> StoreResult<History> {
        let db = self.engine().db.clone();
        let outline = Conversation::outline(&*db.conn().await?, plan, range.before, range.limit).await?;
        Ok(History { db, plan, outline })
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
