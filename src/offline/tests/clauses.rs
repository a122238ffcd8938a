//! Messages that suppose several things, clause by clause, and cases beside the one before them.

use super::going_on::changes;
use super::*;

const RENT: &str =
    "With rent per month at $4,000 instead of $4,500, lowest cash goes from $31,821 to $35,644. Nothing was changed.";

#[test]
fn each_clause_of_a_case_is_a_change_of_its_own() {
    for (message, all) in [
        (
            "ok no manager, and me 3k from month 1, both together",
            &[
                "managementSalariesAnnual=$0",
                "ownerDrawMonthly=$3,000",
                "ownerDrawStartMonth=1 month",
            ][..],
        ),
        (
            "what if sales are 54,000 and I also find someone to share the rent so I'm only paying like 4600?",
            &["monthlyAuv=$54,000", "rentMonthly=$4,600"],
        ),
        (
            "¿y si tardo 9 meses en llegar a las ventas normales, con el labor en 34%?",
            &["laborPct=34%", "monthsToReachAuv=9 months"],
        ),
        (
            "oh that is not so bad. what if labor is 33% and rent the same?",
            &["laborPct=33%"],
        ),
        (
            "don't touch anything, but what if rent is 5,000 and labor goes to 40%?",
            &["laborPct=40%", "rentMonthly=$5,000"],
        ),
    ] {
        let turn = Talk::new().say(message);
        assert_eq!(changes(&turn), all, "{message}: {}", turn.text);
    }
}

#[test]
fn a_clause_that_is_not_understood_is_named() {
    for (message, left) in [
        (
            "What if sales are 20% lower, rent is 3800, we bring 60,000 more and take no draws?",
            "we bring 60,000 more",
        ),
        (
            "What if rent is 500 less, I hire nobody as manager and my draw is 3,500?",
            "I hire nobody as manager",
        ),
    ] {
        let mut talk = Talk::new();
        talk.case = json!({"before": {"lowestCash": "$1"}, "after": {"lowestCash": "$2"}, "values": [
            {"path": "operatingCosts.rentMonthly", "value": "$4,000", "insteadOf": "$4,500"}]});
        let turn = talk.say(message);
        assert!(turn.text.contains("I have not taken up"), "{message}: {}", turn.text);
        assert!(turn.text.contains(left), "{message}: {}", turn.text);
    }
}

#[test]
fn each_what_if_of_a_message_is_a_case_and_a_bare_number_is_of_the_line_before() {
    let turn = Talk::new().say("what if we borrow 250k and what if 230k");
    assert_eq!(turn.tools, ["what_if", "what_if"], "{}", turn.text);
    let turn = Talk::after("what if rent is 4,000", RENT).say("and at 4,200?");
    assert_eq!(changes(&turn), ["rentMonthly=$4,200"], "{}", turn.text);
    let months = "With months to reach established sales at 9 months instead of 18 months, lowest cash goes from $31,821 to $43,674. \
                  Nothing was changed.";
    let turn = Talk::after("what if it takes 9 months to reach normal sales?", months).say("and with 24?");
    assert_eq!(changes(&turn), ["monthsToReachAuv=24 months"], "{}", turn.text);
}

#[test]
fn a_goal_or_a_figure_has_what_is_supposed_beside_it() {
    let turn = Talk::new().say("If the rent is 3,800, what sales do I need for a coverage of 1.25?");
    assert_eq!(turn.tools, ["goal_seek"], "{}", turn.text);
    assert_eq!(changes(&turn), ["rentMonthly=$3,800"], "{}", turn.text);
    let turn = Talk::new().say("What would year 2 DSCR be with management salary 24,000?");
    assert_eq!(turn.tools, ["get_projection"], "{}", turn.text);
    assert_eq!(changes(&turn), ["managementSalariesAnnual=$24,000"], "{}", turn.text);
}

#[test]
fn a_case_of_another_line_is_told_by_itself_and_with_the_case_before() {
    let case = json!({"before": {"lowestCash": "$1"}, "after": {"lowestCash": "$2"}, "values": [
        {"path": "operatingCosts.laborPct", "value": "30%", "insteadOf": "38%"}]});
    for (message, calls) in [
        ("what if labor is 30%?", 2),
        ("hm. and if labor were 30%?", 2),
        ("and labor 30%", 1),
        ("what if rent is 4,200?", 1),
        ("what if labor is 30% in my plan as it is?", 1),
    ] {
        let mut talk = Talk::after("what if rent is 4,000", RENT);
        talk.case = case.clone();
        let turn = talk.say(message);
        let made = turn.tools.iter().filter(|tool| *tool == "what_if").count();
        assert_eq!(made, calls, "{message}: {}", turn.text);
        let is_both = turn.text.contains("Together with the case before: with direct labor");
        assert_eq!(is_both, calls == 2, "{message}: {}", turn.text);
    }
}

#[test]
fn what_is_kept_is_the_case_before_and_what_follows_a_new_one() {
    let mut talk = Talk::after("what if rent is 4,000", RENT);
    talk.case = json!({"before": {"lowestCash": "$1"}, "after": {"lowestCash": "$2"}, "values": [
        {"path": "operatingCosts.laborPct", "value": "40%", "insteadOf": "38%"}]});
    let turn = talk.say("Save as \"optimistic\". Now the opposite: labor 40% and sales 52,000.");
    assert!(
        turn.tools
            .starts_with(&["save_scenario".to_owned(), "what_if".to_owned()]),
        "{}",
        turn.text
    );
    assert!(turn.text.contains("\"optimistic\""), "{}", turn.text);
    assert_eq!(changes(&turn), ["laborPct=40%", "monthlyAuv=$52,000"], "{}", turn.text);
}
