//! Plans. Access is checked by `http::extract::plan` before any query here.

use super::schema::{brand_versions, plans, users};
use super::{Conn, OneRow, StoreResult};
use diesel::prelude::*;
use diesel::sql_types::{BigInt, Date as SqlDate, Jsonb, Nullable, Text, Timestamptz, Uuid as SqlUuid};
use diesel_async::RunQueryDsl;
use pg_link::json::Json;
use pg_link::prepared::{Continue, prepared};
use plan_model::ids::{BrandVersionId, PlanId, UserId};
use plan_model::inputs::FinancialInputs;
use plan_model::month::CalendarMonth;
use time::{Date, OffsetDateTime};
use uuid::Uuid;

pub(crate) mod conversations;
pub(crate) mod documents;
pub(crate) mod extractions;
pub mod plan_changes;
pub mod scenarios;
pub mod stories;

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
    /// First day of the month in which the business opens.
    pub opening_month: Option<Date>,
}

/// The columns that decide access, without the figures.
#[derive(Debug, Clone, Queryable, Selectable)]
#[diesel(table_name = plans)]
pub struct PlanOwner {
    pub id: Uuid,
    pub user_id: Uuid,
    pub brand_version_id: Uuid,
    pub version: i64,
}

/// What is to be another, of what a plan says beside its figures.
#[derive(Debug, Clone, Copy)]
pub struct Description<'a> {
    pub name: Option<&'a str>,
    /// `Some(None)` takes it away.
    pub opening_month: Option<Option<CalendarMonth>>,
}

/// A plan that is locked until the transaction ends.
#[derive(Debug, QueryableByName)]
pub struct LockedPlan {
    #[diesel(sql_type = SqlUuid)]
    pub user_id: Uuid,
    #[diesel(sql_type = Text)]
    pub name: String,
    #[diesel(sql_type = BigInt)]
    pub version: i64,
    #[diesel(sql_type = Timestamptz)]
    pub updated_at: OffsetDateTime,
    #[diesel(sql_type = Nullable<SqlDate>)]
    pub opening_month: Option<Date>,
    /// The inputs, unless they are those of the caller's version.
    #[diesel(sql_type = Nullable<Jsonb>)]
    pub changed_inputs: Option<Json<FinancialInputs>>,
}

impl Plan {
    pub fn revision(&self) -> Revision {
        Revision {
            version: self.version,
            updated_at: self.updated_at,
        }
    }
}

/// What tells two states of a plan apart. A database that went back to an older state may give a version twice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Revision {
    pub version: i64,
    pub updated_at: OffsetDateTime,
}

impl Revision {
    /// Of a plan that is not stored.
    pub const FIRST: Self = Self {
        version: 1,
        updated_at: OffsetDateTime::UNIX_EPOCH,
    };
}

impl LockedPlan {
    pub fn revision(&self) -> Revision {
        Revision {
            version: self.version,
            updated_at: self.updated_at,
        }
    }

    /// Keeps others from writing the plan until the transaction ends, and reads it; not its inputs where the plan is still at
    /// the revision `known`.
    pub async fn lock(conn: &mut Conn, id: PlanId, known: Option<Revision>) -> StoreResult<Self> {
        prepared(
            "SELECT p.user_id, p.name, p.version, p.updated_at, p.opening_month, \
             CASE WHEN (p.version, p.updated_at) IS DISTINCT FROM ($1, $2) THEN p.financial_inputs END AS changed_inputs \
             FROM plans p WHERE p.id = $3 FOR NO KEY UPDATE",
        )
        .bind::<Nullable<BigInt>, _>(known.map(|known| known.version))
        .bind::<Nullable<Timestamptz>, _>(known.map(|known| known.updated_at))
        .bind::<SqlUuid, _>(id.0)
        .load(conn)
        .await?.one()
    }
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
    /// The owner's display name.
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
    /// The idempotency key it is created with, and the fingerprint of the request.
    pub creation_key: Option<&'a str>,
    pub creation_request: Option<&'a str>,
}

impl Plan {
    pub fn brand_version(&self) -> BrandVersionId {
        BrandVersionId(self.brand_version_id)
    }

    /// The month in which the business opens.
    pub fn opening_month(&self) -> Option<CalendarMonth> {
        self.opening_month.map(CalendarMonth::of)
    }

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

    /// Keeps others from writing the plan until the transaction ends.
    pub async fn lock(conn: &mut Conn, id: PlanId) -> StoreResult<()> {
        plans::table
            .find(id.0)
            .select(plans::id)
            .for_no_key_update()
            .first::<Uuid>(conn)
            .await?;
        Ok(())
    }

    /// Locks the plan and keeps others from adding what refers to it until the transaction ends: no turn is claimed.
    pub async fn lock_against_turns(conn: &mut Conn, id: PlanId) -> StoreResult<()> {
        plans::table
            .find(id.0)
            .select(plans::id)
            .for_update()
            .first::<Uuid>(conn)
            .await?;
        Ok(())
    }

    /// Writes the difference between `before` (the stored inputs, locked by the caller) and `after`. Returns the new version.
    /// Unknown keys that a newer version of the program stored are kept.
    pub async fn save_inputs(
        mut conn: &Conn,
        id: PlanId,
        before: Option<&FinancialInputs>,
        after: &FinancialInputs,
    ) -> StoreResult<(i64, OffsetDateTime)> {
        let saved: SavedInputs = prepared(include_str!("plans/save_inputs.sql"))
            .bind::<Jsonb, _>(Json(after.since(before)))
            .bind::<SqlUuid, _>(id.0)
            .load(&mut conn)
            .await?
            .one()?;
        Ok((saved.version, saved.updated_at))
    }

    /// The plan that a user created with an idempotency key, and the fingerprint of that request.
    pub async fn find_created(
        mut conn: &Conn,
        owner: UserId,
        key: &str,
    ) -> StoreResult<Option<(Self, Option<String>)>> {
        Ok(plans::table
            .filter(plans::user_id.eq(owner.0))
            .filter(plans::creation_key.eq(key))
            .select((Self::as_select(), plans::creation_request))
            .first(&mut conn)
            .await
            .optional()?)
    }

    /// How many plans a user has.
    pub async fn count_of(mut conn: &Conn, owner: UserId) -> StoreResult<i64> {
        let of_owner = plans::table.filter(plans::user_id.eq(owner.0));
        of_owner.count().load(&mut conn).await?.one()
    }

    /// Gives the plan another name, another opening month or both, and a new version: the entity tag covers them.
    pub async fn describe(mut conn: &Conn, id: PlanId, new: &Description<'_>) -> StoreResult<Self> {
        diesel::update(plans::table.find(id.0))
            .set((
                new.name.map(|name| plans::name.eq(name)),
                new.opening_month
                    .map(|month| plans::opening_month.eq(month.map(CalendarMonth::first_day))),
                plans::version.eq(plans::version + 1),
                plans::updated_at.eq(diesel::dsl::now),
            ))
            .returning(Self::as_returning())
            .load(&mut conn)
            .await?
            .one()
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
    /// The plans of one user, or of all, from behind the plan `after` on; oldest first, because ids grow with time. `only` leaves
    /// out all but one.
    pub async fn list(
        mut conn: &Conn,
        owner: Option<UserId>,
        only: Option<PlanId>,
        after: Option<PlanId>,
        limit: i64,
    ) -> StoreResult<Vec<Self>> {
        let mut query = plans::table
            .inner_join(brand_versions::table)
            .inner_join(users::table.on(plans::user_id.eq(users::id)))
            .order(plans::id)
            .limit(limit)
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
        if let Some(only) = only {
            query = query.filter(plans::id.eq(only.0));
        }
        if let Some(after) = after {
            query = query.filter(plans::id.gt(after.0));
        }
        Ok(query.load(&mut conn).await?)
    }
}

impl NewPlan<'_> {
    /// `None`, and nothing is added, if there is a plan with the same id, or of the same user with the same key.
    pub async fn insert(&self, mut conn: &Conn) -> StoreResult<Option<Plan>> {
        Ok(diesel::insert_into(plans::table)
            .values(self)
            .on_conflict_do_nothing()
            .returning(Plan::as_returning())
            .load(&mut conn)
            .await?
            .pop())
    }
}
