//! Own money that is to be an amount: it has no line, so the loan that makes it so is told or asked about.

use super::talk::Talk;

const LOAN: &str = "financing.loanAmount";

#[test]
fn an_order_to_put_own_money_in_asks_about_the_loan_that_makes_it_so() {
    for message in [
        "set my own cash to 110,000",
        "110k is what im putting in, set that",
        "Ponga nuestro efectivo propio en 110.000 dólares.",
        "No es correcto: nuestro aporte propio es de 110.000 dólares. Corríjalo, por favor.",
    ] {
        let turn = Talk::new().say(message);
        assert_eq!(turn.values(), [format!("{LOAN}~26150000")], "{message}: {}", turn.text);
    }
    let mut talk = Talk::new();
    talk.say("we have 110,000 saved");
    let turn = talk.say("ok put that in");
    assert_eq!(turn.values(), [format!("{LOAN}~26150000")], "{}", turn.text);
}

#[test]
fn the_loan_beside_own_money_is_told_and_nothing_is_noted() {
    for (message, said) in [
        ("we have 110,000 saved", "With all of it in, the loan would be $261,500"),
        (
            "I got $130k saved, but 20k of that is for my kids college",
            "With all of it in, the loan would be $261,500",
        ),
        (
            "how big a loan do i actually need if i put in the whole 110",
            "loan amount at about $261,500",
        ),
        (
            "no, 110k cash, whats the smallest loan i can do",
            "Opening takes $371,500.",
        ),
    ] {
        let turn = Talk::new().say(message);
        assert!(turn.text.contains(said), "{message}: {}", turn.text);
        assert!(turn.values().is_empty(), "{message}: {:?}", turn.values());
    }
}

#[test]
fn own_money_that_is_only_told_or_asked_about_orders_nothing() {
    for message in [
        "hola, quiero poner una franquicia, tengo 110 mil ahorrados",
        "should I put in all of our 110,000 savings?",
        "what if we put in 110,000 of our own",
    ] {
        let turn = Talk::new().say(message);
        assert!(turn.values().is_empty(), "{message}: {:?}", turn.values());
    }
    // "Yes to all, write it down" is about what waits.
    let mut talk = Talk::new();
    talk.say("we have 110,000 saved");
    assert!(talk.say("si a todo ponlo").values().is_empty());
}
