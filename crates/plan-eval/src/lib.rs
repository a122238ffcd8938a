//! Measures what an advisor writes from labeled messages.
//!
//! A [`Suite`] is a file of messages, each with the values that may be written from it and the traps that may not. The caller
//! runs a message however it likes and says what came of it ([`Run`]); [`Report`] counts and prints. Models and second looks can
//! be recorded ones ([`Mode`], [`RecordedVerdicts`]), so that a measurement needs no network and repeats exactly.

#![deny(missing_docs, unreachable_pub)]
// Decimals panic where they overflow; clippy.toml leaves the other numbers out.
#![cfg_attr(not(test), deny(clippy::arithmetic_side_effects))]
// The examples of the README are tests.
#![cfg_attr(doctest, doc = include_str!("../README.md"))]

mod case;
mod figures;
mod hearing;
mod mode;
mod recording;
mod report;
mod suite;

pub use case::{Case, Class, Earlier, Label, Speaker, Trap};
pub use figures::{Rate, Ruling, Tally, Written};
pub use hearing::Hearing;
pub use mode::Mode;
pub use recording::{FixedCalls, FixedVerdicts, Recorded, RecordedVerdicts};
pub use report::{Report, Run};
pub use suite::Suite;
