//! Deletes old turns, a few at a time.

use crate::store::{Conn, StoreResult};
use diesel::sql_types::{BigInt, Integer};
use diesel_async::RunQueryDsl;

/// Turns per statement, so that none holds its locks for long.
const BATCH: i64 = 500;

/// Deletes a batch of turns that were started more than `days` ago and have ended, and returns whether there may be more.
/// Messages, values and the audit of their plans stay.
pub async fn delete_old_turns(mut conn: &Conn, days: u32) -> StoreResult<bool> {
    let deleted = diesel::sql_query(include_str!("retention.sql"))
        .bind::<Integer, _>(i32::try_from(days).unwrap_or(i32::MAX))
        .bind::<BigInt, _>(BATCH)
        .execute(&mut conn)
        .await?;
    Ok(i64::try_from(deleted).is_ok_and(|deleted| deleted == BATCH))
}
