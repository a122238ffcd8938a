//! Logging in and out, and how long that lasts.

use crate::support::{Client, Reply, TestApp, shown};
use insta::assert_snapshot;
use plan_model::clock::Clock;
use reqwest::Method;
use serde_json::{Value, json};
use time::{Duration, OffsetDateTime};

const WRONG: &str = "not-the-password";

/// `name=value` of the cookie that an answer sets.
pub fn cookie_of(reply: &Reply) -> Option<String> {
    let cookie = reply.header("set-cookie")?;
    cookie.split(';').next().map(str::to_owned)
}

async fn try_login(client: &Client, email: &str, password: &str, address: &str) -> Reply {
    let body = json!({"email": email, "password": password});
    client
        .fetch(
            client
                .request(Method::POST, "/api/auth/login")
                .header("x-forwarded-for", address)
                .json(&body),
        )
        .await
}

#[tokio::test]
async fn login_sets_a_careful_cookie_and_answers_the_user() {
    let app = TestApp::spawn().await;

    let reply = app.anonymous().log_in(" Sam@Demo.test ", TestApp::PASSWORD).await;

    let user = reply.data();
    assert_snapshot!(shown(&user), @r#"{"brandId":"[id]","displayName":"Sam Rivera","email":"sam@demo.test","id":"[id]","role":"franchisee"}"#);
    let cookie = reply.header("set-cookie").expect("a cookie");
    for attribute in ["session=", "; HttpOnly", "; SameSite=Lax", "; Path=/", "; Max-Age=7200"] {
        assert!(cookie.contains(attribute), "{cookie}");
    }
    assert!(!cookie.contains("Secure"), "plain http from loopback: {cookie}");
    assert_eq!(
        app.database
            .count("SELECT count(*) FROM audit_events WHERE kind = 'login'")
            .await,
        1
    );
}

#[tokio::test]
async fn over_https_the_cookie_is_bound_to_the_host_from_beginning_to_end() {
    let app = TestApp::spawn().await;
    let mut browser = app.anonymous();
    let body = json!({"email": "sam@demo.test", "password": TestApp::PASSWORD});
    let secure =
        |browser: &Client, method, path: &str| browser.request(method, path).header("x-forwarded-proto", "https");

    let reply = browser
        .fetch(secure(&browser, Method::POST, "/api/auth/login").json(&body))
        .await;
    let cookie = reply.header("set-cookie").expect("a cookie");
    assert!(
        cookie.starts_with("__Host-session=") && cookie.contains("; Secure"),
        "{cookie}"
    );
    assert_eq!(
        reply.header("strict-transport-security"),
        Some("max-age=31536000; includeSubDomains")
    );

    browser.cookie = cookie_of(&reply);
    assert_eq!(
        browser.get("/api/auth/me").await.status,
        401,
        "the secure cookie means nothing over plain http"
    );
    assert_eq!(
        browser
            .fetch(secure(&browser, Method::GET, "/api/auth/me"))
            .await
            .status,
        200
    );
    let reply = browser.fetch(secure(&browser, Method::POST, "/api/auth/logout")).await;
    let removal = reply.header("set-cookie").expect("a removal");
    assert!(
        removal.contains("Max-Age=0") && removal.contains("; Secure") && removal.contains("Path=/"),
        "{removal}"
    );
}

#[tokio::test]
async fn a_wrong_pair_is_answered_the_same_whether_or_not_the_account_exists() {
    let app = TestApp::spawn().await;
    let anonymous = app.anonymous();

    let wrong = try_login(&anonymous, "sam@demo.test", WRONG, "10.0.0.1").await;
    let unknown = try_login(&anonymous, "who@demo.test", WRONG, "10.0.0.1").await;

    assert_snapshot!(wrong.refusal(), @"401 UNAUTHENTICATED: The e-mail address or the password is wrong.");
    assert_eq!(wrong.text, unknown.text);
    assert_eq!((cookie_of(&wrong), cookie_of(&unknown)), (None, None));
    assert_eq!(
        app.database
            .count("SELECT count(*) FROM audit_events WHERE kind = 'login_failed'")
            .await,
        2
    );
}

#[tokio::test]
async fn failures_elsewhere_never_refuse_the_right_password() {
    let app = TestApp::builder()
        .config(|config| config.limits.rate_limit_logins_per_15_minutes = 10)
        .spawn()
        .await;
    let sibling = app.sibling().await;
    let attackers = [app.anonymous(), app.anonymous().at(&sibling)];
    let guess = |nth: usize| {
        let attacker = &attackers[nth % 2];
        async move {
            try_login(attacker, "sam@demo.test", WRONG, &format!("10.1.{}.{}", nth / 9, nth))
                .await
                .status
        }
    };
    let mut owner = app.anonymous();
    let first = try_login(&owner, "sam@demo.test", TestApp::PASSWORD, "10.0.0.1").await;
    let cookies = first.headers.get_all("set-cookie").iter();
    let device = cookies
        .filter_map(|cookie| cookie.to_str().ok())
        .find(|cookie| cookie.starts_with("device="))
        .expect("a device");
    assert!(
        device.contains("; HttpOnly; SameSite=Lax; Path=/; Max-Age=15552000"),
        "{device}"
    );
    let device = device.split(';').next().expect("its value").to_owned();

    let answers = futures_util::future::join_all((0..12).map(guess)).await;
    assert!(answers.iter().all(|status| *status == 401), "{answers:?}");
    let count = "UPDATE login_failures SET failures = 1000 WHERE failures >= 12";
    app.database.run(count).await;

    let asked = std::time::Instant::now();
    let elsewhere = try_login(&owner, "sam@demo.test", TestApp::PASSWORD, "10.0.0.9").await;
    assert_eq!(elsewhere.status, 200, "{}", elsewhere.text);
    assert!(
        asked.elapsed() >= std::time::Duration::from_secs(5),
        "{:?}",
        asked.elapsed()
    );
    owner.cookie = Some(device);
    let asked = std::time::Instant::now();
    let known = try_login(&owner, "sam@demo.test", TestApp::PASSWORD, "10.0.0.1").await;
    assert_eq!(known.status, 200, "{}", known.text);
    assert!(
        asked.elapsed() < std::time::Duration::from_secs(4),
        "{:?}",
        asked.elapsed()
    );
    assert!(
        !known
            .headers
            .get_all("set-cookie")
            .iter()
            .any(|cookie| { cookie.to_str().is_ok_and(|cookie| cookie.starts_with("device=")) })
    );

    let failed = "SELECT count(*) FROM audit_events e JOIN users u ON u.id = e.effective_user_id \
                  WHERE kind = 'login_failed' AND email = 'sam@demo.test' AND detail ->> 'address' LIKE '10.1.%'";
    assert_eq!(app.database.count(failed).await, 12);
}

#[tokio::test]
async fn an_ipv6_network_counts_as_one_for_an_account() {
    let app = TestApp::builder()
        .config(|config| config.limits.rate_limit_logins_per_15_minutes = 3)
        .spawn()
        .await;
    let anonymous = app.anonymous();
    let mut answers = Vec::new();
    for nth in 0..5 {
        let address = format!("2001:db8:7:1:{nth:x}::{nth:x}");
        answers.push(try_login(&anonymous, "sam@demo.test", WRONG, &address).await.status);
    }
    assert_eq!(answers, [401, 401, 401, 429, 429]);
    let elsewhere = try_login(&anonymous, "sam@demo.test", TestApp::PASSWORD, "2001:db8:7:2::1").await;
    assert_eq!(elsewhere.status, 200, "{}", elsewhere.text);
}

#[tokio::test]
async fn an_account_under_attack_from_many_networks_gives_each_of_them_three_tries() {
    let app = TestApp::builder()
        .config(|config| config.limits.rate_limit_logins_per_15_minutes = 10)
        .spawn()
        .await;
    let anonymous = app.anonymous();
    let first = try_login(&anonymous, "sam@demo.test", WRONG, "2001:db8:1::1").await;
    assert_eq!(first.status, 401);
    let everywhere = "UPDATE login_failures SET failures = 101 WHERE failures = 1";
    app.database.run(everywhere).await;
    app.database
        .run("DELETE FROM login_failures WHERE key NOT IN (SELECT sha256(int8send(7) || 'account'::bytea || int8send(13) || 'sam@demo.test'::bytea))")
        .await;
    let mut answers = Vec::new();
    for nth in 0..5 {
        // One /48, a /64 for each try.
        let address = format!("2001:db8:2:{nth:x}::1");
        answers.push(try_login(&anonymous, "sam@demo.test", WRONG, &address).await.status);
    }
    assert_eq!(answers, [401, 401, 401, 429, 429]);
    let owner = try_login(&anonymous, "sam@demo.test", TestApp::PASSWORD, "2001:db8:3::1").await;
    assert_eq!(owner.status, 200, "{}", owner.text);
}

#[tokio::test]
async fn one_address_cannot_keep_others_from_logging_in() {
    let app = TestApp::builder()
        .config(|config| config.limits.rate_limit_failed_logins_per_address_per_15_minutes = 5)
        .spawn()
        .await;
    let anonymous = app.anonymous();
    let flood = (0..40).map(|nth| {
        let anonymous = &anonymous;
        let (email, address) = (format!("who{nth}@demo.test"), format!("2001:db8::{nth:x}"));
        async move { try_login(anonymous, &email, WRONG, &address).await.status }
    });
    let answers = futures_util::future::join_all(flood).await;
    let hashed = answers.iter().filter(|status| **status == 401).count();
    assert!(
        hashed <= 5 && answers.iter().all(|status| [401, 429].contains(status)),
        "{answers:?}"
    );
    let limited = try_login(&anonymous, "sam@demo.test", TestApp::PASSWORD, "2001:db8::1").await;
    assert_snapshot!(limited.refusal(), @"429 RATE_LIMITED: Too many failed logins. Try again later.");
    let owner = try_login(&anonymous, "sam@demo.test", TestApp::PASSWORD, "2001:db8:0:1::1").await;
    assert_eq!(owner.status, 200, "{}", owner.text);
}

#[tokio::test]
async fn forwarded_headers_count_from_trusted_proxies_only() {
    let app = TestApp::builder()
        .config(|config| {
            config.http.trusted_proxies = "10.0.0.0/8".parse().expect("a network");
            config.limits.rate_limit_logins_per_15_minutes = 2;
        })
        .spawn()
        .await;
    let anonymous = app.anonymous();
    for nth in 0..2 {
        let address = format!("9.9.9.{nth}");
        assert_eq!(
            try_login(&anonymous, "sam@demo.test", WRONG, &address).await.status,
            401
        );
    }
    let third = try_login(&anonymous, "sam@demo.test", WRONG, "9.9.9.3").await;
    assert_eq!(third.failure().0, 429, "all of them came from this machine");
    let body = json!({"email": "riley@demo.test", "password": TestApp::PASSWORD});
    let spoofed = anonymous
        .request(Method::POST, "/api/auth/login")
        .header("x-forwarded-proto", "https");
    let reply = anonymous.fetch(spoofed.json(&body)).await;
    assert!(
        cookie_of(&reply).expect("a cookie").starts_with("session="),
        "not https"
    );
}

#[tokio::test]
async fn the_session_gets_a_new_id_at_login_and_the_old_one_is_dead() {
    let app = TestApp::spawn().await;
    let old = app.riley.clone();
    let mut browser = old.clone();

    browser.log_in("riley@demo.test", TestApp::PASSWORD).await;

    assert_ne!(browser.cookie, old.cookie);
    assert_eq!(browser.get("/api/auth/me").await.status, 200);
    assert_snapshot!(old.get("/api/auth/me").await.refusal(), @"401 UNAUTHENTICATED: Log in first.");
}

#[tokio::test]
async fn an_id_that_somebody_made_up_is_never_adopted() {
    let app = TestApp::spawn().await;
    let mut browser = app.anonymous();
    browser.cookie = Some("session=AAAAAAAAAAAAAAAAAAAAAA".to_owned());

    let reply = browser.log_in("sam@demo.test", TestApp::PASSWORD).await;

    assert_eq!(reply.status, 200);
    assert!(cookie_of(&reply).is_some_and(|cookie| cookie != "session=AAAAAAAAAAAAAAAAAAAAAA"));
}

#[tokio::test]
async fn logout_ends_the_session_on_the_server() {
    let app = TestApp::spawn().await;
    let other_tab = app.sam.clone();

    let reply = app.sam.post_nothing("/api/auth/logout").await;

    assert_eq!(reply.status, 204);
    assert!(
        reply
            .header("set-cookie")
            .is_some_and(|cookie| cookie.contains("Max-Age=0"))
    );
    assert_snapshot!(other_tab.get("/api/plans").await.refusal(), @"401 UNAUTHENTICATED: Log in first.");
    assert_eq!(
        app.database
            .count(&format!(
                "SELECT count(*) FROM sessions WHERE user_id = '{}'",
                app.sam.id
            ))
            .await,
        0
    );
}

#[tokio::test]
async fn logout_everywhere_ends_the_sessions_of_all_devices_of_this_person_only() {
    let app = TestApp::spawn().await;
    let phone = app.session_of(&app.sam).await;
    assert_eq!(phone.get("/api/auth/me").await.status, 200);

    assert_eq!(app.sam.post_nothing("/api/auth/logout-everywhere").await.status, 204);

    assert_eq!(phone.get("/api/auth/me").await.status, 401);
    assert_eq!(app.sam.get("/api/auth/me").await.status, 401);
    assert_eq!(app.riley.get("/api/auth/me").await.status, 200);
}

#[tokio::test]
async fn a_session_ends_when_it_is_not_used_and_is_prolonged_when_it_is() {
    let app = TestApp::builder()
        .clock(Clock::manual(OffsetDateTime::now_utc()))
        .spawn()
        .await;

    assert_eq!(
        cookie_of(&app.sam.get("/api/auth/me").await),
        None,
        "not written at every request"
    );
    app.clock().advance(Duration::minutes(6));
    assert_eq!(cookie_of(&app.sam.get("/api/auth/me").await), app.sam.cookie);

    app.clock().advance(Duration::minutes(121));
    assert_eq!(app.sam.get("/api/auth/me").await.status, 401);
}

#[tokio::test]
async fn a_session_ends_after_twelve_hours_however_busy_it_was() {
    let clock = Clock::manual(OffsetDateTime::now_utc());
    let app = TestApp::builder()
        .clock(clock)
        .config(|config| config.session.idle_minutes = 43_200)
        .spawn()
        .await;

    app.clock().advance(Duration::hours(11));
    assert_eq!(app.sam.get("/api/auth/me").await.status, 200);
    app.clock().advance(Duration::hours(1));
    assert_eq!(app.sam.get("/api/auth/me").await.status, 401);
}

#[tokio::test]
async fn a_changed_role_and_a_deleted_account_take_effect_at_once() {
    let app = TestApp::spawn().await;
    let path = app.sam.path("");
    assert_eq!(app.sam.get(&path).await.status, 200);

    app.database
        .run(&format!(
            "UPDATE users SET role = 'franchisor_admin' WHERE id = '{}'",
            app.sam.id
        ))
        .await;
    assert_snapshot!(app.sam.get(&path).await.refusal(), @"403 FORBIDDEN: This plan belongs to somebody else.");

    app.database
        .run(&format!("DELETE FROM users WHERE id = '{}'", app.sam.id))
        .await;
    assert_snapshot!(app.sam.get(&path).await.refusal(), @"401 UNAUTHENTICATED: Log in first.");
}

#[tokio::test]
async fn guessing_is_stopped_without_locking_out_the_owner_elsewhere() {
    let app = TestApp::builder()
        .config(|config| config.limits.rate_limit_logins_per_15_minutes = 3)
        .spawn()
        .await;
    let anonymous = app.anonymous();
    for _ in 0..3 {
        assert_eq!(
            try_login(&anonymous, "sam@demo.test", WRONG, "10.0.0.1").await.status,
            401
        );
    }

    let stopped = try_login(&anonymous, "sam@demo.test", TestApp::PASSWORD, "10.0.0.1").await;

    assert_snapshot!(stopped.refusal(), @"429 RATE_LIMITED: Too many failed logins. Try again later.");
    let wait: u64 = stopped
        .header("retry-after")
        .and_then(|text| text.parse().ok())
        .expect("seconds");
    assert!((1..=900).contains(&wait), "{wait}");
    assert_eq!(
        try_login(&anonymous, "sam@demo.test", TestApp::PASSWORD, "10.0.0.2")
            .await
            .status,
        200
    );
    assert_eq!(
        try_login(&anonymous, "riley@demo.test", TestApp::PASSWORD, "10.0.0.1")
            .await
            .status,
        200
    );
}

#[tokio::test]
async fn a_login_that_is_no_login_is_refused_before_anything_is_hashed() {
    let app = TestApp::spawn().await;
    let anonymous = app.anonymous();
    for body in [
        json!({}),
        json!({"email": "", "password": "x"}),
        json!({"email": "a@b.c", "password": "x".repeat(257)}),
        json!({"email": "a@b.c", "password": 7}),
        json!({"email": "a@b.c", "password": "x", "role": "platform_admin"}),
        Value::Null,
    ] {
        assert_eq!(
            anonymous.post("/api/auth/login", &body).await.failure(),
            (400, "VALIDATION_ERROR".to_owned()),
            "{body}"
        );
    }
    let large = json!({"email": "x".repeat(5_000), "password": "x"});
    assert_snapshot!(anonymous.post("/api/auth/login", &large).await.refusal(), @"413 PAYLOAD_TOO_LARGE: The body may have at most 4096 bytes.");
}

#[tokio::test]
async fn the_plan_somebody_was_last_in_is_remembered() {
    let app = TestApp::spawn().await;
    let active = async |client: &Client| client.get("/api/me/active-plan").await.data()["planId"].take();
    assert_eq!(active(&app.sam).await, Value::Null);

    let set = async |plan| app.sam.put("/api/me/active-plan", &json!({ "planId": plan })).await;
    assert_eq!(set(json!(app.sam.plan)).await.status, 200);
    assert_snapshot!(set(json!(app.riley.plan)).await.refusal(), @"403 FORBIDDEN: This plan belongs to somebody else.");
    assert_snapshot!(set(json!(app.sam.id)).await.refusal(), @"404 NOT_FOUND: The plan does not exist.");
    assert_eq!(set(json!("x")).await.failure(), (400, "VALIDATION_ERROR".to_owned()));

    assert_eq!(active(&app.session_of(&app.sam).await).await, json!(app.sam.plan));
}
