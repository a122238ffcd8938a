//! The identities that hold on every run, exactly (`docs/FINANCIAL-MODEL.md` 3.7). Each recomputes its figure from the rows that
//! are handed out, not from the books that made them.

use crate::engine::YEAR;
use crate::engine::arithmetic::{LIMIT, mulp};
use crate::engine::loan::Loan;
use crate::engine::terms::Assumptions;
use plan_model::outputs::{AnnualRow, Checks, MonthRow, Opening};

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

const CHECKS: [Check; 15] = [
    ("I1", balance_sheet),
    ("I2", cash_carries_over),
    ("I3", cash_moves_by_its_flows),
    ("I4", cash_adds_up),
    ("I5", loan_is_repaid),
    ("I6", payments_stay_level),
    ("I7", assets_are_written_off),
    ("I8", startup_is_expensed),
    ("I9", earnings_are_retained),
    ("I10", tax_of_the_year),
    ("I11", tax_owed),
    ("I12", years_are_sums),
    ("I13", income_adds_up),
    ("I14", working_capital_is_positive),
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

fn balance_sheet(run: &Run) -> bool {
    let open = run.opening;
    let assets = open.cash + open.prepaid + open.inventory + open.deposits + open.fixed + open.intangible;
    assets == open.loan + open.paid_in
        && run.along(
            |row| row.startup_expense + row.depreciation + row.amortization,
            |row, written_off| {
                let assets = row.ending_cash + row.accounts_receivable + row.inventory + open.deposits;
                let assets = assets + open.prepaid + open.fixed + open.intangible - written_off;
                let liabilities = row.accounts_payable + row.tax_payable + row.loan_balance;
                row.total_assets == assets
                    && row.total_liabilities == liabilities
                    && row.equity == open.paid_in + row.retained_earnings
                    && assets == liabilities + row.equity
            },
        )
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

fn startup_is_expensed(run: &Run) -> bool {
    let first_year = run
        .monthly
        .iter()
        .take(YEAR as usize)
        .map(|row| row.startup_expense)
        .sum::<i64>();
    first_year == run.opening.prepaid && run.sum(|row| row.startup_expense) == run.opening.prepaid
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
    const FLOWS: [Pair; 20] = [
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
                of_end == of_year && year.net_cash_flow == end.ending_cash - months[0].beginning_cash
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
mod tests {
    use super::*;
    use crate::engine::{annual, months, opening};
    use plan_model::brand::Brand;
    use plan_model::inputs::FinancialInputs;
    use std::borrow::Cow;

    /// What fails after `spoil` has changed the default plan's rows.
    fn failed(spoil: impl Fn(&mut Opening, &mut [MonthRow], &mut [AnnualRow])) -> Vec<Cow<'static, str>> {
        let brand = Brand::demo();
        let terms = Assumptions::resolve(&FinancialInputs::from_brand(&brand), &brand);
        let loan = Loan::new(&terms.loan);
        let mut opening = opening::position(&terms);
        let mut monthly = months::run(&terms, &loan, &opening);
        let mut annual = annual::summarize(&terms, &monthly);
        spoil(&mut opening, &mut monthly, &mut annual);
        run(&Run {
            terms: &terms,
            loan: &loan,
            opening: &opening,
            monthly: &monthly,
            annual: &annual,
        })
        .failed
    }

    #[test]
    fn one_cent_too_many_is_found_wherever_it_is() {
        assert_eq!(failed(|_, _, _| {}), [""; 0]);
        assert_eq!(failed(|_, rows, _| rows[7].total_assets += 1), ["I1"]);
        assert_eq!(failed(|_, rows, _| rows[7].beginning_cash += 1), ["I2", "I3"]);
        assert_eq!(failed(|_, rows, _| rows[7].operating_cash_flow += 1), ["I3", "I12"]);
        assert_eq!(failed(|_, rows, _| rows[7].net_cash_flow += 1), ["I3", "I4"]);
        assert_eq!(failed(|_, rows, _| rows[7].loan_balance += 1), ["I1", "I5"]);
        assert_eq!(
            failed(|_, rows, _| rows[7].principal += 1_000),
            ["I3", "I5", "I6", "I12"]
        );
        assert_eq!(failed(|open, _, _| open.fixed -= 21_800_000), ["I1", "I7"]);
        assert_eq!(failed(|_, rows, _| rows[7].startup_expense += 1), ["I1", "I8", "I12"]);
        assert_eq!(failed(|_, rows, _| rows[7].retained_earnings += 1), ["I1", "I9"]);
        assert_eq!(failed(|_, _, years| years[4].tax += 1), ["I10", "I12"]);
        assert_eq!(failed(|_, rows, _| rows[50].tax += 1), ["I11", "I12"]);
        assert_eq!(failed(|_, _, years| years[2].revenue += 1), ["I12"]);
        assert_eq!(failed(|_, rows, _| rows[7].operating_expenses += 1), ["I12", "I13"]);
        assert_eq!(
            failed(|_, rows, _| (rows[7].inventory, rows[7].total_assets) = (-1, 0)),
            ["I1", "I14"]
        );
        assert_eq!(failed(|_, _, years| years[0].business_value = LIMIT), ["limit"]);
    }
}
