//! Signing out here and there.

use super::{Browser, FORM, signed_in};
use crate::support::{IdentityProvider, Reply, Signature, TestApp};
use reqwest::Method;
use serde_json::{Value, json};

async fn send(app: &TestApp, token: &str) -> Reply {
    let client = app.anonymous();
    let request = client.request(Method::POST, "/api/auth/oidc/backchannel-logout");
    client
        .fetch(
            request
                .header("content-type", FORM)
                .body(format!("logout_token={token}")),
        )
        .await
}

async fn ends(app: &TestApp, idp: &IdentityProvider, claims: &Value) {
    let reply = send(app, &idp.logout_token(claims)).await;
    assert_eq!((reply.status, reply.text.as_str()), (200, ""), "{claims}");
    assert_eq!(reply.header("cache-control"), Some("no-store"));
}

#[tokio::test]
async fn signing_out_names_the_providers_page_to_those_who_came_from_there() {
    let (app, idp, mut browser) = signed_in().await;
    let url = browser.post("/api/auth/logout").await.data()["url"]
        .as_str()
        .expect("a URL")
        .to_owned();
    assert_eq!(
        url,
        format!(
            "{}/end?tenant=1&client_id=plans&post_logout_redirect_uri=http%3A%2F%2F127.0.0.1%3A3000%2F%3Fview%3Dsign-in",
            idp.base()
        )
    );
    assert_eq!(browser.me().await, None);
    assert_eq!(
        app.sam.post_nothing("/api/auth/logout").await.status,
        204,
        "Sam came by password"
    );
}

#[tokio::test]
async fn the_provider_ends_one_session_or_all_of_a_person() {
    let (app, idp, mut first) = signed_in().await;
    idp.now().person["sid"] = json!("sid-2");
    let mut second = Browser::new(&app.main);
    second.sign_in(&idp, "").await;

    ends(&app, &idp, &json!({"sid": "sid-unknown"})).await;
    ends(&app, &idp, &json!({"sid": "sid-1", "sub": "somebody-else"})).await;
    assert!(first.me().await.is_some() && second.me().await.is_some());
    ends(&app, &idp, &json!({"sid": "sid-1", "sub": "ana-1"})).await;
    assert!(first.me().await.is_none() && second.me().await.is_some());

    // Ana's session by password is not the provider's.
    let hash = "UPDATE users SET password_hash = (SELECT password_hash FROM users WHERE email = 'sam@demo.test') WHERE email = 'ana@example.com'";
    app.database.run(hash).await;
    let mut by_password = app.anonymous();
    assert_eq!(
        by_password.log_in("ana@example.com", TestApp::PASSWORD).await.status,
        200
    );
    ends(&app, &idp, &json!({"sub": "ana-1"})).await;
    assert_eq!(second.me().await, None);
    assert_eq!(by_password.get("/api/auth/me").await.status, 200);
    let audit = "SELECT count(*) FROM audit_events WHERE kind = 'logout' AND detail ->> 'by' = 'identity provider'";
    assert_eq!(app.database.count(audit).await, 2);
}

#[tokio::test]
async fn a_logout_token_is_checked_like_any_other() {
    let (app, idp, mut browser) = signed_in().await;
    let seconds = time::OffsetDateTime::now_utc().unix_timestamp();
    let sub = |name: &str, value: Value| {
        let mut claims = json!({"sub": "ana-1"});
        claims[name] = value;
        claims
    };
    for claims in [
        sub("iss", json!("https://evil.example")),
        sub("iss", json!(format!("{}/", idp.base()))),
        sub("aud", json!("another")),
        sub("aud", Value::Null),
        sub("iat", json!(seconds + 300)),
        sub("iat", json!(seconds - 3600)),
        sub("iat", Value::Null),
        sub("exp", json!(seconds - 300)),
        sub("exp", Value::Null),
        sub("events", Value::Null),
        sub("events", json!({"another": {}})),
        sub(
            "events",
            json!({"http://schemas.openid.net/event/backchannel-logout": true}),
        ),
        sub("nonce", json!("an ID token's")),
        json!({}),
        json!({"sub": "x".repeat(300)}),
        json!({"sid": 7}),
    ] {
        let reply = send(&app, &idp.logout_token(&claims)).await;
        assert_eq!(reply.failure(), (400, "VALIDATION_ERROR".to_owned()), "{claims}");
        assert_eq!(reply.header("cache-control"), Some("no-store"));
    }
    for signature in [Signature::None, Signature::Secret, Signature::Forged] {
        idp.now().signature = signature;
        let reply = send(&app, &idp.logout_token(&json!({"sub": "ana-1"}))).await;
        assert_eq!(reply.failure().0, 400, "{signature:?}");
    }
    idp.now().signature = Signature::Key;
    let id_token = {
        let claims = json!({"iss": idp.base(), "aud": "plans", "sub": "ana-1", "iat": seconds, "exp": seconds + 60, "nonce": "x"});
        idp.now().token("JWT", &claims)
    };
    let access_token = {
        let claims = json!({"iss": idp.base(), "aud": "plans", "sub": "ana-1", "iat": seconds, "exp": seconds + 60});
        idp.now().token("at+jwt", &claims)
    };
    for token in [
        id_token.as_str(),
        &access_token,
        "",
        "a.b.c",
        "....",
        "\u{0}",
        &"x".repeat(10_000),
    ] {
        assert_eq!(send(&app, token).await.failure().0, 400, "{token:.20}");
    }
    assert!(browser.me().await.is_some());
}

#[tokio::test]
async fn what_is_no_form_is_refused() {
    let (app, idp, _browser) = signed_in().await;
    let client = app.anonymous();
    let path = "/api/auth/oidc/backchannel-logout";
    let token = idp.logout_token(&json!({"sub": "ana-1"}));
    let form = |body: String| {
        let request = client.request(Method::POST, path);
        request
            .header("content-type", "application/x-www-form-urlencoded; charset=utf-8")
            .body(body)
    };
    for (request, status) in [
        (
            client.request(Method::POST, path).json(&json!({"logout_token": token})),
            415,
        ),
        (client.request(Method::POST, path), 415),
        (form(String::new()), 400),
        (form(format!("logout_token={token}&logout_token={token}")), 400),
        (form("logout_token=\u{7}\u{e4}".into()), 400),
        (form(format!("logout_token={}", "x".repeat(20_000))), 413),
        (
            form(format!("logout_token={token}")).header("origin", "https://evil.example"),
            403,
        ),
        (form(format!("logout_token={token}")), 200),
    ] {
        let reply = client.fetch(request).await;
        assert_eq!(reply.status, status, "{}", reply.text);
    }
}

#[tokio::test]
async fn keys_that_have_changed_are_fetched_for_a_logout_too() {
    let (app, idp, mut browser) = signed_in().await;
    idp.now().rotate();
    ends(&app, &idp, &json!({"sub": "ana-1"})).await;
    assert_eq!(browser.me().await, None);
}
