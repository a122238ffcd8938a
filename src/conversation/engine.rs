//! What all turns of this process share: database, model, settings, caches and the running turns.

use crate::config::{Config, LimitsConfig, LlmConfig, LlmReview};
use crate::conversation::estimate::Calibration;
use crate::conversation::form::FormChoice;
use crate::conversation::limits::turn_limits;
use crate::conversation::memory::MemoryLimit;
use crate::conversation::permits::CommitPermits;
use crate::conversation::snapshot::reader::{PromptLimits, SnapshotReader};
use crate::conversation::stream::remote::RemoteTurns;
use crate::conversation::stream::subscription::Turns;
use crate::conversation::stream::turn_log::LiveTurns;
use crate::conversation::tools::NeedsReview;
use crate::store::Db;
use crate::store::retention::Aged;
use crate::store::turns::prompts::claim::TurnLimits;
use llm_client::Llm;
use plan_model::clock::Clock;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use uuid::Uuid;

/// What a turn is allowed.
#[derive(Debug, Clone)]
pub struct TurnSettings {
    pub max_context_messages: usize,
    pub max_tool_rounds: usize,
    pub temperature: f32,
    pub max_output_tokens: u32,
    /// `None`: what is not plain waits for the franchisee.
    pub review: Option<ReviewSettings>,
    /// The whole turn, tool rounds included.
    pub deadline: Duration,
}

/// How the second look is taken.
#[derive(Debug, Clone)]
pub struct ReviewSettings {
    pub which: NeedsReview,
    /// `None` is the configured model.
    pub model: Option<Arc<str>>,
    pub timeout: Duration,
    pub max_output_tokens: u32,
}

impl TurnSettings {
    /// What the configuration allows a turn, with a model that can or cannot take a second look.
    pub fn new(config: &LlmConfig, can_review: bool) -> Self {
        let which = match config.review {
            LlmReview::Off => None,
            LlmReview::Auto => Some(NeedsReview::Unclear),
            LlmReview::Always => Some(NeedsReview::Any),
        };
        Self {
            max_context_messages: config.max_context_messages.into(),
            max_tool_rounds: config.max_tool_iterations.into(),
            temperature: config.temperature,
            max_output_tokens: config.max_output_tokens,
            review: which.filter(|_| can_review).map(|which| ReviewSettings {
                which,
                model: config.review_model().map(Arc::from),
                timeout: Duration::from_secs(config.review_timeout_seconds),
                max_output_tokens: config.max_output_tokens,
            }),
            deadline: Duration::from_secs(120.max(config.timeout_seconds.saturating_mul(2))),
        }
    }
}

/// What is forgotten after how many days; what is kept forever is not in it.
fn retention(limits: &LimitsConfig) -> Vec<(Aged, u32)> {
    let words = Aged::WORDS.map(|words| (words, limits.retention_days_words));
    let rows = [
        (Aged::Turns, limits.retention_days_turns),
        (Aged::AuditEvents, limits.retention_days_audit),
    ];
    rows.into_iter().chain(words).filter(|(_, days)| *days > 0).collect()
}

/// What turns share.
pub struct Engine {
    pub db: Db,
    pub llm: Arc<dyn Llm>,
    pub clock: Clock,
    pub settings: TurnSettings,
    pub live: LiveTurns,
    pub remote: RemoteTurns,
    /// A stop was stored for a turn of this process that had not begun to run.
    pub(crate) stop_pending: AtomicBool,
    pub(crate) limits: TurnLimits,
    pub(crate) memory: MemoryLimit,
    /// What is deleted or erased after how many days.
    pub(crate) retention: Vec<(Aged, u32)>,
    /// What turns start from.
    pub(crate) snapshots: SnapshotReader,
    /// Which prompt the model takes.
    pub(crate) forms: FormChoice,
    /// How the model counts tokens.
    pub(crate) calibration: Calibration,
    /// Turns that may be storing their end at the same time.
    pub(crate) commit_permits: CommitPermits,
    /// This process among its siblings on the same database.
    pub instance: Uuid,
    /// Whether siblings are alive, who may have readers of our turns.
    pub has_siblings: AtomicBool,
    /// Turns of others are not taken over yet: this instance was cut off from the database, and their owners may have
    /// been, too.
    pub(crate) is_settling: AtomicBool,
    pub(crate) draining: AtomicBool,
    pub(crate) tasks: TaskTracker,
    /// Ends whatever still runs when the drain is over.
    pub(crate) restart: CancellationToken,
}

impl Engine {
    pub fn new(db: Db, llm: Arc<dyn Llm>, clock: Clock, config: &Config) -> Self {
        let settings = TurnSettings::new(&config.llm, llm.can_review());
        let limits = PromptLimits {
            messages: settings.max_context_messages,
            output_tokens: settings.max_output_tokens,
        };
        let snapshots = SnapshotReader::new(db.clone(), Arc::clone(&llm), limits);
        Self {
            db,
            llm,
            clock,
            settings,
            live: LiveTurns::default(),
            remote: RemoteTurns::default(),
            stop_pending: AtomicBool::new(false),
            retention: retention(&config.limits),
            limits: turn_limits(&config.limits, config.llm.max_output_tokens),
            memory: MemoryLimit::new(config.limits.memory_limit_mib),
            snapshots,
            forms: FormChoice::default(),
            calibration: Calibration::default(),
            commit_permits: CommitPermits::new(config.database.pool_size),
            instance: Uuid::now_v7(),
            has_siblings: AtomicBool::new(false),
            is_settling: AtomicBool::new(false),
            draining: AtomicBool::new(false),
            tasks: TaskTracker::new(),
            restart: CancellationToken::new(),
        }
    }
}

impl Engine {
    /// Where turns can be listened to.
    pub fn turns(&self) -> Turns<'_> {
        Turns {
            db: &self.db,
            live: &self.live,
            remote: &self.remote,
        }
    }
}
