//! Opening day, months and years of a projection (`docs/FINANCIAL-MODEL.md` 3.3 to 3.5).

use super::statement::{Balance, CostLines};
use crate::number::Number;
use serde::{Deserialize, Serialize};

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
    /// The same as a balance sheet.
    pub balance: Balance,
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
    /// Each cost between revenue and EBITDA.
    pub lines: CostLines,
    /// What working capital adds to cash; negative where it ties cash up.
    pub working_capital_change: i64,
    /// Income tax that is paid; negative where some is paid back.
    pub taxes_paid: i64,
    /// The balance sheet at the end.
    pub balance: Balance,
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
    /// Each cost between revenue and EBITDA.
    pub lines: CostLines,
    /// What working capital adds to cash; negative where it ties cash up.
    pub working_capital_change: i64,
    /// Income tax that is paid; negative where some is paid back.
    pub taxes_paid: i64,
    /// The balance sheet at the end.
    pub balance: Balance,
    /// Operating EBITDA per loan payments; `null` in a year without any.
    #[schema(value_type = Option<f64>)]
    pub dscr: Option<Number>,
    /// The same after the owner's draws and the taxes paid.
    #[schema(value_type = Option<f64>)]
    pub dscr_after_owner: Option<Number>,
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

impl AnnualRow {
    /// What the owner's draws and the taxes paid leave of operating EBITDA, which `dscrAfterOwner` sets against the loan payments.
    pub const fn earned_after_owner(&self) -> i64 {
        self.operating_ebitda - self.owner_draw - self.taxes_paid
    }
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
