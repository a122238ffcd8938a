//! A value beside its range and as a share of sales, and the values that leave their range.

use crate::offline::intents::miss;
use crate::offline::intents::record::confirm;
use crate::offline::results;
use crate::offline::situation::Situation;
use crate::offline::step::Step;
use crate::wording::{self, sentence};
use plan_model::field::{Field, Kind};
use plan_model::inputs::{DRAW, DRAW_START, SALES};
use plan_model::metrics::NOT_COVERED;
use plan_model::number::Number;
use plan_model::period::Period;
use plan_model::tool_result::{PlanSummary, ReferenceKind, SummaryField, ValueState};
use plan_reader::{Intent, Unit};
use rust_decimal::Decimal;
use rust_decimal::prelude::ToPrimitive;
use serde_json::json;

/// The figures are those of [`is_high`]: the two questions are often one.
pub(in crate::offline) fn value(situation: &Situation<'_>) -> Step {
    value_of(situation, situation.field_meant())
}

/// The value of a field in the plan, where a field is meant.
pub(in crate::offline) fn value_of(situation: &Situation<'_>, field: Option<&Field>) -> Step {
    about(situation, field, false)
}

/// The figure beside its range and as a share of sales; no verdict.
pub(in crate::offline) fn is_high(situation: &Situation<'_>) -> Step {
    match situation.field_meant().filter(|_| !asks_of_any(situation)) {
        Some(field) => about(situation, Some(field), true),
        None => unusual(situation),
    }
}

/// Whether all values are looked over, and not the last one that was talked about: "are any of my numbers odd?"
pub(in crate::offline) fn asks_of_any(situation: &Situation<'_>) -> bool {
    let says = |key: &str| wording::says(situation.message(), key);
    (situation.heard.intent == Intent::IsHigh || says("w.odd"))
        && situation.understanding.named.is_empty()
        && situation.understanding.mentions.is_empty()
        && says("w.any_of")
}

/// "Which of my numbers look off?": the values that leave their reference range.
fn unusual(situation: &Situation<'_>) -> Step {
    if let Some(step) = Step::ask(situation, &[("get_plan_summary", json!({}))]) {
        return step;
    }
    let Some(summary) = results::summary(situation) else {
        return Step::say([situation.say("blind", &[])], Vec::new());
    };
    let item = |line: &SummaryField| {
        let path = line.path.as_str();
        let range = line.range.as_ref()?;
        let value = results::amount(&summary, path)?;
        let (low, high) = (results::digits(&range.low)?, results::digits(&range.high)?);
        let name = situation.named(path);
        let slots = [line.value.as_ref()?, &range.low, &range.high].map(|shown| situation.value(path, shown));
        let [value_shown, low_shown, high_shown] = &slots;
        let slots = [
            ("name", &*name),
            ("value", value_shown),
            ("low", low_shown),
            ("high", high_shown),
        ];
        (value < low || value > high).then(|| situation.say("unusual.item", &slots))
    };
    let items: Vec<String> = summary.fields.iter().filter_map(item).collect();
    let text = match items.is_empty() {
        true => situation.say("unusual.none", &[]),
        false => situation.say("unusual", &[("items", &situation.list(&items))]),
    };
    Step::say(
        [text, situation.say("author", &[])],
        situation.suggest(&["s.levers", "s.missing", "s.profit"]),
    )
}

fn about(situation: &Situation<'_>, field: Option<&Field>, compares: bool) -> Step {
    let Some(field) = field else {
        return miss::other(situation);
    };
    let calls = [("get_plan_summary", json!({})), ("list_open_proposals", json!({}))];
    if let Some(step) = Step::ask(situation, &calls) {
        return step;
    }
    let Some(summary) = results::summary(situation) else {
        return Step::say([situation.say("blind", &[])], Vec::new());
    };
    // "What growth does the plan assume?", "and in the other years?"
    if field.is_growth() && situation.years().len() != 1 {
        let years = situation.fields.iter().filter(|field| field.is_growth());
        let item = |field: &Field| {
            let line = summary.fields.iter().find(|line| line.path == field.path)?;
            Some(situation.item("written.item", &field.path, line.value.as_ref()?))
        };
        let items: Vec<String> = years.filter_map(item).collect();
        let text = situation.say("growth.each", &[("items", &situation.list(&items))]);
        let range = range(situation, &summary, field);
        return Step::say([text, range], situation.suggest(&["s.levers", "s.missing", "s.profit"]));
    }
    // A range that holds every business says nothing about one.
    let range = match is_of_loan(field) || is_of_draw(field) {
        true => String::new(),
        false => range(situation, &summary, field),
    };
    let starts = is_of_draw(field).then(|| draw_starts(situation, &summary)).flatten();
    let said = said_beside(situation, &summary, field).filter(|_| compares && !range.is_empty());
    let mut parts = vec![
        stands(situation, &summary, field),
        starts.unwrap_or_default(),
        range,
        share(situation, &summary, field),
        said.unwrap_or_default(),
    ];
    if compares {
        parts.extend(bears(situation, &summary, field));
        parts.push(situation.say("author", &[]));
    }
    with_waiting(
        situation,
        field,
        parts,
        situation.suggest(&["s.levers", "s.missing", "s.profit"]),
    )
}

/// An answer about a field, with the question for its value that waits.
pub(in crate::offline) fn with_waiting(
    situation: &Situation<'_>,
    field: &Field,
    parts: Vec<String>,
    suggestions: Vec<String>,
) -> Step {
    let open = results::open(situation);
    match open.iter().find(|one| one.field == field.path) {
        None => Step::say(parts, suggestions),
        Some(waiting) => {
            let waits = situation.say(
                "waits",
                &[("value", &situation.value(field.path.as_str(), &waiting.value))],
            );
            let parts = parts.into_iter().chain([waits]);
            Step::say_and_ask(
                parts,
                confirm(situation, waiting),
                situation.suggest(&["s.yes", "s.no"]),
            )
        }
    }
}

/// "Rent per month is $4,500 in your plan, the brand's figure until you replace it."
pub(in crate::offline) fn stands(situation: &Situation<'_>, summary: &PlanSummary, field: &Field) -> String {
    let name = sentence(&situation.name(field));
    let line = summary.fields.iter().find(|line| line.path == field.path);
    let Some((line, value)) = line.and_then(|line| Some((line, line.value.as_ref()?))) else {
        return situation.say("value.none", &[("name", &name)]);
    };
    let whose = match line.state {
        ValueState::Default => "whose.default",
        ValueState::Yours => "whose.yours",
        ValueState::Advisor => "whose.advisor",
        ValueState::Admin => "whose.admin",
        ValueState::Other => "whose.other",
    };
    let (value, whose) = (situation.value(field.path.as_str(), value), situation.say(whose, &[]));
    situation.say("value", &[("name", &name), ("value", &value), ("whose", &whose)])
}

fn is_of_loan(field: &Field) -> bool {
    field.path.as_str() == "financing.loanAmount"
}

fn is_of_draw(field: &Field) -> bool {
    field.path.as_str() == DRAW
}

/// The month in which the owner's draw begins, which may be years after the opening.
pub(in crate::offline) fn draw_starts(situation: &Situation<'_>, summary: &PlanSummary) -> Option<String> {
    paid_from(situation, summary, DRAW_START)
}

/// "It is paid from month 25 on.", by the field of that month.
pub(in crate::offline) fn paid_from(situation: &Situation<'_>, summary: &PlanSummary, start: &str) -> Option<String> {
    let first = summary.fields.iter().find(|line| line.path.as_str() == start)?;
    let month = situation.value(start, first.value.as_ref()?);
    Some(situation.say("draw.from", &[("month", &month)]))
}

/// What tells whether a loan or a draw is too much: what is earned of the payments, how low cash falls.
fn bears(situation: &Situation<'_>, summary: &PlanSummary, field: &Field) -> Option<String> {
    let (metric, key) = match field {
        field if is_of_loan(field) => ("dscrYear1", "bears.loan"),
        field if is_of_draw(field) => ("lowestCash", "bears.draw"),
        _ => return None,
    };
    let shown = results::text(summary.metrics.as_ref()?, metric)?;
    let key = match shown {
        NOT_COVERED => "bears.loan.nothing",
        _ => key,
    };
    Some(situation.say(key, &[("value", &situation.figure(shown))]))
}

fn range(situation: &Situation<'_>, summary: &PlanSummary, field: &Field) -> String {
    let line = summary.fields.iter().find(|line| line.path == field.path);
    let Some(range) = line.and_then(|line| line.range.as_ref()) else {
        return situation.say("norange", &[]);
    };
    let key = match range.kind {
        ReferenceKind::Item7 => "item7",
        ReferenceKind::Typical => "typical",
    };
    let path = field.path.as_str();
    let (low, high) = (situation.value(path, &range.low), situation.value(path, &range.high));
    situation.say(key, &[("low", &low), ("high", &high)])
}

/// "He says 4,800. Is that steep?": where in the range the number of the message would be.
fn said_beside(situation: &Situation<'_>, summary: &PlanSummary, field: &Field) -> Option<String> {
    let [number] = &situation.understanding.mentions[..] else {
        return None;
    };
    let factor = match (field.kind, number.unit) {
        (Kind::Money, Unit::Money | Unit::Bare) => Decimal::ONE_HUNDRED,
        (Kind::Percent, Unit::Percent) => Decimal::new(1, 2),
        _ => return None,
    };
    let line = summary.fields.iter().find(|line| line.path == field.path)?;
    let range = line.range.as_ref()?;
    let (low, high) = (results::digits(&range.low)?, results::digits(&range.high)?);
    let said = number.value.to_f64()?;
    let key = match () {
        () if said < low => "said.below",
        () if said > high => "said.above",
        () => "said.within",
    };
    let shown = field.kind.show(Number::new(number.value.checked_mul(factor)?));
    let is_same = line.value.as_ref() == Some(&shown);
    (!is_same).then(|| situation.say(key, &[("value", &situation.value(field.path.as_str(), &shown))]))
}

/// A monthly amount as a share of established sales.
fn share(situation: &Situation<'_>, summary: &PlanSummary, field: &Field) -> String {
    let is_monthly = field.kind == Kind::Money && field.period == Some(Period::Monthly) && field.path.as_str() != SALES;
    let of = is_monthly
        .then(|| results::amount(summary, field.path.as_str()).zip(results::amount(summary, "revenue.monthlyAuv")))
        .flatten();
    match of.filter(|(_, sales)| *sales > 0.0) {
        Some((value, sales)) => situation.say("share", &[("share", &format!("{:.0}%", value / sales * 100.0))]),
        None => String::new(),
    }
}
