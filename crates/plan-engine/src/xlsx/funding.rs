//! What the business costs to open, where the money comes from, and what the franchisor discloses beside it.

use super::layout::Layout;
use crate::funding::{Sources, beyond_startup, startup_rows};
use plan_model::outputs::Item7Position;
use rust_xlsxwriter::{Formula, Worksheet, XlsxError};

/// Both sides equal each other to the cent.
pub(super) fn sources_and_uses(sheet: &mut Worksheet, layout: &Layout<'_>) -> Result<(), XlsxError> {
    let (labels, opening) = (&layout.book.labels, &layout.book.projection.opening);
    layout.set_up(sheet, layout.pick("Sources and uses", "Fuentes y usos"), 0)?;
    sheet.set_column_width(0, 44)?.set_column_range_width(1, 2, 18)?;
    let spent = startup_rows(layout.book.fields, layout.book.inputs)
        .map(|(field, value)| (labels.field(field).into_owned(), value.current_value.to_whole()));
    let mut uses: Vec<(String, i64)> = spent.filter(|(_, cents)| *cents != 0).collect();
    let total = opening.loan + opening.paid_in;
    let rest = beyond_startup(layout.book.projection);
    if rest != 0 {
        let words = layout.pick(
            "Cash beyond the startup costs",
            "Efectivo más allá de los costos de apertura",
        );
        uses.push((words.to_owned(), rest));
    }
    let Sources { loan, owner, extra } = Sources::of(layout.book.projection);
    let sources = [
        ("Loan", "Préstamo", loan),
        ("Owner's cash", "Efectivo del dueño", owner),
        ("Extra cash of the owner", "Efectivo adicional del dueño", extra),
    ];
    let sources = sources.into_iter().filter(|(.., cents)| *cents != 0);
    let sources: Vec<_> = sources
        .map(|(english, spanish, cents)| (layout.pick(english, spanish).to_owned(), cents))
        .collect();
    let after = side(sheet, layout, 0, layout.pick("Sources", "Fuentes"), &sources, total)?;
    let after = side(sheet, layout, after + 1, layout.pick("Uses", "Usos"), &uses, total)?;
    layout.stand(sheet, after + 1)
}

/// One side with its total and each row's share of it; gives the first row below.
fn side(
    sheet: &mut Worksheet,
    layout: &Layout<'_>,
    first: u32,
    title: &str,
    rows: &[(String, i64)],
    total: i64,
) -> Result<u32, XlsxError> {
    layout.heads(
        sheet,
        first,
        &[title, layout.pick("Amount", "Monto"), layout.pick("Share", "Parte")],
    )?;
    let sum = first + 1 + u32::try_from(rows.len()).unwrap_or_default();
    let share = |row: u32, cents: i64| {
        // A plan without money has no shares.
        let result = if total == 0 { 0.0 } else { cents as f64 / total as f64 };
        Formula::new(format!("=IF(B{0}=0,0,B{1}/B{0})", sum + 1, row + 1)).set_result(result.to_string())
    };
    for (row, (words, cents)) in (first + 1..).zip(rows) {
        sheet.write_string(row, 0, words)?;
        layout.cents(sheet, row, 1, *cents)?;
        sheet.write_formula_with_format(row, 2, share(row, *cents), &layout.percent)?;
    }
    sheet.write_string_with_format(sum, 0, layout.pick("Total", "Total"), &layout.head)?;
    let formula = if rows.is_empty() {
        "=0".to_owned()
    } else {
        format!("=SUM(B{}:B{sum})", first + 2)
    };
    layout.amount(sheet, (sum, 1), &formula, total, &layout.total)?;
    sheet.write_formula_with_format(sum, 2, share(sum, total), &layout.percent)?;
    Ok(sum + 1)
}

/// Each startup cost beside the range that the franchisor discloses for it.
pub(super) fn startup_costs(sheet: &mut Worksheet, layout: &Layout<'_>) -> Result<(), XlsxError> {
    layout.set_up(sheet, layout.pick("Startup and Item 7", "Apertura e Item 7"), 0)?;
    sheet.set_column_width(0, 44)?.set_column_range_width(1, 4, 18)?;
    let heads = [
        layout.pick("Startup cost", "Costo de apertura"),
        layout.pick("This plan", "Este plan"),
        layout.pick("Item 7 low", "Item 7 mínimo"),
        layout.pick("Item 7 high", "Item 7 máximo"),
        layout.pick("Against Item 7", "Frente al Item 7"),
    ];
    layout.heads(sheet, 0, &heads)?;
    let (mut row, mut total) = (1, 0);
    for (field, value) in startup_rows(layout.book.fields, layout.book.inputs) {
        let cents = value.current_value.to_whole();
        sheet.write_string(row, 0, layout.book.labels.field(field))?;
        layout.cents(sheet, row, 1, cents)?;
        let mark = match value.item7() {
            None => layout.pick("not disclosed", "no informado"),
            Some(range) => {
                layout.cents(sheet, row, 2, range.low.to_whole())?;
                layout.cents(sheet, row, 3, range.high.to_whole())?;
                match Item7Position::of(cents, range.low.to_whole(), range.high.to_whole()) {
                    Item7Position::Below => layout.pick("below", "por debajo"),
                    Item7Position::Within => layout.pick("within", "dentro"),
                    Item7Position::Above => layout.pick("above", "por encima"),
                }
            }
        };
        sheet.write_string(row, 4, mark)?;
        (row, total) = (row + 1, total + cents);
    }
    sheet.write_string_with_format(row, 0, layout.pick("Total", "Total"), &layout.head)?;
    let formula = if row == 1 {
        "=0".to_owned()
    } else {
        format!("=SUM(B2:B{row})")
    };
    layout.amount(sheet, (row, 1), &formula, total, &layout.total)?;
    layout.stand(sheet, row + 2)?;
    sheet.set_freeze_panes(1, 1)?;
    Ok(())
}
