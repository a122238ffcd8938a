//! What earlier messages add to the reading of one.

use super::{Reader, Reading, last_of_user, texts_at};
use crate::offline::{ask, content, shown};
use crate::wording;
use llm_client::ChatMessage;
use plan_reader::{FieldChange, Heard, Intent, Line, Slots, Texts, Understanding, wants};

impl<'a> Reader<'_, 'a> {
    /// "And if sales are 48,000, too?" behind a case: the changes of both.
    pub(super) fn with_case_before(&self, reading: &Reading<'a>) -> Option<Slots> {
        let own = reading.heard.slots.all_changes();
        let message = reading.texts.message;
        if reading.heard.intent != Intent::WhatIf || reading.is_agreed || own.is_empty() || !adds(message) {
            return None;
        }
        let last = last_of_user(self.before)?;
        let mut changes = self.case(last, &self.before_message(last).heard)?;
        changes.retain(|one| !own.iter().any(|other| other.field == one.field));
        changes.extend(own);
        Some(Slots {
            field: None,
            change: None,
            changes,
            ..reading.heard.slots.clone()
        })
    }

    /// The changes of the user's message at a place, where it asks for a case that was understood.
    pub(in crate::offline) fn case(&self, at: usize, heard: &Heard) -> Option<Vec<FieldChange>> {
        let behind = self.before[at + 1..].iter();
        let answers = behind.take_while(|message| !matches!(message, ChatMessage::User(_)));
        let is_understood = heard.intent == Intent::WhatIf && answers.map(content).any(ask::shows_case);
        Some(heard.slots.all_changes()).filter(|changes| is_understood && !changes.is_empty())
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

    /// What the message before was taken for, where the advisor asked whether that is it: a yes makes it certain.
    pub(super) fn guessed_before(&self) -> Option<Heard> {
        let before = self.before;
        let last = last_of_user(before)?;
        let asked = before[last + 1..]
            .iter()
            .map(content)
            .find(|text| ask::asks_back(text))?;
        if let Some(case) = ask::case_asked(asked) {
            let case = wants(&Texts::of(case), self.vocabulary);
            let is_case = case.intent == Intent::WhatIf && !case.slots.all_changes().is_empty();
            return is_case.then(|| Heard::known(case.intent, case.slots));
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
            None => Heard::known(heard.intent, heard.slots),
        })
    }
}

/// Whether a case adds to the one before it: not where the message begins so, which adds a question.
fn adds(message: &str) -> bool {
    let said = wording::behind_and(message).unwrap_or_else(|| message.trim_start_matches('¿').to_owned());
    let begins = wording::says_first(&said, "w.also");
    let is_last = wording::plain(message).trim_end().ends_with(" too");
    // "And with that, would 230k help?"
    let is_with = wording::says_first(&said, "w.with_that");
    !begins && (is_last || is_with || wording::says(message, "w.also"))
}
