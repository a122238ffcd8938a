//! The learned ear: which field a number belongs to, what a message wants, and which figure it asks for.
//!
//! Five linear classifiers over hashed features. What a number is worth is read exactly; only where it belongs is learned. Nothing
//! here is written to a plan: it is asked about, answered or computed. `train-reader` makes the weights (CONTRIBUTING.md).

pub(crate) mod candidates;
pub(crate) mod concepts;
pub(crate) mod linear;
pub(crate) mod names;
pub(crate) mod sentence;
pub(crate) mod spots;
pub(crate) mod values;
pub(crate) mod words;

use crate::grammar::Vocabulary;
use flate2::read::DeflateDecoder;
use linear::Linear;
use plan_model::field::catalogue;
use spots::{NumberFit, Spots};
use std::collections::HashMap;
use std::io::Read;
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
    /// Message to its figure, or to another slot of few values.
    pub lines: Linear,
    /// Question to the field that it is about.
    pub subjects: Linear,
    /// Number of a case to the way that it changes its field, and number of a product or a goal to whether it
    /// is a factor or the target.
    pub ways: Linear,
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
    pub(crate) fn read(file: &[u8]) -> Option<Self> {
        let (data, packed) = file.split_first_chunk()?;
        let mut bytes = Vec::new();
        DeflateDecoder::new(packed).read_to_end(&mut bytes).ok()?;
        let (numbers, rest) = Linear::read(&bytes)?;
        let (intents, rest) = Linear::read(rest)?;
        let (lines, rest) = Linear::read(rest)?;
        let (subjects, rest) = Linear::read(rest)?;
        let (ways, _) = Linear::read(rest)?;
        Some(Self {
            data: u64::from_le_bytes(*data),
            numbers,
            intents,
            lines,
            subjects,
            ways,
        })
    }

    /// The fields of a number with their probabilities, the likeliest first; what is missing to one is that it belongs to none.
    pub(crate) fn fields(&self, spots: &Spots<'_>, at: usize, vocabulary: &Vocabulary) -> Vec<(NumberFit, f32)> {
        let choices = spots.choices(at);
        let mut classes = [0; 256];
        self.numbers.add(&spots.features(at), &mut classes);
        let sum = |choice: &NumberFit| {
            let class = class_of_fit(vocabulary, choice);
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
    /// How likely a number of a case changes each field of the vocabulary, and behind them that it changes none.
    pub(crate) fn changed(&self, spots: &Spots<'_>, at: usize, vocabulary: &Vocabulary) -> Vec<f32> {
        let fits = spots.changed(at);
        let mut classes = [0; 256];
        self.numbers.add(&spots.features_of_change(at), &mut classes);
        let sum = |(field, features): &(usize, Vec<u32>)| {
            let class = class_of(vocabulary.fields()[*field].path.as_str());
            class.map_or(0, |class| classes[usize::from(class)]) + self.numbers.shared(features)
        };
        let of_none = classes[usize::from(none())] + self.numbers.shared(&spots.features_of_no_change(at));
        let sums: Vec<i32> = fits.iter().map(sum).chain([of_none]).collect();
        self.numbers.probabilities(&sums)
    }

    /// How likely each of some ways of changing a field is, by their classes.
    pub(crate) fn ways(&self, features: &[u32], classes: &[u8]) -> Vec<f32> {
        self.ways.among(features, classes)
    }

    /// How likely a number is a factor of the product that is asked for.
    pub(crate) fn is_factor(&self, spots: &Spots<'_>, at: usize) -> f32 {
        self.ways(&spots.features(at), &[FACTOR, NO_FACTOR])[0]
    }

    /// How likely a number is the target of a goal.
    pub(crate) fn is_target(&self, spots: &Spots<'_>, at: usize) -> f32 {
        self.ways(&spots.features(at), &[TARGET, NO_TARGET])[0]
    }

    /// How likely a question is about each field of the vocabulary, and behind them that it is about none.
    pub(crate) fn subjects(&self, features: &[u32], choices: &[(u8, Vec<u32>)]) -> Vec<f32> {
        let choices = choices.iter().map(|(class, own)| (*class, own.as_slice()));
        self.subjects.choose(features, choices)
    }

    /// The likeliest of the classes that a message's figure or another of its slots may have, and how likely.
    pub(crate) fn class(&self, features: &[u32], classes: &[u8]) -> Option<(u8, f32)> {
        let (at, likely) = likeliest(&self.lines.among(features, classes));
        Some((*classes.get(at)?, likely))
    }

    /// The classes of figures, each with how likely it is meant.
    pub(crate) fn figures(&self, features: &[u32], choices: &[(u8, Vec<u32>)]) -> Vec<(u8, f32)> {
        let all = choices.iter().map(|(class, own)| (*class, own.as_slice()));
        let likely = self.lines.choose(features, all);
        choices.iter().map(|(class, _)| *class).zip(likely).collect()
    }

    /// The class of a figure that is meant, and how likely it or one that is answered alike is among all.
    pub(crate) fn figure(
        &self,
        features: &[u32],
        choices: &[(u8, Vec<u32>)],
        is_alike: impl Fn(u8, u8) -> bool,
    ) -> Option<(u8, f32)> {
        let figures = self.figures(features, choices);
        let most = figures.iter().max_by(|(_, one), (_, other)| one.total_cmp(other));
        let class = most?.0;
        let alike = figures
            .iter()
            .filter(|(other, _)| *other == class || is_alike(class, *other));
        Some((class, alike.map(|(_, likely)| likely).sum()))
    }
}

/// Among the ways of numbers: a factor of a product, and a number beside it.
pub(crate) const FACTOR: u8 = 10;
pub(crate) const NO_FACTOR: u8 = 11;

/// Among the ways of numbers: the target of a goal, and a number beside it.
pub(crate) const TARGET: u8 = 12;
pub(crate) const NO_TARGET: u8 = 13;

/// The place of the largest, and it.
pub(crate) fn likeliest(probabilities: &[f32]) -> (usize, f32) {
    let all = probabilities.iter().copied().enumerate();
    let most = all.max_by(|(_, one), (_, other)| one.total_cmp(other));
    most.unwrap_or((0, 0.0))
}

/// The class of a catalogue's field; a brand's own rows have none and are known by their names alone.
pub(crate) fn class_of(path: &str) -> Option<u8> {
    static CLASSES: LazyLock<HashMap<&str, u8>> =
        LazyLock::new(|| catalogue().iter().map(|field| field.path.as_str()).zip(0..).collect());
    CLASSES.get(path).copied()
}

/// The class of a field that a number may belong to; dollars of a share have their own.
pub(crate) fn class_of_fit(vocabulary: &Vocabulary, fit: &NumberFit) -> Option<u8> {
    let shares = || catalogue().iter().filter(|field| field.is_share_in_dollars());
    let path = &vocabulary.fields()[fit.field].path;
    match fit.in_dollars {
        true => shares()
            .position(|field| field.path == *path)
            .map(|at| none() + 2 + at as u8),
        false => class_of(path.as_str()),
    }
}

/// The class of numbers that belong to no field.
pub(crate) fn none() -> u8 {
    catalogue().len() as u8
}
