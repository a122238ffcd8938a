//! Floor 3: the turn. The only place that knows all four rooms.
//!
//! A turn is a task of its own: the request that started it only listens. Its answer is stored whether or not somebody is
//! still there, and everything it changed is committed at once before `done` is said.

use crate::config::Config;
use crate::llm::Llm;
use crate::model::access::Caller;
use crate::model::clock::Clock;
use crate::model::ids::{BrandVersionId, PlanId, TurnId};
use crate::store::prompts::claim::{Budget, Claim, NewPrompt};
use crate::store::{Db, StoreError};
use ring::digest::{SHA256, digest};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use time::OffsetDateTime;
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use uuid::Uuid;

pub mod attach;
mod briefing;
pub mod claims;
mod commit;
pub mod confirmation;
mod context;
pub mod frames;
pub mod history;
pub mod limits;
pub mod live;
pub mod maintenance;
pub mod offline;
pub mod prompt;
pub mod proposals;
mod recent;
mod stop;
mod tool_loop;
pub mod tools;
mod traces;
mod turn;
mod view;
pub mod window;

use attach::Subscription;
use limits::TurnLimits;
use live::LiveTurns;

/// What a turn is allowed.
#[derive(Debug, Clone)]
pub struct TurnSettings {
    pub max_context_messages: usize,
    pub max_tool_rounds: usize,
    pub temperature: f32,
    pub max_output_tokens: u32,
    /// The whole turn, tool rounds included.
    pub deadline: Duration,
}

/// Runs turns and remembers the running ones.
#[derive(Clone)]
pub struct Conversations(Arc<Engine>);

/// What turns share.
pub struct Engine {
    pub db: Db,
    pub llm: Arc<dyn Llm>,
    pub clock: Clock,
    pub settings: TurnSettings,
    pub live: LiveTurns,
    limits: TurnLimits,
    prefixes: prompt::PrefixCache,
    recent: recent::Recent,
    /// Turns that may be storing their end at the same time. Thousands that end in one moment take their turn instead of
    /// fighting for connections, and requests find one in between.
    endings: Semaphore,
    /// This process among its siblings on the same database.
    pub instance: Uuid,
    /// Whether siblings are alive, who may have readers of our turns.
    pub has_siblings: AtomicBool,
    draining: AtomicBool,
    tasks: TaskTracker,
    /// Ends whatever still runs when the drain is over.
    restart: CancellationToken,
}

/// A message that wants an answer.
#[derive(Debug, Clone)]
pub struct Question {
    pub caller: Caller,
    pub plan: PlanId,
    pub edition: BrandVersionId,
    pub message: String,
    pub asked_at: OffsetDateTime,
    pub key: Option<String>,
    /// The person listens to as many streams as they may; a turn that exists already can still be heard.
    pub streams_full: bool,
}

/// A turn somebody may listen to.
#[derive(Debug)]
pub struct Answering {
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
    #[error("too many turns")]
    Limited(Duration),
    #[error("the tokens of this day are used up")]
    OverBudget(Duration),
    #[error("the server is shutting down")]
    Draining,
    #[error("the turn could not be started")]
    Panicked,
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Conversations {
    #[must_use]
    pub fn new(db: Db, llm: Arc<dyn Llm>, clock: Clock, config: &Config) -> Self {
        let settings = TurnSettings {
            max_context_messages: config.llm.max_context_messages.into(),
            max_tool_rounds: config.llm.max_tool_iterations.into(),
            temperature: config.llm.temperature,
            max_output_tokens: config.llm.max_output_tokens,
            deadline: Duration::from_secs(120.max(config.llm.timeout_seconds.saturating_mul(2))),
        };
        Self(Arc::new(Engine {
            db,
            llm,
            clock,
            settings,
            live: LiveTurns::default(),
            limits: TurnLimits::new(&config.limits, config.llm.max_output_tokens),
            prefixes: prompt::PrefixCache::default(),
            recent: recent::Recent::default(),
            endings: Semaphore::new(config.database.pool_size.saturating_sub(2).max(1) as usize),
            instance: Uuid::now_v7(),
            has_siblings: AtomicBool::new(false),
            draining: AtomicBool::new(false),
            tasks: TaskTracker::new(),
            restart: CancellationToken::new(),
        }))
    }

    #[must_use]
    pub fn engine(&self) -> &Arc<Engine> {
        &self.0
    }

    /// Claims the plan and starts the turn, or finds the turn the request's key already has.
    ///
    /// # Errors
    /// [`TurnError`]; nothing is stored then and a retry is free.
    pub async fn ask(&self, question: Question) -> Result<Answering, TurnError> {
        // A task of its own: a client that goes away in between must not leave a claimed plan without a turn.
        let begun = self.0.tasks.spawn(self.clone().begin(question));
        begun.await.unwrap_or(Err(TurnError::Panicked))
    }

    async fn begin(self, question: Question) -> Result<Answering, TurnError> {
        let engine = &self.0;
        let id = TurnId::fresh();
        let (scene, known) = context::query(engine, &question, id);
        let prompt = NewPrompt {
            id,
            plan: question.plan,
            user: question.caller.effective.id,
            actor: question.caller.actor.id,
            model: engine.llm.model_name().to_owned(),
            input: question.message.clone(),
            key: question.key.clone(),
            fingerprint: digest(&SHA256, question.message.as_bytes()).as_ref().to_vec(),
            owner: engine.instance,
            scene,
        };
        let claim = {
            let mut conn = engine.db.conn().await?;
            let budget = Budget {
                daily_tokens: engine.limits.daily_tokens,
                reservation: engine.limits.reservation,
            };
            let admit = || match self.is_draining() || question.streams_full {
                true => Err(limits::STREAMS_RETRY),
                false => engine.limits.admit(prompt.user, &engine.live),
            };
            prompt.claim(&mut conn, budget, &admit).await?
        };
        match claim {
            Claim::Started(hold, scene) => {
                failpoint!(in "claim.after");
                let log = engine.live.open(question.plan, question.caller.effective.id, hold);
                let events = Subscription::live(Arc::clone(&log), 0);
                let job = turn::Turn::new(Arc::clone(engine), question, hold, log);
                engine.tasks.spawn(job.supervise(scene.map(|scene| (*scene, known))));
                Ok(Answering {
                    turn: hold.turn,
                    attempt: hold.attempt,
                    events,
                    replayed: false,
                })
            }
            Claim::Ended(prompt) => Ok(Answering {
                turn: prompt.turn(),
                attempt: prompt.attempt,
                events: Subscription::stored(&prompt, 0),
                replayed: true,
            }),
            Claim::Running(prompt) => {
                let events = Subscription::running(engine, &prompt, 0);
                Ok(Answering {
                    turn: prompt.turn(),
                    attempt: prompt.attempt,
                    events,
                    replayed: true,
                })
            }
            Claim::Busy(turn) => Err(TurnError::Busy(turn)),
            Claim::KeyReused => Err(TurnError::KeyReused),
            // What is known by its key can still be heard while we drain; only what would start is refused.
            Claim::Limited(_) if self.is_draining() => Err(TurnError::Draining),
            Claim::Limited(wait) => Err(TurnError::Limited(wait)),
            Claim::OverBudget(wait) => Err(TurnError::OverBudget(wait)),
        }
    }

    /// Whether new turns are refused because the process is about to end.
    #[must_use]
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
    #[must_use]
    pub fn running(&self) -> usize {
        self.0.live.len()
    }
}
