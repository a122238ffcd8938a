//! Reads the state a turn starts from, in the round trip that claims the turn; then the connection is returned.

use crate::conversation::snapshot::brand::PrefixCache;
use crate::conversation::snapshot::cache::{BasePlan, CachedState, StateCache};
use crate::conversation::snapshot::request::TurnRequest;
use crate::plans::undo;
use crate::store::brands::BrandVersion;
use crate::store::people::users::User;
use crate::store::plans::conversations::Window;
use crate::store::plans::plan_changes::PlanChange;
use crate::store::turns::pending_actions::PendingAction;
use crate::store::turns::prompts::TurnLease;
use crate::store::turns::turn_snapshot::{SnapshotQuery, TurnSnapshot};
use crate::store::{Db, StoreResult};
use llm_client::Llm;
use plan_model::access::UserRole;
use plan_model::ids::{PlanId, TurnId};
use plan_model::message::Role;
use std::sync::Arc;

/// The state of plan and conversation before the turn.
#[derive(Debug)]
pub(crate) struct Snapshot {
    pub plan_name: String,
    pub base: BasePlan,
    pub brand_version: Arc<BrandVersion>,
    /// The newest finished turns, oldest first.
    pub recent: Arc<Window>,
    pub pending: Option<PendingAction>,
    /// The turn to replace is no longer the newest.
    pub is_outdated: bool,
}

/// What was read while the turn was claimed, and what was known of the conversation before.
pub(crate) type Prefetched = (TurnSnapshot, CachedState);

/// How much of it a prompt takes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PromptLimits {
    pub messages: usize,
    pub output_tokens: u32,
}

/// Reads what turns start from, and remembers it. Shared by all turns.
pub(crate) struct SnapshotReader {
    pub(super) db: Db,
    pub(super) llm: Arc<dyn Llm>,
    pub(super) limits: PromptLimits,
    pub prefixes: PrefixCache,
    pub cache: StateCache,
}

impl SnapshotReader {
    pub(crate) fn new(db: Db, llm: Arc<dyn Llm>, limits: PromptLimits) -> Self {
        Self {
            db,
            llm,
            limits,
            prefixes: PrefixCache::default(),
            cache: StateCache::default(),
        }
    }

    /// What to ask for, and what need not be read again.
    pub(crate) fn query(&self, request: &TurnRequest, turn: TurnId) -> (SnapshotQuery, CachedState) {
        let known = self.cache.known(request.plan);
        let query = SnapshotQuery {
            plan: request.plan,
            user: request.caller.effective.id,
            turn,
            // At least two: the words that may count as evidence reach back one exchange in any case.
            count: i32::try_from(self.limits.messages.max(2)).unwrap_or(i32::MAX),
            known: known.window.as_ref().and_then(|window| window.updated_at),
            known_plan: known.base.as_ref().map(|base| base.revision),
        };
        (query, known)
    }

    /// The state before a claimed turn. `prefetched` was read while it was claimed; where the claim was not in yet, the newest
    /// finished turn may be missing in it.
    pub(crate) async fn load(
        &self,
        request: &TurnRequest,
        lease: TurnLease,
        prefetched: Option<Prefetched>,
    ) -> StoreResult<Snapshot> {
        let (snapshot, known) = match prefetched {
            Some((snapshot, known)) if snapshot.is_claimed => (snapshot, known),
            _ => {
                let (query, known) = self.query(request, lease.turn);
                (query.load(&*self.db.conn().await?).await?, known)
            }
        };
        let (caller, plan) = (&request.caller, request.plan);
        let user = caller.effective.id;
        // Administrators look in; that does not move anybody's place.
        let visits = caller.actor.id == user && caller.actor.role == UserRole::Franchisee;
        if snapshot.is_elsewhere && visits {
            User::enter_plan(&*self.db.conn().await?, lease).await?;
        }
        let pending = match snapshot.is_action_pending {
            true => PendingAction::find_live(&*self.db.conn().await?, plan, user).await?,
            false => None,
        };
        let found = Snapshot {
            plan_name: snapshot.plan.name.clone(),
            base: self.cache.base(snapshot.plan, known.base),
            brand_version: self.db.brand_version(request.brand_version).await?,
            recent: self.cache.window(plan, snapshot.window, known.window),
            pending,
            is_outdated: false,
        };
        match request.replaces {
            Some(turn) => found.without(&self.db, plan, turn).await,
            None => Ok(found),
        }
    }
}

impl Snapshot {
    /// The state as it will be when the messages and values of `turn` are gone.
    async fn without(mut self, db: &Db, plan: PlanId, turn: TurnId) -> StoreResult<Self> {
        self.is_outdated = self
            .recent
            .messages
            .last()
            .is_none_or(|message| message.turn_id != turn);
        self.recent = Arc::new(self.recent.without(turn));
        self.pending = None;
        if let Some(inputs) = &self.base.inputs {
            let changes = PlanChange::list_turn(&*db.conn().await?, plan, turn).await?;
            self.base.inputs = Some(Arc::new(undo::without(inputs, &self.brand_version, changes)));
        }
        Ok(self)
    }

    /// What the person has said, oldest first.
    pub(crate) fn said(&self) -> impl Iterator<Item = &str> {
        let by_person = self.recent.messages.iter().filter(|message| message.role == Role::User);
        let kept = by_person.filter(|message| !message.is_erased() && !message.is_of_assistant());
        kept.map(|message| &*message.content)
    }

    /// What was last said by one side; `None` also where that was erased, or where an assistant passed it on.
    pub(crate) fn last(&self, role: Role) -> Option<&str> {
        self.recent
            .messages
            .iter()
            .rev()
            .find(|message| message.role == role)
            .filter(|message| !message.is_erased() && !message.is_of_assistant())
            .map(|message| &*message.content)
    }
}
