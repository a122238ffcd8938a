//! Properties and the sentences the room was built for.

use super::*;
use crate::model::brand::Brand;
use crate::model::extracted::{Confidence, RangeCode};
use crate::model::field::{catalogue, find};
use crate::model::inputs::FinancialInputs;
use crate::model::number::Number;
use proptest::prelude::*;

mod hostile;
mod properties;

const RENT: &str = "operatingCosts.rentMonthly";

/// A call with a number, judged against a message.
fn call(message: &str, path: &str, value: &str, confidence: &str) -> Result<Judgement, ExtractionError> {
    raw(
        message,
        &format!(r#"{{"path":"{path}","value":{value},"confidence":"{confidence}"}}"#),
    )
}

fn raw(message: &str, arguments: &str) -> Result<Judgement, ExtractionError> {
    in_talk(None, None, message, arguments)
}

fn in_talk(
    before: Option<&str>,
    advisor: Option<&str>,
    message: &str,
    arguments: &str,
) -> Result<Judgement, ExtractionError> {
    let brand = Brand::demo();
    let fields = brand.fields();
    let words = Words::new(message, before, advisor);
    judge(
        arguments,
        &Context {
            fields: &fields,
            inputs: None,
            brand: &brand,
            words: &words,
        },
    )
}

fn high(message: &str, path: &str, value: &str) -> Judgement {
    call(message, path, value, "high").expect("a value")
}

#[test]
fn the_sentence_this_room_was_built_for() {
    let message =
        "Rent's about 4 grand, royalty is six percent and we borrowed two eighty from the bank over ten years";
    let rent = high(message, RENT, "4000");
    assert_eq!(
        (rent.value, rent.outcome, rent.confidence),
        (Number::whole(400_000), Outcome::Propose, Confidence::Tentative)
    );
    let royalty = high(message, "operatingCosts.royaltyPct", "6");
    assert_eq!(
        (royalty.value, royalty.outcome),
        (Number::millionths(60_000), Outcome::Apply)
    );
    let term = high(message, "financing.loanTermMonths", "120");
    assert_eq!((term.value, term.outcome), (Number::whole(120), Outcome::Apply));
    let loan = high(message, "financing.loanAmount", "280000");
    assert_eq!(
        (loan.value, loan.outcome, loan.confidence),
        (Number::whole(28_000_000), Outcome::Propose, Confidence::Tentative)
    );
}

#[test]
fn a_number_that_nobody_said_is_never_applied() {
    let judged = high("Hello, what can you do?", RENT, "4200");
    assert_eq!(
        (judged.outcome, judged.confidence),
        (Outcome::Propose, Confidence::Tentative)
    );
    assert!(judged.note.is_some() && judged.evidence.is_none());
}

#[test]
fn the_quote_and_its_place_are_kept() {
    let message = "Hi! My rent is $4,200/month, and we open in May.";
    let evidence = high(message, RENT, "4200").evidence.expect("found");
    assert_eq!(evidence.quote, "My rent is $4,200/month");
    assert_eq!(&message[evidence.start..evidence.end], evidence.quote);
    assert_eq!(&message[evidence.number.0..evidence.number.1], "$4,200");
    assert_eq!(evidence.source, Origin::Message);
}

#[test]
fn both_forms_and_every_scale_of_a_call_are_understood() {
    for (arguments, expected) in [
        (
            r#"{"path":"operatingCosts.rentMonthly","value":4200,"confidence":"high"}"#,
            "420000",
        ),
        (
            r#"{"field":"operatingCosts.rentMonthly","value":4200.00,"confidence":"high"}"#,
            "420000",
        ),
        (
            r#"{"field":"operatingCosts.rentMonthly","value":420000,"confidence":"high"}"#,
            "420000",
        ),
        (
            r#"{"path":"operatingCosts.rentMonthly","value":"$4,200","confidence":"high"}"#,
            "420000",
        ),
        (
            r#"{"path":"operatingCosts.rentMonthly","value":"4.2k","confidence":"HIGH","unit":"dollars","period":"monthly","quote":"rent"}"#,
            "420000",
        ),
        (
            r#"{"path":"operatingCosts.rentMonthly","value":50400,"period":"annual","confidence":"high","quote":null}"#,
            "420000",
        ),
        (
            r#"{"path":"operatingCosts.royaltyPct","value":6,"confidence":"high"}"#,
            "0.06",
        ),
        (
            r#"{"path":"operatingCosts.royaltyPct","value":0.06,"confidence":"high","unit":"percent"}"#,
            "0.06",
        ),
        (
            r#"{"path":"operatingCosts.royaltyPct","value":"6%","confidence":"high"}"#,
            "0.06",
        ),
        (
            r#"{"path":"financing.loanTermMonths","value":10,"unit":"years","confidence":"high"}"#,
            "120",
        ),
        (
            r#"{"path":"financing.loanTermMonths","value":"10 years","confidence":"high"}"#,
            "120",
        ),
    ] {
        let judged = raw("rent is $4,200, royalty 6%, and the loan term is ten years", arguments).expect(arguments);
        assert_eq!(
            (judged.value.to_string().as_str(), judged.outcome),
            (expected, Outcome::Apply),
            "{arguments}"
        );
    }
}

#[test]
fn a_yearly_figure_is_brought_to_the_month_whichever_way_it_is_called() {
    for value in ["50400", "4200"] {
        let judged = high("rent is $50,400 a year", RENT, value);
        assert_eq!(
            (judged.value, judged.outcome),
            (Number::whole(420_000), Outcome::Apply),
            "{value}"
        );
    }
}

#[test]
fn dollars_never_become_a_percentage() {
    let judged = high("royalty is $6", "operatingCosts.royaltyPct", "6");
    assert_eq!(judged.outcome, Outcome::Propose);
    let judged = high("rent is 6%", RENT, "6");
    assert_eq!(judged.outcome, Outcome::Propose);
}

#[test]
fn warnings_have_the_exact_words_and_never_stop_a_value() {
    let rent = high("Rent is $9,000", RENT, "9000");
    assert_eq!(rent.outcome, Outcome::Apply);
    assert_eq!(
        (rent.range_code, rent.range_warning.as_deref()),
        (Some(RangeCode::AboveItem7), Some("Value is above Item 7 high range"))
    );
    let rent = high("Rent is $2,000", RENT, "2000");
    assert_eq!(
        (rent.range_code, rent.range_warning.as_deref()),
        (Some(RangeCode::BelowItem7), Some("Value is below Item 7 low range"))
    );
    let royalty = high("Royalty is 20%", "operatingCosts.royaltyPct", "20");
    assert_eq!(
        royalty.range_warning.as_deref(),
        Some("Value is above the typical range for Royalty")
    );
    let rent = find(RENT).expect("a field");
    let item7 = Brand::demo().item7_range(&rent.path);
    for inclusive in [300_000, 700_000] {
        assert_eq!(warning(rent, item7, Number::whole(inclusive)), None);
    }
}

#[test]
fn what_cannot_stand_in_a_plan_is_only_proposed() {
    let judged = high("royalty is 150%", "operatingCosts.royaltyPct", "150");
    assert_eq!((judged.outcome, judged.acceptable), (Outcome::Propose, false));
}

#[test]
fn what_the_plan_holds_already_is_unchanged() {
    let brand = Brand::demo();
    let (fields, mut inputs) = (brand.fields(), FinancialInputs::from_brand(&brand));
    let rent = inputs.0.get_mut(RENT).expect("rent");
    rent.source = crate::model::inputs::Source::UserEntry;
    let words = Words::new("rent is 4,500", None, None);
    let context = Context {
        fields: &fields,
        inputs: Some(&inputs),
        brand: &brand,
        words: &words,
    };
    let judged = judge(
        r#"{"path":"operatingCosts.rentMonthly","value":4500,"confidence":"high"}"#,
        &context,
    )
    .expect("a value");
    assert_eq!(judged.outcome, Outcome::Unchanged);
}

#[test]
fn the_message_before_counts_only_when_this_one_answers_a_question() {
    let arguments = r#"{"path":"operatingCosts.rentMonthly","value":4200,"confidence":"high"}"#;
    let outcome = |advisor: Option<&str>, message: &str| {
        in_talk(Some("rent is 4,200"), advisor, message, arguments)
            .expect("a value")
            .outcome
    };
    assert_eq!(outcome(Some("Is that monthly?"), "yes"), Outcome::Apply);
    assert_eq!(outcome(Some("Is that monthly?"), "yes, monthly"), Outcome::Apply);
    assert_eq!(outcome(Some("Noted."), "yes"), Outcome::Propose);
    assert_eq!(outcome(Some("Is that monthly?"), "no"), Outcome::Propose);
    assert_eq!(
        outcome(
            Some("Is that monthly?"),
            "What does the royalty cover and why do I have to pay it at all?"
        ),
        Outcome::Propose
    );
    assert_eq!(outcome(None, "yes"), Outcome::Propose);
}

#[test]
fn a_number_the_advisor_named_counts_when_it_is_plainly_agreed_to() {
    let arguments = r#"{"path":"operatingCosts.rentMonthly","value":4200,"confidence":"high"}"#;
    let judged =
        |advisor: &str, message: &str| in_talk(Some("hm"), Some(advisor), message, arguments).expect("a value");
    assert_eq!(
        judged("Shall I write down $4,200 for rent?", "yes").outcome,
        Outcome::Apply
    );
    assert_eq!(
        judged("Shall I write down $4,200 for rent?", "yes please")
            .evidence
            .expect("found")
            .source,
        Origin::Advisor
    );
    for (advisor, message) in [
        ("Shall I write down $4,200 for rent?", "no"),
        ("Shall I write down $4,200 for rent?", "maybe"),
        ("Shall I write down $4,200 for rent?", "yes, but not yet"),
        ("Shall I write down $4,200 for utilities?", "yes"),
        ("Is rent $4,200 or $4,500?", "yes"),
        ("The range is $4,200 to $7,000. Shall we go on?", "yes"),
    ] {
        assert_eq!(
            judged(advisor, message).outcome,
            Outcome::Propose,
            "{advisor} {message}"
        );
    }
}

#[test]
fn two_values_for_one_field_are_proposed_unless_one_corrects_the_other() {
    let outcomes = |message: &str, values: [&str; 2]| {
        let brand = Brand::demo();
        let fields = brand.fields();
        let words = Words::new(message, None, None);
        let context = Context {
            fields: &fields,
            inputs: None,
            brand: &brand,
            words: &words,
        };
        let one = |value: &str| {
            judge(
                &format!(r#"{{"path":"{RENT}","value":{value},"confidence":"high"}}"#),
                &context,
            )
            .expect("a value")
        };
        let mut judged = values.map(one);
        resolve_turn(&mut judged, &fields, &words);
        judged.map(|one| one.outcome)
    };
    assert_eq!(
        outcomes("rent is 4,200, rent is 4,500", ["4200", "4500"]),
        [Outcome::Propose, Outcome::Propose]
    );
    assert_eq!(
        outcomes("rent is 4,200, no wait, 4,500", ["4200", "4500"]),
        [Outcome::Superseded, Outcome::Apply]
    );
    assert_eq!(
        outcomes("rent is 4,200, no wait, 4,500", ["4500", "4200"]),
        [Outcome::Apply, Outcome::Superseded]
    );
    assert_eq!(
        outcomes("it's 4,200 then 4,500", ["4200", "4500"]),
        [Outcome::Propose, Outcome::Propose]
    );
    assert_eq!(
        outcomes("rent is 4,200", ["4200", "4200"]),
        [Outcome::Apply, Outcome::Unchanged]
    );
}
