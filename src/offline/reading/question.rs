//! The one question of a message that is understood, where the message as a whole is not.

use super::{Reader, Reading};
use crate::offline::{lead, shown};
use plan_reader::{Intent, Mention, Understanding};

/// So sure it must be that a sentence beside a question states something.
const SURELY_STATED: f32 = 0.9;

impl<'a> Reader<'_, 'a> {
    /// The first question of a message that is understood by itself, where the whole is not.
    pub(super) fn question(&self, whole: &Reading<'a>) -> Option<Reading<'a>> {
        if whole.is_heard() && whole.heard.is_sure_of_figures() {
            return None;
        }
        // "Rent is $4,250 a month. What is my cash after one year?": the parts of the message have the value, too.
        let states = |sentence: &'a str| {
            let one = self.part(&whole.texts, sentence);
            let is_statement = matches!(one.heard.intent, Intent::State | Intent::Correct);
            is_statement && one.has_values() && one.heard.probability >= SURELY_STATED
        };
        if !whole.is_case() && lead::sentences(whole.texts.message).any(states) {
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
        let is_plain = |one: &Reading<'_>| {
            may_be(one) && has_all(one) && lead::goes_on(&one.heard) && one.heard.is_sure_of_figures()
        };
        let mut read = lead::questions(whole.texts.message).map(|question| self.part(&whole.texts, question));
        read.find(|one| !one.has_values() && is_plain(one))
            .or_else(|| self.case_behind_remark(whole))
    }

    /// "Month 25? No way. What if I take 2,500 from month 4": the case of one sentence, never for sure. It is answered as a guess where the
    /// remark repeats what was shown, and else asked back.
    fn case_behind_remark(&self, whole: &Reading<'a>) -> Option<Reading<'a>> {
        const GUESSED: f32 = 0.85;
        const ASKED_BACK: f32 = 0.75;
        let is_open = whole.is_case() || !whole.is_heard();
        let sentences = lead::sentences(whole.texts.message).filter(|_| is_open);
        let mut read = sentences.map(|sentence| self.part(&whole.texts, sentence));
        let mut case = read.find(|one| {
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
}
