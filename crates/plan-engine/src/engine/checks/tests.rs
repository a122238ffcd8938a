//! One wrong cent, wherever it is.

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
    assert_eq!(
        failed(|_, rows, _| rows[7].operating_cash_flow += 1),
        ["I3", "I12", "I16"]
    );
    assert_eq!(failed(|_, rows, _| rows[7].net_cash_flow += 1), ["I3", "I4"]);
    assert_eq!(failed(|_, rows, _| rows[7].loan_balance += 1), ["I1", "I5"]);
    assert_eq!(
        failed(|_, rows, _| rows[7].principal += 1_000),
        ["I3", "I5", "I6", "I12"]
    );
    assert_eq!(failed(|open, _, _| open.fixed -= 21_800_000), ["I1", "I7"]);
    assert_eq!(failed(|_, rows, _| rows[7].startup_expense += 1), ["I8", "I12"]);
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

#[test]
fn one_cent_too_many_in_a_statement_is_found() {
    assert_eq!(failed(|open, _, _| open.balance.deposits += 1), ["I1"]);
    assert_eq!(failed(|_, rows, _| rows[7].balance.prepaid += 1), ["I1", "I8"]);
    assert_eq!(failed(|_, rows, _| rows[7].balance.draws += 1), ["I1"]);
    assert_eq!(failed(|_, _, years| years[2].balance.cash += 1), ["I12"]);
    assert_eq!(failed(|_, rows, _| rows[7].lines.rent += 1), ["I12", "I15"]);
    assert_eq!(failed(|_, _, years| years[2].lines.supplies += 1), ["I12"]);
    assert_eq!(failed(|_, rows, _| rows[7].taxes_paid += 1), ["I12", "I16"]);
    assert_eq!(failed(|_, _, years| years[2].working_capital_change += 1), ["I12"]);
    // Two that make up for each other.
    assert_eq!(
        failed(|_, rows, _| (rows[7].balance.cash, rows[7].balance.inventory) =
            (rows[7].balance.cash + 1, rows[7].balance.inventory - 1)),
        ["I1"]
    );
}
