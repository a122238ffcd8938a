//! Break-even sales in customers: "how many dogs a week do I need to break even at 65?" The price is that of the message, or one that was
//! said before: the plan keeps sales as one amount.

use crate::offline::intents::talk;
use crate::offline::message::ask;
use crate::offline::message::reading::{counts_customers_of_plan, tells_price};
use crate::offline::results;
use crate::offline::situation::Situation;
use crate::offline::step::Step;
use crate::wording;
use plan_model::field::Kind;
use plan_model::inputs::SALES;
use plan_model::number::Number;
use plan_model::tool_result::LineFigure;
use plan_reader::{Mention, Unit};
use rust_decimal::Decimal;
use serde_json::json;

/// How many customers bring the sales of a figure; `None` where they are not asked for.
pub(super) fn of(situation: &Situation<'_>, figure: &LineFigure) -> Option<String> {
    let goes_on = |answer: &str| ask::asks_for_price(answer) || ask::counts_customers(answer);
    if !talk::says(situation, "w.how_many") && !situation.advisor().is_some_and(goes_on) {
        return None;
    }
    match price(situation) {
        Some(price) => counted(situation, results::dollars(figure.value.as_deref()?)?, price),
        None => Some(situation.say("goal.customers.price", &[])),
    }
}

/// "How many dogs a day is 50,000 a month at 72?": the customers of sales that the message says.
pub(super) fn of_amount(situation: &Situation<'_>) -> Option<Step> {
    const LEAST: i64 = 1_000;
    let mentions = situation.understanding.mentions.iter();
    let amounts = mentions.filter(|one| matches!(one.unit, Unit::Money | Unit::Bare) && !one.count_only);
    let (sales, prices): (Vec<&Mention>, Vec<&Mention>) = amounts.partition(|one| one.value >= Decimal::from(LEAST));
    let ([sales], [price]) = (&sales[..], &prices[..]) else {
        return None;
    };
    let is_asked = talk::says(situation, "w.how_many")
        && (talk::says(situation, "w.customers") || talk::says(situation, "w.daily"));
    let is_monthly = talk::says(situation, "w.monthly") || !talk::says(situation, "w.yearly");
    if !is_asked || !is_monthly || talk::says(situation, "w.pays_costs") {
        return None;
    }
    let shown = results::shown(sales.value)?;
    let text = situation.say("customers.of_amount", &[("value", &shown)]);
    let counted = counted(situation, sales.value, price.value)?;
    Some(Step::say(
        [text, counted],
        situation.suggest(&["s.breakeven", "s.more_sales", "s.profit"]),
    ))
}

/// "How many dogs a day is my plan counting on?": the customers of the sales that are planned, which the plan does not count.
pub(super) fn of_plan(situation: &Situation<'_>) -> Option<Step> {
    let told = situation.advisor().unwrap_or_default();
    let goes_on = wording::shows(told, "customers.planned") && !talk::says(situation, "w.pays_costs");
    let tells = tells_price(situation.message(), &situation.understanding);
    if !counts_customers_of_plan(situation.message()) && !goes_on && !tells {
        return None;
    }
    if let Some(step) = Step::ask(situation, &[("get_plan_summary", json!({}))]) {
        return Some(step);
    }
    let summary = results::summary(situation)?;
    let planned = summary.fields.iter().find(|field| field.path.as_str() == SALES)?;
    let sales = results::dollars(planned.value.as_deref()?)?;
    let text = situation.say("customers.planned", &[("value", planned.value.as_deref()?)]);
    let customers = match price(situation) {
        Some(price) => counted(situation, sales, price)?,
        None => situation.say("customers.price", &[]),
    };
    Some(Step::say(
        [text, customers],
        situation.suggest(&["s.breakeven", "s.more_sales", "s.profit"]),
    ))
}

/// How many customers at a price bring sales of a month.
fn counted(situation: &Situation<'_>, sales: Decimal, price: Decimal) -> Option<String> {
    let month = sales.checked_div(price)?;
    let week = month.checked_mul(Decimal::from(12))?.checked_div(Decimal::from(52))?;
    let cents = price.checked_mul(Decimal::ONE_HUNDRED).map(Number::new)?;
    // "1,761": as amounts are grouped.
    let grouped = |count: Decimal| Kind::Count.show(Number::new(count.ceil()));
    // Open every day of the week, unless another number of days was said.
    let days = days_open(situation);
    let (time, key) = match days {
        Some(days) if days > A_WEEK => (month, "goal.customers.of_month"),
        _ => (week, "goal.customers.of_week"),
    };
    let day = grouped(time.checked_div(days.unwrap_or(A_WEEK))?);
    let (month, week) = (grouped(month), grouped(week));
    let slots = [
        ("price", &*Kind::Money.show(cents)),
        ("month", &month),
        ("week", &week),
        ("day", &day),
    ];
    let counted = situation.say("goal.customers", &slots);
    Some(match days {
        Some(days) => format!(
            "{counted} {}",
            situation.say(key, &[("days", &days.normalize().to_string())])
        ),
        None => counted,
    })
}

const A_WEEK: Decimal = Decimal::from_parts(7, 0, 0, false, 0);

/// On how many days of a week or of a month they are open, as was said last: "we're open 26 days".
fn days_open(situation: &Situation<'_>) -> Option<Decimal> {
    let of = |mentions: &[Mention]| {
        let is_open =
            |one: &&Mention| one.unit == Unit::Days && one.value >= Decimal::ONE && one.value <= Decimal::from(31);
        mentions.iter().find(is_open).map(|one| one.value)
    };
    let mut before = situation.said_before();
    of(&situation.understanding.mentions).or_else(|| before.find_map(|(_, said)| of(&said.mentions)))
}

/// What a customer pays: as the message says, and no amount that somebody pays in a year ("so that is $390,000 of sales").
fn price(situation: &Situation<'_>) -> Option<Decimal> {
    const MOST: i64 = 10_000;
    let is_price = |one: &&Mention| {
        let is_amount = matches!(one.unit, Unit::Money | Unit::Bare) && !one.count_only && !one.month_number;
        is_amount && one.value > Decimal::ZERO && one.value < Decimal::from(MOST)
    };
    let message = situation.message();
    let told = situation.advisor().unwrap_or_default();
    // "No, 23 was the dogs, the price is 75": what was counted is no price, nor is "23 a day".
    let is_count = |one: &&Mention| {
        let counts = |same: &Mention| {
            let behind = message.get(same.number.1..).unwrap_or_default().trim_start();
            let is_noun = wording::says_first(behind, "w.customers");
            same.value == one.value
                && (is_noun || wording::says_first(behind, "w.daily") || behind_noun(behind, "w.daily"))
        };
        let is_told = ask::counts_customers(told) && told.contains(&format!(" {} ", one.value));
        is_told || situation.understanding.mentions.iter().any(counts)
    };
    let is_priced = |one: &&Mention| {
        let before = message.get(..one.number.0).unwrap_or_default();
        let last: Vec<&str> = before.split_whitespace().rev().take(PRICED_WITHIN).collect();
        last.iter().any(|word| wording::says(word, "w.price"))
    };
    let mut said = situation
        .understanding
        .mentions
        .iter()
        .filter(is_price)
        .filter(|one| !is_count(one));
    let in_dollars = said.clone().find(|one| one.unit == Unit::Money);
    let own = said
        .clone()
        .find(is_priced)
        .or(in_dollars)
        .or_else(|| said.next())
        .map(|one| one.value);
    own.or_else(|| situation.price_before())
        .or_else(|| situation.price_counted().and_then(results::dollars))
        .filter(|price| *price > Decimal::ZERO)
}

/// Words between "price" and its number.
const PRICED_WITHIN: usize = 3;

/// Whether a phrase follows one word: "25 perros al día".
fn behind_noun(text: &str, key: &str) -> bool {
    let behind = text.trim_start().split_once(' ').map_or("", |(_, behind)| behind);
    wording::says_first(behind, key)
}
