//! Requests that meet at a bad moment: between the claim of a turn and its start, or behind the back of a running turn.

use crate::admin::begin;
use crate::confirmation::asks_to_reset;
use crate::support::client::Streamed;
use crate::support::{Client, Gate, TestApp, eventually, refuses, says, sets};
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

/// A turn of sam's under the key `k`, sent by `who`, that has failed.
async fn failed(who: &Client) {
    let turn = who.post_with_key("Hello", "k").await.stream().rest().await;
    assert_eq!(turn.error().0, "LLM_UNAVAILABLE");
}

/// Sends it again while `lock` holds what a request needs that looks for running turns, which then goes on with `work`: no turn runs
/// until that is done. Returns what the second attempt came to.
async fn sent_again_beside(app: &TestApp, who: &Client, lock: &str, work: &str) -> Streamed {
    failed(who).await;
    let mut other = app.database.open().await;
    other.batch_execute(&format!("BEGIN; {lock}")).await.unwrap();
    let again = tokio::spawn({
        let who = who.clone();
        async move { who.post_with_key("Hello", "k").await }
    });
    eventually("the attempt waits or runs", async || {
        again.is_finished() || app.database.count(WAITING).await > 0
    })
    .await;
    let running = "SELECT count(*) FROM prompts WHERE state = 'running'";
    assert_eq!(app.database.count(running).await, 0, "as a new turn it waits");
    other.batch_execute(&format!("{work}; COMMIT")).await.unwrap();
    again.await.unwrap()
}

#[tokio::test]
async fn a_turn_that_is_run_again_waits_for_a_clearing_or_a_confirmation() {
    let app = TestApp::spawn().await;
    app.llm.script([refuses(400), says("Here I am.")]);
    let lock = format!("SELECT FROM plans WHERE id = '{}' FOR UPDATE", app.sam.plan);
    let turn = sent_again_beside(&app, &app.sam, &lock, "SELECT")
        .await
        .stream()
        .rest()
        .await;
    assert_eq!(turn.text(), "Here I am.");
}

#[tokio::test]
async fn a_turn_whose_plan_is_being_deleted_is_not_run_again() {
    let app = TestApp::spawn().await;
    app.llm.script([refuses(400)]);
    let id = app.sam.plan;
    let lock = format!("SELECT FROM plans WHERE id = '{id}' FOR UPDATE");
    let work = format!("DELETE FROM plans WHERE id = '{id}'");
    let refused = sent_again_beside(&app, &app.sam, &lock, &work).await.reply();
    assert_snapshot!(refused.refusal(), @"404 NOT_FOUND: It does not exist any more.");
}

#[tokio::test]
async fn a_turn_whose_sender_is_being_removed_is_not_run_again() {
    let app = TestApp::spawn().await;
    app.llm.script([refuses(400)]);
    let (acting, _) = begin(&app, &app.sam, "edit").await;
    let lock = format!("SELECT FROM users WHERE id = '{}' FOR UPDATE", app.admin.id);
    let work = format!("DELETE FROM users WHERE id = '{}'", app.admin.id);
    let refused = sent_again_beside(&app, &acting, &lock, &work).await.reply();
    assert_snapshot!(refused.refusal(), @"404 NOT_FOUND: It does not exist any more.");
}

#[tokio::test]
async fn a_message_to_a_plan_that_is_being_deleted_finds_none() {
    let app = TestApp::spawn().await;
    let mut deleting = app.database.open().await;
    let delete = format!("BEGIN; DELETE FROM plans WHERE id = '{}'", app.sam.plan);
    deleting.batch_execute(&delete).await.unwrap();
    let asking = tokio::spawn({
        let sam = app.sam.clone();
        async move { sam.post_message("Hello", &[]).await }
    });
    eventually("the claim waits", async || app.database.count(WAITING).await > 0).await;
    deleting.batch_execute("COMMIT").await.unwrap();
    assert_snapshot!(asking.await.unwrap().reply().refusal(), @"404 NOT_FOUND: It does not exist any more.");
}

/// Clears, deletes or confirms while a turn runs that was sent again.
#[tokio::test]
async fn a_turn_that_runs_again_is_a_running_turn_for_everybody() {
    let app = TestApp::spawn().await;
    let gate = Gate::new();
    app.llm.script([refuses(400), says("Here").wait(&gate).says(" I am.")]);
    failed(&app.sam).await;
    let mut stream = app.sam.post_with_key("Hello", "k").await.stream();
    stream.until("Here").await;
    for path in ["/conversation", ""] {
        let refused = app.sam.delete(&app.sam.path(path)).await;
        assert_eq!(refused.failure(), (409, "TURN_IN_PROGRESS".to_owned()));
    }
    gate.open();
    assert_eq!(stream.rest().await.text(), "Here I am.");
}
