//! What the closed grammar makes of a turn's words.

use super::mention::Mention;
use super::texts::Source;
use plan_model::extracted::NoteCode;
use plan_model::field::FieldPath;
use plan_model::number::Number;

/// A value that is plainly stated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statement {
    pub field: FieldPath,
    /// In the field's unit.
    pub value: Number,
    pub source: Source,
    /// Bytes of the sentence in its text.
    pub start: usize,
    pub end: usize,
    /// Bytes of the number.
    pub number: (usize, usize),
}

/// A field that a number may belong to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    pub field: FieldPath,
    /// In the field's unit.
    pub value: Number,
}

/// A number that may belong to fields: asked about, never written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// The likeliest first; never empty.
    pub choices: Vec<Choice>,
    pub source: Source,
    /// Bytes of the sentence in its text.
    pub start: usize,
    pub end: usize,
    /// Bytes of the number.
    pub number: (usize, usize),
    pub reason: NoteCode,
}

/// What a message wants besides values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wish {
    Yes,
    No,
    /// "I don't know"
    Unknown,
    Skip,
    /// "why do you ask?"
    Why,
    /// "undo that"
    Undo,
}

/// Why a number is not even asked about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Aside {
    /// Of another person or business.
    Others,
    Past,
    /// Another country's money.
    Foreign,
    /// One amount for several lines.
    Shared,
    /// A change, not a total.
    Change,
}

/// A turn's words, understood.
#[derive(Clone, Debug, Default)]
pub struct Understanding {
    pub plain: Vec<Statement>,
    pub heard: Vec<Candidate>,
    /// Numbers that are left alone.
    pub asides: Vec<Aside>,
    pub wish: Option<Wish>,
    /// The field of the advisor's last question, where the message is a plain yes to the one number of it.
    pub agreed: Option<FieldPath>,
    /// Fields that the message names, in its order.
    pub named: Vec<FieldPath>,
    /// Every number in the words that count.
    pub mentions: Vec<Mention>,
    /// Tokens, phrases and steps of productions visited.
    pub work: usize,
}
