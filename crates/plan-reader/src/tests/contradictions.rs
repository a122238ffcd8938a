//! What words at a number contradict, and what they do not.

use super::*;
use proptest::prelude::*;
use std::sync::LazyLock;

static PLAN: LazyLock<Plan> = LazyLock::new(Plan::demo);

fn decided(message: &str, call: &str) -> Decision {
    PLAN.decide(&Texts::of(message), call).expect(call)
}

fn call(path: &str, value: &str, rest: &str) -> String {
    format!(r#"{{"path":"{path}","value":{value},"confidence":"high"{rest}}}"#)
}

#[test]
fn words_that_are_not_understood_at_a_number_contradict_nothing() {
    let monthly = r#","unit":"dollars","period":"monthly""#;
    let percent = r#","unit":"percent""#;
    for (message, path, value, rest) in [
        (
            "insurance will come out to $860 each month",
            "operatingCosts.insuranceMonthly",
            "860",
            monthly,
        ),
        ("rent 2,950 mo thats fixed", RENT, "2950", monthly),
        ("the rent, 3,100 month, is signed", RENT, "3100", monthly),
        ("ad fund 1 pct thats us", "operatingCosts.adFundPct", "1", percent),
        (
            "electric and water 400 a month each of us pays",
            "operatingCosts.utilitiesMonthly",
            "400",
            monthly,
        ),
        (
            "phones run 120 each calendar month",
            "operatingCosts.telecomItMonthly",
            "120",
            monthly,
        ),
        ("one location is all we do", "profile.locationCount", "1", ""),
        ("just a single location for now", "profile.locationCount", "1", ""),
        ("eight people work here", "profile.staffCount", "8", ""),
        (
            "royalty comes to 5,5 % here",
            "operatingCosts.royaltyPct",
            "5.5",
            percent,
        ),
        (
            "la regalía es de 6,25 por ciento",
            "operatingCosts.royaltyPct",
            "6.25",
            percent,
        ),
        (
            "loan fees 5,400 a nice round number",
            "startupCosts.loanFees",
            "5400",
            "",
        ),
    ] {
        let decision = decided(message, &call(path, value, rest));
        assert!(
            matches!(decision.outcome, Outcome::Apply | Outcome::NeedsReview),
            "{message}: {:?}",
            decision.note_code
        );
    }
}

#[test]
fn one_of_many_another_unit_and_a_pronoun_are_still_seen() {
    for (message, path, value) in [
        ("insurance is $300 a groomer", "operatingCosts.insuranceMonthly", "300"),
        (
            "insurance is $300 per licensed groomer",
            "operatingCosts.insuranceMonthly",
            "300",
        ),
        ("phones are 40 each", "operatingCosts.telecomItMonthly", "40"),
        ("rent is $28 a square foot", RENT, "28"),
        ("the loan runs 84 months", "financing.loanAmount", "84"),
    ] {
        let decision = decided(message, &call(path, value, ""));
        assert_eq!(decision.outcome, Outcome::Propose, "{message}");
    }
    let decision = decided("that one is ours", &call(RENT, "1", ""));
    assert_eq!(decision.note_code, Some(NoteCode::NotSaid));
}

#[test]
fn a_correction_without_a_name_never_goes_into_the_field_that_is_asked_for_next() {
    const NEXT: &str = "I've written down royalty at 6% (it was 5%). What percentage do you plan for cost of goods?";
    for message in [
        "correction: 7 percent",
        "no wait, 7 percent",
        "make that 7 percent",
        "7 percent, I meant",
        "sorry, 7%",
        "actually 7 percent",
    ] {
        let read = understand(&after("royalty is 6%", NEXT, message), &PLAN.vocabulary);
        let is_of_royalty = |path: &FieldPath| path.as_str() == "operatingCosts.royaltyPct";
        assert!(
            read.plain.iter().all(|one| is_of_royalty(&one.field)),
            "{message}: {:?}",
            read.plain
        );
        let asked = read.candidates.iter().all(|one| is_of_royalty(&one.choices[0].field));
        assert!(asked, "{message}: {:?}", read.candidates);
        assert!(read.plain.len() + read.candidates.len() == 1, "{message}");
    }
    // Nothing was noted, so it is nobody's: at most it is asked.
    let texts = after(
        "hm",
        "Thanks. What percentage do you plan for cost of goods?",
        "correction: 7 percent",
    );
    assert_eq!(plain(&texts), Vec::<String>::new());
}

#[test]
fn what_was_written_last_is_what_a_correction_is_of() {
    let about = Texts {
        about: Some(FieldPath::from_static(RENT)),
        ..after(
            "rent is 4,200",
            "Noted. What do you pay for insurance?",
            "make that 4,350",
        )
    };
    let read = understand(&about, &PLAN.vocabulary);
    let plain = read.plain.iter().map(|one| (&one.field, one.value));
    let asked = read
        .candidates
        .iter()
        .map(|one| (&one.choices[0].field, one.choices[0].value));
    let all: Vec<_> = plain.chain(asked).collect();
    assert_eq!(all, [(&FieldPath::from_static(RENT), Number::whole(435_000))]);
}

#[test]
fn a_question_and_a_case_propose_nothing() {
    for message in [
        "is $14,000 a month realistic for one van?",
        "what if rent is 5,000?",
        "is 45% a lot for groomers pay?",
        "how much rent can I pay to break even in 12 months?",
    ] {
        let read = understand(&Texts::of(message), &PLAN.vocabulary);
        assert_eq!((read.plain, read.candidates), (vec![], vec![]), "{message}");
    }
}

#[test]
fn a_price_is_not_divided_by_twelve_unless_a_period_was_said() {
    let values = |message: &str| {
        let read = understand(&Texts::of(message), &PLAN.vocabulary);
        let choices = read.candidates.into_iter().flat_map(|one| one.choices);
        choices.map(|choice| choice.value).collect::<Vec<_>>()
    };
    let twelfth = Number::whole(800_000);
    assert!(!values("The van with the conversion is 96,000").contains(&twelfth));
    assert!(!values("I guess insurance will be 96,000 or so").contains(&twelfth));
}

#[test]
fn spanish_is_asked_about_and_never_plain() {
    for (message, path, value) in [
        ("La renta es de $4,200 al mes", RENT, 420_000),
        ("la renta es de 4.200 al mes", RENT, 420_000),
        ("El préstamo es de $150,000", "financing.loanAmount", 15_000_000),
        ("el seguro cuesta 310 al mes", "operatingCosts.insuranceMonthly", 31_000),
    ] {
        let read = understand(&Texts::of(message), &PLAN.vocabulary);
        assert_eq!(read.plain, [], "{message}");
        let asked = read.candidates.iter().flat_map(|one| &one.choices);
        let asked: Vec<(&str, Number)> = asked.map(|one| (one.field.as_str(), one.value)).collect();
        assert!(asked.contains(&(path, Number::whole(value))), "{message}: {asked:?}");
    }
}

#[test]
fn a_long_message_is_read_like_a_short_one() {
    let table = "Rent per month | 4,200\n".repeat(200);
    let numbers = "rent 4,200, insurance 310, ".repeat(200);
    for text in [table, numbers] {
        let read = understand(&Texts::of(&text), &PLAN.vocabulary);
        assert!(read.candidates.len() <= 12, "{}", read.candidates.len());
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn an_ending_never_contradicts_what_is_plain(
        dollars in 500_u32..9_000,
        words in prop::sample::select(vec!["Our rent is {} a month", "rent {} a month", "We pay {} a month in rent", "Rent: {} per month"]),
        ending in prop::sample::select(vec![".", "!", ". Thanks", ", thanks", " thanks", " thank you", ". Bye."]),
    ) {
        let said = words.replace("{}", &format!("${dollars}"));
        let call = call(RENT, &dollars.to_string(), r#","period":"monthly""#);
        prop_assert_eq!(decided(&said, &call).outcome, Outcome::Apply);
        let ended = decided(&format!("{said}{ending}"), &call);
        prop_assert_ne!(ended.note_code, Some(NoteCode::Contradicted));
        prop_assert_ne!(ended.outcome, Outcome::Propose);
    }
}
