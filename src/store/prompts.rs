//! The record of every turn: claimed before the model is asked, ended once, by whoever holds the newest fence.

use super::json::Json;
use super::schema::prompts::{self, dsl};
use super::{Conn, StoreError, StoreResult};
use crate::model::ids::{PlanId, TurnId};
use crate::model::message::Usage;
use diesel::dsl::{IntervalDsl, now};
use diesel::prelude::*;
use diesel::sql_types::{BigInt, Timestamptz, Uuid as SqlUuid};
use diesel_async::RunQueryDsl;
use serde_json::value::RawValue;
use time::OffsetDateTime;
use uuid::Uuid;

pub mod claim;
pub mod search;

/// How long a turn is held without a sign of life from its instance. Database clock.
pub const LEASE_SECONDS: i64 = 30;

/// Orphans taken over in one statement, so that thousands of them never block the table.
const REAP_BATCH: i64 = 500;

/// Where a turn stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum PromptState {
    Running,
    Completed,
    Failed,
    Stopped,
    Interrupted,
}

impl PromptState {
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Running => "running",
            Self::Completed => "completed",
            Self::Failed => "failed",
            Self::Stopped => "stopped",
            Self::Interrupted => "interrupted",
        }
    }

    /// Reads what [`PromptState::as_str`] wrote.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        [
            Self::Running,
            Self::Completed,
            Self::Failed,
            Self::Stopped,
            Self::Interrupted,
        ]
        .into_iter()
        .find(|state| state.as_str() == text)
    }
}

/// A stored turn.
#[derive(Debug, Clone, Queryable, Selectable)]
#[diesel(table_name = prompts)]
pub struct Prompt {
    pub id: Uuid,
    pub plan_id: Uuid,
    pub user_id: Uuid,
    pub model: String,
    pub state: String,
    pub input: String,
    pub output: Option<String>,
    pub prompt_tokens: i64,
    pub completion_tokens: i64,
    pub total_tokens: i64,
    pub usage_estimated: bool,
    pub ending: Option<Json<Box<RawValue>>>,
    pub error_code: Option<String>,
    pub fingerprint: Option<Vec<u8>>,
    pub attempt: i32,
    pub owner: Uuid,
    pub created_at: OffsetDateTime,
    pub completed_at: Option<OffsetDateTime>,
}

/// The right to end one attempt of a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Hold {
    pub turn: TurnId,
    pub attempt: i32,
    pub fence: i64,
}

/// How a turn ended, as it is written.
#[derive(Debug)]
pub struct Ending<'a> {
    pub state: PromptState,
    pub output: Option<&'a str>,
    pub usage: Usage,
    pub error_code: Option<&'a str>,
    /// The terminal event, as sent.
    pub event: &'a RawValue,
}

impl Prompt {
    #[must_use]
    pub fn turn(&self) -> TurnId {
        TurnId(self.id)
    }

    #[must_use]
    pub fn state(&self) -> PromptState {
        PromptState::parse(&self.state).unwrap_or(PromptState::Failed)
    }

    #[must_use]
    pub fn usage(&self) -> Usage {
        Usage {
            prompt_tokens: self.prompt_tokens,
            completion_tokens: self.completion_tokens,
            total_tokens: self.total_tokens,
            estimated: self.usage_estimated,
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

    /// The turn that runs on a plan right now.
    pub async fn find_running(mut conn: &Conn, plan: PlanId) -> StoreResult<Option<Self>> {
        let query = prompts::table
            .filter(dsl::plan_id.eq(plan.0))
            .filter(dsl::state.eq(PromptState::Running.as_str()));
        Ok(query.select(Self::as_select()).first(&mut conn).await.optional()?)
    }

    /// Asks whichever instance runs the plan's turn to stop it. `false` where none runs.
    pub async fn request_cancel(mut conn: &Conn, plan: PlanId) -> StoreResult<bool> {
        let query = prompts::table
            .filter(dsl::plan_id.eq(plan.0))
            .filter(dsl::state.eq(PromptState::Running.as_str()));
        Ok(diesel::update(query)
            .set(dsl::cancel_requested.eq(true))
            .execute(&mut conn)
            .await?
            > 0)
    }

    /// Turns of this instance that somebody wants stopped.
    pub async fn cancel_requests(mut conn: &Conn, owner: Uuid) -> StoreResult<Vec<Uuid>> {
        let query = prompts::table
            .filter(dsl::owner.eq(owner))
            .filter(dsl::state.eq(PromptState::Running.as_str()))
            .filter(dsl::cancel_requested);
        Ok(query.select(dsl::id).load(&mut conn).await?)
    }

    /// Prolongs the lease of these turns of an instance; returns those it still holds.
    pub async fn renew_leases(mut conn: &Conn, owner: Uuid, turns: &[Uuid]) -> StoreResult<Vec<(Uuid, i64)>> {
        let query = prompts::table
            .filter(dsl::owner.eq(owner))
            .filter(dsl::id.eq_any(turns))
            .filter(dsl::state.eq(PromptState::Running.as_str()));
        Ok(diesel::update(query)
            .set(dsl::lease_until.eq(now.into_sql::<Timestamptz>() + LEASE_SECONDS.seconds()))
            .returning((dsl::id, dsl::fence))
            .get_results(&mut conn)
            .await?)
    }

    /// Marks orphans as interrupted: turns past their lease, or all but `owner`'s where no other instance can be alive.
    /// Returns how many.
    pub async fn reap(mut conn: &Conn, owner: Uuid, alone: bool) -> StoreResult<usize> {
        let orphaned = if alone {
            "owner <> $1"
        } else {
            "owner IS DISTINCT FROM $1 AND lease_until < now() OR lease_until < now() - interval '5 seconds'"
        };
        let sql = format!(
            "UPDATE prompts SET state = 'interrupted', fence = fence + 1, completed_at = now(), error_code = 'SERVER_RESTARTING' \
             WHERE id IN (SELECT id FROM prompts WHERE state = 'running' AND ({orphaned}) LIMIT $2 FOR UPDATE SKIP LOCKED)"
        );
        let mut total = 0;
        loop {
            let rows = diesel::sql_query(&sql)
                .bind::<SqlUuid, _>(owner)
                .bind::<BigInt, _>(REAP_BATCH)
                .execute(&mut conn)
                .await?;
            total += rows;
            if rows < usize::try_from(REAP_BATCH).unwrap_or(usize::MAX) {
                return Ok(total);
            }
        }
    }
}

impl Hold {
    /// Ends the turn. `false` where the hold was lost: nothing may be written then.
    pub async fn end(self, mut conn: &Conn, ending: &Ending<'_>) -> StoreResult<bool> {
        let held = prompts::table
            .filter(dsl::id.eq(self.turn.0))
            .filter(dsl::fence.eq(self.fence))
            .filter(dsl::state.eq(PromptState::Running.as_str()));
        let rows = diesel::update(held)
            .set((
                dsl::state.eq(ending.state.as_str()),
                dsl::output.eq(ending.output),
                dsl::prompt_tokens.eq(ending.usage.prompt_tokens.max(0)),
                dsl::completion_tokens.eq(ending.usage.completion_tokens.max(0)),
                dsl::total_tokens.eq(ending.usage.total_tokens.max(0)),
                dsl::usage_estimated.eq(ending.usage.estimated),
                dsl::error_code.eq(ending.error_code),
                dsl::ending.eq(Json(ending.event.to_owned())),
                dsl::completed_at.eq(now),
            ))
            .execute(&mut conn)
            .await?;
        Ok(rows == 1)
    }
}

/// Writes down the text so far of running turns for readers elsewhere. Losing it in a crash is harmless.
pub async fn publish_progress(mut conn: &Conn, turns: &[(TurnId, i32, String)]) -> StoreResult<()> {
    use super::schema::turn_progress::dsl as progress;
    use diesel::upsert::excluded;
    if turns.is_empty() {
        return Ok(());
    }
    let rows: Vec<_> = turns
        .iter()
        .map(|(turn, attempt, content)| {
            (
                progress::turn_id.eq(turn.0),
                progress::attempt.eq(attempt),
                progress::content.eq(content),
            )
        })
        .collect();
    diesel::insert_into(progress::turn_progress)
        .values(rows)
        .on_conflict(progress::turn_id)
        .do_update()
        .set((
            progress::attempt.eq(excluded(progress::attempt)),
            progress::content.eq(excluded(progress::content)),
        ))
        .execute(&mut conn)
        .await?;
    Ok(())
}

/// Text so far of a turn that runs elsewhere, if its instance has published any of this attempt.
pub async fn progress_of(mut conn: &Conn, turn: TurnId, attempt: i32) -> StoreResult<Option<String>> {
    use super::schema::turn_progress::dsl as progress;
    let query = progress::turn_progress
        .find(turn.0)
        .filter(progress::attempt.eq(attempt));
    Ok(query.select(progress::content).first(&mut conn).await.optional()?)
}

/// Forgets published text of turns that have ended: their answer is in `prompts`.
pub async fn drop_ended_progress(mut conn: &Conn) -> StoreResult<()> {
    use super::schema::turn_progress::dsl as progress;
    let running = prompts::table
        .filter(dsl::state.eq(PromptState::Running.as_str()))
        .select(dsl::id);
    diesel::delete(progress::turn_progress.filter(progress::turn_id.ne_all(running)))
        .execute(&mut conn)
        .await?;
    Ok(())
}

/// A store error that means "somebody runs this plan already".
fn is_running_conflict(error: &StoreError) -> bool {
    matches!(error, StoreError::Conflict(rule) if rule == "prompts_one_running_per_plan")
}
