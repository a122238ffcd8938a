//! One labeled message, one line of a suite.

use plan_model::field::FieldPath;
use plan_model::number::Number;
use plan_reader::{Intent, Slots, Texts};
use serde::Deserialize;

/// Who said an earlier message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Speaker {
    /// The franchisee.
    User,
    /// The advisor.
    Assistant,
}

/// An earlier message of the chat.
#[derive(Clone, Debug, Deserialize)]
pub struct Earlier {
    /// Who said it.
    pub role: Speaker,
    /// The text.
    pub content: String,
}

/// Whether a careful bookkeeper writes the value down or asks back first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Class {
    /// Plainly stated: it should be written.
    Apply,
    /// One asks first.
    Ask,
}

/// A value that belongs to a field.
#[derive(Clone, Debug, Deserialize)]
pub struct Label {
    /// The field.
    pub field: FieldPath,
    /// In the field's unit.
    pub value: Number,
    /// Whether it should be written.
    pub class: Class,
    /// Other right values.
    #[serde(default)]
    pub accept: Vec<Number>,
    /// Whether the value is dollars of a share: what share that is depends on the plan's sales.
    #[serde(default)]
    pub dollars: bool,
}

impl Label {
    /// Whether a value is one of the right ones.
    pub fn is_right(&self, value: Number) -> bool {
        self.dollars || self.value == value || self.accept.contains(&value)
    }
}

/// A wrong value that a careless reader could take.
#[derive(Clone, Debug, Deserialize)]
pub struct Trap {
    /// The field.
    pub field: FieldPath,
    /// In the field's unit.
    pub value: Number,
    /// What is wrong with it, for the report.
    #[serde(default)]
    pub why: String,
}

/// One message with what may be written from it.
#[derive(Clone, Debug, Deserialize)]
pub struct Case {
    /// Recorded calls and verdicts are found by it.
    pub id: String,
    /// What kind of message it is, for people.
    #[serde(default)]
    pub tags: Vec<String>,
    /// What it wants, where that is labeled.
    #[serde(default)]
    pub intent: Option<Intent>,
    /// Of what, where that is labeled.
    #[serde(default)]
    pub slots: Option<Slots>,
    /// The chat before it, the oldest message first.
    #[serde(default)]
    pub context: Vec<Earlier>,
    /// What the franchisee says.
    pub message: String,
    /// The values that are in it.
    #[serde(default)]
    pub labels: Vec<Label>,
    /// The values that are not.
    #[serde(default)]
    pub traps: Vec<Trap>,
}

impl Case {
    /// The cases of a suite, one JSON object a line.
    ///
    /// # Errors
    /// The number of the first line that is none, and why.
    pub fn read(suite: &str) -> Result<Vec<Self>, (usize, serde_json::Error)> {
        let lines = (1..).zip(suite.lines()).filter(|(_, line)| !line.trim().is_empty());
        lines
            .map(|(number, line)| serde_json::from_str(line).map_err(|error| (number, error)))
            .collect()
    }

    /// What a message that gives factors asks for: their product for its field, where that is an amount.
    pub fn product(&self) -> Option<(&FieldPath, Number)> {
        let slots = self.slots.as_ref().filter(|_| self.intent == Some(Intent::Estimate))?;
        let factors = slots.product.iter().map(|factor| factor.decimal());
        let dollars = factors.reduce(rust_decimal::Decimal::saturating_mul)?;
        Some((
            slots.field.as_ref()?,
            Number::new(dollars.saturating_mul(Number::whole(100).decimal())).round(0),
        ))
    }

    /// The words that count for it.
    pub fn texts(&self) -> Texts<'_> {
        Texts {
            message: &self.message,
            previous_message: self.last(Speaker::User),
            advisor: self.last(Speaker::Assistant),
            asked: None,
            about: None,
        }
    }

    /// The last message of a speaker before this one.
    pub fn last(&self, speaker: Speaker) -> Option<&str> {
        let last = self.context.iter().rev().find(|earlier| earlier.role == speaker)?;
        Some(&last.content)
    }
}
