//! The learned ear: which field a number belongs to, what a message wants, and which figure it asks for.
//!
//! Three linear classifiers over hashed features. What a number is worth is read exactly; only where it belongs is learned. Nothing
//! here is written to a plan: it is asked about, answered or computed. `train-reader` makes the weights (CONTRIBUTING.md).

pub(crate) mod candidates;
pub(crate) mod linear;
pub(crate) mod names;
pub(crate) mod sentence;
pub(crate) mod spots;
mod values;
pub(crate) mod words;

use crate::grammar::Vocabulary;
use linear::Linear;
use plan_model::field::catalogue;
use spots::{NumberFit, Spots};
use std::collections::HashMap;
use std::sync::{LazyLock, OnceLock};

/// What was learned.
#[derive(Debug, Default)]
pub(crate) struct Ear {
    /// A hash of all that it was learned from.
    pub data: u64,
    /// Number to field.
    pub numbers: Linear,
    /// Message to intent.
    pub intents: Linear,
    /// Message to figure, where it is about one.
    pub lines: Linear,
}

/// The weights beside the code, or those that are measured in their place.
pub(crate) static EAR: LazyLock<Ear> = LazyLock::new(|| {
    let weights = MEASURED
        .get()
        .map_or(&include_bytes!("ear/weights.bin")[..], Vec::as_slice);
    Ear::read(weights).unwrap_or_default()
});

/// Weights that are to be measured, set before the first message is heard.
pub(crate) static MEASURED: OnceLock<Vec<u8>> = OnceLock::new();

/// Who hears, and from which probability on a number is asked about.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Hearing<'e> {
    pub ear: &'e Ear,
    pub asked_from: f32,
}

impl Hearing<'static> {
    /// As it is used.
    pub(crate) fn chosen() -> Self {
        Self {
            ear: &EAR,
            asked_from: candidates::ASKED_FROM,
        }
    }
}

impl Ear {
    /// Reads the file of weights.
    pub(crate) fn read(bytes: &[u8]) -> Option<Self> {
        let (data, rest) = bytes.split_first_chunk()?;
        let (numbers, rest) = Linear::read(rest)?;
        let (intents, rest) = Linear::read(rest)?;
        let (lines, _) = Linear::read(rest)?;
        Some(Self {
            data: u64::from_le_bytes(*data),
            numbers,
            intents,
            lines,
        })
    }

    /// The fields of a number with their probabilities, the likeliest first; what is missing to one is that it belongs to none.
    pub(crate) fn fields(&self, spots: &Spots<'_>, at: usize, vocabulary: &Vocabulary) -> Vec<(NumberFit, f32)> {
        let choices = spots.choices(at);
        let mut classes = [0; 256];
        self.numbers.add(&spots.features(at), &mut classes);
        let sum = |choice: &NumberFit| {
            let class = class_of(vocabulary.fields()[choice.field].path.as_str());
            class.map_or(0, |class| classes[usize::from(class)]) + self.numbers.shared(&choice.features)
        };
        let none = classes[usize::from(none())] + self.numbers.shared(&spots.features_of_none(at, &choices));
        let sums: Vec<i32> = choices.iter().map(sum).chain([none]).collect();
        let probabilities = self.numbers.probabilities(&sums);
        let mut out: Vec<(NumberFit, f32)> = choices.into_iter().zip(probabilities).collect();
        out.sort_by(|(_, one), (_, other)| other.total_cmp(one));
        out
    }
}

impl Ear {
    /// The likeliest of so many figures that a message may be about, by its class, and how likely; the last one is none.
    pub(crate) fn line(&self, features: &[u32], count: usize) -> (usize, f32) {
        let mut classes = [0; 256];
        self.lines.add(features, &mut classes);
        let probabilities = self.lines.probabilities(&classes[..count]);
        let all = probabilities.into_iter().enumerate();
        all.max_by(|(_, one), (_, other)| one.total_cmp(other))
            .unwrap_or((count - 1, 0.0))
    }
}

/// The class of a catalogue's field; a brand's own rows have none and are known by their names alone.
pub(crate) fn class_of(path: &str) -> Option<u8> {
    static CLASSES: LazyLock<HashMap<&str, u8>> =
        LazyLock::new(|| catalogue().iter().map(|field| field.path.as_str()).zip(0..).collect());
    CLASSES.get(path).copied()
}

/// The class of numbers that belong to no field.
pub(crate) fn none() -> u8 {
    catalogue().len() as u8
}
