//! The same once more with another number, and what is known before asked for: products, goals and cases behind themselves.

use super::answers::said;
use super::going_on::changes;
use super::*;
use plan_reader::Intent;

const PRODUCT: &str = "3 × 17 × 30 = $1,530 a week, $6,630 a month or $79,560 a year. Your plan keeps direct labor as a share of sales: $6,630 a \
                       month is 11.4% of $58,000. Shall I write down 11.4% for direct labor?";
const MONTHS: &str = "With months to reach established sales at 12 months instead of 18 months, lowest cash goes from $31,821 to $39,802. Nothing \
                      was changed.";

#[test]
fn a_product_is_told_again_with_the_number_that_is_meant() {
    for (message, factors) in [
        ("do it with 4", json!([4, 17, 30])),
        ("and with 4 people?", json!([4, 17, 30])),
        ("what about 18 an hour", json!([3, 18, 30])),
        ("no, 35 hours", json!([3, 17, 35])),
        ("nice, but 17 is low around here, make it 19", json!([3, 19, 30])),
    ] {
        let turn = Talk::after("3 people at 17 an hour 30 hours", PRODUCT).say(message);
        assert_eq!(turn.arguments["factors"], factors, "{message}: {}", turn.text);
    }
    let dogs = "50 × 65 = $3,250 a week, $14,083 a month or $169,000 a year. Shall I write down $14,083.33 for monthly sales once established?";
    let turn = Talk::after("50 dogs a week at 65", dogs).say("and at 70 each?");
    assert_eq!(turn.arguments["factors"], json!([50, 70]), "{}", turn.text);
    // A number near what is asked about is of that.
    let turn = Talk::after("3 people at 17 an hour 30 hours", PRODUCT).say("make it 11");
    assert!(turn.arguments.get("factors").is_none(), "{}", turn.text);
}

#[test]
fn a_product_that_is_only_supposed_proposes_nothing() {
    for message in [
        "what if 3 groomers at 18 an hour 40 hours?",
        "what if i have a 4th person, so 4 people 28 hours each at 14.50",
    ] {
        let turn = Talk::new().say(message);
        assert_eq!(turn.tools, ["estimate", "what_if"], "{message}: {}", turn.text);
        assert!(!turn.text.contains("Shall I"), "{message}: {}", turn.text);
    }
    let turn = Talk::new().say("3 groomers at 18 an hour 40 hours");
    assert_eq!(turn.tools, ["estimate"], "{}", turn.text);
    assert!(turn.arguments.get("suppose").is_none(), "{}", turn.text);
}

#[test]
fn a_number_that_stands_for_one_of_the_case_is_of_its_line() {
    let turn = Talk::after("what if it takes 12 months to reach full sales?", MONTHS).say("15 months instead of 12");
    assert_eq!(changes(&turn), ["monthsToReachAuv=15 months"], "{}", turn.text);
    let labor =
        "With direct labor at 32.3% instead of 38%, lowest cash goes from $31,821 to $43,145. Nothing was changed.";
    for message in ["Only 10 less then", "No, ten percent less labor instead of fifteen."] {
        let turn = Talk::after("what if labor is 15 percent less", labor).say(message);
        assert_eq!(changes(&turn), ["laborPct times 0.9"], "{message}: {}", turn.text);
    }
}

#[test]
fn an_order_behind_a_case_takes_what_it_has() {
    for message in [
        "no put 12 months in please",
        "ok do that, the 12 months until full sales",
    ] {
        let mut talk = Talk::after("what if it takes 12 months to reach full sales?", MONTHS);
        talk.case = json!({"before": {"lowestCash": "$1"}, "after": {"lowestCash": "$2"}, "values": [
            {"path": "revenue.monthsToReachAuv", "value": "12 months", "insteadOf": "18 months"}]});
        let turn = talk.say(message);
        assert!(!turn.text.contains("Nothing was changed"), "{message}: {}", turn.text);
        assert!(
            turn.tools.iter().any(|tool| tool == "set_financial_field"),
            "{message}: {:?} {}",
            turn.tools,
            turn.text
        );
    }
}

#[test]
fn what_is_supposed_in_the_middle_of_a_question_counts() {
    for (message, tool) in [
        (
            "how much must I sell if rent is 7,000 to not lose money?",
            "get_projection",
        ),
        (
            "¿cuánto tengo que vender si la renta es 7,000 para no perder dinero el año 2?",
            "get_projection",
        ),
        (
            "¿qué ventas necesito con una renta de 7,000 para llegar a 1.25?",
            "goal_seek",
        ),
    ] {
        let turn = Talk::new().say(message);
        assert_eq!(turn.tools, [tool], "{message}: {}", turn.text);
        assert_eq!(changes(&turn), ["rentMonthly=$7,000"], "{message}: {}", turn.text);
    }
    let turn = Talk::new().say("what is my loan payment at 9.5% and 7 years?");
    assert_eq!(
        changes(&turn),
        ["interestRate=9.5%", "loanTermMonths=84 months"],
        "{}",
        turn.text
    );
}

#[test]
fn a_multiple_that_nothing_names_is_the_coverage() {
    for message in [
        "what must I sell for 1.25 in year 2?",
        "¿Qué ventas mensuales mínimas necesitaría para mantener 1,25 en el primer año?",
    ] {
        let turn = Talk::new().say(message);
        let metric = turn.arguments["metric"].as_str().unwrap_or_default();
        assert!(metric.starts_with("dscr"), "{message}: {}", turn.text);
    }
}

#[test]
fn what_moves_profit_is_ranked_by_profit() {
    let result = json!({
        "metric": "netProfitYear2", "now": "$16,409", "isWeak": false, "statement": "",
        "levers": [{"path": "operatingCosts.laborPct", "now": "38%", "value": "37%", "result": "$23,822"}],
    });
    let text = said(
        Intent::Levers,
        json!({"metric": "netProfit"}),
        &[("rank_levers", result)],
    );
    assert!(text.contains("these move profit in year 2 most"), "{text}");
}
