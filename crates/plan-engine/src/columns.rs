//! The columns of the monthly table, for CSV and spreadsheet alike.

use plan_model::outputs::MonthRow;

/// The content of one column.
pub(super) enum Cell {
    /// A whole number.
    Count(fn(&MonthRow) -> u32),
    /// Cents, written as dollars.
    Money(fn(&MonthRow) -> i64),
}

pub(super) const COLUMNS: [(&str, Cell); 42] = [
    ("Month", Cell::Count(|row| row.month)),
    ("Year", Cell::Count(|row| row.year)),
    ("Sales", Cell::Money(|row| row.revenue)),
    ("Cost of goods sold", Cell::Money(|row| row.materials)),
    ("Royalty", Cell::Money(|row| row.royalty)),
    ("Ad fund", Cell::Money(|row| row.ad_fund)),
    ("Gross profit", Cell::Money(|row| row.gross_profit)),
    ("Direct labor", Cell::Money(|row| row.direct_labor)),
    ("Contribution", Cell::Money(|row| row.contribution)),
    ("Facilities", Cell::Money(|row| row.facilities)),
    ("Local marketing", Cell::Money(|row| row.marketing)),
    ("Card processing", Cell::Money(|row| row.merchant_fees)),
    ("Management salaries", Cell::Money(|row| row.management_salaries)),
    ("Owner salary", Cell::Money(|row| row.owner_salary)),
    ("Payroll taxes and benefits", Cell::Money(|row| row.payroll_tax)),
    ("Fixed fees", Cell::Money(|row| row.fixed_fees)),
    ("Other operating costs", Cell::Money(|row| row.other_opex)),
    ("Startup expense", Cell::Money(|row| row.startup_expense)),
    ("Operating expenses", Cell::Money(|row| row.operating_expenses)),
    ("EBITDA with startup expense", Cell::Money(|row| row.ebitda)),
    ("Operating profit (EBITDA)", Cell::Money(|row| row.operating_ebitda)),
    ("Depreciation", Cell::Money(|row| row.depreciation)),
    ("Amortization", Cell::Money(|row| row.amortization)),
    ("Interest", Cell::Money(|row| row.interest)),
    ("Loan principal", Cell::Money(|row| row.principal)),
    ("Pre-tax income", Cell::Money(|row| row.pre_tax_income)),
    ("Income tax", Cell::Money(|row| row.tax)),
    ("Net income", Cell::Money(|row| row.net_income)),
    ("Operating cash flow", Cell::Money(|row| row.operating_cash_flow)),
    ("Owner draw", Cell::Money(|row| row.owner_draw)),
    ("Net cash flow", Cell::Money(|row| row.net_cash_flow)),
    ("Beginning cash", Cell::Money(|row| row.beginning_cash)),
    ("Ending cash", Cell::Money(|row| row.ending_cash)),
    ("Accounts receivable", Cell::Money(|row| row.accounts_receivable)),
    ("Inventory", Cell::Money(|row| row.inventory)),
    ("Accounts payable", Cell::Money(|row| row.accounts_payable)),
    ("Tax payable", Cell::Money(|row| row.tax_payable)),
    ("Loan balance", Cell::Money(|row| row.loan_balance)),
    ("Total assets", Cell::Money(|row| row.total_assets)),
    ("Total liabilities", Cell::Money(|row| row.total_liabilities)),
    ("Equity", Cell::Money(|row| row.equity)),
    ("Retained earnings", Cell::Money(|row| row.retained_earnings)),
];
