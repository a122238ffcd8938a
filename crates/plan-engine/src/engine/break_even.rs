//! The sales that pay for everything: of a year before monthly minimums, and of a mature month with the minimums and the loan
//! payment (`docs/FINANCIAL-MODEL.md` 3.5 and 3.6).

use crate::engine::MONTHS;
use crate::engine::arithmetic::{mul_div, mulp, per_million_ceil};
use crate::engine::loan::Loan;
use crate::engine::terms::{Assumptions, Costs};
use plan_model::number::PPM;
use plan_model::outputs::MonthRow;

/// What each dollar of sales costs in millionths, without royalty and local marketing, which have minimums.
fn share_of_sales(costs: &Costs) -> i64 {
    costs.cogs + costs.ad_fund + costs.labor + mulp(costs.labor, costs.payroll_tax) + costs.merchant + costs.other_rate
}

/// The year's revenue that covers `fixed`, before monthly minimums; none where every dollar of sales costs a dollar or more.
pub(super) fn yearly(costs: &Costs, fixed: i64) -> Option<i64> {
    let variable = share_of_sales(costs) + costs.royalty + costs.marketing;
    (variable < PPM).then(|| per_million_ceil(fixed, PPM - variable))
}

/// The smallest sales of a mature month that pay all its costs and the loan payment; none where no sales do.
pub(super) fn monthly(terms: &Assumptions, loan: &Loan, rows: &[MonthRow]) -> Option<i64> {
    let costs = &terms.costs;
    let share = share_of_sales(costs);
    if share + costs.royalty + costs.marketing >= PPM {
        return None;
    }
    let row = rows.get(usize::try_from(mature_month(terms) - 1).ok()?)?;
    let salaries = row.management_salaries + row.owner_salary;
    let payment = loan
        .payment
        .unwrap_or_else(|| mul_div(loan.amount, loan.rate, 12 * PPM));
    let fixed = row.facilities + salaries + mulp(salaries, costs.payroll_tax) + row.fixed_fees + payment;
    // The larger of a share and a minimum is reached where both are, so all four choices have to be paid for.
    let royalty = [(costs.royalty, 0), (0, costs.royalty_minimum)];
    let marketing = [(costs.marketing, 0), (0, costs.marketing_minimum)];
    let choices = royalty
        .iter()
        .flat_map(|royalty| marketing.map(|marketing| (*royalty, marketing)));
    choices
        .map(|(royalty, marketing)| {
            per_million_ceil(fixed + royalty.1 + marketing.1, PPM - share - royalty.0 - marketing.0)
        })
        .max()
}

/// The first month, up to the last one, with established sales, the rent and the manager's salary.
pub(super) fn mature_month(terms: &Assumptions) -> i64 {
    let costs = &terms.costs;
    let rent = if costs.rent > 0 { costs.rent_free_months + 1 } else { 1 };
    let manager = if costs.management > 0 { costs.manager_start } else { 1 };
    terms
        .sales
        .ramp_months
        .max(rent)
        .max(manager)
        .clamp(1, i64::from(MONTHS))
}
