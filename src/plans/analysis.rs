//! What follows from values that a plan does not have: columns beside it, what each field moves, the value that reaches a
//! target (`docs/FINANCIAL-MODEL.md` 7). Pure; nothing here can write.

mod compare;
mod goal_seek;
mod hypothesis;
mod levers;
mod ranking;
mod sensitivity;
mod sought;

pub use compare::{Column, Difference, compare};
pub use goal_seek::{Goal, GoalSeek, MAX_TARGET, Outcome, goal_seek, is_target};
#[cfg(test)]
pub(super) use hypothesis::testing;
pub use hypothesis::{Found, Hypothesis};
pub use levers::{is_weak, weak_metric};
pub use ranking::Ranking;
pub use sensitivity::{Helps, Lever, Sensitivity, sensitivity};
pub use sought::Sought;
