//! What holds for every number, every wording, every text.

use super::*;

/// Ways to write an amount of cents.
fn written(cents: i64, form: usize) -> String {
    let (dollars, rest) = (cents / 100, cents % 100);
    let grouped = crate::model::field::show_cents(cents);
    let plain = if rest == 0 {
        dollars.to_string()
    } else {
        format!("{dollars}.{rest:02}")
    };
    match form {
        0 => grouped,
        1 => format!("${plain}"),
        2 => format!("{plain} dollars"),
        3 => format!("{} bucks", grouped.trim_start_matches('$')),
        4 => format!("USD {plain}"),
        // Thousands with as many digits as it takes.
        5 => format!("${}.{:05}k", cents / 100_000, cents % 100_000),
        6 => format!("${}.{:08}M", cents / 100_000_000, cents % 100_000_000),
        7 if rest == 0 => format!("{} dollars", spoken(dollars)),
        _ => format!("{dollars} dollars and {rest} cents"),
    }
}

/// Numbers in words, as a careful speaker says them.
fn spoken(n: i64) -> String {
    const SMALL: [&str; 20] = [
        "zero",
        "one",
        "two",
        "three",
        "four",
        "five",
        "six",
        "seven",
        "eight",
        "nine",
        "ten",
        "eleven",
        "twelve",
        "thirteen",
        "fourteen",
        "fifteen",
        "sixteen",
        "seventeen",
        "eighteen",
        "nineteen",
    ];
    const TENS: [&str; 10] = [
        "", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety",
    ];
    let joined = |head: String, rest: i64, tie: &str| {
        if rest == 0 {
            head
        } else {
            format!("{head}{tie}{}", spoken(rest))
        }
    };
    match n {
        0..20 => SMALL[n as usize].to_owned(),
        20..100 => joined(TENS[(n / 10) as usize].to_owned(), n % 10, "-"),
        100..1_000 => joined(
            format!("{} hundred", spoken(n / 100)),
            n % 100,
            if n % 3 == 0 { " and " } else { " " },
        ),
        1_000..1_000_000 => joined(
            format!("{} thousand", spoken(n / 1_000)),
            n % 1_000,
            if n % 1_000 < 10 { " and " } else { " " },
        ),
        _ => joined(
            format!("{} million", spoken(n / 1_000_000)),
            n % 1_000_000,
            if n % 1_000_000 < 10 { " and " } else { " " },
        ),
    }
}

const HEDGES: [&str; 8] = [
    "about ",
    "around ",
    "maybe ",
    "roughly ",
    "probably ",
    "like ",
    "approximately ",
    "almost ",
];
const FILLERS: [&str; 7] = ["", "ok so ", "well, ", "um, ", "hi! ", "hello, ", "by the way, "];

fn rent(message: &str) -> Vec<(i64, bool)> {
    let spans = read(message, catalogue()).spans;
    let rent = catalogue()
        .iter()
        .position(|field| field.path.as_str() == RENT)
        .expect("rent");
    let own = spans.iter().filter(|span| span.field() == Some(rent));
    own.filter_map(|span| {
        Some((
            convert::values(span, &catalogue()[rent]).first()?.to_whole(),
            span.doubts.is_none(),
        ))
    })
    .collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: ProptestConfig::default().cases.max(400), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_amount_in_any_form_comes_back_exactly(cents in 0i64..1_000_000_000, form in 0usize..9) {
        let text = written(cents, form);
        for message in [format!("rent is {text}"), format!("My rent is {text} a month."), format!("{text} for rent")] {
            prop_assert_eq!(rent(&message), vec![(cents, true)], "{}", message);
        }
    }

    #[test]
    fn any_percentage_comes_back_exactly(ppm in 1i64..1_000_000) {
        let text = Number::millionths(ppm).decimal() * rust_decimal::Decimal::ONE_HUNDRED;
        let message = format!("royalty is {}%", text.normalize());
        let judged = high(&message, "operatingCosts.royaltyPct", &text.to_string());
        prop_assert_eq!((judged.value, judged.outcome), (Number::millionths(ppm), Outcome::Apply));
    }

    #[test]
    fn rewording_changes_nothing(cents in 10_000i64..2_000_000, filler in 0usize..7, case in 0u8..3, end in 0usize..4, order: bool) {
        let amount = crate::model::field::show_cents(cents);
        let parts = [format!("rent is {amount}"), "royalty is 6%".to_owned()];
        let text = if order { parts.join(" and ") } else { format!("{}, {}", parts[1], parts[0]) };
        let text = format!("{}{text}{}", FILLERS[filler], ["", ".", "!", " thanks"][end]);
        let text = match case { 0 => text, 1 => text.to_uppercase(), _ => text.to_lowercase() };
        prop_assert_eq!(rent(&text), vec![(cents, true)], "{}", text);
    }

    #[test]
    fn a_hedge_never_raises_confidence(cents in 10_000i64..2_000_000, hedge in 0usize..8, form in 0usize..5, given in 0usize..3) {
        let amount = written(cents, form);
        let given = ["high", "tentative", "uncertain"][given];
        let value = format!("{}.{:02}", cents / 100, cents % 100);
        let plain = call(&format!("rent is {amount}"), RENT, &value, given).expect("a value");
        let hedged = call(&format!("rent is {}{amount}", HEDGES[hedge]), RENT, &value, given).expect("a value");
        prop_assert!(hedged.confidence <= plain.confidence);
        prop_assert!(hedged.outcome != Outcome::Apply);
    }

    #[test]
    fn nothing_is_applied_unless_its_number_was_said(said in 1i64..1_000_000, called in 1i64..1_000_000, field in 0usize..71) {
        let message = format!("rent is ${said}");
        let path = catalogue()[field].path.as_str();
        let judged = call(&message, path, &called.to_string(), "high").expect("a value");
        // Equal in dollars, in cents, or over another period: the stored value is always the one that was said.
        if judged.outcome == Outcome::Apply {
            prop_assert_eq!(judged.value, Number::whole(said * 100), "{} {} {}", message, path, called);
            prop_assert_eq!(path, RENT);
        }
    }

    #[test]
    fn no_text_makes_it_panic(text in "\\PC{0,120}", other in "[ .,?!$%()\"'\\-0-9a-zA-Z\n]{0,200}") {
        for text in [text, other] {
            let reading = read(&text, catalogue());
            for span in &reading.spans {
                prop_assert!(text.get(span.start..span.end).is_some() && text.get(span.clause.0..span.clause.1).is_some());
                prop_assert!(span.clause.0 <= span.start && span.end <= span.clause.1);
                for field in catalogue() {
                    let _ = convert::values(span, field);
                }
            }
            let _ = (is_yes(&text), is_no(&text), agrees(&text));
        }
    }

    #[test]
    fn words_of_the_trade_in_any_order_make_no_panic(words in prop::collection::vec(0usize..40, 0..60)) {
        const WORDS: [&str; 40] = [
            "rent", "is", "4,200", "$", "two", "eighty", "hundred", "thousand", "and", "a", "half", "percent", "%", "-", "to", "between", "month", "13", ",", ".",
            "?", "if", "not", "no", "wait", "year", "growth", "first", "(", ")", "royalty", "six", "point", "k", "/", "per", "\"", "\u{202E}", "of", "quarter",
        ];
        for glue in [" ", ""] {
            let text = words.iter().map(|&i| WORDS[i]).collect::<Vec<_>>().join(glue);
            let _ = read(&text, catalogue());
            let _ = high(&text, RENT, "4200");
        }
    }

    #[test]
    fn no_arguments_make_it_panic(arguments in "\\PC{0,100}", value in "\\PC{0,30}") {
        let _ = raw("rent is 4,200", &arguments);
        let quoted = serde_json::to_string(&value).expect("text");
        let _ = call("rent is 4,200", RENT, &quoted, "high");
    }
}

#[test]
fn all_cents_up_to_a_thousand_dollars_come_back() {
    for cents in (0..100_000).step_by(7) {
        assert_eq!(
            rent(&format!("rent is {}", crate::model::field::show_cents(cents))),
            vec![(cents, true)]
        );
    }
}

#[test]
fn long_texts_cost_no_more_than_their_length() {
    let samples: [String; 9] = [
        "1".repeat(8_000),
        "1 ".repeat(4_000),
        "rent 1, ".repeat(1_000),
        "rent is 4,200 no wait ".repeat(360),
        "rent and ".repeat(900),
        "\"".repeat(8_000),
        "4\u{200B}2\u{202E}".repeat(1_300),
        "growth year 1 5% ".repeat(470),
        "one hundred and ".repeat(500),
    ];
    for sample in samples {
        let begun = std::time::Instant::now();
        let _ = read(&sample, catalogue());
        // Generous for an unoptimized build on a busy machine; a quadratic step would take far longer.
        assert!(
            begun.elapsed() < std::time::Duration::from_secs(2),
            "{:?} for {:?}…",
            begun.elapsed(),
            &sample[..8]
        );
    }
}
