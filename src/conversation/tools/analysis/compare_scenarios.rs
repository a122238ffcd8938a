//! The plan beside its saved scenarios, in the few results that cases are compared by.

use crate::conversation::tools::analysis::{get_projection, line_figure, rank_levers, scenarios};
use crate::conversation::tools::arguments::{ToolError, parse};
use crate::conversation::tools::context::ToolContext;
use crate::conversation::tools::figures;
use crate::conversation::tools::tool::{Run, Tool};
use crate::plans::EditError;
use crate::plans::analysis::{Hypothesis, compare};
use plan_model::scenario::{MAX_COMPARED, Overrides};
use serde::Deserialize;
use serde_json::{Value, json};

pub(crate) static TOOL: Tool = Tool::new(
    "compare_scenarios",
    "Compare the plan with its saved scenarios.",
    Run::Read(run),
)
.reads_scenarios()
.example(r#"{"names":["lean"]}"#)
.known_by(&[&["names"]]);

/// Understood, and not in the schema: every tool costs a part of each prompt, and the result says what else there is.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct CompareArguments {
    #[serde(default)]
    names: Vec<String>,
    /// A line of `get_projection`, whose figure is read of each.
    #[serde(default)]
    line: Option<String>,
    #[serde(default)]
    year: Option<u32>,
    #[serde(default)]
    month: Option<u32>,
}

fn run(ctx: &mut ToolContext, arguments: &str) -> Result<Value, ToolError> {
    let CompareArguments {
        names,
        line,
        year,
        month,
    } = parse(arguments)?;
    let when = get_projection::when(year, month)?;
    let figure = |ctx: &ToolContext, plan: &Hypothesis<'_>| match &line {
        Some(line) => line_figure::figure(ctx, plan, &plan.base(), line, when).map(Some),
        None => Ok(None),
    };
    let chosen = chosen(ctx, &names)?;
    let inputs = ctx
        .inputs
        .clone()
        .ok_or_else(|| ToolError("The plan has no values yet.".into()))?;
    let plan = Hypothesis::new(&inputs, &ctx.brand_version, ctx.now);
    let unknown = |error: EditError| ToolError(error.to_string());
    let overrides: Vec<&Overrides> = chosen.iter().map(|(_, overrides)| overrides).collect();
    let (base, columns) = compare(&plan, overrides).map_err(unknown)?;
    let mut shown = Vec::with_capacity(columns.len());
    for ((name, overrides), column) in chosen.iter().zip(columns) {
        let inputs = plan.inputs_with(overrides).map_err(unknown)?;
        let case = Hypothesis::new(&inputs, &ctx.brand_version, ctx.now);
        shown.push(json!({
            "name": name,
            "values": scenarios::values(ctx, overrides),
            "metrics": figures::telling(ctx.figures, &column.projection.metrics),
            "levers": rank_levers::of_weak(&case, &column.projection.metrics),
            "figure": figure(ctx, &case)?,
        }));
    }
    let known = scenarios::known(ctx)?.into_iter().map(|(name, _)| name);
    let is_other = |name: &String| chosen.iter().all(|(shown, _)| shown != name);
    Ok(json!({
        "others": known.filter(is_other).collect::<Vec<_>>(),
        "plan": figures::telling(ctx.figures, &base.projection.metrics),
        "figure": figure(ctx, &plan)?,
        "scenarios": shown,
        "note": "Results of the franchisee's own assumptions. Those in \"others\" are saved, too: \"names\" shows them.",
    }))
}

fn chosen(ctx: &ToolContext, names: &[String]) -> Result<Vec<(String, Overrides)>, ToolError> {
    if names.len() > MAX_COMPARED {
        return Err(ToolError(format!("Name at most {MAX_COMPARED} scenarios.")));
    }
    if !names.is_empty() {
        return names.iter().map(|name| scenarios::find(ctx, name)).collect();
    }
    let mut known = scenarios::known(ctx)?;
    match known.len() {
        0 => Err(ToolError("The plan has no scenarios.".into())),
        count => Ok(known.split_off(count.saturating_sub(MAX_COMPARED))),
    }
}
