//! Why a figure is another one, figures of several cases, months one by one, and months without sales.

use super::talk::Talk;
use serde_json::{Value, json};

fn part(line: &str, value: &str) -> Value {
    json!({ "line": line, "label": line, "value": value })
}

fn profit(more: &Value) -> Value {
    let mut figure = json!({ "line": "netProfit", "label": "profit", "year": 3, "value": "$36,476", "isNegative": false,
        "sales": "$729,234", "runningCosts": "$634,875", "costs": [part("directLabor", "$277,109")] });
    for (key, value) in more.as_object().into_iter().flatten() {
        figure[key] = value.clone();
    }
    figure
}

#[test]
fn the_reason_between_two_years_is_what_changed_from_one_to_the_other() {
    let moved =
        json!({ "from": "−$78,267", "since": 1, "by": [part("sales", "$339,269"), part("interest", "−$3,838")] });
    for message in [
        "why is profit better in year 3 than in year 1?",
        "compare profit in year 1 and year 3",
        "why does profit jump from year 1 to year 3",
    ] {
        let mut talk = Talk::new();
        talk.figure = profit(&json!({ "moved": moved }));
        let turn = talk.say(message);
        assert_eq!(turn.arguments["since"], 1, "{message}: {:?}", turn.arguments);
        assert_eq!(turn.arguments["year"], 3, "{message}");
        let said = "Profit goes from −$78,267 in year 1 to $36,476 in year 3. What made the difference: sales up $339,269 and interest down $3,838.";
        assert!(turn.text.contains(said), "{message}: {}", turn.text);
    }
    let mut talk = Talk::new();
    talk.figure = profit(&json!({ "years": ["−$78,267", "$16,409", "$36,476", "$39,764", "$40,000"] }));
    let turn = talk.say("what is my profit in year 1 and in year 3?");
    assert!(
        turn.arguments.get("since").is_none(),
        "a figure of each: {:?}",
        turn.arguments
    );
}

#[test]
fn the_reason_behind_a_case_is_what_it_changes() {
    let case = "With monthly sales once established at $52,200 instead of $58,000, lowest cash goes from $31,821 to $18,578. Nothing was changed.";
    let mut talk = Talk::after("what if sales are 10% lower", case);
    let assumed = json!([{ "path": "revenue.monthlyAuv", "value": "$52,200", "insteadOf": "$58,000" }]);
    talk.figure = json!({ "line": "lowestCash", "label": "the lowest cash", "value": "$18,578", "untilMonth": 16, "sales": "$531,826",
        "runningCosts": "$510,108", "openingCash": "$45,000", "case": assumed, "inPlan": "$31,821",
        "moved": { "from": "$31,821", "by": [part("sales", "−$59,092")], "untilMonth": 16 } });
    let turn = talk.say("why does cash drop so much?");
    let said = "What makes the difference by month 16: sales down $59,092.";
    assert!(turn.text.contains(said), "{}", turn.text);
    assert!(
        !turn.text.contains("You open with"),
        "not its own figures: {}",
        turn.text
    );
}

#[test]
fn a_case_of_one_year_says_that_it_is_of_all() {
    let all = "That is in all five years: your plan cannot change year 1 alone.";
    for (message, is_said) in [
        ("what if sales are 15% lower in year 1 only", true),
        ("¿y si vendo 15% menos todo el primer año?", true),
        ("what if sales are 15% lower", false),
    ] {
        let mut talk = Talk::new();
        talk.case = json!({ "values": [{ "path": "revenue.monthlyAuv", "value": "$49,300", "insteadOf": "$58,000" }],
            "before": { "lowestCash": "$31,821" }, "after": { "lowestCash": "−$40,579" } });
        let text = talk.say(message).text;
        let is_said_so =
            text.contains(all) || text.contains("Eso es en los cinco años: su plan no puede cambiar solo el año 1.");
        assert_eq!(is_said_so, is_said, "{message}: {text}");
    }
}

#[test]
fn months_are_told_one_by_one_where_they_are_asked_for() {
    let mut talk = Talk::new();
    talk.figure =
        json!({ "line": "cash", "label": "cash", "year": 2, "value": "$69,660", "months": ["$38,437", "$38,536"] });
    let turn = talk.say("cash month by month in year 2 please");
    assert_eq!(turn.arguments["monthly"], true, "{:?}", turn.arguments);
    assert!(
        turn.text.contains("Cash in months 13 to 24: $38,437, $38,536."),
        "{}",
        turn.text
    );
}

#[test]
fn months_without_sales_are_costed_and_no_ramp_is_computed() {
    for message in [
        "what if opening is delayed 3 months",
        "what if we open 3 months late cause of permits",
        "what happens if I get sick for 3 months and can't work",
        "¿y si abro tres meses tarde?",
    ] {
        let mut talk = Talk::new();
        talk.figure = json!({ "line": "ebitda", "label": "earnings", "month": 1, "value": "−$11,200", "runningCosts": "$11,200",
            "loanPayments": "$3,739" });
        let turn = talk.say(message);
        assert!(turn.text.contains("$14,939"), "{message}: {}", turn.text);
        assert!(
            turn.values().is_empty() && !turn.tools.contains(&"what_if".to_owned()),
            "{message}"
        );
    }
    // Said in passing, of something else.
    for message in [
        "my late husband always said, ask how much it takes to open",
        "what if the manager starts three months later than planned",
    ] {
        let turn = Talk::new().say(message);
        assert!(
            !turn.text.contains("no months without sales"),
            "{message}: {}",
            turn.text
        );
    }
}

#[test]
fn whose_the_numbers_are_is_told_by_name() {
    let turn = Talk::new().say("Which of these numbers are mine, and which ones are the brand's?");
    assert!(turn.text.contains("None of the numbers is yours yet."), "{}", turn.text);
}

#[test]
fn customers_of_the_plan_are_counted_at_the_price_and_not_at_their_own_number() {
    let mut talk = Talk::new();
    let turn = talk.say("how many dogs a day is my plan counting on?");
    assert!(turn.text.contains("Say what a customer pays"), "{}", turn.text);
    let turn = talk.say("75 a dog");
    assert!(
        turn.text.contains("At $75 each that is about 774 customers a month"),
        "{}",
        turn.text
    );
    let turn = talk.say("no 26 was the dogs, the price is 80. how many dogs a day does my plan have");
    assert!(turn.text.contains("At $80 each"), "{}", turn.text);
    let turn = talk.say("26 a day is a lot. and how many dogs is my plan assuming on 6 days a week?");
    assert!(
        turn.text.contains("At $80 each") && turn.text.contains("on 6 days a week"),
        "{}",
        turn.text
    );
}

/// Two cases that were kept.
fn kept() -> Talk {
    let saved = |name: &str, items: &str| {
        format!(
            "I've kept that as \"{name}\": {items}. Your plan stays as it is. Say \"compare\" to see it beside your plan, or \"adopt {name}\"."
        )
    };
    let mut talk = Talk::after("save that as lean", &saved("lean", "rent per month $4,000"));
    talk.hears(
        "save that as bold",
        &saved("bold", "monthly sales once established $64,000"),
    );
    talk.has_cases = true;
    talk
}

#[test]
fn a_figure_of_several_cases_is_read_of_each() {
    for message in [
        "which is worse for coverage in year 2, lean or bold?",
        "what is the lowest cash in lean, and what is it in bold?",
        "how much cash is left at the end of year 5 in each version",
        "compare the lowest cash in lean and in my plan",
        "I mean the saved case \"lean\": its year 2 coverage.",
    ] {
        let mut talk = kept();
        talk.figure = json!({ "line": "lowestCash", "label": "the lowest cash", "value": "$31,821" });
        let turn = talk.say(message);
        assert!(
            turn.text.contains("in your plan, ") && turn.text.contains("\"lean\""),
            "{message}: {}",
            turn.text
        );
        let asks = turn.tools.first().map(String::as_str) == Some("compare_scenarios");
        assert!(
            asks && !turn.tools.contains(&"what_if".to_owned()),
            "{message}: {:?}",
            turn.tools
        );
    }
    let turn = kept().say("what is the lowest cash in lean");
    assert!(
        turn.tools.contains(&"get_projection".to_owned()),
        "of one alone: {:?}",
        turn.tools
    );
}

fn changes(talk: &mut Talk, message: &str) -> Vec<String> {
    let turn = talk.say(message);
    let changes = turn.arguments["changes"].as_array().cloned().unwrap_or_default();
    changes
        .iter()
        .map(|one| format!("{} {}", one["path"], one["value"]).replace('"', ""))
        .collect()
}

#[test]
fn a_part_of_a_case_is_left_out_or_left_alone_and_one_of_two_varied() {
    let case = "With monthly sales once established at $46,400 instead of $58,000 and rent per month at $5,000 instead of $4,500, \
                lowest cash goes from $31,821 to −$134,245. Nothing was changed.";
    let behind = || Talk::after("what if sales are 20% lower and rent is 5,000", case);
    let (sales, rent) = (
        "revenue.monthlyAuv $46,400".to_owned(),
        "operatingCosts.rentMonthly $5,000".to_owned(),
    );
    for message in [
        "and without the rent part?",
        "now only the sales part",
        "¿y sin la renta?",
    ] {
        assert_eq!(
            changes(&mut behind(), message),
            std::slice::from_ref(&sales),
            "{message}"
        );
    }
    assert_eq!(changes(&mut behind(), "just the rent"), std::slice::from_ref(&rent));
    let varied = changes(&mut behind(), "and at 25%?");
    assert!(varied.contains(&rent) && varied.len() == 2, "{varied:?}");
}

#[test]
fn so_much_less_once_more_is_less_again() {
    let case = "With loan amount at $260,000 instead of $280,000, your own cash goes from $91,500 to $111,500. Nothing was changed.";
    let mut talk = Talk::after("what if the loan is 20k less", case);
    let turn = talk.say("and 40?");
    assert_eq!(
        turn.arguments["changes"][0]["by"],
        json!(-40_000),
        "{:?}",
        turn.arguments
    );
    let turn = Talk::after("what if the loan is 20k less", case).say("and with 300?");
    assert!(turn.arguments["changes"][0].get("by").is_none(), "{:?}", turn.arguments);
}

#[test]
fn a_rise_of_the_rent_is_of_each_year_where_that_is_said() {
    let rise = |message: &str| {
        let turn = Talk::new().say(message);
        let path = turn.arguments["changes"][0]["path"]
            .as_str()
            .unwrap_or_default()
            .to_owned();
        assert!(!path.is_empty(), "{message}: {:?} {}", turn.tools, turn.text);
        path
    };
    assert_eq!(
        rise("what if rents up ten percent every year"),
        "operatingCosts.facilitiesEscalationPct"
    );
    assert_eq!(rise("¿y si la renta sube 10 por ciento?"), "operatingCosts.rentMonthly");
}
