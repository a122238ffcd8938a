//! What may begin at each token of a sentence: phrases with their classes, amounts, month and year numbers.

use super::class_set::{Class, ClassSet};
use super::language::{Language, Payload, text_of};
use super::productions::GRAMMAR;
use super::vocabulary::Vocabulary;
use crate::lex::{Amount, Kind, Period, Token, Unit};
use rust_decimal::prelude::ToPrimitive;
use std::ops::Range;
use std::sync::LazyLock;

/// What an edge says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum EdgePayload {
    Nothing,
    /// A name of fields.
    Key(u16),
    /// The message's amount with this number.
    Amount(u16),
    Period(Period),
    /// "month 7"
    Month(u16),
    /// A set of growth years, one bit each.
    Years(u8),
}

/// A phrase of one class from one token to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Edge {
    pub class: Class,
    pub end: usize,
    pub payload: EdgePayload,
}

/// The edges of a sentence, by the token they begin at.
#[derive(Debug, Default)]
pub(crate) struct Edges {
    pub at: Vec<Vec<Edge>>,
    /// The classes of all of them.
    classes: ClassSet,
    /// Tokens that phrases were compared with.
    pub work: usize,
}

/// Classes that code asks for.
pub(super) struct Classes {
    pub amount: Class,
    month: Class,
    years: Class,
    capital: Class,
    calendar: Class,
    first: Class,
    month_word: Class,
    day_one: Class,
    to: Class,
    reference: Class,
    code: Class,
    pub period: Class,
}

pub(super) static CLASSES: LazyLock<Classes> = LazyLock::new(|| {
    let class = |name: &str| GRAMMAR.known(name).expect("a class of productions.txt");
    Classes {
        amount: class("AMOUNT"),
        month: class("MONTHNO"),
        years: class("YEARNO"),
        capital: class("CAPITAL"),
        calendar: class("CALENDAR"),
        first: class("FIRST"),
        month_word: class("MONTHWORD"),
        day_one: class("DAYONE"),
        to: class("TOGO"),
        reference: class("REF"),
        code: class("CODE"),
        period: class("PERIOD"),
    }
});

/// The amounts of a range of tokens with their numbers among all amounts, which stand in the order of the text.
pub(super) fn amounts_in<'a>(
    all: &'a [Amount],
    range: &Range<usize>,
) -> impl Iterator<Item = (u16, &'a Amount)> + use<'a> {
    let first = all.partition_point(|amount| amount.from < range.start);
    let last = all.partition_point(|amount| amount.to <= range.end).max(first);
    (first as u16..).zip(&all[first..last])
}

impl Edges {
    /// Edges between the tokens `from` and `to`; positions count from `from`.
    pub(crate) fn of(
        tokens: &[Token],
        amounts: &[(u16, &Amount)],
        from: usize,
        language: &Language,
        vocabulary: &Vocabulary,
    ) -> Self {
        let texts: Vec<&str> = tokens.iter().map(text_of).collect();
        let mut out = Self {
            at: vec![Vec::new(); tokens.len() + 1],
            ..Self::default()
        };
        for at in 0..tokens.len() {
            vocabulary.each(language, &texts, at, |end, entries| {
                out.work += end - at;
                for entry in entries {
                    let payload = match entry.payload {
                        Payload::Nothing => EdgePayload::Nothing,
                        Payload::Key(key) => EdgePayload::Key(key),
                        Payload::Period(period) => EdgePayload::Period(period),
                    };
                    out.push(at, entry.class, end, payload);
                }
            });
            out.marks(tokens, at);
        }
        for (number, amount) in amounts {
            let (at, end) = (amount.from - from, amount.to - from);
            let has_period = out.at[end].iter().any(|edge| edge.class == CLASSES.period);
            if amount.unit != Unit::Foreign
                && amount.upper.is_none()
                && !amount.ungrouped
                && (!amount.year_like || has_period)
            {
                out.push(at, CLASSES.amount, end, EdgePayload::Amount(*number));
            }
        }
        out.calendar(tokens, amounts, from);
        out
    }

    /// Whether a phrase of a class stands anywhere.
    pub(crate) fn has(&self, class: Option<Class>) -> bool {
        class.is_some_and(|class| self.classes.contains(class))
    }

    fn push(&mut self, at: usize, class: Class, end: usize, payload: EdgePayload) {
        self.classes.insert(class);
        self.at[at].push(Edge { class, end, payload });
    }

    fn marks(&mut self, tokens: &[Token], at: usize) {
        if tokens[at].capital {
            self.push(at, CLASSES.capital, at + 1, EdgePayload::Nothing);
        }
        let is_code = match &tokens[at].kind {
            Kind::Odd => true,
            Kind::Figure(figure) => !figure.marked,
            Kind::Word(_) | Kind::Mark(_) => false,
        };
        if is_code {
            self.push(at, CLASSES.code, at + 1, EdgePayload::Nothing);
        }
        if let Kind::Mark(_) = tokens[at].kind
            && let Some(class) = GRAMMAR.known(text_of(&tokens[at]))
        {
            self.push(at, class, at + 1, EdgePayload::Nothing);
        }
    }

    fn ends(&self, at: usize, class: Class) -> impl Iterator<Item = usize> {
        let edges = self.at.get(at).map(Vec::as_slice).unwrap_or_default();
        edges
            .iter()
            .filter(move |edge| edge.class == class)
            .map(|edge| edge.end)
    }

    /// "month 7", "7th month", "year 2", "second year", "years three to five".
    fn calendar(&mut self, tokens: &[Token], amounts: &[(u16, &Amount)], from: usize) {
        let whole = |at: usize| {
            let (_, amount) = amounts.iter().find(|(_, amount)| amount.from - from == at)?;
            let is_plain = matches!(amount.unit, Unit::Bare) && !amount.marked && amount.upper.is_none();
            let value = amount
                .value
                .to_u16()
                .filter(|value| is_plain && amount.value == (*value).into())?;
            Some((value, amount.to - from))
        };
        for at in 0..tokens.len() {
            let month = self.ends(at, CLASSES.month_word).next();
            if let Some((value, end)) = month.and_then(whole).filter(|(value, _)| (1..=120).contains(value)) {
                self.push(at, CLASSES.month, end, EdgePayload::Month(value));
            }
            self.reference(tokens, at, &whole_or_odd(tokens));
            if let Some(end) = self.ends(at, CLASSES.day_one).max() {
                self.push(at, CLASSES.month, end, EdgePayload::Month(1));
            }
            for (years, end) in self.years(tokens, at, &whole) {
                self.push(at, CLASSES.years, end, EdgePayload::Years(years));
            }
        }
    }

    /// "Item 6", "section 4.2", "p. 4", "exhibit C".
    fn reference(&mut self, tokens: &[Token], at: usize, number: &impl Fn(usize) -> bool) {
        let dot = usize::from(tokens.get(at + 1).is_some_and(|token| token.is_mark('.')));
        if REFERENCES.contains(&tokens[at].word()) && number(at + 1 + dot) {
            self.push(at, CLASSES.reference, at + 2 + dot, EdgePayload::Nothing);
        }
    }

    /// Each reading of the years that begin at `at`: "years 2, 3 and 4" may also be year 2 and two values.
    fn years(&self, tokens: &[Token], at: usize, whole: &impl Fn(usize) -> Option<(u16, usize)>) -> Vec<(u8, usize)> {
        let year = |at: usize| {
            let (value, end) = whole(at)?;
            let is_value = tokens.get(end).is_some_and(|token| token.is_mark('%'));
            (!is_value && (1..=5).contains(&value)).then_some((value, end))
        };
        let mut out = Vec::new();
        // "second year"
        let nth = FIRST.iter().position(|word| *word == tokens[at].word());
        if let (Some(nth), Some(end)) = (nth, self.ends(at, CLASSES.first).next()) {
            out.extend(self.ends(end, CLASSES.calendar).map(|end| (1 << (nth + 1), end)));
        }
        let Some((first, mut end)) = self.ends(at, CLASSES.calendar).next().and_then(year) else {
            return out;
        };
        let (mut years, mut last) = (1_u8 << first, first);
        out.push((years, end));
        while let Some((next, is_range)) = self.joint(tokens, end) {
            let Some((value, behind)) = year(next).filter(|(value, _)| *value > last) else {
                break;
            };
            let low = if is_range { last } else { value };
            years |= (low..=value).map(|year| 1 << year).sum::<u8>();
            (last, end) = (value, behind);
            out.push((years, end));
        }
        out
    }

    /// Between two numbers of years: where the next may begin, and whether it ends a range.
    fn joint(&self, tokens: &[Token], at: usize) -> Option<(usize, bool)> {
        if let Some(end) = self.ends(at, CLASSES.to).next() {
            return Some((end, true));
        }
        let is_and = |at: usize| tokens.get(at).is_some_and(|token| matches!(token.word(), "and" | "y"));
        let comma = tokens.get(at)?.is_mark(',') || tokens[at].is_mark('&');
        match comma {
            true => Some((at + 1 + usize::from(is_and(at + 1)), false)),
            false => is_and(at).then_some((at + 1, false)),
        }
    }
}

/// Words whose number only names a place in a text.
const REFERENCES: [&str; 12] = [
    "item",
    "section",
    "article",
    "clause",
    "page",
    "p",
    "pg",
    "exhibit",
    "paragraph",
    "schedule",
    "appendix",
    "addendum",
];

fn whole_or_odd(tokens: &[Token]) -> impl Fn(usize) -> bool + '_ {
    move |at: usize| {
        tokens.get(at).is_some_and(|token| match &token.kind {
            Kind::Figure(figure) => figure.value < rust_decimal::Decimal::ONE_HUNDRED,
            Kind::Word(word) => word.len() == 1,
            Kind::Mark(_) | Kind::Odd => false,
        })
    }
}

const FIRST: [&str; 5] = ["first", "second", "third", "fourth", "fifth"];
