//! The cases that a lender asks about: lower sales, a later start, and the three values that help most.

use crate::plans::EditError;
use crate::plans::analysis::{Hypothesis, sensitivity};
use crate::wording;
use plan_model::field::FieldPath;
use plan_model::language::Language;
use plan_model::metrics::{self, Metrics};
use plan_model::number::Number;
use plan_model::scenario::Change;
use rust_decimal::Decimal;

/// By which the strongest values are ranked: what a lender looks at first.
const RANKED_BY: &str = "dscrYear1";
/// How far each is moved, in percent.
const STEP: u32 = 10;
const LEVERS: usize = 3;

/// Key of its name in `wording/`, field, and how far it is from the plan's value.
fn worse() -> [(&'static str, FieldPath, Change); 3] {
    let sales = FieldPath::from_static("revenue.monthlyAuv");
    let times = |percent| Change::Times(Number::new(Decimal::new(percent, 2)));
    [
        ("case.sales10", sales.clone(), times(90)),
        ("case.sales20", sales, times(80)),
        (
            "case.later",
            FieldPath::from_static("revenue.monthsToReachAuv"),
            Change::By(Number::whole(3)),
        ),
    ]
}

/// Each case with its name in a language and its key figures. One that a field's bounds do not allow is left out.
///
/// # Errors
/// [`EditError::UnknownField`].
pub fn of(plan: &Hypothesis<'_>, language: Language) -> Result<Vec<(String, Metrics)>, EditError> {
    let mut cases = Vec::new();
    for (key, path, change) in worse() {
        let Some(field) = plan.brand_version.field(path.as_str()) else {
            continue;
        };
        let value = change.resolve(field, plan.value(&path)?);
        if let Some(value) = value.filter(|value| field.refusal(*value).is_none()) {
            cases.push((wording::say(language, key, &[]), plan.with(&path, value)?.metrics));
        }
    }
    let Some(metric) = metrics::find(RANKED_BY) else {
        return Ok(cases);
    };
    let ranked = sensitivity(plan, metric, STEP)?;
    let helping = ranked
        .levers
        .iter()
        .filter_map(|lever| Some((lever.field, lever.helping()?)));
    for (field, found) in helping.take(LEVERS) {
        let name = wording::sentence(&wording::name(language, field));
        let value = wording::value(language, field, found.value);
        cases.push((format!("{name}: {value}"), plan.with(&field.path, found.value)?.metrics));
    }
    Ok(cases)
}

#[cfg(test)]
mod tests {
    use super::super::hypothesis::testing::{NOON, demo};
    use super::*;

    #[test]
    fn lower_sales_and_a_later_start_are_worse_and_the_levers_better() {
        let (brand_version, inputs) = demo();
        let plan = Hypothesis::new(&inputs, &brand_version, NOON);
        let base = plan.base().metrics;
        let cases = of(&plan, Language::English).expect("known fields");
        assert_eq!(cases.len(), worse().len() + LEVERS, "{cases:?}");
        let (low, high) = cases.split_at(worse().len());
        assert!(
            low.iter().all(|(_, case)| case.lowest_cash < base.lowest_cash),
            "{low:?}"
        );
        assert!(
            high.iter().all(|(_, case)| case.lowest_cash >= base.lowest_cash),
            "{high:?}"
        );
        assert!(low[0].0.contains("10%"), "{low:?}");
        let spanish = of(&plan, Language::Spanish).expect("known fields");
        assert!(
            cases
                .iter()
                .zip(&spanish)
                .all(|(one, other)| one.0 != other.0 && one.1 == other.1)
        );
    }
}
