//! The value of one field that brings a result to a target, in a sentence of the server's.

use crate::conversation::tools::analysis::rank_levers;
use crate::conversation::tools::arguments::{ToolError, brief_schema, parse};
use crate::conversation::tools::context::ToolContext;
use crate::conversation::tools::tool::{Run, Tool};
use crate::plans::analysis::{self, Goal, GoalSeek, Hypothesis, Outcome};
use plan_model::metrics::{Metric, MetricKind};
use plan_model::number::{Number, quotient};
use rust_decimal::Decimal;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

pub static TOOL: Tool = Tool::new(
    "goal_seek",
    "Find the value of a field that brings a result to a target.",
    Run::Read(run),
)
.schema(brief_schema::<GoalArguments>)
.example(r#"{"metric":"dscrYear1","target":1.25,"path":"rentMonthly"}"#)
.known_by(&[&["target"], &["metric", "target"]]);

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct GoalArguments {
    metric: String,
    #[schemars(with = "f64")]
    target: Number,
    path: String,
}

fn run(ctx: &mut ToolContext, arguments: &str) -> Result<Value, ToolError> {
    let GoalArguments { metric, target, path } = parse(arguments)?;
    let (metric, field) = (rank_levers::find(&metric)?, ctx.field(&path)?);
    let inputs = ctx.inputs_or_defaults();
    let plan = Hypothesis::new(&inputs, &ctx.brand_version, ctx.now);
    let target = in_unit(metric, target).ok_or_else(|| ToolError("The target is too large.".into()))?;
    let path = field.path.clone();
    let found =
        analysis::goal_seek(&plan, &Goal { metric, target, path }).map_err(|error| ToolError(error.to_string()))?;
    let GoalSeek { outcome, found, base } = found;
    let (value, result) = (field.kind.show(found.value), rank_levers::shown(metric, found.result));
    let (name, label, target) = (field.name_in_sentence(), metric.name_in_sentence(), metric.show(target));
    let statement = match outcome {
        _ if found == base && outcome != Outcome::Unreachable => {
            format!(
                "On your assumptions as they are, {label} is {result}, so {target} is reached with {name} at {value}."
            )
        }
        Outcome::Reached => {
            format!("With your other assumptions unchanged, {label} reaches {target} with {name} at {value}.")
        }
        Outcome::NotMonotone => format!(
            "With your other assumptions unchanged, {label} reaches {target} with more than one value of {name}; the nearest to yours is {value}."
        ),
        Outcome::Unreachable => format!(
            "With your other assumptions unchanged, no value of {name} brings {label} to {target}; the nearest is {result}, at {value}."
        ),
    };
    Ok(json!({
        "value": value,
        "result": result,
        "before": {"value": field.kind.show(base.value), "result": rank_levers::shown(metric, base.result)},
        "statement": statement,
        "note": "Nothing was changed.",
    }))
}

/// As people say it: money in dollars, shares in percent.
fn in_unit(metric: &Metric, said: Number) -> Option<Number> {
    Some(match metric.kind {
        MetricKind::Money => Number::new(said.decimal().checked_mul(Decimal::ONE_HUNDRED)?).round(0),
        MetricKind::Percent => Number::new(quotient(said.decimal(), Decimal::ONE_HUNDRED)),
        MetricKind::Month | MetricKind::Count | MetricKind::Multiple => said,
    })
}
