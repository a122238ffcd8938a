//! Changing one's password, and choosing a new one by a link.

use crate::admin::begin;
use crate::auth::cookie_of;
use crate::invitations::token_in;
use crate::support::{Client, Reply, TestApp};
use insta::assert_snapshot;
use plan_model::clock::Clock;
use serde_json::json;
use time::{Duration, OffsetDateTime};
use uuid::Uuid;

const NEW: &str = "kettle-orbit-92 rain";

async fn change(client: &Client, current: &str, next: &str) -> Reply {
    client
        .post("/api/auth/password", &json!({"current": current, "next": next}))
        .await
}

async fn log_in(app: &TestApp, password: &str) -> u16 {
    app.anonymous().log_in("sam@demo.test", password).await.status
}

/// A link for a person, issued by the administrator.
async fn issue(app: &TestApp, whom: Uuid) -> Reply {
    app.admin
        .post_nothing(&format!("/api/admin/users/{whom}/password-reset"))
        .await
}

async fn redeem(app: &TestApp, token: &str, next: &str) -> Reply {
    let body = json!({"token": token, "next": next});
    app.anonymous().post("/api/auth/password-reset", &body).await
}

#[track_caller]
fn refused_for(reply: &Reply, field: &str) {
    assert_eq!(reply.failure(), (400, "VALIDATION_ERROR".to_owned()));
    assert_eq!(reply.json()["error"]["details"][0]["field"], field, "{}", reply.text);
}

#[tokio::test]
async fn a_new_password_ends_all_other_sessions_and_this_one_gets_a_new_id() {
    let app = TestApp::spawn().await;
    let phone = app.session_of(&app.sam).await;
    let reply = change(&app.sam, TestApp::PASSWORD, NEW).await;
    assert_eq!((reply.status, reply.text.as_str()), (204, ""));

    assert_eq!(phone.get("/api/auth/me").await.status, 401);
    assert_eq!(app.sam.get("/api/auth/me").await.status, 401, "the old id is dead");
    let mut browser = app.sam.clone();
    browser.cookie = cookie_of(&reply);
    assert_eq!(
        browser.get("/api/auth/me").await.data()["user"]["email"],
        "sam@demo.test"
    );
    assert_eq!(
        browser.get("/api/me/sessions").await.data().as_array().map(Vec::len),
        Some(1)
    );
    assert_eq!(app.riley.get("/api/auth/me").await.status, 200);
    assert_eq!(
        (log_in(&app, TestApp::PASSWORD).await, log_in(&app, NEW).await),
        (401, 200)
    );
    let events = "SELECT count(*) FROM audit_events WHERE kind = 'password_changed' AND detail = '{}' \
                  AND actor_id = effective_user_id";
    assert_eq!(app.database.count(events).await, 1);
}

#[tokio::test]
async fn a_new_password_forgets_devices_but_the_one_it_was_chosen_on() {
    let app = TestApp::spawn().await;
    let (mut here, mut elsewhere) = (app.anonymous(), app.anonymous());
    let mut cookies = Vec::new();
    for browser in [&mut here, &mut elsewhere] {
        let reply = browser.log_in("sam@demo.test", TestApp::PASSWORD).await;
        let all = reply.headers.get_all("set-cookie").iter();
        let pairs = all.map(|cookie| cookie.to_str().unwrap().split(';').next().unwrap().to_owned());
        let pairs: Vec<String> = pairs.collect();
        assert_eq!(pairs.len(), 2, "a session and a device");
        cookies.push(pairs.join("; "));
    }
    here.cookie = Some(cookies.remove(0));
    let devices = "SELECT count(*) FROM login_devices";
    assert_eq!(app.database.count(devices).await, 2);
    assert_eq!(change(&here, TestApp::PASSWORD, NEW).await.status, 204);
    assert_eq!(app.database.count(devices).await, 1);
    let again = here.clone().log_in("sam@demo.test", NEW).await;
    assert_eq!(
        again.headers.get_all("set-cookie").iter().count(),
        1,
        "the device is known"
    );
}

#[tokio::test]
async fn a_stolen_session_cannot_guess_the_password() {
    let app = TestApp::builder()
        .config(|config| config.limits.rate_limit_logins_per_15_minutes = 10)
        .spawn()
        .await;
    for _ in 0..10 {
        refused_for(&change(&app.sam, "not-the-password", NEW).await, "current");
    }
    for guess in ["not-the-password", TestApp::PASSWORD] {
        let limited = change(&app.sam, guess, NEW).await;
        assert_eq!(limited.failure(), (429, "RATE_LIMITED".to_owned()));
        assert!(limited.header("retry-after").is_some());
    }
    assert_eq!(app.sam.get("/api/auth/me").await.status, 200, "nothing has changed");
    let failed = "SELECT count(*) FROM audit_events WHERE kind = 'login_failed'";
    assert_eq!(app.database.count(failed).await, 10);
}

#[tokio::test]
async fn a_password_that_is_no_good_is_refused_and_the_old_one_stays() {
    let app = TestApp::spawn().await;
    let long = "kettle-orbit ".repeat(10);
    for next in [
        "",
        "orbit-92!",
        &long[..129],
        "kettle\u{0}orbit-92",
        "kettle\torbit-92",
        "password123",
        "sam rivera",
        "willowandwag",
        "Willow&Wag26",
        "groomingsalon1",
    ] {
        refused_for(&change(&app.sam, TestApp::PASSWORD, next).await, "next");
    }
    refused_for(&change(&app.sam, "", NEW).await, "current");
    refused_for(&change(&app.sam, "demo-password-1\u{0}", NEW).await, "current");
    let unknown = app
        .sam
        .post(
            "/api/auth/password",
            &json!({"current": "x", "next": NEW, "email": "x"}),
        )
        .await;
    refused_for(&unknown, "email");
    assert_eq!(app.sam.get("/api/auth/me").await.status, 200);
    assert_eq!(log_in(&app, TestApp::PASSWORD).await, 200);

    let token = token_in(&issue(&app, app.sam.id).await);
    for next in [
        "orbit-92!",
        &long[..129],
        "kettle\u{0}orbit-92",
        "password123",
        "wagwillow77",
    ] {
        refused_for(&redeem(&app, &token, next).await, "next");
    }
    let faces: String = (0..128_u32)
        .filter_map(|nth| char::from_u32(0x1_F600 + nth * 7 % 79))
        .collect();
    assert_eq!((faces.chars().count(), faces.len()), (128, 512));
    assert_eq!(redeem(&app, &token, &faces).await.status, 204);
    assert_eq!(log_in(&app, &faces).await, 200);
}

#[tokio::test]
async fn without_a_password_one_is_chosen_only_soon_after_signing_in() {
    let app = TestApp::builder()
        .clock(Clock::manual(OffsetDateTime::now_utc()))
        .spawn()
        .await;
    app.database
        .run("UPDATE users SET password_hash = NULL WHERE email IN ('sam@demo.test', 'riley@demo.test')")
        .await;
    assert_eq!(log_in(&app, "").await, 400);
    assert_eq!(log_in(&app, TestApp::PASSWORD).await, 401);
    assert_eq!(app.sam.get("/api/me/account").await.data()["hasPassword"], false);
    app.clock().advance(Duration::minutes(9));
    assert_eq!(change(&app.sam, "", NEW).await.status, 204);
    app.clock().advance(Duration::minutes(1));
    refused_for(&change(&app.riley, "", NEW).await, "current");
    assert_eq!(log_in(&app, NEW).await, 200);
}

#[tokio::test]
async fn nobody_changes_a_password_in_somebody_elses_name() {
    let app = TestApp::spawn().await;
    let (acting, _) = begin(&app, &app.sam, "edit").await;
    let reply = change(&acting, TestApp::PASSWORD, NEW).await;
    assert_snapshot!(reply.refusal(), @"403 FORBIDDEN: This can only be done in one's own name.");
}

#[tokio::test]
async fn a_link_lets_its_person_choose_a_password_once() {
    let app = TestApp::spawn().await;
    let sent = issue(&app, app.sam.id).await;
    assert_eq!(sent.status, 201, "{}", sent.text);
    let url = sent.data()["url"].as_str().expect("a link").to_owned();
    assert!(url.starts_with("/?view=password-reset#token="), "{url}");
    assert_eq!(app.sam.get("/api/auth/me").await.status, 200, "nothing has changed yet");

    let token = token_in(&sent);
    assert_eq!(redeem(&app, &token, NEW).await.status, 204);

    assert_eq!(app.sam.get("/api/auth/me").await.status, 401);
    assert_eq!(
        (log_in(&app, TestApp::PASSWORD).await, log_in(&app, NEW).await),
        (401, 200)
    );
    let used = redeem(&app, &token, NEW).await;
    let garbage = redeem(&app, "garbage", NEW).await;
    assert_snapshot!(used.refusal(), @"404 NOT_FOUND: This link does not work any more: it was used, has expired or was replaced. Ask for a new one.");
    assert_eq!(used.text, garbage.text);
    assert_snapshot!(redeem(&app, &"x".repeat(10_240), NEW).await.refusal(), @"413 PAYLOAD_TOO_LARGE: The body may have at most 4096 bytes.");
    let events = "SELECT kind || ' ' || u.email AS e FROM audit_events JOIN users u ON u.id = actor_id \
                  WHERE kind LIKE 'password%' ORDER BY audit_events.id";
    assert_eq!(
        app.database.values(events).await,
        [
            Some("password_reset_issued admin@demo.test".to_owned()),
            Some("password_changed admin@demo.test".to_owned())
        ]
    );
}

#[tokio::test]
async fn links_that_no_longer_count_change_nothing() {
    let app = TestApp::spawn().await;
    let first = token_in(&issue(&app, app.sam.id).await);
    let second = token_in(&issue(&app, app.sam.id).await);
    assert_eq!(redeem(&app, &first, NEW).await.status, 404, "replaced");
    app.database.run("UPDATE password_resets SET expires_at = now()").await;
    assert_eq!(redeem(&app, &second, NEW).await.status, 404, "expired");
    let third = token_in(&issue(&app, app.sam.id).await);
    assert_eq!(
        change(&app.sam, TestApp::PASSWORD, "orbit-kettle-29 snow").await.status,
        204
    );
    assert_eq!(redeem(&app, &third, NEW).await.status, 404, "the person remembered");
    let hashed = "SELECT count(*) FROM password_resets";
    assert_eq!(app.database.count(hashed).await, 0);

    let fourth = token_in(&issue(&app, app.riley.id).await);
    let path = format!("/api/admin/users/{}", app.riley.id);
    assert_eq!(app.admin.patch(&path, &json!({"disabled": true})).await.status, 200);
    assert_eq!(redeem(&app, &fourth, NEW).await.status, 404, "disabled");
    assert_snapshot!(issue(&app, app.riley.id).await.refusal(), @"409 CONFLICT: This account is disabled. Enable it first.");
    assert_snapshot!(issue(&app, app.sam.plan).await.refusal(), @"404 NOT_FOUND: The user does not exist.");
    assert_eq!(
        issue(&app, app.admin.id).await.failure(),
        (409, "CONFLICT".to_owned()),
        "one's own"
    );
}

#[tokio::test]
async fn who_has_guessed_too_often_can_sign_in_with_the_new_password() {
    let app = TestApp::builder()
        .config(|config| config.limits.rate_limit_logins_per_15_minutes = 2)
        .spawn()
        .await;
    assert_eq!((log_in(&app, "one").await, log_in(&app, "two").await), (401, 401));
    assert_eq!(log_in(&app, TestApp::PASSWORD).await, 429);
    let token = token_in(&issue(&app, app.sam.id).await);
    assert_eq!(redeem(&app, &token, NEW).await.status, 204);
    assert_eq!(log_in(&app, NEW).await, 200);
}

#[tokio::test]
async fn two_who_use_a_link_at_once_change_the_password_once() {
    let app = TestApp::spawn().await;
    let token = token_in(&issue(&app, app.sam.id).await);
    let other = "orbit-kettle-29 snow";
    let (one, two) = futures_util::join!(redeem(&app, &token, NEW), redeem(&app, &token, other));
    let mut answers = [one.status, two.status];
    answers.sort_unstable();
    assert_eq!(answers, [204, 404]);
    let winner = if one.status == 204 { NEW } else { other };
    assert_eq!(log_in(&app, winner).await, 200);
}
