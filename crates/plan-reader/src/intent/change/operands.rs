//! The words of a case that change a value without a number: "double", "without", "a point", "another month".

use crate::ear::spots::{Spot, Spots};
use crate::grammar::Message;
use crate::intent::calendar;
use crate::intent::phrasebook::CHANGES;
use crate::lex::Unit;
use rust_decimal::Decimal;
use std::ops::Range;

/// Times of which one is said without a number.
const ONE_TIME: [(&str, Unit); 6] = [
    ("month", Unit::Months),
    ("mes", Unit::Months),
    ("year", Unit::Years),
    ("ano", Unit::Years),
    ("week", Unit::Weeks),
    ("semana", Unit::Weeks),
];

/// Words before what there is one more or less of.
const ONE: [&str; 15] = [
    "a",
    "an",
    "one",
    "un",
    "una",
    "another",
    "otro",
    "otra",
    "extra",
    "additional",
    "full",
    "whole",
    "entire",
    "mas",
    "more",
];

/// The numbers of a case, and the words that are operands of a change.
pub(crate) fn operands<'m>(message: &'m Message<'m>, most: usize) -> Spots<'m> {
    let parts = message.parts.iter().enumerate();
    let words: Vec<Spot> = parts
        .flat_map(|(nth, part)| words(message, nth, &part.sentence.tokens))
        .collect();
    Spots::with(message, most, &words)
}

fn words(message: &Message<'_>, part: usize, range: &Range<usize>) -> Vec<Spot> {
    let word = |at: usize| message.tokens.get(at).map_or("", |token| token.word());
    let is_amount = |at: usize| {
        message
            .amounts
            .iter()
            .any(|amount| (amount.from..amount.to).contains(&at))
    };
    let is_behind = |at: usize| message.amounts.iter().any(|amount| amount.to == at);
    let of = |at: usize| {
        let has = |kind: &str| CHANGES.has(kind, word(at));
        let before = at.checked_sub(1).map_or("", word);
        let is_one = ONE.contains(&before) && !at.checked_sub(1).is_some_and(is_behind);
        let time = ONE_TIME.iter().find(|(time, _)| *time == word(at));
        let half = ["half", "medio", "media"];
        let is_half = half.contains(&before) || before == "a" && at > 1 && half.contains(&word(at - 2));
        let and_half = matches!((word(at + 1), word(at + 2)), ("and", "a") | ("y", "medio" | "media"));
        if has("double") {
            Some((Decimal::TWO, Unit::Multiple))
        } else if has("triple") {
            Some((Decimal::from(3), Unit::Multiple))
        } else if has("half") {
            Some((Decimal::new(5, 1), Unit::Fraction))
        } else if has("point") && !is_behind(at) && (is_half || ONE.contains(&before)) {
            // "a point and a half"
            let has_half = matches!(
                (word(at + 1), word(at + 2), word(at + 3)),
                ("and", "a", "half") | ("y", "medio" | "media", _)
            );
            Some((Decimal::new(if has_half { 15 } else { 10 }, 1), Unit::Percent))
        } else if let (Some((_, unit)), true) = (time, is_half || is_one && and_half) {
            Some((Decimal::new(if is_half { 5 } else { 15 }, 1), *unit))
        } else if has("nothing") || word(at) == "w" && word(at + 2) == "o" {
            Some((Decimal::ZERO, Unit::Bare))
        } else {
            time.filter(|_| is_one && !is_behind(at))
                .map(|(_, unit)| (Decimal::ONE, *unit))
        }
    };
    let free = range.clone().filter(|at| !is_amount(*at));
    let nth = |at: usize| calendar::nth(&message.tokens[at]).map(|nth| (Decimal::from(nth), Unit::Months));
    let words = free.filter_map(|at| Some((at, of(at).or_else(|| nth(at))?)));
    words
        .map(|(at, (value, unit))| Spot::word(part, at, value, unit))
        .collect()
}
