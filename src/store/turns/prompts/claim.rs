//! Claims a turn, the only way in which one starts: one transaction, in which no other turn of the user is claimed. The
//! user's limits are counted, then the row is inserted; a unique index lets one turn of a plan run. A claim that starts no
//! turn is rolled back, so that it counts for nothing.

use super::{LEASE_SECONDS, Prompt, PromptState, TurnLease, is_running, is_running_conflict};
use crate::store::plans::conversations::Conversation;
use crate::store::schema::prompts::dsl;
use crate::store::schema::{plans, prompts, users};
use crate::store::turns::turn_snapshot::{SnapshotQuery, TurnSnapshot};
use crate::store::{Conn, StoreError, StoreResult, spent_tokens};
use diesel::dsl::{IntervalDsl, now};
use diesel::prelude::*;
use diesel::sql_types::{Bool, Timestamptz};
use diesel_async::{AsyncConnection, RunQueryDsl};
use pg_link::json::Json;
use plan_model::error::ErrorCode;
use plan_model::ids::{PlanId, TurnId, UserId};
use serde_json::value::RawValue;
use std::collections::BTreeSet;
use std::time::Duration;
use uuid::Uuid;

mod admission;
mod insert;

pub(in crate::store) use admission::serialize_claims;
pub(crate) use admission::{BUSY_RETRY, TurnLimits};

use admission::Refusal;

/// Concurrent requests may see each other's rows appear and vanish; more retries than this indicate a defect.
const ROUNDS: usize = 5;

/// A request to start a turn.
#[derive(Debug, Clone)]
pub(crate) struct NewPrompt {
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
    pub limits: TurnLimits,
    /// This process, which will own the turn.
    pub instance: Uuid,
    /// Whether turns past their lease may be taken over, or only started.
    pub takes_over: bool,
    /// No turn may start; replaying a known one is never limited.
    pub refused: Option<Duration>,
    /// The snapshot to read when the plan is claimed.
    pub snapshot: SnapshotQuery,
}

/// The result of a claim.
#[derive(Debug)]
pub(crate) enum Claim {
    /// Claimed: run it, with its snapshot if it could be read. For a failed turn of the same key this is the next
    /// attempt.
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

/// Why a claim is rolled back.
enum NotStarted {
    Because(Claim),
    Failed(StoreError),
}

impl From<StoreError> for NotStarted {
    fn from(error: StoreError) -> Self {
        Self::Failed(error)
    }
}

impl From<diesel::result::Error> for NotStarted {
    fn from(error: diesel::result::Error) -> Self {
        Self::Failed(error.into())
    }
}

impl From<Refusal> for NotStarted {
    fn from(refusal: Refusal) -> Self {
        Self::Because(match refusal {
            Refusal::Limited(wait) => Claim::Limited(wait),
            Refusal::OverBudget(wait) => Claim::OverBudget(wait),
        })
    }
}

impl NewPrompt {
    /// Claims the plan for this turn. Limits apply only if a turn would start: replaying a known turn is never limited.
    ///
    /// # Errors
    /// If the database fails; then nothing is claimed.
    pub(crate) async fn claim(&self, conn: &mut Conn) -> StoreResult<Claim> {
        let started = conn.transaction::<_, NotStarted, _>(async |conn| self.start(conn).await);
        match started.await {
            Ok(lease) => {
                failpoint!("claim.inserted");
                // The plan is claimed, so a snapshot that cannot be read now is read again by the turn.
                let snapshot = self.snapshot.load(conn).await;
                Ok(Claim::Started(lease, snapshot.ok().map(Box::new)))
            }
            Err(NotStarted::Because(claim)) => Ok(claim),
            Err(NotStarted::Failed(error)) => Err(error),
        }
    }

    /// Starts the turn, or the next attempt of the turn that the key has.
    async fn start(&self, conn: &mut Conn) -> Result<TurnLease, NotStarted> {
        serialize_claims(conn, self.user).await?;
        let mut again = self.by_key(conn).await?;
        if let Some(wait) = self.refused {
            return Err(NotStarted::Because(Claim::Limited(wait)));
        }
        self.limits.admit(conn, self.user).await??;
        if !self.replaces_newest(conn).await? {
            return Err(NotStarted::Because(Claim::NotNewest));
        }
        for _ in 0..ROUNDS {
            let started = match &again {
                Some(prompt) => self.rerun(conn, prompt).await?,
                None => self.insert(conn).await?,
            };
            if let Some(lease) = started {
                return Ok(lease);
            }
            self.make_way(conn).await?;
            again = self.by_key(conn).await?;
        }
        Err(StoreError::Conflict("claim".into()).into())
    }

    /// The turn of the key, if it is to be run again. One that runs or has ended is the result.
    async fn by_key(&self, mut conn: &Conn) -> Result<Option<Prompt>, NotStarted> {
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
        Err(NotStarted::Because(match prompt.state {
            _ if prompt.fingerprint.as_deref() != Some(&self.fingerprint[..]) => Claim::KeyReused,
            PromptState::Completed | PromptState::Stopped => Claim::Ended(Box::new(prompt)),
            PromptState::Running if !(expired && self.takes_over) => Claim::Running(Box::new(prompt)),
            PromptState::Running | PromptState::Failed | PromptState::Interrupted => return Ok(Some(prompt)),
        }))
    }

    /// Whether the turn to replace, if there is one, is the newest of the conversation.
    async fn replaces_newest(&self, conn: &Conn) -> StoreResult<bool> {
        match self.replaces {
            Some(turn) => Ok(Conversation::newest_turn(conn, self.plan).await? == Some(turn)),
            None => Ok(true),
        }
    }

    /// Starts the next attempt; `None` if a concurrent request did, or another turn runs on the plan.
    async fn rerun(&self, conn: &mut Conn, prompt: &Prompt) -> StoreResult<Option<TurnLease>> {
        self.hold_plan_and_people(conn).await?;
        // In a transaction of its own: a running turn refuses the row, which must not end the claim.
        let started = conn.transaction::<_, StoreError, _>(async |conn| self.next_attempt(conn, prompt).await);
        match started.await {
            Err(error) if is_running_conflict(&error) => Ok(None),
            started => started,
        }
    }

    /// As inserting a row does by its foreign keys: who locks the plan or one of the people against turns sees this attempt, or
    /// keeps it out. [`StoreError::NotFound`] if one of them is gone.
    async fn hold_plan_and_people(&self, conn: &mut Conn) -> StoreResult<()> {
        let people = BTreeSet::from([self.user.0, self.actor.0]);
        let held: Vec<Uuid> = users::table
            .filter(users::id.eq_any(&people))
            .order(users::id)
            .select(users::id)
            .for_key_share()
            .load(conn)
            .await?;
        if held.len() < people.len() {
            return Err(StoreError::NotFound);
        }
        let plan = plans::table.find(self.plan.0).select(plans::id);
        plan.for_key_share().first::<Uuid>(conn).await?;
        Ok(())
    }

    async fn next_attempt(&self, mut conn: &Conn, prompt: &Prompt) -> StoreResult<Option<TurnLease>> {
        let lease = now.into_sql::<Timestamptz>() + LEASE_SECONDS.seconds();
        let mut started: Vec<(i32, i64)> = diesel::update(prompts::table)
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
                dsl::owner.eq(self.instance),
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
                dsl::started_at.eq(now),
                (
                    dsl::prompt_tokens.eq(0),
                    dsl::completion_tokens.eq(0),
                    dsl::total_tokens.eq(0),
                    dsl::usage_estimated.eq(false),
                    dsl::cached_prompt_tokens.eq(None::<i64>),
                    dsl::cache_write_tokens.eq(None::<i64>),
                    dsl::reasoning_tokens.eq(None::<i64>),
                ),
            ))
            .returning((dsl::attempt, dsl::fence))
            .load(&mut conn)
            .await?;
        if prompt.state == PromptState::Running && !started.is_empty() {
            spent_tokens::add_lost(conn, &[prompt.id]).await?;
        }
        Ok(started.pop().map(|(attempt, fence)| TurnLease {
            turn: prompt.turn(),
            attempt,
            fence,
        }))
    }

    /// Interrupts the plan's running turn if its lease has expired. One that runs on is the result, unless it has this key.
    async fn make_way(&self, mut conn: &Conn) -> Result<(), NotStarted> {
        let orphan = prompts::table
            .filter(dsl::plan_id.eq(self.plan.0))
            .filter(is_running())
            .filter(dsl::lease_until.lt(now))
            .filter(self.takes_over.into_sql::<Bool>());
        let orphans: Vec<Uuid> = diesel::update(orphan)
            .set((
                dsl::state.eq(PromptState::Interrupted.as_str()),
                dsl::fence.eq(dsl::fence + 1),
                dsl::error_code.eq(ErrorCode::ServerRestarting.as_str()),
                dsl::completed_at.eq(now),
            ))
            .returning(dsl::id)
            .load(&mut conn)
            .await?;
        spent_tokens::add_lost(conn, &orphans).await?;
        let running: Option<(Uuid, Option<String>, Option<Uuid>)> = prompts::table
            .filter(dsl::plan_id.eq(self.plan.0))
            .filter(is_running())
            .select((dsl::id, dsl::idempotency_key, dsl::user_id))
            .first(&mut conn)
            .await
            .optional()?;
        match running {
            // The key says more of it.
            Some((_, key, user)) if key.is_some() && key == self.key && user == Some(self.user.0) => Ok(()),
            Some((id, _, _)) => Err(NotStarted::Because(Claim::Busy(TurnId(id)))),
            None => Ok(()),
        }
    }
}
