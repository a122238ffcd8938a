//! Which way a number moves a line, and which: "rent goes up 10 %" is of the rent, "rent goes up 10 % every year" of its yearly increase, and
//! "wages up 2" are no wages of 2 %.

use super::{Reader, Reading};
use crate::wording;
use plan_model::field::{FieldPath, Kind};
use plan_model::number::Number;
use plan_reader::{Change, FieldChange, Heard, Intent, Slots};
use rust_decimal::Decimal;

const RENT: &str = "operatingCosts.rentMonthly";
const INCREASE: &str = "operatingCosts.facilitiesEscalationPct";

/// Moves a rise to the line that it is of, by whether the message says that it comes every year.
pub(super) fn of_rent(reading: &mut Reading<'_>) {
    let is_yearly = ["w.every_year", "w.yearly"]
        .iter()
        .any(|key| wording::says(reading.texts.message, key));
    if !wording::says(reading.texts.message, "w.rent") {
        return;
    }
    let mut changes = reading.heard.slots.all_changes();
    let Some(one) = changes
        .iter_mut()
        .find(|one| [RENT, INCREASE].contains(&one.field.as_str()))
    else {
        return;
    };
    let meant = match (one.field.as_str(), one.change) {
        // A tenth more of 3 % is what nobody means.
        (INCREASE, Change::Times(times)) if !is_yearly => Some((RENT, Change::Times(times))),
        (RENT, Change::Times(times)) if is_yearly && times.decimal() > Decimal::ONE => {
            let part = times.decimal().checked_sub(Decimal::ONE);
            part.map(|part| (INCREASE, Change::To(Number::new(part))))
        }
        _ => None,
    };
    let Some((path, change)) = meant else { return };
    *one = FieldChange {
        field: FieldPath::from_static(path),
        change,
    };
    let slots = std::mem::take(&mut reading.heard.slots);
    reading.heard.slots = Slots {
        field: None,
        change: None,
        changes,
        ..slots
    };
}

impl Reader<'_, '_> {
    /// "What if wages up 2": a share that the word directly before its number moves is moved by it.
    pub(super) fn moved_by(&self, reading: &Reading<'_>) -> Option<Slots> {
        let slots = &reading.heard.slots;
        let changes = slots.all_changes();
        let ([one], [number]) = (&changes[..], &reading.understanding.mentions[..]) else {
            return None;
        };
        let is_share = self
            .field(one.field.as_str())
            .is_some_and(|field| field.kind == Kind::Percent);
        let Change::To(value) = one.change else { return None };
        let before = reading.texts.message.get(..number.number.0)?;
        let word = before.split_whitespace().next_back()?.to_lowercase();
        let by = match word.as_str() {
            "up" | "plus" | "sube" | "suben" | "subo" => value,
            "down" | "minus" | "baja" | "bajan" | "bajo" => Number::new(Decimal::ZERO.checked_sub(value.decimal())?),
            _ => return None,
        };
        (reading.heard.intent == Intent::WhatIf && is_share).then(|| Slots {
            field: Some(one.field.clone()),
            change: Some(Change::By(by)),
            changes: Vec::new(),
            ..slots.clone()
        })
    }

    /// "Double it", "and half of that" behind a case of one value: so many times that value.
    pub(super) fn times_that(&self, reading: &Reading<'_>) -> Option<Heard> {
        const SHORT: usize = 6;
        let message = reading.texts.message;
        let is_short = message.split_whitespace().count() <= SHORT && reading.understanding.named.is_empty();
        if !is_short || !wording::says(message, "w.of_that") {
            return None;
        }
        let factors = [("w.double", (2, 0)), ("w.triple", (3, 0)), ("w.half", (5, 1))];
        let mut said = factors.iter().filter(|(key, _)| wording::says(message, key));
        let (Some((_, (factor, scale))), None) = (said.next(), said.next()) else {
            return None;
        };
        let case = self.current_case(message)?;
        let [
            FieldChange {
                field,
                change: Change::To(value),
            },
        ] = &case[..]
        else {
            return None;
        };
        let value = value.decimal().checked_mul(Decimal::new(*factor, *scale))?;
        let slots = Slots {
            field: Some(field.clone()),
            change: Some(Change::To(Number::new(value))),
            ..Slots::default()
        };
        Some(Heard::known(Intent::WhatIf, slots))
    }
}
