//! Numbers that the next one replaces in the same breath: "three thousand, no sorry, three thousand five hundred".
//!
//! Only the words between the two say so, and each of them has to be known: what is dropped by mistake is not heard.

use super::Message;
use crate::lex::{Amount, Token, Unit, is_of};

/// Words of which one takes the number before them back.
const TAKES_BACK: &str = "no sorry rather wait mean meant scratch correction oops digo perdon mejor mejordicho";

/// What else may stand between the two.
const BETWEEN: &str = "actually or a per month year monthly yearly dollars bucks percent hmm um uh oh ah well the it is its to at that was say let's lets let us \
    i we make made put call round up down ok okay maybe al mes ano por o sea bien mas bueno eh pues dolares ciento que son es era pon ponle";

/// Of numbers that replace each other so many are followed.
const MOST_IN_TURN: usize = 4;

/// Tokens that may stand between the two.
const MOST: usize = 12;

/// The amount that takes an amount's place.
pub(crate) fn replacing<'m>(message: &'m Message<'_>, amount: &Amount) -> Option<&'m Amount> {
    let mut last = next(message, amount)?;
    for _ in 1..MOST_IN_TURN {
        last = next(message, last).unwrap_or(last);
    }
    Some(last)
}

/// The next number of a message, where it takes an amount's place.
fn next<'m>(message: &'m Message<'_>, amount: &Amount) -> Option<&'m Amount> {
    let behind = message.amounts.partition_point(|other| other.from <= amount.from);
    let next = message.amounts.get(behind)?;
    let between = &message.tokens[amount.to.min(next.from)..next.from];
    let words = || between.iter().map(Token::word).filter(|word| !word.is_empty());
    let is_known = |word: &str| is_of(TAKES_BACK, word) || is_of(BETWEEN, word);
    // "What if the loan is 200,000? No, make it 220,000."
    let is_taken_back = |at: usize| between.get(at + 1).is_some_and(|token| token.word() == "no");
    let is_loud = |(at, token): (usize, &Token)| {
        let ends = ['-', '/', '('].iter().any(|mark| token.is_mark(*mark));
        ends || token.is_mark('?') && !is_taken_back(at)
    };
    let is_quiet = !between.iter().enumerate().any(is_loud);
    let is_alike = amount.unit == next.unit || amount.unit == Unit::Bare || next.unit == Unit::Bare;
    let takes_back = words().all(is_known) && words().any(|word| is_of(TAKES_BACK, word));
    (is_alike && is_quiet && between.len() <= MOST && takes_back).then_some(next)
}
