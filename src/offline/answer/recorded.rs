//! Words about values that were written down, heard or taken back.

use super::{asks, named, next, shown, waiting};
use crate::offline::ask::name;
use crate::offline::prose::list;
use crate::offline::results;
use crate::offline::situation::Situation;
use plan_model::extracted::{NoteCode, RangeCode};
use plan_model::tool_result::{FieldResult, FieldStatus, ReferenceKind, UndoResult};
use plan_reader::IgnoredNumber;
use serde::Deserialize;

pub fn record(situation: &Situation<'_>, ignored: &[(IgnoredNumber, Option<usize>)]) -> Vec<String> {
    let results = results::recorded(situation);
    let recorded: Vec<&FieldResult> = results.iter().flatten().collect();
    let of = |status| {
        recorded
            .iter()
            .copied()
            .filter(|one| one.status == status)
            .collect::<Vec<_>>()
    };
    let (applied, unchanged, proposed) = (
        of(FieldStatus::Applied),
        of(FieldStatus::Unchanged),
        of(FieldStatus::Proposed),
    );
    let mut parts = Vec::new();
    if !applied.is_empty() {
        let items: Vec<String> = applied.iter().map(|one| written(one, situation)).collect();
        parts.push(format!("I've written down {}.", list(&items)));
    }
    parts.extend(applied.iter().filter_map(|one| range_remark(one, situation)));
    if !unchanged.is_empty() {
        let items: Vec<String> = unchanged
            .iter()
            .map(|one| {
                format!(
                    "{} at {}",
                    named(one.field.as_str(), situation),
                    shown(one.field.as_str(), &one.value)
                )
            })
            .collect();
        parts.push(format!("Your plan already has {}.", list(&items)));
    }
    parts.extend(heard(&proposed, situation));
    if results.iter().any(Option::is_none) {
        parts.push("One number I could not use; please give it to me again with the line it is for.".to_owned());
    }
    parts.extend(remarks(ignored, situation));
    match proposed.first() {
        Some(one) => parts.push(confirm(one, situation)),
        None => {
            let discussed = recorded.last().map(|one| one.field.as_str());
            parts.extend(waiting(situation).or_else(|| next(situation, discussed)));
        }
    }
    parts
}

/// What waits for a word: one in the sentence, several as a list.
fn heard(proposed: &[&FieldResult], situation: &Situation<'_>) -> Option<String> {
    let item = |one: &&FieldResult| {
        let (path, value) = (one.field.as_str(), &one.value);
        format!("{} for {}", shown(path, value), named(path, situation))
    };
    match proposed {
        [] => None,
        [only] => Some(format!(
            "I heard {}, and have only noted it until you confirm.",
            item(only)
        )),
        many => {
            let items: Vec<String> = many.iter().map(|one| format!("- {}", item(one))).collect();
            let items = items.join("\n");
            Some(format!(
                "I heard these, and have only noted them until you confirm:\n\n{items}\n\n"
            ))
        }
    }
}

pub fn undone(situation: &Situation<'_>) -> String {
    let result = situation.result("undo_last_change").map(UndoResult::deserialize);
    match result {
        Some(Ok(UndoResult::WillUndo { changes })) => {
            let items: Vec<String> = changes
                .iter()
                .map(|one| {
                    let path = one.field.as_str();
                    format!("{} is back at {}", named(path, situation), shown(path, &one.returns_to))
                })
                .collect();
            format!("I've taken that back: {}.", list(&items))
        }
        Some(Ok(UndoResult::NothingToUndo)) => "There is no change to take back.".to_owned(),
        _ => "I could not take that back from here just now.".to_owned(),
    }
}

fn written(one: &FieldResult, situation: &Situation<'_>) -> String {
    let was = one.previous.as_ref().filter(|previous| **previous != one.value);
    let was = was.map_or_else(String::new, |previous| {
        format!(" (it was {})", shown(one.field.as_str(), previous))
    });
    format!(
        "{} at {}{was}",
        named(one.field.as_str(), situation),
        shown(one.field.as_str(), &one.value)
    )
}

/// Names the reference once, neutrally.
fn range_remark(one: &FieldResult, situation: &Situation<'_>) -> Option<String> {
    let side = match one.range_code? {
        RangeCode::AboveItem7 | RangeCode::AboveTypical => "above",
        RangeCode::BelowItem7 | RangeCode::BelowTypical => "below",
    };
    let range = one.range.as_ref()?;
    let name = named(one.field.as_str(), situation);
    let (low, high) = (&range.low, &range.high);
    Some(match range.kind {
        ReferenceKind::Item7 => format!(
            "For reference, the franchisor's published Item 7 estimate for {name} is {low} to {high}; yours is {side} it, and I've kept your number."
        ),
        ReferenceKind::Typical => format!(
            "For reference, the planning range for {name} is {low} to {high}; yours is {side} it, and I've kept your number."
        ),
    })
}

fn confirm(one: &FieldResult, situation: &Situation<'_>) -> String {
    if one.note_code == Some(NoteCode::TwoValues) {
        return format!(
            "Which one should I write down for {}?",
            named(one.field.as_str(), situation)
        );
    }
    asks(
        shown(one.field.as_str(), &one.value),
        &named(one.field.as_str(), situation),
    )
}

fn remarks(ignored: &[(IgnoredNumber, Option<usize>)], situation: &Situation<'_>) -> Vec<String> {
    let mut seen = Vec::new();
    let mut out = Vec::new();
    for (aside, field) in ignored {
        if seen.contains(aside) {
            continue;
        }
        seen.push(*aside);
        let line = field.map_or_else(|| "that line".to_owned(), |i| name(&situation.fields[i]));
        out.push(match aside {
            IgnoredNumber::Others => {
                "That sounds like somebody else's number, so I've left your plan as it is.".to_owned()
            }
            IgnoredNumber::Past => format!("That sounds like a number from the past, so I haven't changed {line}."),
            IgnoredNumber::Shared => {
                "That amount seems to cover more than one line. Please tell me how it splits.".to_owned()
            }
            IgnoredNumber::Change => {
                format!("That sounds like a change rather than a total. Please tell me the new total for {line}.")
            }
            IgnoredNumber::Foreign => format!("Your plan is in US dollars. Please give me {line} in dollars."),
        });
    }
    out
}
