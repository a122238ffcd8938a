//! A projection as a workbook: results, assumptions, five years, balance sheet, sixty months. The years are formulas over the
//! months, each with its computed value, so that a reader without a calculation engine shows the same figures.
//!
//! Every text is written as text: nothing anybody typed can become a formula.

mod statements;

use plan_model::field::{Field, Kind};
use plan_model::inputs::{FinancialInputs, Source};
use plan_model::metrics::{METRICS, MetricKind};
use plan_model::number::Number;
use plan_model::outputs::Projection;
use rust_xlsxwriter::{DocProperties, ExcelDateTime, Format, Workbook, Worksheet, XlsxError};
use time::OffsetDateTime;

/// Stands on every sheet that holds figures.
const STANDING: &str = "These projections are yours, based on your assumptions. They are not a statement by the franchisor \
    and actual results will differ.";

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
    statements::years(file.add_worksheet(), book.projection, &formats)?;
    statements::balance_sheet(file.add_worksheet(), book.projection, &formats)?;
    statements::months(file.add_worksheet(), &book.projection.monthly, &formats)?;
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

/// Workbooks hold binary floating point; cents up to 10^15 keep every digit in it.
fn dollars(cents: i64) -> f64 {
    cents as f64 / 100.0
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
