//! One projection of 60 months. The target is 50 µs a run; `make bench` prints what it is.

use plan_advisor::model::brand::Brand;
use plan_advisor::model::field::FieldPath;
use plan_advisor::model::inputs::FinancialInputs;
use plan_advisor::model::number::Number;
use plan_advisor::plan;

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
    bencher.bench_local(|| plan::project(divan::black_box(&inputs), divan::black_box(&brand)));
}

/// The longest usual term: the search for the payment runs over 300 months.
#[divan::bench]
fn loan_over_25_years(bencher: divan::Bencher) {
    let (inputs, brand) = demo(&[("financing.loanTermMonths", Number::whole(300))]);
    bencher.bench_local(|| plan::project(divan::black_box(&inputs), divan::black_box(&brand)));
}

/// Everything at its hard maximum: the most a run can take.
#[divan::bench]
fn everything_at_its_highest(bencher: divan::Bencher) {
    let (mut inputs, brand) = demo(&[]);
    for field in brand.fields() {
        if let Some(value) = inputs.0.get_mut(&field.path) {
            value.current_value = field.hard().high;
        }
    }
    bencher.bench_local(|| plan::project(divan::black_box(&inputs), divan::black_box(&brand)));
}
