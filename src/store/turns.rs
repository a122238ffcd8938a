//! Turns: how one is admitted, what it reads, how it is stored, and who runs it.

pub(crate) mod instances;
pub mod pending_actions;
pub mod prompts;
pub(crate) mod rate_limits;
pub(crate) mod reviewer_checks;
pub(crate) mod stored_turn;
pub mod turn_snapshot;
