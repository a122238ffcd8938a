//! Figures as the model may quote them: money in dollars, shares in percent, months as numbers.

use crate::model::field::{Kind, show_cents};
use crate::model::number::Number;
use crate::model::outputs::{Metrics, Projection};
use crate::plan;
use serde_json::{Map, Value, json};
use time::OffsetDateTime;

/// Metrics that are counts of months or plain ratios; shares are told by their name, the rest is money.
const PLAIN: [&str; 14] = [
    "breakEvenMonth",
    "stableFromMonth",
    "paybackMonth",
    "lowestCashMonth",
    "monthsNegative",
    "dscrYear1",
    "dscrYear2",
    "dscrYear3",
    "dscrYear4",
    "dscrYear5",
    "minDscr",
    "dscr",
    "year",
    "month",
];

/// The key results.
#[must_use]
pub fn metrics(metrics: &Metrics) -> Value {
    shown(serde_json::to_value(metrics).unwrap_or_default())
}

/// The five annual summaries, short.
#[must_use]
pub fn annual(projection: &Projection) -> Value {
    let update = plan::update(None, projection, OffsetDateTime::UNIX_EPOCH);
    let rows = update
        .annual
        .iter()
        .map(|row| shown(serde_json::to_value(row).unwrap_or_default()))
        .collect();
    Value::Array(rows)
}

/// What differs between two projections.
#[must_use]
pub fn changes(before: &Projection, after: &Projection) -> Value {
    let update = plan::update(Some(&before.metrics), after, OffsetDateTime::UNIX_EPOCH);
    let changes = update.changes.iter().filter_map(|change| {
        let change = serde_json::to_value(change).ok()?;
        let name = change.get("metric")?.as_str()?.to_owned();
        Some(json!({
            "metric": name,
            "before": show(&name, change.get("before")?),
            "after": show(&name, change.get("after")?),
        }))
    });
    Value::Array(changes.collect())
}

fn shown(row: Value) -> Value {
    let Value::Object(row) = row else { return row };
    Value::Object(
        row.iter()
            .map(|(name, value)| (name.clone(), show(name, value)))
            .collect::<Map<_, _>>(),
    )
}

fn show(name: &str, value: &Value) -> Value {
    if PLAIN.contains(&name) {
        return value.clone();
    }
    if name.ends_with("Pct") {
        let share = value.to_string().parse::<Number>().ok();
        return share.map_or_else(|| value.clone(), |share| Kind::Percent.show(share).into());
    }
    value
        .as_i64()
        .map_or_else(|| value.clone(), |cents| show_cents(cents).into())
}
