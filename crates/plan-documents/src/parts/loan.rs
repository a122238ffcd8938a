//! The loan by year.

use super::cover::shown;
use super::statement::{Period, cents};
use crate::contents::Contents;
use crate::figures::{amount, dollars};
use crate::sheets::{Block, Column, Layout, Part, Row, Table};
use crate::texts::Texts;

pub(crate) fn loan(contents: &Contents<'_>, texts: Texts) -> Part {
    let blocks = match contents.projection.opening.loan {
        0 => vec![Block::text(vec![texts.get("loan.none").to_owned()])],
        _ => schedule(contents, texts),
    };
    Part {
        title: texts.get("loan.title").to_owned(),
        layout: Layout::NewPage,
        blocks,
    }
}

fn schedule(contents: &Contents<'_>, texts: Texts) -> Vec<Block> {
    let mut owed = contents.projection.opening.loan;
    let (mut rows, mut sums) = (Vec::new(), [0; 3]);
    for year in &contents.projection.annual {
        let of = |name: &str| cents(contents.projection, name, Period::Year(year.year));
        let paid = [of("interest"), of("principal"), of("interest") + of("principal")];
        let figures = [owed, paid[0], paid[1], paid[2], year.loan_balance].map(amount);
        rows.push(Row::line(
            std::iter::once(year.year.to_string()).chain(figures).collect(),
        ));
        owed = year.loan_balance;
        sums = [0, 1, 2].map(|at| sums[at] + paid[at]);
    }
    let [interest, principal, payments] = sums.map(amount);
    let total = texts.get("total").to_owned();
    rows.push(Row::total(vec![
        total,
        String::new(),
        interest,
        principal,
        payments,
        String::new(),
    ]));
    let mut columns = vec![Column::text(texts.get("loan.year"))];
    let numbers = ["begin", "interest", "principal", "payments", "end"];
    columns.extend(numbers.map(|key| Column::number(texts.get(&format!("loan.{key}")))));
    let slots = [
        ("amount", &*dollars(contents.projection.opening.loan)),
        ("rate", &*shown(contents, "financing.interestRate", texts)),
        ("term", &*shown(contents, "financing.loanTermMonths", texts)),
    ];
    let mut notes = vec![texts.say("loan.note", &slots)];
    if owed > 0 {
        notes.push(texts.say("loan.after", &[("balance", &dollars(owed))]));
    }
    vec![Block::Table(Table::new(columns, rows)), Block::text(notes)]
}
