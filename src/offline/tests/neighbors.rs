//! What the words beside a number make of it, money of other people, written arithmetic, and whose figures a why is about.

use super::going_on::changes;
use super::*;

const LESS_SALES: &str = "With monthly sales once established at $38,000 instead of $58,000, break-even goes from month 9 to not within 60 months and \
                          loan coverage in year 1 goes from 0.61× to 0.19×. Nothing was changed.";
const ASKED: &str = "I am not sure what you mean. Is it this? “What if loan amount is $250,000?”";

#[test]
fn the_words_beside_a_number_say_what_it_does() {
    for (message, change) in [
        ("ok but if we ramp 4 months quicker", "monthsToReachAuv by -4"),
        (
            "and if we need two full years to get there?",
            "monthsToReachAuv=24 months",
        ),
        (
            "what if suppliers drop prices 10 percent on all our goods",
            "cogsPct times 0.9",
        ),
        (
            "and if they let me pay just the interest that whole first year",
            "interestOnlyMonths=12 months",
        ),
        ("qué pasa si pido 240 prestados", "loanAmount=$240,000"),
        ("rent +500", "rentMonthly by 500"),
        ("what if the bank gives us 250k more", "loanAmount by 250000"),
        ("what if the ramp is 14 months", "monthsToReachAuv=14 months"),
    ] {
        let turn = Talk::new().say(message);
        assert_eq!(changes(&turn), [change], "{message}: {}", turn.text);
    }
}

#[test]
fn a_change_is_no_value() {
    for message in [
        "900 a month for insurance seems thin. Put it fifty percent up and see.",
        "rent +500",
    ] {
        let turn = Talk::new().say(message);
        assert!(!turn.text.contains("50% for"), "{message}: {}", turn.text);
        assert!(!turn.text.contains("$500 for"), "{message}: {}", turn.text);
    }
    // A sum's first part stays one.
    let turn = Talk::new().say("rent is 2,500 + 500 cam");
    assert!(turn.text.contains("$2,500 for rent"), "{}", turn.text);
}

#[test]
fn an_amount_without_a_change_is_named() {
    let turn = Talk::new().say("ok. what if we borrow 20k less n put in 20k more ourselves");
    assert!(turn.text.contains("put in 20k more ourselves"), "{}", turn.text);
    let turn = Talk::new().say("what if rent is 5,000 instead of 4,500?");
    assert!(!turn.text.contains("not taken up"), "{}", turn.text);
}

#[test]
fn a_yes_with_more_is_of_the_case_that_was_asked_about() {
    for message in ["yes and over 7 years", "right, and over 7 years"] {
        let turn = Talk::after("If loan is 250,000, my 105,000 still enough?", ASKED).say(message);
        assert_eq!(
            changes(&turn),
            ["loanAmount=$250,000", "loanTermMonths=84 months"],
            "{message}: {}",
            turn.text
        );
    }
}

#[test]
fn money_of_others_is_beside_the_plans() {
    for (message, change) in [
        ("what if I get a partner with 20k", "additionalEquity by 20000"),
        ("y si entra un socio con 20 mil", "additionalEquity by 20000"),
        ("my brother lends me 15,000", "loanAmount by 15000"),
        (
            "put 15k more of our cash on top, does cash stay ok",
            "additionalEquity by 15000",
        ),
    ] {
        let turn = Talk::new().say(message);
        assert_eq!(changes(&turn), [change], "{message}: {}", turn.text);
    }
    let turn =
        Talk::new().say("My aunt might lend me a hand. How would the cash look if I put in fifteen thousand extra?");
    assert!(
        !changes(&turn).iter().any(|one| one.contains("loanAmount")),
        "{}",
        turn.text
    );
}

#[test]
fn written_arithmetic_is_worked_out() {
    let turn = Talk::new().say("46213 / 24.50 / 26?");
    assert!(turn.text.contains("72.55"), "{}", turn.text);
    for message in [
        "what if sales are 80 x 26 x 24.50?",
        "what if 80 customers a day at 24.50, 26 days?",
    ] {
        let turn = Talk::new().say(message);
        assert_eq!(
            turn.tools.first().map(String::as_str),
            Some("estimate"),
            "{message}: {}",
            turn.text
        );
    }
    let turn = Talk::new().say("my price is 24.50 and we are open 26 days");
    assert!(turn.text.contains("customers a month"), "{}", turn.text);
}

#[test]
fn a_why_behind_a_case_is_of_the_case() {
    for message in [
        "why does coverage drop so hard?",
        "coverage 0.19 though?? why is that so bad",
        "why does profit fall that much",
    ] {
        let turn = Talk::after("what if sales are 38,000 a month?", LESS_SALES).say(message);
        assert_eq!(
            changes(&turn),
            ["monthlyAuv=$38,000"],
            "{message}: {:?} {}",
            turn.tools,
            turn.text
        );
    }
    let turn = Talk::after("what if sales are 38,000 a month?", LESS_SALES).say("why is cash so low in month 6?");
    assert!(changes(&turn).is_empty(), "{}", turn.text);
}

#[test]
fn a_goal_is_sought_with_another_line() {
    let reached = "Loan coverage (DSCR), year 1 reaches 1.25× with rent per month at about $2,108 (now $4,500), all else unchanged.";
    let turn = Talk::after("how much rent can I pay at 1.25?", reached).say("or the loan instead?");
    assert_eq!(
        turn.arguments["path"], "financing.loanAmount",
        "{:?} {}",
        turn.tools, turn.text
    );
}

#[test]
fn whether_a_number_is_much_states_nothing() {
    for message in [
        "is 500 a month for repairs skimpy",
        "he says rent is $4,800 a month. Is that steep for a groomer or is he stuck in the past?",
    ] {
        let turn = Talk::new().say(message);
        assert!(!turn.text.contains("Shall I"), "{message}: {}", turn.text);
    }
    let turn = Talk::new().say("COGS looks too low. 8%? Should be 29.");
    assert!(turn.text.contains("29% for cost of goods"), "{}", turn.text);
}

#[test]
fn what_only_sounds_like_more_is_no_case() {
    for message in [
        "we have 120k of our own money, do we need more",
        "with 100k of my own money how much more do i need",
        "what if my wife brings home 40k",
        "what if I charge 65 a dog",
    ] {
        let turn = Talk::new().say(message);
        assert!(changes(&turn).is_empty(), "{message}: {}", turn.text);
    }
}
