//! Short answers: yes to a list, no, "I don't know", "skip", "why", "undo that", and what the page offers to begin with.

use super::*;

#[test]
fn several_numbers_are_listed_and_asked_about_together() {
    let turn = Talk::new().say("Rent's about 4 grand, royalty is maybe six percent and the sign could run 8,000");
    let heard = turn.values().len();
    if heard > 1 {
        let question = format!("Shall I use all {heard}? Say “yes to all”, or name the ones you mean.");
        assert!(turn.text.ends_with(&question), "{}", turn.text);
        assert_eq!(turn.text.matches("\n- ").count(), heard, "{}", turn.text);
    }
    assert!(turn.values().iter().all(|value| value.contains('~')));
}

#[test]
fn what_is_still_open_is_asked_about_after_an_answer() {
    let mut talk = Talk::new();
    talk.open = json!([{"field": "startupCosts.signage", "label": "Signage", "value": "$8,000"}]);
    let turn = talk.say("My rent is $4,200/month");
    assert!(
        turn.text.ends_with("Shall I write down $8,000 for signage?"),
        "{}",
        turn.text
    );
}

#[test]
fn what_is_not_known_is_left_and_the_next_line_asked_for() {
    for message in ["I don't know", "skip this one", "no idea yet", "skip"] {
        let mut talk = Talk::new();
        let asked = talk.say("My rent is $4,200/month").text;
        let turn = talk.say(message);
        assert!(turn.values().is_empty());
        assert!(
            turn.text.starts_with("All right, we can come back to that. ") && turn.text.ends_with('?'),
            "{message}: {}",
            turn.text
        );
        let last = |text: &str| text.rsplit(". ").next().map(str::to_owned);
        assert_ne!(last(&asked), last(&turn.text), "{message}");
        assert_eq!(
            talk.say("38 percent").values(),
            ["operatingCosts.laborPct=0.38"],
            "{message}"
        );
    }
}

#[test]
fn why_is_answered_by_what_the_line_means_and_the_question_stays() {
    let mut talk = Talk::new();
    talk.say("My rent is $4,200/month");
    let cogs = plan_model::field::find("operatingCosts.cogsPct").expect("a field");
    let turn = talk.say("why do you ask?");
    assert_eq!(
        turn.text,
        format!(
            "{} It is one of the key numbers that your results rest on. What percentage do you plan for cost of goods?",
            cogs.help
        )
    );
    assert_eq!(talk.say("8").values(), ["operatingCosts.cogsPct=0.08"]);
}

#[test]
fn undo_is_a_call_of_its_tool() {
    for message in ["undo that", "undo", "take that back"] {
        let mut talk = Talk::new();
        talk.say("My rent is $4,200/month");
        let turn = talk.say(message);
        assert_eq!(turn.tools, ["undo_last_change", "list_changes"], "{message}");
        assert_eq!(
            turn.text, "I've taken that back: rent per month is back at $4,500.",
            "{message}"
        );
    }
}

/// The page begins messages for people; what they complete is plain.
#[test]
fn what_the_page_offers_to_begin_with_is_understood() {
    let texts = include_str!("../../../web/texts/en-desk.js");
    for (begins, ends, value) in [
        ("Our rent is", "$4,200 a month", "operatingCosts.rentMonthly=420000"),
        ("Our rent is", "4200", "operatingCosts.rentMonthly=420000"),
        ("We are borrowing", "280k", "financing.loanAmount=28000000"),
        ("We are borrowing", "$280,000", "financing.loanAmount=28000000"),
        ("Our monthly sales will be", "65,000", "revenue.monthlyAuv=6500000"),
        ("Our monthly sales will be", "$65k.", "revenue.monthlyAuv=6500000"),
    ] {
        assert!(texts.contains(&format!("\"{begins}\"")), "{begins}");
        let turn = Talk::new().say(&format!("{begins} {ends}"));
        assert_eq!(turn.values(), [value], "{begins} {ends}");
    }
    assert!(texts.contains("\"What is still missing?\""));
    let turn = Talk::new().say("What is still missing?");
    assert!(
        turn.text.starts_with("15 key numbers are still at the brand's figure."),
        "{}",
        turn.text
    );
}

#[test]
fn a_value_whose_own_message_asks_whether_it_is_usual_is_not_written() {
    for message in [
        "7% royalty. Am I paying too much?",
        "Rent $6,900 a month. Is that normal?",
    ] {
        let turn = Talk::new().say(message);
        assert!(
            turn.values().iter().all(|value| value.contains('~')),
            "{message}: {:?}",
            turn.values()
        );
    }
    let plain = Talk::new().say("The royalty is 7%.");
    assert_eq!(plain.values(), ["operatingCosts.royaltyPct=0.07"]);
}
