//! How values are to differ: "10 % less", "20,000 less", "double", "three months later", "without the van", "at 5,000".

mod direction;
mod meant;
mod words;

use super::calendar::When;
use super::phrasebook::{CHANGES, SLOTS};
use super::slots::{Change, FieldChange};
use crate::convert;
use crate::ear::Ear;
use crate::ear::names::Named;
use crate::ear::spots::Spots;
use crate::grammar::Message;
use crate::lex::Unit;
use direction::Direction;
use plan_model::field::{Bounds, Field, Kind};
use plan_model::number::Number;
use rust_decimal::Decimal;
use std::ops::Range;

/// Points from which a change of a share in percent is meant of the share itself: "10 % less labor" is nine tenths of it, "labor 2 %
/// lower" two points.
const OF_ITSELF: Decimal = Decimal::TEN;

/// A bare number below it is no amount of money.
const FEW_DOLLARS: Decimal = Decimal::from_parts(20, 0, 0, false, 0);

/// A number that is less likely of any field is beside the point.
const ASIDE: f32 = 0.3;

/// Reads the changes of one message.
pub(super) struct Changes<'m> {
    pub ear: &'m Ear,
    pub message: &'m Message<'m>,
    pub spots: &'m Spots<'m>,
    pub when: &'m When,
    /// What a change without a name is of.
    pub about: Option<usize>,
    names: Vec<Named>,
}

impl<'m> Changes<'m> {
    /// Ready to read; what a case calls a field by its verb ("I take 500 more") is a name, too, where no longer one stands.
    pub(super) fn new(
        ear: &'m Ear,
        when: &'m When,
        about: Option<usize>,
        (message, spots): (&'m Message<'m>, &'m Spots<'m>),
    ) -> Self {
        let mut names: Vec<Named> = spots.names.iter().flatten().cloned().collect();
        for (path, range) in SLOTS.places("case", &message.tokens) {
            let Some(field) = message.vocabulary.position(path) else {
                continue;
            };
            let overlaps = |name: &Named| name.range.start < range.end && range.start < name.range.end;
            if names
                .iter()
                .any(|name| overlaps(name) && name.range.len() > range.len())
            {
                continue;
            }
            names.retain(|name| !overlaps(name));
            names.push(Named {
                range,
                fields: vec![(field, false)],
            });
        }
        names.sort_by_key(|name| name.range.start);
        Self {
            ear,
            message,
            spots,
            when,
            about,
            names,
        }
    }
}

impl Changes<'_> {
    /// Each change, in the order of the message; none where a number or a name beside them is not understood: half a case is another
    /// case.
    pub(super) fn all(&self) -> Vec<FieldChange> {
        let mut out: Vec<FieldChange> = Vec::new();
        let mut used: Vec<(usize, Range<usize>)> = Vec::new();
        for (at, spot) in self.spots.all.iter().enumerate() {
            let range = spot.amount.from..spot.amount.to;
            let is_date = self
                .when
                .said
                .iter()
                .any(|said| said.start < range.end && range.start < said.end);
            if spot.is_word || is_date && !self.is_start(at) || self.is_replaced(spot) {
                continue;
            }
            let found = self.field(at);
            let change = found.as_ref().and_then(|(field, _)| self.of_number(*field, at));
            match (found, change) {
                // "Without the van and with 10 % more for the manager": the ten percent are of no van.
                (Some((_, Some(name))), Some(_)) if !spot.amount.value.is_zero() && self.is_without(&name) => {
                    return Vec::new();
                }
                (Some(_), Some(_)) if self.is_a_year(at) => return Vec::new(),
                (Some((field, name)), Some(change)) => {
                    used.extend(name.map(|name| (field, name)));
                    if !self.add(&mut out, field, change) {
                        return Vec::new();
                    }
                }
                _ if self.is_aside(at) => {}
                _ => return Vec::new(),
            }
        }
        for (field, name) in self.names() {
            // "36,000 of salary and stop the draw": a number may stand nearest to a name that is not its own.
            let is_used = |by: &dyn Fn(usize) -> bool| used.iter().any(|(field, range)| *range == name && by(*field));
            if is_used(&|of| of == field) {
                continue;
            }
            let change = self.of_words(field, &name, out.is_empty());
            let is_nothing = change == Some(Change::To(Number::ZERO));
            let Some(change) = change.filter(|_| is_nothing || !is_used(&|_| true)) else {
                continue;
            };
            // "No draw until month 7": nothing is changed but the month.
            let start = self.described(field).start_month.as_ref();
            if is_nothing && out.iter().any(|known| Some(&known.field) == start) {
                continue;
            }
            // "No growth in years 4 and 5": one year of it is half a case.
            if self.described(field).is_growth() && self.when.names_more() {
                return Vec::new();
            }
            self.add(&mut out, self.paid_from(field), change);
        }
        // "1 % in year 2 and nothing in year 3": half of it is another case.
        let growths = out.iter().filter(|known| {
            let field = self.message.vocabulary.position(known.field.as_str());
            field.is_some_and(|field| self.described(field).is_growth())
        });
        if growths.count() == 1 && self.when.years(self.message) > 1 {
            return Vec::new();
        }
        // "Without the software and 2,000 less rent": what is left out has to be known, too.
        let left_out = self
            .message
            .tokens
            .iter()
            .filter(|token| matches!(token.word(), "without" | "sin"));
        let nothing = out.iter().filter(|known| known.change == Change::To(Number::ZERO));
        if !out.is_empty() && left_out.count() > nothing.count() {
            return Vec::new();
        }
        if out.is_empty()
            && let Some(field) = self.about
            && let Some(change) = self.of_words(field, &(0..0), true)
        {
            self.add(&mut out, field, change);
        }
        out
    }

    /// Whether it is the first change of its field, or says the same again.
    fn add(&self, out: &mut Vec<FieldChange>, field: usize, change: Change) -> bool {
        let field = self.described(field).path.clone();
        match out.iter().find(|known| known.field == field) {
            Some(known) => known.change == change,
            None => {
                out.push(FieldChange { field, change });
                true
            }
        }
    }

    fn described(&self, field: usize) -> &Field {
        &self.message.vocabulary.fields()[field]
    }

    fn word(&self, at: usize) -> &str {
        self.message.tokens.get(at).map_or("", |token| token.word())
    }

    fn of_number(&self, field: usize, at: usize) -> Option<Change> {
        let spot = &self.spots.all[at];
        let described = self.described(field);
        let said = spot.amount.value;
        let direction = self.direction(Some(field), at);
        let before = spot.amount.from.checked_sub(1).map_or("", |at| self.word(at));
        let is_goal = matches!(
            before,
            "to" | "at" | "al" | "only" | "month" | "mes" | "en" | "is" | "are" | "was" | "were" | "fuera" | "queda"
        ) || before == "a" && self.moves_to(spot.amount.from);
        // "At ten points less" is no goal, and "by 24 months" none either: which way it is then has to be said.
        let is_goal = is_goal && !self.says_way_behind(spot.amount.to);
        if before == "by" && direction.is_none() {
            return None;
        }
        // "Up 4 % every year" is the value of a growth.
        if self.grows(field) && self.is_yearly(spot.amount.to) {
            return self.to(field, at);
        }
        if let Some(points) = self.point_and(at).filter(|_| described.kind == Kind::Percent) {
            let sign = match direction? {
                Direction::Less => -Decimal::ONE,
                Direction::More => Decimal::ONE,
            };
            return Some(Change::By(Number::new(sign * points / Decimal::ONE_HUNDRED)));
        }
        if self.is_part_of_a_time(at) {
            return None;
        }
        if let Some(part) = self.of_part(at, before) {
            return Some(part);
        }
        let is_point = CHANGES.has("point", self.word(spot.amount.to));
        let sign = match direction.filter(|_| !is_goal) {
            Some(Direction::Less) => -Decimal::ONE,
            Some(Direction::More) => Decimal::ONE,
            // "Two points heavier": points lead somewhere from where they are.
            None if is_point && !is_goal => return None,
            None => return self.to(field, at),
        };
        // "Three quarters of a point" is of a share, and of nothing else.
        if spot.amount.unit == Unit::Fraction && self.is_of_a_point(spot.amount.to) {
            let share = Number::new(sign * said / Decimal::ONE_HUNDRED);
            return (described.kind == Kind::Percent).then_some(Change::By(share));
        }
        let hundredth = Decimal::ONE_HUNDRED;
        let share = match spot.amount.unit {
            Unit::Percent => Some(said / hundredth),
            Unit::Fraction => Some(said),
            _ => None,
        };
        match (described.kind, share) {
            // A hundred points and more are another field's dollars.
            (Kind::Percent, _) if is_point || spot.amount.unit == Unit::Bare && said < hundredth => {
                let size = if self.word(spot.amount.to) == "bps" {
                    hundredth * hundredth
                } else {
                    hundredth
                };
                Some(Change::By(Number::new(sign * said / size)))
            }
            (Kind::Percent, Some(share)) if spot.amount.unit == Unit::Percent && said < OF_ITSELF => {
                Some(Change::By(Number::new(sign * share)))
            }
            // "Half a turn less on the exit multiple"
            (Kind::Multiple, Some(share)) if spot.amount.unit == Unit::Fraction => {
                Some(Change::By(Number::new(sign * share)))
            }
            (_, Some(share)) => Some(Change::Times(Number::new(Decimal::ONE + sign * share).round(6))),
            (Kind::Money, None) => {
                if self.is_count(at) {
                    return None;
                }
                let cents = convert::cents(said, self.spots.period(spot), described)?;
                Some(Change::By(Number::new(sign * cents.decimal())))
            }
            (_, None) => {
                let value = self.to(field, at)?;
                let Change::To(value) = value else { return None };
                Some(Change::By(Number::new(sign * value.decimal())))
            }
        }
    }

    /// "Two trucks instead of one": so few dollars are no dollars.
    fn is_count(&self, at: usize) -> bool {
        let amount = &self.spots.all[at].amount;
        let is_few = amount.value > Decimal::ZERO && amount.value < FEW_DOLLARS;
        amount.unit == Unit::Bare && !amount.marked && is_few
    }

    fn to(&self, field: usize, at: usize) -> Option<Change> {
        let amount = &self.spots.all[at].amount;
        // "sales at 85 % of plan"
        let share = match amount.unit {
            Unit::Fraction => Some(amount.value),
            Unit::Percent => Some(amount.value / Decimal::ONE_HUNDRED),
            _ => None,
        };
        if let Some(share) = share.filter(|_| self.described(field).kind == Kind::Money) {
            // "sales −20 %"
            let part = if share < Decimal::ZERO {
                Decimal::ONE + share
            } else {
                share
            };
            return Some(Change::Times(Number::new(part)));
        }
        let choices = self.spots.choices(at);
        let choice = choices.into_iter().find(|choice| choice.field == field)?;
        if self.is_count(at) && self.described(field).kind == Kind::Money {
            return None;
        }
        // "Only borrow one fifty": 150 dollars or thousands are asked back.
        let is_usual = |bounds: &Bounds| {
            let value = choice.value.decimal();
            let is_tiny =
                value * Decimal::TEN < bounds.low.decimal() || value * Decimal::ONE_THOUSAND < bounds.high.decimal();
            amount.unit != Unit::Bare || amount.marked || !is_tiny || self.described(field).kind != Kind::Money
        };
        let is_zero = choice.value == Number::ZERO;
        (is_zero || self.described(field).soft.as_ref().is_none_or(is_usual)).then_some(Change::To(choice.value))
    }
}
