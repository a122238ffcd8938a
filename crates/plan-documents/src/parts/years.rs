//! The five years: profit and loss, cash flow, balance sheet.

use super::statement::{BELOW_OPERATING, CASH, OPERATING, Period, Sign, rows};
use crate::contents::{Contents, Kind};
use crate::figures::amount;
use crate::sheets::{Block, Column, Layout, Part, Row, Table};
use crate::texts::Texts;
use plan_model::outputs::Balance;

pub(crate) fn years(contents: &Contents<'_>, texts: Texts) -> Vec<Part> {
    let profit: Vec<_> = OPERATING.iter().chain(BELOW_OPERATING).copied().collect();
    let cash: Vec<_> = [("ebitda", Sign::Plus)].iter().chain(CASH).copied().collect();
    let mut parts = vec![
        statement("five.profit", Layout::NewPage, &profit, contents, texts),
        statement("five.cash", Layout::NewPage, &cash, contents, texts),
    ];
    if contents.kind == Kind::Package {
        parts.push(balance(contents, texts));
    }
    parts
}

/// The head of the labels, and one for each year.
pub(super) fn heads(label: &str, contents: &Contents<'_>, texts: Texts) -> Vec<Column> {
    let years = contents.projection.annual.iter();
    let years = years.map(|year| Column::number(texts.say("year", &[("year", &year.year.to_string())])));
    std::iter::once(Column::text(label)).chain(years).collect()
}

fn statement(key: &str, layout: Layout, lines: &[(&str, Sign)], contents: &Contents<'_>, texts: Texts) -> Part {
    let years = contents.projection.annual.iter();
    let periods: Vec<Period> = years.map(|year| Period::Year(year.year)).collect();
    let rows = rows(contents.projection, lines, &periods, texts);
    let heads = heads(texts.get("statement.line"), contents, texts);
    Part {
        title: texts.get(key).to_owned(),
        layout,
        blocks: vec![Block::Table(Table::new(heads, rows))],
    }
}

type Read = fn(&Balance) -> i64;

const ASSETS: &[(&str, Read)] = &[
    ("cash", |sheet| sheet.cash),
    ("receivables", |sheet| sheet.receivables),
    ("inventory", |sheet| sheet.inventory),
    ("prepaid", |sheet| sheet.prepaid),
    ("deposits", |sheet| sheet.deposits),
    ("fixedAssets", |sheet| sheet.fixed_assets),
    ("intangibles", |sheet| sheet.intangibles),
];
const LIABILITIES: &[(&str, Read)] = &[
    ("payables", |sheet| sheet.payables),
    ("taxPayable", |sheet| sheet.tax_payable),
    ("loanBalance", |sheet| sheet.loan),
];
const EQUITY: &[(&str, Read)] = &[
    ("paidIn", |sheet| sheet.paid_in),
    ("earnings", |sheet| sheet.earnings),
    ("draws", |sheet| -sheet.draws),
];

/// Opening day and the ends of the years.
fn balance(contents: &Contents<'_>, texts: Texts) -> Part {
    let ends = contents.projection.annual.iter().map(|year| &year.balance);
    let sheets: Vec<&Balance> = std::iter::once(&contents.projection.opening.balance)
        .chain(ends)
        .collect();
    let figures = |label: String, read: Read| {
        let figures = sheets.iter().map(|sheet| amount(read(sheet)));
        std::iter::once(label).chain(figures).collect::<Vec<_>>()
    };
    let line = |(name, read): &(&str, Read)| Row::line(figures(texts.line(name), *read));
    let total = |name: &str, read: Read| Row::total(figures(texts.line(name), read));
    let group = |key: &str| Row::group(texts.get(key), sheets.len() + 1);
    let mut rows = vec![group("balance.assets")];
    rows.extend(ASSETS.iter().map(line));
    rows.push(total("totalAssets", |sheet| sheet.total_assets));
    rows.push(group("balance.liabilities"));
    rows.extend(LIABILITIES.iter().map(line));
    rows.push(total("totalLiabilities", |sheet| sheet.total_liabilities));
    rows.push(group("balance.equity"));
    rows.extend(EQUITY.iter().map(line));
    rows.push(total("equity", |sheet| sheet.equity));
    let both = figures(texts.get("balance.both").to_owned(), |sheet| {
        sheet.total_liabilities + sheet.equity
    });
    rows.push(Row::total(both));
    let mut heads = heads(texts.get("statement.line"), contents, texts);
    heads.insert(1, Column::number(texts.get("opening")));
    Part {
        title: texts.get("five.balance").to_owned(),
        layout: Layout::Running,
        blocks: vec![Block::Table(Table::new(heads, rows))],
    }
}
