//! The projection: opening position, months, years, metrics and advisories.
//!
//! Money is whole cents, months count from 1 at opening, ratios are exact decimals. `None` is "does not apply" or "never
//! within 60 months"; each field says which. Definitions: `docs/FINANCIAL-MODEL.md` 3.3 to 3.8.

mod rows;
mod statement;

pub use rows::{AnnualRow, AnnualSummary, MonthRow, Opening};
pub use statement::{Balance, CostLines};

use super::metrics::Metrics;
use super::number::Number;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use time::OffsetDateTime;

/// Everything one run of the engine knows, as `GET …/outputs` shows it.
#[derive(Clone, Debug, PartialEq, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Projection {
    /// Opening day.
    pub opening: Opening,
    /// The key figures.
    pub metrics: Metrics,
    /// Years 1 to 5.
    pub annual: Vec<AnnualRow>,
    /// Months 1 to 60.
    pub monthly: Vec<MonthRow>,
    /// Startup costs against the disclosed ones.
    pub item7: Item7Comparison,
    /// Whether the figures agree with each other.
    pub checks: Checks,
    /// Figures that want attention.
    pub advisories: Vec<Advisory>,
}

/// `updatedOutputs` of the `done` event and of PATCH answers: the projection without its months.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct UpdatedOutputs {
    /// When the engine ran.
    #[serde(with = "time::serde::rfc3339")]
    pub computed_at: OffsetDateTime,
    /// Moves when the same plan would give other figures.
    #[schema(value_type = String)]
    pub engine_version: Cow<'static, str>,
    /// The key figures.
    pub metrics: Metrics,
    /// Years 1 to 5.
    pub annual: Vec<AnnualSummary>,
    /// Startup costs against the disclosed ones.
    pub item7: Item7Comparison,
    /// Whether the figures agree with each other.
    pub checks: Checks,
    /// Figures that want attention.
    pub advisories: Vec<Advisory>,
    /// Against the run before; empty when nothing moved.
    pub changes: Vec<MetricChange>,
}

/// How the plan's startup costs compare with the disclosed total.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Item7Position {
    /// Less than the lower end.
    Below,
    /// Between the ends.
    Within,
    /// More than the upper end.
    Above,
}

impl Item7Position {
    /// Of an amount beside the disclosed low and high.
    pub const fn of(cents: i64, low: i64, high: i64) -> Self {
        match cents {
            _ if cents < low => Self::Below,
            _ if cents > high => Self::Above,
            _ => Self::Within,
        }
    }
}

/// The plan's startup costs against Item 7, over the rows that Item 7 has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Item7Comparison {
    /// The sum of the lower ends.
    pub low: i64,
    /// The sum of the upper ends.
    pub high: i64,
    /// The plan's sum over the same rows.
    pub plan_total: i64,
    /// Where that is.
    pub position: Item7Position,
}

/// Whether the identities of `docs/FINANCIAL-MODEL.md` 3.7 hold. A failing one is a fault of the engine, not of the plan.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Checks {
    /// Whether all hold.
    pub passed: bool,
    /// `I1` … `I16`; `limit` where a figure left ±10^15 cents and was cut.
    #[schema(value_type = Vec<String>)]
    pub failed: Vec<Cow<'static, str>>,
}

/// How much attention a figure wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum AdvisoryLevel {
    /// None.
    Ok,
    /// Some.
    Watch,
    /// Much.
    Alert,
}

/// One figure compared with the brand's thresholds. States a fact, never advice.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Advisory {
    /// What it is about.
    #[schema(value_type = String)]
    pub code: Cow<'static, str>,
    /// How much attention it wants.
    pub level: AdvisoryLevel,
    /// The fact, in words.
    pub message: String,
}

/// One metric that moved.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MetricChange {
    /// A name of the metric catalogue.
    #[schema(value_type = String)]
    pub metric: Cow<'static, str>,
    /// `null` where there was none.
    #[schema(value_type = Option<f64>)]
    pub before: Option<Number>,
    /// `null` where there is none.
    #[schema(value_type = Option<f64>)]
    pub after: Option<Number>,
}
