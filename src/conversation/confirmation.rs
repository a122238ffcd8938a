//! Destructive actions: asked about once, carried out at most once, within five minutes, in the same name, unchanged.

use super::commit::new_change;
use super::tools::Destructive;
use super::{Conversations, Question, TurnError};
use crate::extraction;
use crate::model::access::Caller;
use crate::model::event::PendingConfirmation;
use crate::model::field::FieldPath;
use crate::model::ids::{PendingActionId, PlanId};
use crate::model::inputs::{FieldValue, FinancialInputs};
use crate::model::outputs::UpdatedOutputs;
use crate::plan;
use crate::store::audit::AuditEvent;
use crate::store::conversations::Conversation;
use crate::store::extractions::Extraction;
use crate::store::pending_actions::PendingAction;
use crate::store::plan_changes::{NewPlanChange, PlanChange, Reason};
use crate::store::plans::Plan;
use crate::store::prompts::Prompt;
use crate::store::{Conn, StoreError, StoreResult};
use diesel_async::AsyncConnection;
use serde_json::json;

const EXPIRED: &str = "That question has expired, so nothing was changed. Ask me again if you still want it.";
const DENIED: &str = "All right, nothing was changed.";

/// Yes or no.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Decision {
    Approve,
    Deny,
}

impl Decision {
    /// A message that is nothing but a yes or a no.
    #[must_use]
    pub fn of_message(text: &str) -> Option<Self> {
        match text {
            text if extraction::is_yes(text) => Some(Self::Approve),
            text if extraction::is_no(text) => Some(Self::Deny),
            _ => None,
        }
    }
}

/// What a settled action has done within its transaction.
pub struct Settled {
    pub text: String,
    /// New inputs, not yet saved, where the action changed any.
    pub inputs: Option<FinancialInputs>,
    /// Field, value before, value after.
    pub resets: Vec<(FieldPath, FieldValue, FieldValue)>,
    /// Somebody else settled it, or its time was over.
    pub expired: bool,
}

/// What the endpoint answers.
#[derive(Debug)]
pub struct Settlement {
    pub text: String,
    pub updated_outputs: Option<UpdatedOutputs>,
}

/// Takes the action and carries it out, or drops it. Only the caller whose delete hits the row gets to act.
pub async fn settle(
    conn: &mut Conn,
    caller: &Caller,
    plan: PlanId,
    pending: &PendingAction,
    decision: Decision,
    current: Option<&FinancialInputs>,
) -> StoreResult<Settled> {
    let nothing = |text: &str, expired| Settled {
        text: text.into(),
        inputs: None,
        resets: Vec::new(),
        expired,
    };
    if !PendingAction::take(conn, plan, caller.effective.id, PendingActionId(pending.id)).await? {
        return Ok(nothing(EXPIRED, true));
    }
    let approved = decision == Decision::Approve;
    let kind = if approved {
        "confirmation_approved"
    } else {
        "confirmation_denied"
    };
    let detail = json!({"tool": pending.tool_name, "pendingActionId": pending.id});
    AuditEvent::by(kind, caller)
        .plan(plan)
        .detail(detail)
        .insert(conn)
        .await?;
    if !approved {
        return Ok(nothing(DENIED, false));
    }
    let Some(action) = Destructive::restore(&pending.tool_name, &pending.arguments.0, &pending.argument_hash) else {
        return Ok(nothing(EXPIRED, true));
    };
    let text = action.done_text();
    match action {
        Destructive::ClearConversation => {
            Conversation::clear(conn, plan).await?;
            AuditEvent::by("conversation_cleared", caller)
                .plan(plan)
                .insert(conn)
                .await?;
            Ok(nothing(&text, false))
        }
        Destructive::ResetFields(fields) => {
            let mut inputs = current.cloned();
            let mut resets = Vec::new();
            for field in fields {
                let Some(inputs) = inputs.as_mut() else { break };
                let Some(old) = plan::apply::reset(inputs, &field) else {
                    continue;
                };
                let Some(new) = inputs.get(field.as_str()).filter(|new| **new != old).cloned() else {
                    continue;
                };
                resets.push((field, old, new));
            }
            let inputs = inputs.filter(|_| !resets.is_empty());
            Ok(Settled {
                text,
                inputs,
                resets,
                expired: false,
            })
        }
    }
}

impl Conversations {
    /// The action of a plan that waits for this person's yes.
    ///
    /// # Errors
    /// Where the database cannot be read.
    pub async fn pending(&self, caller: &Caller, plan: PlanId) -> StoreResult<Option<PendingConfirmation>> {
        let conn = self.engine().db.conn().await?;
        let pending = PendingAction::find_live(&conn, plan, caller.effective.id).await?;
        Ok(pending.map(|pending| pending.confirmation()))
    }

    /// Settles the pending action outside the chat. `None` where it is gone, expired, or another one waits.
    ///
    /// # Errors
    /// [`TurnError::Busy`] while a turn runs on the plan.
    pub async fn settle(
        &self,
        question: &Question,
        id: PendingActionId,
        decision: Decision,
    ) -> Result<Option<Settlement>, TurnError> {
        let engine = self.engine();
        let edition = engine.db.edition(question.edition).await?;
        let mut conn = engine.db.conn().await?;
        let (caller, plan) = (&question.caller, question.plan);
        let Some(pending) = PendingAction::find_live(&conn, plan, caller.effective.id)
            .await?
            .filter(|pending| pending.id == id.0)
        else {
            return Ok(None);
        };
        if let Some(running) = Prompt::find_running(&conn, plan).await? {
            return Err(TurnError::Busy(running.turn()));
        }
        let settled = conn
            .transaction::<_, StoreError, _>(async |conn| {
                let row = Plan::lock(conn, plan).await?;
                let before = row.inputs().map(|inputs| plan::project(inputs, &edition.brand).metrics);
                let settled = settle(conn, caller, plan, &pending, decision, row.inputs()).await?;
                if settled.expired {
                    return Ok(None);
                }
                let changes: Vec<NewPlanChange> = settled
                    .resets
                    .into_iter()
                    .map(|(field, old, new)| new_change(question, field.to_string(), Some(old), new, Reason::Reset))
                    .collect();
                let touched: Vec<String> = changes.iter().map(|change| change.field.clone()).collect();
                PlanChange::append(conn, &changes).await?;
                Extraction::overtake(conn, plan, &touched, caller.effective.id).await?;
                let after = settled
                    .inputs
                    .as_ref()
                    .or(row.inputs())
                    .map(|inputs| plan::project(inputs, &edition.brand));
                if let Some(inputs) = settled.inputs {
                    Plan::save_inputs(conn, plan, row.inputs(), &inputs).await?;
                }
                let updated_outputs = after.map(|after| plan::update(before.as_ref(), &after, engine.clock.now()));
                Ok(Some(Settlement {
                    text: settled.text,
                    updated_outputs,
                }))
            })
            .await?;
        Ok(settled)
    }
}
