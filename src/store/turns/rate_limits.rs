//! How often a user may do something: token buckets, one row per user and kind, so that a limit holds over all instances.
//!
//! A bucket holds what a minute, or an hour, allows and is refilled evenly. The table is unlogged: after a crash of the database every
//! bucket is full.

use crate::store::schema::rate_limits::{self, dsl};
use crate::store::{Conn, StoreResult};
use diesel::dsl::{IntervalDsl, now};
use diesel::prelude::*;
use diesel::sql_types::{BigInt, Double, Text, Timestamptz, Uuid as SqlUuid};
use diesel_async::RunQueryDsl;
use pg_link::prepared::{Continue, prepared};
use plan_model::ids::UserId;
use plan_model::text_enum::text_enum;
use std::time::Duration;

text_enum! {
    /// What is limited.
    pub enum RateKind {
        Turns = "turns",
        Writes = "writes",
        /// Rows of the audit of plans. A write may make as many as a plan has fields.
        Changes = "changes",
    }
}

/// Rows of about 1 KB that nothing deletes. Somebody who types sets some hundred values in an hour; without this bound, 600
/// writes a minute of all fields are 2.5 million rows.
const CHANGES_PER_HOUR: f64 = 20_000.0;

#[derive(QueryableByName)]
struct Wait {
    #[diesel(sql_type = BigInt)]
    milliseconds: i64,
}

/// Takes one token out of the user's bucket, which holds `per_minute`. `Err` is the time after which there is one.
pub(crate) async fn take(
    conn: &Conn,
    user: UserId,
    kind: RateKind,
    per_minute: i32,
) -> StoreResult<Result<(), Duration>> {
    take_some(conn, user, kind, (f64::from(per_minute), 60.0), 1.0).await
}

/// Takes so many rows of changes out of what a person may make in an hour.
pub(crate) async fn take_changes(conn: &Conn, user: UserId, rows: usize) -> StoreResult<Result<(), Duration>> {
    let rows = f64::from(u32::try_from(rows).unwrap_or(u32::MAX));
    take_some(conn, user, RateKind::Changes, (CHANGES_PER_HOUR, 3_600.0), rows).await
}

/// A bucket holds so many for so many seconds.
async fn take_some(
    mut conn: &Conn,
    user: UserId,
    kind: RateKind,
    (most, seconds): (f64, f64),
    taken: f64,
) -> StoreResult<Result<(), Duration>> {
    let per_second = most / seconds;
    let rows = prepared(include_str!("rate_limits/take.sql"))
        .bind::<SqlUuid, _>(user.0)
        .bind::<Text, _>(kind.as_str())
        .bind::<Double, _>(most - taken)
        .bind::<Double, _>(taken)
        .bind::<Double, _>(per_second)
        .bind::<Double, _>(taken)
        .bind::<Double, _>(per_second)
        .execute(&mut conn)
        .await?;
    if rows > 0 {
        return Ok(Ok(()));
    }
    let mut found: Vec<Wait> = prepared(include_str!("rate_limits/wait.sql"))
        .bind::<Double, _>(taken)
        .bind::<Double, _>(per_second)
        .bind::<SqlUuid, _>(user.0)
        .bind::<Text, _>(kind.as_str())
        .load(&mut conn)
        .await?;
    let milliseconds = found.pop().map_or(0, |wait| wait.milliseconds);
    Ok(Err(Duration::from_millis(milliseconds.max(1).unsigned_abs())))
}

/// Deletes the buckets of users who have been quiet for a day. They have been full again since the first minute of it.
pub(crate) async fn delete_idle(mut conn: &Conn) -> StoreResult<()> {
    let long_ago = now.into_sql::<Timestamptz>() - 1.day();
    diesel::delete(rate_limits::table.filter(dsl::refilled_at.lt(long_ago)))
        .execute(&mut conn)
        .await?;
    Ok(())
}
