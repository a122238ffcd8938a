//! A projection as a workbook: results, assumptions, five years, sixty months. The years are formulas over the months, each
//! with its computed value, so that a reader without a calculation engine shows the same figures.
//!
//! Every text is written as text: nothing anybody typed can become a formula.

use crate::columns::{COLUMNS, Cell};
use plan_model::field::{Field, Kind};
use plan_model::inputs::{FinancialInputs, Source};
use plan_model::metrics::{METRICS, MetricKind};
use plan_model::number::Number;
use plan_model::outputs::{AnnualRow, MonthRow, Projection};
use rust_xlsxwriter::{DocProperties, ExcelDateTime, Format, Formula, Workbook, Worksheet, XlsxError};
use time::OffsetDateTime;

/// Stands on every sheet that holds figures.
const STANDING: &str = "These projections are yours, based on your assumptions. They are not a statement by the franchisor \
    and actual results will differ.";

const MONTHS: &str = "Months";
const MONTHS_PER_YEAR: u32 = 12;

/// How a year follows from its months.
#[derive(Clone, Copy)]
enum Over {
    Sum,
    /// The balance at the end of the year.
    Last,
}

/// A line of the five years: its column among the months, and the engine's own figure.
type Line = (&'static str, Over, fn(&AnnualRow) -> i64);

const YEARS: [Line; 25] = [
    ("Sales", Over::Sum, |row| row.revenue),
    ("Cost of goods sold", Over::Sum, |row| row.materials),
    ("Royalty", Over::Sum, |row| row.royalty),
    ("Ad fund", Over::Sum, |row| row.ad_fund),
    ("Gross profit", Over::Sum, |row| row.gross_profit),
    ("Direct labor", Over::Sum, |row| row.direct_labor),
    ("Contribution", Over::Sum, |row| row.contribution),
    ("Operating expenses", Over::Sum, |row| row.operating_expenses),
    ("Startup expense", Over::Sum, |row| row.startup_expense),
    ("EBITDA with startup expense", Over::Sum, |row| row.ebitda),
    ("Operating profit (EBITDA)", Over::Sum, |row| row.operating_ebitda),
    ("Depreciation", Over::Sum, |row| row.depreciation),
    ("Amortization", Over::Sum, |row| row.amortization),
    ("Interest", Over::Sum, |row| row.interest),
    ("Pre-tax income", Over::Sum, |row| row.pre_tax_income),
    ("Income tax", Over::Sum, |row| row.tax),
    ("Net income", Over::Sum, |row| row.net_income),
    ("Operating cash flow", Over::Sum, |row| row.operating_cash_flow),
    ("Loan principal", Over::Sum, |row| row.principal),
    ("Owner draw", Over::Sum, |row| row.owner_draw),
    ("Net cash flow", Over::Sum, |row| row.net_cash_flow),
    ("Ending cash", Over::Last, |row| row.ending_cash),
    ("Loan balance", Over::Last, |row| row.loan_balance),
    ("Total assets", Over::Last, |row| row.total_assets),
    ("Equity", Over::Last, |row| row.equity),
];

/// What the workbook is made of.
pub struct Book<'a> {
    /// The plan's name.
    pub plan: &'a str,
    /// The fields of its brand.
    pub fields: &'a [Field],
    /// Its values.
    pub inputs: &'a FinancialInputs,
    /// Its projection.
    pub projection: &'a Projection,
    /// When the plan changed last; the same plan makes the same file.
    pub as_of: OffsetDateTime,
}

struct Formats {
    title: Format,
    head: Format,
    money: Format,
    percent: Format,
    multiple: Format,
    note: Format,
}

impl Formats {
    fn new() -> Self {
        let numbers = |pattern: &str| Format::new().set_num_format(pattern);
        Self {
            title: Format::new().set_bold().set_font_size(14.0),
            head: Format::new().set_bold().set_text_wrap(),
            money: numbers("$#,##0.00;[Red]-$#,##0.00"),
            percent: numbers("0.00%"),
            multiple: numbers("0.00"),
            note: Format::new().set_italic(),
        }
    }
}

/// The workbook's bytes.
///
/// # Errors
/// Where the writer refuses; no figure of a plan is beyond what it takes.
pub fn workbook(book: &Book<'_>) -> Result<Vec<u8>, XlsxError> {
    let formats = Formats::new();
    let mut file = Workbook::new();
    let at = ExcelDateTime::from_timestamp(book.as_of.unix_timestamp())?;
    file.set_properties(&DocProperties::new().set_title(book.plan).set_creation_datetime(&at));
    results(file.add_worksheet(), book, &formats)?;
    assumptions(file.add_worksheet(), book, &formats)?;
    years(file.add_worksheet(), book.projection, &formats)?;
    months(file.add_worksheet(), &book.projection.monthly, &formats)?;
    file.save_to_buffer()
}

fn results(sheet: &mut Worksheet, book: &Book<'_>, formats: &Formats) -> Result<(), XlsxError> {
    sheet.set_name("Results")?;
    sheet
        .set_column_width(0, 38)?
        .set_column_width(1, 18)?
        .set_column_width(2, 90)?;
    sheet.write_string_with_format(0, 0, book.plan, &formats.title)?;
    sheet.write_string_with_format(1, 0, STANDING, &formats.note)?;
    for (row, metric) in (3_u32..).zip(METRICS) {
        sheet.write_string(row, 0, metric.label)?;
        sheet.write_string(row, 2, metric.help)?;
        match ((metric.value)(&book.projection.metrics), metric.kind) {
            (None, _) => sheet.write_string(row, 1, "none")?,
            (Some(value), MetricKind::Money) => {
                sheet.write_number_with_format(row, 1, dollars(value.to_whole()), &formats.money)?
            }
            (Some(value), MetricKind::Percent) => {
                sheet.write_number_with_format(row, 1, plain(value), &formats.percent)?
            }
            (Some(value), MetricKind::Multiple) => {
                sheet.write_number_with_format(row, 1, plain(value), &formats.multiple)?
            }
            (Some(value), MetricKind::Month | MetricKind::Count) => sheet.write_number(row, 1, plain(value))?,
        };
    }
    Ok(())
}

fn assumptions(sheet: &mut Worksheet, book: &Book<'_>, formats: &Formats) -> Result<(), XlsxError> {
    sheet.set_name("Assumptions")?;
    sheet
        .set_column_width(0, 44)?
        .set_column_width(1, 16)?
        .set_column_width(2, 10)?;
    sheet.set_column_width(3, 26)?.set_column_width(4, 16)?;
    for (column, words) in (0_u16..).zip(["Assumption", "Value", "Unit", "Source", "Brand default"]) {
        sheet.write_string_with_format(0, column, words, &formats.head)?;
    }
    let held = book
        .fields
        .iter()
        .filter_map(|field| Some((field, book.inputs.get(field.path.as_str())?)));
    for (row, (field, value)) in (1_u32..).zip(held) {
        sheet.write_string(row, 0, field.label.as_ref())?;
        input(sheet, (row, 1), field.kind, value.current_value, formats)?;
        sheet.write_string(row, 2, unit(field.kind))?;
        sheet.write_string(row, 3, source(&value.source))?;
        input(sheet, (row, 4), field.kind, value.brand_default, formats)?;
    }
    sheet.set_freeze_panes(1, 1)?;
    Ok(())
}

fn input(
    sheet: &mut Worksheet,
    (row, column): (u32, u16),
    kind: Kind,
    value: Number,
    formats: &Formats,
) -> Result<(), XlsxError> {
    match kind {
        Kind::Money => sheet.write_number_with_format(row, column, dollars(value.to_whole()), &formats.money)?,
        Kind::Percent => sheet.write_number_with_format(row, column, plain(value), &formats.percent)?,
        _ => sheet.write_number(row, column, plain(value))?,
    };
    Ok(())
}

const fn unit(kind: Kind) -> &'static str {
    match kind {
        Kind::Money => "$",
        Kind::Percent => "%",
        Kind::Count => "",
        Kind::Months => "months",
        Kind::Days => "days",
        Kind::Years => "years",
        Kind::Multiple => "×",
    }
}

fn source(source: &Source) -> String {
    match source {
        Source::BrandDefault => "Brand default".to_owned(),
        Source::UserEntry => "Entered by the owner".to_owned(),
        Source::AiPopulated => "From the conversation".to_owned(),
        Source::Admin(name) => format!("Support: {name}"),
        Source::Other(text) => text.to_string(),
    }
}

fn years(sheet: &mut Worksheet, projection: &Projection, formats: &Formats) -> Result<(), XlsxError> {
    sheet.set_name("Years")?;
    sheet.set_column_width(0, 32)?.set_column_range_width(1, 5, 16)?;
    sheet.write_string_with_format(0, 0, "Year", &formats.head)?;
    for (column, year) in (1_u16..).zip(&projection.annual) {
        sheet.write_number_with_format(0, column, year.year, &formats.head)?;
        for (row, (name, over, value)) in (1_u32..).zip(YEARS) {
            let formula = Formula::new(over_months(name, over, year.year)).set_result(written(value(year)));
            sheet.write_formula_with_format(row, column, formula, &formats.money)?;
        }
        let letter = column_name(column);
        let cell = |name| format!("{letter}{}", 2 + line_of(name));
        let payments = format!("({}+{})", cell("Loan principal"), cell("Interest"));
        let formula = format!(
            "=IF({payments}=0,\"\",ROUND({}/{payments},2))",
            cell("Operating profit (EBITDA)")
        );
        let result = year.dscr.map(|dscr| dscr.to_string()).unwrap_or_default();
        let row = 1 + u32::try_from(YEARS.len()).unwrap_or_default();
        sheet.write_formula_with_format(row, column, Formula::new(formula).set_result(result), &formats.multiple)?;
    }
    for (row, (name, ..)) in (1_u32..).zip(YEARS) {
        sheet.write_string(row, 0, name)?;
    }
    let last = 1 + u32::try_from(YEARS.len()).unwrap_or_default();
    sheet.write_string(last, 0, "Loan coverage (DSCR)")?;
    sheet.write_string_with_format(last + 2, 0, STANDING, &formats.note)?;
    sheet.set_freeze_panes(1, 1)?;
    Ok(())
}

/// The formula of a year over its rows of the sheet of months.
fn over_months(name: &str, over: Over, year: u32) -> String {
    let column = COLUMNS
        .iter()
        .position(|(column, _)| *column == name)
        .unwrap_or_default();
    let letter = column_name(u16::try_from(column).unwrap_or_default());
    let (first, last) = (2 + (year - 1) * MONTHS_PER_YEAR, 1 + year * MONTHS_PER_YEAR);
    match over {
        Over::Sum => format!("=SUM({MONTHS}!{letter}{first}:{letter}{last})"),
        Over::Last => format!("={MONTHS}!{letter}{last}"),
    }
}

fn line_of(name: &str) -> usize {
    YEARS.iter().position(|(line, ..)| *line == name).unwrap_or_default()
}

fn months(sheet: &mut Worksheet, monthly: &[MonthRow], formats: &Formats) -> Result<(), XlsxError> {
    sheet.set_name(MONTHS)?;
    sheet.set_column_range_width(2, u16::try_from(COLUMNS.len()).unwrap_or_default(), 14)?;
    for (column, (name, _)) in (0_u16..).zip(&COLUMNS) {
        sheet.write_string_with_format(0, column, *name, &formats.head)?;
    }
    for (row, month) in (1_u32..).zip(monthly) {
        for (column, (_, cell)) in (0_u16..).zip(&COLUMNS) {
            match cell {
                Cell::Count(count) => sheet.write_number(row, column, count(month))?,
                Cell::Money(cents) => {
                    sheet.write_number_with_format(row, column, dollars(cents(month)), &formats.money)?
                }
            };
        }
    }
    sheet.set_freeze_panes(1, 2)?;
    Ok(())
}

/// `A`, `Z`, `AA`.
fn column_name(column: u16) -> String {
    let letter = |index: u16| char::from(b'A' + u8::try_from(index).unwrap_or_default());
    match column.checked_sub(26) {
        None => letter(column).to_string(),
        Some(rest) => format!("{}{}", letter(rest / 26), letter(rest % 26)),
    }
}

/// Workbooks hold binary floating point; cents up to 10^15 keep every digit in it.
fn dollars(cents: i64) -> f64 {
    cents as f64 / 100.0
}

/// Cents as a decimal text, exact.
fn written(cents: i64) -> String {
    let sign = if cents < 0 { "-" } else { "" };
    format!("{sign}{}.{:02}", cents.unsigned_abs() / 100, cents.unsigned_abs() % 100)
}

fn plain(value: Number) -> f64 {
    value.to_millionths() as f64 / 1_000_000.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::project;
    use plan_model::brand::Brand;

    #[test]
    fn each_formula_gives_what_the_engine_gave() {
        let brand = Brand::demo();
        let projection = project(&FinancialInputs::from_brand(&brand), &brand);
        for year in &projection.annual {
            let months: Vec<_> = projection
                .monthly
                .iter()
                .filter(|month| month.year == year.year)
                .collect();
            for (name, over, value) in YEARS {
                let (_, cell) = COLUMNS
                    .iter()
                    .find(|(column, _)| *column == name)
                    .expect("a column of the months");
                let Cell::Money(cents) = cell else {
                    panic!("{name} is no money")
                };
                let computed = match over {
                    Over::Sum => months.iter().map(|month| cents(month)).sum::<i64>(),
                    Over::Last => cents(months[11]),
                };
                assert_eq!(computed, value(year), "{name} of year {}", year.year);
            }
        }
    }

    #[test]
    fn formulas_name_the_rows_of_their_year() {
        assert_eq!(over_months("Sales", Over::Sum, 1), "=SUM(Months!C2:C13)");
        assert_eq!(over_months("Sales", Over::Sum, 5), "=SUM(Months!C50:C61)");
        assert_eq!(over_months("Ending cash", Over::Last, 2), "=Months!AG25");
        assert_eq!(
            (column_name(25), column_name(26), column_name(41)),
            ("Z".into(), "AA".into(), "AP".into())
        );
        assert_eq!((written(-5), written(123_456)), ("-0.05".into(), "1234.56".into()));
    }

    #[test]
    fn the_same_plan_makes_the_same_file() {
        let brand = Brand::demo();
        let inputs = FinancialInputs::from_brand(&brand);
        let book = Book {
            plan: "=cmd|' /C calc'!A0",
            fields: &brand.fields(),
            inputs: &inputs,
            projection: &project(&inputs, &brand),
            as_of: OffsetDateTime::UNIX_EPOCH + time::Duration::days(20_000),
        };
        let file = workbook(&book).expect("writes");
        assert!(file.starts_with(b"PK"));
        assert_eq!(file, workbook(&book).expect("writes"));
    }
}
