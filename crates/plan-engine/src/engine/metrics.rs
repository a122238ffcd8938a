//! The key figures (`docs/FINANCIAL-MODEL.md` 3.6).

use crate::engine::MONTHS;
use crate::engine::arithmetic::{mul_div, ratio};
use crate::engine::break_even;
use crate::engine::loan::Loan;
use crate::engine::terms::Assumptions;
use plan_model::metrics::Metrics;
use plan_model::outputs::{AnnualRow, MonthRow, Opening};

pub(super) fn measure(
    terms: &Assumptions,
    loan: &Loan,
    opening: &Opening,
    monthly: &[MonthRow],
    annual: &[AnnualRow],
) -> Metrics {
    let investment = terms.startup.total;
    let owner_cash_flow = monthly.iter().map(owner_cash).sum::<i64>();
    let (lowest_cash, lowest_cash_month) = lowest(monthly);
    let reserve_target = reserve(terms, monthly);
    let break_even_sales = break_even::monthly(terms, loan, monthly);
    let dscr = |year: usize| annual.get(year - 1).and_then(|row| row.dscr);
    Metrics {
        total_investment: investment,
        loan_amount: loan.amount,
        owner_cash: opening.paid_in,
        equity_pct: ratio(opening.paid_in, investment),
        monthly_payment: loan.payment,
        opening_cash: opening.cash,
        projected_annual_revenue_year1: annual.first().map_or(0, |row| row.revenue),
        break_even_month: break_even_month(monthly),
        stable_from_month: stable_from(monthly),
        payback_month: payback(monthly, opening.paid_in),
        five_year_owner_cash_flow: owner_cash_flow,
        five_year_roi_pct: ratio(owner_cash_flow - opening.paid_in, opening.paid_in),
        lowest_cash,
        lowest_cash_month,
        months_negative: monthly.iter().map(|row| u32::from(row.ending_cash < 0)).sum(),
        reserve_target,
        reserve_gap: (reserve_target - opening.cash).max(0),
        dscr_year1: dscr(1),
        dscr_year2: dscr(2),
        dscr_year3: dscr(3),
        dscr_year4: dscr(4),
        dscr_year5: dscr(5),
        min_dscr: annual.iter().filter_map(|row| row.dscr).min(),
        dscr_after_owner_year1: annual.first().and_then(|row| row.dscr_after_owner),
        break_even_sales_monthly: break_even_sales,
        break_even_sales_pct: break_even_sales.and_then(|sales| ratio(sales, terms.sales.mature)),
    }
}

/// What a month leaves the owner before draws.
fn owner_cash(row: &MonthRow) -> i64 {
    row.operating_cash_flow - row.principal
}

/// Whether operations cover the month's loan payment.
fn covers(row: &MonthRow) -> bool {
    row.operating_ebitda - row.interest - row.principal >= 0
}

fn break_even_month(monthly: &[MonthRow]) -> Option<u32> {
    monthly
        .windows(3)
        .find(|three| three.iter().all(covers))
        .map(|three| three[0].month)
}

fn stable_from(monthly: &[MonthRow]) -> Option<u32> {
    match monthly.iter().rev().find(|row| !covers(row)) {
        None => Some(1),
        Some(last) => (last.month < MONTHS).then_some(last.month + 1),
    }
}

fn payback(monthly: &[MonthRow], paid_in: i64) -> Option<u32> {
    let mut returned = 0;
    monthly
        .iter()
        .find(|row| {
            returned += owner_cash(row);
            returned >= paid_in
        })
        .map(|row| row.month)
}

/// The lowest cash at a month's end and the first month that has it.
fn lowest(monthly: &[MonthRow]) -> (i64, u32) {
    monthly
        .iter()
        .map(|row| (row.ending_cash, row.month))
        .min()
        .unwrap_or_default()
}

/// The first three months' cash costs, times the months that the plan wants to hold.
fn reserve(terms: &Assumptions, monthly: &[MonthRow]) -> i64 {
    let costs = monthly
        .iter()
        .take(3)
        .map(|row| row.revenue - row.operating_ebitda)
        .sum();
    mul_div(costs, terms.owner.reserve_months, 3)
}
