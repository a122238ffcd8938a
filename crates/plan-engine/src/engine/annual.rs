//! The five years: sums of their months, balances at their ends, ratios (`docs/FINANCIAL-MODEL.md` 3.5).

use crate::engine::YEAR;
use crate::engine::arithmetic::{coverage, mulp, ratio};
use crate::engine::break_even;
use crate::engine::terms::{Assumptions, Costs};
use plan_model::outputs::{AnnualRow, MonthRow};

/// Years 1 to 5 of 60 months.
pub(super) fn summarize(terms: &Assumptions, monthly: &[MonthRow]) -> Vec<AnnualRow> {
    monthly
        .chunks(YEAR as usize)
        .map(|months| year(terms, months))
        .collect()
}

fn year(terms: &Assumptions, months: &[MonthRow]) -> AnnualRow {
    let mut row = months.iter().fold(AnnualRow::default(), add);
    let owner = &terms.owner;
    let debt_service = row.principal + row.interest;
    row.dscr = coverage(row.operating_ebitda, debt_service);
    row.dscr_after_owner = coverage(row.earned_after_owner(), debt_service);
    row.gross_pct = ratio(row.gross_profit, row.revenue);
    row.ebitda_pct = ratio(row.ebitda, row.revenue);
    row.pre_tax_pct = ratio(row.pre_tax_income, row.revenue);
    row.fixed_costs = fixed_costs(&terms.costs, months);
    row.break_even_revenue = break_even::yearly(&terms.costs, row.fixed_costs);
    row.business_value = mulp(row.operating_ebitda - owner.unpaid_salary, owner.sale_multiple).max(0);
    row.above_target = row.pre_tax_income - owner.unpaid_salary - mulp(row.revenue, owner.target_profit);
    row
}

/// Adds a month's flows and takes over its balances.
fn add(sum: AnnualRow, month: &MonthRow) -> AnnualRow {
    AnnualRow {
        year: month.year,
        revenue: sum.revenue + month.revenue,
        materials: sum.materials + month.materials,
        royalty: sum.royalty + month.royalty,
        ad_fund: sum.ad_fund + month.ad_fund,
        gross_profit: sum.gross_profit + month.gross_profit,
        direct_labor: sum.direct_labor + month.direct_labor,
        contribution: sum.contribution + month.contribution,
        operating_expenses: sum.operating_expenses + month.operating_expenses,
        startup_expense: sum.startup_expense + month.startup_expense,
        ebitda: sum.ebitda + month.ebitda,
        operating_ebitda: sum.operating_ebitda + month.operating_ebitda,
        depreciation: sum.depreciation + month.depreciation,
        amortization: sum.amortization + month.amortization,
        interest: sum.interest + month.interest,
        principal: sum.principal + month.principal,
        pre_tax_income: sum.pre_tax_income + month.pre_tax_income,
        tax: sum.tax + month.tax,
        net_income: sum.net_income + month.net_income,
        operating_cash_flow: sum.operating_cash_flow + month.operating_cash_flow,
        owner_draw: sum.owner_draw + month.owner_draw,
        net_cash_flow: sum.net_cash_flow + month.net_cash_flow,
        lines: sum.lines.plus(&month.lines),
        working_capital_change: sum.working_capital_change + month.working_capital_change,
        taxes_paid: sum.taxes_paid + month.taxes_paid,
        balance: month.balance,
        ending_cash: month.ending_cash,
        total_assets: month.total_assets,
        total_liabilities: month.total_liabilities,
        equity: month.equity,
        loan_balance: month.loan_balance,
        ..sum
    }
}

/// Costs that do not move with sales, without the startup expense.
fn fixed_costs(costs: &Costs, months: &[MonthRow]) -> i64 {
    let sum = |cents: fn(&MonthRow) -> i64| months.iter().map(cents).sum::<i64>();
    let salaries = sum(|month| month.management_salaries + month.owner_salary);
    let rest =
        sum(|month| month.facilities + month.fixed_fees + month.depreciation + month.amortization + month.interest);
    rest + salaries + mulp(salaries, costs.payroll_tax)
}
