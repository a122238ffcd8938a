//! Numbers in words: "two hundred and ten thousand", "forty two hundred", "nine and three quarters".

use super::token::Token;
use super::units::{Units, WordNumber};
use rust_decimal::Decimal;

/// Digits behind a point that are read; rates are spoken with fewer.
const MAX_DECIMALS: u32 = 4;

/// A number in words.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Spoken {
    pub value: Decimal,
    /// The first token behind it.
    pub next: usize,
    /// "two eighty": people leave the size out, so the value is a guess.
    pub colloquial: bool,
    /// Said with hundred, thousand or million.
    pub scaled: bool,
    /// A share in words: "a third", "half".
    pub fraction: bool,
}

/// Reads the number that begins at `at`.
pub(super) fn read(tokens: &[Token], at: usize, units: &Units) -> Option<Spoken> {
    let reader = SpokenReader { tokens, units };
    // "¿Qué por ciento?" has no hundred.
    let before = at.checked_sub(1).map_or("", |at| reader.word(at));
    if units.unit_of_two(before, reader.word(at)).is_some() {
        return None;
    }
    reader.fraction(at).or_else(|| reader.number(at))
}

/// "and a half", "and three quarters" behind a number.
pub(super) fn and_fraction(tokens: &[Token], at: usize, units: &Units) -> Option<(Decimal, usize)> {
    let reader = SpokenReader { tokens, units };
    if !units.is_and(reader.word(at)) {
        return None;
    }
    // "nueve y cuarto"
    let part = || match reader.at(at + 1) {
        Some(WordNumber::Part(n)) => Some((Decimal::ONE / Decimal::from(n), at + 2)),
        _ => None,
    };
    let spoken = reader.fraction(at + 1).map(|spoken| (spoken.value, spoken.next));
    spoken.or_else(part)
}

struct SpokenReader<'a> {
    tokens: &'a [Token],
    units: &'a Units,
}

impl SpokenReader<'_> {
    fn word(&self, at: usize) -> &str {
        self.tokens.get(at).map_or("", Token::word)
    }

    fn at(&self, at: usize) -> Option<WordNumber> {
        self.units.number(self.word(at))
    }

    /// "half", "a third", "two thirds", "three quarters".
    fn fraction(&self, at: usize) -> Option<Spoken> {
        let part = |at: usize| match self.at(at) {
            Some(WordNumber::Part(n)) => Some(n),
            _ => None,
        };
        let of = |count: i64, n: i64, next: usize| Spoken {
            value: Decimal::from(count) / Decimal::from(n),
            next,
            colloquial: false,
            scaled: false,
            fraction: true,
        };
        if self.units.is_article(self.word(at)) {
            return part(at + 1).map(|n| of(1, n, at + 2));
        }
        match self.at(at)? {
            WordNumber::Part(2) => Some(of(1, 2, at + 1)),
            WordNumber::Small(count) if count < 10 => part(at + 1).filter(|n| *n > count).map(|n| of(count, n, at + 2)),
            _ => None,
        }
    }

    /// Below a hundred: "seven", "nineteen", "forty two".
    fn small(&self, at: usize) -> Option<(i64, usize)> {
        let WordNumber::Small(first) = self.at(at)? else {
            return None;
        };
        match self.at(at + 1) {
            Some(WordNumber::Small(unit)) if first >= 20 && first % 10 == 0 && (1..10).contains(&unit) => {
                Some((first + unit, at + 2))
            }
            _ if first >= 20 && first % 10 == 0 && self.units.joins_tens(self.word(at + 1)) => match self.at(at + 2) {
                Some(WordNumber::Small(unit)) if (1..10).contains(&unit) => Some((first + unit, at + 3)),
                _ => Some((first, at + 1)),
            },
            _ => Some((first, at + 1)),
        }
    }

    fn scale(&self, at: usize) -> Option<i64> {
        match self.at(at)? {
            WordNumber::Scale(scale) => Some(scale),
            _ => None,
        }
    }

    /// Below a thousand, or spoken in hundreds: "two hundred and ten", "forty two hundred", "twenty six fifty".
    fn group(&self, at: usize) -> Option<(i64, usize, bool)> {
        if let Some(WordNumber::Hundreds(hundreds)) = self.at(at) {
            let rest = self.small(at + 1);
            return Some(rest.map_or((hundreds, at + 1, false), |(rest, end)| (hundreds + rest, end, false)));
        }
        if self.units.stands_alone(self.word(at)) {
            return Some((1, at, false));
        }
        let article = self.units.is_article(self.word(at)) && self.scale(at + 1).is_some();
        let (first, mut next) = if article { (1, at + 1) } else { self.small(at)? };
        let mut value = first;
        if self.scale(next) == Some(100) {
            value *= 100;
            next += 1;
            let skip = usize::from(self.units.is_and(self.word(next)));
            if let Some((rest, end)) = self.small(next + skip) {
                value += rest;
                next = end;
            }
            return Some((value, next, false));
        }
        // "Un cincuenta por ciento" is fifty.
        let is_pair = first > 0 && !self.units.is_article(self.word(at));
        match self.small(next).filter(|(rest, _)| *rest >= 10 && is_pair) {
            Some((rest, end)) => Some((first * 100 + rest, end, true)),
            None => Some((value, next, false)),
        }
    }

    fn number(&self, at: usize) -> Option<Spoken> {
        let (mut total, mut next, mut colloquial, mut limit) = (0_i64, at, false, i64::MAX);
        loop {
            let skip = usize::from(next > at && self.units.is_and(self.word(next)));
            let Some((group, end, loose)) = self.group(next + skip) else {
                break;
            };
            colloquial |= loose;
            match self.scale(end).filter(|scale| (1_000..limit).contains(scale)) {
                Some(scale) => {
                    total += group * scale;
                    (next, limit) = (end + 1, scale);
                }
                // "two thousand, four thousand" is two numbers.
                None if group < limit => {
                    total += group;
                    next = end;
                    break;
                }
                None => break,
            }
        }
        let scaled = (at..next).any(|at| self.scale(at).is_some());
        if next == at {
            return None;
        }
        let whole = Decimal::from(total);
        let (value, next) = match self.decimals(next).filter(|_| !colloquial && !scaled) {
            Some((decimals, end)) => (whole + decimals, end),
            None => (whole, next),
        };
        Some(Spoken {
            value,
            next,
            colloquial,
            scaled,
            fraction: false,
        })
    }

    /// "point two", "point two five", "punto veinticinco": what stands behind the point. "One point lower" has no number there.
    fn decimals(&self, at: usize) -> Option<(Decimal, usize)> {
        if !matches!(self.word(at), "point" | "punto") {
            return None;
        }
        let digit = |at: usize| match self.at(at) {
            Some(WordNumber::Small(digit)) if digit < 10 => Some(digit),
            _ => None,
        };
        let (mut value, mut places, mut next) = (0, 0, at + 1);
        while let Some(one) = digit(next).filter(|_| places < MAX_DECIMALS) {
            (value, places, next) = (value * 10 + one, places + 1, next + 1);
        }
        if places == 0 {
            let (two, end) = self.small(at + 1).filter(|(two, _)| *two >= 10)?;
            (value, places, next) = (two, 2, end);
        }
        Some((Decimal::new(value, places), next))
    }
}
