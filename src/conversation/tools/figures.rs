//! Figures as the advisor quotes them, written as the page writes them; for programs with their numbers.

use plan_model::field::show_dollars;
use plan_model::metrics::{self, METRICS, Metric, Metrics};
use plan_model::number::Number;
use plan_model::outputs::{AnnualRow, Projection};
use plan_model::tool_result::MovedResult;
use serde_json::{Map, Value, json};

/// How a figure is given.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Figures {
    /// `"$4,200"`: for a model, which only quotes it.
    #[default]
    InWords,
    /// `{"value": 420000, "text": "$4,200"}`: for programs, which reckon with it.
    WithNumbers,
}

impl Figures {
    /// A figure with its words; `null` where there is none.
    pub(crate) fn show(self, value: Option<Number>, words: impl FnOnce(Number) -> String) -> Value {
        let text = value.map(words);
        match self {
            Self::InWords => text.into(),
            Self::WithNumbers => json!({ "value": value, "text": text }),
        }
    }

    /// Whether a result in words has its numbers beside them.
    pub(crate) fn has_numbers(self) -> bool {
        self == Self::WithNumbers
    }

    fn cents(self, cents: i64) -> Value {
        self.show(Some(Number::whole(cents)), |_| show_dollars(cents))
    }

    fn metric(self, metric: &Metric, metrics: &Metrics) -> Value {
        self.show((metric.value)(metrics), |value| metric.show(value))
    }
}

/// The key results by name.
pub(crate) fn metrics(figures: Figures, metrics: &Metrics) -> Value {
    let entry = |metric: &Metric| (metric.name.to_owned(), figures.metric(metric, metrics));
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
pub(crate) fn telling(figures: Figures, metrics: &Metrics) -> Value {
    let wanted = METRICS.iter().filter(|metric| TELLING.contains(&metric.name));
    let entry = |metric: &Metric| (metric.name.to_owned(), figures.metric(metric, metrics));
    Value::Object(wanted.map(entry).collect::<Map<_, _>>())
}

/// The five years, short.
pub(crate) fn annual(figures: Figures, projection: &Projection) -> Value {
    projection.annual.iter().map(|row| year(figures, row)).collect()
}

fn year(figures: Figures, row: &AnnualRow) -> Value {
    json!({
        "year": row.year,
        "revenue": figures.cents(row.revenue),
        "grossProfit": figures.cents(row.gross_profit),
        "ebitda": figures.cents(row.ebitda),
        "operatingEbitda": figures.cents(row.operating_ebitda),
        "preTaxIncome": figures.cents(row.pre_tax_income),
        "netIncome": figures.cents(row.net_income),
        "dscr": figures.show(row.dscr, coverage),
        "endingCash": figures.cents(row.ending_cash),
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
