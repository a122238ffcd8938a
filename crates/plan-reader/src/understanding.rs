//! What the closed grammar makes of a turn's words.

use super::mention::Mention;
use super::texts::Source;
use plan_model::extracted::NoteCode;
use plan_model::field::FieldPath;
use plan_model::number::Number;

/// A value that is plainly stated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statement {
    /// The field.
    pub field: FieldPath,
    /// In the field's unit.
    pub value: Number,
    /// The text that says it.
    pub source: Source,
    /// Bytes of the sentence in its text: its first.
    pub start: usize,
    /// Behind its last.
    pub end: usize,
    /// Bytes of the number.
    pub number: (usize, usize),
}

/// A field that a number may belong to.
#[derive(Clone, Debug, PartialEq)]
pub struct Choice {
    /// The field.
    pub field: FieldPath,
    /// In the field's unit.
    pub value: Number,
    /// How likely the number belongs to the field, from 0 to 1.
    pub probability: f32,
}

/// A number that may belong to fields: asked about, never written.
#[derive(Clone, Debug, PartialEq)]
pub struct Candidate {
    /// The likeliest first; never empty.
    pub choices: Vec<Choice>,
    /// The text that the number is in.
    pub source: Source,
    /// Bytes of the sentence in its text: its first.
    pub start: usize,
    /// Behind its last.
    pub end: usize,
    /// Bytes of the number.
    pub number: (usize, usize),
    /// Why it is only asked about.
    pub reason: NoteCode,
}

/// "The girls cost me 9,000 a month": what a share of sales comes to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShareInDollars {
    /// The share's field.
    pub field: FieldPath,
    /// Cents a month.
    pub cents: Number,
    /// Bytes of the number.
    pub number: (usize, usize),
}

/// What a message wants besides values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wish {
    /// "yes, please"
    Yes,
    /// "no, leave it"
    No,
    /// "I don't know"
    Unknown,
    /// "next question"
    Skip,
    /// "why do you ask?"
    Why,
    /// "undo that"
    Undo,
}

/// Why a number is not even asked about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IgnoredNumber {
    /// Of another person or business.
    Others,
    /// It was so once.
    Past,
    /// Another country's money.
    Foreign,
    /// One amount for several lines.
    Shared,
    /// A change, not a total.
    Change,
    /// What a value must not exceed.
    Limit,
    /// Of one month, or of the best or the worst case.
    OneCase,
    /// One of two, of which none is chosen.
    Either,
    /// A share of sales, of a line that is kept in dollars.
    Share,
}

/// A turn's words, understood.
#[derive(Clone, Debug, Default)]
pub struct Understanding {
    /// Values that are plainly stated.
    pub plain: Vec<Statement>,
    /// Numbers that are asked about.
    pub candidates: Vec<Candidate>,
    /// Numbers of questions: what is supposed or asked about, which nobody has said of the plan.
    pub supposed: Vec<Candidate>,
    /// Costs in dollars that the plan keeps as shares of sales.
    pub shares: Vec<ShareInDollars>,
    /// Numbers that are left alone.
    pub ignored: Vec<IgnoredNumber>,
    /// What the message wants besides values.
    pub wish: Option<Wish>,
    /// The field of the advisor's last question, where the message is a plain yes to the one number of it.
    pub agreed: Option<FieldPath>,
    /// Fields that the message names, in its order.
    pub named: Vec<FieldPath>,
    /// Whether a number counts customers, or what each of them buys one of: "45 dogs".
    pub counts_customers: bool,
    /// Every number in the words that count.
    pub mentions: Vec<Mention>,
    /// Numbers as other countries group them, "4.200": never written, only asked about.
    pub ungrouped: Vec<Mention>,
    /// Tokens, phrases and steps of productions visited.
    pub work: usize,
}

impl Understanding {
    /// With "120.000" among the numbers, for those that answer and write nothing.
    #[must_use]
    pub fn with_ungrouped(mut self) -> Self {
        self.mentions.append(&mut self.ungrouped);
        self.mentions.sort_by_key(|one| one.number);
        self
    }

    /// Whether any number is to be asked about.
    pub fn has_heard(&self) -> bool {
        !self.candidates.is_empty() || !self.shares.is_empty()
    }
}
