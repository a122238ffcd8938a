//! A plan on paper: what a lender asks for, as data and as a tagged PDF.
//!
//! Pure: no clock, no I/O. The figures are the engine's; nothing is computed here but sums of its months, shares in percent, and what
//! is paid of a loan.

#![deny(missing_docs, unreachable_pub)]
// The examples of the README are tests.
#![cfg_attr(doctest, doc = include_str!("../README.md"))]

mod contents;
mod error;
mod figures;
#[cfg(any(feature = "typst", feature = "stand-in", test))]
mod glyphs;
mod parts;
mod press;
mod printed;
mod sheets;
mod texts;
#[cfg(feature = "typst")]
mod typst_world;

pub use contents::{Case, CaseName, Contents, Kind, Paper};
pub use error::TypesetError;
pub use parts::cases::case_name;
pub use parts::sheets;
pub use press::{IS_BUILT, Typesetter};
pub use printed::Printed;
pub use sheets::{Block, Column, Cover, Layout, Part, Row, RowKind, Sheets, Table};

#[cfg(test)]
mod tests;
