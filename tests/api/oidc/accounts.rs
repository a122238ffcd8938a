//! Whose account a recognized person gets.

use super::{Browser, FORM, invite, problem, signed_in, world};
use crate::invitations::{PASSWORD, token_in};
use crate::support::{IdentityProvider, Signature, TestApp, shown};
use insta::assert_snapshot;
use reqwest::Method;
use serde_json::{Value, json};

async fn role_of(app: &TestApp, email: &str) -> Option<String> {
    app.database
        .value(&format!("SELECT role FROM users WHERE email = '{email}'"))
        .await
}

#[tokio::test]
async fn an_invited_person_comes_in_with_what_the_invitation_says_and_is_known_from_then_on() {
    let (app, idp) = world().await;
    invite(&app, "ana@example.com", "franchisor_admin").await;
    idp.now().person["email"] = json!("Ana@Example.COM");
    let mut browser = Browser::new(&app.main);

    assert_eq!(
        browser.sign_in(&idp, "?next=/plans/1%3Fview=chat").await,
        "/plans/1?view=chat"
    );

    let me = browser.me().await.expect("signed in");
    assert_snapshot!(shown(&me), @r#"{"brandId":"[id]","displayName":"Ana Lopez","email":"ana@example.com","id":"[id]","role":"franchisor_admin"}"#);
    let kinds = "SELECT kind FROM audit_events WHERE effective_user_id = (SELECT id FROM users WHERE email = 'ana@example.com') ORDER BY kind";
    let kinds: Vec<_> = app.database.values(kinds).await.into_iter().flatten().collect();
    assert_eq!(kinds, ["identity_linked", "invitation_accepted", "login"]);
    let method = "SELECT detail ->> 'method' FROM audit_events WHERE kind = 'login'";
    assert_eq!(app.database.value(method).await.as_deref(), Some("oidc"));
    let sid = "SELECT oidc_sid FROM sessions WHERE oidc_sid IS NOT NULL";
    assert_eq!(app.database.value(sid).await.as_deref(), Some("sid-1"));
    let open = "SELECT count(*) FROM invitations WHERE accepted_at IS NULL OR user_id IS NULL";
    assert_eq!(app.database.count(open).await, 0);

    // By the subject, whatever the address has become.
    idp.now().person = json!({"sub": "ana-1", "email": "ana@new.example", "email_verified": false});
    let mut again = Browser::new(&app.main);
    assert_eq!(again.sign_in(&idp, "").await, "/");
    assert_eq!(again.me().await.expect("signed in")["id"], me["id"]);
    assert_eq!(app.database.count("SELECT count(*) FROM user_identities").await, 1);
}

#[tokio::test]
async fn the_session_is_a_new_one_and_the_device_is_remembered() {
    let (app, idp) = world().await;
    invite(&app, "ana@example.com", "franchisee").await;
    let mut browser = Browser::of(app.riley.clone());
    let before = browser.jar["session"].clone();

    assert_eq!(browser.sign_in(&idp, "").await, "/");

    assert_ne!(browser.jar["session"], before);
    assert_eq!(
        app.riley.get("/api/auth/me").await.status,
        401,
        "who was signed in before is out"
    );
    assert!(browser.jar.contains_key("device") && browser.under_way().is_empty());
    let device = browser.jar["device"].clone();
    assert_eq!(browser.sign_in(&idp, "").await, "/");
    assert_eq!(browser.jar["device"], device, "a known device stays one");
}

#[tokio::test]
async fn nobody_comes_in_by_an_address_alone() {
    let (app, idp) = world().await;
    let mut browser = Browser::new(&app.main);
    // An account that was not opened by an invitation is nobody's but its owner's.
    for email in ["nobody@example.com", "riley@demo.test", "admin@demo.test"] {
        idp.now().person["email"] = json!(email);
        assert_eq!(browser.sign_in(&idp, "").await, problem("sso_not_invited"), "{email}");
        assert_eq!(browser.me().await, None);
    }
    invite(&app, "ana@example.com", "franchisee").await;
    for (unverified, code) in [
        (json!(false), "sso_email_unverified"),
        (json!("false"), "sso_email_unverified"),
        (json!(null), "sso_email_unverified"),
        (json!(1), "sso_email_unverified"),
        (json!("yes"), "sso_email_unverified"),
    ] {
        idp.now().person = json!({"sub": "ana-1", "email": "ana@example.com", "email_verified": unverified});
        assert_eq!(browser.sign_in(&idp, "").await, problem(code), "{unverified}");
    }
    idp.now().person = json!({"sub": "ana-1"});
    assert_eq!(
        browser.sign_in(&idp, "").await,
        problem("sso_email_unverified"),
        "no address at all"
    );
    app.database.run("UPDATE invitations SET expires_at = now()").await;
    idp.now().person = json!({"sub": "ana-1", "email": "ana@example.com", "email_verified": true});
    assert_eq!(
        browser.sign_in(&idp, "").await,
        problem("sso_not_invited"),
        "the invitation is over"
    );
    assert_eq!(app.database.count("SELECT count(*) FROM user_identities").await, 0);
    let failed =
        "SELECT count(*) FROM audit_events WHERE kind = 'login_failed' AND detail ->> 'problem' = 'sso_not_invited'";
    assert_eq!(app.database.count(failed).await, 4);
}

#[tokio::test]
async fn an_account_that_was_opened_by_an_invitation_is_linked_by_the_address() {
    let (app, idp) = world().await;
    invite(&app, "riley@demo.test", "franchisee").await;
    let accept =
        "UPDATE invitations SET accepted_at = now(), user_id = (SELECT id FROM users WHERE email = 'riley@demo.test')";
    app.database.run(accept).await;
    idp.now().person["email"] = json!("riley@demo.test");
    let mut browser = Browser::new(&app.main);
    assert_eq!(browser.sign_in(&idp, "").await, "/?notice=sso_first_proof");
    assert_eq!(browser.me().await.expect("signed in")["id"], json!(app.riley.id));
}

#[tokio::test]
async fn disabled_people_are_answered_like_strangers() {
    let (app, idp, mut browser) = signed_in().await;
    app.database
        .run("UPDATE users SET disabled_at = now() WHERE email = 'ana@example.com'")
        .await;
    assert_eq!(browser.me().await, None);
    assert_eq!(browser.sign_in(&idp, "").await, problem("sso_not_invited"));
    // Nor is another identity of theirs linked.
    idp.now().person["sub"] = json!("ana-2");
    assert_eq!(browser.sign_in(&idp, "").await, problem("sso_not_invited"));
    assert_eq!(app.database.count("SELECT count(*) FROM user_identities").await, 1);
}

#[tokio::test]
async fn where_people_may_sign_up_a_stranger_becomes_a_franchisee_and_takes_over_nobody() {
    let idp = IdentityProvider::start().await;
    let app = TestApp::builder()
        .config(idp.trusted())
        .config(|config| config.oidc.allow_signup = true)
        .spawn()
        .await;
    let mut browser = Browser::new(&app.main);
    assert_eq!(browser.sign_in(&idp, "").await, "/");
    let me = browser.me().await.expect("signed in");
    assert_snapshot!(shown(&me), @r#"{"brandId":null,"displayName":"Ana Lopez","email":"ana@example.com","id":"[id]","role":"franchisee"}"#);

    idp.now().person = json!({"sub": "eve", "email": "admin@demo.test", "email_verified": true});
    assert_eq!(browser.sign_in(&idp, "").await, problem("sso_not_invited"));
    idp.now().person = json!({"sub": "eve", "email": "eve@example.com"});
    assert_eq!(browser.sign_in(&idp, "").await, problem("sso_email_unverified"));
    idp.now().person = json!({"sub": "bo", "email": "bo@example.com", "email_verified": true});
    assert_eq!(browser.sign_in(&idp, "").await, "/");
    assert_eq!(
        browser.me().await.expect("signed in")["displayName"],
        json!("bo"),
        "no name: the address's"
    );
}

#[tokio::test]
async fn the_role_claim_makes_administrators_and_unmakes_them_but_not_the_last_one() {
    let idp = IdentityProvider::start().await;
    let app = TestApp::builder()
        .config(idp.trusted())
        .config(|config| {
            config.oidc.role_claim = Some("realm_access.roles".into());
            config.oidc.admin_value = Some("plan-admins".into());
        })
        .spawn()
        .await;
    invite(&app, "ana@example.com", "franchisee").await;
    let says = |roles: Value| idp.now().person["realm_access"] = json!({ "roles": roles });
    let ana = "ana@example.com";
    let mut browser = Browser::new(&app.main);

    says(json!(["staff", "plan-admins"]));
    assert_eq!(browser.sign_in(&idp, "").await, "/");
    assert_eq!(role_of(&app, ana).await.as_deref(), Some("platform_admin"));
    assert_eq!(browser.get("/api/admin/users").await.status, 200);

    says(json!(["staff", "PLAN-ADMINS"]));
    assert_eq!(browser.sign_in(&idp, "").await, "/");
    assert_eq!(role_of(&app, ana).await.as_deref(), Some("franchisee"));
    assert_eq!(browser.get("/api/admin/users").await.status, 403);

    says(json!("plan-admins"));
    assert_eq!(browser.sign_in(&idp, "").await, "/");
    app.database
        .run("UPDATE users SET disabled_at = now() WHERE email = 'admin@demo.test'")
        .await;
    says(json!([]));
    assert_eq!(browser.sign_in(&idp, "").await, "/");
    assert_eq!(
        role_of(&app, ana).await.as_deref(),
        Some("platform_admin"),
        "the last one who may sign in"
    );
    let changes = "SELECT count(*) FROM audit_events WHERE kind = 'user_changed' AND detail ->> 'by' = 'oidc'";
    assert_eq!(app.database.count(changes).await, 3);

    // Other roles are not the claim's.
    app.database
        .run("UPDATE users SET disabled_at = NULL WHERE email = 'admin@demo.test'")
        .await;
    app.database
        .run("UPDATE users SET role = 'franchisor_admin', brand_id = (SELECT id FROM brands LIMIT 1) WHERE email = 'ana@example.com'")
        .await;
    assert_eq!(browser.sign_in(&idp, "").await, "/");
    assert_eq!(role_of(&app, ana).await.as_deref(), Some("franchisor_admin"));
}

#[tokio::test]
async fn what_the_id_token_lacks_the_userinfo_endpoint_says() {
    let (app, idp) = world().await;
    invite(&app, "ana@example.com", "franchisee").await;
    idp.now().person = json!({"sub": "ana-1"});
    let person = json!({"sub": "ana-1", "email": "ana@example.com", "email_verified": true, "name": "Ana"});
    let mut browser = Browser::new(&app.main);
    for (wrong, code) in [
        (
            json!({"sub": "eve", "email": "ana@example.com", "email_verified": true}),
            "sso_failed",
        ),
        (
            json!({"sub": "ana-1", "email": "ana@example.com"}),
            "sso_email_unverified",
        ),
        (json!("text"), "sso_failed"),
    ] {
        idp.now().userinfo = Some(wrong);
        assert_eq!(browser.sign_in(&idp, "").await, problem(code));
    }
    // A signed answer is checked like a token.
    idp.now().signs_userinfo = true;
    for (odd, value) in [("iss", "https://evil.example"), ("aud", "another")] {
        let mut said = person.clone();
        said[odd] = json!(value);
        idp.now().userinfo = Some(said);
        assert_eq!(browser.sign_in(&idp, "").await, problem("sso_failed"), "{odd}");
    }
    idp.now().userinfo = Some(person.clone());
    idp.now().signature = Signature::Secret;
    assert_eq!(browser.sign_in(&idp, "").await, problem("sso_failed"));
    idp.now().signature = Signature::Key;
    assert_eq!(browser.sign_in(&idp, "").await, "/");
    app.database.run("DELETE FROM user_identities").await;

    idp.now().signs_userinfo = false;
    idp.now().userinfo = Some(person);
    idp.now().access_token = "no\nheader".into();
    assert_eq!(browser.sign_in(&idp, "").await, problem("sso_failed"));
    idp.now().access_token = "better".into();
    assert_eq!(browser.sign_in(&idp, "").await, "/");
    assert_eq!(
        browser.me().await.expect("signed in")["email"],
        json!("ana@example.com")
    );
}

#[tokio::test]
async fn passwords_may_be_switched_off() {
    let idp = IdentityProvider::start().await;
    let app = TestApp::builder()
        .config(idp.trusted())
        .config(|config| {
            config.oidc.only = true;
            config.oidc.label = Some("Acme ID".into());
        })
        .spawn()
        .await;
    let methods = app.anonymous().get("/api/auth/methods").await.data();
    assert_eq!(methods, json!({"password": false, "oidc": {"label": "Acme ID"}}));
    let refused = app.anonymous().log_in("sam@demo.test", TestApp::PASSWORD).await;
    assert_snapshot!(refused.refusal(), @"404 NOT_FOUND: Passwords are not used here: sign in with single sign-on.");
    invite(&app, "ana@example.com", "franchisee").await;
    assert_eq!(Browser::new(&app.main).sign_in(&idp, "").await, "/");
}

#[tokio::test]
async fn under_oidc_only_no_link_no_password_and_no_old_session_is_a_way_around_the_provider() {
    let idp = IdentityProvider::start().await;
    let app = TestApp::builder()
        .config(idp.trusted())
        .config(|config| config.oidc.only = true)
        .spawn()
        .await;
    let invitation = json!({"email": "ana@example.com", "role": "platform_admin"});
    let sent = app.admin.post("/api/admin/invitations", &invitation).await;
    let token = token_in(&sent);
    let mut body = json!({"token": token, "displayName": "Ana"});
    let refused = app.anonymous().post("/api/auth/invitations/accept", &body).await;
    assert_snapshot!(refused.refusal(), @"404 NOT_FOUND: Passwords are not used here: sign in with single sign-on.");
    body["password"] = json!(PASSWORD);
    let refused = app.anonymous().post("/api/auth/invitations/accept", &body).await;
    assert_eq!((refused.status, refused.header("set-cookie")), (404, None));
    let path = format!("/api/admin/users/{}/password-reset", app.sam.id);
    assert_eq!(app.admin.post_nothing(&path).await.failure().0, 404);
    let reset = json!({"token": "x".repeat(43), "next": PASSWORD});
    assert_eq!(
        app.anonymous()
            .post("/api/auth/password-reset", &reset)
            .await
            .failure()
            .0,
        404
    );
    let change = json!({"current": TestApp::PASSWORD, "next": PASSWORD});
    assert_eq!(app.sam.post("/api/auth/password", &change).await.failure().0, 404);
    let token = json!({"name": "script", "scopes": ["read"]});
    assert_snapshot!(app.sam.post("/api/me/tokens", &token).await.refusal(), @"403 FORBIDDEN: Sign in with single sign-on first.");

    let mut ana = Browser::new(&app.main);
    assert_eq!(ana.sign_in(&idp, "").await, "/");
    assert_eq!(ana.me().await.expect("signed in")["role"], "platform_admin");
    assert_eq!(ana.send(Method::POST, "/api/me/tokens", &token).await.status, 201);
}

#[tokio::test]
async fn addresses_and_names_are_cleaned_as_everywhere_else() {
    let idp = IdentityProvider::start().await;
    let app = TestApp::builder()
        .config(idp.trusted())
        .config(|config| config.oidc.allow_signup = true)
        .spawn()
        .await;
    invite(&app, "mike@kiosk.test", "platform_admin").await;
    let mut browser = Browser::new(&app.main);
    for email in [
        "mi\u{212A}e@kiosk.test",
        "\u{430}dmin@demo.test",
        "admin\u{202E}\u{200B}@demo.test",
        "not an address",
    ] {
        idp.now().person = json!({"sub": email, "email": email, "email_verified": true});
        assert_eq!(
            browser.sign_in(&idp, "").await,
            problem("sso_email_unverified"),
            "{email}"
        );
    }
    assert_eq!(role_of(&app, "mike@kiosk.test").await, None);
    for (email, name, expected) in [
        ("a@example.com", "A\u{202E}da\u{2060}\n Lee", "Ada Lee"),
        ("b@example.com", &*"x".repeat(200), &*"x".repeat(100)),
        ("carla@example.com", "\u{200B}", "carla"),
    ] {
        idp.now().person = json!({"sub": email, "email": email, "email_verified": true, "name": name});
        assert_eq!(browser.sign_in(&idp, "").await, "/");
        assert_eq!(browser.me().await.expect("signed in")["displayName"], expected);
    }
}

#[tokio::test]
async fn without_a_provider_there_is_no_single_sign_on() {
    let app = TestApp::spawn().await;
    let methods = app.anonymous().get("/api/auth/methods").await.data();
    assert_eq!(methods, json!({"password": true, "oidc": null}));
    for path in ["start", "callback?code=1&state=1"] {
        let reply = app.anonymous().get(&format!("/api/auth/oidc/{path}")).await;
        assert_eq!(reply.failure(), (404, "NOT_FOUND".to_owned()), "{path}");
    }
    let form = app
        .anonymous()
        .request(Method::POST, "/api/auth/oidc/backchannel-logout");
    let reply = app
        .anonymous()
        .fetch(form.header("content-type", FORM).body("logout_token=x"))
        .await;
    assert_snapshot!(reply.refusal(), @"404 NOT_FOUND: Single sign-on does not exist.");
}
