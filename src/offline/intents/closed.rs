//! Months without sales, which no plan has: a late opening, a shop that is closed, an owner who is ill. What such a month costs is told.

use crate::offline::message::reading::has_no_sales;
use crate::offline::results;
use crate::offline::situation::Situation;
use crate::offline::step::Step;
use plan_model::inputs::SALES;
use plan_reader::{Mention, Unit};
use rust_decimal::Decimal;
use serde_json::{Value, json};

/// What a month without sales costs, as the engine has it: running costs at sales of zero, and the loan payment.
pub(in crate::offline) fn cost(situation: &Situation<'_>) -> Option<Step> {
    if !has_no_sales(situation.message()) {
        return None;
    }
    let year = situation.years().first().copied().map_or(1, u32::from);
    let month = year.saturating_mul(12).saturating_sub(11);
    let closed = json!({ "line": "ebitda", "month": month, "changes": [{ "path": SALES, "value": 0 }] });
    if let Some(step) = Step::ask(
        situation,
        &[("get_projection", closed), ("get_plan_summary", json!({}))],
    ) {
        return Some(step);
    }
    let figure = results::figure(situation)?;
    let running = figure.running_costs?;
    let payments = figure.loan_payments;
    let cost =
        results::dollars(&running)?.checked_add(payments.as_deref().and_then(results::dollars).unwrap_or_default())?;
    let loan = payments.map(|payments| situation.say("closed.loan", &[("payments", &payments)]));
    let slots = [
        ("cost", &*results::shown(cost)?),
        ("running", &*running),
        ("loan", &*loan.unwrap_or_default()),
    ];
    let text = situation.say("closed", &slots);
    let parts = [
        text,
        beside_cash(situation, cost).unwrap_or_default(),
        situation.footer(),
    ];
    Some(Step::say(
        parts,
        situation.suggest(&["s.less_sales", "s.cash", "s.levers"]),
    ))
}

/// What the months of the message come to, beside the lowest cash of the plan.
fn beside_cash(situation: &Situation<'_>, cost: Decimal) -> Option<String> {
    let metrics = results::summary(situation)?.metrics.filter(Value::is_object)?;
    let cash = situation.figure(results::text(&metrics, "lowestCash")?);
    let mentions = situation.understanding.mentions.iter();
    let is_months =
        |one: &&Mention| one.unit == Unit::Months && one.value > Decimal::ONE && one.value <= Decimal::from(60);
    let Some(months) = mentions.clone().find(is_months) else {
        return Some(situation.say("closed.lowest", &[("cash", &cash)]));
    };
    let total = results::shown(cost.checked_mul(months.value)?)?;
    let slots = [
        ("count", &*months.value.normalize().to_string()),
        ("total", &*total),
        ("cash", &*cash),
    ];
    Some(situation.say("closed.months", &slots))
}
