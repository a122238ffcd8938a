//! Amounts in text: read exactly, never wrapped, and the same again when they are written down and read back.
#![no_main]

use libfuzzer_sys::fuzz_target;
use plan_advisor_fuzz::plain_dollars;
use plan_model::brand::Brand;
use plan_model::field::show_cents;
use plan_model::number::Number;
use plan_reader::review::Verdict;
use plan_reader::{Context, Outcome, Texts, Understanding, Vocabulary, decide, understand};
use std::sync::LazyLock;

const RENT: &str = "operatingCosts.rentMonthly";

/// Beyond this many cents nothing is a value.
const LIMIT: i64 = 10_000_000_000_000;

static BRAND: LazyLock<Brand> = LazyLock::new(Brand::demo);
static VOCABULARY: LazyLock<Vocabulary> = LazyLock::new(|| Vocabulary::of(&BRAND));

fuzz_target!(|text: &str| {
    if text.len() <= 1_000 {
        numbers(text);
        message(text);
        plain(text);
        called(text);
    }
});

/// A text that is a number is the same number when it is written and read again.
fn numbers(text: &str) {
    if let Ok(number) = text.parse::<Number>() {
        assert_eq!(number.to_string().parse::<Number>(), Ok(number));
        let _ = (
            number.to_whole(),
            number.to_millionths(),
            number.round(0),
            number.round(6),
        );
    }
}

fn read(text: &str) -> Understanding {
    understand(&Texts::of(text), &VOCABULARY)
}

/// Everything that is found stands in the text, can stand in a plan, and cost a bounded number of steps for each byte.
fn message(text: &str) {
    let understood = read(text);
    let inside = |from: usize, to: usize| assert!(text.get(from..to).is_some(), "{from}..{to}");
    for one in &understood.plain {
        inside(one.start, one.end);
        inside(one.number.0, one.number.1);
        let field = VOCABULARY.fields().iter().find(|field| field.path == one.field);
        assert_eq!(field.and_then(|field| field.refusal(one.value)), None, "{one:?}");
    }
    for one in &understood.candidates {
        inside(one.start, one.end);
        inside(one.number.0, one.number.1);
        assert!(!one.choices.is_empty());
    }
    assert!(understood.work <= 2_000 + 200 * text.len(), "{}", understood.work);
}

/// The value of "rent is … a month".
fn rent(amount: &str) -> Option<Number> {
    let understood = read(&format!("rent is {amount} a month"));
    let [one] = understood.plain.as_slice() else {
        return None;
    };
    (one.field.as_str() == RENT).then_some(one.value)
}

fn plain(text: &str) {
    if let Some(cents) = plain_dollars(text).filter(|cents| *cents <= 10_000_000_000) {
        assert_eq!(rent(text), Some(Number::whole(cents)), "{text}");
        assert_eq!(rent(&show_cents(cents)), Some(Number::whole(cents)), "{text}");
    }
}

/// As the value of a call, without words that say it: never applied, and exact where it is plain.
fn called(text: &str) {
    let quoted = serde_json::to_string(text).expect("text is JSON");
    for value in [text, &quoted] {
        let arguments = format!(r#"{{"path":"{RENT}","value":{value},"confidence":"high"}}"#);
        let texts = Texts::of("");
        let understanding = Understanding::default();
        let context = Context {
            fields: VOCABULARY.fields(),
            inputs: None,
            brand: &BRAND,
            texts: &texts,
            understanding: &understanding,
        };
        let Ok(decision) = decide(&arguments, &context) else {
            assert!(value == text || plain_dollars(text).is_none(), "{text} is refused");
            continue;
        };
        let decision = decision.reviewed(Verdict::Stated);
        assert!(decision.outcome != Outcome::Apply, "nobody said {text}");
        assert!(decision.value.to_whole().abs() <= LIMIT, "{}", decision.value);
        if let Some(cents) = plain_dollars(text).filter(|_| value != text) {
            assert_eq!(decision.value, Number::whole(cents), "{text}");
        }
    }
}
