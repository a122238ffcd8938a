use super::super::hypothesis::testing::{NOON, demo, plans};
use super::*;
use plan_model::metrics;
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

const RENT: &str = "operatingCosts.rentMonthly";

fn goal(metric: &str, target: Number, path: &str) -> Goal<'static> {
    Goal {
        sought: Sought::Metric(metrics::find(metric).expect("a metric")),
        target,
        path: FieldPath::new(path),
    }
}

/// Outcome, value, result and runs on the demo plan with changed values.
fn seek_in(changes: &[(&str, Number)], goal: &Goal<'_>) -> (Outcome, String, Option<String>, u32) {
    let (brand_version, mut inputs) = demo();
    for (path, value) in changes {
        inputs.0.get_mut(*path).expect("a field").current_value = *value;
    }
    let plan = Hypothesis::new(&inputs, &brand_version, NOON);
    let GoalSeek { outcome, found, .. } = goal_seek(&plan, goal).expect("a field");
    let text = |number: Number| number.to_string();
    (outcome, text(found.value), found.result.map(text), plan.runs())
}

fn seek(goal: &Goal<'_>) -> (Outcome, String, Option<String>) {
    let (outcome, value, result, runs) = seek_in(&[], goal);
    assert!(runs <= 43 + 64, "{runs} runs");
    (outcome, value, result)
}

fn found(outcome: Outcome, value: &str, result: &str) -> (Outcome, String, Option<String>) {
    (outcome, value.to_owned(), Some(result.to_owned()))
}

#[test]
fn the_value_nearest_to_todays_reaches_the_target() {
    let wanted = goal("dscrYear2", Number::whole(2), RENT);
    assert_eq!(seek(&wanted), found(Outcome::Reached, "343160", "2"));
    let met = goal("dscrYear2", Number::millionths(1_500_000), RENT);
    assert_eq!(
        seek(&met),
        found(Outcome::Reached, "450000", "1.7"),
        "today's value is enough"
    );
}

#[test]
fn a_target_out_of_reach_gives_the_best_value() {
    let wanted = goal("breakEvenMonth", Number::whole(1), RENT);
    assert_eq!(seek(&wanted), found(Outcome::Unreachable, "50000", "4"));
    // Nothing comes of the number of staff.
    let idle = goal("lowestCash", Number::whole(1_000_000_000_000), "profile.staffCount");
    let (outcome, value, _) = seek(&idle);
    let (_, inputs) = demo();
    let own = inputs.get("profile.staffCount").expect("a field").current_value;
    assert_eq!((outcome, value), (Outcome::Unreachable, own.to_string()));
}

#[test]
fn a_target_that_two_values_reach_gives_the_nearer_and_says_so() {
    // The less is borrowed, the better it is covered; but without a loan there is no coverage at all.
    let loan = goal("dscrYear1", Number::millionths(1_250_000), "financing.loanAmount");
    assert_eq!(seek(&loan), found(Outcome::NotMonotone, "13610555", "1.25"));
}

#[test]
fn a_metric_without_a_better_direction_comes_as_near_as_it_can() {
    let up = goal(
        "totalInvestment",
        Number::whole(40_000_000),
        "startupCosts.leaseholdImprovements",
    );
    assert_eq!(seek(&up), found(Outcome::Reached, "16850000", "40000000"));
    let down = goal(
        "totalInvestment",
        Number::whole(35_000_000),
        "startupCosts.leaseholdImprovements",
    );
    assert_eq!(seek(&down), found(Outcome::Reached, "11850000", "35000000"));
    let share = goal("equityPct", Number::millionths(333_350), "financing.loanAmount");
    assert_eq!(seek(&share), found(Outcome::Reached, "24766066", "0.3334"));
}

#[test]
fn what_a_year_leaves_reaches_a_target_and_one_cent_less_of_sales_misses_it() {
    let sought = Sought::of_year("ownerLeftYear2").expect("a line of a year");
    let target = Number::whole(6_000_000);
    let path = FieldPath::new("revenue.monthlyAuv");
    let (brand_version, inputs) = demo();
    let plan = Hypothesis::new(&inputs, &brand_version, NOON);
    let goal = Goal {
        sought,
        target,
        path: path.clone(),
    };
    let GoalSeek { outcome, found, .. } = goal_seek(&plan, &goal).expect("a field");
    let left = |sales: Number| sought.value(&plan.with(&path, sales).expect("a field"));
    assert_eq!((outcome, left(found.value)), (Outcome::Reached, found.result));
    assert!(found.result >= Some(target));
    assert!(left(Number::new(found.value.decimal() - Decimal::ONE)) < Some(target));
    assert!(Sought::of_year("ownerLeftYear6").is_none() && Sought::of_year("rentYear2").is_none());
}

#[test]
fn percentages_move_by_a_tenth_of_a_point_and_growth_may_be_negative() {
    let labor = goal("dscrYear1", Number::whole(1), "operatingCosts.laborPct");
    assert_eq!(seek(&labor), found(Outcome::Reached, "0.339", "1"));
    let growth = goal(
        "fiveYearOwnerCashFlow",
        Number::whole(100_000_000),
        "revenue.year2GrowthRate",
    );
    assert_eq!(seek(&growth), found(Outcome::Unreachable, "0.3", "26841250"));
    let rate = goal("monthlyPayment", Number::whole(350_000), "financing.interestRate");
    assert_eq!(seek(&rate), found(Outcome::Reached, "0.086", "348660"));
}

#[test]
fn the_range_is_the_planning_range() {
    let (brand_version, inputs) = demo();
    let plan = Hypothesis::new(&inputs, &brand_version, NOON);
    let end = |path: &str| {
        let grid = Grid::new(&plan, brand_version.field(path).expect("a field")).expect("a field");
        (
            grid.value(grid.at(grid.first)).to_string(),
            grid.value(grid.at(grid.last)).to_string(),
        )
    };
    let both = |low: &str, high: &str| (low.to_owned(), high.to_owned());
    assert_eq!(end(RENT), both("50000", "2500000"), "the planning range");
    assert_eq!(
        end("operatingCosts.otherMonthly"),
        both("0", "1000000"),
        "the planning range"
    );
    assert_eq!(end("startupCosts.loanFees"), both("0", "10000000"), "neither is known");
    assert_eq!(end("operatingCosts.laborPct"), both("0.1", "0.55"));
    assert_eq!(end("revenue.year1GrowthRate"), both("-0.05", "0.3"));
    assert_eq!(end("workingCapitalAndValuation.ebitdaMultiple"), both("1", "6"));
}

#[test]
fn a_field_that_the_plan_does_not_have_is_an_error() {
    let (brand_version, inputs) = demo();
    let plan = Hypothesis::new(&inputs, &brand_version, NOON);
    let unknown = goal("dscrYear1", Number::whole(1), "startupCosts.moonBase");
    assert!(matches!(goal_seek(&plan, &unknown), Err(EditError::UnknownField(_))));
}

/// Metrics and fields of which more is always better, or always worse.
const MONOTONE: [(&str, &str); 8] = [
    ("dscrYear2", RENT),
    ("lowestCash", RENT),
    ("fiveYearOwnerCashFlow", "operatingCosts.laborPct"),
    ("projectedAnnualRevenueYear1", "revenue.monthlyAuv"),
    ("monthsNegative", "operatingCosts.otherMonthly"),
    ("monthlyPayment", "financing.loanTermMonths"),
    ("monthlyPayment", "financing.interestRate"),
    ("totalInvestment", "startupCosts.signage"),
];

#[test]
fn on_1000_random_plans_one_step_nearer_to_today_misses_the_target_and_one_step_on_keeps_it() {
    let config = Config::with_cases(1_000);
    let rng = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
    let mut reached = 0;
    let (brand_version, _) = demo();
    let cases = (plans(), 0..MONOTONE.len(), 0_i64..=1_000);
    let mut runner = TestRunner::new_with_rng(config, rng);
    for _ in 0..1_000 {
        let (inputs, which, share) = cases.new_tree(&mut runner).expect("a case").current();
        let plan = Hypothesis::new(&inputs, &brand_version, NOON);
        let (metric, path) = MONOTONE[which];
        let mut goal = goal(metric, Number::ZERO, path);
        let grid = Grid::new(&plan, brand_version.field(path).expect("a field")).expect("a field");
        let search = |goal: &Goal<'_>, number: i64| {
            let projection = plan.with(&goal.path, grid.value(grid.at(number))).expect("a field");
            goal.sought.value(&projection)
        };
        // What the metric is somewhere else can be reached.
        let Some(target) = search(&goal, grid.first + (grid.last - grid.first) * share / 1_000) else {
            continue;
        };
        // What covers nothing is no target, and what costs cash no answer: more sales may cost more than they bring.
        let number = grid.first + (grid.last - grid.first) * share / 1_000;
        let there = plan.with(&goal.path, grid.value(grid.at(number))).expect("a field");
        let costs_cash = there.metrics.lowest_cash < plan.base().metrics.lowest_cash;
        if goal.sought.is_uncovered(target) || costs_cash {
            continue;
        }
        goal.target = target;

        let runs = plan.runs();
        let GoalSeek {
            outcome, found, base, ..
        } = goal_seek(&plan, &goal).expect("a field");
        assert!(plan.runs() - runs <= 43 + 64, "{} runs", plan.runs() - runs);
        assert_eq!(outcome, Outcome::Reached, "{metric} {path} {target} from {base:?}");
        if goal.sought.better().is_none() {
            assert_eq!(found.result, Some(target));
            continue;
        }
        let side = Side::of(&goal, base.result);
        let reaches = |result: Option<Number>| {
            result.is_some_and(|result| match side {
                Side::AtLeast => result >= target,
                Side::AtMost => result <= target,
            })
        };
        let at = (plan.with(&goal.path, found.value)).expect("a field");
        assert_eq!(goal.sought.value(&at), found.result);
        assert!(reaches(found.result), "{found:?}");
        if found.value == base.value {
            continue;
        }
        reached += 1;
        let step = grid.value(grid.step).decimal();
        let away = if found.value > base.value { step } else { -step };
        let one = |value: Decimal| {
            let projection = plan.with(&goal.path, Number::new(value)).expect("a field");
            goal.sought.value(&projection)
        };
        let nearer = found.value.decimal() - away;
        let is_between = (nearer - base.value.decimal()).is_sign_negative() != away.is_sign_negative();
        assert!(
            is_between || !reaches(one(nearer)),
            "{metric} {path} {target}: {nearer} also reaches it"
        );
        let on = found.value.decimal() + away;
        if (grid.value(grid.at(grid.first)).decimal()..=grid.value(grid.at(grid.last)).decimal()).contains(&on) {
            assert!(reaches(one(on)), "{metric} {path} {target}: {on} does not keep it");
        }
    }
    // Of 1,000, less those whose target is met already, covers nothing, or costs cash.
    assert!(reached > 250, "{reached} searches moved");
}
