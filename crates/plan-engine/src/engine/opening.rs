//! The position on opening day: what was raised and what it was spent on (`docs/FINANCIAL-MODEL.md` 3.3).

use crate::engine::terms::Assumptions;
use plan_model::outputs::Opening;

pub(super) fn position(terms: &Assumptions) -> Opening {
    let (startup, loan) = (&terms.startup, terms.loan.amount);
    let paid_in = (startup.total - loan).max(0) + terms.owner.extra_equity;
    Opening {
        cash: paid_in + loan - (startup.total - startup.working_capital),
        prepaid: startup.non_capex,
        inventory: startup.inventory,
        deposits: startup.deposits,
        fixed: startup.capex,
        intangible: startup.intangible,
        loan,
        paid_in,
    }
}
