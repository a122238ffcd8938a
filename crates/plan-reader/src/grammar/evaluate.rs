//! What one reading of a sentence states, given what was said before it.

use super::chart::Reading;
use super::clause::sort;
use super::meaning::{Before, Meaning};
use super::names::NAMES;
use super::rules::SentenceState;
use super::vocabulary::Vocabulary;
use crate::lex::Amount;

/// Evaluates sentences of one message.
pub(super) struct Evaluator<'a> {
    pub vocabulary: &'a Vocabulary,
    pub amounts: &'a [Amount],
    pub before: &'a Before,
    /// Words of correction stand in the sentence.
    pub corrects: bool,
}

impl Evaluator<'_> {
    /// What the sentence means by all its readings: none where they disagree.
    pub(super) fn meaning(&self, readings: &[Reading]) -> Option<Meaning> {
        let mut best: Option<Meaning> = None;
        let mut contested = false;
        for meaning in readings.iter().filter_map(|reading| self.evaluate(reading)) {
            let Some(known) = &best else {
                best = Some(meaning);
                continue;
            };
            let alike = known.stated.iter().zip(&meaning.stated);
            let same = known.stated.len() == meaning.stated.len()
                && alike.into_iter().all(|(one, other)| one.is_same(other))
                && known.topic == meaning.topic
                && known.correcting == meaning.correcting;
            if same {
                continue;
            }
            contested = match meaning.clauses.cmp(&known.clauses) {
                std::cmp::Ordering::Less => {
                    best = Some(meaning);
                    false
                }
                std::cmp::Ordering::Equal => true,
                std::cmp::Ordering::Greater => contested,
            };
        }
        best.filter(|_| !contested)
    }

    fn evaluate(&self, reading: &Reading) -> Option<Meaning> {
        let clauses = sort(reading)?;
        let mut sentence = SentenceState {
            vocabulary: self.vocabulary,
            amounts: self.amounts,
            before: self.before,
            corrects: self.corrects,
            raws: Vec::new(),
            meaning: Meaning {
                clauses: clauses.len(),
                ..Meaning::default()
            },
            correcting: self.before.correcting,
            topic: None,
            period: self.before.period,
            percent: self.before.percent,
            paid: false,
            whole: clauses.iter().any(|clause| clause.rule == NAMES.all_of_it),
        };
        for clause in &clauses {
            sentence.add(clause)?;
        }
        sentence.finish()
    }
}
