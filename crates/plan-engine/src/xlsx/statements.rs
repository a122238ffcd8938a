//! The sheets of months, years and balance sheet. A year is a formula over its months; the lines are those of the catalogue.

use super::layout::{Layout, column_name};
use crate::lines::{FigureLine, When, columns};
use plan_model::number::Number;
use plan_model::outputs::AnnualRow;
use rust_xlsxwriter::{Formula, Worksheet, XlsxError};

/// A coverage: its name in both languages, what is paid from (the first less the others), the engine's own figure.
type Coverage = (
    (&'static str, &'static str),
    &'static [&'static str],
    fn(&AnnualRow) -> Option<Number>,
);

const COVERAGES: [Coverage; 2] = [
    (
        ("Loan coverage (DSCR)", "Cobertura del préstamo (DSCR)"),
        &["ebitda"],
        |year| year.dscr,
    ),
    (
        ("Loan coverage after the owner", "Cobertura después del dueño"),
        &["ebitda", "ownerDraw", "taxesPaid"],
        |year| year.dscr_after_owner,
    ),
];

/// Profit and loss and cash flow of the five years, and the two coverages.
pub(super) fn years(sheet: &mut Worksheet, layout: &Layout<'_>) -> Result<(), XlsxError> {
    let annual = &layout.book.projection.annual;
    layout.set_up(sheet, layout.pick("Years", "Años"), 0)?;
    sheet.set_column_width(0, 36)?.set_column_range_width(1, 5, 16)?;
    sheet.write_string_with_format(0, 0, layout.pick("Year", "Año"), &layout.head)?;
    for (column, year) in (1_u16..).zip(annual) {
        sheet.write_number_with_format(0, column, year.year, &layout.head)?;
    }
    let mut row = 1;
    for line in of_years() {
        write_line(sheet, layout, (row, 1), line)?;
        row += 1;
    }
    for ((english, spanish), earnings, read) in COVERAGES {
        sheet.write_string(row, 0, layout.pick(english, spanish))?;
        for (column, year) in (1_u16..).zip(annual) {
            // A text for none: an empty result is kept as 0, and LibreOffice computes another.
            let result = read(year).map_or_else(|| "–".to_owned(), |dscr| dscr.to_string());
            let formula = Formula::new(coverage(column, earnings)).set_result(result);
            sheet.write_formula_with_format(row, column, formula, &layout.multiple)?;
        }
        row += 1;
    }
    layout.stand(sheet, row + 1)?;
    sheet.set_freeze_panes(1, 1)?;
    Ok(())
}

/// Opening day and the ends of the five years.
pub(super) fn balance_sheet(sheet: &mut Worksheet, layout: &Layout<'_>) -> Result<(), XlsxError> {
    let projection = layout.book.projection;
    layout.set_up(sheet, layout.pick("Balance sheet", "Balance general"), 0)?;
    sheet.set_column_width(0, 36)?.set_column_range_width(1, 6, 16)?;
    let heads = [
        layout.pick("End of year", "Fin del año"),
        layout.pick("Opening", "Apertura"),
    ];
    layout.heads(sheet, 0, &heads)?;
    for (column, year) in (2_u16..).zip(&projection.annual) {
        sheet.write_number_with_format(0, column, year.year, &layout.head)?;
    }
    let mut row = 1;
    for line in columns() {
        if let Some(cents) = line.of_balance(&projection.opening.balance) {
            layout.cents(sheet, row, 1, cents)?;
            write_line(sheet, layout, (row, 2), line)?;
            row += 1;
        }
    }
    layout.stand(sheet, row + 1)?;
    sheet.set_freeze_panes(1, 1)?;
    Ok(())
}

/// The sixty months with every line.
pub(super) fn months(sheet: &mut Worksheet, layout: &Layout<'_>) -> Result<(), XlsxError> {
    let (book, before) = (layout.book, layout.before());
    layout.set_up(sheet, layout.months(), 0)?;
    let last = u16::try_from(columns().count()).unwrap_or_default() + before;
    sheet.set_column_range_width(before, last, 14)?;
    let heads = [layout.pick("Month", "Mes"), layout.pick("Year", "Año")];
    let date = book.opening.map(|_| layout.pick("Date", "Fecha"));
    let headings = columns().map(|line| book.labels.heading(line));
    let heads: Vec<_> = heads.into_iter().chain(date).chain(headings).collect();
    layout.heads(sheet, 0, &heads)?;
    for (row, month) in (1_u32..).zip(&book.projection.monthly) {
        sheet
            .write_number(row, 0, month.month)?
            .write_number(row, 1, month.year)?;
        if let Some(opening) = book.opening {
            sheet.write_string(row, 2, opening.of_plan(month.month).to_string())?;
        }
        for (column, line) in (before..).zip(columns()) {
            layout.cents(sheet, row, column, line.of_month(month).unwrap_or_default())?;
        }
    }
    sheet.set_freeze_panes(1, before)?;
    Ok(())
}

/// What moves within a year, and cash at its beginning and end.
fn of_years() -> impl Iterator<Item = &'static FigureLine> {
    columns().filter(|line| line.is_flow() || line.is_start() || line.name == "cash")
}

/// The name of a line in the first column, and its five years from a column on.
fn write_line(
    sheet: &mut Worksheet,
    layout: &Layout<'_>,
    (row, first): (u32, u16),
    line: &FigureLine,
) -> Result<(), XlsxError> {
    let projection = layout.book.projection;
    sheet.write_string(row, 0, layout.book.labels.heading(line))?;
    for (column, year) in (first..).zip(&projection.annual) {
        let value = line.value(projection, When::Year(year.year));
        let cents = value.map_or(0, Number::to_whole);
        let formula = layout.over_months(line, year.year);
        layout.amount(sheet, (row, column), &formula, cents, &layout.money)?;
    }
    Ok(())
}

/// Earnings per loan payments of a column of the sheet of years, empty in a year without payments.
fn coverage(column: u16, earnings: &[&str]) -> String {
    let letter = column_name(column);
    let cell = |name: &str| {
        let at = of_years().position(|line| line.name == name).unwrap_or_default();
        format!("{letter}{}", 2 + at)
    };
    let payments = format!("({}+{})", cell("principal"), cell("interest"));
    let earned: Vec<_> = earnings.iter().map(|name| cell(name)).collect();
    format!("=IF({payments}=0,\"–\",ROUND(({})/{payments},2))", earned.join("-"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn coverage_is_of_the_lines_that_it_names() {
        let names: Vec<_> = of_years().map(|line| line.name).collect();
        let cell = |name: &str| format!("B{}", 2 + names.iter().position(|one| *one == name).expect(name));
        let [earned, draws, taxes] = ["ebitda", "ownerDraw", "taxesPaid"].map(cell);
        let payments = format!("({}+{})", cell("principal"), cell("interest"));
        assert_eq!(
            coverage(1, COVERAGES[1].1),
            format!("=IF({payments}=0,\"–\",ROUND(({earned}-{draws}-{taxes})/{payments},2))")
        );
    }
}
