//! Stopping on purpose.

use crate::instances::acquainted;
use crate::support::transcript::Listening;
use crate::support::{Client, Freezer, Gate, TestApp, eventually, says, sets};
use diesel_async::SimpleAsyncConnection;
use plan_advisor::store::Conn;
use plan_model::ids::PlanId;
use serde_json::{Value, json};

const RENT: &str = "operatingCosts.rentMonthly";

#[tokio::test]
async fn a_stopped_turn_keeps_its_text_and_applies_nothing() {
    let app = TestApp::spawn().await;
    app.llm.script([
        sets("operatingCosts.rentMonthly", 4200, "high"),
        says("I've noted").hang(),
    ]);
    let mut stream = app.sam.open("My rent is $4,200").await;
    stream.until("noted").await;

    app.sam.cancel().await;
    app.llm.client_gone().await;

    let turn = stream.rest().await;
    assert_eq!((turn.error(), turn.text().as_str()), (("STOPPED", false), "I've noted"));
    let history = app.sam.history().await;
    assert_eq!(
        (&history[0]["content"], &history[1]["content"]),
        (&json!("My rent is $4,200"), &json!("I've noted"))
    );
    assert_eq!(
        (&history[0]["stopped"], &history[1]["stopped"]),
        (&Value::Null, &json!(true))
    );
    assert_eq!(history[1]["extractedValues"], Value::Null);
    assert_eq!(
        app.sam.held("operatingCosts.rentMonthly").await,
        (450_000.into(), "brand_default".into())
    );
    assert!(app.sam.changes().await.is_empty());
    let prompt = app.sam.prompts().await.swap_remove(0);
    assert_eq!(
        (&prompt["state"], &prompt["output"]),
        (&json!("stopped"), &json!("I've noted"))
    );
    assert_eq!(prompt["usage"]["estimated"], true);
    assert_eq!(
        app.sam.conversation().await["meta"]["totalTokensUsed"],
        prompt["usage"]["totalTokens"]
    );
}

#[tokio::test]
async fn stopped_before_any_text_the_history_is_unchanged() {
    let app = TestApp::spawn().await;
    let gate = Gate::new();
    app.llm.script([says("Never heard.").wait_before_head(&gate)]);
    let mut stream = app.sam.open("Hello").await;
    stream.opened().await;
    gate.reached(1).await;

    app.sam.cancel().await;

    assert_eq!(stream.rest().await.error(), ("STOPPED", false));
    app.llm.client_gone().await;
    assert_eq!(app.sam.conversation().await["data"], json!([]));
    assert_eq!(app.sam.prompts().await[0]["state"], "stopped");
}

#[tokio::test]
async fn stopping_what_does_not_run_is_fine() {
    let app = TestApp::spawn().await;
    app.llm.script([says("Hello.")]);
    app.sam.cancel().await;
    app.sam.send("Hello").await;
    app.sam.cancel().await;
    assert_eq!(app.sam.history().await.len(), 2);
}

#[tokio::test]
async fn after_a_stop_the_conversation_goes_on_with_what_was_said() {
    let app = TestApp::spawn().await;
    app.llm.script([says("I was going to").hang(), says("Rent it is.")]);
    let mut stream = app.sam.open("Tell me everything").await;
    stream.until("going").await;
    app.sam.cancel().await;
    stream.rest().await;

    let turn = app.sam.send("Just the rent").await;

    assert_eq!(turn.text(), "Rent it is.");
    let messages = app.llm.requests().pop().unwrap()["messages"].clone();
    assert_eq!(messages[2]["content"], "I was going to");
}

#[tokio::test]
async fn a_stopped_turn_is_replayed_under_its_key_not_run_again() {
    let app = TestApp::spawn().await;
    app.llm.script([says("I was").hang()]);
    let mut stream = app.sam.post_with_key("Hello", "k1").await.stream();
    stream.until("I was").await;
    app.sam.cancel().await;
    let stopped = stream.rest().await;

    let again = app.sam.post_with_key("Hello", "k1").await.stream().rest().await;

    assert_eq!(
        (again.text(), again.error(), again.id()),
        ("I was".into(), ("STOPPED", false), stopped.id())
    );
    assert_eq!(app.llm.request_count(), 1);
}

#[tokio::test]
async fn many_stops_at_once_stop_once() {
    let app = TestApp::spawn().await;
    app.llm.script([says("I was").hang()]);
    let mut stream = app.sam.open("Hello").await;
    stream.until("I was").await;
    futures_util::future::join_all((0..10).map(|_| app.sam.cancel())).await;
    assert_eq!(stream.rest().await.error().0, "STOPPED");
    assert_eq!(app.sam.history().await.len(), 2);
}

/// Holds the row of sam's plan.
async fn hold_plan(app: &TestApp) -> Conn {
    let mut lock = app.database.open().await;
    let held = format!("BEGIN; SELECT FROM plans WHERE id = '{}' FOR UPDATE", app.sam.plan);
    lock.batch_execute(&held).await.unwrap();
    lock
}

/// A turn with a value whose commit waits for the plan, which is held.
async fn blocked(app: &TestApp) -> (Listening, Conn) {
    let gate = Gate::new();
    app.llm
        .script([sets(RENT, 4200, "high"), says("I've noted").wait(&gate).says(" it.")]);
    let mut stream = app.sam.open("My rent is $4,200").await;
    stream.until("noted").await;
    let lock = hold_plan(app).await;
    gate.open();
    stream.until("it.").await;
    eventually("the commit waits", async || {
        let waits =
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";
        app.database.count(waits).await > 0
    })
    .await;
    (stream, lock)
}

async fn nothing_is_applied(app: &TestApp) {
    assert_eq!(app.sam.held(RENT).await, (450_000.into(), "brand_default".into()));
    assert!(app.sam.changes().await.is_empty());
}

#[tokio::test]
async fn a_stop_wins_over_a_commit_that_waits_for_a_lock() {
    let app = TestApp::spawn().await;
    app.llm.script([says("Hello.")]);
    app.sam.send("Hello").await;
    let (stream, mut lock) = blocked(&app).await;

    app.sam.cancel().await;

    assert_eq!(stream.rest().await.error(), ("STOPPED", false));
    lock.batch_execute("COMMIT").await.unwrap();
    nothing_is_applied(&app).await;
    assert_eq!(app.sam.history().await[3]["stopped"], true);
}

/// The first message of a conversation refers to its plan anew, so that even the end of the turn waits.
async fn told_that_it_is_stopping(app: &TestApp, sam: &Client) {
    let (stream, mut lock) = blocked(app).await;

    let reply = sam.try_cancel().await;

    assert_eq!((reply.status, reply.data()), (202, json!({"state": "stopping"})));
    lock.batch_execute("COMMIT").await.unwrap();
    assert_eq!(stream.rest().await.error(), ("STOPPED", false));
    nothing_is_applied(app).await;
    assert_eq!(app.sam.history().await[1]["stopped"], true);
    sam.cancel().await;
}

#[tokio::test]
async fn a_turn_that_cannot_end_in_two_seconds_is_stopping() {
    let app = TestApp::spawn().await;
    told_that_it_is_stopping(&app, &app.sam).await;
}

#[tokio::test]
async fn a_turn_of_another_instance_that_cannot_end_in_two_seconds_is_stopping() {
    let app = TestApp::spawn().await;
    let sibling = app.sibling().await;
    acquainted(&app, &sibling).await;
    told_that_it_is_stopping(&app, &app.sam.at(&sibling)).await;
}

async fn stop_is_noted(app: &TestApp) {
    let live = &app.main.state.conversations.engine().live;
    eventually("the stop is noted", async || {
        live.of_plan(PlanId(app.sam.plan))
            .is_none_or(|log| log.stop.is_cancelled())
    })
    .await;
}

/// An answer whose commit is under way: executed, and held back before it is committed.
async fn committing(freezer: &Freezer) -> (TestApp, Listening) {
    let app = TestApp::builder().config(freezer.between()).spawn().await;
    app.llm.script([says("Hello."), says("An answer.")]);
    app.sam.send("Hello").await;
    freezer.hold_commit_of("An answer.");
    let stream = app.sam.open("How are you?").await;
    let executed = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND state = 'active' AND wait_event = 'ClientRead'";
    eventually("it is executed", async || app.database.count(executed).await == 1).await;
    (app, stream)
}

#[tokio::test]
async fn a_stop_that_comes_after_the_commit_is_told_the_answer() {
    let freezer = Freezer::start().await;
    let (app, stream) = committing(&freezer).await;
    let (reply, ()) = tokio::join!(app.sam.try_cancel(), async {
        stop_is_noted(&app).await;
        freezer.release_commit();
    });

    assert_eq!(reply.failure(), (409, "CONFLICT".to_owned()));
    let turn = stream.rest().await;
    assert_eq!(&reply.json()["error"]["details"], &json!([turn.done()]));
    assert_eq!(app.sam.history().await.len(), 4);
}

#[tokio::test]
async fn a_stop_wins_over_a_commit_that_got_lost_with_its_connection() {
    let freezer = Freezer::start().await;
    let (app, stream) = committing(&freezer).await;
    let (reply, ()) = tokio::join!(app.sam.try_cancel(), async {
        stop_is_noted(&app).await;
        app.database
            .run("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND state = 'active' AND wait_event = 'ClientRead'")
            .await;
    });

    assert_eq!(reply.status, 204, "{}", reply.text);
    assert_eq!(stream.rest().await.error(), ("STOPPED", false));
    assert_eq!(app.sam.history().await[3]["stopped"], true);
}

#[tokio::test]
async fn a_commit_that_had_happened_is_told_to_a_stop_and_to_readers() {
    let app = TestApp::spawn().await;
    let (stream, mut lock) = blocked(&app).await;
    // As a commit does whose reply got lost with its connection.
    app.database
        .run(
            "UPDATE prompts SET state = 'completed', output = 'I''ve noted it.', completed_at = now(), \
             ending = jsonb_build_object('type', 'done', 'turnId', id) WHERE state = 'running'",
        )
        .await;

    let reply = app.sam.try_cancel().await;

    assert_eq!(reply.failure(), (409, "CONFLICT".to_owned()));
    assert_eq!(reply.json()["error"]["details"][0]["type"], "done");
    assert_eq!(stream.rest().await.done()["fullResponse"], "I've noted it.");
    lock.batch_execute("COMMIT").await.unwrap();
}
