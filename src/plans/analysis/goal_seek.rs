//! The value of one field with which a metric reaches a target, all else unchanged (`docs/FINANCIAL-MODEL.md` 7.3).
//!
//! First today's value and at most 21 points on each side, within the planning range and closer together near today's. Where
//! the target lies between two of them, the halves of that gap are tried, down to the field's step.

use crate::plans::analysis::{Found, Hypothesis, Ranking, Sought};
use crate::plans::{EditError, apply};
use plan_model::field::{Bounds, Field, FieldPath, Kind};
use plan_model::metrics::Better;
use plan_model::number::Number;
use rust_decimal::Decimal;

/// Points on each side of today's value. Their distances grow with the square.
const POINTS: i64 = 20;

/// Where neither a planning range nor a disclosed one is known, the range ends at this multiple of the default, or at twice
/// today's value.
const REACH: i64 = 10;
const REACH_OF_TODAY: i64 = 2;

/// The default where there is none: $10,000.
const SOME_AMOUNT: i64 = 1_000_000;

/// A target beyond it is no target: more than the engine's figures can be.
pub const MAX_TARGET: i64 = 1_000_000_000_000_000;

/// What is wanted, in the unit of what is sought.
#[derive(Debug, Clone)]
pub struct Goal<'a> {
    pub sought: Sought<'a>,
    /// At most [`MAX_TARGET`] in size.
    pub target: Number,
    pub path: FieldPath,
}

/// Whether a number can be a target.
pub fn is_target(number: Number) -> bool {
    number.decimal().abs() <= Decimal::from(MAX_TARGET)
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    Reached,
    /// No value of the range comes up to the target without being worse elsewhere; the value is the best of them, and the
    /// plan's own where none is better.
    Unreachable,
    /// More than one stretch of values reaches the target; the value is the nearest to today's.
    NotMonotone,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GoalSeek {
    pub outcome: Outcome,
    pub found: Found,
    pub base: Found,
    /// What was searched: the planning range of the field.
    pub range: Bounds,
    /// Where the plan meets the target already: the last value with which it still does, on the side where it ends first.
    pub holds_to: Option<Found>,
    /// The year, from 1, that earns nothing which could cover a loan payment, where the metric is a coverage.
    pub by_earnings_of: Option<usize>,
}

impl GoalSeek {
    /// Whether the plan as it is meets the target.
    pub fn is_met(&self) -> bool {
        self.outcome != Outcome::Unreachable && self.found == self.base
    }
}

/// Searches; at most 43 runs of the engine, and 64 more between two points.
///
/// # Errors
/// [`EditError::UnknownField`].
pub fn goal_seek(plan: &Hypothesis<'_>, goal: &Goal<'_>) -> Result<GoalSeek, EditError> {
    let unknown = || EditError::UnknownField(goal.path.clone());
    let field = plan.brand_version.field(goal.path.as_str()).ok_or_else(unknown)?;
    let grid = Grid::new(plan, field)?;
    let ranking = Ranking::new(goal.sought, &plan.base(), grid.value(grid.today));
    let search = Search {
        plan,
        goal,
        side: Side::of(goal, ranking.base().result),
        ranking,
        grid,
    };
    if search.ranking.looks_at(field) {
        search.run()
    } else {
        Ok(search.seek(Outcome::Unreachable, ranking.base(), None))
    }
}

/// The values that are tried, in units of the field: cents, millionths, whole numbers.
#[derive(Debug, Clone, Copy)]
struct Grid {
    kind: Kind,
    /// The lower hard bound, from which steps are counted.
    origin: i64,
    step: i64,
    /// Numbers of the first and the last value.
    first: i64,
    last: i64,
    today: i64,
}

impl Grid {
    fn new(plan: &Hypothesis<'_>, field: &Field) -> Result<Self, EditError> {
        let units = |value: Number| match field.kind.is_decimal() {
            true => value.to_millionths(),
            false => value.to_whole(),
        };
        let value = apply::value(plan.inputs, plan.brand_version, &field.path)
            .ok_or_else(|| EditError::UnknownField(field.path.clone()))?;
        let (origin, highest) = (units(field.hard().low), units(field.hard().high));
        let today = units(value.current_value).clamp(origin, highest);
        let (low, high) = match field.soft.or(value.item7()) {
            Some(range) => (units(range.low).max(origin), units(range.high).min(highest)),
            None => {
                let reference = units(value.brand_default).max(SOME_AMOUNT);
                (origin, (REACH * reference).max(REACH_OF_TODAY * today).min(highest))
            }
        };
        let step = match field.kind {
            Kind::Percent => 1_000,
            Kind::Multiple => 10_000,
            Kind::Money | Kind::Count | Kind::Months | Kind::Days | Kind::Years => 1,
        };
        Ok(Self {
            kind: field.kind,
            origin,
            step,
            first: (low - origin + step - 1).div_euclid(step),
            last: (high - origin).div_euclid(step),
            today,
        })
    }

    fn at(&self, number: i64) -> i64 {
        self.origin + number * self.step
    }

    fn value(&self, at: i64) -> Number {
        match self.kind.is_decimal() {
            true => Number::millionths(at),
            false => Number::whole(at),
        }
    }

    fn range(&self) -> Bounds {
        Bounds {
            low: self.value(self.at(self.first)),
            high: self.value(self.at(self.last)),
        }
    }

    /// From today's value, or the end of the range that is nearer to it, down to the lower end of the range.
    fn below(&self) -> Vec<i64> {
        let today = (self.today - self.origin).div_euclid(self.step);
        if today < self.first {
            return Vec::new();
        }
        self.outward(today.min(self.last), self.first)
    }

    /// The same up to the upper end.
    fn above(&self) -> Vec<i64> {
        let distance = self.today - self.origin;
        let today = distance.div_euclid(self.step) + i64::from(distance % self.step != 0);
        if today > self.last {
            return Vec::new();
        }
        self.outward(today.max(self.first), self.last)
    }

    /// Numbers outward to `end`, without repetition.
    fn outward(&self, from: i64, end: i64) -> Vec<i64> {
        let mut numbers: Vec<i64> = (0..=POINTS)
            .map(|i| from + (end - from) * i * i / (POINTS * POINTS))
            .collect();
        numbers.dedup();
        numbers
    }
}

/// A value that was tried, by its number.
type Tried = (i64, Found);

/// On which side of the target a result counts. Where the metric has no better direction, on the side that today's is not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Side {
    AtLeast,
    AtMost,
}

impl Side {
    fn of(goal: &Goal<'_>, today: Option<Number>) -> Self {
        match goal.sought.better() {
            Some(Better::Higher) => Self::AtLeast,
            Some(Better::Lower) => Self::AtMost,
            None if today.is_some_and(|today| today >= goal.target) => Self::AtMost,
            None => Self::AtLeast,
        }
    }
}

struct Search<'s, 'a> {
    plan: &'s Hypothesis<'a>,
    goal: &'s Goal<'s>,
    side: Side,
    ranking: Ranking<'s>,
    grid: Grid,
}

impl Search<'_, '_> {
    fn run(&self) -> Result<GoalSeek, EditError> {
        let today = self.ranking.base();
        let (lower, higher) = (self.points(self.grid.below())?, self.points(self.grid.above())?);
        let ascending = lower.iter().rev().map(|(_, found)| found).chain([&today]);
        let all: Vec<&Found> = ascending.chain(higher.iter().map(|(_, found)| found)).collect();
        let crossings = all
            .windows(2)
            .filter(|pair| self.meets(pair[0]) != self.meets(pair[1]))
            .count();
        let reached = match crossings {
            0 | 1 => Outcome::Reached,
            _ => Outcome::NotMonotone,
        };
        if self.meets(&today) {
            let ends = [self.holds_to(&today, &lower)?, self.holds_to(&today, &higher)?];
            return Ok(self.seek(reached, today, self.nearest(ends)));
        }
        let reaching = [self.nearest_reaching(&lower)?, self.nearest_reaching(&higher)?];
        Ok(match self.nearest(reaching) {
            Some(found) => self.seek(reached, found, None),
            None => self.seek(Outcome::Unreachable, self.best(&all), None),
        })
    }

    fn seek(&self, outcome: Outcome, found: Found, holds_to: Option<Found>) -> GoalSeek {
        GoalSeek {
            outcome,
            found,
            base: self.ranking.base(),
            range: self.grid.range(),
            holds_to,
            by_earnings_of: self.ranking.by_earnings_of(),
        }
    }

    fn points(&self, numbers: Vec<i64>) -> Result<Vec<Tried>, EditError> {
        numbers
            .into_iter()
            .map(|number| Ok((number, self.point(number)?)))
            .collect()
    }

    fn point(&self, number: i64) -> Result<Found, EditError> {
        if self.grid.at(number) == self.grid.today {
            return Ok(self.ranking.base());
        }
        let value = self.grid.value(self.grid.at(number));
        Ok(self.ranking.read(value, &self.plan.with(&self.goal.path, value)?))
    }

    /// Whether the target is met. What covers nothing meets no target.
    fn meets(&self, found: &Found) -> bool {
        let result = found.result.filter(|result| !self.goal.sought.is_uncovered(*result));
        result.is_some_and(|result| match self.side {
            Side::AtLeast => result >= self.goal.target,
            Side::AtMost => result <= self.goal.target,
        })
    }

    /// Whether a value may be named as the answer.
    fn reaches(&self, found: &Found) -> bool {
        self.meets(found) && (self.goal.sought.better().is_none() || self.ranking.is_harmless(found))
    }

    /// Of points from today's value outward, the value nearest to today's that reaches the target, and the one before it.
    fn nearest_reaching(&self, outward: &[Tried]) -> Result<Option<Found>, EditError> {
        let Some(first) = outward.iter().position(|(_, found)| self.reaches(found)) else {
            return Ok(None);
        };
        let (_, good) = outward[first];
        let Some(before) = first.checked_sub(1) else {
            return Ok(Some(self.nearer(self.ranking.base(), good)));
        };
        let (good, bad) = self.halve(outward[first], outward[before], |found| self.reaches(found))?;
        Ok(Some(self.nearer(bad, good)))
    }

    /// Where the metric has no better direction, the one of two neighbors that is nearer to the target.
    fn nearer(&self, bad: Found, good: Found) -> Found {
        let is_nearer = self.goal.sought.better().is_none()
            && bad.result.is_some()
            && bad.value != self.ranking.base().value
            && self.distance(&bad) < self.distance(&good);
        if is_nearer { bad } else { good }
    }

    /// From today's value outward, the last value that still meets the target; `None` where all of them do.
    fn holds_to(&self, today: &Found, outward: &[Tried]) -> Result<Option<Found>, EditError> {
        let Some(first) = outward.iter().position(|(_, found)| !self.meets(found)) else {
            return Ok(None);
        };
        let Some(before) = first.checked_sub(1) else {
            return Ok(Some(*today));
        };
        let (_, last) = self.halve(outward[first], outward[before], |found| !self.meets(found))?;
        Ok(Some(last))
    }

    /// Halves the gap between two points until they are neighbors: the one for which `is_wanted` holds, and the other.
    fn halve(
        &self,
        wanted: Tried,
        other: Tried,
        is_wanted: impl Fn(&Found) -> bool,
    ) -> Result<(Found, Found), EditError> {
        let ((mut wanted_at, mut wanted), (mut other_at, mut other)) = (wanted, other);
        while wanted_at.abs_diff(other_at) > 1 {
            let number = i64::midpoint(wanted_at, other_at);
            let found = self.point(number)?;
            if is_wanted(&found) {
                (wanted_at, wanted) = (number, found);
            } else {
                (other_at, other) = (number, found);
            }
        }
        Ok((wanted, other))
    }

    /// The one whose value is nearest to today's.
    fn nearest(&self, found: [Option<Found>; 2]) -> Option<Found> {
        let today = self.ranking.base().value.decimal();
        let found = found.into_iter().flatten();
        found.min_by_key(|found| found.value.decimal().saturating_sub(today).abs())
    }

    /// The best of points of which none reaches the target, today's own among equals.
    fn best(&self, points: &[&Found]) -> Found {
        let today = self.ranking.base();
        let may_be = |found: &&&Found| self.goal.sought.better().is_none() || self.ranking.may_name(found);
        let better = points.iter().filter(may_be).copied().chain([&today]);
        let rank = |found: &&Found| {
            (
                self.distance(found),
                found.value.decimal().saturating_sub(today.value.decimal()).abs(),
            )
        };
        better.min_by_key(rank).copied().unwrap_or(today)
    }

    /// How far a result is from the target. One that covers nothing is farther, the less is earned; one that does not exist is
    /// the farthest.
    fn distance(&self, found: &Found) -> (u8, Decimal) {
        match found.result {
            Some(result) if self.goal.sought.is_uncovered(result) => {
                (1, Decimal::ZERO.saturating_sub(Decimal::from(found.earnings)))
            }
            Some(result) => (0, result.decimal().saturating_sub(self.goal.target.decimal()).abs()),
            None => (2, Decimal::ZERO),
        }
    }
}

#[cfg(test)]
mod tests;
