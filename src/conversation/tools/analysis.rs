//! Tools that compute: results, hypothetical values, and the scenarios they are kept as.

pub mod compare_scenarios;
pub mod estimate;
pub mod figures;
pub mod get_projection;
pub mod goal_seek;
pub mod rank_levers;
pub mod scenarios;
pub mod what_if;
