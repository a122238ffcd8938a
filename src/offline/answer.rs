//! Words about what the tools returned: short, in plain English, one question at the end.

mod facts;
mod recorded;

use crate::offline::ask::{name, question};
use crate::offline::cases::{compared, levers, saved, what_if};
use crate::offline::intent::{Intent, Topic};
use crate::offline::prose::{ONLY_ENGLISH, fixed, is_spanish, list};
use crate::offline::results;
use crate::offline::situation::Situation;
use facts::{about, advice, meaning, outcome, status};
use plan_model::field::{Field, FieldRole, find};
use recorded::{record, undone};

/// Of the key numbers still at the brand default, how many are named.
const LISTED_MISSING: usize = 3;

/// The answer to one intent, with whatever results there are.
pub fn answer(intent: &Intent, situation: &Situation<'_>) -> String {
    let parts = match intent {
        Intent::Record(_, ignored) => record(situation, ignored),
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
pub const fn asks_on(topic: Topic) -> bool {
    matches!(topic, Topic::Greeting)
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

/// A value as it is spoken of: the number of a month is "month 13", not "13 months".
pub fn shown(path: &str, value: &str) -> String {
    let number = value.split(' ').next().unwrap_or_default();
    if find(path).is_some_and(|field| field.role == FieldRole::StartMonth) {
        format!("month {number}")
    } else {
        value.to_owned()
    }
}

/// The one question whose yes writes the value.
fn asks(value: String, name: &str) -> String {
    format!("Shall I write down {value} for {name}?")
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
    let section = discussed.and_then(|path| Some(field(path, situation)?.path.section()));
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
