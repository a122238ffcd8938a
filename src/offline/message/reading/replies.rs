//! What follows a yes, a no or other first words, and what was asked before them.

use super::answering::agreed;
use super::{Reader, Reading, on_top};
use crate::offline::is_guess;
use crate::offline::message::lead::{self, Lead};
use crate::offline::message::{ask, shown};
use crate::wording;
use plan_reader::{Heard, Intent, Mention, Slots, Texts};

impl<'a> Reader<'_, 'a> {
    pub(super) fn without_case_before(&self, texts: Texts<'a>) -> Reading<'a> {
        let whole = self.whole(texts);
        if let Some(product) = self.factor_again(&whole) {
            return product;
        }
        if whole.has_values() || whole.is_about_shown {
            return whole;
        }
        if let Some(product) = self.line_of_product(&whole) {
            return product;
        }
        let advisor = whole.texts.advisor;
        let asks = advisor.is_some_and(ask::asks);
        // "No. Is my 120k still enough?" drops nothing that was not asked about.
        let settles = matches!(whole.heard.intent, Intent::Accept | Intent::Decline);
        if advisor.is_some_and(is_guess) && whole.agrees() {
            let heard = Heard::known(Intent::Accept, Slots::default());
            return Reading { heard, ..whole };
        }
        let parts = lead::split(whole.texts.message, self.vocabulary).filter(|_| asks || settles || !whole.is_heard());
        let message = whole.texts.message;
        let is_case = |text: &str| ask::asks_case(text) && text.contains(message.trim());
        let is_yes = parts.is_some_and(|(lead, _)| lead == Lead::Yes)
            || plan_reader::says_yes(message)
            || advisor.is_some_and(|text| ask::asks_back(text) || ask::asks_case(text)) && whole.agrees()
            || message.ends_with('?') && advisor.is_some_and(is_case);
        let guessed = is_yes.then(|| self.guessed_before()).flatten();
        // "Yes but with 260", "sure, but leave the 58 out" is a yes to another case.
        let is_of_case = guessed.as_ref().is_some_and(|guessed| guessed.intent == Intent::WhatIf);
        let turns = [" but ", " pero "].iter().any(|word| message.contains(word));
        let is_asked = |one: &Mention| advisor.is_some_and(|asked| shown::is_number_of(asked, one.value));
        let changes = is_of_case && whole.understanding.mentions.iter().any(|one| turns || !is_asked(one));
        let asked_case = guessed.as_ref().filter(|_| is_of_case && !turns).cloned();
        let guessed = guessed.filter(|_| !changes && !whole.wants_more());
        // "Yes, that is what I mean."
        let confirms = |rest: &str| guessed.is_some() && wording::says_first(rest, "w.means_it") && whole.agrees();
        let goes_on = parts.filter(|(_, rest)| !confirms(rest));
        let goes_on = goes_on.and_then(|(first, rest)| Some((first, self.rest(&whole.texts, rest)?)));
        match (guessed, goes_on, parts) {
            (Some(mut guessed), Some((_, rest)), _) => {
                self.in_year_said(&mut guessed, &rest.texts);
                let heard = agreed(&guessed, rest.heard.clone());
                Reading {
                    is_agreed: heard == guessed,
                    heard,
                    ..rest
                }
            }
            (Some(mut heard), None, _) => {
                self.in_year_said(&mut heard, &whole.texts);
                Reading {
                    heard,
                    is_agreed: true,
                    ..whole
                }
            }
            (None, Some((first, rest)), _) => Reading {
                lead: Some(first).filter(|_| asks),
                heard: with_asked(asked_case, rest.heard),
                ..rest
            },
            (None, None, Some((first, _))) if !whole.is_heard() => Reading {
                heard: first.alone(advisor).unwrap_or(whole.heard),
                ..whole
            },
            (None, None, _) => self.question(&whole).unwrap_or(whole),
        }
    }

    /// "Yep, the first year.", "ese mero, pero del tercer año": what is agreed to, in the year that is said with it.
    fn in_year_said(&self, guessed: &mut Heard, texts: &Texts<'_>) {
        let years = plan_reader::years(texts, self.vocabulary);
        if let ([year], true) = (&years[..], guessed.slots.line.is_some()) {
            (guessed.slots.year, guessed.slots.month) = (Some(*year), None);
        }
    }

    /// What follows the first words, where it wants something of its own.
    fn rest(&self, texts: &Texts<'a>, rest: &'a str) -> Option<Reading<'a>> {
        let rest = self.part(texts, rest);
        (lead::goes_on(&rest.heard) && !rest.has_values()).then_some(rest)
    }
}

/// "Yes, and over 7 years" is of the case that was asked about, too.
fn with_asked(asked: Option<Heard>, heard: Heard) -> Heard {
    match asked.filter(|_| heard.intent == Intent::WhatIf && !heard.slots.all_changes().is_empty()) {
        Some(asked) => Heard {
            slots: on_top(
                asked.slots.all_changes(),
                heard.slots.all_changes(),
                heard.slots.clone(),
            ),
            ..heard
        },
        None => heard,
    }
}
