//! Takes back the newest change of the plan that is not undone yet. Done at the commit, with the turn; the result names the
//! value that will return.

use crate::conversation::tools::ToolContext;
use crate::plans::apply;
use crate::plans::undo::{Standing, standing};
use crate::store::plan_changes::PlanChange;
use plan_model::ids::ChangeGroupId;
use plan_model::inputs::FinancialInputs;
use plan_model::tool_result::{Returning, UndoResult};
use std::sync::Arc;

/// The newest group of changes of which something stands, oldest change first.
#[derive(Debug, Clone)]
pub struct LatestChanges {
    pub group: ChangeGroupId,
    pub changes: Vec<PlanChange>,
}

/// What a turn takes back.
#[derive(Debug, Clone)]
pub struct PlannedUndo {
    pub group: ChangeGroupId,
    result: UndoResult,
}

impl ToolContext {
    /// Plans the undo and shows it in the working copy. A turn takes back one group, however often it is asked to.
    pub fn undo(&mut self, latest: Option<LatestChanges>) -> UndoResult {
        if let Some(planned) = &self.undo {
            return planned.result.clone();
        }
        let (Some(LatestChanges { group, changes }), Some(base)) = (latest, &self.base) else {
            return UndoResult::NothingToUndo;
        };
        let brand_version = Arc::clone(&self.brand_version);
        let (standing, _) = standing(changes, |path| apply::value(base, &brand_version, path));
        if standing.is_empty() {
            return UndoResult::NothingToUndo;
        }
        let mut inputs = FinancialInputs::clone(base);
        let changes = standing
            .into_iter()
            .filter_map(|one| self.take_back(&mut inputs, one))
            .collect();
        let result = UndoResult::WillUndo { changes };
        self.base = Some(Arc::new(inputs));
        self.undo = Some(PlannedUndo {
            group,
            result: result.clone(),
        });
        self.rebuild();
        result
    }

    fn take_back(&self, inputs: &mut FinancialInputs, one: Standing) -> Option<Returning> {
        let change = match one.before {
            Some(before) => apply::restore(inputs, &self.brand_version, &one.field, before),
            None => apply::reset(inputs, &self.brand_version, &one.field),
        };
        let (field, change) = (self.brand_version.field(one.field.as_str())?, change.ok()?);
        Some(Returning {
            field: one.field,
            label: field.label.to_string(),
            value: field.kind.show(change.old.current_value),
            returns_to: field.kind.show(change.new.current_value),
        })
    }
}
