//! Amounts in text: read exactly, never wrapped, and the same again when they are written down and read back.
#![no_main]

use libfuzzer_sys::fuzz_target;
use plan_advisor::extraction::{Context, Words, convert, judge, read};
use plan_advisor::model::brand::Brand;
use plan_advisor::model::field::{Kind, catalogue, show_cents};
use plan_advisor::model::number::Number;
use plan_advisor_fuzz::plain_dollars;
use std::collections::BTreeSet;
use std::sync::LazyLock;

const RENT: &str = "operatingCosts.rentMonthly";

/// Beyond this many cents nothing is a value.
const LIMIT: i64 = 10_000_000_000_000;

static BRAND: LazyLock<Brand> = LazyLock::new(Brand::demo);

fuzz_target!(|text: &str| {
    if text.len() <= 1_000 {
        numbers(text);
        spans(text);
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

fn spans(text: &str) {
    for span in &read(text, catalogue()).spans {
        assert!(text.get(span.start..span.end).is_some() && text.get(span.clause.0..span.clause.1).is_some());
        assert!(span.clause.0 <= span.start && span.end <= span.clause.1);
        let mut cents = BTreeSet::new();
        for field in catalogue() {
            let values = convert::values(span, field);
            if field.kind == Kind::Money {
                cents.extend(values);
            }
            let _ = convert::bounds(span, field);
        }
        cents.into_iter().for_each(stays_the_same);
    }
}

fn stays_the_same(value: Number) {
    assert!(value.is_whole(), "{value} has a part of a cent");
    let cents = value.to_whole();
    if (0..=LIMIT).contains(&cents) {
        let text = show_cents(cents);
        assert_eq!(rent(&text), Some(value), "{text}");
    }
}

/// The value of "rent is …".
fn rent(amount: &str) -> Option<Number> {
    let reading = read(&format!("rent is {amount}"), catalogue());
    let [span] = reading.spans.as_slice() else { return None };
    let field = &catalogue()[span.field()?];
    (field.path.as_str() == RENT).then(|| convert::values(span, field).first().copied())?
}

fn plain(text: &str) {
    if let Some(cents) = plain_dollars(text) {
        assert_eq!(rent(text), Some(Number::whole(cents)), "{text}");
    }
}

/// As the value of a call, without words that say it: never applied, and exact where it is plain.
fn called(text: &str) {
    let quoted = serde_json::to_string(text).expect("text is JSON");
    for value in [text, &quoted] {
        let arguments = format!(r#"{{"path":"{RENT}","value":{value},"confidence":"high"}}"#);
        let fields = catalogue();
        let words = Words::new("", None, None);
        let context = Context {
            fields,
            inputs: None,
            brand: &BRAND,
            words: &words,
        };
        let Ok(judged) = judge(&arguments, &context) else {
            assert!(value == text || plain_dollars(text).is_none(), "{text} is refused");
            continue;
        };
        assert!(
            judged.outcome != plan_advisor::extraction::Outcome::Apply,
            "nobody said {text}"
        );
        assert!(judged.value.to_whole().abs() <= LIMIT, "{}", judged.value);
        if let Some(cents) = plain_dollars(text).filter(|_| value != text) {
            assert_eq!(judged.value, Number::whole(cents), "{text}");
        }
    }
}
