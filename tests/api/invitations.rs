//! Inviting people, and opening an account with the link.

use crate::admin::begin;
use crate::auth::cookie_of;
use crate::support::{Client, Reply, TestApp, shown, without};
use insta::assert_snapshot;
use reqwest::Method;
use serde_json::{Value, json};

const INVITATIONS: &str = "/api/admin/invitations";
pub const PASSWORD: &str = "kettle-orbit-92 rain";

pub async fn invite(by: &Client, email: &str, role: &str, brand: Option<&str>) -> Reply {
    let mut body = json!({"email": email, "role": role});
    if let Some(brand) = brand {
        body["brandId"] = json!(brand);
    }
    by.post(INVITATIONS, &body).await
}

/// The token in the link of an answer.
#[track_caller]
pub fn token_in(reply: &Reply) -> String {
    let url = reply.data()["url"].as_str().expect("a link").to_owned();
    url.split_once("#token=").expect("a token").1.to_owned()
}

async fn look(client: &Client, token: &str) -> Reply {
    client
        .post("/api/auth/invitations/look", &json!({ "token": token }))
        .await
}

async fn accept(client: &Client, token: &str, name: &str, password: &str) -> Reply {
    let body = json!({"token": token, "displayName": name, "password": password});
    client.post("/api/auth/invitations/accept", &body).await
}

async fn demo_brand(app: &TestApp) -> String {
    app.database
        .value("SELECT id::text AS id FROM brands")
        .await
        .expect("a brand")
}

/// Another brand, made by copying the demo's.
async fn other_brand(app: &TestApp) -> String {
    let mut brand = app.admin.get("/api/brands").await.data()[0].take();
    brand.as_object_mut().expect("an object").remove("id");
    (brand["slug"], brand["name"]) = (json!("other"), json!("Other"));
    let made = app.admin.post("/api/brands", &brand).await.data();
    made["id"].as_str().expect("an id").to_owned()
}

#[tokio::test]
async fn an_invited_person_opens_an_account_and_is_signed_in() {
    let app = TestApp::spawn().await;
    let brand = demo_brand(&app).await;
    let sent = invite(&app.admin, " Ann.Lee@Example.COM ", "franchisee", Some(&brand)).await;
    assert_eq!(sent.status, 201, "{}", sent.text);
    let invitation = sent.data();
    assert_eq!(invitation["brandId"], brand);
    assert_eq!(invitation["invitedBy"]["id"], json!(app.admin.id));
    assert_snapshot!(shown(without(&invitation, "url")), @r#"{"brandId":"[id]","brandName":"Willow & Wag Grooming","createdAt":"[time]","email":"ann.lee@example.com","expired":false,"expiresAt":"[time]","id":"[id]","invitedBy":{"displayName":"Avery Stone","id":"[id]"},"role":"franchisee"}"#);
    let url = invitation["url"].as_str().expect("a link");
    assert!(url.starts_with("/?view=invitation#token="), "{url}");
    let token = token_in(&sent);

    let browser = app.anonymous();
    let seen = look(&browser, &token).await.data();
    assert_snapshot!(shown(&seen), @r#"{"brandName":"Willow & Wag Grooming","email":"ann.lee@example.com","expiresAt":"[time]","passwordRequired":true,"role":"franchisee"}"#);
    assert_eq!(seen["expiresAt"], invitation["expiresAt"]);

    let opened = accept(&browser, &token, " Ann\u{200B} Lee ", PASSWORD).await;
    assert_eq!(opened.status, 201, "{}", opened.text);
    let person = opened.data();
    assert_eq!(person["brandId"], brand);
    assert_snapshot!(shown(&person), @r#"{"brandId":"[id]","displayName":"Ann Lee","email":"ann.lee@example.com","id":"[id]","role":"franchisee"}"#);
    let mut ann = browser.clone();
    ann.cookie = cookie_of(&opened);
    assert_eq!(ann.get("/api/auth/me").await.data()["user"], person);
    assert_eq!(ann.get("/api/me/sessions").await.data()[0]["method"], "invitation");
    assert_eq!(
        app.anonymous().log_in("ann.lee@example.com", PASSWORD).await.status,
        200
    );

    assert_eq!(app.admin.get(INVITATIONS).await.data(), json!([]));
    let events = "SELECT kind || ' ' || coalesce(actor_name, u.email) AS e FROM audit_events LEFT JOIN users u ON u.id = actor_id \
                  WHERE kind LIKE 'invitation%' ORDER BY audit_events.id";
    assert_eq!(
        app.database.values(events).await,
        [
            Some("invitation_created admin@demo.test".to_owned()),
            Some("invitation_accepted ann.lee@example.com".to_owned())
        ]
    );
}

#[tokio::test]
async fn only_the_hash_of_a_token_is_stored_and_nothing_of_it_is_audited() {
    let app = TestApp::builder()
        .config(|config| config.http.public_url = Some("https://plans.example.com".into()))
        .spawn()
        .await;
    let sent = invite(&app.admin, "ann@example.com", "franchisee", None).await;
    let (url, token) = (sent.data()["url"].clone(), token_in(&sent));
    assert_eq!(url, format!("https://plans.example.com/?view=invitation#token={token}"));
    assert_eq!(token.len(), 43);
    assert!(!app.admin.get(INVITATIONS).await.text.contains(&token));
    let hashed = format!("SELECT count(*) FROM invitations WHERE token_hash = sha256('{token}')");
    assert_eq!(app.database.count(&hashed).await, 1);
    let told = format!("SELECT count(*) FROM audit_events WHERE detail::text LIKE '%{token}%'");
    assert_eq!(app.database.count(&told).await, 0);
}

#[tokio::test]
async fn links_that_open_nothing_are_answered_alike() {
    let app = TestApp::spawn().await;
    let browser = app.anonymous();
    let used = token_in(&invite(&app.admin, "used@example.com", "franchisee", None).await);
    assert_eq!(accept(&browser, &used, "Used", PASSWORD).await.status, 201);
    let expired = token_in(&invite(&app.admin, "late@example.com", "franchisee", None).await);
    app.database
        .run("UPDATE invitations SET expires_at = now() WHERE email = 'late@example.com'")
        .await;
    let revoked = invite(&app.admin, "gone@example.com", "franchisee", None).await;
    let path = format!("{INVITATIONS}/{}", revoked.data()["id"].as_str().expect("an id"));
    assert_eq!(app.admin.delete(&path).await.status, 204);
    assert_snapshot!(app.admin.delete(&path).await.refusal(), @"404 NOT_FOUND: The invitation does not exist.");
    // Their owner came another way meanwhile.
    let overtaken = token_in(&invite(&app.admin, "fast@example.com", "franchisee", None).await);
    app.add_franchisee("fast").await;
    app.database
        .run("UPDATE users SET email = 'fast@example.com' WHERE email = 'fast@test.test'")
        .await;

    let mut texts = Vec::new();
    for token in [
        &used,
        &expired,
        &token_in(&revoked),
        "",
        "garbage",
        "\0\u{1F600}",
        &"x".repeat(2_000),
    ] {
        let (seen, opened) = (
            look(&browser, token).await,
            accept(&browser, token, "X", PASSWORD).await,
        );
        assert_eq!(seen.failure(), (404, "NOT_FOUND".to_owned()), "{token}");
        assert_eq!(opened.failure(), (404, "NOT_FOUND".to_owned()), "{token}");
        texts.extend([seen.text, opened.text]);
    }
    texts.push(accept(&browser, &overtaken, "Fast", PASSWORD).await.text);
    texts.dedup();
    assert_eq!(texts.len(), 1, "{texts:#?}");
    assert_snapshot!(look(&browser, &"x".repeat(10_240)).await.refusal(), @"413 PAYLOAD_TOO_LARGE: The body may have at most 4096 bytes.");
    let broken = browser.post("/api/auth/invitations/look", &json!({"token": 7})).await;
    assert_eq!(broken.failure(), (400, "VALIDATION_ERROR".to_owned()));
}

#[tokio::test]
async fn two_who_accept_at_once_make_one_account() {
    let app = TestApp::spawn().await;
    let token = token_in(&invite(&app.admin, "ann@example.com", "franchisee", None).await);
    let (one, other) = (app.anonymous(), app.anonymous());
    let (one, other) = futures_util::join!(
        accept(&one, &token, "Ann", PASSWORD),
        accept(&other, &token, "Bob", PASSWORD)
    );
    let mut answers = [one.status, other.status];
    answers.sort_unstable();
    assert_eq!(answers, [201, 404]);
    let accounts = "SELECT count(*) FROM users WHERE email = 'ann@example.com'";
    assert_eq!(app.database.count(accounts).await, 1);
}

#[tokio::test]
async fn an_address_is_invited_once_until_the_link_expires() {
    let app = TestApp::spawn().await;
    let exists = invite(&app.admin, "SAM@demo.test", "franchisee", None).await;
    assert_snapshot!(exists.refusal(), @"409 CONFLICT: There is an account with this address already.");
    let first = token_in(&invite(&app.admin, "ann@example.com", "franchisee", None).await);
    let again = invite(&app.admin, "Ann@Example.com", "platform_admin", None).await;
    assert_snapshot!(again.refusal(), @"409 CONFLICT: This address is invited already. Take that invitation back for a new link.");

    app.database.run("UPDATE invitations SET expires_at = now()").await;
    assert_eq!(app.admin.get(INVITATIONS).await.data()[0]["expired"], true);
    let renewed = invite(&app.admin, "ann@example.com", "platform_admin", None).await;
    assert_eq!(renewed.status, 201, "{}", renewed.text);
    let list = app.admin.get(INVITATIONS).await.data();
    assert_snapshot!(shown(&list), @r#"- {"brandId":null,"brandName":null,"createdAt":"[time]","email":"ann@example.com","expired":false,"expiresAt":"[time]","id":"[id]","invitedBy":{"displayName":"Avery Stone","id":"[id]"},"role":"platform_admin"}"#);
    let browser = app.anonymous();
    assert_eq!(look(&browser, &first).await.status, 404);
    assert_eq!(look(&browser, &token_in(&renewed)).await.status, 200);
}

#[tokio::test]
async fn an_invitation_that_makes_no_sense_is_refused() {
    let app = TestApp::spawn().await;
    let brand = demo_brand(&app).await;
    let long = format!("{}@example.com", "a".repeat(250));
    for (body, field) in [
        (json!({"email": "ann", "role": "franchisee"}), "email"),
        (json!({"email": "", "role": "franchisee"}), "email"),
        (json!({"email": "a\u{0}@example.com", "role": "franchisee"}), "email"),
        (json!({"email": long, "role": "franchisee"}), "email"),
        (json!({"email": "\u{430}nn@example.com", "role": "franchisee"}), "email"),
        (json!({"email": "ann@example.com"}), "role"),
        (
            json!({"email": "ann@example.com", "role": "franchisor_admin"}),
            "brandId",
        ),
        (
            json!({"email": "ann@example.com", "role": "platform_admin", "brandId": brand}),
            "brandId",
        ),
        (
            json!({"email": "ann@example.com", "role": "franchisee", "brandId": app.sam.id}),
            "brandId",
        ),
        (
            json!({"email": "ann@example.com", "role": "franchisee", "admin": true}),
            "admin",
        ),
    ] {
        let reply = app.admin.post(INVITATIONS, &body).await;
        assert_eq!(reply.failure(), (400, "VALIDATION_ERROR".to_owned()), "{body}");
        assert_eq!(reply.json()["error"]["details"][0]["field"], field, "{body}");
    }
    assert_eq!(app.database.count("SELECT count(*) FROM invitations").await, 0);
}

#[tokio::test]
async fn a_brands_administrator_invites_franchisees_of_that_brand_only() {
    let app = TestApp::spawn().await;
    let (own, other) = (demo_brand(&app).await, other_brand(&app).await);
    let forbidden = (403, "FORBIDDEN".to_owned());
    for (role, brand) in [
        ("platform_admin", None),
        ("franchisor_admin", Some(&own)),
        ("franchisee", Some(&other)),
    ] {
        let reply = invite(&app.morgan, "ann@example.com", role, brand.map(String::as_str)).await;
        assert_eq!(reply.failure(), forbidden, "{role}");
    }
    let sent = invite(&app.morgan, "ann@example.com", "franchisee", None).await.data();
    assert_eq!(sent["brandId"], json!(own), "her own brand");
    let foreign = invite(&app.admin, "bob@example.com", "franchisee", Some(&other))
        .await
        .data();
    let of_none = invite(&app.admin, "cid@example.com", "platform_admin", None)
        .await
        .data();

    let seen = app.morgan.get(INVITATIONS).await.data();
    assert_eq!((seen.as_array().map(Vec::len), &seen[0]["id"]), (Some(1), &sent["id"]));
    let path = |invitation: &Value| format!("{INVITATIONS}/{}", invitation["id"].as_str().expect("an id"));
    for invitation in [&foreign, &of_none] {
        assert_eq!(app.morgan.delete(&path(invitation)).await.failure().0, 404);
    }
    assert_eq!(app.morgan.delete(&path(&sent)).await.status, 204);
    let left: Vec<_> = app
        .admin
        .get(INVITATIONS)
        .await
        .data()
        .as_array()
        .expect("a list")
        .clone();
    assert_eq!(left.len(), 2);
    assert_eq!(
        (&left[0]["email"], &left[1]["email"]),
        (&of_none["email"], &foreign["email"]),
        "newest first"
    );

    assert_eq!(app.sam.get(INVITATIONS).await.failure(), forbidden);
    let (acting, _) = begin(&app, &app.sam, "edit").await;
    assert_eq!(
        invite(&acting, "dee@example.com", "franchisee", None).await.failure(),
        forbidden
    );
}

#[tokio::test]
async fn an_account_needs_a_name_and_a_good_password() {
    let app = TestApp::spawn().await;
    let token = token_in(&invite(&app.admin, "ann@example.com", "franchisee", None).await);
    let browser = app.anonymous();
    let path = "/api/auth/invitations/accept";
    let too_long = "kettle-orbit ".repeat(10);
    assert_eq!(too_long.len(), 130);
    for (name, password, field) in [
        (json!(""), json!(PASSWORD), "displayName"),
        (json!("\u{200B}\n"), json!(PASSWORD), "displayName"),
        (json!("x".repeat(101)), json!(PASSWORD), "displayName"),
        (json!("Ann"), Value::Null, "password"),
        (json!("Ann"), json!("orbit-92!"), "password"),
        (json!("Ann"), json!(too_long[..129]), "password"),
        (json!("Ann"), json!("kettle\u{0}orbit-92"), "password"),
        (json!("Ann"), json!("password123"), "password"),
        (json!("Ann"), json!("ann@example.com"), "password"),
    ] {
        let reply = browser
            .post(
                path,
                &json!({"token": token, "displayName": name, "password": password}),
            )
            .await;
        assert_eq!(
            reply.failure(),
            (400, "VALIDATION_ERROR".to_owned()),
            "{name} {password}"
        );
        assert_eq!(reply.json()["error"]["details"][0]["field"], field, "{name} {password}");
    }
    // 128 characters of four bytes each.
    let faces: String = (0..128_u32)
        .filter_map(|nth| char::from_u32(0x1_F600 + nth * 7 % 79))
        .collect();
    assert_eq!((faces.chars().count(), faces.len()), (128, 512));
    assert_eq!(accept(&browser, &token, "Ann", &faces).await.status, 201);
    assert_eq!(app.anonymous().log_in("ann@example.com", &faces).await.status, 200);
}

#[tokio::test]
async fn guessing_links_is_slow_and_right_ones_never_count() {
    let app = TestApp::builder()
        .config(|config| config.limits.rate_limit_failed_logins_per_address_per_15_minutes = 3)
        .spawn()
        .await;
    let token = token_in(&invite(&app.admin, "ann@example.com", "franchisee", None).await);
    let from = async |address: &str, path: &str, body: Value| {
        let browser = app.anonymous();
        let request = browser.request(Method::POST, path).header("x-forwarded-for", address);
        browser.fetch(request.json(&body)).await
    };
    let look =
        async |address: &str, token: &str| from(address, "/api/auth/invitations/look", json!({"token": token})).await;
    for _ in 0..5 {
        assert_eq!(look("2001:db8::1", &token).await.status, 200);
    }
    assert_eq!(look("2001:db8::1", "wrong").await.status, 404);
    let reset = json!({"token": "wrong", "next": PASSWORD});
    assert_eq!(
        from("2001:db8::2", "/api/auth/password-reset", reset.clone())
            .await
            .status,
        404
    );
    let accept = json!({"token": "wrong", "displayName": "Ann", "password": PASSWORD});
    assert_eq!(
        from("2001:db8::3", "/api/auth/invitations/accept", accept).await.status,
        404
    );

    let limited = look("2001:db8::4", "wrong").await;
    assert_snapshot!(limited.refusal(), @"429 RATE_LIMITED: Too many failed logins. Try again later.");
    assert!(limited.header("retry-after").is_some());
    assert_eq!(from("2001:db8::5", "/api/auth/password-reset", reset).await.status, 429);
    let login = json!({"email": "sam@demo.test", "password": TestApp::PASSWORD});
    assert_eq!(from("2001:db8::6", "/api/auth/login", login).await.status, 429);
    assert_eq!(look("2001:db8:0:1::1", &token).await.status, 200);
}
