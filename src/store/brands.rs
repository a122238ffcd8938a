//! Brands and their immutable editions.

use super::json::Json;
use super::schema::{brand_versions, brands};
use super::{Conn, StoreResult};
use crate::model::brand::Brand;
use crate::model::field::Field;
use crate::model::ids::{BrandId, BrandVersionId};
use diesel::prelude::*;
use diesel_async::{AsyncConnection, RunQueryDsl};
use std::sync::Arc;
use uuid::Uuid;

/// One edition of a brand, with what is derived from it once.
#[derive(Debug)]
pub struct Edition {
    pub id: BrandVersionId,
    pub brand: Brand,
    /// The fields a plan of this edition has, in the catalogue's order.
    pub fields: Vec<Field>,
}

impl Edition {
    fn new(id: Uuid, brand: Brand) -> Self {
        Self {
            id: BrandVersionId(id),
            fields: brand.fields(),
            brand,
        }
    }

    #[must_use]
    pub fn field(&self, path: &str) -> Option<&Field> {
        self.fields.iter().find(|field| field.path.as_str() == path)
    }

    pub async fn load(mut conn: &Conn, id: BrandVersionId) -> StoreResult<Self> {
        let Json(brand): Json<Brand> = brand_versions::table
            .find(id.0)
            .select(brand_versions::document)
            .first(&mut conn)
            .await?;
        Ok(Self::new(id.0, brand))
    }

    /// The edition that new plans of a brand start from.
    pub async fn find_current(mut conn: &Conn, brand: BrandId) -> StoreResult<Option<Self>> {
        let row: Option<(Uuid, Json<Brand>)> = brand_versions::table
            .inner_join(
                brands::table.on(brand_versions::brand_id
                    .eq(brands::id)
                    .and(brand_versions::version.eq(brands::current_version))),
            )
            .filter(brands::id.eq(brand.0))
            .select((brand_versions::id, brand_versions::document))
            .first(&mut conn)
            .await
            .optional()?;
        Ok(row.map(|(id, Json(brand))| Self::new(id, brand)))
    }

    /// The current edition of every brand, by name.
    pub async fn list_current(mut conn: &Conn) -> StoreResult<Vec<Self>> {
        let rows: Vec<(Uuid, Json<Brand>)> = brand_versions::table
            .inner_join(
                brands::table.on(brand_versions::brand_id
                    .eq(brands::id)
                    .and(brand_versions::version.eq(brands::current_version))),
            )
            .order(brands::name)
            .select((brand_versions::id, brand_versions::document))
            .load(&mut conn)
            .await?;
        Ok(rows.into_iter().map(|(id, Json(brand))| Self::new(id, brand)).collect())
    }

    /// Stores a new edition and makes it the current one. Plans keep theirs. Adds the brand where it is new.
    pub async fn publish(conn: &mut Conn, brand: &Brand) -> StoreResult<BrandVersionId> {
        let id = Uuid::now_v7();
        conn.transaction::<_, super::StoreError, _>(async |conn| {
            let version: i32 = diesel::insert_into(brands::table)
                .values((
                    brands::id.eq(brand.id.0),
                    brands::slug.eq(&brand.slug),
                    brands::name.eq(&brand.name),
                    brands::current_version.eq(1),
                ))
                .on_conflict(brands::id)
                .do_update()
                .set((
                    brands::slug.eq(&brand.slug),
                    brands::name.eq(&brand.name),
                    brands::current_version.eq(brands::current_version + 1),
                    brands::updated_at.eq(diesel::dsl::now),
                ))
                .returning(brands::current_version)
                .get_result(conn)
                .await?;
            diesel::insert_into(brand_versions::table)
                .values((
                    brand_versions::id.eq(id),
                    brand_versions::brand_id.eq(brand.id.0),
                    brand_versions::version.eq(version),
                    brand_versions::document.eq(Json(brand.clone())),
                ))
                .execute(conn)
                .await?;
            Ok(())
        })
        .await?;
        Ok(BrandVersionId(id))
    }
}

/// Editions read by this process. Bounded; entries never grow stale because editions never change.
#[derive(Clone)]
pub struct EditionCache(moka::sync::Cache<BrandVersionId, Arc<Edition>>);

impl Default for EditionCache {
    fn default() -> Self {
        Self(moka::sync::Cache::new(256))
    }
}

impl EditionCache {
    #[must_use]
    pub fn get(&self, id: BrandVersionId) -> Option<Arc<Edition>> {
        self.0.get(&id)
    }

    pub fn put(&self, edition: Arc<Edition>) {
        self.0.insert(edition.id, edition);
    }
}
