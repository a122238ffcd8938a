//! One page of key results, with the coverage of the loan before and after the owner.

use crate::contents::Contents;
use crate::figures::{self, coverage, dollars};
use crate::sheets::{Block, Column, Layout, Part, Row, Table};
use crate::texts::Texts;
use plan_model::metrics::{self, MetricKind, Metrics};
use plan_model::number::Number;
use plan_model::outputs::AnnualRow;

const SHOWN: [&str; 13] = [
    "totalInvestment",
    "loanAmount",
    "ownerCash",
    "equityPct",
    "monthlyPayment",
    "openingCash",
    "projectedAnnualRevenueYear1",
    "breakEvenMonth",
    "stableFromMonth",
    "breakEvenSalesMonthly",
    "breakEvenSalesPct",
    "lowestCash",
    "lowestCashMonth",
];

/// Good news only where cash is never below zero.
const WITH_CASH: &str = "paybackMonth";
const WITHOUT_CASH: &str = "monthsNegative";

pub(crate) fn results(contents: &Contents<'_>, texts: Texts) -> Part {
    let metrics = &contents.projection.metrics;
    let last = match metrics.months_negative {
        0 => WITH_CASH,
        _ => WITHOUT_CASH,
    };
    let row = |name: &str| {
        Row::line(vec![
            texts.get(&format!("result.{name}")).to_owned(),
            shown(name, metrics, texts),
            texts.get(&format!("result.{name}.means")).to_owned(),
        ])
    };
    let columns = vec![
        Column::text(texts.get("results.figure")),
        Column::number(texts.get("results.value")),
        Column::text(texts.get("results.meaning")),
    ];
    let rows = SHOWN.into_iter().chain([last]).map(row).collect();
    let mut blocks = vec![Block::Table(Table::new(columns, rows))];
    blocks.extend(covered(contents, texts));
    Part {
        title: texts.get("results.title").to_owned(),
        layout: Layout::NewPage,
        blocks,
    }
}

/// A key figure in words.
fn shown(name: &str, metrics: &Metrics, texts: Texts) -> String {
    let Some(metric) = metrics::find(name) else {
        return String::new();
    };
    match ((metric.value)(metrics), metric.kind) {
        (Some(value), MetricKind::Money) => dollars(value.to_whole()),
        (Some(value), MetricKind::Percent) => figures::percent(value),
        (Some(value), MetricKind::Month) => texts.say("month", &[("month", &value.to_string())]),
        (Some(value), MetricKind::Count) => value.to_string(),
        (value, MetricKind::Multiple) => coverage(value, texts),
        (None, MetricKind::Month) => texts.get("never").to_owned(),
        (None, _) => texts.get("none").to_owned(),
    }
}

fn covered(contents: &Contents<'_>, texts: Texts) -> Vec<Block> {
    let annual = &contents.projection.annual;
    if annual.iter().all(|year| year.dscr.is_none()) {
        let none = texts.get("coverage.noLoan").to_owned();
        return vec![Block::text(vec![none])];
    }
    let row = |key: &str, read: fn(&AnnualRow) -> Option<Number>| {
        let label = texts.get(key).to_owned();
        let years = annual.iter().map(|year| coverage(read(year), texts));
        Row::line(std::iter::once(label).chain(years).collect())
    };
    let rows = vec![
        row("coverage.before", |year| year.dscr),
        row("coverage.after", |year| year.dscr_after_owner),
    ];
    let columns = super::years::heads(texts.get("coverage.title"), contents, texts);
    let note = texts.get("coverage.note").to_owned();
    vec![Block::Table(Table::new(columns, rows)), Block::text(vec![note])]
}
