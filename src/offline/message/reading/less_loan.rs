//! "30,000 more of my own money instead of the loan": own cash is what opening takes less the loan, so that is a smaller loan and nothing else.

use super::Reading;
use crate::wording;
use plan_model::field::FieldPath;
use plan_model::inputs::{EXTRA_CASH, LOAN_AMOUNT};
use plan_model::number::Number;
use plan_reader::{Change, Heard, Intent, Mention, Slots, Unit};
use rust_decimal::Decimal;

/// The case that a message supposes where it puts in more of one's own for as much less of a loan.
pub(super) fn of(reading: &Reading<'_>) -> Option<Heard> {
    let says = |key: &str| wording::says(reading.texts.message, key);
    let is_case = reading.heard.intent == Intent::WhatIf && !reading.is_agreed;
    if !is_case || !says("w.own_more") || !(says("w.instead") || says("w.less")) {
        return None;
    }
    let slots = &reading.heard.slots;
    let is_of_it = |path: &FieldPath| [LOAN_AMOUNT, EXTRA_CASH].contains(&path.as_str());
    if !slots.all_changes().iter().all(|one| is_of_it(&one.field)) {
        return None;
    }
    let amount = amount(&reading.understanding.mentions)?;
    let less = Decimal::ZERO.checked_sub(amount.checked_mul(Decimal::ONE_HUNDRED)?)?;
    let slots = Slots {
        field: Some(FieldPath::from_static(LOAN_AMOUNT)),
        change: Some(Change::By(Number::new(less))),
        changes: Vec::new(),
        ..slots.clone()
    };
    Some(Heard::known(Intent::WhatIf, slots))
}

/// The amount that all numbers say, in dollars: "15 thousand more of mine and 15 less from the bank".
fn amount(mentions: &[Mention]) -> Option<Decimal> {
    let most = mentions.iter().map(|one| one.value).max()?;
    let is_money = |one: &Mention| matches!(one.unit, Unit::Money | Unit::Bare);
    let is_same = |one: &Mention| one.value == most || one.value.checked_mul(Decimal::ONE_THOUSAND) == Some(most);
    let is_one = mentions.iter().all(|one| is_money(one) && is_same(one));
    let thousands = || most.checked_mul(Decimal::ONE_THOUSAND);
    // "15 more of my own" is no fifteen dollars.
    let amount = if most < Decimal::ONE_THOUSAND {
        thousands()?
    } else {
        most
    };
    is_one.then_some(amount)
}
