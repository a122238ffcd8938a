//! One edit of a plan: lock, change in memory, write plan and audit together, project again.

use super::error::AppError;
use super::extract::PlanAccess;
use super::plans::PlanResponse;
use crate::app::AppState;
use crate::model::field::FieldPath;
use crate::model::inputs::{FieldValue, FinancialInputs};
use crate::model::outputs::UpdatedOutputs;
use crate::plan;
use crate::store::Conn;
use crate::store::brands::Edition;
use crate::store::extractions::Extraction;
use crate::store::json::Json;
use crate::store::plan_changes::{NewPlanChange, PlanChange, Reason};
use crate::store::plans::Plan;
use uuid::Uuid;

/// One field that moved.
pub struct Moved {
    pub field: FieldPath,
    pub old: FieldValue,
    pub new: FieldValue,
    pub reason: Reason,
}

/// A plan as it is, and as an edit would have it.
pub struct Draft {
    pub plan: Plan,
    inputs: FinancialInputs,
    moved: Vec<Moved>,
}

/// What an edit left behind.
pub struct Edited {
    pub plan: PlanResponse,
    /// `None` only where the plan still has no inputs.
    pub outputs: Option<UpdatedOutputs>,
}

impl Draft {
    /// Locks the plan until the transaction ends. A plan without inputs is edited from the brand's defaults.
    pub async fn open(conn: &mut Conn, access: &PlanAccess, edition: &Edition) -> Result<Self, AppError> {
        let plan = Plan::lock(conn, access.id()).await?;
        let inputs = plan
            .inputs()
            .cloned()
            .unwrap_or_else(|| FinancialInputs::from_brand(&edition.brand));
        Ok(Self {
            plan,
            inputs,
            moved: Vec::new(),
        })
    }

    #[must_use]
    pub fn value(&self, path: &FieldPath) -> Option<&FieldValue> {
        self.inputs.get(path.as_str())
    }

    /// Changes one field with a function of `plan::apply`, which hands back what stood there.
    pub fn change(
        &mut self,
        path: &FieldPath,
        reason: Reason,
        apply: impl FnOnce(&mut FinancialInputs) -> Option<FieldValue>,
    ) {
        let Some(old) = apply(&mut self.inputs) else { return };
        let Some(new) = self.inputs.get(path.as_str()).filter(|new| **new != old) else {
            return;
        };
        self.moved.push(Moved {
            field: path.clone(),
            new: new.clone(),
            old,
            reason,
        });
    }

    /// Writes what moved, with its audit trail, and ends the proposals it overtakes. Nothing moved, nothing written.
    pub async fn save(
        self,
        conn: &mut Conn,
        app: &AppState,
        access: &PlanAccess,
        edition: &Edition,
    ) -> Result<Edited, AppError> {
        let Self {
            mut plan,
            inputs,
            moved,
        } = self;
        let before = plan
            .inputs()
            .map(|inputs| plan::project(inputs, &edition.brand).metrics);
        if !moved.is_empty() {
            (plan.version, plan.updated_at) = Plan::save_inputs(conn, access.id(), plan.inputs(), &inputs).await?;
            plan.financial_inputs = Some(Json(inputs));
            let fields: Vec<String> = moved.iter().map(|moved| moved.field.to_string()).collect();
            let rows: Vec<NewPlanChange> = moved.into_iter().map(|moved| row(access, moved)).collect();
            PlanChange::append(conn, &rows).await?;
            Extraction::overtake(conn, access.id(), &fields, access.caller.actor.id).await?;
        }
        let after = plan.inputs().map(|inputs| plan::project(inputs, &edition.brand));
        let outputs = after.map(|after| plan::update(before.as_ref(), &after, app.clock.now()));
        Ok(Edited {
            plan: PlanResponse::new(plan, edition.brand.id),
            outputs,
        })
    }
}

fn row(access: &PlanAccess, moved: Moved) -> NewPlanChange {
    NewPlanChange {
        id: Uuid::now_v7(),
        plan_id: access.plan.id,
        field: moved.field.to_string(),
        source: moved.new.source.to_text(),
        old_value: Some(Json(moved.old)),
        new_value: Json(moved.new),
        reason: moved.reason.as_str(),
        confidence: None,
        evidence: None,
        turn_id: None,
        actor_id: access.caller.actor.id.0,
        effective_user_id: access.caller.effective.id.0,
    }
}
