//! What the business costs to open, and what is there beyond that.

use plan_model::field::Field;
use plan_model::inputs::{FieldValue, FinancialInputs};
use plan_model::outputs::Projection;

/// The startup rows of a plan with their values, in the order of its fields.
pub fn startup_rows<'a>(
    fields: &'a [Field],
    inputs: &'a FinancialInputs,
) -> impl Iterator<Item = (&'a Field, &'a FieldValue)> {
    let startup = fields.iter().filter(|field| field.path.startup_slug().is_some());
    startup.filter_map(|field| Some((field, inputs.get(field.path.as_str())?)))
}

/// Cents that loan and owner bring beyond the startup costs.
pub const fn beyond_startup(projection: &Projection) -> i64 {
    let opening = &projection.opening;
    opening
        .loan
        .saturating_add(opening.paid_in)
        .saturating_sub(projection.metrics.total_investment)
}

/// Where the money comes from, in cents; together what loan and owner bring.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sources {
    /// What is borrowed.
    pub loan: i64,
    /// What of the startup costs the owner pays.
    pub owner: i64,
    /// What the owner brings beyond them.
    pub extra: i64,
}

impl Sources {
    /// Those of a plan.
    pub fn of(projection: &Projection) -> Self {
        let opening = &projection.opening;
        let needed = projection.metrics.total_investment.saturating_sub(opening.loan).max(0);
        Self {
            loan: opening.loan,
            owner: opening.paid_in.min(needed),
            extra: opening.paid_in.saturating_sub(needed).max(0),
        }
    }
}
