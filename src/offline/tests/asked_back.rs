//! What is asked back instead of guessed: cases that may be others, and changes, values and lines that were not meant.

use super::*;

const CASE: &str = "What if rent per month is $5,000?";

fn asked_back(case: &str) -> Talk {
    let asked = format!("I am not sure what you mean. Is it this? “{case}”");
    let mut talk = Talk::after("what if rent is 5,000?", &asked);
    talk.case = json!({
        "values": [{"path": "operatingCosts.rentMonthly", "value": "$5,000", "insteadOf": "$4,500"}],
        "before": {"dscrYear1": "0.61×"},
        "after": {"dscrYear1": "0.48×"},
    });
    talk
}

#[test]
fn a_yes_to_a_case_computes_that_case() {
    for message in ["yes", "Yes, that's it!", "sí", CASE] {
        let turn = asked_back(CASE).say(message);
        assert_eq!(turn.tools, ["what_if"], "{message}");
        assert!(
            turn.text.contains("$5,000") && turn.text.contains("0.48×"),
            "{message}: {}",
            turn.text
        );
        assert!(turn.values().is_empty(), "{message}");
    }
}

#[test]
fn a_yes_is_to_the_words_that_were_asked_about() {
    let asked = "I am not sure what you mean. Is it this? “What if owner salary on payroll per year is $45,000?”";
    let mut talk = Talk::after("what if I take 45,000 instead", asked);
    talk.case = json!({
        "values": [{"path": "operatingCosts.ownerSalaryAnnual", "value": "$45,000", "insteadOf": "$0"}],
        "before": {"dscrYear1": "0.61×"},
        "after": {"dscrYear1": "0.48×"},
    });
    let turn = talk.say("yes exactly that");
    assert!(
        turn.text
            .starts_with("With owner salary on payroll per year at $45,000"),
        "{}",
        turn.text
    );
}

#[test]
fn what_may_not_be_there_is_not_taken_back() {
    let turn = Talk::new().say("if you did that, undo it");
    assert!(!turn.tools.contains(&"undo_last_change".to_owned()), "{:?}", turn.tools);
}

#[test]
fn a_yes_to_another_case_than_the_one_that_is_understood_computes_nothing() {
    let turn = asked_back("What if rent per month is $6,000?").say("yes");
    assert_eq!(
        turn.text,
        format!("I am not sure what you mean. Is it this? “{CASE}” The guide is quicker: [open the guide](#guide).")
    );
}

#[test]
fn the_case_that_was_asked_about_is_the_one_that_is_kept() {
    let turn = asked_back(CASE).say("save that as lean");
    assert_eq!(turn.tools, ["save_scenario"]);
    assert_eq!(
        turn.arguments,
        json!({"name": "lean", "changes": [{"path": "operatingCosts.rentMonthly", "value": "$5,000"}]})
    );
    let mut talk = asked_back(CASE);
    talk.say("yes");
    assert_eq!(talk.say("save that as lean").arguments["changes"][0]["value"], "$5,000");
}

#[test]
fn a_case_that_adds_to_the_one_before_has_the_changes_of_both() {
    let mut talk = asked_back(CASE);
    talk.say("yes");
    let loan = json!({"path": "financing.loanAmount", "value": "$200,000", "insteadOf": "$280,000"});
    talk.case["values"].as_array_mut().expect("values").push(loan);
    let turn = talk.say("and if also the loan is 200,000?");
    let paths = |changes: &Value| -> Vec<String> {
        let changes = changes.as_array().into_iter().flatten();
        changes
            .map(|one| one["path"].as_str().unwrap_or_default().to_owned())
            .collect()
    };
    let both = ["operatingCosts.rentMonthly", "financing.loanAmount"];
    assert_eq!(paths(&turn.arguments["changes"]), both);
    assert_eq!(paths(&talk.say("save that as lean").arguments["changes"]), both);
    // What begins so is another question.
    let mut talk = asked_back(CASE);
    talk.say("yes");
    let turn = talk.say("also, what if the loan is 200,000?");
    assert_eq!(paths(&turn.arguments["changes"]), ["financing.loanAmount"]);
}

#[test]
fn an_undo_that_names_another_line_than_the_newest_takes_nothing_back() {
    let change = |field: &str, from: &str, to: &str, reason: &str| {
        json!({"field": field, "label": field, "from": from, "to": to, "state": "AI", "reason": reason,
            "on": "2026-11-25", "isToday": true, "minutesAgo": 1})
    };
    let mut talk = Talk::new();
    talk.changes = json!([
        change("operatingCosts.insuranceMonthly", "$310", "$800", "undo"),
        change("operatingCosts.insuranceMonthly", "$800", "$310", "turn"),
        change("operatingCosts.rentMonthly", "$4,500", "$4,200", "turn"),
        change("financing.loanAmount", "$280,000", "$200,000", "turn"),
    ]);
    let turn = talk.say("undo the loan");
    assert_eq!(
        turn.tools,
        [
            "list_open_proposals",
            "list_changes",
            "set_financial_field",
            "get_plan_summary"
        ]
    );
    assert_eq!(
        turn.text,
        "The newest change is of rent per month. Loan amount was $280,000 before. Shall I write down $280,000 for loan amount?"
    );
    let turn = talk.say("undo the utilities");
    assert!(
        turn.text.starts_with("Utilities per month was not changed."),
        "{}",
        turn.text
    );
    assert!(talk.say("undo the rent").tools.contains(&"undo_last_change".to_owned()));
}

#[test]
fn a_value_that_waits_is_said_with_the_one_that_stands() {
    let mut talk = Talk::new();
    talk.open = json!([{"field": "operatingCosts.rentMonthly", "label": "Rent per month", "value": "$7,350"}]);
    for message in [
        "what is my rent?",
        "who set the rent?",
        "is my rent high?",
        "what did I say about rent?",
    ] {
        let turn = talk.say(message);
        assert!(
            turn.text
                .ends_with("You told me $7,350; it waits for your word. Shall I write down $7,350 for rent per month?"),
            "{message}: {}",
            turn.text
        );
    }
    assert!(!talk.say("what is my loan?").text.contains("waits"));
}

#[test]
fn a_no_with_a_yes_in_it_drops_nothing() {
    let mut talk = Talk::after("rent is about 3,200", "Shall I write down $3,200 for rent per month?");
    talk.open = json!([{"field": "operatingCosts.rentMonthly", "label": "Rent per month", "value": "$3,200"}]);
    let turn = talk.say("no, but yes to the other one");
    assert!(
        !turn.tools.contains(&"dismiss_proposals".to_owned()),
        "{:?}",
        turn.tools
    );
}

#[test]
fn the_line_of_a_product_is_taken_where_it_was_asked_for() {
    let asked = "19 × 70 × 26 = $34,580. Tell me the line it is for, and I'll note it there.";
    let turn = Talk::after("19 dogs x 70 dollars x 26 days", asked).say("those are the monthly sales");
    assert_eq!(turn.tools, ["estimate"]);
    assert_eq!(turn.arguments["path"], "revenue.monthlyAuv");
}

#[test]
fn a_case_with_too_at_its_end_adds_to_the_one_before() {
    let mut talk = asked_back(CASE);
    talk.say("yes");
    let turn = talk.say("yikes. and if labor was 33% too");
    let changes = turn.arguments["changes"].as_array().map_or(0, Vec::len);
    assert_eq!(changes, 2, "{}", turn.arguments);
}

#[test]
fn a_yes_in_other_words_is_one_to_what_was_asked_back() {
    let asks = "I am not sure what you mean. Is it profit?";
    for yes in ["yea profit", "yes exactly that", "yes it's the profit"] {
        let turn = Talk::after("do we make any money there", asks).say(yes);
        assert!(!turn.text.contains("not sure"), "{yes}: {}", turn.text);
    }
}

#[test]
fn a_question_for_where_a_number_comes_from_states_none() {
    let turn = Talk::new().say("how do you get to 281,500 of my own cash");
    assert_eq!(turn.values(), Vec::<String>::new(), "{}", turn.text);
}

#[test]
fn what_is_likely_asked_is_answered_and_said_to_be_a_guess() {
    let figure = json!({"line": "netProfit", "label": "profit", "year": 1, "value": "$1,234"});
    let mut guesses = 0;
    for message in [
        "so do we come out of it alive",
        "will the shop carry itself",
        "is there anything in this for us",
        "does it pay in the end",
        "how rough is the second year",
        "what does the tail end look like",
        "how deep is the hole",
        "and the money side of it?",
        "is there enough coming in",
        "what is in the till by then",
        "does the bank get its money",
        "is the bank fine with that",
        "so does the cash run out, and when",
        "what do I walk away with in the end",
        "how far do we go into the hole",
        "what does the franchise cost me all told",
        "and the money for the bank each time",
        "when are we out of the woods",
        "is there pay in it for me",
        "what is in it for us after two years",
    ] {
        let mut talk = Talk::new();
        talk.figure = figure.clone();
        let turn = talk.say(message);
        assert!(turn.values().is_empty(), "{message}");
        // The figure stands behind what it is taken for, or there is none.
        let says_so = turn.text.starts_with("If you are asking about ");
        assert_eq!(
            says_so,
            crate::offline::is_guess(&turn.text),
            "{message}: {}",
            turn.text
        );
        guesses += usize::from(says_so);
        if says_so {
            let (label, answer) = turn.text.split_once(": ").expect("an answer");
            assert!(
                label.len() > "If you are asking about ".len() && !answer.is_empty(),
                "{}",
                turn.text
            );
        }
    }
    assert!(guesses > 0, "none is a guess");
}

#[test]
fn what_only_sounds_like_a_no_drops_nothing() {
    let asked = "I heard $3,100 for rent per month, and have only noted it until you confirm. Shall I write down $3,100 for rent per month?";
    for (message, drops) in [
        ("perfect my landlord will laugh", false),
        ("nothing wrong with it", false),
        ("not yet", false),
        ("swap them, I got it backwards", false),
        ("thanks", false),
        ("don't write that down", true),
        ("please don't write it down", true),
    ] {
        let mut talk = Talk::after("maybe rent 3,100", asked);
        talk.open = json!([{"field": "operatingCosts.rentMonthly", "label": "Rent per month", "value": "$3,100"}]);
        let turn = talk.say(message);
        assert_eq!(
            turn.tools.contains(&"dismiss_proposals".to_owned()),
            drops,
            "{message}: {} {:?}",
            turn.text,
            turn.tools
        );
        assert!(turn.values().is_empty(), "{message}: {:?}", turn.values());
    }
}

#[test]
fn an_undo_behind_a_value_that_waits_takes_back_nothing_that_was_written() {
    let asked = "I heard $850 for utilities per month, and have only noted it until you confirm. Shall I write down $850 for utilities per month?";
    for message in ["undo", "wait go back", "I take that back"] {
        let mut talk = Talk::after("maybe utilities 850", asked);
        talk.open =
            json!([{"field": "operatingCosts.utilitiesMonthly", "label": "Utilities per month", "value": "$850"}]);
        let turn = talk.say(message);
        assert!(
            turn.tools.contains(&"dismiss_proposals".to_owned()),
            "{message}: {:?}",
            turn.tools
        );
        assert!(
            !turn.tools.contains(&"undo_last_change".to_owned()),
            "{message}: {:?}",
            turn.tools
        );
    }
    for message in [
        "undo everything except utilities",
        "go back to the first question",
        "my wife wants me to put it back",
        "I wish I could undo my divorce",
        "can you even undo a signed lease?",
        "ojalá pudiera deshacer mi matrimonio",
    ] {
        let turn = Talk::new().say(message);
        assert!(
            !turn.tools.contains(&"undo_last_change".to_owned()),
            "{message}: {:?}",
            turn.tools
        );
    }
}

#[test]
fn a_no_with_a_number_corrects_what_was_asked_about_and_a_named_line_is_meant() {
    let asked = "I heard $610 for insurance per month, and have only noted it until you confirm. Shall I write down $610 for insurance per month?";
    let mut talk = Talk::after("maybe insurance 610", asked);
    assert_eq!(talk.say("no 615").values(), ["operatingCosts.insuranceMonthly~61500"]);
    let sales = "What monthly sales are you planning for once the business is established?";
    let turn = Talk::after("whats missing", sales).say("maybe insurance 468");
    assert_eq!(
        turn.values(),
        ["operatingCosts.insuranceMonthly~46800"],
        "{}",
        turn.text
    );
}
