//! Every value of the plan with its unit and whose it is.

use super::layout::Layout;
use plan_model::field::Kind;
use plan_model::inputs::Source;
use rust_xlsxwriter::{Worksheet, XlsxError};

pub(super) fn write(sheet: &mut Worksheet, layout: &Layout<'_>) -> Result<(), XlsxError> {
    let book = layout.book;
    layout.set_up(sheet, layout.pick("Assumptions", "Supuestos"), 0)?;
    sheet
        .set_column_width(0, 44)?
        .set_column_width(1, 16)?
        .set_column_width(2, 10)?;
    sheet
        .set_column_width(3, 34)?
        .set_column_width(4, 16)?
        .set_column_width(5, 14)?;
    let heads = [
        layout.pick("Assumption", "Supuesto"),
        layout.pick("Value", "Valor"),
        layout.pick("Unit", "Unidad"),
        layout.pick("Source", "Origen"),
        layout.pick("Brand default", "Valor de la marca"),
        layout.pick("Changed on", "Cambiado el"),
    ];
    layout.heads(sheet, 0, &heads)?;
    let derived = book.inputs.derived();
    let held = book
        .fields
        .iter()
        .filter_map(|field| Some((field, book.inputs.get(field.path.as_str())?)));
    let mut below = 1;
    for (row, (field, value)) in (1_u32..).zip(held) {
        sheet.write_string(row, 0, book.labels.field(field))?;
        layout.value(sheet, (row, 1), field.kind, value.current_value)?;
        sheet.write_string(row, 2, unit(layout, field.kind))?;
        let said = match field.path.as_str() == derived {
            true => layout
                .pick("Follows from another value", "Se deduce de otro valor")
                .to_owned(),
            false => source(layout, &value.source),
        };
        sheet.write_string(row, 3, said)?;
        layout.value(sheet, (row, 4), field.kind, value.brand_default)?;
        if let Some(at) = value.last_modified_at {
            sheet.write_string(row, 5, at.date().to_string())?;
        }
        below = row + 1;
    }
    let where_to_change = layout.pick(
        "The months are values that the server computes from these assumptions; change the assumptions in the plan, not here.",
        "Los meses son valores que el servidor calcula con estos supuestos; cambie los supuestos en el plan, no aquí.",
    );
    sheet.write_string_with_format(below + 1, 0, where_to_change, &layout.note)?;
    sheet.set_freeze_panes(1, 1)?;
    Ok(())
}

const fn unit(layout: &Layout<'_>, kind: Kind) -> &'static str {
    match kind {
        Kind::Money => "$",
        Kind::Percent => "%",
        Kind::Count => "",
        Kind::Months => layout.pick("months", "meses"),
        Kind::Days => layout.pick("days", "días"),
        Kind::Years => layout.pick("years", "años"),
        Kind::Multiple => "×",
    }
}

fn source(layout: &Layout<'_>, source: &Source) -> String {
    match source {
        Source::BrandDefault => layout.pick("Brand default", "Valor de la marca").to_owned(),
        Source::UserEntry => layout.pick("Entered by the owner", "Escrito por el dueño").to_owned(),
        Source::AiPopulated => layout.pick("From the conversation", "De la conversación").to_owned(),
        Source::Admin(name) => format!("{}: {name}", layout.pick("Support", "Soporte")),
        Source::Other(text) => text.to_string(),
    }
}
