//! The identities that hold on every run, exactly (`docs/FINANCIAL-MODEL.md` 3.7). Each recomputes its figure from the rows that
//! are handed out, not from the books that made them.

mod statement;

use crate::engine::YEAR;
use crate::engine::arithmetic::{LIMIT, mulp};
use crate::engine::loan::Loan;
use crate::engine::terms::Assumptions;
use plan_model::outputs::{AnnualRow, Checks, CostLines, MonthRow, Opening};

/// One run, as the checks look at it.
pub(super) struct Run<'a> {
    pub terms: &'a Assumptions,
    pub loan: &'a Loan,
    pub opening: &'a Opening,
    pub monthly: &'a [MonthRow],
    pub annual: &'a [AnnualRow],
}

/// A check: its name and whether it holds.
type Check = (&'static str, fn(&Run) -> bool);

const CHECKS: [Check; 17] = [
    ("I1", statement::balance_sheet),
    ("I2", cash_carries_over),
    ("I3", cash_moves_by_its_flows),
    ("I4", cash_adds_up),
    ("I5", loan_is_repaid),
    ("I6", payments_stay_level),
    ("I7", assets_are_written_off),
    ("I8", prepaid_is_used_up),
    ("I9", earnings_are_retained),
    ("I10", tax_of_the_year),
    ("I11", tax_owed),
    ("I12", years_are_sums),
    ("I13", income_adds_up),
    ("I14", working_capital_is_positive),
    ("I15", statement::lines_add_up),
    ("I16", statement::cash_flow_adds_up),
    ("limit", within_limit),
];

pub(super) fn run(run: &Run) -> Checks {
    let failed: Vec<_> = CHECKS
        .iter()
        .filter(|(_, holds)| !holds(run))
        .map(|(name, _)| (*name).into())
        .collect();
    Checks {
        passed: failed.is_empty(),
        failed,
    }
}

impl Run<'_> {
    /// Whether `holds` is true of every month, given also what `carried` has summed up to its end.
    fn along(&self, carried: fn(&MonthRow) -> i64, holds: impl Fn(&MonthRow, i64) -> bool) -> bool {
        let mut sum = 0;
        self.monthly.iter().all(|row| {
            sum += carried(row);
            holds(row, sum)
        })
    }

    fn sum(&self, cents: fn(&MonthRow) -> i64) -> i64 {
        self.monthly.iter().map(cents).sum()
    }
}

fn cash_carries_over(run: &Run) -> bool {
    let starts = run
        .monthly
        .first()
        .is_none_or(|row| row.beginning_cash == run.opening.cash);
    starts
        && run
            .monthly
            .windows(2)
            .all(|two| two[1].beginning_cash == two[0].ending_cash)
}

fn cash_moves_by_its_flows(run: &Run) -> bool {
    run.monthly.iter().all(|row| {
        let flows = row.operating_cash_flow - row.principal - row.owner_draw;
        row.net_cash_flow == flows && row.ending_cash - row.beginning_cash == flows
    })
}

fn cash_adds_up(run: &Run) -> bool {
    let end = run.monthly.last().map_or(run.opening.cash, |row| row.ending_cash);
    end == run.opening.cash + run.sum(|row| row.net_cash_flow)
}

fn loan_is_repaid(run: &Run) -> bool {
    let loan = run.loan;
    loan.term == 0
        || run.along(
            |row| row.principal,
            |row, repaid| {
                let cleared = i64::from(row.month) < loan.term || row.loan_balance == 0;
                repaid + row.loan_balance == loan.amount && row.loan_balance >= 0 && cleared
            },
        )
}

fn payments_stay_level(run: &Run) -> bool {
    let Some(payment) = run.loan.payment else { return true };
    let after = run
        .monthly
        .iter()
        .filter(|row| i64::from(row.month) > run.loan.interest_only);
    after.into_iter().all(|row| row.interest + row.principal <= payment)
}

fn assets_are_written_off(run: &Run) -> bool {
    let owner = &run.terms.owner;
    let whole = |years: i64, cost: i64, sum: i64| sum <= cost && (!(1..=5).contains(&years) || sum == cost);
    whole(
        owner.depreciation_years,
        run.opening.fixed,
        run.sum(|row| row.depreciation),
    ) && whole(
        owner.amortization_years,
        run.opening.intangible,
        run.sum(|row| row.amortization),
    ) && run
        .monthly
        .iter()
        .all(|row| row.depreciation >= 0 && row.amortization >= 0)
}

fn prepaid_is_used_up(run: &Run) -> bool {
    let startup = &run.terms.startup;
    let first_year = run.monthly.iter().take(YEAR as usize);
    let is_expensed = first_year.map(|row| row.startup_expense).sum::<i64>() == startup.non_capex;
    let (mut lines, mut expensed) = (CostLines::default(), 0);
    let is_used = run.monthly.iter().all(|row| {
        lines = lines.plus(&row.lines);
        expensed += row.startup_expense;
        let left = startup
            .prepaid
            .iter()
            .map(|(field, ahead)| (ahead - lines.paid_monthly(field).unwrap_or(0)).max(0));
        row.balance.prepaid == startup.non_capex - expensed + left.sum::<i64>()
    });
    is_expensed && is_used
}

fn earnings_are_retained(run: &Run) -> bool {
    run.along(
        |row| row.net_income - row.owner_draw,
        |row, retained| row.retained_earnings == retained,
    )
}

fn tax_of_the_year(run: &Run) -> bool {
    let mut losses = 0;
    run.annual.iter().all(|row| {
        let due = mulp((row.pre_tax_income - losses).max(0), run.terms.owner.tax_rate);
        losses = (losses - row.pre_tax_income).max(0);
        row.tax == due && due >= 0
    })
}

fn tax_owed(run: &Run) -> bool {
    let delay = usize::try_from(run.terms.owner.tax_delay).unwrap_or(usize::MAX);
    let (mut levied, mut paid) = (0, 0);
    run.monthly.iter().enumerate().all(|(index, row)| {
        levied += row.tax;
        paid += index
            .checked_sub(delay)
            .and_then(|earlier| run.monthly.get(earlier))
            .map_or(0, |row| row.tax);
        row.tax_payable == levied - paid
    })
}

fn years_are_sums(run: &Run) -> bool {
    type Pair = (fn(&AnnualRow) -> i64, fn(&MonthRow) -> i64);
    const FLOWS: [Pair; 22] = [
        (|year| year.revenue, |month| month.revenue),
        (|year| year.materials, |month| month.materials),
        (|year| year.royalty, |month| month.royalty),
        (|year| year.ad_fund, |month| month.ad_fund),
        (|year| year.gross_profit, |month| month.gross_profit),
        (|year| year.direct_labor, |month| month.direct_labor),
        (|year| year.contribution, |month| month.contribution),
        (|year| year.operating_expenses, |month| month.operating_expenses),
        (|year| year.startup_expense, |month| month.startup_expense),
        (|year| year.ebitda, |month| month.ebitda),
        (|year| year.operating_ebitda, |month| month.operating_ebitda),
        (|year| year.depreciation, |month| month.depreciation),
        (|year| year.amortization, |month| month.amortization),
        (|year| year.interest, |month| month.interest),
        (|year| year.principal, |month| month.principal),
        (|year| year.pre_tax_income, |month| month.pre_tax_income),
        (|year| year.tax, |month| month.tax),
        (|year| year.net_income, |month| month.net_income),
        (|year| year.operating_cash_flow, |month| month.operating_cash_flow),
        (|year| year.owner_draw, |month| month.owner_draw),
        (|year| year.working_capital_change, |month| month.working_capital_change),
        (|year| year.taxes_paid, |month| month.taxes_paid),
    ];
    let years = run.annual.iter().zip(run.monthly.chunks(YEAR as usize));
    let sums = |year: &AnnualRow, months: &[MonthRow]| {
        FLOWS
            .iter()
            .all(|(of_year, of_month)| of_year(year) == months.iter().map(of_month).sum::<i64>())
            && months.last().is_some_and(|end| {
                let of_end = (
                    end.ending_cash,
                    end.total_assets,
                    end.total_liabilities,
                    end.equity,
                    end.loan_balance,
                );
                let of_year = (
                    year.ending_cash,
                    year.total_assets,
                    year.total_liabilities,
                    year.equity,
                    year.loan_balance,
                );
                let lines = months
                    .iter()
                    .fold(CostLines::default(), |sum, row| sum.plus(&row.lines));
                of_end == of_year
                    && year.balance == end.balance
                    && year.lines == lines
                    && year.net_cash_flow == end.ending_cash - months[0].beginning_cash
            })
    };
    years.into_iter().all(|(year, months)| sums(year, months))
}

fn income_adds_up(run: &Run) -> bool {
    run.monthly.iter().all(|row| {
        let operating = row.gross_profit - row.direct_labor - row.operating_expenses;
        operating - row.depreciation - row.amortization - row.interest == row.pre_tax_income
    })
}

fn working_capital_is_positive(run: &Run) -> bool {
    run.monthly
        .iter()
        .all(|row| row.accounts_receivable >= 0 && row.accounts_payable >= 0 && row.inventory >= 0)
}

/// Not an identity: nothing had to be cut.
fn within_limit(run: &Run) -> bool {
    let inside = |cents: i64| -LIMIT < cents && cents < LIMIT;
    run.annual.iter().all(|row| {
        inside(row.revenue)
            && inside(row.ebitda)
            && inside(row.total_assets)
            && inside(row.total_liabilities)
            && inside(row.equity)
            && inside(row.business_value)
            && row.break_even_revenue.is_none_or(inside)
    })
}

#[cfg(test)]
mod tests;
