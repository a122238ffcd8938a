//! Numbers with their units: `$4,200.50`, `six and a half percent`, `ten (10) years`, `58 grand`.

use super::figure::{Suffix, TOO_LARGE};
use super::is_of;
use super::spoken;
use super::token::{Kind, Token};
use super::units::{Unit, Units};
use rust_decimal::Decimal;

/// A number with its unit.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Amount {
    /// In its unit, with its own magnitude.
    pub value: Decimal,
    pub unit: Unit,
    /// The other end of a range: `28-32`.
    pub upper: Option<Decimal>,
    /// Tokens: the first, and the first behind.
    pub from: usize,
    pub to: usize,
    /// With a separator, a magnitude or a currency sign: hardly a year or a number of something.
    pub marked: bool,
    /// Its size was left out ("two eighty").
    pub colloquial: bool,
    /// In digits between 1980 and 2039, without anything that makes it an amount.
    pub year_like: bool,
    /// In words.
    pub spoken: bool,
    /// "4.200": four thousand two hundred in other countries' writing, so it is only asked about.
    pub ungrouped: bool,
}

impl Amount {
    /// Written as money is: hardly a share or a count.
    pub(crate) fn marked_size(&self) -> bool {
        self.value >= Decimal::ONE_HUNDRED
    }
}

/// A text has no more amounts than these.
const MOST: usize = u16::MAX as usize;

/// All amounts of a text, in order; they do not overlap.
pub(crate) fn amounts(tokens: &[Token], units: &Units) -> Vec<Amount> {
    let (mut out, mut at) = (Vec::new(), 0);
    let reader = AmountReader { tokens, units };
    let items = items(tokens);
    while at < tokens.len() && out.len() < MOST {
        match reader.amount(at).filter(|_| !items.contains(&at)) {
            Some(amount) => {
                at = amount.to;
                out.push(amount);
            }
            None => at += 1,
        }
    }
    out
}

/// Where the numbers of a list stand: "1) sales 55,000, 2) goods 9%", "1. sales 2. goods". They count its items, and nothing else.
pub(crate) fn items(tokens: &[Token]) -> Vec<usize> {
    let (mut found, mut number) = (Vec::new(), Decimal::ONE);
    for (at, token) in tokens.iter().enumerate() {
        let is_next = token.figure().is_some_and(|figure| {
            figure.value == number && figure.suffix == Suffix::None && !figure.marked && figure.decimals == 0
        });
        let before = at.checked_sub(1).map(|at| &tokens[at]);
        let is_counted = before.is_some_and(|before| is_of(COUNTED, before.word()) || before.is_mark('('));
        let is_mark = |mark: &Token| mark.glued && (mark.is_mark(')') || mark.is_mark('.'));
        let is_followed = tokens.get(at + 2).is_some_and(|next| !next.glued);
        if is_next && !is_counted && !token.glued && is_followed && tokens.get(at + 1).is_some_and(is_mark) {
            found.push(at);
            number += Decimal::ONE;
        }
    }
    if found.len() > 1 { found } else { Vec::new() }
}

/// Words whose number is none of a list, nor the first part of one that is written with a space.
const COUNTED: &str = "year years yr y ano month months mo mes week semana suite unit unidad number numero room apt";

struct AmountReader<'a> {
    tokens: &'a [Token],
    units: &'a Units,
}

/// A number without its unit.
struct Bare {
    value: Decimal,
    next: usize,
    marked: bool,
    colloquial: bool,
    spoken: bool,
    unit: Unit,
    decimals: usize,
}

impl AmountReader<'_> {
    fn word(&self, at: usize) -> &str {
        self.tokens.get(at).map_or("", Token::word)
    }

    fn is_mark(&self, at: usize, mark: char) -> bool {
        self.tokens.get(at).is_some_and(|token| token.is_mark(mark))
    }

    fn is_glued(&self, at: usize) -> bool {
        self.tokens.get(at).is_some_and(|token| token.glued)
    }

    /// Whether a token is one that amounts begin with; most are not.
    fn may_begin(&self, at: usize) -> bool {
        match &self.tokens[at].kind {
            Kind::Figure(_) | Kind::Mark('$' | '-') => true,
            Kind::Word(word) => {
                self.units.begins_amount(word) || self.is_mark(at + 1, '$') || matches!(word.as_str(), "us" | "minus")
            }
            Kind::Mark(_) | Kind::Odd => false,
        }
    }

    fn amount(&self, from: usize) -> Option<Amount> {
        if let Some(year) = self.year_and_part(from) {
            return Some(year);
        }
        if !self.may_begin(from) {
            return None;
        }
        let (currency, at) = self.currency(from);
        let (negative, at) = self.sign(at, from);
        let mut bare = self.number(at)?;
        self.magnitude(&mut bare);
        if let Some(unit) = currency {
            bare.unit = unit;
            bare.marked = true;
        }
        let upper = self.upper(&mut bare);
        self.unit(&mut bare, currency.is_some());
        self.and_part(&mut bare);
        self.doubled(&mut bare);
        let is_one = bare.spoken && bare.unit == Unit::Bare && !bare.marked && bare.value == Decimal::ONE;
        let is_too_large = bare.value >= TOO_LARGE || upper.is_some_and(|upper| upper >= TOO_LARGE);
        if is_one || is_too_large {
            return None;
        }
        let ungrouped =
            bare.decimals == 3 && !matches!(bare.unit, Unit::Percent | Unit::Multiple) && !bare.marked_by_word();
        if ungrouped {
            bare.value = bare.value.saturating_mul(Decimal::ONE_THOUSAND);
        }
        let sign = if negative { -Decimal::ONE } else { Decimal::ONE };
        let year_like = !bare.marked
            && !bare.spoken
            && bare.unit == Unit::Bare
            && (Decimal::from(1980)..Decimal::from(2040)).contains(&bare.value);
        Some(Amount {
            value: bare.value * sign,
            unit: bare.unit,
            upper,
            from,
            to: bare.next,
            marked: bare.marked,
            colloquial: bare.colloquial,
            year_like,
            spoken: bare.spoken,
            ungrouped,
        })
    }

    /// "A year and a half", "año y medio": a year more than the half that a number says.
    fn year_and_part(&self, at: usize) -> Option<Amount> {
        let is_year = self.units.unit(self.word(at)) == Some(Unit::Years);
        let is_counted = at.checked_sub(1).is_some_and(|before| self.number(before).is_some());
        let (part, to) = spoken::and_fraction(self.tokens, at + 1, self.units).filter(|_| is_year && !is_counted)?;
        Some(Amount {
            value: Decimal::ONE + part,
            unit: Unit::Years,
            upper: None,
            from: at,
            to,
            marked: false,
            colloquial: false,
            year_like: false,
            spoken: true,
            ungrouped: false,
        })
    }

    /// "Two years and a half", "dos años y medio".
    fn and_part(&self, bare: &mut Bare) {
        let is_time = matches!(bare.unit, Unit::Years | Unit::Months);
        let part = spoken::and_fraction(self.tokens, bare.next, self.units).filter(|_| is_time);
        if let Some((part, next)) = part {
            (bare.value, bare.next) = (bare.value.saturating_add(part), next);
        }
    }

    /// `$`, `US$`, `USD`, or the sign of another country.
    fn currency(&self, at: usize) -> (Option<Unit>, usize) {
        let dollar = |at: usize| self.is_mark(at, '$');
        match self.word(at) {
            "us" if dollar(at + 1) => (Some(Unit::Money), at + 2),
            word if self.units.is_foreign(word) => (Some(Unit::Foreign), at + 1 + usize::from(dollar(at + 1))),
            word if self.units.unit(word) == Some(Unit::Money) => (Some(Unit::Money), at + 1),
            // "C$", "AU$"
            word if !word.is_empty() && dollar(at + 1) && self.is_glued(at + 1) => (Some(Unit::Foreign), at + 2),
            _ if dollar(at) => (Some(Unit::Money), at + 1),
            _ => (None, at),
        }
    }

    fn sign(&self, at: usize, from: usize) -> (bool, usize) {
        let dash = self.is_mark(at, '-') && self.is_glued(at + 1) && !self.is_glued(from);
        if dash || (self.word(at) == "minus" && at == from) {
            (true, at + 1)
        } else {
            (false, at)
        }
    }

    fn number(&self, at: usize) -> Option<Bare> {
        if let Some(figure) = self.tokens.get(at)?.figure() {
            let unit = match figure.suffix {
                Suffix::Ordinal => return None,
                Suffix::Times => Unit::Multiple,
                Suffix::None | Suffix::Magnitude => Unit::Bare,
            };
            let mut bare = Bare {
                value: figure.value,
                next: at + 1,
                marked: figure.marked,
                colloquial: false,
                spoken: false,
                unit,
                decimals: if figure.suffix == Suffix::Magnitude {
                    0
                } else {
                    figure.decimals
                },
            };
            if let Some((part, next)) = spoken::and_fraction(self.tokens, at + 1, self.units) {
                bare.value += part;
                (bare.next, bare.marked) = (next, true);
            }
            // "4 800" is "4.800": four thousand eight hundred in other countries' writing.
            if let Some(hundreds) = self.spaced(at) {
                bare.value += hundreds.checked_div(Decimal::ONE_THOUSAND)?;
                (bare.next, bare.decimals) = (at + 2, 3);
            }
            return Some(bare);
        }
        let said = spoken::read(self.tokens, at, self.units)?;
        let mut bare = Bare {
            value: said.value,
            next: said.next,
            marked: said.scaled,
            colloquial: said.colloquial,
            spoken: true,
            unit: if said.fraction { Unit::Fraction } else { Unit::Bare },
            decimals: 0,
        };
        if let Some((part, next)) = spoken::and_fraction(self.tokens, said.next, self.units).filter(|_| !said.fraction)
        {
            bare.value += part;
            (bare.next, bare.marked) = (next, true);
        }
        Some(bare)
    }

    /// The three digits behind a space that go on from a number of three at most; "year 4 800" and "suite 4 800" are two numbers.
    fn spaced(&self, at: usize) -> Option<Decimal> {
        let plain = |at: usize| {
            let token = self.tokens.get(at)?;
            let figure = token.figure()?;
            let is_plain = figure.suffix == Suffix::None && !figure.marked && figure.decimals == 0;
            is_plain.then_some((figure.value, token.end - token.start))
        };
        let ((first, digits), (second, of_three)) = (plain(at)?, plain(at + 1)?);
        let is_before = at.checked_sub(1).is_some_and(|at| is_of(COUNTED, self.word(at)));
        let is_group = digits <= 3 && of_three == 3 && first >= Decimal::ONE && !self.is_glued(at + 1) && !is_before;
        is_group.then_some(second)
    }

    /// "58 grand", "1.2 million", "18 hundred", "half a million".
    fn magnitude(&self, bare: &mut Bare) {
        // "3x hundred" is no number.
        if bare.unit == Unit::Multiple {
            return;
        }
        let skip = usize::from(bare.unit == Unit::Fraction && self.units.is_article(self.word(bare.next)));
        let Some(factor) = self.units.magnitude(self.word(bare.next + skip)) else {
            return;
        };
        bare.value = bare.value.saturating_mul(Decimal::from(factor)).min(TOO_LARGE);
        let is_thousand = self.units.stands_alone(self.word(bare.next + skip));
        bare.next += skip + 1;
        // "8 mil quinientos"
        if is_thousand
            && let Some(rest) = spoken::read(self.tokens, bare.next, self.units)
            && rest.value < Decimal::ONE_THOUSAND
            && !rest.fraction
        {
            bare.value = bare.value.saturating_add(rest.value);
            bare.next = rest.next;
        }
        (bare.marked, bare.decimals, bare.unit) = (true, 0, Unit::Bare);
    }

    /// `28-32`, `5-12k`: one dash without spaces. The thousand of the upper end is that of the lower one, too.
    fn upper(&self, bare: &mut Bare) -> Option<Decimal> {
        let dash = bare.next;
        if !(self.is_mark(dash, '-') && self.is_glued(dash) && self.is_glued(dash + 1)) {
            return None;
        }
        let mut high = self.number(dash + 1 + usize::from(self.is_mark(dash + 1, '$')))?;
        self.magnitude(&mut high);
        bare.next = high.next;
        let scaled = |factor: i64| bare.value.saturating_mul(Decimal::from(factor));
        let shared = [1_000_000, 1_000].into_iter().map(scaled).find(|low| *low < high.value);
        if let Some(low) = shared.filter(|_| high.marked && !bare.marked) {
            bare.value = low;
        }
        bare.marked |= high.marked;
        Some(high.value)
    }

    fn unit(&self, bare: &mut Bare, has_currency: bool) {
        if self.is_mark(bare.next, '%') {
            (bare.unit, bare.next) = (Unit::Percent, bare.next + 1);
            return;
        }
        let word = self.word(bare.next);
        if let Some(unit) = self.units.unit_of_two(word, self.word(bare.next + 1)) {
            (bare.unit, bare.next) = (unit, bare.next + 2);
        } else if self.units.is_foreign(word) {
            (bare.unit, bare.next) = (Unit::Foreign, bare.next + 1);
        } else if self.units.is_cents(word) && !has_currency {
            bare.value /= Decimal::ONE_HUNDRED;
            (bare.unit, bare.next, bare.marked) = (Unit::Money, bare.next + 1, true);
        } else if let Some(unit) = self
            .units
            .unit(word)
            .filter(|_| matches!(bare.unit, Unit::Bare | Unit::Multiple | Unit::Money))
            && (bare.unit == Unit::Bare || unit == bare.unit)
        {
            (bare.unit, bare.next) = (unit, bare.next + 1);
            // "dollars Canadian"
            if self.units.is_foreign(self.word(bare.next)) {
                (bare.unit, bare.next) = (Unit::Foreign, bare.next + 1);
            }
        }
    }

    /// Contracts say a number twice: "ten (10) years", "Three Hundred Ten Thousand Dollars ($310,000)".
    fn doubled(&self, bare: &mut Bare) {
        let mut open = bare.next;
        // "and 00/100 Dollars"
        if self.units.is_and(self.word(open)) && self.tokens.get(open + 1).is_some_and(|token| token.kind == Kind::Odd)
        {
            open += 2;
            open += usize::from(self.units.unit(self.word(open)) == Some(Unit::Money));
        }
        if !bare.spoken || !self.is_mark(open, '(') {
            return;
        }
        let dollar = usize::from(self.is_mark(open + 1, '$'));
        let Some(figure) = self.tokens.get(open + 1 + dollar).and_then(Token::figure) else {
            return;
        };
        let percent = usize::from(self.is_mark(open + 2 + dollar, '%'));
        if figure.value == bare.value && self.is_mark(open + 2 + dollar + percent, ')') {
            bare.next = open + 3 + dollar + percent;
            if dollar == 1 {
                bare.unit = Unit::Money;
            } else if bare.unit == Unit::Bare {
                self.unit(bare, false);
            }
        }
    }
}

impl Bare {
    /// A magnitude was said in a word or letter, so the point is a point.
    fn marked_by_word(&self) -> bool {
        self.decimals == 0
    }
}
