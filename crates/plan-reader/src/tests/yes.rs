//! Answers: a plain yes, a period for the number before, a number for what was asked.

use super::*;

#[test]
fn the_message_before_counts_only_when_this_one_completes_it() {
    let said = |advisor: &str, message: &str| plain(&after("rent is 50,400", advisor, message));
    let completed = vec!["operatingCosts.rentMonthly=420000".to_owned()];
    assert_eq!(said("Is that per month or per year?", "a year"), completed);
    assert_eq!(said("Is that per year?", "yes"), completed);
    assert_eq!(said("Is that per year?", "yes, yearly"), completed);
    for (advisor, message) in [
        ("Noted.", "yes"),
        ("Is that per year?", "no"),
        ("Is that per year?", "What does the royalty cover?"),
        ("Shall we go on?", "yes"),
    ] {
        assert_eq!(said(advisor, message), Vec::<String>::new(), "{advisor} {message}");
    }
}

#[test]
fn a_plain_yes_counts_for_one_number_of_one_field_in_the_last_question() {
    let said = |advisor: &str, message: &str| plain(&after("hm", advisor, message));
    for (advisor, message) in [
        ("Shall I write down $4,200 for rent?", "yes"),
        ("Shall I put down your rent at $4,200?", "Yes, please."),
        ("Should I put down your rent at $4,200?", "yep"),
        ("So rent is $4,200?", "that's right"),
        (
            "That comes to $50,400 a year. Shall I enter $4,200 as the monthly rent?",
            "yes, thank you",
        ),
        (
            "Shall I write down $4,200 for rent per month?",
            "correct\n\nBest regards,\nSheila Markham",
        ),
    ] {
        assert_eq!(
            said(advisor, message),
            ["operatingCosts.rentMonthly=420000"],
            "{advisor} {message}"
        );
    }
    for (advisor, message) in [
        ("Shall I write down $4,200 for rent?", "no"),
        ("Shall I write down $4,200 for rent?", "maybe"),
        ("Shall I write down $4,200 for rent?", "yes, but not yet"),
        ("Shall I write down $4,200 for rent?", "yeah no"),
        ("Is rent $4,200 or $4,500?", "yes"),
        ("Others plan with a rent of $9,999. Shall we look at labor next?", "yes"),
        ("A rent of $9,999 would be far above the range. Shall we go on?", "ok"),
        ("Rent of $4,200 and insurance of $800: shall I write down both?", "yes"),
        (
            "Shall I write down $4,200 for rent? Or shall we look at your loan?",
            "yes",
        ),
        (
            "Your plan has the placeholder of $4,500 for rent. Do you want to change it?",
            "yes",
        ),
    ] {
        assert_eq!(said(advisor, message), Vec::<String>::new(), "{advisor} {message}");
    }
    let texts = after("hm", "Shall I write down $4,200 for rent?", "yes");
    let decision = Plan::demo().decide(&texts, &arguments(RENT, "4200")).expect("a value");
    assert_eq!(decision.evidence.map(|evidence| evidence.source), Some(Source::Advisor));
}

#[test]
fn a_yes_to_a_question_in_other_words_waits_for_the_second_look() {
    let outcome = |advisor: &str, message: &str, path: &str| {
        let decision = Plan::demo().decide(&after("hm", advisor, message), &arguments(path, "4200"));
        let decision = decision.expect("a value");
        (decision.outcome, decision.note_code)
    };
    let not_said = (Outcome::Propose, Some(NoteCode::NotSaid));
    for advisor in [
        "Can I keep $4,200 as the rent that the plan goes on with?",
        "Should I then go ahead with the figure of $4,200 for your rent?",
        "The figure that goes in now is $4,200 for your rent, right?",
    ] {
        assert_eq!(outcome(advisor, "yes", RENT), (Outcome::NeedsReview, None), "{advisor}");
        assert_eq!(
            outcome(advisor, "yes", "operatingCosts.insuranceMonthly"),
            not_said,
            "{advisor}"
        );
        assert_eq!(outcome(advisor, "maybe", RENT), not_said, "{advisor}");
    }
    let plain = "Shall I write down $4,200 for rent?";
    assert_eq!(outcome(plain, "yes", RENT).0, Outcome::Apply);
    assert_eq!(outcome(plain, "yes", "operatingCosts.insuranceMonthly"), not_said);
    for advisor in [
        "Others plan with a rent of $4,200. Shall we look at labor next?",
        "A rent of $4,200 would be far above the range. Shall we go on?",
        "Should I use $4,200 or $4,500 for rent?",
        "Should I go with $4,200 for rent and insurance?",
        "Should I go with $4,200 for your rent? Or shall we look at your loan?",
        "What do you think of $4,200 for rent?",
    ] {
        assert_eq!(outcome(advisor, "yes", RENT), not_said, "{advisor}");
    }
}

#[test]
fn a_bare_answer_belongs_to_the_one_field_that_was_asked_for() {
    let asked = |field: &'static str, advisor: &str, message: &str| {
        plain(&Texts {
            asked: Some(FieldPath::from_static(field)),
            ..after("hm", advisor, message)
        })
    };
    assert_eq!(
        asked(RENT, "What is your rent?", "4,200"),
        ["operatingCosts.rentMonthly=420000"]
    );
    assert_eq!(
        asked(RENT, "What is your rent?", "it's 4,200"),
        ["operatingCosts.rentMonthly=420000"]
    );
    assert_eq!(asked(RENT, "What is your rent?", "about 4k"), Vec::<String>::new());
    assert_eq!(asked(RENT, "What is your rent?", "6%"), Vec::<String>::new());
    // The decision on a model's call reads the field from the question.
    let read = |advisor: &str, message: &str| plain(&after("hm", advisor, message));
    assert_eq!(
        read("What is your rent?", "4,200"),
        ["operatingCosts.rentMonthly=420000"]
    );
    assert_eq!(
        read("What are your rent and your insurance?", "4,200"),
        Vec::<String>::new()
    );
    assert_eq!(read("What is your rent? And your loan?", "4,200"), Vec::<String>::new());
    assert_eq!(
        asked("financing.loanTermMonths", "What is the loan term?", "ten years"),
        ["financing.loanTermMonths=120"]
    );
}
