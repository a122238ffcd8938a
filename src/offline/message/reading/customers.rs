//! Messages that count customers, or give the price or the line of what they bring.

use super::{Reader, Reading, last_of_user, texts_at};
use crate::offline::message::ask;
use crate::wording;
use plan_model::inputs::SALES;
use plan_reader::{Heard, Intent, Line, Mention, Slots, Texts, Understanding, Unit, wants};
use rust_decimal::Decimal;

impl<'a> Reader<'_, 'a> {
    /// The line that a product belongs to, where the answer before asked for it: "those are the sales".
    pub(super) fn line_of_product(&self, whole: &Reading<'a>) -> Option<Reading<'a>> {
        whole.texts.advisor.filter(|text| ask::asks_for_line(text))?;
        let [field] = &whole.understanding.named[..] else {
            return None;
        };
        let last = last_of_user(self.before)?;
        let before = wants(&texts_at(self.before, Some(last), self.fields), self.vocabulary);
        let has_own = !whole.understanding.mentions.is_empty() || whole.texts.message.ends_with('?');
        let slots = Slots {
            field: Some(field.clone()),
            ..before.slots
        };
        (before.intent == Intent::Estimate && !has_own).then(|| Reading {
            heard: Heard::known(Intent::Estimate, slots),
            ..whole.clone()
        })
    }

    /// "Like 159 each" behind "say what a customer pays, and I count them", "and if it's 85 a dog?" behind their number at 78.
    pub(super) fn price_told(&self, texts: &Texts<'_>, understanding: &Understanding, heard: &Heard) -> Option<Heard> {
        const SHORT: usize = 8;
        // "What if I charge 65 a dog?" is no sales of 65,000.
        let is_of_sales = heard.slots.field.as_ref().is_some_and(|field| field.as_str() == SALES);
        if (heard.intent != Intent::WhatIf || is_of_sales) && tells_price(texts.message, understanding) {
            return Some(customers());
        }
        let is_short = texts.message.split_whitespace().count() <= SHORT && understanding.named.is_empty();
        let is_asked = texts.advisor.is_some_and(ask::asks_for_price);
        let is_each = || {
            let is_priced = understanding.counts_customers || understanding.mentions.iter().any(|one| one.per_unit);
            is_priced || wording::says(texts.message, "w.each")
        };
        // "And if we open only 6 days a week?" behind them.
        let is_days = |one: &Mention| one.unit == Unit::Days && one.value <= Decimal::from(31);
        let counts = texts.advisor.is_some_and(ask::counts_customers);
        let [only] = &understanding.mentions[..] else {
            return None;
        };
        let is_another = counts && (is_days(only) || is_each());
        (is_short && (is_asked || is_another)).then(customers)
    }
}

/// "My price is 24.50 and we're open 26 days": the plan keeps no price, and counts customers with it.
pub(in crate::offline) fn tells_price(message: &str, understanding: &Understanding) -> bool {
    const MOST: i64 = 1_000;
    let mut amounts = understanding.mentions.iter().filter(|one| one.unit != Unit::Days);
    let is_one = |one: &Mention| one.value < Decimal::from(MOST) && matches!(one.unit, Unit::Money | Unit::Bare);
    let first = amounts.next().filter(|first| is_one(first));
    let is_price = first.is_some() && amounts.next().is_none();
    let is_each = first.is_some_and(|first| first.per_unit) || wording::says(message, "w.each");
    let asks = message.contains('?') || wording::says(message, "w.supposes");
    let asks = asks && !is_each || wording::says(message, "w.moved");
    is_price && !asks && wording::says(message, "w.price") && understanding.named.is_empty()
}

/// "How many customers a day?", and nothing that they should pay for.
fn counts_customers(message: &str) -> bool {
    let message = message.trim().trim_end_matches('?').to_lowercase();
    let behind = wording::phrases("w.how_many").find_map(|words| message.split_once(words));
    let Some((noun, time)) = behind.and_then(|(_, behind)| behind.trim().split_once(' ')) else {
        return false;
    };
    let is_time = ["w.daily", "w.weekly", "w.monthly"]
        .iter()
        .any(|key| wording::phrases(key).any(|one| time.trim() == one));
    is_time && wording::says(noun, "w.customers")
}

/// Whether a message asks for the customers that the plan counts on, and not for those that pay its costs.
pub(in crate::offline) fn counts_customers_of_plan(message: &str) -> bool {
    if counts_customers(message) {
        return true;
    }
    let says = |key: &str| wording::says(message, key);
    let lower = message.to_lowercase();
    // "How many days until customers pay" counts none.
    let counts = wording::phrases("w.how_many")
        .filter_map(|words| lower.split_once(words))
        .any(|(_, behind)| {
            let words: Vec<&str> = behind.split_whitespace().take(2).collect();
            let is_counted = |key: &str| wording::says(&words.join(" "), key);
            is_counted("w.customers") || is_counted("w.daily") || wording::says_first(behind, "w.plan_counts")
        });
    says("w.plan_counts") && counts && (says("w.customers") || says("w.daily")) && !says("w.pays_costs")
}

/// "And how many dogs a day does my plan have?"
pub(super) fn customers_of_plan(texts: &Texts<'_>) -> Option<Heard> {
    counts_customers_of_plan(texts.message).then(customers)
}

/// "How many dogs a day is 50,000 a month at 72 bucks, 6 days a week?": no product of the three.
pub(super) fn customers_of_amount(texts: &Texts<'_>, understanding: &Understanding, heard: &Heard) -> Option<Heard> {
    const LEAST: i64 = 1_000;
    let says = |key: &str| wording::says(texts.message, key);
    let mentions = &understanding.mentions;
    let is_amount = |one: &&Mention| matches!(one.unit, Unit::Money | Unit::Bare) && !one.count_only;
    let large = mentions
        .iter()
        .filter(is_amount)
        .filter(|one| one.value >= Decimal::from(LEAST))
        .count();
    let small = mentions
        .iter()
        .filter(is_amount)
        .filter(|one| one.value < Decimal::from(LEAST))
        .count();
    let counts = says("w.how_many") && (says("w.customers") || says("w.daily")) && !says("w.pays_costs");
    let is_quotient = heard.intent == Intent::Estimate && heard.slots.product.len() == 2;
    let is_meant = counts && large == 1 && small == 1 && says("w.monthly") && !is_quotient;
    is_meant.then(customers)
}

/// Customers are counted where the sales that pay all costs are.
fn customers() -> Heard {
    let slots = Slots {
        metric: Some(Line::BreakEvenSales),
        ..Slots::default()
    };
    Heard::known(Intent::Goal, slots)
}
