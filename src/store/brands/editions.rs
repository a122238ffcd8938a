//! The editions of a brand: when each was published and by whom, and which one plans stand at.

use crate::store::schema::{brand_versions, brands, left_corrections, users};
use crate::store::{Conn, StoreResult};
use diesel::prelude::*;
use diesel::sql_types::{Array, BigInt, Nullable, Text, Uuid as SqlUuid};
use diesel_async::RunQueryDsl;
use pg_link::json::Json;
use pg_link::prepared::{Continue, prepared};
use plan_model::brand::Brand;
use plan_model::field::FieldPath;
use plan_model::ids::{BrandId, BrandVersionId, PlanId};
use std::collections::HashMap;
use time::OffsetDateTime;
use uuid::Uuid;

/// Editions that are listed at most.
const MOST: i64 = 500;

/// An edition without its document.
#[derive(Debug, Clone, Queryable)]
pub(crate) struct Edition {
    pub id: Uuid,
    /// 1, 2, 3 … within the brand.
    pub version: i32,
    pub published_at: OffsetDateTime,
    /// Who published it, by the name they have or had; `None` for the demo and the command line.
    pub publisher: Option<String>,
}

/// An edition with the name that was kept of its publisher, and the one they have.
type NamedEdition = (Uuid, i32, OffsetDateTime, Option<String>, Option<String>);

impl Edition {
    /// The newest editions of a brand, newest first.
    pub(crate) async fn list(mut conn: &Conn, brand: BrandId) -> StoreResult<Vec<Self>> {
        let rows = brand_versions::table
            .left_join(users::table.on(users::id.nullable().eq(brand_versions::published_by)))
            .filter(brand_versions::brand_id.eq(brand.0))
            .order(brand_versions::version.desc())
            .limit(MOST)
            .select((
                brand_versions::id,
                brand_versions::version,
                brand_versions::created_at,
                brand_versions::publisher_name,
                users::display_name.nullable(),
            ))
            .load::<NamedEdition>(&mut conn)
            .await?;
        let edition = |(id, version, published_at, kept, name): NamedEdition| Self {
            id,
            version,
            published_at,
            publisher: kept.or(name),
        };
        Ok(rows.into_iter().map(edition).collect())
    }

    /// The editions of the same brand that are newer than one, newest first.
    pub(crate) async fn newer_than(mut conn: &Conn, edition: BrandVersionId) -> StoreResult<Vec<Self>> {
        let known = diesel::alias!(brand_versions as known);
        let rows: Vec<(Uuid, i32, OffsetDateTime)> = brand_versions::table
            .inner_join(
                known.on(known
                    .field(brand_versions::brand_id)
                    .eq(brand_versions::brand_id)
                    .and(known.field(brand_versions::version).lt(brand_versions::version))),
            )
            .filter(known.field(brand_versions::id).eq(edition.0))
            .order(brand_versions::version.desc())
            .limit(MOST)
            .select((brand_versions::id, brand_versions::version, brand_versions::created_at))
            .load(&mut conn)
            .await?;
        let edition = |(id, version, published_at)| Self {
            id,
            version,
            published_at,
            publisher: None,
        };
        Ok(rows.into_iter().map(edition).collect())
    }
}

/// The document of an edition of a brand.
pub(crate) async fn find_document(mut conn: &Conn, brand: BrandId, edition: Uuid) -> StoreResult<Option<Brand>> {
    let row: Option<Json<Brand>> = brand_versions::table
        .find(edition)
        .filter(brand_versions::brand_id.eq(brand.0))
        .select(brand_versions::document)
        .first(&mut conn)
        .await
        .optional()?;
    Ok(row.map(|Json(brand)| brand))
}

/// The current edition of a brand: its document and its version.
pub(crate) async fn find_current(conn: &Conn, brand: BrandId) -> StoreResult<Option<(Brand, i32)>> {
    let row = super::find_current_row(conn, brand).await?;
    Ok(row.map(|(_, version, Json(brand))| (brand, version)))
}

/// The version of a brand, locked until the transaction ends.
pub(crate) async fn lock(conn: &mut Conn, brand: BrandId) -> StoreResult<i32> {
    let row = brands::table.find(brand.0).select(brands::current_version);
    Ok(row.for_no_key_update().first(conn).await?)
}

#[derive(QueryableByName)]
struct Standing {
    #[diesel(sql_type = Nullable<Text>)]
    field: Option<String>,
    #[diesel(sql_type = BigInt)]
    plans: i64,
}

/// How many plans of a brand stand at its default: by field, and in any of the fields.
pub(crate) async fn count_at_default(
    mut conn: &Conn,
    brand: BrandId,
    fields: &[&FieldPath],
) -> StoreResult<(HashMap<String, i64>, i64)> {
    let paths: Vec<&str> = fields.iter().map(|path| path.as_str()).collect();
    let rows: Vec<Standing> = prepared(include_str!("count_at_default.sql"))
        .bind::<SqlUuid, _>(brand.0)
        .bind::<Array<Text>, _>(paths)
        .load(&mut conn)
        .await?;
    let mut any = 0;
    let mut by_field = HashMap::new();
    for Standing { field, plans } in rows {
        match field {
            Some(field) => drop(by_field.insert(field, plans)),
            None => any = plans,
        }
    }
    Ok((by_field, any))
}

/// The corrections that a plan's owner has left aside: the edition up to which, by field.
pub(crate) async fn list_left(mut conn: &Conn, plan: PlanId) -> StoreResult<HashMap<String, i32>> {
    let rows: Vec<(String, i32)> = left_corrections::table
        .filter(left_corrections::plan_id.eq(plan.0))
        .select((left_corrections::field, left_corrections::version))
        .load(&mut conn)
        .await?;
    Ok(rows.into_iter().collect())
}

/// Leaves the corrections of fields aside, up to an edition.
pub(crate) async fn leave(mut conn: &Conn, plan: PlanId, fields: &[FieldPath], version: i32) -> StoreResult<()> {
    let rows: Vec<_> = fields
        .iter()
        .map(|field| {
            (
                left_corrections::plan_id.eq(plan.0),
                left_corrections::field.eq(field.as_str()),
                left_corrections::version.eq(version),
            )
        })
        .collect();
    diesel::insert_into(left_corrections::table)
        .values(rows)
        .on_conflict((left_corrections::plan_id, left_corrections::field))
        .do_update()
        .set((
            left_corrections::version.eq(version),
            left_corrections::left_at.eq(diesel::dsl::now),
        ))
        .execute(&mut conn)
        .await?;
    Ok(())
}
