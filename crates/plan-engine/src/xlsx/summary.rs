//! The first sheet, whose plan it is and its key figures; and the same figures where something goes another way.

use super::layout::{Layout, dollars, plain};
use plan_model::metrics::{METRICS, Metric, MetricKind, Metrics};
use rust_xlsxwriter::{Worksheet, XlsxError};

/// Rows of the title block.
const FIGURES: u32 = 9;

pub(super) fn write(sheet: &mut Worksheet, layout: &Layout<'_>) -> Result<(), XlsxError> {
    let book = layout.book;
    layout.set_up(sheet, layout.pick("Summary", "Resumen"), FIGURES - 1)?;
    sheet
        .set_column_width(0, 44)?
        .set_column_width(1, 24)?
        .set_column_width(2, 90)?;
    sheet.write_string_with_format(0, 0, book.plan, &layout.title)?;
    layout.stand(sheet, 1)?;
    let date = book.as_of.date().to_string();
    let opening = book.opening.map(|month| month.to_string()).unwrap_or_default();
    let about = [
        (layout.pick("Owner", "Dueño"), book.owner),
        (layout.pick("Date of the figures", "Fecha de las cifras"), &date),
        (layout.pick("Opening", "Apertura"), &opening),
    ];
    for (row, (words, value)) in (2_u32..).zip(about) {
        sheet.write_string(row, 0, words)?.write_string(row, 1, value)?;
    }
    sheet
        .write_string(5, 0, layout.pick("Version of the plan", "Versión del plan"))?
        .write_number(5, 1, book.version as f64)?;
    let heads = [
        layout.pick("Key figure", "Cifra clave"),
        layout.pick("Value", "Valor"),
        layout.pick("What it means", "Qué significa"),
    ];
    layout.heads(sheet, FIGURES - 1, &heads)?;
    for (row, metric) in (FIGURES..).zip(METRICS) {
        sheet.write_string(row, 0, book.labels.metric(metric))?;
        figure(sheet, layout, (row, 1), metric, &book.projection.metrics)?;
        sheet.write_string_with_format(row, 2, book.labels.help_of(metric), &layout.words)?;
    }
    Ok(())
}

/// The key figures of the plan beside those of each case.
pub(super) fn cases(sheet: &mut Worksheet, layout: &Layout<'_>) -> Result<(), XlsxError> {
    let book = layout.book;
    layout.set_up(sheet, layout.pick("What if", "Qué pasaría si"), 0)?;
    sheet.set_column_width(0, 44)?.set_column_range_width(1, 8, 22)?;
    let names = book.cases.iter().map(|(name, _)| name.as_str());
    let heads = [
        layout.pick("Key figure", "Cifra clave"),
        layout.pick("The plan", "El plan"),
    ];
    let heads: Vec<_> = heads.into_iter().chain(names).collect();
    layout.heads(sheet, 0, &heads)?;
    let mut below = 1;
    for (row, metric) in (1_u32..).zip(METRICS) {
        sheet.write_string(row, 0, book.labels.metric(metric))?;
        let metrics = book.cases.iter().map(|(_, metrics)| metrics);
        for (column, metrics) in (1_u16..).zip([&book.projection.metrics].into_iter().chain(metrics)) {
            figure(sheet, layout, (row, column), metric, metrics)?;
        }
        below = row + 2;
    }
    layout.stand(sheet, below)?;
    sheet.set_freeze_panes(1, 1)?;
    Ok(())
}

fn figure(
    sheet: &mut Worksheet,
    layout: &Layout<'_>,
    (row, column): (u32, u16),
    metric: &Metric,
    metrics: &Metrics,
) -> Result<(), XlsxError> {
    match ((metric.value)(metrics), metric.kind) {
        (None, _) => sheet.write_string(row, column, layout.pick("none", "ninguno"))?,
        (Some(value), MetricKind::Money) => {
            sheet.write_number_with_format(row, column, dollars(value.to_whole()), &layout.money)?
        }
        (Some(value), MetricKind::Percent) => {
            sheet.write_number_with_format(row, column, plain(value), &layout.percent)?
        }
        (Some(value), MetricKind::Multiple) => {
            sheet.write_number_with_format(row, column, plain(value), &layout.multiple)?
        }
        (Some(value), MetricKind::Month | MetricKind::Count) => sheet.write_number(row, column, plain(value))?,
    };
    Ok(())
}
