//! Startup costs beside the ranges that the franchisor discloses.

use crate::contents::Contents;
use crate::figures::amount;
use crate::sheets::{Block, Column, Layout, Part, Row, Table};
use crate::texts::Texts;
use plan_engine::funding::startup_rows;
use plan_model::field::Bounds;
use plan_model::outputs::Item7Position;

pub(crate) fn startup(contents: &Contents<'_>, texts: Texts) -> Part {
    let costs = || startup_rows(contents.fields, contents.inputs);
    let is_disclosed = costs().any(|(_, value)| value.item7().is_some());
    let rows = costs().map(|(field, value)| {
        let cents = value.current_value.to_whole();
        let [low, high, mark] = beside(value.item7(), cents, texts);
        Row::line(vec![texts.field(field), low, high, amount(cents), mark])
    });
    let mut rows: Vec<Row> = rows.collect();
    rows.extend(totals(contents, is_disclosed, texts));
    let mut columns = vec![Column::text(texts.get("startup.cost"))];
    columns.extend(["low", "high", "plan"].map(|key| Column::number(texts.get(&format!("startup.{key}")))));
    columns.push(Column::number(texts.get("startup.mark")));
    if !is_disclosed {
        let shown = [0, 3];
        columns = shown.map(|at| columns[at].clone()).to_vec();
        for row in &mut rows {
            row.cells = shown.map(|at| row.cells[at].clone()).to_vec();
        }
    }
    let note = match is_disclosed {
        true => "startup.note",
        false => "startup.undisclosed",
    };
    Part {
        title: texts.get("startup.title").to_owned(),
        layout: Layout::Running,
        blocks: vec![
            Block::Table(Table::new(columns, rows)),
            Block::text(vec![texts.get(note).to_owned()]),
        ],
    }
}

fn beside(range: Option<Bounds>, cents: i64, texts: Texts) -> [String; 3] {
    let Some(range) = range else {
        return ["–".to_owned(), "–".to_owned(), String::new()];
    };
    let (low, high) = (range.low.to_whole(), range.high.to_whole());
    [
        amount(low),
        amount(high),
        mark(Item7Position::of(cents, low, high), texts),
    ]
}

fn mark(position: Item7Position, texts: Texts) -> String {
    let key = match position {
        Item7Position::Below => "startup.below",
        Item7Position::Within => "startup.within",
        Item7Position::Above => "startup.above",
    };
    texts.get(key).to_owned()
}

/// Of the rows that have a range, and of all.
fn totals(contents: &Contents<'_>, is_disclosed: bool, texts: Texts) -> Vec<Row> {
    let item7 = &contents.projection.item7;
    let disclosed = Row::total(vec![
        texts.get("startup.disclosed").to_owned(),
        amount(item7.low),
        amount(item7.high),
        amount(item7.plan_total),
        mark(item7.position, texts),
    ]);
    let all = Row::total(vec![
        texts.get("startup.all").to_owned(),
        String::new(),
        String::new(),
        amount(contents.projection.metrics.total_investment),
        String::new(),
    ]);
    let disclosed = is_disclosed.then_some(disclosed);
    disclosed.into_iter().chain([all]).collect()
}
