//! Stored scenarios of plans.

use crate::store::schema::plan_scenarios;
use crate::store::{Conn, StoreResult, readable};
use diesel::prelude::*;
use diesel_async::RunQueryDsl;
use pg_link::json::Json;
use plan_model::ids::{PlanId, ScenarioId, UserId};
use plan_model::scenario::{Overrides, name_key};
use time::OffsetDateTime;
use uuid::Uuid;

/// Name of the constraint that makes names unique in a plan.
pub const UNIQUE_NAME: &str = "plan_scenarios_name";

#[derive(Debug, Clone, Queryable, Selectable)]
#[diesel(table_name = plan_scenarios)]
pub struct Scenario {
    pub id: Uuid,
    pub name: String,
    pub overrides: Json<Overrides>,
    pub created_at: OffsetDateTime,
    pub updated_at: OffsetDateTime,
}

/// A scenario to store, with a name that has been checked.
#[derive(Debug)]
pub struct NewScenario<'a> {
    pub plan: PlanId,
    pub name: &'a str,
    pub overrides: &'a Overrides,
    pub by: UserId,
}

impl Scenario {
    /// A plan's scenarios, oldest first, because ids grow with time.
    pub async fn list(mut conn: &Conn, plan: PlanId) -> StoreResult<Vec<Self>> {
        let rows = plan_scenarios::table
            .filter(plan_scenarios::plan_id.eq(plan.0))
            .order(plan_scenarios::id)
            .select(Self::as_select());
        readable("plan_scenarios", plan, rows.load_stream(&mut conn).await?).await
    }

    pub async fn find(mut conn: &Conn, plan: PlanId, id: ScenarioId) -> StoreResult<Option<Self>> {
        let rows = plan_scenarios::table
            .find(id.0)
            .filter(plan_scenarios::plan_id.eq(plan.0))
            .select(Self::as_select());
        let found = readable("plan_scenarios", plan, rows.load_stream(&mut conn).await?).await;
        Ok(found?.pop())
    }

    /// `None` where the plan has no such scenario; [`crate::store::StoreError::Conflict`] where another one has the name.
    pub async fn update(
        mut conn: &Conn,
        plan: PlanId,
        id: ScenarioId,
        name: Option<&str>,
        overrides: Option<&Overrides>,
    ) -> StoreResult<Option<Self>> {
        let values = (
            name.map(|name| {
                (
                    plan_scenarios::name.eq(name),
                    plan_scenarios::name_key.eq(name_key(name)),
                )
            }),
            overrides.map(|overrides| plan_scenarios::overrides.eq(Json(overrides.clone()))),
            plan_scenarios::updated_at.eq(diesel::dsl::now),
        );
        let row = plan_scenarios::table
            .find(id.0)
            .filter(plan_scenarios::plan_id.eq(plan.0));
        Ok(diesel::update(row)
            .set(values)
            .returning(Self::as_returning())
            .load(&mut conn)
            .await?
            .pop())
    }

    /// Whether there was one to delete.
    pub async fn delete(mut conn: &Conn, plan: PlanId, id: ScenarioId) -> StoreResult<bool> {
        let row = plan_scenarios::table
            .find(id.0)
            .filter(plan_scenarios::plan_id.eq(plan.0));
        Ok(diesel::delete(row).execute(&mut conn).await? == 1)
    }
}

impl NewScenario<'_> {
    /// `None`, and nothing is stored, where the plan has a scenario of that name.
    pub async fn insert(&self, mut conn: &Conn) -> StoreResult<Option<Scenario>> {
        Ok(diesel::insert_into(plan_scenarios::table)
            .values((
                plan_scenarios::id.eq(ScenarioId::fresh().0),
                plan_scenarios::plan_id.eq(self.plan.0),
                plan_scenarios::name.eq(self.name),
                plan_scenarios::name_key.eq(name_key(self.name)),
                plan_scenarios::overrides.eq(Json(self.overrides.clone())),
                plan_scenarios::created_by.eq(self.by.0),
            ))
            .on_conflict((plan_scenarios::plan_id, plan_scenarios::name_key))
            .do_nothing()
            .returning(Scenario::as_returning())
            .load(&mut conn)
            .await?
            .pop())
    }
}
