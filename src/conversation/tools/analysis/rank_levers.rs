//! Which fields move a result most, of those that the franchisee decides. The sentences state what the engine computes and
//! recommend nothing.

use crate::conversation::tools::arguments::{ToolError, parse};
use crate::conversation::tools::context::ToolContext;
use crate::conversation::tools::figures::Figures;
use crate::conversation::tools::tool::{Run, Tool};
use crate::plans::analysis::{self, Found, Hypothesis, Sensitivity, Sought, weak_metric};
use plan_model::field::{Field, show_dollars};
use plan_model::metrics::{self, METRICS, Metric, Metrics};
use plan_model::number::Number;
use serde::Deserialize;
use serde_json::{Value, json};

pub(crate) static TOOL: Tool = Tool::new("rank_levers", "Read which fields move a result most.", Run::Read(run))
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
    let sought = find(metric.as_deref().unwrap_or(weak.unwrap_or(USUAL)))?;
    let ranked = Ranked::of(&plan, sought, LISTED);
    let listed = ranked.levers.iter().map(|lever| {
        let value = |value| ctx.figures.show(Some(value), |value| lever.field.kind.show(value));
        json!({
            "path": lever.field.path,
            "now": plan.value(&lever.field.path).map(value).unwrap_or_default(),
            "value": value(lever.value),
            "result": ranked.result(ctx.figures, &lever.found),
        })
    });
    Ok(json!({
        "metric": sought.name(),
        "now": ranked.result(ctx.figures, &ranked.base),
        "earningsOfYear": ranked.by_earnings_of,
        "isWeak": weak.is_some(),
        "levers": listed.collect::<Vec<_>>(),
        "statement": ranked.sentence(),
    }))
}

/// The strongest levers of a weak plan, in a sentence.
pub(crate) fn of_weak(plan: &Hypothesis<'_>, metrics: &Metrics) -> Option<String> {
    let metric = metrics::find(weak_metric(metrics)?)?;
    Ranked::of(plan, Sought::Metric(metric), NAMED).sentence()
}

/// What a call means: a metric by its name or label, or a line of a year as "netProfitYear2".
pub(crate) fn find(said: &str) -> Result<Sought<'static>, ToolError> {
    let is_meant = |metric: &&Metric| {
        [metric.name, metric.label]
            .iter()
            .any(|name| name.eq_ignore_ascii_case(said.trim()))
    };
    let metric = METRICS.iter().find(is_meant).map(Sought::Metric);
    Sought::of_year(said).or(metric).ok_or_else(|| {
        let names: Vec<_> = METRICS.iter().map(|metric| metric.name).collect();
        ToolError(format!(
            "There is no such result. The results are: {}.",
            names.join(", ")
        ))
    })
}

/// A result as figures are given; in words there is always one.
pub(crate) fn result(figures: Figures, sought: Sought<'_>, value: Option<Number>) -> Value {
    match figures {
        Figures::InWords => shown(sought, value).into(),
        Figures::WithNumbers => figures.show(value, |value| sought.show(value)),
    }
}

/// A result in words.
pub(crate) fn shown(sought: Sought<'_>, value: Option<Number>) -> String {
    value.map_or_else(|| "none".to_owned(), |value| sought.show(value))
}

/// A field, and the value of it that may be named.
struct Named<'a> {
    field: &'a Field,
    value: Number,
    found: Found,
}

/// The strongest fields that the franchisee decides on, each on the side that helps.
struct Ranked<'a> {
    sought: Sought<'static>,
    base: Found,
    by_earnings_of: Option<usize>,
    levers: Vec<Named<'a>>,
}

impl<'a> Ranked<'a> {
    fn of(plan: &Hypothesis<'a>, sought: Sought<'static>, count: usize) -> Self {
        let Ok(Sensitivity {
            base,
            by_earnings_of,
            levers,
        }) = analysis::sensitivity(plan, sought, STEP)
        else {
            return Self {
                sought,
                base: Found::default(),
                by_earnings_of: None,
                levers: Vec::new(),
            };
        };
        let named = levers
            .into_iter()
            .filter(|lever| lever.field.controlled)
            .filter_map(|lever| {
                let found = lever.helping()?;
                Some(Named {
                    field: lever.field,
                    value: found.value,
                    found,
                })
            });
        Self {
            sought,
            base,
            by_earnings_of,
            levers: named.take(count).collect(),
        }
    }

    fn shown(&self, found: &Found) -> String {
        match self.by_earnings_of {
            Some(_) => show_dollars(found.earnings),
            None => shown(self.sought, found.result),
        }
    }

    fn result(&self, figures: Figures, found: &Found) -> Value {
        match self.by_earnings_of {
            Some(_) => figures.show(Some(Number::whole(found.earnings)), |_| show_dollars(found.earnings)),
            None => result(figures, self.sought, found.result),
        }
    }

    fn sentence(&self) -> Option<String> {
        let item = |lever: &Named<'_>| {
            let (name, value) = (lever.field.name_in_sentence(), lever.field.kind.show(lever.value));
            format!("{name} at {value} gives {}", self.shown(&lever.found))
        };
        let items: Vec<String> = self.levers.iter().take(NAMED).map(item).collect();
        let what = match self.by_earnings_of {
            Some(year) => format!("earnings before loan payments in year {year}"),
            None => self.sought.name_in_sentence(),
        };
        let moves = items.split_last().map(|(last, head)| {
            let list = if head.is_empty() { last.clone() } else { format!("{} and {last}", head.join(", ")) };
            format!("Of the lines you decide on, these move {what} most, each with your other assumptions unchanged: {list}.")
        });
        match self.by_earnings_of {
            Some(year) => {
                let earned = show_dollars(self.base.earnings);
                let first = format!(
                    "In year {year} the business does not earn its running costs yet ({earned} before loan payments), and no loan changes that."
                );
                Some(moves.map_or_else(|| first.clone(), |moves| format!("{first} {moves}")))
            }
            None => moves,
        }
    }
}
