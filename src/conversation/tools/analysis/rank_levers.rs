//! Which fields move a result most, of those that the franchisee decides. The sentences state what the engine computes and
//! recommend nothing.

use crate::conversation::tools::arguments::{ToolError, parse};
use crate::conversation::tools::context::ToolContext;
use crate::conversation::tools::tool::{Run, Tool};
use crate::plans::analysis::{self, Found, Hypothesis, Lever, weak_metric};
use plan_model::metrics::{self, Better, METRICS, Metric, Metrics};
use serde::Deserialize;
use serde_json::{Value, json};

pub static TOOL: Tool = Tool::new("rank_levers", "Read which fields move a result most.", Run::Read(run))
    .example(r#"{"metric":"dscrYear1"}"#)
    .known_by(&[&["metric"]]);

/// As `GET …/sensitivity` moves fields where nothing else is asked for.
const STEP: u32 = 10;

/// What is looked at where no metric is named and the plan is not weak.
const USUAL: &str = "dscrYear1";

/// Levers of a sentence, and of a list.
const NAMED: usize = 3;
const LISTED: usize = 8;

/// Understood, and not in the schema: every tool costs a part of each prompt, and the result says what else there is.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct RankArguments {
    #[serde(default)]
    metric: Option<String>,
}

fn run(ctx: &mut ToolContext, arguments: &str) -> Result<Value, ToolError> {
    let RankArguments { metric } = parse(arguments)?;
    let inputs = ctx.inputs_or_defaults();
    let plan = Hypothesis::new(&inputs, &ctx.brand_version, ctx.now);
    let weak = weak_metric(&plan.base().metrics);
    let metric = find(metric.as_deref().unwrap_or(weak.unwrap_or(USUAL)))?;
    let levers = strongest(&plan, metric, LISTED);
    let listed = levers.iter().map(|lever| {
        let side =
            |side: Found| json!({"value": lever.field.kind.show(side.value), "result": shown(metric, side.result)});
        json!({"path": lever.field.path, "low": side(lever.low), "high": side(lever.high)})
    });
    Ok(json!({
        "metric": metric.label,
        "isWeak": weak.is_some(),
        "levers": listed.collect::<Vec<_>>(),
        "statement": sentence(metric, &levers),
    }))
}

/// The strongest levers of a weak plan, in a sentence.
pub fn of_weak(plan: &Hypothesis<'_>, metrics: &Metrics) -> Option<String> {
    let metric = metrics::find(weak_metric(metrics)?)?;
    sentence(metric, &strongest(plan, metric, NAMED))
}

/// The metric that a call means, by name or label.
pub fn find(said: &str) -> Result<&'static Metric, ToolError> {
    let is_meant = |metric: &&Metric| {
        [metric.name, metric.label]
            .iter()
            .any(|name| name.eq_ignore_ascii_case(said.trim()))
    };
    METRICS.iter().find(is_meant).ok_or_else(|| {
        let names: Vec<_> = METRICS.iter().map(|metric| metric.name).collect();
        ToolError(format!(
            "There is no such result. The results are: {}.",
            names.join(", ")
        ))
    })
}

/// A result in words.
pub fn shown(metric: &Metric, value: Option<plan_model::number::Number>) -> String {
    value.map_or_else(|| "none".to_owned(), |value| metric.show(value))
}

fn strongest<'a>(plan: &Hypothesis<'a>, metric: &Metric, count: usize) -> Vec<Lever<'a>> {
    let found = analysis::sensitivity(plan, metric, STEP);
    let levers = found.map(|found| found.levers).unwrap_or_default().into_iter();
    let moves = |lever: &Lever<'_>| lever.effect.is_some_and(|effect| !effect.decimal().is_zero());
    levers
        .filter(|lever| lever.field.controlled && moves(lever))
        .take(count)
        .collect()
}

fn sentence(metric: &Metric, levers: &[Lever<'_>]) -> Option<String> {
    let items: Vec<String> = levers.iter().take(NAMED).map(|lever| item(metric, lever)).collect();
    let (last, head) = items.split_last()?;
    let list = if head.is_empty() {
        last.clone()
    } else {
        format!("{} and {last}", head.join(", "))
    };
    let metric = metric.name_in_sentence();
    Some(format!(
        "Of the lines you decide on, these move {metric} most, each with your other assumptions unchanged: {list}."
    ))
}

/// The side on which the result is better.
fn item(metric: &Metric, lever: &Lever<'_>) -> String {
    let rises = lever.effect.is_some_and(|effect| effect.decimal().is_sign_positive());
    let side = match metric.better {
        Some(Better::Lower) if rises => lever.low,
        Some(Better::Lower) => lever.high,
        _ if rises => lever.high,
        _ => lever.low,
    };
    let (name, value) = (lever.field.name_in_sentence(), lever.field.kind.show(side.value));
    format!("{name} at {value} gives {}", shown(metric, side.result))
}
