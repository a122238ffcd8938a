//! The one `ai_conversations` row of a plan. Append happens in SQL, never by load, push, save.

use super::json::Json;
use super::schema::ai_conversations::{self, dsl};
use super::{Conn, StoreResult};
use crate::model::ids::PlanId;
use crate::model::message::Message;
use diesel::prelude::*;
use diesel::sql_types::{BigInt, Jsonb, Uuid as SqlUuid};
use diesel::upsert::excluded;
use diesel_async::RunQueryDsl;
use uuid::Uuid;

/// A conversation as it is shown.
#[derive(Debug, Default)]
pub struct Conversation {
    pub messages: Vec<Message>,
    pub total_tokens_used: i64,
}

#[derive(QueryableByName)]
struct Window {
    #[diesel(sql_type = Jsonb)]
    messages: Json<Vec<Message>>,
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

    /// The newest `count` messages, oldest of them first.
    pub async fn window(mut conn: &Conn, plan: PlanId, count: i64) -> StoreResult<Vec<Message>> {
        if count < 1 {
            return Ok(Vec::new());
        }
        let row: Option<Window> = diesel::sql_query(
            "SELECT jsonb_path_query_array(messages, '$[$from to last]', \
             jsonb_build_object('from', greatest(jsonb_array_length(messages) - $2, 0))) AS messages \
             FROM ai_conversations WHERE plan_id = $1",
        )
        .bind::<SqlUuid, _>(plan.0)
        .bind::<BigInt, _>(count)
        .get_result(&mut conn)
        .await
        .optional()?;
        Ok(row.map_or_else(Vec::new, |row| row.messages.0))
    }

    /// Adds messages and tokens, making the row where it is missing.
    pub async fn append(conn: &mut Conn, plan: PlanId, messages: Vec<Message>, tokens: i64) -> StoreResult<()> {
        diesel::insert_into(ai_conversations::table)
            .values((
                dsl::id.eq(Uuid::now_v7()),
                dsl::plan_id.eq(plan.0),
                dsl::messages.eq(Json(messages)),
                dsl::total_tokens_used.eq(tokens.max(0)),
            ))
            .on_conflict(dsl::plan_id)
            .do_update()
            .set((
                dsl::messages.eq(dsl::messages.concat(excluded(dsl::messages))),
                dsl::total_tokens_used.eq(dsl::total_tokens_used + excluded(dsl::total_tokens_used)),
                dsl::updated_at.eq(diesel::dsl::now),
            ))
            .execute(conn)
            .await?;
        Ok(())
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
