//! Destructive actions: confirmed by the same user within five minutes, executed at most once, with unchanged arguments.

use crate::conversation::Engine;
use crate::conversation::tools::{Destructive, again_key};
use crate::plans::{Actor, EditError, PlanEdit, PlanRef, scenarios, story};
use crate::store::people::audit::{AuditEvent, AuditKind};
use crate::store::plans::Plan;
use crate::store::plans::conversations::Conversation;
use crate::store::turns::pending_actions::PendingAction;
use crate::store::turns::prompts::Prompt;
use crate::store::{Conn, StoreError, StoreResult};
use crate::wording;
use diesel_async::AsyncConnection;
use plan_model::event::PendingConfirmation;
use plan_model::ids::{PendingActionId, PlanId, TurnId, UserId};
use plan_model::inputs::Source;
use plan_model::language::Language;
use plan_model::outputs::UpdatedOutputs;
use plan_reader::Act;
use serde_json::json;

/// Yes or no.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Decision {
    Approve,
    Deny,
}

impl Decision {
    /// A message that is nothing but a yes or a no to a tool's question, in either language.
    pub fn of_message(text: &str, tool: &str) -> Option<Self> {
        let is_no = || plan_reader::act(text).is_some_and(|(act, _)| act == Act::No);
        if plan_reader::says_yes(text) || orders_again(text, tool) {
            Some(Self::Approve)
        } else if plan_reader::is_no(text) || is_no() || undoes_it(text) {
            Some(Self::Deny)
        } else {
            None
        }
    }
}

/// "Yes, adopt it": the question's own verb behind the yes, or without one.
fn orders_again(text: &str, tool: &str) -> bool {
    let Some(key) = again_key(tool) else { return false };
    let said = wording::plain(text);
    wording::phrases(key).any(|phrase| {
        let before = said.strip_suffix(&wording::plain(phrase));
        before.is_some_and(|before| before.is_empty() || before.ends_with(' ') && plan_reader::says_yes(before))
    })
}

/// "No, undo that instead": nothing is done yet that could be undone.
fn undoes_it(text: &str) -> bool {
    let said = text.trim_start().to_lowercase();
    let Some(rest) = said
        .strip_prefix("no")
        .filter(|rest| !rest.starts_with(char::is_alphanumeric))
    else {
        return false;
    };
    let rest = rest.trim_start_matches(|c: char| !c.is_alphanumeric());
    wording::phrases("w.undoes_it").any(|phrase| {
        let behind = rest.strip_prefix(phrase);
        behind.is_some_and(|behind| behind.is_empty() || behind.starts_with(['.', ',', '!', ';']))
    })
}

/// What came of a pending action within its transaction.
pub(crate) struct ConfirmationOutcome {
    /// For the franchisee.
    pub text: String,
    /// Another request resolved it, or its time was over. Nothing was changed.
    pub expired: bool,
}

/// A confirmation that was resolved outside the chat.
#[derive(Debug)]
pub struct ResolvedConfirmation {
    pub text: String,
    pub updated_outputs: Option<UpdatedOutputs>,
}

/// Why a confirmation was not resolved.
#[derive(Debug, thiserror::Error)]
pub enum ConfirmationError {
    /// Resolved already or expired, or another action waits.
    #[error("the action no longer waits")]
    Gone,
    #[error("a turn runs on the plan")]
    Busy(TurnId),
    #[error(transparent)]
    Edit(#[from] EditError),
}

impl From<StoreError> for ConfirmationError {
    fn from(error: StoreError) -> Self {
        Self::Edit(error.into())
    }
}

impl From<diesel::result::Error> for ConfirmationError {
    fn from(error: diesel::result::Error) -> Self {
        Self::Edit(error.into())
    }
}

/// Takes the action and carries it out, or drops it. Only the caller whose delete hits the row gets to act. Resets and adopted values go
/// into `edit`, which the caller writes.
pub(crate) async fn resolve(
    conn: &mut Conn,
    actor: &Actor,
    pending: &PendingAction,
    decision: Decision,
    edit: &mut PlanEdit<'_>,
) -> Result<ConfirmationOutcome, EditError> {
    // Answered in the language of the question.
    let language = Language::of_message(&pending.prompt).unwrap_or_default();
    let outcome = |text: String, expired| ConfirmationOutcome { text, expired };
    let says = |key: &str| wording::say(language, key, &[]);
    let plan = edit.plan();
    let event = |kind| AuditEvent::new(kind, Some(actor.actor), Some(actor.effective)).plan(plan);
    if !PendingAction::take(conn, plan, actor.effective, PendingActionId(pending.id)).await? {
        return Ok(outcome(says("done.expired"), true));
    }
    let approved = decision == Decision::Approve;
    let kind = if approved {
        AuditKind::ConfirmationApproved
    } else {
        AuditKind::ConfirmationDenied
    };
    let detail = json!({"tool": pending.tool_name, "pendingActionId": pending.id});
    event(kind).detail(detail).insert(conn).await?;
    if !approved {
        return Ok(outcome(says("done.denied"), false));
    }
    let Some(action) = Destructive::restore(&pending.tool_name, &pending.arguments.0, &pending.argument_hash) else {
        return Ok(outcome(says("done.expired"), true));
    };
    match &action {
        Destructive::ClearConversation => {
            Conversation::clear(conn, plan).await?;
            event(AuditKind::ConversationCleared).insert(conn).await?;
        }
        Destructive::AdoptScenario { overrides, .. } => scenarios::write(edit, overrides, &Source::AiPopulated)?,
        Destructive::WriteStory { part, text } => story::write(conn, actor, plan, *part, text.clone()).await?,
        Destructive::ResetFields(fields) => {
            for field in fields {
                edit.reset(field)?;
            }
        }
    }
    Ok(outcome(action.done_text(language), false))
}

/// The action of a plan that waits for this person's yes.
///
/// # Errors
/// Where the database cannot be read.
pub(crate) async fn pending(engine: &Engine, user: UserId, plan: PlanId) -> StoreResult<Option<PendingConfirmation>> {
    let pending = PendingAction::find_live(&*engine.db.conn().await?, plan, user).await?;
    Ok(pending.map(|pending| pending.confirmation()))
}

/// Resolves the pending action outside the chat.
///
/// # Errors
/// See [`ConfirmationError`]; nothing has changed then.
pub(crate) async fn resolve_pending(
    engine: &Engine,
    actor: &Actor,
    plan: &PlanRef,
    id: PendingActionId,
    decision: Decision,
) -> Result<ResolvedConfirmation, ConfirmationError> {
    let mut conn = engine.db.conn().await?;
    let pending = PendingAction::find_live(&conn, plan.id, actor.effective).await?;
    let pending = pending
        .filter(|pending| pending.id == id.0)
        .ok_or(ConfirmationError::Gone)?;
    conn.transaction::<_, ConfirmationError, _>(async |conn| {
        Plan::lock_against_turns(conn, plan.id).await?;
        if let Some(running) = Prompt::find_running(conn, plan.id).await? {
            return Err(ConfirmationError::Busy(running.turn()));
        }
        let mut edit = PlanEdit::open(conn, actor, plan, engine.clock.now()).await?;
        let ConfirmationOutcome { text, expired } = resolve(conn, actor, &pending, decision, &mut edit).await?;
        if expired {
            return Err(ConfirmationError::Gone);
        }
        let updated_outputs = edit.commit(conn).await?.outputs;
        Ok(ResolvedConfirmation { text, updated_outputs })
    })
    .await
}
