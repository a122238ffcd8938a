//! Messages of two parts: an answer to the advisor's question, and what goes on behind it.

use super::*;

const RENT: &str = "Shall I write down $3,200 for rent per month?";

fn with_open_rent(asked: &str) -> Talk {
    let mut talk = Talk::after("rent is about 3,200", asked);
    talk.open = json!([{"field": "operatingCosts.rentMonthly", "label": "Rent per month", "value": "$3,200"}]);
    talk
}

#[test]
fn a_term_of_the_question_is_explained_and_the_question_stays() {
    let mut talk = Talk::new();
    talk.say("My rent is $4,200/month");
    for message in [
        "not sure, what does cost of goods mean?",
        "no idea. what is cost of goods?",
    ] {
        let turn = talk.say(message);
        assert!(
            turn.text.starts_with("COGS, the cost of goods sold, is"),
            "{message}: {}",
            turn.text
        );
        assert!(
            turn.text.ends_with("What percentage do you plan for cost of goods?"),
            "{message}: {}",
            turn.text
        );
    }
    // What is about something else is answered, and the line comes later.
    let turn = talk.say("not sure yet. how do i print this?");
    assert_eq!(
        turn.text,
        "All right, we can come back to that. Your plan is ready to [print or save as PDF](#print)."
    );
}

#[test]
fn a_yes_that_goes_on_writes_nothing_and_is_asked_for_again() {
    for message in ["yes. how do i print this?", "Yes, and how do I print this?"] {
        let turn = with_open_rent(RENT).say(message);
        assert!(turn.values().is_empty(), "{message}");
        assert_eq!(
            turn.text,
            format!("Your plan is ready to [print or save as PDF](#print). {RENT}"),
            "{message}"
        );
    }
    // What follows it is not understood: the question is put again.
    let turn = with_open_rent(RENT).say("yes. and the blorps too");
    assert!(turn.values().is_empty() && turn.text.ends_with(RENT), "{}", turn.text);
}

#[test]
fn a_no_that_goes_on_drops_what_was_asked_about() {
    let turn = with_open_rent(RENT).say("no. how do i print this?");
    assert_eq!(turn.tools, ["dismiss_proposals"]);
    assert_eq!(
        turn.text,
        "All right, I've dropped $3,200 for rent per month. Your plan is ready to [print or save as PDF](#print)."
    );
    let turn = with_open_rent("¿Anoto $3,200 para la renta por mes?").say("que no. ¿cómo imprimo el plan?");
    assert!(turn.text.starts_with("De acuerdo, descarté $3,200"), "{}", turn.text);
    assert!(turn.text.contains("#print"), "{}", turn.text);
}

#[test]
fn a_no_in_other_words_drops_it_too() {
    let turn = with_open_rent(RENT).say("better not, we have no quote yet");
    assert_eq!(turn.tools, ["dismiss_proposals"]);
    assert_eq!(turn.text, "All right, I've dropped $3,200 for rent per month.");
    // What it names, and not all that waits.
    let turn = with_open_rent(RENT).say("better not on the insurance, we have no quote yet");
    assert_eq!(turn.arguments, json!({"fields": ["operatingCosts.insuranceMonthly"]}));
}

#[test]
fn numbers_behind_a_first_word_are_read_as_ever() {
    for message in ["no, rent is $3,350 a month", "Yes. The loan is $250,000."] {
        let turn = with_open_rent(RENT).say(message);
        assert_eq!(turn.values().len(), 1, "{message}: {}", turn.text);
        assert!(!turn.tools.contains(&"dismiss_proposals".to_owned()), "{message}");
    }
}

#[test]
fn what_was_guessed_is_taken_and_may_be_asked_about() {
    let mut talk = Talk::after(
        "what about the coverage thing",
        "I am not sure what you mean. Is it loan coverage?",
    );
    let turn = talk.say("yes, what does it mean?");
    assert!(turn.text.starts_with("DSCR, loan coverage, is"), "{}", turn.text);
}

#[test]
fn a_guess_as_an_answer_is_noted_with_its_number() {
    for message in [
        "maybe around 45 percent? the groomers get commission",
        "about 45%?",
        "I'd say 45 percent?",
    ] {
        let mut talk = Talk::after("rent is 3,200", "What percentage do you plan for direct labor?");
        let turn = talk.say(message);
        assert_eq!(
            turn.values(),
            ["operatingCosts.laborPct~0.45"],
            "{message}: {}",
            turn.text
        );
    }
    // A question about another number than an answer stays one.
    let mut talk = Talk::after("rent is 3,200", "What percentage do you plan for direct labor?");
    assert!(talk.say("is 45 percent too much?").values().is_empty());
}

#[test]
fn amounts_that_nothing_was_made_of_are_named() {
    let turn = Talk::new().say("Rent is $4,200 a month. Around 12 dogs a day at about $75 each.");
    assert!(
        turn.text
            .contains("12 × 75 = $900 a day. On how many days a month are you open?"),
        "{}",
        turn.text
    );
    let turn = Talk::new().say("Rent is $4,200 a month.");
    assert!(!turn.text.contains("left out"), "{}", turn.text);
}

#[test]
fn values_that_waited_before_are_counted_where_all_are_asked_for() {
    let mut talk = Talk::new();
    talk.open = json!([{"field": "startupCosts.signage", "label": "Signage", "value": "$8,000"}]);
    let turn = talk.say("rent is maybe 4 grand, utilities perhaps 900");
    assert_eq!(turn.values().len(), 2, "{}", turn.text);
    assert!(
        turn.text
            .contains("Still waiting for your word: $8,000 for signage. Shall I use all 3?"),
        "{}",
        turn.text
    );
}

#[test]
fn whoever_asks_where_to_start_is_asked_for_the_first_number() {
    let turn = Talk::new().say("hi, my brother and I want to open a salon, where do I start?");
    assert!(turn.text.ends_with('?'), "{}", turn.text);
    assert!(turn.tools.contains(&"get_plan_summary".to_owned()));
    let turn = Talk::new().say("what does the bank want to see?");
    assert!(
        turn.text.starts_with("Lenders often look for loan coverage of 1.25"),
        "{}",
        turn.text
    );
}

#[test]
fn what_a_lender_decides_is_the_lenders() {
    for message in ["will the bank approve me?", "¿el banco nos va a aprobar el préstamo?"] {
        let turn = Talk::new().say(message);
        assert!(turn.tools.is_empty(), "{message}");
        let says = ["the lender's to decide", "lo decide el banco"];
        assert!(
            says.iter().any(|says| turn.text.contains(says)),
            "{message}: {}",
            turn.text
        );
    }
}

#[test]
fn several_questions_are_each_answered() {
    let parts = |message: &str| {
        let turn = Talk::new().say(message);
        (turn.tools, turn.text)
    };
    let (tools, text) = parts("do I make a profit, and what's left for me?");
    assert_eq!(
        tools,
        ["get_projection", "get_projection", "get_plan_summary"],
        "{text}"
    );
    let (tools, text) = parts("whats my coverage and what does it mean for the banker?");
    assert_eq!(tools, ["get_projection"], "{text}");
    assert!(text.contains("\n\nDSCR, loan coverage, is"), "{text}");
    assert!(text.ends_with("actual results will differ."), "{text}");
    let (tools, text) = parts("undo that. what changed tonight, and how do I print it for Monday?");
    assert_eq!(
        tools,
        [
            "undo_last_change",
            "list_changes",
            "get_plan_summary",
            "list_open_proposals"
        ],
        "{text}"
    );
    assert!(text.contains("#print"), "{text}");
}

#[test]
fn a_question_beside_a_value_is_answered_and_the_value_recorded() {
    for message in [
        "Rent is $4,300 a month. And how do I print this?",
        "rent is $4,300 a month, and how do I print this?",
    ] {
        let turn = Talk::new().say(message);
        assert_eq!(
            turn.values(),
            ["operatingCosts.rentMonthly~430000"],
            "{message}: {}",
            turn.text
        );
        assert!(turn.text.contains("#print"), "{message}: {}", turn.text);
    }
    for message in [
        "Rent is $4,300 a month. What would my cash be after one year?",
        "Rent is $4,300 a month. What is my cash after year 1?",
        "Rent is 4,300. And cash in month 6?",
    ] {
        let turn = Talk::new().say(message);
        assert_eq!(
            turn.values(),
            ["operatingCosts.rentMonthly~430000"],
            "{message}: {}",
            turn.text
        );
    }
    let turn = Talk::new().say("Rent is $4,300 a month. What's my coverage now?");
    assert!(turn.tools.contains(&"get_projection".to_owned()), "{:?}", turn.tools);
    assert_eq!(turn.values().len(), 1, "{}", turn.text);
    let turn = Talk::new().say("rent is maybe 4,300. how do I print this?");
    assert!(
        turn.text.ends_with("Shall I write down $4,300 for rent per month?"),
        "{}",
        turn.text
    );
}

#[test]
fn a_question_about_the_value_beside_it_records_nothing() {
    for message in [
        "Rent is $9,000 a month. Is that too high?",
        "8 percent royalty. Am I being robbed?",
    ] {
        let turn = Talk::new().say(message);
        assert!(turn.values().is_empty(), "{message}: {}", turn.text);
    }
}

#[test]
fn an_answer_is_recorded_whatever_is_asked_about_it() {
    let question = "What monthly sales are you planning for once the business is established?";
    let turn = Talk::after("rent is 3,200", question).say("maybe 54,000 a month. is that too optimistic?");
    assert_eq!(turn.values(), ["revenue.monthlyAuv~5400000"], "{}", turn.text);
}

#[test]
fn one_question_in_two_sentences_is_answered_once() {
    for message in [
        "am I going to make money? like, is there any profit?",
        "What does break-even mean? Is it the month when we stop losing money?",
        "I did not know there is a manager. What happens if we have no manager?",
        "what if rent were 5,000? what happens to my cash?",
    ] {
        let turn = Talk::new().say(message);
        assert!(turn.tools.len() <= 1, "{message}: {:?} {}", turn.tools, turn.text);
    }
}

#[test]
fn an_added_question_that_is_not_understood_is_named() {
    let turn = Talk::new().say("how do I print this, and do I have blorps?");
    assert_eq!(
        turn.text,
        "Your plan is ready to [print or save as PDF](#print). In it the first year does not earn its loan payments, which a lender will ask about. \
        15 key numbers are still the brand's figures.\n\nI have not taken up “do I have blorps?”; please say that by itself."
    );
}

#[test]
fn the_items_of_a_list_are_answered_each() {
    let message =
        "Three questions: 1) total project cost with break-up? 2) what is the interest rate? 3) monthly loan payment?";
    let turn = Talk::new().say(message);
    let asked = turn.tools.iter().filter(|tool| *tool == "get_projection").count();
    assert_eq!(asked, 2, "{}", turn.text);
    assert!(turn.text.contains("Annual interest rate is 10.25%"), "{}", turn.text);
}
