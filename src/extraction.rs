//! Room 2: what the franchisee said, and whether a model's call says the same.
//!
//! One grammar of money, periods, percents, hedges and negation in spoken American English. It reads what people write, holds
//! every `set_financial_field` call against it and lets nothing through that nobody said. Pure: no I/O, no clock, no floats.

mod agree;
mod amount;
mod arguments;
mod beside;
mod clause;
pub mod convert;
mod cue;
pub mod doubt;
mod evidence;
mod growth;
mod hypothetical;
mod judge;
mod lexicon;
pub mod link;
mod noise;
mod numeral;
mod range;
mod reading;
mod scan;
mod schema;
mod settle;
mod unit;
mod vocabulary;
mod words;

pub use agree::{agrees, is_no, is_yes};
pub use arguments::{CallUnit, ExtractionError};
pub use doubt::Doubts;
pub use hypothetical::hypothetical;
pub use judge::{Context, Evidence, Judgement, Outcome, judge};
pub use lexicon::Mention;
pub use link::Link;
pub use range::warning;
pub use reading::{Denial, Exactness, Reading, Span, read};
pub use schema::tool_schema;
pub use settle::resolve_turn;
pub use unit::{Period, Unit};
pub use words::{Heard, Origin, Part, Words};

#[cfg(test)]
mod tests;
