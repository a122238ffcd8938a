//! What a lender asks about: lower sales, a later opening, what moves the results most, and the scenarios that were saved.

use super::DocumentError;
use crate::plans::EditError;
use crate::plans::analysis::{Hypothesis, Sought, sensitivity, weak_metric};
use crate::store::plans::scenarios::Scenario;
use plan_documents::{Case, CaseName};
use plan_model::brand::CostClass;
use plan_model::field::FieldPath;
use plan_model::inputs;
use plan_model::metrics;
use plan_model::number::Number;
use plan_model::outputs::Projection;
use plan_model::scenario::{Change, Overrides};
use std::collections::BTreeMap;

const SALES: FieldPath = FieldPath::from_static(inputs::SALES);
const LOWER_SALES: [u32; 2] = [10, 20];
const LATER_MONTHS: u32 = 3;

/// How far a field moves as a lever, and how many are shown.
const STEP: u32 = 10;
const LEVERS: usize = 3;

/// The cases in the order in which they are printed.
pub(crate) fn of(plan: &Hypothesis<'_>, base: &Projection, scenarios: &[Scenario]) -> Result<Vec<Case>, DocumentError> {
    let mut cases = lower_sales(plan)?;
    cases.extend(opens_later(plan, base)?);
    cases.extend(levers(plan, base)?);
    for scenario in scenarios {
        let projection = plan.with_all(&scenario.overrides.0);
        let gone = |error| match error {
            EditError::UnknownField(_) => DocumentError::ScenarioNoLongerApplies(scenario.name.clone()),
            error => DocumentError::Edit(error),
        };
        cases.push(Case {
            name: CaseName::Scenario(scenario.name.clone()),
            projection: projection.map_err(gone)?,
        });
    }
    Ok(cases)
}

fn lower_sales(plan: &Hypothesis<'_>) -> Result<Vec<Case>, EditError> {
    let Some(field) = plan.brand_version.field(SALES.as_str()) else {
        return Ok(Vec::new());
    };
    let now = plan.value(&SALES)?;
    let cases = LOWER_SALES.into_iter().map(|percent| {
        let share = Number::millionths(i64::from(100 - percent) * 10_000);
        let value = Change::Times(share).resolve(field, now).unwrap_or(now);
        Ok(Case {
            name: CaseName::SalesLower(percent),
            projection: plan.with(&SALES, value)?,
        })
    });
    cases.collect()
}

/// Three months more are paid of what month 1 costs without a sale, out of the funds for the opening; what they lack comes on top of
/// the startup costs. `None` where the brand has no row for either.
fn opens_later(plan: &Hypothesis<'_>, base: &Projection) -> Result<Option<Case>, EditError> {
    let row = |class| {
        let rows = &plan.brand_version.brand.startup_cost_template;
        let found = rows.iter().find(|row| row.class == class);
        found.map(|row| FieldPath::startup(&row.slug))
    };
    let rows = row(CostClass::WorkingCapital).zip(row(CostClass::NonCapex));
    let (Some((funds, expense)), Some(first)) = (rows, base.monthly.first()) else {
        return Ok(None);
    };
    let monthly = first.facilities + first.fixed_fees + first.owner_salary + first.interest;
    let delay = monthly * i64::from(LATER_MONTHS);
    let of = |path: &FieldPath| plan.value(path).map(Number::to_whole);
    let (kept, paid) = (of(&funds)?, of(&expense)?);
    let values = [(funds, (kept - delay).max(0)), (expense, paid + delay)];
    let values = values.map(|(path, cents)| (path, Number::whole(cents)));
    Ok(Some(Case {
        name: CaseName::OpensLater(LATER_MONTHS),
        projection: plan.with_all(&Overrides(BTreeMap::from(values)))?,
    }))
}

/// The fields that the franchisee decides on and that move the results most, each on the side that helps
/// (`docs/FINANCIAL-MODEL.md` 7.4).
fn levers(plan: &Hypothesis<'_>, base: &Projection) -> Result<Vec<Case>, EditError> {
    let usual = match base.metrics.dscr_year1 {
        Some(_) => "dscrYear1",
        None => "fiveYearOwnerCashFlow",
    };
    let Some(metric) = metrics::find(weak_metric(&base.metrics).unwrap_or(usual)) else {
        return Ok(Vec::new());
    };
    let found = sensitivity(plan, Sought::Metric(metric), STEP)?;
    let decided = found.levers.iter().filter(|lever| lever.field.controlled);
    let named = decided.filter_map(|lever| Some((lever.field, lever.helping()?.value)));
    let cases = named.take(LEVERS).map(|(field, value)| {
        Ok(Case {
            name: CaseName::Lever(Box::new(field.clone()), value),
            projection: plan.with(&field.path, value)?,
        })
    });
    cases.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plans::analysis::testing::{NOON, demo};

    #[test]
    fn the_cases_of_the_default_plan() {
        let (brand_version, inputs) = demo();
        let plan = Hypothesis::new(&inputs, &brand_version, NOON);
        let base = plan.base();
        let cases = of(&plan, &base, &[]).expect("cases");
        let names: Vec<String> = cases.iter().map(|case| format!("{:?}", case.name)).collect();
        assert_eq!(names.len(), 6);
        assert_eq!(&names[..3], ["SalesLower(10)", "SalesLower(20)", "OpensLater(3)"]);
        let lower = &cases[0].projection.metrics;
        assert!(lower.projected_annual_revenue_year1 < base.metrics.projected_annual_revenue_year1);
        // What is paid before the first sale is not there on opening day, and the loan is the same.
        let later = &cases[2].projection.metrics;
        let first = base.monthly[0];
        let delay = 3 * (first.facilities + first.fixed_fees + first.owner_salary + first.interest);
        assert_eq!(later.opening_cash, base.metrics.opening_cash - delay);
        assert_eq!(later.total_investment, base.metrics.total_investment);
        for lever in &cases[3..] {
            assert!(
                lever.projection.metrics.dscr_year1 > base.metrics.dscr_year1,
                "{:?}",
                lever.name
            );
        }
    }
}
