//! Takes back the newest change of the plan that is not undone yet. Done at the commit, with the turn; the result names the
//! value that will return.

use crate::conversation::tools::arguments::{Nothing, parse};
use crate::conversation::tools::context::{PlannedUndo, ToolContext};
use crate::conversation::tools::services::{LatestChanges, Services};
use crate::conversation::tools::tool::{Asking, Run, Tool};
use crate::plans::apply;
use crate::plans::undo::{Standing, standing};
use futures_util::FutureExt;
use plan_model::inputs::FinancialInputs;
use plan_model::tool_result::{Returning, UndoResult};
use serde_json::json;
use std::sync::Arc;

pub(super) static TOOL: Tool = Tool::new(
    "undo_last_change",
    "Take back the newest change of the plan, only when asked to. Say which values return.",
    Run::Ask(run),
)
.in_compact()
.acts();

fn run<'a>(ctx: &'a mut ToolContext, services: &'a dyn Services, arguments: &'a str) -> Asking<'a> {
    async move {
        let Nothing {} = parse(arguments)?;
        Ok(match services.latest_changes().await {
            Ok(latest) => json!(ctx.plan_undo(latest)),
            Err(error) => {
                tracing::warn!(error = %error, "The newest change could not be read");
                json!({"status": "invalid", "error": "The changes cannot be read just now."})
            }
        })
    }
    .boxed()
}

impl ToolContext {
    /// Plans the undo and shows it in the working copy. A turn takes back one group, however often it is asked to.
    fn plan_undo(&mut self, latest: Option<LatestChanges>) -> UndoResult {
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
