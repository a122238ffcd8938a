//! Numbers that the ear gave to lines which are not meant.

use crate::wording;
use plan_model::field::{Field, FieldPath, Kind};
use plan_model::number::Number;
use plan_reader::{Candidate, Choice, Source, Texts, Understanding, Vocabulary};
use rust_decimal::Decimal;

/// Takes from numbers the fields that their own sentence says they are not of: "the 4,000 is not rent".
pub(in crate::offline) fn without_denied(candidates: &mut Vec<Candidate>, message: &str, fields: &[Field]) {
    const DENIALS: [&str; 8] = [
        "not",
        "not for",
        "not my",
        "isn t",
        "isn t for",
        "no es",
        "no es para",
        "no es de",
    ];
    let is_denied = |said: &str, path: &FieldPath| {
        let field = fields.iter().find(|field| field.path == *path);
        let mut names = field.map(wording::names).unwrap_or_default().into_iter();
        names.any(|name| {
            DENIALS
                .iter()
                .any(|denial| said.contains(&format!(" {denial} {name} ")))
        })
    };
    let is_only = candidates.iter().filter(|one| one.source == Source::Message).count() == 1;
    for candidate in candidates.iter_mut().filter(|one| one.source == Source::Message) {
        let sentence = message.get(candidate.start..candidate.end).unwrap_or(message);
        let said = format!(" {} ", wording::plain(sentence));
        // "Our own money is 90,000", "plus I have 35k saved up" is no line of costs, and no loan.
        let is_own = is_own_money(message, candidate.number.0, is_only) && !wording::says(sentence, "w.loan");
        // Savings are what opening takes of them; cash on top of that is said to be so.
        let is_saved = wording::says(sentence, "w.saved");
        candidate.choices.retain(|choice| {
            let is_extra = !is_saved && choice.field.as_str() == "financing.additionalEquity";
            let is_other_money = is_own && !is_extra;
            !is_other_money && !is_denied(&said, &choice.field)
        });
    }
    candidates.retain(|candidate| !candidate.choices.is_empty());
}

/// Whether the clause of a number says that it is a person's own money, or the message of an only one.
pub(in crate::offline) fn is_own_money(message: &str, at: usize, is_only: bool) -> bool {
    const JOINS: [&str; 12] = [
        ", ", "; ", ". ", "! ", "? ", "\n", " and ", " plus ", " but ", " y ", " pero ", " más ",
    ];
    let before = message.get(..at).unwrap_or_default();
    let after = message.get(at..).unwrap_or_default();
    let begins = JOINS
        .iter()
        .filter_map(|join| Some(before.rfind(join)?.saturating_add(join.len())))
        .max();
    let ends = JOINS.iter().filter_map(|join| after.find(join)).min();
    let clause = format!(
        "{}{}",
        before.get(begins.unwrap_or(0)..).unwrap_or_default(),
        after.get(..ends.unwrap_or(after.len())).unwrap_or_default()
    );
    let says = |key: &str| wording::says(&clause, key);
    // "It's my own money that I put in, 35,000"
    let is_said = is_only && wording::says(message, "w.own_is") && !wording::says(message, "w.loan");
    is_said || says("w.own_is") || says("w.saved") && (says("w.has") || says("w.own"))
}

/// Takes from amounts of money the lines that the message does not name and that no business of the brand pays so much or so little for:
/// "two techs" are no $2 of rent, 35,000 of savings no rent.
pub(in crate::offline) fn without_absurd(
    understanding: &mut Understanding,
    texts: &Texts<'_>,
    vocabulary: &Vocabulary,
) {
    let times = Number::whole(5);
    let named = &understanding.named;
    let is_money = |choice: &Choice| {
        let mut fields = vocabulary.fields().iter();
        fields.any(|field| field.path == choice.field && field.kind == Kind::Money)
    };
    // "Two techs, 22 an hour" behind a question for rent.
    let has_digit = |one: &Candidate| {
        let said = texts.message.get(one.number.0..one.number.1);
        said.is_none_or(|said| said.contains(|c: char| c.is_ascii_digit()))
    };
    let is_absurd = |choice: &Choice, is_counted: bool| {
        let at = vocabulary.fields().iter().position(|field| field.path == choice.field);
        let Some((field, at)) = at.and_then(|at| Some((vocabulary.fields().get(at)?, at))) else {
            return false;
        };
        let disclosed = vocabulary.ranges().get(at).copied().flatten();
        let Some(range) = disclosed.or(field.soft).filter(|_| field.kind == Kind::Money) else {
            return false;
        };
        let is_above = |high: Number| choice.value.decimal() > high.decimal().saturating_mul(times.decimal());
        let is_below = |low: Number| choice.value.decimal().saturating_mul(times.decimal()) < low.decimal();
        let is_meant = named.contains(&choice.field) || is_counted && texts.asked.as_ref() == Some(&choice.field);
        !is_meant && (is_above(range.high) || is_below(range.low))
    };
    // "Why is year 1 lower?"
    let is_time = |one: &Candidate| {
        let before = wording::plain(texts.message.get(..one.number.0).unwrap_or_default());
        ["year", "yr", "ano", "month", "mes"]
            .iter()
            .any(|word| before.ends_with(&format!(" {word}")))
            && one.choices.iter().all(is_money)
    };
    let candidates = &mut understanding.candidates;
    candidates.retain(|one| one.source != Source::Message || !is_time(one));
    for one in candidates.iter_mut().filter(|one| one.source == Source::Message) {
        let is_counted = has_digit(one);
        one.choices.retain(|choice| !is_absurd(choice, is_counted));
    }
    candidates.retain(|one| !one.choices.is_empty());
}

/// Whether dollars are taken for those of the line that was talked about, where the message names other lines only: "rent maybe 4,800"
/// behind a question for labor.
pub(in crate::offline) fn is_of_another(understanding: &Understanding, texts: &Texts<'_>) -> bool {
    let named = &understanding.named;
    let mut shares = understanding.shares.iter();
    texts.advisor.is_some() && !named.is_empty() && shares.any(|one| !named.contains(&one.field))
}

/// "No, put 90" behind "you told me $90,000": a bare number that the last answer shows in thousands is of thousands.
pub(in crate::offline) fn in_thousands(candidates: &mut [Candidate], shown: &str, fields: &[Field]) {
    let least = Number::whole(100_000);
    let of_message = candidates.iter_mut().filter(|one| one.source == Source::Message);
    for choice in of_message.flat_map(|one| &mut one.choices) {
        let is_money = |field: &&Field| field.path == choice.field && field.kind == Kind::Money;
        let small = fields.iter().find(is_money).filter(|_| choice.value < least);
        let thousands = choice
            .value
            .decimal()
            .checked_mul(Decimal::ONE_THOUSAND)
            .map(Number::new);
        if let (Some(field), Some(value)) = (small, thousands)
            && wording::contains(shown, &field.kind.show(value))
        {
            choice.value = value;
        }
    }
}
