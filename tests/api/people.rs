//! What administrators do with accounts, and what their owners see of them.

use crate::admin::begin;
use crate::auth::cookie_of;
use crate::support::{Client, Gate, Reply, TestApp, eventually, says, sets, shown, without};
use insta::assert_snapshot;
use reqwest::Method;
use serde_json::{Value, json};
use uuid::Uuid;

const RENT: &str = "operatingCosts.rentMonthly";

fn path_of(id: Uuid) -> String {
    format!("/api/admin/users/{id}")
}

async fn change(by: &Client, whom: &Client, body: Value) -> Reply {
    by.patch(&path_of(whom.id), &body).await
}

async fn disable(app: &TestApp, whom: &Client) {
    let reply = change(&app.admin, whom, json!({"disabled": true})).await;
    assert_eq!(reply.status, 200, "{}", reply.text);
}

async fn demo_brand(app: &TestApp) -> String {
    app.database
        .value("SELECT id::text AS id FROM brands")
        .await
        .expect("a brand")
}

/// Kind, actor, person and detail of the newest event.
async fn last_event(app: &TestApp) -> String {
    let query = "SELECT concat_ws(' ', kind, a.email, e.email, detail) AS x FROM audit_events \
                 LEFT JOIN users a ON a.id = actor_id LEFT JOIN users e ON e.id = effective_user_id \
                 ORDER BY audit_events.id DESC LIMIT 1";
    app.database.value(query).await.expect("an event")
}

#[tokio::test]
async fn a_disabled_person_is_out_at_once_and_comes_back_when_enabled() {
    let app = TestApp::spawn().await;
    let phone = app.session_of(&app.sam).await;
    app.database
        .run(&format!(
            "INSERT INTO access_tokens (id, user_id, name, hash, scopes, expires_at) \
             VALUES (gen_random_uuid(), '{}', 'script', 'x', '{{read}}', now() + interval '1 day')",
            app.sam.id
        ))
        .await;
    let unknown = app.anonymous().log_in("who@demo.test", TestApp::PASSWORD).await;

    let reply = change(&app.admin, &app.sam, json!({"disabled": true})).await;

    let user = reply.data();
    assert_snapshot!(shown(&user), @r#"{"brandId":"[id]","disabled":true,"disabledAt":"[time]","displayName":"Sam Rivera","email":"sam@demo.test","hasPassword":true,"id":"[id]","role":"franchisee"}"#);
    assert_eq!(
        last_event(&app).await,
        "user_disabled admin@demo.test sam@demo.test {\"ended\": {\"tokens\": 1}}"
    );
    for browser in [&app.sam, &phone] {
        assert_eq!(browser.get("/api/plans").await.failure().0, 401);
    }
    for table in ["sessions", "access_tokens"] {
        let left = format!("SELECT count(*) FROM {table} WHERE user_id = '{}'", app.sam.id);
        assert_eq!(app.database.count(&left).await, 0, "{table}");
    }
    let login = app.anonymous().log_in("sam@demo.test", TestApp::PASSWORD).await;
    assert_eq!((login.status, &login.text), (401, &unknown.text));
    let listed = app.admin.get("/api/admin/users?email=sam@").await.data();
    assert_eq!(listed[0], user);

    let again = change(&app.admin, &app.sam, json!({"disabled": true})).await.data();
    assert_eq!(again["disabledAt"], user["disabledAt"], "since the first time");
    let enabled = change(&app.admin, &app.sam, json!({"disabled": false})).await.data();
    assert_snapshot!(shown(&enabled), @r#"{"brandId":"[id]","disabled":false,"disabledAt":null,"displayName":"Sam Rivera","email":"sam@demo.test","hasPassword":true,"id":"[id]","role":"franchisee"}"#);
    assert_eq!(last_event(&app).await, "user_enabled admin@demo.test sam@demo.test {}");
    assert_eq!(
        app.anonymous().log_in("sam@demo.test", TestApp::PASSWORD).await.status,
        200
    );
    assert_eq!(
        app.sam.get("/api/plans").await.status,
        401,
        "the old session stays dead"
    );
}

/// Reads a stream to its end; whether it broke off.
async fn breaks(mut stream: reqwest::Response) -> bool {
    loop {
        match stream.chunk().await {
            Ok(Some(_)) => {}
            Ok(None) => return false,
            Err(_) => return true,
        }
    }
}

#[tokio::test]
async fn streams_of_a_disabled_person_end_and_their_turn_is_not_stored() {
    let app = TestApp::spawn().await;
    let gate = Gate::new();
    app.llm
        .script([sets(RENT, 4200, "high"), says("I've noted").wait(&gate).says(" it.")]);
    let request = app.sam.request(Method::POST, &app.sam.path("/conversation"));
    let stream = request
        .json(&json!({"message": "My rent is $4,200"}))
        .send()
        .await
        .expect("a stream");
    gate.reached(1).await;

    disable(&app, &app.sam).await;

    assert!(breaks(stream).await, "the stream ended as if it were whole");
    gate.open();
    let ended = "SELECT state || ' ' || error_code AS x FROM prompts WHERE state <> 'running'";
    eventually("the turn has ended", async || app.database.value(ended).await.is_some()).await;
    assert_eq!(app.database.value(ended).await.as_deref(), Some("failed FORBIDDEN"));
    let admin = app.admin.on_plan(app.sam.plan);
    assert!(admin.history().await.is_empty() && admin.changes().await.is_empty());
}

#[tokio::test]
async fn a_disabled_person_cannot_be_acted_for() {
    let app = TestApp::spawn().await;
    let second = app.session_of(&app.admin).await;
    let (acting, _) = begin(&app, &app.sam, "edit").await;
    let gate = Gate::new();
    app.llm.script([says("Never stored.").wait_before_head(&gate)]);
    let request = acting.request(Method::POST, &acting.path("/conversation"));
    let stream = request
        .json(&json!({"message": "Hello"}))
        .send()
        .await
        .expect("a stream");
    gate.reached(1).await;

    let reply = change(&second, &app.sam, json!({"disabled": true})).await;
    assert_eq!(reply.status, 200, "{}", reply.text);

    let write = acting
        .patch(&acting.path("/financial-inputs"), &json!({ RENT: 1 }))
        .await;
    assert_snapshot!(write.refusal(), @"403 FORBIDDEN: Your time to act for somebody is over. Load the page again to go on in your own name.");
    assert!(breaks(stream).await, "the stream ended as if it were whole");
    gate.open();
    let me = acting.get("/api/auth/me").await.data();
    assert_eq!(me["effectiveUser"]["email"], "admin@demo.test");
    let body = json!({"userId": app.sam.id, "reason": "Ticket 4711"});
    let again = second.post("/api/admin/impersonation", &body).await;
    assert_snapshot!(again.refusal(), @"403 FORBIDDEN: This account is disabled.");
    eventually("the turn has ended", async || {
        app.database
            .count("SELECT count(*) FROM prompts WHERE state = 'failed'")
            .await
            == 1
    })
    .await;
}

#[tokio::test]
async fn a_role_and_a_brand_change_by_the_rules_and_take_effect_at_once() {
    let app = TestApp::spawn().await;
    let brand = demo_brand(&app).await;
    app.database
        .run(&format!("UPDATE users SET brand_id = NULL WHERE id = '{}'", app.sam.id))
        .await;
    let refused = async |body: Value, field: &str| {
        let reply = change(&app.admin, &app.sam, body.clone()).await;
        assert_eq!(reply.failure(), (400, "VALIDATION_ERROR".to_owned()), "{body}");
        assert_eq!(reply.json()["error"]["details"][0]["field"], field, "{body}");
    };
    refused(json!({"role": "franchisor_admin"}), "brandId").await;
    refused(json!({"role": "franchisor_admin", "brandId": null}), "brandId").await;
    refused(json!({"brandId": app.sam.id}), "brandId").await;
    refused(json!({"brandId": "x"}), "brandId").await;
    refused(json!({"role": "god"}), "role").await;
    refused(json!({"email": "x@demo.test"}), "email").await;
    refused(json!({"disabled": "yes"}), "disabled").await;
    let nothing = change(&app.admin, &app.sam, json!({})).await;
    assert_eq!(nothing.data()["role"], "franchisee");

    let done = change(
        &app.admin,
        &app.sam,
        json!({"role": "franchisor_admin", "brandId": brand}),
    )
    .await;
    assert_eq!(
        (&done.data()["role"], &done.data()["brandId"]),
        (&json!("franchisor_admin"), &json!(brand))
    );
    let event = last_event(&app).await;
    for part in [
        "user_changed admin@demo.test sam@demo.test",
        r#""to": "franchisor_admin""#,
        &brand,
    ] {
        assert!(event.contains(part), "{event}");
    }
    assert_eq!(
        app.sam.get(&app.sam.path("")).await.failure().0,
        403,
        "at the next request"
    );
    refused(json!({"brandId": null}), "brandId").await;
    let back = change(&app.admin, &app.sam, json!({"role": "franchisee", "brandId": null}))
        .await
        .data();
    assert_eq!((&back["role"], &back["brandId"]), (&json!("franchisee"), &Value::Null));
    assert_eq!(app.sam.get(&app.sam.path("")).await.status, 200);

    let unknown = app
        .admin
        .patch(&path_of(app.sam.plan), &json!({"disabled": true}))
        .await;
    assert_snapshot!(unknown.refusal(), @"404 NOT_FOUND: The user does not exist.");
    for other in [&app.sam, &app.morgan] {
        let reply = change(other, &app.riley, json!({"disabled": true})).await;
        assert_eq!(reply.failure(), (403, "FORBIDDEN".to_owned()));
    }
}

#[tokio::test]
async fn nobody_takes_their_own_rights_away() {
    let app = TestApp::spawn().await;
    assert_eq!(
        change(&app.admin, &app.riley, json!({"role": "platform_admin"}))
            .await
            .status,
        200
    );
    for body in [
        json!({"disabled": true}),
        json!({"role": "franchisee"}),
        json!({"role": "franchisee", "disabled": false}),
    ] {
        let reply = change(&app.admin, &app.admin, body.clone()).await;
        assert_eq!(reply.failure(), (409, "CONFLICT".to_owned()), "{body}");
    }
    let own = change(
        &app.admin,
        &app.admin,
        json!({"role": "platform_admin", "disabled": false}),
    )
    .await;
    assert_eq!(own.status, 200, "nothing is taken away");
    let body = json!({"email": "admin@demo.test"});
    let request = app.admin.request(Method::DELETE, &path_of(app.admin.id)).json(&body);
    assert_snapshot!(app.admin.fetch(request).await.refusal(), @"409 CONFLICT: Remove your own account in your settings.");
}

#[tokio::test]
async fn two_administrators_who_disable_each_other_leave_one() {
    let app = TestApp::spawn().await;
    assert_eq!(
        change(&app.admin, &app.riley, json!({"role": "platform_admin"}))
            .await
            .status,
        200
    );
    let disabled = json!({"disabled": true});
    let (one, other) = futures_util::join!(
        change(&app.admin, &app.riley, disabled.clone()),
        change(&app.riley, &app.admin, disabled)
    );
    let left = "SELECT count(*) FROM users WHERE role = 'platform_admin' AND disabled_at IS NULL";
    assert_eq!(app.database.count(left).await, 1, "{} {}", one.text, other.text);
    let statuses = [one.status, other.status];
    assert!(
        statuses.contains(&200) && statuses.iter().any(|status| [401, 409].contains(status)),
        "{statuses:?}"
    );
}

#[tokio::test]
async fn disabled_administrators_do_not_count_as_the_last_one() {
    let app = TestApp::spawn().await;
    assert_eq!(
        change(&app.admin, &app.riley, json!({"role": "platform_admin"}))
            .await
            .status,
        200
    );
    disable(&app, &app.riley).await;
    let mut conn = pg_link::establish(&app.database.url()).await.expect("a connection");
    let removal = plan_advisor::store::people::users::User::remove(&mut conn, "admin@demo.test", None).await;
    assert_eq!(
        removal.expect("an answer"),
        plan_advisor::store::people::users::Removal::LastPlatformAdmin
    );
}

#[tokio::test]
async fn a_person_is_removed_when_the_address_is_typed_again() {
    let app = TestApp::spawn().await;
    let remove = async |email: &str| {
        let request = app.admin.request(Method::DELETE, &path_of(app.sam.id));
        app.admin.fetch(request.json(&json!({ "email": email }))).await
    };
    assert_snapshot!(remove("riley@demo.test").await.refusal(), @r#"
    400 VALIDATION_ERROR: The request has 1 error.
    {"field":"email","message":"is not the address of this account"}
    "#);
    assert_snapshot!(remove("").await.refusal(), @r#"
    400 VALIDATION_ERROR: The request has 1 error.
    {"field":"email","message":"is not the address of this account"}
    "#);
    let gate = Gate::new();
    app.llm.script([says("Slowly.").wait(&gate)]);
    let turn = app.sam.open("Hello").await;
    gate.reached(1).await;
    assert_snapshot!(remove("sam@demo.test").await.refusal(), @"409 TURN_IN_PROGRESS: The advisor is answering this person. Try again in a moment.");
    gate.open();
    assert_eq!(turn.rest().await.text(), "Slowly.");

    assert_eq!(remove(" Sam@Demo.test ").await.status, 204);
    assert_snapshot!(remove("sam@demo.test").await.refusal(), @"404 NOT_FOUND: The user does not exist.");
    assert_eq!(app.sam.get("/api/plans").await.status, 401);
    assert!(last_event(&app).await.starts_with("user_removed admin@demo.test"));
}

#[tokio::test]
async fn everybody_sees_where_they_are_signed_in_and_signs_out_there() {
    let app = TestApp::spawn().await;
    let browser = app.anonymous();
    let body = json!({"email": "sam@demo.test", "password": TestApp::PASSWORD});
    let agent = "Browser/1.0 (Test) ".to_owned() + &"x".repeat(400);
    let login = browser
        .request(Method::POST, "/api/auth/login")
        .header("user-agent", &agent);
    let reply = browser.fetch(login.json(&body)).await;
    let mut laptop = browser.clone();
    laptop.cookie = cookie_of(&reply);
    let others = app.riley.get("/api/me/sessions").await.data();

    let listed = laptop.get("/api/me/sessions").await.data();
    let (newest, older) = (&listed[0], &listed[1]);
    assert_eq!(listed.as_array().map(Vec::len), Some(2));
    assert_eq!(newest["userAgent"], agent[..300]);
    assert_snapshot!(shown(without(&without(newest, "id"), "userAgent")), @r#"{"current":true,"expiresAt":"[time]","lastUsedAt":"[time]","method":"password","startedAt":"[time]"}"#);
    assert_snapshot!(shown(without(older, "id")), @r#"{"current":false,"expiresAt":"[time]","lastUsedAt":"[time]","method":"password","startedAt":"[time]","userAgent":null}"#);
    assert!(newest["startedAt"].as_str() >= older["startedAt"].as_str(), "{listed}");
    let cookie = laptop.cookie.clone().expect("a cookie");
    assert!(!listed.to_string().contains(cookie.trim_start_matches("session=")));

    let path = |session: &Value| format!("/api/me/sessions/{}", session["id"].as_str().expect("an id"));
    for unknown in [
        path(&others[0]),
        "/api/me/sessions/00".into(),
        "/api/me/sessions/no-hex".into(),
        "/api/me/sessions/%00".into(),
    ] {
        assert_eq!(
            laptop.delete(&unknown).await.failure(),
            (404, "NOT_FOUND".to_owned()),
            "{unknown}"
        );
    }
    assert_eq!(app.riley.get("/api/auth/me").await.status, 200);
    assert_eq!(laptop.delete(&path(older)).await.status, 204);
    assert_eq!(app.sam.get("/api/auth/me").await.status, 401);
    assert_snapshot!(laptop.delete(&path(older)).await.refusal(), @"404 NOT_FOUND: The session does not exist.");
    let out = laptop.delete(&path(newest)).await;
    assert_eq!(out.status, 204);
    assert!(
        out.header("set-cookie")
            .is_some_and(|cookie| cookie.contains("Max-Age=0"))
    );
    assert_eq!(laptop.get("/api/auth/me").await.status, 401);
    assert_eq!(last_event(&app).await, "session_revoked sam@demo.test sam@demo.test {}");
}

#[tokio::test]
async fn everybody_sees_how_they_sign_in() {
    let app = TestApp::spawn().await;
    app.database
        .run(&format!(
            "INSERT INTO user_identities (issuer, subject, user_id) VALUES ('https://id.example.com/realm', 's', '{}')",
            app.sam.id
        ))
        .await;
    let account = app.sam.get("/api/me/account").await.data();
    assert_snapshot!(shown(&account), @r#"{"createdAt":"[time]","hasPassword":true,"identities":[{"createdAt":"[time]","issuer":"https://id.example.com/realm","label":"id.example.com"}],"mcp":null,"oidc":null,"user":{"brandId":"[id]","displayName":"Sam Rivera","email":"sam@demo.test","id":"[id]","role":"franchisee"}}"#);
    assert!(!account.to_string().contains("argon2"), "{account}");
    assert_eq!(app.riley.get("/api/me/account").await.data()["identities"], json!([]));
}
