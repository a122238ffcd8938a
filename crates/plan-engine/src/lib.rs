//! The projection layer: the engine computes 60 months from a plan; the results are charted, tabulated and described.
//!
//! Pure: no clock, no I/O. Time is an argument, brand and inputs come in, results go out.

#![deny(missing_docs, unreachable_pub)]
// Decimals panic where they overflow; clippy.toml leaves the other numbers out.
#![cfg_attr(not(test), deny(clippy::arithmetic_side_effects))]
// The examples of the README are tests.
#![cfg_attr(doctest, doc = include_str!("../README.md"))]

pub mod charts;
pub mod csv;
pub mod describe;
mod engine;
pub mod funding;
pub mod labels;
pub mod lines;
mod update;
mod words;
pub mod xlsx;

pub use engine::{ENGINE_VERSION, project};
pub use update::{changes, update};
