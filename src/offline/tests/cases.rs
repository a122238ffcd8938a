//! What goes on from a case: it is the one that the answers told.

use super::*;

const CASE: &str = "With management salaries per year at $58,000 instead of $48,000 and month the manager starts at month 1 instead of month 13, \
                    break-even goes from month 9 to month 15. Nothing was changed.";

fn changes(turn: &Turn) -> Vec<(String, String)> {
    let changes = turn.arguments["changes"].as_array().into_iter().flatten();
    let text = |one: &Value, key: &str| one[key].as_str().unwrap_or_default().to_owned();
    changes.map(|one| (text(one, "path"), text(one, "value"))).collect()
}

fn both() -> Vec<(String, String)> {
    let of = |path: &str, value: &str| (path.to_owned(), value.to_owned());
    vec![
        of("operatingCosts.managementSalariesAnnual", "$58,000"),
        of("operatingCosts.managerStartMonth", "1 month"),
    ]
}

#[test]
fn a_case_is_kept_behind_messages_that_were_not_understood() {
    for (message, answer) in [("yes", CASE), ("call it day one, ok?", "I did not understand that.")] {
        let mut talk = Talk::after("what if the manager gets 58,000 from month 1", CASE);
        talk.hears(message, answer);
        assert_eq!(changes(&talk.say("save that as day one")), both(), "{answer}");
    }
}

#[test]
fn a_case_with_numbers_that_was_not_understood_is_not_mistaken_for_the_one_before() {
    let mut talk = Talk::after("what if the manager gets 58,000 from month 1", CASE);
    talk.hears(
        "and 12 of those things more",
        "I am not sure what you mean. Name the line and what it should be, as in “what if I borrow 20,000 less?”.",
    );
    let turn = talk.say("save that as day one");
    assert!(
        turn.text.starts_with("I did not understand the last case"),
        "{}",
        turn.text
    );
}

#[test]
fn a_case_that_was_refused_is_not_the_one_that_is_talked_about() {
    let mut talk = Talk::after("what if the manager gets 58,000 from month 1", CASE);
    talk.hears(
        "why 474k",
        "I am not sure what you mean. Is it this? “What if monthly sales once established is $474,000?”",
    );
    let turn = talk.say("no, when would I run out of money?");
    assert_eq!(changes(&turn), both(), "{}", turn.text);
}

#[test]
fn a_yes_computes_what_the_question_says() {
    let asked = "No estoy seguro de lo que quiere decir. ¿Es esto? «¿Qué pasa si el mes en que empiezan los retiros es mes 13 y \
                 las ventas mensuales ya establecidas son $48,000?» La guía es más rápida: [abrir la guía](#guide).";
    let turn = Talk::after("y si mi retiro empieza en el 13 y vendo 48", asked).say("si, exacto");
    let wanted = [
        (
            "profitabilityAndDistributions.ownerDrawStartMonth".to_owned(),
            "13 months".to_owned(),
        ),
        ("revenue.monthlyAuv".to_owned(), "$48,000".to_owned()),
    ];
    assert_eq!(changes(&turn), wanted, "{}", turn.text);
}

#[test]
fn a_figure_at_a_number_is_of_the_case_that_has_it() {
    let sought = "Loan coverage (DSCR), year 1 reaches 1.25× with loan amount at about $172,884 (now $280,000), all else unchanged.";
    let loan = |value: &str| vec![("financing.loanAmount".to_owned(), value.to_owned())];
    let turn = Talk::after("max loan for 1.25?", sought).say("so at 172,884 what is the loan payment?");
    assert_eq!(changes(&turn), loan("$172,884"), "{}", turn.text);
    let case = "With loan amount at $240,000 instead of $280,000, lowest cash goes from $31,821 to $33,000. Nothing was changed.";
    let mut talk = Talk::after("what if I borrow 240", case);
    talk.hears(
        "and 12 of those then",
        "I am not sure what you mean. Name the line and what it should be.",
    );
    let turn = talk.say("I mean at 240,000, what is the loan payment?");
    assert_eq!(changes(&turn), loan("$240,000"), "{}", turn.text);
}

const KEPT: &str = "I've kept that as \"CostStress\": rent per month $5,200 and loan amount $250,000. Your plan stays as it is. \
    Say \"compare\" to see it beside your plan, or \"adopt CostStress\".";

fn of(values: &[(&str, &str)]) -> Vec<(String, String)> {
    let owned = values
        .iter()
        .map(|(path, value)| ((*path).to_owned(), (*value).to_owned()));
    owned.collect()
}

#[test]
fn a_saved_case_is_gone_on_from_by_its_name_and_right_behind_its_saving() {
    let stressed = [
        ("operatingCosts.rentMonthly", "$5,200"),
        ("financing.loanAmount", "$250,000"),
    ];
    // A share of the plan's value has no value of its own.
    let fewer = ("revenue.monthlyAuv", "");
    let turn = Talk::after("save that as CostStress", KEPT).say("On top of that, what if sales are 10% lower?");
    assert_eq!(changes(&turn), of(&[stressed[0], stressed[1], fewer]), "{}", turn.text);
    let mut talk = Talk::after("save that as CostStress", KEPT);
    talk.hears("What is my coverage?", "In year 1 loan coverage is 0.61×.");
    for message in ["rerun CostStress", "go back to CostStress"] {
        let turn = talk.say(message);
        assert_eq!(changes(&turn), of(&stressed), "{message}: {}", turn.text);
    }
    let turn = talk.say("what if in CostStress sales are 10% lower?");
    assert_eq!(changes(&turn), of(&[stressed[0], stressed[1], fewer]), "{}", turn.text);
    let compared = "Beside your plan as it stands:\n\n- \"lean\" has rent per month $4,000: break-even goes from month 9 to month 8.";
    let turn = Talk::after("compare", compared).say("what if in lean sales are 10% lower?");
    assert_eq!(
        changes(&turn),
        of(&[("operatingCosts.rentMonthly", "$4,000"), fewer]),
        "{}",
        turn.text
    );
    let turn = Talk::after("compare", compared).say("what if a lean month has 10% less sales?");
    assert_eq!(changes(&turn), of(&[fewer]), "{}", turn.text);
}

#[test]
fn a_figure_behind_a_case_is_of_the_plan_where_the_case_is_refused_or_left() {
    let asked = "I am not sure what you mean. Is it this? “What if annual interest rate is 1.25%?”";
    let refused = Talk::after("I heard of a number of 1.25 they want to see", asked)
        .say("Oh no no, not the interest. Does my plan cover the loan?");
    assert!(changes(&refused).is_empty(), "{}", refused.text);
    let case = "With monthly sales once established at $52,200 instead of $58,000, break-even goes from month 9 to month 17. \
        Nothing was changed.";
    let mut talk = Talk::after("what if sales are 10% lower?", case);
    let turn = talk.say("and what is left for me in year 2?");
    assert_eq!(
        changes(&turn),
        of(&[("revenue.monthlyAuv", "$52,200")]),
        "{}",
        turn.text
    );
    let mut talk = Talk::after("what if sales are 10% lower?", case);
    let left = talk.say("no, I mean my normal plan. What is left for me in year 2?");
    assert!(changes(&left).is_empty(), "{}", left.text);
    let adopts =
        "This writes 1 value of \"Equity150\" into your plan: loan amount $221,500. Shall I do that? Answer yes or no.";
    let turn = Talk::after("adopt Equity150", adopts).say("what would the loan payment be then?");
    assert_eq!(
        changes(&turn),
        of(&[("financing.loanAmount", "$221,500")]),
        "{}",
        turn.text
    );
}

#[test]
fn a_case_is_noted_where_a_yes_tells_to_write_it() {
    let case = "If you are asking about this case: With rent per month at $4,200 instead of $4,500, break-even goes from month 9 to \
        month 8. Nothing was changed.";
    let turn = Talk::after("make rent 4200 i talked the landlord down", case).say("yes write that down");
    assert!(turn.tools.contains(&"what_if".to_owned()), "{}", turn.text);
}

#[test]
fn a_yes_that_the_server_waits_for_is_not_lost_without_a_word_beside_a_question() {
    let adopts =
        "This writes 1 value of \"small\" into your plan: loan amount $220,000. Shall I do that? Answer yes or no.";
    let turn = Talk::after("adopt small", adopts).say("Yes. And what is my monthly loan payment?");
    assert!(turn.text.starts_with("I have not done that"), "{}", turn.text);
}

#[test]
fn an_order_to_write_behind_a_case_is_asked_about_as_a_value() {
    let case = "With direct labor at 37% instead of 38%, break-even goes from month 9 to month 8. Nothing was changed.";
    for message in [
        "I meant the direct labor at 37 percent. Please write that, and rent at 4,050 a month as well.",
        "pongale 35 a la mano de obra",
    ] {
        let mut talk = Talk::after("what if labor is 37 percent", case);
        talk.case = json!({
            "values": [{"path": "operatingCosts.laborPct", "label": "Direct labor", "value": "37%", "insteadOf": "38%"}],
            "before": {}, "after": {},
        });
        let turn = talk.say(message);
        assert!(
            turn.values()
                .iter()
                .any(|value| value.starts_with("operatingCosts.laborPct~")),
            "{message}: {}",
            turn.text
        );
        assert!(!turn.text.contains("Nothing was changed"), "{message}: {}", turn.text);
    }
}

#[test]
fn a_case_that_was_only_asked_about_is_none_to_go_on_with() {
    let asked = "I am not sure what you mean. Is it this? “What if brand/ad fund is 1%?”";
    let mut talk = Talk::after("a 1 percent cushion. what are the royalty and ad fund together", asked);
    let turn = talk.say("what is the royalty in year 3");
    assert_eq!(turn.arguments.get("changes"), None, "{:?}", turn.arguments);
    let mut talk = Talk::after("a 1 percent cushion. what are the royalty and ad fund together", asked);
    let turn = talk.say("in that case, what is the royalty in year 3");
    assert!(turn.arguments.get("changes").is_some(), "{:?}", turn.arguments);
}

#[test]
fn a_goal_is_sought_in_the_case_that_it_refers_to() {
    let case = "With owner draw per month at $4,000 instead of $2,500 and month the draw starts at month 1 instead of month 25, lowest cash \
                goes from $31,821 to −$50,409. Nothing was changed.";
    let changes = |message: &str| {
        let turn = Talk::after("what if i draw 4,000 from month 1", case).say(message);
        assert!(turn.tools.contains(&"goal_seek".to_owned()), "{message}: {}", turn.text);
        turn.arguments
            .get("changes")
            .and_then(Value::as_array)
            .map_or(0, Vec::len)
    };
    assert_eq!(
        changes("what sales would I need in that case so cash never goes below zero"),
        2
    );
    assert_eq!(
        changes("what would sales have to be for a coverage of 1.25 in my plan as it is"),
        0
    );
}

#[test]
fn a_case_named_in_another_sentence_is_not_the_one_that_is_supposed() {
    let compared = "Beside your plan as it stands:\n\n- \"Slow start\" has months to reach established sales 24 months: lowest cash goes from \
                    $31,821 to $13,638.";
    let paths = |message: &str| {
        let turn = Talk::after("compare them", compared).say(message);
        changes(&turn).into_iter().map(|(path, _)| path).collect::<Vec<_>>()
    };
    assert_eq!(
        paths("I can see that it is Slow start. What if we borrowed $20,000 less?"),
        ["financing.loanAmount"]
    );
    assert!(paths("what if in Slow start we borrowed $20,000 less?").len() == 2);
}

#[test]
fn a_remark_before_a_case_keeps_nothing() {
    let mut talk = Talk::new();
    let turn = talk.say("Second scenario. What if direct labor is 41%?");
    assert_eq!(turn.tools, ["what_if"], "{}", turn.text);
    let turn =
        talk.say("No, I mean 8% more than now, so if it is 38% it would be about 41%. Please try direct labor at 41%.");
    assert_eq!(turn.tools, ["what_if"], "{}", turn.text);
}
