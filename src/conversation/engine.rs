//! What all turns of this process share: database, model, settings, caches and the running turns.

use crate::config::{Config, LimitsConfig, LlmConfig, LlmReview};
use crate::conversation::limits::turn_limits;
use crate::conversation::memory::MemoryLimit;
use crate::conversation::prompt::brand::PrefixCache;
use crate::conversation::prompt::form::{FormChoice, PromptForm};
use crate::conversation::prompt::plan::{PlanFigures, PlanView};
use crate::conversation::stream::remote::RemoteTurns;
use crate::conversation::stream::turn_log::LiveTurns;
use crate::conversation::tools::NeedsReview;
use crate::conversation::turn::cache::StateCache;
use crate::conversation::turn::estimate::Calibration;
use crate::conversation::turn::second_look::ReviewSettings;
use crate::store::Db;
use crate::store::brands::BrandVersion;
use crate::store::plans::Revision;
use crate::store::prompts::claim::TurnLimits;
use crate::store::retention::Aged;
use llm_client::Llm;
use plan_model::access::Caller;
use plan_model::clock::Clock;
use plan_model::ids::{BrandVersionId, PlanId, TurnId};
use plan_model::inputs::FinancialInputs;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;
use time::OffsetDateTime;
use tokio::sync::Semaphore;
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
    pub(crate) stop_waits: AtomicBool,
    pub(crate) limits: TurnLimits,
    pub(crate) memory: MemoryLimit,
    /// What is deleted or erased after how many days.
    pub(crate) retention: Vec<(Aged, u32)>,
    pub(crate) prefixes: PrefixCache,
    /// Which prompt the model takes.
    pub(crate) forms: FormChoice,
    /// How the model counts tokens.
    pub(crate) calibration: Calibration,
    pub(crate) recent: StateCache,
    /// Turns that may be storing their end at the same time. Thousands that end in one moment take their turn instead of
    /// fighting for connections, and requests find one in between.
    pub(crate) endings: Semaphore,
    /// This process among its siblings on the same database.
    pub instance: Uuid,
    /// Whether siblings are alive, who may have readers of our turns.
    pub has_siblings: AtomicBool,
    /// Whether turns of others may be taken over: not right after this instance was cut off from the database, because
    /// their owners may have been, too.
    pub(crate) may_reap: AtomicBool,
    pub(crate) draining: AtomicBool,
    pub(crate) tasks: TaskTracker,
    /// Ends whatever still runs when the drain is over.
    pub(crate) restart: CancellationToken,
}

impl Engine {
    pub fn new(db: Db, llm: Arc<dyn Llm>, clock: Clock, config: &Config) -> Self {
        let settings = TurnSettings::new(&config.llm, llm.can_review());
        Self {
            db,
            llm,
            clock,
            settings,
            live: LiveTurns::default(),
            remote: RemoteTurns::default(),
            stop_waits: AtomicBool::new(false),
            retention: retention(&config.limits),
            limits: turn_limits(&config.limits, config.llm.max_output_tokens),
            memory: MemoryLimit::new(config.limits.memory_limit_mib),
            prefixes: PrefixCache::default(),
            forms: FormChoice::default(),
            calibration: Calibration::default(),
            recent: StateCache::default(),
            endings: Semaphore::new(config.database.pool_size.saturating_sub(2).max(1) as usize),
            instance: Uuid::now_v7(),
            has_siblings: AtomicBool::new(false),
            may_reap: AtomicBool::new(true),
            draining: AtomicBool::new(false),
            tasks: TaskTracker::new(),
            restart: CancellationToken::new(),
        }
    }
}

impl Engine {
    /// What the model is shown of a revision of a plan; `inputs` are that revision's.
    pub fn view(
        &self,
        plan: PlanId,
        revision: Revision,
        inputs: Option<&FinancialInputs>,
        brand_version: &BrandVersion,
        form: PromptForm,
    ) -> Arc<PlanView> {
        let known = self.recent.view(plan);
        let fits = |view: &Arc<PlanView>| view.form == form && view.figures.is_of(revision, brand_version);
        if let Some(view) = known.filter(fits) {
            return view;
        }
        let view = Arc::new(PlanView::new(revision, brand_version, inputs, form));
        self.recent.remember(plan, Arc::clone(&view));
        view
    }

    /// The results of a revision of a plan, without the text for the model where they are not known.
    pub fn figures(
        &self,
        plan: PlanId,
        revision: Revision,
        inputs: Option<&FinancialInputs>,
        brand_version: &BrandVersion,
    ) -> Arc<PlanFigures> {
        let known = self.recent.view(plan).map(|view| Arc::clone(&view.figures));
        known
            .filter(|figures| figures.is_of(revision, brand_version))
            .unwrap_or_else(|| Arc::new(PlanFigures::new(revision, brand_version, inputs)))
    }
}

/// A message that wants an answer.
#[derive(Debug, Clone)]
pub struct TurnRequest {
    pub caller: Caller,
    /// The key of the caller's session during an impersonation, which must still be there when the turn is stored.
    pub session: Option<Vec<u8>>,
    pub plan: PlanId,
    pub brand_version: BrandVersionId,
    pub message: String,
    pub asked_at: OffsetDateTime,
    pub key: Option<String>,
    /// The newest stored turn, whose place this one takes: an edited message, or an answer asked for again.
    pub replaces: Option<TurnId>,
    /// This request opens a stream that is one too many. A turn that exists already can be streamed in any case.
    pub has_too_many_streams: bool,
}
