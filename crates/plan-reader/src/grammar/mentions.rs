//! Numbers with the words directly at them: period, bound, "per piece".

use super::edges::{EdgePayload, Edges};
use super::message::Message;
use super::productions::GRAMMAR;
use super::withdrawn::replacing;
use crate::lex::{Amount, Period, Token, Unit};
use crate::mention::{Bound, Mention};
use crate::texts::Source;
use rust_decimal::Decimal;
use std::ops::Range;

/// Every number of a message, but those that are only asked about.
pub(crate) fn mentions(message: &Message<'_>, source: Source) -> Vec<Mention> {
    of_writing(message, source, false)
}

/// Numbers as other countries group them: "4.200".
pub(crate) fn ungrouped(message: &Message<'_>, source: Source) -> Vec<Mention> {
    of_writing(message, source, true)
}

fn of_writing(message: &Message<'_>, source: Source, ungrouped: bool) -> Vec<Mention> {
    let mut out = Vec::with_capacity(message.amounts.len());
    for part in &message.parts {
        let range = part.sentence.tokens.clone();
        for (_, amount) in message
            .amounts_of(&range)
            .filter(|(_, amount)| amount.ungrouped == ungrouped && replacing(message, amount).is_none())
        {
            let at = Place {
                tokens: &message.tokens,
                edges: part.edges.as_ref(),
                range: &range,
                amount,
            };
            out.push(Mention {
                source,
                value: amount.value,
                unit: amount.unit,
                upper: amount.upper,
                period: at.period(),
                or_period: at.unit_as_period(),
                count_only: false,
                per_unit: at.is_per_unit(),
                bound: at.bound(),
                month_number: at.is_month(),
                number: message.bytes(amount),
                sentence: (message.tokens[range.start].start, message.tokens[range.end - 1].end),
            });
        }
        if !ungrouped {
            out.extend(ones(message, &range, source));
        }
    }
    out
}

/// "one location": a number of things, while "that one" and "one is enough" name no amount.
fn ones(message: &Message<'_>, range: &Range<usize>, source: Source) -> Vec<Mention> {
    let is_one = |at: &usize| {
        matches!(message.tokens[*at].word(), "one" | "single")
            && !message
                .amounts_of(range)
                .any(|(_, amount)| (amount.from..amount.to).contains(at))
    };
    let ones = range.clone().filter(is_one);
    ones.map(|at| Mention {
        source,
        value: Decimal::ONE,
        unit: Unit::Bare,
        upper: None,
        period: None,
        or_period: None,
        count_only: true,
        per_unit: false,
        bound: None,
        month_number: false,
        number: (message.tokens[at].start, message.tokens[at].end),
        sentence: (message.tokens[range.start].start, message.tokens[range.end - 1].end),
    })
    .collect()
}

/// An amount among the tokens of its sentence.
pub(crate) struct Place<'a> {
    pub tokens: &'a [Token],
    pub edges: Option<&'a Edges>,
    pub range: &'a Range<usize>,
    pub amount: &'a Amount,
}

impl Place<'_> {
    /// Phrases of a class that begin at a token of the message: end and what they say.
    fn begin<'s>(&'s self, class: &str, at: usize) -> impl Iterator<Item = (usize, EdgePayload)> + 's {
        let class = GRAMMAR.known(class);
        let edges = at.checked_sub(self.range.start).and_then(|at| self.edges?.at.get(at));
        let edges = edges.map(Vec::as_slice).unwrap_or_default();
        edges
            .iter()
            .filter(move |edge| Some(edge.class) == class)
            .map(|edge| (edge.end + self.range.start, edge.payload))
    }

    /// Phrases of a class that end where a token of the message begins.
    pub(crate) fn ends_at(&self, class: &str, end: usize) -> bool {
        let from = end.saturating_sub(4).max(self.range.start);
        (from..end).any(|at| self.begin(class, at).any(|(behind, _)| behind == end))
    }

    /// Whether a phrase of a class begins at a token.
    pub(crate) fn word_at(&self, class: &str, at: usize) -> bool {
        self.begin(class, at).next().is_some()
    }

    /// The period of the words directly behind the number, or before it.
    pub(crate) fn period(&self) -> Option<Period> {
        let said = |class: &str, at: usize| {
            self.begin(class, at).find_map(|(_, said)| match said {
                EdgePayload::Period(period) => Some(period),
                _ => None,
            })
        };
        let after = self.amount.to;
        let opened = usize::from(
            self.tokens
                .get(after)
                .is_some_and(|token| token.is_mark('(') || token.is_mark(',')),
        );
        let before = (self.range.start..self.amount.from)
            .rev()
            .take(1)
            .find_map(|at| said("PERIODADJ", at));
        // "the yearly rent is 84,000"
        let named = || {
            (self.range.start..self.amount.from)
                .rev()
                .take(5)
                .find_map(|at| said("PERIODADJ", at))
        };
        let near = |at: usize| said("PERIOD", at).or_else(|| said("SPAN", at));
        near(after).or_else(|| near(after + opened)).or(before).or_else(named)
    }

    /// "2,950 mo" may be so much a month or so many months: only a plural is surely how long.
    pub(crate) fn unit_as_period(&self) -> Option<Period> {
        let word = self.tokens[self.amount.to - 1].word();
        let said = match self.amount.unit {
            Unit::Weeks => Period::Weekly,
            Unit::Months => Period::Monthly,
            Unit::Years => Period::Annual,
            _ => return None,
        };
        (!word.ends_with('s')).then_some(said)
    }

    /// "$300 a groomer", "$42 psf", "650 each", "30 an hour": words that are known to be one of many. What is not known behind
    /// "a" or "each" says nothing: "a month each of us pays".
    pub(crate) fn is_per_unit(&self) -> bool {
        let at = self.amount.to;
        if !self.range.contains(&at) || self.is_period(at) {
            return false;
        }
        let is_piece = |at: usize| self.range.contains(&at) && self.word_at("PIECE", at);
        let (word, next) = (self.tokens[at].word(), at + 1);
        if matches!(word, "each" | "ea" | "apiece") {
            let ends = !self.range.contains(&next) || self.tokens[next].word().is_empty();
            return ends || is_piece(next) || self.is_period(next);
        }
        let per = matches!(word, "a" | "an" | "per" | "every") || self.tokens[at].is_mark('/');
        self.word_at("APIECE", at) || (per && is_piece(next)) || (word == "per" && is_piece(next + 1))
    }

    fn is_period(&self, at: usize) -> bool {
        self.word_at("PERIOD", at) || self.word_at("SPAN", at)
    }

    /// The longest phrase of a bound that ends at the number: "no less than" is not "less than".
    pub(crate) fn bound(&self) -> Option<Bound> {
        let from = self.amount.from.saturating_sub(4).max(self.range.start);
        let ends = |class: &str, at: usize| self.begin(class, at).any(|(behind, _)| behind == self.amount.from);
        (from..self.amount.from).find_map(|at| {
            let most = ends("MOST", at).then_some(Bound::Most);
            most.or_else(|| ends("LEAST", at).then_some(Bound::Least))
        })
    }

    /// "month 7"
    pub(crate) fn is_month(&self) -> bool {
        self.amount.from > self.range.start && self.ends_at("MONTHWORD", self.amount.from)
    }
}
