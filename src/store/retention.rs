//! Deletes or erases what is kept for a number of days, a few rows at a time.
//!
//! Rows that somebody else has locked are left for the next time: instances do this side by side, and nobody waits for it.

use super::{Conn, StoreResult};
use diesel::sql_types::{BigInt, Integer};
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

    /// Deletes or erases a batch of those older than `days`, and returns whether there may be more. The age of words counts
    /// in whole hours, so that a conversation is rewritten once for all its messages of an hour.
    pub async fn forget_some(self, mut conn: &Conn, days: u32) -> StoreResult<bool> {
        let batch = self.batch();
        let forgotten = diesel::sql_query(self.statement())
            .bind::<Integer, _>(i32::try_from(days).unwrap_or(i32::MAX))
            .bind::<BigInt, _>(batch)
            .execute(&mut conn)
            .await?;
        Ok(i64::try_from(forgotten).is_ok_and(|forgotten| forgotten >= batch))
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
            Self::ChangeWords => "SELECT erase_old_evidence($1, $2::integer)",
            Self::Confirmations => include_str!("retention/confirmations.sql"),
        }
    }
}
