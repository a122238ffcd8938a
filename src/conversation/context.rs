//! What a turn knows when it starts: loaded on one connection in one go, then the connection goes back.

use super::Engine;
use super::Question;
use crate::llm::ChatMessage;
use crate::model::access::UserRole;
use crate::model::message::Role;
use crate::store::StoreResult;
use crate::store::brands::Edition;
use crate::store::conversations::Window;
use crate::store::pending_actions::PendingAction;
use crate::store::plans::Plan;
use crate::store::users::User;
use std::sync::Arc;

/// The state of plan and conversation before the turn.
#[derive(Debug)]
pub struct Context {
    pub plan: Plan,
    pub edition: Arc<Edition>,
    /// Texts of the newest finished turns, oldest first.
    pub recent: Arc<Window>,
    pub pending: Option<PendingAction>,
}

impl Context {
    pub async fn load(engine: &Engine, question: &Question) -> StoreResult<Self> {
        let count = i64::try_from(engine.settings.max_context_messages).unwrap_or(i64::MAX);
        let edition = engine.db.edition(question.edition).await?;
        let conn = engine.db.conn().await?;
        let (caller, plan) = (&question.caller, question.plan);
        let user = caller.effective.id;
        // Administrators look in; that does not move anybody's place.
        let visitor = (caller.actor.id == user && caller.actor.role == UserRole::Franchisee).then_some(user);
        let (plan, recent, pending, ()) = futures_util::try_join!(
            Plan::load(&conn, plan),
            // Two more than the model sees: the words that may count as evidence reach back one exchange in any case.
            engine.recent.window(&conn, plan, count.max(2)),
            PendingAction::find_live(&conn, plan, user),
            User::enter_plan(&conn, visitor, plan),
        )?;
        Ok(Self {
            plan,
            edition,
            recent,
            pending,
        })
    }

    /// The conversation as the model sees it, without the new message.
    #[must_use]
    pub fn messages(&self) -> Vec<ChatMessage> {
        self.recent
            .messages
            .iter()
            .map(|message| match message.role {
                Role::User => ChatMessage::User(message.content.clone()),
                Role::Assistant => ChatMessage::Assistant {
                    content: message.content.clone(),
                    tool_calls: Vec::new(),
                },
            })
            .collect()
    }

    /// What was last said by one side.
    #[must_use]
    pub fn last(&self, role: Role) -> Option<&str> {
        self.recent
            .messages
            .iter()
            .rev()
            .find(|message| message.role == role)
            .map(|message| message.content.as_str())
    }
}
