//! What stands in the plan: a value, where it comes from, what was said and changed, what is open.

use crate::offline::miss;
use crate::offline::own_cash;
use crate::offline::record::{confirm, next, open_items};
use crate::offline::results;
use crate::offline::situation::Situation;
use crate::offline::step::Step;
use crate::wording::{self, sentence};
use plan_model::field::{Field, Kind};
use plan_model::inputs::SALES;
use plan_model::metrics::NOT_COVERED;
use plan_model::period::Period;
use plan_model::tool_result::{ListedChange, OpenProposal, PlanSummary, ReferenceKind, SummaryField, ValueState};
use serde_json::json;

/// Values that were said, as many as a sentence bears.
const SAID: usize = 20;

/// Of the key numbers still at the brand's figure, how many are named.
const NAMED_MISSING: usize = 3;

/// The figures are those of [`is_high`]: the two questions are often one.
pub(super) fn value(situation: &Situation<'_>) -> Step {
    value_of(situation, situation.field_meant())
}

/// The value of a field in the plan, where a field is meant.
pub(super) fn value_of(situation: &Situation<'_>, field: Option<&Field>) -> Step {
    about(situation, field, false)
}

/// The figure beside its range and as a share of sales; no verdict.
pub(super) fn is_high(situation: &Situation<'_>) -> Step {
    match situation.field_meant() {
        Some(field) => about(situation, Some(field), true),
        None => unusual(situation),
    }
}

/// "Which of my numbers look off?": the values that leave their reference range.
pub(super) fn unusual(situation: &Situation<'_>) -> Step {
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
    // A range that holds every business says nothing about one.
    let range = match is_of_loan(field) || is_of_draw(field) {
        true => String::new(),
        false => range(situation, &summary, field),
    };
    let starts = is_of_draw(field).then(|| draw_starts(situation, &summary)).flatten();
    let mut parts = vec![
        stands(situation, &summary, field),
        starts.unwrap_or_default(),
        range,
        share(situation, &summary, field),
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
pub(super) fn with_waiting(
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
pub(super) fn stands(situation: &Situation<'_>, summary: &PlanSummary, field: &Field) -> String {
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
    field.path.as_str() == "profitabilityAndDistributions.ownerDrawMonthly"
}

/// The month in which the owner's draw begins, which may be years after the opening.
pub(super) fn draw_starts(situation: &Situation<'_>, summary: &PlanSummary) -> Option<String> {
    const START: &str = "profitabilityAndDistributions.ownerDrawStartMonth";
    let first = summary.fields.iter().find(|line| line.path.as_str() == START)?;
    let month = situation.value(START, first.value.as_ref()?);
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

pub(super) fn who_set(situation: &Situation<'_>) -> Step {
    // "Whose numbers are those?"
    let Some(field) = situation.field_meant() else {
        return whose(situation);
    };
    let calls = [
        ("list_changes", json!({ "field": field.path })),
        ("list_open_proposals", json!({})),
    ];
    if let Some(step) = Step::ask(situation, &calls) {
        return step;
    }
    let name = sentence(&situation.name(field));
    let changes = results::changes(situation);
    let change = changes.iter().find(|one| one.field == field.path);
    let text = match change {
        Some(change) => set(situation, change),
        None => situation.say("set.default", &[("name", &name)]),
    };
    if wording::says(situation.message(), "w.objects") {
        return objected(situation, field, text);
    }
    with_waiting(
        situation,
        field,
        vec![text],
        situation.suggest(&["s.undo", "s.missing"]),
    )
}

/// Whose the numbers of the plan are: those that were told, and the brand's.
fn whose(situation: &Situation<'_>) -> Step {
    said(situation).opened_by(&format!("{} ", situation.say("whose.all", &[])))
}

/// "I never said a 280k loan": where the number is from, and what it should be.
fn objected(situation: &Situation<'_>, field: &Field, source: String) -> Step {
    let open = results::open(situation);
    let noted = open.iter().find(|one| one.field == field.path).map(|one| {
        let value = situation.value(field.path.as_str(), &one.value);
        match &one.said {
            Some(said) => situation.say("objected.noted", &[("value", &value), ("said", said)]),
            None => situation.say("objected.worked_out", &[("value", &value)]),
        }
    });
    let suggestions = match noted {
        Some(_) => situation.suggest(&["s.missing"]),
        None => situation.suggest(&["s.undo", "s.missing"]),
    };
    let question = wording::question(situation.language, field);
    Step::say_and_ask([noted.unwrap_or(source)], question, suggestions)
}

fn set(situation: &Situation<'_>, change: &ListedChange) -> String {
    let path = change.field.as_str();
    let shown = |value: &str| situation.value(path, value);
    let from = change.from.as_deref().map_or_else(|| situation.say("none", &[]), shown);
    let (to, said) = (shown(&change.to), change.said.clone().unwrap_or_default());
    let key = match change.reason.as_str() {
        "turn" | "accept" if change.said.is_some() => "set.said",
        "undo" => "set.undo",
        "scenario" => "set.scenario",
        _ => "set.entry",
    };
    situation.say(
        key,
        &[("day", &change.on), ("said", &said), ("from", &from), ("to", &to)],
    )
}

pub(super) fn said(situation: &Situation<'_>) -> Step {
    let calls = [("list_changes", json!({})), ("list_open_proposals", json!({}))];
    if let Some(step) = Step::ask(situation, &calls) {
        return step;
    }
    let meant = situation.slots().field.clone();
    let meant = meant.or_else(|| situation.understanding.named.first().cloned());
    let changes = results::changes(situation);
    let is_told = |one: &ListedChange| matches!(one.reason.as_str(), "turn" | "accept");
    let is_newest = |(at, one): &(usize, &ListedChange)| !changes[..*at].iter().any(|later| later.field == one.field);
    let newest = changes.iter().enumerate().filter(is_newest).map(|(_, one)| one);
    let wanted: Vec<&ListedChange> = newest
        .filter(|one| is_told(one) && meant.as_ref().is_none_or(|path| *path == one.field))
        .collect();
    if let Some(field) = meant.as_ref().and_then(|path| situation.field(path.as_str())) {
        let set: Vec<String> = wanted
            .first()
            .map(|newest| set(situation, newest))
            .into_iter()
            .collect();
        if !set.is_empty() || results::open(situation).iter().any(|one| one.field == field.path) {
            return with_waiting(situation, field, set, situation.suggest(&["s.undo", "s.missing"]));
        }
    }
    let item = |one: &&ListedChange| situation.item("said.item", &one.field, &one.to);
    let items: Vec<String> = wanted.iter().take(SAID).map(item).collect();
    let text = match items.is_empty() {
        true => situation.say("said.nothing", &[]),
        false => situation.say("said.list", &[("items", &situation.list(&items))]),
    };
    let own = own_cash::told(situation).and_then(results::shown);
    let own = own.map(|own| situation.say("said.own_cash", &[("value", &situation.figure(&own))]));
    Step::say(
        [text, own.unwrap_or_default()],
        situation.suggest(&["s.missing", "s.undo"]),
    )
}

/// What has changed today, each field once: from its first value of the day to its last, where they differ.
pub(super) fn changes(situation: &Situation<'_>) -> Step {
    if let Some(step) = Step::ask(situation, &[("list_changes", json!({}))]) {
        return step;
    }
    let changes = results::changes(situation);
    let today: Vec<&ListedChange> = changes.iter().filter(|one| one.is_today).collect();
    let is_last = |(at, one): &(usize, &&ListedChange)| !today[..*at].iter().any(|later| later.field == one.field);
    let item = |(_, last): (usize, &&ListedChange)| {
        let path = last.field.as_str();
        let first = today.iter().rev().find(|one| one.field == last.field);
        let from = first.and_then(|first| first.from.as_deref());
        let from = from.map_or_else(|| situation.say("none", &[]), |from| situation.value(path, from));
        let (name, to) = (situation.named(path), situation.value(path, &last.to));
        (from != to).then(|| situation.say("changes.item", &[("name", &name), ("from", &from), ("to", &to)]))
    };
    let items: Vec<String> = today.iter().enumerate().filter(is_last).filter_map(item).collect();
    let text = match items.is_empty() {
        true => situation.say("changes.none", &[]),
        false => situation.say("changes.today", &[("items", &situation.list(&items))]),
    };
    Step::say([text], situation.suggest(&["s.undo", "s.missing"]))
}

pub(super) fn open(situation: &Situation<'_>) -> Step {
    if let Some(step) = Step::ask(
        situation,
        &[("list_open_proposals", json!({})), ("get_plan_summary", json!({}))],
    ) {
        return step;
    }
    let Some(summary) = results::summary(situation) else {
        return Step::say([situation.say("blind", &[])], Vec::new());
    };
    let open = results::open(situation);
    let waiting: Vec<&OpenProposal> = open.iter().collect();
    let items = open_items(situation, &waiting);
    let count = open.len().to_string();
    let missing = missing(situation, &summary);
    match &waiting[..] {
        [] => {
            let next = next(situation, &summary, None).filter(|_| !summary.missing.is_empty());
            Step::say(
                [missing, next.unwrap_or_default()],
                situation.suggest(&["s.profit", "s.open", "s.levers"]),
            )
        }
        [only] => {
            let parts = [
                missing,
                situation.say("open.proposal", &[("items", &items)]),
                confirm(situation, only),
            ];
            Step::say(parts, situation.suggest(&["s.yes", "s.no"]))
        }
        _ => {
            let waits = situation.say("open.proposals", &[("count", &count), ("items", &items)]);
            Step::say(
                [missing, waits, situation.say("all_or_name", &[])],
                situation.suggest(&["s.all", "s.none"]),
            )
        }
    }
}

fn missing(situation: &Situation<'_>, summary: &PlanSummary) -> String {
    let names: Vec<String> = summary
        .missing
        .iter()
        .map(|missing| situation.named(missing.path.as_str()))
        .collect();
    let count = names.len().to_string();
    match names.len() {
        0 => situation.say("missing.none", &[]),
        few if few <= NAMED_MISSING => situation.say("missing.some", &[("items", &situation.list(&names))]),
        _ => situation.say(
            "missing.many",
            &[("count", &count), ("items", &situation.list(&names[..NAMED_MISSING]))],
        ),
    }
}
