//! The fields that a number can be a value of, with what speaks for each.

use super::{NumberFit, Spot, Spots};
use crate::ear::linear::hash;
use crate::ear::names::Named;
use crate::ear::values::{dollars, value};
use plan_model::field::{FieldRole, Kind as FieldKind};
use plan_model::number::Number;
use rust_decimal::Decimal;

/// A field, what the number would be of it with whether that is dollars of a share, and what speaks for it.
type Fit = (usize, Option<(Number, bool)>, Vec<u32>);

impl Spots<'_> {
    /// The fields that the number can be a value of, with what speaks for each.
    pub(crate) fn choices(&self, at: usize) -> Vec<NumberFit> {
        let fits = self.fits(at, false).into_iter();
        fits.filter_map(|(field, worth, features)| {
            let (value, in_dollars) = worth?;
            Some(NumberFit {
                field,
                value,
                in_dollars,
                features,
            })
        })
        .collect()
    }

    /// The fields that a number of a case may change, with what speaks for each.
    pub(crate) fn changed(&self, at: usize) -> Vec<(usize, Vec<u32>)> {
        let fits = self.fits(at, true).into_iter();
        fits.map(|(field, _, features)| (field, features)).collect()
    }

    /// Each field that the number may be of, with the value that it would have, and whether that is of dollars for a share; of a case it may be a change and no value.
    fn fits(&self, at: usize, is_case: bool) -> Vec<Fit> {
        let spot = &self.all[at];
        let vocabulary = self.message.vocabulary;
        let period = self.period(spot);
        let years = self.years(spot);
        let (nearest, lists) = (self.nearest(spot), self.distances(at));
        let is_month = self.place(spot).is_month();
        let before = &self.message.before;
        let word_at = |at: Option<usize>| {
            let range = &self.message.parts[spot.part].sentence.tokens;
            at.filter(|at| range.contains(at)).map_or(1, |at| self.words[at])
        };
        let (before_it, behind_it) = (word_at(spot.amount.from.checked_sub(1)), word_at(Some(spot.amount.to)));
        let is_short = self.message.tokens.len() <= spot.amount.to - spot.amount.from + 4;
        let token_before = spot.amount.from.checked_sub(1).map(|at| self.message.tokens[at].word());
        let is_year = matches!(token_before, Some("year" | "año" | "ano"));
        let has_names = self.names.iter().any(|names| !names.is_empty());
        let order = self.order(spot.part);
        let fields = vocabulary.fields().iter().enumerate();
        fields
            .filter_map(|(field, described)| {
                let range = vocabulary.range(field);
                let value = value(described, range, &spot.amount, period);
                // "From year 2 on" begins with the thirteenth month.
                let begins = described.role == FieldRole::StartMonth && is_year;
                let first =
                    |year: Number| Number::new((year.decimal() - Decimal::ONE) * Decimal::from(12) + Decimal::ONE);
                let value = if begins { value.map(first) } else { value };
                let of_share = || dollars(described, &spot.amount, period).map(|cents| (cents, true));
                let worth = value
                    .map(|value| (value, false))
                    .or_else(|| of_share().filter(|_| !is_case));
                if worth.is_none() && !is_case {
                    return None;
                }
                let in_dollars = matches!(worth, Some((_, true)));
                let kind = if in_dollars { DOLLARS } else { described.kind as u32 };
                let mut features = Vec::with_capacity(16);
                let (name, is_mutual) = lists[field];
                features.push(hash(40, name, 0));
                features.push(hash(41, name, kind));
                features.push(hash(42, name >> 8 & 0xf, u32::from(spot.is_word)));
                features.push(hash(34, name >> 12, order));
                features.push(hash(35, name >> 12 & 3, u32::from(is_mutual)));
                let is_nearest = nearest
                    .as_ref()
                    .map_or(2, |fields| u32::from(fields.iter().any(|(at, _)| *at == field)));
                features.push(hash(43, is_nearest, name >> 8 & 0xf));
                let side = name >> 12 & 3;
                features.push(hash(54, behind_it, side));
                features.push(hash(55, before_it, side));
                features.push(hash(56, hash(0, before_it, behind_it), side));
                features.push(hash(44, spot.amount.unit as u32, kind));
                let own = described.period.map_or(9, |period| period as u32);
                let said = period.map_or(9, |period| period as u32);
                features.push(hash(45, own, said));
                let usual = value.map_or(CANNOT, |value| usual(value, range));
                features.push(hash(46, usual, kind));
                features.push(hash(47, usual, is_nearest));
                if is_case {
                    features.push(hash(57, name, 0));
                    features.push(hash(58, spot.amount.unit as u32, kind << 4 | usual));
                    features.push(hash(59, is_nearest, name >> 8 & 0xf));
                    features.push(hash(33, name >> 12 & 3, u32::from(is_mutual)));
                    features.push(hash(29, name >> 12 & 3, kind << 4 | spot.amount.unit as u32));
                }
                let role = match described.role {
                    FieldRole::Growth(year) => hash(48, u32::from(years >> year & 1 == 1), u32::from(years == 0)),
                    FieldRole::StartMonth => hash(49, u32::from(is_month), is_nearest),
                    _ => hash(50, u32::from(is_month), u32::from(described.kind == FieldKind::Months)),
                };
                features.push(role);
                if before.asked.as_ref().is_some_and(|asked| asked.field == field) {
                    features.push(hash(51, u32::from(is_short), u32::from(has_names)));
                    features.push(hash(
                        52,
                        u32::from(is_nearest == 1),
                        u32::from(self.names[spot.part].is_empty()),
                    ));
                }
                if before.noted == Some(field) {
                    features.push(hash(53, u32::from(has_names), u32::from(self.corrects(spot))));
                }
                Some((field, worth, features))
            })
            .collect()
    }

    /// Where a number lies to the usual range of a field, as far as the field can hold it.
    pub(crate) fn usual(&self, at: usize, field: usize) -> u32 {
        let spot = &self.all[at];
        let vocabulary = self.message.vocabulary;
        let range = vocabulary.range(field);
        let value = value(&vocabulary.fields()[field], range, &spot.amount, self.period(spot));
        value.map_or(CANNOT, |value| usual(value, range))
    }

    /// Words between a number and the nearest name of a field; a great many where it is not named.
    pub(crate) fn steps_to_field(&self, at: usize, field: usize) -> usize {
        const NOT_NAMED: usize = 1_000;
        let names = self.names.iter().flatten();
        let own = names.filter(|name| name.fields.iter().any(|(named, _)| *named == field));
        let steps = own.map(|name| self.all[at].steps_to(&name.range));
        steps.min().unwrap_or(NOT_NAMED)
    }

    /// What speaks for a number's belonging to none of its choices: no name at it, or none that it fits.
    pub(crate) fn features_of_none(&self, at: usize, choices: &[NumberFit]) -> Vec<u32> {
        self.of_none(at, &|field| choices.iter().any(|choice| choice.field == field))
    }

    /// What speaks for a number's changing none of the fields of a case.
    pub(crate) fn features_of_no_change(&self, at: usize) -> Vec<u32> {
        let unit = self.all[at].amount.unit as u32;
        let count = self.all.len().min(6) as u32;
        let mut out = self.of_none(at, &|_| true);
        let own: Vec<u32> = out.iter().map(|feature| hash(28, *feature, 0)).collect();
        out.extend(own);
        out.push(hash(19, unit, u32::from(self.all[at].is_word)));
        out.push(hash(18, count, u32::from(self.all[at].is_word)));
        out
    }

    fn of_none(&self, at: usize, fits: &dyn Fn(usize) -> bool) -> Vec<u32> {
        let spot = &self.all[at];
        let lists = self.distances(at);
        let nearest = self.nearest(spot);
        let fit = nearest
            .iter()
            .flatten()
            .map(|(field, _)| *field)
            .find(|field| fits(*field));
        let best = fit.map_or((0, false), |field| lists[field]);
        let here = self.names[spot.part].iter();
        let fitting = here.filter(|name| name.fields.iter().any(|(field, _)| fits(*field)));
        let count = fitting.count().min(3) as u32;
        let state = u32::from(nearest.is_some()) + u32::from(fit.is_some());
        let word = u32::from(spot.is_word);
        let shown = u32::from(self.message.is_shown(spot.amount.value));
        let asks = self.message.tokens.iter().any(|token| token.is_mark('?'));
        vec![
            hash(254, shown, state),
            hash(255, shown, u32::from(asks)),
            hash(36, state, word),
            hash(37, best.0 >> 12, u32::from(best.1)),
            hash(38, count, spot.amount.unit as u32),
            hash(39, self.order(spot.part), state),
        ]
    }

    /// The fields of the name that stands nearest in the number's sentence.
    fn nearest(&self, spot: &Spot) -> Option<Vec<(usize, bool)>> {
        Some(self.nearest_name(spot)?.fields.clone())
    }

    fn nearest_name(&self, spot: &Spot) -> Option<&Named> {
        let (from, to) = (spot.amount.from, spot.amount.to);
        let between = |a: usize, b: usize| {
            self.all
                .iter()
                .any(|other| other.amount.from >= a && other.amount.to <= b)
        };
        let distance = |name: &Named| {
            let is_parted = match name.range.end <= from {
                true => between(name.range.end, from),
                false => between(to, name.range.start),
            };
            spot.steps_to(&name.range) + if is_parted { 50 } else { 0 }
        };
        self.names[spot.part].iter().min_by_key(|name| distance(name))
    }

    /// For each field how its nearest name stands to the number: in the sentence before or behind it, in another sentence, nowhere;
    /// and whether no other number stands nearer to that name.
    fn distances(&self, at: usize) -> Vec<(u32, bool)> {
        let spot = &self.all[at];
        let (from, to) = (spot.amount.from, spot.amount.to);
        let mut out = vec![(usize::MAX, 0_u32, false); self.message.vocabulary.fields().len()];
        let mut take = |fields: &[(usize, bool)], rank: usize, code: u32, is_mutual: bool| {
            for (nth, (field, is_guess)) in fields.iter().enumerate() {
                let first = (nth.min(2) as u32) << 4 | u32::from(*is_guess) << 6;
                if rank < out[*field].0 {
                    out[*field] = (rank, code | first << 4, is_mutual);
                }
            }
        };
        let numbers = |a: usize, b: usize| {
            let inside = self
                .all
                .iter()
                .filter(|other| other.amount.from >= a && other.amount.to <= b);
            inside.count()
        };
        for name in &self.names[spot.part] {
            let steps = spot.words_to(&name.range);
            let (side, others) = match name.range.end <= from {
                true => (1, numbers(name.range.end, from)),
                false => (2, numbers(to, name.range.start)),
            };
            let close = match steps {
                0..=1 => 0,
                2..=3 => 1,
                4..=7 => 2,
                _ => 3,
            };
            let code = side << 12 | close << 14 | (others.min(2) as u32) << 16;
            let is_nearer = |other: &Spot| other.words_to(&name.range) < steps;
            let mut here = self
                .all
                .iter()
                .filter(|other| other.part == spot.part && !other.is_word);
            take(&name.fields, steps + 8 * others, code, !here.any(is_nearer));
        }
        for (back, names) in self.names[..spot.part].iter().rev().take(4).enumerate() {
            for name in names.iter().rev() {
                take(&name.fields, 100 + 10 * back, 3 << 12 | (back as u32) << 16, false);
            }
        }
        if let Some(names) = self.names.get(spot.part + 1) {
            for name in names {
                take(&name.fields, 150, 4 << 12, false);
            }
        }
        out.into_iter().map(|(_, code, is_mutual)| (code, is_mutual)).collect()
    }
}

/// A number that no value of the field can be.
const CANNOT: u32 = 9;

/// The kind of dollars that a share comes to: what is learned of them is not learned of the share.
const DOLLARS: u32 = 15;

/// Where a value lies to its usual range.
fn usual(value: Number, range: Option<plan_model::field::Bounds>) -> u32 {
    let Some(range) = range else { return 0 };
    let (value, low, high) = (value.decimal(), range.low.decimal(), range.high.decimal());
    if value.is_zero() {
        1
    } else if value * Decimal::TEN < low {
        2
    } else if value < low {
        3
    } else if value <= high {
        4
    } else if value <= high * Decimal::TEN {
        5
    } else {
        6
    }
}
