//! The closed grammar: names, productions, the chart, and what a message says by them.

mod advisor;
mod chart;
mod class_set;
mod clause;
mod completion;
mod doubt;
mod edges;
mod evaluate;
mod fit;
mod held;
mod language;
mod meaning;
mod mentions;
mod message;
mod names;
mod plain_yes;
mod productions;
mod rules;
mod sentences;
mod standing;
mod vocabulary;
mod withdrawn;

pub(crate) use advisor::Advisor;
pub(crate) use class_set::ClassSet;
pub(crate) use edges::EdgePayload;
pub(crate) use held::holds_a_rate;
pub(crate) use language::text_of;
pub(crate) use mentions::{Place, mentions, ungrouped};
pub(crate) use message::{Message, Part, SentenceResult};
pub(crate) use plain_yes::{agreed_to, period, stated, wish};
pub(crate) use productions::GRAMMAR;
pub use vocabulary::Vocabulary;
pub(crate) use withdrawn::replacing;
