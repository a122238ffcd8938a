//! The snapshot a turn starts from, read in one statement as a rule: the plan, the newest messages, and any pending action.

use crate::store::plans::conversations::reading::read_all;
use crate::store::plans::conversations::{Conversation, Window};
use crate::store::plans::{Plan, Revision};
use crate::store::{Conn, OneRow, StoreResult};
use diesel::prelude::*;
use diesel::sql_types::{BigInt, Bool, Integer, Jsonb, Nullable, Timestamptz, Uuid as SqlUuid};
use diesel_async::RunQueryDsl;
use pg_link::json::Json;
use pg_link::prepared::{Continue, prepared};
use plan_model::ids::{PlanId, TurnId, UserId};
use plan_model::message::Message;
use serde_json::value::RawValue;
use time::OffsetDateTime;

/// Parameters of the snapshot.
#[derive(Debug, Clone, Copy)]
pub struct SnapshotQuery {
    pub plan: PlanId,
    /// The effective user.
    pub user: UserId,
    pub turn: TurnId,
    /// Number of newest messages to read.
    pub count: i32,
    /// The last change of the conversation that the caller has cached; if it is still current, messages are not read.
    pub known: Option<OffsetDateTime>,
    /// The plan's revision that the caller has cached; if it is still current, inputs are not read.
    pub known_plan: Option<Revision>,
}

/// The state before a turn.
#[derive(Debug)]
pub struct TurnSnapshot {
    /// Without inputs if the revision is the cached one.
    pub plan: Plan,
    /// Oldest message first; `None` if the conversation is unchanged.
    pub window: Option<Window>,
    /// Whether a pending action waits for this user's confirmation.
    pub is_action_pending: bool,
    /// Whether the user's active plan is another one.
    pub is_elsewhere: bool,
    /// Reads again after the claim, because a snapshot read before it may be stale.
    pub is_claimed: bool,
}

#[derive(QueryableByName)]
struct SnapshotRow {
    #[diesel(embed)]
    plan: Plan,
    #[diesel(sql_type = Nullable<Timestamptz>)]
    spoken_at: Option<OffsetDateTime>,
    #[diesel(sql_type = Nullable<Jsonb>)]
    messages: Option<Json<Vec<Box<RawValue>>>>,
    /// Some of the messages are in the archive.
    #[diesel(sql_type = Bool)]
    is_cut_short: bool,
    #[diesel(sql_type = Bool)]
    is_action_pending: bool,
    #[diesel(sql_type = Bool)]
    is_elsewhere: bool,
    #[diesel(sql_type = Bool)]
    is_claimed: bool,
}

impl SnapshotQuery {
    /// Reads the snapshot; [`crate::store::StoreError::NotFound`] if there is no such plan.
    pub async fn load(self, mut conn: &Conn) -> StoreResult<TurnSnapshot> {
        let row: SnapshotRow = prepared(include_str!("turn_snapshot.sql"))
            .bind::<Integer, _>(self.count)
            .bind::<Nullable<Timestamptz>, _>(self.known)
            .bind::<Nullable<BigInt>, _>(self.known_plan.map(|known| known.version))
            .bind::<Nullable<Timestamptz>, _>(self.known_plan.map(|known| known.updated_at))
            .bind::<SqlUuid, _>(self.user.0)
            .bind::<SqlUuid, _>(self.turn.0)
            .bind::<SqlUuid, _>(self.plan.0)
            .load(&mut conn)
            .await?
            .one()?;
        let is_known = row.spoken_at.is_some() && row.spoken_at == self.known;
        let messages = match row.is_cut_short {
            true => self.reach_into_archive(conn).await?,
            false => {
                let (Json(messages), said) = (row.messages.unwrap_or(Json(Vec::new())), row.spoken_at);
                read_all(&messages, said.unwrap_or(OffsetDateTime::UNIX_EPOCH), self.plan)
            }
        };
        Ok(TurnSnapshot {
            plan: row.plan,
            window: (!is_known).then_some(Window {
                updated_at: row.spoken_at,
                messages,
            }),
            is_action_pending: row.is_action_pending,
            is_elsewhere: row.is_elsewhere,
            is_claimed: row.is_claimed,
        })
    }

    /// The newest messages of a long conversation. A statement of its own, because hardly a turn needs it: a process reads
    /// them once per conversation. Where something has changed in between, the conversation has another time than the
    /// snapshot's, so that these messages are never taken for the current ones later.
    async fn reach_into_archive(self, conn: &Conn) -> StoreResult<Vec<Message>> {
        let count = usize::try_from(self.count).unwrap_or_default();
        Conversation::newest(conn, self.plan, count).await
    }
}
