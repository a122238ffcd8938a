//! Runs the engine on hypothetical values. The plan stays as it is.

use crate::conversation::tools::analysis::rank_levers;
use crate::conversation::tools::arguments::{ToolError, parse, schema};
use crate::conversation::tools::context::ToolContext;
use crate::conversation::tools::figures::{self, Figures};
use crate::conversation::tools::tool::{Run, Tool};
use crate::plans::EditError;
use crate::plans::analysis::Hypothesis;
use plan_engine::lines::{self, When};
use plan_model::field::{Field, FieldPath, Kind};
use plan_model::number::Number;
use plan_model::outputs::Projection;
use plan_model::scenario::{Change, Overrides};
use rust_decimal::Decimal;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};

pub(crate) static TOOL: Tool = Tool::new(
    "what_if",
    "Compute the results for hypothetical values. Changes nothing.",
    Run::Read(run),
)
.schema(schema::<WhatIfArguments>)
.example(r#"{"changes":[{"path":"rentMonthly","value":5000},{"path":"loanAmount","by":-20000}]}"#)
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
pub(crate) struct SupposedValue {
    /// Name or label of the field.
    path: String,
    /// In dollars, percent, months and so on; or one of:
    #[serde(default, alias = "to")]
    #[schemars(with = "Option<f64>")]
    value: Option<Box<RawValue>>,
    /// So much more (negative: less), shares in points.
    #[serde(default)]
    #[schemars(with = "Option<f64>")]
    by: Option<Number>,
    /// Times the plan's value: 0.9 for 10% less.
    #[serde(default)]
    #[schemars(with = "Option<f64>")]
    times: Option<Number>,
}

fn run(ctx: &mut ToolContext, arguments: &str) -> Result<Value, ToolError> {
    let WhatIfArguments { changes } = parse(arguments)?;
    let overrides = supposed(ctx, &changes)?;
    let (inputs, brand_version) = (ctx.inputs_or_defaults(), &ctx.brand_version);
    let plan = Hypothesis::new(&inputs, brand_version, ctx.now);
    let unknown = |error: EditError| ToolError(error.to_string());
    let (before, changed) = (plan.base(), plan.inputs_with(&overrides).map_err(unknown)?);
    let after = Hypothesis::new(&changed, brand_version, ctx.now);
    let changed = after.base();
    let metrics = &changed.metrics;
    let named = changes.iter().filter_map(|change| ctx.field(&change.path).ok());
    Ok(json!({
        "values": values(ctx, named.map(|field| &field.path), &overrides, &plan),
        "before": results(ctx.figures, &before),
        "after": results(ctx.figures, &changed),
        "changes": figures::changes(&before.metrics, metrics),
        "levers": rank_levers::of_weak(&after, metrics),
        "note": "Nothing was changed. Results of the franchisee's own assumptions.",
    }))
}

/// The key results, and what the owner's draws leave at the end.
fn results(figures: Figures, projection: &Projection) -> Value {
    const LAST: When = When::Year(5);
    let mut shown = figures::metrics(figures, &projection.metrics);
    if let Some(line) = lines::find("cash") {
        shown["cashYear5"] = figures.show(line.value(projection, LAST), |value| line.show(value));
    }
    shown
}

/// What a case has instead of the plan's values.
pub(crate) fn values<'p>(
    ctx: &ToolContext,
    paths: impl Iterator<Item = &'p FieldPath>,
    overrides: &Overrides,
    plan: &Hypothesis<'_>,
) -> Vec<Value> {
    let values = paths.filter_map(|path| {
        let field = ctx.field(path.as_str()).ok()?;
        let shown = |value: Option<Number>| ctx.figures.show(value, |value| field.kind.show(value));
        let (value, now) = (overrides.0.get(path).copied(), plan.value_in_force(path).ok());
        Some(json!({"path": path, "value": shown(value), "insteadOf": shown(now)}))
    });
    values.collect()
}

/// The values as the plan would store them, what is relative taken from the plan as it is.
pub(crate) fn supposed(ctx: &ToolContext, changes: &[SupposedValue]) -> Result<Overrides, ToolError> {
    if changes.is_empty() || changes.len() > MAX_CHANGES {
        return Err(ToolError(format!("Give 1 to {MAX_CHANGES} changes.")));
    }
    let inputs = ctx.inputs_or_defaults();
    let plan = Hypothesis::new(&inputs, &ctx.brand_version, ctx.now);
    let read = |change: &SupposedValue| {
        let field = ctx.field(&change.path)?;
        let value = resolved(change, field, &plan)
            .filter(|value| field.refusal(*value).is_none())
            .ok_or_else(|| {
                ToolError(format!(
                    "That is no possible value of {}. Give one of value, by and times.",
                    field.path
                ))
            })?;
        Ok((field.path.clone(), value))
    };
    changes.iter().map(read).collect::<Result<_, _>>().map(Overrides)
}

fn resolved(change: &SupposedValue, field: &Field, plan: &Hypothesis<'_>) -> Option<Number> {
    let change = match (&change.value, change.by, change.times) {
        (Some(value), None, None) => return plan_reader::hypothetical(field, value.get()),
        (None, Some(by), None) => Change::By(in_unit(field.kind, by)?),
        (None, None, Some(times)) => Change::Times(times),
        _ => return None,
    };
    change.resolve(field, plan.value_in_force(&field.path).ok()?)
}

/// What is said in dollars and in points, in the field's unit.
fn in_unit(kind: Kind, said: Number) -> Option<Number> {
    let hundred = Decimal::ONE_HUNDRED;
    Some(match kind {
        Kind::Money => Number::new(said.decimal().checked_mul(hundred)?),
        Kind::Percent => Number::new(said.decimal().checked_div(hundred)?),
        Kind::Count | Kind::Months | Kind::Days | Kind::Years | Kind::Multiple => said,
    })
}
