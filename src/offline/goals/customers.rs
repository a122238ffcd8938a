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
    let goes_on = |answer: &str| ask::asks_for_price(answer) || ask::counts_customers(answer);
    if !talk::says(situation, "w.how_many") && !situation.advisor().is_some_and(goes_on) {
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
    let mut said = situation.understanding.mentions.iter().filter(is_price);
    let in_dollars = said.clone().find(|one| one.unit == Unit::Money);
    let own = in_dollars.or_else(|| said.next()).map(|one| one.value);
    own.or_else(|| situation.price_before())
        .filter(|price| *price > Decimal::ZERO)
}
