//! What stands in the plan: a value, where it comes from, what was said and changed, what is open.

use crate::offline::intents::own_cash;
use crate::offline::intents::record::{confirm, dropped, next, open_items};
use crate::offline::message::reading::asks_whose;
use crate::offline::results;
use crate::offline::situation::Situation;
use crate::offline::step::Step;
use crate::wording::{self, sentence};
use plan_model::field::Field;
use plan_model::tool_result::{ListedChange, OpenProposal, PlanSummary, SummaryField, ValueState};
use serde_json::json;

mod values;

pub(in crate::offline) use values::{
    asks_of_any, draw_starts, is_high, paid_from, stands, value, value_of, with_waiting,
};

/// Values that were said, as many as a sentence bears.
const SAID: usize = 20;

/// Of the key numbers still at the brand's figure, how many are named.
const NAMED_MISSING: usize = 3;

pub(in crate::offline) fn who_set(situation: &Situation<'_>) -> Step {
    if asks_whose(situation.message()) {
        return whose(situation);
    }
    // "Whose numbers are those?"
    let field = match with_number(situation) {
        Ok(field) => field.or_else(|| situation.field_meant()),
        Err(step) => return step,
    };
    let Some(field) = field else {
        return whose(situation);
    };
    let calls = [
        ("list_changes", json!({ "field": field.path })),
        ("list_open_proposals", json!({})),
    ];
    if let Some(step) = Step::ask(situation, &calls) {
        return step;
    }
    let changes = results::changes(situation);
    let change = changes.iter().find(|one| one.field == field.path);
    let text = match change {
        Some(change) => [set_by(situation, change), brands_own(situation, field)]
            .join(" ")
            .trim_end()
            .to_owned(),
        None => of_brand(situation, field),
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

/// A value that nobody has set, and where the brand has it from.
fn of_brand(situation: &Situation<'_>, field: &Field) -> String {
    let name = sentence(&situation.name(field));
    let default = situation
        .result("list_changes")
        .and_then(|result| result.get("brandDefault"));
    let text = |key: &str| default.and_then(|default| results::text(default, key));
    let Some((value, from)) = text("value").zip(text("from")) else {
        return situation.say("set.default", &[("name", &name)]);
    };
    let value = situation.value(field.path.as_str(), value);
    let source = situation.say(&format!("source.{from}"), &[]);
    let said = situation.say("set.default.value", &[("name", &name), ("value", &value)]);
    format!("{said} {source}")
}

/// The brand's figure of a line that was set since: "what was labor before I changed it?"
fn brands_own(situation: &Situation<'_>, field: &Field) -> String {
    let default = situation
        .result("list_changes")
        .and_then(|result| result.get("brandDefault"));
    let value = default.and_then(|default| results::text(default, "value"));
    value.map_or_else(String::new, |value| {
        situation.say("set.brand", &[("value", &situation.value(field.path.as_str(), value))])
    })
}

/// "Where did you get 38 from?": the only field that has the number, where the message names none; or the call that finds out.
fn with_number<'s>(situation: &'s Situation<'_>) -> Result<Option<&'s Field>, Step> {
    let [number] = &situation.understanding.mentions[..] else {
        return Ok(None);
    };
    if !situation.understanding.named.is_empty() {
        return Ok(None);
    }
    if let Some(step) = Step::ask(situation, &[("get_plan_summary", json!({}))]) {
        return Err(step);
    }
    let fields = results::summary(situation)
        .map(|summary| summary.fields)
        .unwrap_or_default();
    let has = |value: &String| results::dollars(value) == Some(number.value);
    let mut having = fields.iter().filter(|one| one.value.as_ref().is_some_and(has));
    Ok(match (having.next(), having.next()) {
        (Some(only), None) => situation.field(only.path.as_str()),
        _ => None,
    })
}

/// Whose the numbers of the plan are: its own by name, and how many of the key ones are the brand's.
fn whose(situation: &Situation<'_>) -> Step {
    if let Some(step) = Step::ask(situation, &[("get_plan_summary", json!({}))]) {
        return step;
    }
    let Some(summary) = results::summary(situation) else {
        return Step::say([situation.say("blind", &[])], Vec::new());
    };
    let own = summary.fields.iter().filter(|field| field.state != ValueState::Default);
    let item = |field: &SummaryField| Some(situation.item("said.item", &field.path, field.value.as_ref()?));
    let items: Vec<String> = own.filter_map(item).take(SAID).collect();
    let text = match items.is_empty() {
        true => situation.say("whose.none", &[]),
        false => situation.say("whose.own", &[("items", &situation.list(&items))]),
    };
    Step::say(
        [text, situation.say("whose.all", &[]), missing(situation, &summary)],
        situation.suggest(&["s.missing", "s.open", "s.profit"]),
    )
}

/// "I never said a 280k loan": where the number is from, and what it should be.
fn objected(situation: &Situation<'_>, field: &Field, source: String) -> Step {
    let open = results::open(situation);
    let arguments = json!({ "fields": [field.path] });
    if open.iter().any(|one| one.field == field.path)
        && let Some(step) = Step::ask(situation, &[("dismiss_proposals", arguments)])
    {
        return step;
    }
    let dismissed = results::dismissed(situation);
    let noted = dismissed
        .iter()
        .chain(&open)
        .find(|one| one.field == field.path)
        .map(|one| {
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
    let dropped = dropped(situation).unwrap_or_default();
    Step::say_and_ask([noted.unwrap_or(source), dropped], question, suggestions)
}

fn set_by(situation: &Situation<'_>, change: &ListedChange) -> String {
    let path = change.field.as_str();
    let shown = |value: &str| situation.value(path, value);
    let from = change.from.as_deref().map_or_else(|| situation.say("none", &[]), shown);
    let (to, said) = (shown(&change.to), change.said.clone().unwrap_or_default());
    let key = match change.reason.as_str() {
        "turn" | "accept" if change.said.is_some() => "set.said",
        "turn" | "accept" => "set.agreed",
        "undo" => "set.undo",
        "scenario" => "set.scenario",
        _ => "set.entry",
    };
    situation.say(
        key,
        &[("day", &change.on), ("said", &said), ("from", &from), ("to", &to)],
    )
}

pub(in crate::offline) fn said(situation: &Situation<'_>) -> Step {
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
    let told: Vec<&ListedChange> = newest.filter(|one| is_told(one)).collect();
    if let Some(field) = meant.as_ref().and_then(|path| situation.field(path.as_str())) {
        let set = told.iter().find(|one| one.field == field.path);
        let set: Vec<String> = set.map(|newest| set_by(situation, newest)).into_iter().collect();
        if !set.is_empty() || results::open(situation).iter().any(|one| one.field == field.path) {
            return with_waiting(situation, field, set, situation.suggest(&["s.undo", "s.missing"]));
        }
    }
    let item = |one: &&ListedChange| situation.item("said.item", &one.field, &one.to);
    let items: Vec<String> = told.iter().take(SAID).map(item).collect();
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
pub(in crate::offline) fn changes(situation: &Situation<'_>) -> Step {
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

pub(in crate::offline) fn open(situation: &Situation<'_>) -> Step {
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
