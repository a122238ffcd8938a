//! Deletes what is kept for a number of days, a few rows at a time.

use super::{Conn, StoreResult};
use diesel::sql_types::{BigInt, Integer};
use diesel_async::RunQueryDsl;

/// Rows per statement, so that none holds its locks for long.
const BATCH: i64 = 500;

/// What is kept for a number of days.
#[derive(Debug, Clone, Copy)]
pub enum Aged {
    /// Turns that have ended. Messages, values and the audit of their plans stay.
    Turns,
    /// Events of the audit log; the database refuses to delete those of the last 30 days. Changes of plans stay.
    AuditEvents,
}

impl Aged {
    /// Deletes a batch of those older than `days`, and returns whether there may be more.
    pub async fn delete_some(self, mut conn: &Conn, days: u32) -> StoreResult<bool> {
        let statement = match self {
            Self::Turns => include_str!("retention/turns.sql"),
            Self::AuditEvents => include_str!("retention/audit_events.sql"),
        };
        let deleted = diesel::sql_query(statement)
            .bind::<Integer, _>(i32::try_from(days).unwrap_or(i32::MAX))
            .bind::<BigInt, _>(BATCH)
            .execute(&mut conn)
            .await?;
        Ok(i64::try_from(deleted).is_ok_and(|deleted| deleted == BATCH))
    }
}
