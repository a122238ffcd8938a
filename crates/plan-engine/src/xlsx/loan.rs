//! The loan month by month, and what a year pays.

use super::layout::Layout;
use crate::lines::find;
use rust_xlsxwriter::{Worksheet, XlsxError};

/// The first row of the months; above it are the years.
const MONTHS: u32 = 8;

pub(super) fn write(sheet: &mut Worksheet, layout: &Layout<'_>) -> Result<(), XlsxError> {
    let projection = layout.book.projection;
    layout.set_up(sheet, layout.pick("Loan", "Préstamo"), 0)?;
    sheet.set_column_range_width(0, 5, 18)?;
    let amounts = [
        layout.pick("Balance before", "Saldo anterior"),
        layout.pick("Payment", "Cuota"),
        layout.pick("Interest", "Intereses"),
        layout.pick("Principal", "Capital"),
        layout.pick("Balance after", "Saldo posterior"),
    ];
    let heads = |first| [&[first][..], &amounts].concat();
    layout.heads(sheet, 0, &heads(layout.pick("Year", "Año")))?;
    layout.heads(sheet, MONTHS - 1, &heads(layout.pick("Month", "Mes")))?;
    let mut before = projection.opening.loan;
    for (row, year) in (1_u32..).zip(&projection.annual) {
        sheet.write_number(row, 0, year.year)?;
        let months = projection.monthly.iter().filter(|month| month.year == year.year);
        let (interest, principal) = months.fold((0, 0), |(interest, principal), month| {
            (interest + month.interest, principal + month.principal)
        });
        let (first, last) = (MONTHS + 1 + (row - 1) * 12, MONTHS + row * 12);
        let sum = |column: char| format!("=SUM({column}{first}:{column}{last})");
        let cells = [
            (format!("=B{first}"), before),
            (sum('C'), interest + principal),
            (sum('D'), interest),
            (sum('E'), principal),
            (format!("=F{last}"), before - principal),
        ];
        for (column, (formula, cents)) in (1_u16..).zip(cells) {
            layout.amount(sheet, (row, column), &formula, cents, &layout.money)?;
        }
        before -= principal;
    }
    months(sheet, layout)
}

fn months(sheet: &mut Worksheet, layout: &Layout<'_>) -> Result<(), XlsxError> {
    let projection = layout.book.projection;
    let column = |name: &str| find(name).map(|line| layout.month_column(line)).unwrap_or_default();
    let (interest, principal) = (column("interest"), column("principal"));
    let (name, mut before) = (layout.months(), projection.opening.loan);
    let mut below = MONTHS;
    for (row, month) in (MONTHS..).zip(&projection.monthly) {
        sheet.write_number(row, 0, month.month)?;
        match row {
            MONTHS => layout.cents(sheet, row, 1, before)?,
            _ => layout.amount(sheet, (row, 1), &format!("=F{row}"), before, &layout.money)?,
        }
        let (here, there) = (row + 1, month.month + 1);
        let after = before - month.principal;
        let cells = [
            (format!("=D{here}+E{here}"), month.interest + month.principal),
            (format!("={name}!{interest}{there}"), month.interest),
            (format!("={name}!{principal}{there}"), month.principal),
            (format!("=B{here}-E{here}"), after),
        ];
        for (column, (formula, cents)) in (2_u16..).zip(cells) {
            layout.amount(sheet, (row, column), &formula, cents, &layout.money)?;
        }
        (before, below) = (after, row + 2);
    }
    layout.stand(sheet, below)
}
