//! The end of a turn that changes no value, in one statement: most turns are like that, and a transaction of five
//! statements costs five times the round trips.

use super::conversations::{Appended, Conversation, JOIN};
use super::json::Json;
use super::prepared::{Continue, prepared};
use super::prompts::{Ending, Hold};
use super::{Conn, StoreResult};
use crate::model::ids::{PlanId, UserId};
use crate::model::message::Message;
use diesel::OptionalExtension;
use diesel::sql_types::{BigInt, Bool, Jsonb, Nullable, Text, Uuid as SqlUuid};
use diesel_async::RunQueryDsl;
use uuid::Uuid;

/// A whole answer that only adds to the conversation.
#[derive(Debug)]
pub struct PlainEnd<'a> {
    pub hold: Hold,
    pub plan: PlanId,
    /// The plan's version that the answer speaks of.
    pub version: i64,
    /// Whose plan it must still be; `None` for those who may touch all.
    pub owner: Option<UserId>,
    pub ending: &'a Ending<'a>,
    pub messages: &'a [Message],
}

impl PlainEnd<'_> {
    /// Stores the turn. `None` where the turn, the plan's version or its owner is no longer what it was: nothing is written
    /// then, and whoever asks has to look closer.
    pub async fn store(&self, conn: &mut Conn) -> StoreResult<Option<Appended>> {
        let (hold, ending) = (self.hold, self.ending);
        let appended: Option<Appended> = prepared("WITH ended AS (UPDATE prompts SET state = ")
            .bind::<Text, _>(ending.state.as_str())
            .sql(", output = ")
            .bind::<Nullable<Text>, _>(ending.output)
            .sql(", prompt_tokens = ")
            .bind::<BigInt, _>(ending.usage.prompt_tokens.max(0))
            .sql(", completion_tokens = ")
            .bind::<BigInt, _>(ending.usage.completion_tokens.max(0))
            .sql(", total_tokens = ")
            .bind::<BigInt, _>(ending.usage.total_tokens.max(0))
            .sql(", usage_estimated = ")
            .bind::<Bool, _>(ending.usage.estimated)
            .sql(", error_code = NULL, completed_at = now(), ending = ")
            .bind::<Jsonb, _>(Json(ending.event))
            .sql(" FROM plans p WHERE prompts.state = 'running' AND p.id = prompts.plan_id AND prompts.id = ")
            .bind::<SqlUuid, _>(hold.turn.0)
            .sql(" AND prompts.fence = ")
            .bind::<BigInt, _>(hold.fence)
            .sql(" AND p.version = ")
            .bind::<BigInt, _>(self.version)
            .sql(" AND p.user_id = coalesce(")
            .bind::<Nullable<SqlUuid>, _>(self.owner.map(|owner| owner.0))
            .sql(
                ", p.user_id) RETURNING prompts.plan_id, prompts.total_tokens), \
                  earlier AS (SELECT c.updated_at FROM ended JOIN ai_conversations c USING (plan_id)) \
                  INSERT INTO ai_conversations AS c (id, plan_id, messages, total_tokens_used) SELECT ",
            )
            .bind::<SqlUuid, _>(Uuid::now_v7())
            .sql(", plan_id, ")
            .bind::<Jsonb, _>(Json(self.messages))
            .sql(", total_tokens FROM ended")
            .sql(JOIN)
            .get_result(conn)
            .await
            .optional()?;
        if let Some(appended) = &appended
            && let Err(error) = Conversation::archive_surplus(conn, self.plan, appended).await
        {
            // The turn is stored; the row stays a little longer than it should, and the next turn tries again.
            tracing::warn!(error = %error, "A long conversation was not archived");
        }
        Ok(appended)
    }
}
