//! The state a turn starts from: read in the round trip that claims the turn; then the connection is returned.

use crate::conversation::turn::cache::BasePlan;
use crate::conversation::turn::cache::CachedState;
use crate::conversation::{Engine, TurnRequest};
use crate::plans::undo;
use crate::store::StoreResult;
use crate::store::brands::BrandVersion;
use crate::store::conversations::Window;
use crate::store::pending_actions::PendingAction;
use crate::store::plan_changes::PlanChange;
use crate::store::turn_snapshot::{SnapshotQuery, TurnSnapshot};
use crate::store::users::User;
use plan_model::access::UserRole;
use plan_model::ids::{PlanId, TurnId};
use plan_model::message::Role;
use std::sync::Arc;

/// The state of plan and conversation before the turn.
#[derive(Debug)]
pub struct Context {
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
pub type Prefetched = (TurnSnapshot, CachedState);

/// What to ask for, and what need not be read again.
pub fn query(engine: &Engine, request: &TurnRequest, turn: TurnId) -> (SnapshotQuery, CachedState) {
    let known = engine.recent.known(request.plan);
    let query = SnapshotQuery {
        plan: request.plan,
        user: request.caller.effective.id,
        turn,
        // At least two: the words that may count as evidence reach back one exchange in any case.
        count: i32::try_from(engine.settings.max_context_messages.max(2)).unwrap_or(i32::MAX),
        known: known.window.as_ref().and_then(|window| window.updated_at),
        known_plan: known.base.as_ref().map(|base| base.revision),
    };
    (query, known)
}

impl Context {
    /// The context of a claimed turn. `prefetched` was read while it was claimed; where the claim was not in yet, the newest
    /// finished turn may be missing in it.
    pub async fn load(
        engine: &Engine,
        request: &TurnRequest,
        turn: TurnId,
        prefetched: Option<Prefetched>,
    ) -> StoreResult<Self> {
        let (snapshot, known) = match prefetched {
            Some((snapshot, known)) if snapshot.is_claimed => (snapshot, known),
            _ => {
                let (query, known) = self::query(engine, request, turn);
                (query.load(&*engine.db.conn().await?).await?, known)
            }
        };
        let (caller, plan) = (&request.caller, request.plan);
        let user = caller.effective.id;
        // Administrators look in; that does not move anybody's place.
        let visits = caller.actor.id == user && caller.actor.role == UserRole::Franchisee;
        if snapshot.is_elsewhere && visits {
            User::enter_plan(&*engine.db.conn().await?, user, plan).await?;
        }
        let pending = match snapshot.is_action_pending {
            true => PendingAction::find_live(&*engine.db.conn().await?, plan, user).await?,
            false => None,
        };
        let context = Self {
            plan_name: snapshot.plan.name.clone(),
            base: engine.recent.base(snapshot.plan, known.base),
            brand_version: engine.db.brand_version(request.brand_version).await?,
            recent: engine.recent.window(plan, snapshot.window, known.window),
            pending,
            is_outdated: false,
        };
        match request.replaces {
            Some(turn) => context.without(engine, plan, turn).await,
            None => Ok(context),
        }
    }

    /// The state as it will be when the messages and values of `turn` are gone.
    async fn without(mut self, engine: &Engine, plan: PlanId, turn: TurnId) -> StoreResult<Self> {
        self.is_outdated = self
            .recent
            .messages
            .last()
            .is_none_or(|message| message.turn_id != turn);
        self.recent = Arc::new(self.recent.without(turn));
        self.pending = None;
        if let Some(inputs) = &self.base.inputs {
            let changes = PlanChange::list_turn(&*engine.db.conn().await?, plan, turn).await?;
            self.base.inputs = Some(Arc::new(undo::without(inputs, &self.brand_version, changes)));
        }
        Ok(self)
    }

    /// What was last said by one side; `None` also where that was erased.
    pub fn last(&self, role: Role) -> Option<&str> {
        self.recent
            .messages
            .iter()
            .rev()
            .find(|message| message.role == role)
            .filter(|message| !message.is_erased())
            .map(|message| &*message.content)
    }
}
