//! What was measured of the models that take the second look, for all instances.

use crate::store::schema::reviewer_checks::{self, dsl};
use crate::store::{Conn, StoreResult};
use diesel::dsl::{IntervalDsl, now};
use diesel::prelude::*;
use diesel::sql_types::Timestamptz;
use diesel_async::RunQueryDsl;

/// Whether the model was fit when it was asked within the last day; `None` where it was not asked.
pub(crate) async fn find(mut conn: &Conn, model: &str) -> StoreResult<Option<bool>> {
    let yesterday = now.into_sql::<Timestamptz>() - 1.day();
    let fresh = reviewer_checks::table
        .find(model)
        .filter(dsl::measured_at.gt(yesterday));
    Ok(fresh.select(dsl::is_fit).first(&mut conn).await.optional()?)
}

/// Keeps what was measured now. Where two instances measure at once, the later one counts.
pub(crate) async fn keep(mut conn: &Conn, model: &str, is_fit: bool) -> StoreResult<()> {
    let measured = (
        dsl::is_fit.eq(is_fit),
        dsl::measured_at.eq(now.into_sql::<Timestamptz>()),
    );
    diesel::insert_into(reviewer_checks::table)
        .values((dsl::model.eq(model), measured))
        .on_conflict(dsl::model)
        .do_update()
        .set(measured)
        .execute(&mut conn)
        .await?;
    Ok(())
}
