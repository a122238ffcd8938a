//! The one question of a message that is understood, where the message as a whole is not.

use super::{Reader, Reading, SURELY_STATED};
use crate::offline::message::{lead, pieces, shown};
use plan_reader::{Intent, Mention, Understanding};

impl<'a> Reader<'_, 'a> {
    /// The only question of a message that is understood by itself, where the whole is not.
    pub(super) fn question(&self, whole: &Reading<'a>) -> Option<Reading<'a>> {
        // Each item of a list is a part.
        if whole.is_heard() && whole.heard.is_sure_of_figures() || pieces::is_list(whole.texts.message) {
            return None;
        }
        // "Rent is $4,250 a month. What is my cash after one year?": the parts of the message have the value, too.
        let states = |one: &Reading<'_>| {
            let is_statement = matches!(one.heard.intent, Intent::State | Intent::Correct);
            is_statement && one.has_values() && one.heard.probability >= SURELY_STATED
        };
        let sentences = lead::sentences(whole.texts.message);
        let read: Vec<Reading<'a>> = sentences.map(|sentence| self.part(&whole.texts, sentence)).collect();
        if !whole.is_case() && read.iter().any(states) {
            return None;
        }
        // A number or a name outside the question may be half of what is supposed.
        let Understanding { mentions, named, .. } = &whole.understanding;
        let has_all = |one: &Reading<'_>| {
            let own = &one.understanding;
            let is_whole = own.mentions.len() == mentions.len() && own.named.len() == named.len();
            one.heard.intent != Intent::WhatIf || is_whole
        };
        // A case or a goal may take several sentences: one of them that sounds like something else is part of it.
        let may_be = |one: &Reading<'_>| !whole.is_case() || one.heard.intent == whole.heard.intent;
        let is_plain = |one: &&Reading<'_>| {
            let asks = one.texts.message.ends_with('?') && !one.has_values();
            asks && may_be(one) && has_all(one) && lead::goes_on(&one.heard) && one.heard.is_sure_of_figures()
        };
        let plain: Vec<&Reading<'a>> = read.iter().filter(is_plain).collect();
        match plain[..] {
            [] => case_behind_remark(whole, read),
            [only] => {
                let asks =
                    |one: &&Reading<'a>| one.texts.message.ends_with('?') && one.texts.message != only.texts.message;
                let other = read.iter().find(asks).map(|one| one.texts.message);
                let unanswered = only.unanswered.or(other);
                Some(Reading {
                    unanswered,
                    ..only.clone()
                })
            }
            // Each is answered as a part.
            _ => None,
        }
    }
}

/// "Month 25? No way. What if I take 2,500 from month 4": the case of one sentence, never for sure. It is answered as a guess where the
/// remark repeats what was shown, and else asked back.
fn case_behind_remark<'a>(whole: &Reading<'a>, read: Vec<Reading<'a>>) -> Option<Reading<'a>> {
    const GUESSED: f32 = 0.85;
    const ASKED_BACK: f32 = 0.75;
    if whole.is_heard() && !whole.is_case() {
        return None;
    }
    let mut case = read.into_iter().find(|one| {
        let changes = one.heard.slots.all_changes();
        one.heard.intent == Intent::WhatIf && one.heard.is_sure_of_figures() && !changes.is_empty()
    })?;
    let shown = whole.texts.advisor.unwrap_or_default();
    let mut others = whole.understanding.mentions.iter();
    let is_own = |one: &Mention| case.understanding.mentions.iter().any(|own| own.value == one.value);
    let repeats = others.all(|one| is_own(one) || shown::is_number_of(shown, one.value));
    let at_most = if repeats { GUESSED } else { ASKED_BACK };
    case.heard.figure_probability = case.heard.figure_probability.min(at_most);
    Some(case)
}
