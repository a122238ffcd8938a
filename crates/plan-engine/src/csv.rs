//! The 60 months for a spreadsheet: one header, one line per month, money in dollars with two decimals.
//!
//! Numbers are plain, so that a spreadsheet counts with them. Text that one would take for a formula is made harmless.

use super::columns::{COLUMNS, Cell};
use plan_model::outputs::{MonthRow, Projection};
use std::fmt::Write;

/// `text/csv` as in RFC 4180: comma, CRLF, US-ASCII.
pub fn monthly(projection: &Projection) -> String {
    let mut out = String::with_capacity(32_000);
    line(&mut out, COLUMNS.iter().map(|(name, _)| text(name)));
    for row in &projection.monthly {
        line(&mut out, COLUMNS.iter().map(|(_, cell)| number(cell, row)));
    }
    out
}

fn line(out: &mut String, cells: impl Iterator<Item = String>) {
    for (index, cell) in cells.enumerate() {
        if index > 0 {
            out.push(',');
        }
        out.push_str(&cell);
    }
    out.push_str("\r\n");
}

fn number(cell: &Cell, row: &MonthRow) -> String {
    let mut out = String::with_capacity(12);
    // Writing to a string cannot fail.
    let _ = match cell {
        Cell::Count(count) => write!(out, "{}", count(row)),
        Cell::Money(cents) => {
            let cents = cents(row);
            let sign = if cents < 0 { "-" } else { "" };
            write!(
                out,
                "{sign}{}.{:02}",
                cents.unsigned_abs() / 100,
                cents.unsigned_abs() % 100
            )
        }
    };
    out
}

/// A text cell: an apostrophe before what a spreadsheet would run as a formula, quotes around what holds separators.
fn text(words: &str) -> String {
    let formula = words.starts_with(['=', '+', '-', '@', '\t', '\r', '\n']);
    let safe = if formula { format!("'{words}") } else { words.to_owned() };
    if safe.contains([',', '"', '\r', '\n']) {
        format!("\"{}\"", safe.replace('"', "\"\""))
    } else {
        safe
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::project;
    use plan_model::brand::Brand;
    use plan_model::inputs::FinancialInputs;

    #[test]
    fn a_header_and_60_months_of_plain_numbers() {
        let brand = Brand::demo();
        let csv = monthly(&project(&FinancialInputs::from_brand(&brand), &brand));
        let lines: Vec<_> = csv.split_terminator("\r\n").collect();
        assert_eq!(lines.len(), 61);
        assert!(lines[0].starts_with("Month,Year,Sales,Cost of goods sold,"));
        assert!(
            lines[1].starts_with("1,1,20300.00,1624.00,1218.00,406.00,17052.00,"),
            "{}",
            lines[1]
        );
        assert!(lines[60].starts_with("60,5,65709.90,"), "{}", lines[60]);
        for line in &lines[1..] {
            assert_eq!(line.split(',').count(), COLUMNS.len());
            assert!(line.split(',').all(|cell| cell.parse::<f64>().is_ok()), "{line}");
        }
    }

    #[test]
    fn every_figure_of_a_month_has_its_column() {
        let row = serde_json::to_value(MonthRow::default()).expect("a row is JSON");
        assert_eq!(row.as_object().map(serde_json::Map::len), Some(COLUMNS.len()));
        let names: std::collections::HashSet<_> = COLUMNS.iter().map(|(name, _)| name).collect();
        assert_eq!(names.len(), COLUMNS.len());
    }

    #[test]
    fn negative_cents_keep_their_sign() {
        let row = MonthRow {
            ebitda: -5,
            net_income: -123_456,
            ..MonthRow::default()
        };
        assert_eq!(number(&Cell::Money(|row| row.ebitda), &row), "-0.05");
        assert_eq!(number(&Cell::Money(|row| row.net_income), &row), "-1234.56");
    }

    #[test]
    fn text_is_never_a_formula() {
        let cells = ["=1+1", "+1", "-1", "@x", "\tx", "a,b", "say \"x\"", "plain"].map(text);
        assert_eq!(
            cells,
            [
                "'=1+1",
                "'+1",
                "'-1",
                "'@x",
                "'\tx",
                "\"a,b\"",
                "\"say \"\"x\"\"\"",
                "plain"
            ]
        );
    }
}
