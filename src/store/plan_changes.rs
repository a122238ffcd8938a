//! The append-only audit of plan values.

use super::json::Json;
use super::schema::plan_changes;
use super::{Conn, StoreResult};
use crate::model::ids::{ChangeId, PlanId};
use crate::model::inputs::FieldValue;
use diesel::prelude::*;
use diesel_async::RunQueryDsl;
use futures_util::future::try_join_all;
use time::OffsetDateTime;
use uuid::Uuid;

/// Why a value changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reason {
    Entry,
    Turn,
    Accept,
    Undo,
    Reset,
}

impl Reason {
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Entry => "entry",
            Self::Turn => "turn",
            Self::Accept => "accept",
            Self::Undo => "undo",
            Self::Reset => "reset",
        }
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
    pub reason: String,
    pub confidence: Option<String>,
    pub evidence: Option<String>,
    pub turn_id: Option<Uuid>,
    pub actor_id: Uuid,
    pub effective_user_id: Uuid,
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
    pub actor_id: Uuid,
    pub effective_user_id: Uuid,
}

impl PlanChange {
    /// Newest first.
    pub async fn list(mut conn: &Conn, plan: PlanId, limit: i64, offset: i64) -> StoreResult<Vec<Self>> {
        let query = plan_changes::table
            .filter(plan_changes::plan_id.eq(plan.0))
            .order(plan_changes::seq.desc());
        Ok(query
            .limit(limit)
            .offset(offset)
            .select(Self::as_select())
            .load(&mut conn)
            .await?)
    }

    pub async fn count(mut conn: &Conn, plan: PlanId) -> StoreResult<i64> {
        Ok(plan_changes::table
            .filter(plan_changes::plan_id.eq(plan.0))
            .count()
            .get_result(&mut conn)
            .await?)
    }

    pub async fn find(mut conn: &Conn, plan: PlanId, id: ChangeId) -> StoreResult<Option<Self>> {
        let query = plan_changes::table
            .filter(plan_changes::plan_id.eq(plan.0))
            .filter(plan_changes::id.eq(id.0));
        Ok(query.select(Self::as_select()).first(&mut conn).await.optional()?)
    }

    /// The newest change of a field.
    pub async fn latest_of(mut conn: &Conn, plan: PlanId, field: &str) -> StoreResult<Option<Self>> {
        let query = plan_changes::table
            .filter(plan_changes::plan_id.eq(plan.0))
            .filter(plan_changes::field.eq(field));
        Ok(query
            .order(plan_changes::seq.desc())
            .select(Self::as_select())
            .first(&mut conn)
            .await
            .optional()?)
    }

    /// In their order, all in one round trip.
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
