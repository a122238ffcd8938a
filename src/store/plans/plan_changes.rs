//! The append-only audit of plan values.

use crate::store::schema::{plan_changes, plans};
use crate::store::{Conn, OneRow, StoreResult, readable};
use diesel::dsl::sql;
use diesel::expression::SqlLiteral;
use diesel::prelude::*;
use diesel::sql_types::{Bool, Uuid as SqlUuid};
use diesel_async::RunQueryDsl;
use futures_util::future::try_join_all;
use pg_link::json::Json;
use plan_model::ids::{ChangeGroupId, ChangeId, PlanId, TurnId};
use plan_model::inputs::FieldValue;
use plan_model::text_enum::text_enum;
use time::OffsetDateTime;
use uuid::Uuid;

text_enum! {
    /// Why a value changed.
    #[derive(utoipa::ToSchema)]
    pub enum Reason {
        Entry = "entry",
        Turn = "turn",
        Accept = "accept",
        Undo = "undo",
        Reset = "reset",
        Scenario = "scenario",
    }
}

#[derive(Debug, Clone, Queryable, Selectable)]
#[diesel(table_name = plan_changes)]
pub struct PlanChange {
    pub id: Uuid,
    pub seq: i64,
    pub field: String,
    pub old_value: Option<Json<FieldValue>>,
    pub new_value: Json<FieldValue>,
    pub source: String,
    #[diesel(deserialize_as = String)]
    pub reason: Reason,
    pub confidence: Option<String>,
    pub evidence: Option<String>,
    pub turn_id: Option<Uuid>,
    pub decided_by: Option<String>,
    /// `None` if the person was removed.
    pub actor_id: Option<Uuid>,
    pub effective_user_id: Option<Uuid>,
    /// Names of people who were removed.
    pub actor_name: Option<String>,
    pub effective_user_name: Option<String>,
    pub created_at: OffsetDateTime,
}

#[derive(Debug, Insertable)]
#[diesel(table_name = plan_changes, treat_none_as_default_value = false)]
pub struct NewPlanChange {
    pub id: Uuid,
    pub plan_id: Uuid,
    pub field: String,
    pub old_value: Option<Json<FieldValue>>,
    pub new_value: Json<FieldValue>,
    pub source: String,
    pub reason: &'static str,
    pub confidence: Option<&'static str>,
    pub evidence: Option<String>,
    pub turn_id: Option<Uuid>,
    /// Changes of one edit share it.
    pub group_id: Option<Uuid>,
    pub decided_by: Option<&'static str>,
    pub actor_id: Uuid,
    pub effective_user_id: Uuid,
}

/// The group of a change. Rows of releases that knew no groups belong to their turn, else to themselves.
fn group() -> SqlLiteral<SqlUuid> {
    sql("coalesce(group_id, CASE WHEN reason IN ('turn', 'reset') THEN turn_id END, plan_changes.id)")
}

impl PlanChange {
    /// Newest first.
    pub async fn list(mut conn: &Conn, plan: PlanId, limit: i64, offset: i64) -> StoreResult<Vec<Self>> {
        let query = plan_changes::table
            .filter(plan_changes::plan_id.eq(plan.0))
            .order(plan_changes::seq.desc());
        let rows = query.limit(limit).offset(offset).select(Self::as_select());
        readable("plan_changes", plan, rows.load_stream(&mut conn).await?).await
    }

    pub async fn count(mut conn: &Conn, plan: PlanId) -> StoreResult<i64> {
        plan_changes::table
            .filter(plan_changes::plan_id.eq(plan.0))
            .count()
            .load(&mut conn)
            .await?
            .one()
    }

    pub async fn find(mut conn: &Conn, plan: PlanId, id: ChangeId) -> StoreResult<Option<Self>> {
        let query = plan_changes::table
            .filter(plan_changes::plan_id.eq(plan.0))
            .filter(plan_changes::id.eq(id.0));
        let rows = query.select(Self::as_select()).load_stream(&mut conn).await?;
        Ok(readable("plan_changes", plan, rows).await?.pop())
    }

    /// The newest change of a field.
    pub async fn latest_of(mut conn: &Conn, plan: PlanId, field: &str) -> StoreResult<Option<Self>> {
        let query = plan_changes::table
            .filter(plan_changes::plan_id.eq(plan.0))
            .filter(plan_changes::field.eq(field));
        let rows = query.order(plan_changes::seq.desc()).limit(1).select(Self::as_select());
        let found = readable("plan_changes", plan, rows.load_stream(&mut conn).await?).await;
        Ok(found?.pop())
    }

    /// The group that a change belongs to.
    pub async fn group_of(mut conn: &Conn, plan: PlanId, id: ChangeId) -> StoreResult<Option<ChangeGroupId>> {
        let query = plan_changes::table
            .filter(plan_changes::plan_id.eq(plan.0))
            .filter(plan_changes::id.eq(id.0));
        let found: Option<Uuid> = query.select(group()).first(&mut conn).await.optional()?;
        Ok(found.map(ChangeGroupId))
    }

    /// The changes of a group, oldest first.
    pub async fn list_group(mut conn: &Conn, plan: PlanId, id: ChangeGroupId) -> StoreResult<Vec<Self>> {
        let query = plan_changes::table
            .filter(plan_changes::plan_id.eq(plan.0))
            .filter(group().eq(id.0));
        let rows = query.order(plan_changes::seq).select(Self::as_select());
        readable("plan_changes", plan, rows.load_stream(&mut conn).await?).await
    }

    /// The fields that were changed after a time, also those that were changed back.
    pub async fn fields_since(mut conn: &Conn, plan: PlanId, at: OffsetDateTime) -> StoreResult<Vec<String>> {
        let query = plan_changes::table
            .filter(plan_changes::plan_id.eq(plan.0))
            .filter(plan_changes::created_at.gt(at));
        Ok(query.select(plan_changes::field).load(&mut conn).await?)
    }

    /// What a turn wrote, and what was accepted of its proposals; oldest first.
    pub async fn list_turn(mut conn: &Conn, plan: PlanId, turn: TurnId) -> StoreResult<Vec<Self>> {
        let accepted = plan_changes::turn_id
            .eq(turn.0)
            .and(plan_changes::reason.eq(Reason::Accept.as_str()));
        let query = plan_changes::table
            .filter(plan_changes::plan_id.eq(plan.0))
            .filter(group().eq(turn.0).or(accepted.assume_not_null()));
        let rows = query.order(plan_changes::seq).select(Self::as_select());
        readable("plan_changes", plan, rows.load_stream(&mut conn).await?).await
    }

    /// The newest group, undos and what came from the turn `except` aside, one of whose values is still in the plan.
    pub async fn latest_standing_group(
        mut conn: &Conn,
        plan: PlanId,
        except: Option<TurnId>,
    ) -> StoreResult<Option<ChangeGroupId>> {
        let query = plan_changes::table
            .inner_join(plans::table)
            .filter(plan_changes::plan_id.eq(plan.0))
            .filter(plan_changes::reason.ne(Reason::Undo.as_str()))
            .filter(plan_changes::turn_id.is_distinct_from(except.map_or(Uuid::nil(), |turn| turn.0)))
            .filter(sql::<Bool>(
                "plans.financial_inputs -> plan_changes.field @> plan_changes.new_value",
            ));
        let found: Option<Uuid> = query
            .order(plan_changes::seq.desc())
            .select(group())
            .first(&mut conn)
            .await
            .optional()?;
        Ok(found.map(ChangeGroupId))
    }

    /// Inserts them in order, in one round trip.
    pub async fn append(conn: &Conn, changes: &[NewPlanChange]) -> StoreResult<()> {
        try_join_all(changes.iter().map(async |change| {
            let mut conn = conn;
            diesel::insert_into(plan_changes::table)
                .values(change)
                .execute(&mut conn)
                .await
        }))
        .await?;
        Ok(())
    }
}
