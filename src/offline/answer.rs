//! Words about what the tools returned: short, in plain English, one question at the end.

use crate::extraction::Aside;
use crate::model::extracted::{NoteCode, RangeCode};
use crate::model::field::Field;
use crate::model::metrics::{self, MetricKind};
use crate::model::tool_result::{FieldResult, FieldStatus, Reference, ReferenceKind, UndoResult, ValueState};
use crate::offline::ask::{name, question};
use crate::offline::cases::{compared, levers, saved, weak_levers, what_if};
use crate::offline::intent::{Intent, Topic};
use crate::offline::prose::{FOOTER, ONLY_ENGLISH, fixed, is_spanish, list, sentence};
use crate::offline::results;
use crate::offline::situation::Situation;
use serde::Deserialize;
use serde_json::Value;

/// Of the key numbers still at the brand default, how many are named.
const LISTED_MISSING: usize = 3;

/// The answer to one intent, with whatever results there are.
#[must_use]
pub fn answer(intent: &Intent, situation: &Situation<'_>) -> String {
    let parts = match intent {
        Intent::Record(_, asides) => record(situation, asides),
        Intent::WhatIf(changes) => what_if(situation, changes),
        Intent::Save(name, changes) => vec![saved(situation, name.as_deref(), changes)],
        Intent::Compare(_) => vec![compared(situation)],
        Intent::Adopt(_) => vec![
            "There is nothing to adopt under that name, or your plan has those values already. Say \"compare\" to see your scenarios.".to_owned(),
        ],
        Intent::Levers => vec![levers(situation)],
        Intent::Refuse => vec!["All right, I leave that as it is.".to_owned(), waiting(situation).or_else(|| next(situation, None)).unwrap_or_default()],
        Intent::Later => vec!["All right, we can come back to that.".to_owned(), next(situation, None).unwrap_or_default()],
        Intent::Why(field) => why(&situation.fields[*field]),
        Intent::Undo => vec![undone(situation)],
        Intent::Missing => missing(situation),
        Intent::Results => vec![outcome(situation)],
        Intent::Metric(name) => meaning(situation, name),
        Intent::About(fields) => about(situation, fields),
        Intent::Advice(fields) => advice(situation, fields),
        Intent::Status => vec![status(situation)],
        Intent::Reset(_) => vec!["You can reset a number under Your plan; I could not do it from here just now.".to_owned()],
        Intent::ClearConversation => vec!["I could not clear the conversation from here just now.".to_owned()],
        Intent::Fixed(topic) => vec![fixed(*topic).to_owned(), if asks_on(*topic) { next(situation, None).unwrap_or_default() } else { String::new() }],
        Intent::Unknown if is_spanish(situation.message()) => vec![ONLY_ENGLISH.to_owned()],
        Intent::Unknown => vec![
            "I'm the built-in advisor and did not find a number for your plan in that. Tell me a line and its number, such as your rent or your loan.".to_owned(),
            next(situation, None).unwrap_or_default(),
        ],
    };
    parts
        .into_iter()
        .filter(|part| !part.is_empty())
        .collect::<Vec<_>>()
        .join(" ")
}

/// Subjects after which the conversation goes on with a question.
#[must_use]
pub const fn asks_on(topic: Topic) -> bool {
    matches!(topic, Topic::Greeting)
}

fn record(situation: &Situation<'_>, asides: &[(Aside, Option<usize>)]) -> Vec<String> {
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
    parts.extend(remarks(asides, situation));
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

/// Asks about the next number of an earlier message.
fn waiting(situation: &Situation<'_>) -> Option<String> {
    let now = results::recorded(situation);
    let is_open = |field: &str| !now.iter().flatten().any(|one| one.field.as_str() == field);
    let mut choices = situation.waiting.0.iter();
    let choice = choices.find(|choice| is_open(choice.field.as_str()))?;
    let field = field(choice.field.as_str(), situation)?;
    let value = field.kind.show(choice.value);
    Some(asks(shown(choice.field.as_str(), &value), &name(field)))
}

/// What the field is for, and the question again.
fn why(field: &Field) -> Vec<String> {
    let role = if field.core {
        "It is one of the key numbers that your results rest on."
    } else {
        "Your results rest on it, too."
    };
    vec![field.help.to_string(), role.to_owned(), question(field)]
}

fn undone(situation: &Situation<'_>) -> String {
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

/// A value as it is spoken of: the number of a month is "month 13", not "13 months".
#[must_use]
pub fn shown(path: &str, value: &str) -> String {
    let number = value.split(' ').next().unwrap_or_default();
    if path.ends_with("StartMonth") {
        format!("month {number}")
    } else {
        value.to_owned()
    }
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

/// The one question whose yes writes the value.
fn asks(value: String, name: &str) -> String {
    format!("Shall I write down {value} for {name}?")
}

fn remarks(asides: &[(Aside, Option<usize>)], situation: &Situation<'_>) -> Vec<String> {
    let mut seen = Vec::new();
    let mut out = Vec::new();
    for (aside, field) in asides {
        if seen.contains(aside) {
            continue;
        }
        seen.push(*aside);
        let line = field.map_or_else(|| "that line".to_owned(), |i| name(&situation.fields[i]));
        out.push(match aside {
            Aside::Others => "That sounds like somebody else's number, so I've left your plan as it is.".to_owned(),
            Aside::Past => format!("That sounds like a number from the past, so I haven't changed {line}."),
            Aside::Shared => "That amount seems to cover more than one line. Please tell me how it splits.".to_owned(),
            Aside::Change => {
                format!("That sounds like a change rather than a total. Please tell me the new total for {line}.")
            }
            Aside::Foreign => format!("Your plan is in US dollars. Please give me {line} in dollars."),
        });
    }
    out
}

fn named(path: &str, situation: &Situation<'_>) -> String {
    field(path, situation).map_or_else(|| "that line".to_owned(), name)
}

fn field<'s>(path: &str, situation: &'s Situation<'_>) -> Option<&'s Field> {
    situation.fields.iter().find(|field| field.path.as_str() == path)
}

/// Asks for the next field that is still missing, first in the section being discussed; not for one of this very turn.
fn next(situation: &Situation<'_>, discussed: Option<&str>) -> Option<String> {
    let summary = results::summary(situation)?;
    let results = results::recorded(situation);
    let now: Vec<&str> = results.iter().flatten().map(|one| one.field.as_str()).collect();
    let open = || {
        let missing = summary.missing.iter().map(|missing| missing.path.as_str());
        missing
            .filter(|path| !now.contains(path))
            .filter_map(|path| field(path, situation))
    };
    let section = discussed.and_then(|path| path.split('.').next());
    // What was asked and not answered comes last.
    let asked = situation.asked.map(|at| &situation.fields[at].path);
    let passed = open().skip_while(|field| Some(&field.path) != asked).skip(1);
    let chosen = open()
        .find(|field| Some(field.path.section()) == section && Some(&field.path) != asked)
        .or_else(|| passed.chain(open()).next());
    chosen.map(question).or_else(|| {
        Some("All the key numbers of your plan are yours now. Ask me for your results whenever you like.".to_owned())
    })
}

fn missing(situation: &Situation<'_>) -> Vec<String> {
    let Some(summary) = results::summary(situation) else {
        return vec!["I can't look at your plan just now.".to_owned()];
    };
    let missing = summary.missing.iter();
    let names: Vec<String> = missing.map(|missing| named(missing.path.as_str(), situation)).collect();
    if names.is_empty() {
        return vec!["Nothing is missing: all the key numbers of your plan are your own.".to_owned()];
    }
    let (first, rest) = names.split_at(names.len().min(LISTED_MISSING));
    let still = if rest.is_empty() {
        format!("Still at the brand default: {}.", list(first))
    } else {
        format!(
            "{} key numbers are still at the brand default. The first of them: {}.",
            names.len(),
            list(first)
        )
    };
    vec![still, next(situation, None).unwrap_or_default()]
}

fn about(situation: &Situation<'_>, fields: &[usize]) -> Vec<String> {
    let mut seen = Vec::new();
    let mut parts = Vec::new();
    for field in fields.iter().take(3).map(|&i| &situation.fields[i]) {
        if seen.contains(&&field.path) {
            continue;
        }
        seen.push(&field.path);
        parts.extend(describe(situation, field));
    }
    if parts.is_empty() {
        parts.push("I can't look at your plan just now.".to_owned());
    }
    parts
}

fn describe(situation: &Situation<'_>, field: &Field) -> Option<String> {
    let summary = results::summary(situation)?;
    let line = summary.fields.iter().find(|line| line.path == field.path)?;
    let name = name(field);
    let state = match (&line.value, line.state) {
        (None, _) => format!("Your plan has no number for {name} yet."),
        (Some(value), state) => {
            let whose = match state {
                ValueState::Default => "the brand default, a planning figure until you replace it",
                ValueState::Yours => "which you entered",
                ValueState::Advisor => "as you told me",
                ValueState::Admin => "set by an administrator",
                ValueState::Other => "taken from elsewhere",
            };
            format!("{} stands at {value}, {whose}.", sentence(&name))
        }
    };
    Some(match &line.range {
        Some(range) => format!("{state} {}", reference(range)),
        None => format!("{state} There is no reference range for it."),
    })
}

/// What a key figure means, and where it stands.
fn meaning(situation: &Situation<'_>, name: &str) -> Vec<String> {
    let Some(metric) = metrics::find(name) else {
        return Vec::new();
    };
    let value = results::metrics(situation).and_then(|metrics| results::shown(metrics, name));
    let month = if metric.kind == MetricKind::Month { "month " } else { "" };
    let stands = value.map(|value| format!("With your plan as it stands it is {month}{value}."));
    vec![format!("{}: {}", metric.label, metric.help), stands.unwrap_or_default()]
}

fn reference(range: &Reference) -> String {
    let Reference { kind, low, high } = range;
    match kind {
        ReferenceKind::Item7 => {
            format!("The franchisor's published Item 7 estimate is {low} to {high}, for reference only.")
        }
        ReferenceKind::Typical => format!("The planning range is {low} to {high}, for reference only."),
    }
}

fn advice(situation: &Situation<'_>, fields: &[usize]) -> Vec<String> {
    let mut parts = vec!["You are the author of this plan, so I don't say which number to use.".to_owned()];
    parts.extend(fields.first().and_then(|&i| describe(situation, &situation.fields[i])));
    parts.push("Your disclosure document, accountant, lender or franchisees you know can help you decide.".to_owned());
    parts
}

/// Key results with what they rest on.
fn outcome(situation: &Situation<'_>) -> String {
    let Some(metrics) = results::metrics(situation) else {
        return "Your plan has no results yet: give me a first number and they will appear.".to_owned();
    };
    let month = |key: &str, reached: &str, never: &str| match results::shown(metrics, key) {
        Some(month) => format!("{reached} month {month}"),
        None => never.to_owned(),
    };
    let mut items = vec![
        month(
            "breakEvenMonth",
            "break-even comes in",
            "break-even is not reached within the 60 months",
        ),
        month(
            "paybackMonth",
            "your own money is paid back in",
            "your own money is not paid back within the 60 months",
        ),
    ];
    if let (Some(cash), Some(at)) = (
        results::shown(metrics, "lowestCash"),
        results::shown(metrics, "lowestCashMonth"),
    ) {
        items.push(format!("cash is lowest in month {at} at {cash}"));
    }
    if let Some(cover) = results::shown(metrics, "dscrYear1") {
        items.push(format!("{} is {cover}", results::label("dscrYear1")));
    }
    let summary = results::summary(situation);
    let basis = [
        "operatingCosts.rentMonthly",
        "financing.loanAmount",
        "revenue.monthlyAuv",
    ];
    let basis: Vec<String> = basis
        .iter()
        .filter_map(|path| {
            let line = summary
                .as_ref()?
                .fields
                .iter()
                .find(|line| line.path.as_str() == *path)?;
            Some(format!("{} {}", named(path, situation), line.value.as_ref()?))
        })
        .collect();
    let open = summary.as_ref().map_or(0, |summary| summary.missing.len());
    let basis = if basis.is_empty() {
        String::new()
    } else {
        format!(" They rest on your assumptions, among them {}.", list(&basis))
    };
    let open = match open {
        0 => String::new(),
        1 => " One key number is still at the brand default.".to_owned(),
        open => format!(" {open} key numbers are still at the brand default."),
    };
    let levers = weak_levers(situation);
    format!(
        "With the plan as it stands, {}.{basis}{open}{levers}\n\n{FOOTER}",
        list(&items)
    )
}

fn status(situation: &Situation<'_>) -> String {
    let Some(result) = situation.result("check_status") else {
        return "I'm here and working.".to_owned();
    };
    let says = |key: &str| result.get(key).and_then(Value::as_str).unwrap_or("unknown").to_owned();
    format!(
        "I'm here. The database says {}, the advisor says {}.",
        says("database"),
        says("model")
    )
}
