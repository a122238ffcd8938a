//! Removing oneself.

use super::{SAID, found, said, talked};
use crate::admin::begin;
use crate::support::{Client, Gate, Reply, TestApp, says};
use insta::assert_snapshot;
use plan_model::clock::Clock;
use reqwest::Method;
use reqwest::header::SET_COOKIE;
use serde_json::{Value, json};
use time::{Duration, OffsetDateTime};

async fn remove(client: &Client, body: &Value) -> Reply {
    client.fetch(client.request(Method::DELETE, "/api/me").json(body)).await
}

fn with_password() -> Value {
    json!({"password": TestApp::PASSWORD})
}

#[tokio::test]
async fn nothing_stays_of_a_person_who_removed_themselves() {
    let app = TestApp::spawn().await;
    talked(&app).await;
    let sam = app.session_of(&app.sam).await;
    app.admin
        .on_plan(sam.plan)
        .set("operatingCosts.insuranceMonthly", 30_000)
        .await;
    let (acting, _) = begin(&app, &app.sam, "edit").await;
    acting.set("operatingCosts.insuranceMonthly", 31_000).await;
    acting.delete("/api/admin/impersonation").await;
    let invite = "INSERT INTO invitations (id, token_hash, email, role, expires_at) VALUES (gen_random_uuid(), '\\x01', 'sam@demo.test', 'franchisee', now())";
    app.database.run(invite).await;
    sam.get("/api/me/export").await;
    let wrong = remove(&sam, &json!({"password": "not-the-password"})).await;
    assert_snapshot!(wrong.refusal(), @r#"
    400 VALIDATION_ERROR: The request has 1 error.
    {"field":"password","message":"is not your password"}
    "#);
    assert_eq!(wrong.json()["error"]["details"][0]["field"], "password");
    assert!(!found(&app.database, "sam@demo.test").await.is_empty());

    let reply = remove(&sam, &with_password()).await;

    assert_eq!((reply.status, reply.text.as_str()), (204, ""));
    let cookies: Vec<&str> = reply
        .headers
        .get_all(SET_COOKIE)
        .iter()
        .map(|line| line.to_str().unwrap())
        .collect();
    for name in ["session=", "device="] {
        let cookie = cookies
            .iter()
            .find(|cookie| cookie.starts_with(name))
            .unwrap_or_else(|| panic!("{cookies:?}"));
        assert!(cookie.contains("Max-Age=0"), "{cookie}");
    }
    for session in [&sam, &app.sam] {
        assert_eq!(session.get("/api/auth/me").await.failure().0, 401);
    }
    assert_eq!(said(&app.database).await, [] as [&str; 0], "{SAID:?}");
    assert_eq!(found(&app.database, "sam@demo").await, [] as [&str; 0]);
    let ids: Vec<String> = found(&app.database, &sam.id.to_string()).await;
    assert_eq!(ids, ["audit_events.detail"], "only that they were removed");
    let event = "SELECT detail ->> 'userId' FROM audit_events WHERE kind = 'user_removed'";
    assert_eq!(app.database.value(event).await, Some(sam.id.to_string()));
    let mut again = app.anonymous();
    assert_eq!(again.log_in("sam@demo.test", TestApp::PASSWORD).await.status, 401);
}

#[tokio::test]
async fn what_one_did_for_others_stays_with_the_name() {
    let app = TestApp::spawn().await;
    app.database
        .run("UPDATE users SET role = 'platform_admin' WHERE email = 'riley@demo.test'")
        .await;
    app.admin
        .on_plan(app.sam.plan)
        .set("operatingCosts.insuranceMonthly", 30_000)
        .await;
    assert_eq!(
        remove(&app.admin, &json!({"email": " Admin@Demo.test "})).await.status,
        204,
        "just signed in"
    );
    let change = app.sam.changes().await.remove(0);
    assert_eq!(
        (&change["actor"], &change["actorName"]),
        (&Value::Null, &json!("Avery Stone"))
    );
    assert_eq!(found(&app.database, "admin@demo").await, [] as [&str; 0]);
}

#[tokio::test]
async fn who_it_is_has_to_be_shown_in_one_way() {
    let app = TestApp::builder()
        .clock(Clock::manual(OffsetDateTime::now_utc()))
        .spawn()
        .await;
    let sam = &app.sam;
    let field = |reply: &Reply| {
        assert_eq!(reply.failure(), (400, "VALIDATION_ERROR".to_owned()));
        reply.json()["error"]["details"][0]["field"]
            .as_str()
            .unwrap_or_default()
            .to_owned()
    };
    assert_eq!(field(&sam.delete("/api/me").await), "password", "without a body");
    let both = json!({"password": TestApp::PASSWORD, "email": "sam@demo.test"});
    for (body, wrong) in [
        (json!({}), "password"),
        (both, "password"),
        (json!({"password": ""}), "password"),
        (json!({"password": "x".repeat(257)}), "password"),
        (json!({"email": "riley@demo.test"}), "email"),
    ] {
        assert_eq!(field(&remove(sam, &body).await), wrong, "{body}");
    }
    let unknown = json!({"email": "sam@demo.test", "sure": true});
    assert_snapshot!(remove(sam, &unknown).await.refusal(), @r#"
    400 VALIDATION_ERROR: The request has 1 error.
    {"field":"sure","message":"is not known here"}
    "#);
    assert_snapshot!(remove(&app.anonymous(), &with_password()).await.refusal(), @"401 UNAUTHENTICATED: Log in first.");

    app.clock().advance(Duration::minutes(11));
    let late = remove(sam, &json!({"email": "sam@demo.test"})).await;
    assert_snapshot!(late.refusal(), @"403 FORBIDDEN: It is a while since you signed in. Sign in again first.");
    assert_eq!(remove(sam, &with_password()).await.status, 204);
}

#[tokio::test]
async fn guesses_count_like_those_at_the_login() {
    let app = TestApp::builder()
        .config(|config| config.limits.rate_limit_logins_per_15_minutes = 3)
        .spawn()
        .await;
    for _ in 0..3 {
        assert_eq!(
            remove(&app.sam, &json!({"password": "not-this-one"})).await.failure().0,
            400
        );
    }
    let refused = remove(&app.sam, &with_password()).await;
    assert_snapshot!(refused.refusal(), @"429 RATE_LIMITED: Too many failed logins. Try again later.");
    assert!(refused.header("retry-after").is_some());
    assert_eq!(app.sam.get("/api/auth/me").await.status, 200);
}

#[tokio::test]
async fn neither_the_last_administrator_nor_somebody_who_is_being_answered_is_removed() {
    let app = TestApp::spawn().await;
    let last = remove(&app.admin, &with_password()).await;
    assert_snapshot!(last.refusal(), @"409 CONFLICT: You are the last platform administrator. Make somebody else one first.");
    let (acting, _) = begin(&app, &app.sam, "edit").await;
    assert_snapshot!(remove(&acting, &with_password()).await.refusal(), @"403 FORBIDDEN: This can only be done in one's own name.");

    let gate = Gate::new();
    app.llm.script([says("Slowly.").wait(&gate)]);
    let turn = app.sam.open("Hello").await;
    gate.reached(1).await;
    let other_tab = app.sam.clone();
    assert_snapshot!(remove(&other_tab, &with_password()).await.refusal(), @"409 TURN_IN_PROGRESS: The advisor is still answering you. Wait for the answer or stop it first.");
    gate.open();
    assert_eq!(turn.rest().await.text(), "Slowly.");
    assert_eq!(remove(&other_tab, &with_password()).await.status, 204);
}
