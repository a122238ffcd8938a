//! Numbers that stand for one of the case before: "15 months instead of 12", and orders to take it: "no, put the 12 months in".

use super::going_on::on_top;
use super::{Reader, Reading};
use crate::offline::message::talked::value_set;
use crate::wording;
use plan_model::number::Number;
use plan_reader::{Change, FieldChange, Heard, Intent, Mention, ScenarioAct, Slots, Texts, understand};
use rust_decimal::Decimal;

impl<'a> Reader<'_, 'a> {
    /// "15 months instead of 12", "ten percent less labor instead of fifteen": the case before, with the line that had the old number.
    pub(super) fn instead_of_before(&self, reading: &Reading<'a>) -> Option<Heard> {
        let message = reading.texts.message;
        let may_be = matches!(
            reading.heard.intent,
            Intent::WhatIf | Intent::Correct | Intent::State | Intent::Other | Intent::Decline
        );
        if !may_be || reading.is_agreed {
            return None;
        }
        let cut = |phrase: &str| message.split_once(phrase);
        let (new, old) = wording::phrases("w.instead").find_map(cut)?;
        let [new_said, old_said] =
            [new, old].map(|text| understand(&Texts::of(text), self.vocabulary).with_ungrouped());
        let ([number], [was]) = (&new_said.mentions[..], &old_said.mentions[..]) else {
            return None;
        };
        let mut case = self.current_case(message)?;
        let last = self.changes_before().unwrap_or_default();
        let is_named = |one: &FieldChange| new_said.named.is_empty() || new_said.named.contains(&one.field);
        let set = || {
            let had = case.iter().find(|one| is_named(one) && self.has_value(one, was))?;
            Some((had.field.clone(), Change::To(self.again(had, number)?)))
        };
        let moved = || {
            let mut had = last.iter().filter(|one| is_named(one));
            had.find_map(|one| Some((one.field.clone(), moved_instead(one.change, was, number)?)))
        };
        let (field, change) = set().or_else(moved)?;
        case.retain(|one| one.field != field);
        let slots = on_top(case, vec![FieldChange { field, change }], Slots::default());
        Some(Heard::known(Intent::WhatIf, slots))
    }

    /// "No, put the 12 months in", "ok do that, the 12 months until full sales": what the case before has, where the message has no other
    /// number.
    pub(super) fn ordered_case(&self, reading: &Reading<'a>) -> Option<Heard> {
        let message = reading.texts.message;
        let numbers = &reading.understanding.mentions;
        let supposes = message.contains('?') || wording::says(message, "w.supposes");
        if supposes || numbers.is_empty() || reading.is_agreed || !orders(message) {
            return None;
        }
        let case = self.talk(message).computed_case()?;
        let has = |one: &FieldChange| numbers.iter().any(|number| self.has_value(one, number));
        let is_of_case = |number: &Mention| case.iter().any(|one| self.has_value(one, number));
        let is_whole = numbers.iter().all(is_of_case);
        let slots = Slots {
            act: Some(ScenarioAct::Adopt),
            changes: case.iter().filter(|one| has(one)).cloned().collect(),
            ..Slots::default()
        };
        is_whole.then(|| Heard::known(Intent::Scenario, slots))
    }

    /// "To get 1.25 in year one with realistic?": the goal is sought in the saved case that it names.
    pub(super) fn goal_in_case(&self, reading: &Reading<'a>) -> Option<Slots> {
        let slots = &reading.heard.slots;
        let message = reading.texts.message;
        if reading.heard.intent != Intent::Goal || !slots.changes.is_empty() {
            return None;
        }
        let changes = self.talk(message).named(message)?;
        Some(Slots {
            changes,
            ..slots.clone()
        })
    }

    /// Whether a change sets the value that a number says, in thousands, too.
    fn has_value(&self, one: &FieldChange, number: &Mention) -> bool {
        let set = value_set(one, self.fields);
        let thousands = || number.value.checked_mul(Decimal::ONE_THOUSAND);
        set.is_some() && (set == Some(number.value) || set == thousands())
    }
}

/// Another share or amount than the one that a value was moved by.
fn moved_instead(before: Change, was: &Mention, number: &Mention) -> Option<Change> {
    let hundred = Decimal::ONE_HUNDRED;
    match before {
        Change::Times(times) => {
            let moved = times.decimal().checked_sub(Decimal::ONE)?;
            let part = number.value.checked_div(hundred)?;
            let is_it = moved.abs() == was.value.checked_div(hundred)?;
            let times = match moved.is_sign_negative() {
                true => Decimal::ONE.checked_sub(part)?,
                false => Decimal::ONE.checked_add(part)?,
            };
            is_it.then(|| Change::Times(Number::new(times)))
        }
        Change::By(by) => {
            let by = by.decimal();
            let scale = by.abs().checked_div(was.value)?;
            let is_scale = [hundred, Decimal::ONE, Decimal::new(1, 2)].contains(&scale.normalize());
            let moved = number.value.checked_mul(scale)?;
            let signed = match by.is_sign_negative() {
                true => Decimal::ZERO.checked_sub(moved)?,
                false => moved,
            };
            is_scale.then(|| Change::By(Number::new(signed)))
        }
        Change::To(_) => None,
    }
}

/// Whether a message begins with an order to take something.
fn orders(message: &str) -> bool {
    const BEFORE: [&str; 12] = [
        "no", "ok", "okay", "yes", "now", "then", "please", "just", "si", "sí", "bueno", "entonces",
    ];
    let lower = message.to_lowercase();
    let mut rest = lower.trim_start();
    while let Some((word, behind)) = rest.split_once(' ')
        && BEFORE.contains(&word.trim_end_matches([',', '.', '!']))
    {
        rest = behind;
    }
    ["w.take_it", "w.put_it", "w.orders", "w.puts_in_case"]
        .iter()
        .any(|key| wording::says_first(rest, key))
}
