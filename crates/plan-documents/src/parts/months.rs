//! Year 1 by month, years 2 to 5 by quarter, on sheets that lie on their side.

use super::statement::{CASH, OPERATING, Period, rows};
use crate::contents::Contents;
use crate::figures::{dollars, month_head};
use crate::sheets::{Block, Column, Layout, Part, Table};
use crate::texts::Texts;

pub(crate) fn months(contents: &Contents<'_>, texts: Texts) -> Vec<Part> {
    let cash = dollars(contents.projection.metrics.opening_cash);
    let note = texts.say("months.note", &[("cash", &cash)]);
    let first = Part {
        title: texts.get("months.title").to_owned(),
        layout: Layout::Wide,
        blocks: vec![Block::Table(first_year(contents, texts)), Block::text(vec![note])],
    };
    let quarters = Part {
        title: texts.get("quarters.title").to_owned(),
        layout: Layout::Wide,
        blocks: [2, 4]
            .map(|year| Block::Table(quarters(contents, year, texts)))
            .to_vec(),
    };
    vec![first, quarters]
}

fn first_year(contents: &Contents<'_>, texts: Texts) -> Table {
    let periods: Vec<Period> = (1..=12).map(Period::Month).chain([Period::Year(1)]).collect();
    let heads = (1..=12).map(|month| Column::number(month_head(month, contents.opening_month, texts)));
    table(contents, &periods, heads.chain([year_head(1, texts)]), texts)
}

/// Two years, each with its sum.
fn quarters(contents: &Contents<'_>, first: u32, texts: Texts) -> Table {
    let (mut periods, mut heads) = (Vec::new(), Vec::new());
    for year in [first, first + 1] {
        for quarter in 1..=4 {
            periods.push(Period::Quarter(year, quarter));
            let slots = [("year", &*year.to_string()), ("quarter", &*quarter.to_string())];
            heads.push(Column::number(texts.say("quarter", &slots)));
        }
        periods.push(Period::Year(year));
        heads.push(year_head(year, texts));
    }
    let slots = [("first", &*first.to_string()), ("second", &*(first + 1).to_string())];
    table(contents, &periods, heads.into_iter(), texts).captioned(texts.say("quarters.years", &slots))
}

fn year_head(year: u32, texts: Texts) -> Column {
    Column::number(texts.say("year", &[("year", &year.to_string())]))
}

/// From sales to cash at the end.
fn table(contents: &Contents<'_>, periods: &[Period], heads: impl Iterator<Item = Column>, texts: Texts) -> Table {
    let lines: Vec<_> = OPERATING.iter().chain(CASH).copied().collect();
    let heads = std::iter::once(Column::text(texts.get("statement.line"))).chain(heads);
    Table::wide(heads.collect(), rows(contents.projection, &lines, periods, texts))
}
