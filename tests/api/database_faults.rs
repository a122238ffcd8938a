//! Connections that are dead without being closed, servers that accept no writes, pools that are used up.

use crate::support::{Freezer, Gate, TestApp, eventually, on_server, says};
use diesel_async::SimpleAsyncConnection;
use futures_util::future::join_all;
use insta::assert_snapshot;
use plan_advisor::store::StoreError;
use serde_json::json;
use std::time::{Duration, Instant};

/// Sends requests at once, so that every connection of the pool is used; returns their statuses.
async fn crowd(app: &TestApp) -> Vec<u16> {
    join_all((0..8).map(|_| async { app.sam.get(&app.sam.path("")).await.status })).await
}

#[tokio::test]
async fn full_service_is_back_in_seconds_though_old_connections_stay_silent() {
    let freezer = Freezer::start().await;
    let app = TestApp::builder().config(freezer.between()).spawn().await;
    assert_eq!(crowd(&app).await, [200; 8]);

    freezer.silence_open_connections();
    let since = Instant::now();
    let mut last_refused = since;
    while last_refused.elapsed() < Duration::from_millis(500) {
        if crowd(&app).await.iter().any(|status| *status != 200) {
            last_refused = Instant::now();
        }
        assert!(since.elapsed() < Duration::from_secs(10), "no end in sight");
    }
    let took = last_refused - since;
    assert!(took <= Duration::from_secs(5), "{took:?}");
    assert_eq!(app.sam.get("/readyz").await.status, 200);
}

#[tokio::test]
async fn one_client_alone_does_not_have_to_meet_every_dead_connection() {
    let freezer = Freezer::start().await;
    let app = TestApp::builder().config(freezer.between()).spawn().await;
    assert_eq!(crowd(&app).await, [200; 8]);

    freezer.silence_open_connections();
    let since = Instant::now();
    let mut refused = 0;
    while app.sam.get(&app.sam.path("")).await.status != 200 {
        refused += 1;
    }
    assert!(since.elapsed() <= Duration::from_secs(5), "{:?}", since.elapsed());
    assert!(refused <= 1, "{refused} of eight dead connections cost a request");
}

#[tokio::test]
async fn readiness_answers_at_once_while_the_database_is_silent() {
    let freezer = Freezer::start().await;
    let app = TestApp::builder().config(freezer.between()).spawn().await;
    eventually("ready", async || app.sam.get("/readyz").await.status == 200).await;

    freezer.silence_everything();
    eventually("not ready", async || {
        let asked = Instant::now();
        let status = app.sam.get("/readyz").await.status;
        assert!(asked.elapsed() < Duration::from_secs(1), "{:?}", asked.elapsed());
        status == 503
    })
    .await;
    freezer.silence_open_connections();
    eventually("ready again", async || app.sam.get("/readyz").await.status == 200).await;
}

#[tokio::test]
async fn a_server_that_accepts_no_writes_is_unavailable_and_not_ready() {
    let app = TestApp::builder().past_pooler().spawn().await;
    let read_only = "DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET default_transaction_read_only = on', \
                     current_database()); END $$";
    app.database.run(read_only).await;
    app.database.close().await;
    app.database.reopen().await;

    eventually("not ready", async || app.sam.get("/readyz").await.status == 503).await;
    let edit = json!({"operatingCosts.rentMonthly": 430_000});
    let refused = app.sam.patch(&app.sam.path("/financial-inputs"), &edit).await;
    assert_snapshot!(refused.refusal(), @"503 UNAVAILABLE: The service is not available right now. Try again in a moment.");

    app.database.allow_writes().await;
    eventually("ready", async || app.sam.get("/readyz").await.status == 200).await;
    app.sam.set("operatingCosts.rentMonthly", 430_000).await;
}

#[tokio::test]
async fn a_connection_that_turned_read_only_leaves_the_pool() {
    let app = TestApp::builder()
        .past_pooler()
        .config(|config| config.database.pool_size = 1)
        .spawn()
        .await;
    let db = app.main.state.db.clone();
    let refused = on_server(async move {
        let mut conn = db.conn().await.expect("a connection");
        let demoted = "SET SESSION CHARACTERISTICS AS TRANSACTION READ ONLY";
        conn.batch_execute(demoted).await.expect("set");
        let write = conn.batch_execute("UPDATE users SET display_name = display_name").await;
        StoreError::from(write.expect_err("it is read-only"))
    })
    .await;
    assert!(refused.is_transient(), "{refused:?}");
    app.sam.set("operatingCosts.rentMonthly", 430_000).await;
}

#[tokio::test]
async fn a_lease_is_renewed_while_the_pool_is_used_up() {
    let app = TestApp::spawn().await;
    let gate = Gate::new();
    app.llm.script([says("One").wait(&gate).says(" two.")]);
    let mut stream = app.sam.open("Count").await;
    stream.until("One").await;
    let db = app.main.state.db.clone();
    let (release, released) = tokio::sync::oneshot::channel::<()>();
    let held = tokio::spawn(on_server(async move {
        let conns = join_all((0..8).map(|_| db.conn())).await;
        let _ = released.await;
        conns.iter().filter(|conn| conn.is_ok()).count()
    }));
    eventually("the pool is used up", async || app.main.state.db.in_use() == 8).await;
    app.database
        .run("UPDATE prompts SET lease_until = now() + interval '15 seconds' WHERE state = 'running'")
        .await;

    let renewed =
        "SELECT count(*) FROM prompts WHERE state = 'running' AND lease_until > now() + interval '16 seconds'";
    eventually("the lease is renewed", async || app.database.count(renewed).await == 1).await;

    let _ = release.send(());
    assert_eq!(held.await.expect("held"), 8);
    gate.open();
    assert_eq!(stream.rest().await.text(), "One two.");
}

/// PostgreSQL may send a row and then not commit what it says: if its session is ended in between.
const END_UNCOMMITTED: &str = "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity \
    WHERE datname = current_database() AND state = 'active' AND wait_event = 'ClientRead'";

/// A server with one connection, on which all statements of a turn are prepared.
async fn prepared(freezer: &Freezer) -> TestApp {
    let app = TestApp::builder()
        .config(freezer.between())
        .config(|config| config.database.pool_size = 1)
        .spawn()
        .await;
    app.llm.script([says("Hello.")]);
    app.sam.send("Hello").await;
    app
}

async fn end_uncommitted(app: &TestApp) {
    eventually("the session is ended", async || {
        app.database.count(END_UNCOMMITTED).await == 1
    })
    .await;
}

#[tokio::test]
async fn a_claim_that_was_not_committed_is_no_turn() {
    let freezer = Freezer::start().await;
    let app = prepared(&freezer).await;
    freezer.hold_commit_of("How are you?");
    let (answer, ()) = tokio::join!(app.sam.post_with_key("How are you?", "again"), end_uncommitted(&app));
    assert_snapshot!(answer.reply().refusal(), @"503 UNAVAILABLE: The service is not available right now. Try again in a moment.");

    app.llm.script([says("Well.")]);
    let turn = app
        .sam
        .post_with_key("How are you?", "again")
        .await
        .stream()
        .rest()
        .await;
    assert_eq!(turn.text(), "Well.");
}

#[tokio::test]
async fn an_answer_that_was_not_committed_is_committed_again() {
    let freezer = Freezer::start().await;
    let app = prepared(&freezer).await;
    app.llm.script([says("An answer.")]);
    freezer.hold_commit_of("An answer.");
    let (turn, ()) = tokio::join!(app.sam.send("How are you?"), end_uncommitted(&app));
    assert_eq!(turn.text(), "An answer.");
    assert_eq!(app.sam.settled_prompt().await["state"], "completed");
    assert_eq!(app.sam.history().await.len(), 4);
}
