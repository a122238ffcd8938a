//! The value of one field that brings a result to a target, in a sentence of the server's.

use crate::conversation::tools::analysis::rank_levers::{self, result, shown};
use crate::conversation::tools::analysis::what_if::{SupposedValue, supposed, values};
use crate::conversation::tools::arguments::{ToolError, brief_schema, parse};
use crate::conversation::tools::context::ToolContext;
use crate::conversation::tools::tool::{Run, Tool};
use crate::plans::analysis::{self, Found, Goal, GoalSeek, Hypothesis, Outcome, Sought, is_target};
use plan_model::field::Field;
use plan_model::metrics::MetricKind;
use plan_model::number::Number;
use plan_model::scenario::Overrides;
use rust_decimal::Decimal;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

pub(crate) static TOOL: Tool = Tool::new(
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
    /// Also netProfitYear2, ownerLeftYear3
    metric: String,
    #[schemars(with = "f64")]
    target: Number,
    path: String,
    /// Sought in a case, and not in the plan. Understood and not in the schema, as those of `get_projection`.
    #[serde(default)]
    #[schemars(skip)]
    changes: Vec<SupposedValue>,
}

fn run(ctx: &mut ToolContext, arguments: &str) -> Result<Value, ToolError> {
    let GoalArguments {
        metric,
        target,
        path,
        changes,
    } = parse(arguments)?;
    let sought = rank_levers::find(&metric)?;
    let field = ctx.field(&path)?;
    let inputs = ctx.inputs_or_defaults();
    let own = Hypothesis::new(&inputs, &ctx.brand_version, ctx.now);
    let case = match changes.is_empty() {
        true => Overrides::default(),
        false => supposed(ctx, &changes)?,
    };
    let supposed = own.inputs_with(&case).map_err(|error| ToolError(error.to_string()))?;
    let plan = Hypothesis::new(&supposed, &ctx.brand_version, ctx.now);
    let target = in_unit(sought.kind(), target).filter(|target| is_target(*target));
    let target = target.ok_or_else(|| ToolError("The target is too large.".into()))?;
    let path = field.path.clone();
    let found =
        analysis::goal_seek(&plan, &Goal { sought, target, path }).map_err(|error| ToolError(error.to_string()))?;
    let value = |value: Number| ctx.figures.show(Some(value), |value| field.kind.show(value));
    let side = |found: Found| json!({"value": value(found.value), "result": result(ctx.figures, sought, found.result)});
    let mut shown = json!({
        "outcome": if found.is_met() { "met" } else { outcome(found.outcome) },
        "path": field.path,
        "metric": sought.name(),
        "target": ctx.figures.show(Some(target), |target| sought.show(target)),
        "found": side(found.found),
        "before": side(found.base),
        "range": {"low": value(found.range.low), "high": value(found.range.high)},
        "holdsTo": found.holds_to.map(side),
        "earningsOfYear": found.by_earnings_of,
        "statement": statement(field, sought, target, &found),
        "note": "Nothing was changed.",
    });
    if !case.0.is_empty() {
        shown["case"] = json!(values(ctx, case.0.keys(), &case, &own));
    }
    Ok(shown)
}

fn outcome(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Reached => "reached",
        Outcome::NotMonotone => "not_monotone",
        Outcome::Unreachable => "unreachable",
    }
}

fn statement(field: &Field, sought: Sought<'_>, target: Number, seek: &GoalSeek) -> String {
    let (name, label, target) = (field.name_in_sentence(), sought.name_in_sentence(), sought.show(target));
    let shown = |found: Found| (field.kind.show(found.value), shown(sought, found.result));
    let ((value, result), (now, today)) = (shown(seek.found), shown(seek.base));
    if seek.is_met() {
        let until = seek
            .holds_to
            .map(|last| format!(" It holds with {name} as far as {}.", field.kind.show(last.value)));
        return format!(
            "On your assumptions as they are, {label} is {today}, so {target} is reached already, with {name} at {now}.{}",
            until.unwrap_or_default()
        );
    }
    match seek.outcome {
        Outcome::Reached => {
            format!(
                "With your other assumptions unchanged, {label} reaches {target} with {name} at {value} (now {now})."
            )
        }
        Outcome::NotMonotone => format!(
            "With your other assumptions unchanged, {label} reaches {target} with more than one value of {name}; the nearest to yours is {value} (now {now})."
        ),
        Outcome::Unreachable => {
            let (low, high) = (field.kind.show(seek.range.low), field.kind.show(seek.range.high));
            let nearest = if seek.found.value == seek.base.value {
                format!("none of them is better than the plan's own {now}, which gives {today}")
            } else {
                format!("the nearest is {result}, at {value}")
            };
            format!(
                "With your other assumptions unchanged, {label} does not reach {target} with {name} within {low} to {high}; {nearest}."
            )
        }
    }
}

/// As people say it: money in dollars, shares in percent.
fn in_unit(kind: MetricKind, said: Number) -> Option<Number> {
    Some(match kind {
        MetricKind::Money => Number::new(said.decimal().checked_mul(Decimal::ONE_HUNDRED)?).round(0),
        MetricKind::Percent => Number::new(said.decimal().checked_div(Decimal::ONE_HUNDRED)?),
        MetricKind::Month | MetricKind::Count | MetricKind::Multiple => said,
    })
}
