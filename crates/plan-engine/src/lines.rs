//! Every figure of a projection by name: of a month, of a year, of the plan as a whole.
//!
//! The one list behind what the advisor is asked and what the tables of months and years show: a new figure is one row of
//! `lines/table.rs`.

mod spanish;
mod table;

pub use table::LINES;

use plan_model::language::Language;
use plan_model::metrics::{self, Metric};
use plan_model::number::Number;
use plan_model::outputs::{AnnualRow, Balance, MonthRow, Projection};
use std::ops::RangeInclusive;

/// Years and months that a projection has.
const YEARS: RangeInclusive<u32> = 1..=5;
const MONTHS: RangeInclusive<u32> = 1..=60;

/// What a figure is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum When {
    /// The plan as a whole.
    Plan,
    /// A year, from 1.
    Year(u32),
    /// A month, from 1.
    Month(u32),
}

impl When {
    /// Whether the projection reaches so far.
    pub fn is_projected(self) -> bool {
        match self {
            Self::Plan => true,
            Self::Year(year) => YEARS.contains(&year),
            Self::Month(month) => MONTHS.contains(&month),
        }
    }
}

/// How a value is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// Whole cents.
    Money,
    /// A ratio of earnings to loan payments.
    Coverage,
    /// A month of the plan.
    Month,
}

/// Where a figure is read.
#[derive(Debug, Clone, Copy)]
enum Reading {
    /// Moves within a month; a year has the sum.
    Flow(fn(&MonthRow) -> i64),
    /// Stands at the beginning of a month or a year.
    Start(fn(&MonthRow) -> i64),
    /// Stands at the end of a month or a year, and on opening day.
    Balance(fn(&Balance) -> i64),
    /// Of years only.
    Annual(fn(&AnnualRow) -> Option<Number>),
    /// Of the plan only.
    Whole(fn(&Projection) -> Option<Number>),
}

/// One figure.
#[derive(Debug, Clone, Copy)]
pub struct FigureLine {
    /// What a question names.
    pub name: &'static str,
    /// Inside a sentence.
    pub label: &'static str,
    /// Above its column in a table of months; none of what a month does not have, or has twice.
    pub heading: Option<&'static str>,
    /// How its value is written.
    pub shape: Shape,
    /// One of the costs that sales have to pay, before the loan.
    pub is_cost: bool,
    /// Of the plan as a whole, where the plan has one.
    metric: Option<&'static str>,
    reading: Reading,
}

const fn line(name: &'static str, label: &'static str, reading: Reading) -> FigureLine {
    FigureLine {
        name,
        label,
        heading: None,
        shape: Shape::Money,
        is_cost: false,
        metric: None,
        reading,
    }
}

impl FigureLine {
    const fn cost(self) -> Self {
        Self { is_cost: true, ..self }
    }

    const fn headed(self, heading: &'static str) -> Self {
        Self {
            heading: Some(heading),
            ..self
        }
    }

    const fn shaped(self, shape: Shape) -> Self {
        Self { shape, ..self }
    }

    const fn metric(self, metric: &'static str) -> Self {
        Self {
            metric: Some(metric),
            ..self
        }
    }

    /// Its heading in a language.
    pub fn heading_in(&self, language: Language) -> Option<&'static str> {
        match language {
            Language::English => self.heading,
            Language::Spanish => spanish::heading(self.name).or(self.heading),
        }
    }

    /// Whether it moves within a month, so that a year has the sum.
    pub const fn is_flow(&self) -> bool {
        matches!(self.reading, Reading::Flow(_))
    }

    /// Whether it stands at the beginning of a time.
    pub(crate) const fn is_start(&self) -> bool {
        matches!(self.reading, Reading::Start(_))
    }

    /// Cents at the end of a month or within it; `None` where a month has none.
    pub(crate) fn of_month(&self, row: &MonthRow) -> Option<i64> {
        match self.reading {
            Reading::Flow(read) | Reading::Start(read) => Some(read(row)),
            Reading::Balance(read) => Some(read(&row.balance)),
            Reading::Annual(_) | Reading::Whole(_) => None,
        }
    }

    /// Cents of a balance sheet; `None` where it is no part of one.
    pub(crate) fn of_balance(&self, sheet: &Balance) -> Option<i64> {
        match self.reading {
            Reading::Balance(read) => Some(read(sheet)),
            _ => None,
        }
    }

    /// What it is where neither a year nor a month is named: of the plan, of year 1, or at the end of the five years.
    pub fn usual(&self) -> When {
        match self.reading {
            Reading::Whole(_) => When::Plan,
            _ if self.metric.is_some() => When::Plan,
            Reading::Flow(_) | Reading::Annual(_) => When::Year(1),
            Reading::Start(_) | Reading::Balance(_) => When::Year(5),
        }
    }

    /// Its value; `None` where there is none, or none of this time.
    pub fn value(&self, projection: &Projection, when: When) -> Option<Number> {
        match (when, self.reading) {
            (When::Plan, Reading::Whole(read)) => read(projection),
            (When::Plan, _) => (metrics::find(self.metric?)?.value)(&projection.metrics),
            (_, Reading::Whole(_)) => None,
            (When::Year(year), Reading::Annual(read)) => read(projection.annual.get(year.checked_sub(1)? as usize)?),
            (When::Month(_), Reading::Annual(_)) => None,
            (When::Month(at), _) => self.of_month(month(projection, at)?).map(Number::whole),
            (When::Year(year), Reading::Start(_)) => {
                let first = year.checked_sub(1)?.checked_mul(12)?.checked_add(1)?;
                self.value(projection, When::Month(first))
            }
            (When::Year(year), Reading::Balance(_)) => self.value(projection, When::Month(year.checked_mul(12)?)),
            (When::Year(year), Reading::Flow(read)) => YEARS
                .contains(&year)
                .then(|| Number::whole(months_of(projection, year).map(read).sum())),
        }
    }

    /// A value in words, as the page writes it.
    pub fn show(&self, value: Number) -> String {
        let written_as = |name: &str| metrics::find(name).map(|metric: &Metric| metric.show(value));
        let like = match self.shape {
            Shape::Money if self.name == "loanPayment" => "monthlyPayment",
            Shape::Money => "lowestCash",
            Shape::Coverage => "minDscr",
            Shape::Month => "breakEvenMonth",
        };
        written_as(like).unwrap_or_default()
    }
}

fn month(projection: &Projection, month: u32) -> Option<&MonthRow> {
    projection.monthly.get(month.checked_sub(1)? as usize)
}

/// The months of a year, from 1.
pub fn months_of(projection: &Projection, year: u32) -> impl Iterator<Item = &MonthRow> + Clone {
    projection.monthly.iter().filter(move |row| row.year == year)
}

/// The figure of that name, in any case.
pub fn find(name: &str) -> Option<&'static FigureLine> {
    LINES.iter().find(|line| line.name.eq_ignore_ascii_case(name.trim()))
}

/// The running costs of some months, the largest first; those of nothing left out.
pub fn costs<'p>(months: impl Iterator<Item = &'p MonthRow> + Clone) -> Vec<(&'static FigureLine, i64)> {
    let sum = |line: &'static FigureLine| match line.reading {
        Reading::Flow(read) if line.is_cost => Some((line, months.clone().map(read).sum::<i64>())),
        _ => None,
    };
    let mut costs: Vec<_> = LINES.iter().filter_map(sum).filter(|(_, cents)| *cents > 0).collect();
    costs.sort_by_key(|(_, cents)| std::cmp::Reverse(*cents));
    costs
}

/// What a table of months shows beside month and year, in its order.
pub(crate) fn columns() -> impl Iterator<Item = &'static FigureLine> {
    LINES.iter().filter(|line| line.heading.is_some())
}

#[cfg(test)]
mod tests;
