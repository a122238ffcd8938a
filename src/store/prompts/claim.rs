//! Claiming a turn: one statement where nothing stands in the way, and a clear answer where something does.

use super::{Hold, LEASE_SECONDS, Prompt, PromptState, is_running_conflict};
use crate::model::ids::{PlanId, TurnId, UserId};
use crate::store::scene::{Scene, SceneQuery};
use crate::store::schema::prompts::{self, dsl};
use crate::store::{Conn, StoreError, StoreResult};
use diesel::dsl::{IntervalDsl, now};
use diesel::prelude::*;
use diesel::sql_types::{BigInt, Text, Timestamptz};
use diesel_async::{AsyncConnection, RunQueryDsl};
use std::time::Duration;
use uuid::Uuid;

/// Two requests may take turns in seeing each other's rows appear and vanish; more rounds than this mean trouble.
const ROUNDS: usize = 5;

/// Asked before a turn starts; the error is how long to wait.
pub type Admit<'a> = dyn Fn() -> Result<(), Duration> + Sync + 'a;

/// A turn that wants to start.
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
    pub owner: Uuid,
    /// What the turn starts from, read together with the claim.
    pub scene: SceneQuery,
}

/// What came of it.
#[derive(Debug)]
pub enum Claim {
    /// Ours: run it, with what it starts from where that was read already. For a failed turn of the same key this is its
    /// next attempt.
    Started(Hold, Option<Box<Scene>>),
    /// The key's turn has ended well or was stopped: send it again.
    Ended(Box<Prompt>),
    /// The key's turn runs: listen to it.
    Running(Box<Prompt>),
    /// Another turn runs on this plan.
    Busy(TurnId),
    /// The key was used for another message.
    KeyReused,
    /// Too many turns; try again after this time.
    Limited(Duration),
    /// The day's tokens are used up; the next day begins after this time.
    OverBudget(Duration),
}

/// Tokens a person may spend in a day, UTC, and what is held back for each running turn. Zero: no limit.
#[derive(Debug, Clone, Copy, Default)]
pub struct Budget {
    pub daily_tokens: i64,
    pub reservation: i64,
}

#[derive(QueryableByName)]
struct Spending {
    #[diesel(sql_type = BigInt)]
    spent: i64,
    #[diesel(sql_type = BigInt)]
    seconds_left: i64,
}

impl NewPrompt {
    /// Claims the plan for this turn. `admit` is asked once, and only where a turn would start: hearing a known turn again is
    /// never limited.
    ///
    /// # Errors
    /// Where the database fails; nothing is claimed then.
    pub async fn claim(&self, conn: &mut Conn, budget: Budget, admit: &Admit<'_>) -> StoreResult<Claim> {
        if budget.daily_tokens == 0 {
            return self.try_claim(conn, admit).await;
        }
        conn.transaction::<_, StoreError, _>(async |conn| {
            // One claim of a person at a time, over all instances: the sum is looked at and added to in one step.
            diesel::sql_query("SELECT pg_advisory_xact_lock(hashtextextended($1, 7220519012))")
                .bind::<Text, _>(self.user.to_string())
                .execute(conn)
                .await?;
            let spending = self.spending(conn, budget.reservation).await?;
            if spending.spent >= budget.daily_tokens && !self.is_known(conn).await? {
                return Ok(Claim::OverBudget(Duration::from_secs(
                    spending.seconds_left.max(1).unsigned_abs(),
                )));
            }
            self.try_claim(conn, admit).await
        })
        .await
    }

    /// Tokens of this day, with a reservation for each running turn.
    async fn spending(&self, mut conn: &Conn, reservation: i64) -> StoreResult<Spending> {
        Ok(diesel::sql_query(
            "SELECT coalesce(sum(CASE state WHEN 'running' THEN $2 ELSE total_tokens END), 0)::bigint AS spent, \
             ceil(extract(epoch FROM date_trunc('day', now()) + interval '1 day' - now()))::bigint AS seconds_left \
             FROM prompts WHERE user_id = $1 AND created_at >= date_trunc('day', now())",
        )
        .bind::<diesel::sql_types::Uuid, _>(self.user.0)
        .bind::<BigInt, _>(reservation)
        .get_result(&mut conn)
        .await?)
    }

    /// Whether the key has a turn that has ended well or still runs.
    async fn is_known(&self, mut conn: &Conn) -> StoreResult<bool> {
        let Some(key) = &self.key else { return Ok(false) };
        let known = prompts::table
            .filter(dsl::user_id.eq(self.user.0))
            .filter(dsl::plan_id.eq(self.plan.0))
            .filter(dsl::idempotency_key.eq(key))
            .filter(dsl::state.eq_any(["completed", "stopped", "running"]));
        Ok(diesel::select(diesel::dsl::exists(known)).get_result(&mut conn).await?)
    }

    async fn try_claim(&self, conn: &Conn, admit: &Admit<'_>) -> StoreResult<Claim> {
        let mut admitted = false;
        for _ in 0..ROUNDS {
            if let Some(claim) = self.by_key(conn, admit).await? {
                return Ok(claim);
            }
            if !admitted && let Err(wait) = admit() {
                return Ok(Claim::Limited(wait));
            }
            admitted = true;
            // The reading goes out behind the writing, in the same round trip.
            let (hold, scene) = futures_util::try_join!(self.insert(conn), self.scene.load(conn))?;
            if let Some(hold) = hold {
                return Ok(Claim::Started(hold, Some(Box::new(scene))));
            }
            if let Some(claim) = self.behind_running(conn).await? {
                return Ok(claim);
            }
        }
        Err(StoreError::Conflict("claim".into()))
    }

    /// What the request's key says, if it has one that is known.
    async fn by_key(&self, mut conn: &Conn, admit: &Admit<'_>) -> StoreResult<Option<Claim>> {
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
        match prompt.state() {
            PromptState::Completed | PromptState::Stopped => Ok(Some(Claim::Ended(Box::new(prompt)))),
            PromptState::Running if !expired => Ok(Some(Claim::Running(Box::new(prompt)))),
            PromptState::Running | PromptState::Failed | PromptState::Interrupted => match admit() {
                Ok(()) => self.rerun(conn, &prompt).await,
                Err(wait) => Ok(Some(Claim::Limited(wait))),
            },
        }
    }

    /// Starts the next attempt; `None` where somebody else did meanwhile.
    async fn rerun(&self, mut conn: &Conn, prompt: &Prompt) -> StoreResult<Option<Claim>> {
        let lease = now.into_sql::<Timestamptz>() + LEASE_SECONDS.seconds();
        let again = diesel::update(prompts::table)
            .filter(dsl::id.eq(prompt.id))
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
                dsl::owner.eq(self.owner),
                dsl::model.eq(&self.model),
                dsl::lease_until.eq(lease),
                dsl::cancel_requested.eq(false),
                dsl::output.eq(None::<String>),
                dsl::error_code.eq(None::<String>),
                dsl::completed_at.eq(None::<time::OffsetDateTime>),
            ))
            .returning((dsl::attempt, dsl::fence))
            .get_result::<(i32, i64)>(&mut conn)
            .await
            .optional()
            .map_err(StoreError::from);
        match again {
            Ok(started) => Ok(started.map(|(attempt, fence)| {
                let hold = Hold {
                    turn: prompt.turn(),
                    attempt,
                    fence,
                };
                Claim::Started(hold, None)
            })),
            Err(error) if is_running_conflict(&error) => self.behind_running(conn).await,
            Err(error) => Err(error),
        }
    }

    /// Adds the row unless the plan or the key is taken.
    async fn insert(&self, mut conn: &Conn) -> StoreResult<Option<Hold>> {
        failpoint!("claim.before");
        let fence: Option<i64> = diesel::insert_into(prompts::table)
            .values((
                dsl::id.eq(self.id.0),
                dsl::plan_id.eq(self.plan.0),
                dsl::user_id.eq(self.user.0),
                dsl::actor_id.eq(self.actor.0),
                dsl::model.eq(&self.model),
                dsl::state.eq(PromptState::Running.as_str()),
                dsl::input.eq(&self.input),
                dsl::idempotency_key.eq(self.key.as_ref()),
                dsl::fingerprint.eq(&self.fingerprint),
                dsl::owner.eq(self.owner),
                dsl::lease_until.eq(now.into_sql::<Timestamptz>() + LEASE_SECONDS.seconds()),
            ))
            .on_conflict_do_nothing()
            .returning(dsl::fence)
            .get_result(&mut conn)
            .await
            .optional()?;
        failpoint!("claim.inserted");
        Ok(fence.map(|fence| Hold {
            turn: self.id,
            attempt: 1,
            fence,
        }))
    }

    /// What to say about the turn that holds the plan; takes it away first where its lease is over.
    async fn behind_running(&self, mut conn: &Conn) -> StoreResult<Option<Claim>> {
        let orphan = prompts::table
            .filter(dsl::plan_id.eq(self.plan.0))
            .filter(dsl::state.eq(PromptState::Running.as_str()))
            .filter(dsl::lease_until.lt(now));
        diesel::update(orphan)
            .set((
                dsl::state.eq(PromptState::Interrupted.as_str()),
                dsl::fence.eq(dsl::fence + 1),
                dsl::error_code.eq("SERVER_RESTARTING"),
                dsl::completed_at.eq(now),
            ))
            .execute(&mut conn)
            .await?;
        let running: Option<(Uuid, Option<String>, Uuid)> = prompts::table
            .filter(dsl::plan_id.eq(self.plan.0))
            .filter(dsl::state.eq(PromptState::Running.as_str()))
            .select((dsl::id, dsl::idempotency_key, dsl::user_id))
            .first(&mut conn)
            .await
            .optional()?;
        Ok(match running {
            // Our own key, inserted by a parallel request a moment ago: the next round attaches to it.
            Some((_, key, user)) if key.is_some() && key == self.key && user == self.user.0 => None,
            Some((id, _, _)) => Some(Claim::Busy(TurnId(id))),
            None => None,
        })
    }
}
