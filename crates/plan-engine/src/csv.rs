//! The 60 months for a spreadsheet: one header, one line per month, money in dollars with two decimals.
//!
//! Numbers are plain, so that a spreadsheet counts with them. Text that one would take for a formula is made harmless.

use crate::labels::Labels;
use crate::lines::columns;
use plan_model::month::CalendarMonth;
use plan_model::outputs::Projection;

/// `text/csv` as in RFC 4180: comma, CRLF. Where a heading is not ASCII, a byte order mark says that it is UTF-8, because
/// spreadsheets take it for something else. With the opening month each line has its month of the calendar.
pub fn monthly(projection: &Projection, opening: Option<CalendarMonth>, labels: &Labels) -> String {
    let mut out = String::with_capacity(48_000);
    let before = [labels.pick("Month", "Mes"), labels.pick("Year", "Año")];
    let date = opening.map(|_| labels.pick("Date", "Fecha"));
    let headings = before
        .into_iter()
        .chain(date)
        .chain(columns().map(|line| labels.heading(line)));
    line(&mut out, headings.map(text));
    if !out.is_ascii() {
        out.insert(0, '\u{FEFF}');
    }
    for row in &projection.monthly {
        let date = opening.map(|month| month.of_plan(row.month).to_string());
        let figures = columns().filter_map(|line| line.of_month(row)).map(dollars);
        let before = [row.month, row.year].map(|number| number.to_string());
        line(&mut out, before.into_iter().chain(date).chain(figures));
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
    use plan_model::language::Language;

    #[test]
    fn a_header_and_60_months_of_plain_numbers() {
        let brand = Brand::demo();
        let csv = monthly(
            &project(&FinancialInputs::from_brand(&brand), &brand),
            None,
            &Labels::ENGLISH,
        );
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
    fn dates_and_headings_follow_the_plan_and_the_reader() {
        let brand = Brand::demo();
        let spanish = Labels {
            language: Language::Spanish,
            ..Labels::ENGLISH
        };
        let opening = "2027-03".parse().ok();
        let csv = monthly(
            &project(&FinancialInputs::from_brand(&brand), &brand),
            opening,
            &spanish,
        );
        let lines: Vec<_> = csv.split_terminator("\r\n").collect();
        assert!(
            lines[0].starts_with("\u{FEFF}Mes,Año,Fecha,Ventas,Costo de lo vendido,"),
            "{}",
            lines[0]
        );
        assert!(lines[1].starts_with("1,1,2027-03,20300.00,"), "{}", lines[1]);
        assert!(lines[60].starts_with("60,5,2032-02,65709.90,"), "{}", lines[60]);
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
