//! Editing the last message, or asking for another answer: the new turn takes the place of the old one as it is stored.

use crate::support::{Answer, Gate, TestApp, answer, calls, refuses, says, sets};
use insta::assert_snapshot;
use serde_json::{Value, json};
use uuid::Uuid;

const RENT: &str = "operatingCosts.rentMonthly";
const UTILITIES: &str = "operatingCosts.utilitiesMonthly";

fn brand_default() -> (Value, String) {
    (450_000.into(), "brand_default".into())
}

/// The turn in which the rent became $4,200.
async fn with_rent(app: &TestApp) -> Uuid {
    app.llm.script([sets(RENT, 4200, "high"), says("Noted.")]);
    let turn = app.sam.send("My rent is $4,200").await;
    assert_eq!(turn.value()["status"], "applied", "{turn}");
    turn.done()["turnId"].as_str().unwrap().parse().unwrap()
}

fn texts(said: &[(String, String)]) -> Vec<&str> {
    said.iter().map(|(_, text)| text.as_str()).collect()
}

#[tokio::test]
async fn an_edited_message_takes_the_place_of_the_old_one() {
    let app = TestApp::spawn().await;
    app.llm.script([says("Hello.")]);
    app.sam.send("Hi").await;
    let old = with_rent(&app).await;
    app.llm.script([sets(UTILITIES, 700, "high"), says("Utilities, then.")]);

    let turn = app
        .sam
        .replace(old, "Utilities are $700 a month", None)
        .await
        .stream()
        .rest()
        .await;

    assert_eq!(turn.value()["status"], "applied", "{turn}");
    assert_eq!(app.sam.held(RENT).await, brand_default());
    assert_eq!(app.sam.held(UTILITIES).await, (70_000.into(), "ai_populated".into()));
    let said = app.sam.said().await;
    assert_eq!(
        texts(&said),
        ["Hi", "Hello.", "Utilities are $700 a month", "Utilities, then."]
    );
    let reasons: Vec<_> = app
        .sam
        .changes()
        .await
        .iter()
        .map(|change| change["reason"].clone())
        .collect();
    assert_eq!(reasons, ["turn", "undo", "turn"], "the audit keeps everything");
    let missing = turn.done()["missingFields"].as_array().unwrap();
    assert!(
        missing.contains(&json!(RENT)) && !missing.contains(&json!(UTILITIES)),
        "{missing:?}"
    );
    assert_eq!(app.sam.prompts().await.len(), 3, "the old prompt stays");
}

#[tokio::test]
async fn the_model_sees_conversation_and_plan_as_they_will_be() {
    let app = TestApp::spawn().await;
    let old = with_rent(&app).await;
    app.llm.script([calls("get_projection", json!({})), says("Hello.")]);

    app.sam.replace(old, "Hello", None).await.stream().rest().await;

    for request in app.llm.requests().split_off(2) {
        let request = request.to_string();
        assert!(
            !request.contains("is $4,200") && !request.contains("| $4,200") && !request.contains("Noted."),
            "{request:.300}"
        );
    }
    let said = app.sam.said().await;
    assert_eq!(texts(&said), ["Hello", "Hello."]);
    // What the next turn sees comes from the same rows.
    app.llm.script([says("Yes.")]);
    app.sam.send("Still there?").await;
    let request = app.llm.requests().pop().unwrap().to_string();
    assert!(
        request.contains("Hello.") && !request.contains("is $4,200") && !request.contains("| $4,200"),
        "{request:.300}"
    );
}

#[tokio::test]
async fn an_answer_asked_for_again_counts_once_and_is_undone_to_what_was_before() {
    let app = TestApp::spawn().await;
    let old = with_rent(&app).await;
    app.llm.script([sets(RENT, 4200, "high"), says("Noted again.")]);

    let turn = app
        .sam
        .replace(old, "My rent is $4,200", None)
        .await
        .stream()
        .rest()
        .await;

    assert_eq!(turn.value()["previousValue"], 450_000);
    assert_eq!(app.sam.held(RENT).await, (420_000.into(), "ai_populated".into()));
    let said = app.sam.said().await;
    assert_eq!(texts(&said), ["My rent is $4,200", "Noted again."]);
    let undone = app
        .sam
        .post(
            &app.sam.path("/changes/undo"),
            &json!({"turnId": turn.done()["turnId"]}),
        )
        .await;
    assert_eq!(undone.status, 200, "{undone:?}");
    assert_eq!(
        app.sam.held(RENT).await,
        brand_default(),
        "and not to the old answer's value"
    );
}

#[tokio::test]
async fn open_proposals_go_and_accepted_ones_are_taken_back() {
    let app = TestApp::spawn().await;
    app.llm.script([
        answer().sets(RENT, 4200, "tentative").sets(UTILITIES, 700, "tentative"),
        says("Shall I?"),
        says("Nothing, then."),
    ]);
    let turn = app.sam.send("Rent is about $4,200 and utilities about $700").await;
    let values = turn.done()["extractedValues"].clone();
    let id = |nth: usize| values[nth]["id"].as_str().unwrap();
    let accept = app.sam.path(&format!("/conversation/extractions/{}/accept", id(0)));
    assert_eq!(app.sam.post_nothing(&accept).await.status, 200);
    assert_eq!(app.sam.held(RENT).await.0, 420_000);
    let old = turn.done()["turnId"].as_str().unwrap().parse().unwrap();

    app.sam.replace(old, "Never mind", None).await.stream().rest().await;

    assert_eq!(app.sam.held(RENT).await, brand_default());
    let accept = app.sam.path(&format!("/conversation/extractions/{}/accept", id(1)));
    assert_eq!(app.sam.post_nothing(&accept).await.failure().0, 409, "it was dismissed");
    assert!(
        app.sam.get_plan().await["proposals"]
            .as_array()
            .is_none_or(Vec::is_empty)
    );
}

#[tokio::test]
async fn what_somebody_has_changed_since_stays() {
    let app = TestApp::spawn().await;
    let old = with_rent(&app).await;
    app.sam.set(RENT, 510_000).await;
    app.llm.script([says("Hello.")]);

    app.sam.replace(old, "Hello", None).await.stream().rest().await;

    assert_eq!(app.sam.held(RENT).await, (510_000.into(), "user_entry".into()));
}

#[tokio::test]
async fn a_turn_that_fails_or_is_stopped_changes_nothing() {
    let app = TestApp::spawn().await;
    let old = with_rent(&app).await;
    app.llm.script([refuses(400)]);
    let failed = app.sam.replace(old, "Hello", None).await.stream().rest().await;
    assert_eq!(failed.error().0, "LLM_UNAVAILABLE", "{failed}");
    assert_eq!(texts(&app.sam.said().await), ["My rent is $4,200", "Noted."]);
    assert_eq!(app.sam.held(RENT).await.0, 420_000);

    let gate = Gate::new();
    app.llm.script([answer().says("Hel").wait(&gate)]);
    let mut listening = app.sam.replace(old, "Hello", None).await.stream();
    listening.until("Hel").await;
    app.sam.cancel().await;
    assert_eq!(listening.rest().await.error().0, "STOPPED");
    let said = app.sam.said().await;
    assert_eq!(
        texts(&said),
        ["My rent is $4,200", "Noted.", "Hello", "Hel"],
        "nothing is lost"
    );
    assert_eq!(app.sam.held(RENT).await.0, 420_000);
}

#[tokio::test]
async fn only_the_newest_stored_turn_can_be_replaced() {
    let app = TestApp::spawn().await;
    let old = with_rent(&app).await;
    app.llm.script([says("Hello.")]);
    let newest = app.sam.send("Hi").await.done()["turnId"]
        .as_str()
        .unwrap()
        .parse()
        .unwrap();
    for turn in [old, Uuid::now_v7()] {
        let reply = app.sam.replace(turn, "Hello", None).await.reply();
        assert_eq!(reply.failure(), (409, "CONFLICT".to_owned()));
    }
    let elsewhere = app.riley.replace(newest, "Hello", None).await.reply();
    assert_eq!(elsewhere.failure(), (409, "CONFLICT".to_owned()), "another plan's turn");
    let path = app.sam.path("/conversation");
    let bad = app
        .sam
        .post(&path, &json!({"message": "Hi", "replaces": "the last one"}))
        .await;
    assert_eq!(bad.failure(), (400, "VALIDATION_ERROR".to_owned()));
    assert_eq!(app.sam.prompts().await.len(), 2, "what is refused leaves no trace");
}

#[tokio::test]
async fn the_same_request_twice_is_one_turn_and_another_under_its_key_is_refused() {
    let app = TestApp::spawn().await;
    let old = with_rent(&app).await;
    app.llm.script([refuses(400), says("Hello.")]);
    app.sam.replace(old, "Hello", Some("k")).await.stream().rest().await;
    let again = app.sam.replace(old, "Hello", Some("k")).await.stream().rest().await;
    assert_eq!(
        again.done()["fullResponse"],
        "Hello.",
        "the second attempt replaces, too"
    );
    assert_eq!(texts(&app.sam.said().await), ["Hello", "Hello."]);

    let replayed = app.sam.replace(old, "Hello", Some("k")).await.stream().rest().await;
    assert_eq!(replayed.done()["turnId"], again.done()["turnId"]);
    let without = app.sam.post_with_key("Hello", "k").await.reply();
    assert_snapshot!(without.refusal(), @"422 IDEMPOTENCY_KEY_REUSED: This idempotency key was used for another message.");
    assert_eq!(texts(&app.sam.said().await), ["Hello", "Hello."]);
}

#[tokio::test]
async fn a_question_of_the_replaced_turn_is_not_answered_by_a_yes() {
    let app = TestApp::spawn().await;
    with_rent(&app).await;
    app.llm.script([
        calls("reset_fields_to_defaults", json!({"fields": [RENT]})),
        says("Yes what?"),
    ]);
    let asked = app.sam.send("Reset my rent please").await;
    assert!(asked.done()["pendingConfirmation"]["id"].is_string(), "{asked}");
    let old = asked.done()["turnId"].as_str().unwrap().parse().unwrap();

    let turn = app.sam.replace(old, "yes", None).await.stream().rest().await;

    assert_eq!(turn.done()["fullResponse"], "Yes what?");
    assert_eq!(app.sam.held(RENT).await.0, 420_000);
    let pending = app.sam.get(&app.sam.path("/conversation/confirmation")).await;
    assert_eq!(pending.data(), Value::Null, "nothing waits any more");
}

#[tokio::test]
async fn undo_that_does_not_reach_for_the_replaced_turn() {
    let app = TestApp::spawn().await;
    app.sam.set(UTILITIES, 70_000).await;
    let old = with_rent(&app).await;
    app.llm.script([calls("undo_last_change", json!({})), says("Undone.")]);

    app.sam.replace(old, "Undo that", None).await.stream().rest().await;

    assert_eq!(app.sam.held(RENT).await, brand_default());
    assert_eq!(
        app.sam.held(UTILITIES).await.1,
        "brand_default",
        "the change before was meant"
    );
}

#[tokio::test]
async fn a_yes_that_was_carried_out_can_be_replaced_like_any_turn() {
    let app = TestApp::spawn().await;
    with_rent(&app).await;
    app.llm.script([
        calls("reset_fields_to_defaults", json!({"fields": [RENT]})),
        says("Kept."),
    ]);
    app.sam.send("Reset my rent please").await;
    let yes = app.sam.send("yes").await;
    assert_eq!(app.sam.held(RENT).await, brand_default());
    let old = yes.done()["turnId"].as_str().unwrap().parse().unwrap();

    app.sam.replace(old, "Rather not", None).await.stream().rest().await;

    assert_eq!(app.sam.held(RENT).await.0, 420_000);
}

/// The turn in which sam's model saved a scenario `Cheap` with this rent.
async fn with_scenario(app: &TestApp, dollars: i64) -> Uuid {
    app.llm.script([cheap(dollars), says("Kept.")]);
    let turn = app.sam.send("Save a scenario Cheap").await;
    assert_eq!(turn.done()["scenarioSaved"]["name"], "Cheap", "{turn}");
    turn.done()["turnId"].as_str().unwrap().parse().unwrap()
}

fn cheap(dollars: i64) -> Answer {
    let changes = json!([{"path": "rentMonthly", "value": dollars}]);
    calls("save_scenario", json!({"name": "Cheap", "changes": changes}))
}

/// Name and rent of sam's scenarios.
async fn scenarios(app: &TestApp) -> Vec<(Value, Value)> {
    let listed = app.sam.get(&app.sam.path("/scenarios")).await.data();
    let each = listed.as_array().unwrap().iter();
    each.map(|one| (one["name"].clone(), one["overrides"][RENT].clone()))
        .collect()
}

#[tokio::test]
async fn a_scenario_of_the_replaced_turn_makes_place_for_the_new_one() {
    let app = TestApp::spawn().await;
    let old = with_scenario(&app, 3000).await;
    app.llm
        .script([calls("compare_scenarios", json!({})), cheap(3500), says("Kept again.")]);

    let turn = app.sam.replace(old, "Save a scenario Cheap with $3,500", None).await;

    let turn = turn.stream().rest().await;
    assert_eq!(turn.done()["scenarioSaved"]["name"], "Cheap", "{turn}");
    assert_eq!(scenarios(&app).await, [(json!("Cheap"), json!(350_000))]);
    let last = app.llm.requests().pop().unwrap()["messages"].to_string();
    assert!(
        last.contains("The plan has no scenarios.") && last.contains("will_save"),
        "{last}"
    );
}

#[tokio::test]
async fn a_scenario_of_the_replaced_turn_goes_with_it() {
    let app = TestApp::spawn().await;
    let old = with_scenario(&app, 3000).await;
    app.llm.script([refuses(400), says("Hello.")]);
    app.sam.replace(old, "Hello", None).await.stream().rest().await;
    assert_eq!(scenarios(&app).await.len(), 1, "a turn that fails changes nothing");
    app.sam.replace(old, "Hello", None).await.stream().rest().await;
    assert!(scenarios(&app).await.is_empty());
}

#[tokio::test]
async fn a_scenario_that_somebody_has_changed_since_stays() {
    let app = TestApp::spawn().await;
    let old = with_scenario(&app, 3000).await;
    let id = app.sam.get(&app.sam.path("/scenarios")).await.data()[0]["id"].clone();
    let path = app.sam.path(&format!("/scenarios/{}", id.as_str().unwrap()));
    assert_eq!(app.sam.put(&path, &json!({"overrides": {RENT: 1}})).await.status, 200);
    app.llm.script([says("Hello.")]);
    app.sam.replace(old, "Hello", None).await.stream().rest().await;
    assert_eq!(scenarios(&app).await, [(json!("Cheap"), json!(1))]);
}
