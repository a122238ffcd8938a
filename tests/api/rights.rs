//! Rights that end while a turn runs, or while a tab is open.

use crate::admin::begin;
use crate::support::{Client, Gate, TestApp, eventually, says, sets};
use insta::assert_snapshot;
use plan_model::clock::Clock;
use serde_json::json;
use time::{Duration, OffsetDateTime};
use uuid::Uuid;

const RENT: &str = "operatingCosts.rentMonthly";

/// Starts a turn that has extracted a value and waits before its end.
async fn started(app: &TestApp, who: &Client, gate: &Gate) -> Uuid {
    app.llm
        .script([sets(RENT, 4200, "high"), says("I've noted").wait(gate).says(" it.")]);
    let body = json!({"message": "My rent is $4,200"});
    let request = who
        .request(reqwest::Method::POST, &who.path("/conversation"))
        .json(&body);
    let reply = who.fetch(request.header("prefer", "respond-async")).await;
    let turn = reply.data()["turnId"].as_str().unwrap().parse().unwrap();
    gate.reached(1).await;
    turn
}

/// Ends an administrator's impersonation in some way while their turn runs: nothing of the turn is stored.
async fn refused_after(end: impl AsyncFnOnce(&TestApp, &Client)) {
    let app = TestApp::spawn().await;
    let (acting, _) = begin(&app, &app.sam, "edit").await;
    let gate = Gate::new();
    let turn = started(&app, &acting, &gate).await;
    end(&app, &acting).await;
    gate.open();
    assert_eq!(ended(&app, turn).await, "failed FORBIDDEN false");
    nothing_was_written(&app).await;
}

/// How a turn ended: state, code, and whether it may be sent again.
async fn ended(app: &TestApp, turn: Uuid) -> String {
    let query = format!(
        "SELECT state || ' ' || coalesce(error_code, '-') || ' ' || coalesce(ending ->> 'retryable', '-') \
         FROM prompts WHERE id = '{turn}' AND state <> 'running'"
    );
    eventually("the turn has ended", async || {
        app.database.value(&query).await.is_some()
    })
    .await;
    app.database.value(&query).await.unwrap()
}

/// Nothing of the turn is in sam's plan or history.
async fn nothing_was_written(app: &TestApp) {
    assert_eq!(app.sam.held(RENT).await, (450_000.into(), "brand_default".into()));
    assert!(app.sam.changes().await.is_empty() && app.sam.history().await.is_empty());
    assert_eq!(app.database.count("SELECT count(*) FROM extractions").await, 0);
}

#[tokio::test]
async fn a_role_that_is_revoked_in_mid_turn_refuses_its_values() {
    let app = TestApp::spawn().await;
    let gate = Gate::new();
    let turn = started(&app, &app.admin.on_plan(app.sam.plan), &gate).await;
    app.database
        .run(&format!(
            "UPDATE users SET role = 'franchisee' WHERE id = '{}'",
            app.admin.id
        ))
        .await;
    gate.open();
    assert_eq!(ended(&app, turn).await, "failed FORBIDDEN false");
    nothing_was_written(&app).await;
}

#[tokio::test]
async fn an_answer_without_values_is_refused_as_well() {
    let app = TestApp::spawn().await;
    let gate = Gate::new();
    app.llm.script([says("Private").wait(&gate).says(" matters.")]);
    let mut stream = app.admin.on_plan(app.sam.plan).open("What is the rent?").await;
    stream.until("Private").await;
    app.database
        .run(&format!(
            "UPDATE users SET role = 'franchisee' WHERE id = '{}'",
            app.admin.id
        ))
        .await;
    gate.open();
    assert_eq!(ended(&app, stream.turn()).await, "failed FORBIDDEN false");
    nothing_was_written(&app).await;
}

#[tokio::test]
async fn an_impersonation_that_is_ended_in_mid_turn_refuses_its_values() {
    refused_after(async |_, acting| {
        assert_eq!(acting.delete("/api/admin/impersonation").await.status, 204);
    })
    .await;
}

#[tokio::test]
async fn an_impersonation_that_expires_in_mid_turn_refuses_its_values() {
    refused_after(async |app, _| {
        app.database
            .run("UPDATE sessions SET data = jsonb_set(data, '{impersonation,terms,expiresAt}', '\"2020-01-01T00:00:00Z\"') WHERE data ? 'impersonation'")
            .await;
    })
    .await;
}

/// Somebody loses the right to write in sam's plan while their turn runs; the turn is stopped then. What was said of it stays on the
/// turn only.
async fn stopped_after(app: &TestApp, writer: &Client, end: &str, stopper: &Client) {
    let gate = Gate::new();
    app.llm.script([says("Private").wait(&gate)]);
    let mut stream = writer.open("What is the rent?").await;
    stream.until("Private").await;
    app.database.run(end).await;

    stopper.cancel().await;

    let turn = stream.turn();
    assert_eq!(ended(app, turn).await, "stopped STOPPED false");
    assert!(app.sam.history().await.is_empty() && stopper.history().await.is_empty());
    let kept = format!("SELECT input || ' ' || output FROM prompts WHERE id = '{turn}'");
    assert_eq!(
        app.database.value(&kept).await.as_deref(),
        Some("What is the rent? Private")
    );
    drop(stream);
}

#[tokio::test]
async fn a_turn_that_is_stopped_when_the_impersonation_is_over_is_not_in_the_history() {
    for end in [
        "DELETE FROM sessions WHERE data ? 'impersonation'",
        "UPDATE sessions SET data = jsonb_set(data, '{impersonation,terms,expiresAt}', '\"2020-01-01T00:00:00Z\"') WHERE data ? 'impersonation'",
        "UPDATE users SET disabled_at = now() WHERE email = 'admin@demo.test'",
    ] {
        let app = TestApp::spawn().await;
        let (acting, _) = begin(&app, &app.sam, "edit").await;
        stopped_after(&app, &acting, end, &app.sam).await;
    }
}

#[tokio::test]
async fn a_turn_that_is_stopped_when_the_role_is_revoked_is_not_in_the_history() {
    let app = TestApp::spawn().await;
    let end = "UPDATE users SET role = 'franchisee' WHERE email = 'admin@demo.test'";
    stopped_after(&app, &app.admin.on_plan(app.sam.plan), end, &app.sam).await;
}

#[tokio::test]
async fn a_turn_that_is_stopped_when_the_plan_has_another_owner_is_not_in_the_history() {
    let app = TestApp::spawn().await;
    let end = format!(
        "UPDATE plans SET user_id = '{}' WHERE id = '{}'",
        app.riley.id, app.sam.plan
    );
    let gate = Gate::new();
    app.llm.script([says("Private").wait(&gate)]);
    let mut stream = app.sam.open("What is the rent?").await;
    stream.until("Private").await;
    app.database.run(&end).await;
    let riley = app.riley.on_plan(app.sam.plan);
    riley.cancel().await;
    assert_eq!(ended(&app, stream.turn()).await, "stopped STOPPED false");
    assert!(riley.history().await.is_empty());
}

#[tokio::test]
async fn an_impersonation_that_lasts_writes_in_both_names() {
    let app = TestApp::spawn().await;
    let (acting, _) = begin(&app, &app.sam, "edit").await;
    let gate = Gate::new();
    let turn = started(&app, &acting, &gate).await;
    gate.open();
    assert_eq!(ended(&app, turn).await, "completed - -");
    assert_eq!(app.sam.held(RENT).await, (420_000.into(), "ai_populated".into()));
    let change = acting.changes().await.remove(0);
    assert_eq!(
        (&change["actor"]["email"], &change["effectiveUser"]["email"]),
        (&json!("admin@demo.test"), &json!("sam@demo.test"))
    );
}

#[tokio::test]
async fn an_administrators_own_turn_is_stored_and_so_is_that_of_a_user_who_has_signed_out() {
    let app = TestApp::spawn().await;
    let gate = Gate::new();
    let turn = started(&app, &app.admin.on_plan(app.sam.plan), &gate).await;
    assert_eq!(app.admin.post_nothing("/api/auth/logout-everywhere").await.status, 204);
    gate.open();
    assert_eq!(ended(&app, turn).await, "completed - -");
    assert_eq!(app.sam.held(RENT).await, (420_000.into(), "ai_populated".into()));
}

#[tokio::test]
async fn a_tab_that_was_only_looking_writes_nothing_when_its_hour_is_over() {
    let app = TestApp::builder()
        .clock(Clock::manual(OffsetDateTime::now_utc()))
        .spawn()
        .await;
    let (stale, _) = begin(&app, &app.sam, "read").await;
    app.clock().advance(Duration::minutes(61));
    let rent = json!({ RENT: 1 });

    let refused = stale.patch(&stale.path("/financial-inputs"), &rent).await;
    assert_snapshot!(refused.refusal(), @"403 FORBIDDEN: Your time to act for somebody is over. Load the page again to go on in your own name.");
    assert!(refused.text.contains("over"), "{}", refused.text);
    let sent = stale.post_message("My rent is $4,200", &[]).await.reply();
    assert_snapshot!(sent.refusal(), @"403 FORBIDDEN: Your time to act for somebody is over. Load the page again to go on in your own name.");
    nothing_was_written(&app).await;

    // A page that loads again asks who is signed in, and goes on in the administrator's own name.
    assert_eq!(
        stale.get("/api/auth/me").await.data()["effectiveUser"]["email"],
        "admin@demo.test"
    );
    let own = stale.patch(&stale.path("/financial-inputs"), &rent).await;
    assert_eq!(own.status, 200, "{}", own.text);
    assert_eq!(
        app.database
            .count("SELECT count(*) FROM audit_events WHERE kind = 'impersonation_ended'")
            .await,
        1
    );
}
