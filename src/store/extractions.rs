//! Values heard in a conversation and what became of them.

use super::json::Json;
use super::schema::extractions;
use super::{Conn, StoreResult};
use crate::model::extracted::{ExtractedValue, Status};
use crate::model::ids::{ExtractionId, PlanId, TurnId, UserId};
use crate::model::number::Number;
use diesel::prelude::*;
use diesel_async::RunQueryDsl;
use futures_util::future::try_join_all;
use std::collections::HashMap;
use uuid::Uuid;

/// A stored value with its current status.
#[derive(Debug, Clone, Queryable, Selectable)]
#[diesel(table_name = extractions)]
pub struct Extraction {
    pub id: Uuid,
    pub turn_id: Uuid,
    pub field: String,
    pub status: String,
    pub details: Json<ExtractedValue>,
}

#[derive(Debug, Insertable)]
#[diesel(table_name = extractions, treat_none_as_default_value = false)]
pub struct NewExtraction {
    id: Uuid,
    plan_id: Uuid,
    turn_id: Uuid,
    field: String,
    status: &'static str,
    confidence: &'static str,
    value: Json<Number>,
    details: Json<ExtractedValue>,
    evidence_start: Option<i32>,
    evidence_end: Option<i32>,
}

impl NewExtraction {
    #[must_use]
    pub fn new(plan: PlanId, turn: TurnId, value: &ExtractedValue, span: Option<(usize, usize)>) -> Self {
        let offset = |at: usize| i32::try_from(at).ok();
        Self {
            id: value.id.0,
            plan_id: plan.0,
            turn_id: turn.0,
            field: value.field.to_string(),
            status: value.status.as_str(),
            confidence: value.confidence.as_str(),
            value: Json(value.value),
            details: Json(value.clone()),
            evidence_start: span.and_then(|(start, _)| offset(start)),
            evidence_end: span.and_then(|(_, end)| offset(end)),
        }
    }

    /// Row by row, all in one round trip: a statement of fixed length is prepared once.
    pub async fn insert_all(conn: &Conn, rows: &[Self]) -> StoreResult<()> {
        try_join_all(rows.iter().map(async |row| {
            let mut conn = conn;
            diesel::insert_into(extractions::table)
                .values(row)
                .execute(&mut conn)
                .await
        }))
        .await?;
        Ok(())
    }
}

impl Extraction {
    /// The value with its current status.
    #[must_use]
    pub fn current(&self) -> ExtractedValue {
        let Json(mut value) = self.details.clone();
        value.status = Status::parse(&self.status).unwrap_or(value.status);
        value.applied = matches!(value.status, Status::Applied | Status::Accepted);
        value
    }

    pub async fn find(mut conn: &Conn, plan: PlanId, id: ExtractionId) -> StoreResult<Option<Self>> {
        let query = extractions::table
            .filter(extractions::plan_id.eq(plan.0))
            .filter(extractions::id.eq(id.0));
        Ok(query.select(Self::as_select()).first(&mut conn).await.optional()?)
    }

    /// The current form of the values that were settled after their turn, by id.
    pub async fn settled(mut conn: &Conn, plan: PlanId) -> StoreResult<HashMap<Uuid, ExtractedValue>> {
        let rows: Vec<Self> = extractions::table
            .filter(extractions::plan_id.eq(plan.0))
            .filter(extractions::settled_at.is_not_null())
            .select(Self::as_select())
            .load(&mut conn)
            .await?;
        Ok(rows.iter().map(|row| (row.id, row.current())).collect())
    }

    /// Settles a proposed value once. `false` where somebody was faster or it was never open.
    pub async fn settle(conn: &mut Conn, plan: PlanId, value: &ExtractedValue, by: UserId) -> StoreResult<bool> {
        let open = extractions::table
            .filter(extractions::plan_id.eq(plan.0))
            .filter(extractions::id.eq(value.id.0))
            .filter(extractions::status.eq(Status::Proposed.as_str()));
        let rows = diesel::update(open)
            .set((
                extractions::status.eq(value.status.as_str()),
                extractions::value.eq(Json(value.value)),
                extractions::details.eq(Json(value.clone())),
                extractions::settled_at.eq(diesel::dsl::now),
                extractions::settled_by.eq(by.0),
            ))
            .execute(conn)
            .await?;
        Ok(rows == 1)
    }

    /// Ends the open proposals of fields that were set otherwise.
    pub async fn overtake(mut conn: &Conn, plan: PlanId, fields: &[String], by: UserId) -> StoreResult<()> {
        if fields.is_empty() {
            return Ok(());
        }
        let open = extractions::table
            .filter(extractions::plan_id.eq(plan.0))
            .filter(extractions::field.eq_any(fields))
            .filter(extractions::status.eq(Status::Proposed.as_str()));
        diesel::update(open)
            .set((
                extractions::status.eq(Status::Dismissed.as_str()),
                extractions::settled_at.eq(diesel::dsl::now),
                extractions::settled_by.eq(by.0),
            ))
            .execute(&mut conn)
            .await?;
        Ok(())
    }
}
