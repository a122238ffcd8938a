//! Figures as the model may quote them: money in dollars, shares in percent, months as numbers.

use plan_model::field::show_cents;
use plan_model::metrics::{METRICS, Metric, MetricKind, Metrics};
use plan_model::number::Number;
use plan_model::outputs::{AnnualRow, Projection};
use serde_json::{Map, Value, json};

/// The key results by name.
pub fn metrics(metrics: &Metrics) -> Value {
    let entry = |metric: &Metric| (metric.name.to_owned(), shown(metric, (metric.value)(metrics)));
    Value::Object(METRICS.iter().map(entry).collect::<Map<_, _>>())
}

/// The few results that cases are compared by.
const TELLING: [&str; 9] = [
    "totalInvestment",
    "monthlyPayment",
    "breakEvenMonth",
    "paybackMonth",
    "lowestCash",
    "dscrYear1",
    "minDscr",
    "fiveYearOwnerCashFlow",
    "fiveYearRoiPct",
];

/// The results that cases are compared by, by name.
pub fn telling(metrics: &Metrics) -> Value {
    let wanted = METRICS.iter().filter(|metric| TELLING.contains(&metric.name));
    let entry = |metric: &Metric| (metric.name.to_owned(), shown(metric, (metric.value)(metrics)));
    Value::Object(wanted.map(entry).collect::<Map<_, _>>())
}

/// The five years, short.
pub fn annual(projection: &Projection) -> Value {
    projection.annual.iter().map(year).collect()
}

fn year(row: &AnnualRow) -> Value {
    json!({
        "year": row.year,
        "revenue": show_cents(row.revenue),
        "grossProfit": show_cents(row.gross_profit),
        "ebitda": show_cents(row.ebitda),
        "operatingEbitda": show_cents(row.operating_ebitda),
        "preTaxIncome": show_cents(row.pre_tax_income),
        "netIncome": show_cents(row.net_income),
        "dscr": row.dscr,
        "endingCash": show_cents(row.ending_cash),
    })
}

/// What differs between two projections.
pub fn changes(before: &Metrics, after: &Metrics) -> Value {
    let change = |metric: &Metric| {
        let (before, after) = ((metric.value)(before), (metric.value)(after));
        (before != after).then(|| {
            json!({
                "metric": metric.name,
                "label": metric.label,
                "before": shown(metric, before),
                "after": shown(metric, after),
            })
        })
    };
    METRICS.iter().filter_map(change).collect()
}

fn shown(metric: &Metric, value: Option<Number>) -> Value {
    match metric.kind {
        MetricKind::Money | MetricKind::Percent => value.map(|value| metric.kind.show(value)).into(),
        MetricKind::Month | MetricKind::Count | MetricKind::Multiple => json!(value),
    }
}
