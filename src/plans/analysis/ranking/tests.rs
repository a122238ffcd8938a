//! Advice is never perverse: over plans of all kinds, those that earn nothing among them.

use super::super::hypothesis::testing::{NOON, demo, plans};
use super::super::{Goal, GoalSeek, Hypothesis, Outcome, goal_seek, is_target, sensitivity};
use super::*;
use plan_model::field::FieldPath;
use plan_model::inputs::FinancialInputs;
use plan_model::metrics::METRICS;
use proptest::prelude::*;
use rust_decimal::Decimal;

const MOVED: [&str; 8] = [
    "financing.loanAmount",
    "financing.downPaymentPct",
    "financing.interestRate",
    "financing.loanTermMonths",
    "operatingCosts.rentMonthly",
    "operatingCosts.laborPct",
    "startupCosts.leaseholdImprovements",
    "revenue.monthlyAuv",
];

/// The demo plan with sales that do not pay its running costs.
fn weak() -> FinancialInputs {
    let (_, mut inputs) = demo();
    let sales = inputs.0.get_mut("revenue.monthlyAuv").expect("a field");
    sales.current_value = Number::whole(1_200_000);
    inputs
}

#[test]
fn where_nothing_is_earned_no_loan_is_a_way_out() {
    let (brand_version, _) = demo();
    let inputs = weak();
    let plan = Hypothesis::new(&inputs, &brand_version, NOON);
    for name in ["dscrYear1", "minDscr"] {
        let metric = plan_model::metrics::find(name).expect("a metric");
        let found = sensitivity(&plan, Sought::Metric(metric), 10).expect("known fields");
        assert!(
            found.by_earnings_of.is_some() && found.base.earnings < 0,
            "{:?}",
            found.base
        );
        assert!(
            found
                .levers
                .iter()
                .all(|lever| lever.field.path.section() != "financing")
        );
        let earnings: Vec<u64> = found
            .levers
            .iter()
            .map(|lever| lever.high.earnings.abs_diff(lever.low.earnings))
            .collect();
        assert!(earnings.is_sorted_by(|a, b| a >= b), "{earnings:?}");
        for path in [
            "financing.loanAmount",
            "financing.interestRate",
            "financing.loanTermMonths",
            "financing.downPaymentPct",
        ] {
            let goal = Goal {
                sought: Sought::Metric(metric),
                target: Number::millionths(1_250_000),
                path: FieldPath::new(path),
            };
            let found = goal_seek(&plan, &goal).expect("a field");
            assert_eq!(
                (found.outcome, found.found),
                (Outcome::Unreachable, found.base),
                "{path}"
            );
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn a_lever_that_may_be_named_improves_its_target_and_costs_nothing(inputs in plans(), which in 0..METRICS.len()) {
        let (brand_version, _) = demo();
        let plan = Hypothesis::new(&inputs, &brand_version, NOON);
        let metric = &METRICS[which];
        let base = plan.base();
        let found = sensitivity(&plan, Sought::Metric(metric), 10).expect("known fields");
        for lever in &found.levers {
            let Some(side) = lever.helping() else { continue };
            let case = plan.with(&lever.field.path, side.value).expect("a field");
            let (before, after) = ((metric.value)(&base.metrics), (metric.value)(&case.metrics));
            prop_assert!(case.metrics.lowest_cash >= base.metrics.lowest_cash, "{} costs cash", lever.field.path);
            match found.by_earnings_of {
                Some(year) => {
                    prop_assert!(lever.field.path.section() != "financing", "{}", lever.field.path);
                    let earned = |row: &AnnualRow| match metric.name {
                        "dscrAfterOwnerYear1" => row.operating_ebitda - row.owner_draw - row.taxes_paid,
                        _ => row.operating_ebitda,
                    };
                    prop_assert!(earned(&case.annual[year - 1]) > earned(&base.annual[year - 1]));
                }
                None => {
                    let is_better = match metric.better {
                        Some(Better::Higher) => after > before,
                        Some(Better::Lower) => after.is_some() && (before.is_none() || after < before),
                        None => false,
                    };
                    prop_assert!(is_better, "{} {before:?} {after:?}", lever.field.path);
                }
            }
            if metric.is_coverage() {
                prop_assert!(case.metrics.loan_amount <= base.metrics.loan_amount, "{} borrows more", lever.field.path);
            }
        }
    }

    #[test]
    fn a_goal_stays_in_the_planning_range_and_costs_nothing(
        inputs in plans(), which in 0..METRICS.len(), moved in 0..MOVED.len(), share in -200_i64..300,
    ) {
        let (brand_version, _) = demo();
        let plan = Hypothesis::new(&inputs, &brand_version, NOON);
        let metric = &METRICS[which];
        let base = plan.base();
        let today = (metric.value)(&base.metrics).unwrap_or(Number::whole(1));
        let target = Number::new(today.decimal() * Decimal::new(share, 2)).round(6);
        let path = FieldPath::new(MOVED[moved]);
        let GoalSeek { outcome, found, base: now, range, .. } =
            goal_seek(&plan, &Goal { sought: Sought::Metric(metric), target, path: path.clone() }).expect("a field");
        if found.value == now.value {
            return Ok(());
        }
        prop_assert!(range.contains(found.value), "{} outside {range:?}", found.value);
        let case = plan.with(&path, found.value).expect("a field");
        prop_assert_eq!((metric.value)(&case.metrics), found.result);
        if metric.better.is_some() {
            prop_assert!(case.metrics.lowest_cash >= base.metrics.lowest_cash, "{path} costs cash");
        }
        if metric.is_coverage() {
            prop_assert!(case.metrics.loan_amount <= base.metrics.loan_amount, "{path} borrows more");
            prop_assert!(outcome == Outcome::Unreachable || found.result > Some(Number::ZERO));
        }
    }

    #[test]
    fn no_target_makes_the_arithmetic_fail(digits in any::<i128>(), scale in 0_u32..=28, which in 0..METRICS.len()) {
        let (brand_version, inputs) = demo();
        let plan = Hypothesis::new(&inputs, &brand_version, NOON);
        let limit = 79_228_162_514_264_337_593_543_950_335_i128;
        let target = Number::new(Decimal::from_i128_with_scale(digits % limit, scale));
        if is_target(target) {
            let goal = Goal { sought: Sought::Metric(&METRICS[which]), target, path: FieldPath::new(MOVED[4]) };
            goal_seek(&plan, &goal).expect("a field");
        }
    }
}

#[test]
fn a_target_beyond_what_the_engine_computes_is_none() {
    assert!(is_target(Number::whole(1_000_000_000_000_000)));
    assert!(!is_target(Number::whole(-1_000_000_000_000_001)));
    assert!(!is_target(Number::new(Decimal::MAX)) && !is_target(Number::new(Decimal::MIN)));
}
