//! What a commit does besides storing the answer: takes changes back, replaces a turn, asks, saves a scenario.

use crate::conversation::commit::CommitError;
use crate::conversation::commit::writer::Writer;
use crate::conversation::tools::{Intercepted, PlannedScenario, PlannedUndo};
use crate::plans::undo::{self, GroupRef, UndoError};
use crate::plans::{PlanEdit, scenarios};
use crate::store::plans::conversations::Conversation;
use crate::store::plans::extractions::Extraction;
use crate::store::plans::plan_changes::PlanChange;
use crate::store::plans::scenarios::Scenario;
use crate::store::turns::pending_actions::{NewPendingAction, PendingAction};
use crate::store::{Conn, StoreResult};
use plan_model::event::{PendingConfirmation, SavedScenario};
use plan_model::ids::{PendingActionId, ScenarioId, TurnId};
use plan_model::inputs::FinancialInputs;

impl Writer<'_> {
    /// Removes a turn from the conversation, with its standing values, its open proposals, its scenario and what it asked. Returns the
    /// plan without it.
    pub(super) async fn replace(
        &self,
        conn: &mut Conn,
        edit: &mut PlanEdit<'_>,
        turn: TurnId,
    ) -> Result<Option<FinancialInputs>, CommitError> {
        let (plan, by) = (self.plan.id, self.actor.actor);
        let changes = PlanChange::list_turn(conn, plan, turn).await?;
        // Apart: undoing the new turn must not bring the old one back.
        edit.apart(|edit| take_back(edit, changes))?;
        Extraction::dismiss_turn(conn, plan, turn, by).await?;
        PendingAction::drop_all(conn, plan).await?;
        Scenario::delete_of_turn(conn, plan, turn).await?;
        Conversation::remove_turn(conn, plan, turn).await?;
        Ok(edit.inputs().cloned())
    }

    /// Takes back the group of changes that the turn has planned to.
    pub(super) async fn undo(
        &self,
        conn: &Conn,
        edit: &mut PlanEdit<'_>,
        planned: &PlannedUndo,
    ) -> Result<(), CommitError> {
        let changes = undo::changes_of(conn, self.plan.id, GroupRef::Group(planned.group)).await?;
        take_back(edit, changes)
    }

    /// Stores what the franchisee is asked to confirm.
    pub(super) async fn ask(
        &self,
        conn: &mut Conn,
        intercepted: Option<&Intercepted>,
    ) -> StoreResult<Option<PendingConfirmation>> {
        let Some(intercepted) = intercepted else {
            return Ok(None);
        };
        let action = NewPendingAction {
            id: PendingActionId::fresh(),
            plan: self.plan.id,
            user: self.actor.effective,
            turn: self.lease.turn,
            tool_name: intercepted.action.tool_name(),
            arguments: intercepted.action.arguments(),
            argument_hash: intercepted.action.hash(),
            prompt: intercepted.prompt.clone(),
        };
        let expires_at = action.put(conn).await?;
        Ok(Some(PendingConfirmation {
            id: action.id,
            tool_name: action.tool_name.to_owned(),
            prompt: action.prompt,
            arguments: action.arguments,
            expires_at,
        }))
    }

    pub(super) async fn save_scenario(
        &self,
        conn: &Conn,
        planned: Option<&PlannedScenario>,
    ) -> StoreResult<Option<SavedScenario>> {
        let Some(PlannedScenario { name, overrides }) = planned else {
            return Ok(None);
        };
        let saved = scenarios::keep(conn, &self.actor, self.plan.id, self.lease.turn, name, overrides).await?;
        Ok(saved.map(|scenario| SavedScenario {
            id: ScenarioId(scenario.id),
            name: scenario.name,
        }))
    }
}

/// Takes back what still stands of the changes; what has moved while the turn ran stays.
fn take_back(edit: &mut PlanEdit<'_>, changes: Vec<PlanChange>) -> Result<(), CommitError> {
    match undo::take_back(edit, changes) {
        Ok(_) | Err(UndoError::NotFound | UndoError::NothingStands) => Ok(()),
        Err(UndoError::Edit(error)) => Err(error.into()),
    }
}
