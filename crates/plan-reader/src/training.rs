//! Makes the weights of the ear from labeled messages: `train-reader` (CONTRIBUTING.md). No part of a server uses it.

mod cases;
mod composed;
mod files;
mod folds;
mod labeled;
mod measure;
mod softmax;

pub use files::{files, messages};
pub use folds::{Fold, folds, reliability};
pub use labeled::{Label, Labeled};
pub use measure::{AtThreshold, IntentHeard, hear, intents_heard, missed, numbers_heard};

use crate::ear::spots::Spots;
use crate::ear::{Ear, class_of_fit, concepts, linear, none, sentence};
use crate::grammar::{self, Message, Vocabulary};
use crate::intent::change::count;
use crate::intent::change::operands::operands;
use crate::intent::subject::Subject;
use crate::intent::talked_about::TalkedAbout;
use crate::intent::{self, Intent, line};
use flate2::Compression;
use flate2::read::DeflateEncoder;
use plan_model::brand::Brand;
use softmax::{Example, Plan};
use std::io::Read;

/// More numbers of one message teach nothing new.
const NUMBERS: usize = 40;

/// Of the messages that only state values so many teach intents; the others would drown them.
const STATING: usize = 12;

/// What one classifier learned.
const NUMBER_PLAN: Plan = Plan {
    epochs: 12,
    rate: 0.02,
    left_out: 30,
    decay: 0.000_004,
    seen: 3,
    entries: 690_000,
};

const INTENT_PLAN: Plan = Plan {
    epochs: 16,
    rate: 0.06,
    left_out: 25,
    decay: 0.000_004,
    seen: 3,
    entries: 600_000,
};

const LINE_PLAN: Plan = Plan {
    epochs: 30,
    rate: 0.06,
    left_out: 25,
    decay: 0.000_004,
    seen: 2,
    entries: 160_000,
};

const SUBJECT_PLAN: Plan = Plan {
    epochs: 20,
    rate: 0.04,
    left_out: 25,
    decay: 0.000_004,
    seen: 2,
    entries: 405_000,
};

const WAY_PLAN: Plan = Plan {
    epochs: 20,
    rate: 0.05,
    left_out: 25,
    decay: 0.000_004,
    seen: 2,
    entries: 100_000,
};

/// A hash of the files that weights are made of, with the fields that they name and the concepts of their words.
pub fn data_of(files: &[(String, String)]) -> u64 {
    let catalogue = plan_model::field::catalogue().iter().map(|field| field.path.as_str());
    let intents = Intent::ALL.iter().map(|intent| intent.as_str());
    let texts = files.iter().flat_map(|(name, text)| [name.as_str(), text.as_str()]);
    // FNV-1a, 64 bits: a check against forgetting, not against anybody.
    texts
        .chain(catalogue)
        .chain(intents)
        .chain([concepts::WORDS])
        .flat_map(|text| text.bytes().chain([0]))
        .fold(0xcbf2_9ce4_8422_2325, |all, byte| {
            (all ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        })
}

/// The hash of the data that the weights beside the code were made of.
pub fn data_of_weights() -> u64 {
    crate::ear::EAR.data
}

/// Hears with other weights than those beside the code, to measure them; before the first message. Says whether it was in time.
pub fn hear_with(weights: Vec<u8>) -> bool {
    Ear::read(&weights).is_some() && crate::ear::MEASURED.set(weights).is_ok()
}

/// Every eighth message that needs nothing before it, behind what stands before another one: most labeled messages that have something
/// before them are about it, most that people write are not.
fn behind_others(messages: &[Labeled]) -> Vec<Labeled> {
    const EACH: usize = 8;
    let others = messages.iter().filter(|one| one.is_behind_others());
    let some = messages.iter().step_by(EACH);
    some.zip(others.cycle())
        .filter_map(|(one, other)| one.behind(other))
        .collect()
}

/// The file of weights.
pub fn train(messages: &[Labeled], data: u64) -> Vec<u8> {
    let vocabulary = Vocabulary::of(&Brand::demo());
    let (mut numbers, mut intents, mut lines) = (Vec::new(), Vec::new(), Vec::new());
    let (mut subjects, mut ways) = (Vec::new(), Vec::new());
    let mut stating = 0;
    for one in messages.iter().chain(&behind_others(messages)) {
        let texts = one.texts();
        let message = Message::read(&texts, &vocabulary);
        let spots = Spots::of(&message, NUMBERS);
        if one.intent == Some(Intent::WhatIf) {
            let (fields, of_case) = cases::examples(one, &message);
            numbers.extend(fields);
            ways.extend(of_case);
        } else {
            numbers.extend(number_examples(one, &spots, &vocabulary));
        }
        let known = one.intent.or_else(|| {
            // Behind another message most that are labeled ask: those that state there all count.
            let is_alone = texts.previous_message.is_none();
            stating += usize::from(!one.labels.is_empty() && is_alone);
            (!one.labels.is_empty() && (!is_alone || stating % STATING == 0)).then_some(Intent::State)
        });
        let before = TalkedAbout::of(&texts, &vocabulary);
        subjects.extend(subject_example(one, (&message, &spots), &before));
        if one.is_name() {
            continue;
        }
        ways.extend(cases::factors(one, &spots));
        ways.extend(cases::targets(one, &message));
        ways.extend(cases::time(one, &message, &before));
        if let Some(intent) = known {
            if let Some((right, classes)) = one.line() {
                let about = (intent::lines(&message), &before);
                let about = (about.0.as_slice(), about.1);
                let features = match intent {
                    Intent::WhatIf => count::features(&operands(&message, NUMBERS), &message),
                    _ => line::features(&message, &spots, intent, about),
                };
                lines.push(Example {
                    features,
                    right: classes.iter().position(|class| *class == right).unwrap_or(0),
                    choices: match intent {
                        Intent::Figure | Intent::Why | Intent::Goal | Intent::Levers => {
                            line::choices(&message, &spots, intent, about)
                        }
                        _ => classes.into_iter().map(|class| (class, Vec::new())).collect(),
                    },
                });
            }
            let features = sentence::features(&message, &spots, grammar::wish(&message), !message.plain().is_empty());
            intents.push(Example {
                features,
                choices: (0..Intent::ALL.len() as u8).map(|class| (class, Vec::new())).collect(),
                right: intent as usize,
            });
        }
    }
    let mut out = Vec::new();
    for (examples, plan) in [
        (numbers, NUMBER_PLAN),
        (intents, INTENT_PLAN),
        (lines, LINE_PLAN),
        (subjects, SUBJECT_PLAN),
        (ways, WAY_PLAN),
    ] {
        let (scale, rows) = softmax::learn(&examples, &plan);
        linear::write(scale, &rows, &mut out);
    }
    let mut packed = Vec::new();
    // Reading from memory never fails.
    let _ = DeflateEncoder::new(out.as_slice(), Compression::best()).read_to_end(&mut packed);
    [&data.to_le_bytes(), packed.as_slice()].concat()
}

/// A question with the field that it is about.
fn subject_example(
    one: &Labeled,
    (message, spots): (&Message<'_>, &Spots<'_>),
    before: &TalkedAbout<'_>,
) -> Option<Example> {
    let (intent, field) = one.subject()?;
    let when = intent::calendar::when(message);
    let subject = Subject {
        message,
        spots,
        when: &when,
        intent,
        before,
    };
    let choices = subject.choices();
    let right = match field {
        Some(path) => message.vocabulary.position(path.as_str())?,
        None => choices.len() - 1,
    };
    Some(Example {
        features: subject.features(),
        choices,
        right,
    })
}

/// The numbers of a message, each with the field that its label says, or none.
fn number_examples(one: &Labeled, spots: &Spots<'_>, vocabulary: &Vocabulary) -> Vec<Example> {
    let mut used = vec![false; one.labels.len()];
    let mut out = Vec::new();
    if !one.teaches_numbers() {
        return out;
    }
    for at in 0..spots.all.len() {
        let choices = spots.choices(at);
        let right_of = |used: &[bool]| {
            choices.iter().enumerate().find_map(|(nth, choice)| {
                let path = &vocabulary.fields()[choice.field].path;
                let label = one.labels.iter().zip(used).position(|(label, used)| {
                    !used && label.field == *path && label.dollars == choice.in_dollars && label.is_right(choice.value)
                })?;
                Some((nth, label))
            })
        };
        let right = right_of(&used).or_else(|| right_of(&vec![false; used.len()]));
        if let Some((_, label)) = right {
            used[label] = true;
        }
        let right = right.map(|(nth, _)| nth);
        let known = choices.iter().map(|choice| {
            let class = class_of_fit(vocabulary, choice);
            (class.unwrap_or(none() + 1), choice.features.clone())
        });
        let of_none = spots.features_of_none(at, &choices);
        let choices: Vec<(u8, Vec<u32>)> = known.chain([(none(), of_none)]).collect();
        if choices.len() > 1 {
            out.push(Example {
                features: spots.features(at),
                right: right.unwrap_or(choices.len() - 1),
                choices,
            });
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    #[test]
    fn the_weights_belong_to_the_labeled_messages() {
        let files = files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests")).expect("labeled messages");
        assert_eq!(
            data_of(&files),
            data_of_weights(),
            "labeled messages changed: cargo run --release -p plan-reader --bin train-reader"
        );
    }

    #[test]
    fn the_same_messages_make_the_same_weights() {
        let line = |rent: u32| {
            format!(
                r#"{{"message":"rent is {rent}","intent":"state","labels":[{{"field":"operatingCosts.rentMonthly","value":{rent}00,"class":"apply"}}]}}"#
            )
        };
        let text: Vec<String> = (0..8).map(|nth| line(3_000 + 100 * nth)).collect();
        let messages = Labeled::read(&text.join("\n")).expect("messages");
        assert_eq!(train(&messages, 7), train(&messages, 7));
        let heard = numbers_heard(Some(&train(&messages, 7)), &messages, &[0.4]);
        assert_eq!((heard[0].plain, heard[0].landed + heard[0].asked), (8, 8));
    }
}
