//! Linking identities and removing them takes more than a session, and recovery ends what others linked.

use super::{Browser, FORM, invite, problem, signed_in, world};
use crate::admin::begin;
use crate::commands::run;
use crate::support::{IdentityProvider, TestApp, shown};
use insta::assert_snapshot;
use plan_advisor::store::people::identities;
use plan_model::clock::Clock;
use plan_model::ids::UserId;
use reqwest::Method;
use serde_json::{Value, json};
use time::{Duration, OffsetDateTime};

const LINK: &str = "/api/auth/oidc/link";
const LIST: &str = "/api/me/identities";

fn password() -> Value {
    json!({"password": TestApp::PASSWORD})
}

#[tokio::test]
async fn linking_an_identity_takes_the_password_and_our_own_page() {
    let (app, idp) = world().await;
    idp.now().person =
        json!({"sub": "mallory", "email": "mallory@evil.example", "email_verified": true, "name": "Mallory"});
    let mut sam = Browser::of(app.sam.clone());

    // A start from another site neither signs in nor links, whatever it asks for.
    let start = app
        .sam
        .request(Method::GET, "/api/auth/oidc/start?link=true&next=/account");
    let start = app.sam.fetch(start.header("sec-fetch-site", "cross-site")).await;
    assert_eq!((start.status, start.header("location")), (302, Some("/account")));
    assert!(start.header("set-cookie").is_none());
    let refused = sam.send(Method::POST, LINK, &json!({})).await;
    assert_snapshot!(refused.refusal(), @r#"
    400 VALIDATION_ERROR: The request has 1 error.
    {"field":"password","message":"is required"}
    "#);
    let refused = sam
        .send(Method::POST, LINK, &json!({"password": "a guess of mine"}))
        .await;
    assert_snapshot!(refused.refusal(), @r#"
    400 VALIDATION_ERROR: The request has 1 error.
    {"field":"password","message":"is not your password"}
    "#);
    let elsewhere = app
        .sam
        .request(Method::POST, LINK)
        .header("sec-fetch-site", "cross-site");
    let refused = app.sam.fetch(elsewhere.json(&password())).await;
    assert_snapshot!(refused.refusal(), @"403 FORBIDDEN: Requests from another site are refused.");
    let nobody = app.anonymous().post(LINK, &password()).await;
    assert_snapshot!(nobody.refusal(), @"401 UNAUTHENTICATED: Log in first.");
    let (acting, _) = begin(&app, &app.sam, "edit").await;
    assert_snapshot!(acting.post(LINK, &password()).await.refusal(), @"403 FORBIDDEN: This can only be done in one's own name.");
    let odd = sam
        .send(
            Method::POST,
            LINK,
            &json!({"password": TestApp::PASSWORD, "next": "//evil.example"}),
        )
        .await;
    assert_eq!(odd.failure().0, 400);
    assert_eq!(app.database.count("SELECT count(*) FROM user_identities").await, 0);
    // A plain start signs in as whoever it is, who was not invited.
    assert_eq!(sam.sign_in(&idp, "?link=true").await, problem("sso_not_invited"));

    let session = sam.jar["session"].clone();
    assert_eq!(sam.link(&idp, Some(TestApp::PASSWORD)).await, "/account");
    assert_eq!(
        sam.link(&idp, Some(TestApp::PASSWORD)).await,
        "/account",
        "twice is as good as once"
    );
    assert_eq!(sam.jar["session"], session, "the session stays");
    let list = sam.get(LIST).await.data();
    assert_eq!(list[0]["issuer"], idp.base());
    let listed = list[0].to_string().replace(idp.base(), "[issuer]");
    let listed: Value = serde_json::from_str(&listed).expect("JSON");
    assert_snapshot!(shown(&listed), @r#"{"createdAt":"[time]","email":"mallory@evil.example","id":"[id]","issuer":"[issuer]","label":"127.0.0.1","linkedBy":"hand","name":"Mallory","subject":"mallory"}"#);
    let mut elsewhere = Browser::new(&app.main);
    assert_eq!(elsewhere.sign_in(&idp, "").await, "/");
    assert_eq!(elsewhere.me().await.expect("signed in")["id"], json!(app.sam.id));
}

#[tokio::test]
async fn an_identity_signs_one_person_in_and_a_link_belongs_to_the_session_that_asked() {
    let (app, idp) = world().await;
    idp.now().person = json!({"sub": "riley-at-work", "email": "r.chen@acme.example"});
    let mut riley = Browser::of(app.riley.clone());
    assert_eq!(riley.link(&idp, Some(TestApp::PASSWORD)).await, "/account");
    let session = riley.jar["session"].clone();

    let mut sam = Browser::of(app.sam.clone());
    assert_eq!(sam.link(&idp, Some(TestApp::PASSWORD)).await, problem("sso_link_taken"));
    assert_eq!(sam.me().await.expect("still signed in")["id"], json!(app.sam.id));

    idp.now().person["sub"] = json!("another");
    for other_session in [None, Some(session)] {
        let mut sam = Browser::of(app.sam.clone());
        let page = sam.send(Method::POST, LINK, &password()).await.data()["url"].take();
        let answer = idp.sign_in(page.as_str().expect("a page"));
        match other_session {
            None => sam.jar.remove("session"),
            Some(session) => sam.jar.insert("session".into(), session),
        };
        assert_eq!(sam.come_back(&answer).await, problem("sso_failed"));
    }
    assert_eq!(app.database.count("SELECT count(*) FROM user_identities").await, 1);
}

#[tokio::test]
async fn without_a_password_a_sign_in_of_the_last_ten_minutes_is_needed() {
    let idp = IdentityProvider::start().await;
    let clock = Clock::manual(OffsetDateTime::now_utc());
    let app = TestApp::builder().clock(clock).config(idp.trusted()).spawn().await;
    invite(&app, "ana@example.com", "franchisee").await;
    let mut ana = Browser::new(&app.main);
    assert_eq!(ana.sign_in(&idp, "").await, "/");
    idp.now().person["sub"] = json!("ana-2");
    assert_eq!(ana.link(&idp, None).await, "/account");
    let list = ana.get(LIST).await.data();
    let ids: Vec<&str> = list
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(|one| one["id"].as_str())
        .collect();
    assert_eq!(
        (list[0]["linkedBy"].as_str(), list[1]["linkedBy"].as_str()),
        (Some("email"), Some("hand"))
    );

    app.clock().advance(Duration::seconds(601));
    for (method, path) in [
        (Method::POST, LINK.to_owned()),
        (Method::DELETE, format!("{LIST}/{}", ids[1])),
    ] {
        let refused = ana.send(method, &path, &json!({})).await;
        assert_eq!(refused.failure(), (403, "FORBIDDEN".to_owned()), "{path}");
    }
    // The provider's clock is the real one, and an ID token is believed for ten minutes.
    app.clock().advance(Duration::seconds(-60));
    idp.now().person["sub"] = json!("ana-1");
    assert_eq!(ana.sign_in(&idp, "").await, "/");
    assert_eq!(
        ana.send(Method::DELETE, &format!("{LIST}/{}", ids[1]), &json!({}))
            .await
            .status,
        204
    );
    let last = ana
        .send(Method::DELETE, &format!("{LIST}/{}", ids[0]), &json!({}))
        .await;
    assert_snapshot!(last.refusal(), @"409 CONFLICT: You could not sign in any more. Connect another account or set a password first.");
}

#[tokio::test]
async fn a_thiefs_identity_is_removed_with_what_it_opened() {
    let (app, idp) = world().await;
    let link = format!(
        "INSERT INTO user_identities (issuer, subject, user_id) VALUES ('{}', 'mallory', '{}')",
        idp.base(),
        app.sam.id
    );
    app.database.run(&link).await;
    idp.now().person = json!({"sub": "mallory", "email": "mallory@evil.example"});
    let mut thief = Browser::new(&app.main);
    assert_eq!(thief.sign_in(&idp, "").await, "/");
    assert_eq!(thief.me().await.expect("in")["id"], json!(app.sam.id));

    let list = app.sam.get(LIST).await.data();
    assert_eq!(
        list[0]["email"], "mallory@evil.example",
        "whose it is, as of the last sign-on"
    );
    let path = format!("{LIST}/{}", list[0]["id"].as_str().expect("an id"));
    let remove = async |client: &crate::support::Client, body: Value| {
        client.fetch(client.request(Method::DELETE, &path).json(&body)).await
    };
    assert_eq!(app.sam.delete(&path).await.failure().0, 400, "without the password");
    assert_eq!(remove(&app.riley, password()).await.failure().0, 404, "not hers");
    assert_eq!(remove(&app.sam, password()).await.status, 204);
    assert_eq!(remove(&app.sam, password()).await.failure().0, 404);
    assert_eq!(thief.me().await, None);
    assert_eq!(
        thief.sign_in(&idp, "").await,
        problem("sso_email_unverified"),
        "a stranger again"
    );
    assert_eq!(app.sam.get("/api/auth/me").await.status, 200);
    let event = "SELECT count(*) FROM audit_events WHERE kind = 'identity_unlinked' AND actor_id = effective_user_id AND detail ? 'identityId'";
    assert_eq!(app.database.count(event).await, 1);
}

#[tokio::test]
async fn administrators_and_the_command_line_list_and_remove_a_persons_identities() {
    let (app, idp, mut ana) = signed_in().await;
    let id = ana.me().await.expect("signed in")["id"]
        .as_str()
        .expect("an id")
        .to_owned();
    let path = format!("/api/admin/users/{id}/identities");
    let list = app.admin.get(&path).await.data();
    assert_eq!(
        (&list[0]["email"], &list[0]["linkedBy"]),
        (&json!("ana@example.com"), &json!("email"))
    );
    assert_eq!(app.sam.get(&path).await.failure().0, 403);
    let unknown = app
        .admin
        .get("/api/admin/users/0199c0de-0000-7000-8000-0000000000ff/identities")
        .await;
    assert_eq!(unknown.failure().0, 404);
    let one = format!("{path}/{}", list[0]["id"].as_str().expect("an id"));
    assert_eq!(app.sam.delete(&one).await.failure().0, 403);
    let other = one.replace(&id, &app.sam.id.to_string());
    assert_eq!(app.admin.delete(&other).await.failure().0, 404, "of somebody else");
    let own = one.replace(&id, &app.admin.id.to_string());
    assert_eq!(app.admin.delete(&own).await.failure().0, 409);
    assert_eq!(app.admin.delete(&one).await.status, 204);
    assert_eq!(ana.me().await, None);

    // Invited, so the verified address links it again.
    assert_eq!(ana.sign_in(&idp, "").await, "/");
    let listed = run(&app, &["identities", "ana@example.com"], "").await.expect("listed");
    assert!(
        listed.contains("ana@example.com") && listed.contains(idp.base()) && listed.contains("email"),
        "{listed}"
    );
    let unknown = ["unlink", "ana@example.com", "0199c0de-0000-7000-8000-0000000000ff"];
    assert!(
        run(&app, &unknown, "")
            .await
            .expect_err("unknown")
            .contains("has no identity")
    );
    let said = run(&app, &["unlink", "ana@example.com", "--all"], "")
        .await
        .expect("unlinked");
    assert!(said.contains("lost 1 of their identities"), "{said}");
    assert_eq!(ana.me().await, None);
}

#[tokio::test]
async fn recovery_ends_what_was_linked_by_hand_and_says_what_remains() {
    let (app, idp, mut ana) = signed_in().await;
    idp.now().person = json!({"sub": "mallory", "email": "mallory@evil.example"});
    assert_eq!(ana.link(&idp, None).await, "/account");
    let id = ana.me().await.expect("in")["id"]
        .as_str()
        .and_then(|id| id.parse().ok())
        .map(UserId)
        .expect("an id");
    let conn = pg_link::establish(&app.database.url()).await.expect("a connection");
    assert_eq!(identities::end_linked_by_hand(&conn, id).await.expect("ended"), 1);
    let remaining = identities::list(&conn, id).await.expect("listed");
    let subjects: Vec<&str> = remaining.iter().map(|identity| identity.subject.as_str()).collect();
    assert_eq!(subjects, ["ana-1"]);
    assert_eq!(identities::end_linked_by_hand(&conn, id).await.expect("none"), 0);
    assert_eq!(
        Browser::new(&app.main).sign_in(&idp, "").await,
        problem("sso_email_unverified")
    );
}

#[tokio::test]
async fn a_logout_token_is_good_once() {
    let (app, idp, mut ana) = signed_in().await;
    let token = idp.logout_token(&json!({"sub": "ana-1", "jti": "the-only-one"}));
    let again = idp.logout_token(
        &json!({"sub": "ana-1", "jti": "the-only-one", "iat": OffsetDateTime::now_utc().unix_timestamp() - 1}),
    );
    let send = async |token: &str| {
        let client = app.anonymous();
        let form = client.request(Method::POST, "/api/auth/oidc/backchannel-logout");
        client
            .fetch(form.header("content-type", FORM).body(format!("logout_token={token}")))
            .await
    };
    assert_eq!(send(&token).await.status, 200);
    assert_eq!(ana.me().await, None);
    assert_eq!(ana.sign_in(&idp, "").await, "/");
    for replayed in [&token, &again] {
        assert_eq!(send(replayed).await.failure().0, 400);
        assert!(ana.me().await.is_some());
    }
    assert_eq!(send(&idp.logout_token(&json!({"sub": "ana-1"}))).await.status, 200);
    assert_eq!(ana.me().await, None);
}
