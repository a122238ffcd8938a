//! Years and months of the plan: "year 2", "yr3", "the second year", "month six", "EOM 6", "mes 9".

use crate::grammar::Message;
use crate::lex::{Kind, Token};
use rust_decimal::prelude::ToPrimitive;

/// Months of a plan.
pub(super) const MONTHS: u8 = 60;

/// Years of a plan.
pub(super) const YEARS: u8 = 5;

/// A time of the plan: year (1 to 5) or month (1 to 60); neither where none is meant.
pub(crate) type Time = (Option<u8>, Option<u8>);

/// The first year and the first month that a message names.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct When {
    pub year: Option<u8>,
    pub month: Option<u8>,
}

const YEAR: [&str; 8] = ["year", "years", "yr", "yrs", "y", "ano", "anos", "ejercicio"];
const MONTH: [&str; 7] = ["month", "mo", "mth", "mes", "months", "eom", "m"];
const NTH: [&[&str]; 19] = [
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
];

/// Tens behind which an ordinal counts on, and ordinals of their own.
const TENS: [(&str, &str, u8); 5] = [
    ("twenty", "twentieth", 20),
    ("thirty", "thirtieth", 30),
    ("forty", "fortieth", 40),
    ("fifty", "fiftieth", 50),
    ("sixty", "sixtieth", 60),
];

/// Whether a word says that a year or a month follows.
pub(crate) fn is_unit(token: &Token) -> bool {
    YEAR.contains(&token.word()) || MONTH.contains(&token.word())
}

/// The years that are named, each once, in the order of the message: "year 1 and year 3", "years 1, 2 and 3", "the first three years".
pub(super) fn years(message: &Message<'_>) -> Vec<u8> {
    let mut out = Vec::new();
    for at in 0..message.tokens.len() {
        let named = match first_years(message, at) {
            Some(last) => (1..=last).collect(),
            None => listed_years(message, at),
        };
        for year in named {
            if (1..=YEARS).contains(&year) && !out.contains(&year) {
                out.push(year);
            }
        }
    }
    out
}

/// "The first three years", "all five years": the last of them.
fn first_years(message: &Message<'_>, at: usize) -> Option<u8> {
    let is_years = matches!(message.tokens[at].word(), "years" | "yrs" | "anos");
    let before = |steps| at.checked_sub(steps).map(|at| message.tokens[at].word());
    let count = at
        .checked_sub(1)
        .filter(|_| is_years)
        .and_then(|at| number(message, at))?;
    // "Los primeros tres años", "los tres primeros años" has the number elsewhere.
    let is_first = matches!(before(2), Some("first" | "all" | "next" | "primeros" | "proximos"));
    is_first.then_some(count).filter(|count| *count > 1)
}

/// The years behind a word such as "year", or the one before it.
fn listed_years(message: &Message<'_>, at: usize) -> Vec<u8> {
    let tokens = &message.tokens;
    let mut out: Vec<u8> = nths_before(message, at)
        .into_iter()
        .chain(year_at(message, at))
        .collect();
    let mut next = at + 2;
    while YEAR.contains(&tokens[at].word()) && !out.is_empty() {
        let joins = tokens[next.min(tokens.len())..]
            .iter()
            .take_while(|token| joins_years(token))
            .count();
        let is_span =
            |token: &Token| matches!(token.word(), "to" | "through" | "thru" | "a" | "al") || token.is_mark('-');
        let spans = joins == 1 && is_span(&tokens[next]);
        // Of "1-3" the second number is no amount of its own; "2 y 3" is one.
        let figure = tokens.get(next + joins).and_then(|token| token.figure()?.value.to_u8());
        let year = figure
            .or_else(|| number(message, next + joins))
            .filter(|year| joins > 0 && (1..=YEARS).contains(year));
        // "Year 1 and 3 months" names another unit.
        let is_other = tokens
            .get(next + joins + 1)
            .is_some_and(|token| is_unit(token) && !joins_years(token));
        let Some(year) = year.filter(|_| !is_other) else {
            break;
        };
        let last = out.last().copied().filter(|_| spans).unwrap_or(year);
        out.extend(last..year);
        out.push(year);
        next += joins + 1;
    }
    out
}

/// "The first, second and third year": those before the last.
fn nths_before(message: &Message<'_>, at: usize) -> Vec<u8> {
    let before = |steps| at.checked_sub(steps).and_then(|at| message.tokens.get(at));
    let mut out = Vec::new();
    if !YEAR.contains(&message.tokens[at].word()) || before(1).and_then(nth).is_none() {
        return out;
    }
    let mut steps = 2;
    while before(steps).is_some_and(joins_years) {
        // "The first, and the second"
        let is_joined = |token: &Token| joins_years(token) || matches!(token.word(), "the" | "el" | "la");
        while before(steps).is_some_and(is_joined) {
            steps += 1;
        }
        let Some(nth) = before(steps).and_then(nth) else { break };
        out.insert(0, nth);
        steps += 1;
    }
    out
}

fn joins_years(token: &Token) -> bool {
    const WORDS: [&str; 11] = [
        "and", "y", "vs", "versus", "to", "through", "thru", "a", "al", "o", "or",
    ];
    WORDS.contains(&token.word()) || [',', '&', '-', '/'].iter().any(|mark| token.is_mark(*mark))
}

/// The year that a word such as "year" names, with the number behind it or the ordinal before it.
fn year_at(message: &Message<'_>, at: usize) -> Option<u8> {
    let tokens = &message.tokens;
    let before = || at.checked_sub(1).and_then(|at| nth(&tokens[at]));
    let year = || number(message, at + 1).filter(|year| (1..=YEARS).contains(year));
    YEAR.contains(&tokens[at].word())
        .then(|| year().or_else(before))
        .flatten()
}

/// Years and months as words name them.
pub(crate) fn when(message: &Message<'_>) -> When {
    let tokens = &message.tokens;
    let mut out = When::default();
    for at in 0..tokens.len() {
        let word = tokens[at].word();
        let before = || at.checked_sub(1).and_then(|at| nth(&tokens[at]));
        if YEAR.contains(&word) {
            out.year = out.year.or_else(|| year_at(message, at));
        } else if MONTH.contains(&word) {
            let month = number(message, at + 1).filter(|month| (1..=60).contains(month));
            // "The first months" are no month.
            let before = || before().filter(|_| word != "months");
            out.month = out.month.or(month).or_else(before);
        }
    }
    out
}

/// The whole number that begins at a token.
fn number(message: &Message<'_>, at: usize) -> Option<u8> {
    if let Some(amount) = message.amounts.iter().find(|amount| amount.from == at) {
        let whole = amount.value.to_u8();
        return whole.filter(|whole| amount.value == (*whole).into() && !amount.marked);
    }
    let word = message.tokens.get(at)?.word();
    matches!(word, "one" | "uno").then_some(1)
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
    tens.or_else(nth)
}

/// "Twenty fourth": the tens before an ordinal.
pub(crate) fn tens(token: &Token) -> Option<u8> {
    let tens = TENS.iter().find(|(tens, ..)| *tens == token.word());
    tens.map(|(.., tens)| *tens)
}
