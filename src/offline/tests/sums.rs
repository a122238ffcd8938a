//! Products that are of a week or a day, and one's own cash beside what the plan takes of it.

use super::*;

#[test]
fn a_product_of_a_week_is_no_product_of_a_month() {
    let arguments = |message: &str| Talk::new().say(message).arguments;
    let weekly = arguments("40 dogs a week at 75 for monthly sales");
    assert_eq!(
        weekly,
        json!({"factors": [40, 75], "path": "revenue.monthlyAuv", "per": "week"})
    );
    let daily = arguments("25 visits a day at 38, that's our monthly sales");
    assert_eq!(
        daily.get("path"),
        None,
        "on how many days they are open is not known: {daily}"
    );
    let monthly = arguments("25 visits a day at 38, 26 days a month, that's our monthly sales");
    assert_eq!(monthly, json!({"factors": [25, 38, 26], "path": "revenue.monthlyAuv"}));
}

#[test]
fn the_line_of_a_weekly_product_is_told_later() {
    let asked = "40 × 75 = $3,000 a week, $13,000 a month or $156,000 a year. Tell me the line it is for, and I'll note it there.";
    let turn = Talk::after("40 dogs a week at 75, what does that make", asked).say("that's the monthly sales");
    assert_eq!(turn.tools, ["estimate"]);
    assert_eq!(turn.arguments["per"], "week");
}

#[test]
fn own_cash_is_told_beside_what_the_plan_takes_of_it() {
    for message in [
        "I have 60k saved, is that enough?",
        "we only have 60,000 btw",
        "is 60,000 enough to open?",
        "we have 60k saved",
    ] {
        let turn = Talk::new().say(message);
        assert_eq!(turn.tools, ["get_plan_summary"], "{message}");
        assert!(
            turn.text.starts_with("To open you need $371,500; $91,500 of it is your own cash beside the loan. With $60,000 you are $31,500 short."),
            "{message}: {}",
            turn.text
        );
    }
    let more = Talk::new().say("we have 120,000 saved, is that enough?").text;
    assert!(
        more.contains("With $120,000 you have $28,500 more than that."),
        "{more}"
    );
    let later = Talk::after("we have 60k saved", "…").say("so are we short now").text;
    assert!(later.contains("With $60,000 you are $31,500 short."), "{later}");
}

#[test]
fn cash_for_something_else_is_not_taken_for_it() {
    for message in [
        "is 60,000 enough for the build-out? we have it saved",
        "we have 12 employees, is that enough?",
        "is that enough?",
    ] {
        let turn = Talk::new().say(message);
        assert!(!turn.text.contains("beside the loan. With"), "{message}: {}", turn.text);
    }
    let turn = Talk::after("What is left?", "What is your rent?").say("we only have 60,000");
    assert!(!turn.text.contains("beside the loan. With"), "an answer: {}", turn.text);
}
