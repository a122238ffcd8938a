//! What a turn knows when it starts: read in the same round trip in which the turn is claimed, then the connection goes back.

use super::recent::Known;
use super::{Engine, Question};
use crate::model::access::UserRole;
use crate::model::ids::TurnId;
use crate::model::inputs::FinancialInputs;
use crate::model::message::Role;
use crate::store::StoreResult;
use crate::store::brands::Edition;
use crate::store::conversations::Window;
use crate::store::pending_actions::PendingAction;
use crate::store::scene::{Scene, SceneQuery};
use crate::store::users::User;
use std::sync::Arc;

/// The plan as the turn found it.
#[derive(Debug, Clone)]
pub struct Base {
    pub version: i64,
    pub inputs: Option<Arc<FinancialInputs>>,
}

/// The state of plan and conversation before the turn.
#[derive(Debug)]
pub struct Context {
    pub plan_name: String,
    pub base: Base,
    pub edition: Arc<Edition>,
    /// The newest finished turns, oldest first.
    pub recent: Arc<Window>,
    pub pending: Option<PendingAction>,
}

/// What was read while the turn was claimed, and what was known of the conversation before.
pub type Early = (Scene, Known);

/// What to ask for, and what need not be read again.
pub fn query(engine: &Engine, question: &Question, turn: TurnId) -> (SceneQuery, Known) {
    let known = engine.recent.known(question.plan);
    let query = SceneQuery {
        plan: question.plan,
        user: question.caller.effective.id,
        turn,
        // At least two: the words that may count as evidence reach back one exchange in any case.
        count: i32::try_from(engine.settings.max_context_messages.max(2)).unwrap_or(i32::MAX),
        known: known.window.as_ref().and_then(|window| window.updated_at),
        known_version: known.base.as_ref().map(|base| base.version),
    };
    (query, known)
}

impl Context {
    /// The context of a claimed turn. `early` was read while it was claimed; where the claim was not in yet, the newest
    /// finished turn may be missing in it.
    pub async fn load(engine: &Engine, question: &Question, turn: TurnId, early: Option<Early>) -> StoreResult<Self> {
        let (scene, known) = match early {
            Some((scene, known)) if scene.is_claimed => (scene, known),
            _ => {
                let (query, known) = self::query(engine, question, turn);
                (query.load(&*engine.db.conn().await?).await?, known)
            }
        };
        let (caller, plan) = (&question.caller, question.plan);
        let user = caller.effective.id;
        // Administrators look in; that does not move anybody's place.
        let visits = caller.actor.id == user && caller.actor.role == UserRole::Franchisee;
        if scene.is_elsewhere && visits {
            User::enter_plan(&*engine.db.conn().await?, user, plan).await?;
        }
        let pending = match scene.is_action_pending {
            true => PendingAction::find_live(&*engine.db.conn().await?, plan, user).await?,
            false => None,
        };
        Ok(Self {
            plan_name: scene.plan.name.clone(),
            base: engine.recent.base(scene.plan, known.base),
            edition: engine.db.edition(question.edition).await?,
            recent: engine.recent.window(plan, scene.window, known.window),
            pending,
        })
    }

    /// What was last said by one side.
    #[must_use]
    pub fn last(&self, role: Role) -> Option<&str> {
        self.recent
            .messages
            .iter()
            .rev()
            .find(|message| message.role == role)
            .map(|message| &*message.content)
    }
}
