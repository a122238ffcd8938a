//! Numbers with the words directly at them: period, bound, "per piece".

use super::edges::{EdgePayload, Edges};
use super::message::Message;
use super::productions::GRAMMAR;
use crate::lex::{Amount, Period, Token};
use crate::mention::{Bound, Mention};
use crate::texts::Source;
use std::ops::Range;

/// Every number of a message.
pub fn mentions(message: &Message<'_>, source: Source) -> Vec<Mention> {
    let mut out = Vec::with_capacity(message.amounts.len());
    for part in &message.parts {
        let range = part.sentence.tokens.clone();
        for (_, amount) in message.amounts_of(&range) {
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
                per_unit: at.is_per_unit(),
                bound: at.bound(),
                month_number: at.is_month(),
                number: message.bytes(amount),
                sentence: (message.tokens[range.start].start, message.tokens[range.end - 1].end),
            });
        }
    }
    out
}

/// An amount among the tokens of its sentence.
pub struct Place<'a> {
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
    pub fn ends_at(&self, class: &str, end: usize) -> bool {
        let from = end.saturating_sub(4).max(self.range.start);
        (from..end).any(|at| self.begin(class, at).any(|(behind, _)| behind == end))
    }

    /// Whether a phrase of a class begins at a token.
    pub fn word_at(&self, class: &str, at: usize) -> bool {
        self.begin(class, at).next().is_some()
    }

    /// The period of the words directly behind the number, or before it.
    pub fn period(&self) -> Option<Period> {
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

    /// "$300 a groomer", "$42 psf", "650 each", "30 an hour".
    pub fn is_per_unit(&self) -> bool {
        let at = self.amount.to;
        if !self.range.contains(&at) {
            return false;
        }
        let is_period = self.begin("PERIOD", at).next().is_some() || self.begin("SPAN", at).next().is_some();
        let next_is_word = self.range.contains(&(at + 1)) && !self.tokens[at + 1].word().is_empty();
        let per =
            matches!(self.tokens[at].word(), "a" | "an" | "per" | "each" | "every") || self.tokens[at].is_mark('/');
        self.begin("APIECE", at).next().is_some() || (per && next_is_word && !is_period)
    }

    /// The longest phrase of a bound that ends at the number: "no less than" is not "less than".
    pub fn bound(&self) -> Option<Bound> {
        let from = self.amount.from.saturating_sub(4).max(self.range.start);
        let ends = |class: &str, at: usize| self.begin(class, at).any(|(behind, _)| behind == self.amount.from);
        (from..self.amount.from).find_map(|at| {
            let most = ends("MOST", at).then_some(Bound::Most);
            most.or_else(|| ends("LEAST", at).then_some(Bound::Least))
        })
    }

    /// "month 7"
    pub fn is_month(&self) -> bool {
        self.amount.from > self.range.start && self.ends_at("MONTHWORD", self.amount.from)
    }
}
