//! What is done about a message: for each intent the tools it calls and the sentences it says.

pub(super) mod cases;
pub(super) mod closed;
pub(super) mod figures;
pub(super) mod goals;
pub(super) mod miss;
pub(super) mod own_cash;
pub(super) mod own_loan;
pub(super) mod plan;
pub(super) mod products;
pub(super) mod record;
pub(super) mod scenarios;
pub(super) mod settle;
pub(super) mod side_by_side;
pub(super) mod talk;
pub(super) mod worked_out;
