//! That the printed parts are the printed totals: balance sheet, cost lines, cash flow.

use crate::engine::checks::Run;
use plan_model::outputs::{Balance, MonthRow};

/// Whether the parts add up to the totals, and the assets to liabilities and equity.
fn balances(sheet: &Balance) -> bool {
    let assets = sheet.cash + sheet.receivables + sheet.inventory + sheet.prepaid + sheet.deposits;
    sheet.total_assets == assets + sheet.fixed_assets + sheet.intangibles
        && sheet.total_liabilities == sheet.payables + sheet.tax_payable + sheet.loan
        && sheet.equity == sheet.paid_in + sheet.earnings - sheet.draws
        && sheet.total_assets == sheet.total_liabilities + sheet.equity
}

/// Whether a month's balance sheet has the month's figures.
fn is_of_month(row: &MonthRow) -> bool {
    let sheet = &row.balance;
    (sheet.cash, sheet.receivables, sheet.inventory) == (row.ending_cash, row.accounts_receivable, row.inventory)
        && (sheet.payables, sheet.tax_payable, sheet.loan) == (row.accounts_payable, row.tax_payable, row.loan_balance)
        && (sheet.total_assets, sheet.total_liabilities, sheet.equity)
            == (row.total_assets, row.total_liabilities, row.equity)
}

pub(super) fn balance_sheet(run: &Run) -> bool {
    let open = run.opening;
    let assets = open.cash + open.prepaid + open.inventory + open.deposits + open.fixed + open.intangible;
    assets == open.loan + open.paid_in
        && open.balance.cash == open.cash
        && balances(&open.balance)
        && run.monthly.iter().all(|row| balances(&row.balance) && is_of_month(row))
        && run.along(
            |row| row.depreciation + row.amortization,
            |row, written_off| {
                let assets = row.ending_cash + row.accounts_receivable + row.inventory + open.deposits;
                let assets = assets + row.balance.prepaid + open.fixed + open.intangible - written_off;
                let liabilities = row.accounts_payable + row.tax_payable + row.loan_balance;
                row.total_assets == assets
                    && row.total_liabilities == liabilities
                    && row.equity == open.paid_in + row.retained_earnings
                    && assets == liabilities + row.equity
            },
        )
}

pub(super) fn lines_add_up(run: &Run) -> bool {
    run.monthly.iter().all(|row| {
        let lines = &row.lines;
        let facilities = lines.rent + lines.utilities + lines.insurance + lines.telecom_it;
        let fees = lines.technology_fee + lines.supplies + lines.professional_fees + lines.other_fixed;
        lines.total() == row.revenue - row.ebitda
            && facilities + lines.vehicles + lines.maintenance == row.facilities
            && fees == row.fixed_fees
    })
}

pub(super) fn cash_flow_adds_up(run: &Run) -> bool {
    run.monthly.iter().all(|row| {
        let earned = row.operating_ebitda - row.interest;
        row.operating_cash_flow == earned + row.working_capital_change - row.taxes_paid
    })
}
