//! Values the franchisee decides about: accepted, corrected, dismissed, supersede. Once each.

use crate::support::{Gate, Reply, TestApp, calls, describe, says, sets};
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

/// Three open proposals of Sam's: ids in the order they were said.
async fn three(app: &TestApp) -> Vec<String> {
    let mut ids = Vec::new();
    for (message, path, value) in [
        ("My rent is about $4,200", RENT, json!(4200)),
        ("labor maybe 31 percent", "operatingCosts.laborPct", json!(31)),
        ("insurance perhaps $310", "operatingCosts.insuranceMonthly", json!(310)),
    ] {
        ids.push(proposed(app, message, path, value).await);
    }
    ids
}

async fn resolve(app: &TestApp, body: Value) -> Reply {
    app.sam.post(&app.sam.path("/proposals/resolve"), &body).await
}

async fn open(app: &TestApp) -> Vec<String> {
    let list = app.sam.get(&app.sam.path("/proposals")).await.data();
    let ids = list.as_array().expect("a list").iter();
    ids.map(|one| one["id"].as_str().expect("an id").to_owned()).collect()
}

#[tokio::test]
async fn open_proposals_of_a_plan_are_listed_oldest_first() {
    let app = TestApp::spawn().await;
    assert!(open(&app).await.is_empty());
    let ids = three(&app).await;
    let list = app.sam.get(&app.sam.path("/proposals")).await.data();
    assert_eq!(open(&app).await, ids);
    let first = &list[0];
    assert_eq!(
        (
            &first["field"],
            &first["label"],
            &first["kind"],
            &first["value"],
            &first["previousValue"]
        ),
        (
            &json!(RENT),
            &json!("Rent per month"),
            &json!("money"),
            &json!(420_000),
            &json!(450_000)
        )
    );
    assert_eq!(
        (&first["noteCode"], &first["author"]),
        (&json!("model_unsure"), &Value::Null)
    );
    assert!(first["turnId"].is_string() && first["at"].is_string() && first["rangeCode"].is_null());
    assert_eq!(app.riley.get(&app.sam.path("/proposals")).await.failure().0, 403);
}

#[tokio::test]
async fn proposals_are_settled_together_in_one_group_with_one_undo() {
    let app = TestApp::spawn().await;
    let ids = three(&app).await;

    let reply = resolve(&app, json!({"accept": [ids[0], ids[2]], "dismiss": [ids[1]]})).await;

    let data = reply.data();
    let statuses: Vec<_> = data["extractedValues"]
        .as_array()
        .expect("values")
        .iter()
        .map(|one| one["status"].clone())
        .collect();
    assert_eq!(statuses, ["accepted", "accepted", "dismissed"]);
    assert!(
        !data["updatedOutputs"]["changes"]
            .as_array()
            .expect("changes")
            .is_empty()
    );
    assert!(open(&app).await.is_empty());
    assert_eq!(app.sam.held(RENT).await.0, 420_000);
    assert_eq!(app.sam.held("operatingCosts.insuranceMonthly").await.0, 31_000);
    let changes = app.sam.changes().await;
    assert_eq!(changes.len(), 2);
    let undone = app
        .sam
        .post(&app.sam.path("/changes/undo"), &json!({"changeId": changes[0]["id"]}))
        .await
        .data();
    assert_eq!(undone["returned"].as_array().map(Vec::len), Some(2));
    assert_eq!(app.sam.held(RENT).await.1, "brand_default");
}

#[tokio::test]
async fn of_decisions_of_which_one_fails_none_is_made() {
    let app = TestApp::spawn().await;
    let ids = three(&app).await;
    assert_eq!(settle(&app, &ids[1], "dismiss", None).await.status, 200);

    let settled = resolve(&app, json!({"accept": ids})).await;

    assert_eq!(settled.failure(), (409, "CONFLICT".into()));
    assert_eq!(settled.json()["error"]["details"], json!([{"id": ids[1]}]));
    let unknown = uuid::Uuid::now_v7();
    assert_eq!(
        resolve(&app, json!({"accept": [ids[0], unknown]})).await.failure().0,
        404
    );
    for wrong in [
        json!({}),
        json!({"accept": [], "dismiss": []}),
        json!({"accept": [ids[0], ids[0]]}),
        json!({"accept": [ids[0]], "dismiss": [ids[0]]}),
        json!({"accept": ["x"]}),
        json!({"take": [ids[0]]}),
    ] {
        assert_eq!(
            resolve(&app, wrong.clone()).await.failure(),
            (400, "VALIDATION_ERROR".into()),
            "{wrong}"
        );
    }
    let second = proposed(&app, "or the rent is about $4,300", RENT, 4300).await;
    let both = resolve(&app, json!({"accept": [ids[0], second]})).await;
    assert_eq!(both.failure().0, 400);
    assert_eq!(app.sam.held(RENT).await.1, "brand_default");
    assert_eq!(open(&app).await.len(), 3);
}

#[tokio::test]
async fn a_model_drops_what_is_declined_by_field_and_nothing_else() {
    let app = TestApp::spawn().await;
    let ids = three(&app).await;
    app.llm.script([
        calls("dismiss_proposals", json!({"fields": ["insuranceMonthly"]})),
        calls("dismiss_proposals", json!({"fields": ["the moon"]})),
        says("Dropped."),
    ]);

    let turn = app.sam.send("forget what I said of the policy, we have no quote").await;

    assert_eq!(open(&app).await, ids[..2]);
    let dropped: Vec<_> = turn.values().iter().map(|one| (&one["id"], &one["status"])).collect();
    assert_eq!(dropped, [(&json!(ids[2]), &json!("dismissed"))]);
    let results = app.llm.requests().pop().expect("a request")["messages"].to_string();
    assert!(results.contains("There is no field"), "{results}");
    assert_eq!(app.sam.get_plan().await["version"], 1, "nothing was written");
}
