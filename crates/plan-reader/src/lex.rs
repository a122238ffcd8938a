//! Tokens, numbers, amounts with their units, periods: what can be read without knowing what a plan is.
//!
//! A number that is not written in one of the known ways (`1,50,000`, `4k2`, `10/15`, `555-0142`) is one unreadable token: it is
//! never cut into a part that can be read.

mod amounts;
mod figure;
mod fraction;
mod spoken;
mod table;
mod token;
mod units;

pub(crate) use amounts::{Amount, amounts, items};
pub(crate) use figure::{Figure, Suffix};
pub use plan_model::period::Period;
pub(crate) use table::Table;
pub(crate) use token::{Kind, Token, tokens};
pub use units::Unit;
pub(crate) use units::Units;

/// Whether a word is one of those in a text, which blanks part.
pub(crate) fn is_of(words: &str, word: &str) -> bool {
    words.split_whitespace().any(|known| known == word)
}
