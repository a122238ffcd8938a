//! An erasure that meets a turn, or fails in the middle: all of it or nothing.

use super::erasure::erase;
use super::{said, talked};
use crate::support::{TestApp, eventually, says};
use diesel_async::SimpleAsyncConnection;
use insta::assert_snapshot;

/// How many statements of the app wait for a lock.
const WAITING: &str =
    "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";

async fn waiting(app: &TestApp, count: i64) {
    eventually("statements wait", async || app.database.count(WAITING).await >= count).await;
}

fn erasing(app: &TestApp) -> tokio::task::JoinHandle<crate::support::Reply> {
    let sam = app.sam.clone();
    tokio::spawn(async move { erase(&sam).await })
}

#[tokio::test]
async fn a_turn_that_starts_during_the_erasure_begins_behind_it() {
    let app = TestApp::spawn().await;
    talked(&app).await;
    app.llm.script([says("Good evening.")]);
    let mut holder = app.database.open().await;
    holder
        .batch_execute("BEGIN; SELECT FROM extractions FOR UPDATE")
        .await
        .unwrap();
    let erasing = erasing(&app);
    waiting(&app, 1).await;
    let sam = app.sam.clone();
    let turn = tokio::spawn(async move { sam.send("Good evening to you").await });
    waiting(&app, 2).await;
    holder.batch_execute("COMMIT").await.unwrap();

    assert_eq!(erasing.await.unwrap().status, 204);
    assert_eq!(turn.await.unwrap().text(), "Good evening.");
    assert_eq!(said(&app.database).await, [] as [&str; 0]);
    let texts = app.sam.said().await;
    assert_eq!((texts[5].1.as_str(), texts[6].1.as_str()), ("", "Good evening to you"));
    let request = app.llm.requests().pop().expect("a request").to_string();
    assert!(!request.contains("Frieda"));
}

#[tokio::test]
async fn an_erasure_waits_for_a_claim_that_is_on_its_way_and_then_erases_nothing() {
    let app = TestApp::spawn().await;
    talked(&app).await;
    let before = said(&app.database).await;
    let mut claiming = app.database.open().await;
    let claim = format!(
        "BEGIN; INSERT INTO prompts (id, plan_id, user_id, actor_id, model, state, input, owner, lease_until) \
         SELECT gen_random_uuid(), '{}', '{1}', '{1}', 'm', 'running', 'Hello', gen_random_uuid(), now() + interval '30 s'",
        app.sam.plan, app.sam.id
    );
    claiming.batch_execute(&claim).await.unwrap();
    let erasing = erasing(&app);
    waiting(&app, 1).await;
    claiming.batch_execute("COMMIT").await.unwrap();

    assert_eq!(erasing.await.unwrap().failure(), (409, "TURN_IN_PROGRESS".to_owned()));
    assert_eq!(said(&app.database).await, before);
}

#[tokio::test]
async fn a_failed_turn_that_is_run_again_in_the_middle_stops_the_erasure() {
    let app = TestApp::spawn().await;
    talked(&app).await;
    let before = said(&app.database).await;
    let mut rerunning = app.database.open().await;
    rerunning
        .batch_execute(
            "BEGIN; UPDATE prompts SET state = 'running', lease_until = now() + interval '30 s' WHERE state = 'failed'",
        )
        .await
        .unwrap();
    let erasing = erasing(&app);
    waiting(&app, 1).await;
    rerunning.batch_execute("COMMIT").await.unwrap();

    assert_snapshot!(erasing.await.unwrap().refusal(), @r#"
    409 TURN_IN_PROGRESS: The advisor is still answering the message before this one.
    {"turnId":"[id]"}
    "#);
    assert_eq!(said(&app.database).await, before);
    assert_eq!(app.sam.said().await[0].1, "Hello from Frieda");
}

#[tokio::test]
async fn an_erasure_that_fails_in_the_middle_or_at_its_commit_has_erased_nothing() {
    let app = TestApp::spawn().await;
    talked(&app).await;
    let before = said(&app.database).await;
    app.database
        .run("CREATE FUNCTION broken() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'broken'; END $$")
        .await;
    for (make, drop) in [
        (
            "CREATE TRIGGER broken BEFORE UPDATE ON extractions FOR EACH ROW EXECUTE FUNCTION broken()",
            "DROP TRIGGER broken ON extractions",
        ),
        (
            "CREATE CONSTRAINT TRIGGER broken AFTER INSERT ON audit_events DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION broken()",
            "DROP TRIGGER broken ON audit_events",
        ),
    ] {
        app.database.run(make).await;
        assert_eq!(
            erase(&app.sam).await.failure(),
            (500, "INTERNAL_ERROR".to_owned()),
            "{make}"
        );
        assert_eq!(said(&app.database).await, before, "{make}");
        app.database.run(drop).await;
    }
    assert_eq!(erase(&app.sam).await.status, 204);
    assert_eq!(said(&app.database).await, [] as [&str; 0]);
}
