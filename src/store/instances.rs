//! Server processes that are alive, so that each knows whether it is alone.

use super::schema::instances::{self, dsl};
use super::{Conn, StoreResult};
use diesel::dsl::{IntervalDsl, now};
use diesel::prelude::*;
use diesel::sql_types::Timestamptz;
use diesel_async::RunQueryDsl;
use uuid::Uuid;

/// Tells the others that we live.
pub async fn pulse(mut conn: &Conn, id: Uuid) -> StoreResult<()> {
    diesel::insert_into(instances::table)
        .values(dsl::id.eq(id))
        .on_conflict(dsl::id)
        .do_update()
        .set(dsl::seen_at.eq(now))
        .execute(&mut conn)
        .await?;
    Ok(())
}

/// How many other instances gave a sign of life within the last seconds.
pub async fn count_others(mut conn: &Conn, id: Uuid) -> StoreResult<i64> {
    let recently = now.into_sql::<Timestamptz>() - 5.seconds();
    let query = instances::table
        .filter(dsl::id.ne(id))
        .filter(dsl::seen_at.gt(recently));
    Ok(query.count().get_result(&mut conn).await?)
}

/// Says goodbye, and forgets who has been silent for a day.
pub async fn leave(mut conn: &Conn, id: Uuid) -> StoreResult<()> {
    let long_ago = now.into_sql::<Timestamptz>() - 1.day();
    diesel::delete(instances::table.filter(dsl::id.eq(id).or(dsl::seen_at.lt(long_ago))))
        .execute(&mut conn)
        .await?;
    Ok(())
}
