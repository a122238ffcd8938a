//! An invitation's link proves no address: whoever opened the account with it loses it to the owner of the address.

use super::{Browser, invite, problem, world};
use crate::invitations::{PASSWORD, token_in};
use crate::support::TestApp;
use reqwest::Method;
use serde_json::json;

const VICTIM: &str = "victim@corp.test";
const TAKEN_OVER: &str = "/?notice=sso_first_proof";

/// An account that somebody opened with the link of an invitation to the victim's address.
async fn opened_by_link(app: &TestApp) -> Browser {
    let invitation = json!({"email": VICTIM, "role": "platform_admin"});
    let token = token_in(&app.admin.post("/api/admin/invitations", &invitation).await);
    let mut opener = Browser::new(&app.main);
    let body = json!({"token": token, "displayName": "Victim", "password": PASSWORD});
    assert_eq!(
        opener
            .send(Method::POST, "/api/auth/invitations/accept", &body)
            .await
            .status,
        201
    );
    opener
}

#[tokio::test]
async fn the_first_proof_of_an_address_ends_every_way_in_that_there_was_before() {
    let (app, idp) = world().await;
    let mut opener = opened_by_link(&app).await;
    let token = json!({"name": "script", "scopes": ["read"], "password": PASSWORD});
    let token = opener.send(Method::POST, "/api/me/tokens", &token).await;
    let token = match token.status {
        201 => token,
        _ => {
            opener
                .send(
                    Method::POST,
                    "/api/me/tokens",
                    &json!({"name": "script", "scopes": ["read"]}),
                )
                .await
        }
    };
    let secret = token.data()["secret"].as_str().expect("a token").to_owned();
    let id = opener.me().await.expect("in")["id"].as_str().expect("an id").to_owned();
    idp.now().person = json!({"sub": "opener", "email": "opener@evil.example", "email_verified": true});
    assert_eq!(opener.link(&idp, Some(PASSWORD)).await, "/account");
    // What the account hands out, and a link to a password of it.
    let reset = app
        .admin
        .post_nothing(&format!("/api/admin/users/{id}/password-reset"))
        .await;
    let reset = token_in(&reset);
    let handed_out = json!({"email": "friend@evil.example", "role": "platform_admin"});
    let handed_out = token_in(&opener.send(Method::POST, "/api/admin/invitations", &handed_out).await);
    let mut other = app.anonymous();
    assert_eq!(other.log_in(VICTIM, PASSWORD).await.status, 200);

    idp.now().person = json!({"sub": "victim", "email": VICTIM, "email_verified": true});
    let mut victim = Browser::new(&app.main);
    assert_eq!(victim.sign_in(&idp, "").await, TAKEN_OVER);
    assert_eq!(victim.me().await.expect("signed in")["id"], json!(id));

    assert_eq!(opener.me().await, None);
    assert_eq!(other.get("/api/auth/me").await.status, 401);
    assert_eq!(app.anonymous().log_in(VICTIM, PASSWORD).await.status, 401);
    let program = app.anonymous();
    let by_token = program
        .request(Method::GET, "/api/plans")
        .header("authorization", format!("Bearer {secret}"));
    assert_eq!(program.fetch(by_token).await.status, 401);
    let reset = json!({"token": reset, "next": "another kettle 93 orbit"});
    assert_eq!(program.post("/api/auth/password-reset", &reset).await.failure().0, 404);
    assert_eq!(
        program
            .post("/api/auth/invitations/look", &json!({"token": handed_out}))
            .await
            .failure()
            .0,
        404
    );
    idp.now().person = json!({"sub": "opener", "email": "opener@evil.example", "email_verified": true});
    assert_eq!(
        Browser::new(&app.main).sign_in(&idp, "").await,
        problem("sso_not_invited")
    );
    let event = "SELECT detail ->> 'ended' FROM audit_events WHERE kind = 'email_verified'";
    let event = app.database.value(event).await.expect("audited");
    let event: serde_json::Value = serde_json::from_str(&event).expect("JSON");
    assert_eq!(
        event,
        json!({"password": true, "sessions": 2, "tokens": 1, "devices": 2, "identities": 1, "links": 2})
    );
}

#[tokio::test]
async fn what_the_owner_sets_up_after_the_proof_stays() {
    let (app, idp) = world().await;
    opened_by_link(&app).await;
    idp.now().person = json!({"sub": "victim", "email": VICTIM, "email_verified": true});
    let mut victim = Browser::new(&app.main);
    assert_eq!(
        victim.sign_in(&idp, "?next=/plans/1%3Fview=chat").await,
        "/plans/1?view=chat&notice=sso_first_proof"
    );
    let set = json!({"current": "", "next": "another kettle 93 orbit"});
    assert_eq!(victim.send(Method::POST, "/api/auth/password", &set).await.status, 200);
    for sub in ["victim", "victim-2"] {
        idp.now().person["sub"] = json!(sub);
        assert_eq!(Browser::new(&app.main).sign_in(&idp, "").await, "/", "{sub}");
    }
    assert_eq!(
        app.anonymous().log_in(VICTIM, "another kettle 93 orbit").await.status,
        200
    );
    assert!(victim.me().await.is_some());
}

#[tokio::test]
async fn who_has_the_password_and_the_address_proves_it_by_linking() {
    let (app, idp) = world().await;
    let mut owner = opened_by_link(&app).await;
    idp.now().person = json!({"sub": "victim", "email": VICTIM, "email_verified": true});
    assert_eq!(owner.link(&idp, Some(PASSWORD)).await, "/account");
    idp.now().person["sub"] = json!("victim-2");
    assert_eq!(Browser::new(&app.main).sign_in(&idp, "").await, "/");
    assert!(owner.me().await.is_some());
    assert_eq!(app.anonymous().log_in(VICTIM, PASSWORD).await.status, 200);
    let verified = format!("SELECT count(*) FROM users WHERE email = '{VICTIM}' AND email_verified_at IS NOT NULL");
    assert_eq!(app.database.count(&verified).await, 1);
}

#[tokio::test]
async fn an_account_that_single_sign_on_opened_has_proved_its_address() {
    let (app, idp) = world().await;
    invite(&app, "ana@example.com", "franchisee").await;
    assert_eq!(Browser::new(&app.main).sign_in(&idp, "").await, "/");
    let verified = "SELECT count(*) FROM users WHERE email_verified_at IS NOT NULL";
    assert_eq!(app.database.count(verified).await, 1);
    assert_eq!(
        app.database
            .count("SELECT count(*) FROM audit_events WHERE kind = 'email_verified'")
            .await,
        0
    );
}
