//! The closed grammar: names, productions, the chart, and what a message says by them.

mod advisor;
mod candidates;
mod chart;
mod class_set;
mod clause;
mod completion;
mod doubt;
mod edges;
mod evaluate;
mod fit;
mod language;
mod meaning;
mod mentions;
mod message;
mod names;
mod near_number;
mod plain_yes;
mod productions;
mod rules;
mod sentences;
mod standing;
mod turn;
mod vocabulary;

pub use turn::understand;
pub use vocabulary::Vocabulary;
