//! Looking through the prompt store: by ids, plan, state and time. No text search.

use super::{Prompt, PromptState};
use crate::model::ids::{PlanId, UserId};
use crate::store::schema::prompts::{self, dsl};
use crate::store::{Conn, StoreResult};
use diesel::pg::Pg;
use diesel::prelude::*;
use diesel_async::RunQueryDsl;
use time::OffsetDateTime;
use uuid::Uuid;

/// Which prompts to find; every condition must hold.
#[derive(Debug, Clone, Default)]
pub struct PromptQuery {
    /// `None` for administrators, who see all.
    pub user: Option<UserId>,
    pub ids: Option<Vec<Uuid>>,
    pub plan: Option<PlanId>,
    pub state: Option<PromptState>,
    pub before: Option<OffsetDateTime>,
    pub after: Option<OffsetDateTime>,
    pub limit: i64,
    pub offset: i64,
}

impl PromptQuery {
    fn filtered(&self) -> prompts::BoxedQuery<'_, Pg> {
        let mut query = prompts::table.into_boxed();
        if let Some(user) = self.user {
            query = query.filter(dsl::user_id.eq(user.0));
        }
        if let Some(ids) = &self.ids {
            query = query.filter(dsl::id.eq_any(ids));
        }
        if let Some(plan) = self.plan {
            query = query.filter(dsl::plan_id.eq(plan.0));
        }
        if let Some(state) = self.state {
            query = query.filter(dsl::state.eq(state.as_str()));
        }
        if let Some(before) = self.before {
            query = query.filter(dsl::created_at.lt(before));
        }
        if let Some(after) = self.after {
            query = query.filter(dsl::created_at.gt(after));
        }
        query
    }

    /// One page, newest first.
    pub async fn list(&self, mut conn: &Conn) -> StoreResult<Vec<Prompt>> {
        let query = self
            .filtered()
            .order((dsl::created_at.desc(), dsl::id.desc()))
            .limit(self.limit)
            .offset(self.offset);
        Ok(query.select(Prompt::as_select()).load(&mut conn).await?)
    }

    /// How many there are in all pages.
    pub async fn count(&self, mut conn: &Conn) -> StoreResult<i64> {
        Ok(self.filtered().count().get_result(&mut conn).await?)
    }
}
