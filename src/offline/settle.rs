//! Values that are agreed to, declined, left for later or taken back.

use crate::offline::ask::question;
use crate::offline::miss;
use crate::offline::record::{confirm, next, open_items, state};
use crate::offline::results;
use crate::offline::situation::Situation;
use crate::offline::step::Step;
use plan_model::field::FieldPath;
use plan_model::tool_result::{OpenProposal, Returning, UndoResult};
use serde::Deserialize;
use serde_json::json;

/// Minutes after which an undone change is said to be old.
const OLD_MINUTES: i64 = 120;

/// A yes in other words than the closed lists have: nothing is written, the question is put so that a plain yes is enough.
pub(super) fn accept(situation: &Situation<'_>) -> Step {
    if !situation.understanding.candidates.is_empty() {
        return state(situation);
    }
    if let Some(step) = Step::ask(situation, &[("list_open_proposals", json!({}))]) {
        return step;
    }
    let open = results::open(situation);
    let meant = situation
        .slots()
        .field
        .as_ref()
        .or_else(|| situation.understanding.named.first());
    let wanted: Vec<&OpenProposal> = open
        .iter()
        .filter(|one| meant.is_none_or(|path| *path == one.field))
        .collect();
    match wanted[..] {
        [] => Step::say(
            [situation.say("accept.nothing", &[])],
            situation.suggest(&["s.missing", "s.profit"]),
        ),
        [only] => Step::say([confirm(situation, only)], situation.suggest(&["s.yes", "s.no"])),
        _ => {
            let items = open_items(situation, &wanted);
            let parts = [
                situation.say("accept.many", &[("items", &items)]),
                situation.say("all_or_name", &[]),
            ];
            Step::say(parts, situation.suggest(&["s.all", "s.none"]))
        }
    }
}

pub(super) fn decline(situation: &Situation<'_>) -> Step {
    if let Some(step) = Step::ask(
        situation,
        &[("list_open_proposals", json!({})), ("get_plan_summary", json!({}))],
    ) {
        return step;
    }
    let open = results::open(situation);
    let mut parts = vec![situation.say("declined", &[])];
    if let [only] = &open[..] {
        parts.push(confirm(situation, only));
    }
    Step::say(parts, situation.suggest(&["s.missing", "s.none"]))
}

pub(super) fn later(situation: &Situation<'_>) -> Step {
    if let Some(step) = Step::ask(situation, &[("get_plan_summary", json!({}))]) {
        return step;
    }
    let next = results::summary(situation).and_then(|summary| next(situation, &summary, None));
    let parts = [situation.say("later", &[]), next.unwrap_or_default()];
    Step::say(parts, situation.suggest(&["s.missing", "s.profit"]))
}

/// What the field is for, and the question again.
pub(super) fn why_ask(situation: &Situation<'_>) -> Step {
    let Some(field) = situation.asked.map(|at| &situation.fields[at]) else {
        return miss::other(situation);
    };
    let role = if field.core { "why.core" } else { "why.other" };
    let parts = [
        situation.help(field.path.as_str(), &field.help),
        situation.say(role, &[]),
        question(situation.language, field),
    ];
    Step::say(parts, Vec::new())
}

pub(super) fn undo(situation: &Situation<'_>) -> Step {
    if let Some(step) = Step::ask(
        situation,
        &[("undo_last_change", json!({})), ("list_changes", json!({}))],
    ) {
        return step;
    }
    let result = situation.result("undo_last_change").map(UndoResult::deserialize);
    let parts = match result {
        Some(Ok(UndoResult::WillUndo { changes })) => {
            let item = |one: &Returning| situation.item("undone.item", &one.field, &one.returns_to);
            let items: Vec<String> = changes.iter().map(item).collect();
            let field = changes.first().map(|one| one.field.clone());
            vec![
                situation.say("undone", &[("items", &situation.list(&items))]),
                age(situation, field.as_ref()),
            ]
        }
        Some(Ok(UndoResult::NothingToUndo)) => vec![situation.say("undone.nothing", &[])],
        _ => vec![situation.say("undone.failed", &[])],
    };
    Step::say(parts, situation.suggest(&["s.missing", "s.profit"]))
}

/// How old what was taken back is, where it is not of just now.
fn age(situation: &Situation<'_>, field: Option<&FieldPath>) -> String {
    let changes = results::changes(situation);
    let change = changes
        .iter()
        .find(|one| Some(&one.field) == field && one.reason != "undo");
    let Some(minutes) = change
        .map(|one| one.minutes_ago)
        .filter(|minutes| *minutes >= OLD_MINUTES)
    else {
        return String::new();
    };
    let (key, count) = if minutes < 48 * 60 {
        ("age.hours", minutes / 60)
    } else {
        ("age.days", minutes / (24 * 60))
    };
    let age = situation.say(key, &[("count", &count.to_string())]);
    situation.say("undone.age", &[("age", &age)])
}
