//! The row of every turn: claimed before the model is called, ended once, by the holder of the newest fencing token.

use crate::store::schema::prompts::{self, dsl};
use crate::store::{Conn, OneRow, StoreError, StoreResult, spent_tokens};
use diesel::dsl::{Eq, exists, not, now};
use diesel::expression::SqlLiteral;
use diesel::prelude::*;
use diesel::sql_types::{Array, BigInt, Bool, Text, Uuid as SqlUuid};
use diesel_async::RunQueryDsl;
use pg_link::json::Json;
use pg_link::literal::literal;
use pg_link::prepared::{Continue, prepared};
use plan_model::error::ErrorCode;
use plan_model::event::StoredEnding;
use plan_model::ids::{PlanId, TurnId, UserId};
use plan_model::text_enum::text_enum;
use plan_model::usage::Usage;
use serde_json::value::RawValue;
use time::OffsetDateTime;
use uuid::Uuid;

pub(crate) mod claim;
pub(crate) mod search;

/// Duration of a lease without renewal, by the database's clock.
pub const LEASE_SECONDS: i64 = 30;

/// Orphaned turns interrupted per statement, so that thousands of them never block the table.
const REAP_BATCH: i64 = 500;

text_enum! {
    /// The state of a turn.
    #[derive(utoipa::ToSchema)]
    pub enum PromptState {
        Running = "running",
        Completed = "completed",
        Failed = "failed",
        Stopped = "stopped",
        Interrupted = "interrupted",
    }
}

/// A stored turn.
#[derive(Debug, Clone, Queryable, Selectable)]
#[diesel(table_name = prompts)]
pub struct Prompt {
    pub id: Uuid,
    pub plan_id: Uuid,
    pub model: String,
    #[diesel(deserialize_as = String)]
    pub state: PromptState,
    pub input: String,
    pub output: Option<String>,
    pub total_tokens: i64,
    /// A [`StoredEnding`], or what another release has stored in its place.
    pub ending: Option<Json<Box<RawValue>>>,
    pub error_code: Option<String>,
    pub idempotency_key: Option<String>,
    pub fingerprint: Option<Vec<u8>>,
    pub attempt: i32,
    pub fence: i64,
    pub owner: Uuid,
    pub created_at: OffsetDateTime,
    pub completed_at: Option<OffsetDateTime>,
    /// The turn whose place this one takes when it is stored.
    pub replaces: Option<Uuid>,
}

/// The lease of one attempt of a turn: its fencing token proves the right to end it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct TurnLease {
    pub turn: TurnId,
    pub attempt: i32,
    pub fence: i64,
}

/// A lease that an instance holds.
#[derive(Debug, Clone, Copy, QueryableByName)]
pub struct HeldLease {
    #[diesel(sql_type = SqlUuid)]
    pub id: Uuid,
    #[diesel(sql_type = BigInt)]
    pub fence: i64,
    /// `false` where somebody else has locked the row.
    #[diesel(sql_type = Bool)]
    pub is_renewed: bool,
}

/// The end of a turn as stored.
#[derive(Debug)]
pub struct Ending<'a> {
    pub state: PromptState,
    pub output: Option<&'a str>,
    pub usage: Usage,
    pub error_code: Option<&'a str>,
    pub event: &'a StoredEnding,
}

#[derive(QueryableByName)]
struct Reaped {
    #[diesel(sql_type = BigInt)]
    turns: i64,
}

impl Prompt {
    pub fn turn(&self) -> TurnId {
        TurnId(self.id)
    }

    /// Whether the words were erased. No message is empty.
    pub fn is_erased(&self) -> bool {
        self.input.is_empty()
    }

    /// Whether the turn runs or is in the history.
    pub fn is_kept(&self) -> bool {
        match self.state {
            PromptState::Running | PromptState::Completed => true,
            PromptState::Stopped => self.is_erased() || self.output.as_deref().is_some_and(|text| !text.is_empty()),
            PromptState::Failed | PromptState::Interrupted => false,
        }
    }

    pub async fn find(mut conn: &Conn, id: TurnId) -> StoreResult<Option<Self>> {
        Ok(prompts::table
            .find(id.0)
            .select(Self::as_select())
            .first(&mut conn)
            .await
            .optional()?)
    }

    /// The newest turn under `key` or a key that begins with `key:`.
    pub async fn find_newest_of_key(
        mut conn: &Conn,
        user: UserId,
        plan: PlanId,
        key: &str,
    ) -> StoreResult<Option<Self>> {
        let begins = diesel::dsl::sql::<Bool>("starts_with(idempotency_key, ").bind::<Text, _>(format!("{key}:"));
        let query = prompts::table
            .filter(dsl::user_id.eq(user.0))
            .filter(dsl::plan_id.eq(plan.0))
            .filter(dsl::idempotency_key.is_not_null())
            .filter(dsl::idempotency_key.eq(key).assume_not_null().or(begins.sql(")")))
            .order(dsl::id.desc());
        Ok(query.select(Self::as_select()).first(&mut conn).await.optional()?)
    }

    /// The plan's running turn.
    pub async fn find_running(mut conn: &Conn, plan: PlanId) -> StoreResult<Option<Self>> {
        let query = prompts::table.filter(dsl::plan_id.eq(plan.0)).filter(is_running());
        Ok(query.select(Self::as_select()).first(&mut conn).await.optional()?)
    }

    /// Requests the instance that runs the plan's turn to stop it. Returns the turn and its attempt; `None` if none runs.
    pub async fn request_cancel(mut conn: &Conn, plan: PlanId) -> StoreResult<Option<(TurnId, i32)>> {
        let query = prompts::table.filter(dsl::plan_id.eq(plan.0)).filter(is_running());
        let found: Vec<(Uuid, i32)> = diesel::update(query)
            .set(dsl::cancel_requested.eq(true))
            .returning((dsl::id, dsl::attempt))
            .load(&mut conn)
            .await?;
        Ok(found.into_iter().next().map(|(id, attempt)| (TurnId(id), attempt)))
    }

    /// Turns of this instance with a stop request.
    pub async fn cancel_requests(mut conn: &Conn, owner: Uuid) -> StoreResult<Vec<Uuid>> {
        let query = prompts::table
            .filter(dsl::owner.eq(owner))
            .filter(is_running())
            .filter(dsl::cancel_requested);
        Ok(query.select(dsl::id).load(&mut conn).await?)
    }

    /// Renews the leases of these turns, but of those whose rows somebody else has locked; returns all that the instance still
    /// holds.
    pub async fn renew_leases(mut conn: &Conn, owner: Uuid, turns: &[Uuid]) -> StoreResult<Vec<HeldLease>> {
        Ok(prepared(include_str!("prompts/renew_leases.sql"))
            .bind::<SqlUuid, _>(owner)
            .bind::<Array<SqlUuid>, _>(turns)
            .bind::<BigInt, _>(LEASE_SECONDS)
            .load(&mut conn)
            .await?)
    }

    /// Marks orphaned turns as interrupted: those past their lease, or all but `owner`'s if no other instance can be alive.
    /// Returns their number.
    pub async fn reap(mut conn: &Conn, owner: Uuid, alone: bool) -> StoreResult<usize> {
        let orphaned = if alone {
            "owner <> $1"
        } else {
            "owner IS DISTINCT FROM $1 AND lease_until < now() OR lease_until < now() - interval '5 seconds'"
        };
        let sql = format!(
            "WITH ended AS (UPDATE prompts SET state = '{interrupted}', fence = fence + 1, completed_at = now(), error_code = '{restarting}' \
             WHERE id IN (SELECT id FROM prompts WHERE state = '{running}' AND ({orphaned}) LIMIT $2 FOR UPDATE SKIP LOCKED) RETURNING *), \
             {counted} SELECT count(*) AS turns FROM ended",
            counted = include_str!("../spent_tokens/of_ended.sql"),
            interrupted = PromptState::Interrupted.as_str(),
            running = PromptState::Running.as_str(),
            restarting = ErrorCode::ServerRestarting.as_str(),
        );
        let mut total = 0;
        loop {
            let found: Vec<Reaped> = diesel::sql_query(&sql)
                .bind::<SqlUuid, _>(owner)
                .bind::<BigInt, _>(REAP_BATCH)
                .load(&mut conn)
                .await?;
            let rows = usize::try_from(found.one()?.turns).unwrap_or_default();
            total += rows;
            if rows < usize::try_from(REAP_BATCH).unwrap_or(usize::MAX) {
                return Ok(total);
            }
        }
    }
}

impl TurnLease {
    /// Ends the turn, in a transaction of the caller. `false` if the lease was lost: then nothing may be written.
    pub async fn end(self, mut conn: &Conn, plan: PlanId, ending: &Ending<'_>) -> StoreResult<bool> {
        let held = prompts::table
            .filter(dsl::id.eq(self.turn.0))
            .filter(dsl::plan_id.eq(plan.0))
            .filter(dsl::fence.eq(self.fence))
            .filter(is_running());
        let rows = diesel::update(held)
            .set((
                dsl::state.eq(ending.state.as_str()),
                dsl::output.eq(ending.output),
                dsl::prompt_tokens.eq(ending.usage.prompt_tokens.max(0)),
                dsl::completion_tokens.eq(ending.usage.completion_tokens.max(0)),
                dsl::total_tokens.eq(ending.usage.total_tokens.max(0)),
                dsl::usage_estimated.eq(ending.usage.estimated),
                dsl::cached_prompt_tokens.eq(ending.usage.cached_prompt_tokens),
                dsl::cache_write_tokens.eq(ending.usage.cache_write_tokens),
                dsl::reasoning_tokens.eq(ending.usage.reasoning_tokens),
                dsl::error_code.eq(ending.error_code),
                dsl::ending.eq(Json(ending.event)),
                dsl::completed_at.eq(now),
            ))
            .execute(&mut conn)
            .await?;
        if rows == 1 && ending.usage.total_tokens > 0 {
            spent_tokens::add(conn, self.turn).await?;
        }
        Ok(rows == 1)
    }
}

/// Publishes the text so far of running turns for readers on other instances. Losing it in a crash is harmless.
pub async fn publish_progress(mut conn: &Conn, turns: &[(TurnLease, String)]) -> StoreResult<()> {
    let ids: Vec<Uuid> = turns.iter().map(|(lease, _)| lease.turn.0).collect();
    let fences: Vec<i64> = turns.iter().map(|(lease, _)| lease.fence).collect();
    let texts: Vec<&str> = turns.iter().map(|(_, text)| text.as_str()).collect();
    prepared(include_str!("prompts/publish_progress.sql"))
        .bind::<Array<SqlUuid>, _>(ids)
        .bind::<Array<BigInt>, _>(fences)
        .bind::<Array<Text>, _>(texts)
        .execute(&mut conn)
        .await?;
    Ok(())
}

/// The published text of a turn on another instance, if there is any of this attempt.
pub async fn progress_of(mut conn: &Conn, turn: TurnId, attempt: i32) -> StoreResult<Option<String>> {
    use crate::store::schema::turn_progress::dsl as progress;
    let query = progress::turn_progress
        .find(turn.0)
        .filter(progress::attempt.eq(attempt));
    Ok(query.select(progress::content).first(&mut conn).await.optional()?)
}

/// Deletes the published text of ended turns: their answer is in `prompts`.
pub async fn drop_ended_progress(mut conn: &Conn) -> StoreResult<()> {
    use crate::store::schema::turn_progress::dsl as progress;
    let running = prompts::table
        .filter(dsl::id.eq(progress::turn_id))
        .filter(is_running());
    diesel::delete(progress::turn_progress.filter(not(exists(running))))
        .execute(&mut conn)
        .await?;
    Ok(())
}

/// The condition of the index of running turns.
pub(in crate::store) fn is_running() -> Eq<dsl::state, SqlLiteral<Text>> {
    dsl::state.eq(literal(PromptState::Running.as_str()))
}

/// Whether the error means that another turn of the plan is running.
fn is_running_conflict(error: &StoreError) -> bool {
    matches!(error, StoreError::Conflict(rule) if rule == "prompts_one_running_per_plan")
}
