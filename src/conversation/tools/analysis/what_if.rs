//! Runs the engine on hypothetical values. The plan stays as it is.

use crate::conversation::tools::analysis::{figures, rank_levers};
use crate::conversation::tools::arguments::{ToolError, parse, schema};
use crate::conversation::tools::context::ToolContext;
use crate::conversation::tools::tool::{Run, Tool};
use crate::plans::EditError;
use crate::plans::analysis::Hypothesis;
use plan_model::scenario::Overrides;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};

pub static TOOL: Tool = Tool::new(
    "what_if",
    "Compute the results for hypothetical values. Changes nothing.",
    Run::Read(run),
)
.schema(schema::<WhatIfArguments>)
.example(r#"{"changes":[{"path":"rentMonthly","value":5000}]}"#)
.known_by(&[&["changes"]]);

/// Cases have a few values; more would be a plan of their own.
const MAX_CHANGES: usize = 20;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct WhatIfArguments {
    changes: Vec<SupposedValue>,
}

// A value of a hypothetical case. Not a doc comment: the model would be shown it with every item.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SupposedValue {
    /// Name or label of the field.
    path: String,
    /// In dollars, percent, months and so on.
    #[schemars(with = "f64")]
    value: Box<RawValue>,
}

fn run(ctx: &mut ToolContext, arguments: &str) -> Result<Value, ToolError> {
    let WhatIfArguments { changes } = parse(arguments)?;
    let overrides = supposed(ctx, &changes)?;
    let (inputs, brand_version) = (ctx.inputs_or_defaults(), &ctx.brand_version);
    let plan = Hypothesis::new(&inputs, brand_version, ctx.now);
    let unknown = |error: EditError| ToolError(error.to_string());
    let (before, changed) = (plan.base(), plan.inputs_with(&overrides).map_err(unknown)?);
    let after = Hypothesis::new(&changed, brand_version, ctx.now);
    let metrics = after.base().metrics;
    Ok(json!({
        "before": figures::metrics(&before.metrics),
        "after": figures::metrics(&metrics),
        "changes": figures::changes(&before.metrics, &metrics),
        "levers": rank_levers::of_weak(&after, &metrics),
        "note": "Nothing was changed. Results of the franchisee's own assumptions.",
    }))
}

/// The values as the plan would store them.
pub fn supposed(ctx: &ToolContext, changes: &[SupposedValue]) -> Result<Overrides, ToolError> {
    if changes.is_empty() || changes.len() > MAX_CHANGES {
        return Err(ToolError(format!("Give 1 to {MAX_CHANGES} changes.")));
    }
    let read = |change: &SupposedValue| {
        let field = ctx.field(&change.path)?;
        let value = plan_reader::hypothetical(field, change.value.get())
            .filter(|value| field.refusal(*value).is_none())
            .ok_or_else(|| ToolError(format!("That is no possible value of {}.", field.path)))?;
        Ok((field.path.clone(), value))
    };
    changes.iter().map(read).collect::<Result<_, _>>().map(Overrides)
}
