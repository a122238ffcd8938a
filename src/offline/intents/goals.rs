//! What it would take to reach a result, and which fields move one most.

use crate::offline::intents::{cases, miss, plan};
use crate::offline::results;
use crate::offline::situation::Situation;
use crate::offline::step::{Step, joined};
use crate::wording::{self, sentence};
use plan_model::field::{Field, FieldPath, Kind, show_dollars};
use plan_model::inputs::{DRAW, SALES};
use plan_model::metrics::{self, MetricKind};
use plan_model::number::Number;
use plan_model::tool_result::LineFigure;
use plan_reader::Line;
use serde_json::{Value, json};

mod customers;
mod of_year;

/// How many fields are named.
const TOLD: usize = 3;

const BREAK_EVEN: &str = "breakEvenSales";

/// The metric that a line is sought by, and the target where none is named.
fn sought(line: Option<&Line>, year: Option<u8>) -> Option<(String, &'static str)> {
    Some(match line {
        Some(Line::DscrAfterOwner) if year.is_none_or(|year| year == 1) => ("dscrAfterOwnerYear1".into(), "1.25"),
        // Of later years only the coverage before the owner is a key figure.
        None | Some(Line::Dscr | Line::DscrAfterOwner) => (format!("dscrYear{}", year.unwrap_or(1)), "1.25"),
        Some(Line::BreakEvenMonth) => ("breakEvenMonth".into(), "12"),
        Some(Line::Payback) => ("paybackMonth".into(), "36"),
        Some(Line::Cash | Line::LowestCash | Line::FirstNegativeMonth) => ("lowestCash".into(), "0"),
        Some(Line::MoneyToOpen) => ("totalInvestment".into(), ""),
        Some(Line::OwnCash) => ("ownerCash".into(), ""),
        Some(Line::LoanPayment) => ("monthlyPayment".into(), ""),
        Some(Line::Sales) => ("projectedAnnualRevenueYear1".into(), ""),
        Some(line) if of_year::is_of_year(line) => (of_year::sought(line, year), ""),
        Some(_) => return None,
    })
}

/// What moves a result where nobody says what may: no sales change what is borrowed.
fn usual_mover(line: Option<&Line>) -> &'static str {
    match line {
        Some(Line::LoanPayment) => "financing.loanAmount",
        Some(Line::MoneyToOpen | Line::OwnCash) => "startupCosts.leaseholdImprovements",
        _ => SALES,
    }
}

pub(in crate::offline) fn goal(situation: &Situation<'_>) -> Step {
    if let Some(step) = customers::of_amount(situation).or_else(|| customers::of_plan(situation)) {
        return step;
    }
    let slots = situation.slots();
    // "What would it take to pay myself 6,000?" is of what is left for a draw, which no draw moves.
    let is_of_pay = |path: &&FieldPath| path.as_str() == DRAW && slots.metric.as_ref().is_some_and(of_year::is_of_year);
    let field = slots
        .field
        .as_ref()
        .filter(|path| !is_of_pay(path))
        .map_or_else(|| usual_mover(slots.metric.as_ref()), |path| path.as_str());
    // How much can be drawn is what cash allows.
    let is_of_cash = matches!(slots.metric, None | Some(Line::LowestCash | Line::FirstNegativeMonth));
    let draws = field == DRAW && is_of_cash && slots.target.is_none_or(|target| target <= Number::ZERO);
    let cash = Line::LowestCash;
    let line = if draws { Some(&cash) } else { slots.metric.as_ref() };
    if line.is_none() && slots.target.is_none() && slots.field.is_none() {
        return unclear(situation);
    }
    let is_above_zero = slots.target.is_some_and(|target| target > Number::ZERO);
    let of_year = line.filter(|line| of_year::is_of_year(line));
    let Some((name, usual)) = sought(line, slots.year).filter(|_| of_year.is_none() || is_above_zero) else {
        // What pays all costs is the nearest that the plan knows.
        return by_break_even(situation);
    };
    let (label, kind) = match (metrics::find(&name), of_year) {
        (Some(metric), _) => (situation.label(metric.name, &metric.name_in_sentence()), metric.kind),
        (None, Some(line)) => (of_year::label(situation, line), MetricKind::Money),
        (None, None) => return miss::other(situation),
    };
    let target = slots.target.map(|target| match of_year {
        Some(_) => of_year::target(situation, target),
        None => target,
    });
    let target = target.map(|target| in_words(kind, target));
    let Some(target) = target.or_else(|| usual.parse().ok()) else {
        return unclear(situation);
    };
    let case = match case_meant(situation, field) {
        Ok(case) => case,
        Err(step) => return step,
    };
    let mut seek = json!({"metric": name, "target": target, "path": field});
    if !case.is_empty() {
        seek["changes"] = Value::from(case.clone());
    }
    let mut calls = vec![("goal_seek", seek)];
    // Where the message does not say what may move, sales are one way of several.
    if slots.field.is_none() && field == SALES && of_year.is_none() && case.is_empty() {
        calls.push(("rank_levers", json!({ "metric": name })));
    }
    calls.extend(draws.then(|| ("get_plan_summary", json!({}))));
    if let Some(step) = Step::ask(situation, &calls) {
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
                found(situation, field, (&label, of_year.is_some()), result)
            };
            let is_met = results::text(result, "outcome") == Some("met");
            let levers = situation.result("rank_levers").filter(|_| !is_met);
            let others = levers.map(|result| ranked(situation, result)).unwrap_or_default();
            // A goal behind a case is sought in the plan: that is said, so that nobody takes it for one of the case.
            let of_plan = situation.is_behind_case().then(|| situation.say("goal.of_plan", &[]));
            let of_case = cases::assumed_in(situation, result);
            let parts = of_case.or(of_plan).into_iter().chain([text]).chain(others);
            let parts = parts.chain([situation.footer()]);
            Step::say(parts, situation.suggest(&["s.levers", "s.more_sales", "s.missing"]))
        }
        _ => Step::say(
            [situation.say("failed", &[])],
            situation.suggest(&["s.goal", "s.levers"]),
        ),
    }
}

/// The changes of the case that a goal is sought in: the one that was talked about, where the message refers to it or has a number of it
/// ("so I can pay myself those 3,200"), without the value that is sought.
fn case_meant(situation: &Situation<'_>, field: &str) -> Result<Vec<Value>, Step> {
    let refers = situation.refers_to_case() || wording::says(situation.message(), "w.survives");
    let last = || situation.last_case().filter(|_| refers && situation.is_behind_case());
    let own = Some(situation.slots().changes.clone()).filter(|own| !own.is_empty());
    let Some(changes) = own
        .or_else(|| situation.case_at_number())
        .or_else(last)
        .filter(|_| !situation.is_of_plan())
    else {
        return Ok(Vec::new());
    };
    let others = changes.into_iter().filter(|one| one.field.as_str() != field);
    Ok(situation.as_arguments(&cases::meant(situation, others.collect())?))
}

/// As the tool takes it: money in dollars, shares in percent.
fn in_words(kind: MetricKind, target: Number) -> Number {
    let kind = match kind {
        MetricKind::Money => Kind::Money,
        MetricKind::Percent => Kind::Percent,
        MetricKind::Month | MetricKind::Count | MetricKind::Multiple => return target,
    };
    kind.in_words(target).0
}

fn unclear(situation: &Situation<'_>) -> Step {
    Step::say(
        [situation.say("goal.unclear", &[]), miss::again(situation)],
        situation.suggest(&["s.goal", "s.levers"]),
    )
}

/// Break-even sales in customers, where they are asked for.
pub(in crate::offline) fn in_customers(situation: &Situation<'_>, figure: &LineFigure) -> Option<String> {
    (figure.line == BREAK_EVEN)
        .then(|| customers::of(situation, figure))
        .flatten()
}

/// What sales pay all costs, and how many customers bring them where those are asked for.
pub(in crate::offline) fn by_break_even(situation: &Situation<'_>) -> Step {
    let mut arguments = json!({"line": BREAK_EVEN});
    match case_meant(situation, SALES) {
        Ok(case) if case.is_empty() => {}
        Ok(case) => arguments["changes"] = Value::from(case),
        Err(step) => return step,
    }
    if let Some(step) = Step::ask(situation, &[("get_projection", arguments)]) {
        return step;
    }
    let Some(figure) = results::figure(situation) else {
        return Step::say([situation.say("failed", &[])], Vec::new());
    };
    let result = situation.result("get_projection");
    Step::say(
        [
            result
                .and_then(|result| cases::assumed_in(situation, result))
                .unwrap_or_default(),
            break_even(situation, &figure),
            results::in_plan(situation, &figure),
            customers::of(situation, &figure).unwrap_or_default(),
            situation.footer(),
        ],
        situation.suggest(&["s.profit", "s.more_sales", "s.goal"]),
    )
}

fn break_even(situation: &Situation<'_>, figure: &LineFigure) -> String {
    let share = figure.share_of_planned.as_deref().unwrap_or_default();
    match &figure.value {
        Some(value) => situation.say(results::break_even_sales(figure), &[("value", value), ("share", share)]),
        None => situation.say("figure.breakEvenSales.none", &[]),
    }
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
        about(situation, field, &text("value")),
        situation.figure(&text("result")),
    )
}

/// A value that is said to be about so much: of thousands in whole dollars.
fn about(situation: &Situation<'_>, field: &Field, shown: &str) -> String {
    const FROM: f64 = 1_000.0;
    let amount = results::digits(shown).filter(|amount| field.kind == Kind::Money && *amount >= FROM);
    // Far below what an integer holds: a field has limits.
    let whole = amount.map(|amount| show_dollars((amount * 100.0).round() as i64));
    situation.value(field.path.as_str(), whole.as_deref().unwrap_or(shown))
}

fn found(situation: &Situation<'_>, field: &Field, (label, is_of_year): (&str, bool), result: &Value) -> String {
    let ((value, reached), (now, today)) = (
        side(situation, field, result, "found"),
        side(situation, field, result, "before"),
    );
    let (label, name) = (sentence(label), situation.name(field));
    let target = results::text(result, "target").unwrap_or_default();
    let target = match is_of_year {
        true => of_year::with_month(situation, target),
        false => situation.figure(target),
    };
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
            let is_above_zero = results::text(result, "metric") == Some("lowestCash")
                && situation.slots().target.is_none_or(|target| target == Number::ZERO);
            let met = says(if is_above_zero { "goal.met.cash" } else { "goal.met" }, &today);
            let until = result.get("holdsTo").filter(|until| until.is_object());
            match until.and_then(|until| results::text(until, "value")) {
                Some(until) => {
                    let until = about(situation, field, until);
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
        Some(value) => {
            let value = about(situation, field, &value);
            let most = situation.say("goal.draw", &[("value", &value), ("now", &now)]);
            // A case that moves it has said so.
            let is_moved = case_has(result, field.start_month.as_ref());
            let summary = results::summary(situation).filter(|_| !is_moved);
            let starts = summary.and_then(|summary| plan::draw_starts(situation, &summary));
            joined([most, starts.unwrap_or_default()])
        }
        None => situation.say("goal.draw.none", &[("result", &today)]),
    }
}

/// Whether the case of a result changes a field.
fn case_has(result: &Value, field: Option<&FieldPath>) -> bool {
    let case = result.get("case").and_then(Value::as_array);
    let mut paths = case.into_iter().flatten().map(|value| results::text(value, "path"));
    field.is_some_and(|field| paths.any(|path| path == Some(field.as_str())))
}

pub(in crate::offline) fn levers(situation: &Situation<'_>) -> Step {
    let slots = situation.slots();
    // "What matters most for breaking even sooner": the only likely figure of a message that names none by its name.
    let near = situation.lines_near();
    let near = near.first().filter(|_| near.len() == 1);
    let line = slots.metric.as_ref().or(near);
    let metric = line.and_then(|line| sought(Some(line), slots.year));
    moving(situation, metric.map(|(metric, _)| metric))
}

/// What moves a figure most; `None` where it is no result that levers are ranked by.
pub(in crate::offline) fn levers_of(situation: &Situation<'_>, line: &Line) -> Option<Step> {
    // What the opening takes is no matter of costs that one decides on.
    let is_opening = matches!(line, Line::MoneyToOpen | Line::OwnCash | Line::LoanPayment);
    let (metric, _) = sought(Some(line), situation.slots().year).filter(|_| !is_opening)?;
    Some(moving(situation, Some(metric)))
}

fn moving(situation: &Situation<'_>, metric: Option<String>) -> Step {
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
    // Costs alone do not help where sales do not pay them. Behind a reason that is asked for again the figure is that reason's.
    let is_weak = results::is_weak(result);
    let sales = is_weak.then(|| Step::ask(situation, &[("get_projection", json!({"line": BREAK_EVEN}))]));
    if let Some(step) = sales.flatten() {
        return step;
    }
    let figure = results::figure(situation).filter(|figure| is_weak && figure.line == BREAK_EVEN);
    let sales = figure.map(|figure| break_even(situation, &figure));
    let parts = ranked(situation, result)
        .into_iter()
        .chain(sales)
        .chain([situation.footer()]);
    Step::say(parts, situation.suggest(&["s.goal", "s.more_sales", "s.missing"]))
}

/// The levers of a result of `rank_levers`, in sentences.
pub(in crate::offline) fn ranked(situation: &Situation<'_>, result: &Value) -> Vec<String> {
    let name = results::text(result, "metric").unwrap_or_default();
    let label = match metrics::find(name) {
        Some(metric) => situation.label(name, &metric.name_in_sentence()),
        None => of_year::named(situation, name),
    };
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
