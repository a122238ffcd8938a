//! Recovery ends every way in that somebody else may have, and links end with the rights of who made them.

use crate::invitations::{PASSWORD, invite, token_in};
use crate::support::{Client, Reply, TestApp, shown};
use insta::assert_snapshot;
use plan_model::clock::Clock;
use serde_json::{Value, json};
use time::{Duration, OffsetDateTime};

const NEW: &str = "kettle-orbit-92 rain";

/// One more platform administrator.
async fn second_admin(app: &TestApp, name: &str) -> Client {
    let client = app.add_franchisee(name).await;
    app.database
        .run(&format!(
            "UPDATE users SET role = 'platform_admin', brand_id = NULL WHERE id = '{}'",
            client.id
        ))
        .await;
    client
}

async fn reset_link(by: &Client, whom: &Client) -> String {
    let path = format!("/api/admin/users/{}/password-reset", whom.id);
    let reply = by.post_nothing(&path).await;
    assert_eq!(reply.status, 201, "{}", reply.text);
    token_in(&reply)
}

async fn redeem(app: &TestApp, token: &str) -> Reply {
    let body = json!({"token": token, "next": NEW});
    app.anonymous().post("/api/auth/password-reset", &body).await
}

async fn accept(app: &TestApp, token: &str) -> u16 {
    let body = json!({"token": token, "displayName": "Ann", "password": PASSWORD});
    app.anonymous().post("/api/auth/invitations/accept", &body).await.status
}

/// A program with a token of this person.
async fn program(owner: &Client) -> Client {
    let body = json!({"name": "A program", "scopes": ["read"], "expiresInDays": 365});
    let made = owner.post("/api/me/tokens", &body).await;
    assert_eq!(made.status, 201, "{}", made.text);
    let mut program = owner.clone();
    program.token = made.data()["secret"].as_str().map(str::to_owned);
    program.cookie = None;
    program
}

async fn change(app: &TestApp, whom: &Client, body: Value) {
    let reply = app.admin.patch(&format!("/api/admin/users/{}", whom.id), &body).await;
    assert_eq!(reply.status, 200, "{}", reply.text);
}

#[tokio::test]
async fn a_new_password_a_reset_link_and_signing_out_everywhere_end_access_tokens() {
    let app = TestApp::spawn().await;
    for way in ["password", "link", "everywhere"] {
        let sam = app.session_of(&app.sam).await;
        app.database
            .run("UPDATE users SET password_hash = (SELECT password_hash FROM users WHERE email = 'riley@demo.test') WHERE email = 'sam@demo.test'")
            .await;
        let program = program(&sam).await;
        assert_eq!(program.get("/api/plans").await.status, 200, "{way}");
        let reply = match way {
            "password" => {
                let body = json!({"current": TestApp::PASSWORD, "next": NEW});
                sam.post("/api/auth/password", &body).await
            }
            "link" => redeem(&app, &reset_link(&app.admin, &app.sam).await).await,
            _ => sam.post_nothing("/api/auth/logout-everywhere").await,
        };
        assert_eq!(reply.status, 204, "{way}: {}", reply.text);
        assert_eq!(program.get("/api/plans").await.status, 401, "{way}");
    }
    let told = "SELECT count(*) FROM audit_events WHERE kind IN ('password_changed', 'logout_everywhere') AND detail -> 'ended' ->> 'tokens' = '1'";
    assert_eq!(app.database.count(told).await, 3);
}

#[tokio::test]
async fn recovery_says_which_identities_still_sign_the_person_in() {
    let app = TestApp::spawn().await;
    let link = "INSERT INTO user_identities (issuer, subject, user_id) SELECT 'https://id.example.com', 'sam', id FROM users WHERE email = 'sam@demo.test'";
    app.database.run(link).await;
    let body = json!({"current": TestApp::PASSWORD, "next": NEW});
    let changed = app.sam.post("/api/auth/password", &body).await;
    assert_eq!(changed.status, 200);
    assert_eq!(changed.data()["identities"][0]["issuer"], "https://id.example.com");
    let sam = app.session_of(&app.sam).await;
    let out = sam.post_nothing("/api/auth/logout-everywhere").await;
    assert_eq!(
        (out.status, &out.data()["identities"][0]["issuer"]),
        (200, &json!("https://id.example.com"))
    );
    let path = format!("/api/admin/users/{}", app.sam.id);
    let disabled = app.admin.patch(&path, &json!({"disabled": true})).await.data();
    assert_eq!(disabled["identities"][0]["issuer"], "https://id.example.com");
}

#[tokio::test]
async fn links_die_with_the_rights_of_who_made_them() {
    let app = TestApp::spawn().await;
    for (nth, how) in [
        "disabled",
        "demoted",
        "removed",
        "removed by SQL",
        "signed out everywhere",
    ]
    .into_iter()
    .enumerate()
    {
        let second = second_admin(&app, &format!("Bo{nth}")).await;
        let reset = reset_link(&second, &app.riley).await;
        let invited = invite(&second, &format!("ann{nth}@example.com"), "platform_admin", None).await;
        let invitation = token_in(&invited);
        match how {
            "disabled" => change(&app, &second, json!({"disabled": true})).await,
            "demoted" => change(&app, &second, json!({"role": "franchisee"})).await,
            "removed" => {
                let request = app
                    .admin
                    .request(reqwest::Method::DELETE, &format!("/api/admin/users/{}", second.id));
                let reply = app.admin.fetch(request.json(&json!({"email": second.email}))).await;
                assert_eq!(reply.status, 204, "{}", reply.text);
            }
            "removed by SQL" => {
                app.database
                    .run(&format!("DELETE FROM users WHERE id = '{}'", second.id))
                    .await;
            }
            _ => assert_eq!(second.post_nothing("/api/auth/logout-everywhere").await.status, 204),
        }
        assert_eq!(redeem(&app, &reset).await.status, 404, "{how}");
        assert_eq!(accept(&app, &invitation).await, 404, "{how}");
        if how == "disabled" {
            change(&app, &second, json!({"disabled": false})).await;
            assert_eq!(redeem(&app, &reset).await.status, 404, "{how}, and enabled");
        }
    }
    assert_eq!(app.database.count("SELECT count(*) FROM password_resets").await, 0);
}

#[tokio::test]
async fn a_link_that_was_made_in_the_moment_of_losing_the_right_opens_nothing() {
    let app = TestApp::spawn().await;
    let second = second_admin(&app, "Bo").await;
    let reset = reset_link(&second, &app.riley).await;
    let invitation = token_in(&invite(&second, "ann@example.com", "franchisee", None).await);
    let of_brand = token_in(&invite(&app.morgan, "bob@example.com", "franchisee", None).await);
    // As if the change had been committed between the check of the rights and the link.
    app.database
        .run("UPDATE users SET disabled_at = now() WHERE email = 'bo@test.test'; UPDATE users SET role = 'franchisee' WHERE email = 'morgan@demo.test'")
        .await;
    assert_eq!(redeem(&app, &reset).await.status, 404);
    assert_eq!(accept(&app, &invitation).await, 404);
    assert_eq!(accept(&app, &of_brand).await, 404);
}

#[tokio::test]
async fn a_brands_administrator_who_is_none_any_more_has_no_open_invitations() {
    let app = TestApp::spawn().await;
    let invitation = token_in(&invite(&app.morgan, "ann@example.com", "franchisee", None).await);
    change(&app, &app.morgan, json!({"role": "franchisee"})).await;
    assert_eq!(accept(&app, &invitation).await, 404);
    assert_eq!(app.database.count("SELECT count(*) FROM invitations").await, 0);
}

#[tokio::test]
async fn a_redeemed_link_names_who_issued_it_in_the_audit_and_to_the_person() {
    let app = TestApp::spawn().await;
    assert_eq!(app.riley.get("/api/auth/me").await.data()["passwordReset"], Value::Null);
    let token = reset_link(&app.admin, &app.riley).await;
    let from = app.anonymous();
    let request = from.request(reqwest::Method::POST, "/api/auth/password-reset");
    let body = json!({"token": token, "next": NEW});
    let reply = from
        .fetch(request.header("x-forwarded-for", "192.0.2.7").json(&body))
        .await;
    assert_eq!(reply.status, 204, "{}", reply.text);

    let event = "SELECT concat_ws(' ', a.email, e.email, detail ->> 'with', detail ->> 'address', detail ->> 'issuedBy' = a.id::text) AS x \
                 FROM audit_events JOIN users a ON a.id = actor_id JOIN users e ON e.id = effective_user_id WHERE kind = 'password_changed'";
    assert_eq!(
        app.database.value(event).await.as_deref(),
        Some("admin@demo.test riley@demo.test link 192.0.2.7 t")
    );
    let mut riley = app.anonymous();
    assert_eq!(riley.log_in("riley@demo.test", NEW).await.status, 200);
    let me = riley.get("/api/auth/me").await.data();
    assert_snapshot!(shown(&me["passwordReset"]), @r#"{"at":"[time]","issuedBy":"Avery Stone"}"#);
    assert_eq!(app.sam.get("/api/auth/me").await.data()["passwordReset"], Value::Null);
}

#[tokio::test]
async fn a_link_for_an_administrator_opens_nothing_without_a_second_administrator() {
    let app = TestApp::spawn().await;
    let target = second_admin(&app, "Bo").await;
    let path = format!("/api/admin/users/{}/password-reset", target.id);
    let issued = app.admin.post_nothing(&path).await;
    assert_eq!((issued.status, &issued.data()["needsApproval"]), (201, &json!(true)));
    let token = token_in(&issued);
    let approval = format!("{path}/approval");
    assert_snapshot!(redeem(&app, &token).await.refusal(), @"409 CONFLICT: A second administrator has to approve this link before it opens anything.");
    assert_snapshot!(app.admin.post_nothing(&approval).await.refusal(), @"409 CONFLICT: You have made this link yourself. Another administrator has to approve it.");
    assert_snapshot!(target.post_nothing(&approval).await.refusal(), @"409 CONFLICT: Nobody approves a link for their own account.");
    for who in [&app.sam, &app.morgan] {
        assert_eq!(who.post_nothing(&approval).await.status, 403);
    }
    let third = second_admin(&app, "Cy").await;
    assert_eq!(third.post_nothing(&approval).await.status, 204);
    assert_eq!(
        third.post_nothing(&approval).await.status,
        404,
        "nothing waits any more"
    );
    assert_eq!(redeem(&app, &token).await.status, 204);
    let approved = "SELECT count(*) FROM audit_events WHERE kind = 'password_reset_approved'";
    assert_eq!(app.database.count(approved).await, 1);

    // The role counts that the person has when the link is used.
    let token = reset_link(&app.admin, &app.riley).await;
    change(&app, &app.riley, json!({"role": "platform_admin", "brandId": null})).await;
    assert_eq!(redeem(&app, &token).await.status, 409);
    // Who approved answers for the link as well.
    assert_eq!(
        third
            .post_nothing(&format!("/api/admin/users/{}/password-reset/approval", app.riley.id))
            .await
            .status,
        204
    );
    change(&app, &third, json!({"disabled": true})).await;
    assert_eq!(redeem(&app, &token).await.status, 404);
}

#[tokio::test]
async fn who_was_an_administrator_lately_needs_the_second_one_as_well() {
    let app = TestApp::spawn().await;
    let target = second_admin(&app, "Bo").await;
    change(&app, &target, json!({"role": "franchisee"})).await;
    let path = format!("/api/admin/users/{}/password-reset", target.id);
    let issued = app.admin.post_nothing(&path).await;
    assert_eq!((issued.status, &issued.data()["needsApproval"]), (201, &json!(true)));
    let token = token_in(&issued);
    assert_eq!(redeem(&app, &token).await.status, 409);
    let third = second_admin(&app, "Cy").await;
    assert_eq!(third.post_nothing(&format!("{path}/approval")).await.status, 204);
    assert_eq!(redeem(&app, &token).await.status, 204);

    // No approval is needed, so none is waiting.
    reset_link(&app.admin, &app.riley).await;
    let path = format!("/api/admin/users/{}/password-reset/approval", app.riley.id);
    assert_eq!(third.post_nothing(&path).await.failure().0, 404);
}

#[tokio::test]
async fn a_token_needs_the_password_or_a_fresh_sign_in() {
    let app = TestApp::builder()
        .clock(Clock::manual(OffsetDateTime::now_utc()))
        .spawn()
        .await;
    let make = async |password: Option<&str>| {
        let mut body = json!({"name": "n", "scopes": ["read"]});
        if let Some(password) = password {
            body["password"] = json!(password);
        }
        app.sam.post("/api/me/tokens", &body).await
    };
    assert_eq!(make(None).await.status, 201, "a moment after signing in");
    app.clock().advance(Duration::minutes(11));
    assert_snapshot!(make(None).await.refusal(), @"403 FORBIDDEN: It is a while since you signed in. Give your password, or sign in again first.");
    for wrong in ["", "not-the-password"] {
        assert_eq!(
            make(Some(wrong)).await.failure(),
            (400, "VALIDATION_ERROR".to_owned()),
            "{wrong}"
        );
    }
    assert_eq!(make(Some(TestApp::PASSWORD)).await.status, 201);
}

#[tokio::test]
async fn franchisees_see_supports_name_and_not_its_address() {
    let app = TestApp::spawn().await;
    app.admin
        .on_plan(app.sam.plan)
        .set("operatingCosts.rentMonthly", 410_000)
        .await;
    app.sam.set("operatingCosts.rentMonthly", 420_000).await;
    let seen = app.sam.get(&app.sam.path("/changes")).await;
    assert!(!seen.text.contains("admin@demo.test"), "{}", seen.text);
    let changes = seen.data();
    assert_eq!(changes[1]["actor"]["displayName"], "Avery Stone");
    assert_eq!(changes[0]["actor"]["email"], "sam@demo.test");
    let by_admin = app.admin.get(&app.sam.path("/changes")).await.data();
    assert_eq!(by_admin[1]["actor"]["email"], "admin@demo.test");
    for path in ["/conversation", "", "/scenarios", "/outputs"] {
        let reply = app.sam.get(&app.sam.path(path)).await;
        assert!(!reply.text.contains("admin@demo.test"), "{path}: {}", reply.text);
    }
    let prompts = app.sam.get("/api/prompts").await;
    assert!(!prompts.text.contains("admin@demo.test"), "{}", prompts.text);
}

#[tokio::test]
async fn a_refused_plan_is_audited_once_an_hour_for_each_person() {
    let app = TestApp::builder()
        .clock(Clock::manual(OffsetDateTime::now_utc()))
        .spawn()
        .await;
    let count = "SELECT count(*) FROM audit_events WHERE kind = 'access_denied'";
    let ask = async |who: &Client, plan| {
        for path in ["", "/outputs", "/conversation"] {
            let reply = who.get(&format!("/api/plans/{plan}{path}")).await;
            assert_eq!(reply.status, 403, "{}", reply.text);
        }
    };
    ask(&app.sam, app.riley.plan).await;
    assert_eq!(app.database.count(count).await, 1);
    ask(&app.sam, app.taylor.plan).await;
    ask(&app.taylor, app.riley.plan).await;
    assert_eq!(app.database.count(count).await, 3);
    app.clock().advance(Duration::minutes(61));
    ask(&app.sam, app.riley.plan).await;
    assert_eq!(app.database.count(count).await, 4);
}

#[tokio::test]
async fn nothing_in_the_audit_names_the_address_or_the_words_of_a_removed_person() {
    let app = TestApp::spawn().await;
    let sent = invite(&app.admin, "pat@example.org", "franchisee", None).await;
    let body = json!({"token": token_in(&sent), "displayName": "Pat", "password": PASSWORD});
    let opened = app.anonymous().post("/api/auth/invitations/accept", &body).await;
    let mut pat = app.anonymous();
    pat.cookie = crate::auth::cookie_of(&opened);
    let made = pat
        .post("/api/me/tokens", &json!({"name": "Zanzibar", "scopes": ["read"]}))
        .await
        .data();
    let id = made["id"].as_str().expect("an id");
    assert_eq!(pat.delete(&format!("/api/me/tokens/{id}")).await.status, 204);
    let export = pat.get("/api/me/export").await.json();
    let events = export["auditEvents"].as_array().expect("events");
    assert!(
        events.iter().any(|event| event["kind"] == "invitation_created"),
        "{events:#?}"
    );

    let request = pat.request(reqwest::Method::DELETE, "/api/me");
    assert_eq!(
        pat.fetch(request.json(&json!({"password": PASSWORD}))).await.status,
        204
    );
    let left = "SELECT count(*) FROM audit_events WHERE to_jsonb(audit_events)::text ~* 'pat@example|zanzibar'";
    assert_eq!(app.database.count(left).await, 0);
}
