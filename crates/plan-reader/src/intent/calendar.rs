//! Years and months of the plan: "year 2", "yr3", "the second year", "month six", "EOM 6", "mes 9".

use crate::grammar::Message;
use crate::lex::{Amount, Kind, Token, Unit};
use rust_decimal::prelude::ToPrimitive;
use std::ops::Range;

/// A year or a month, and the tokens that say it.
#[derive(Clone, Debug, Default)]
pub(crate) struct When {
    pub year: Option<u8>,
    pub month: Option<u8>,
    pub said: Vec<Range<usize>>,
}

const YEAR: [&str; 8] = ["year", "years", "yr", "yrs", "y", "ano", "anos", "ejercicio"];
const MONTH: [&str; 7] = ["month", "mo", "mth", "mes", "months", "eom", "m"];
const NTH: [&[&str]; 5] = [
    &["first", "1st", "primer", "primero", "opening", "initial"],
    &["second", "2nd", "segundo", "segunda"],
    &["third", "3rd", "tercer", "tercero"],
    &["fourth", "4th", "cuarto", "cuarta"],
    &["fifth", "5th", "quinto", "quinta"],
];

/// Year or month at the end of a time that is named by its length: "the balance three years in", "what we owe eighteen months after opening". Only
/// where a figure is asked for: elsewhere it may be a loan's term.
pub(super) fn at_the_end_of(message: &Message<'_>, words: &str) -> Option<(Option<u8>, Option<u8>)> {
    let of = |amount: &Amount| {
        let length = amount.value.to_u8().filter(|length| amount.value == (*length).into())?;
        match amount.unit {
            Unit::Years => (1..=5).contains(&length).then_some((Some(length), None)),
            Unit::Months => (1..=60).contains(&length).then_some((None, Some(length))),
            _ => None,
        }
    };
    let is_a_year = || {
        ["after a year", "after one year", "despues de un ano", "cabo de un ano"]
            .iter()
            .any(|said| words.contains(said))
    };
    let end = message.amounts.iter().find_map(of);
    end.or_else(|| is_a_year().then_some((Some(1), None)))
}

/// "And the year after?": the time that was talked about, moved as the words say.
pub(super) fn moved((year, month): (Option<u8>, Option<u8>), words: &str) -> (Option<u8>, Option<u8>) {
    const LATER: [&str; 7] = [
        " after ",
        " next ",
        " following ",
        " later ",
        " siguiente ",
        " despues ",
        " que viene ",
    ];
    const EARLIER: [&str; 6] = [
        " before ",
        " previous ",
        " prior ",
        " earlier ",
        " anterior ",
        " antes ",
    ];
    let says = |moves: &[&str]| moves.iter().any(|said| words.contains(said));
    let step = |time: u8| match (says(&LATER), says(&EARLIER)) {
        (true, false) => time + 1,
        (false, true) => time.saturating_sub(1),
        _ => time,
    };
    let year = year.map(step).filter(|year| (1..=5).contains(year));
    (year, month.map(step).filter(|month| (1..=60).contains(month)))
}

/// The first year and the first month that a message names.
pub(crate) fn when(message: &Message<'_>) -> When {
    let tokens = &message.tokens;
    let mut out = When::default();
    for at in 0..tokens.len() {
        let word = tokens[at].word();
        if YEAR.contains(&word) {
            if let Some((year, said)) = number(message, at + 1).filter(|(year, _)| (1..=5).contains(year)) {
                out.year = out.year.or(Some(year));
                // "years 4 and 5"
                let more = |at: usize| matches!(tokens.get(at).map_or("", Token::word), "and" | "y" | "to" | "a");
                let other = Some(said.end)
                    .filter(|at| more(*at))
                    .and_then(|at| number(message, at + 1));
                let is_list = matches!(word, "years" | "yrs" | "anos");
                let end = other
                    .filter(|(year, _)| is_list && (1..=5).contains(year))
                    .map_or(said.end, |(_, other)| other.end);
                out.said.push(at..end);
            } else if let Some(year) = at.checked_sub(1).and_then(|at| nth(&tokens[at])) {
                out.year = out.year.or(Some(year));
                out.said.push(at - 1..at + 1);
            }
        } else if MONTH.contains(&word) {
            if let Some((month, said)) = number(message, at + 1).filter(|(month, _)| (1..=60).contains(month)) {
                out.month = out.month.or(Some(month));
                out.said.push(at..said.end);
            } else if let Some(month) = at
                .checked_sub(1)
                // "The first months" are no month.
                .filter(|_| word != "months")
                .and_then(|at| nth(&tokens[at]))
            {
                out.month = out.month.or(Some(month));
                out.said.push(at - 1..at + 1);
            }
        }
    }
    out
}

/// The whole number that begins at a token.
fn number(message: &Message<'_>, at: usize) -> Option<(u8, Range<usize>)> {
    if let Some(amount) = message.amounts.iter().find(|amount| amount.from == at) {
        let value = amount
            .value
            .to_u8()
            .filter(|value| amount.value == (*value).into() && !amount.marked)?;
        return Some((value, at..amount.to));
    }
    let word = message.tokens.get(at)?.word();
    matches!(word, "one" | "uno").then(|| (1, at..at + 1))
}

/// The place that an ordinal says: "second", "13th".
pub(crate) fn nth(token: &Token) -> Option<u8> {
    if let Kind::Figure(figure) = &token.kind {
        let is_ordinal = figure.suffix == crate::lex::Suffix::Ordinal;
        return figure.value.to_u8().filter(|nth| is_ordinal && (1..=60).contains(nth));
    }
    let nth = NTH.iter().position(|words| words.contains(&token.word()))?;
    u8::try_from(nth + 1).ok()
}
