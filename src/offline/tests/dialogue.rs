//! Conversations, as people have them.

use super::*;
use crate::wording;
use plan_model::field::catalogue;
use plan_model::language::Language;

/// The last answer to a run of messages.
fn last(messages: &[&str]) -> Turn {
    let mut talk = Talk::new();
    messages
        .iter()
        .map(|message| talk.say(message))
        .last()
        .expect("a message")
}

#[test]
fn a_plain_statement_is_written_down_and_the_next_line_asked_for() {
    let turn = last(&["My rent is $4,200/month"]);
    assert_eq!(
        turn.text,
        "I've written down rent per month at $4,200 (it was $4,500). What percentage do you plan for cost of goods?"
    );
    assert_eq!(turn.values(), ["operatingCosts.rentMonthly=420000"]);
    assert_eq!(
        turn.tools,
        ["set_financial_field", "get_plan_summary", "list_open_proposals"]
    );
}

#[test]
fn break_even_sales_are_counted_in_customers() {
    let figure =
        json!({"line": "breakEvenSales", "label": "break-even sales", "value": "$48,498", "shareOfPlanned": "83.6%"});
    let mut talk = Talk::new();
    talk.figure = figure;
    let turn = talk.say("how many customers to break even?");
    assert!(turn.text.contains("Say what a customer pays"), "{}", turn.text);
    let turn = talk.say("how many dogs a week do I need to break even at 65 a dog?");
    assert!(
        turn.text
            .contains("At $65 each that is about 747 customers a month, 173 a week or 25 a day."),
        "{}",
        turn.text
    );
    let turn = talk.say("how many customers to break even?");
    assert!(
        turn.text.contains("At $65 each"),
        "the price that was told: {}",
        turn.text
    );
    assert!(turn.values().is_empty());
    talk.say("we groom 40 dogs a week at 70");
    let turn = talk.say("how many dogs a week to break even");
    assert!(
        turn.text.contains("At $70 each that is about 693 customers a month"),
        "{}",
        turn.text
    );
    let turn = talk.say("how many dogs a day to break even at 70 a dog, open 26 days a month?");
    assert!(
        turn.text
            .contains("160 a week or 27 a day. That is on 26 days a month."),
        "{}",
        turn.text
    );
    let turn = talk.say("and if it's 85 a dog?");
    assert!(
        turn.text
            .contains("At $85 each that is about 571 customers a month, 132 a week or 22 a day."),
        "{}",
        turn.text
    );
}

#[test]
fn a_bare_number_that_no_business_has_is_of_thousands() {
    for (message, value) in [
        ("so the loan is 250", "financing.loanAmount~25000000"),
        ("hold on, the loan is 250,000", "financing.loanAmount~25000000"),
        (
            "insurance will be maybe 640 a month",
            "operatingCosts.insuranceMonthly~64000",
        ),
    ] {
        let values = last(&[message]).values();
        let is_it = |said: &String| said.replace('=', "~") == value;
        assert!(values.len() == 1 && values.iter().all(is_it), "{message}: {values:?}");
    }
}

#[test]
fn a_term_alone_is_explained_and_with_the_article_its_value_asked_for() {
    let text = last(&["whats dscr"]).text;
    assert!(
        text.starts_with("DSCR, loan coverage, is what the business earns"),
        "{text}"
    );
    let text = last(&["qué es la regalía"]).text;
    assert!(!text.starts_with("La regalía es 6%"), "{text}");
    let text = last(&["what's the royalty"]).text;
    assert!(text.starts_with("Royalty is 6% in your plan"), "{text}");
}

#[test]
fn a_range_is_named_once_and_the_number_kept() {
    let turn = last(&["Rent is $9,000 a month"]);
    assert!(turn.text.contains("For reference, the franchisor's published Item 7 estimate for rent per month is $3,000 to $7,000; yours is above it, and I've kept your number."), "{}", turn.text);
}

#[test]
fn a_correction_without_a_name_is_about_the_field_before() {
    for correction in ["actually make it 4,300", "no wait, I meant $4,300"] {
        let mut talk = Talk::new();
        talk.say("My rent is $4,200/month");
        let turn = talk.say(correction);
        let values = turn.values();
        assert!(
            values == ["operatingCosts.rentMonthly~430000"] || values == ["operatingCosts.rentMonthly=430000"],
            "{correction}: {values:?} {}",
            turn.text
        );
    }
    // Two fields were named: which one is meant is not known.
    let turn = last(&[
        "Rent is $4,200 a month and insurance is $400 a month.",
        "actually make it 4,300",
    ]);
    assert!(!turn.values().iter().any(|value| value.contains('=')), "{}", turn.text);
}

#[test]
fn what_breaks_the_plan_is_said_in_one_sentence() {
    let mut talk = Talk::new();
    talk.changed = json!([{"metric": "lowestCash", "label": "Lowest cash", "before": "$24,921", "after": "−$12,000"}]);
    let turn = talk.say("My rent is $6,900/month");
    assert!(
        turn.text
            .contains("With this, cash falls below zero; it is lowest at −$12,000."),
        "{}",
        turn.text
    );
    talk.changed = json!([{"metric": "dscrYear1", "label": "", "before": "1.20×", "after": "not covered"}]);
    let turn = talk.say("My rent is $6,950/month");
    assert!(
        turn.text.contains("no longer earns its running costs in year 1"),
        "{}",
        turn.text
    );
    // What was broken before is not said again.
    talk.changed = json!([{"metric": "dscrYear1", "label": "", "before": "0.61×", "after": "0.51×"}]);
    assert!(!talk.say("My rent is $6,960/month").text.contains("With this"));
}

#[test]
fn every_field_can_be_proposed_and_agreed_to() {
    let vocabulary = Vocabulary::new(catalogue());
    for field in catalogue() {
        let value = if field.kind.is_decimal() {
            field.hard().high
        } else {
            field.hard().high.min(Number::whole(3))
        };
        let shown = wording::value(Language::English, field, value);
        let question = wording::confirm(Language::English, &shown, &wording::name(Language::English, field));
        let texts = Texts {
            message: "yes",
            previous_message: Some("hm"),
            advisor: Some(&question),
            asked: None,
            about: None,
        };
        let plain = understand(&texts, &vocabulary).plain;
        let found: Vec<_> = plain.iter().map(|one| (one.field.as_str(), one.value)).collect();
        assert_eq!(found, [(field.path.as_str(), value)], "{question}");
    }
}

#[test]
fn every_question_is_read_as_its_own_field() {
    let vocabulary = Vocabulary::new(catalogue());
    for field in catalogue() {
        let question = crate::wording::question(Language::English, field);
        let least = if field.kind.is_decimal() {
            Number::millionths(20_000)
        } else {
            Number::whole(1)
        };
        let value = field.soft.map_or(Number::whole(500_000), |soft| soft.low.max(least));
        let texts = Texts {
            message: &field.kind.show(value),
            previous_message: None,
            advisor: Some(&question),
            asked: None,
            about: None,
        };
        let understood = understand(&texts, &vocabulary);
        let heard = understood
            .candidates
            .iter()
            .flat_map(|one| &one.choices)
            .map(|choice| &choice.field);
        let found: Vec<_> = understood.plain.iter().map(|one| &one.field).chain(heard).collect();
        assert!(found.contains(&&field.path), "{question} {} {found:?}", texts.message);
    }
}

#[test]
fn an_answer_goes_to_the_line_that_was_asked_for() {
    let mut talk = Talk::new();
    talk.say("My rent is $4,200/month");
    assert_eq!(talk.say("8").values(), ["operatingCosts.cogsPct=0.08"]);
    let turn = talk.say("38 percent");
    assert_eq!(turn.values(), ["operatingCosts.laborPct=0.38"]);
    let turn = talk.say("no wait, 36");
    assert_eq!(turn.values(), ["operatingCosts.laborPct=0.36"], "{}", turn.text);
}

#[test]
fn destructive_wishes_become_calls_of_their_tools() {
    assert_eq!(last(&["please clear the conversation"]).tools, ["clear_conversation"]);
    assert_eq!(
        last(&["reset everything to the defaults"]).tools,
        ["reset_fields_to_defaults"]
    );
    assert_eq!(
        last(&["reset my rent to the default"]).tools,
        ["reset_fields_to_defaults"]
    );
    assert_eq!(last(&["are you online?"]).tools, ["check_status"]);
    assert_eq!(last(&["borra la conversación por favor"]).tools, ["clear_conversation"]);
}

#[test]
fn numbers_that_are_not_the_plans_are_left_alone_and_said_so() {
    for (message, part) in [
        ("my rent was 4,500", "from the past"),
        ("rent is €4,200", "in US dollars"),
        ("rent and utilities are 5,000", "how it splits"),
        ("rent goes up by 200", "new total"),
    ] {
        let turn = last(&[message]);
        assert!(
            turn.text.contains(part) && turn.values().is_empty(),
            "{message}: {}",
            turn.text
        );
    }
}

#[test]
fn without_tools_it_still_answers_in_words() {
    let request = LlmRequest {
        messages: vec![ChatMessage::User("My rent is 4,200".into())],
        tools: [].into(),
        temperature: None,
        max_output_tokens: 10,
        ..LlmRequest::default()
    };
    let (_, calls) = talk::complete(request);
    assert!(calls.is_empty());
    let request = LlmRequest {
        messages: Vec::new(),
        tools: [].into(),
        temperature: None,
        max_output_tokens: 10,
        ..LlmRequest::default()
    };
    let (text, _) = talk::complete(request);
    assert!(!text.is_empty());
}

/// Neither the month in which a case breaks even nor the amount that was supposed was offered as a value.
#[test]
fn a_yes_to_an_answer_that_asks_nothing_proposes_nothing() {
    for case in [
        "what if sales are 10% lower",
        "what if rent is 4620",
        "¿y si la renta es de 4620?",
    ] {
        for yes in ["yes", "yes please", "sí"] {
            let turn = last(&[case, yes]);
            let records = turn.tools.iter().filter(|tool| **tool == "set_financial_field");
            assert_eq!(records.count(), 0, "{case}: {yes}: {}", turn.text);
        }
    }
}

#[test]
fn cash_and_its_lowest_point_have_one_reason() {
    for question in ["why is cash low", "¿por qué baja mi efectivo?"] {
        let turn = last(&[question]);
        assert!(
            turn.tools.iter().any(|tool| tool == "get_projection"),
            "{question}: {}",
            turn.text
        );
    }
}

#[test]
fn a_value_behind_a_question_that_was_put_off_is_asked_about() {
    let turn = last(&[
        "Hola, ¿cómo está?",
        "No sé todavía cuánto pagaré de renta",
        "Creo que el préstamo será más o menos de 300.000",
    ]);
    assert!(
        turn.text.ends_with("¿Anoto $300,000 para el monto del préstamo?"),
        "{} {:?}",
        turn.text,
        turn.tools
    );
}

#[test]
fn a_yes_to_what_was_asked_back_is_answered() {
    let cases = [
        (Language::English, "cash", "yes"),
        (Language::Spanish, "el efectivo", "sí"),
    ];
    for (language, label, yes) in cases {
        let asked = wording::say(language, "unsure.line", &[("label", label)]);
        let mut talk = Talk::after("how much cash is left in month 6?", &asked);
        let turn = talk.say(yes);
        assert_eq!(turn.tools, ["get_projection"], "{yes}: {}", turn.text);
    }
    // Without a guess there is nothing to agree to.
    assert_eq!(last(&["hello", "yes"]).tools, ["list_open_proposals"]);
}
