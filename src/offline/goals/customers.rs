//! Break-even sales in customers: "how many dogs a week do I need to break even at 65?" The price is that of the message, or one that was
//! said before: the plan keeps sales as one amount.

use crate::offline::ask;
use crate::offline::results;
use crate::offline::situation::Situation;
use crate::offline::talk;
use plan_model::field::Kind;
use plan_model::number::Number;
use plan_model::tool_result::LineFigure;
use plan_reader::{Mention, Unit};
use rust_decimal::Decimal;

/// How many customers bring the sales of a figure; `None` where they are not asked for.
pub(super) fn of(situation: &Situation<'_>, figure: &LineFigure) -> Option<String> {
    if !talk::says(situation, "w.how_many") && !situation.advisor().is_some_and(ask::asks_for_price) {
        return None;
    }
    let Some(price) = price(situation) else {
        return Some(situation.say("goal.customers.price", &[]));
    };
    let sales = Decimal::try_from(results::digits(figure.value.as_deref()?)?).ok()?;
    let month = sales.checked_div(price)?;
    let week = month.checked_mul(Decimal::from(12))?.checked_div(Decimal::from(52))?;
    let cents = price.checked_mul(Decimal::ONE_HUNDRED).map(Number::new)?;
    // "1,761": as amounts are grouped.
    let grouped = |count: Decimal| Kind::Count.show(Number::new(count.ceil()));
    // Open every day of the week.
    let day = grouped(week.checked_div(Decimal::from(7))?);
    let (month, week) = (grouped(month), grouped(week));
    let slots = [
        ("price", &*Kind::Money.show(cents)),
        ("month", &month),
        ("week", &week),
        ("day", &day),
    ];
    Some(situation.say("goal.customers", &slots))
}

/// What a customer pays: as the message says, and no amount that somebody pays in a year ("so that is $390,000 of sales").
fn price(situation: &Situation<'_>) -> Option<Decimal> {
    const MOST: i64 = 10_000;
    let is_price = |one: &&Mention| {
        let is_amount = matches!(one.unit, Unit::Money | Unit::Bare) && !one.count_only && !one.month_number;
        is_amount && one.value > Decimal::ZERO && one.value < Decimal::from(MOST)
    };
    let mut said = situation.understanding.mentions.iter().filter(is_price);
    let in_dollars = said.clone().find(|one| one.unit == Unit::Money);
    let own = in_dollars.or_else(|| said.next()).map(|one| one.value);
    own.or_else(|| situation.price_before())
        .filter(|price| *price > Decimal::ZERO)
}
