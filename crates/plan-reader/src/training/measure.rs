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

    /// Whether figures of another question would be computed.
    pub fn is_another(&self) -> bool {
        let asked = |intent: Intent, slots: &Slots| match intent {
            Intent::Figure | Intent::Why => format!("{:?} {:?} {:?}", slots.line, slots.year, slots.month),
            Intent::WhatIf => {
                let mut changes = slots.all_changes();
                changes.sort_by(|one, other| one.field.cmp(&other.field));
                format!("{changes:?}")
            }
            Intent::Goal => format!(
                "{:?} {:?} {:?} {:?}",
                slots.metric, slots.target, slots.field, slots.year
            ),
            _ => String::new(),
        };
        let (wanted, heard) = (
            asked(self.intent, &self.slots),
            asked(self.heard.intent, &self.heard.slots),
        );
        let computes = heard != "[]" && !heard.is_empty() && !heard.starts_with("None");
        computes && wanted != heard && self.heard.is_sure_of_figures()
    }

    /// Whether the answer shows the figures that were asked for: questions that are answered alike are one.
    pub fn is_answered_exactly(&self) -> bool {
        let alike = Self {
            intent: self.heard.intent,
            ..self.clone()
        };
        self.is_exact() || intent::answers_alike(self.intent, self.heard.intent) && alike.is_exact()
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
            let own = read.plain.iter().filter(|plain| plain.source == crate::Source::Message);
            out.wrong_written += own.filter(|plain| !known(&plain.field, plain.value)).count();
        }
        out
    };
    thresholds.iter().map(|asked_from| at(*asked_from)).collect()
}

/// What the message itself gives to ask about; a yes to the advisor's own question proposes nothing new.
fn asked_of(read: &crate::Understanding) -> Vec<&crate::Choice> {
    let own = read
        .candidates
        .iter()
        .filter(|asked| asked.source == crate::Source::Message);
    own.map(|asked| &asked.choices[0]).collect()
}

/// What the messages with a labeled intent are heard to want.
pub fn intents_heard(weights: Option<&[u8]>, messages: &[Labeled]) -> Vec<IntentHeard> {
    let own = ear_of(weights);
    let ear = if weights.is_some() { &own } else { &*EAR };
    let vocabulary = Vocabulary::of(&Brand::demo());
    let hearing = Hearing {
        ear,
        ..Hearing::chosen()
    };
    let heard = |one: &Labeled| {
        Some(IntentHeard {
            lang: one.lang.clone(),
            message: one.message.clone(),
            intent: one.intent?,
            slots: one.slots.clone().unwrap_or_default(),
            heard: intent::wants_by(hearing, &one.texts(), &vocabulary),
        })
    };
    messages.iter().filter_map(heard).collect()
}

/// What was missed and what was wrongly asked about, one line each, to look at.
pub fn missed(weights: Option<&[u8]>, messages: &[Labeled], asked_from: f32) -> Vec<String> {
    let own = ear_of(weights);
    let ear = if weights.is_some() { &own } else { &*EAR };
    let vocabulary = Vocabulary::of(&Brand::demo());
    let mut out = Vec::new();
    for one in messages {
        let read = understand_by(Hearing { ear, asked_from }, &one.texts(), &vocabulary);
        let asked = asked_of(&read);
        let has = |label: &super::Label| {
            read.plain
                .iter()
                .any(|one| one.field == label.field && label.is_right(one.value))
                || asked
                    .iter()
                    .any(|one| one.field == label.field && label.is_right(one.value))
        };
        for label in one.labels.iter().filter(|label| label.is_plain() && !has(label)) {
            out.push(format!(
                "missed {} {}={}: {}",
                reason(ear, one, label, &read, &vocabulary),
                label.field,
                label.value,
                one.message
            ));
        }
        let right = |asked: &crate::Choice| {
            one.labels
                .iter()
                .any(|label| label.field == asked.field && label.is_right(asked.value))
        };
        for asked in asked.iter().filter(|asked| !right(asked)) {
            out.push(format!(
                "wrong {}={} {:.2}: {}",
                asked.field, asked.value, asked.probability, one.message
            ));
        }
    }
    out
}

/// Why a value is not asked about: no number has it, another field or none is likelier, or the sentence does not let it be asked.
fn reason(
    ear: &Ear,
    one: &Labeled,
    label: &super::Label,
    read: &crate::Understanding,
    vocabulary: &Vocabulary,
) -> String {
    use crate::ear::spots::Spots;
    let is_it = |choice: &crate::Choice| choice.field == label.field && label.is_right(choice.value);
    if read.supposed.iter().any(|one| is_it(&one.choices[0])) {
        return "(supposed)".to_owned();
    }
    let message = crate::grammar::Message::read(&one.texts(), vocabulary);
    let spots = Spots::of(&message, crate::ear::candidates::LOOKED_AT);
    let path = |field: usize| &vocabulary.fields()[field].path;
    let fields = (0..spots.all.len()).map(|at| ear.fields(&spots, at, vocabulary));
    let known = fields.filter_map(|fields| {
        let own = fields
            .iter()
            .find(|(fit, _)| *path(fit.field) == label.field && label.is_right(fit.value))?;
        let first = fields.first()?;
        Some((
            own.1,
            path(first.0.field).clone(),
            first.1,
            fields.iter().map(|(_, p)| p).sum::<f32>(),
        ))
    });
    match known.max_by(|one, other| one.0.total_cmp(&other.0)) {
        None => "(no number)".to_owned(),
        Some((own, first, _, _)) if first == label.field => format!("(left {own:.2})"),
        Some((own, first, best, all)) if best > 1.0 - all => format!("({first} {best:.2} {own:.2})"),
        Some((own, first, best, all)) => format!("(none {:.2} {first} {best:.2} {own:.2})", 1.0 - all),
    }
}

/// What the weights beside the code hear of a text: its intent with slots, and each number with its likeliest fields.
pub fn hear(text: &str) -> String {
    use crate::ear::spots::Spots;
    use crate::texts::Texts;
    let vocabulary = Vocabulary::of(&Brand::demo());
    let texts = Texts::of(text);
    let heard = intent::wants(&texts, &vocabulary);
    let slots = serde_json::to_string(&heard.slots).unwrap_or_default();
    let mut out = format!(
        "{} {:.2} {:.2} {slots}\n",
        heard.intent.as_str(),
        heard.probability,
        heard.certainty()
    );
    let message = crate::grammar::Message::read(&texts, &vocabulary);
    let spots = Spots::of(&message, crate::ear::candidates::LOOKED_AT);
    for (at, spot) in spots.all.iter().enumerate() {
        let (start, end) = spot.bytes(&message);
        out += text.get(start..end).unwrap_or_default();
        for (choice, probability) in EAR.fields(&spots, at, &vocabulary).iter().take(3) {
            out += &format!(
                "  {probability:.2} {} = {}",
                vocabulary.fields()[choice.field].path,
                choice.value
            );
        }
        out.push('\n');
    }
    out
}
