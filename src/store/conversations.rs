//! The conversation of a plan: one `ai_conversations` row with the newest messages, and for a long one the blocks before them.
//!
//! Append happens in SQL, never by load, push, save. A JSONB value is rewritten whole by every append; that is why the
//! older part of a long conversation lies in blocks that are written once. Nobody outside this file sees the difference.

use super::json::Json;
use super::prepared::{Continue, prepared};
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

/// At least so many stay in the row when blocks leave it, so that a long conversation has 10 to 50 there. With 60 each of
/// its turns wrote two and a half times the WAL of a short one.
const KEPT: i32 = 10;

/// How messages join a conversation, and what is told of it. Stands behind an INSERT into `ai_conversations AS c`; `earlier`
/// holds the time of the change before.
pub(super) const JOIN: &str = " ON CONFLICT (plan_id) DO UPDATE SET messages = c.messages || excluded.messages, \
     total_tokens_used = c.total_tokens_used + excluded.total_tokens_used, updated_at = now() \
     RETURNING c.updated_at AS after, (SELECT updated_at FROM earlier) AS before, \
     jsonb_array_length(c.messages) AS held, c.archived_count AS archived";

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
        let limit = limit
            .and_then(|limit| i32::try_from(limit).ok())
            .unwrap_or(i32::MAX / 2);
        let rows: Vec<BlockRow> = prepared(
            "WITH hot AS MATERIALIZED (SELECT plan_id, total_tokens_used, archived_count, jsonb_array_length(messages) AS held, messages \
             FROM ai_conversations WHERE plan_id = ",
        )
        .bind::<SqlUuid, _>(plan.0)
        .sql(
            "), blocks AS (SELECT s.seq, s.messages FROM hot JOIN ai_conversation_segments s USING (plan_id) \
             UNION ALL SELECT archived_count / 40, messages FROM hot), \
             asked AS (SELECT ",
        )
        .bind::<Nullable<Text>, _>(before.map(|id| id.0.to_string()))
        .sql("::text AS before, ")
        .bind::<Integer, _>(limit)
        .sql(
            "::integer AS count), \
             wanted AS MATERIALIZED (SELECT CASE WHEN before IS NULL THEN least(archived_count, archived_count + held - count) / 40 \
             ELSE b.seq - (count + 39) / 40 END AS first, CASE WHEN before IS NULL THEN archived_count / 40 ELSE b.seq END AS last \
             FROM hot CROSS JOIN asked LEFT JOIN blocks b \
             ON before IS NOT NULL AND b.messages @> jsonb_build_array(jsonb_build_object('id', before)) LIMIT 1) \
             SELECT hot.total_tokens_used, hot.archived_count + hot.held AS total, b.seq, b.messages \
             FROM hot CROSS JOIN wanted LEFT JOIN blocks b ON b.seq BETWEEN wanted.first AND wanted.last ORDER BY b.seq",
        )
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

    /// Adds messages and tokens, making the row where it is missing.
    pub async fn append(conn: &Conn, plan: PlanId, messages: &[Message], tokens: i64) -> StoreResult<Appended> {
        let mut borrowed = conn;
        let appended: Appended = prepared("WITH earlier AS (SELECT updated_at FROM ai_conversations WHERE plan_id = ")
            .bind::<SqlUuid, _>(plan.0)
            .sql(") INSERT INTO ai_conversations AS c (id, plan_id, messages, total_tokens_used) VALUES (")
            .bind::<SqlUuid, _>(Uuid::now_v7())
            .sql(", ")
            .bind::<SqlUuid, _>(plan.0)
            .sql(", ")
            .bind::<Jsonb, _>(Json(messages))
            .sql(", ")
            .bind::<BigInt, _>(tokens.max(0))
            .sql(")")
            .sql(JOIN)
            .get_result(&mut borrowed)
            .await?;
        Self::archive_surplus(conn, plan, &appended).await?;
        Ok(appended)
    }

    /// Moves what is too much for the row into the archive.
    pub(super) async fn archive_surplus(conn: &Conn, plan: PlanId, appended: &Appended) -> StoreResult<()> {
        let most = if appended.archived == 0 { WHOLE } else { KEPT + BLOCK };
        if appended.held > most {
            Self::archive(conn, plan).await?;
        }
        Ok(())
    }

    /// Moves the oldest blocks out of the row, in one statement under the row's lock.
    async fn archive(mut conn: &Conn, plan: PlanId) -> StoreResult<()> {
        prepared("WITH hot AS MATERIALIZED (SELECT plan_id, archived_count, messages, (jsonb_array_length(messages) - ")
            .bind::<Integer, _>(KEPT)
            .sql(") / 40 AS blocks FROM ai_conversations WHERE plan_id = ")
            .bind::<SqlUuid, _>(plan.0)
            .sql(
                " FOR UPDATE), moved AS (INSERT INTO ai_conversation_segments (plan_id, seq, messages) \
                 SELECT plan_id, archived_count / 40 + n, jsonb_path_query_array(messages, '$[$first to $last]', \
                 jsonb_build_object('first', n * 40, 'last', n * 40 + 39)) FROM hot, generate_series(0, blocks - 1) n) \
                 UPDATE ai_conversations c SET archived_count = hot.archived_count + hot.blocks * 40, \
                 messages = jsonb_path_query_array(hot.messages, '$[$first to last]', jsonb_build_object('first', hot.blocks * 40)) \
                 FROM hot WHERE c.plan_id = hot.plan_id AND hot.blocks > 0",
            )
            .execute(&mut conn)
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
