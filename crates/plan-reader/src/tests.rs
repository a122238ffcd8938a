//! The decision and the grammar, by examples.

use super::review::Verdict;
use super::*;
use plan_model::brand::Brand;
use plan_model::extracted::{Confidence, DecidedBy, NoteCode, RangeCode};
use plan_model::field::{FieldPath, find};
use plan_model::inputs::FinancialInputs;
use plan_model::number::Number;

mod contradictions;
mod forms;
mod hostile;
mod properties;
mod values;
mod wants;
mod yes;

const RENT: &str = "operatingCosts.rentMonthly";

/// The demo brand, with a plan of its defaults.
struct Plan {
    brand: Brand,
    inputs: FinancialInputs,
    vocabulary: Vocabulary,
}

impl Plan {
    fn demo() -> Self {
        let brand = Brand::demo();
        Self {
            inputs: FinancialInputs::from_brand(&brand),
            vocabulary: Vocabulary::of(&brand),
            brand,
        }
    }

    fn decide(&self, texts: &Texts<'_>, arguments: &str) -> Result<Decision, ExtractionError> {
        let understanding = understand(texts, &self.vocabulary);
        let context = Context {
            fields: self.vocabulary.fields(),
            inputs: Some(&self.inputs),
            brand: &self.brand,
            texts,
            understanding: &understanding,
        };
        decide(arguments, &context)
    }
}

fn arguments(path: &str, value: &str) -> String {
    format!(r#"{{"path":"{path}","value":{value},"confidence":"high"}}"#)
}

/// A call at high confidence, decided by a message.
fn high(message: &str, path: &str, value: &str) -> Decision {
    let texts = Texts::of(message);
    Plan::demo().decide(&texts, &arguments(path, value)).expect("a value")
}

fn after<'a>(before: &'a str, advisor: &'a str, message: &'a str) -> Texts<'a> {
    Texts {
        message,
        previous_message: Some(before),
        advisor: Some(advisor),
        asked: None,
        about: None,
    }
}

/// What a message plainly states, as `path=value`.
fn plain(texts: &Texts<'_>) -> Vec<String> {
    let understood = understand(texts, &Vocabulary::of(&Brand::demo()));
    understood
        .plain
        .iter()
        .map(|one| format!("{}={}", one.field, one.value))
        .collect()
}

#[test]
fn what_is_plain_is_applied_and_says_by_what() {
    let decision = high("My rent is $4,200/month", RENT, "4200");
    assert_eq!(
        (decision.outcome, decision.decided_by),
        (Outcome::Apply, Some(DecidedBy::Plain))
    );
    assert_eq!((decision.value, decision.note_code), (Number::whole(420_000), None));
}

#[test]
fn a_number_that_was_not_said_is_never_applied() {
    let decision = high("Hello, what can you do?", RENT, "4200");
    assert_eq!(
        (decision.outcome, decision.note_code),
        (Outcome::Propose, Some(NoteCode::NotSaid))
    );
    assert_eq!(decision.reviewed(Verdict::Stated).outcome, Outcome::Propose);
}

#[test]
fn the_calls_value_is_kept_where_the_words_say_another_period() {
    let texts = Texts::of("Rent is $50,400 a year.");
    let monthly = r#"{"path":"operatingCosts.rentMonthly","value":50400,"period":"monthly","confidence":"high"}"#;
    let decision = Plan::demo().decide(&texts, monthly).expect("a value");
    assert_eq!(
        (decision.value, decision.outcome, decision.note_code),
        (Number::whole(5_040_000), Outcome::Propose, Some(NoteCode::Contradicted))
    );
    assert_eq!(decision.reviewed(Verdict::Stated).outcome, Outcome::Propose);
    for call in [
        r#"{"path":"operatingCosts.rentMonthly","value":50400,"period":"annual","confidence":"high"}"#,
        r#"{"path":"operatingCosts.rentMonthly","value":4200,"confidence":"high"}"#,
    ] {
        let decision = Plan::demo().decide(&texts, call).expect("a value");
        assert_eq!(
            (decision.value, decision.outcome),
            (Number::whole(420_000), Outcome::Apply),
            "{call}"
        );
    }
}

#[test]
fn the_quote_and_its_place_are_kept() {
    let message = "Hi! My rent is $4,200/month. We open in May.";
    let evidence = high(message, RENT, "4200").evidence.expect("found");
    assert_eq!(evidence.quote, "My rent is $4,200/month");
    assert_eq!(&message[evidence.start..evidence.end], evidence.quote);
    assert_eq!(&message[evidence.number.0..evidence.number.1], "$4,200");
    assert_eq!(evidence.source, Source::Message);
}

#[test]
fn what_is_not_plain_waits_for_the_second_look() {
    let message = "The landlord quoted 5,100 a month for rent, but we are signing at $4,350.";
    let decision = high(message, RENT, "4350");
    assert_eq!((decision.outcome, decision.note_code), (Outcome::NeedsReview, None));
    let stated = decision.clone().reviewed(Verdict::Stated);
    assert_eq!(
        (stated.outcome, stated.decided_by),
        (Outcome::Apply, Some(DecidedBy::Review))
    );
    for verdict in [Verdict::Unsure, Verdict::Wrong] {
        let waits = decision.clone().reviewed(verdict);
        assert_eq!(
            (waits.outcome, waits.note_code, waits.confidence),
            (Outcome::Propose, Some(NoteCode::Unclear), Confidence::Tentative)
        );
    }
    assert!(plain(&Texts::of(message)).is_empty());
}

#[test]
fn a_plain_value_waits_where_the_second_look_does_not_confirm_it() {
    let decision = high("My rent is $4,200/month", RENT, "4200").reviewed(Verdict::Unsure);
    assert_eq!(
        (decision.outcome, decision.note_code, decision.decided_by),
        (Outcome::Propose, Some(NoteCode::Unclear), None)
    );
}

#[test]
fn explicit_words_at_the_number_contradict_a_call() {
    for (message, path, value) in [
        ("royalty is $6", "operatingCosts.royaltyPct", "6"),
        ("rent is 6%", RENT, "6"),
        (
            "Insurance is $300 a groomer, every month",
            "operatingCosts.insuranceMonthly",
            "300",
        ),
        ("We could pay up to 4,200 in rent", RENT, "4200"),
        ("rent is €4,200 a month there", RENT, "4200"),
        ("rent will be 4,200-4,600 a month, we hope", RENT, "4200"),
    ] {
        let decision = high(message, path, value);
        assert_eq!(decision.note_code, Some(NoteCode::Contradicted), "{message}");
    }
}

#[test]
fn a_sum_counts_only_of_numbers_in_the_quote() {
    let message = "City license 425, health permit 310, fire inspection 90. We looked at 3 sites.";
    let call = |quote: &str| {
        let arguments = format!(
            r#"{{"path":"startupCosts.licensesPermits","value":825,"confidence":"high","quote":{}}}"#,
            serde_json::to_string(quote).expect("text")
        );
        Plan::demo()
            .decide(&Texts::of(message), &arguments)
            .expect("a value")
            .outcome
    };
    assert_eq!(
        call("City license 425, health permit 310, fire inspection 90"),
        Outcome::NeedsReview
    );
    assert_eq!(call("city license 425, health permit 310"), Outcome::Propose);
    assert_eq!(call("permits are 825"), Outcome::Propose);
    assert_eq!(
        high(message, "startupCosts.licensesPermits", "825").note_code,
        Some(NoteCode::NotSaid)
    );
}

#[test]
fn what_is_far_off_waits_whoever_confirms_it() {
    let decision = high("Signage is 240,000.", "startupCosts.signage", "240000");
    assert_eq!(
        (decision.outcome, decision.note_code),
        (Outcome::Propose, Some(NoteCode::FarOff))
    );
    assert_eq!(decision.reviewed(Verdict::Stated).outcome, Outcome::Propose);
}

#[test]
fn rounding_and_hard_bounds_are_said() {
    let arguments = r#"{"path":"operatingCosts.rentMonthly","value":1000,"period":"weekly","confidence":"high"}"#;
    let decision = Plan::demo()
        .decide(&Texts::of("Rent is 1,000 a week."), arguments)
        .expect("a value");
    assert_eq!(
        (decision.value, decision.note_code),
        (Number::whole(433_333), Some(NoteCode::Rounded))
    );
    let decision = high("royalty is 150%", "operatingCosts.royaltyPct", "150");
    assert_eq!(
        (decision.note_code, decision.acceptable),
        (Some(NoteCode::OutOfBounds), false)
    );
}

#[test]
fn a_model_that_is_not_sure_is_believed() {
    let arguments = r#"{"path":"operatingCosts.rentMonthly","value":4200,"confidence":"tentative"}"#;
    let decision = Plan::demo()
        .decide(&Texts::of("My rent is $4,200/month"), arguments)
        .expect("a value");
    assert_eq!(
        (decision.outcome, decision.note_code),
        (Outcome::Propose, Some(NoteCode::ModelUnsure))
    );
}

#[test]
fn warnings_have_the_exact_words_and_never_stop_a_value() {
    let rent = high("Rent is $9,000", RENT, "9000");
    assert_eq!(rent.outcome, Outcome::Apply);
    assert_eq!(
        (rent.range_code, rent.range_warning.as_deref()),
        (Some(RangeCode::AboveItem7), Some("Value is above Item 7 high range"))
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
fn what_the_plan_holds_already_is_unchanged_and_what_it_held_is_named() {
    let mut plan = Plan::demo();
    plan.inputs.0.get_mut(RENT).expect("rent").source = plan_model::inputs::Source::UserEntry;
    let decision = plan
        .decide(&Texts::of("rent is 4,500"), &arguments(RENT, "4500"))
        .expect("a value");
    assert_eq!(
        (decision.outcome, decision.decided_by),
        (Outcome::Unchanged, Some(DecidedBy::Plain))
    );
    let decision = plan
        .decide(&Texts::of("rent is 4,200"), &arguments(RENT, "4200"))
        .expect("a value");
    assert_eq!(
        (decision.outcome, decision.note_code),
        (Outcome::Apply, Some(NoteCode::Replaces))
    );
    assert_eq!(decision.note.as_deref(), Some("Replaces $4,500 from before."));
}

#[test]
fn two_values_for_one_field_are_proposed_unless_one_corrects_the_other() {
    let outcomes = |message: &str, values: [&str; 2]| {
        let plan = Plan::demo();
        let one = |value: &str| {
            plan.decide(&Texts::of(message), &arguments(RENT, value))
                .expect("a value")
        };
        let mut decisions = values.map(|value| one(value).reviewed(Verdict::Stated));
        resolve_turn(&mut decisions);
        decisions.map(|one| one.outcome)
    };
    assert_eq!(
        outcomes("rent is 4,200, rent is 4,500", ["4200", "4500"]),
        [Outcome::Propose, Outcome::Propose]
    );
    assert_eq!(
        outcomes("rent is 4,200", ["4200", "4200"]),
        [Outcome::Apply, Outcome::Unchanged]
    );
    assert_eq!(
        plain(&Texts::of("rent is 4,200, no wait, 4,500")),
        ["operatingCosts.rentMonthly=450000"]
    );
    assert_eq!(
        plain(&Texts::of("rent is 4,200. sorry, I meant 4,500")),
        ["operatingCosts.rentMonthly=450000"]
    );
    assert_eq!(plain(&Texts::of("rent is 4,200, rent is 4,500")), Vec::<String>::new());
}

#[test]
fn a_case_that_is_half_understood_computes_nothing() {
    let vocabulary = Vocabulary::of(&Brand::demo());
    let changes = |text: &str| {
        let heard = wants(&Texts::of(text), &vocabulary);
        let changes = heard.slots.all_changes().into_iter();
        changes
            .map(|one| format!("{} {:?}", one.field, one.change))
            .collect::<Vec<_>>()
    };
    // The month is no dollar of the salary, and "down" beside a name says which way.
    let later = changes("what if the manager starts three months later?");
    assert!(later[0].starts_with("operatingCosts.managerStartMonth By"), "{later:?}");
    let down = changes("what if sales are down 20 percent?");
    assert!(
        down.len() == 1 && down[0].starts_with("revenue.monthlyAuv Times"),
        "{down:?}"
    );
    assert_eq!(changes("what if rent is 3,000 and the foo 17 %?"), Vec::<String>::new());
}

#[test]
fn intents_of_short_messages_are_known() {
    let wish = |message: &str| {
        let texts = after("hm", "What is your rent?", message);
        understand(&texts, &Vocabulary::of(&Brand::demo())).wish
    };
    for (message, expected) in [
        ("I don't know", Wish::Unknown),
        ("no idea yet", Wish::Unknown),
        ("skip this one", Wish::Skip),
        ("why do you ask?", Wish::Why),
        ("undo that", Wish::Undo),
        ("undo", Wish::Undo),
        ("no", Wish::No),
        ("yes please", Wish::Yes),
    ] {
        assert_eq!(wish(message), Some(expected), "{message}");
    }
    assert_eq!(wish("My rent is $4,200"), None);
}

#[test]
fn what_is_not_plain_is_asked_about_with_its_value() {
    let asked = |texts: &Texts<'_>| {
        let understood = understand(texts, &Vocabulary::of(&Brand::demo()));
        let choice = |one: &Candidate| {
            one.choices
                .first()
                .map(|choice| format!("{}={}", choice.field, choice.value))
        };
        understood.candidates.iter().filter_map(choice).collect::<Vec<_>>()
    };
    assert_eq!(
        asked(&Texts::of("Rent's probably going to be around 4,200 a month, we think")),
        ["operatingCosts.rentMonthly=420000"]
    );
    assert_eq!(
        asked(&Texts::of("insurance might come to $9,600 a year")),
        ["operatingCosts.insuranceMonthly=80000"]
    );
    for supposed in ["what if rent were 5,000?", "what if rent was 5,000 a month"] {
        let understood = understand(&Texts::of(supposed), &Vocabulary::of(&Brand::demo()));
        assert!(
            understood.plain.is_empty() && understood.ignored.is_empty(),
            "{supposed}"
        );
    }
    let past = understand(&Texts::of("Rent was 5,000 a month."), &Vocabulary::of(&Brand::demo()));
    assert_eq!(past.ignored, [IgnoredNumber::Past]);
    assert!(asked(&Texts::of("My ZIP is 75201 and I'm 42 years old")).is_empty());
}

#[test]
fn how_much_a_value_differs_is_none() {
    for message in [
        "rent will be 500 more",
        "la renta será 300 más",
        "loan term will be 2 years longer",
        "manager is 4k less than I thought",
        "mine will be 10 less",
    ] {
        let said = understand(&Texts::of(message), &Vocabulary::of(&Brand::demo()));
        assert_eq!(said.ignored, [IgnoredNumber::Change], "{message}");
        assert!(!said.has_heard() && said.plain.is_empty(), "{message}");
    }
    for message in ["rent is 3,500 more or less", "600 more for marketing"] {
        let said = understand(&Texts::of(message), &Vocabulary::of(&Brand::demo()));
        assert!(said.ignored.is_empty(), "{message}");
    }
}
