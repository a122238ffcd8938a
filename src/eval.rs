//! Scores what was written against labeled messages. Pure: who runs the messages and prints the report is elsewhere.

mod case;
mod report;

pub use case::{Case, Class, Earlier, Label, Speaker, Trap};
pub use report::{Rate, Report, Row, Ruling, Tally, Written};
