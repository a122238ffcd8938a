//! Deletes or erases what is kept for a number of days, a few rows at a time.
//!
//! Rows that somebody else has locked are left for the next time: instances do this side by side, and nobody waits for it. A row
//! that cannot be treated is found by halving its batch, reported and passed over.

use super::{Conn, StoreError, StoreResult};
use diesel::QueryableByName;
use diesel::sql_types::{BigInt, Double, Integer, Text};
use diesel_async::RunQueryDsl;

/// What is kept for a number of days.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Aged {
    /// Turns that have ended. Messages, values and the audit of their plans stay.
    Turns,
    /// Events of the audit log; the database refuses to delete those of the last 30 days. Changes of plans stay.
    AuditEvents,
    /// The words of turns that have ended.
    TurnWords,
    /// The words of messages that are not in the archive, and of the values with them.
    MessageWords,
    /// The words of messages in the archive.
    ArchivedWords,
    /// The words that extracted values came from.
    ValueWords,
    /// The words that changes of plans came from.
    ChangeWords,
    /// Confirmations that were asked for and never given.
    Confirmations,
}

/// What a batch has come to.
#[derive(Debug, Default)]
pub struct Batch {
    pub may_be_more: bool,
    /// Rows that could not be treated, and why.
    pub failed: Vec<(String, StoreError)>,
}

impl Batch {
    /// How many rows could not be treated.
    pub fn failed_count(&self) -> i64 {
        i64::try_from(self.failed.len()).unwrap_or(i64::MAX)
    }
}

/// A row that should be gone.
#[derive(Debug, QueryableByName)]
pub struct Overdue {
    /// Its key; of a message the plan's.
    #[diesel(sql_type = Text)]
    pub key: String,
    /// How long it should have been gone.
    #[diesel(sql_type = Double)]
    pub overdue_seconds: f64,
}

impl Aged {
    /// All that people said, wherever it is kept.
    pub const WORDS: [Self; 6] = [
        Self::TurnWords,
        Self::MessageWords,
        Self::ArchivedWords,
        Self::ValueWords,
        Self::ChangeWords,
        Self::Confirmations,
    ];

    /// As metrics and logs name it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Turns => "turns",
            Self::AuditEvents => "audit_events",
            Self::TurnWords => "turn_words",
            Self::MessageWords => "message_words",
            Self::ArchivedWords => "archived_words",
            Self::ValueWords => "value_words",
            Self::ChangeWords => "change_words",
            Self::Confirmations => "confirmations",
        }
    }

    /// Deletes or erases a batch of those older than `days`, behind the first `skipped` of them. The age of words counts in
    /// whole hours, so that a conversation is rewritten once for all its messages of an hour.
    ///
    /// # Errors
    /// If the database is away. A row that fails is in the answer instead.
    pub async fn forget_some(self, conn: &Conn, days: u32, skipped: i64) -> StoreResult<Batch> {
        let mut batch = Batch::default();
        let mut todo = vec![self.batch()];
        while let Some(count) = todo.pop() {
            let behind = skipped + batch.failed_count();
            match self.forget(conn, days, count, behind).await {
                Ok(forgotten) if forgotten < count => return Ok(batch),
                Ok(_) => {}
                Err(error @ (StoreError::Unavailable(_) | StoreError::NotFound)) => return Err(error),
                // The first half first: what is passed over is counted from the front.
                Err(_) if count > 1 => todo.extend([count - count / 2, count / 2]),
                Err(error) => {
                    let Some(oldest) = self.oldest(conn, days, behind).await? else {
                        return Ok(batch);
                    };
                    batch.failed.push((oldest.key, error));
                }
            }
        }
        batch.may_be_more = true;
        Ok(batch)
    }

    async fn forget(self, mut conn: &Conn, days: u32, count: i64, behind: i64) -> StoreResult<i64> {
        let forgotten = diesel::sql_query(self.statement())
            .bind::<Integer, _>(i32::try_from(days).unwrap_or(i32::MAX))
            .bind::<BigInt, _>(count)
            .bind::<BigInt, _>(behind)
            .execute(&mut conn)
            .await?;
        Ok(i64::try_from(forgotten).unwrap_or(count))
    }

    /// The oldest that should be gone, behind so many of them.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn oldest(self, mut conn: &Conn, days: u32, behind: i64) -> StoreResult<Option<Overdue>> {
        let (key, at, due) = self.due();
        let sql = format!(
            "SELECT ({key})::text AS key, extract(epoch FROM now() - make_interval(days => $1) - {at})::double precision AS overdue_seconds \
             FROM {due} ORDER BY {at} LIMIT 1 OFFSET $2"
        );
        let found: Vec<Overdue> = diesel::sql_query(sql)
            .bind::<Integer, _>(i32::try_from(days).unwrap_or(i32::MAX))
            .bind::<BigInt, _>(behind)
            .load(&mut conn)
            .await?;
        Ok(found.into_iter().next())
    }

    /// Which row it is, how old it is, and which are due: `now() - interval` is of the time that [`Self::oldest`] binds.
    const fn due(self) -> (&'static str, &'static str, &'static str) {
        match self {
            Self::Turns => (
                "id",
                "created_at",
                "prompts WHERE created_at < now() - make_interval(days => $1) AND state <> 'running'",
            ),
            Self::AuditEvents => (
                "id",
                "created_at",
                "audit_events WHERE created_at < now() - make_interval(days => $1)",
            ),
            Self::TurnWords => (
                "id",
                "created_at",
                "prompts WHERE (input <> '' OR output <> '') AND state <> 'running' \
                 AND created_at < date_trunc('hour', now()) - make_interval(days => $1)",
            ),
            Self::MessageWords => (
                "plan_id",
                "words_from",
                "ai_conversations WHERE words_from < date_trunc('hour', now()) - make_interval(days => $1)",
            ),
            Self::ArchivedWords => (
                "plan_id || ' ' || position",
                "coalesce(message_time(message), now() - make_interval(days => $1))",
                "(SELECT * FROM ai_conversation_archive WHERE NOT message ? 'erased' \
                 ORDER BY (message ->> 'timestamp') COLLATE \"C\" LIMIT 1000) a \
                 WHERE message_time(message) < date_trunc('hour', now()) - make_interval(days => $1)",
            ),
            Self::ValueWords => (
                "id",
                "created_at",
                "extractions WHERE details ->> 'evidence' IS NOT NULL \
                 AND created_at < date_trunc('hour', now()) - make_interval(days => $1)",
            ),
            Self::ChangeWords => (
                "id",
                "created_at",
                "plan_changes WHERE evidence IS NOT NULL AND created_at < date_trunc('hour', now()) - make_interval(days => $1)",
            ),
            Self::Confirmations => (
                "plan_id",
                "expires_at",
                "pending_actions WHERE expires_at < now() - make_interval(days => $1)",
            ),
        }
    }

    /// Rows per statement, so that none holds its locks for long: about 500 turns, messages, values or events.
    const fn batch(self) -> i64 {
        match self {
            // Up to 100 messages each, 10 to 50 in a long conversation.
            Self::MessageWords => 20,
            _ => 500,
        }
    }

    const fn statement(self) -> &'static str {
        match self {
            Self::Turns => include_str!("retention/turns.sql"),
            Self::AuditEvents => include_str!("retention/audit_events.sql"),
            Self::TurnWords => include_str!("retention/turn_words.sql"),
            Self::MessageWords => include_str!("retention/message_words.sql"),
            Self::ArchivedWords => include_str!("retention/archived_words.sql"),
            Self::ValueWords => include_str!("retention/value_words.sql"),
            // Nothing in a row can make it fail, so that it passes over none.
            Self::ChangeWords => "SELECT erase_old_evidence($1, $2::integer) WHERE $3::bigint >= 0",
            Self::Confirmations => include_str!("retention/confirmations.sql"),
        }
    }
}
