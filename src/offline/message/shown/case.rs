//! The case that an answer shows, in the words in which it was told: "With rent per month at $5,000 instead of $4,500, …"

use crate::offline::answers;
use crate::offline::message::ask;
use crate::wording;
use llm_client::ChatMessage;
use plan_model::field::{Field, Kind};
use plan_model::language::Language;
use plan_model::number::Number;
use plan_reader::{Change, FieldChange};
use rust_decimal::Decimal;
use std::ops::Range;

/// Stands for a value while a text is taken apart.
const VALUE: &str = "\u{1}";

/// What a case asks for, or is computed with: its values, in their order; none where the answer shows no case.
pub(in crate::offline) fn case(answer: &str, fields: &[Field]) -> Vec<FieldChange> {
    if let Some(asked) = ask::case_asked(answer) {
        return values(asked, "s.whatif.item", fields);
    }
    // "Save that as low. Then what if I hit 64,000": what was computed last.
    let computed = values(answer, "whatif.item", fields);
    match kept(answer).filter(|_| computed.is_empty()) {
        Some((_, items)) => values(items, "said.item", fields),
        None => computed,
    }
}

/// The saved cases that an answer keeps, would adopt or compares, each by its name with its values.
pub(in crate::offline) fn named<'t>(answer: &'t str, fields: &[Field]) -> Vec<(&'t str, Vec<FieldChange>)> {
    let compared = |line: &'t str| {
        let mut languages = Language::ALL.iter();
        languages.find_map(|language| told(line, *language, "compared.item").map(|[name, items, _]| (name, items)))
    };
    let all: Vec<(&str, &str)> = match kept(answer) {
        Some(kept) => vec![kept],
        None => answer.lines().filter_map(compared).collect(),
    };
    all.into_iter()
        .map(|(name, items)| (name, values(items, "said.item", fields)))
        .collect()
}

/// The names of the saved cases that the answers have told, each once, the newest first.
pub(in crate::offline) fn names_kept<'t>(before: &'t [ChatMessage], fields: &[Field]) -> Vec<&'t str> {
    let mut names: Vec<&str> = Vec::new();
    for (name, _) in answers(before).flat_map(|text| named(text, fields)) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

/// Whether a message has a name, word for word.
pub(in crate::offline) fn says_name(message: &str, name: &str) -> bool {
    let said = format!(" {} ", wording::plain(message));
    said.contains(&format!(" {} ", wording::plain(name)))
}

/// A saved case that an answer keeps or would adopt: its name, and its values in words.
fn kept(answer: &str) -> Option<(&str, &str)> {
    let kept = |language| told(answer, language, "saved").map(|[name, items, _]| (name, items));
    let adopted = |language| told(answer, language, "ask.adopt").map(|[_, name, items]| (name, items));
    let mut languages = Language::ALL.iter();
    languages.find_map(|language| kept(*language).or_else(|| adopted(*language)))
}

/// What stands in the first three slots of a text, in its order.
fn told<'t>(answer: &'t str, language: Language, key: &str) -> Option<[&'t str; 3]> {
    let slots = ["name", "items", "count", "effects"].map(|slot| (slot, VALUE));
    let text = wording::say(language, key, &slots);
    let mut fixed = text.split(VALUE);
    let mut rest = answer.split_once(fixed.next()?)?.1;
    let mut next = || {
        let (said, behind) = rest.split_once(fixed.next()?)?;
        rest = behind;
        Some(said)
    };
    Some([next()?, next()?, next()?])
}

/// The value with which an answer reaches a goal: "1.25× with loan amount at about $172,884".
pub(in crate::offline) fn sought(answer: &str, fields: &[Field]) -> Vec<FieldChange> {
    values(answer, "goal.reached", fields)
}

fn values(text: &str, key: &'static str, fields: &[Field]) -> Vec<FieldChange> {
    let mut found: Vec<(Range<usize>, FieldChange)> = Vec::new();
    let mut names: Vec<(&Field, String, String)> = fields.iter().flat_map(|field| written(field, key)).collect();
    // "Rent per month" stands in "minimum rent per month", too.
    names.sort_by_key(|(_, before, _)| std::cmp::Reverse(before.len()));
    for (field, before, behind) in names {
        for (at, _) in text.match_indices(&before) {
            let range = at..at + before.len();
            let value = value_of(field.kind, &text[range.end..], &behind);
            let Some(value) = value.filter(|_| !found.iter().any(|(other, _)| overlaps(other, &range))) else {
                continue;
            };
            let change = FieldChange {
                field: field.path.clone(),
                change: Change::To(value),
            };
            if !found.iter().any(|(_, other)| other.field == field.path) {
                found.push((range, change));
            }
        }
    }
    found.sort_by_key(|(range, _)| range.start);
    found.into_iter().map(|(_, change)| change).collect()
}

fn overlaps(one: &Range<usize>, other: &Range<usize>) -> bool {
    one.start < other.end && other.start < one.end
}

/// What stands before the value of a field and behind it, in each language.
fn written<'f>(field: &'f Field, key: &'static str) -> impl Iterator<Item = (&'f Field, String, String)> {
    Language::ALL.iter().filter_map(move |language| {
        let name = wording::name(*language, field);
        let text = wording::say(
            *language,
            key,
            &[("name", &name), ("value", VALUE), ("before", VALUE), ("now", VALUE)],
        );
        let mut parts = text.split(VALUE);
        let before = parts.next()?;
        let named = &before[before.rfind(&name)?..];
        Some((field, named.to_owned(), parts.next()?.to_owned()))
    })
}

/// The number at the beginning of a text: "$5,000", "month 13", "38%". `None` where something else stands behind it.
fn value_of(kind: Kind, text: &str, behind: &str) -> Option<Number> {
    // Of several the last ends with the question.
    let ends = [", ", " and ", " y ", "?"];
    let end = match behind {
        "" => ends.iter().filter_map(|end| text.find(end)).min().unwrap_or(text.len()),
        behind => text.find(behind)?,
    };
    let said = &text[..end];
    let digits: String = said.chars().filter(|c| c.is_ascii_digit() || *c == '.').collect();
    let amount: Decimal = digits.parse().ok()?;
    let amount = match kind {
        Kind::Money => amount.checked_mul(Decimal::ONE_HUNDRED)?,
        Kind::Percent => amount.checked_div(Decimal::ONE_HUNDRED)?,
        _ => amount,
    };
    let is_negative = said.starts_with(['-', '−']);
    let amount = match is_negative {
        true => Decimal::ZERO.checked_sub(amount)?,
        false => amount,
    };
    Some(Number::new(amount))
}
