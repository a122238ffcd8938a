//! What a message wants by the ear, with what was said before or by itself.

use super::Reader;
use crate::offline::message::ask;
use crate::offline::message::lead::SURE;
use crate::wording;
use plan_reader::{Heard, IgnoredNumber, Intent, Slots, Texts, Understanding, wants, wants_case, wants_otherwise};

/// So sure a message must be by itself where what was said before makes it unsure.
const BY_ITSELF: f32 = 0.995;

impl Reader<'_, '_> {
    /// What a message wants. What was said before helps to understand an answer, and misleads where it is none ("print it" after a
    /// value was written): then the message is read by itself, and nothing is taken back unless it says so by itself.
    pub(super) fn heard(&self, texts: &Texts<'_>, understanding: &Understanding) -> Heard {
        let vocabulary = self.vocabulary;
        let heard = wants(texts, vocabulary);
        // "Not that, I meant interest only for 15 months" behind a case corrects the case.
        if heard.intent == Intent::Correct && texts.advisor.is_some_and(ask::shows_case) {
            let otherwise = wants_otherwise(texts, vocabulary);
            if otherwise.intent == Intent::WhatIf && !otherwise.slots.all_changes().is_empty() {
                return otherwise;
            }
        }
        // "Keep that but rent 5,000" keeps nothing under a name.
        let keeps_but = wording::says_first(texts.message, "w.keep_but");
        if heard.intent == Intent::Figure && wording::says(texts.message, "w.supposes") || keeps_but {
            let case = wants_case(texts, vocabulary);
            if !case.slots.all_changes().is_empty() && case.is_likely() {
                return case;
            }
        }
        // "I think sales of 55k or 65k", "my sister pays herself 3k": it is said why nothing is noted.
        if is_left_alone(texts.message, understanding, &heard) {
            return Heard::known(Intent::State, Slots::default());
        }
        let states = matches!(heard.intent, Intent::State | Intent::Correct);
        let has_values =
            !understanding.plain.is_empty() || understanding.has_heard() || !understanding.ignored.is_empty();
        // Nothing in it could be recorded: what else does it want?
        let is_change = understanding.ignored.contains(&IgnoredNumber::Change)
            && understanding.plain.is_empty()
            && !understanding.has_heard();
        if states && (!has_values || is_change) {
            let otherwise = wants_otherwise(texts, vocabulary);
            // "The landlord wants to raise us 400": a case to ask back, where it can be one.
            let changes = otherwise.slots.all_changes();
            let is_named = changes.iter().all(|one| understanding.named.contains(&one.field));
            let is_case = otherwise.intent == Intent::WhatIf && !changes.is_empty() && is_named;
            let supposes = wording::says(texts.message, "w.supposes");
            return if is_change && !is_case && !supposes {
                heard
            } else {
                otherwise
            };
        }
        let has_numbers = !understanding.plain.is_empty() || !understanding.mentions.is_empty();
        let is_sure = |heard: &Heard| {
            // Without a number or a word such as "double" nothing is supposed.
            let is_empty_case = heard.intent == Intent::WhatIf && heard.slots.all_changes().is_empty();
            heard.probability >= SURE
                && !is_empty_case
                && !matches!(heard.intent, Intent::State | Intent::Correct | Intent::Other)
        };
        if has_numbers || is_sure(&heard) && heard.is_sure_of_figures() && heard.intent != Intent::Undo {
            return heard;
        }
        let by_itself = wants(&Texts::of(texts.message), vocabulary);
        let is_surer = heard.intent == Intent::Undo || !is_sure(&heard) || by_itself.certainty() >= BY_ITSELF;
        match (is_sure(&by_itself) && is_surer, heard.intent) {
            (true, _) => by_itself,
            (false, Intent::Undo) => Heard {
                intent: Intent::Other,
                ..heard
            },
            (false, _) => heard,
        }
    }
}

/// Whether a message tells a number that is no value, and asks nothing.
fn is_left_alone(message: &str, understanding: &Understanding, heard: &Heard) -> bool {
    let is_either = understanding.ignored.contains(&IgnoredNumber::Either);
    let is_told = match heard.intent {
        Intent::State | Intent::Correct | Intent::Other | Intent::Accept | Intent::Decline => true,
        Intent::Figure | Intent::Estimate => is_either || understanding.ignored == [IgnoredNumber::Others],
        _ => false,
    };
    let is_why = |why: &IgnoredNumber| !matches!(why, IgnoredNumber::Change | IgnoredNumber::Foreign);
    let has_values = !understanding.plain.is_empty() || understanding.has_heard();
    let is_why = understanding.ignored.iter().any(is_why);
    is_told && is_why && !has_values && !message.contains('?') && !wording::says_first(message, "w.asks")
}
