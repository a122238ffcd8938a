//! Conversations: one `ai_conversations` row per plan with the newest messages; older ones are rows of `ai_conversation_archive`.
//!
//! Messages are appended in SQL, never by read-modify-write. PostgreSQL rewrites a JSONB value completely on every append,
//! so older messages are moved into rows of their own. Callers do not see the difference.

use crate::store::schema::ai_conversations::{self, dsl};
use crate::store::schema::{ai_conversation_archive, ai_conversation_archive::dsl as archive};
use crate::store::{Conn, OneRow, StoreResult};
use diesel::prelude::*;
use diesel::sql_types::{Bool, Integer, Nullable, Text, Timestamptz, Uuid as SqlUuid};
use diesel_async::{RunQueryDsl, SimpleAsyncConnection};
use pg_link::json::Json;
use pg_link::prepared::{Continue, prepared};
use plan_model::ids::{PlanId, TurnId};
use plan_model::message::Message;
use time::OffsetDateTime;

pub(crate) mod reading;

/// Up to this many messages, a conversation has no archive.
const WHOLE: i32 = 100;

/// Messages that stay in the row when older ones are archived.
const KEPT: i32 = 10;

/// Messages that are archived at once then, so that a long conversation keeps 10 to 50 in the row. With 60 to 100, a turn of a
/// long conversation wrote 2.5 times the WAL of a short one.
const MOVED: i32 = 40;

/// The newest messages, with the time of the last change as a version.
#[derive(Debug, Default, Clone)]
pub struct Window {
    /// Changes with every change of the conversation; `None` if it never had a message.
    pub updated_at: Option<OffsetDateTime>,
    pub messages: Vec<Message>,
}

impl Window {
    /// The messages of all other turns.
    #[must_use]
    pub fn without(&self, turn: TurnId) -> Self {
        let others = self.messages.iter().filter(|message| message.turn_id != turn);
        Self {
            updated_at: self.updated_at,
            messages: others.cloned().collect(),
        }
    }
}

/// The time of the last change before and after messages were appended.
#[derive(Debug, Clone, Copy, QueryableByName)]
pub(crate) struct Appended {
    #[diesel(sql_type = Nullable<Timestamptz>)]
    pub before: Option<OffsetDateTime>,
    #[diesel(sql_type = Timestamptz)]
    pub after: OffsetDateTime,
    /// Number of messages in the row.
    #[diesel(sql_type = Integer)]
    held: i32,
    #[diesel(sql_type = Integer)]
    archived: i32,
}

#[derive(Debug)]
pub(crate) struct Conversation;

impl Conversation {
    /// Archives messages if the row has too many.
    pub(crate) async fn archive_surplus(conn: &Conn, plan: PlanId, appended: &Appended) -> StoreResult<()> {
        let most = if appended.archived == 0 { WHOLE } else { KEPT + MOVED };
        if appended.held > most {
            Self::archive(conn, plan).await?;
        }
        Ok(())
    }

    /// Moves all but the newest messages to the archive.
    async fn archive(mut conn: &Conn, plan: PlanId) -> StoreResult<()> {
        prepared(include_str!("conversations/archive.sql"))
            .bind::<Integer, _>(KEPT)
            .bind::<SqlUuid, _>(plan.0)
            .execute(&mut conn)
            .await?;
        Ok(())
    }

    /// The turn of the newest message. The newest messages are never in the archive.
    pub(crate) async fn newest_turn(mut conn: &Conn, plan: PlanId) -> StoreResult<Option<TurnId>> {
        let newest = diesel::dsl::sql::<Nullable<Text>>("messages -> -1 ->> 'turnId'");
        let query = ai_conversations::table.filter(dsl::plan_id.eq(plan.0)).select(newest);
        let turn: Option<Option<String>> = query.first(&mut conn).await.optional()?;
        Ok(turn.flatten().and_then(|turn| turn.parse().ok()).map(TurnId))
    }

    /// Deletes the messages of a turn that is not in the archive.
    pub(crate) async fn remove_turn(mut conn: &Conn, plan: PlanId, turn: TurnId) -> StoreResult<()> {
        prepared(include_str!("conversations/remove_turn.sql"))
            .bind::<Text, _>(turn.0.to_string())
            .bind::<SqlUuid, _>(plan.0)
            .execute(&mut conn)
            .await?;
        Ok(())
    }

    /// Erases what was said about the plan: messages, evidence, turns and the pending action; numbers, times, hashes and names
    /// stay. `false`, with nothing changed, while a turn runs. No turn starts until the transaction ends.
    pub(crate) async fn erase_words(conn: &mut Conn, plan: PlanId) -> StoreResult<bool> {
        // A statement of our sessions has 5 s, which a plan of 100,000 messages may need.
        conn.batch_execute("SET LOCAL statement_timeout = '60s'").await?;
        diesel::select(
            diesel::dsl::sql::<Bool>("erase_words(")
                .bind::<SqlUuid, _>(plan.0)
                .sql(")"),
        )
        .load(conn)
        .await?
        .one()
    }

    /// Deletes all messages. The token total stays.
    pub(crate) async fn clear(conn: &mut Conn, plan: PlanId) -> StoreResult<()> {
        diesel::delete(ai_conversation_archive::table.filter(archive::plan_id.eq(plan.0)))
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
