//! Sentences that are plain by one production each, and the same sentences with what puts them in doubt.

use super::plain;
use crate::{Candidate, Texts, Vocabulary, understand};
use plan_model::brand::Brand;

#[test]
fn each_form_states_its_value() {
    for (message, stated) in [
        ("phones and wifi is 165/mo", "operatingCosts.telecomItMonthly=16500"),
        ("My loan is for 185,000.", "financing.loanAmount=18500000"),
        (
            "Put the owner salary at zero, please.",
            "operatingCosts.ownerSalaryAnnual=0",
        ),
        (
            "Minimum royalty of $900 a month",
            "operatingCosts.royaltyMinimumMonthly=90000",
        ),
        (
            "Reserve is four months of costs.",
            "startupCapital.workingCapitalMonths=4",
        ),
        (
            "Rent for the coffee shop is 3,850 a month.",
            "operatingCosts.rentMonthly=385000",
        ),
        (
            "The number for rent is 4,200 a month.",
            "operatingCosts.rentMonthly=420000",
        ),
        ("For rent we pay 4,200 a month.", "operatingCosts.rentMonthly=420000"),
        (
            "The rent we agreed on is 4,200 a month.",
            "operatingCosts.rentMonthly=420000",
        ),
        (
            "The lease as signed says 4,150 a month.",
            "operatingCosts.rentMonthly=415000",
        ),
        (
            "Cleaning and repairs together, 480 a month",
            "operatingCosts.maintenanceMonthly=48000",
        ),
        (
            "Signage is $13,900, per the sign company's invoice.",
            "startupCosts.signage=1390000",
        ),
        (
            "The tech fee went from 299 to 339 a month.",
            "operatingCosts.technologyFeeMonthly=33900",
        ),
        (
            "The first two months are abated.",
            "operatingCosts.rentAbatementMonths=2",
        ),
        (
            "Item | Amount\nRent | 4,200 a month",
            "operatingCosts.rentMonthly=420000",
        ),
        (
            "electric 310 water 90 gas 120 thats every utility we got per month",
            "operatingCosts.utilitiesMonthly=52000",
        ),
    ] {
        assert_eq!(plain(&Texts::of(message)), [stated], "{message}");
    }
}

#[test]
fn a_correction_has_the_period_of_what_it_corrects() {
    assert_eq!(
        plain(&Texts::of("Insurance is 5,400 a year. Sorry, 4,800.")),
        ["operatingCosts.insuranceMonthly=40000"]
    );
    assert_eq!(
        plain(&Texts::of("insurance 520 a month\n*420")),
        ["operatingCosts.insuranceMonthly=42000"]
    );
}

#[test]
fn a_value_that_is_said_again_stands_and_another_one_does_not() {
    assert_eq!(
        plain(&Texts::of("Lease is 6,000 a month. So for now it's the full 6,000.")),
        ["operatingCosts.rentMonthly=600000"]
    );
    assert!(plain(&Texts::of("Lease is 6,000 a month. So for now it's 5,500.")).is_empty());
}

#[test]
fn an_open_correction_and_a_doubtful_heading_leave_nothing_standing() {
    for message in [
        "Rent is 4,200 a month no wait",
        "Rent is 4,200 a month. Not agreed.",
        "Rent is 4,200 a month. Nobody signed.",
        "Old | New\nRent | 4,200 a month",
        "Numbers to forget:\nRent 4,200 a month",
        "Rent 4,200 a month\n(from the brochure)",
    ] {
        assert!(plain(&Texts::of(message)).is_empty(), "{message}");
    }
}

#[test]
fn a_total_stands_where_the_amounts_before_it_add_up_to_it() {
    let lines = |total: &str| format!("Build out:\nWalls 90,000\nFloors 40,000\nTotal build out {total}");
    let right = vec!["startupCosts.leaseholdImprovements=13000000".to_owned()];
    assert_eq!(plain(&Texts::of(&lines("130,000"))), right);
    assert!(plain(&Texts::of(&lines("140,000"))).is_empty());
    assert_eq!(
        plain(&Texts::of("Our total build out is 130,000.")),
        right,
        "nothing to add up"
    );
}

#[test]
fn a_sentence_that_points_back_or_takes_something_off_leaves_nothing_standing() {
    for behind in [
        "The line above is from my brother's plan.",
        "The figure is from an older lease.",
        "I take off the landlord's share next year.",
        "The numbers are my friend's.",
        "We deduct the landlord's share.",
    ] {
        let message = format!("The build-out is $140,000. {behind}");
        assert!(plain(&Texts::of(&message)).is_empty(), "{message}");
    }
}

#[test]
fn a_number_that_the_next_one_replaces_is_not_heard() {
    let heard = |message: &str| {
        let vocabulary = Vocabulary::of(&Brand::demo());
        let understood = understand(&Texts::of(message), &vocabulary);
        let values = understood.mentions.iter().map(|one| one.value.to_string());
        values.collect::<Vec<_>>()
    };
    for (message, expected) in [
        (
            "What if I pay myself three thousand a month, no sorry, three thousand five hundred a month?",
            &["3500"][..],
        ),
        (
            "the loan 286,500. Actually no, let us round it up to 290,000.",
            &["290000"],
        ),
        ("could I take 3,000 a month, hmm, or rather 2,800?", &["2800"]),
        ("quiero 4,000, no, perdón, 4,150 de renta", &["4150"]),
        ("What if the loan is $200,000? no make it 220", &["220"]),
        ("What if the loan is $200,000? And 4,000 rent?", &["200000", "4000"]),
        ("rent is 4,000, no wait, payroll is 3,000", &["4000", "3000"]),
        (
            "Set 1. sales 55,000, 2. goods 9%, 3. term 84 months.",
            &["55000", "9", "84"],
        ),
        ("1) 3,000 for rent 2) insurance 500", &["3000", "500"]),
        ("cash in month 1. and in month 2. thanks", &["1", "2"]),
        ("rent 4,000 or 4,500", &["4000", "4500"]),
        ("it is no less than 4,000 and no more than 5,000", &["4000", "5000"]),
        ("sales of 50,000, not 40,000", &["50000", "40000"]),
    ] {
        assert_eq!(heard(message), expected, "{message}");
    }
}

#[test]
fn a_number_that_replaces_another_is_of_its_line() {
    let vocabulary = Vocabulary::of(&Brand::demo());
    let message =
        "Make the interest rate 10.75 percent and the loan 286,500. Actually no, let us round it up to 290,000.";
    let understood = understand(&Texts::of(message), &vocabulary);
    let heard = |one: &Candidate| {
        (
            one.choices[0].field.as_str().to_owned(),
            one.choices[0].value.to_string(),
        )
    };
    let heard: Vec<_> = understood.candidates.iter().map(heard).collect();
    assert!(
        heard.contains(&("financing.loanAmount".to_owned(), "29000000".to_owned())),
        "{heard:?}"
    );
    assert_eq!(heard.len(), 2, "{heard:?}");
}

#[test]
fn a_space_between_thousands_is_one_number_that_is_only_asked_about() {
    let vocabulary = Vocabulary::of(&Brand::demo());
    let understood = understand(&Texts::of("My rent is 4 800 per month."), &vocabulary);
    assert!(understood.plain.is_empty());
    let first = understood.candidates.first().and_then(|one| one.choices.first());
    assert_eq!(
        first.map(|one| (one.field.as_str(), one.value.to_string())),
        Some(("operatingCosts.rentMonthly", "480000".into()))
    );
    let two = understand(&Texts::of("What is cash in month 6 500 days on?"), &vocabulary);
    assert!(two.candidates.is_empty());
}

#[test]
fn how_long_a_rate_is_held_is_no_term() {
    let vocabulary = Vocabulary::of(&Brand::demo());
    let hears_term = |message: &str| {
        let read = understand(&Texts::of(message), &vocabulary);
        let heard = read
            .candidates
            .iter()
            .flat_map(|one| one.choices.iter().map(|choice| &choice.field));
        let mut fields = read.plain.iter().map(|one| &one.field).chain(heard);
        fields.any(|field| field.as_str() == "financing.loanTermMonths")
    };
    for message in [
        "interest is 8% fixed for 5 years",
        "interest 7% for the first 3 years",
        "interest 8% for 5 years",
        "the loan is 200,000 at 8% fixed for 5 years",
        "el interés es 8% fijo por 5 años",
        "la tasa es 7% los primeros 3 años",
    ] {
        assert!(!hears_term(message), "{message}");
    }
    for message in [
        "a loan of 200,000 at 8% for 10 years",
        "the loan term is 10 years at 8% fixed",
    ] {
        assert!(hears_term(message), "{message}");
    }
}
