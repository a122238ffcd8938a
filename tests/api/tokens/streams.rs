//! Streams that a program has open when its token ends.

use super::{ADDRESS, make, with};
use crate::support::{Gate, TestApp, eventually, says};
use plan_model::clock::Clock;
use reqwest::Method;
use serde_json::{Value, json};
use time::{Duration, OffsetDateTime};

/// Opens a stream with a token, ends the token in some way, and expects the stream to break while the turn goes on.
async fn breaks_after(end: impl AsyncFnOnce(&TestApp, &Value)) {
    let app = TestApp::builder()
        .clock(Clock::manual(OffsetDateTime::now_utc()))
        .spawn()
        .await;
    let body = json!({"name": "n", "scopes": ["read", "chat"], "expiresInDays": 1});
    let made = make(&app.sam, &body).await;
    let program = with(&app.sam, &made);
    let gate = Gate::new();
    app.llm.script([says("This is never sent.").wait_before_head(&gate)]);
    let request = program.request(Method::POST, &program.path("/conversation"));
    let mut stream = request
        .json(&json!({"message": "Hello"}))
        .send()
        .await
        .expect("a stream");
    assert_eq!(stream.status(), 200);
    gate.reached(1).await;

    end(&app, &made).await;

    let mut heard = Vec::new();
    let broken = loop {
        match stream.chunk().await {
            Ok(Some(bytes)) => heard.extend_from_slice(&bytes),
            Ok(None) => break false,
            Err(_) => break true,
        }
    };
    assert!(broken, "the stream ended as if it were whole");
    assert!(!String::from_utf8_lossy(&heard).contains("data:"), "{heard:?}");
    assert_eq!(program.attach(None).await.reply().failure().0, 401);
    gate.open();
    let stored = "SELECT count(*) FROM prompts WHERE state <> 'running'";
    eventually("the turn has ended", async || app.database.count(stored).await == 1).await;
}

#[tokio::test]
async fn a_revoked_token_ends_them() {
    breaks_after(async |app, made| {
        let path = format!("{ADDRESS}/{}", made["id"].as_str().expect("an id"));
        assert_eq!(app.sam.delete(&path).await.status, 204);
    })
    .await;
}

#[tokio::test]
async fn an_expired_token_ends_them() {
    breaks_after(async |app, _| app.clock().advance(Duration::hours(25))).await;
}

#[tokio::test]
async fn a_disabled_owner_ends_them() {
    breaks_after(async |app, _| {
        let disable = "UPDATE users SET disabled_at = now() WHERE email = 'sam@demo.test'";
        app.database.run(disable).await;
    })
    .await;
}

#[tokio::test]
async fn a_token_that_lasts_hears_the_whole_answer_beside_one_that_does_not() {
    let app = TestApp::spawn().await;
    let body = json!({"name": "n", "scopes": ["read", "chat"]});
    let (lasting, ending) = (make(&app.sam, &body).await, make(&app.sam, &body).await);
    let gate = Gate::new();
    app.llm.script([says("One").wait(&gate).says(" two.")]);
    let mut heard = with(&app.sam, &lasting).open("Hello").await;
    heard.until("One").await;
    let ended = with(&app.sam, &ending);
    let request = ended.request(Method::GET, &ended.path("/conversation/stream"));
    let mut cut = request.send().await.expect("a stream");
    let path = format!("{ADDRESS}/{}", ending["id"].as_str().expect("an id"));
    assert_eq!(app.sam.delete(&path).await.status, 204);
    while let Ok(Some(_)) = cut.chunk().await {}
    gate.open();
    assert_eq!(heard.rest().await.text(), "One two.");
}
