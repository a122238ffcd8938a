//! Heartbeats of server processes, so that each knows whether others are alive.

use crate::store::schema::instances::{self, dsl};
use crate::store::{Conn, OneRow, StoreResult};
use diesel::dsl::{IntervalDsl, now};
use diesel::prelude::*;
use diesel::sql_types::{BigInt, Timestamptz, Uuid as SqlUuid};
use diesel_async::RunQueryDsl;
use pg_link::prepared::{Continue, prepared};
use uuid::Uuid;

#[derive(QueryableByName)]
struct Others {
    #[diesel(sql_type = BigInt)]
    others: i64,
}

/// Writes this instance's heartbeat; returns the number of other instances with a recent one.
pub(crate) async fn pulse(mut conn: &Conn, id: Uuid) -> StoreResult<i64> {
    let found: Others = prepared(
        "WITH me AS (SELECT $1 AS id), mine AS (INSERT INTO instances (id) SELECT id FROM me \
         ON CONFLICT (id) DO UPDATE SET seen_at = now()) \
         SELECT count(*) AS others FROM instances, me \
         WHERE instances.id <> me.id AND instances.seen_at > now() - interval '5 seconds'",
    )
    .bind::<SqlUuid, _>(id)
    .load(&mut conn)
    .await?
    .one()?;
    Ok(found.others)
}

/// Deletes this instance's row.
pub(crate) async fn leave(mut conn: &Conn, id: Uuid) -> StoreResult<()> {
    diesel::delete(instances::table.find(id)).execute(&mut conn).await?;
    Ok(())
}

/// Deletes rows of instances that ended without leaving, after a day.
pub(crate) async fn delete_gone(mut conn: &Conn) -> StoreResult<()> {
    let long_ago = now.into_sql::<Timestamptz>() - 1.day();
    diesel::delete(instances::table.filter(dsl::seen_at.lt(long_ago)))
        .execute(&mut conn)
        .await?;
    Ok(())
}
