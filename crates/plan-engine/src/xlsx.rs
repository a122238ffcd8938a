//! A plan as a workbook for a lender: summary, sources and uses, startup costs beside Item 7, assumptions, sixty months, five
//! years, balance sheet, loan, other cases. Totals and years are formulas over the rows that they sum, each with its computed value,
//! so that a reader without a calculation engine shows the same figures.
//!
//! Every text is written as text: nothing anybody typed can become a formula.

mod assumptions;
mod funding;
mod layout;
mod loan;
mod statements;
mod summary;

use crate::labels::Labels;
use layout::Layout;
use plan_model::field::Field;
use plan_model::inputs::FinancialInputs;
use plan_model::metrics::Metrics;
use plan_model::month::CalendarMonth;
use plan_model::outputs::Projection;
use rust_xlsxwriter::{DocProperties, ExcelDateTime, Workbook, XlsxError};
use time::OffsetDateTime;

/// What the workbook is made of.
#[derive(Debug, Clone, Copy)]
pub struct Book<'a> {
    /// The plan's name.
    pub plan: &'a str,
    /// Whose it is.
    pub owner: &'a str,
    /// The plan's version.
    pub version: i64,
    /// When the business opens; the months are dated from it.
    pub opening: Option<CalendarMonth>,
    /// The fields of its brand.
    pub fields: &'a [Field],
    /// Its values.
    pub inputs: &'a FinancialInputs,
    /// Its projection.
    pub projection: &'a Projection,
    /// The same figures where something goes another way, each with its name.
    pub cases: &'a [(String, Metrics)],
    /// When the plan changed last; the same plan makes the same file.
    pub as_of: OffsetDateTime,
    /// The reader's language.
    pub labels: Labels,
}

impl Book<'_> {
    /// Stands on every sheet that holds figures.
    const fn standing(&self) -> &'static str {
        self.labels.pick(
            "These projections are the owner's, based on the owner's assumptions. They are not a statement by the franchisor and \
             actual results will differ.",
            "Estas proyecciones son del dueño y se basan en sus supuestos. No son una declaración del franquiciador y los \
             resultados reales serán distintos.",
        )
    }
}

/// The workbook's bytes.
///
/// # Errors
/// Where the writer refuses; no figure of a plan is beyond what it takes.
pub fn workbook(book: &Book<'_>) -> Result<Vec<u8>, XlsxError> {
    let mut file = Workbook::new();
    let at = ExcelDateTime::from_timestamp(book.as_of.unix_timestamp())?;
    file.set_properties(&DocProperties::new().set_title(book.plan).set_creation_datetime(&at));
    let layout = Layout::new(book);
    summary::write(file.add_worksheet(), &layout)?;
    funding::sources_and_uses(file.add_worksheet(), &layout)?;
    funding::startup_costs(file.add_worksheet(), &layout)?;
    assumptions::write(file.add_worksheet(), &layout)?;
    statements::months(file.add_worksheet(), &layout)?;
    statements::years(file.add_worksheet(), &layout)?;
    statements::balance_sheet(file.add_worksheet(), &layout)?;
    loan::write(file.add_worksheet(), &layout)?;
    if !book.cases.is_empty() {
        summary::cases(file.add_worksheet(), &layout)?;
    }
    file.save_to_buffer()
}

#[cfg(test)]
mod tests;
