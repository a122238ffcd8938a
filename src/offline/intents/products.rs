//! Products of what was said: "40 dogs a week at 75". A week and a day are no month: what the product is per is said with it.

use crate::offline::intents::worked_out::{in_share, in_words};
use crate::offline::intents::{cases, goals, miss, talk};
use crate::offline::message::product::{Kept, Per, Product, Said, kept, sum};
use crate::offline::message::written;
use crate::offline::results;
use crate::offline::situation::Situation;
use crate::offline::step::{Answer, Step, joined};
use crate::wording;
use plan_model::field::FieldPath;
use plan_model::number::Number;
use plan_model::period::Period;
use plan_reader::Unit;
use rust_decimal::Decimal;
use serde_json::{Value, json};

pub(in crate::offline) fn estimate(situation: &Situation<'_>) -> Step {
    let slots = situation.slots();
    let none = || {
        let text = situation.say("estimate.none", &[]);
        Step::say([text, miss::again(situation)], Vec::new())
    };
    if slots.product.len() < 2 {
        return none();
    }
    if let Some(sum) = written::quotient(situation.message(), &situation.understanding.mentions) {
        return Step::say([situation.say("estimate", &[("sum", &sum)])], Vec::new());
    }
    if asks_for_customers(situation) {
        return goals::by_break_even(situation);
    }
    if let Some(quotient) = quotient(situation) {
        return Step::say([quotient], Vec::new());
    }
    // "Those are the sales" completes the message before.
    let own = &situation.understanding;
    let before = situation.message_before().filter(|_| own.mentions.is_empty());
    let said = Said {
        message: before.as_ref().map_or(situation.message(), |(message, _)| message),
        mentions: before.as_ref().map_or(&own.mentions, |(_, mentions)| mentions),
        factors: &slots.product,
        counts_customers: own.counts_customers,
    };
    let is_yearly = said.per().is_none() && talk::says(situation, "w.yearly");
    let field = |path: &str| situation.field(path);
    // "60 dogs a week at 68", said behind a line of costs, is of sales.
    let is_said = |path: &&FieldPath| !own.counts_customers || own.named.contains(path);
    let said_line = slots.field.as_ref().filter(is_said);
    let named = said_line.map(FieldPath::as_str).or_else(|| said.line());
    let wages = named
        .and_then(field)
        .is_some_and(|field| kept(field) == Some(Kept::Share));
    if wages && said.per().or_else(|| said.per_of_wages()).is_none() {
        let sum = sum(&slots.product);
        return Step::say([situation.say("estimate.hours", &[("sum", &sum)])], Vec::new());
    }
    // A share that nobody tells in dollars, or an amount a year for a monthly field, is no product of the message's numbers.
    let kept_as = |path: &str| {
        let field = field(path)?;
        let is_of_year = field.period == Some(Period::Monthly) && is_yearly;
        kept(field).filter(|kept| *kept == Kept::Share || !is_of_year)
    };
    let product = said.product(said_line, kept_as);
    let product = product.map(|product| by_the_year(situation, product));
    let per = product.as_ref().map_or(said.per(), |product| product.per);
    let groups = product.as_ref().map_or(&[][..], |product| &product.groups);
    let arguments = product
        .as_ref()
        .map_or_else(|| json!({ "factors": slots.product }), Product::arguments);
    let supposes = talk::says(situation, "w.supposes");
    let arguments = match supposes {
        true => supposed(arguments),
        false => arguments,
    };
    if let Some(step) = Step::ask(situation, &[("estimate", arguments)]) {
        return step;
    }
    let Some(result) = situation
        .result("estimate")
        .filter(|result| results::text(result, "sum").is_some())
    else {
        return none();
    };
    let shown = in_words(situation, result, groups, per);
    let proposed = results::text(result, "path").zip(results::text(result, "value"));
    match proposed {
        Some((path, value)) if supposes => {
            let share = in_share(situation, result).unwrap_or_default();
            match cases::of_value(situation, path, value) {
                Step::Say(answer) => Step::Say(Answer {
                    text: joined([joined([shown, share]), answer.text]),
                    ..answer
                }),
                call @ Step::Call(_) => call,
            }
        }
        Some((path, value)) => {
            let share = in_share(situation, result);
            let (name, value) = (situation.named(path), situation.value(path, value));
            let confirm = wording::confirm(situation.language, &value, &name);
            let parts = [Some(shown), share, Some(confirm)];
            Step::say(parts.into_iter().flatten(), situation.suggest(&["s.yes", "s.no"]))
        }
        // It asks for the days already.
        None if per == Some(Per::Day) => Step::say([shown], Vec::new()),
        None => Step::say([shown, situation.say("estimate.line", &[])], Vec::new()),
    }
}

/// A question proposes nothing.
fn supposed(mut arguments: Value) -> Value {
    arguments["suppose"] = json!(true);
    arguments
}

/// "25 a square foot and 1,800 square feet": far above what a month's line is, and usual as a year's.
fn by_the_year(situation: &Situation<'_>, product: Product) -> Product {
    const TIMES: Decimal = Decimal::from_parts(3, 0, 0, false, 0);
    let is_monthly = |path: &str| {
        situation
            .field(path)
            .is_some_and(|field| field.period == Some(Period::Monthly))
    };
    let usual = situation
        .range(&product.field)
        .filter(|_| is_monthly(product.field.as_str()));
    let cents = product
        .total()
        .and_then(|dollars| dollars.checked_mul(Decimal::ONE_HUNDRED));
    let is_yearly = usual.zip(cents).is_some_and(|(range, cents)| {
        let monthly = cents.checked_div(Decimal::from(12)).map(Number::new);
        let is_far = cents > range.high.decimal().saturating_mul(TIMES);
        is_far && monthly.is_some_and(|monthly| range.contains(monthly))
    });
    match product.per {
        None if is_yearly => Product {
            per: Some(Per::Year),
            ..product
        },
        _ => product,
    }
}

/// "72 a dog, open 6 days a week, how many dogs a day is that?": a price and days are no product, and nobody has said how many.
fn asks_for_customers(situation: &Situation<'_>) -> bool {
    let mentions = &situation.understanding.mentions;
    let days = mentions.iter().filter(|one| one.unit == Unit::Days).count();
    let counts = talk::says(situation, "w.how_many") && talk::says(situation, "w.customers");
    counts && mentions.len() == 2 && days == 1
}

/// "44,444 a month, how many dogs is that at 75?" asks for no product.
fn quotient(situation: &Situation<'_>) -> Option<String> {
    // "8.50 each, open 7 days" is no amount to be parted.
    const LEAST: i64 = 1_000;
    let [one, other] = situation.slots().product[..] else {
        return None;
    };
    if !talk::says(situation, "w.how_many") {
        return None;
    }
    let (one, other) = (one.decimal().max(other.decimal()), one.decimal().min(other.decimal()));
    let value = one.checked_div(other).filter(|_| one >= Decimal::from(LEAST))?;
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
