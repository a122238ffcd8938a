//! Money beside the plan's: what a partner or the family puts in, or oneself on top, is extra own cash; what they lend is on top of the loan.

use crate::wording;
use plan_model::field::FieldPath;
use plan_model::inputs::{EXTRA_CASH, LOAN};
use plan_model::number::Number;
use plan_reader::{Change, Heard, Intent, Mention, Slots, Texts, Understanding, Unit};
use rust_decimal::Decimal;

/// "What if I get a partner with 20k?", "my brother lends me 15,000", "put 15k more of our cash on top": the case with so much more of it.
pub(super) fn of_partner(texts: &Texts<'_>, understanding: &Understanding, heard: &Heard) -> Option<Heard> {
    let says = |key: &str| wording::says(texts.message, key);
    let [amount] = &understanding.mentions[..] else {
        return None;
    };
    let is_amount = matches!(amount.unit, Unit::Money | Unit::Bare) && amount.value >= Decimal::ONE_THOUSAND;
    let is_of_partner = says("w.partner");
    // "My aunt might lend me a hand. How would cash look with fifteen thousand extra?"
    let (from, to) = amount.sentence;
    let sentence = texts.message.get(from..to).unwrap_or(texts.message);
    let lends = is_of_partner && wording::says(sentence, "w.lends_us") && !says("w.instead");
    let brings = is_of_partner && says("w.supposes") && says("w.brings") && !says("w.salary") && !says("w.brings_home");
    let is_known = heard.intent == Intent::Goal || heard.slots.line.is_some() && heard.is_sure_of_figures();
    if !is_amount || texts.asked.is_some() || is_known || !(lends || brings || adds_own(texts.message, amount)) {
        return None;
    }
    let field = if lends { LOAN[0] } else { EXTRA_CASH };
    let cents = amount.value.checked_mul(Decimal::ONE_HUNDRED)?;
    let slots = Slots {
        field: Some(FieldPath::from_static(field)),
        change: Some(Change::By(Number::new(cents))),
        ..Slots::default()
    };
    Some(Heard::known(Intent::WhatIf, slots))
}

/// "Another 10k of our own money", "15k more of our cash", and no loan that becomes less by it; "we have 120k of our own, do we need more"
/// adds nothing.
fn adds_own(message: &str, amount: &Mention) -> bool {
    let says = |key: &str| wording::says(message, key);
    let before = message.get(..amount.number.0).unwrap_or_default();
    let before = before
        .trim_end_matches(['$', ' '])
        .split_whitespace()
        .last()
        .unwrap_or_default();
    let behind = message.get(amount.number.1..).unwrap_or_default().trim_start();
    let is_more = wording::says(before, "w.adds_on") || wording::says_first(behind, "w.more_of");
    says("w.own_is") && (is_more || says("w.on_top")) && !says("w.loan") && !says("w.extra_cash")
}
