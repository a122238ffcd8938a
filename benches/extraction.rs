//! Benchmarks reading a franchisee's message. `cargo bench --bench extraction`

use plan_model::brand::Brand;
use plan_reader::{Context, Texts, Vocabulary, decide, understand};
use std::sync::LazyLock;

/// Two hundred characters with several values.
const MESSAGE: &str = "Rent is $4,200 a month, royalty is six percent and we borrowed $280,000 from the bank over ten years. \
                       Utilities run $950 a month, insurance is $9,600/yr, and the build-out came to one hundred forty thousand";

static BRAND: LazyLock<Brand> = LazyLock::new(Brand::demo);
static VOCABULARY: LazyLock<Vocabulary> = LazyLock::new(|| Vocabulary::of(&BRAND));

fn main() {
    divan::main();
}

fn read(text: &str) -> usize {
    let understood = understand(&Texts::of(divan::black_box(text)), &VOCABULARY);
    understood.plain.len() + understood.candidates.len()
}

/// Target: at most 100 µs.
#[divan::bench]
fn one_message_of_200_characters() -> usize {
    read(MESSAGE)
}

/// Eight thousand characters must cost at most forty times as much.
#[divan::bench(args = [1, 10, 40])]
fn repeated(times: usize) -> usize {
    read(&MESSAGE.repeat(times))
}

#[divan::bench]
fn digits(bencher: divan::Bencher<'_, '_>) {
    let text = "1".repeat(8_000);
    bencher.bench_local(|| read(&text));
}

/// Eight thousand characters of each, the longest message: no text may cost much more than plain sentences do.
#[divan::bench(args = ["rent is 4,200 or 4,300, ", "((((((((", "9,9,9,9,9,9,", "no, not 4,200 but ", "rent | 4,200\n", "\u{202E}4\u{200B}2"])]
fn hostile(piece: &str) -> usize {
    read(&piece.repeat(8_000 / piece.len()))
}

/// The names of a brand; once for each of its versions.
#[divan::bench]
fn vocabulary() -> usize {
    Vocabulary::of(&BRAND).fields().len()
}

#[divan::bench]
fn one_call(bencher: divan::Bencher<'_, '_>) {
    let texts = Texts::of(MESSAGE);
    let understanding = understand(&texts, &VOCABULARY);
    let context = Context {
        fields: VOCABULARY.fields(),
        inputs: None,
        brand: &BRAND,
        texts: &texts,
        understanding: &understanding,
    };
    bencher.bench_local(|| {
        let call = r#"{"path":"operatingCosts.utilitiesMonthly","value":950,"confidence":"high"}"#;
        decide(call, &context).is_ok()
    });
}
