//! Figures that an answer has shown, asked about or objected to.

use super::*;
use crate::offline::message::shown;
use rust_decimal::Decimal;

const OPENING: &str = "You need $371,500 to open: $280,000 from the loan and $91,500 of your own cash. The largest parts are build-out $140,000, \
furniture, fixtures, equipment $62,000 and additional funds $45,000.";

fn behind(message: &str) -> Turn {
    Talk::after("how much do I need to open?", OPENING).say(message)
}

#[test]
fn a_figure_that_was_shown_is_no_new_value() {
    for (message, begins) in [
        (
            "I never said a 280k loan!!",
            "Loan amount is at the brand's figure; nobody has set it. How large is your bank loan?",
        ),
        (
            "why is it 280k?",
            "Loan amount is at the brand's figure; nobody has set it.",
        ),
        ("whats the 140,000 for?", "Build-out: "),
        ("what's the 62,000?", "Furniture, fixtures, equipment: "),
        ("where do you get 45,000", "Additional funds is at the brand's figure"),
        ("is the 45,000 high", "Additional funds is $45,000 in your plan"),
        (
            "yo no dije un préstamo de 280 mil",
            "El monto del préstamo está en el valor de la marca; nadie lo ha puesto. ¿De cuánto es su préstamo?",
        ),
        ("¿para qué son los 140 mil?", "La obra del local: "),
    ] {
        let turn = behind(message);
        assert!(turn.text.starts_with(begins), "{message}: {}", turn.text);
        assert!(turn.values().is_empty(), "{message}: {:?}", turn.values());
    }
}

#[test]
fn what_a_shown_figure_should_be_is_asked_about() {
    for (message, value) in [
        ("why is it 280k? I only want 150", "financing.loanAmount~15000000"),
        ("i didn't say 280, i said 210", "financing.loanAmount~21000000"),
        (
            "no dije 140 mil, dije 90 mil",
            "startupCosts.leaseholdImprovements~9000000",
        ),
    ] {
        let turn = behind(message);
        assert_eq!(turn.values(), [value], "{message}: {}", turn.text);
    }
    // Two numbers besides, a case, a line that is named with its own value: read as any other message.
    for message in [
        "why is it 280k, I only want 150 or 160",
        "what if the 280k is 200k?",
        "what is my rent of 4,200 a month",
    ] {
        let turn = behind(message);
        assert!(!turn.text.contains("nobody has set it"), "{message}: {}", turn.text);
    }
}

#[test]
fn that_is_what_was_just_asked_about() {
    let mut talk = Talk::after(
        "rent maybe 4,800",
        "I heard $4,800 for rent per month, and have only noted it until you confirm. Shall I write down $4,800 for rent per month?",
    );
    talk.open = json!([{"field": "operatingCosts.rentMonthly", "label": "Rent per month", "value": "$4,800", "said": "rent maybe 4,800"}]);
    let turn = talk.say("and what is that?");
    assert!(turn.text.starts_with("Rent per month: "), "{}", turn.text);
    assert!(
        turn.text.ends_with("Shall I write down $4,800 for rent per month?"),
        "{}",
        turn.text
    );
    let turn = talk.say("that's not what I said");
    assert_eq!(
        turn.text,
        "I noted $4,800 from “rent maybe 4,800”; it is not in your plan. All right, I've dropped $4,800 for rent per month. What is your rent?"
    );
}

#[test]
fn dollars_of_a_line_that_is_named_are_of_no_other() {
    let asked = "I heard 15.5% for direct labor, and have only noted it until you confirm. Your plan keeps direct labor as a share of sales: \
        $9,000 a month is 15.5% of $58,000. Shall I write down 15.5% for direct labor?";
    let turn = Talk::after("labor is around 9k a month", asked).say("rent maybe 4800");
    assert_eq!(turn.values(), ["operatingCosts.rentMonthly~480000"], "{}", turn.text);
}

#[test]
fn a_plan_that_is_handed_out_is_said_to_have_gaps() {
    let mut talk = Talk::new();
    let turn = talk.say("print it");
    assert_eq!(
        turn.text,
        "Your plan is ready to [print or save as PDF](#print). In it the first year does not earn its loan payments, which a lender will ask about. \
        15 key numbers are still the brand's figures."
    );
    talk.open = json!([{"field": "operatingCosts.rentMonthly", "label": "Rent per month", "value": "$4,800"}]);
    let turn = talk.say("can I get this in excel?");
    assert!(
        turn.text.contains("One answer still waits for your word."),
        "{}",
        turn.text
    );
}

#[test]
fn a_number_for_that_is_of_what_was_asked_about() {
    let mut talk = Talk::after(
        "what are additional funds",
        "Additional funds are the cash set aside for the first three months after opening, as Item 7 lists it.",
    );
    let turn = talk.say("ok lets say 25k for that");
    assert_eq!(turn.values(), ["startupCosts.additionalFunds~2500000"], "{}", turn.text);
    let turn = talk.say("what if the rent is 4,000 for that?");
    assert!(turn.values().is_empty(), "{}", turn.text);
}

#[test]
fn a_yes_is_to_what_was_asked_back_behind_what_was_settled() {
    let mut talk = Talk::after(
        "yes. and the coverage?",
        "I've written down loan amount at $150,000. “Undo that” takes it back. I am not sure what you mean. Is it loan coverage?",
    );
    let turn = talk.say("yes");
    assert_eq!(turn.tools, ["get_projection"], "{}", turn.text);
}

#[test]
fn a_number_is_one_of_an_answer_as_people_round_it() {
    let answer = "Cash is lowest at $31,821, at the end of month 8. Your draw starts in month 25.";
    for said in [31_821, 31_000, 31, 25, 8] {
        assert!(shown::is_number_of(answer, Decimal::from(said)), "{said}");
    }
    for said in [32_000, 9, 3_182] {
        assert!(!shown::is_number_of(answer, Decimal::from(said)), "{said}");
    }
}
