//! Who makes which tokens.

use super::{ADDRESS, ALL, RENT, make, program};
use crate::admin::begin;
use crate::support::TestApp;
use insta::assert_snapshot;
use reqwest::Method;
use serde_json::json;
use uuid::Uuid;

#[tokio::test]
async fn a_token_that_makes_no_sense_is_not_made() {
    let app = TestApp::spawn().await;
    let good = json!({"name": "n", "scopes": ["read"]});
    let long = "n".repeat(61);
    for (key, value, field) in [
        ("name", json!(""), "name"),
        ("name", json!(" \u{200b}\n"), "name"),
        ("name", json!(long), "name"),
        ("scopes", json!([]), "scopes"),
        ("scopes", json!(["chat"]), "scopes"),
        ("scopes", json!(["write", "chat"]), "scopes"),
        ("scopes", json!(["read", "read"]), "scopes"),
        ("expiresInDays", json!(0), "expiresInDays"),
        ("expiresInDays", json!(366), "expiresInDays"),
        ("expiresInDays", json!(-9_000_000_000_000_000_000_i64), "expiresInDays"),
    ] {
        let mut body = good.clone();
        body[key] = value;
        let reply = app.sam.post(ADDRESS, &body).await;
        assert_eq!(reply.failure(), (400, "VALIDATION_ERROR".to_owned()), "{body}");
        assert_eq!(
            reply.json()["error"]["details"][0]["field"],
            field,
            "{body} {}",
            reply.text
        );
    }
    for (key, value) in [
        ("scopes", json!(["read", "admin"])),
        ("scopes", json!("read")),
        ("scopes", json!(["READ"])),
        ("expiresInDays", json!(1.5)),
        ("planId", json!("mine")),
        ("userId", json!(app.riley.id)),
    ] {
        let mut body = good.clone();
        body[key] = value;
        let reply = app.sam.post(ADDRESS, &body).await;
        assert_eq!(reply.failure(), (400, "VALIDATION_ERROR".to_owned()), "{body}");
    }
    let of_plan = |plan: Uuid| json!({"name": "n", "scopes": ["read"], "planId": plan});
    assert_snapshot!(app.sam.post(ADDRESS, &of_plan(app.riley.plan)).await.refusal(), @"403 FORBIDDEN: This plan belongs to somebody else.");
    assert_snapshot!(app.morgan.post(ADDRESS, &of_plan(app.sam.plan)).await.refusal(), @"403 FORBIDDEN: This plan belongs to somebody else.");
    assert_snapshot!(app.sam.post(ADDRESS, &of_plan(app.sam.id)).await.refusal(), @"404 NOT_FOUND: The plan does not exist.");
    assert_eq!(app.database.count("SELECT count(*) FROM access_tokens").await, 0);
}

#[tokio::test]
async fn twenty_are_enough_also_for_those_who_hurry() {
    let app = TestApp::spawn().await;
    let body = json!({"name": "One of many", "scopes": ["read"]});
    let made = futures_util::future::join_all((0..25).map(|_| app.sam.post(ADDRESS, &body))).await;
    let count = |status: u16| made.iter().filter(|reply| reply.status == status).count();
    assert_eq!((count(201), count(409)), (20, 5));
    let refused = app.sam.post(ADDRESS, &body).await;
    assert_snapshot!(refused.refusal(), @"409 CONFLICT: There may be 20 tokens, and there are. Revoke one first.");
    assert!(refused.text.contains("20"), "{}", refused.text);
    make(&app.riley, &body).await;
    app.database
        .run("UPDATE access_tokens SET expires_at = now() - interval '1 day' WHERE id = (SELECT min(id::text)::uuid FROM access_tokens)")
        .await;
    make(&app.sam, &body).await;
    assert_eq!(app.sam.get(ADDRESS).await.data().as_array().map(Vec::len), Some(21));
}

#[tokio::test]
async fn only_a_person_in_person_makes_tokens() {
    let app = TestApp::spawn().await;
    let body = json!({"name": "n", "scopes": ["read"]});
    let program = program(&app.admin, ALL).await;
    for method in [Method::GET, Method::POST] {
        let reply = program.fetch(program.request(method, ADDRESS).json(&body)).await;
        assert_eq!(reply.failure(), (403, "FORBIDDEN".to_owned()));
    }
    let (acting, _) = begin(&app, &app.sam, "edit").await;
    let refused = acting.post(ADDRESS, &body).await;
    assert_snapshot!(refused.refusal(), @"403 FORBIDDEN: This can only be done in one's own name.");
    assert_eq!(acting.get(ADDRESS).await.data(), json!([]));
    assert_snapshot!(app.anonymous().post(ADDRESS, &body).await.refusal(), @"401 UNAUTHENTICATED: Log in first.");
    // The administrator's own token is not lost, and acts for nobody else.
    program.on_plan(app.sam.plan).set(RENT, 410_000).await;
    let changes = app.sam.changes().await;
    assert_eq!(changes[0]["effectiveUser"]["id"], json!(app.admin.id));
}
