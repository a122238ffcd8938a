//! What owners write for a lender, beside the figures.

use crate::store::schema::plan_stories;
use crate::store::{Conn, OneRow, StoreResult};
use diesel::prelude::*;
use diesel_async::RunQueryDsl;
use pg_link::json::Json;
use plan_model::ids::PlanId;
use plan_model::story::Story;
use time::OffsetDateTime;

/// The texts of a plan at their version, which is 0 until the first text.
#[derive(Debug, Clone, Queryable, Selectable)]
#[diesel(table_name = plan_stories)]
pub struct StoredStory {
    pub texts: Json<Story>,
    pub version: i64,
    pub updated_at: OffsetDateTime,
}

impl StoredStory {
    /// `None` until the first text.
    pub async fn find(mut conn: &Conn, plan: PlanId) -> StoreResult<Option<Self>> {
        Ok(plan_stories::table
            .find(plan.0)
            .select(Self::as_select())
            .first(&mut conn)
            .await
            .optional()?)
    }

    /// Stores the texts instead of those that were there, at the next version. The caller has locked the plan.
    pub async fn replace(mut conn: &Conn, plan: PlanId, texts: &Story) -> StoreResult<Self> {
        let texts = || Json(texts.clone());
        diesel::insert_into(plan_stories::table)
            .values((
                plan_stories::plan_id.eq(plan.0),
                plan_stories::texts.eq(texts()),
                plan_stories::version.eq(1),
            ))
            .on_conflict(plan_stories::plan_id)
            .do_update()
            .set((
                plan_stories::texts.eq(texts()),
                plan_stories::version.eq(plan_stories::version + 1),
                plan_stories::updated_at.eq(diesel::dsl::now),
            ))
            .returning(Self::as_returning())
            .load(&mut conn)
            .await?
            .one()
    }
}
