//! Products of what was said: "40 dogs a week at 75". A week and a day are no month: what the product is per is said with it.

use crate::offline::miss;
use crate::offline::situation::Situation;
use crate::offline::step::Step;
use crate::offline::{results, talk};
use crate::wording;
use plan_model::field::{Field, Kind};
use plan_model::period::Period;
use plan_reader::{Mention, Unit};
use rust_decimal::Decimal;
use serde_json::{Value, json};

/// What a product is of, where it is known to be no month.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Per {
    Day,
    Week,
    Year,
}

pub(super) fn estimate(situation: &Situation<'_>) -> Step {
    let slots = situation.slots();
    if slots.product.len() < 2 {
        return Step::say(
            [situation.say("estimate.none", &[]), miss::again(situation)],
            Vec::new(),
        );
    }
    if let Some(quotient) = quotient(situation) {
        return Step::say([quotient], Vec::new());
    }
    let per = per(situation);
    let mut arguments = json!({ "factors": slots.product });
    // A share of sales, or an amount a year for a monthly field, is no product of the message's numbers.
    let path = slots.field.as_ref().and_then(|path| situation.field(path.as_str()));
    let is_amount = |field: &&Field| {
        let is_yearly = per.is_none() && talk::says(situation, "w.yearly");
        field.kind == Kind::Money && !(field.period == Some(Period::Monthly) && is_yearly)
    };
    // On how many days of a month they are open nobody has said.
    if let Some(field) = path.filter(is_amount).filter(|_| per != Some(Per::Day)) {
        arguments["path"] = json!(field.path);
        match per {
            Some(Per::Week) => arguments["per"] = json!("week"),
            Some(Per::Year) => arguments["per"] = json!("year"),
            Some(Per::Day) | None => {}
        }
    }
    if let Some(step) = Step::ask(situation, &[("estimate", arguments)]) {
        return step;
    }
    let result = situation.result("estimate");
    let Some(sum) = result.and_then(|result| results::text(result, "sum")) else {
        return Step::say(
            [situation.say("estimate.none", &[]), miss::again(situation)],
            Vec::new(),
        );
    };
    let spread = result.and_then(|result| spread(situation, result, per?));
    let proposed = result.and_then(|result| Some((results::text(result, "path")?, results::text(result, "value")?)));
    let shown = spread.unwrap_or_else(|| situation.say("estimate", &[("sum", sum)]));
    match proposed {
        Some((path, value)) => {
            let (name, value) = (situation.named(path), situation.value(path, value));
            let parts = [shown, wording::confirm(situation.language, &value, &name)];
            Step::say(parts, situation.suggest(&["s.yes", "s.no"]))
        }
        // It asks for the days already.
        None if per == Some(Per::Day) => Step::say([shown], Vec::new()),
        None => Step::say([shown, situation.say("estimate.line", &[])], Vec::new()),
    }
}

/// "44,444 a month, how many dogs is that at 75?" asks for no product.
fn quotient(situation: &Situation<'_>) -> Option<String> {
    let [one, other] = situation.slots().product[..] else {
        return None;
    };
    if !talk::says(situation, "w.how_many") {
        return None;
    }
    let (one, other) = (one.decimal().max(other.decimal()), one.decimal().min(other.decimal()));
    let value = one.checked_div(other)?;
    let weeks = value.checked_mul(Decimal::from(12))?.checked_div(Decimal::from(52))?;
    let is_monthly = talk::says(situation, "w.monthly");
    let week = weeks.round().to_string();
    let per = match is_monthly {
        true => situation.say("estimate.quotient.month", &[("week", &week)]),
        false => String::new(),
    };
    let shown = |number: Decimal| number.round_dp(1).normalize().to_string();
    let slots = [
        ("one", &*shown(one)),
        ("other", &*shown(other)),
        ("value", &*shown(value)),
        ("per", &*per),
    ];
    Some(situation.say("estimate.quotient", &slots))
}

/// What the product is per, as the message says or the one that it completes: up to seven days are a week's, more weeks or days than a
/// month has a year's.
fn per(situation: &Situation<'_>) -> Option<Per> {
    let of = |message: &str, mentions: &[Mention]| {
        let counted = |unit: Unit| mentions.iter().find(|mention| mention.unit == unit);
        let says = |key: &str| wording::says(message, key);
        match (counted(Unit::Days), counted(Unit::Weeks)) {
            (_, Some(weeks)) => Some(Per::Year).filter(|_| weeks.value > Decimal::from(6)),
            (Some(days), None) if days.value <= Decimal::from(7) => Some(Per::Week),
            (Some(days), None) => Some(Per::Year).filter(|_| days.value > Decimal::from(31)),
            (None, None) if says("w.daily") => Some(Per::Day),
            (None, None) => Some(Per::Week).filter(|_| says("w.weekly")),
        }
    };
    let mentions = &situation.understanding.mentions;
    match mentions.is_empty() {
        false => of(situation.message(), mentions),
        true => situation
            .message_before()
            .and_then(|(message, mentions)| of(message, &mentions)),
    }
}

/// "40 × 75 = $3,000 a week, $13,000 a month or $156,000 a year."
fn spread(situation: &Situation<'_>, result: &Value, per: Per) -> Option<String> {
    let sum = results::text(result, "sum")?;
    let product = results::dollars(results::text(result, "product")?)?;
    let show = |amount: Decimal| Some(situation.figure(&results::shown(amount)?));
    let year = product.checked_mul(Decimal::from(52))?;
    let month = show(year.checked_div(Decimal::from(12))?)?;
    let (key, year) = match per {
        Per::Day => ("estimate.day", String::new()),
        Per::Week => ("estimate.week", show(year)?),
        Per::Year => return None,
    };
    Some(situation.say(key, &[("sum", sum), ("month", &month), ("year", &year)]))
}
