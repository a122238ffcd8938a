//! Links that open a document without an account.

use super::printed;
use crate::support::{Client, Reply, TestApp, shown, without};
use insta::assert_snapshot;
use serde_json::json;

/// Makes a link and answers with its path.
pub async fn share(client: &Client, document: &str, days: i64) -> String {
    let made = client
        .post(&format!("{document}/links"), &json!({"expiresInDays": days}))
        .await;
    assert_eq!(made.status, 201, "{}", made.text);
    made.data()["url"].as_str().expect("an address").to_owned()
}

/// What a link that opens nothing says, and how.
#[track_caller]
fn opens_nothing(reply: &Reply) -> String {
    assert_eq!(reply.header("cache-control"), Some("private, no-store"));
    assert_eq!(reply.header("set-cookie"), None);
    assert_eq!(reply.header("x-robots-tag"), Some("noindex, nofollow, noarchive"));
    reply.refusal()
}

#[tokio::test]
async fn a_link_shows_the_document_without_an_account_and_is_counted() {
    let app = TestApp::builder()
        .config(|config| config.http.public_url = Some("https://plans.example.com".into()))
        .spawn()
        .await;
    let sam = &app.sam;
    let path = printed(sam).await;
    let links = format!("{path}/links");
    let made = sam.post(&links, &json!({"expiresInDays": 30})).await;
    assert_eq!(made.status, 201, "{}", made.text);
    let link = made.data();
    assert_snapshot!(shown(without(&link, "url")), @r#"{"createdAt":"[time]","createdBy":{"displayName":"Sam Rivera","id":"[id]"},"expired":false,"expiresAt":"[time]","id":"[id]","lastOpenedAt":null,"opened":0}"#);
    let url = link["url"].as_str().expect("an address");
    let token = url
        .strip_prefix("https://plans.example.com/d/")
        .expect("an address here");
    assert_eq!(token.len(), 43);
    let hashed = format!("SELECT count(*) FROM document_links WHERE token_hash = sha256('{token}')");
    assert_eq!(app.database.count(&hashed).await, 1);
    assert!(!sam.get(&links).await.text.contains(token));

    let banker = app.anonymous();
    let seen = banker.get(&format!("/d/{token}")).await;
    assert_eq!(seen.status, 200, "{}", seen.text);
    assert_eq!(seen.text, sam.get(&path).await.text);
    assert_eq!(seen.header("content-type"), Some("application/pdf"));
    assert_eq!(seen.header("cache-control"), Some("private, no-store"));
    assert_eq!(seen.header("x-robots-tag"), Some("noindex, nofollow, noarchive"));
    assert_eq!(seen.header("referrer-policy"), Some("no-referrer"));
    assert_eq!(seen.header("set-cookie"), None);
    assert!(
        seen.header("content-disposition")
            .expect("a name")
            .starts_with("inline; filename=")
    );
    banker.get(&format!("/d/{token}")).await;
    let listed = sam.get(&links).await.data();
    assert_eq!(listed[0]["opened"], 2);
    assert!(listed[0]["lastOpenedAt"].is_string());

    let revoke = format!("{links}/{}", link["id"].as_str().expect("an id"));
    assert_eq!(sam.delete(&revoke).await.status, 204);
    assert_snapshot!(opens_nothing(&banker.get(&format!("/d/{token}")).await), @"404 NOT_FOUND: This link opens nothing: it is wrong, has expired or was taken back. Ask for a new one.");
    assert_snapshot!(sam.delete(&revoke).await.refusal(), @"404 NOT_FOUND: The link does not exist.");
    let events = "SELECT kind || ' ' || (detail - 'documentId' - 'linkId')::text AS e FROM audit_events WHERE kind LIKE 'document_link%' ORDER BY id";
    assert_eq!(
        app.database.values(events).await,
        [
            Some(r#"document_link_created {"days": 30}"#.to_owned()),
            Some("document_link_revoked {}".to_owned())
        ]
    );
}

#[tokio::test]
async fn links_that_open_nothing_are_answered_alike() {
    let app = TestApp::spawn().await;
    let sam = &app.sam;
    let path = printed(sam).await;
    let expired = share(sam, &path, 1).await;
    app.database.run("UPDATE document_links SET expires_at = now()").await;
    assert_eq!(sam.get(&format!("{path}/links")).await.data()[0]["expired"], true);
    let unknown = format!("/d/{}", "x".repeat(43));
    let mut said = Vec::new();
    for link in [
        &*expired,
        &unknown,
        "/d/%00",
        "/d/🐩",
        "/d/%FF",
        "/d/..x",
        &format!("/d/{}", "y".repeat(2_000)),
    ] {
        said.push(opens_nothing(&app.anonymous().get(link).await));
    }
    said.dedup();
    assert_eq!(said.len(), 1, "{said:#?}");
    assert_eq!(
        app.database
            .count("SELECT sum(opened)::bigint FROM document_links")
            .await,
        0
    );
}

#[tokio::test]
async fn a_link_dies_with_the_rights_of_who_made_it() {
    let app = TestApp::spawn().await;
    let sam = &app.sam;
    let path = printed(sam).await;
    let banker = app.anonymous();
    let status = async |link: &str| banker.get(link).await.status;
    let link = share(sam, &path, 7).await;
    let of_admin = share(&app.admin.on_plan(sam.plan), &path, 7).await;
    assert_eq!((status(&link).await, status(&of_admin).await), (200, 200));

    // Not a platform administrator any more: what was made in the same moment opens nothing either.
    app.database
        .run("UPDATE users SET role = 'franchisee' WHERE email = 'admin@demo.test'")
        .await;
    assert_eq!((status(&link).await, status(&of_admin).await), (200, 404));
    app.database
        .run("UPDATE users SET role = 'platform_admin' WHERE email = 'admin@demo.test'")
        .await;
    assert_eq!(status(&of_admin).await, 200);

    app.database
        .run("UPDATE plans SET user_id = (SELECT id FROM users WHERE email = 'riley@demo.test') WHERE name LIKE 'Sam%'")
        .await;
    assert_eq!((status(&link).await, status(&of_admin).await), (404, 200));
    app.database
        .run("UPDATE plans SET user_id = (SELECT id FROM users WHERE email = 'sam@demo.test') WHERE name LIKE 'Sam%'")
        .await;

    // Whoever may have stolen the session could have made the link.
    let away = app
        .admin
        .patch(&format!("/api/admin/users/{}", sam.id), &json!({"disabled": true}))
        .await;
    assert_eq!(away.status, 200, "{}", away.text);
    assert_eq!((status(&link).await, status(&of_admin).await), (404, 200));
    app.admin
        .patch(&format!("/api/admin/users/{}", sam.id), &json!({"disabled": false}))
        .await;
    assert_eq!(status(&link).await, 404, "a link that has ended does not come back");
}

#[tokio::test]
async fn a_new_password_and_signing_out_everywhere_end_links() {
    let app = TestApp::spawn().await;
    let (sam, riley) = (&app.sam, &app.riley);
    let link = share(sam, &printed(sam).await, 7).await;
    let other = share(riley, &printed(riley).await, 7).await;
    assert_eq!(sam.post_nothing("/api/auth/logout-everywhere").await.status, 204);
    assert_eq!(app.anonymous().get(&link).await.status, 404);
    let body = json!({"current": TestApp::PASSWORD, "next": "kettle-orbit-92 rain"});
    assert_eq!(riley.post("/api/auth/password", &body).await.status, 204);
    assert_eq!(app.anonymous().get(&other).await.status, 404);
}

#[tokio::test]
async fn what_is_no_link_is_refused() {
    let app = TestApp::spawn().await;
    let sam = &app.sam;
    let path = printed(sam).await;
    let links = format!("{path}/links");
    let mut said = Vec::new();
    for days in [0, 31, -1] {
        said.push(sam.post(&links, &json!({"expiresInDays": days})).await.refusal());
    }
    said.dedup();
    assert_snapshot!(said.join("; "), @r#"
    400 VALIDATION_ERROR: The request has 1 error.
    {"field":"expiresInDays","message":"must be between 1 and 30"}
    "#);
    assert_eq!(
        sam.post(&links, &json!({})).await.failure(),
        (400, "VALIDATION_ERROR".to_owned())
    );
    assert_eq!(app.riley.post(&links, &json!({"expiresInDays": 1})).await.status, 403);
    // A document of another plan.
    let id = path.rsplit('/').next().expect("an id");
    let foreign = app.riley.path(&format!("/documents/{id}/links"));
    assert_snapshot!(app.riley.post(&foreign, &json!({"expiresInDays": 1})).await.refusal(), @"404 NOT_FOUND: The document does not exist.");
    assert_eq!(app.riley.get(&foreign).await.status, 404);
    for _ in 0..20 {
        share(sam, &path, 1).await;
    }
    assert_snapshot!(sam.post(&links, &json!({"expiresInDays": 1})).await.refusal(), @"409 CONFLICT: A document may have 20 links, and it has. Revoke one first.");
}

#[tokio::test]
async fn an_address_that_asks_too_often_waits() {
    let app = TestApp::spawn().await;
    let sam = &app.sam;
    let link = share(sam, &printed(sam).await, 7).await;
    let banker = app.anonymous();
    let mut statuses = Vec::new();
    for _ in 0..70 {
        let reply = banker.get(&link).await;
        if reply.status == 429 {
            assert!(reply.header("retry-after").is_some());
            assert_eq!(reply.header("cache-control"), Some("private, no-store"));
        }
        statuses.push(reply.status);
    }
    assert!(statuses[..60].iter().all(|status| *status == 200), "{statuses:?}");
    assert!(statuses[60..].contains(&429), "{statuses:?}");
    // Those who have signed in are not of those.
    assert_eq!(sam.get(&sam.path("/documents")).await.status, 200);
}
