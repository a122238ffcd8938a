//! A plan beside its scenarios.

use crate::plans::EditError;
use crate::plans::analysis::Hypothesis;
use plan_model::field::FieldPath;
use plan_model::number::Number;
use plan_model::outputs::{MetricChange, Projection};
use plan_model::scenario::Overrides;

/// A value that a scenario has and the plan has not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    pub path: FieldPath,
    pub value: Number,
}

/// The plan, or one of its scenarios.
#[derive(Debug, Clone, PartialEq)]
pub struct Column {
    /// Empty for the plan.
    pub differences: Vec<Difference>,
    pub projection: Projection,
    /// Against the plan; empty for the plan.
    pub changes: Vec<MetricChange>,
}

/// The plan and then each scenario: one run of the engine for each.
///
/// # Errors
/// [`EditError::UnknownField`].
pub fn compare<'o>(
    plan: &Hypothesis<'_>,
    scenarios: impl IntoIterator<Item = &'o Overrides>,
) -> Result<(Column, Vec<Column>), EditError> {
    let base = plan.base();
    let columns = scenarios.into_iter().map(|overrides| {
        let projection = plan.with_all(overrides)?;
        Ok(Column {
            differences: differences(plan, overrides)?,
            changes: plan_engine::changes(&base.metrics, &projection.metrics),
            projection,
        })
    });
    let columns = columns.collect::<Result<_, EditError>>()?;
    let base = Column {
        differences: Vec::new(),
        projection: base,
        changes: Vec::new(),
    };
    Ok((base, columns))
}

/// In the order of the brand's fields.
fn differences(plan: &Hypothesis<'_>, overrides: &Overrides) -> Result<Vec<Difference>, EditError> {
    let mut found = Vec::new();
    for field in plan.brand_version.fields.iter() {
        if let Some(value) = overrides.0.get(&field.path)
            && plan.value(&field.path)? != *value
        {
            found.push(Difference {
                path: field.path.clone(),
                value: *value,
            });
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::super::hypothesis::testing::{NOON, demo};
    use super::*;

    const RENT: FieldPath = FieldPath::from_static("operatingCosts.rentMonthly");
    const DOWN: FieldPath = FieldPath::from_static("financing.downPaymentPct");

    fn overrides(values: &[(FieldPath, Number)]) -> Overrides {
        Overrides(values.iter().cloned().collect())
    }

    #[test]
    fn a_column_is_the_plan_with_its_values_and_names_only_what_differs() {
        let (brand_version, inputs) = demo();
        let plan = Hypothesis::new(&inputs, &brand_version, NOON);
        let kept = plan.value(&DOWN).expect("a field");
        let lean = overrides(&[(RENT, Number::whole(420_000))]);
        let same = overrides(&[(RENT, Number::whole(450_000))]);

        let (base, columns) = compare(&plan, [&lean, &same]).expect("known fields");

        assert_eq!(plan.runs(), 3);
        assert_eq!((base.changes.len(), base.differences.len()), (0, 0));
        assert_eq!(columns[0].projection.metrics.break_even_month, Some(8));
        assert_eq!(columns[0].differences.len(), 1);
        let break_even = columns[0].changes.iter().find(|one| one.metric == "breakEvenMonth");
        assert_eq!(
            break_even.map(|one| (one.before, one.after)),
            Some((Some(Number::whole(9)), Some(Number::whole(8))))
        );
        assert_eq!(columns[1].projection, base.projection);
        assert_eq!((columns[1].changes.len(), columns[1].differences.len()), (0, 0));

        // A down payment that is set now counts before a loan that was set earlier.
        let (_, columns) = compare(&plan, [&overrides(&[(DOWN, kept)])]).expect("known fields");
        assert_ne!(
            columns[0].projection.metrics.loan_amount,
            base.projection.metrics.loan_amount
        );
    }

    #[test]
    fn a_field_that_the_plan_does_not_have_is_an_error() {
        let (brand_version, inputs) = demo();
        let plan = Hypothesis::new(&inputs, &brand_version, NOON);
        let unknown = overrides(&[(FieldPath::from_static("startupCosts.moonBase"), Number::ZERO)]);
        assert!(matches!(
            compare(&plan, [&unknown]),
            Err(EditError::UnknownField(path)) if path.as_str() == "startupCosts.moonBase"
        ));
    }
}
