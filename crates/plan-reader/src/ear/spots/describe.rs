//! What describes a number, whatever field it may belong to.

use super::{Spot, Spots};
use crate::ear::concepts;
use crate::ear::linear::hash;
use crate::grammar::{ClassSet, EdgePayload};
use crate::lex::Unit;
use rust_decimal::Decimal;
use rust_decimal::prelude::ToPrimitive;
use std::ops::Range;

/// Words on each side of a number that are looked at.
const AROUND: usize = 8;

/// Words behind a number that is no year.
const POINTS: [&str; 6] = ["point", "points", "pts", "percentage", "punto", "puntos"];

/// Words of a sentence that are looked at as a whole.
const OF_SENTENCE: usize = 40;

impl Spots<'_> {
    /// What describes the number at a place of [`Spots::all`], whatever field it may belong to.
    pub(crate) fn features(&self, at: usize) -> Vec<u32> {
        let spot = &self.all[at];
        let (from, to) = (spot.amount.from, spot.amount.to);
        let range = self.message.parts[spot.part].sentence.tokens.clone();
        let mut out = Vec::with_capacity(160);
        let near = |offset: isize| {
            let at = if offset < 0 {
                from.checked_sub(offset.unsigned_abs())
            } else {
                Some(to + offset as usize - 1)
            };
            at.filter(|at| range.contains(at)).map_or(1, |at| self.words[at])
        };
        for offset in [-3, -2, -1, 1, 2, 3] {
            out.push(hash(1, near(offset), (offset + 8) as u32));
        }
        out.push(hash(2, near(-2), near(-1)));
        out.push(hash(3, near(-1), near(1)));
        out.push(hash(4, near(1), near(2)));
        out.push(hash(5, hash(0, near(-3), near(-2)), near(-1)));
        let clause = self.clause(at);
        let before = clause.start.max(from.saturating_sub(AROUND))..from;
        let behind = to..clause.end.min(to + AROUND);
        for at in before.clone() {
            out.push(hash(6, self.words[at], 0));
            out.push(hash(7, self.roots[at], 0));
        }
        for at in behind.clone() {
            out.push(hash(8, self.words[at], 0));
            out.push(hash(9, self.roots[at], 0));
        }
        let all = range.start..range.end.min(range.start + OF_SENTENCE);
        for at in all.clone() {
            out.push(hash(10, self.roots[at], 0));
        }
        for (kind, tokens) in [(170, before), (171, behind), (172, all)] {
            let concepts = concepts::in_order(&self.message.tokens[tokens]).into_iter().flatten();
            out.extend(concepts.map(|concept| hash(kind, u32::from(*concept), 0)));
        }
        for (kind, near) in [
            (173, from.checked_sub(1)),
            (174, Some(to)),
            (175, from.checked_sub(2)),
            (176, Some(to + 1)),
        ] {
            let near = near.filter(|at| range.contains(at));
            let concepts = near.map_or(&[][..], |at| concepts::of(&self.message.tokens[at]));
            out.extend(concepts.iter().map(|concept| hash(kind, u32::from(*concept), 0)));
        }
        if self.is_denied(spot, &clause) {
            out.push(hash(33, spot.amount.unit as u32, u32::from(near(1) == 1)));
            out.push(hash(33, near(1), near(2)));
        }
        self.earlier(spot, &mut out);
        self.shape(spot, &mut out);
        self.meant(spot, &clause, &mut out);
        out.push(hash(11, self.heads[from], 0));
        out.push(hash(12, self.words[range.start], self.heads[from]));
        let first = self.message.parts[spot.part].sentence.paragraph;
        out.push(hash(13, u32::from(first), u32::from(spot.part == 0)));
        if self.names.iter().all(Vec::is_empty) {
            out.extend(self.asked.iter().map(|word| hash(14, *word, 0)));
        }
        out.sort_unstable();
        out.dedup();
        out
    }

    /// As [`Spots::features`], of a number of a case.
    pub(crate) fn features_of_change(&self, at: usize) -> Vec<u32> {
        let mut out = self.features(at);
        let range = &self.message.parts[self.all[at].part].sentence.tokens;
        out.extend(range.clone().take(OF_SENTENCE).map(|at| hash(17, self.words[at], 0)));
        out.push(hash(17, 0, 1));
        out.sort_unstable();
        out.dedup();
        out
    }

    /// "I don't have a 280k loan", "no son 140": a word of denial shortly before the number, and no other number between.
    fn is_denied(&self, spot: &Spot, clause: &Range<usize>) -> bool {
        const NEAR: usize = 4;
        const DENIALS: [&str; 14] = [
            "not", "no", "dont", "don't", "isnt", "isn't", "never", "aint", "ain't", "didnt", "didn't", "nunca",
            "tampoco", "ni",
        ];
        let from = spot.amount.from;
        let before = clause.start.max(from.saturating_sub(NEAR))..from;
        let is_number = |at: usize| {
            self.all
                .iter()
                .any(|other| (other.amount.from..other.amount.to).contains(&at))
        };
        let words = before.rev().take_while(|at| !is_number(*at));
        words.into_iter().any(|at| DENIALS.contains(&self.word_at(at)))
    }

    /// The sentence before, and the one that announced a list.
    fn earlier(&self, spot: &Spot, out: &mut Vec<u32>) {
        let parts = &self.message.parts[..spot.part];
        if let Some(before) = parts.last() {
            let range = before.sentence.tokens.clone();
            out.extend(range.rev().take(10).map(|at| hash(15, self.roots[at], 0)));
        }
        if let Some(heading) = parts.iter().rev().take(12).find(|part| part.sentence.announces) {
            let range = heading.sentence.tokens.clone();
            out.extend(range.take(12).map(|at| hash(16, self.roots[at], 0)));
        }
    }

    /// What the number itself looks like.
    fn shape(&self, spot: &Spot, out: &mut Vec<u32>) {
        let amount = &spot.amount;
        let unit = amount.unit as u32;
        let period = self.period(spot).map_or(9, |period| period as u32);
        let size = size(amount.value);
        let place = self.place(spot);
        let flags = [
            amount.marked,
            amount.year_like,
            amount.spoken,
            amount.upper.is_some(),
            amount.colloquial,
            place.is_per_unit(),
            place.is_month(),
            place.bound().is_some(),
            spot.is_word,
            self.message.parts[spot.part].sentence.asks,
            self.message.parts[spot.part].sentence.quoted,
            self.message.parts[spot.part].is_signature,
        ];
        out.push(hash(20, unit, period));
        out.push(hash(21, unit, size));
        out.push(hash(22, size, period));
        out.push(hash(23, unit, 0));
        out.extend(
            (0..)
                .zip(flags)
                .filter(|(_, is)| *is)
                .map(|(nth, _)| hash(24, nth, unit)),
        );
        let count = self.all.len().min(6) as u32;
        out.push(hash(25, count, 0));
        if self.message.is_shown(amount.value) {
            let asks = self.message.parts[spot.part].sentence.asks;
            out.push(hash(252, unit, u32::from(asks)));
            out.push(hash(253, self.message.tokens.len().min(12) as u32 / 3, u32::from(asks)));
        }
        let before = spot.amount.from.checked_sub(1).map_or(1, |at| self.words[at]);
        out.push(hash(26, before, unit));
        out.push(hash(27, self.words.get(spot.amount.to).copied().unwrap_or(1), unit));
    }

    /// Whose the number is, and whether it is so: words of known classes in its clause and in its sentence.
    fn meant(&self, spot: &Spot, clause: &Range<usize>, out: &mut Vec<u32>) {
        let part = &self.message.parts[spot.part];
        let Some(edges) = &part.edges else { return };
        let start = part.sentence.tokens.start;
        let inside: ClassSet = (clause.start - start..clause.end - start)
            .filter_map(|at| edges.at.get(at))
            .flatten()
            .map(|edge| edge.class)
            .collect();
        for (class, name) in &self.classes {
            if inside.contains(*class) {
                out.push(hash(30, *name, 0));
            } else if edges.has(Some(*class)) {
                out.push(hash(31, *name, 0));
            }
        }
        let years = self.years(spot);
        out.extend(
            (1..=5)
                .filter(|year| years >> year & 1 == 1)
                .map(|year| hash(32, year, 0)),
        );
    }

    /// "4 % in years three to five": the growth of each year, where several stand nearest.
    pub(crate) fn growths(&self, spot: &Spot) -> Vec<usize> {
        let years = self.years(spot);
        let named = (1..=5).filter(|year| years >> year & 1 == 1 && years.count_ones() > 1);
        named.filter_map(|year| self.message.vocabulary.growth(year)).collect()
    }

    /// "Year 3 does not grow": a number that only says which year. In "the fourth year two points lower" it does not.
    pub(crate) fn says_a_year(&self, spot: &Spot) -> bool {
        let behind = self.word_at(spot.amount.to);
        if spot.is_word || spot.amount.unit != Unit::Bare || POINTS.contains(&behind) {
            return false;
        }
        let part = &self.message.parts[spot.part];
        let from = spot.amount.from - part.sentence.tokens.start;
        let all = part.edges.iter().flat_map(|edges| edges.at.iter().enumerate());
        all.take_while(|(at, _)| *at < from)
            .flat_map(|(_, here)| here)
            .any(|edge| matches!(edge.payload, EdgePayload::Years(_)) && edge.end > from)
    }

    /// "45 dogs": a bare number of those who buy is no amount of money.
    pub(crate) fn counts_customers(&self, spot: &Spot) -> bool {
        let is_bare = spot.amount.unit == Unit::Bare && !spot.amount.marked && !spot.is_word;
        let behind = self.message.tokens.get(spot.amount.to).filter(|_| is_bare);
        behind.is_some_and(concepts::is_customers)
    }

    /// The growth years that stand nearest, one bit each.
    pub(crate) fn years(&self, spot: &Spot) -> u8 {
        let part = &self.message.parts[spot.part];
        let start = part.sentence.tokens.start;
        let Some(edges) = &part.edges else { return 0 };
        let (from, to) = (spot.amount.from - start, spot.amount.to - start);
        let all = edges.at.iter().enumerate();
        let named = all.flat_map(|(at, here)| here.iter().map(move |edge| (at, edge)));
        let years = named.filter_map(|(at, edge)| match edge.payload {
            EdgePayload::Years(years) => Some((at, edge.end, years)),
            _ => None,
        });
        let distance = |at: usize, end: usize| {
            if end <= from {
                from - end
            } else {
                at.saturating_sub(to) + 1
            }
        };
        years
            .min_by_key(|(at, end, _)| (distance(*at, *end), std::cmp::Reverse(*end)))
            .map_or(0, |(.., years)| years)
    }
}

/// Powers of ten, and whether the number is whole.
fn size(value: Decimal) -> u32 {
    let whole = value.abs().to_u64().unwrap_or(u64::MAX);
    let digits = whole.checked_ilog10().map_or(0, |power| power + 1);
    digits * 2 + u32::from(value.fract().is_zero())
}
