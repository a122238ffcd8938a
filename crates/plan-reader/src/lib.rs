//! What the franchisee said: a closed grammar of plain sentences, and the decision on each value that a model calls.
//!
//! `understand` reads a turn's words once, `decide` holds each call against them, `review` is the second look of a model. Pure: no
//! I/O, no clock, no floats. Words live in `vocabulary/`, productions in `grammar/productions.txt`.

#![deny(missing_docs, unreachable_pub)]
#![expect(
    clippy::arithmetic_side_effects,
    reason = "`lex::figure` bounds every number that was said, so that no product of it overflows"
)]
// The examples of the README are tests.
#![cfg_attr(doctest, doc = include_str!("../README.md"))]

mod acts;
mod agree;
mod arguments;
mod call_unit;
mod convert;
mod decide;
mod ear;
mod grammar;
mod ground;
mod hypothetical;
mod intent;
mod lex;
mod mention;
mod numbers;
mod range;
pub mod review;
mod schema;
mod texts;
pub mod training;
mod understand;
mod understanding;

pub use acts::{Act, SaidAct, act, said_act, says_yes, takes_back, without_drawl, words_of_count};
pub use agree::{is_no, is_yes};
pub use arguments::ExtractionError;
pub use call_unit::CallUnit;
pub use decide::{Context, Decision, Outcome, decide, resolve_turn};
pub use grammar::Vocabulary;
pub use ground::Evidence;
pub use hypothetical::hypothetical;
pub use intent::{
    Change, FieldChange, Heard, Intent, Line, Place, ScenarioAct, Slots, SocialKind, Topic, Which, figures_near,
    lines_named, wants, wants_case, wants_otherwise, years,
};
pub use lex::{Period, Unit};
pub use mention::{Bound, Mention};
pub use numbers::{in_digits, list_marks, numbers};
pub use range::warning;
pub use schema::tool_schema;
pub use texts::{Source, Texts};
pub use understand::understand;
pub use understanding::{Candidate, Choice, IgnoredNumber, ShareInDollars, Statement, Understanding, Wish};

#[cfg(test)]
mod tests;
