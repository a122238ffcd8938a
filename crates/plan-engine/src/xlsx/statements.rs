//! The sheets of years, balance sheet and months. A year is a formula over its months; the lines are those of the catalogue.

use super::{Formats, STANDING, dollars};
use crate::csv::dollars as written;
use crate::lines::{FigureLine, When, columns};
use plan_model::number::Number;
use plan_model::outputs::{AnnualRow, MonthRow, Projection};
use rust_xlsxwriter::{Formula, Worksheet, XlsxError};

const MONTHS: &str = "Months";
const MONTHS_PER_YEAR: u32 = 12;

/// Columns of the sheet of months before the first line: month and year.
const BEFORE: u16 = 2;

/// A coverage: its name, what is paid from (the first less the others), the engine's own figure.
type Coverage = (&'static str, &'static [&'static str], fn(&AnnualRow) -> Option<Number>);

const COVERAGES: [Coverage; 2] = [
    ("Loan coverage (DSCR)", &["Operating profit (EBITDA)"], |year| year.dscr),
    (
        "Loan coverage after the owner",
        &["Operating profit (EBITDA)", "Owner draw", "Taxes paid"],
        |year| year.dscr_after_owner,
    ),
];

/// Profit and loss and cash flow of the five years, and the two coverages.
pub(super) fn years(sheet: &mut Worksheet, projection: &Projection, formats: &Formats) -> Result<(), XlsxError> {
    sheet.set_name("Years")?;
    sheet.set_column_width(0, 32)?.set_column_range_width(1, 5, 16)?;
    sheet.write_string_with_format(0, 0, "Year", &formats.head)?;
    for (column, year) in (1_u16..).zip(&projection.annual) {
        sheet.write_number_with_format(0, column, year.year, &formats.head)?;
    }
    let mut row = 1;
    for (line, heading) in of_years() {
        write_line(sheet, (row, 1), line, heading, projection, formats)?;
        row += 1;
    }
    for (name, earnings, read) in COVERAGES {
        sheet.write_string(row, 0, name)?;
        for (column, year) in (1_u16..).zip(&projection.annual) {
            let result = read(year).map(|dscr| dscr.to_string()).unwrap_or_default();
            let formula = Formula::new(coverage(column, earnings)).set_result(result);
            sheet.write_formula_with_format(row, column, formula, &formats.multiple)?;
        }
        row += 1;
    }
    sheet.write_string_with_format(row + 1, 0, STANDING, &formats.note)?;
    sheet.set_freeze_panes(1, 1)?;
    Ok(())
}

/// Opening day and the ends of the five years.
pub(super) fn balance_sheet(
    sheet: &mut Worksheet,
    projection: &Projection,
    formats: &Formats,
) -> Result<(), XlsxError> {
    sheet.set_name("Balance sheet")?;
    sheet.set_column_width(0, 32)?.set_column_range_width(1, 6, 16)?;
    sheet.write_string_with_format(0, 0, "End of year", &formats.head)?;
    sheet.write_string_with_format(0, 1, "Opening", &formats.head)?;
    for (column, year) in (2_u16..).zip(&projection.annual) {
        sheet.write_number_with_format(0, column, year.year, &formats.head)?;
    }
    let mut row = 1;
    for (line, heading) in columns() {
        if let Some(cents) = line.of_balance(&projection.opening.balance) {
            sheet.write_number_with_format(row, 1, dollars(cents), &formats.money)?;
            write_line(sheet, (row, 2), line, heading, projection, formats)?;
            row += 1;
        }
    }
    sheet.write_string_with_format(row + 1, 0, STANDING, &formats.note)?;
    sheet.set_freeze_panes(1, 1)?;
    Ok(())
}

/// The sixty months with every line.
pub(super) fn months(sheet: &mut Worksheet, monthly: &[MonthRow], formats: &Formats) -> Result<(), XlsxError> {
    sheet.set_name(MONTHS)?;
    let last = u16::try_from(columns().count()).unwrap_or_default() + BEFORE;
    sheet.set_column_range_width(BEFORE, last, 14)?;
    let headings = columns().map(|(_, heading)| heading);
    for (column, name) in (0_u16..).zip(["Month", "Year"].into_iter().chain(headings)) {
        sheet.write_string_with_format(0, column, name, &formats.head)?;
    }
    for (row, month) in (1_u32..).zip(monthly) {
        sheet
            .write_number(row, 0, month.month)?
            .write_number(row, 1, month.year)?;
        for (column, (line, _)) in (BEFORE..).zip(columns()) {
            let cents = line.of_month(month).unwrap_or_default();
            sheet.write_number_with_format(row, column, dollars(cents), &formats.money)?;
        }
    }
    sheet.set_freeze_panes(1, 2)?;
    Ok(())
}

/// What moves within a year, and cash at its beginning and end.
fn of_years() -> impl Iterator<Item = (&'static FigureLine, &'static str)> {
    columns().filter(|(line, _)| line.is_flow() || line.is_start() || line.name == "cash")
}

/// The name of a line in the first column, and its five years from a column on.
fn write_line(
    sheet: &mut Worksheet,
    (row, first): (u32, u16),
    line: &FigureLine,
    heading: &str,
    projection: &Projection,
    formats: &Formats,
) -> Result<(), XlsxError> {
    sheet.write_string(row, 0, heading)?;
    for (column, year) in (first..).zip(&projection.annual) {
        let value = line.value(projection, When::Year(year.year));
        let result = written(value.map_or(0, Number::to_whole));
        let formula = Formula::new(over_months(line, year.year)).set_result(result);
        sheet.write_formula_with_format(row, column, formula, &formats.money)?;
    }
    Ok(())
}

/// The formula of a year over its rows of the sheet of months.
fn over_months(line: &FigureLine, year: u32) -> String {
    let at = columns().position(|(column, _)| column.name == line.name);
    let letter = column_name(u16::try_from(at.unwrap_or_default()).unwrap_or_default() + BEFORE);
    let (first, last) = (2 + (year - 1) * MONTHS_PER_YEAR, 1 + year * MONTHS_PER_YEAR);
    if line.is_flow() {
        format!("=SUM({MONTHS}!{letter}{first}:{letter}{last})")
    } else {
        let row = if line.is_start() { first } else { last };
        format!("={MONTHS}!{letter}{row}")
    }
}

/// Earnings per loan payments of a column of the sheet of years, empty in a year without payments.
fn coverage(column: u16, earnings: &[&str]) -> String {
    let letter = column_name(column);
    let cell = |name: &str| {
        let at = of_years().position(|(_, heading)| heading == name).unwrap_or_default();
        format!("{letter}{}", 2 + at)
    };
    let payments = format!("({}+{})", cell("Loan principal"), cell("Interest"));
    let earned: Vec<_> = earnings.iter().map(|name| cell(name)).collect();
    format!("=IF({payments}=0,\"\",ROUND(({})/{payments},2))", earned.join("-"))
}

/// `A`, `Z`, `AA`.
fn column_name(column: u16) -> String {
    let letter = |index: u16| char::from(b'A' + u8::try_from(index).unwrap_or_default());
    match column.checked_sub(26) {
        None => letter(column).to_string(),
        Some(rest) => format!("{}{}", letter(rest / 26), letter(rest % 26)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lines::find;

    fn formula(name: &str, year: u32) -> String {
        over_months(find(name).expect("a line"), year)
    }

    #[test]
    fn formulas_name_the_rows_of_their_year() {
        assert_eq!(formula("sales", 1), "=SUM(Months!C2:C13)");
        assert_eq!(formula("sales", 5), "=SUM(Months!C50:C61)");
        assert_eq!(formula("beginningCash", 2), "=Months!AR14");
        assert_eq!(formula("cash", 2), "=Months!AS25");
        assert_eq!(
            (column_name(25), column_name(26), column_name(41)),
            ("Z".into(), "AA".into(), "AP".into())
        );
    }

    #[test]
    fn coverage_is_of_the_lines_that_it_names() {
        let names: Vec<_> = of_years().map(|(_, heading)| heading).collect();
        let cell = |name: &str| format!("B{}", 2 + names.iter().position(|one| *one == name).expect(name));
        let [earned, draws, taxes] = ["Operating profit (EBITDA)", "Owner draw", "Taxes paid"].map(cell);
        let payments = format!("({}+{})", cell("Loan principal"), cell("Interest"));
        assert_eq!(
            coverage(1, COVERAGES[1].1),
            format!("=IF({payments}=0,\"\",ROUND(({earned}-{draws}-{taxes})/{payments},2))")
        );
    }
}
