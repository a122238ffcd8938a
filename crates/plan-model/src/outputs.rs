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

/// The position on opening day, which is also the table of sources and uses (`docs/FINANCIAL-MODEL.md` 3.3).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Opening {
    /// Cash in the bank.
    pub cash: i64,
    /// Startup costs that are expensed over the first 12 months.
    pub prepaid: i64,
    /// Stock.
    pub inventory: i64,
    /// Deposits.
    pub deposits: i64,
    /// What is depreciated.
    pub fixed: i64,
    /// What is amortized.
    pub intangible: i64,
    /// What is borrowed.
    pub loan: i64,
    /// What the owner puts in.
    pub paid_in: i64,
}

/// One month (`docs/FINANCIAL-MODEL.md` 3.4).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MonthRow {
    /// The month, 1 to 60.
    pub month: u32,
    /// The year, from 1.
    pub year: u32,
    /// Sales.
    pub revenue: i64,
    /// Cost of goods sold.
    pub materials: i64,
    /// The franchisor's royalty, at least its minimum.
    pub royalty: i64,
    /// The brand's advertising fund.
    pub ad_fund: i64,
    /// Revenue less materials, royalty and ad fund.
    pub gross_profit: i64,
    /// Wages of the staff who serve customers.
    pub direct_labor: i64,
    /// Gross profit less direct labor.
    pub contribution: i64,
    /// Rent, utilities, insurance, telecom, vehicles, maintenance.
    pub facilities: i64,
    /// Local marketing, at least its minimum.
    pub marketing: i64,
    /// Card processing.
    pub merchant_fees: i64,
    /// From the month the manager starts.
    pub management_salaries: i64,
    /// The owner's salary on payroll.
    pub owner_salary: i64,
    /// On all wages and salaries.
    pub payroll_tax: i64,
    /// Technology fee, supplies, accounting, other fixed costs.
    pub fixed_fees: i64,
    /// Other costs that move with sales.
    pub other_opex: i64,
    /// The share of the startup costs that is expensed.
    pub startup_expense: i64,
    /// All costs below the contribution.
    pub operating_expenses: i64,
    /// Contribution less operating expenses.
    pub ebitda: i64,
    /// Without the startup expense, as a lender looks at it.
    pub operating_ebitda: i64,
    /// Of build-out and equipment.
    pub depreciation: i64,
    /// Of the franchise fee.
    pub amortization: i64,
    /// Of the loan.
    pub interest: i64,
    /// What is paid back of the loan.
    pub principal: i64,
    /// EBITDA less depreciation, amortization and interest.
    pub pre_tax_income: i64,
    /// Income tax of the entity.
    pub tax: i64,
    /// Pre-tax income less tax.
    pub net_income: i64,
    /// What customers owe.
    pub accounts_receivable: i64,
    /// Stock.
    pub inventory: i64,
    /// What is owed to suppliers.
    pub accounts_payable: i64,
    /// Negative where more tax was paid than is owed.
    pub tax_payable: i64,
    /// Net income, without what is no cash, with what working capital moved.
    pub operating_cash_flow: i64,
    /// What the owner takes out.
    pub owner_draw: i64,
    /// What cash moved by.
    pub net_cash_flow: i64,
    /// Cash at the beginning.
    pub beginning_cash: i64,
    /// Cash at the end.
    pub ending_cash: i64,
    /// What is still owed.
    pub loan_balance: i64,
    /// Cash, receivables, stock, deposits, and what is not yet written off.
    pub total_assets: i64,
    /// Payables, tax owed and the loan.
    pub total_liabilities: i64,
    /// Assets less liabilities.
    pub equity: i64,
    /// Net income so far less draws.
    pub retained_earnings: i64,
}

/// One year: sums of its months, balances at its end, ratios (`docs/FINANCIAL-MODEL.md` 3.5).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AnnualRow {
    /// The year, from 1.
    pub year: u32,
    /// Sales.
    pub revenue: i64,
    /// Cost of goods sold.
    pub materials: i64,
    /// The franchisor's royalty, at least its minimum.
    pub royalty: i64,
    /// The brand's advertising fund.
    pub ad_fund: i64,
    /// Revenue less materials, royalty and ad fund.
    pub gross_profit: i64,
    /// Wages of the staff who serve customers.
    pub direct_labor: i64,
    /// Gross profit less direct labor.
    pub contribution: i64,
    /// All costs below the contribution.
    pub operating_expenses: i64,
    /// The share of the startup costs that is expensed.
    pub startup_expense: i64,
    /// Contribution less operating expenses.
    pub ebitda: i64,
    /// EBITDA without the startup expense.
    pub operating_ebitda: i64,
    /// Of build-out and equipment.
    pub depreciation: i64,
    /// Of the franchise fee.
    pub amortization: i64,
    /// Of the loan.
    pub interest: i64,
    /// What is paid back of the loan.
    pub principal: i64,
    /// EBITDA less depreciation, amortization and interest.
    pub pre_tax_income: i64,
    /// Income tax of the entity.
    pub tax: i64,
    /// Pre-tax income less tax.
    pub net_income: i64,
    /// Net income, without what is no cash, with what working capital moved.
    pub operating_cash_flow: i64,
    /// What the owner takes out.
    pub owner_draw: i64,
    /// What cash moved by.
    pub net_cash_flow: i64,
    /// Cash at the end.
    pub ending_cash: i64,
    /// Cash, receivables, stock, deposits, and what is not yet written off.
    pub total_assets: i64,
    /// Payables, tax owed and the loan.
    pub total_liabilities: i64,
    /// Assets less liabilities.
    pub equity: i64,
    /// What is still owed.
    pub loan_balance: i64,
    /// The year's revenue that covers its costs, before monthly minimums; `null` where no revenue could.
    pub break_even_revenue: Option<i64>,
    /// Costs that do not move with revenue.
    pub fixed_costs: i64,
    /// What the business would sell for.
    pub business_value: i64,
    /// Pre-tax income less the owner's unpaid salary and the target profit.
    pub above_target: i64,
    /// Operating EBITDA per loan payments; `null` in a year without any.
    #[schema(value_type = Option<f64>)]
    pub dscr: Option<Number>,
    /// Per revenue; `null` without revenue. So the two below.
    #[schema(value_type = Option<f64>)]
    pub gross_pct: Option<Number>,
    /// EBITDA per revenue.
    #[schema(value_type = Option<f64>)]
    pub ebitda_pct: Option<Number>,
    /// Pre-tax income per revenue.
    #[schema(value_type = Option<f64>)]
    pub pre_tax_pct: Option<Number>,
}

/// The year as `updatedOutputs` carries it (`docs/FINANCIAL-MODEL.md` 3.8).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AnnualSummary {
    /// The year, from 1.
    pub year: u32,
    /// Sales.
    pub revenue: i64,
    /// Revenue less materials, royalty and ad fund.
    pub gross_profit: i64,
    /// Contribution less operating expenses.
    pub ebitda: i64,
    /// EBITDA without the startup expense.
    pub operating_ebitda: i64,
    /// EBITDA less depreciation, amortization and interest.
    pub pre_tax_income: i64,
    /// Pre-tax income less tax.
    pub net_income: i64,
    /// Operating EBITDA per loan payments; `null` in a year without any.
    #[schema(value_type = Option<f64>)]
    pub dscr: Option<Number>,
    /// Cash at the end.
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
    /// Less than the lower end.
    Below,
    /// Between the ends.
    Within,
    /// More than the upper end.
    Above,
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
    /// `I1` … `I14`; `limit` where a figure left ±10^15 cents and was cut.
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
