//! Reads a conversation in blocks: nothing here grows with its length.
//!
//! A message that cannot be read has a substitute in its place, so that it costs nobody the others.

use super::Conversation;
use crate::store::{Conn, StoreResult};
use diesel::prelude::*;
use diesel::sql_types::{BigInt, Integer, Jsonb, Nullable, Text, Timestamptz, Uuid as SqlUuid};
use diesel_async::RunQueryDsl;
use pg_link::json::{Json, without_content};
use pg_link::prepared::{Continue, prepared};
use plan_model::ids::{MessageId, PlanId, TurnId};
use plan_model::message::{Message, Role};
use serde::Deserialize;
use serde_json::value::RawValue;
use std::ops::Range;
use std::sync::Arc;
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;
use tracing::warn;
use uuid::Uuid;

/// What stands where a message cannot be read.
pub(crate) const UNREADABLE: &str = "This message cannot be read.";

/// Messages of the first block. Each further one has up to twice as many, if they are small.
const FIRST_BLOCK: i32 = 25;

/// Messages of the largest block.
const LARGEST_BLOCK: i32 = 200;

/// Bytes of a block, unless its first message has more: about what 25 messages of 8,000 characters have.
const BLOCK_BYTES: i64 = 256 * 1024;

/// The message before which a part of a conversation ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Before {
    Message(MessageId),
    Of(TurnId, Role),
}

/// A part of a conversation as it was at one moment, without its messages.
#[derive(Debug, Clone)]
pub struct Outline {
    /// Changes with messages and with the status of their values.
    pub version: String,
    /// Messages in the whole conversation.
    pub total: usize,
    pub total_tokens_used: i64,
    /// The oldest message of the part, if older ones are before it.
    pub next_before: Option<Oldest>,
    /// The turn of the newest message of the conversation.
    pub newest_turn: Option<TurnId>,
    /// Whether the part ends with the newest message.
    pub is_newest: bool,
    changed_at: OffsetDateTime,
    plan: PlanId,
    next: i32,
    behind: i32,
    count: i32,
}

/// The oldest message of a part.
#[derive(Debug, Clone, Copy)]
pub struct Oldest {
    pub id: MessageId,
    pub turn: TurnId,
    pub role: Role,
}

#[derive(QueryableByName)]
struct OutlineRow {
    #[diesel(sql_type = BigInt)]
    total_tokens_used: i64,
    #[diesel(sql_type = Integer)]
    total: i32,
    #[diesel(sql_type = Timestamptz)]
    updated_at: OffsetDateTime,
    #[diesel(sql_type = Integer)]
    first: i32,
    #[diesel(sql_type = Integer)]
    behind: i32,
    #[diesel(sql_type = Nullable<Jsonb>)]
    first_message: Option<Json<Box<RawValue>>>,
    #[diesel(sql_type = Nullable<Text>)]
    newest_turn: Option<String>,
    #[diesel(sql_type = Text)]
    version: String,
}

/// A message as it is stored.
#[derive(Debug, QueryableByName)]
pub(crate) struct StoredMessage {
    /// From 1, without gaps.
    #[diesel(sql_type = Integer)]
    pub position: i32,
    /// A JSON object.
    #[diesel(sql_type = Text)]
    pub message: String,
}

/// The messages of a plan at these positions, oldest first: at most `count`, and no more than a block's bytes unless the first one
/// has more; empty behind the last.
pub(crate) async fn stored(
    mut conn: &Conn,
    plan: PlanId,
    positions: Range<i32>,
    count: i32,
) -> StoreResult<Vec<StoredMessage>> {
    Ok(prepared(include_str!("block.sql"))
        .bind::<SqlUuid, _>(plan.0)
        .bind::<Integer, _>(positions.start)
        .bind::<Integer, _>(positions.end)
        .bind::<Integer, _>(count)
        .bind::<BigInt, _>(BLOCK_BYTES)
        .load(&mut conn)
        .await?)
}

impl Conversation {
    /// The newest messages, all of them or `limit`; with `before`, those before that message, and none if there is no such
    /// message. `None` if nothing was ever said.
    pub(crate) async fn outline(
        mut conn: &Conn,
        plan: PlanId,
        before: Option<Before>,
        limit: Option<usize>,
    ) -> StoreResult<Option<Outline>> {
        let limit = limit.and_then(|limit| i32::try_from(limit).ok()).unwrap_or(i32::MAX);
        let (position, id, turn, role) = match before {
            None => (None, None, None, None),
            Some(Before::Message(id)) => match position_in(id) {
                Some(position) => (Some(position), None, None, None),
                None => (None, Some(id.0.to_string()), None, None),
            },
            Some(Before::Of(turn, role)) => (None, None, Some(turn.0.to_string()), Some(name_of(role))),
        };
        let found: Vec<OutlineRow> = prepared(include_str!("outline.sql"))
            .bind::<SqlUuid, _>(plan.0)
            .bind::<Nullable<Integer>, _>(position)
            .bind::<Nullable<Text>, _>(id)
            .bind::<Nullable<Text>, _>(turn)
            .bind::<Nullable<Text>, _>(role)
            .bind::<Integer, _>(limit)
            .load(&mut conn)
            .await?;
        Ok(found.into_iter().next().map(|row| Outline::new(plan, row)))
    }

    /// The newest messages of a plan, oldest first.
    pub(crate) async fn newest(conn: &Conn, plan: PlanId, count: usize) -> StoreResult<Vec<Message>> {
        let Some(mut outline) = Self::outline(conn, plan, None, Some(count)).await? else {
            return Ok(Vec::new());
        };
        let mut messages = Vec::new();
        while let Some(block) = outline.block(conn).await? {
            messages.extend(block);
        }
        Ok(messages)
    }
}

impl Outline {
    fn new(plan: PlanId, row: OutlineRow) -> Self {
        let oldest = row.first_message.filter(|_| row.first > 1).map(|Json(text)| {
            let message = read(text.get(), row.first, row.updated_at, None, plan);
            Oldest {
                id: message.id,
                turn: message.turn_id,
                role: message.role,
            }
        });
        Self {
            version: row.version,
            total: usize::try_from(row.total).unwrap_or_default(),
            total_tokens_used: row.total_tokens_used,
            next_before: oldest,
            newest_turn: row.newest_turn.and_then(|turn| turn.parse().ok()).map(TurnId),
            is_newest: row.behind > row.total,
            changed_at: row.updated_at,
            plan,
            next: row.first,
            behind: row.behind,
            count: FIRST_BLOCK,
        }
    }

    /// Whether all blocks were read.
    pub const fn is_read(&self) -> bool {
        self.next >= self.behind
    }

    /// The next messages, oldest first; `None` behind the last. A call that is given up changes nothing.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn block(&mut self, conn: &Conn) -> StoreResult<Option<Vec<Message>>> {
        if self.is_read() {
            return Ok(None);
        }
        let rows = stored(conn, self.plan, self.next..self.behind, self.count).await?;
        let Some(last) = rows.last().map(|row| row.position) else {
            // It was cleared meanwhile.
            self.next = self.behind;
            return Ok(None);
        };
        let taken = i32::try_from(rows.len()).unwrap_or(LARGEST_BLOCK);
        // Fewer than asked for are large ones: the server unpacks all that are asked for.
        let is_whole = taken == self.count;
        self.count = if is_whole {
            taken.saturating_mul(2)
        } else {
            taken.saturating_add(1)
        }
        .min(LARGEST_BLOCK);
        self.next = last.saturating_add(1);
        let mut messages: Vec<Message> = Vec::with_capacity(rows.len());
        for row in rows {
            let previous = messages.last().map(|message| message.role);
            messages.push(read(&row.message, row.position, self.changed_at, previous, self.plan));
        }
        Ok(Some(messages))
    }
}

/// The messages of the row itself, the newest ones of the conversation.
pub(crate) fn read_all(messages: &[Box<RawValue>], changed_at: OffsetDateTime, plan: PlanId) -> Vec<Message> {
    let mut found: Vec<Message> = Vec::with_capacity(messages.len());
    for (message, position) in messages.iter().zip(1..) {
        let previous = found.last().map(|message| message.role);
        found.push(read(message.get(), position, changed_at, previous, plan));
    }
    found
}

/// A stored message, or what stands in its place.
fn read(text: &str, position: i32, changed_at: OffsetDateTime, previous: Option<Role>, plan: PlanId) -> Message {
    serde_json::from_str(text).unwrap_or_else(|error| {
        metrics::counter!("plan_advisor_unreadable_rows_total", "table" => "messages").increment(1);
        let error = without_content(&error);
        warn!(plan.id = %plan, message.position = position, error, "A message of plan {plan} cannot be read: {error}");
        substitute(text, position, changed_at, previous)
    })
}

/// What is left of a message: its identity, as far as it can be told.
fn substitute(text: &str, position: i32, changed_at: OffsetDateTime, previous: Option<Role>) -> Message {
    #[derive(Default, Deserialize)]
    #[serde(rename_all = "camelCase", default)]
    struct Remains {
        id: serde_json::Value,
        turn_id: serde_json::Value,
        role: serde_json::Value,
        timestamp: serde_json::Value,
    }
    let remains: Remains = serde_json::from_str(text).unwrap_or_default();
    let uuid = |value: &serde_json::Value| value.as_str().and_then(|text| text.parse::<Uuid>().ok());
    let known = Role::deserialize(&remains.role).ok();
    let said = remains.timestamp.as_str();
    let role = known.unwrap_or(match previous {
        Some(Role::User) => Role::Assistant,
        Some(Role::Assistant) | None => Role::User,
    });
    Message::plain(
        MessageId(uuid(&remains.id).unwrap_or_else(|| of_position(position))),
        TurnId(uuid(&remains.turn_id).unwrap_or_else(|| of_position(position))),
        role,
        Arc::from(UNREADABLE),
        said.and_then(|text| OffsetDateTime::parse(text, &Rfc3339).ok())
            .unwrap_or(changed_at),
    )
}

/// The id of a message that has none: no version of UUID looks like it.
fn of_position(position: i32) -> Uuid {
    Uuid::from_u128(position.unsigned_abs().into())
}

fn position_in(id: MessageId) -> Option<i32> {
    u32::try_from(id.0.as_u128())
        .ok()
        .and_then(|position| i32::try_from(position).ok())
}

/// As it is stored.
const fn name_of(role: Role) -> &'static str {
    match role {
        Role::User => "user",
        Role::Assistant => "assistant",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whatever_is_stored_becomes_a_message() {
        let plan = PlanId::fresh();
        let (id, at) = (Uuid::now_v7(), OffsetDateTime::UNIX_EPOCH);
        let good = format!(
            r#"{{"id":"{id}","turnId":"{id}","role":"user","content":"Hi","timestamp":"2026-01-01T00:00:00Z"}}"#
        );
        assert_eq!(&*read(&good, 7, at, None, plan).content, "Hi");
        for (from, to) in [
            ("\"user\"", "\"system\""),
            ("\"Hi\"", "null"),
            ("2026-01-01", "2027-13-45"),
            ("\"Hi\"", "{}"),
        ] {
            let message = read(&good.replace(from, to), 7, at, Some(Role::Assistant), plan);
            assert_eq!(
                (&*message.content, message.id.0, message.role),
                (UNREADABLE, id, Role::User),
                "{to}"
            );
        }
        for scalar in ["5", "\"Hi\"", "null", "[]", "{}", r#"{"id":7}"#] {
            let message = read(scalar, 7, at, Some(Role::User), plan);
            assert_eq!(
                (&*message.content, message.role),
                (UNREADABLE, Role::Assistant),
                "{scalar}"
            );
            assert_eq!(position_in(message.id), Some(7), "a page can begin before it");
        }
        assert_eq!(position_in(MessageId(id)), None);
    }
}
