//! Claims a turn: one INSERT in the usual case; otherwise finds out why the plan or the key is taken.

use super::spending::{self, Budget, Spending};
use super::{LEASE_SECONDS, Prompt, PromptState, TurnLease, is_running, is_running_conflict};
use crate::store::OneRow;
use crate::store::conversations::Conversation;
use crate::store::json::Json;
use crate::store::schema::prompts;
use crate::store::schema::prompts::dsl;
use crate::store::turn_snapshot::{SnapshotQuery, TurnSnapshot};
use crate::store::user_limits::Admission;
use crate::store::{Conn, StoreError, StoreResult};
use diesel::dsl::{IntervalDsl, now};
use diesel::prelude::*;
use diesel::sql_types::{Text, Timestamptz};
use diesel_async::{AsyncConnection, RunQueryDsl};
use plan_model::error::ErrorCode;
use plan_model::ids::{PlanId, TurnId, UserId};
use serde_json::value::RawValue;
use std::time::Duration;
use uuid::Uuid;

mod insert;

/// Concurrent requests may see each other's rows appear and vanish; more retries than this indicate a defect.
const ROUNDS: usize = 5;

/// A request to start a turn.
#[derive(Debug, Clone)]
pub struct NewPrompt {
    pub id: TurnId,
    pub plan: PlanId,
    pub user: UserId,
    pub actor: UserId,
    pub model: String,
    pub input: String,
    pub key: Option<String>,
    pub fingerprint: Vec<u8>,
    /// The turn whose place this one takes; it must be the plan's newest stored turn.
    pub replaces: Option<TurnId>,
    /// The limits of the user, and this process, which will own the turn.
    pub admission: Admission,
    /// No turn may start; replaying a known one is never limited.
    pub refused: Option<Duration>,
    /// The snapshot to read together with the claim.
    pub snapshot: SnapshotQuery,
}

/// The result of a claim.
#[derive(Debug)]
pub enum Claim {
    /// Claimed: run it, with its snapshot if it was read already. For a failed turn of the same key this is the
    /// next attempt.
    Started(TurnLease, Option<Box<TurnSnapshot>>),
    /// The key's turn is completed or stopped: replay it.
    Ended(Box<Prompt>),
    /// The key's turn is running: subscribe to it.
    Running(Box<Prompt>),
    /// Another turn runs on this plan.
    Busy(TurnId),
    /// The key was used for another message.
    KeyReused,
    /// The turn to replace is not the plan's newest stored turn.
    NotNewest,
    /// Rate limited; retry after this time.
    Limited(Duration),
    /// The daily token budget is used up; the next day begins after this time.
    OverBudget(Duration),
}

impl NewPrompt {
    /// Claims the plan for this turn. Limits apply only if a turn would start: replaying a known turn is never limited.
    ///
    /// # Errors
    /// If the database fails; then nothing is claimed.
    pub async fn claim(&self, conn: &mut Conn, budget: Budget) -> StoreResult<Claim> {
        if budget.daily_tokens == 0 {
            return self.try_claim(conn, false).await;
        }
        conn.transaction::<_, StoreError, _>(async |conn| {
            // Serializes the claims of a user over all instances, so that the budget is checked and reserved atomically.
            diesel::sql_query("SELECT pg_advisory_xact_lock(hashtextextended($1, 7220519012))")
                .bind::<Text, _>(self.user.to_string())
                .execute(conn)
                .await?;
            let spending = Spending::today(conn, self.user, budget.reservation).await?;
            if spending.spent >= budget.daily_tokens && !self.is_known(conn).await? {
                return Ok(Claim::OverBudget(Duration::from_secs(
                    spending.seconds_left.max(1).unsigned_abs(),
                )));
            }
            self.try_claim(conn, true).await
        })
        .await
    }

    /// Whether the key has a turn that is completed, stopped or running.
    async fn is_known(&self, mut conn: &Conn) -> StoreResult<bool> {
        let Some(key) = &self.key else { return Ok(false) };
        let known = prompts::table
            .filter(dsl::user_id.eq(self.user.0))
            .filter(dsl::plan_id.eq(self.plan.0))
            .filter(dsl::idempotency_key.eq(key))
            .filter(dsl::state.eq_any(["completed", "stopped", "running"]));
        diesel::select(diesel::dsl::exists(known)).load(&mut conn).await?.one()
    }

    async fn try_claim(&self, conn: &Conn, in_transaction: bool) -> StoreResult<Claim> {
        for _ in 0..ROUNDS {
            if let Some(claim) = self.by_key(conn).await? {
                return Ok(claim);
            }
            if !self.replaces_newest(conn).await? {
                return Ok(Claim::NotNewest);
            }
            if let Some(wait) = self.refused {
                return Ok(Claim::Limited(wait));
            }
            // Pipelined: the SELECT is sent behind the INSERT, in the same round trip.
            let (inserted, snapshot) = futures_util::join!(self.insert(conn), self.snapshot.load(conn));
            let inserted = inserted?;
            if !inserted.is_admitted {
                return Ok(Claim::Limited(self.admission.wait(conn).await?));
            }
            if let Some(fence) = inserted.fence {
                let lease = TurnLease {
                    turn: self.id,
                    attempt: 1,
                    fence,
                };
                // The plan is claimed, so a snapshot that could not be read is read again by the turn. A transaction has
                // failed with it.
                return match snapshot {
                    Err(error) if in_transaction => Err(error),
                    snapshot => Ok(Claim::Started(lease, snapshot.ok().map(Box::new))),
                };
            }
            if let Some(claim) = self.behind_running(conn).await? {
                return Ok(claim);
            }
        }
        Err(StoreError::Conflict("claim".into()))
    }

    /// The result for a known idempotency key.
    async fn by_key(&self, mut conn: &Conn) -> StoreResult<Option<Claim>> {
        let Some(key) = &self.key else { return Ok(None) };
        let found: Option<(Prompt, bool)> = prompts::table
            .filter(dsl::user_id.eq(self.user.0))
            .filter(dsl::plan_id.eq(self.plan.0))
            .filter(dsl::idempotency_key.eq(key))
            .select((Prompt::as_select(), dsl::lease_until.lt(now)))
            .first(&mut conn)
            .await
            .optional()?;
        let Some((prompt, expired)) = found else {
            return Ok(None);
        };
        if prompt.fingerprint.as_deref() != Some(&self.fingerprint[..]) {
            return Ok(Some(Claim::KeyReused));
        }
        match prompt.state {
            PromptState::Completed | PromptState::Stopped => Ok(Some(Claim::Ended(Box::new(prompt)))),
            PromptState::Running if !expired => Ok(Some(Claim::Running(Box::new(prompt)))),
            _ if !self.replaces_newest(conn).await? => Ok(Some(Claim::NotNewest)),
            PromptState::Running | PromptState::Failed | PromptState::Interrupted => {
                if let Some(wait) = self.refused {
                    return Ok(Some(Claim::Limited(wait)));
                }
                let admission = Admission {
                    turn: prompt.turn(),
                    ..self.admission
                };
                match admission.count(conn).await? {
                    true => self.rerun(conn, &prompt).await,
                    false => Ok(Some(Claim::Limited(admission.wait(conn).await?))),
                }
            }
        }
    }

    /// Whether the turn to replace, if there is one, is the newest of the conversation.
    async fn replaces_newest(&self, conn: &Conn) -> StoreResult<bool> {
        match self.replaces {
            Some(turn) => Ok(Conversation::newest_turn(conn, self.plan).await? == Some(turn)),
            None => Ok(true),
        }
    }

    /// Starts the next attempt; `None` if a concurrent request did.
    async fn rerun(&self, mut conn: &Conn, prompt: &Prompt) -> StoreResult<Option<Claim>> {
        let lease = now.into_sql::<Timestamptz>() + LEASE_SECONDS.seconds();
        let again = diesel::update(prompts::table)
            .filter(dsl::id.eq(prompt.id))
            .filter(dsl::plan_id.eq(prompt.plan_id))
            .filter(dsl::attempt.eq(prompt.attempt))
            .filter(dsl::state.ne_all([PromptState::Completed.as_str(), PromptState::Stopped.as_str()]))
            .filter(
                dsl::state
                    .ne(PromptState::Running.as_str())
                    .or(dsl::lease_until.lt(now)),
            )
            .set((
                dsl::state.eq(PromptState::Running.as_str()),
                dsl::attempt.eq(dsl::attempt + 1),
                dsl::fence.eq(dsl::fence + 1),
                dsl::owner.eq(self.admission.instance),
                dsl::actor_id.eq(self.actor.0),
                dsl::model.eq(&self.model),
                // It may have been erased.
                dsl::input.eq(&self.input),
                dsl::lease_until.eq(lease),
                dsl::cancel_requested.eq(false),
                dsl::output.eq(None::<String>),
                dsl::error_code.eq(None::<String>),
                dsl::ending.eq(None::<Json<Box<RawValue>>>),
                dsl::completed_at.eq(None::<time::OffsetDateTime>),
                spending::next_attempt(),
            ))
            .returning((dsl::attempt, dsl::fence))
            .load::<(i32, i64)>(&mut conn)
            .await
            .map_err(StoreError::from);
        match again {
            Ok(mut started) => Ok(started.pop().map(|(attempt, fence)| {
                let lease = TurnLease {
                    turn: prompt.turn(),
                    attempt,
                    fence,
                };
                Claim::Started(lease, None)
            })),
            Err(error) if is_running_conflict(&error) => self.behind_running(conn).await,
            Err(error) => Err(error),
        }
    }

    /// The result if another turn holds the plan. Interrupts that turn first if its lease has expired.
    async fn behind_running(&self, mut conn: &Conn) -> StoreResult<Option<Claim>> {
        let orphan = prompts::table
            .filter(dsl::plan_id.eq(self.plan.0))
            .filter(is_running())
            .filter(dsl::lease_until.lt(now));
        diesel::update(orphan)
            .set((
                dsl::state.eq(PromptState::Interrupted.as_str()),
                dsl::fence.eq(dsl::fence + 1),
                dsl::error_code.eq(ErrorCode::ServerRestarting.as_str()),
                dsl::completed_at.eq(now),
            ))
            .execute(&mut conn)
            .await?;
        let running: Option<(Uuid, Option<String>, Option<Uuid>)> = prompts::table
            .filter(dsl::plan_id.eq(self.plan.0))
            .filter(is_running())
            .select((dsl::id, dsl::idempotency_key, dsl::user_id))
            .first(&mut conn)
            .await
            .optional()?;
        Ok(match running {
            // The same key, inserted by a concurrent request: the next iteration attaches to it.
            Some((_, key, user)) if key.is_some() && key == self.key && user == Some(self.user.0) => None,
            Some((id, _, _)) => Some(Claim::Busy(TurnId(id))),
            None => None,
        })
    }
}
