//! One figure of several saved cases beside the plan's: "which is worse for coverage in year 2, lean or rent up?", "how much cash is left in
//! each version?"

use crate::offline::figures;
use crate::offline::results;
use crate::offline::scenarios::{older, says_name};
use crate::offline::situation::Situation;
use crate::offline::step::Step;
use crate::offline::talk;
use crate::wording::sentence;
use plan_model::tool_result::LineFigure;
use plan_reader::Intent;
use serde::Deserialize;
use serde_json::{Value, json};

/// The figure in each case that is meant; `None` where the message means no two.
pub(super) fn figures(situation: &Situation<'_>) -> Option<Step> {
    let asks = matches!(
        situation.heard.intent,
        Intent::Figure | Intent::Why | Intent::WhatIf | Intent::Scenario | Intent::Goal | Intent::Other
    );
    let names = situation.cases_kept();
    let named = names.iter().filter(|name| says_name(situation, name)).count();
    let is_each = talk::says(situation, "w.each_case");
    if !asks || names.is_empty() || named < 2 && !is_each {
        return None;
    }
    let line = situation.line_named()?;
    let mut arguments = json!({ "names": [], "line": line.as_str() });
    if let Some(year) = situation.years().first() {
        arguments["year"] = Value::from(*year);
    } else if let Some(month) = situation.slots().month {
        arguments["month"] = Value::from(month);
    }
    if let Some(step) = Step::ask(situation, &[("compare_scenarios", arguments)]) {
        return Some(step);
    }
    if let Some(step) = older(situation) {
        return Some(step);
    }
    let result = situation.result("compare_scenarios")?;
    let own = LineFigure::deserialize(result.get("figure")?).ok()?;
    let value = |figure: &LineFigure| match &figure.value {
        Some(value) => situation.figure(value),
        None => situation.say("not_reached", &[]),
    };
    let of_case = |case: &Value| {
        let name = results::text(case, "name")?;
        let figure = LineFigure::deserialize(case.get("figure")?).ok()?;
        let is_meant = named < 2 || says_name(situation, name);
        is_meant.then(|| situation.say("side.item", &[("name", name), ("value", &value(&figure))]))
    };
    let cases = result.get("scenarios")?.as_array()?.iter();
    let items: Vec<String> = cases.filter_map(of_case).collect();
    let label = sentence(&situation.label(&own.line, &own.label));
    let time = figures::time(situation, &own);
    let slots = [
        ("label", &*label),
        ("time", &*time),
        ("value", &*value(&own)),
        ("items", &*situation.list(&items)),
    ];
    let text = situation.say("side", &slots);
    (!items.is_empty()).then(|| {
        Step::say(
            [text, situation.footer()],
            situation.suggest(&["s.compare", "s.levers"]),
        )
    })
}
