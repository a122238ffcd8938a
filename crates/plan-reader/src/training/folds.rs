//! How often the ear is right on messages that it did not learn: of all taught ones each fourth is left out in turn.

use super::{data_of, intents_heard, messages, train};
use std::collections::BTreeMap;
use std::fmt::Write;

/// Into so many parts the messages are parted.
const FOLDS: usize = 4;

/// Likelihoods between which messages are counted together.
const BINS: [f32; 8] = [0.4, 0.5, 0.6, 0.69, 0.8, 0.9, 0.97, 2.0];

/// What was learned without a part of the messages.
pub struct Fold {
    /// The file of weights.
    pub weights: Vec<u8>,
    /// The lines that were left out.
    pub left: String,
}

/// Learns without each part in turn, each in a thread of its own.
///
/// # Errors
/// The first line that is no message.
pub fn folds(files: &[(String, String)]) -> Result<Vec<Fold>, String> {
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..FOLDS).map(|nth| scope.spawn(move || fold(files, nth))).collect();
        let join =
            |thread: std::thread::ScopedJoinHandle<'_, _>| thread.join().map_err(|_| "a thread ended".to_owned())?;
        threads.into_iter().map(join).collect()
    })
}

fn fold(files: &[(String, String)], nth: usize) -> Result<Fold, String> {
    let is_left = |name: &str, at: usize| {
        let is_parted = name.starts_with("intents/") && name.contains(".jsonl");
        is_parted && at % FOLDS == nth
    };
    let mut left = String::new();
    let mut all = Vec::new();
    for (name, text) in files {
        let mut kept = String::new();
        for (at, line) in text.lines().enumerate() {
            let of = if is_left(name, at) { &mut left } else { &mut kept };
            of.push_str(line);
            of.push('\n');
        }
        all.extend(messages(name, &kept)?);
    }
    Ok(Fold {
        weights: train(&all, data_of(files)),
        left,
    })
}

/// For each kind of message that is answered with figures, by how likely it was heard: exactly what was asked, and not.
///
/// # Errors
/// The first line that is no message.
pub fn reliability(folds: &[Fold]) -> Result<String, String> {
    let mut counts: BTreeMap<&str, [[usize; 2]; BINS.len()]> = BTreeMap::new();
    for fold in folds {
        let left = messages("left.jsonl", &fold.left)?;
        for one in intents_heard(Some(&fold.weights), &left) {
            if !one.heard.shows_figures() {
                continue;
            }
            let bin = BINS.iter().position(|bin| one.heard.certainty() < *bin).unwrap_or(0);
            let count = counts.entry(one.heard.intent.as_str()).or_default();
            count[bin][usize::from(!one.is_answered_exactly())] += 1;
        }
    }
    let mut out = format!("{:10}", "below");
    for bin in BINS {
        let _ = write!(out, "{bin:>12.2}");
    }
    let mut all = [[0; 2]; BINS.len()];
    let row = |out: &mut String, kind: &str, bins: &[[usize; 2]]| {
        let _ = write!(out, "\n{kind:10}");
        for [right, wrong] in bins {
            let _ = write!(out, "{right:>6} {wrong:>5}");
        }
    };
    for (kind, bins) in &counts {
        row(&mut out, kind, bins);
        for (sum, bin) in all.iter_mut().zip(bins) {
            sum[0] += bin[0];
            sum[1] += bin[1];
        }
    }
    row(&mut out, "all", &all);
    Ok(out)
}
