//! Cases: what would happen if.

use crate::offline::intents::{miss, plan, record, talk};
use crate::offline::message::reading::on_top;
use crate::offline::message::talked::value_set;
use crate::offline::message::{scaled, shown};
use crate::offline::results;
use crate::offline::situation::Situation;
use crate::offline::step::Step;
use crate::wording::{self, sentence};
use plan_model::field::{FieldPath, FieldRole, Kind};
use plan_model::inputs::{OWN_PAY, SALES};
use plan_model::number::Number;
use plan_model::period::Period;
use plan_reader::{Change, FieldChange, IgnoredNumber, Intent, Slots};
use rust_decimal::Decimal;
use serde_json::{Value, json};

/// The key results that cases are told by, most telling first.
const TELLING: [&str; 9] = [
    "breakEvenMonth",
    "lowestCash",
    "dscrYear1",
    "monthlyPayment",
    "paybackMonth",
    "totalInvestment",
    "ownerCash",
    "fiveYearOwnerCashFlow",
    "cashYear5",
];

/// Of these, how many are said.
const TOLD: usize = 3;

pub(in crate::offline) fn what_if(situation: &Situation<'_>) -> Step {
    let changes = match meant(situation, situation.slots().all_changes()) {
        Ok(changes) => changes,
        Err(step) => return step,
    };
    let arguments = situation.as_arguments(&changes);
    if arguments.is_empty() {
        if let Some(step) = note_told_again(situation) {
            return step;
        }
        return Step::say(
            [situation.say("whatif.unclear", &[]), miss::again(situation)],
            situation.suggest(&["s.more_sales", "s.less_loan"]),
        );
    }
    if let Some(text) = without_effect(situation, &changes) {
        return Step::say([text], situation.suggest(&["s.less_sales", "s.levers"]));
    }
    if let Some(name) = &situation.slots().name
        && talk::says(situation, "w.save")
    {
        return keep(situation, name, &arguments);
    }
    let mut calls = vec![("what_if", json!({ "changes": arguments }))];
    if let Some(both) = with_case_before(situation, &changes) {
        calls.push(("what_if", json!({ "changes": situation.as_arguments(&both) })));
    }
    if situation.advisor().is_some_and(wording::asks_for_yes) {
        calls.push(("list_open_proposals", json!({})));
    }
    if changes.iter().any(|one| start_left(situation, one, &changes).is_some()) {
        calls.push(("get_plan_summary", json!({})));
    }
    if let Some(step) = Step::ask(situation, &calls) {
        return step;
    }
    let Some(result) = computed(situation) else {
        let name = changes
            .first()
            .map_or_else(String::new, |one| situation.named(one.field.as_str()));
        return Step::say(
            [situation.say("whatif.refused", &[("name", &name)])],
            situation.suggest(&["s.missing"]),
        );
    };
    if situation.is_agreed && talk::says(situation, "w.put_it") || orders(situation) {
        return noted(situation, result);
    }
    // A yes is to the case that was asked about, and to no other.
    let is_unsure = match situation.is_agreed {
        true => !situation
            .advisor()
            .is_some_and(|asked| asked.contains(&in_words(situation, result))),
        false => !situation.is_known && (is_doubtful(situation, result) || adds_percents(situation)),
    };
    match is_unsure {
        true => ask_back(situation, result),
        false => answered(situation, result),
    }
}

/// "What if two employees quit?": the number of staff is only noted, and moves nothing.
fn without_effect(situation: &Situation<'_>, changes: &[FieldChange]) -> Option<String> {
    let fields = changes.iter().map(|one| situation.field(one.field.as_str()));
    let noted: Option<Vec<_>> = fields
        .map(|field| field.filter(|field| !field.affects_results()))
        .collect();
    let name = situation.name(noted?.first()?);
    Some(situation.say("whatif.noted_only", &[("name", &sentence(&name))]))
}

/// Whether what sounds like a case is an order to write: "labor at 37 percent, please write that". Its values are asked about.
pub(in crate::offline) fn orders(situation: &Situation<'_>) -> bool {
    let supposes = ["w.supposes", "w.not_to_note"]
        .iter()
        .any(|key| talk::says(situation, key));
    let supposes = supposes || situation.message().contains('?');
    let heard = &situation.heard;
    heard.intent == Intent::WhatIf && heard.is_answered() && talk::says(situation, "w.orders") && !supposes
}

/// "Leave it like that in my plan" behind a case: its values are asked about as any other.
pub(in crate::offline) fn note_last(situation: &Situation<'_>) -> Option<Step> {
    let told = Some(situation.slots().all_changes()).filter(|all| !all.is_empty());
    // "Do that" behind the loan that reaches a goal.
    let sought = || {
        let sought = shown::sought(situation.advisor()?, &situation.fields);
        (!sought.is_empty()).then_some(sought)
    };
    let changes = told
        .or_else(sought)
        .or_else(|| situation.last_case().filter(|_| situation.is_behind_case()))?;
    let changes = match meant(situation, changes) {
        Ok(changes) => situation.as_arguments(&changes),
        Err(step) => return Some(step),
    };
    note(situation, &changes)
}

/// "You did not write down the 2,000 from month 1, write them down": the values of the case that has that number.
fn note_told_again(situation: &Situation<'_>) -> Option<Step> {
    let says = |key: &str| wording::says(situation.message(), key);
    let orders = (says("w.put_it") || says("w.orders")) && !situation.message().contains('?');
    let changes = orders.then(|| situation.case_at_number()).flatten()?;
    note(situation, &situation.as_arguments(&changes))
}

/// The case of one value, as a result shows it.
pub(in crate::offline) fn of_value(situation: &Situation<'_>, path: &str, value: &str) -> Step {
    let changes = json!([{ "path": path, "value": value }]);
    let call = Step::ask(situation, &[("what_if", json!({ "changes": changes }))]);
    let told = || match computed(situation) {
        Some(result) => answered(situation, result),
        None => Step::say([situation.say("failed", &[])], Vec::new()),
    };
    call.unwrap_or_else(told)
}

/// Asks about the values of a case once it is computed.
fn note(situation: &Situation<'_>, changes: &[Value]) -> Option<Step> {
    let call = Step::ask(situation, &[("what_if", json!({ "changes": changes }))]);
    call.or_else(|| Some(noted(situation, computed(situation)?)))
}

fn noted(situation: &Situation<'_>, result: &Value) -> Step {
    let of = |value: &'_ Value| {
        let path = results::text(value, "path")?.to_owned();
        Some((path, results::digits(results::text(value, "value")?)?))
    };
    let values: Vec<(String, f64)> = values(result).filter_map(of).collect();
    let values: Vec<(&str, f64)> = values.iter().map(|(path, value)| (path.as_str(), *value)).collect();
    record::propose(situation, &values)
}

/// What a case changes, with an owner's pay as the plan has it; or the call that finds out.
pub(in crate::offline) fn meant(
    situation: &Situation<'_>,
    mut changes: Vec<FieldChange>,
) -> Result<Vec<FieldChange>, Step> {
    if let Some(pay) = changes.iter_mut().find(|one| OWN_PAY.contains(&one.field.as_str()))
        && !talk::says(situation, "w.own_pay")
        && !situation.is_agreed
    {
        if let Some(step) = Step::ask(situation, &[("get_plan_summary", json!({}))]) {
            return Err(step);
        }
        if let Some(paid) = paid_by(situation).filter(|paid| *paid != pay.field) {
            *pay = in_periods_of(situation, pay, paid).unwrap_or_else(|| pay.clone());
        }
    }
    Ok(changes)
}

/// "30,000 a year" as a draw is 2,500 a month; `None` where it is no whole amount.
fn in_periods_of(situation: &Situation<'_>, pay: &FieldChange, paid: FieldPath) -> Option<FieldChange> {
    let is_monthly = |path: &FieldPath| {
        let field = situation.field(path.as_str());
        field.is_some_and(|field| field.period == Some(Period::Monthly))
    };
    let months = Decimal::from(12);
    let turned = |amount: Number| {
        let amount = amount.decimal();
        let turned = match (is_monthly(&pay.field), is_monthly(&paid)) {
            (true, false) => amount.checked_mul(months)?,
            (false, true) => amount.checked_div(months)?,
            _ => amount,
        };
        turned.is_integer().then(|| Number::new(turned))
    };
    let change = match pay.change {
        Change::To(value) => Change::To(turned(value)?),
        Change::By(value) => Change::By(turned(value)?),
        Change::Times(times) => Change::Times(times),
    };
    Some(FieldChange { field: paid, change })
}

/// The case's figures, where it could be computed.
fn computed<'s>(situation: &'s Situation<'_>) -> Option<&'s Value> {
    figures_of(situation, 0)
}

/// The figures of the first case that this turn computes, or of the one behind it.
fn figures_of<'s>(situation: &'s Situation<'_>, nth: usize) -> Option<&'s Value> {
    let mut results = situation.results.iter().filter(|result| result.tool == "what_if");
    let figures = results.nth(nth).map(|result| &result.content);
    figures.filter(|result| result.get("after").is_some())
}

/// What a case changes on top of the one before it. "What if I pay myself 3,000?" behind a case without a manager may be of the plan or of
/// that case: both are told.
fn with_case_before(situation: &Situation<'_>, changes: &[FieldChange]) -> Option<Vec<FieldChange>> {
    // Of more no answer is short.
    const MOST: usize = 4;
    let is_settled = situation.is_agreed || situation.is_whole_case || situation.is_known;
    // Behind a figure of a case "save that" is of the new one alone.
    let told = situation.advisor().unwrap_or_default();
    let is_behind = ["whatif", "whatif.already"].iter().any(|key| wording::shows(told, key));
    if is_settled || !is_behind || situation.is_of_plan() {
        return None;
    }
    let both = on_top(situation.computed_case()?, changes.to_vec(), Slots::default()).changes;
    (both.len() > changes.len() && both.len() <= MOST).then_some(both)
}

/// The case with the one before it, in a paragraph of its own.
fn told_with_case_before(situation: &Situation<'_>) -> Option<String> {
    let result = figures_of(situation, 1)?;
    let slots = in_effect(situation, result);
    let text = situation.say("whatif.both", &[("assumed", &slots.0), ("effects", &slots.1)]);
    Some(format!("\n\n{text}"))
}

/// What a case assumes, and what that does.
fn in_effect(situation: &Situation<'_>, result: &Value) -> (String, String) {
    let changed = values(result).filter(|value| !is_same(value));
    let assumed: Vec<String> = changed.map(|value| instead(situation, value)).collect();
    let effects = effects(situation, result.get("before"), result.get("after"));
    (situation.list(&assumed), effects)
}

/// A case that may be another one: the values that were understood, for a yes. Nothing where none can be computed.
pub(in crate::offline) fn unsure(situation: &Situation<'_>) -> Option<Step> {
    let changes = match meant(situation, situation.slots().all_changes()) {
        Ok(changes) => situation.as_arguments(&changes),
        Err(step) => return Some(step),
    };
    if changes.is_empty() {
        return None;
    }
    let call = Step::ask(situation, &[("what_if", json!({ "changes": changes }))]);
    call.or_else(|| {
        let result = computed(situation)?;
        Some(match was_told(situation, result) {
            true => answered(situation, result),
            false => ask_back(situation, result),
        })
    })
}

/// Whether the answer before asked about this very case, or computed it: who says it again means it.
fn was_told(situation: &Situation<'_>, result: &Value) -> bool {
    let told = situation.advisor().unwrap_or_default();
    let mut values = values(result).filter(|value| !is_same(value)).peekable();
    let is_computed = values.peek().is_some() && values.all(|value| told.contains(&instead(situation, value)));
    is_computed || told.contains(&in_words(situation, result))
}

fn ask_back(situation: &Situation<'_>, result: &Value) -> Step {
    let case = in_words(situation, result);
    let text = situation.say("unsure.case", &[("case", &case)]);
    let mut suggestions = vec![case];
    suggestions.extend(situation.suggest(&["s.profit", "s.less_loan"]));
    // "Rent goes up by 200" may be a fact.
    let is_change = situation.understanding.ignored.contains(&IgnoredNumber::Change);
    let changed = values(result).next().filter(|_| is_change);
    let changed = changed.map_or_else(String::new, |value| {
        let name = situation.named(results::text(value, "path").unwrap_or_default());
        situation.say("unsure.change", &[("name", &name)])
    });
    Step::say([text, changed, miss::again(situation)], suggestions)
}

/// A computed case as a question: "What if rent per month is $5,000?"
fn in_words(situation: &Situation<'_>, result: &Value) -> String {
    let item = |value: &Value| {
        let text = |key: &str| results::text(value, key).unwrap_or_default();
        situation.item("s.whatif.item", &FieldPath::read(text("path")), text("value"))
    };
    let items: Vec<String> = values(result).map(item).collect();
    situation.say("s.whatif", &[("items", &situation.list(&items))])
}

fn values(result: &Value) -> impl Iterator<Item = &Value> {
    result.get("values").and_then(Value::as_array).into_iter().flatten()
}

/// Whether a value of a case is the plan's.
pub(in crate::offline) fn is_same(value: &Value) -> bool {
    results::text(value, "value") == results::text(value, "insteadOf")
}

fn answered(situation: &Situation<'_>, result: &Value) -> Step {
    if values(result).all(is_same) {
        let has = |value: &Value| {
            let text = |key: &str| results::text(value, key).unwrap_or_default();
            situation.item("written.item", &FieldPath::read(text("path")), text("value"))
        };
        let items = situation.list(&values(result).map(has).collect::<Vec<_>>());
        let is_draw = |value: &Value| results::text(value, "path") == Some(OWN_PAY[0]);
        let summary = results::summary(situation).filter(|_| values(result).any(is_draw));
        let starts = summary.and_then(|summary| plan::draw_starts(situation, &summary));
        return Step::say(
            [
                situation.say("whatif.already", &[("items", &items)]),
                starts.unwrap_or_default(),
                told_with_case_before(situation).unwrap_or_default(),
            ],
            situation.suggest(&["s.profit", "s.levers"]),
        );
    }
    let (assumed, effects) = in_effect(situation, result);
    let text = situation.say("whatif", &[("assumed", &assumed), ("effects", &effects)]);
    let all_years = for_all_years(situation, result).unwrap_or_default();
    let all_months = match talk::says(situation, "w.season") {
        true => situation.say("whatif.all_months", &[]),
        false => String::new(),
    };
    let starts = paid_from(situation).unwrap_or_default();
    let both = told_with_case_before(situation).unwrap_or_default();
    let is_changed =
        |field: &FieldPath| values(result).any(|value| results::text(value, "path") == Some(field.as_str()));
    let waiting = results::without_waiting(situation, |field| !is_changed(field));
    let lowest = |key: &str| {
        result
            .get(key)
            .and_then(|side| results::dollars(results::text(side, "lowestCash")?))
    };
    let save = match lowest("before") > lowest("after") {
        true => "s.save_worse",
        false => "s.save",
    };
    Step::say(
        [text, all_years, all_months, starts, both, waiting, situation.footer()],
        situation.suggest(&[save, "s.levers", "s.less_sales"]),
    )
}

/// The month from which what a change pays is paid, where the case leaves it as it is.
fn start_left(situation: &Situation<'_>, one: &FieldChange, changes: &[FieldChange]) -> Option<FieldPath> {
    let start = situation.field(one.field.as_str())?.start_month.clone()?;
    // "What if we have no manager?"
    if one.change == Change::To(Number::ZERO) {
        return None;
    }
    (!changes.iter().any(|other| other.field == start)).then_some(start)
}

/// From which month a change is paid whose beginning the case leaves where it is.
fn paid_from(situation: &Situation<'_>) -> Option<String> {
    let changes = situation.slots().all_changes();
    let start = changes.iter().find_map(|one| start_left(situation, one, &changes))?;
    plan::paid_from(situation, &results::summary(situation)?, start.as_str())
}

/// "15 % less in the first year only": a value of the plan holds for all its years, and the case, too.
fn for_all_years(situation: &Situation<'_>, result: &Value) -> Option<String> {
    let year = *situation.years().first()?;
    let is_limited = talk::says(situation, "w.only_then") && !talk::says(situation, "w.in_that_year");
    let has_year = |value: &Value| {
        let field = situation.field(results::text(value, "path").unwrap_or_default());
        field.is_none_or(|field| {
            matches!(field.role, FieldRole::Growth(_) | FieldRole::StartMonth) || field.start_month.is_some()
        })
    };
    let is_of_all = is_limited && !values(result).any(has_year);
    is_of_all.then(|| situation.say("whatif.all_years", &[("year", &year.to_string())]))
}

/// A value of a case: "rent per month at $5,000 instead of $4,500".
pub(in crate::offline) fn instead(situation: &Situation<'_>, value: &Value) -> String {
    let path = results::text(value, "path").unwrap_or_default();
    let shown = |key: &str| situation.value(path, results::text(value, key).unwrap_or_default());
    let (name, value, before) = (situation.named(path), shown("value"), shown("insteadOf"));
    situation.say(
        "whatif.item",
        &[("name", &name), ("value", &value), ("before", &before)],
    )
}

/// "With rent per month at $5,000 instead of $4,500:", where a result is one of a case.
pub(in crate::offline) fn assumed_in(situation: &Situation<'_>, result: &Value) -> Option<String> {
    let values = result.get("case")?.as_array()?;
    let is_all_same = values.iter().all(is_same);
    let changed = values.iter().filter(|value| is_all_same || !is_same(value));
    let assumed: Vec<String> = changed.map(|value| instead(situation, value)).collect();
    let assumed = situation.list(&assumed);
    Some(situation.say("figure.of_case", &[("assumed", &assumed)]))
}

/// "If I don't pay myself" is of the one that the plan has.
fn paid_by(situation: &Situation<'_>) -> Option<FieldPath> {
    let summary = results::summary(situation)?;
    let is_paid = |path: &&&str| results::amount(&summary, path).is_some_and(|amount| amount > 0.0);
    let path = OWN_PAY.iter().find(is_paid)?;
    Some(situation.field(path)?.path.clone())
}

/// "If labor goes up 5 percent": by five points, or by a twentieth of it? Of 879 cases that were set aside three were computed wrong, one
/// of them so, and none is lost by asking.
fn adds_percents(situation: &Situation<'_>) -> bool {
    const POINTS: [&str; 5] = ["point", "punto", "pts", "pt", "bps"];
    let plain = wording::plain(situation.message());
    let says_points = plain
        .split(' ')
        .any(|word| POINTS.iter().any(|point| word.starts_with(point)));
    let adds = |one: &FieldChange| {
        let field = situation.field(one.field.as_str());
        matches!(one.change, Change::By(_)) && field.is_some_and(|field| field.kind == Kind::Percent)
    };
    !says_points && situation.slots().all_changes().iter().any(adds)
}

/// A value of a line that the message does not name, more than ten times off the plan's, is likelier another line's or an amount more
/// or less; so is an amount of a named one more than three times off ("he wants to raise us 400 a month": of 4,166 cases in folds 3
/// of the 12 wrong ones among such, and 23 right ones). The month in which something begins is
/// not meant by a message that does not name it, unless the answer before did.
fn is_doubtful(situation: &Situation<'_>, result: &Value) -> bool {
    const FAR: f64 = 10.0;
    const FAR_FROM_NAMED: f64 = 3.0;
    const TRIFLE: f64 = 0.01;
    let amount = |value: &Value, key: &str| {
        let amount = results::digits(results::text(value, key)?);
        amount.filter(|amount| *amount > 0.0)
    };
    let is_far = |value: &Value, by: f64| {
        let values = amount(value, "insteadOf").zip(amount(value, "value"));
        values.is_some_and(|(now, then)| then > now * by || then * by < now)
    };
    let changes = situation.slots().all_changes();
    let is_far_amount = |value: &Value| {
        let path = results::text(value, "path").unwrap_or_default();
        let is_money = situation.field(path).is_some_and(|field| field.kind == Kind::Money);
        let is_set = |one: &FieldChange| one.field.as_str() == path && matches!(one.change, Change::To(_));
        is_money && changes.iter().any(is_set) && is_far(value, FAR_FROM_NAMED)
    };
    let mut unnamed = values(result).filter(|value| {
        let path = results::text(value, "path").unwrap_or_default();
        !situation.understanding.named.iter().any(|named| named.as_str() == path)
    });
    // "2,500 instead of 3,200" where the plan has neither.
    let old = scaled::replaced(situation.message(), &situation.understanding.mentions);
    let is_old =
        |one: Decimal| old.is_some_and(|old| one == old || Some(one) == old.checked_mul(Decimal::ONE_THOUSAND));
    let last = situation.last_case().unwrap_or_default();
    let has_old = |value: &Value| {
        let path = results::text(value, "path").unwrap_or_default();
        let now = results::text(value, "insteadOf").and_then(results::dollars);
        let set = last.iter().find(|change| change.field.as_str() == path);
        let in_case = set.and_then(|change| value_set(change, &situation.fields));
        [now, in_case].into_iter().flatten().any(is_old)
    };
    // Of several changes one has it.
    let is_of_none = old.is_some() && !values(result).any(has_old);
    let is_of_another = |value: &Value| is_of_none && results::text(value, "path") != Some(SALES);
    // "Y si le subo a la renta a 35?": 35 dollars more of 28,000 is likelier 35,000.
    let is_trifle = |value: &Value| {
        let path = results::text(value, "path").unwrap_or_default();
        let is_moved = |one: &FieldChange| one.field.as_str() == path && matches!(one.change, Change::By(_));
        let is_money = situation.field(path).is_some_and(|field| field.kind == Kind::Money);
        let values = amount(value, "insteadOf").zip(amount(value, "value"));
        is_money && changes.iter().any(is_moved) && values.is_some_and(|(now, then)| (then - now).abs() < now * TRIFLE)
    };
    if values(result).any(|value| is_of_another(value) || is_far_amount(value) || is_trifle(value)) {
        return true;
    }
    unnamed.any(|value| {
        let path = results::text(value, "path").unwrap_or_default();
        let begins = situation
            .field(path)
            .is_some_and(|field| field.role == FieldRole::StartMonth);
        match begins {
            true => !was_shown(situation, path) && !is_said_to_begin(situation, path),
            false => is_far(value, FAR),
        }
    })
}

/// Whether a message says that something begins, or changes what begins then: "2,000 a month from month 7", "start my pay in month 10".
fn is_said_to_begin(situation: &Situation<'_>, path: &str) -> bool {
    let mut fields = situation.fields.iter();
    let paid = fields.find(|field| field.start_month.as_ref().is_some_and(|start| start.as_str() == path));
    let changes = situation.slots().all_changes();
    let is_changed = paid.is_some_and(|paid| changes.iter().any(|one| one.field == paid.path));
    is_changed || talk::says(situation, "w.begins")
}

/// Whether the answer before named a line.
fn was_shown(situation: &Situation<'_>, path: &str) -> bool {
    let shown = situation.advisor().unwrap_or_default().to_lowercase();
    shown.contains(&situation.named(path).to_lowercase())
}

pub(in crate::offline) fn effects(situation: &Situation<'_>, before: Option<&Value>, after: Option<&Value>) -> String {
    let side = |side: Option<&Value>, metric: &str| {
        let shown = side.and_then(|metrics| results::text(metrics, metric));
        shown.map_or_else(|| situation.say("not_reached", &[]), |shown| situation.figure(shown))
    };
    // "What would we pay a month?" is answered first, and a smaller loan is paid for out of one's own pocket.
    let is_first = |metric: &str| match metric {
        "monthlyPayment" => talk::says(situation, "w.payment"),
        "ownerCash" => true,
        _ => false,
    };
    let asked = TELLING.iter().filter(|metric| is_first(metric));
    let moved = asked
        .chain(TELLING.iter())
        .map(|metric| (*metric, side(before, metric), side(after, metric)));
    let mut seen = Vec::new();
    let told: Vec<String> = moved
        .filter(|(metric, before, after)| {
            let is_new = !seen.contains(metric);
            seen.push(*metric);
            is_new && before != after
        })
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

/// Keeps a case under a name.
pub(in crate::offline) fn keep(situation: &Situation<'_>, name: &str, changes: &[Value]) -> Step {
    let arguments = json!({"name": name, "changes": changes});
    if let Some(step) = Step::ask(situation, &[("save_scenario", arguments)]) {
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
