//! "Pay myself 3,500 from the start": what is paid, and the month from which it is.

use super::{Reader, Reading};
use crate::wording;
use plan_model::field::FieldPath;
use plan_model::inputs::{DRAW, DRAW_START};
use plan_model::number::Number;
use plan_reader::{Change, FieldChange, Heard, Intent, Mention, Slots, Texts, Understanding};
use rust_decimal::Decimal;

const START: FieldPath = FieldPath::from_static(DRAW_START);

/// Months of a plan.
const MONTHS: Decimal = Decimal::from_parts(60, 0, 0, false, 0);

/// The change that has something paid from a month on.
fn begins(start: FieldPath, month: Decimal) -> FieldChange {
    FieldChange {
        field: start,
        change: Change::To(Number::new(month)),
    }
}

fn names_month(one: &Mention) -> bool {
    one.month_number && one.value >= Decimal::ONE && one.value <= MONTHS
}

impl Reader<'_, '_> {
    /// A case of one payment, with the month from which the message says that it is paid.
    pub(super) fn with_start(&self, reading: &Reading<'_>) -> Option<Slots> {
        let slots = &reading.heard.slots;
        let changes = slots.all_changes();
        let [paid] = &changes[..] else { return None };
        let start = self.field(paid.field.as_str())?.start_month.clone()?;
        let says = |key: &str| wording::says(reading.texts.message, key);
        let mut months = reading.understanding.mentions.iter().filter(|one| names_month(one));
        let month = match (months.next(), months.next()) {
            (Some(one), None) if says("w.begins") => one.value,
            (None, _) if says("w.from_start") => Decimal::ONE,
            _ => return None,
        };
        Some(Slots {
            field: None,
            change: None,
            changes: vec![paid.clone(), begins(start, month)],
            month: None,
            ..slots.clone()
        })
    }
}

/// "What if I start drawing 2,500 in month 7?", where no change was understood: the draw, and the month in which it begins.
pub(super) fn draw_begins(texts: &Texts<'_>, understanding: &Understanding, heard: &Heard) -> Option<Heard> {
    let says = |key: &str| wording::says(texts.message, key);
    let is_open = heard.intent == Intent::WhatIf && heard.slots.all_changes().is_empty();
    let mut months = understanding.mentions.iter().filter(|one| one.month_number);
    let month = months.next().filter(|one| names_month(one))?;
    let mut others = understanding.mentions.iter().filter(|one| one.number != month.number);
    let amount = others.next();
    let is_of_draw = |path: &FieldPath| [DRAW, DRAW_START].contains(&path.as_str());
    let names_other = !understanding.named.iter().all(is_of_draw);
    let is_plain = months.next().is_none() && others.next().is_none() && !names_other;
    let paid = amount.and_then(|one| one.value.checked_mul(Decimal::ONE_HUNDRED));
    let paid = paid.map(|cents| FieldChange {
        field: FieldPath::from_static(DRAW),
        change: Change::To(Number::new(cents)),
    });
    let slots = Slots {
        changes: paid.into_iter().chain([begins(START, month.value)]).collect(),
        ..Slots::default()
    };
    (is_open && is_plain && says("w.draws")).then(|| Heard::known(Intent::WhatIf, slots))
}

/// "Month 25?? Why that late" behind a draw that "is paid from month 25 on": the brand's figure.
pub(super) fn why_draws_begin(texts: &Texts<'_>) -> Option<Heard> {
    let is_behind = texts.advisor.is_some_and(|answer| wording::shows(answer, "draw.from"));
    let says = |key: &str| wording::says(texts.message, key);
    let slots = Slots {
        field: Some(START),
        ..Slots::default()
    };
    (is_behind && says("w.why") && says("w.month")).then(|| Heard::known(Intent::WhoSet, slots))
}
