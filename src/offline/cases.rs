//! Answers about cases: what would happen if, what was saved, how scenarios compare, what matters most.

use crate::offline::ask::name;
use crate::offline::intent;
use crate::offline::prose::{FOOTER, list};
use crate::offline::results;
use crate::offline::situation::Situation;
use plan_model::number::Number;
use serde_json::Value;

pub fn what_if(situation: &Situation<'_>, changes: &[(usize, Number)]) -> Vec<String> {
    let Some(result) = situation
        .result("what_if")
        .filter(|result| result.get("after").is_some())
    else {
        return vec!["I could not work that out. Nothing in your plan was changed.".to_owned()];
    };
    let assumed: Vec<String> = changes
        .iter()
        .map(|(i, value)| {
            format!(
                "{} at {}",
                name(&situation.fields[*i]),
                situation.fields[*i].kind.show(*value)
            )
        })
        .collect();
    let moved = moved(result.get("before"), result.get("after"));
    let effect = if moved.is_empty() {
        "none of the key results would move".to_owned()
    } else {
        list(&moved)
    };
    let staff = if intent::is_about_one_less(situation.message()) {
        format!(" {ONE_LESS}")
    } else {
        String::new()
    };
    let levers = text(result, "levers").map_or_else(String::new, |levers| format!(" {levers}"));
    vec![format!(
        "With {}, and everything else as in your plan, {effect}. Nothing was changed.{staff}{levers}\n\n{FOOTER}",
        list(&assumed)
    )]
}

/// Heads are no line of the plan.
const ONE_LESS: &str = "Your plan has pay as a share of sales and as salaries, so a person less is no number in it yet; give me the share or the salary it would be, and I'll work that out too.";

fn text<'v>(result: &'v Value, key: &str) -> Option<&'v str> {
    result.get(key).and_then(Value::as_str)
}

fn texts(result: &Value, key: &str) -> Vec<String> {
    let items = result.get(key).and_then(Value::as_array).into_iter().flatten();
    items.filter_map(Value::as_str).map(str::to_owned).collect()
}

pub fn saved(situation: &Situation<'_>, name: Option<&str>, changes: &[(usize, Number)]) -> String {
    if changes.is_empty() {
        return "There is no case to keep yet. Ask me what would happen if a number were different, then have me save it under a name.".to_owned();
    }
    if name.is_none() {
        return "Under which name? Say \"save it as\" and the name.".to_owned();
    }
    let result = situation.result("save_scenario");
    match result.and_then(|result| Some((text(result, "name")?, texts(result, "values")))) {
        Some((name, values)) => format!(
            "I've kept that as \"{name}\": {}. Your plan stays as it is. Say \"compare\" to see it beside your plan, or \"adopt {name}\".",
            list(&values)
        ),
        None => "I could not keep that: a scenario of your plan may have the name already, or there are ten of them."
            .to_owned(),
    }
}

/// One line for each scenario: what it has, and what moves against the plan.
pub fn compared(situation: &Situation<'_>) -> String {
    let result = situation.result("compare_scenarios");
    let scenarios = result.and_then(|result| result.get("scenarios")?.as_array());
    let (Some(result), Some(scenarios)) = (result, scenarios) else {
        return "There is no such scenario. Ask me what would happen if a number were different, then have me save it under a name."
            .to_owned();
    };
    let line = |scenario: &Value| {
        let moved = moved(result.get("plan"), scenario.get("metrics"));
        let effect = if moved.is_empty() {
            "none of the key results would move".to_owned()
        } else {
            list(&moved)
        };
        let levers = text(scenario, "levers").map_or_else(String::new, |levers| format!(" {levers}"));
        let name = text(scenario, "name").unwrap_or_default();
        format!(
            "- \"{name}\" has {}: {effect}.{levers}",
            list(&texts(scenario, "values"))
        )
    };
    let lines: Vec<String> = scenarios.iter().map(line).collect();
    format!("Beside your plan as it stands:\n\n{}\n\n{FOOTER}", lines.join("\n"))
}

pub fn levers(situation: &Situation<'_>) -> String {
    let statement = situation
        .result("rank_levers")
        .and_then(|result| text(result, "statement"));
    statement.map_or_else(
        || "I could not work that out from here just now.".to_owned(),
        |statement| format!("{statement}\n\n{FOOTER}"),
    )
}

/// The strongest levers of a weak plan.
pub fn weak_levers(situation: &Situation<'_>) -> String {
    let result = situation.result("rank_levers");
    let weak = result.filter(|result| result.get("isWeak") == Some(&Value::Bool(true)));
    let statement = weak.and_then(|result| text(result, "statement"));
    statement.map_or_else(String::new, |statement| format!(" {statement}"))
}

/// The key results that move, most telling first, by the catalogue's labels.
fn moved(before: Option<&Value>, after: Option<&Value>) -> Vec<String> {
    const TELLING: [&str; 7] = [
        "breakEvenMonth",
        "paybackMonth",
        "lowestCash",
        "dscrYear1",
        "monthlyPayment",
        "totalInvestment",
        "fiveYearOwnerCashFlow",
    ];
    let side = |side: Option<&Value>, metric: &str| {
        side.and_then(|metrics| results::shown(metrics, metric))
            .unwrap_or_else(|| "not reached".to_owned())
    };
    TELLING
        .iter()
        .map(|metric| (results::label(metric), side(before, metric), side(after, metric)))
        .filter(|(_, before, after)| before != after)
        .map(|(label, before, after)| format!("{label} would go from {before} to {after}"))
        .take(4)
        .collect()
}
