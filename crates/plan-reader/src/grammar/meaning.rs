//! What a sentence states, and what the sentences before it leave open.

use crate::lex::{Period, Unit};
use plan_model::number::Number;

/// What an answer without a name belongs to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Asked {
    /// Where the field stands in the vocabulary's fields.
    pub field: usize,
    /// As the question says it: "per month".
    pub period: Option<Period>,
    /// As the question says it: "how many months".
    pub unit: Option<Unit>,
    /// Every word of the question is known, so that a bare number can be its answer; else it is only asked about.
    pub is_plain: bool,
}

impl Before {
    /// The question that a bare number can answer.
    pub(super) fn answered(&self) -> Option<&Asked> {
        self.asked.as_ref().filter(|asked| asked.is_plain)
    }
}

/// What a sentence may refer back to.
#[derive(Clone, Debug, Default)]
pub(crate) struct Before {
    /// The advisor's question is about somebody or something else.
    pub about_others: bool,
    /// Of the advisor's question.
    pub asked: Option<Asked>,
    /// The field of the one value that the advisor noted.
    pub noted: Option<usize>,
    /// The name that the sentence before brought up without a value.
    pub topic: Option<u16>,
    /// The name of the last statement.
    pub last: Option<u16>,
    /// The last statement.
    pub stated: Option<Stated>,
    /// "All amounts are per month:"
    pub period: Option<Period>,
    pub percent: bool,
    /// Nothing was said before this sentence.
    pub first: bool,
    /// A correction was announced: "scratch that."
    pub correcting: bool,
    /// The words are the advisor's, which mean each field's own period.
    pub sure: bool,
}

/// A field's value with the number that says it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Stated {
    pub field: usize,
    pub value: Number,
    /// The message's amount; none where a zero is said without a number.
    pub amount: Option<u16>,
    /// It takes the place of what was stated before.
    pub corrects: bool,
    /// Fields that the name may mean elsewhere.
    pub related: Vec<usize>,
    /// As it was said with the number.
    pub period: Option<Period>,
}

impl Stated {
    /// The same value for the same field: "3 % for the yearly raise" has a period in one reading and none in the other.
    pub(super) fn is_same(&self, other: &Self) -> bool {
        (self.field, self.value, self.amount, self.corrects) == (other.field, other.value, other.amount, other.corrects)
    }
}

/// What a sentence does.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Meaning {
    pub stated: Vec<Stated>,
    /// Amounts that were said not to be the value.
    pub denied: Vec<u16>,
    pub topic: Option<u16>,
    pub last: Option<u16>,
    pub correcting: bool,
    /// How many clauses it took: of two readings the shorter counts.
    pub clauses: usize,
}
