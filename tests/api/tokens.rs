//! Personal access tokens: making them, and what a program may do with one.

use crate::support::{Client, Reply, TestApp, eventually, says, sets, shown};
use insta::assert_snapshot;
use plan_model::clock::Clock;
use serde_json::{Value, json};
use time::{Duration, OffsetDateTime};
use uuid::Uuid;

mod headers;
mod making;
mod requests;
mod streams;

const ADDRESS: &str = "/api/me/tokens";
const RENT: &str = "operatingCosts.rentMonthly";
const ALL: &[&str] = &["read", "chat", "write"];

/// What the server answers to the owner of a new token.
async fn make(owner: &Client, body: &Value) -> Value {
    let reply = owner.post(ADDRESS, body).await;
    assert_eq!(reply.status, 201, "{}", reply.text);
    reply.data()
}

/// A program with a token of this person, and no cookie.
async fn program(owner: &Client, scopes: &[&str]) -> Client {
    let made = make(owner, &json!({"name": "A program", "scopes": scopes})).await;
    with(owner, &made)
}

fn with(owner: &Client, made: &Value) -> Client {
    let mut program = owner.clone();
    program.token = made["secret"].as_str().map(str::to_owned);
    program.cookie = None;
    program
}

/// Refused for what it brings, whatever that is.
#[track_caller]
fn is_no_token(reply: &Reply, what: &str) {
    assert_eq!(reply.failure(), (401, "UNAUTHENTICATED".to_owned()), "{what}");
    assert_eq!(
        reply.header("www-authenticate"),
        Some("Bearer error=\"invalid_token\""),
        "{what}"
    );
    assert_eq!(reply.header("set-cookie"), None, "{what}");
}

#[tokio::test]
async fn a_program_reads_talks_and_writes_in_its_owners_name() {
    let app = TestApp::spawn().await;
    app.llm.script([sets(RENT, 4200, "high"), says("I've noted it.")]);
    let program = program(&app.sam, ALL).await;

    let turn = program.send("My rent is $4,200").await;
    assert_eq!(turn.value()["status"], "applied");
    program.set(RENT, 430_000).await;

    assert_eq!(app.sam.held(RENT).await, (json!(430_000), "user_entry".to_owned()));
    let changes = app.sam.changes().await;
    assert_eq!(changes.len(), 2);
    for change in changes {
        assert_eq!(
            (&change["actor"]["email"], &change["effectiveUser"]["email"]),
            (&json!("sam@demo.test"), &json!("sam@demo.test"))
        );
    }
    assert_eq!(app.sam.history().await.len(), 2);
    assert_eq!(program.get("/api/plans").await.header("set-cookie"), None);
    assert_snapshot!(program.get("/api/auth/me").await.refusal(), @"403 FORBIDDEN: No access token may do this. Sign in for it.");
}

#[tokio::test]
async fn the_secret_is_shown_once_and_stored_nowhere() {
    let app = TestApp::spawn().await;
    let body = json!({"name": "  Nightly\u{200b}\n report ", "scopes": ["write", "read"], "planId": app.sam.plan, "expiresInDays": 30});
    let mut made = make(&app.sam, &body).await;

    let secret = made["secret"].take();
    let secret = secret.as_str().expect("a secret");
    let id: Uuid = made["id"].as_str().and_then(|id| id.parse().ok()).expect("an id");
    assert_eq!(
        secret.strip_prefix(&format!("pat_{}_", id.simple())).map(str::len),
        Some(43)
    );
    assert_eq!(made["planId"], json!(app.sam.plan));
    let listed = app.sam.get(ADDRESS).await;
    made.as_object_mut().expect("an object").remove("secret");
    assert_snapshot!(shown(&made), @r#"{"createdAt":"[time]","expiresAt":"[time]","id":"[id]","lastUsedOn":null,"name":"Nightly report","planId":"[id]","scopes":["read","write"]}"#);
    assert_eq!(listed.data(), json!([made]));
    let everything = "SELECT string_agg(row_to_json(t)::text, ' ') || (SELECT string_agg(row_to_json(e)::text, ' ') FROM audit_events e) FROM access_tokens t";
    let stored = app.database.value(everything).await.expect("rows");
    assert!(
        stored.contains("token_created") && stored.contains("Nightly report"),
        "{stored}"
    );
    assert!(!stored.contains(&secret[37..]), "{stored}");
    let lasts = "SELECT extract(day FROM expires_at - created_at)::bigint FROM access_tokens";
    assert_eq!(app.database.count(lasts).await, 30);
    make(&app.riley, &json!({"name": "R", "scopes": ["read"]})).await;
    assert_eq!(app.database.count(&format!("{lasts} WHERE name = 'R'")).await, 90);
}

#[tokio::test]
async fn a_revoked_token_is_dead_at_once_and_only_its_owner_revokes_it() {
    let app = TestApp::spawn().await;
    let made = make(&app.sam, &json!({"name": "Phone", "scopes": ["read"]})).await;
    let (program, path) = (
        with(&app.sam, &made),
        format!("{ADDRESS}/{}", made["id"].as_str().unwrap()),
    );
    for other in [&app.riley, &app.admin] {
        assert_eq!(other.delete(&path).await.failure(), (404, "NOT_FOUND".to_owned()));
    }
    assert_snapshot!(app.sam.delete(&format!("{ADDRESS}/mine")).await.refusal(), @r#"
    400 VALIDATION_ERROR: The request has 1 error.
    {"field":"id","message":"must be a UUID"}
    "#);
    assert_snapshot!(program.delete(&path).await.refusal(), @"403 FORBIDDEN: No access token may do this. Sign in for it.");
    assert_eq!(program.get("/api/plans").await.status, 200);

    assert_eq!(app.sam.delete(&path).await.status, 204);

    is_no_token(&program.get("/api/plans").await, "revoked");
    assert_snapshot!(app.sam.delete(&path).await.refusal(), @"404 NOT_FOUND: The token does not exist.");
    let events = "SELECT kind || ' ' || (detail ->> 'tokenId') FROM audit_events WHERE kind LIKE 'token%' ORDER BY id";
    let id = made["id"].as_str().unwrap();
    assert_eq!(
        app.database.values(events).await,
        [Some(format!("token_created {id}")), Some(format!("token_revoked {id}"))]
    );
}

#[tokio::test]
async fn a_token_ends_with_its_time_and_with_its_owners_account() {
    let app = TestApp::builder()
        .clock(Clock::manual(OffsetDateTime::now_utc()))
        .spawn()
        .await;
    let made = make(&app.sam, &json!({"name": "n", "scopes": ["read"], "expiresInDays": 1})).await;
    let short = with(&app.sam, &made);
    let (sam, riley) = (program(&app.sam, ALL).await, program(&app.riley, ALL).await);
    app.clock().advance(Duration::hours(23));
    assert_eq!(short.get("/api/plans").await.status, 200);
    app.clock().advance(Duration::hours(1));
    is_no_token(&short.get("/api/plans").await, "expired");

    assert_eq!(sam.get("/api/plans").await.status, 200);
    app.database
        .run("UPDATE users SET disabled_at = now() WHERE email = 'sam@demo.test'")
        .await;
    is_no_token(&sam.get("/api/plans").await, "disabled");
    app.database
        .run("DELETE FROM access_tokens WHERE user_id IN (SELECT id FROM users WHERE email = 'riley@demo.test')")
        .await;
    is_no_token(&riley.get("/api/plans").await, "deleted");
}

#[tokio::test]
async fn the_day_of_the_last_use_is_stored_once_a_day() {
    let app = TestApp::spawn().await;
    let program = program(&app.sam, &["read"]).await;
    assert_eq!(app.sam.get(ADDRESS).await.data()[0]["lastUsedOn"], Value::Null);
    let version = "SELECT xmin::text || ' ' || last_used_on || ' ' || (last_used_on = (now() AT TIME ZONE 'UTC')::date) FROM access_tokens";
    assert_eq!(program.get("/api/plans").await.status, 200);
    let first = app.database.value(version).await.expect("a day");
    assert!(first.ends_with("true"), "{first}");
    for _ in 0..3 {
        assert_eq!(program.get("/api/plans").await.status, 200);
    }
    assert_eq!(app.database.value(version).await, Some(first.clone()));
    app.database
        .run("UPDATE access_tokens SET last_used_on = '2020-01-01'")
        .await;
    assert_eq!(program.get("/api/plans").await.status, 200);
    let listed = app.sam.get(ADDRESS).await.data()[0]["lastUsedOn"].take();
    assert_eq!(listed.as_str(), first.split(' ').nth(1));
}

#[tokio::test]
async fn those_that_expired_a_month_ago_are_deleted() {
    let app = TestApp::spawn().await;
    for name in ["old", "recent", "valid"] {
        make(&app.sam, &json!({"name": name, "scopes": ["read"]})).await;
    }
    app.database
        .run("UPDATE access_tokens SET expires_at = now() - CASE name WHEN 'old' THEN 31 ELSE 29 END * interval '1 day' WHERE name <> 'valid'")
        .await;
    // A server does its housekeeping when it starts.
    let _sibling = app.sibling().await;
    let names = "SELECT string_agg(name, ' ' ORDER BY name) FROM access_tokens";
    eventually("the old one is gone", async || {
        app.database.value(names).await.as_deref() == Some("recent valid")
    })
    .await;
}

#[tokio::test]
async fn the_limits_of_a_person_count_programs_too() {
    let app = TestApp::builder()
        .config(|config| config.limits.rate_limit_writes_per_minute = 3)
        .spawn()
        .await;
    let program = program(&app.sam, ALL).await;
    app.sam.set(RENT, 1).await;
    program.set(RENT, 2).await;
    let body = json!({ RENT: 3 });
    for client in [&program, &app.sam] {
        let refused = client.patch(&client.path("/financial-inputs"), &body).await;
        assert_eq!(refused.failure(), (429, "RATE_LIMITED".to_owned()));
    }
}
