//! What a turn starts from, read in one statement: the plan, the newest messages, and whether anything stands beside them.

use super::conversations::Window;
use super::json::Json;
use super::plans::Plan;
use super::prepared::{Continue, prepared};
use super::{Conn, StoreResult};
use crate::model::ids::{PlanId, TurnId, UserId};
use crate::model::message::Message;
use diesel::prelude::*;
use diesel::sql_types::{BigInt, Bool, Integer, Jsonb, Nullable, Timestamptz, Uuid as SqlUuid};
use diesel_async::RunQueryDsl;
use time::OffsetDateTime;

/// What is asked for.
#[derive(Debug, Clone, Copy)]
pub struct SceneQuery {
    pub plan: PlanId,
    /// In whose name.
    pub user: UserId,
    pub turn: TurnId,
    /// Newest messages wanted.
    pub count: i32,
    /// When the conversation changed last, as far as the caller knows; its messages are then not read, unpacked and sent.
    pub known: Option<OffsetDateTime>,
    /// The version of the plan that the caller knows; its inputs are then not read.
    pub known_version: Option<i64>,
}

/// The state of things before a turn.
#[derive(Debug)]
pub struct Scene {
    /// Without inputs where the version is the one the caller knows.
    pub plan: Plan,
    /// Oldest message first; `None` where the conversation is as it was.
    pub window: Option<Window>,
    /// An action waits for this person's yes.
    pub is_action_pending: bool,
    /// The person was in another plan before.
    pub is_elsewhere: bool,
    /// The turn is claimed; a scene that was read before is too old.
    pub is_claimed: bool,
}

#[derive(QueryableByName)]
struct SceneRow {
    #[diesel(embed)]
    plan: Plan,
    #[diesel(sql_type = Nullable<Timestamptz>)]
    spoken_at: Option<OffsetDateTime>,
    #[diesel(sql_type = Nullable<Jsonb>)]
    messages: Option<Json<Vec<Message>>>,
    #[diesel(sql_type = Bool)]
    is_action_pending: bool,
    #[diesel(sql_type = Bool)]
    is_elsewhere: bool,
    #[diesel(sql_type = Bool)]
    is_claimed: bool,
}

impl SceneQuery {
    /// Reads the scene; [`super::StoreError::NotFound`] where there is no such plan.
    pub async fn load(self, mut conn: &Conn) -> StoreResult<Scene> {
        let row: SceneRow = prepared(
            "SELECT p.id, p.user_id, p.brand_version_id, p.name, p.version, CASE WHEN p.version IS DISTINCT FROM k.version THEN p.financial_inputs END AS financial_inputs, p.updated_at, c.updated_at AS spoken_at, \
             CASE WHEN c.updated_at IS DISTINCT FROM k.known THEN (SELECT jsonb_path_query_array(recent, '$[last - $more to last]', jsonb_build_object('more', k.count - 1)) FROM (SELECT CASE \
             WHEN c.archived_count = 0 OR jsonb_array_length(c.messages) >= k.count THEN c.messages \
             ELSE (SELECT jsonb_agg(m.message ORDER BY s.seq, m.position) FROM ai_conversation_segments s, \
             jsonb_array_elements(s.messages) WITH ORDINALITY m (message, position) \
             WHERE s.plan_id = p.id AND s.seq >= (c.archived_count - k.count) / 40) || c.messages END AS recent) r) END AS messages, \
             EXISTS (SELECT FROM pending_actions a WHERE a.plan_id = p.id AND a.user_id = k.person AND a.expires_at > now()) AS is_action_pending, \
             EXISTS (SELECT FROM users u WHERE u.id = k.person AND u.active_plan_id IS DISTINCT FROM p.id) AS is_elsewhere, \
             EXISTS (SELECT FROM prompts t WHERE t.id = k.turn) AS is_claimed \
             FROM plans p CROSS JOIN (SELECT ",
        )
        .bind::<Integer, _>(self.count)
        .sql("::integer AS count, ")
        .bind::<Nullable<Timestamptz>, _>(self.known)
        .sql("::timestamptz AS known, ")
        .bind::<Nullable<BigInt>, _>(self.known_version)
        .sql("::bigint AS version, ")
        .bind::<SqlUuid, _>(self.user.0)
        .sql("::uuid AS person, ")
        .bind::<SqlUuid, _>(self.turn.0)
        .sql("::uuid AS turn) k LEFT JOIN ai_conversations c ON c.plan_id = p.id WHERE p.id = ")
        .bind::<SqlUuid, _>(self.plan.0)
        .get_result(&mut conn)
        .await?;
        let is_known = row.spoken_at.is_some() && row.spoken_at == self.known;
        Ok(Scene {
            plan: row.plan,
            window: (!is_known).then(|| Window {
                updated_at: row.spoken_at,
                messages: row.messages.map(|Json(messages)| messages).unwrap_or_default(),
            }),
            is_action_pending: row.is_action_pending,
            is_elsewhere: row.is_elsewhere,
            is_claimed: row.is_claimed,
        })
    }
}
