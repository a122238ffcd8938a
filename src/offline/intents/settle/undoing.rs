//! What is said to "undo" where it is not, or not only, the newest change that is meant.

use crate::offline::intents::record::propose;
use crate::offline::results;
use crate::offline::situation::Situation;
use crate::offline::step::Step;
use crate::wording;
use plan_model::field::FieldPath;
use plan_model::tool_result::{ListedChange, Returning};
use serde_json::json;

/// Changes that are named where it is asked which is meant.
const NAMED: usize = 4;

/// What to do instead of taking the newest change back; `None` where that is meant.
pub(in crate::offline) fn instead(situation: &Situation<'_>) -> Option<Step> {
    let understood = &situation.understanding;
    // "The first one" has no number.
    if !understood.named.is_empty() || understood.mentions.iter().any(|number| !number.count_only) {
        return None;
    }
    let answer = situation.advisor().unwrap_or_default();
    let says = |key: &str| wording::says(situation.message(), key);
    let is_case = ["whatif", "figure.in_plan"]
        .iter()
        .any(|key| wording::shows(answer, key));
    if is_case && !wording::shows(answer, "written") && !says("w.changes_made") {
        return Some(of_case(situation));
    }
    if wording::shows(answer, "undone") && says("w.puts_back") {
        return again(situation, answer);
    }
    says("w.one_of_changes").then(|| which(situation)).flatten()
}

/// The changes, once they were listed.
fn listed(situation: &Situation<'_>) -> Result<Vec<ListedChange>, Step> {
    match Step::ask(situation, &[("list_changes", json!({}))]) {
        Some(step) => Err(step),
        None => Ok(results::changes(situation)),
    }
}

/// A what-if changes nothing: what would be taken back is named.
fn of_case(situation: &Situation<'_>) -> Step {
    let changes = match listed(situation) {
        Err(step) => return step,
        Ok(changes) => changes,
    };
    let newest = standing(&changes)
        .first()
        .map(|one| situation.item("undone.newest", &one.field, &one.to));
    let parts = [situation.say("undone.case", &[]), newest.unwrap_or_default()];
    Step::say(parts, situation.suggest(&["s.missing", "s.profit"]))
}

/// "Put it back" behind what was taken back: that is asked about again.
fn again(situation: &Situation<'_>, answer: &str) -> Option<Step> {
    let changes = match listed(situation) {
        Err(step) => return Some(step),
        Ok(changes) => changes,
    };
    let is_told = |one: &&ListedChange| {
        let told = situation.item("undone.item", &one.field, &one.to);
        one.reason == "undo" && answer.contains(&told)
    };
    let told = changes.iter().take_while(|one| one.reason == "undo").filter(is_told);
    let values: Vec<(&str, f64)> = told
        .filter_map(|one| Some((one.field.as_str(), results::digits(one.from.as_ref()?)?)))
        .collect();
    (!values.is_empty()).then(|| propose(situation, &values))
}

/// "Undo the first one": of several changes it is asked which.
fn which(situation: &Situation<'_>) -> Option<Step> {
    let changes = match listed(situation) {
        Err(step) => return Some(step),
        Ok(changes) => changes,
    };
    let standing = standing(&changes);
    let [newest, _, ..] = standing[..] else { return None };
    let item = |one: &&ListedChange| situation.item("written.item", &one.field, &one.to);
    let items: Vec<String> = standing.iter().take(NAMED).map(item).collect();
    let slots = [
        ("items", situation.list(&items)),
        ("name", situation.named(newest.field.as_str())),
    ];
    let slots = slots.each_ref().map(|(slot, text)| (*slot, text.as_str()));
    Some(Step::say([situation.say("undone.which", &slots)], Vec::new()))
}

/// "Undo the last two", where one was taken back: what the next undo takes back.
pub(in crate::offline) fn next(situation: &Situation<'_>, changes: &[Returning]) -> String {
    let is_more = wording::says(situation.message(), "w.several_changes") && changes.len() < 2;
    let listed = results::changes(situation);
    let standing = standing(&listed);
    let next = standing.first().filter(|_| is_more);
    next.map_or_else(String::new, |one| situation.item("undone.next", &one.field, &one.to))
}

/// The changes that are not taken back, newest first: each undo stands behind the one that it takes back.
pub(in crate::offline) fn standing(changes: &[ListedChange]) -> Vec<&ListedChange> {
    let mut undone: Vec<&FieldPath> = Vec::new();
    let mut standing = Vec::new();
    for one in changes {
        if one.reason == "undo" {
            undone.push(&one.field);
            continue;
        }
        match undone.iter().position(|field| **field == one.field) {
            Some(at) => drop(undone.remove(at)),
            None => standing.push(one),
        }
    }
    standing
}

/// A no to what was asked about; behind a value that is written, that it stays: "no, hold on, I need to ask my wife about that".
pub(in crate::offline) fn declined(situation: &Situation<'_>) -> String {
    let is_written = situation.advisor().is_some_and(|text| wording::shows(text, "written"));
    match is_written && wording::says(situation.message(), "w.wavers") {
        true => situation.say("declined.written", &[]),
        false => situation.say("declined", &[]),
    }
}
