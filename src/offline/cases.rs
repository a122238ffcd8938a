//! Cases: what would happen if, what it would take, what matters most, sums of factors, scenarios.

use crate::offline::miss;
use crate::offline::results;
use crate::offline::situation::Situation;
use crate::offline::step::Step;
use crate::wording::{self, sentence};
use plan_model::field::Field;
use plan_model::metrics;
use plan_reader::{Change, FieldChange, Intent, Line, ScenarioAct};
use serde_json::{Value, json};

/// The key results that cases are told by, most telling first.
const TELLING: [&str; 8] = [
    "breakEvenMonth",
    "lowestCash",
    "dscrYear1",
    "monthlyPayment",
    "paybackMonth",
    "totalInvestment",
    "ownerCash",
    "fiveYearOwnerCashFlow",
];

/// Of these, how many are said.
const TOLD: usize = 3;

const SALES: &str = "revenue.monthlyAuv";
const DRAW: &str = "profitabilityAndDistributions.ownerDrawMonthly";

pub fn what_if(situation: &Situation<'_>) -> Step {
    let changes = situation.slots().all_changes();
    let arguments = arguments(situation, &changes);
    if arguments.is_empty() {
        return Step::say(
            [situation.say("whatif.unclear", &[])],
            situation.suggest(&["s.more_sales", "s.less_loan"]),
        );
    }
    if let Some(step) = Step::ask(situation, &[("what_if", json!({ "changes": arguments }))]) {
        return step;
    }
    let result = situation.result("what_if");
    let Some(result) = result.filter(|result| result.get("after").is_some()) else {
        let name = changes
            .first()
            .map_or_else(String::new, |one| situation.named(one.field.as_str()));
        return Step::say(
            [situation.say("whatif.refused", &[("name", &name)])],
            situation.suggest(&["s.missing"]),
        );
    };
    let values = result.get("values").and_then(Value::as_array).into_iter().flatten();
    let item = |value: &Value| {
        let path = results::text(value, "path").unwrap_or_default();
        let shown = |key: &str| situation.value(path, results::text(value, key).unwrap_or_default());
        let (name, value, before) = (situation.named(path), shown("value"), shown("insteadOf"));
        situation.say(
            "whatif.item",
            &[("name", &name), ("value", &value), ("before", &before)],
        )
    };
    let assumed = situation.list(&values.map(item).collect::<Vec<_>>());
    let effects = effects(situation, result.get("before"), result.get("after"));
    let text = situation.say("whatif", &[("assumed", &assumed), ("effects", &effects)]);
    Step::say(
        [text, situation.footer()],
        situation.suggest(&["s.save", "s.levers", "s.less_sales"]),
    )
}

/// The changes as the tool takes them.
fn arguments(situation: &Situation<'_>, changes: &[FieldChange]) -> Vec<Value> {
    let argument = |one: &FieldChange| {
        let field = situation.field(one.field.as_str())?;
        Some(match one.change {
            Change::To(value) => json!({"path": field.path, "value": field.kind.show(value)}),
            Change::By(by) => json!({"path": field.path, "by": field.kind.in_words(by).0}),
            Change::Times(times) => json!({"path": field.path, "times": times}),
        })
    };
    changes.iter().filter_map(argument).collect()
}

fn effects(situation: &Situation<'_>, before: Option<&Value>, after: Option<&Value>) -> String {
    let side = |side: Option<&Value>, metric: &str| {
        let shown = side.and_then(|metrics| results::shown(metrics, metric));
        shown.map_or_else(|| situation.say("not_reached", &[]), |shown| situation.figure(&shown))
    };
    let moved = TELLING
        .iter()
        .map(|metric| (*metric, side(before, metric), side(after, metric)));
    let told: Vec<String> = moved
        .filter(|(_, before, after)| before != after)
        .take(TOLD)
        .map(|(metric, before, after)| {
            let label = situation.say(&format!("m.{metric}"), &[]);
            situation.say(
                "whatif.effect",
                &[("label", &label), ("before", &before), ("after", &after)],
            )
        })
        .collect();
    match told.is_empty() {
        true => situation.say("whatif.same", &[]),
        false => situation.list(&told),
    }
}

/// The metric that a line is sought by, and the target where none is named.
fn sought(line: Option<&Line>, year: Option<u8>) -> Option<(String, &'static str)> {
    Some(match line {
        None | Some(Line::Dscr | Line::DscrAfterOwner) => (format!("dscrYear{}", year.unwrap_or(1)), "1.25"),
        Some(Line::BreakEvenMonth) => ("breakEvenMonth".into(), "12"),
        Some(Line::Payback) => ("paybackMonth".into(), "36"),
        Some(Line::Cash | Line::LowestCash | Line::FirstNegativeMonth | Line::OwnerLeft) => ("lowestCash".into(), "0"),
        Some(Line::MoneyToOpen) => ("totalInvestment".into(), ""),
        Some(Line::OwnCash) => ("ownerCash".into(), ""),
        Some(Line::LoanPayment) => ("monthlyPayment".into(), ""),
        Some(Line::Sales) => ("projectedAnnualRevenueYear1".into(), ""),
        Some(_) => return None,
    })
}

pub fn goal(situation: &Situation<'_>) -> Step {
    let slots = situation.slots();
    let field = slots.field.as_ref().map_or(SALES, |path| path.as_str());
    // How much can be drawn is what cash allows.
    let draws = field == DRAW && slots.metric.is_none();
    let cash = Line::LowestCash;
    let line = if draws { Some(&cash) } else { slots.metric.as_ref() };
    if line.is_none() && slots.target.is_none() && slots.field.is_none() {
        return Step::say(
            [situation.say("goal.unclear", &[])],
            situation.suggest(&["s.goal", "s.levers"]),
        );
    }
    let Some((name, usual)) = sought(line, slots.year) else {
        // What pays all costs is the nearest that the plan knows.
        return by_break_even(situation);
    };
    let Some(metric) = metrics::find(&name) else {
        return miss::other(situation);
    };
    let target = slots.target.map(|target| in_words(metric, target));
    let Some(target) = target.or_else(|| usual.parse().ok()) else {
        return Step::say(
            [situation.say("goal.unclear", &[])],
            situation.suggest(&["s.goal", "s.levers"]),
        );
    };
    let arguments = json!({"metric": name, "target": target, "path": field});
    if let Some(step) = Step::ask(situation, &[("goal_seek", arguments)]) {
        return step;
    }
    let result = situation
        .result("goal_seek")
        .filter(|result| result.get("outcome").is_some());
    match (result, situation.field(field)) {
        (Some(result), Some(field)) => {
            let text = if draws {
                drawn(situation, field, result)
            } else {
                found(situation, field, metric, result)
            };
            Step::say(
                [text, situation.footer()],
                situation.suggest(&["s.levers", "s.more_sales", "s.missing"]),
            )
        }
        _ => Step::say(
            [situation.say("failed", &[])],
            situation.suggest(&["s.goal", "s.levers"]),
        ),
    }
}

/// As the tool takes it: money in dollars, shares in percent.
fn in_words(metric: &metrics::Metric, target: plan_model::number::Number) -> plan_model::number::Number {
    use plan_model::field::Kind;
    use plan_model::metrics::MetricKind;
    let kind = match metric.kind {
        MetricKind::Money => Kind::Money,
        MetricKind::Percent => Kind::Percent,
        MetricKind::Month | MetricKind::Count | MetricKind::Multiple => return target,
    };
    kind.in_words(target).0
}

fn by_break_even(situation: &Situation<'_>) -> Step {
    if let Some(step) = Step::ask(situation, &[("get_projection", json!({"line": "breakEvenSales"}))]) {
        return step;
    }
    let Some(figure) = results::figure(situation) else {
        return Step::say([situation.say("failed", &[])], Vec::new());
    };
    let year = figure.year.map(|year| year.to_string()).unwrap_or_default();
    let text = match (&figure.value, &figure.per_month) {
        (Some(value), Some(monthly)) => situation.say(
            "figure.breakEvenSales",
            &[("year", &year), ("value", value), ("monthly", monthly)],
        ),
        _ => situation.say("figure.breakEvenSales.none", &[]),
    };
    Step::say(
        [text, situation.footer()],
        situation.suggest(&["s.profit", "s.more_sales", "s.goal"]),
    )
}

/// A side of the result: value and result in words.
fn side(situation: &Situation<'_>, field: &Field, result: &Value, key: &str) -> (String, String) {
    let side = result.get(key);
    let text = |key: &str| {
        side.and_then(|side| results::text(side, key))
            .unwrap_or_default()
            .to_owned()
    };
    (
        situation.value(field.path.as_str(), &text("value")),
        situation.figure(&text("result")),
    )
}

fn found(situation: &Situation<'_>, field: &Field, metric: &metrics::Metric, result: &Value) -> String {
    let ((value, reached), (now, today)) = (
        side(situation, field, result, "found"),
        side(situation, field, result, "before"),
    );
    let label = situation.label(metric.name, &metric.name_in_sentence());
    let (label, name) = (sentence(&label), situation.name(field));
    let target = situation.figure(results::text(result, "target").unwrap_or_default());
    let range = |key: &str| {
        let end = result.get("range").and_then(|range| results::text(range, key));
        situation.value(field.path.as_str(), end.unwrap_or_default())
    };
    let outcome = results::text(result, "outcome").unwrap_or_default();
    let says = |key: &str, result: &str| {
        situation.say(
            key,
            &[
                ("Label", &label),
                ("name", &name),
                ("target", &target),
                ("value", &value),
                ("now", &now),
                ("result", result),
                ("low", &range("low")),
                ("high", &range("high")),
            ],
        )
    };
    match outcome {
        "met" => {
            let met = says("goal.met", &today);
            let until = result.get("holdsTo").filter(|until| until.is_object());
            match until.and_then(|until| results::text(until, "value")) {
                Some(until) => {
                    let until = situation.value(field.path.as_str(), until);
                    format!(
                        "{met} {}",
                        situation.say("goal.met.until", &[("name", &name), ("until", &until)])
                    )
                }
                None => met,
            }
        }
        "unreachable" if value == now => {
            let year = result.get("earningsOfYear").and_then(Value::as_u64);
            let is_of_loan = year.is_some() && field.path.section() == "financing";
            match year.filter(|_| is_of_loan) {
                Some(year) => situation.say("goal.financing", &[("year", &year.to_string())]),
                None => says("goal.nowhere", &today),
            }
        }
        "unreachable" => says("goal.unreachable", &reached),
        _ => says("goal.reached", &reached),
    }
}

/// The largest draw that cash allows.
fn drawn(situation: &Situation<'_>, field: &Field, result: &Value) -> String {
    let (now, today) = side(situation, field, result, "before");
    let until = result.get("holdsTo").filter(|until| until.is_object());
    let most = match results::text(result, "outcome") {
        Some("met") => until
            .and_then(|until| results::text(until, "value"))
            .or_else(|| result.get("range").and_then(|range| results::text(range, "high")))
            .map(str::to_owned),
        Some("reached" | "not_monotone") => Some(side(situation, field, result, "found").0),
        _ => None,
    };
    match most {
        Some(value) => situation.say(
            "goal.draw",
            &[("value", &situation.value(field.path.as_str(), &value)), ("now", &now)],
        ),
        None => situation.say("goal.draw.none", &[("result", &today)]),
    }
}

pub fn levers(situation: &Situation<'_>) -> Step {
    let slots = situation.slots();
    let metric = slots
        .metric
        .as_ref()
        .and_then(|line| sought(Some(line), slots.year))
        .map(|(metric, _)| metric);
    let arguments = metric.map_or_else(|| json!({}), |metric| json!({ "metric": metric }));
    if let Some(step) = Step::ask(situation, &[("rank_levers", arguments)]) {
        return step;
    }
    let result = situation
        .result("rank_levers")
        .filter(|result| result.get("levers").is_some());
    let Some(result) = result else {
        return Step::say(
            [situation.say("failed", &[])],
            situation.suggest(&["s.profit", "s.missing"]),
        );
    };
    let parts = ranked(situation, result).into_iter().chain([situation.footer()]);
    Step::say(parts, situation.suggest(&["s.goal", "s.more_sales", "s.missing"]))
}

/// The levers of a result of `rank_levers`, in sentences.
pub fn ranked(situation: &Situation<'_>, result: &Value) -> Vec<String> {
    let name = results::text(result, "metric").unwrap_or_default();
    let english = metrics::find(name)
        .map(metrics::Metric::name_in_sentence)
        .unwrap_or_default();
    let label = situation.label(name, &english);
    let listed = result
        .get("levers")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .take(TOLD);
    let item = |lever: &Value| {
        let text = |key: &str| results::text(lever, key).unwrap_or_default();
        let path = text("path");
        let (value, now) = (situation.value(path, text("value")), situation.value(path, text("now")));
        let (name, result) = (situation.named(path), situation.figure(text("result")));
        situation.say(
            "levers.item",
            &[("name", &name), ("value", &value), ("now", &now), ("result", &result)],
        )
    };
    let items: Vec<String> = listed.map(item).collect();
    let shown = situation.list(&items);
    match result.get("earningsOfYear").and_then(Value::as_u64) {
        Some(year) => {
            let (year, now) = (year.to_string(), results::text(result, "now").unwrap_or_default());
            let first = situation.say("levers.earnings", &[("year", &year), ("now", now)]);
            let items = (!items.is_empty()).then(|| situation.say("levers.earnings.items", &[("items", &shown)]));
            vec![first, items.unwrap_or_default()]
        }
        None if items.is_empty() => vec![situation.say("levers.none", &[("label", &label)])],
        None => vec![situation.say("levers", &[("label", &label), ("items", &shown)])],
    }
}

pub fn estimate(situation: &Situation<'_>) -> Step {
    let slots = situation.slots();
    if slots.product.len() < 2 {
        return Step::say([situation.say("estimate.none", &[])], Vec::new());
    }
    let mut arguments = json!({ "factors": slots.product });
    if let Some(path) = &slots.field {
        arguments["path"] = json!(path);
    }
    if let Some(step) = Step::ask(situation, &[("estimate", arguments)]) {
        return step;
    }
    let result = situation.result("estimate");
    let Some(sum) = result.and_then(|result| results::text(result, "sum")) else {
        return Step::say([situation.say("estimate.none", &[])], Vec::new());
    };
    let proposed = result.and_then(|result| Some((results::text(result, "path")?, results::text(result, "value")?)));
    match proposed {
        Some((path, value)) => {
            let (name, value) = (situation.named(path), situation.value(path, value));
            let parts = [
                situation.say("estimate", &[("sum", sum)]),
                wording::confirm(situation.language, &value, &name),
            ];
            Step::say(parts, situation.suggest(&["s.yes", "s.no"]))
        }
        None => Step::say([situation.say("estimate.sum", &[("sum", sum)])], Vec::new()),
    }
}

pub fn scenario(situation: &Situation<'_>) -> Step {
    match situation.slots().act {
        Some(ScenarioAct::Save) => save(situation),
        Some(ScenarioAct::Adopt) => adopt(situation),
        Some(ScenarioAct::Delete) => Step::say([situation.say("delete", &[])], situation.suggest(&["s.compare"])),
        Some(ScenarioAct::Compare | ScenarioAct::List) | None => compare(situation),
    }
}

/// Keeps the case that was asked about last.
fn save(situation: &Situation<'_>) -> Step {
    let case = situation
        .earlier()
        .find(|heard| heard.intent == Intent::WhatIf && !heard.slots.all_changes().is_empty());
    let changes = case
        .map(|heard| arguments(situation, &heard.slots.all_changes()))
        .unwrap_or_default();
    if changes.is_empty() {
        return Step::say(
            [situation.say("saved.nothing", &[])],
            situation.suggest(&["s.more_sales", "s.less_loan"]),
        );
    }
    let Some(name) = &situation.slots().name else {
        return Step::say([situation.say("saved.name", &[])], situation.suggest(&["s.save"]));
    };
    if let Some(step) = Step::ask(
        situation,
        &[("save_scenario", json!({"name": name, "changes": changes}))],
    ) {
        return step;
    }
    let result = situation.result("save_scenario");
    let text = match result.and_then(|result| Some((results::text(result, "name")?, results::texts(result, "values"))))
    {
        Some((name, values)) => situation.say("saved", &[("name", name), ("items", &situation.list(&values))]),
        None => situation.say("saved.failed", &[]),
    };
    Step::say([text], situation.suggest(&["s.compare", "s.levers", "s.missing"]))
}

fn adopt(situation: &Situation<'_>) -> Step {
    let name = situation.slots().name.clone().unwrap_or_default();
    if let Some(step) = Step::ask(situation, &[("adopt_scenario", json!({ "name": name }))]) {
        return step;
    }
    Step::say([situation.say("adopt.none", &[])], situation.suggest(&["s.compare"]))
}

/// One line for each scenario: what it has, and what moves against the plan.
fn compare(situation: &Situation<'_>) -> Step {
    let names: Vec<String> = situation.slots().name.clone().into_iter().collect();
    if let Some(step) = Step::ask(situation, &[("compare_scenarios", json!({ "names": names }))]) {
        return step;
    }
    let result = situation.result("compare_scenarios");
    let scenarios = result.and_then(|result| result.get("scenarios")?.as_array());
    let scenarios = scenarios.filter(|scenarios| !scenarios.is_empty());
    let (Some(result), Some(scenarios)) = (result, scenarios) else {
        return Step::say(
            [situation.say("compared.none", &[])],
            situation.suggest(&["s.more_sales", "s.less_loan"]),
        );
    };
    let line = |scenario: &Value| {
        let effects = effects(situation, result.get("plan"), scenario.get("metrics"));
        let name = results::text(scenario, "name").unwrap_or_default();
        let items = situation.list(&results::texts(scenario, "values"));
        let text = situation.say(
            "compared.item",
            &[("name", name), ("items", &items), ("effects", &effects)],
        );
        format!("- {text}")
    };
    let lines: Vec<String> = scenarios.iter().map(line).collect();
    let text = format!("{}\n\n{}", situation.say("compared", &[]), lines.join("\n"));
    Step::say(
        [text, situation.footer()],
        situation.suggest(&["s.levers", "s.missing"]),
    )
}
