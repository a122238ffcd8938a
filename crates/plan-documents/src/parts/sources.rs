//! Where the money comes from and where it goes: both sides are equal to the cent.

use crate::contents::Contents;
use crate::figures::{amount, shares};
use crate::sheets::{Block, Column, Layout, Part, Row, Table};
use crate::texts::Texts;
use plan_engine::funding::{Sources, beyond_startup, startup_rows};

pub(crate) fn sources(contents: &Contents<'_>, texts: Texts) -> Part {
    let Sources { loan, owner, extra } = Sources::of(contents.projection);
    let sources = [("sources.loan", loan), ("sources.own", owner), ("sources.extra", extra)];
    let sources = sources.into_iter().filter(|(_, cents)| *cents != 0);
    let sources = sources.map(|(key, cents)| (texts.get(key).to_owned(), cents)).collect();
    let table = |key: &str, rows| Block::Table(side(rows, texts).captioned(texts.get(key)));
    Part {
        title: texts.get("sources.title").to_owned(),
        layout: Layout::NewPage,
        blocks: vec![
            table("sources.sources", sources),
            table("sources.uses", uses(contents, texts)),
        ],
    }
}

/// The startup costs, and what of the sources is beyond them.
fn uses(contents: &Contents<'_>, texts: Texts) -> Vec<(String, i64)> {
    let rows = startup_rows(contents.fields, contents.inputs);
    let mut uses: Vec<(String, i64)> = rows
        .map(|(field, value)| (texts.field(field), value.current_value.to_whole()))
        .filter(|(_, cents)| *cents != 0)
        .collect();
    let beyond = beyond_startup(contents.projection);
    if beyond != 0 {
        uses.push((texts.get("sources.reserve").to_owned(), beyond));
    }
    uses
}

fn side(rows: Vec<(String, i64)>, texts: Texts) -> Table {
    let amounts: Vec<i64> = rows.iter().map(|(_, cents)| *cents).collect();
    let total: i64 = amounts.iter().sum();
    let lines = rows.into_iter().zip(shares(&amounts));
    let lines = lines.map(|((label, cents), share)| Row::line(vec![label, amount(cents), share]));
    let whole = if total > 0 { "100.0%" } else { "–" };
    let all = Row::total(vec![texts.get("total").to_owned(), amount(total), whole.to_owned()]);
    let columns = vec![
        Column::text(""),
        Column::number(texts.get("sources.amount")),
        Column::number(texts.get("sources.share")),
    ];
    Table::new(columns, lines.chain([all]).collect())
}
