//! The ways in which a number changes a value, and what each makes of it.

use crate::convert;
use crate::ear::linear::hash;
use crate::ear::spots::{Spot, Spots};
use crate::ear::values;
use crate::ear::words::word;
use crate::grammar::Message;
use crate::intent::Change;
use crate::intent::phrasebook::CHANGES;
use crate::lex::{Period, Unit};
use plan_model::field::{Bounds, Field, Kind};
use plan_model::number::Number;
use rust_decimal::Decimal;

/// Cents; bare hundreds of what is usually more are thousands: "borrow 20 less".
const LARGE: i64 = 2_000_000;

/// Words on each side of a number in which words of direction count.
const AROUND: usize = 6;

/// How a number changes a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Way {
    /// It is the new value.
    To,
    /// It is added.
    More,
    /// It is taken off.
    Less,
    /// Such a share of the value is added.
    ShareMore,
    /// Such a share of the value is taken off.
    ShareLess,
    /// The value is multiplied by it.
    Times,
}

impl Way {
    pub(crate) const ALL: [Self; 6] = [
        Self::To,
        Self::More,
        Self::Less,
        Self::ShareMore,
        Self::ShareLess,
        Self::Times,
    ];

    /// The change of a field; `None` where the number cannot change it so.
    pub(crate) fn change(self, spots: &Spots<'_>, at: usize, field: &Field, range: Option<Bounds>) -> Option<Change> {
        let spot = &spots.all[at];
        if field.kind == Kind::Money && spots.counts_customers(spot) {
            return None;
        }
        let number = |value: Decimal| Number::new(value).round(6);
        Some(match self {
            Self::To => Change::To(to(spots, spot, field, range)?),
            Self::More => Change::By(number(amount(spots, spot, field, range)?)),
            Self::Less => Change::By(number(-amount(spots, spot, field, range)?)),
            Self::ShareMore => Change::Times(number(Decimal::ONE + share(spot)?)),
            Self::ShareLess => Change::Times(number(Decimal::ONE - share(spot)?)),
            Self::Times => Change::Times(number(factor(spot)?)),
        })
    }
}

/// The value itself.
fn to(spots: &Spots<'_>, spot: &Spot, field: &Field, range: Option<Bounds>) -> Option<Number> {
    let is_factor = spot.is_word && matches!(spot.amount.unit, Unit::Multiple | Unit::Percent);
    if is_factor {
        return None;
    }
    values::value(field, range, &spot.amount, spots.period(spot))
}

/// So much of the field's unit.
fn amount(spots: &Spots<'_>, spot: &Spot, field: &Field, range: Option<Bounds>) -> Option<Decimal> {
    let amount = &spot.amount;
    let said = amount.value.abs();
    if said.is_zero() {
        return None;
    }
    match (field.kind, amount.unit) {
        (Kind::Percent, Unit::Fraction) if spots.is_of_points(spot) => Some(said / Decimal::ONE_HUNDRED),
        (Kind::Percent, Unit::Percent | Unit::Bare) => {
            // "10 % more labor" is of itself, "labor 2 % more" two points.
            let is_of_itself = amount.unit == Unit::Percent && said >= Decimal::TEN && !spots.is_of_points(spot);
            let size = spots.points(spot);
            (said < size && !is_of_itself).then(|| said / size)
        }
        (Kind::Percent, _) => None,
        (Kind::Multiple, Unit::Fraction) => Some(said),
        (Kind::Money, Unit::Bare | Unit::Money | Unit::Months | Unit::Years) => {
            let period = match amount.unit {
                Unit::Months | Unit::Years if !amount.marked => return None,
                Unit::Months => Some(Period::Monthly),
                Unit::Years => Some(Period::Annual),
                _ => spots.period(spot),
            };
            let is_large = range
                .or(field.soft)
                .is_some_and(|range| range.high >= Number::whole(LARGE));
            let is_short =
                !amount.marked && said < Decimal::ONE_THOUSAND && is_large && field.period != Some(Period::Monthly);
            let dollars = if is_short {
                said.checked_mul(Decimal::ONE_THOUSAND)?
            } else {
                said
            };
            convert::cents(dollars, period, field).map(Number::decimal)
        }
        _ => {
            let mut positive = amount.clone();
            positive.value = said;
            values::value(field, range, &positive, None).map(Number::decimal)
        }
    }
}

/// A share of the value.
fn share(spot: &Spot) -> Option<Decimal> {
    let said = spot.amount.value.abs();
    match spot.amount.unit {
        Unit::Percent => Some(said / Decimal::ONE_HUNDRED),
        Unit::Fraction => Some(said),
        _ => None,
    }
    .filter(|share| !share.is_zero())
}

/// What the value is multiplied by.
fn factor(spot: &Spot) -> Option<Decimal> {
    match spot.amount.unit {
        Unit::Multiple | Unit::Bare => {
            Some(spot.amount.value).filter(|factor| *factor > Decimal::ZERO && *factor < Decimal::TEN)
        }
        _ => share(spot),
    }
}

/// What describes a number that changes a field, whichever way.
pub(crate) fn features(spots: &Spots<'_>, message: &Message<'_>, at: usize, field: &Field) -> Vec<u32> {
    const LISTS: [&str; 6] = ["less", "more", "to", "by", "than", "point"];
    let spot = &spots.all[at];
    let kind = field.kind as u32;
    let unit = spot.amount.unit as u32;
    let mut out = spots.features(at);
    let tokens = &message.tokens;
    let range = &message.parts[spot.part].sentence.tokens;
    let is_other = |at: usize| spots.all.iter().any(|other| !other.is_word && other.amount.from == at);
    let before = (range.start.max(spot.amount.from.saturating_sub(AROUND))..spot.amount.from).rev();
    let behind = spot.amount.to..range.end.min(spot.amount.to + AROUND);
    out.push(hash(140, kind, unit));
    for (nth, list) in (0..).zip(LISTS) {
        let nearest = |at: &mut dyn Iterator<Item = usize>| {
            let mut steps = at.take_while(|at| !is_other(*at)).zip(1..);
            steps.find_map(|(at, steps)| CHANGES.has(list, tokens[at].word()).then_some(steps))
        };
        let (before, behind) = (nearest(&mut before.clone()), nearest(&mut behind.clone()));
        for (side, steps) in [(0, before), (1, behind)] {
            let steps = steps.unwrap_or(9_u32);
            out.push(hash(141, nth << 1 | side, steps));
            out.push(hash(142, nth << 1 | side, steps.min(9) << 8 | kind << 4 | unit));
        }
        out.push(hash(143, nth, before.unwrap_or(9) << 4 | behind.unwrap_or(9)));
    }
    let beside = |at: Option<usize>| at.and_then(|at| tokens.get(at)).map_or(1, word);
    let (one, other) = (beside(spot.amount.from.checked_sub(1)), beside(Some(spot.amount.to)));
    let is_sales = u32::from(field.path.section() == "revenue");
    let context = kind << 5 | unit << 1 | is_sales;
    out.push(hash(144, one, context));
    out.push(hash(145, other, context));
    out.push(hash(146, beside(Some(spot.amount.to + 1)), context));
    // "-= 300", "dos puntos más flaca", "three quarters of", "cut to two thirds".
    out.push(hash(150, one, beside(spot.amount.from.checked_sub(2))));
    out.push(hash(151, other, beside(Some(spot.amount.to + 1))));
    let is_most = u32::from(spot.amount.unit == Unit::Fraction && spot.amount.value > Decimal::new(5, 1));
    out.push(hash(152, is_most, one));
    out.push(hash(153, is_most, other));
    out.push(hash(147, u32::from(spot.amount.value < Decimal::ZERO), context));
    out.push(hash(148, u32::from(spot.is_word), context));
    out.extend(range.clone().take(40).map(|at| hash(149, word(&tokens[at]), is_sales)));
    out.sort_unstable();
    out.dedup();
    out
}

impl Spots<'_> {
    /// "Half a point", "two points", "150 bps": how many of it make the whole.
    fn points(&self, spot: &Spot) -> Decimal {
        let word = self.word_at(spot.amount.to);
        Decimal::from(if word == "bps" { 10_000 } else { 100 })
    }

    fn is_of_points(&self, spot: &Spot) -> bool {
        (spot.amount.to..spot.amount.to + 3).any(|at| CHANGES.has("point", self.word_at(at)))
    }
}
