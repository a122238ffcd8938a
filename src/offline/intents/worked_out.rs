//! How a value that was worked out of the message's numbers comes about, in words.

use crate::offline::message::product::{Per, times};
use crate::offline::results;
use crate::offline::situation::Situation;
use plan_model::number::Number;
use rust_decimal::Decimal;
use serde_json::Value;

/// "Your plan keeps direct labor as a share of sales: $9,000 a month is 15.5% of $58,000."
pub(in crate::offline) fn in_share(situation: &Situation<'_>, share: &Value) -> Option<String> {
    let text = |key: &str| results::text(share, key);
    let (path, value) = (text("path")?, text("value")?);
    let (name, value) = (situation.named(path), situation.value(path, value));
    let (month, sales) = (situation.figure(text("monthly")?), situation.figure(text("sales")?));
    let slots = [
        ("name", &*name),
        ("month", &*month),
        ("value", &*value),
        ("sales", &*sales),
    ];
    Some(situation.say("estimate.share", &slots))
}

/// "40 × 75 = $3,000 a week, $13,000 a month or $156,000 a year."
pub(in crate::offline) fn in_words(
    situation: &Situation<'_>,
    result: &Value,
    groups: &[Vec<Number>],
    per: Option<Per>,
) -> String {
    let sum = results::text(result, "sum").unwrap_or_default();
    let sum = match groups {
        [] | [_] => sum.to_owned(),
        groups => format!(
            "{} = {sum}",
            groups.iter().map(|group| times(group)).collect::<Vec<_>>().join(" + ")
        ),
    };
    let spread = per.and_then(|per| spread(situation, (&sum, result), per));
    spread.unwrap_or_else(|| situation.say("estimate", &[("sum", &sum)]))
}

fn spread(situation: &Situation<'_>, (sum, result): (&str, &Value), per: Per) -> Option<String> {
    let product = results::dollars(results::text(result, "product")?)?;
    let show = |amount: Decimal| Some(situation.figure(&results::shown(amount)?));
    let twelve = Decimal::from(12);
    let (key, year) = match per {
        Per::Day => ("estimate.day", product),
        Per::Week => ("estimate.week", product.checked_mul(Decimal::from(52))?),
        Per::Month => ("estimate.month", product.checked_mul(twelve)?),
        Per::Year => ("estimate.year", product),
    };
    let month = show(year.checked_div(twelve)?)?;
    Some(situation.say(key, &[("sum", sum), ("month", &month), ("year", &show(year)?)]))
}
