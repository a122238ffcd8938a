//! Figures as the advisor quotes them, written as the page writes them.

use plan_model::field::show_dollars;
use plan_model::metrics::{self, METRICS, Metric, Metrics};
use plan_model::number::Number;
use plan_model::outputs::{AnnualRow, Projection};
use plan_model::tool_result::MovedResult;
use serde_json::{Map, Value, json};

/// The key results by name.
pub(crate) fn metrics(metrics: &Metrics) -> Value {
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
pub(crate) fn telling(metrics: &Metrics) -> Value {
    let wanted = METRICS.iter().filter(|metric| TELLING.contains(&metric.name));
    let entry = |metric: &Metric| (metric.name.to_owned(), shown(metric, (metric.value)(metrics)));
    Value::Object(wanted.map(entry).collect::<Map<_, _>>())
}

/// The five years, short.
pub(crate) fn annual(projection: &Projection) -> Value {
    projection.annual.iter().map(year).collect()
}

fn year(row: &AnnualRow) -> Value {
    json!({
        "year": row.year,
        "revenue": show_dollars(row.revenue),
        "grossProfit": show_dollars(row.gross_profit),
        "ebitda": show_dollars(row.ebitda),
        "operatingEbitda": show_dollars(row.operating_ebitda),
        "preTaxIncome": show_dollars(row.pre_tax_income),
        "netIncome": show_dollars(row.net_income),
        "dscr": row.dscr.map(coverage),
        "endingCash": show_dollars(row.ending_cash),
    })
}

fn coverage(ratio: Number) -> String {
    metrics::find("minDscr").map_or_else(|| ratio.to_string(), |metric| metric.show(ratio))
}

/// What differs between two projections.
pub(crate) fn changes(before: &Metrics, after: &Metrics) -> Vec<MovedResult> {
    let change = |metric: &Metric| {
        let (before, after) = ((metric.value)(before), (metric.value)(after));
        let said = |value: Option<Number>| value.map(|value| metric.show(value));
        (before != after).then(|| MovedResult {
            metric: metric.name.to_owned(),
            label: metric.label.to_owned(),
            before: said(before),
            after: said(after),
        })
    };
    METRICS.iter().filter_map(change).collect()
}

fn shown(metric: &Metric, value: Option<Number>) -> Value {
    value.map(|value| metric.show(value)).into()
}
