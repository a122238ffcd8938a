//! What all sheets share: formats, set-up for paper, and where the columns of the sheet of months are.

use super::Book;
use crate::csv::dollars as written;
use crate::lines::{FigureLine, columns};
use plan_model::field::Kind;
use plan_model::number::Number;
use rust_xlsxwriter::{Format, Formula, Worksheet, XlsxError};

const MONTHS_PER_YEAR: u32 = 12;
/// US Letter, as the writer numbers paper.
const LETTER: u8 = 1;

pub(super) struct Layout<'a> {
    pub book: &'a Book<'a>,
    pub title: Format,
    pub head: Format,
    pub money: Format,
    pub total: Format,
    pub percent: Format,
    pub multiple: Format,
    pub note: Format,
    pub words: Format,
}

impl<'a> Layout<'a> {
    pub(super) fn new(book: &'a Book<'a>) -> Self {
        let numbers = |pattern: &str| Format::new().set_num_format(pattern);
        let dollars = || numbers("$#,##0.00;[Red]-$#,##0.00");
        Self {
            book,
            title: Format::new().set_bold().set_font_size(14.0),
            head: Format::new().set_bold().set_text_wrap(),
            money: dollars(),
            total: dollars().set_bold().set_border_top(rust_xlsxwriter::FormatBorder::Thin),
            percent: numbers("0.00%"),
            multiple: numbers("0.00"),
            note: Format::new().set_italic(),
            words: Format::new().set_text_wrap(),
        }
    }

    pub(super) const fn pick(&self, english: &'static str, spanish: &'static str) -> &'static str {
        self.book.labels.pick(english, spanish)
    }

    /// The name of the sheet of months, inside formulas.
    pub(super) const fn months(&self) -> &'static str {
        self.pick("Months", "Meses")
    }

    /// Columns of the sheet of months before the first line: month, year and, where the opening is known, date.
    pub(super) fn before(&self) -> u16 {
        2 + u16::from(self.book.opening.is_some())
    }

    /// A sheet's name, and how it is printed: landscape, as wide as the page, heads on each page, pages numbered.
    pub(super) fn set_up(&self, sheet: &mut Worksheet, name: &str, head: u32) -> Result<(), XlsxError> {
        sheet.set_name(name)?;
        sheet
            .set_landscape()
            .set_paper_size(LETTER)
            .set_print_fit_to_pages(1, 0);
        sheet.set_repeat_rows(head, head)?;
        // An ampersand in a footer begins a code; two are one.
        let plan: String = self.book.plan.chars().take(60).collect();
        sheet.set_footer(format!("&L{}&R&P / &N", plan.replace('&', "&&")));
        Ok(())
    }

    /// The line that says whose figures these are, below them.
    pub(super) fn stand(&self, sheet: &mut Worksheet, row: u32) -> Result<(), XlsxError> {
        sheet.write_string_with_format(row, 0, self.book.standing(), &self.note)?;
        Ok(())
    }

    pub(super) fn heads(&self, sheet: &mut Worksheet, row: u32, words: &[&str]) -> Result<(), XlsxError> {
        for (column, words) in (0_u16..).zip(words) {
            sheet.write_string_with_format(row, column, *words, &self.head)?;
        }
        Ok(())
    }

    /// A value in its field's unit.
    pub(super) fn value(
        &self,
        sheet: &mut Worksheet,
        (row, column): (u32, u16),
        kind: Kind,
        value: Number,
    ) -> Result<(), XlsxError> {
        match kind {
            Kind::Money => sheet.write_number_with_format(row, column, dollars(value.to_whole()), &self.money)?,
            Kind::Percent => sheet.write_number_with_format(row, column, plain(value), &self.percent)?,
            _ => sheet.write_number(row, column, plain(value))?,
        };
        Ok(())
    }

    pub(super) fn cents(&self, sheet: &mut Worksheet, row: u32, column: u16, cents: i64) -> Result<(), XlsxError> {
        sheet.write_number_with_format(row, column, dollars(cents), &self.money)?;
        Ok(())
    }

    /// A formula with the amount that it makes.
    pub(super) fn amount(
        &self,
        sheet: &mut Worksheet,
        (row, column): (u32, u16),
        formula: &str,
        cents: i64,
        format: &Format,
    ) -> Result<(), XlsxError> {
        let formula = Formula::new(formula).set_result(written(cents));
        sheet.write_formula_with_format(row, column, formula, format)?;
        Ok(())
    }

    /// The column of a line in the sheet of months.
    pub(super) fn month_column(&self, line: &FigureLine) -> String {
        let at = columns().position(|column| column.name == line.name);
        column_name(u16::try_from(at.unwrap_or_default()).unwrap_or_default() + self.before())
    }

    /// The formula of a year over its rows of the sheet of months.
    pub(super) fn over_months(&self, line: &FigureLine, year: u32) -> String {
        let (months, letter) = (self.months(), self.month_column(line));
        let (first, last) = (2 + (year - 1) * MONTHS_PER_YEAR, 1 + year * MONTHS_PER_YEAR);
        if line.is_flow() {
            format!("=SUM({months}!{letter}{first}:{letter}{last})")
        } else {
            let row = if line.is_start() { first } else { last };
            format!("={months}!{letter}{row}")
        }
    }
}

/// Workbooks hold binary floating point; cents up to 10^15 keep every digit in it.
pub(super) fn dollars(cents: i64) -> f64 {
    cents as f64 / 100.0
}

pub(super) fn plain(value: Number) -> f64 {
    value.to_millionths() as f64 / 1_000_000.0
}

/// `A`, `Z`, `AA`.
pub(super) fn column_name(column: u16) -> String {
    let letter = |index: u16| char::from(b'A' + u8::try_from(index).unwrap_or_default());
    match column.checked_sub(26) {
        None => letter(column).to_string(),
        Some(rest) => format!("{}{}", letter(rest / 26), letter(rest % 26)),
    }
}
