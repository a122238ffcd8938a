//! Requests that meet at a bad moment: between the claim of a turn and its start, or behind the back of a running turn.

use crate::confirmation::asks_to_reset;
use crate::support::{Client, Gate, TestApp, eventually, says, sets};
use diesel_async::SimpleAsyncConnection;
use insta::assert_snapshot;
use serde_json::json;
use uuid::Uuid;

const RENT: &str = "operatingCosts.rentMonthly";

/// How many statements of the app wait for a lock.
const WAITING: &str =
    "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";

/// A claim that has not committed.
fn claim(person: &Client, turn: Uuid) -> String {
    format!(
        "BEGIN; INSERT INTO prompts (id, plan_id, user_id, actor_id, model, state, input, owner, lease_until) \
         VALUES ('{turn}', '{plan}', '{id}', '{id}', 'm', 'running', 'Hello', '{turn}', now() + interval '30 seconds')",
        plan = person.plan,
        id = person.id,
    )
}

#[tokio::test]
async fn clearing_waits_for_a_claim_that_is_on_its_way() {
    let app = TestApp::spawn().await;
    app.llm.script([says("Noted.")]);
    app.sam.send("Hello").await;
    let turn = Uuid::now_v7();
    let mut claiming = app.database.open().await;
    claiming.batch_execute(&claim(&app.sam, turn)).await.unwrap();

    let clearing = tokio::spawn({
        let sam = app.sam.clone();
        async move { sam.delete(&sam.path("/conversation")).await }
    });
    eventually("the clearing waits or is over", async || {
        clearing.is_finished() || app.database.count(WAITING).await > 0
    })
    .await;
    claiming.batch_execute("COMMIT").await.unwrap();

    assert_snapshot!(clearing.await.unwrap().refusal(), @r#"
    409 TURN_IN_PROGRESS: The advisor is still answering the message before this one.
    {"turnId":"[id]"}
    "#);
    assert_eq!(app.sam.history().await.len(), 2);
}

#[tokio::test]
async fn a_confirmation_waits_for_a_claim_that_is_on_its_way() {
    let app = TestApp::spawn().await;
    let asked = asks_to_reset(&app, &[RENT]).await;
    let turn = Uuid::now_v7();
    let mut claiming = app.database.open().await;
    claiming.batch_execute(&claim(&app.riley, turn)).await.unwrap();

    let confirming = tokio::spawn({
        let riley = app.riley.clone();
        let body = json!({"id": asked["id"], "decision": "approve"});
        async move { riley.post(&riley.path("/conversation/confirmation"), &body).await }
    });
    eventually("the confirmation waits or is over", async || {
        confirming.is_finished() || app.database.count(WAITING).await > 0
    })
    .await;
    claiming.batch_execute("COMMIT").await.unwrap();

    assert_snapshot!(confirming.await.unwrap().refusal(), @r#"
    409 TURN_IN_PROGRESS: The advisor is still answering the message before this one.
    {"turnId":"[id]"}
    "#);
    assert_eq!(app.riley.held(RENT).await.0, 520_000);
}

#[tokio::test]
async fn a_value_that_was_changed_and_changed_back_while_the_turn_ran_is_left_alone() {
    let app = TestApp::spawn().await;
    let gate = Gate::new();
    app.llm
        .script([sets(RENT, 4200, "high"), says("I've noted").wait(&gate).says(" it.")]);
    let mut stream = app.sam.open("My rent is $4,200").await;
    stream.until("noted").await;
    app.sam.set(RENT, 500_000).await;
    let change = app.sam.changes().await.remove(0);
    let undo = format!("/changes/{}/undo", change["id"].as_str().unwrap());
    assert_eq!(app.sam.post_nothing(&app.sam.path(&undo)).await.status, 200);
    gate.open();

    let turn = stream.rest().await;
    let value = &turn.done()["extractedValues"][0];
    assert_eq!(
        (&value["status"], &value["noteCode"]),
        (&json!("proposed"), &json!("changed_meanwhile"))
    );
    assert_eq!(app.sam.held(RENT).await, (450_000.into(), "brand_default".into()));
}

#[tokio::test]
async fn a_stop_between_claim_and_start_stops_the_turn() {
    let app = TestApp::spawn().await;
    // The stop may come before the model is asked.
    app.llm.always(says("I was").hang());
    // The claim is stored and its answer waits.
    let mut lock = app.database.open().await;
    lock.batch_execute("BEGIN; LOCK TABLE pending_actions IN ACCESS EXCLUSIVE MODE")
        .await
        .unwrap();
    let asking = tokio::spawn({
        let sam = app.sam.clone();
        async move { sam.open("Hello").await }
    });
    eventually("the turn is claimed", async || {
        app.database.count("SELECT count(*) FROM prompts").await == 1
    })
    .await;
    let stopping = tokio::spawn({
        let sam = app.sam.clone();
        async move { sam.cancel().await }
    });
    eventually("the stop is stored", async || {
        app.database
            .count("SELECT count(*) FROM prompts WHERE cancel_requested")
            .await
            == 1
    })
    .await;
    lock.batch_execute("COMMIT").await.unwrap();

    assert_eq!(asking.await.unwrap().rest().await.error(), ("STOPPED", false));
    stopping.await.unwrap();
}
