//! The position on opening day: what was raised and what it was spent on (`docs/FINANCIAL-MODEL.md` 3.3).

use crate::engine::terms::Assumptions;
use plan_model::outputs::{Balance, Opening};

pub(super) fn position(terms: &Assumptions) -> Opening {
    let (startup, loan) = (&terms.startup, terms.loan.amount);
    let paid_in = (startup.total - loan).max(0) + terms.owner.extra_equity;
    let prepaid = startup.non_capex + startup.prepaid.values().sum::<i64>();
    let cash = paid_in + loan - (startup.total - startup.working_capital);
    Opening {
        cash,
        prepaid,
        inventory: startup.inventory,
        deposits: startup.deposits,
        fixed: startup.capex,
        intangible: startup.intangible,
        loan,
        paid_in,
        balance: Balance {
            cash,
            inventory: startup.inventory,
            prepaid,
            deposits: startup.deposits,
            fixed_assets: startup.capex,
            intangibles: startup.intangible,
            total_assets: cash + startup.inventory + prepaid + startup.deposits + startup.capex + startup.intangible,
            loan,
            total_liabilities: loan,
            paid_in,
            equity: paid_in,
            ..Balance::default()
        },
    }
}
