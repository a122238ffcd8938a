//! What a database holds before the demo's data goes into it.

use super::{Conn, OneRow, StoreResult};
use diesel::prelude::*;
use diesel::sql_types::{Array, Bool, Uuid as SqlUuid};
use diesel_async::RunQueryDsl;
use plan_model::ids::BrandId;
use uuid::Uuid;

#[derive(QueryableByName)]
struct Answer {
    #[diesel(sql_type = Bool)]
    holds: bool,
}

/// Whether the database holds no people and no brand but this one, or these people were there before all others: then it is
/// theirs, whoever came later. May run before the first migration.
///
/// # Errors
/// If the database fails.
pub(crate) async fn is_free_for(conn: &mut Conn, people: &[Uuid], brand: BrandId) -> StoreResult<bool> {
    let is_ours =
        diesel::sql_query("SELECT to_regclass('users') IS NOT NULL AND to_regclass('brands') IS NOT NULL AS holds");
    if !is_ours.load::<Answer>(conn).await?.one()?.holds {
        let tables = diesel::sql_query(include_str!("contents/tables.sql"));
        return Ok(!tables.load::<Answer>(conn).await?.one()?.holds);
    }
    let others = diesel::sql_query(include_str!("contents/others.sql"))
        .bind::<Array<SqlUuid>, _>(people)
        .bind::<SqlUuid, _>(brand.0);
    Ok(!others.load::<Answer>(conn).await?.one()?.holds)
}
