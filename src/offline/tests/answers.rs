//! Each intent with its slots, answered from what the tools return; what a message is taken for is tested with the reader.

use super::Talk;
use crate::offline::OfflineAdvisor;
use crate::offline::is_guess;
use crate::offline::message::ask;
use crate::offline::situation::{Situation, call_id};
use crate::offline::step::{Answer, Step};
use crate::offline::table::{INTENTS, row_of};
use crate::wording;
use llm_client::{ChatMessage, LlmRequest, ToolDefinition};
use plan_engine::lines;
use plan_model::brand::Brand;
use plan_model::field::{catalogue, find};
use plan_model::language::Language;
use plan_model::message::ToolCall;
use plan_reader::{Intent, Line, Slots, Texts, Vocabulary, wants};
use serde_json::{Value, json};

/// One message in a language, with what it wants and what the tools return; what was called, and what was said.
fn answered(language: Language, intent: Intent, slots: Value, results: &[(&str, Value)]) -> (Vec<ToolCall>, Answer) {
    let tools: Vec<ToolDefinition> = INTENTS
        .iter()
        .flat_map(|row| row.tools)
        .map(|tool| ToolDefinition::new(tool, "", json!({})))
        .collect();
    let mut messages = vec![ChatMessage::User("…".into())];
    let mut called = Vec::new();
    for _ in 0..4 {
        let request = LlmRequest {
            messages: messages.clone(),
            tools: tools.clone().into(),
            language,
            ..LlmRequest::default()
        };
        let mut situation = Situation::of(&request);
        situation.heard.intent = intent;
        situation.heard.slots = serde_json::from_value::<Slots>(slots.clone()).expect("slots");
        let calls = match (row_of(intent).next)(&situation) {
            Step::Say(answer) => return (called, answer),
            Step::Call(calls) => calls.into_iter().enumerate(),
        };
        let named = calls.map(|(at, call)| ToolCall {
            id: call_id(&[0], called.len() + at),
            ..call
        });
        let calls: Vec<ToolCall> = named.collect();
        for call in &calls {
            assert!(
                row_of(intent).tools.contains(&call.name.as_str()),
                "{intent:?} calls {}",
                call.name
            );
        }
        messages.push(ChatMessage::Assistant {
            content: "".into(),
            tool_calls: calls.clone(),
        });
        for call in &calls {
            let result = results.iter().find(|(tool, _)| *tool == call.name);
            let content = result.map_or_else(|| "null".to_owned(), |(_, result)| result.to_string());
            messages.push(ChatMessage::Tool {
                call_id: call.id.clone(),
                content: content.into(),
            });
        }
        called.extend(calls);
    }
    panic!("{intent:?} never says anything");
}

pub(super) fn said(intent: Intent, slots: Value, results: &[(&str, Value)]) -> String {
    answered(Language::English, intent, slots, results).1.text
}

fn call(intent: Intent, slots: Value) -> String {
    let (calls, _) = answered(Language::English, intent, slots, &[]);
    calls
        .first()
        .map(|call| format!("{} {}", call.name, call.arguments))
        .unwrap_or_default()
}

const FOOTER: &str = plan_engine::describe::FOOTER;

#[test]
fn every_intent_has_one_row_and_says_something_in_both_languages() {
    assert_eq!(INTENTS.len(), Intent::ALL.len());
    for intent in Intent::ALL {
        assert_eq!(
            INTENTS.iter().filter(|row| row.intent == *intent).count(),
            1,
            "{intent:?}"
        );
        for language in [Language::English, Language::Spanish] {
            let (_, answer) = answered(language, *intent, json!({}), &[]);
            assert!(!answer.text.trim().is_empty(), "{intent:?}");
            assert!(!answer.text.contains(['{', '}']), "{intent:?}: {}", answer.text);
            assert!(answer.suggestions.iter().all(|one| !one.is_empty()), "{intent:?}");
        }
    }
}

#[test]
fn a_figure_comes_with_its_reason_and_the_footer() {
    let figure = json!({
        "line": "moneyToOpen", "label": "money to open", "value": "$371,500", "isNegative": false,
        "loan": "$280,000", "ownCash": "$91,500",
        "costs": [{"line": "startupCosts.leaseholdImprovements", "label": "build-out", "value": "$140,000"}],
    });
    let slots = json!({"line": "moneyToOpen"});
    assert_eq!(
        call(Intent::Figure, slots.clone()),
        r#"get_projection {"line":"moneyToOpen"}"#
    );
    assert_eq!(
        said(Intent::Figure, slots, &[("get_projection", figure)]),
        format!(
            "You need $371,500 to open: $280,000 from the loan and $91,500 of your own cash. The largest parts are build-out $140,000. \n\n{FOOTER}"
        )
    );
}

#[test]
fn a_loss_is_said_with_what_makes_it() {
    let figure = json!({
        "line": "netProfit", "label": "profit", "year": 1, "value": "−$64,200", "isNegative": true,
        "sales": "$389,965", "runningCosts": "$370,000", "loanPayments": "$44,869", "isShort": true,
        "interest": "$28,000", "writtenOff": "$56,165",
        "costs": [{"line": "directLabor", "label": "direct labor", "value": "$148,000"}],
    });
    let results = [("get_projection", figure)];
    let slots = json!({"line": "netProfit", "year": 1});
    assert_eq!(
        call(Intent::Why, slots.clone()),
        r#"get_projection {"line":"netProfit","year":1}"#
    );
    assert_eq!(
        said(Intent::Why, slots.clone(), &results),
        format!(
            "Profit in year 1: −$64,200. Sales are $389,965; off them come running costs of $370,000, interest of $28,000 and $56,165 written off from build-out, equipment, franchise fee and startup costs. The largest costs are direct labor $148,000. \n\n{FOOTER}"
        )
    );
    let (_, spanish) = answered(Language::Spanish, Intent::Why, slots, &results);
    assert!(
        spanish
            .text
            .starts_with("La ganancia en el año 1: −$64,200. Las ventas son $389,965; de ellas salen costos"),
        "{}",
        spanish.text
    );
    assert_eq!(spanish.suggestions[0], "¿Qué influye más?");
}

#[test]
fn a_ratio_that_covers_nothing_is_said_in_words() {
    let figure =
        json!({"line": "dscr", "label": "loan coverage", "year": 1, "value": "not covered", "isNegative": true});
    let text = said(Intent::Figure, json!({"line": "dscr"}), &[("get_projection", figure)]);
    assert!(
        text.starts_with(
            "In year 1 the business does not earn its running costs, so the loan payments are not covered."
        ),
        "{text}"
    );
}

#[test]
fn a_relative_case_is_passed_on_as_it_was_said_and_repeated_as_the_value_that_it_makes() {
    let slots = json!({"field": "financing.loanAmount", "change": {"by": -2_000_000}});
    assert_eq!(
        call(Intent::WhatIf, slots.clone()),
        r#"what_if {"changes":[{"by":-20000,"path":"financing.loanAmount"}]}"#
    );
    let times = json!({"field": "operatingCosts.rentMonthly", "change": {"times": 1.1}});
    assert_eq!(
        call(Intent::WhatIf, times),
        r#"what_if {"changes":[{"path":"operatingCosts.rentMonthly","times":1.1}]}"#
    );
    let result = json!({
        "values": [{"path": "financing.loanAmount", "value": "$165,000", "insteadOf": "$185,000"}],
        "before": {"monthlyPayment": "$2,318.55", "breakEvenMonth": "month 9", "dscrYear1": "0.94×"},
        "after": {"monthlyPayment": "$2,067.90", "breakEvenMonth": "month 8", "dscrYear1": "1.05×"},
    });
    let text = said(Intent::WhatIf, slots, &[("what_if", result)]);
    assert_eq!(
        text,
        format!(
            "With loan amount at $165,000 instead of $185,000, break-even goes from month 9 to month 8, loan coverage in year 1 goes from 0.94× to 1.05× and the loan payment goes from $2,318.55 to $2,067.90. Nothing was changed. \n\n{FOOTER}"
        )
    );
    assert!(said(Intent::WhatIf, json!({}), &[]).starts_with("Which number should change"));
}

#[test]
fn a_goal_is_sought_with_sales_where_no_field_is_named() {
    let slots = json!({"metric": "dscr", "target": 1.25});
    assert_eq!(
        call(Intent::Goal, slots.clone()),
        r#"goal_seek {"metric":"dscrYear1","path":"revenue.monthlyAuv","target":1.25}"#
    );
    let draw = json!({"field": "profitabilityAndDistributions.ownerDrawMonthly"});
    assert_eq!(
        call(Intent::Goal, draw.clone()),
        r#"goal_seek {"metric":"lowestCash","path":"profitabilityAndDistributions.ownerDrawMonthly","target":0}"#
    );
    let side = |value: &str, result: &str| json!({"value": value, "result": result});
    let reached = json!({"outcome": "reached", "target": "1.25×", "found": side("$61,234", "1.25×"), "before": side("$55,000", "0.61×"), "range": {"low": "$5,000", "high": "$500,000"}});
    let text = said(Intent::Goal, slots.clone(), &[("goal_seek", reached)]);
    assert!(text.starts_with("Loan coverage (DSCR), year 1 reaches 1.25× with monthly sales once established at about $61,234 (now $55,000), all else unchanged."), "{text}");
    let met = json!({"outcome": "met", "target": "0", "found": side("$2,000", "$24,921"), "before": side("$2,000", "$24,921"), "range": {"low": "$0", "high": "$30,000"}, "holdsTo": side("$2,415", "$0")});
    let text = said(Intent::Goal, draw, &[("goal_seek", met)]);
    assert!(
        text.starts_with("You can draw about $2,415 a month without cash falling below zero (now $2,000)."),
        "{text}"
    );
    let nowhere = json!({"outcome": "unreachable", "target": "1.25×", "found": side("$55,000", "not covered"), "before": side("$55,000", "not covered"), "range": {"low": "$5,000", "high": "$500,000"}});
    let text = said(Intent::Goal, slots, &[("goal_seek", nowhere)]);
    assert!(
        text.contains("within $5,000 to $500,000, and no other value of it helps."),
        "{text}"
    );
}

#[test]
fn what_a_year_is_to_leave_is_sought_and_said_a_month_too() {
    let slots = json!({"metric": "ownerLeft", "target": 8_000_000, "field": "operatingCosts.rentMonthly"});
    assert_eq!(
        call(Intent::Goal, slots.clone()),
        r#"goal_seek {"metric":"ownerLeftYear2","path":"operatingCosts.rentMonthly","target":80000}"#
    );
    let side = |value: &str, result: &str| json!({"value": value, "result": result});
    let reached = json!({"outcome": "reached", "target": "$80,000", "found": side("$2,919", "$80,001"), "before": side("$4,500", "$30,455"), "range": {"low": "$500", "high": "$25,000"}});
    let text = said(Intent::Goal, slots, &[("goal_seek", reached)]);
    assert!(text.starts_with("What is left for you after costs and loan payments in year 2 reaches $80,000 ($6,667 a month) with rent per month at about $2,919 (now $4,500)"), "{text}");
    // So little of a year is meant of a month.
    let monthly = json!({"metric": "netProfit", "target": 500_000, "year": 3});
    assert_eq!(
        call(Intent::Goal, monthly),
        r#"goal_seek {"metric":"netProfitYear3","path":"revenue.monthlyAuv","target":60000}"#
    );
    // What makes no loss is break-even.
    let zero = json!({"metric": "netProfit", "target": 0});
    assert_eq!(call(Intent::Goal, zero), r#"get_projection {"line":"breakEvenSales"}"#);
}

#[test]
fn factors_are_multiplied_by_the_server_and_the_product_is_asked_about() {
    let slots = json!({"product": [25, 60, 26], "field": "revenue.monthlyAuv"});
    assert_eq!(
        call(Intent::Estimate, slots.clone()),
        r#"estimate {"factors":[25,60,26],"path":"revenue.monthlyAuv"}"#
    );
    let result = json!({"sum": "25 × 60 × 26 = $39,000", "path": "revenue.monthlyAuv", "value": "$39,000", "status": "proposed"});
    assert_eq!(
        said(Intent::Estimate, slots, &[("estimate", result)]),
        "25 × 60 × 26 = $39,000. Shall I write down $39,000 for monthly sales once established?"
    );
}

#[test]
fn who_set_a_value_is_said_with_the_words_that_it_is_from() {
    let change = json!({
        "field": "operatingCosts.rentMonthly", "label": "Rent per month", "from": "$4,500", "to": "$4,350", "state": "AI",
        "reason": "turn", "said": "rent is 4,350", "on": "2026-11-25", "isToday": true, "minutesAgo": 3,
    });
    let results = [("list_changes", json!({"changes": [change]}))];
    let slots = json!({"field": "operatingCosts.rentMonthly"});
    assert_eq!(
        said(Intent::WhoSet, slots.clone(), &results),
        "You told me on 2026-11-25: “rent is 4,350” ($4,500 → $4,350)."
    );
    assert_eq!(
        said(Intent::Changes, json!({}), &results),
        "Changed today: rent per month from $4,500 to $4,350."
    );
    let none = [("list_changes", json!({"changes": []}))];
    assert_eq!(
        said(Intent::WhoSet, slots, &none),
        "Rent per month is at the brand's figure; nobody has set it."
    );
}

#[test]
fn what_is_open_is_listed_and_one_is_asked_about() {
    let open = |items: Value| [("list_open_proposals", json!({ "open": items }))];
    let one = json!({"field": "operatingCosts.rentMonthly", "label": "Rent", "value": "$4,200"});
    let two = json!({"field": "operatingCosts.insuranceMonthly", "label": "Insurance", "value": "$310"});
    assert_eq!(
        said(Intent::Accept, json!({}), &open(json!([one]))),
        "Shall I write down $4,200 for rent per month?"
    );
    assert_eq!(
        said(Intent::Accept, json!({}), &open(json!([one, two]))),
        "These wait for your word: $4,200 for rent per month and $310 for insurance per month. Say “yes to all”, or name the ones you mean."
    );
    assert_eq!(
        said(
            Intent::Accept,
            json!({"field": "operatingCosts.insuranceMonthly"}),
            &open(json!([one, two]))
        ),
        "Shall I write down $310 for insurance per month?"
    );
    assert_eq!(
        said(Intent::Accept, json!({}), &open(json!([]))),
        "Nothing waits for your word just now."
    );
}

#[test]
fn levers_of_a_plan_that_earns_nothing_begin_with_that() {
    let result = json!({
        "metric": "dscrYear1", "now": "−$38,000", "earningsOfYear": 1, "isWeak": true, "statement": "",
        "levers": [{"path": "operatingCosts.rentMonthly", "now": "$4,500", "value": "$4,050", "result": "−$32,600"}],
    });
    let text = said(Intent::Levers, json!({}), &[("rank_levers", result)]);
    assert!(text.starts_with("In year 1 the business does not earn its running costs yet (−$38,000 before loan payments), and no loan changes that. Of the lines you decide on, these move its earnings most, each with your other assumptions unchanged: rent per month at $4,050 instead of $4,500 gives −$32,600."), "{text}");
}

#[test]
fn sales_that_pay_all_costs_follow_the_levers_of_a_weak_plan_and_no_other_figure_does() {
    let levers = |weak: Option<u64>| json!({"metric": "dscrYear1", "now": "−$38,000", "earningsOfYear": weak, "isWeak": weak.is_some(), "levers": []});
    let figure = |line: &str| json!({"line": line, "label": line, "value": "$32,813", "isNegative": false});
    let text = |weak, line: &str| {
        let results = [("rank_levers", levers(weak)), ("get_projection", figure(line))];
        said(Intent::Levers, json!({}), &results)
    };
    let sales = "Sales of $32,813 a month pay all costs";
    assert!(text(Some(1), "breakEvenSales").contains(sales));
    // Behind a reason that is asked for again the figure is another one.
    assert!(!text(Some(1), "cash").contains(sales));
    let (calls, _) = answered(
        Language::English,
        Intent::Levers,
        json!({}),
        &[("rank_levers", levers(None))],
    );
    assert_eq!(calls.len(), 1, "a plan that earns its costs needs no more");
}

#[test]
fn terms_places_and_small_talk_have_their_texts() {
    assert!(said(Intent::Define, json!({"term": "DSCR"}), &[]).starts_with("DSCR, loan coverage, is what"));
    assert!(said(Intent::Define, json!({"term": "the royalty"}), &[]).starts_with("A royalty is the share of sales"));
    assert!(said(Intent::Define, json!({"term": "this COGS thing"}), &[]).starts_with("COGS, the cost of goods sold"));
    assert!(said(Intent::Define, json!({"term": "card reader rental"}), &[]).contains("glossary"));
    assert!(said(Intent::Place, json!({"place": "print"}), &[]).contains("(#print)"));
    assert!(said(Intent::Place, json!({"place": "whoSees"}), &[]).contains("administrators and support"));
    assert!(said(Intent::Social, json!({"kind": "thanks"}), &[]).starts_with("You're welcome"));
    let help = find("operatingCosts.royaltyPct").expect("a field");
    let (_, spanish) = answered(Language::Spanish, Intent::Define, json!({"term": "royalty"}), &[]);
    assert!(
        spanish.text.starts_with("La regalía es ") && !spanish.text.contains(&*help.help),
        "{}",
        spanish.text
    );
}

#[test]
fn from_the_second_miss_on_the_guide_is_named() {
    let request = |messages: Vec<ChatMessage>| LlmRequest {
        messages,
        ..LlmRequest::default()
    };
    let nothing = OfflineAdvisor::hearing(plan_reader::Heard::known(Intent::Other, Slots::default()));
    let first = crate::offline::reply(&request(vec![ChatMessage::User("zxcv qwerty".into())]), &nothing);
    assert!(
        !first.text.contains("guide") && first.suggestions.len() == 3,
        "{first:?}"
    );
    let second = crate::offline::reply(
        &request(vec![
            ChatMessage::User("zxcv qwerty".into()),
            ChatMessage::Assistant {
                content: first.text.into(),
                tool_calls: Vec::new(),
            },
            ChatMessage::User("asdf jkl".into()),
        ]),
        &nothing,
    );
    assert!(
        second.text.ends_with("The guide is quicker: [open the guide](#guide)."),
        "{second:?}"
    );
}

/// What is asked back is offered in words that are surely understood.
#[test]
fn each_figure_that_is_asked_back_is_understood() {
    let fields = catalogue();
    for language in [Language::English, Language::Spanish] {
        for (name, line) in Line::NAMED {
            let label = match lines::find(name) {
                Some(known) => wording::named(language, name, || known.label.to_owned()),
                None => wording::named(language, name, || "the biggest cost".to_owned()),
            };
            let asked = wording::say(language, "s.line", &[("label", &label)]);
            assert_eq!(ask::line_offered(&asked, fields), Some(line), "{asked}");
            let text = Talk::new().say(&asked).text;
            assert!(!is_guess(&text) && !ask::was_missed(&text), "{asked}: {text}");
        }
    }
    let turn = Talk::new().say("Show me what the franchisor gets");
    assert_eq!(turn.arguments["line"], "franchiseFees", "{}", turn.text);
    assert!(!is_guess(&turn.text), "{}", turn.text);
}

#[test]
fn each_question_that_is_suggested_is_surely_understood() {
    let keys = [
        "s.open",
        "s.profit",
        "s.payment",
        "s.missing",
        "s.cash",
        "s.levers",
        "s.goal",
        "s.more_sales",
        "s.less_sales",
        "s.less_loan",
        "s.left",
        "s.breakeven",
    ];
    for language in [Language::English, Language::Spanish] {
        for key in keys {
            let asked = wording::say(language, key, &[]);
            let heard = wants(&Texts::of(&asked), &Vocabulary::of(&Brand::demo()));
            assert!(
                heard.is_sure_of_figures() && heard.probability > 0.6,
                "{asked}: {heard:?}"
            );
        }
    }
}
