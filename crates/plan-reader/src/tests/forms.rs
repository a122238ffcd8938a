//! Sentences that are plain by one production each, and the same sentences with what puts them in doubt.

use super::plain;
use crate::Texts;

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
