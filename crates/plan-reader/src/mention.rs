//! A number as its own words describe it.

use super::lex::{Period, Unit};
use super::texts::Source;
use rust_decimal::Decimal;

/// A limit that stands directly before a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// "at least"
    Least,
    /// "up to"
    Most,
}

/// A number in the words that count, with what its own words say.
#[derive(Clone, Debug, PartialEq)]
pub struct Mention {
    /// The text that it is in.
    pub source: Source,
    /// With its own magnitude, in its own unit.
    pub value: Decimal,
    /// As its own words say.
    pub unit: Unit,
    /// The end of a range.
    pub upper: Option<Decimal>,
    /// Of the words directly at the number.
    pub period: Option<Period>,
    /// The unit's word may also be a period: "2,950 mo".
    pub or_period: Option<Period>,
    /// The word "one": a number only of things that are counted.
    pub count_only: bool,
    /// "per groomer", "a foot": of one of many.
    pub per_unit: bool,
    /// "at least", "up to"
    pub bound: Option<Bound>,
    /// "month 7"
    pub month_number: bool,
    /// Bytes of the number, and of its sentence, in its text.
    pub number: (usize, usize),
    /// Bytes of its sentence.
    pub sentence: (usize, usize),
}
