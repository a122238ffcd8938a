//! Turns: how one is admitted, what it reads, how it is stored, and who runs it.

pub mod instances;
pub mod pending_actions;
pub mod prompts;
pub mod rate_limits;
pub mod stored_turn;
pub mod turn_snapshot;
