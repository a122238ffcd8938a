//! `propose_value`: whatever an assistant says that the person has said waits for the person.

use super::{ALL, Assistant, RENT, TALK, waiting, world};
use crate::support::{audited, redacted, shown};
use insta::assert_snapshot;
use serde_json::{Value, json};

fn rent(plan: uuid::Uuid, value: impl Into<Value>) -> Value {
    json!({"planId": plan, "path": RENT, "value": value.into(), "unit": "dollars", "period": "monthly", "quote": "my rent is $4,200 a month"})
}

#[tokio::test]
async fn a_proposal_is_shown_as_the_assistants_and_the_person_takes_it_and_takes_it_back() {
    let app = world().await;
    let assistant = Assistant::of(&app.sam, TALK).await;
    let before = app.sam.get_plan().await;

    let proposed = assistant.read("propose_value", rent(app.sam.plan, 4200)).await;
    assert_snapshot!(shown(&proposed), @r#"{"field":"operatingCosts.rentMonthly","id":"[id]","label":"Rent per month","next":"The plan has not changed. The person takes or drops what waits on the page, or in their own words to the advisor.","note":"Nobody knows whether the person said so: it waits for their word.","noteCode":"not_said","number":420000,"previous":"$4,500","range":{"high":"$7,000","kind":"item7","low":"$3,000"},"status":"proposed","value":"$4,200"}"#);
    assert_eq!(app.sam.get_plan().await, before);

    let listed = waiting(&app.sam).await;
    assert_snapshot!(shown(&listed), @r#"- {"at":"[time]","author":{"displayName":"assistant (Claude)","id":"[id]","isAssistant":true,"role":"franchisee"},"evidence":"my rent is $4,200 a month","field":"operatingCosts.rentMonthly","id":"[id]","kind":"money","label":"Rent per month","noteCode":"not_said","previousValue":450000,"rangeCode":null,"turnId":null,"value":420000}"#);
    let accepted = app
        .sam
        .post(
            &app.sam.path("/proposals/resolve"),
            &json!({"accept": [proposed["id"]]}),
        )
        .await
        .data();
    assert_eq!(accepted["extractedValues"][0]["status"], "accepted");
    assert_eq!(app.sam.held(RENT).await, (json!(420_000), "ai_populated".to_owned()));
    let changes = app.sam.changes().await;
    assert_snapshot!(audited(&changes), @"operatingCosts.rentMonthly 450000 → 420000, ai_populated, accept by user | sam@demo.test");
    assert_eq!(
        changes[0]["evidence"],
        "assistant (Claude): “my rent is $4,200 a month”"
    );

    let change = &accepted["extractedValues"][0]["changeId"];
    let undone = app
        .sam
        .post(&app.sam.path("/changes/undo"), &json!({ "changeId": change }))
        .await;
    assert_eq!(undone.status, 200, "{}", undone.text);
    assert_eq!(app.sam.held(RENT).await, (json!(450_000), "brand_default".to_owned()));
    let audit = "SELECT kind || ' ' || calls FROM audit_events WHERE kind LIKE 'mcp.%'";
    assert_eq!(
        app.database.values(audit).await,
        [Some("mcp.propose_value 1".to_owned())]
    );
}

#[tokio::test]
async fn a_repeated_call_proposes_once_and_another_value_takes_the_place_of_the_first() {
    let app = world().await;
    let assistant = Assistant::of(&app.sam, TALK).await;
    let first = assistant.read("propose_value", rent(app.sam.plan, 4200)).await;
    let calls = (0..6).map(|_| assistant.read("propose_value", rent(app.sam.plan, 4200)));
    for again in futures_util::future::join_all(calls).await {
        assert_eq!(again, first);
    }
    let second = assistant.read("propose_value", rent(app.sam.plan, 4300)).await;
    let other = Assistant::with(&app.sam, &json!({"name": "Copilot", "scopes": ALL})).await;
    other.read("propose_value", rent(app.sam.plan, 4400)).await;
    let listed: Vec<Value> = waiting(&app.sam).await.iter().map(|one| one["value"].clone()).collect();
    assert_eq!(listed, [430_000, 440_000], "each assistant has one");
    assert_ne!(first["id"], second["id"]);
    // What the person enters ends them all.
    app.sam.set(RENT, 410_000).await;
    assert_eq!(waiting(&app.sam).await.len(), 0);
    assert_snapshot!(shown(assistant.read("propose_value", rent(app.sam.plan, 4100)).await), @r#"{"field":"operatingCosts.rentMonthly","label":"Rent per month","next":"The plan holds this value already.","number":410000,"previous":"$4,100","range":{"high":"$7,000","kind":"item7","low":"$3,000"},"status":"unchanged","value":"$4,100"}"#);
    assert_eq!(waiting(&app.sam).await.len(), 0);
}

#[tokio::test]
async fn the_page_sees_at_once_that_something_waits() {
    let app = world().await;
    app.llm.script([crate::support::says("Hello.")]);
    app.sam.send("Hi").await;
    let assistant = Assistant::of(&app.sam, TALK).await;
    let tag = async || {
        app.sam
            .get(&app.sam.path("/conversation"))
            .await
            .header("etag")
            .unwrap()
            .to_owned()
    };
    let before = tag().await;
    assistant.read("propose_value", rent(app.sam.plan, 4200)).await;
    assert_ne!(tag().await, before);
}

#[tokio::test]
async fn what_is_no_value_of_a_plan_is_refused_and_what_cannot_stand_in_one_waits_for_a_correction() {
    let app = world().await;
    let assistant = Assistant::of(&app.sam, TALK).await;
    let plan = app.sam.plan;
    let refusal = async |change: Value| {
        let mut arguments = rent(plan, 4200);
        for (name, value) in change.as_object().unwrap() {
            arguments[name] = value.clone();
        }
        assistant.refusal("propose_value", arguments).await
    };
    assert_snapshot!(refusal(json!({"quote": "  "})).await, @"The request has 1 error. `quote` must have the person's own words with the number, 1 to 500 characters.");
    assert_snapshot!(refusal(json!({"quote": "x".repeat(501)})).await, @"The request has 1 error. `quote` must have the person's own words with the number, 1 to 500 characters.");
    assert_snapshot!(refusal(json!({"path": "rant"})).await, @"There is no field `rant` in this plan. Did you mean `startupCosts.loanFees`?");
    assert_snapshot!(refusal(json!({"value": "many"})).await, @"The value must be one number, such as 4200 or \"4,200.50\".");
    assert_snapshot!(refusal(json!({"value": 1e300})).await, @"The value is too large to be an amount of a plan.");
    assert_snapshot!(refusal(json!({"unit": "months"})).await, @"Rent per month is not counted in months. Use the unit and the period of the user's words, or leave them out.");
    assert_snapshot!(refusal(json!({"write": true})).await, @"The arguments are not valid: unknown field `write`, expected one of `field`, `path`, `value`, `unit`, `period. Send one JSON object with path, value and confidence.");
    assert_eq!(waiting(&app.sam).await.len(), 0);

    let odd = json!({"planId": plan, "path": "operatingCosts.royaltyPct", "value": 600, "unit": "percent", "quote": "royalty is 600%"});
    let proposed = assistant.read("propose_value", odd).await;
    assert_eq!(proposed["noteCode"], "out_of_bounds");
    let accepted = app
        .sam
        .post(
            &app.sam.path("/proposals/resolve"),
            &json!({"accept": [proposed["id"]]}),
        )
        .await;
    assert_eq!(accepted.status, 400, "{}", accepted.text);
}

#[tokio::test]
async fn erasing_words_takes_an_assistants_quotes_along() {
    let app = world().await;
    let assistant = Assistant::of(&app.sam, TALK).await;
    assistant.read("propose_value", rent(app.sam.plan, 4200)).await;
    app.sam.post_nothing(&app.sam.path("/conversation/erase")).await;
    let left = waiting(&app.sam).await;
    assert_eq!(
        (left.len(), &left[0]["evidence"]),
        (1, &Value::Null),
        "{}",
        redacted(&left[0])
    );
}
