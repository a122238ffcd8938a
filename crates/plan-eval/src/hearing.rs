//! What the ear makes of labeled messages: values that are asked about at each threshold, and what messages want.

use crate::figures::Rate;
use crate::suite::Suite;
use plan_reader::Intent;
use plan_reader::training::{AtThreshold, IntentHeard, Labeled, intents_heard, numbers_heard};
use serde::Serialize;
use std::fmt::Write;

/// Probabilities from which on a number could be asked about.
const THRESHOLDS: [f32; 7] = [0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8];

/// Intents of one file in one language.
#[derive(Debug, Serialize)]
struct Language {
    suite: String,
    language: String,
    right: Rate,
    /// Intents with all their slots.
    exact: Rate,
}

/// One kind of intent in all files.
#[derive(Debug, Serialize)]
struct Kind {
    intent: Intent,
    right: Rate,
    exact: Rate,
}

/// What would be asked about from a probability on.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Threshold {
    asked_from: f32,
    /// Plainly stated values that are written, or asked about with the right value.
    heard: Rate,
    wrong_proposals: Rate,
    silent: Rate,
    /// The same for Spanish messages.
    heard_spanish: Rate,
}

/// What was heard of suites.
#[derive(Debug, Serialize)]
pub struct Hearing {
    languages: Vec<Language>,
    kinds: Vec<Kind>,
    thresholds: Vec<Threshold>,
}

fn rate(heard: &[&IntentHeard], is: impl Fn(&IntentHeard) -> bool) -> Rate {
    Rate::new(heard.iter().filter(|one| is(one)).count(), heard.len())
}

impl Hearing {
    /// Listens to suites with the weights of the program.
    pub fn of(suites: &[Suite]) -> Self {
        let (mut languages, mut all) = (Vec::new(), Vec::new());
        for suite in suites {
            let heard = intents_heard(None, &suite.labeled);
            for language in ["en", "es"] {
                let of: Vec<&IntentHeard> = heard.iter().filter(|one| one.lang == language).collect();
                if !of.is_empty() {
                    languages.push(Language {
                        suite: suite.name.clone(),
                        language: language.to_owned(),
                        right: rate(&of, IntentHeard::is_right),
                        exact: rate(&of, IntentHeard::is_exact),
                    });
                }
            }
            all.extend(heard);
        }
        let kinds = Intent::ALL.iter().filter_map(|intent| {
            let of: Vec<&IntentHeard> = all.iter().filter(|one| one.intent == *intent).collect();
            (!of.is_empty()).then(|| Kind {
                intent: *intent,
                right: rate(&of, IntentHeard::is_right),
                exact: rate(&of, IntentHeard::is_exact),
            })
        });
        Self {
            languages,
            kinds: kinds.collect(),
            thresholds: thresholds(suites),
        }
    }

    /// Three tables: thresholds, files, kinds of intents.
    pub fn table(&self) -> String {
        let mut text = format!(
            "{:<22} {:<30} {:<30} {:<30} heard, Spanish\n",
            "asked from", "heard", "wrong proposals", "silent"
        );
        for at in &self.thresholds {
            let shares = [at.heard, at.wrong_proposals, at.silent].map(Rate::show);
            let [heard, wrong, silent] = shares;
            let _ = writeln!(
                text,
                "{:<22} {heard:<30} {wrong:<30} {silent:<30} {}",
                at.asked_from,
                at.heard_spanish.show()
            );
        }
        let mut intents = |title: &str, rows: Vec<(String, Rate, Rate)>| {
            if !rows.is_empty() {
                let _ = writeln!(text, "{title:<30} {:<30} with all slots", "intents right");
            }
            for (name, right, exact) in rows {
                let _ = writeln!(text, "{name:<30} {:<30} {}", right.show(), exact.show());
            }
        };
        let of_file = |one: &Language| (format!("{} {}", one.suite, one.language), one.right, one.exact);
        intents("suite and language", self.languages.iter().map(of_file).collect());
        let of_kind = |one: &Kind| (one.intent.as_str().to_owned(), one.right, one.exact);
        intents("intent", self.kinds.iter().map(of_kind).collect());
        text
    }
}

fn thresholds(suites: &[Suite]) -> Vec<Threshold> {
    let messages: Vec<Labeled> = suites.iter().flat_map(|suite| suite.labeled.iter().cloned()).collect();
    let spanish: Vec<Labeled> = messages.iter().filter(|one| one.lang == "es").cloned().collect();
    let heard = |at: &AtThreshold| Rate::new(at.landed + at.asked, at.plain);
    let all = numbers_heard(None, &messages, &THRESHOLDS);
    let of_spanish = numbers_heard(None, &spanish, &THRESHOLDS);
    let row = |(at, spanish): (&AtThreshold, &AtThreshold)| Threshold {
        asked_from: at.asked_from,
        heard: heard(at),
        wrong_proposals: Rate::new(at.wrong, at.proposals),
        silent: Rate::new(at.plain - at.landed - at.asked, at.plain),
        heard_spanish: heard(spanish),
    };
    all.iter().zip(&of_spanish).map(row).collect()
}
