//! Tools that compute: results, hypothetical values, and the scenarios they are kept as.

pub(crate) mod compare_scenarios;
pub(crate) mod estimate;
pub(crate) mod get_projection;
pub(crate) mod goal_seek;
mod line_figure;
mod movers;
mod own_lines;
pub(crate) mod rank_levers;
pub(crate) mod scenarios;
pub(crate) mod what_if;
