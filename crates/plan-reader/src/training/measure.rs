//! What is heard of labeled messages, with the weights beside the code or others.

use super::Labeled;
use crate::ear::{EAR, Ear, Hearing};
use crate::grammar::Vocabulary;
use crate::intent::{self, Heard, Intent, Slots};
use crate::understand::understand_by;
use plan_model::brand::Brand;

/// What is heard of numbers where they are asked about from a probability on.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct AtThreshold {
    /// The probability.
    pub asked_from: f32,
    /// Plainly stated values.
    pub plain: usize,
    /// Of these, written.
    pub landed: usize,
    /// Of these, asked about with the right value.
    pub asked: usize,
    /// All values that are asked about.
    pub proposals: usize,
    /// Of these, those that no label has.
    pub wrong: usize,
    /// Values written that no label has.
    pub wrong_written: usize,
}

/// What a message was heard to want.
#[derive(Clone, Debug)]
pub struct IntentHeard {
    /// `en` or `es`.
    pub lang: String,
    /// The message.
    pub message: String,
    /// By its label.
    pub intent: Intent,
    /// By its label.
    pub slots: Slots,
    /// What was heard.
    pub heard: Heard,
}

impl IntentHeard {
    /// Whether the intent is right.
    pub fn is_right(&self) -> bool {
        self.intent == self.heard.intent
    }

    /// Whether intent and slots are right. Free words are not compared.
    pub fn is_exact(&self) -> bool {
        let bare = |slots: &Slots| Slots {
            term: None,
            topic: None,
            name: None,
            ..slots.clone()
        };
        self.is_right() && bare(&self.slots) == bare(&self.heard.slots)
    }
}

fn ear_of(weights: Option<&[u8]>) -> Ear {
    weights.and_then(Ear::read).unwrap_or_default()
}

/// Counts what is written and asked about at each threshold. Without weights those beside the code are used.
pub fn numbers_heard(weights: Option<&[u8]>, messages: &[Labeled], thresholds: &[f32]) -> Vec<AtThreshold> {
    let own = ear_of(weights);
    let ear = if weights.is_some() { &own } else { &*EAR };
    let vocabulary = Vocabulary::of(&Brand::demo());
    let at = |asked_from: f32| {
        let mut out = AtThreshold {
            asked_from,
            ..AtThreshold::default()
        };
        for one in messages {
            let read = understand_by(Hearing { ear, asked_from }, &one.texts(), &vocabulary);
            let asked = asked_of(&read);
            for label in one.labels.iter().filter(|label| label.is_plain()) {
                out.plain += 1;
                let written = |one: &crate::Statement| one.field == label.field && label.is_right(one.value);
                let is_asked = |one: &&crate::Choice| one.field == label.field && label.is_right(one.value);
                if read.plain.iter().any(written) {
                    out.landed += 1;
                } else if asked.iter().copied().any(|one| is_asked(&one)) {
                    out.asked += 1;
                }
            }
            let known = |field: &_, value| {
                one.labels
                    .iter()
                    .any(|label| label.field == *field && label.is_right(value))
            };
            out.proposals += asked.len();
            out.wrong += asked.iter().filter(|asked| !known(&asked.field, asked.value)).count();
            out.wrong_written += read
                .plain
                .iter()
                .filter(|plain| !known(&plain.field, plain.value))
                .count();
        }
        out
    };
    thresholds.iter().map(|asked_from| at(*asked_from)).collect()
}

fn asked_of(read: &crate::Understanding) -> Vec<&crate::Choice> {
    read.candidates.iter().map(|asked| &asked.choices[0]).collect()
}

/// What the messages with a labeled intent are heard to want.
pub fn intents_heard(weights: Option<&[u8]>, messages: &[Labeled]) -> Vec<IntentHeard> {
    let own = ear_of(weights);
    let ear = if weights.is_some() { &own } else { &*EAR };
    let vocabulary = Vocabulary::of(&Brand::demo());
    let heard = |one: &Labeled| {
        Some(IntentHeard {
            lang: one.lang.clone(),
            message: one.message.clone(),
            intent: one.intent?,
            slots: one.slots.clone().unwrap_or_default(),
            heard: intent::wants_by(ear, &one.texts(), &vocabulary),
        })
    };
    messages.iter().filter_map(heard).collect()
}
