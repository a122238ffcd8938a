//! What strangers asked in their first evening, and what they were told about.

use super::answers::said;
use super::*;
use plan_reader::Intent;

const LOSS: &str = "operatingCosts.laborPct";

#[test]
fn the_plan_as_a_whole_is_told_by_whether_the_money_lasts() {
    let summary = |cash: &str| json!({"brand": "", "fields": [], "missing": [], "changed": [], "metrics": {"lowestCash": cash, "lowestCashMonth": "month 60", "dscrYear1": "0.61×"}});
    let years = json!({"line": "netProfit", "label": "profit", "year": 1, "isNegative": true, "years": ["−$1", "$2"]});
    let told = |cash: &str| {
        said(
            Intent::Figure,
            json!({}),
            &[("get_plan_summary", summary(cash)), ("get_projection", years.clone())],
        )
    };
    let short = told("−$89,459");
    assert!(
        short.starts_with("As your numbers stand, the money does not last: cash is down to −$89,459 by the end of month 60. Profit in years 1 to 5: −$1, $2. Loan coverage in year 1: 0.61×."),
        "{short}"
    );
    assert!(told("$31,821").starts_with("As your numbers stand, the money lasts: cash is lowest at $31,821"));
}

#[test]
fn what_goes_to_the_franchisor_is_told_with_its_parts_and_a_share_with_the_sales_that_it_is_of() {
    let part = |line: &str, label: &str, value: &str| json!({"line": line, "label": label, "value": value});
    let fees = json!({"line": "franchiseFees", "label": "what the franchisor gets", "year": 1, "value": "$36,597", "perMonth": "$3,050", "isNegative": false, "costs": [part("royalty", "the royalty", "$23,398"), part("adFund", "the brand's ad fund", "$7,799")]});
    assert!(
        said(
            Intent::Figure,
            json!({"line": "franchiseFees"}),
            &[("get_projection", fees)]
        )
        .starts_with("In year 1 the franchisor gets $36,597, about $3,050 a month: the royalty $23,398 and the brand's ad fund $7,799.")
    );
    let labor = json!({"line": LOSS, "label": "direct labor", "year": 1, "value": "$148,187", "perMonth": "$12,349", "isNegative": false, "sales": "$389,965", "runningCosts": "$370,000"});
    let why = said(
        Intent::Why,
        json!({"line": LOSS, "year": 1}),
        &[("get_projection", labor)],
    );
    assert!(
        why.starts_with("Direct labor in year 1: $148,187, about $12,349 a month. That is 38% of sales of $389,965."),
        "{why}"
    );
}

#[test]
fn whether_a_loan_or_a_draw_is_high_is_told_by_what_bears_it() {
    let line = |path: &str, value: &str| json!({"path": path, "label": "", "value": value, "state": "default", "core": true, "range": {"kind": "typical", "low": "$0", "high": "$5,000,000"}});
    let loan = "financing.loanAmount";
    let told = |cover: &str| {
        let summary = json!({"brand": "", "fields": [line(loan, "$280,000")], "missing": [], "changed": [], "metrics": {"dscrYear1": cover, "lowestCash": "$31,821"}});
        said(
            Intent::IsHigh,
            json!({ "field": loan }),
            &[("get_plan_summary", summary)],
        )
    };
    let earned = told("0.61×");
    assert!(
        earned.contains("In year 1 the business earns 0.61× of its loan payments") && !earned.contains("$5,000,000"),
        "{earned}"
    );
    assert!(told("not covered").contains("so nothing pays the loan"));
}

#[test]
fn own_money_beside_values_is_compared_with_what_opening_takes_with_them() {
    let turn = Talk::new().say("build out quote 95k, i have 60k saved, franchise fee is 35000");
    assert_eq!(turn.arguments["line"], "moneyToOpen", "{}", turn.text);
    let changes = turn.arguments["changes"].as_array().map_or(0, Vec::len);
    assert_eq!(changes, 2, "{}", turn.arguments);
    assert!(turn.text.contains("With that, opening takes $371,500"), "{}", turn.text);
    assert_eq!(turn.values().len(), 2, "{:?}", turn.values());
}

#[test]
fn own_money_that_was_told_is_remembered_and_no_number_of_a_line_is_taken_for_it() {
    let mut talk = Talk::new();
    talk.say("we have 60k saved");
    talk.say("my friend opened hers with 48k of equipment so let's say that");
    let turn = talk.say("so how much am i short to open?");
    assert!(
        turn.text.contains("With $60,000 you are $31,500 short."),
        "{}",
        turn.text
    );
}

#[test]
fn the_figure_of_each_year_that_is_named_is_told() {
    for message in [
        "what's my profit in year 1 and year 3?",
        "what's my profit in year 1? and year 3?",
        "profit in years 1 and 3?",
    ] {
        let turn = Talk::new().say(message);
        let figures = turn.tools.iter().filter(|tool| *tool == "get_projection").count();
        assert_eq!(figures, 2, "{message}: {}", turn.text);
    }
}

#[test]
fn what_was_told_is_listed_as_it_stands_now() {
    let change = |field: &str, to: &str, reason: &str, said: Option<&str>| json!({"field": field, "label": "", "from": "$1", "to": to, "state": "AI", "reason": reason, "said": said, "on": "2026-11-29", "isToday": true, "minutesAgo": 1});
    let (sales, rent) = ("revenue.monthlyAuv", "operatingCosts.rentMonthly");
    let changes = json!({"changes": [
        change(sales, "$40,800", "accept", None),
        change(rent, "$4,500", "undo", None),
        change(sales, "$48,000", "turn", Some("sales are 48000")),
        change(rent, "$3,800", "turn", Some("rent is 3800")),
    ]});
    let listed = said(Intent::Said, json!({}), &[("list_changes", changes)]);
    assert!(listed.contains("$40,800") && !listed.contains("$48,000"), "{listed}");
    assert!(!listed.contains("rent"), "taken back: {listed}");
}

#[test]
fn a_yes_to_a_guess_that_was_answered_leads_on() {
    let guess = "If you are asking about profit: Profit in year 1: −$78,267.";
    for yes in ["yes", "yes that one"] {
        let turn = Talk::after("does it pay", guess).say(yes);
        assert!(turn.text.starts_with("Good."), "{yes}: {}", turn.text);
    }
}

#[test]
fn a_no_before_a_question_drops_nothing_that_was_not_asked_about() {
    let answer = "Opening takes $91,500 of your own cash, beside the loan. This is still without $168,000 for build-out, which waits for your word.";
    let mut talk = Talk::after("yes. so how much over am I then", answer);
    talk.open = json!([{"field": "startupCosts.leaseholdImprovements", "label": "Build-out", "value": "$168,000"}]);
    let turn = talk.say("no. is my 120k still enough to open");
    assert!(
        !turn.tools.iter().any(|tool| tool == "dismiss_proposals"),
        "{}",
        turn.text
    );
}

#[test]
fn customers_are_counted_at_a_price_and_not_at_the_sales_of_a_year() {
    let sales = json!({"line": "breakEvenSales", "label": "break-even sales", "value": "$48,500", "isNegative": false});
    let asked = |message: &str| {
        let mut talk = Talk::new();
        talk.figure = sales.clone();
        talk.say(message).text
    };
    let counted = asked("how many customers a day do i need to break even at 12.50 each?");
    assert!(
        counted.contains("At $12.50 each that is about 3880 customers a month, 896 a week or 128 a day."),
        "{counted}"
    );
    let mut talk = Talk::new();
    talk.figure = sales.clone();
    let price = talk.say("how many customers to break even?").text;
    assert!(price.contains("Say what a customer pays"), "{price}");
    let told = talk.say("like 12.50 each");
    assert!(
        told.text.contains("At $12.50 each") && told.values().is_empty(),
        "{}",
        told.text
    );
    let yearly =
        asked("So that is $390,000 of sales in the first year. How many customers a day do I need to break even?");
    assert!(!yearly.contains("$390,000 each"), "{yearly}");
    let days = asked("8.50 each like i said, open 7 days. how many a day");
    assert!(!days.contains("1.2"), "{days}");
}

#[test]
fn what_follows_an_order_to_keep_the_plan_is_not_in_what_is_kept() {
    let turn = Talk::new().say("save this plan as grim. then labor is 30% and sales are 75,000 a month");
    assert!(turn.values().is_empty(), "{:?} {}", turn.values(), turn.text);
    assert!(turn.text.contains("I have not taken up"), "{}", turn.text);
}

#[test]
fn a_number_that_was_shown_for_another_line_is_no_value() {
    let shown = "You need $371,500 to open: $280,000 from the loan and $91,500 of your own cash.";
    for message in [
        "91k?? i never told you that",
        "91 mil nosotras?? yo nunca dije eso",
        "wait 91,500 is a lot of money for us",
    ] {
        let turn = Talk::after("how much do I need to open?", shown).say(message);
        assert!(turn.values().is_empty(), "{message}: {:?} {}", turn.values(), turn.text);
    }
}

#[test]
fn what_can_be_drawn_is_told_with_the_month_from_which_it_is_paid() {
    let side = |value: &str, result: &str| json!({"value": value, "result": result});
    let found = json!({"metric": "lowestCash", "outcome": "met", "target": "$0", "found": side("$2,500", "$31,821"), "before": side("$2,500", "$31,821"), "range": {"low": "$0", "high": "$30,000"}, "holdsTo": side("$6,106", "$0")});
    let start = "profitabilityAndDistributions.ownerDrawStartMonth";
    let summary = json!({"brand": "", "missing": [], "changed": [], "metrics": {}, "fields": [{"path": start, "label": "", "value": "25 months", "state": "default", "range": null, "core": false}]});
    let slots = json!({"field": "profitabilityAndDistributions.ownerDrawMonthly", "metric": "lowestCash", "target": 0});
    let told = said(
        Intent::Goal,
        slots,
        &[("goal_seek", found), ("get_plan_summary", summary)],
    );
    assert!(
        told.starts_with("You can draw about $6,106 a month without cash falling below zero (now $2,500). It is paid from month 25 on."),
        "{told}"
    );
}

#[test]
fn the_years_of_a_list_are_told_together() {
    for message in [
        "DSCR for years 1, 2 and 3",
        "what is my profit in years 1, 2 and 3?",
        "profit of the first three years",
    ] {
        let turn = Talk::new().say(message);
        assert_eq!(turn.tools, ["get_projection"], "{message}: {}", turn.text);
        assert!(turn.arguments.get("year").is_none(), "{message}: {}", turn.arguments);
    }
}

#[test]
fn odd_numbers_are_looked_for_among_all_also_behind_one() {
    let one = "Direct labor is 38% in your plan, as you told me. The planning range is 10% to 55%, for reference only.";
    for message in [
        "Are any of my numbers odd or outside the range?",
        "which of my numbers look off to you",
        "¿hay alguno de los números que se vea raro?",
    ] {
        let mut talk = Talk::after("is labor high?", one);
        let turn = talk.say(message);
        let all = [
            "Every value of your plan",
            "Todos los valores",
            "Outside of their",
            "Fuera de su",
        ];
        assert!(
            all.iter().any(|said| turn.text.contains(said)),
            "{message}: {}",
            turn.text
        );
    }
}

#[test]
fn a_negative_bound_is_below_zero() {
    assert_eq!(crate::offline::results::digits("-5%"), Some(-5.0));
    assert_eq!(crate::offline::results::digits("−$4,200"), Some(-4200.0));
}

#[test]
fn a_first_message_that_greets_is_welcomed() {
    for message in [
        "hi im gus retired electrician from ohio 58 thinking about buying a franchise with my pension money",
        "hey whats up so um im deshawn been doing it like nine years and i wanna open my own gym",
    ] {
        let text = Talk::new().say(message).text;
        assert!(text.starts_with("Tell me your numbers"), "{message}: {text}");
    }
    let text = Talk::new().say("Good evening. What would it cost to open?").text;
    assert!(text.contains("$371,500"), "{text}");
}

#[test]
fn a_loan_payment_says_what_it_pays() {
    let mut talk = Talk::new();
    talk.figure = json!({
        "line": "loanPayment", "label": "loan payment", "value": "$3,739.10", "isNegative": false, "loan": "$280,000",
    });
    let text = talk.say("what is my loan payment?").text;
    // 120 × 3,739.10 − 280,000
    assert!(
        text.contains("It pays back $280,000 in 120 months at 10.25%, with about $168,692 of interest in all."),
        "{text}"
    );
}

#[test]
fn a_long_message_that_names_no_term_asks_for_no_meaning() {
    let text = Talk::new().say("so did you put my 110000 in or not").text;
    assert!(!text.contains("no entry for that word"), "{text}");
}

#[test]
fn what_was_told_is_listed_also_where_some_of_it_is_named() {
    let mut talk = Talk::new();
    let change = |field: &str, to: &str| json!({"field": field, "label": "", "from": "$1", "to": to, "state": "AI", "reason": "accept", "on": "November 30", "minutesAgo": 1, "isToday": true});
    talk.changes = json!([
        change("financing.loanAmount", "$250,000"),
        change("operatingCosts.rentMonthly", "$4,050")
    ]);
    let text = talk
        .say("What did I write down so far? I expect loan, sales, months, draw and rent.")
        .text;
    assert!(text.contains("$250,000") && text.contains("$4,050"), "{text}");
}
