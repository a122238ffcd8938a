//! Benchmarks a projection of 60 months, and what runs it many times. Targets: 50 µs per run, 15 ms for the sensitivity of all
//! fields, 10 ms for a goal seek, 2 ms for four columns.

use plan_advisor::plans::analysis::{Goal, Hypothesis, Sought, compare, goal_seek, sensitivity};
use plan_advisor::store::brands::BrandVersion;
use plan_model::brand::Brand;
use plan_model::field::FieldPath;
use plan_model::ids::BrandVersionId;
use plan_model::inputs::FinancialInputs;
use plan_model::metrics;
use plan_model::number::Number;
use plan_model::scenario::Overrides;
use time::OffsetDateTime;

fn main() {
    divan::main();
}

fn demo(changes: &[(&'static str, Number)]) -> (FinancialInputs, Brand) {
    let brand = Brand::demo();
    let mut inputs = FinancialInputs::from_brand(&brand);
    for (path, value) in changes {
        if let Some(field) = inputs.0.get_mut(&FieldPath::from_static(path)) {
            field.current_value = *value;
        }
    }
    (inputs, brand)
}

/// The plan at the brand's defaults: a loan over 120 months.
#[divan::bench]
fn default_plan(bencher: divan::Bencher) {
    let (inputs, brand) = demo(&[]);
    bencher.bench_local(|| plan_engine::project(divan::black_box(&inputs), divan::black_box(&brand)));
}

/// The longest typical term: the payment search runs over 300 months.
#[divan::bench]
fn loan_over_25_years(bencher: divan::Bencher) {
    let (inputs, brand) = demo(&[("financing.loanTermMonths", Number::whole(300))]);
    bencher.bench_local(|| plan_engine::project(divan::black_box(&inputs), divan::black_box(&brand)));
}

/// All values at their hard maximum: the worst case.
#[divan::bench]
fn everything_at_its_highest(bencher: divan::Bencher) {
    let (mut inputs, brand) = demo(&[]);
    for field in brand.fields() {
        if let Some(value) = inputs.0.get_mut(&field.path) {
            value.current_value = field.hard().high;
        }
    }
    bencher.bench_local(|| plan_engine::project(divan::black_box(&inputs), divan::black_box(&brand)));
}

const RENT: FieldPath = FieldPath::from_static("operatingCosts.rentMonthly");

fn versioned(changes: &[(&'static str, Number)]) -> (FinancialInputs, BrandVersion) {
    let (inputs, brand) = demo(changes);
    let brand_version = BrandVersion {
        id: BrandVersionId(uuid::Uuid::nil()),
        fields: brand.fields().into(),
        brand,
    };
    (inputs, brand_version)
}

/// All fields, each a step down and up.
#[divan::bench]
fn sensitivity_of_all_fields(bencher: divan::Bencher) {
    let (inputs, brand_version) = versioned(&[]);
    let metric = metrics::find("dscrYear1").expect("a metric");
    bencher.bench_local(|| {
        let plan = Hypothesis::new(divan::black_box(&inputs), &brand_version, OffsetDateTime::UNIX_EPOCH);
        sensitivity(&plan, Sought::Metric(metric), 10)
            .expect("known fields")
            .levers
            .len()
    });
}

/// The loan over the longest typical term: a wide range, and the slowest runs.
#[divan::bench]
fn goal_seek_of_a_loan(bencher: divan::Bencher) {
    let (inputs, brand_version) = versioned(&[("financing.loanTermMonths", Number::whole(300))]);
    let goal = Goal {
        sought: Sought::Metric(metrics::find("dscrYear1").expect("a metric")),
        target: Number::millionths(1_250_000),
        path: FieldPath::from_static("financing.loanAmount"),
    };
    bencher.bench_local(|| {
        let plan = Hypothesis::new(divan::black_box(&inputs), &brand_version, OffsetDateTime::UNIX_EPOCH);
        goal_seek(&plan, &goal).expect("a field")
    });
}

/// The plan and three scenarios.
#[divan::bench]
fn compare_four_columns(bencher: divan::Bencher) {
    let (inputs, brand_version) = versioned(&[]);
    let scenarios = [360_000, 420_000, 900_000].map(|rent| Overrides([(RENT, Number::whole(rent))].into()));
    bencher.bench_local(|| {
        let plan = Hypothesis::new(divan::black_box(&inputs), &brand_version, OffsetDateTime::UNIX_EPOCH);
        compare(&plan, &scenarios).expect("known fields")
    });
}
