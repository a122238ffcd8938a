//! The value of one field with which a metric reaches a target, all else unchanged (`docs/FINANCIAL-MODEL.md` 7.3).
//!
//! First 41 points: today's value and 20 on each side, closer together near today's. Where the target lies between two of
//! them, the halves of that gap are tried, down to the field's step.

use crate::plans::analysis::{Found, Hypothesis};
use crate::plans::{EditError, apply};
use plan_model::field::{Field, FieldPath, Kind};
use plan_model::metrics::{Better, Metric};
use plan_model::number::Number;
use rust_decimal::Decimal;
use std::cmp::Reverse;

/// Points on each side of today's value. Their distances grow with the square.
const POINTS: i64 = 20;

/// The range ends at this multiple of the reference value, or at twice today's value.
const REACH: i64 = 10;
const REACH_OF_TODAY: i64 = 2;

/// Reference of an amount for which neither range nor default is known: $10,000.
const SOME_AMOUNT: i64 = 1_000_000;

/// What is wanted, in the metric's unit.
#[derive(Debug, Clone)]
pub struct Goal<'a> {
    pub metric: &'a Metric,
    pub target: Number,
    pub path: FieldPath,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    Reached,
    /// No point comes up to the target; the value is the best of them.
    Unreachable,
    /// More than one stretch of values reaches the target; the value is the nearest to today's.
    NotMonotone,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GoalSeek {
    pub outcome: Outcome,
    pub found: Found,
    pub base: Found,
}

/// Searches; at most 41 runs of the engine, and 64 more between two points.
///
/// # Errors
/// [`EditError::UnknownField`].
pub fn goal_seek(plan: &Hypothesis<'_>, goal: &Goal<'_>) -> Result<GoalSeek, EditError> {
    let unknown = || EditError::UnknownField(goal.path.clone());
    let field = plan.brand_version.field(goal.path.as_str()).ok_or_else(unknown)?;
    let grid = Grid::new(plan, field)?;
    let today = Point {
        at: grid.today,
        result: (goal.metric.value)(&plan.base().metrics),
    };
    let search = Search {
        plan,
        goal,
        side: Side::of(goal, today.result),
        grid,
    };
    search.run(today)
}

/// The values that are tried, in units of the field: cents, millionths, whole numbers.
#[derive(Debug, Clone, Copy)]
struct Grid {
    kind: Kind,
    low: i64,
    step: i64,
    /// Number of the last value.
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
        let (low, highest) = (units(field.hard().low), units(field.hard().high));
        let today = units(value.current_value).clamp(low, highest);
        let range = value.item7().or(field.soft);
        let reference = range.map_or_else(
            || units(value.brand_default).max(SOME_AMOUNT),
            |range| units(range.high),
        );
        let high = (REACH * reference).max(REACH_OF_TODAY * today).min(highest);
        let step = match field.kind {
            Kind::Percent => 1_000,
            Kind::Multiple => 10_000,
            Kind::Money | Kind::Count | Kind::Months | Kind::Days | Kind::Years => 1,
        };
        Ok(Self {
            kind: field.kind,
            low,
            step,
            last: (high.max(today) - low) / step,
            today,
        })
    }

    fn at(&self, number: i64) -> i64 {
        self.low + number * self.step
    }

    fn value(&self, at: i64) -> Number {
        match self.kind.is_decimal() {
            true => Number::millionths(at),
            false => Number::whole(at),
        }
    }

    /// The numbers of today's neighbors, or of today's value itself where it is one of those that are tried.
    fn around_today(&self) -> (i64, i64) {
        let distance = self.today - self.low;
        (
            distance.div_euclid(self.step),
            distance.div_euclid(self.step) + i64::from(distance % self.step != 0),
        )
    }

    /// Numbers from today's value outward to `end`, without repetition and without today's.
    fn outward(&self, from: i64, end: i64) -> Vec<i64> {
        let mut numbers: Vec<i64> = (1..=POINTS)
            .map(|i| from + (end - from) * i * i / (POINTS * POINTS))
            .collect();
        numbers.dedup();
        numbers.retain(|number| self.at(*number) != self.today);
        numbers
    }
}

#[derive(Debug, Clone, Copy)]
struct Point {
    at: i64,
    result: Option<Number>,
}

/// On which side of the target a result counts. Where the metric has no better direction, on the side that today's is not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Side {
    AtLeast,
    AtMost,
}

impl Side {
    fn of(goal: &Goal<'_>, today: Option<Number>) -> Self {
        match goal.metric.better {
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
    grid: Grid,
}

impl Search<'_, '_> {
    fn run(&self, today: Point) -> Result<GoalSeek, EditError> {
        let (below, above) = self.grid.around_today();
        let lower = self.points(below, 0)?;
        let higher = self.points(above, self.grid.last)?;
        let candidates = [
            self.nearest(today, above, &lower)?,
            self.nearest(today, below, &higher)?,
        ];
        let best = if self.reaches(today.result) {
            Some(today)
        } else {
            let found = candidates.into_iter().flatten();
            found.min_by_key(|point| point.at.abs_diff(today.at))
        };
        let ascending = lower.iter().rev().map(|(_, point)| point).chain([&today]);
        let all: Vec<&Point> = ascending.chain(higher.iter().map(|(_, point)| point)).collect();
        let crossings = all
            .windows(2)
            .filter(|pair| self.reaches(pair[0].result) != self.reaches(pair[1].result))
            .count();
        let (outcome, point) = match best {
            Some(point) if crossings > 1 => (Outcome::NotMonotone, point),
            Some(point) => (Outcome::Reached, point),
            None => (Outcome::Unreachable, self.best(&all, today)),
        };
        let shown = |point: Point| Found {
            value: self.grid.value(point.at),
            result: point.result,
        };
        Ok(GoalSeek {
            outcome,
            found: shown(point),
            base: shown(today),
        })
    }

    fn points(&self, from: i64, end: i64) -> Result<Vec<(i64, Point)>, EditError> {
        let numbers = self.grid.outward(from, end).into_iter();
        numbers.map(|number| Ok((number, self.point(number)?))).collect()
    }

    fn point(&self, number: i64) -> Result<Point, EditError> {
        let at = self.grid.at(number);
        let projection = self.plan.with(&self.goal.path, self.grid.value(at))?;
        Ok(Point {
            at,
            result: (self.goal.metric.value)(&projection.metrics),
        })
    }

    fn reaches(&self, result: Option<Number>) -> bool {
        result.is_some_and(|result| match self.side {
            Side::AtLeast => result >= self.goal.target,
            Side::AtMost => result <= self.goal.target,
        })
    }

    /// Between the first point outward that reaches the target and the one before it: the value nearest to today's.
    /// `start` is today's number on this side, which has been run only where it is today's value.
    fn nearest(&self, today: Point, start: i64, outward: &[(i64, Point)]) -> Result<Option<Point>, EditError> {
        let Some(first) = outward.iter().position(|(_, point)| self.reaches(point.result)) else {
            return Ok(None);
        };
        if self.reaches(today.result) {
            return Ok(None);
        }
        let (mut good_number, mut good) = outward[first];
        let (mut bad_number, mut bad) = match first.checked_sub(1) {
            Some(before) => outward[before],
            None => (start, today),
        };
        while good_number.abs_diff(bad_number) > 1 {
            let number = i64::midpoint(good_number, bad_number);
            let point = self.point(number)?;
            if self.reaches(point.result) {
                (good_number, good) = (number, point);
            } else {
                (bad_number, bad) = (number, point);
            }
        }
        let is_nearer = self.goal.metric.better.is_none()
            && bad.result.is_some()
            && self.distance(bad.result) < self.distance(good.result);
        Ok(Some(if is_nearer { bad } else { good }))
    }

    /// The best of points of which none reaches the target, the nearest to today's among equals.
    fn best(&self, points: &[&Point], today: Point) -> Point {
        let rank = |point: &&&Point| (self.distance(point.result), point.at.abs_diff(today.at));
        points.iter().min_by_key(rank).map_or(today, |point| **point)
    }

    /// How far a result is from the target; one that does not exist is the farthest.
    fn distance(&self, result: Option<Number>) -> (Reverse<bool>, Option<Decimal>) {
        let distance = result.map(|result| result.decimal().saturating_sub(self.goal.target.decimal()).abs());
        (Reverse(distance.is_some()), distance)
    }
}

#[cfg(test)]
mod tests;
