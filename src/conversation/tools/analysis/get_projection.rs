//! Reads the projection: the figures are quoted, never computed by who asks. One figure comes with what makes it.

use crate::conversation::tools::analysis::what_if::{SupposedValue, supposed, values};
use crate::conversation::tools::analysis::{line_figure, movers, own_lines, rank_levers, scenarios};
use crate::conversation::tools::arguments::{ToolError, parse, schema};
use crate::conversation::tools::context::ToolContext;
use crate::conversation::tools::figures::{self, Figures};
use crate::conversation::tools::tool::{Run, Tool};
use crate::plans::analysis::Hypothesis;
use plan_engine::lines::{LINES, When};
use plan_model::outputs::Projection;
use plan_model::scenario::Overrides;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value, json};

pub(crate) static TOOL: Tool = Tool::new(
    "get_projection",
    "Read the projection: key results and five years; or one year, month or line.",
    Run::Read(run),
)
.reads_scenarios()
.schema(schema::<ProjectionArguments>)
.example(r#"{"line":"cash","month":6}"#)
.known_by(&[&["line"], &["year"], &["month"]]);

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ProjectionArguments {
    /// 1 to 5
    #[serde(default)]
    year: Option<u32>,
    /// 1 to 60
    #[serde(default)]
    month: Option<u32>,
    /// sales, cash, dscr, netProfit, biggestCost …, or a field
    #[serde(default)]
    line: Option<String>,
    /// with what changed the line since this year or month
    #[serde(default)]
    since: Option<u32>,
    /// With each month of the year. Understood, and not in the schema, as `scenario`.
    #[serde(default)]
    #[schemars(skip)]
    monthly: bool,
    /// Of a saved case, by its name. Understood, and not in the schema, as `changes`: models have `what_if` and `compare_scenarios`,
    /// and every argument costs a part of each prompt.
    #[serde(default)]
    #[schemars(skip)]
    scenario: Option<String>,
    /// Of a case that is not saved.
    #[serde(default)]
    #[schemars(skip)]
    changes: Vec<SupposedValue>,
}

fn run(ctx: &mut ToolContext, arguments: &str) -> Result<Value, ToolError> {
    let ProjectionArguments {
        year,
        month,
        line,
        scenario,
        changes,
        since,
        monthly,
    } = parse(arguments)?;
    let when = when(year, month)?;
    let inputs = ctx.inputs_or_defaults();
    let own = Hypothesis::new(&inputs, &ctx.brand_version, ctx.now);
    let overrides = match scenario {
        Some(name) => scenarios::find(ctx, &name)?.1,
        None if changes.is_empty() => Overrides::default(),
        None => supposed(ctx, &changes)?,
    };
    let changed = own
        .inputs_with(&overrides)
        .map_err(|error| ToolError(error.to_string()))?;
    let plan = Hypothesis::new(&changed, &ctx.brand_version, ctx.now);
    let is_case = !overrides.0.is_empty();
    let mut shown = match line.as_deref().map(str::trim).filter(|line| !line.is_empty()) {
        Some(line) => one_line(
            ctx,
            (&plan, Some(&own).filter(|_| is_case)),
            line,
            Asked { when, since, monthly },
        )?,
        None => all(ctx, &plan, when),
    };
    if is_case {
        shown["case"] = json!(values(ctx, overrides.0.keys(), &overrides, &own));
    }
    Ok(shown)
}

/// The time of a figure, and the one that it is compared with, in the same unit.
#[derive(Clone, Copy)]
struct Asked {
    when: Option<When>,
    since: Option<u32>,
    monthly: bool,
}

/// The figure of a line; beside a case, that of the plan.
fn one_line(
    ctx: &ToolContext,
    (plan, own): (&Hypothesis<'_>, Option<&Hypothesis<'_>>),
    line: &str,
    asked: Asked,
) -> Result<Value, ToolError> {
    let projection = plan.base();
    let mut found = line_figure::figure(ctx, plan, &projection, line, asked.when)?;
    let number = ctx
        .figures
        .has_numbers()
        .then(|| own_lines::number(&projection, &found));
    let in_plan = match own {
        Some(own) => {
            let base = own.base();
            let in_plan = line_figure::figure(ctx, own, &base, line, asked.when)?;
            found.moved = movers::against_plan((&found, &projection), (&in_plan, &base));
            Some(in_plan.value)
        }
        None => {
            let since = asked
                .when
                .zip(asked.since)
                .and_then(|(when, since)| other_time(when, since));
            found.moved = since.and_then(|since| movers::over_time(&projection, &found, since));
            None
        }
    };
    if asked.monthly {
        found.months = line_figure::months(&projection, &found);
    }
    let mut shown = json!(found);
    if let Some(number) = number {
        shown["number"] = json!(number);
    }
    if let Some(in_plan) = in_plan {
        shown["inPlan"] = json!(in_plan);
    }
    Ok(shown)
}

/// A number of the unit of a time, where the projection reaches it.
fn other_time(when: When, number: u32) -> Option<When> {
    let other = match when {
        When::Plan => return None,
        When::Year(_) => When::Year(number),
        When::Month(_) => When::Month(number),
    };
    other.is_projected().then_some(other)
}

/// Every line of a time, or the key results.
fn all(ctx: &ToolContext, plan: &Hypothesis<'_>, when: Option<When>) -> Value {
    let projection = plan.base();
    match when {
        Some(when) => all_lines(ctx.figures, &projection, when),
        None => json!({
            "metrics": figures::metrics(ctx.figures, &projection.metrics),
            "annual": figures::annual(ctx.figures, &projection),
            "levers": rank_levers::of_weak(plan, &projection.metrics),
            "note": "Results of the franchisee's own assumptions.",
        }),
    }
}

pub(super) fn when(year: Option<u32>, month: Option<u32>) -> Result<Option<When>, ToolError> {
    let when = match (year, month) {
        (_, Some(month)) => Some(When::Month(month)),
        (Some(year), None) => Some(When::Year(year)),
        (None, None) => None,
    };
    match when {
        Some(when) if !when.is_projected() => {
            Err(ToolError("The projection has years 1 to 5 and months 1 to 60.".into()))
        }
        when => Ok(when),
    }
}

/// Every line of one year or month.
fn all_lines(figures: Figures, projection: &Projection, when: When) -> Value {
    let lines = LINES.iter().filter_map(|line| {
        let value = line.value(projection, when)?;
        Some((
            line.name.to_owned(),
            figures.show(Some(value), |value| line.show(value)),
        ))
    });
    Value::Object(lines.collect::<Map<_, _>>())
}
