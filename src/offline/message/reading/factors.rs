//! "Do it with 4" behind "3 people at 17 an hour, 30 hours": the product of the message before, with another number in one place.

use super::{Reader, Reading, last_of_user};
use crate::offline::message::product::is_at;
use crate::wording;
use plan_model::number::Number;
use plan_reader::{Intent, Mention, Texts, Unit, understand};
use rust_decimal::Decimal;

/// Words of a message that changes one number.
const SHORT: usize = 8;

/// A number that stands for another one is at most so many times that.
const NEAR: Decimal = Decimal::from_parts(2, 0, 0, false, 0);

impl<'a> Reader<'_, 'a> {
    /// The message before, as if it had said this message's number in the place that is meant. `None` where that is not certain, or where
    /// the answer before shows no product.
    pub(super) fn factor_again(&self, whole: &Reading<'a>) -> Option<Reading<'a>> {
        let message = whole.texts.message;
        // "14 is low around here, make it 16" names the number that it replaces.
        let is_turned = wording::says(message, "w.instead");
        let (replaced, number) = match &whole.understanding.mentions[..] {
            [number] => (None, number),
            // "5 people instead of 7"
            [number, replaced] if is_turned => (Some(Number::new(replaced.value)), number),
            [replaced, number] => (Some(Number::new(replaced.value)), number),
            _ => return None,
        };
        let is_short = replaced.is_some() || message.split_whitespace().count() <= SHORT;
        let is_short = is_short && number.unit != Unit::Percent && whole.understanding.plain.is_empty();
        let answer = whole.texts.advisor.filter(|text| is_short && text.contains(" × "))?;
        let mut before = self.before_message(last_of_user(self.before)?);
        let heard = &mut before.heard;
        // "What if 7 people 40 hours at 15?" is a case until its wages are read.
        if heard.intent == Intent::WhatIf && heard.slots.all_changes().is_empty() {
            heard.slots.product = before
                .understanding
                .mentions
                .iter()
                .map(|one| Number::new(one.value))
                .collect();
        } else if heard.intent != Intent::Estimate {
            return None;
        }
        if heard.slots.product.len() < 2 {
            return None;
        }
        // "Make it 11" may be of the 11.4 % that is asked about.
        let asked = answer.trim_end().rsplit(". ").next().unwrap_or_default();
        let asked = understand(&Texts::of(asked), self.vocabulary).mentions;
        let may_be_bare = whole.understanding.named.is_empty() && !asked.iter().any(|one| is_near(one, number));
        let at = match replaced {
            Some(old) => only_of(old, number, &before)?,
            None => place(message, number, &before, may_be_bare)?,
        };
        let meant = &mut before.understanding.mentions[at];
        let (old, new) = (Number::new(meant.value), Number::new(number.value));
        meant.value = number.value;
        let mut factors = before.heard.slots.product.iter_mut();
        *factors.find(|factor| **factor == old)? = new;
        Some(before)
    }
}

/// The only factor that has a value, where another number is near it.
fn only_of(old: Number, number: &Mention, before: &Reading<'_>) -> Option<usize> {
    let mentions = &before.understanding.mentions;
    let is_factor = before.heard.slots.product.contains(&old);
    let mut same = (0..mentions.len()).filter(|at| Number::new(mentions[*at].value) == old);
    let at = same.next().filter(|_| is_factor && same.next().is_none())?;
    is_near(&mentions[at], number).then_some(at)
}

/// Which of the numbers of a product is meant: the one of the same thing, else the only one that is near.
fn place(message: &str, number: &Mention, before: &Reading<'_>, may_be_bare: bool) -> Option<usize> {
    let mentions = &before.understanding.mentions;
    let factors = &before.heard.slots.product;
    let all = || (0..mentions.len()).filter(|at| factors.contains(&Number::new(mentions[*at].value)));
    let only = |mut places: Vec<usize>| places.pop().filter(|_| places.is_empty());
    let of = thing(message, number);
    let is_same = |at: &usize| of.is_some() && thing(before.texts.message, &mentions[*at]) == of;
    let is_money = |at: &usize| mentions[*at].unit == Unit::Money;
    let is_of_kind = |at: &usize| number.unit != Unit::Money || is_money(at);
    let is_priced = |at: &usize| is_at(before.texts.message, &mentions[*at]) && is_near(&mentions[*at], number);
    let of_price = || only(all().filter(|at| is_at(message, number) && is_priced(at)).collect());
    only(all().filter(is_same).collect()).or_else(of_price).or_else(|| {
        let is_bare = may_be_bare && of.is_none();
        let is_meant = |at: &usize| is_bare && is_near(&mentions[*at], number) && is_of_kind(at);
        only(all().filter(is_meant).collect())
    })
}

fn is_near(one: &Mention, other: &Mention) -> bool {
    let (more, less) = (one.value.max(other.value), one.value.min(other.value));
    less.checked_mul(NEAR).is_some_and(|most| more <= most)
}

/// What a number is of: the word behind it, of one and of many the same.
fn thing(message: &str, number: &Mention) -> Option<String> {
    let behind = message.get(number.number.1..)?.trim_start_matches(['/', ' ']);
    let word = behind.split(|c: char| !c.is_alphanumeric()).next()?;
    Some(word.trim_end_matches('s').to_lowercase()).filter(|word| !word.is_empty())
}
