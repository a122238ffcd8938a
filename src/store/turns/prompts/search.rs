//! Search for prompts by ids, plan, state and time. No text search.

use super::PromptState;
use crate::store::schema::prompts;
use crate::store::schema::prompts::dsl;
use crate::store::{Conn, OneRow, StoreResult};
use diesel::dsl::sql;
use diesel::pg::Pg;
use diesel::prelude::*;
use diesel::query_builder::{AstPass, Query, QueryFragment, QueryId};
use diesel::sql_types::{BigInt, Bool, Integer, SingleValue, Text, Timestamptz, Uuid as SqlUuid};
use diesel_async::RunQueryDsl;
use pg_link::literal::literal;
use plan_model::ids::{PlanId, UserId};
use plan_model::usage::Usage;
use std::marker::PhantomData;
use time::OffsetDateTime;
use uuid::Uuid;

/// Matches up to this number are counted; more are estimated.
pub(crate) const COUNTED: i64 = 1_000;

/// A turn in a list: without its ending, which is most of the row.
#[derive(Debug, Queryable, Selectable)]
#[diesel(table_name = prompts)]
pub(crate) struct ListedPrompt {
    pub id: Uuid,
    pub plan_id: Uuid,
    pub model: String,
    #[diesel(deserialize_as = String)]
    pub state: PromptState,
    pub input: String,
    pub output: Option<String>,
    pub prompt_tokens: i64,
    pub completion_tokens: i64,
    pub total_tokens: i64,
    pub usage_estimated: bool,
    pub cached_prompt_tokens: Option<i64>,
    pub cache_write_tokens: Option<i64>,
    pub reasoning_tokens: Option<i64>,
    pub error_code: Option<String>,
    pub created_at: OffsetDateTime,
    pub completed_at: Option<OffsetDateTime>,
}

/// Search conditions, combined with AND.
#[derive(Debug, Clone, Default)]
pub(crate) struct PromptQuery {
    /// The owner; `None` for administrators, who see all.
    pub user: Option<UserId>,
    pub ids: Option<Vec<Uuid>>,
    pub plan: Option<PlanId>,
    pub state: Option<PromptState>,
    pub before: Option<OffsetDateTime>,
    pub after: Option<OffsetDateTime>,
    /// Only those behind this one in the list.
    pub behind: Option<Position>,
    pub limit: i64,
    pub offset: i64,
}

/// Where a prompt is in a list.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Position {
    created_at: OffsetDateTime,
    id: Uuid,
}

/// The number of matches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Matches {
    pub total: i64,
    pub is_estimated: bool,
}

impl ListedPrompt {
    pub(crate) fn usage(&self) -> Usage {
        Usage {
            prompt_tokens: self.prompt_tokens,
            completion_tokens: self.completion_tokens,
            total_tokens: self.total_tokens,
            estimated: self.usage_estimated,
            cached_prompt_tokens: self.cached_prompt_tokens,
            cache_write_tokens: self.cache_write_tokens,
            reasoning_tokens: self.reasoning_tokens,
        }
    }
}

impl Position {
    /// Of a prompt that the user may see; `None` if there is none.
    pub(crate) async fn of(mut conn: &Conn, user: Option<UserId>, id: Uuid) -> StoreResult<Option<Self>> {
        let mut query = prompts::table.find(id).select(dsl::created_at).into_boxed();
        if let Some(user) = user {
            query = query.filter(dsl::user_id.eq(user.0));
        }
        let created_at = query.first(&mut conn).await.optional()?;
        Ok(created_at.map(|created_at| Self { created_at, id }))
    }
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
            query = query.filter(dsl::state.eq(literal(state.as_str())));
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
    pub(crate) async fn list(&self, mut conn: &Conn) -> StoreResult<Vec<ListedPrompt>> {
        let mut query = self.filtered();
        if let Some(Position { created_at, id }) = self.behind {
            let row = sql::<Bool>("(created_at, id) < (").bind::<Timestamptz, _>(created_at);
            query = query.filter(row.sql(", ").bind::<SqlUuid, _>(id).sql(")"));
        }
        let query = query
            .order((dsl::created_at.desc(), dsl::id.desc()))
            .limit(self.limit)
            .offset(self.offset);
        Ok(query.select(ListedPrompt::as_select()).load(&mut conn).await?)
    }

    /// The number of matches on all pages. Counting millions takes seconds, so large numbers are the planner's estimate.
    pub(crate) async fn count(&self, mut conn: &Conn) -> StoreResult<Matches> {
        let some = self.filtered().select(sql::<Integer>("1")).limit(COUNTED + 1);
        let counted = Around::<_, BigInt>::new("SELECT count(*) FROM (", some, ") AS counted");
        let total: i64 = counted.load(&mut conn).await?.one()?;
        if total <= COUNTED {
            return Ok(Matches {
                total,
                is_estimated: false,
            });
        }
        let all = self.filtered().select(sql::<Integer>("1"));
        let plan: String = Around::<_, Text>::new("EXPLAIN (FORMAT JSON) ", all, "")
            .load(&mut conn)
            .await?
            .one()?;
        let plan: serde_json::Value = serde_json::from_str(&plan).unwrap_or_default();
        let rows = plan.pointer("/0/Plan/Plan Rows").and_then(serde_json::Value::as_i64);
        Ok(Matches {
            total: rows.unwrap_or_default().max(total),
            is_estimated: true,
        })
    }
}

/// A query with SQL around it.
struct Around<Q, T> {
    before: &'static str,
    query: Q,
    after: &'static str,
    result: PhantomData<T>,
}

impl<Q, T> Around<Q, T> {
    fn new(before: &'static str, query: Q, after: &'static str) -> Self {
        Self {
            before,
            query,
            after,
            result: PhantomData,
        }
    }
}

impl<Q, T: SingleValue> Query for Around<Q, T> {
    type SqlType = T;
}

impl<Q, T> QueryId for Around<Q, T> {
    type QueryId = ();
    const HAS_STATIC_QUERY_ID: bool = false;
}

impl<Q: QueryFragment<Pg>, T> QueryFragment<Pg> for Around<Q, T> {
    fn walk_ast<'b>(&'b self, mut pass: AstPass<'_, 'b, Pg>) -> QueryResult<()> {
        pass.push_sql(self.before);
        self.query.walk_ast(pass.reborrow())?;
        pass.push_sql(self.after);
        Ok(())
    }
}
