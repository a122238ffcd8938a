//! Starting turns: a plan is claimed, then the turn runs as a task of the process.

use crate::config::Config;
use crate::conversation::confirmation;
use crate::conversation::confirmation::{ConfirmationError, Decision, ResolvedConfirmation};
use crate::conversation::engine::Engine;
use crate::conversation::form;
use crate::conversation::snapshot::request::TurnRequest;
use crate::conversation::stream::subscription::Subscription;
use crate::conversation::turn;
use crate::plans::{Actor, PlanRef};
use crate::store::turns::prompts::claim::{BUSY_RETRY, Claim, NewPrompt};
use crate::store::{Db, StoreError, StoreResult};
use llm_client::{Llm, tokens};
use plan_model::access::Caller;
use plan_model::clock::Clock;
use plan_model::event::PendingConfirmation;
use plan_model::ids::{PendingActionId, PlanId, TurnId};
use ring::digest::{Context, SHA256};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

/// Runs turns and remembers the running ones.
#[derive(Clone)]
pub struct Conversations(Arc<Engine>);

/// A turn that a client may subscribe to.
#[derive(Debug)]
pub struct TurnHandle {
    pub turn: TurnId,
    pub attempt: i32,
    pub events: Subscription,
    /// The turn existed already under the request's key.
    pub replayed: bool,
}

/// Why a turn did not start.
#[derive(Debug, thiserror::Error)]
pub enum TurnError {
    #[error("another turn runs on this plan")]
    Busy(TurnId),
    #[error("the idempotency key was used for another message")]
    KeyReused,
    #[error("the turn to replace is not the newest")]
    NotNewest,
    #[error("too many turns")]
    Limited(Duration),
    #[error("the tokens of this day are used up")]
    OverBudget(Duration),
    #[error("the server is shutting down")]
    Draining,
    #[error("the server has no memory for another turn")]
    NoMemory,
    #[error("the message is too long for the model")]
    TooLong,
    #[error("the turn could not be started")]
    Panicked,
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// What must be the same where an idempotency key is used again.
fn fingerprint(request: &TurnRequest) -> Vec<u8> {
    let mut content = Context::new(&SHA256);
    content.update(request.message.as_bytes());
    if let Some(TurnId(replaced)) = request.replaces {
        // No message has a null byte.
        content.update(b"\0");
        content.update(replaced.as_bytes());
    }
    content.finish().as_ref().to_vec()
}

impl Conversations {
    pub fn new(db: Db, llm: Arc<dyn Llm>, clock: Clock, config: &Config) -> Self {
        Self(Arc::new(Engine::new(db, llm, clock, config)))
    }

    pub fn engine(&self) -> &Arc<Engine> {
        &self.0
    }

    /// Claims the plan and starts the turn, or finds the turn the request's key already has.
    ///
    /// # Errors
    /// [`TurnError`]; nothing is stored then and a retry is free.
    pub async fn ask(&self, request: TurnRequest) -> Result<TurnHandle, TurnError> {
        // A task of its own: a client that goes away in between must not leave a claimed plan without a turn.
        let begun = self.0.tasks.spawn(self.clone().begin(request));
        begun.await.unwrap_or(Err(TurnError::Panicked))
    }

    async fn begin(self, request: TurnRequest) -> Result<TurnHandle, TurnError> {
        let engine = &self.0;
        let id = TurnId::fresh();
        let refusal = self.refusal(&request.message);
        let (snapshot, known) = engine.snapshots.query(&request, id);
        let prompt = NewPrompt {
            id,
            plan: request.plan,
            user: request.caller.effective.id,
            actor: request.caller.actor.id,
            model: engine.llm.model_name().to_owned(),
            input: request.message.clone(),
            key: request.key.clone(),
            fingerprint: fingerprint(&request),
            replaces: request.replaces,
            limits: engine.limits,
            instance: engine.instance,
            refused: (refusal.is_some() || request.has_too_many_streams).then_some(BUSY_RETRY),
            snapshot,
        };
        let claim = {
            let mut conn = engine.db.conn().await?;
            prompt.claim(&mut conn).await?
        };
        match claim {
            Claim::Started(lease, snapshot) => {
                failpoint!(in "claim.after");
                let log = engine.live.open(request.plan, lease);
                let events = Subscription::live(Arc::clone(&log), 0);
                let job = turn::Turn::new(Arc::clone(engine), request, lease, log);
                engine
                    .tasks
                    .spawn(job.supervise(snapshot.map(|snapshot| (*snapshot, known))));
                Ok(TurnHandle {
                    turn: lease.turn,
                    attempt: lease.attempt,
                    events,
                    replayed: false,
                })
            }
            Claim::Ended(prompt) => Ok(TurnHandle {
                turn: prompt.turn(),
                attempt: prompt.attempt,
                events: Subscription::stored(&prompt, 0),
                replayed: true,
            }),
            Claim::Running(prompt) => {
                let events = Subscription::running(engine.turns(), &prompt, 0);
                Ok(TurnHandle {
                    turn: prompt.turn(),
                    attempt: prompt.attempt,
                    events,
                    replayed: true,
                })
            }
            Claim::Busy(turn) => Err(TurnError::Busy(turn)),
            Claim::KeyReused => Err(TurnError::KeyReused),
            Claim::NotNewest => Err(TurnError::NotNewest),
            // A turn that is known by its key can still be streamed; only new turns are refused.
            Claim::Limited(wait) => Err(refusal.unwrap_or(TurnError::Limited(wait))),
            Claim::OverBudget(wait) => Err(TurnError::OverBudget(wait)),
        }
    }

    /// Attaches to the plan's running turn, or to the turn a cursor names; see [`Subscription::attach`].
    ///
    /// # Errors
    /// Where the database cannot be asked.
    pub async fn attach(&self, plan: PlanId, cursor: Option<&str>) -> StoreResult<Option<(TurnId, Subscription)>> {
        Subscription::attach(self.0.turns(), plan, cursor).await
    }

    /// Stops the plan's turn and waits a moment for its end; see [`turn::stop::stop`].
    ///
    /// # Errors
    /// Where the database cannot be asked for a turn of another instance.
    pub async fn cancel(&self, plan: PlanId) -> StoreResult<()> {
        turn::stop::stop(&self.0, plan).await
    }

    /// The action of a plan that waits for this person's yes.
    ///
    /// # Errors
    /// Where the database cannot be read.
    pub async fn pending(&self, caller: &Caller, plan: PlanId) -> StoreResult<Option<PendingConfirmation>> {
        confirmation::pending(&self.0, caller.effective.id, plan).await
    }

    /// Resolves the pending action outside the chat.
    ///
    /// # Errors
    /// See [`ConfirmationError`]; nothing has changed then.
    pub async fn resolve_confirmation(
        &self,
        actor: &Actor,
        plan: &PlanRef,
        id: PendingActionId,
        decision: Decision,
    ) -> Result<ResolvedConfirmation, ConfirmationError> {
        confirmation::resolve_pending(&self.0, actor, plan, id, decision).await
    }

    /// Why this process starts no turn with this message now.
    fn refusal(&self, message: &str) -> Option<TurnError> {
        let engine = &self.0;
        let context = engine.llm.context_tokens();
        // Most models' size is not known, and nothing has to be counted for them.
        if context.is_some() && form::is_too_long(tokens(message), context, engine.settings.max_output_tokens) {
            Some(TurnError::TooLong)
        } else if self.is_draining() {
            Some(TurnError::Draining)
        } else {
            engine.memory.is_short().then_some(TurnError::NoMemory)
        }
    }

    /// Whether new turns are refused because the process has no memory for them, though another instance may.
    pub fn is_full(&self) -> bool {
        self.0.has_siblings.load(Ordering::Relaxed) && self.0.memory.is_short()
    }

    /// Whether new turns are refused because the process is about to end.
    pub fn is_draining(&self) -> bool {
        self.0.draining.load(Ordering::Relaxed)
    }

    /// From now on no turn starts.
    pub fn refuse_new_turns(&self) {
        self.0.draining.store(true, Ordering::Relaxed);
    }

    /// Lets running turns finish for `grace`, then ends the rest as interrupted.
    pub async fn drain(&self, grace: Duration) {
        self.refuse_new_turns();
        self.0.tasks.close();
        if tokio::time::timeout(grace, self.0.tasks.wait()).await.is_err() {
            self.0.restart.cancel();
            // Each of them still writes its ending; the database may be the reason why it takes long.
            let _ = tokio::time::timeout(Duration::from_millis(1_500), self.0.tasks.wait()).await;
        }
    }

    /// Turns that run in this process.
    pub fn running(&self) -> usize {
        self.0.live.len()
    }
}
