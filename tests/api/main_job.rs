//! The main job: a franchisee states a number and the plan changes.

use crate::support::{TestApp, describe, redacted, says, sets};
use insta::assert_snapshot;
use serde_json::{Value, json};

const RENT: &str = "operatingCosts.rentMonthly";

/// The metrics of a scenario that was computed by hand, next to those of an event.
fn assert_golden_metrics(scenario: &str, outputs: &Value) {
    let golden: Value = serde_json::from_str(include_str!("../golden/financial-model.json")).unwrap();
    let scenarios = golden["scenarios"].as_array().unwrap();
    let wanted = scenarios.iter().find(|known| known["name"] == scenario).unwrap()["metrics"]
        .as_object()
        .unwrap();
    assert!(wanted.len() > 10);
    for (name, value) in wanted {
        assert_eq!(
            outputs["metrics"][name].to_string(),
            value.to_string(),
            "{scenario}: {name}"
        );
    }
}

#[tokio::test]
#[expect(clippy::too_many_lines, reason = "one turn, seen from every side")]
async fn a_stated_rent_is_applied_and_everything_tells_of_it() {
    let app = TestApp::spawn().await;
    app.llm.script([
        sets(RENT, 4200, "high").usage(900, 30),
        says("I've noted a rent of $4,200 a month.")
            .says(" What are your monthly sales?")
            .usage(1000, 12),
    ]);

    let turn = app.sam.send("My rent is $4,200/month").await;

    assert_snapshot!(turn, @"
    says   I've noted a rent of $4,200 a month. What are your monthly sales?
    value  operatingCosts.rentMonthly 450000 → 420000, high, applied | “My rent is $4,200/month
    moves  breakEvenMonth 9 → 8
    moves  paybackMonth 41 → 38
    moves  fiveYearOwnerCashFlow 17480267 → 19011467
    moves  fiveYearRoiPct 0.9104 → 1.0778
    moves  lowestCash 3182105 → 3422105
    moves  reserveTarget 7247625 → 7157625
    moves  reserveGap 2747625 → 2657625
    moves  dscrYear1 0.61 → 0.69
    moves  dscrYear2 1.7 → 1.78
    moves  dscrYear3 2.1 → 2.19
    moves  dscrYear4 2.21 → 2.3
    moves  dscrYear5 2.3 → 2.39
    moves  minDscr 0.61 → 0.69
    moves  dscrAfterOwnerYear1 0.61 → 0.69
    moves  breakEvenSalesMonthly 4849770 → 4770783
    moves  breakEvenSalesPct 0.8362 → 0.8225
    done   stop, 1942 tokens
    ");
    assert_golden_metrics("B_rent_4200", &turn.done()["updatedOutputs"]);
    assert_eq!(app.sam.held(RENT).await, (420_000.into(), "ai_populated".into()));
    let field = app.sam.field(RENT).await;
    assert_snapshot!(redacted(&field), @r#"{"brandDefault":450000,"currentValue":420000,"isCustom":true,"item7Range":{"high":700000,"low":300000},"lastModifiedAt":"[time]","source":"ai_populated"}"#);
    let mut conversation = app.sam.conversation().await;
    assert_eq!(
        conversation["data"][1]["changes"].take(),
        turn.done()["updatedOutputs"]["changes"]
    );
    assert_snapshot!(serde_json::to_string_pretty(&redacted(&conversation)).unwrap(), @r#"
    {
      "data": [
        {
          "content": "My rent is $4,200/month",
          "extractedValues": null,
          "id": "[id]",
          "role": "user",
          "timestamp": "[time]",
          "turnId": "[id]"
        },
        {
          "changes": null,
          "content": "I've noted a rent of $4,200 a month. What are your monthly sales?",
          "extractedValues": [
            {
              "applied": true,
              "changeId": "[id]",
              "confidence": "high",
              "decidedBy": "plain",
              "evidence": "My rent is $4,200/month",
              "field": "operatingCosts.rentMonthly",
              "id": "[id]",
              "kind": "money",
              "label": "Rent per month",
              "note": null,
              "noteCode": null,
              "previousValue": 450000,
              "rangeCode": null,
              "rangeWarning": null,
              "status": "applied",
              "undoneAt": null,
              "value": 420000
            }
          ],
          "id": "[id]",
          "role": "assistant",
          "timestamp": "[time]",
          "turnId": "[id]"
        }
      ],
      "meta": {
        "before": null,
        "nextBefore": null,
        "total": 2,
        "totalTokensUsed": 1942
      }
    }
    "#);

    let prompts = app.sam.prompts().await;
    assert_eq!(prompts.len(), 1);
    assert_eq!(prompts[0]["id"], turn.id().to_string());
    assert_snapshot!(serde_json::to_string_pretty(&redacted(&prompts[0])).unwrap(), @r#"
    {
      "completedAt": "[time]",
      "createdAt": "[time]",
      "errorCode": null,
      "id": "[id]",
      "input": "My rent is $4,200/month",
      "model": "mock-model",
      "output": "I've noted a rent of $4,200 a month. What are your monthly sales?",
      "planId": "[id]",
      "state": "completed",
      "usage": {
        "completionTokens": 42,
        "estimated": false,
        "promptTokens": 1900,
        "totalTokens": 1942
      }
    }
    "#);

    let changes = app.sam.changes().await;
    assert_eq!(changes.len(), 1);
    assert_eq!(changes[0]["turnId"], turn.id().to_string());
    assert_eq!(changes[0]["actor"]["id"], app.sam.id.to_string());
    assert_snapshot!(json!([changes[0]["field"], changes[0]["source"], changes[0]["confidence"], changes[0]["evidence"]]), @r#"["operatingCosts.rentMonthly","ai_populated","high","My rent is $4,200/month"]"#);
}

#[tokio::test]
async fn the_wire_names_of_done_are_the_contracts() {
    let app = TestApp::spawn().await;
    app.llm.script([sets(RENT, 4200, "high"), says("Noted.")]);
    let turn = app.sam.send("My rent is $4,200/month").await;

    let names = |value: &Value| value.as_object().unwrap().keys().cloned().collect::<Vec<_>>().join(" ");
    assert_snapshot!(names(turn.done()), @"extractedValues finishReason fullResponse heardAs missingFields pendingConfirmation suggestions turnId type updatedOutputs usage");
    assert_snapshot!(names(turn.value()), @"applied changeId confidence decidedBy evidence field id kind label note noteCode previousValue rangeCode rangeWarning status undoneAt value");
    assert_snapshot!(names(&turn.done()["updatedOutputs"]), @"advisories annual changes checks computedAt engineVersion item7 metrics");
    assert_eq!(turn.status, 200);
    let heads = ["content-type", "cache-control", "x-accel-buffering"].map(|name| turn.header(name).unwrap_or("-"));
    assert_eq!(heads, ["text/event-stream", "no-cache, no-store, no-transform", "no"]);
    assert!(turn.header("x-request-id").is_some());
    assert_eq!(turn.header("x-turn-id"), Some(turn.id().to_string().as_str()));
}

#[tokio::test]
async fn a_rent_above_the_disclosed_range_is_applied_with_a_warning() {
    let app = TestApp::spawn().await;
    app.llm.script([
        sets(RENT, 9000, "high"),
        says("Noted. The disclosed range is $3,000 to $7,000."),
    ]);

    let turn = app.sam.send("Rent is $9,000").await;

    assert_snapshot!(describe(turn.value()), @"operatingCosts.rentMonthly 450000 → 900000, high, applied | “Rent is $9,000 | range: Value is above Item 7 high range");
    assert_eq!(turn.value()["rangeCode"], "above_item7");
    assert_golden_metrics("C_rent_9000", &turn.done()["updatedOutputs"]);
}

#[tokio::test]
async fn every_kind_of_range_has_its_own_warning() {
    let app = TestApp::spawn().await;
    let said = [
        ("Rent is $1,000 a month", RENT, json!(1000)),
        ("My labor runs 75%", "operatingCosts.laborPct", json!(75)),
        ("Interest rate is 1%", "financing.interestRate", json!(0.01)),
    ];
    for (message, path, value) in &said {
        app.llm.script([sets(path, value.clone(), "high"), says("Noted.")]);
        let turn = app.sam.send(message).await;
        let code = turn.value()["rangeCode"].as_str().unwrap_or("none").to_owned();
        let line = format!("{code}: {}", describe(turn.value()));
        match *message {
            "Rent is $1,000 a month" => {
                assert_snapshot!(line, @"below_item7: operatingCosts.rentMonthly 450000 → 100000, high, applied | “Rent is $1,000 a month | range: Value is below Item 7 low range");
            }
            "My labor runs 75%" => {
                assert_snapshot!(line, @"above_typical: operatingCosts.laborPct 0.38 → 0.75, high, applied | “My labor runs 75% | range: Value is above the typical range for Direct labor, % of sales");
            }
            _ => {
                assert_snapshot!(line, @"below_typical: financing.interestRate 0.1025 → 0.01, high, applied | “Interest rate is 1% | range: Value is below the typical range for Annual interest rate");
            }
        }
    }
}

#[tokio::test]
async fn several_values_of_one_message_are_applied_in_their_order() {
    let app = TestApp::spawn().await;
    app.llm.script([
        sets(RENT, "$4,200", "high")
            .sets("operatingCosts.royaltyPct", 7, "high")
            .sets("financing.loanTermMonths", "7 years", "high"),
        says("All three are in."),
    ]);

    let turn = app
        .sam
        .send("Rent is $4,200, royalty is 7% and the loan runs seven years")
        .await;

    assert_snapshot!(turn, @"
    says   All three are in.
    value  operatingCosts.rentMonthly 450000 → 420000, high, applied | “Rent is $4,200, royalty is 7% and the loan runs seven years
    value  operatingCosts.royaltyPct 0.06 → 0.07, high, applied | “Rent is $4,200, royalty is 7% and the loan runs seven years
    value  financing.loanTermMonths 120 → 84, high, applied | “Rent is $4,200, royalty is 7% and the loan runs seven years
    moves  monthlyPayment 373910 → 468459
    moves  breakEvenMonth 9 → 10
    moves  stableFromMonth 14 → 16
    moves  paybackMonth 41 → 56
    moves  fiveYearOwnerCashFlow 17480267 → 10356260
    moves  fiveYearRoiPct 0.9104 → 0.1318
    moves  lowestCash 3182105 → 2393106
    moves  lowestCashMonth 8 → 9
    moves  reserveTarget 7247625 → 7225177
    moves  reserveGap 2747625 → 2725177
    moves  dscrYear1 0.61 → 0.48
    moves  dscrYear2 1.7 → 1.3
    moves  dscrYear3 2.1 → 1.62
    moves  dscrYear4 2.21 → 1.7
    moves  dscrYear5 2.3 → 1.77
    moves  minDscr 0.61 → 0.48
    moves  dscrAfterOwnerYear1 0.61 → 0.48
    moves  breakEvenSalesMonthly 4849770 → 5156262
    moves  breakEvenSalesPct 0.8362 → 0.889
    done   stop, 240 tokens
    ");
    assert_eq!(
        app.sam.get_plan().await["version"],
        2,
        "one turn is one change of the plan"
    );
    assert_eq!(app.sam.changes().await.len(), 3);
}

#[tokio::test]
async fn values_in_answers_of_several_rounds_join_in_one_turn() {
    let app = TestApp::spawn().await;
    app.llm.script([
        says("Let me write that down:").sets(RENT, 4200, "high"),
        says("And the royalty:").sets("operatingCosts.royaltyPct", 7, "high"),
        says("Both are in your plan."),
    ]);

    let turn = app.sam.send("Rent is $4,200 and royalty 7%").await;

    assert_snapshot!(turn, @"
    says   Let me write that down:⏎⏎And the royalty:⏎⏎Both are in your plan.
    value  operatingCosts.rentMonthly 450000 → 420000, high, applied | “Rent is $4,200 and royalty 7%
    value  operatingCosts.royaltyPct 0.06 → 0.07, high, applied | “Rent is $4,200 and royalty 7%
    moves  paybackMonth 41 → 42
    moves  fiveYearOwnerCashFlow 17480267 → 16347630
    moves  fiveYearRoiPct 0.9104 → 0.7866
    moves  lowestCash 3182105 → 3197611
    moves  reserveTarget 7247625 → 7225177
    moves  reserveGap 2747625 → 2725177
    moves  dscrYear1 0.61 → 0.6
    moves  dscrYear2 1.7 → 1.63
    moves  dscrYear3 2.1 → 2.03
    moves  dscrYear4 2.21 → 2.13
    moves  dscrYear5 2.3 → 2.21
    moves  minDscr 0.61 → 0.6
    moves  dscrAfterOwnerYear1 0.61 → 0.6
    moves  breakEvenSalesMonthly 4849770 → 4895934
    moves  breakEvenSalesPct 0.8362 → 0.8441
    done   stop, 360 tokens
    ");
    assert_eq!(app.sam.conversation().await["meta"]["totalTokensUsed"], 360);
}

#[tokio::test]
async fn a_hedged_value_is_offered_but_not_applied() {
    let app = TestApp::spawn().await;
    app.llm
        .script([sets(RENT, 4200, "tentative"), says("Is $4,200 settled?")]);

    let turn = app.sam.send("My rent is about $4,200 I think").await;

    assert_snapshot!(turn, @"
    says   Is $4,200 settled?
    value  operatingCosts.rentMonthly 450000 → 420000, tentative, proposed | “My rent is about $4,200 I think | note: The advisor was not sure of this, so it needs your word.
    done   stop, 240 tokens
    ");
    assert_eq!(app.sam.held(RENT).await, (450_000.into(), "brand_default".into()));
    assert_eq!(app.sam.get_plan().await["version"], 1);
    assert!(app.sam.changes().await.is_empty());
}

#[tokio::test]
async fn a_model_that_is_surer_than_the_franchisee_is_not_believed() {
    let app = TestApp::spawn().await;
    app.llm.script([
        sets(RENT, 4200, "high")
            .sets("operatingCosts.utilitiesMonthly", 700, "uncertain")
            .sets("financing.interestRate", 9, "high"),
        says("Shall I?"),
    ]);

    let turn = app
        .sam
        .send("My rent is maybe $4,200, utilities are $700, and if the bank agrees the interest rate is 9%")
        .await;

    let lines: Vec<String> = turn.values().iter().map(describe).collect();
    assert_snapshot!(lines.join("\n"), @"
    operatingCosts.rentMonthly 450000 → 420000, tentative, proposed | “My rent is maybe $4,200, utilities are $700, and if the bank agrees the interest rate is 9% | note: This was not plainly stated, so it needs your word.
    operatingCosts.utilitiesMonthly 95000 → 70000, uncertain, proposed | “My rent is maybe $4,200, utilities are $700, and if the bank agrees the interest rate is 9% | note: The advisor was not sure of this, so it needs your word.
    financing.interestRate 0.1025 → 0.09, tentative, proposed | “My rent is maybe $4,200, utilities are $700, and if the bank agrees the interest rate is 9% | note: This was not plainly stated, so it needs your word.
    ");
    assert_eq!(app.sam.get_plan().await["version"], 1, "nothing of it is in the plan");
}

#[tokio::test]
async fn a_number_that_nobody_said_is_only_proposed_with_a_note() {
    let app = TestApp::spawn().await;
    app.llm
        .script([sets(RENT, 5100, "high"), says("Rents like yours are often $5,100.")]);

    let turn = app.sam.send("What do others pay for rent?").await;

    assert_snapshot!(describe(turn.value()), @"operatingCosts.rentMonthly 450000 → 510000, tentative, proposed | note: This number is not in what you said, so it needs your word.");
    assert_eq!(app.sam.held(RENT).await, (450_000.into(), "brand_default".into()));
}

#[tokio::test]
async fn the_same_value_again_changes_nothing() {
    let app = TestApp::spawn().await;
    app.llm.script([
        sets(RENT, 4500, "high"),
        says("Noted."),
        sets(RENT, 4500, "high"),
        says("That is what the plan holds."),
    ]);
    let first = app.sam.send("My rent is $4,500").await;
    assert_eq!(
        first.value()["status"],
        "applied",
        "a placeholder that is stated becomes the franchisee's own value"
    );
    assert_eq!(app.sam.held(RENT).await, (450_000.into(), "ai_populated".into()));

    let turn = app.sam.send("As I said, my rent is $4,500").await;

    assert_snapshot!(turn, @"
    says   That is what the plan holds.
    value  operatingCosts.rentMonthly 450000 → 450000, high, unchanged | “As I said, my rent is $4,500
    done   stop, 240 tokens
    ");
    assert_eq!(
        (&app.sam.get_plan().await["version"], app.sam.changes().await.len()),
        (&json!(2), 1)
    );
}

#[tokio::test]
async fn a_plain_new_value_replaces_the_stated_one_and_says_so() {
    let app = TestApp::spawn().await;
    app.llm.script([
        sets(RENT, 4200, "high"),
        says("Noted."),
        sets(RENT, 4400, "high"),
        says("Changed."),
    ]);
    app.sam.send("My rent is $4,200").await;

    let turn = app.sam.send("Rent is $4,400 now").await;

    assert_snapshot!(describe(turn.value()), @"operatingCosts.rentMonthly 420000 → 440000, high, applied | “Rent is $4,400 now | note: Replaces $4,200 from before.");
    assert_eq!(app.sam.held(RENT).await.0, 440_000);
}

#[tokio::test]
async fn two_values_for_one_field_in_one_message_are_both_proposed() {
    let app = TestApp::spawn().await;
    app.llm
        .script([sets(RENT, 4200, "high").sets(RENT, 4500, "high"), says("Which one?")]);

    let turn = app.sam.send("My rent is $4,200. My rent is $4,800.").await;

    assert_eq!(
        turn.values()
            .iter()
            .filter(|value| value["status"] == "applied")
            .count(),
        0,
        "{turn}"
    );
    assert_eq!(app.sam.get_plan().await["version"], 1);
}

#[tokio::test]
async fn a_plan_without_inputs_can_be_talked_about_and_starts_with_its_first_value() {
    let app = TestApp::spawn().await;
    app.llm
        .script([says("Tell me your rent."), sets(RENT, 4200, "high"), says("Noted.")]);

    let turn = app.taylor.send("Hello").await;
    assert_eq!(turn.done()["updatedOutputs"], Value::Null);
    assert_eq!(
        turn.done()["missingFields"].as_array().unwrap().len(),
        app_core_fields().len()
    );
    assert_eq!(app.taylor.get_plan().await["financialInputs"], Value::Null);

    let turn = app.taylor.send("My rent is $4,200/month").await;
    assert_golden_metrics("B_rent_4200", &turn.done()["updatedOutputs"]);
    assert_snapshot!(describe(turn.value()), @"operatingCosts.rentMonthly null → 420000, high, applied | “My rent is $4,200/month");
    assert_eq!(app.taylor.held(RENT).await, (420_000.into(), "ai_populated".into()));
    assert_eq!(
        app.taylor.held("operatingCosts.royaltyPct").await,
        (json!(0.06), "brand_default".into())
    );
}

fn app_core_fields() -> Vec<String> {
    let brand = plan_model::brand::Brand::demo();
    brand
        .fields()
        .iter()
        .filter(|field| field.core)
        .map(|field| field.path.to_string())
        .collect()
}

#[tokio::test]
async fn missing_fields_are_the_core_ones_at_their_defaults_in_the_catalogues_order() {
    let app = TestApp::spawn().await;
    app.llm
        .script([says("Hello."), sets(RENT, 4200, "high"), says("Noted."), says("Hi.")]);
    let missing = |turn: &crate::support::Turn| -> Vec<String> {
        turn.done()["missingFields"]
            .as_array()
            .unwrap()
            .iter()
            .map(|path| path.as_str().unwrap().to_owned())
            .collect()
    };

    let first = missing(&app.sam.send("Hello").await);
    assert_eq!(first, app_core_fields());
    assert_snapshot!(first.join("\n"), @"
    revenue.monthlyAuv
    revenue.monthsToReachAuv
    operatingCosts.cogsPct
    operatingCosts.laborPct
    operatingCosts.rentMonthly
    operatingCosts.utilitiesMonthly
    operatingCosts.insuranceMonthly
    operatingCosts.managementSalariesAnnual
    financing.loanAmount
    financing.interestRate
    financing.loanTermMonths
    startupCosts.leaseholdImprovements
    startupCosts.furnitureFixturesEquipment
    startupCosts.additionalFunds
    profitabilityAndDistributions.ownerDrawMonthly
    ");

    let second = missing(&app.sam.send("My rent is $4,200").await);
    assert_eq!(
        second,
        first.iter().filter(|path| *path != RENT).cloned().collect::<Vec<_>>()
    );
    // Riley has set rent and sales by hand.
    let third = missing(&app.riley.send("Hello").await);
    assert!(
        !third.contains(&RENT.to_owned()) && !third.contains(&"revenue.monthlyAuv".to_owned()),
        "{third:?}"
    );
}

#[tokio::test]
async fn an_answer_in_words_alone_leaves_the_plan_as_it_is_and_still_tells_its_results() {
    let app = TestApp::spawn().await;
    app.llm.script([says("Rent is what you pay your landlord.")]);

    let turn = app.sam.send("What does rent mean?").await;

    assert_snapshot!(turn, @"
    says   Rent is what you pay your landlord.
    done   stop, 120 tokens
    ");
    assert_golden_metrics("A_default", &turn.done()["updatedOutputs"]);
    assert_eq!(turn.done()["updatedOutputs"]["changes"], json!([]));
    assert_eq!(turn.done()["pendingConfirmation"], Value::Null);
    assert_eq!(app.sam.history().await[1]["extractedValues"], Value::Null);
}

#[tokio::test]
async fn usage_is_estimated_where_the_provider_does_not_count() {
    let app = TestApp::spawn().await;
    app.llm.script([says("Hello Sam.").no_usage()]);

    let turn = app.sam.send("Hello").await;

    let usage = &turn.done()["usage"];
    assert_eq!(usage["estimated"], true);
    let total = usage["promptTokens"].as_i64().unwrap() + usage["completionTokens"].as_i64().unwrap();
    assert_eq!(usage["totalTokens"], total);
    assert_eq!(app.sam.conversation().await["meta"]["totalTokensUsed"], total);
}

#[tokio::test]
async fn what_the_provider_cached_and_reasoned_is_told_and_stored_where_it_says_so() {
    let app = TestApp::spawn().await;
    let counts = json!({
        "prompt_tokens": 2961, "completion_tokens": 66, "total_tokens": 3027,
        "prompt_tokens_details": {"cached_tokens": 2816}, "completion_tokens_details": {"reasoning_tokens": 64},
    });
    let rounds = [
        sets("operatingCosts.rentMonthly", 4200, "high").odd_usage(counts.clone()),
        says("Noted.").odd_usage(counts),
        says("Hello Sam."),
    ];
    app.llm.script(rounds);

    let turn = app.sam.send("My rent is $4,200/month").await;

    let want = json!({
        "promptTokens": 5922, "completionTokens": 132, "totalTokens": 6054, "estimated": false,
        "cachedPromptTokens": 5632, "reasoningTokens": 128,
    });
    assert_eq!(turn.done()["usage"], want);
    assert_eq!(app.sam.prompts().await[0]["usage"], want);
    let plain = app.sam.send("Hello").await;
    assert!(plain.done()["usage"].get("cachedPromptTokens").is_none());
    let metrics = app.anonymous().get("/metrics").await.text;
    assert!(
        metrics.contains("plan_advisor_tokens_total{kind=\"cached_prompt\"}"),
        "{metrics}"
    );
}

#[tokio::test]
async fn an_unused_conversation_is_empty() {
    let app = TestApp::spawn().await;
    assert_eq!(app.sam.conversation().await["data"], json!([]));
}

#[tokio::test]
async fn clearing_the_history_keeps_the_audit_and_the_tokens() {
    let app = TestApp::spawn().await;
    app.llm
        .script([sets(RENT, 4200, "high"), says("Noted."), says("Hello again.")]);
    app.sam.send("My rent is $4,200").await;

    assert_eq!(app.sam.delete(&app.sam.path("/conversation")).await.status, 204);

    let conversation = app.sam.conversation().await;
    assert_eq!(
        (&conversation["data"], &conversation["meta"]["totalTokensUsed"]),
        (&json!([]), &json!(240))
    );
    assert_eq!(app.sam.changes().await.len(), 1);
    assert_eq!(app.sam.prompts().await.len(), 1);
    assert_eq!(
        app.database
            .count("SELECT count(*) FROM audit_events WHERE kind = 'conversation_cleared'")
            .await,
        1
    );
    app.sam.send("Hello").await;
    let last = app.llm.requests().pop().unwrap();
    assert_eq!(
        last["messages"].as_array().unwrap().len(),
        2,
        "the model has forgotten it too"
    );
}

#[tokio::test]
async fn the_history_can_be_paged_from_its_newest_end() {
    let app = TestApp::spawn().await;
    app.llm.always(says("Yes."));
    for n in 1..=3 {
        app.sam.send(&format!("Question {n}")).await;
    }
    let page = async |query: &str| {
        app.sam
            .get(&app.sam.path(&format!("/conversation{query}")))
            .await
            .json()
    };

    let newest = page("?limit=3").await;
    let texts = |page: &Value| {
        page["data"]
            .as_array()
            .unwrap()
            .iter()
            .map(|m| m["content"].as_str().unwrap().to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(texts(&newest), ["Yes.", "Question 3", "Yes."]);
    assert_eq!(newest["meta"]["total"], 6);
    let before = newest["meta"]["nextBefore"].as_str().unwrap();
    let older = page(&format!("?limit=3&before={before}")).await;
    assert_eq!(texts(&older), ["Question 1", "Yes.", "Question 2"]);
    assert_eq!(older["meta"]["nextBefore"], Value::Null);
    for wrong in ["?limit=0", "?limit=201", "?limit=x", "?before=7"] {
        let reply = app.sam.get(&app.sam.path(&format!("/conversation{wrong}"))).await;
        assert_eq!(reply.failure(), (400, "VALIDATION_ERROR".into()), "{wrong}");
    }
}
