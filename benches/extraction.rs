//! How long it takes to read what a franchisee writes. `cargo bench --bench extraction`

use plan_advisor::extraction::{Context, Words, judge, read};
use plan_advisor::model::brand::Brand;
use plan_advisor::model::field::catalogue;

/// Two hundred characters with several values, as people write them.
const MESSAGE: &str = "Rent's about 4 grand, royalty is six percent and we borrowed two eighty from the bank over ten years. \
                       Utilities run $950 a month, insurance is $9,600/yr, and the build-out came to one hundred forty thousand";

fn main() {
    divan::main();
}

/// The floor is 50 microseconds.
#[divan::bench]
fn one_message_of_200_characters() -> usize {
    read(divan::black_box(MESSAGE), catalogue()).spans.len()
}

/// Eight thousand characters must cost forty times as much, not more.
#[divan::bench(args = [1, 10, 40])]
fn repeated(times: usize) -> usize {
    read(divan::black_box(&MESSAGE.repeat(times)), catalogue()).spans.len()
}

#[divan::bench]
fn digits(bencher: divan::Bencher<'_, '_>) {
    let text = "1".repeat(8_000);
    bencher.bench_local(|| read(divan::black_box(&text), catalogue()).spans.len());
}

#[divan::bench]
fn one_call(bencher: divan::Bencher<'_, '_>) {
    let brand = Brand::demo();
    let fields = brand.fields();
    bencher.bench_local(|| {
        let words = Words::new(MESSAGE, None, None);
        let context = Context {
            fields: &fields,
            inputs: None,
            brand: &brand,
            words: &words,
        };
        judge(
            r#"{"path":"operatingCosts.utilitiesMonthly","value":950,"confidence":"high"}"#,
            &context,
        )
        .is_ok()
    });
}
