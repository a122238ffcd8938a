//! What each field moves: a metric with the field a step lower and a step higher, all else unchanged.

use crate::plans::EditError;
use crate::plans::analysis::{Found, Hypothesis, Ranking, Sought};
use plan_model::field::{Field, Kind};
use plan_model::number::Number;
use rust_decimal::Decimal;

/// The side on which a field may be named as a way to a better result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Helps {
    Low,
    High,
}

/// One field.
#[derive(Debug, Clone, PartialEq)]
pub struct Lever<'a> {
    pub field: &'a Field,
    pub low: Found,
    pub high: Found,
    /// `high` less `low`; `None` where the metric lacks a value on a side.
    pub effect: Option<Number>,
    /// Where the result is better and nothing is worse for it.
    pub helps: Option<Helps>,
}

impl Lever<'_> {
    /// The side that may be named.
    pub fn helping(&self) -> Option<Found> {
        self.helps.map(|side| match side {
            Helps::Low => self.low,
            Helps::High => self.high,
        })
    }
}

/// The fields of a plan, the largest absolute effect first, those without an effect's value last.
#[derive(Debug, Clone, PartialEq)]
pub struct Sensitivity<'a> {
    pub base: Found,
    /// The year, from 1, by whose earnings the fields are ranked, because there is nothing that could cover a loan payment.
    /// The fields of the financing are left out then.
    pub by_earnings_of: Option<usize>,
    pub levers: Vec<Lever<'a>>,
}

/// Two runs of the engine for each field, and one for the plan as it is. `step` is in percent of the value, for percentages in
/// tenths of a point; whole kinds move by at least 1.
///
/// # Errors
/// [`EditError::UnknownField`].
pub fn sensitivity<'a>(plan: &Hypothesis<'a>, sought: Sought<'_>, step: u32) -> Result<Sensitivity<'a>, EditError> {
    let ranking = Ranking::new(sought, &plan.base(), Number::ZERO);
    let fields = plan.brand_version.fields.iter().filter(|field| ranking.looks_at(field));
    let mut levers = fields
        .map(|field| lever(plan, &ranking, field, step))
        .collect::<Result<Vec<_>, EditError>>()?;
    // Stable: fields of equal effect stay in the catalogue's order.
    levers.sort_by_key(|lever| std::cmp::Reverse(ranking.distance(&lever.low, &lever.high)));
    Ok(Sensitivity {
        base: ranking.base(),
        by_earnings_of: ranking.by_earnings_of(),
        levers,
    })
}

fn lever<'a>(
    plan: &Hypothesis<'a>,
    ranking: &Ranking<'_>,
    field: &'a Field,
    step: u32,
) -> Result<Lever<'a>, EditError> {
    let value = plan.value(&field.path)?;
    let width = width(field.kind, value, step);
    let side = |value: Decimal| -> Result<Found, EditError> {
        let hard = field.hard();
        let value = Number::new(value).clamp(hard.low, hard.high);
        Ok(ranking.read(value, &plan.with(&field.path, value)?))
    };
    let (low, high) = (
        side(value.decimal().saturating_sub(width))?,
        side(value.decimal().saturating_add(width))?,
    );
    let effect = low.result.zip(high.result);
    let helps = match (ranking.may_name(&low), ranking.may_name(&high)) {
        (true, _) => Some(Helps::Low),
        (_, true) => Some(Helps::High),
        _ => None,
    };
    Ok(Lever {
        field,
        effect: effect.map(|(low, high)| Number::new(high.decimal().saturating_sub(low.decimal()))),
        low,
        high,
        helps,
    })
}

/// How far a field moves to each side.
fn width(kind: Kind, value: Number, step: u32) -> Decimal {
    let share = value.decimal().abs().saturating_mul(Decimal::new(i64::from(step), 2));
    match kind {
        Kind::Percent => Decimal::new(i64::from(step), 3),
        Kind::Multiple => Number::new(share).round(6).decimal(),
        Kind::Money => Number::new(share).round(0).decimal(),
        Kind::Count | Kind::Months | Kind::Days | Kind::Years => {
            Number::new(share).round(0).decimal().max(Decimal::ONE)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::hypothesis::testing::{NOON, demo};
    use super::*;
    use plan_model::field::FieldPath;
    use plan_model::metrics;

    fn metric(name: &str) -> Sought<'static> {
        Sought::Metric(metrics::find(name).expect("a metric"))
    }

    #[test]
    fn every_field_moves_both_ways_in_two_runs_and_the_strongest_comes_first() {
        let (brand_version, inputs) = demo();
        let plan = Hypothesis::new(&inputs, &brand_version, NOON);
        let found = sensitivity(&plan, metric("dscrYear1"), 10).expect("known fields");
        let fields = brand_version.fields.len();
        assert_eq!((found.levers.len(), plan.runs() as usize), (fields, 2 * fields + 1));
        assert_eq!(found.base.result, Some(Number::millionths(610_000)));

        let sizes: Vec<_> = found
            .levers
            .iter()
            .map(|one| one.effect.map(|effect| effect.decimal().abs()))
            .collect();
        assert!(sizes.is_sorted_by(|a, b| a >= b), "{sizes:?}");
        for lever in &found.levers {
            for side in [lever.low, lever.high] {
                assert_eq!(lever.field.refusal(side.value), None, "{}", lever.field.path);
                let alone = plan.with(&lever.field.path, side.value).expect("a field");
                assert_eq!(metric("dscrYear1").value(&alone), side.result);
            }
        }
    }

    #[test]
    fn steps_are_percent_of_the_value_points_of_a_percentage_and_at_least_one() {
        let (brand_version, inputs) = demo();
        let plan = Hypothesis::new(&inputs, &brand_version, NOON);
        let sides = |path: &str, step| {
            let found = sensitivity(&plan, metric("lowestCash"), step).expect("known fields");
            let lever = found
                .levers
                .into_iter()
                .find(|one| one.field.path.as_str() == path)
                .expect("a field");
            (lever.low.value.to_string(), lever.high.value.to_string())
        };
        let both = |low: &str, high: &str| (low.to_owned(), high.to_owned());
        assert_eq!(sides("operatingCosts.rentMonthly", 10), both("405000", "495000"));
        assert_eq!(sides("operatingCosts.royaltyPct", 10), both("0.05", "0.07"));
        assert_eq!(sides("operatingCosts.royaltyPct", 1), both("0.059", "0.061"));
        assert_eq!(sides("operatingCosts.otherOpexPct", 10), both("0", "0.01"));
        assert_eq!(sides("revenue.year1GrowthRate", 50), both("0", "0.1"));
        assert_eq!(sides("revenue.monthsToReachAuv", 10), both("16", "20"));
        assert_eq!(sides("operatingCosts.rentAbatementMonths", 10), both("0", "1"));
        assert_eq!(
            sides("workingCapitalAndValuation.ebitdaMultiple", 10),
            both("2.7", "3.3")
        );
        assert_eq!(sides("operatingCosts.vehicleMonthly", 10), both("0", "0"));
    }

    #[test]
    fn a_metric_without_a_value_on_a_side_has_no_effect_and_comes_last() {
        let (brand_version, mut inputs) = demo();
        let rent = FieldPath::from_static("operatingCosts.rentMonthly");
        inputs.0.get_mut(&rent).expect("a field").current_value = Number::whole(900_000);
        let plan = Hypothesis::new(&inputs, &brand_version, NOON);
        let found = sensitivity(&plan, metric("breakEvenMonth"), 50).expect("known fields");
        assert_eq!(found.base.result, None);
        let rent = found.levers.iter().find(|one| one.field.path == rent).expect("a field");
        assert!(rent.low.result.is_some() && rent.effect.is_none(), "{rent:?}");
        assert_eq!(found.levers.last().and_then(|one| one.effect), None);
    }
}
