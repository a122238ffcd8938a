//! What earlier messages add to the reading of one.

use super::{Reader, Reading, last_of_user, texts_at};
use crate::offline::content;
use crate::offline::message::{ask, shown};
use crate::wording;
use plan_reader::{Change, Choice, FieldChange, Heard, Intent, Line, Slots, Texts, Understanding, Wish, wants};

impl<'a> Reader<'_, 'a> {
    /// "Ok, leave it at month 6 then" behind a case that has it so is of the line of the case, where it names no other.
    pub(super) fn of_case_before(&self, texts: &Texts<'_>, understanding: &mut Understanding) {
        let [candidate] = &mut understanding.candidates[..] else {
            return;
        };
        if !texts.advisor.is_some_and(ask::shows_case) {
            return;
        }
        let changes = self.current_case(texts.message).unwrap_or_default();
        let [
            FieldChange {
                field,
                change: Change::To(value),
            },
        ] = &changes[..]
        else {
            return;
        };
        let is_same = |first: &&Choice| first.value == *value && first.field != *field;
        let Some(first) = candidate.choices.first().filter(is_same) else {
            return;
        };
        if !understanding.named.contains(&first.field) {
            let choice = Choice {
                field: field.clone(),
                ..first.clone()
            };
            candidate.choices = vec![choice];
        }
    }

    /// The user's message at a place, read as it was then.
    pub(in crate::offline) fn before_message(&self, at: usize) -> Reading<'a> {
        let reader = Reader {
            before: &self.before[..at],
            ..*self
        };
        reader.read(texts_at(self.before, Some(at), self.fields))
    }

    /// What a message asks about a figure that it was shown: its numbers state nothing but what it should be instead.
    pub(super) fn of_shown(&self, texts: &Texts<'a>, understanding: &mut Understanding, heard: Heard) -> (Heard, bool) {
        let asked = |at: usize| self.before_message(at).heard.slots.line;
        let Some(about) = shown::about(self.before, texts, (understanding, &heard), self.fields, asked) else {
            return (heard, false);
        };
        understanding.candidates = about.instead.into_iter().collect();
        understanding.shares.clear();
        understanding.ignored.clear();
        (about.heard, true)
    }

    /// "Why is cash negative?" behind a question of the advisor is about cash, and not why it asks.
    pub(super) fn why_so_low(&self, texts: &Texts<'_>, understanding: &mut Understanding, heard: Heard) -> Heard {
        let may_ask_why = heard.intent == Intent::WhyAsk || understanding.wish == Some(Wish::Why);
        if !may_ask_why || texts.asked.is_none() || !wording::says(texts.message, "w.so_low") {
            return heard;
        }
        let by_itself = wants(&Texts::of(texts.message), self.vocabulary);
        let told = texts.advisor.filter(|answer| wording::shows(answer, "broken.cash"));
        let line = by_itself.slots.line.clone().filter(|_| by_itself.intent == Intent::Why);
        let Some(line) = line.or_else(|| told.map(|_| Line::LowestCash)) else {
            return heard;
        };
        let slots = Slots {
            line: Some(line),
            ..by_itself.slots
        };
        understanding.wish = None;
        Heard::known(Intent::Why, slots)
    }

    /// "Why so much?" behind a figure is about that one.
    pub(super) fn why_of_it(&self, texts: &Texts<'_>, heard: Heard) -> Heard {
        const LONGEST: usize = 4;
        let is_short = texts.message.split_whitespace().count() <= LONGEST
            && !texts.message.contains(|c: char| c.is_ascii_digit());
        let is_open = heard.intent == Intent::Why && !heard.is_sure_of_figures() && is_short;
        let shown = || {
            let last = last_of_user(self.before)?;
            let mut answers = self.before[last + 1..].iter().map(content);
            let before = self.before_message(last).heard;
            let line = before.slots.line.filter(|_| before.intent == Intent::Figure)?;
            let is_it = heard.slots.line.is_none() || heard.slots.line.as_ref() == Some(&line);
            (is_it && ask::are_understood(&mut answers)).then_some(line)
        };
        match is_open.then(shown).flatten() {
            Some(line) => Heard::known(
                Intent::Why,
                Slots {
                    line: Some(line),
                    ..heard.slots
                },
            ),
            None => heard,
        }
    }

    /// The year of the message before: "and the profit of that same year?"
    pub(super) fn year_before(&self) -> Option<u8> {
        self.before_message(last_of_user(self.before)?).heard.slots.year
    }

    /// What the message before was taken for, where the advisor asked whether that is it: a yes makes it certain.
    pub(super) fn guessed_before(&self) -> Option<Heard> {
        let before = self.before;
        let last = last_of_user(before)?;
        let asked = before[last + 1..]
            .iter()
            .map(content)
            .find(|text| ask::asks_back(text))?;
        if ask::asks_case(asked) {
            let changes = shown::case(asked, self.fields);
            let slots = Slots {
                changes,
                ..Slots::default()
            };
            return (!slots.changes.is_empty()).then(|| Heard::known(Intent::WhatIf, slots));
        }
        let heard = self.before_message(last).heard;
        let line = heard.slots.line.as_ref().or(heard.slots.metric.as_ref());
        let of_field = || heard.slots.field.clone().map(Line::Field);
        // Of several wants one was asked back.
        let is_of_it = |line: &Line| ask::asks_for(asked, line, self.fields);
        let is_it = line.cloned().or_else(of_field).is_none_or(|line| is_of_it(&line));
        let another = Line::NAMED
            .iter()
            .map(|(_, line)| line)
            .filter(|_| !is_it)
            .find(|line| is_of_it(line));
        Some(match another {
            Some(line) => Heard::known(
                Intent::Figure,
                Slots {
                    line: Some(line.clone()),
                    ..Slots::default()
                },
            ),
            // "What do I take home?" may sound like a goal; "Is it what is left for you?" asks for the figure.
            None if heard.intent == Intent::Goal && heard.slots.target.is_none() => Heard::known(
                Intent::Figure,
                Slots {
                    line: heard.slots.metric,
                    year: heard.slots.year,
                    ..Slots::default()
                },
            ),
            None => Heard::known(heard.intent, heard.slots),
        })
    }
}
