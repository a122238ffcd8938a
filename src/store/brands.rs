//! Brands and their immutable versions.

use super::schema::{brand_versions, brands};
use super::{Conn, OneRow, StoreError, StoreResult};
use crate::lru::Lru;
use diesel::prelude::*;
use diesel_async::{AsyncConnection, RunQueryDsl};
use pg_link::json::Json;
use plan_model::brand::Brand;
use plan_model::field::Field;
use plan_model::ids::{BrandId, BrandVersionId, UserId};
use std::sync::Arc;
use uuid::Uuid;

pub(crate) mod editions;

/// A brand version with its derived data, computed once.
#[derive(Debug)]
pub struct BrandVersion {
    pub id: BrandVersionId,
    pub brand: Brand,
    /// The fields of a plan of this version, in the catalog's order.
    pub fields: Arc<[Field]>,
}

impl BrandVersion {
    fn new(id: Uuid, brand: Brand) -> Self {
        Self {
            id: BrandVersionId(id),
            fields: brand.fields().into(),
            brand,
        }
    }

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

    /// The version that new plans start from.
    pub async fn find_current(conn: &Conn, brand: BrandId) -> StoreResult<Option<Self>> {
        let row = find_current_row(conn, brand).await?;
        Ok(row.map(|(id, _, Json(brand))| Self::new(id, brand)))
    }

    /// The current version of every brand, by name.
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

    /// Adds a brand with its first version. [`StoreError::Conflict`] where its id or slug is taken.
    pub async fn create(conn: &mut Conn, brand: &Brand, by: Option<UserId>) -> StoreResult<BrandVersionId> {
        conn.transaction::<_, StoreError, _>(async |conn| {
            diesel::insert_into(brands::table)
                .values((
                    brands::id.eq(brand.id.0),
                    brands::slug.eq(&brand.slug),
                    brands::name.eq(&brand.name),
                    brands::current_version.eq(1),
                ))
                .execute(conn)
                .await?;
            Self::append(conn, brand, 1, by).await
        })
        .await
    }

    /// Stores a new version and makes it the current one. Plans keep theirs. [`StoreError::NotFound`] without such a brand.
    /// Runs in the caller's transaction.
    pub async fn publish(conn: &mut Conn, brand: &Brand, by: UserId) -> StoreResult<(BrandVersionId, i32)> {
        let version: i32 = diesel::update(brands::table.find(brand.id.0))
            .set((
                brands::slug.eq(&brand.slug),
                brands::name.eq(&brand.name),
                brands::current_version.eq(brands::current_version + 1),
                brands::updated_at.eq(diesel::dsl::now),
            ))
            .returning(brands::current_version)
            .load(conn)
            .await?
            .one()?;
        Ok((Self::append(conn, brand, version, Some(by)).await?, version))
    }

    async fn append(conn: &mut Conn, brand: &Brand, version: i32, by: Option<UserId>) -> StoreResult<BrandVersionId> {
        let id = BrandVersionId::fresh();
        diesel::insert_into(brand_versions::table)
            .values((
                brand_versions::id.eq(id.0),
                brand_versions::brand_id.eq(brand.id.0),
                brand_versions::version.eq(version),
                brand_versions::document.eq(Json(brand.clone())),
                brand_versions::published_by.eq(by.map(|by| by.0)),
            ))
            .execute(conn)
            .await?;
        Ok(id)
    }
}

/// Cache of brand versions. Bounded; never stale, because versions are immutable.
#[derive(Clone)]
pub struct BrandVersionCache(Lru<BrandVersionId, Arc<BrandVersion>>);

impl Default for BrandVersionCache {
    fn default() -> Self {
        Self(Lru::new(256))
    }
}

impl BrandVersionCache {
    pub fn get(&self, id: BrandVersionId) -> Option<Arc<BrandVersion>> {
        self.0.get(&id)
    }

    pub fn put(&self, brand_version: Arc<BrandVersion>) {
        self.0.insert(brand_version.id, brand_version);
    }
}

/// Whether there is such a brand.
pub async fn brand_exists(mut conn: &Conn, id: BrandId) -> StoreResult<bool> {
    let known = diesel::dsl::exists(brands::table.find(id.0));
    diesel::select(known).load(&mut conn).await?.one()
}

/// Id, version and document of a brand's current version.
async fn find_current_row(mut conn: &Conn, brand: BrandId) -> StoreResult<Option<(Uuid, i32, Json<Brand>)>> {
    let row = brand_versions::table
        .inner_join(
            brands::table.on(brand_versions::brand_id
                .eq(brands::id)
                .and(brand_versions::version.eq(brands::current_version))),
        )
        .filter(brands::id.eq(brand.0))
        .select((brand_versions::id, brand_versions::version, brand_versions::document));
    Ok(row.first(&mut conn).await.optional()?)
}

/// The display name of a brand, if it exists.
pub async fn find_brand_name(mut conn: &Conn, id: BrandId) -> StoreResult<Option<String>> {
    let row = brands::table.find(id.0).select(brands::name);
    Ok(row.first(&mut conn).await.optional()?)
}

/// The brand with this slug.
pub async fn find_brand_by_slug(mut conn: &Conn, slug: &str) -> StoreResult<Option<BrandId>> {
    let found = brands::table.filter(brands::slug.eq(slug)).select(brands::id);
    let id: Option<Uuid> = found.first(&mut conn).await.optional()?;
    Ok(id.map(BrandId))
}
