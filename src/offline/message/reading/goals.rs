//! Goals with what is supposed beside them, and goals that are sought again.

use super::going_on::{on_top, without_joins};
use super::{Reader, Reading, last_of_user};
use crate::offline::content;
use crate::offline::message::ask;
use crate::wording;
use plan_model::inputs::OWN_PAY;
use plan_reader::{Change, FieldChange, Heard, Intent, Slots, wants_case};

/// So sure is it that the same is asked again: it may be a case by itself.
const ASKED_AGAIN: f32 = 0.92;

impl<'a> Reader<'_, 'a> {
    /// "What must I sell to make 50,000 if rent is 6,000?": the goal, with what is supposed beside it. What one pays oneself is what is
    /// reached, and not supposed.
    pub(super) fn goal_within(&self, reading: &Reading<'a>) -> Option<Slots> {
        const NEAR: usize = 5;
        let slots = &reading.heard.slots;
        let message = reading.texts.message;
        if reading.heard.intent != Intent::Goal || !slots.changes.is_empty() || slots.target.is_none() {
            return None;
        }
        let last = reading.understanding.mentions.last()?;
        let before = message.get(..last.number.0)?.split_whitespace();
        let before: Vec<&str> = before.rev().take(NEAR).collect();
        let is_supposed = before
            .iter()
            .any(|word| wording::phrases("w.supposed_at").any(|at| at == word.to_lowercase()));
        let case = wants_case(&reading.texts, self.vocabulary);
        let is_named = |one: &FieldChange| reading.understanding.named.contains(&one.field);
        let is_other =
            |one: &FieldChange| slots.field.as_ref() != Some(&one.field) && !OWN_PAY.contains(&one.field.as_str());
        let is_set = |one: &FieldChange| matches!(one.change, Change::To(value) if Some(value) != slots.target);
        let mut changes = case.slots.all_changes();
        changes.retain(|one| is_named(one) && is_other(one) && is_set(one));
        (is_supposed && changes.len() == 1).then(|| Slots {
            changes,
            ..slots.clone()
        })
    }

    /// "And with rent at 3,800, how much then?" directly behind a goal, or the figure of a case: the same is asked again.
    pub(super) fn goal_again(&self, reading: &Reading<'a>) -> Option<Heard> {
        const SHORT: usize = 10;
        let message = reading.texts.message;
        let own = reading.heard.slots.all_changes();
        let is_case = reading.heard.intent == Intent::WhatIf && !own.is_empty() && reading.heard.slots.line.is_none();
        let is_short = message.split_whitespace().count() <= SHORT;
        if !is_case || !is_short || reading.is_agreed || !asks_again(message) {
            return None;
        }
        let last = last_of_user(self.before)?;
        let mut answers = self.before[last + 1..].iter().map(content);
        let before = self.before_message(last).heard;
        let is_sought = |one: &FieldChange| before.slots.field.as_ref() == Some(&one.field);
        let is_asked = match before.intent {
            Intent::Goal => true,
            Intent::Figure => before.slots.line.is_some() && !before.slots.changes.is_empty(),
            _ => false,
        };
        if !is_asked || own.iter().any(is_sought) || !ask::are_understood(&mut answers) {
            return None;
        }
        let case = before.slots.changes.clone();
        Some(Heard {
            figure_probability: ASKED_AGAIN,
            ..Heard::known(before.intent, on_top(case, own, before.slots))
        })
    }
}

impl<'a> Reader<'_, 'a> {
    /// "Or rent instead?" behind a goal: the same is reached with another line.
    pub(super) fn goal_by_other(&self, reading: &Reading<'a>) -> Option<Heard> {
        const SHORT: usize = 6;
        let message = reading.texts.message;
        let [field] = &reading.understanding.named[..] else {
            return None;
        };
        let is_short = message.split_whitespace().count() <= SHORT && reading.understanding.mentions.is_empty();
        let is_other = wording::says_first(message, "w.or_with") || wording::says(message, "w.or_instead");
        if !is_short || !is_other || reading.heard.intent == Intent::Goal {
            return None;
        }
        let last = last_of_user(self.before)?;
        let mut answers = self.before[last + 1..].iter().map(content);
        let before = self.before_message(last).heard;
        let is_sought = before.intent == Intent::Goal && before.slots.field.as_ref() != Some(field);
        let slots = Slots {
            field: Some(field.clone()),
            ..before.slots
        };
        (is_sought && ask::are_understood(&mut answers)).then(|| Heard::known(Intent::Goal, slots))
    }
}

/// Behind a goal "and with rent at 3,800?" may be a case of its own; what asks how much is not.
fn asks_again(message: &str) -> bool {
    const ASKS: [&str; 4] = ["how much", "what do i need", "cuánto", "cuanto"];
    let lower = message.trim_start_matches('¿').to_lowercase();
    let rest = without_joins(&lower);
    rest.len() < lower.len() && ASKS.iter().any(|asks| rest.contains(asks))
}
