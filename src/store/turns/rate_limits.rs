//! How often a user may do something: token buckets, one row per user and kind, so that a limit holds over all instances.
//!
//! A bucket holds what a minute allows and is refilled evenly. The table is unlogged: after a crash of the database every
//! bucket is full.

use crate::store::schema::rate_limits::{self, dsl};
use crate::store::{Conn, StoreResult};
use diesel::dsl::{IntervalDsl, now};
use diesel::prelude::*;
use diesel::sql_types::{BigInt, Integer, Text, Timestamptz, Uuid as SqlUuid};
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
    }
}

#[derive(QueryableByName)]
struct Wait {
    #[diesel(sql_type = BigInt)]
    milliseconds: i64,
}

/// Takes one token out of the user's bucket, which holds `per_minute`. `Err` is the time after which there is one.
pub async fn take(mut conn: &Conn, user: UserId, kind: RateKind, per_minute: i32) -> StoreResult<Result<(), Duration>> {
    let taken = prepared(include_str!("rate_limits/take.sql"))
        .bind::<SqlUuid, _>(user.0)
        .bind::<Text, _>(kind.as_str())
        .bind::<Integer, _>(per_minute)
        .execute(&mut conn)
        .await?;
    if taken > 0 {
        return Ok(Ok(()));
    }
    let mut found: Vec<Wait> = prepared(include_str!("rate_limits/wait.sql"))
        .bind::<Integer, _>(per_minute)
        .bind::<SqlUuid, _>(user.0)
        .bind::<Text, _>(kind.as_str())
        .load(&mut conn)
        .await?;
    let milliseconds = found.pop().map_or(0, |wait| wait.milliseconds);
    Ok(Err(Duration::from_millis(milliseconds.max(1).unsigned_abs())))
}

/// Deletes the buckets of users who have been quiet for a day. They have been full again since the first minute of it.
pub async fn delete_idle(mut conn: &Conn) -> StoreResult<()> {
    let long_ago = now.into_sql::<Timestamptz>() - 1.day();
    diesel::delete(rate_limits::table.filter(dsl::refilled_at.lt(long_ago)))
        .execute(&mut conn)
        .await?;
    Ok(())
}
