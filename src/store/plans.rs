//! Plans. Whoever asks for one must say in whose name: see `http::extract::plan` for the door.

use super::json::Json;
use super::prepared::{Continue, prepared};
use super::schema::{brand_versions, plans, users};
use super::{Conn, StoreResult};
use crate::model::ids::{BrandVersionId, PlanId, UserId};
use crate::model::inputs::FinancialInputs;
use diesel::prelude::*;
use diesel::sql_types::{BigInt, Jsonb, Nullable, Timestamptz, Uuid as SqlUuid};
use diesel_async::RunQueryDsl;
use time::OffsetDateTime;
use uuid::Uuid;

/// A whole plan.
#[derive(Debug, Clone, Queryable, QueryableByName, Selectable)]
#[diesel(table_name = plans)]
pub struct Plan {
    pub id: Uuid,
    pub user_id: Uuid,
    pub brand_version_id: Uuid,
    pub name: String,
    pub version: i64,
    pub financial_inputs: Option<Json<FinancialInputs>>,
    pub updated_at: OffsetDateTime,
}

/// What is needed to decide about access, without the figures.
#[derive(Debug, Clone, Queryable, Selectable)]
#[diesel(table_name = plans)]
pub struct PlanOwner {
    pub id: Uuid,
    pub user_id: Uuid,
    pub brand_version_id: Uuid,
    pub version: i64,
}

/// A plan that is ours until the transaction ends.
#[derive(Debug, QueryableByName)]
pub struct LockedPlan {
    #[diesel(sql_type = SqlUuid)]
    pub user_id: Uuid,
    #[diesel(sql_type = BigInt)]
    pub version: i64,
    /// The inputs, where they are not those of the version the caller knows.
    #[diesel(sql_type = Nullable<Jsonb>)]
    pub changed_inputs: Option<Json<FinancialInputs>>,
}

#[derive(QueryableByName)]
struct SavedInputs {
    #[diesel(sql_type = BigInt)]
    version: i64,
    #[diesel(sql_type = Timestamptz)]
    updated_at: OffsetDateTime,
}

/// A plan in a list.
#[derive(Debug, Clone, Queryable)]
pub struct PlanSummary {
    pub id: Uuid,
    pub user_id: Uuid,
    pub brand_id: Uuid,
    pub name: String,
    pub version: i64,
    pub updated_at: OffsetDateTime,
    /// Whose it is, by name.
    pub owner_name: String,
}

#[derive(Debug, Insertable)]
#[diesel(table_name = plans)]
pub struct NewPlan<'a> {
    pub id: Uuid,
    pub user_id: Uuid,
    pub brand_version_id: Uuid,
    pub name: &'a str,
    pub financial_inputs: Option<Json<FinancialInputs>>,
}

impl Plan {
    #[must_use]
    pub fn edition(&self) -> BrandVersionId {
        BrandVersionId(self.brand_version_id)
    }

    #[must_use]
    pub fn inputs(&self) -> Option<&FinancialInputs> {
        self.financial_inputs.as_ref().map(|Json(inputs)| inputs)
    }

    pub async fn load(mut conn: &Conn, id: PlanId) -> StoreResult<Self> {
        Ok(plans::table
            .find(id.0)
            .select(Self::as_select())
            .first(&mut conn)
            .await?)
    }

    /// Reads the plan and keeps others from writing it until the transaction ends.
    pub async fn lock(conn: &mut Conn, id: PlanId) -> StoreResult<Self> {
        Ok(plans::table
            .find(id.0)
            .select(Self::as_select())
            .for_no_key_update()
            .first(conn)
            .await?)
    }

    /// As [`Plan::lock`], but reads the inputs only where the plan is no longer at `version`.
    pub async fn lock_since(conn: &mut Conn, id: PlanId, version: i64) -> StoreResult<LockedPlan> {
        Ok(prepared("SELECT p.user_id, p.version, CASE WHEN p.version <> ")
            .bind::<BigInt, _>(version)
            .sql(" THEN p.financial_inputs END AS changed_inputs FROM plans p WHERE p.id = ")
            .bind::<SqlUuid, _>(id.0)
            .sql(" FOR NO KEY UPDATE")
            .get_result(conn)
            .await?)
    }

    /// Keeps others from writing the plan and from adding anything that belongs to it, until the transaction ends.
    pub async fn lock_for_deletion(conn: &mut Conn, id: PlanId) -> StoreResult<()> {
        plans::table
            .find(id.0)
            .select(plans::id)
            .for_update()
            .first::<Uuid>(conn)
            .await?;
        Ok(())
    }

    /// Writes what moved between `before`, which the row holds and which must be locked, and `after`. Returns the new version.
    /// What a newer version of the program added to a value, or to the plan, stays where it is.
    pub async fn save_inputs(
        mut conn: &Conn,
        id: PlanId,
        before: Option<&FinancialInputs>,
        after: &FinancialInputs,
    ) -> StoreResult<(i64, OffsetDateTime)> {
        let saved: SavedInputs = prepared(
            "UPDATE plans p SET version = p.version + 1, updated_at = now(), financial_inputs = coalesce(p.financial_inputs, '{}') || \
             (SELECT coalesce(jsonb_object_agg(n.key, coalesce(p.financial_inputs -> n.key, '{}') || n.value), '{}') FROM jsonb_each(",
        )
        .bind::<Jsonb, _>(Json(after.since(before)))
        .sql(") n) WHERE p.id = ")
        .bind::<SqlUuid, _>(id.0)
        .sql(" RETURNING p.version, p.updated_at")
        .get_result(&mut conn)
        .await?;
        Ok((saved.version, saved.updated_at))
    }

    pub async fn delete(conn: &mut Conn, id: PlanId) -> StoreResult<()> {
        diesel::delete(plans::table.find(id.0)).execute(conn).await?;
        Ok(())
    }
}

impl PlanOwner {
    pub async fn find(mut conn: &Conn, id: PlanId) -> StoreResult<Option<Self>> {
        Ok(plans::table
            .find(id.0)
            .select(Self::as_select())
            .first(&mut conn)
            .await
            .optional()?)
    }

    /// Several at once.
    pub async fn list(mut conn: &Conn, ids: &[PlanId]) -> StoreResult<Vec<Self>> {
        let ids = ids.iter().map(|id| id.0);
        Ok(plans::table
            .filter(plans::id.eq_any(ids))
            .select(Self::as_select())
            .load(&mut conn)
            .await?)
    }
}

impl PlanSummary {
    /// The plans of one person, or of everybody; oldest first.
    pub async fn list(mut conn: &Conn, owner: Option<UserId>) -> StoreResult<Vec<Self>> {
        let mut query = plans::table
            .inner_join(brand_versions::table)
            .inner_join(users::table.on(plans::user_id.eq(users::id)))
            .order((plans::created_at, plans::id))
            .select((
                plans::id,
                plans::user_id,
                brand_versions::brand_id,
                plans::name,
                plans::version,
                plans::updated_at,
                users::display_name,
            ))
            .into_boxed();
        if let Some(owner) = owner {
            query = query.filter(plans::user_id.eq(owner.0));
        }
        Ok(query.load(&mut conn).await?)
    }
}

impl NewPlan<'_> {
    pub async fn insert(&self, mut conn: &Conn) -> StoreResult<Plan> {
        Ok(diesel::insert_into(plans::table)
            .values(self)
            .returning(Plan::as_returning())
            .get_result(&mut conn)
            .await?)
    }
}
