//! Amounts: numbers with currency, unit, sign and range, before anybody knows which field they belong to.

use super::doubt::Doubts;
use super::lexicon::Mention;
use super::noise;
use super::numeral::{self, Numeral};
use super::scan::Scan;
use super::unit::{self, Period, Unit};
use super::vocabulary::is_change;
use rust_decimal::Decimal;

/// An amount as said: dollars, percent points, months.
#[derive(Clone, Debug)]
pub struct Amount {
    pub first: usize,
    pub next: usize,
    pub value: Decimal,
    /// The other end of a range; never below `value`.
    pub upper: Option<Decimal>,
    pub unit: Unit,
    pub period: Option<Period>,
    pub doubts: Doubts,
    /// Nothing shows its size: no currency, scale, separator or unit.
    pub bare: bool,
    pub spoken_short: bool,
}

/// Reads every amount of a text, in order.
#[must_use]
pub fn amounts(scan: &Scan, mentions: &[Mention]) -> Vec<Amount> {
    let mut out: Vec<Amount> = Vec::new();
    let mut names = mentions.iter().peekable();
    let mut i = 0;
    while i < scan.len() {
        while names.next_if(|name| name.next <= i).is_some() {}
        // Numbers inside a name belong to it, but for the days of "net 30".
        let inside = names
            .peek()
            .is_some_and(|name| name.first < i && scan.word(name.first) != "net");
        let within = names
            .peek()
            .is_some_and(|name| name.first == i && holds_numeral(scan, name));
        if inside || within {
            i += 1;
            continue;
        }
        match amount(scan, i) {
            Some(found) => {
                let found = with_range(scan, found);
                i = found.next.max(i + 1);
                out.push(found);
            }
            None => i += 1,
        }
    }
    out
}

/// A name that begins with a number word: "three months of insurance", "7a loan".
fn holds_numeral(scan: &Scan, name: &Mention) -> bool {
    let number = numeral::parse(scan, name.first, true).map(|said| said.next);
    let next = number.or_else(|| ordinal_month(scan, name.first).map(|said| said.next));
    name.next > name.first + 1 && next.is_some_and(|next| next <= name.next && (number.is_none() || next < name.next))
}

fn amount(scan: &Scan, i: usize) -> Option<Amount> {
    let between = matches!(scan.word_before(i), "between");
    let said = ordinal_month(scan, i).or_else(|| {
        let said = numeral::parse(scan, i, between)?;
        (!noise::is_noise(scan, i)).then_some(())?;
        measured(scan, said)
    })?;
    Some(signed(scan, said))
}

/// "the 13th month", "thirteenth month".
fn ordinal_month(scan: &Scan, i: usize) -> Option<Amount> {
    let (value, next) = match scan.digits(i) {
        Some(digits) if matches!(scan.word(i + 1), "th" | "st" | "nd" | "rd") && scan.is_joined(i + 1) => {
            (digits.value, i + 2)
        }
        _ => {
            let tens = if scan.word(i) == "twenty" { 20 } else { 0 };
            let at = if tens > 0 {
                i + 1 + usize::from(scan.is_tie(i + 1))
            } else {
                i
            };
            let names = [
                "first",
                "second",
                "third",
                "fourth",
                "fifth",
                "sixth",
                "seventh",
                "eighth",
                "ninth",
                "tenth",
                "eleventh",
                "twelfth",
                "thirteenth",
                "fourteenth",
                "fifteenth",
                "sixteenth",
                "seventeenth",
                "eighteenth",
                "nineteenth",
                "twentieth",
            ];
            let n = names.iter().position(|name| *name == scan.word(at))? as i64 + 1;
            (Decimal::from(tens + n), at + 1)
        }
    };
    (scan.word(next) == "month").then(|| month_number(i, next + 1, value))
}

fn month_number(first: usize, next: usize, value: Decimal) -> Amount {
    Amount {
        first,
        next,
        value,
        upper: None,
        unit: Unit::MonthNumber,
        period: None,
        doubts: Doubts::NONE,
        bare: false,
        spoken_short: false,
    }
}

fn measured(scan: &Scan, said: Numeral) -> Option<Amount> {
    let i = said.first;
    let sign = unit::currency_before(scan, i);
    let found = unit::after(scan, &said, sign.is_some());
    if sign.is_none() && found.unit == Unit::Bare && is_month_index(scan, i) {
        return Some(Amount {
            doubts: odd(said.odd),
            ..month_number(i - 1, said.next, said.value)
        });
    }
    // "4,200" and "4 grand" are money where nothing else is said: nobody writes months or percents like that.
    let grouped = scan.digits(i).is_some_and(|digits| digits.grouped);
    let unit = if found.unit == Unit::Bare && (sign.is_some() || said.scaled || grouped) {
        Unit::Money
    } else {
        found.unit
    };
    let net_days = unit == Unit::Bare && scan.word_before(i) == "net" && !said.decorated && !said.scaled;
    let mut amount = Amount {
        first: sign.map_or(i, |sign| sign.first),
        next: found.next,
        value: if found.hundredth {
            said.value / Decimal::ONE_HUNDRED
        } else {
            said.value
        },
        upper: None,
        unit: if net_days { Unit::Days } else { unit },
        period: found.period,
        doubts: odd(said.odd),
        // "4.5" shows no more of its size than "4" does; "4.50" does.
        bare: unit == Unit::Bare && (!said.decorated || said.value.scale() == 1),
        spoken_short: said.short && unit != Unit::Percent,
    };
    if sign.is_some_and(|sign| sign.foreign) || found.foreign {
        amount.doubts.add(Doubts::FOREIGN);
    }
    if said.vague {
        amount.doubts.add(Doubts::HEDGED);
    }
    if sign.is_some() && unit != Unit::Money {
        // "$6%": nobody knows.
        amount.doubts.add(Doubts::ODD);
    }
    add_cents(scan, &mut amount);
    let sure = unit == Unit::Percent
        && matches!(
            scan.word(amount.next),
            "sure" | "certain" | "positive" | "committed" | "right" | "correct" | "agree"
        );
    (!sure).then_some(amount)
}

fn odd(odd: bool) -> Doubts {
    if odd { Doubts::ODD } else { Doubts::NONE }
}

/// "month 13", but not "a month 13".
fn is_month_index(scan: &Scan, i: usize) -> bool {
    let before = if i >= 2 { scan.word(i - 2) } else { "" };
    let slash = i >= 2 && scan.mark(i - 2) == Some('/');
    scan.word_before(i) == "month"
        && !slash
        && !matches!(
            before,
            "a" | "per" | "each" | "every" | "this" | "last" | "next" | "first"
        )
}

/// "4,200 dollars and 50 cents".
fn add_cents(scan: &Scan, amount: &mut Amount) {
    let and = amount.unit == Unit::Money
        && matches!(scan.word_before(amount.next), "dollars" | "dollar" | "bucks")
        && scan.word(amount.next) == "and";
    let Some(cents) = and.then(|| numeral::parse(scan, amount.next + 1, true)).flatten() else {
        return;
    };
    if matches!(scan.word(cents.next), "cents" | "cent") && cents.value < Decimal::ONE_HUNDRED {
        amount.value += cents.value / Decimal::ONE_HUNDRED;
        amount.next = cents.next + 1;
    }
}

/// A minus sign or brackets around the number.
fn signed(scan: &Scan, mut amount: Amount) -> Amount {
    let Some(before) = amount.first.checked_sub(1) else {
        return amount;
    };
    let tied_after_sign = scan.is_joined(amount.first) && !scan.is_joined(before);
    // "$-4,200": the sign stands between.
    let minus = matches!(scan.mark(before), Some('-')) && tied_after_sign;
    let inner =
        scan.mark(before) == Some('-') && scan.is_joined(before) && scan.mark(before.wrapping_sub(1)) == Some('$');
    let word = matches!(scan.word(before), "minus" | "negative") && (before == 0 || scan.digits(before - 1).is_none());
    if minus || word || inner {
        amount.value = -amount.value;
        amount.first = if inner { before - 1 } else { before };
        if inner && amount.unit == Unit::Bare {
            (amount.unit, amount.bare) = (Unit::Money, false);
        }
    } else if scan.mark(before) == Some('(') && scan.mark(amount.next) == Some(')') && amount.unit == Unit::Money {
        amount.doubts.add(Doubts::ODD);
    }
    amount
}

/// Joins two ends: `3-4k`, `3 to 4 grand`, `between 3 and 4`, `$3,000–$4,000`, `six or seven percent`.
fn with_range(scan: &Scan, low: Amount) -> Amount {
    let Some(at) = joint(scan, &low) else { return low };
    let start = at + usize::from(scan.mark(at) == Some('$') || scan.mark(at) == Some('~'));
    let Some(high) = amount(scan, start).filter(|high| high.first <= start) else {
        return low;
    };
    let units_fit = low.unit == high.unit || low.unit == Unit::Bare;
    if !units_fit || (low.unit == Unit::MonthNumber) {
        return low;
    }
    let mut value = low.value;
    let said = numeral::parse(scan, start, false);
    if low.bare && said.is_some_and(|said| said.scaled) && low.value < Decimal::ONE_THOUSAND {
        let factor = scale_of(&high, said);
        value = value.checked_mul(factor).unwrap_or(value);
    }
    let up = value < high.value;
    let (a, b) = if up { (value, high.value) } else { (high.value, value) };
    if scan.word(at.wrapping_sub(1)) == "to" && !up {
        return low;
    }
    Amount {
        first: low.first,
        next: high.next,
        value: a,
        upper: Some(b),
        unit: high.unit,
        period: high.period.or(low.period),
        doubts: low.doubts.with(high.doubts).with(Doubts::RANGE),
        bare: low.bare && high.bare,
        spoken_short: low.spoken_short || high.spoken_short,
    }
}

/// The scale of the upper end, which the lower end shares.
fn scale_of(high: &Amount, said: Option<Numeral>) -> Decimal {
    let thousand = Decimal::ONE_THOUSAND;
    let million = Decimal::from(1_000_000);
    match said {
        Some(_) if high.value >= million && (high.value / million).fract().scale() <= 3 => million,
        Some(_) if high.value >= thousand => thousand,
        _ => Decimal::ONE_HUNDRED,
    }
}

/// The token where the upper end would begin.
fn joint(scan: &Scan, low: &Amount) -> Option<usize> {
    let at = low.next;
    let between = |word: &str| (low.first.saturating_sub(2)..low.first).any(|i| scan.word(i) == word);
    let next = match (scan.mark(at), scan.word(at)) {
        (Some('-' | '–' | '—'), _) if scan.is_joined(at) == scan.is_joined(at + 1) => at + 1,
        (_, "to" | "through") => at + 1,
        (_, "or") => at + 1 + usize::from(matches!(scan.word(at + 1), "maybe" | "so" | "perhaps")),
        (_, "and") if between("between") => at + 1,
        (_, "maybe" | "perhaps") => at + 1,
        _ => return None,
    };
    // "10% - 2,000 for…" with a spaced dash parts clauses unless both ends look alike.
    let spaced_dash = matches!(scan.mark(at), Some('-' | '–' | '—')) && !scan.is_joined(at);
    let from_change = scan.word(at) == "to" && between("from") && changes(scan, low.first);
    (!(from_change || (spaced_dash && low.unit != Unit::Money && low.unit != Unit::Percent && !low.bare)))
        .then_some(next)
}

/// Whether a change is told shortly before: "it went from 4,500 to 4,200".
#[must_use]
pub fn changes(scan: &Scan, first: usize) -> bool {
    (first.saturating_sub(8)..first).any(|i| is_change(scan.word(i)))
}
