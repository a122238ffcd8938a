//! What a search is for: a metric, or what a year leaves of the money that comes in.

use plan_engine::lines::{self, FigureLine, When};
use plan_model::metrics::{Better, Metric, MetricKind};
use plan_model::number::Number;
use plan_model::outputs::Projection;

/// Lines of money of which a year is to have so much: more of it is better.
const OF_YEARS: [&str; 3] = ["ownerLeft", "netProfit", "ebitda"];

/// A figure that is to reach a target.
#[derive(Debug, Clone, Copy)]
pub enum Sought<'m> {
    Metric(&'m Metric),
    /// A line in a year, from 1.
    Year(&'static FigureLine, u32),
}

impl Sought<'_> {
    /// The line of a year by its name, as "ownerLeftYear2".
    pub fn of_year(name: &str) -> Option<Self> {
        let (line, year) = name.trim().split_once("Year")?;
        let year = year.parse().ok().filter(|year| When::Year(*year).is_projected())?;
        let line = lines::find(line).filter(|line| OF_YEARS.contains(&line.name))?;
        Some(Self::Year(line, year))
    }

    /// The name in results of tools.
    pub fn name(&self) -> String {
        match self {
            Self::Metric(metric) => metric.name.to_owned(),
            Self::Year(line, year) => format!("{}Year{year}", line.name),
        }
    }

    /// What it is called inside a sentence.
    pub fn name_in_sentence(&self) -> String {
        match self {
            Self::Metric(metric) => metric.name_in_sentence(),
            Self::Year(line, year) => format!("{} in year {year}", line.label),
        }
    }

    pub fn kind(&self) -> MetricKind {
        match self {
            Self::Metric(metric) => metric.kind,
            Self::Year(..) => MetricKind::Money,
        }
    }

    pub fn better(&self) -> Option<Better> {
        match self {
            Self::Metric(metric) => metric.better,
            Self::Year(..) => Some(Better::Higher),
        }
    }

    /// Whether a value says that nothing is earned that could cover a payment.
    pub fn is_uncovered(&self, value: Number) -> bool {
        matches!(self, Self::Metric(metric) if metric.is_uncovered(value))
    }

    pub fn value(&self, projection: &Projection) -> Option<Number> {
        match self {
            Self::Metric(metric) => (metric.value)(&projection.metrics),
            Self::Year(line, year) => line.value(projection, When::Year(*year)),
        }
    }

    /// A value as people read it.
    pub fn show(&self, value: Number) -> String {
        match self {
            Self::Metric(metric) => metric.show(value),
            Self::Year(line, _) => line.show(value),
        }
    }
}
