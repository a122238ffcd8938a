//! A simple finder of numbers, independent of the code that it checks: digits and number words with their own magnitude, and what
//! they come to in a field's unit.

use plan_model::field::{Field, Kind};
use plan_model::period::Period;
use rust_decimal::Decimal;
use std::collections::BTreeSet;

/// More sums than these are not tried.
const MOST_SUMS: usize = 4_000;

/// The numbers of a text in their order, each with the values that it may have.
pub fn numbers(text: &str) -> Vec<BTreeSet<Decimal>> {
    let words = words(text);
    let (mut out, mut at) = (Vec::new(), 0);
    while at < words.len() {
        let (values, next) = digits(&words, at).or_else(|| spoken(&words, at)).unwrap_or_default();
        if values.is_empty() {
            at += 1;
            continue;
        }
        let mut all = BTreeSet::new();
        for value in values {
            let negative = at > 0 && matches!(words[at - 1].as_str(), "-" | "minus");
            let mut add = |value: Decimal| {
                all.insert(value.normalize());
                all.extend(negative.then_some(-value.normalize()));
            };
            let part = fraction(&words, next).filter(|_| word(&words, next) == "and");
            let whole = part.map_or((value, next), |(part, next)| (value + part, next));
            let skip = usize::from(word(&words, whole.1) == "a");
            match magnitude(word(&words, whole.1 + skip)) {
                Some(size) => add(whole.0 * size),
                None => add(whole.0),
            }
            add(if word(&words, whole.1).starts_with("cent") {
                whole.0 / Decimal::ONE_HUNDRED
            } else {
                whole.0
            });
        }
        out.push(all);
        at = next;
    }
    out
}

/// Lower-case words, digits with the marks inside them, and every other character for itself.
fn words(text: &str) -> Vec<String> {
    let lower: Vec<char> = text.to_lowercase().chars().collect();
    let is_digit = |at: usize| lower.get(at).is_some_and(char::is_ascii_digit);
    let (mut out, mut at) = (Vec::new(), 0);
    while at < lower.len() {
        let start = at;
        if is_digit(at) || (lower[at] == '.' && is_digit(at + 1)) {
            while is_digit(at) || (matches!(lower.get(at), Some('.' | ',')) && is_digit(at + 1)) {
                at += 1;
            }
        } else if lower[at].is_alphabetic() {
            while lower.get(at).is_some_and(|c| c.is_alphabetic()) {
                at += 1;
            }
        } else {
            at += 1;
        }
        let word: String = lower[start..at].iter().collect();
        out.extend(Some(word).filter(|word| !word.trim().is_empty()));
    }
    out
}

fn word(words: &[String], at: usize) -> &str {
    words.get(at).map_or("", String::as_str)
}

/// `4200`, `4,200.50`, `½`; groups must be of three digits.
fn digits(words: &[String], at: usize) -> Option<(Vec<Decimal>, usize)> {
    let text = word(words, at);
    let part = |text: &str| {
        Some(Decimal::new(
            ["¼", "½", "¾"].iter().position(|sign| *sign == text)? as i64 * 25 + 25,
            2,
        ))
    };
    if let Some(part) = part(text) {
        return Some((vec![part], at + 1));
    }
    let (whole, decimals) = text.split_once('.').unwrap_or((text, ""));
    let groups: Vec<&str> = whole.split(',').collect();
    let grouped = groups.len() == 1 || (groups[0].len() <= 3 && groups[1..].iter().all(|group| group.len() == 3));
    if !grouped || !text.contains(|c: char| c.is_ascii_digit()) || text.len() > 20 {
        return None;
    }
    let value: Decimal = format!("0{}.{decimals}0", groups.concat()).parse().ok()?;
    match part(word(words, at + 1)) {
        Some(part) => Some((vec![value + part], at + 2)),
        None => Some((vec![value], at + 1)),
    }
}

const SMALL: [&str; 20] = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
];
const TENS: [&str; 8] = [
    "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety",
];

fn small(word: &str) -> Option<i64> {
    let tens = || TENS.iter().position(|ten| *ten == word).map(|at| at as i64 * 10 + 20);
    let word = if word == "fourty" { "forty" } else { word };
    SMALL
        .iter()
        .position(|small| *small == word)
        .map(|at| at as i64)
        .or_else(tens)
}

fn magnitude(word: &str) -> Option<Decimal> {
    Some(Decimal::from(match word {
        "hundred" | "hundo" => 100,
        "k" | "thousand" | "thou" | "grand" => 1_000,
        "m" | "mm" | "mil" | "mill" | "million" => 1_000_000,
        _ => return None,
    }))
}

/// "a half", "three quarters", also behind "and".
fn fraction(words: &[String], at: usize) -> Option<(Decimal, usize)> {
    let at = at + usize::from(word(words, at) == "and");
    let count = match word(words, at) {
        "a" | "one" => (1, at + 1),
        "three" => (3, at + 1),
        _ => (1, at),
    };
    match word(words, count.1) {
        "half" => Some((Decimal::new(5, 1), count.1 + 1)),
        "quarter" | "quarters" => Some((Decimal::new(25 * count.0, 2), count.1 + 1)),
        _ => None,
    }
}

/// Every number that the words from `at` on can be: "two hundred and ten thousand", "twenty six fifty", "half".
fn spoken(words: &[String], at: usize) -> Option<(Vec<Decimal>, usize)> {
    if let Some((value, next)) = fraction(words, at).filter(|_| word(words, at) != "and") {
        return Some((vec![value], next));
    }
    let article = |at: usize| matches!(word(words, at), "a" | "an") && magnitude(word(words, at + 1)).is_some();
    let (mut total, mut group, mut next) = (0_i64, None::<i64>, at);
    let mut loose: Option<i64> = None;
    let mut out = Vec::new();
    loop {
        let here = word(words, next);
        // "nine and three quarters" ends at nine.
        let is_joint = next > at
            && (here == "and" || here == "-")
            && small(word(words, next + 1)).is_some()
            && fraction(words, next).is_none();
        if is_joint {
            next += 1;
            continue;
        }
        if article(next) && next == at {
            (group, next) = (Some(1), next + 1);
        } else if let Some(value) = small(here) {
            // "ten two" is two numbers.
            let follows = |known: i64| known % 100 == 0 || value >= 10 || (known % 10 == 0 && known % 100 >= 20);
            if group.is_some_and(|known| !follows(known)) {
                break;
            }
            match group {
                // "twenty six" and "two hundred six" add up; "two eighty" and "twenty six fifty" are said in hundreds.
                Some(known) if value >= 10 && known < 100 => loose = Some(known * 100 + value),
                Some(known) => loose = loose.map(|loose| loose + value).filter(|_| known < 100),
                None => {}
            }
            group = Some(group.unwrap_or(0) + value);
            next += 1;
        } else if let (Some(size), Some(known)) = (magnitude(here).filter(|_| group.is_some() && here.len() > 2), group)
        {
            let size = i64::try_from(size).ok()?;
            if size == 100 {
                group = Some(known * 100);
            } else {
                total += known * size;
                group = None;
                out.push(total);
            }
            loose = None;
            next += 1;
            if group.is_none() && small(word(words, next)).is_none() && word(words, next) != "and" {
                break;
            }
        } else {
            break;
        }
        out.push(total + group.unwrap_or(0));
        out.extend(loose);
    }
    if let Some((part, end)) = behind_point(words, next).filter(|_| !out.is_empty()) {
        return Some((vec![Decimal::from(total + group.unwrap_or(0)) + part], end));
    }
    (next > at && !out.is_empty()).then(|| (out.into_iter().map(Decimal::from).collect(), next))
}

/// "point seven five" or "point twenty five".
fn behind_point(words: &[String], at: usize) -> Option<(Decimal, usize)> {
    if word(words, at) != "point" {
        return None;
    }
    let said: String = words[at + 1..]
        .iter()
        .map_while(|word| small(word).filter(|digit| *digit < 10))
        .map(|digit| digit.to_string())
        .collect();
    if !said.is_empty() {
        return Some((format!("0.{said}").parse().ok()?, at + 1 + said.len()));
    }
    let tens = small(word(words, at + 1)).filter(|tens| *tens >= 10)?;
    match small(word(words, at + 2)).filter(|unit| tens >= 20 && *unit < 10) {
        Some(unit) => Some((Decimal::new(tens + unit, 2), at + 3)),
        None => Some((Decimal::new(tens, 2), at + 2)),
    }
}

/// How a call counts: the words of its `unit` and its `period`, empty where it has none.
#[derive(Clone, Debug, Default)]
pub struct Counted {
    pub unit: String,
    pub period: String,
}

/// Whether a field's value is one of the numbers of the text or a sum of them, by the call's own unit and period, the field's, or
/// one that the turn's words name.
pub fn is_said(value: Decimal, field: &Field, call: &Counted, text: &str, all_words: &str) -> bool {
    let lower = all_words.to_lowercase();
    let names = |words: &[&str]| words.iter().any(|word| lower.contains(word));
    if value.is_zero() && names(&["no", "zero", "free", "0", "cero", "flat"]) {
        return true;
    }
    let mut rates: Vec<(i64, i64)> = vec![(1, 1)];
    let mut counted = |name: &str, words: &[&str], rate: (i64, i64)| {
        if call.unit == name || call.period == name || names(words) {
            rates.push(rate);
        }
    };
    let per_year = field.period.and_then(Period::per_year).unwrap_or(0);
    match field.kind {
        Kind::Money if per_year > 0 => {
            counted("weekly", &["week", "wk"], (52, per_year));
            counted("biweekly", &["week", "wk"], (26, per_year));
            counted("monthly", &["month", "mo", "mth", "mnth"], (12, per_year));
            counted("quarterly", &["quarter", "qtr"], (4, per_year));
            counted("annual", &["year", "annual", "yr", "annum"], (1, per_year));
        }
        Kind::Money => {}
        Kind::Percent => rates.push((100, 1)),
        Kind::Months => {
            counted("years", &["year", "yr"], (12, 1));
            counted("weeks", &["week", "wk"], (12, 52));
        }
        Kind::Years => counted("months", &["month", "mo"], (1, 12)),
        Kind::Days => counted("weeks", &["week", "wk"], (7, 1)),
        Kind::Count | Kind::Multiple => {}
    }
    // Cents of dollars, hundredths of percent points; a share in words is a whole already.
    let scale = match field.kind {
        Kind::Money => Decimal::ONE_HUNDRED,
        Kind::Percent => Decimal::new(1, 2),
        _ => Decimal::ONE,
    };
    let numbers = numbers(text);
    let adds_up = matches!(field.kind, Kind::Money | Kind::Percent | Kind::Count);
    let sums = sums(&numbers, adds_up);
    rates.iter().any(|(up, down)| {
        let wanted = |sum: &Decimal| sum * scale * Decimal::from(*up) == value * Decimal::from(*down);
        sums.iter().any(wanted)
    })
}

/// The numbers themselves and, where they can be added, all sums of several of them.
fn sums(numbers: &[BTreeSet<Decimal>], adds_up: bool) -> BTreeSet<Decimal> {
    let mut out: BTreeSet<Decimal> = numbers.iter().flatten().copied().collect();
    for number in numbers.iter().filter(|_| adds_up) {
        if out.len() > MOST_SUMS {
            break;
        }
        let more: Vec<Decimal> = out
            .iter()
            .flat_map(|sum| number.iter().map(move |value| sum + value))
            .collect();
        out.extend(more);
    }
    out
}
