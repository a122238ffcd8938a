//! A figure or two of several saved cases beside the plan's: "which is worse for coverage in year 2, lean or rent up?", "how much cash is
//! left in each version?", "and the coverage?" behind a comparison.

use crate::offline::intents::scenarios::{older, says_name};
use crate::offline::intents::{figures, talk};
use crate::offline::results;
use crate::offline::situation::Situation;
use crate::offline::step::Step;
use crate::wording::{self, sentence};
use plan_model::tool_result::LineFigure;
use plan_reader::{Intent, Line, ScenarioAct};
use serde::Deserialize;
use serde_json::{Value, json};

/// Figures that are told of each case.
const FIGURES: usize = 2;

/// The figures in each case that is meant; `None` where the message means no two.
pub(in crate::offline) fn figures(situation: &Situation<'_>) -> Option<Step> {
    let asks = matches!(
        situation.heard.intent,
        Intent::Figure | Intent::Why | Intent::WhatIf | Intent::Scenario | Intent::Goal | Intent::Other
    );
    let names = situation.cases_kept();
    let named = names.iter().filter(|name| says_name(situation, name)).count();
    // "I mean the saved case: its year 2 coverage" deletes nothing.
    let is_of_case = situation.slots().act == Some(ScenarioAct::Delete) && !talk::says(situation, "w.deletes");
    let is_of_one = named == 1 && (talk::says(situation, "w.and_plan") || is_of_case);
    let is_meant = named > 1 || is_of_one || means_each(situation);
    let lines = situation.lines_named();
    if !asks || names.is_empty() || !is_meant || lines.is_empty() {
        return None;
    }
    let of_line = |line: &Line| {
        let mut arguments = json!({ "names": [], "line": line.as_str() });
        if let Some(year) = situation.years().first() {
            arguments["year"] = Value::from(*year);
        } else if let Some(month) = situation.slots().month {
            arguments["month"] = Value::from(month);
        }
        ("compare_scenarios", arguments)
    };
    let calls: Vec<_> = lines.iter().take(FIGURES).map(of_line).collect();
    if let Some(step) = Step::ask(situation, &calls).or_else(|| older(situation)) {
        return Some(step);
    }
    let told = situation
        .results
        .iter()
        .filter(|result| result.tool == "compare_scenarios");
    let told = told.filter_map(|result| beside(situation, &result.content, named > 0));
    let texts: Vec<String> = told.collect();
    let suggestions = situation.suggest(&["s.compare", "s.levers"]);
    (!texts.is_empty()).then(|| Step::say(texts.into_iter().chain([situation.footer()]), suggestions))
}

/// "In each version", and a short question behind a comparison.
fn means_each(situation: &Situation<'_>) -> bool {
    const SHORT: usize = 5;
    let compares = |text: &str| wording::begins(text, "compared") || wording::shows(text, "side");
    let is_short = situation.message().split_whitespace().count() <= SHORT;
    let is_behind = is_short && situation.advisor().is_some_and(compares) && situation.heard.intent == Intent::Figure;
    talk::says(situation, "w.each_case") || is_behind
}

/// "Cash at the end of year 5: $129,803 in your plan, $111,939 in "lean"."
fn beside(situation: &Situation<'_>, result: &Value, is_named: bool) -> Option<String> {
    let own = LineFigure::deserialize(result.get("figure")?).ok()?;
    let value = |figure: &LineFigure| match &figure.value {
        Some(value) => situation.figure(value),
        None => situation.say("not_reached", &[]),
    };
    let of_case = |case: &Value| {
        let name = results::text(case, "name")?;
        let figure = LineFigure::deserialize(case.get("figure")?).ok()?;
        let is_meant = !is_named || says_name(situation, name);
        is_meant.then(|| situation.say("side.item", &[("name", name), ("value", &value(&figure))]))
    };
    let cases = result.get("scenarios")?.as_array()?.iter();
    let items: Vec<String> = cases.filter_map(of_case).collect();
    let label = sentence(&situation.label(&own.line, &own.label));
    let slots = [
        ("label", &*label),
        ("time", &*figures::time(situation, &own)),
        ("value", &*value(&own)),
        ("items", &*situation.list(&items)),
    ];
    (!items.is_empty()).then(|| situation.say("side", &slots))
}
