//! The projection engine: a plan's inputs become an opening position, 60 months, five years and the figures drawn from
//! them (`docs/FINANCIAL-MODEL.md` 3).
//!
//! Whole cents, rates in millionths, one rounding rule. Whatever comes in is clamped to its hard bounds first, so that
//! nothing overflows and nothing panics.

mod advisories;
mod annual;
mod arithmetic;
#[cfg(test)]
mod boundaries;
mod break_even;
mod checks;
#[cfg(test)]
mod golden;
mod loan;
mod metrics;
mod months;
mod opening;
#[cfg(test)]
mod paid_ahead;
#[cfg(test)]
mod properties;
mod reader;
mod terms;

use loan::Loan;
use plan_model::brand::Brand;
use plan_model::inputs::FinancialInputs;
use plan_model::outputs::Projection;
use terms::Assumptions;

/// Moves when the same plan would give other figures.
pub const ENGINE_VERSION: &str = "2";

/// How far the projection looks.
const MONTHS: u32 = 60;

/// Months in a year.
const YEAR: u32 = 12;

/// Projects a plan. The brand gives the classes of the startup rows, Item 7 and the thresholds; a startup row that the
/// brand lacks counts nothing, a field that the plan lacks counts as the brand's default.
pub fn project(inputs: &FinancialInputs, brand: &Brand) -> Projection {
    let terms = Assumptions::resolve(inputs, brand);
    let loan = Loan::new(&terms.loan);
    let opening = opening::position(&terms);
    let monthly = months::run(&terms, &loan, &opening);
    let annual = annual::summarize(&terms, &monthly);
    let metrics = metrics::measure(&terms, &loan, &opening, &monthly, &annual);
    let checks = checks::run(&checks::Run {
        terms: &terms,
        loan: &loan,
        opening: &opening,
        monthly: &monthly,
        annual: &annual,
    });
    if !checks.passed {
        tracing::warn!(checks.failed = ?checks.failed, "A projection fails {} of its checks", checks.failed.len());
    }
    let advisories = advisories::advise(&metrics, &terms, &brand.thresholds);
    Projection {
        opening,
        metrics,
        annual,
        monthly,
        item7: terms.item7,
        checks,
        advisories,
    }
}
