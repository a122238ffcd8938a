//! Stores a turn in its conversation with one statement: its end, its messages and its tokens. Most turns change nothing else,
//! and a transaction of five statements needs five times the round trips.

use crate::store::plans::conversations::Appended;
use crate::store::turns::prompts::{Ending, TurnLease};
use crate::store::{Conn, StoreResult};
use diesel::sql_types::{Array, BigInt, Binary, Bool, Jsonb, Nullable, Text, Uuid as SqlUuid};
use diesel_async::{RunQueryDsl, SimpleAsyncConnection};
use pg_link::json::Json;
use pg_link::prepared::{Continue, prepared};
use plan_model::ids::PlanId;
use plan_model::message::Message;
use plan_model::usage::Usage;
use uuid::Uuid;

/// A turn whose text goes into the conversation: an answer, or what was said of it when it was stopped.
#[derive(Debug)]
pub(crate) struct StoredTurn<'a> {
    pub lease: TurnLease,
    pub plan: PlanId,
    /// The plan version that the answer is based on; `None` where the caller has locked the plan.
    pub version: Option<i64>,
    /// The key of the session that an impersonating administrator sent the message with.
    pub session: Option<&'a [u8]>,
    pub ending: &'a Ending<'a>,
    pub messages: &'a [Message],
}

impl StoredTurn<'_> {
    /// Stores the turn. It waits a tenth of a second for a lock ([`limit_lock_waits`]). `None`, and nothing is written, if the lease is lost, the plan has another version, or the
    /// people of the turn no longer have the right to write in the plan.
    pub(crate) async fn store(&self, mut conn: &Conn) -> StoreResult<Option<Appended>> {
        let (lease, ending) = (self.lease, self.ending);
        // Few placeholders: the time and memory to compile a statement grow steeply with their number.
        Ok(prepared(include_str!("stored_turn/store.sql"))
            .bind::<Text, _>(ending.state.as_str())
            .bind::<Nullable<Text>, _>(ending.output)
            .bind::<Nullable<Text>, _>(ending.error_code)
            .bind::<Jsonb, _>(Json(ending.event))
            .bind::<Array<Nullable<BigInt>>, _>(counts(ending.usage))
            .bind::<Bool, _>(ending.usage.estimated)
            .bind::<SqlUuid, _>(lease.turn.0)
            .bind::<BigInt, _>(lease.fence)
            .bind::<SqlUuid, _>(self.plan.0)
            .bind::<Nullable<BigInt>, _>(self.version)
            .bind::<Nullable<Binary>, _>(self.session)
            .bind::<SqlUuid, _>(Uuid::now_v7())
            .bind::<Jsonb, _>(Json(self.messages))
            .load(&mut conn)
            .await?
            .pop())
    }
}

/// Lets the statements of a transaction wait for a lock no longer than [`StoredTurn::store`] does. Who stores a turn has one of few
/// connections meanwhile, and comes again.
pub(crate) async fn limit_lock_waits(mut conn: &Conn) -> StoreResult<()> {
    Ok(conn.batch_execute("SET LOCAL lock_timeout = '100ms'").await?)
}

fn counts(usage: Usage) -> Vec<Option<i64>> {
    vec![
        Some(usage.prompt_tokens.max(0)),
        Some(usage.completion_tokens.max(0)),
        Some(usage.total_tokens.max(0)),
        usage.cached_prompt_tokens,
        usage.cache_write_tokens,
        usage.reasoning_tokens,
    ]
}
