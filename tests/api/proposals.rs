//! Values the franchisee decides about: accepted, corrected, dismissed, supersede. Once each.

use crate::support::{Gate, Reply, TestApp, describe, says, sets};
use insta::assert_snapshot;
use serde_json::{Value, json};

const RENT: &str = "operatingCosts.rentMonthly";

/// Sam says something vague; gives the id of the proposal.
async fn proposed(app: &TestApp, message: &str, path: &str, value: impl Into<Value>) -> String {
    app.llm
        .script([sets(path, value, "tentative"), says("Shall I write that down?")]);
    let turn = app.sam.send(message).await;
    assert_eq!(turn.value()["status"], "proposed", "{turn}");
    turn.value()["id"].as_str().unwrap().to_owned()
}

async fn settle(app: &TestApp, id: &str, verb: &str, body: Option<Value>) -> Reply {
    let path = app.sam.path(&format!("/conversation/extractions/{id}/{verb}"));
    match body {
        Some(body) => app.sam.post(&path, &body).await,
        None => app.sam.post_nothing(&path).await,
    }
}

async fn status_in_history(app: &TestApp) -> (Value, Value) {
    let history = app.sam.history().await;
    let value = &history[1]["extractedValues"][0];
    (value["status"].clone(), value["applied"].clone())
}

#[tokio::test]
async fn an_accepted_proposal_is_applied_and_the_history_says_so() {
    let app = TestApp::spawn().await;
    let id = proposed(&app, "My rent is about $4,200", RENT, 4200).await;

    let reply = settle(&app, &id, "accept", None).await;

    let data = reply.data();
    assert_snapshot!(describe(&data["extractedValue"]), @"operatingCosts.rentMonthly 450000 → 420000, tentative, accepted | “My rent is about $4,200 | note: The advisor was not sure of this, so it needs your word.");
    assert_eq!(data["updatedOutputs"]["metrics"]["breakEvenMonth"], 8);
    assert!(!data["updatedOutputs"]["changes"].as_array().unwrap().is_empty());
    assert_eq!(app.sam.held(RENT).await, (420_000.into(), "ai_populated".into()));
    assert_eq!(status_in_history(&app).await, (json!("accepted"), json!(true)));
    let changes = app.sam.changes().await;
    assert_eq!((changes.len(), &changes[0]["source"]), (1, &json!("ai_populated")));
}

#[tokio::test]
async fn a_corrected_proposal_is_the_franchisees_own_entry() {
    let app = TestApp::spawn().await;
    let id = proposed(&app, "My rent is about $4,200", RENT, 4200).await;

    let reply = settle(&app, &id, "accept", Some(json!({"value": 910_000}))).await;

    let data = reply.data();
    assert_eq!(
        (
            &data["extractedValue"]["value"],
            &data["extractedValue"]["rangeWarning"]
        ),
        (&json!(910_000), &json!("Value is above Item 7 high range"))
    );
    assert_eq!(app.sam.held(RENT).await, (910_000.into(), "user_entry".into()));
}

#[tokio::test]
async fn a_dismissed_proposal_leaves_the_plan_alone() {
    let app = TestApp::spawn().await;
    let id = proposed(&app, "My rent is about $4,200", RENT, 4200).await;
    let data = settle(&app, &id, "dismiss", None).await.data();
    assert_eq!(data["extractedValue"]["status"], "dismissed");
    assert_eq!(app.sam.held(RENT).await.1, "brand_default");
    assert_eq!(status_in_history(&app).await, (json!("dismissed"), json!(false)));
}

#[tokio::test]
async fn a_proposal_is_settled_once() {
    let app = TestApp::spawn().await;
    for (first, second) in [
        ("accept", "accept"),
        ("accept", "dismiss"),
        ("dismiss", "accept"),
        ("dismiss", "dismiss"),
    ] {
        let id = proposed(&app, "My rent is about $4,300", RENT, 4300).await;
        assert_eq!(settle(&app, &id, first, None).await.status, 200);
        assert_eq!(
            settle(&app, &id, second, None).await.failure(),
            (409, "CONFLICT".into()),
            "{first} {second}"
        );
        app.sam.set(RENT, 450_000).await;
    }
    let id = proposed(&app, "My rent is about $4,200", RENT, 4200).await;
    let answers = futures_util::future::join_all((0..8).map(|_| settle(&app, &id, "accept", None))).await;
    assert_eq!(answers.iter().filter(|reply| reply.status == 200).count(), 1);
    assert_eq!(answers.iter().filter(|reply| reply.status == 409).count(), 7);
}

#[tokio::test]
async fn an_applied_value_cannot_be_settled() {
    let app = TestApp::spawn().await;
    app.llm.script([sets(RENT, 4200, "high"), says("Noted.")]);
    let turn = app.sam.send("My rent is $4,200").await;
    let id = turn.value()["id"].as_str().unwrap();
    assert_snapshot!(settle(&app, id, "accept", None).await.refusal(), @"409 CONFLICT: This value is decided already.");
    assert_snapshot!(settle(&app, id, "dismiss", None).await.refusal(), @"409 CONFLICT: This value is decided already.");
}

#[tokio::test]
async fn a_value_outside_its_hard_bound_needs_a_correction() {
    let app = TestApp::spawn().await;
    app.llm
        .script([sets("operatingCosts.royaltyPct", 600, "high"), says("600 percent?")]);
    let turn = app.sam.send("Royalty is 600%").await;
    let id = turn.value()["id"].as_str().unwrap();
    assert_snapshot!(describe(turn.value()), @"operatingCosts.royaltyPct 0.06 → 6, tentative, proposed | “Royalty is 600% | range: Value is above the typical range for Royalty | note: 600% cannot stand in a plan; another value can.");

    assert_snapshot!(settle(&app, id, "accept", None).await.refusal(), @r#"
    400 VALIDATION_ERROR: The request has 1 error.
    {"field":"value","message":"must be between 0 and 1"}
    "#);
    assert_snapshot!(settle(&app, id, "accept", Some(json!({"value": 7}))).await.refusal(), @r#"
    400 VALIDATION_ERROR: The request has 1 error.
    {"field":"value","message":"must be between 0 and 1"}
    "#);
    assert_eq!(
        settle(&app, id, "accept", Some(json!({"value": 0.06}))).await.status,
        200
    );
    assert_eq!(
        app.sam.held("operatingCosts.royaltyPct").await,
        (json!(0.06), "user_entry".into())
    );
}

#[tokio::test]
async fn a_proposal_ends_when_the_field_is_set_otherwise() {
    let app = TestApp::spawn().await;
    let id = proposed(&app, "My rent is about $4,200", RENT, 4200).await;
    app.sam.set(RENT, 480_000).await;
    assert_snapshot!(settle(&app, &id, "accept", None).await.refusal(), @"409 CONFLICT: This value is decided already.");
    assert_eq!(status_in_history(&app).await.0, "dismissed");

    let id = proposed(&app, "Utilities are about $700", "operatingCosts.utilitiesMonthly", 700).await;
    app.llm
        .script([sets("operatingCosts.utilitiesMonthly", 750, "high"), says("Noted.")]);
    app.sam.send("Utilities are $750").await;
    assert_eq!(
        settle(&app, &id, "accept", None).await.failure().0,
        409,
        "by a later turn, too"
    );
}

#[tokio::test]
async fn two_proposals_for_one_field_end_with_the_first_that_is_accepted() {
    let app = TestApp::spawn().await;
    let first = proposed(&app, "My rent is about $4,200", RENT, 4200).await;
    let second = proposed(&app, "Or rent is about $4,400", RENT, 4400).await;
    assert_eq!(settle(&app, &second, "accept", None).await.status, 200);
    assert_snapshot!(settle(&app, &first, "accept", None).await.refusal(), @"409 CONFLICT: This value is decided already.");
    assert_eq!(app.sam.held(RENT).await.0, 440_000);
}

#[tokio::test]
async fn a_proposal_can_start_a_plan_without_inputs() {
    let app = TestApp::spawn().await;
    app.llm.script([sets(RENT, 4200, "tentative"), says("Shall I?")]);
    let turn = app.taylor.send("My rent is about $4,200").await;
    assert_eq!(app.taylor.get_plan().await["financialInputs"], Value::Null);
    let path = app.taylor.path(&format!(
        "/conversation/extractions/{}/accept",
        turn.value()["id"].as_str().unwrap()
    ));
    assert_eq!(app.taylor.post_nothing(&path).await.status, 200);
    assert_eq!(app.taylor.held(RENT).await, (420_000.into(), "ai_populated".into()));
}

#[tokio::test]
async fn only_proposals_of_this_plan_can_be_settled() {
    let app = TestApp::spawn().await;
    let id = proposed(&app, "My rent is about $4,200", RENT, 4200).await;
    let path = app.riley.path(&format!("/conversation/extractions/{id}/accept"));
    assert_snapshot!(app.riley.post_nothing(&path).await.refusal(), @"404 NOT_FOUND: The value does not exist.");
    let path = app.sam.path(&format!("/conversation/extractions/{id}/accept"));
    assert_snapshot!(app.riley.post_nothing(&path).await.refusal(), @"403 FORBIDDEN: This plan belongs to somebody else.");
    assert_snapshot!(settle(&app, "7", "accept", None).await.refusal(), @r#"
    400 VALIDATION_ERROR: The request has 1 error.
    {"field":"extraction_id","message":"must be a UUID"}
    "#);
    assert_snapshot!(settle(&app, &uuid::Uuid::now_v7().to_string(), "dismiss", None).await.refusal(), @"404 NOT_FOUND: The value does not exist.");
}

#[tokio::test]
async fn a_field_the_franchisee_changed_meanwhile_is_proposed_and_not_overwritten() {
    let app = TestApp::spawn().await;
    let gate = Gate::new();
    app.llm.script([
        sets(RENT, 4200, "high").sets("operatingCosts.utilitiesMonthly", 700, "high"),
        says("I've noted ").wait(&gate).says("both."),
    ]);
    let mut stream = app.sam.open("My rent is $4,200 and utilities are $700").await;
    stream.until("noted").await;
    app.sam.set(RENT, 480_000).await;
    gate.open();

    let turn = stream.rest().await;

    let lines: Vec<String> = turn.values().iter().map(describe).collect();
    assert_snapshot!(lines.join("\n"), @"
    operatingCosts.rentMonthly 450000 → 420000, high, proposed | “My rent is $4,200 and utilities are $700 | note: You changed this value while I was answering, so I left yours in place.
    operatingCosts.utilitiesMonthly 95000 → 70000, high, applied | “My rent is $4,200 and utilities are $700
    ");
    assert_eq!(app.sam.held(RENT).await, (480_000.into(), "user_entry".into()));
    assert_eq!(
        app.sam.held("operatingCosts.utilitiesMonthly").await,
        (70_000.into(), "ai_populated".into())
    );
    let id = turn.values()[0]["id"].as_str().unwrap();
    assert_eq!(
        settle(&app, id, "accept", None).await.status,
        200,
        "it can still be taken"
    );
    assert_eq!(app.sam.held(RENT).await.0, 420_000);
}
