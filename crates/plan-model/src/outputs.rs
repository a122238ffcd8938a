//! The projection: opening position, months, years, metrics and advisories.
//!
//! Money is whole cents, months count from 1 at opening, ratios are exact decimals. `None` is "does not apply" or "never
//! within 60 months"; each field says which. Definitions: `docs/FINANCIAL-MODEL.md` 3.3 to 3.8.

use super::metrics::Metrics;
use super::number::Number;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use time::OffsetDateTime;

/// Everything one run of the engine knows, as `GET …/outputs` shows it.
#[derive(Clone, Debug, PartialEq, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Projection {
    pub opening: Opening,
    pub metrics: Metrics,
    /// Years 1 to 5.
    pub annual: Vec<AnnualRow>,
    /// Months 1 to 60.
    pub monthly: Vec<MonthRow>,
    pub item7: Item7Comparison,
    pub checks: Checks,
    pub advisories: Vec<Advisory>,
}

/// `updatedOutputs` of the `done` event and of PATCH answers: the projection without its months.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct UpdatedOutputs {
    #[serde(with = "time::serde::rfc3339")]
    pub computed_at: OffsetDateTime,
    /// Moves when the same plan would give other figures.
    #[schema(value_type = String)]
    pub engine_version: Cow<'static, str>,
    pub metrics: Metrics,
    /// Years 1 to 5.
    pub annual: Vec<AnnualSummary>,
    pub item7: Item7Comparison,
    pub checks: Checks,
    pub advisories: Vec<Advisory>,
    /// Against the run before; empty when nothing moved.
    pub changes: Vec<MetricChange>,
}

/// The position on opening day, which is also the table of sources and uses (`docs/FINANCIAL-MODEL.md` 3.3).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Opening {
    pub cash: i64,
    /// Startup costs that are expensed over the first 12 months.
    pub prepaid: i64,
    pub inventory: i64,
    pub deposits: i64,
    pub fixed: i64,
    pub intangible: i64,
    pub loan: i64,
    /// What the owner puts in.
    pub paid_in: i64,
}

/// One month (`docs/FINANCIAL-MODEL.md` 3.4).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MonthRow {
    pub month: u32,
    pub year: u32,
    pub revenue: i64,
    pub materials: i64,
    pub royalty: i64,
    pub ad_fund: i64,
    pub gross_profit: i64,
    pub direct_labor: i64,
    pub contribution: i64,
    pub facilities: i64,
    pub marketing: i64,
    pub merchant_fees: i64,
    pub management_salaries: i64,
    pub owner_salary: i64,
    pub payroll_tax: i64,
    pub fixed_fees: i64,
    pub other_opex: i64,
    pub startup_expense: i64,
    pub operating_expenses: i64,
    pub ebitda: i64,
    /// Without the startup expense, as a lender looks at it.
    pub operating_ebitda: i64,
    pub depreciation: i64,
    pub amortization: i64,
    pub interest: i64,
    pub principal: i64,
    pub pre_tax_income: i64,
    pub tax: i64,
    pub net_income: i64,
    pub accounts_receivable: i64,
    pub inventory: i64,
    pub accounts_payable: i64,
    /// Negative where more tax was paid than is owed.
    pub tax_payable: i64,
    pub operating_cash_flow: i64,
    pub owner_draw: i64,
    pub net_cash_flow: i64,
    pub beginning_cash: i64,
    pub ending_cash: i64,
    pub loan_balance: i64,
    pub total_assets: i64,
    pub total_liabilities: i64,
    pub equity: i64,
    pub retained_earnings: i64,
}

/// One year: sums of its months, balances at its end, ratios (`docs/FINANCIAL-MODEL.md` 3.5).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AnnualRow {
    pub year: u32,
    pub revenue: i64,
    pub materials: i64,
    pub royalty: i64,
    pub ad_fund: i64,
    pub gross_profit: i64,
    pub direct_labor: i64,
    pub contribution: i64,
    pub operating_expenses: i64,
    pub startup_expense: i64,
    pub ebitda: i64,
    pub operating_ebitda: i64,
    pub depreciation: i64,
    pub amortization: i64,
    pub interest: i64,
    pub principal: i64,
    pub pre_tax_income: i64,
    pub tax: i64,
    pub net_income: i64,
    pub operating_cash_flow: i64,
    pub owner_draw: i64,
    pub net_cash_flow: i64,
    pub ending_cash: i64,
    pub total_assets: i64,
    pub total_liabilities: i64,
    pub equity: i64,
    pub loan_balance: i64,
    /// The year's revenue that covers its costs, before monthly minimums; `null` where no revenue could.
    pub break_even_revenue: Option<i64>,
    pub fixed_costs: i64,
    pub business_value: i64,
    /// Pre-tax income less the owner's unpaid salary and the target profit.
    pub above_target: i64,
    /// Operating EBITDA per loan payments; `null` in a year without any.
    #[schema(value_type = Option<f64>)]
    pub dscr: Option<Number>,
    /// Per revenue; `null` without revenue. So the two below.
    #[schema(value_type = Option<f64>)]
    pub gross_pct: Option<Number>,
    #[schema(value_type = Option<f64>)]
    pub ebitda_pct: Option<Number>,
    #[schema(value_type = Option<f64>)]
    pub pre_tax_pct: Option<Number>,
}

/// The year as `updatedOutputs` carries it (`docs/FINANCIAL-MODEL.md` 3.8).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AnnualSummary {
    pub year: u32,
    pub revenue: i64,
    pub gross_profit: i64,
    pub ebitda: i64,
    pub operating_ebitda: i64,
    pub pre_tax_income: i64,
    pub net_income: i64,
    #[schema(value_type = Option<f64>)]
    pub dscr: Option<Number>,
    pub ending_cash: i64,
}

impl From<&AnnualRow> for AnnualSummary {
    fn from(row: &AnnualRow) -> Self {
        Self {
            year: row.year,
            revenue: row.revenue,
            gross_profit: row.gross_profit,
            ebitda: row.ebitda,
            operating_ebitda: row.operating_ebitda,
            pre_tax_income: row.pre_tax_income,
            net_income: row.net_income,
            dscr: row.dscr,
            ending_cash: row.ending_cash,
        }
    }
}

/// How the plan's startup costs compare with the disclosed total.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Item7Position {
    Below,
    Within,
    Above,
}

/// The plan's startup costs against Item 7, over the rows that Item 7 has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Item7Comparison {
    pub low: i64,
    pub high: i64,
    pub plan_total: i64,
    pub position: Item7Position,
}

/// Whether the identities of `docs/FINANCIAL-MODEL.md` 3.7 hold. A failing one is a fault of the engine, not of the plan.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Checks {
    pub passed: bool,
    /// `I1` … `I14`; `limit` where a figure left ±10^15 cents and was cut.
    #[schema(value_type = Vec<String>)]
    pub failed: Vec<Cow<'static, str>>,
}

/// How much attention a figure wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum AdvisoryLevel {
    Ok,
    Watch,
    Alert,
}

/// One figure compared with the brand's thresholds. States a fact, never advice.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Advisory {
    #[schema(value_type = String)]
    pub code: Cow<'static, str>,
    pub level: AdvisoryLevel,
    pub message: String,
}

/// One metric that moved.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MetricChange {
    /// A name of the metric catalogue.
    #[schema(value_type = String)]
    pub metric: Cow<'static, str>,
    #[schema(value_type = Option<f64>)]
    pub before: Option<Number>,
    #[schema(value_type = Option<f64>)]
    pub after: Option<Number>,
}
