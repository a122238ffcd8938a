//! The one `ai_conversations` row of a plan. Append happens in SQL, never by load, push, save.

use super::json::Json;
use super::schema::ai_conversations::{self, dsl};
use super::{Conn, StoreResult};
use crate::model::ids::PlanId;
use crate::model::message::Message;
use diesel::prelude::*;
use diesel::sql_types::{BigInt, Jsonb, Nullable, Timestamptz, Uuid as SqlUuid};
use diesel_async::RunQueryDsl;
use time::OffsetDateTime;
use uuid::Uuid;

/// A conversation as it is shown.
#[derive(Debug, Default)]
pub struct Conversation {
    pub messages: Vec<Message>,
    pub total_tokens_used: i64,
}

/// The newest messages, with what tells whether they are still the newest.
#[derive(Debug, Default, Clone)]
pub struct Window {
    /// Moves with every change of the conversation; `None` where nothing was ever said.
    pub updated_at: Option<OffsetDateTime>,
    pub messages: Vec<Message>,
}

/// When the conversation changed last, before and after messages were added.
#[derive(Debug, Clone, Copy, QueryableByName)]
pub struct Appended {
    #[diesel(sql_type = Nullable<Timestamptz>)]
    pub before: Option<OffsetDateTime>,
    #[diesel(sql_type = Timestamptz)]
    pub after: OffsetDateTime,
}

#[derive(QueryableByName)]
struct WindowRow {
    #[diesel(sql_type = Timestamptz)]
    updated_at: OffsetDateTime,
    #[diesel(sql_type = Nullable<Jsonb>)]
    messages: Option<Json<Vec<Message>>>,
}

impl Conversation {
    /// All messages in order; empty where nothing was ever said.
    pub async fn of_plan(mut conn: &Conn, plan: PlanId) -> StoreResult<Self> {
        let row: Option<(Json<Vec<Message>>, i64)> = ai_conversations::table
            .filter(dsl::plan_id.eq(plan.0))
            .select((dsl::messages, dsl::total_tokens_used))
            .first(&mut conn)
            .await
            .optional()?;
        Ok(
            row.map_or_else(Self::default, |(Json(messages), total_tokens_used)| Self {
                messages,
                total_tokens_used,
            }),
        )
    }

    /// The newest `count` messages, oldest of them first; `None` where the conversation is as it was at `known`, so that its
    /// messages need not be read, unpacked and sent again.
    pub async fn window(
        mut conn: &Conn,
        plan: PlanId,
        count: i64,
        known: Option<OffsetDateTime>,
    ) -> StoreResult<Option<Window>> {
        let row: Option<WindowRow> = diesel::sql_query(
            "SELECT updated_at, CASE WHEN updated_at IS DISTINCT FROM $3 THEN \
             jsonb_path_query_array(messages, '$[$from to last]', \
             jsonb_build_object('from', greatest(jsonb_array_length(messages) - $2, 0))) END AS messages \
             FROM ai_conversations WHERE plan_id = $1",
        )
        .bind::<SqlUuid, _>(plan.0)
        .bind::<BigInt, _>(count)
        .bind::<Nullable<Timestamptz>, _>(known)
        .get_result(&mut conn)
        .await
        .optional()?;
        let Some(row) = row else {
            return Ok(Some(Window::default()));
        };
        let updated_at = Some(row.updated_at);
        Ok(row.messages.map(|Json(messages)| Window { updated_at, messages }))
    }

    /// Adds messages and tokens, making the row where it is missing.
    pub async fn append(conn: &mut Conn, plan: PlanId, messages: Vec<Message>, tokens: i64) -> StoreResult<Appended> {
        Ok(diesel::sql_query(
            "WITH earlier AS (SELECT updated_at FROM ai_conversations WHERE plan_id = $2) \
             INSERT INTO ai_conversations AS c (id, plan_id, messages, total_tokens_used) VALUES ($1, $2, $3, $4) \
             ON CONFLICT (plan_id) DO UPDATE SET messages = c.messages || excluded.messages, \
             total_tokens_used = c.total_tokens_used + excluded.total_tokens_used, updated_at = now() \
             RETURNING c.updated_at AS after, (SELECT updated_at FROM earlier) AS before",
        )
        .bind::<SqlUuid, _>(Uuid::now_v7())
        .bind::<SqlUuid, _>(plan.0)
        .bind::<Jsonb, _>(Json(messages))
        .bind::<BigInt, _>(tokens.max(0))
        .get_result(conn)
        .await?)
    }

    /// Empties the history. The token total stays.
    pub async fn clear(conn: &mut Conn, plan: PlanId) -> StoreResult<()> {
        diesel::update(ai_conversations::table.filter(dsl::plan_id.eq(plan.0)))
            .set((
                dsl::messages.eq(Json(Vec::<Message>::new())),
                dsl::updated_at.eq(diesel::dsl::now),
            ))
            .execute(conn)
            .await?;
        Ok(())
    }
}
