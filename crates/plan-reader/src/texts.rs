//! The words that count for a turn.

use plan_model::field::FieldPath;

/// A text in which a number may have been said; the later one is the greater.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Source {
    /// The advisor's last question.
    Advisor,
    /// The user's message before this one.
    PreviousMessage,
    /// The user's message.
    Message,
}

/// What was said last by user and advisor.
#[derive(Clone, Debug, Default)]
pub struct Texts<'a> {
    /// The user's message.
    pub message: &'a str,
    /// The user's message before this one.
    pub previous_message: Option<&'a str>,
    /// The advisor's text between the two.
    pub advisor: Option<&'a str>,
    /// The one field that the advisor's last question is known to have asked for.
    pub asked: Option<FieldPath>,
    /// The field whose value was written or asked about last: what "make that 4,350" is about.
    pub about: Option<FieldPath>,
}

impl<'a> Texts<'a> {
    /// A first message.
    pub fn of(message: &'a str) -> Self {
        Self {
            message,
            ..Self::default()
        }
    }

    /// The text of a source; empty where there is none.
    pub fn text(&self, source: Source) -> &'a str {
        match source {
            Source::Message => self.message,
            Source::PreviousMessage => self.previous_message.unwrap_or_default(),
            Source::Advisor => self.advisor.unwrap_or_default(),
        }
    }
}
