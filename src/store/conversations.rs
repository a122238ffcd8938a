//! The conversation of a plan: one `ai_conversations` row with the newest messages, and for a long one the blocks before them.
//!
//! Append happens in SQL, never by load, push, save. A JSONB value is rewritten whole by every append; that is why the
//! older part of a long conversation lies in blocks that are written once. Nobody outside this file sees the difference.

use super::json::Json;
use super::schema::ai_conversations::{self, dsl};
use super::schema::{ai_conversation_segments, ai_conversation_segments::dsl as segments};
use super::{Conn, StoreResult};
use crate::model::ids::{MessageId, PlanId};
use crate::model::message::Message;
use diesel::prelude::*;
use diesel::sql_types::{BigInt, Integer, Jsonb, Nullable, Text, Timestamptz, Uuid as SqlUuid};
use diesel_async::RunQueryDsl;
use time::OffsetDateTime;
use uuid::Uuid;

/// Messages of a block. The table's check and its readers in SQL know it too.
const BLOCK: i32 = 40;

/// A conversation up to this length is in its row alone.
const WHOLE: i32 = 100;

/// At least so many stay in the row when blocks leave it: what the model is shown of a conversation. With 60 a turn wrote
/// twice the WAL.
const KEPT: i32 = 20;

/// Part of a conversation, oldest message first.
#[derive(Debug, Default)]
pub struct Pages {
    /// At least what was asked for; begins at a block's border.
    pub messages: Vec<Message>,
    /// Whether there are messages before these.
    pub more_before: bool,
    /// Messages in the whole conversation.
    pub total: usize,
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
    /// Messages in the row.
    #[diesel(sql_type = Integer)]
    held: i32,
    #[diesel(sql_type = Integer)]
    archived: i32,
}

#[derive(QueryableByName)]
struct WindowRow {
    #[diesel(sql_type = Timestamptz)]
    updated_at: OffsetDateTime,
    #[diesel(sql_type = Nullable<Jsonb>)]
    messages: Option<Json<Vec<Message>>>,
}

#[derive(QueryableByName)]
struct BlockRow {
    #[diesel(sql_type = BigInt)]
    total_tokens_used: i64,
    #[diesel(sql_type = Integer)]
    total: i32,
    #[diesel(sql_type = Nullable<Integer>)]
    seq: Option<i32>,
    #[diesel(sql_type = Nullable<Jsonb>)]
    messages: Option<Json<Vec<Message>>>,
}

/// A plan's conversation.
#[derive(Debug)]
pub struct Conversation;

impl Conversation {
    /// The newest messages, all of them or at least `limit`; only those up to the block with the message `before`, nothing
    /// where there is no such message. One statement, so that a block on its way to the archive is seen once.
    pub async fn pages(
        mut conn: &Conn,
        plan: PlanId,
        before: Option<MessageId>,
        limit: Option<usize>,
    ) -> StoreResult<Pages> {
        let rows: Vec<BlockRow> = diesel::sql_query(
            "WITH hot AS MATERIALIZED (SELECT total_tokens_used, archived_count, jsonb_array_length(messages) AS held, messages \
             FROM ai_conversations WHERE plan_id = $1), \
             blocks AS (SELECT seq, messages FROM ai_conversation_segments WHERE plan_id = $1 \
             UNION ALL SELECT archived_count / 40, messages FROM hot), \
             wanted AS MATERIALIZED (SELECT CASE WHEN $2 IS NULL THEN least(archived_count, archived_count + held - $3) / 40 ELSE b.seq - ($3 + 39) / 40 END AS first, \
             CASE WHEN $2 IS NULL THEN archived_count / 40 ELSE b.seq END AS last FROM hot LEFT JOIN blocks b \
             ON $2 IS NOT NULL AND b.messages @> jsonb_build_array(jsonb_build_object('id', $2)) LIMIT 1) \
             SELECT hot.total_tokens_used, hot.archived_count + hot.held AS total, b.seq, b.messages \
             FROM hot CROSS JOIN wanted LEFT JOIN blocks b ON b.seq BETWEEN wanted.first AND wanted.last ORDER BY b.seq",
        )
        .bind::<SqlUuid, _>(plan.0)
        .bind::<Nullable<Text>, _>(before.map(|id| id.0.to_string()))
        .bind::<Integer, _>(limit.and_then(|limit| i32::try_from(limit).ok()).unwrap_or(i32::MAX / 2))
        .load(&mut conn)
        .await?;
        let Some(first) = rows.as_slice().first() else {
            return Ok(Pages::default());
        };
        Ok(Pages {
            more_before: first.seq.is_some_and(|seq| seq > 0),
            total: usize::try_from(first.total).unwrap_or_default(),
            total_tokens_used: first.total_tokens_used,
            messages: rows
                .into_iter()
                .filter_map(|row| row.messages)
                .flat_map(|Json(messages)| messages)
                .collect(),
        })
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
             jsonb_path_query_array(recent, '$[$from to last]', \
             jsonb_build_object('from', greatest(jsonb_array_length(recent) - $2, 0))) END AS messages \
             FROM ai_conversations c CROSS JOIN LATERAL (SELECT CASE WHEN archived_count = 0 OR jsonb_array_length(messages) >= $2 \
             THEN messages ELSE (SELECT jsonb_agg(m.message ORDER BY s.seq, m.position) FROM ai_conversation_segments s, \
             jsonb_array_elements(s.messages) WITH ORDINALITY m (message, position) \
             WHERE s.plan_id = $1 AND s.seq >= (archived_count - $2) / 40) || messages END AS recent) r WHERE plan_id = $1",
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
        let appended: Appended = diesel::sql_query(
            "WITH earlier AS (SELECT updated_at FROM ai_conversations WHERE plan_id = $2) \
             INSERT INTO ai_conversations AS c (id, plan_id, messages, total_tokens_used) VALUES ($1, $2, $3, $4) \
             ON CONFLICT (plan_id) DO UPDATE SET messages = c.messages || excluded.messages, \
             total_tokens_used = c.total_tokens_used + excluded.total_tokens_used, updated_at = now() \
             RETURNING c.updated_at AS after, (SELECT updated_at FROM earlier) AS before, \
             jsonb_array_length(c.messages) AS held, c.archived_count AS archived",
        )
        .bind::<SqlUuid, _>(Uuid::now_v7())
        .bind::<SqlUuid, _>(plan.0)
        .bind::<Jsonb, _>(Json(messages))
        .bind::<BigInt, _>(tokens.max(0))
        .get_result(conn)
        .await?;
        let most = if appended.archived == 0 { WHOLE } else { KEPT + BLOCK };
        if appended.held > most {
            Self::archive(conn, plan, (appended.held - KEPT) / BLOCK).await?;
        }
        Ok(appended)
    }

    /// Moves the oldest blocks out of the row, which the caller's transaction has written and therefore holds.
    async fn archive(conn: &mut Conn, plan: PlanId, blocks: i32) -> StoreResult<()> {
        diesel::sql_query(
            "WITH hot AS MATERIALIZED (SELECT archived_count, messages FROM ai_conversations WHERE plan_id = $1), \
             moved AS (INSERT INTO ai_conversation_segments (plan_id, seq, messages) \
             SELECT $1, archived_count / 40 + n, jsonb_path_query_array(messages, '$[$first to $last]', \
             jsonb_build_object('first', n * 40, 'last', n * 40 + 39)) FROM hot, generate_series(0, $2 - 1) n) \
             UPDATE ai_conversations c SET archived_count = hot.archived_count + $2 * 40, \
             messages = jsonb_path_query_array(hot.messages, '$[$first to last]', jsonb_build_object('first', $2 * 40)) \
             FROM hot WHERE c.plan_id = $1",
        )
        .bind::<SqlUuid, _>(plan.0)
        .bind::<Integer, _>(blocks)
        .execute(conn)
        .await?;
        Ok(())
    }

    /// Empties the history. The token total stays.
    pub async fn clear(conn: &mut Conn, plan: PlanId) -> StoreResult<()> {
        diesel::delete(ai_conversation_segments::table.filter(segments::plan_id.eq(plan.0)))
            .execute(conn)
            .await?;
        diesel::update(ai_conversations::table.filter(dsl::plan_id.eq(plan.0)))
            .set((
                dsl::messages.eq(Json(Vec::<Message>::new())),
                dsl::archived_count.eq(0),
                dsl::updated_at.eq(diesel::dsl::now),
            ))
            .execute(conn)
            .await?;
        Ok(())
    }
}
