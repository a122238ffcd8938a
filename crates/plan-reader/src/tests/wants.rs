//! Slots: what is read exactly is taken, what is read half is not.

use super::*;
use crate::ear::Hearing;
use crate::intent::{Heard, wants_of};

fn heard(intent: Intent, message: &str) -> Heard {
    let vocabulary = Vocabulary::of(&Brand::demo());
    wants_of(Hearing::chosen(), &Texts::of(message), &vocabulary, |one| one == intent)
}

/// The slots of a message that is known to want something.
fn slots(intent: Intent, message: &str) -> Slots {
    heard(intent, message).slots
}

/// The slots as far as they are answered with figures.
fn shown(intent: Intent, message: &str) -> Slots {
    let heard = heard(intent, message);
    if heard.is_sure_of_figures() {
        heard.slots
    } else {
        Slots::default()
    }
}

fn field(slots: &Slots) -> Option<&str> {
    slots.field.as_ref().map(FieldPath::as_str)
}

#[test]
fn a_goal_moves_what_is_said_to_move() {
    let loan = slots(Intent::Goal, "How much can I borrow and still have coverage of 1.2?");
    assert_eq!(field(&loan), Some("financing.loanAmount"));
    assert_eq!(loan.target, Some(Number::millionths(1_200_000)));
    let draw = slots(Intent::Goal, "what can I pull out each month without cash below zero");
    assert_eq!(field(&draw), Some("profitabilityAndDistributions.ownerDrawMonthly"));
    let down = slots(Intent::Goal, "bring the payback down to 30 months");
    assert_eq!(field(&down), None, "\"down\" is no down payment here");
}

#[test]
fn half_a_goal_is_none() {
    for message in [
        "how much of that thing could we have at coverage 1.3",
        "the ratio has to be at 1 point 4",
        "breakeven in month 48000, how",
    ] {
        assert_eq!(shown(Intent::Goal, message), Slots::default(), "{message}");
    }
}

#[test]
fn sooner_is_no_more() {
    let shown = |message: &str| shown(Intent::WhatIf, message);
    assert_eq!(
        shown("what if it takes 6 months longer to get there").change,
        Some(Change::By(Number::whole(6)))
    );
    assert_ne!(
        shown("what if we get there 6 months faster").change,
        Some(Change::By(Number::whole(6)))
    );
}

#[test]
fn factors_that_are_said_twice_or_cannot_be_read_make_no_product() {
    let product = |message: &str| shown(Intent::Estimate, message).product.len();
    assert_eq!(product("22 haircuts a day at $31, 25 days"), 3);
    assert_eq!(product("we see 22 people. so 22 x 31 dollars x 25 days"), 3);
    assert_eq!(product("we see 22 people, those 22 pay 31 dollars, 25 days"), 0);
    assert_eq!(product("385 members × $49"), 2);
    assert_eq!(product("I counted 40 people. so 40x 18 dollars x 24 days"), 3);
    let fee = slots(Intent::Estimate, "guaranty fee: 3% × 75% × $325,000");
    let hundredths = |hundredths: i64| Number::millionths(hundredths * 10_000);
    assert_eq!(fee.product, [hundredths(3), hundredths(75), Number::whole(325_000)]);
    assert_eq!(product("9 jobs at two dollars and fifty cents"), 0);
}

#[test]
fn people_beside_another_name_are_not_what_is_meant() {
    let field = |message: &str| slots(Intent::IsHigh, message).field.map(|path| path.to_string());
    let rent = Some("operatingCosts.rentMonthly".to_owned());
    assert_eq!(field("are we paying more than other people for rent"), rent);
    assert_eq!(
        field("is our headcount too high"),
        Some("profile.staffCount".to_owned())
    );
}

#[test]
fn a_number_beside_a_line_that_is_left_out_is_not_of_that_line() {
    let changes = |message: &str| shown(Intent::WhatIf, message).all_changes();
    assert!(changes("what if without the van and with 12% more").is_empty());
    assert!(changes("what if payroll taxes climb 4% every year").is_empty());
    let cut = changes("what if we cut the insurance in half, another idea");
    assert_eq!(cut.len(), 1);
    assert_eq!(cut[0].change, Change::Times(Number::millionths(500_000)));
    let cheaper = changes("if the rent were 400 cheaper");
    assert_eq!(cheaper[0].change, Change::By(Number::whole(-40_000)));
}

#[test]
fn how_much_less_is_no_value_to_ask_about() {
    let vocabulary = Vocabulary::of(&Brand::demo());
    for message in ["the rent is $350 less", "insurance 90 a month cheaper"] {
        let read = understand(&Texts::of(message), &vocabulary);
        assert!(
            read.plain.is_empty() && read.candidates.is_empty(),
            "{message}: {read:?}"
        );
    }
}

#[test]
fn a_period_is_of_the_number_or_the_name_that_it_stands_with() {
    let vocabulary = Vocabulary::of(&Brand::demo());
    for message in [
        "rent is 4,250 a month, the loan is 250,000 at 9.5%, labor 36%",
        "rent is 4,250 a month and the loan is 250,000",
    ] {
        let read = understand(&Texts::of(message), &vocabulary);
        let heard = read.candidates.iter().filter_map(|one| one.choices.first());
        let heard = heard.map(|choice| (choice.field.as_str(), choice.value));
        let plain = read.plain.iter().map(|one| (one.field.as_str(), one.value));
        let loan = plain.chain(heard).map(|(field, value)| (field, value.to_string()));
        let loan = loan.collect::<Vec<_>>();
        assert!(
            loan.contains(&("financing.loanAmount", "25000000".to_owned())),
            "{message}: {loan:?}"
        );
    }
    let case = slots(
        Intent::WhatIf,
        "What if loan amount is $220,000 and rent per month is $6,500?",
    );
    assert_eq!(case.changes.len(), 2, "{case:?}");
}

#[test]
fn fractions_and_years_are_read_exactly() {
    let change = |message: &str| {
        let changes = slots(Intent::WhatIf, message).all_changes();
        changes
            .iter()
            .map(|one| format!("{} {:?}", one.field, one.change))
            .collect::<Vec<_>>()
    };
    let of = |field: &str, change: crate::intent::Change| vec![format!("{field} {change:?}")];
    let rate = |millionths: i64| crate::intent::Change::To(Number::millionths(millionths));
    let interest = "financing.interestRate";
    assert_eq!(change("what if the rate is 9 1/4%"), of(interest, rate(92_500)));
    assert_eq!(change("what if the rate is 9 ¼ percent"), of(interest, rate(92_500)));
    assert_eq!(change("¿y si el interés fuera 9 y cuarto?"), of(interest, rate(92_500)));
    let half = crate::intent::Change::By(Number::millionths(-5_000));
    assert_eq!(
        change("what if the interest rate is 1/2 point lower"),
        of(interest, half)
    );
    let most = crate::intent::Change::Times(Number::millionths(750_000));
    assert_eq!(
        change("what if rent was three quarters of what it is"),
        of("operatingCosts.rentMonthly", most)
    );
    assert_eq!(change("what if there's no growth in years 2 and 3").len(), 2);
}

#[test]
fn the_years_of_a_list_are_known() {
    let vocabulary = Vocabulary::of(&Brand::demo());
    let years = |text| crate::years(&Texts::of(text), &vocabulary);
    for (text, expected) in [
        ("DSCR in years 1, 2 and 3?", &[1, 2, 3][..]),
        ("sales year 1, 2, 3 & 4", &[1, 2, 3, 4]),
        ("profit y1-y3", &[1, 3]),
        ("profit in years 1-3", &[1, 2, 3]),
        ("profit from year 2 to 4", &[2, 3, 4]),
        ("profit of the first three years", &[1, 2, 3]),
        ("utilidad de los años 1, 2 y 3", &[1, 2, 3]),
        ("year 1 vs year 3", &[1, 3]),
        ("year 1 and 3 months", &[1]),
        ("a loan of 10 years", &[]),
        ("in year 2, 3,000 more", &[2]),
        ("coverage in the second and third year", &[2, 3]),
        ("the third year", &[3]),
    ] {
        assert_eq!(years(text), expected, "{text}");
    }
}

#[test]
fn the_figures_that_are_near_begin_with_the_likeliest() {
    let vocabulary = Vocabulary::of(&Brand::demo());
    let near = |message: &str| crate::figures_near(&Texts::of(message), &vocabulary);
    let out = near("how much do i get out each month");
    assert!(
        out.contains(&Line::OwnerLeft) && out.len() < Line::NAMED.len(),
        "{out:?}"
    );
    let near = near("what is my lowest cash?");
    assert_eq!(near.first(), Some(&Line::LowestCash), "{near:?}");
}
