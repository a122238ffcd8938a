//! How long a rate is held: "8% fixed for 5 years", "7% for the first 3 years". That says nothing of how long the loan runs.

use super::Message;
use crate::lex::{Amount, Token, Unit, is_of};

/// Words that hold a rate for a time.
const HOLDS: &str = "fixed fix locked lock guaranteed promo promotional teaser introductory intro fijo fija fijos congelado congelada garantizado garantizada";

/// Words of a time that others follow.
const FIRST: &str = "first initial primero primeros primer";

/// What leads a time.
const FOR: &str = "for during por durante";

/// What a rate is called.
const RATE: &str = "interest rate apr interes tasa";

/// What says that a loan is spoken of, and not only its rate.
const LOAN: &str = "loan loans note term borrow borrowed borrowing financed financing amortized payback repay repaid repayment prestamo credito plazo";

/// Whether an amount is the time that a rate is held for.
pub(crate) fn holds_a_rate(message: &Message<'_>, amount: &Amount) -> bool {
    let part = |at: usize| {
        let mut parts = message.parts.iter().map(|part| part.sentence.tokens.clone());
        parts.find(|range| range.contains(&at))
    };
    let Some(range) = part(amount.from).filter(|_| matches!(amount.unit, Unit::Months | Unit::Years)) else {
        return false;
    };
    let before = message.amounts.iter().rev().find(|other| other.to <= amount.from);
    let is_rate = |other: &&Amount| range.contains(&other.from) && matches!(other.unit, Unit::Percent | Unit::Bare);
    let Some(rate) = before.filter(is_rate) else {
        return false;
    };
    let has = |tokens: &[Token], list: &str| tokens.iter().any(|token| is_of(list, token.word()));
    let between = &message.tokens[rate.to..amount.from];
    // "8% for 5 years fixed"
    let behind = message.tokens.get(amount.to..=amount.to).unwrap_or_default();
    let all = &message.tokens[range];
    let is_held = has(between, HOLDS) || has(behind, HOLDS) || has(all, RATE) && !has(all, LOAN);
    has(between, FIRST) || has(between, FOR) && is_held
}
