//! Numbers in digits and in spoken English, exactly: `4.2k`, `forty-two hundred`, `six and a half`, `a million two`.
//!
//! Gives the number and how it was said; what it counts is decided by [`super::unit`].

use super::scan::{Kind, Scan};
use super::vocabulary::is_counted_noun;
use rust_decimal::Decimal;

/// A number and how it was said. `next` is the first token behind it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Numeral {
    pub first: usize,
    pub next: usize,
    pub value: Decimal,
    /// Said with hundred, thousand, k, million.
    pub scaled: bool,
    /// Said in words.
    pub spoken: bool,
    /// `two eighty`: the size was left out.
    pub short: bool,
    /// Written with separators or a decimal point.
    pub decorated: bool,
    /// Could mean two things.
    pub odd: bool,
    /// `a couple hundred`.
    pub vague: bool,
}

/// Reads the number that begins at `i`. With `alone`, an `and` never continues it (`between one hundred and two hundred`).
#[must_use]
pub fn parse(scan: &Scan, i: usize, alone: bool) -> Option<Numeral> {
    match scan.tokens.get(i)?.kind {
        Kind::Digits(_) => digits(scan, i),
        Kind::Word => spoken(scan, i, alone),
        _ => None,
    }
}

fn digits(scan: &Scan, i: usize) -> Option<Numeral> {
    let said = scan.digits(i).filter(|digits| !digits.code)?;
    // "4.200" may be four thousand two hundred in other countries' writing.
    let foreign_point = said.scale == 3 && said.whole <= 3 && said.whole > 0;
    let mut numeral = Numeral {
        first: i,
        next: i + 1,
        value: said.value,
        scaled: false,
        spoken: false,
        short: false,
        decorated: said.grouped || said.scale > 0,
        odd: said.odd || (foreign_point && scan.mark(i + 1) != Some('%')),
        vague: false,
    };
    add_fraction(scan, &mut numeral);
    add_scale(scan, &mut numeral);
    Some(numeral)
}

/// `6½`, `6 1/2`, `6 and a half`.
fn add_fraction(scan: &Scan, numeral: &mut Numeral) {
    if let Some(half) = scan
        .digits(numeral.next)
        .filter(|half| half.fraction && numeral.value.fract().is_zero())
    {
        numeral.value += half.value;
        numeral.next += 1;
        numeral.decorated = true;
    } else if let Some(value) = slash_fraction(scan, numeral.next).filter(|_| !scan.is_joined(numeral.next)) {
        numeral.value += value;
        numeral.next += 3;
        numeral.decorated = true;
    } else if let Some((value, next)) = and_a_half(scan, numeral.next) {
        numeral.value += value;
        numeral.next = next;
        numeral.decorated = true;
    }
}

/// `1/2`, `3/4`, `3/8`: three joined tokens.
fn slash_fraction(scan: &Scan, i: usize) -> Option<Decimal> {
    let (over, under) = (scan.digits(i)?, scan.digits(i + 2)?);
    let tied = scan.mark(i + 1) == Some('/') && scan.is_joined(i + 1) && scan.is_joined(i + 2);
    let (over, under) = (over.value, under.value);
    let small = [2, 4, 8].map(Decimal::from).contains(&under) && over > Decimal::ZERO && over < under;
    (tied && small && scan.mark(i + 3) != Some('/')).then(|| over / under)
}

/// `and a half`, `and three quarters`, `and one quarter`.
fn and_a_half(scan: &Scan, i: usize) -> Option<(Decimal, usize)> {
    if scan.word(i) != "and" {
        return None;
    }
    let many = match scan.word(i + 1) {
        "a" | "an" | "one" => 1,
        "three" => 3,
        _ => return None,
    };
    match scan.word(i + 2) {
        "half" if many == 1 => Some((Decimal::new(5, 1), i + 3)),
        "quarter" | "quarters" => Some((Decimal::new(25 * many, 2), i + 3)),
        _ => None,
    }
}

/// `k`, `thousand`, `grand`, `million`, behind digits; then `4 thousand two hundred`.
fn add_scale(scan: &Scan, numeral: &mut Numeral) {
    let at = numeral.next + usize::from(scan.is_tie(numeral.next) && scale(scan.word(numeral.next + 1)).is_some());
    let Some(factor) = digit_scale(scan, at) else { return };
    let Some(value) = numeral.value.checked_mul(Decimal::from(factor)) else {
        return;
    };
    (numeral.value, numeral.next, numeral.scaled) = (value.normalize(), at + 1, true);
    if let Some((fraction, next)) = and_a_half(scan, numeral.next) {
        numeral.value += fraction * Decimal::from(factor);
        numeral.next = next;
    }
    let spelled = matches!(scan.word(at), "thousand" | "million" | "hundred");
    let tail = if spelled { parse_tail(scan, numeral.next) } else { None };
    if let Some(tail) = tail.filter(|tail| tail.value < Decimal::from(factor)) {
        numeral.value += tail.value;
        numeral.next = tail.next;
        numeral.odd |= tail.odd || tail.short;
    }
}

fn parse_tail(scan: &Scan, i: usize) -> Option<Numeral> {
    match scan.tokens.get(i)?.kind {
        Kind::Word if small(scan.word(i)).is_some() => spoken(scan, i, false),
        Kind::Digits(digits) if digits.whole == 3 && digits.scale == 0 => {
            self::digits(scan, i).filter(|tail| !tail.scaled)
        }
        _ => None,
    }
}

/// A scale word behind digits; single letters only where they are tied to them or stand alone behind.
fn digit_scale(scan: &Scan, i: usize) -> Option<i64> {
    match scan.word(i) {
        "k" => Some(1_000),
        "m" | "mm" if scan.is_joined(i) => Some(1_000_000),
        "mil" | "mio" | "mn" => Some(1_000_000),
        "b" | "bn" if scan.is_joined(i) => Some(1_000_000_000),
        "hundred" => Some(100),
        word => scale(word),
    }
}

fn scale(word: &str) -> Option<i64> {
    match word {
        "thousand" | "thousands" | "grand" | "thou" | "k" => Some(1_000),
        "million" | "millions" => Some(1_000_000),
        "billion" => Some(1_000_000_000),
        _ => None,
    }
}

/// Zero to ninety.
fn small(word: &str) -> Option<i64> {
    Some(match word {
        "zero" => 0,
        "one" => 1,
        "two" => 2,
        "three" => 3,
        "four" => 4,
        "five" => 5,
        "six" => 6,
        "seven" => 7,
        "eight" => 8,
        "nine" => 9,
        "ten" => 10,
        "eleven" => 11,
        "twelve" => 12,
        "thirteen" => 13,
        "fourteen" => 14,
        "fifteen" => 15,
        "sixteen" => 16,
        "seventeen" => 17,
        "eighteen" => 18,
        "nineteen" => 19,
        "twenty" => 20,
        "thirty" => 30,
        "forty" | "fourty" => 40,
        "fifty" => 50,
        "sixty" => 60,
        "seventy" => 70,
        "eighty" => 80,
        "ninety" => 90,
        _ => return None,
    })
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Last {
    Nothing,
    Unit,
    Teen,
    Tens,
    Hundred,
    Scale,
}

/// What has been heard so far.
struct Hearing {
    total: i64,
    group: i64,
    last: Last,
    /// The smallest scale so far; the next must be smaller.
    scale: i64,
    paired: bool,
    short: bool,
    odd: bool,
    scaled: bool,
    /// The last word was "and".
    joined: bool,
}

impl Hearing {
    /// Takes a word under a hundred; false where it begins another number.
    fn take_small(&mut self, n: i64) -> bool {
        match (self.last, n) {
            (Last::Nothing | Last::Hundred, _) | (Last::Tens, 1..=9) => self.group += n,
            (Last::Scale, _) => {
                // "four thousand two" may be 4,002 or 4,200; "four thousand and two" is 4,002.
                self.odd |= n < 10 && !self.joined;
                self.group = n;
            }
            (Last::Unit, 10..) if !self.paired && self.total == 0 && self.group < 10 && self.group > 0 => {
                self.group = self.group * 100 + n;
                (self.paired, self.short) = (true, true);
            }
            (Last::Teen | Last::Tens | Last::Unit, 10..)
                if !self.paired && self.total == 0 && (10..100).contains(&self.group) =>
            {
                // "twenty thirty" is more often a range than 2,030.
                self.odd |= self.group % 10 == 0;
                self.group = self.group * 100 + n;
                self.paired = true;
            }
            _ => return false,
        }
        self.last = match n {
            0..10 => Last::Unit,
            10..20 => Last::Teen,
            _ => Last::Tens,
        };
        true
    }

    fn take_hundred(&mut self) -> bool {
        let fits =
            matches!(self.last, Last::Unit | Last::Teen | Last::Tens) && (1..100).contains(&self.group) && !self.paired;
        if fits {
            self.group *= 100;
            (self.last, self.scaled) = (Last::Hundred, true);
            self.odd = false;
        }
        fits
    }

    fn take_scale(&mut self, factor: i64) -> bool {
        let fits = self.group > 0 && factor < self.scale && self.last != Last::Scale;
        if fits {
            self.total += self.group * factor;
            (self.group, self.last, self.scale) = (0, Last::Scale, factor);
            (self.scaled, self.short) = (true, false);
        }
        fits
    }
}

/// Reads number words from `i` on.
fn spoken(scan: &Scan, i: usize, alone: bool) -> Option<Numeral> {
    if let Some(part) = part_of_one(scan, i) {
        return Some(part);
    }
    let mut hearing = Hearing {
        total: 0,
        group: 0,
        last: Last::Nothing,
        scale: i64::MAX,
        paired: false,
        short: false,
        odd: false,
        scaled: false,
        joined: false,
    };
    let (mut at, vague) = opening(scan, i, &mut hearing)?;
    let mut next = at;
    while at < scan.len() && at < i + 24 {
        let word = scan.word(at);
        let taken = match small(word) {
            Some(n) => hearing.take_small(n),
            None if word == "hundred" || word == "hundreds" => hearing.take_hundred(),
            None => match scale(word) {
                Some(factor) => hearing.take_scale(factor),
                None => false,
            },
        };
        if taken {
            hearing.joined = false;
            next = at + 1;
            at = next + usize::from(scan.is_tie(next));
        } else if word == "and"
            && !alone
            && matches!(hearing.last, Last::Hundred | Last::Scale)
            && small(scan.word(at + 1)).is_some()
        {
            hearing.joined = true;
            at += 1;
        } else {
            break;
        }
    }
    if hearing.last == Last::Nothing {
        return None;
    }
    let value = Decimal::from(hearing.total + hearing.group);
    let Hearing { short, odd, scaled, .. } = hearing;
    let mut numeral = Numeral {
        first: i,
        next,
        value,
        scaled,
        spoken: true,
        short,
        decorated: false,
        odd,
        vague,
    };
    tail(scan, &mut numeral);
    // "that one", "no one", "one of them": not a number by itself.
    let lonely = scan.word(i) == "one" && numeral.next == i + 1;
    (!lonely || counts_something(scan, i + 1)).then_some(numeral)
}

/// `a hundred`, `a grand`, `a couple hundred`, or the first number word itself.
fn opening(scan: &Scan, i: usize, hearing: &mut Hearing) -> Option<(usize, bool)> {
    let word = scan.word(i);
    let is_scale = |i: usize| scan.word(i) == "hundred" || scale(scan.word(i)).is_some_and(|_| scan.word(i) != "k");
    if small(word).is_some() {
        return Some((i, false));
    }
    let (at, vague) = match word {
        "a" | "an" if is_scale(i + 1) => (i + 1, false),
        "couple" if scan.word(i + 1) == "of" && is_scale(i + 2) => (i + 2, true),
        "couple" if is_scale(i + 1) => (i + 1, true),
        _ => return None,
    };
    hearing.group = if vague { 2 } else { 1 };
    hearing.last = Last::Unit;
    Some((at, vague))
}

/// `half a percent`, `a quarter million`, `three quarters of a percent`, `point five`, `a dozen`.
fn part_of_one(scan: &Scan, i: usize) -> Option<Numeral> {
    let skip = usize::from(matches!(scan.word(i), "a" | "one"));
    let (value, at) = match scan.word(i + skip) {
        "half" => (Decimal::new(5, 1), i + skip + 1),
        "quarter" => (Decimal::new(25, 2), i + skip + 1),
        "dozen" if skip == 1 => (Decimal::from(12), i + 2),
        "three" if skip == 0 && matches!(scan.word(i + 1), "quarter" | "quarters") => (Decimal::new(75, 2), i + 2),
        "point" if skip == 0 && small(scan.word(i + 1)).is_some() => (Decimal::ZERO, i),
        _ => return None,
    };
    let mut numeral = Numeral {
        first: i,
        next: at,
        value,
        scaled: false,
        spoken: true,
        short: false,
        decorated: true,
        odd: false,
        vague: false,
    };
    if scan.word(at) == "point" && value.is_zero() {
        tail(scan, &mut numeral);
        return Some(numeral);
    }
    if value >= Decimal::from(12) {
        return Some(numeral);
    }
    let mut unit = at + usize::from(scan.word(at) == "of");
    unit += usize::from(matches!(scan.word(unit), "a" | "one"));
    let scaled = scale(scan.word(unit)).filter(|_| scan.word(unit) != "k");
    if let Some(factor) = scaled {
        numeral.value = (value * Decimal::from(factor)).normalize();
        (numeral.next, numeral.scaled) = (unit + 1, true);
        return Some(numeral);
    }
    numeral.next = unit;
    matches!(scan.word(unit), "percent" | "percentage" | "pct" | "point").then_some(numeral)
}

/// `point two five`, `and a half`, and a scale behind either.
fn tail(scan: &Scan, numeral: &mut Numeral) {
    let fraction = and_a_half(scan, numeral.next).or_else(|| point(scan, numeral.next));
    let Some((fraction, next)) = fraction else { return };
    let (factor, next) = match scale(scan.word(next)) {
        Some(factor) if !numeral.scaled => (Decimal::from(factor), next + 1),
        _ => (Decimal::ONE, next),
    };
    if numeral.scaled {
        // "four thousand and a half": nobody knows.
        numeral.odd = true;
        return;
    }
    if let Some(value) = (numeral.value + fraction).checked_mul(factor) {
        numeral.value = value.normalize();
        numeral.scaled |= factor > Decimal::ONE;
        (numeral.next, numeral.decorated) = (next, true);
    }
}

fn point(scan: &Scan, i: usize) -> Option<(Decimal, usize)> {
    if scan.word(i) != "point" {
        return None;
    }
    let (mut mantissa, mut scale, mut at) = (0i64, 0u32, i + 1);
    while let Some(n) = small(scan.word(at)).filter(|_| scale < 6) {
        let two = n >= 10;
        mantissa = mantissa * if two { 100 } else { 10 } + n;
        scale += if two { 2 } else { 1 };
        at += 1;
        // "point twenty five"
        if n >= 20 && n % 10 == 0 && matches!(small(scan.word(at)), Some(1..=9)) {
            mantissa += small(scan.word(at)).unwrap_or(0);
            at += 1;
        }
    }
    (scale > 0).then(|| (Decimal::new(mantissa, scale).normalize(), at))
}

/// Whether what follows makes a lonely `one` a number.
fn counts_something(scan: &Scan, i: usize) -> bool {
    let i = i + usize::from(scan.is_tie(i));
    scan.mark(i) == Some('%') || is_counted_noun(scan.word(i))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(text: &str) -> Option<String> {
        parse(&Scan::new(text), 0, false).map(|numeral| numeral.value.normalize().to_string())
    }

    #[test]
    fn numbers_are_heard_as_people_say_them() {
        for (text, expected) in [
            ("4,200", "4200"),
            ("4.2k", "4200"),
            ("4.2 k", "4200"),
            ("1.2M", "1200000"),
            ("350 grand", "350000"),
            ("forty-two hundred", "4200"),
            ("four thousand two hundred", "4200"),
            ("four thousand two hundred and fifty", "4250"),
            ("forty-two fifty", "4250"),
            ("twelve fifty", "1250"),
            ("two eighty", "280"),
            ("two eighty five", "285"),
            ("two hundred eighty thousand", "280000"),
            ("two hundred and eighty thousand dollars", "280000"),
            ("six and a half", "6.5"),
            ("ten point two five", "10.25"),
            ("ten and a quarter", "10.25"),
            ("one point two million", "1200000"),
            ("two and a half thousand", "2500"),
            ("half a percent", "0.5"),
            ("a quarter of a percent", "0.25"),
            ("three quarters of a percent", "0.75"),
            ("half a million", "500000"),
            ("a hundred grand", "100000"),
            ("a grand", "1000"),
            ("couple of hundred", "200"),
            ("point five percent", "0.5"),
            ("6 1/2", "6.5"),
            ("6½", "6.5"),
            ("4 thousand two hundred", "4200"),
            ("one hundred", "100"),
            ("３５０", "350"),
            ("a million five hundred thousand", "1500000"),
        ] {
            assert_eq!(value(text).as_deref(), Some(expected), "{text}");
        }
        for text in ["one of them", "a dog", "hundred", "grand opening", "1.2.3", "quarter"] {
            assert_eq!(value(text), None, "{text}");
        }
    }
}
