//! Years and months of the plan: "year 2", "yr3", "the second year", "month six", "EOM 6", "mes 9".

use crate::grammar::Message;
use crate::lex::{Kind, Token};
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
const NTH: [&[&str]; 20] = [
    &[
        "first", "1st", "primer", "primero", "primera", "frist", "opening", "initial",
    ],
    &["second", "secnd", "2nd", "segundo", "segunda"],
    &["third", "3rd", "tercer", "tercero"],
    &["fourth", "4th", "cuarto", "cuarta"],
    &["fifth", "5th", "quinto", "quinta", "5to"],
    &["sixth", "sexto"],
    &["seventh", "septimo"],
    &["eighth", "octavo"],
    &["ninth", "noveno"],
    &["tenth", "decimo"],
    &["eleventh", "undecimo"],
    &["twelfth", "duodecimo"],
    &["thirteenth"],
    &["fourteenth"],
    &["fifteenth"],
    &["sixteenth"],
    &["seventeenth"],
    &["eighteenth"],
    &["nineteenth"],
    &["twentieth"],
];

/// Tens behind which an ordinal counts on, and ordinals of their own.
const TENS: [(&str, &str, u8); 5] = [
    ("twenty", "", 20),
    ("thirty", "thirtieth", 30),
    ("forty", "fortieth", 40),
    ("fifty", "fiftieth", 50),
    ("sixty", "sixtieth", 60),
];

/// Whether a word says that a year or a month follows.
pub(crate) fn is_unit(token: &Token) -> bool {
    YEAR.contains(&token.word()) || MONTH.contains(&token.word())
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
    let word = token.word();
    let tens = TENS.iter().find(|(_, nth, _)| *nth == word).map(|(.., nth)| *nth);
    let nth = || u8::try_from(NTH.iter().position(|words| words.contains(&word))? + 1).ok();
    tens.filter(|_| !word.is_empty()).or_else(nth)
}

/// "Twenty fourth": the tens before an ordinal.
pub(crate) fn tens(token: &Token) -> Option<u8> {
    let tens = TENS.iter().find(|(tens, ..)| *tens == token.word());
    tens.map(|(.., tens)| *tens)
}
