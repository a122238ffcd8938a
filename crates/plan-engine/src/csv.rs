//! The 60 months for a spreadsheet: one header, one line per month, money in dollars with two decimals.
//!
//! Numbers are plain, so that a spreadsheet counts with them. Text that one would take for a formula is made harmless.

use crate::lines::columns;
use plan_model::outputs::Projection;

/// `text/csv` as in RFC 4180: comma, CRLF, US-ASCII.
pub fn monthly(projection: &Projection) -> String {
    let mut out = String::with_capacity(48_000);
    let headings = columns().map(|(_, heading)| heading);
    line(&mut out, ["Month", "Year"].into_iter().chain(headings).map(text));
    for row in &projection.monthly {
        let figures = columns().filter_map(|(line, _)| line.of_month(row)).map(dollars);
        line(
            &mut out,
            [row.month, row.year]
                .map(|number| number.to_string())
                .into_iter()
                .chain(figures),
        );
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

/// Cents as a decimal text, exact.
pub(crate) fn dollars(cents: i64) -> String {
    let sign = if cents < 0 { "-" } else { "" };
    format!("{sign}{}.{:02}", cents.unsigned_abs() / 100, cents.unsigned_abs() % 100)
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
            assert_eq!(line.split(',').count(), 2 + columns().count());
            assert!(line.split(',').all(|cell| cell.parse::<f64>().is_ok()), "{line}");
        }
    }

    #[test]
    fn negative_cents_keep_their_sign() {
        assert_eq!([-5, -123_456, 0].map(dollars), ["-0.05", "-1234.56", "0.00"]);
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
