//! A message behind a case: whether it goes on from that, and from which of its values.

use super::*;

const RENT: &str =
    "With rent per month at $4,000 instead of $4,500, lowest cash goes from $31,821 to $35,644. Nothing was changed.";
const RENT_AND_SALES: &str = "With rent per month at $4,000 instead of $4,500 and monthly sales once established at $50,000 instead of $58,000, \
                              lowest cash goes from $31,821 to $18,326. Nothing was changed.";

/// The changes of a turn's case: "rentMonthly=$4,000".
pub(super) fn changes(turn: &Turn) -> Vec<String> {
    let changes = turn.arguments["changes"].as_array().into_iter().flatten();
    let text = |one: &Value, key: &str| one[key].as_str().unwrap_or_default().to_owned();
    let mut all: Vec<String> = changes
        .map(|one| {
            let path = text(one, "path");
            let name = path.rsplit('.').next().unwrap_or_default().to_owned();
            match one.get("by") {
                Some(by) => format!("{name} by {by}"),
                None if one.get("times").is_some() => format!("{name} times {}", one["times"]),
                None => format!("{name}={}", text(one, "value")),
            }
        })
        .collect();
    all.sort();
    all
}

#[test]
fn a_fragment_adds_to_the_case_and_a_question_of_its_own_does_not() {
    let both = ["laborPct=30%", "rentMonthly=$4,000"];
    for message in [
        "and labor 30%",
        "plus labor at 30%",
        "but with labor at 30%",
        "y con mano de obra de 30%",
    ] {
        let turn = Talk::after("what if rent is 4,000", RENT).say(message);
        assert_eq!(changes(&turn), both, "{message}");
    }
    for message in [
        "what if labor is 30%?",
        "and what if labor is 30%?",
        "and if labor were 30%?",
    ] {
        let turn = Talk::after("what if rent is 4,000", RENT).say(message);
        assert_eq!(changes(&turn), ["laborPct=30%"], "{message}");
    }
    let turn = Talk::after("what if rent is 4,000", RENT).say("Okay. And same thing but with labor at 30%");
    assert_eq!(changes(&turn), both);
}

#[test]
fn so_much_less_is_less_than_the_case_has() {
    for (asked, message, value) in [
        ("what if rent is 4,000", "and 500 less", "rentMonthly=$3,500"),
        ("what if rent is 500 less", "and another 500 less", "rentMonthly=$3,500"),
        ("what if rent is 500 less", "and 1,000 less", "rentMonthly by -1000"),
    ] {
        let turn = Talk::after(asked, RENT).say(message);
        assert_eq!(changes(&turn), [value], "{message}: {}", turn.text);
    }
    let asked = "I am not sure what you mean. Is it this? “What if loan amount is $186,666.76?”";
    let turn = Talk::after("a third less", asked).say("and labor 30%");
    assert_eq!(
        changes(&turn),
        ["laborPct=30%"],
        "what was only asked about: {}",
        turn.text
    );
}

#[test]
fn cases_one_after_the_other_are_put_together() {
    let mut talk = Talk::after("what if rent is 4,000", RENT);
    talk.hears(
        "what if labor is 30%",
        "With direct labor at 30% instead of 38%, lowest cash goes from $31,821 to $46,374. Nothing was changed.",
    );
    assert_eq!(
        changes(&talk.say("both together")),
        ["laborPct=30%", "rentMonthly=$4,000"]
    );
}

#[test]
fn so_many_times_that_is_of_the_value_of_the_case() {
    for (message, value) in [
        ("double it", "$8,000"),
        ("and half of that", "$2,000"),
        ("¿y la mitad de eso?", "$2,000"),
    ] {
        let turn = Talk::after("what if rent is 4,000", RENT).say(message);
        assert_eq!(changes(&turn), [format!("rentMonthly={value}")], "{message}");
    }
}

#[test]
fn a_part_of_a_case_is_taken() {
    let mut talk = Talk::after("what if rent is 4,000 and sales 50,000", RENT_AND_SALES);
    talk.case = json!({ "before": {}, "after": {}, "values": [{ "path": "operatingCosts.rentMonthly", "value": "$4,000", "insteadOf": "$4,500" }] });
    let turn = talk.say("ok put the rent in my plan but not the sales one");
    assert_eq!(turn.values(), ["operatingCosts.rentMonthly~400000"], "{}", turn.text);
}

#[test]
fn what_is_said_of_a_named_case_is_no_value_of_the_plan() {
    let kept = "I've kept that as \"good\": rent per month $4,000. Your plan stays as it is. Say \"compare\" to see it beside your plan, or \"adopt good\".";
    for message in [
        "in good, labor 30%",
        "what if good but labor 30%",
        "no. good with 30% labor",
    ] {
        let turn = Talk::after("save it as good", kept).say(message);
        assert_eq!(changes(&turn), ["laborPct=30%", "rentMonthly=$4,000"], "{message}");
        assert!(turn.heard.is_empty(), "{message}: {:?}", turn.values());
    }
}

#[test]
fn a_draw_is_paid_from_the_month_that_is_said() {
    let drawn = |start: &str| {
        [
            "ownerDrawMonthly=$3,500".to_owned(),
            format!("ownerDrawStartMonth={start}"),
        ]
    };
    for (message, start) in [
        ("what if I pay myself 3500 from the start", "1 month"),
        ("what if my draw is 3,500 from month 7", "7 months"),
        ("¿y si me retiro 3500 desde el principio?", "1 month"),
    ] {
        assert_eq!(changes(&Talk::new().say(message)), drawn(start), "{message}");
    }
}

#[test]
fn own_money_in_place_of_the_loan_is_a_smaller_loan() {
    for message in [
        "what if I put in 15k more of my own and borrow 15k less",
        "what if I put 15,000 more of my own in instead of the loan",
        "¿y si pongo 15 mil más de mi bolsa y pido 15 menos?",
    ] {
        assert_eq!(
            changes(&Talk::new().say(message)),
            ["loanAmount by -15000"],
            "{message}"
        );
    }
}

#[test]
fn a_share_that_goes_up_is_no_share_of_that() {
    let turn = Talk::new().say("what if wages up 2");
    assert_eq!(changes(&turn), ["laborPct by 2"], "{:?}", turn.arguments);
}

#[test]
fn a_goal_is_sought_within_what_is_supposed_beside_it() {
    let turn = Talk::new().say("how much do I have to sell to make 50k profit in year 2 if rent is 6000");
    assert_eq!(changes(&turn), ["rentMonthly=$6,000"], "{:?}", turn.arguments);
}

#[test]
fn a_question_about_cash_is_not_why_the_advisor_asks() {
    let asked = "I've written down rent per month at $3,900 (it was $4,500). With this, cash falls below zero; it is lowest at −$94,730. \
                 What percentage do you plan for cost of goods?";
    for message in ["why so low", "why is cash negative"] {
        let turn = Talk::after("rent is 3,900", asked).say(message);
        assert_eq!(turn.tools, ["get_projection"], "{message}: {}", turn.text);
    }
    assert!(
        Talk::after("rent is 3,900", asked)
            .say("why do you ask?")
            .tools
            .is_empty()
    );
}
