//! What each limit answers, and what it never touches.

use crate::support::{Gate, TestApp, says};
use reqwest::Method;
use serde_json::json;

#[tokio::test]
async fn too_many_turns_a_minute_wait_and_replays_do_not() {
    let app = TestApp::builder()
        .config(|config| config.limits.rate_limit_turns_per_minute = 2)
        .spawn()
        .await;
    app.llm.always(says("Noted."));
    app.sam.post_with_key("One", "a").await.stream().rest().await;
    app.sam.send("Two").await;

    let refused = app.sam.post_message("Three", &[]).await.reply();
    assert_eq!(refused.failure(), (429, "RATE_LIMITED".into()));
    let wait: u64 = refused.header("retry-after").expect("a time").parse().unwrap();
    assert!((1..=30).contains(&wait), "{wait}");

    let replay = app.sam.post_with_key("One", "a").await.stream().rest().await;
    assert_eq!(replay.text(), "Noted.");
    assert_eq!(app.sam.get(&app.sam.path("/conversation")).await.status, 200);
    assert_eq!(app.sam.prompts().await.len(), 2);
}

#[tokio::test]
async fn a_person_may_have_so_many_turns_at_once() {
    let app = TestApp::builder()
        .config(|config| config.limits.rate_limit_running_turns_per_user = 1)
        .spawn()
        .await;
    let gate = Gate::new();
    app.llm.script([says("Slowly.").wait_before_head(&gate), says("Now.")]);
    let plan = json!({"name": "Second", "brandId": app.sam.get("/api/brands").await.data()[0]["id"]});
    let second = app.sam.post("/api/plans", &plan).await.data()["id"]
        .as_str()
        .unwrap()
        .parse()
        .unwrap();
    let first = app.sam.open("Hello").await;
    gate.reached(1).await;

    let elsewhere = app.sam.on_plan(second);
    assert_eq!(
        elsewhere.post_message("Hello", &[]).await.reply().failure(),
        (429, "RATE_LIMITED".into())
    );

    gate.open();
    assert_eq!(first.rest().await.text(), "Slowly.");
    assert_eq!(elsewhere.send("Hello").await.text(), "Now.");
}

#[tokio::test]
async fn a_person_may_listen_to_so_many_streams() {
    let app = TestApp::builder()
        .config(|config| config.limits.rate_limit_streams_per_user = 1)
        .spawn()
        .await;
    let gate = Gate::new();
    app.llm.always(says("Slowly.").wait_before_head(&gate));
    let first = app.sam.open("Hello").await;
    gate.reached(1).await;

    // Listening to what runs is never refused; the second stream is one too many only for something new.
    let again = app.sam.attach(None).await.stream();
    let plan = json!({"name": "Second", "brandId": app.sam.get("/api/brands").await.data()[0]["id"]});
    let second = app.sam.post("/api/plans", &plan).await.data()["id"]
        .as_str()
        .unwrap()
        .parse()
        .unwrap();
    assert_eq!(
        app.sam
            .on_plan(second)
            .post_message("Hello", &[])
            .await
            .reply()
            .failure()
            .0,
        429
    );

    gate.open();
    assert_eq!(
        (first.rest().await.text(), again.rest().await.text()),
        ("Slowly.".into(), "Slowly.".into())
    );
}

#[tokio::test]
async fn a_day_has_so_many_tokens() {
    let app = TestApp::builder()
        .config(|config| config.limits.token_budget_per_user_per_day = 100)
        .spawn()
        .await;
    app.llm.always(says("Noted.").usage(90, 20));
    app.sam.post_with_key("One", "a").await.stream().rest().await;

    let refused = app.sam.post_message("Two", &[]).await.reply();
    assert_eq!(refused.failure(), (429, "BUDGET_EXHAUSTED".into()));
    let wait: u64 = refused.header("retry-after").expect("a time").parse().unwrap();
    assert!((1..=86_400).contains(&wait), "{wait}");

    let replay = app.sam.post_with_key("One", "a").await.stream().rest().await;
    assert_eq!(replay.text(), "Noted.");
    app.llm.always(says("Hello.").usage(9, 1));
    assert_eq!(app.riley.send("Hello").await.text(), "Hello.");
}

#[tokio::test]
async fn a_stream_breaks_when_the_right_to_listen_is_gone() {
    let app = TestApp::spawn().await;
    let gate = Gate::new();
    app.llm.script([says("Nobody hears this.").wait_before_head(&gate)]);
    let request = app
        .sam
        .request(Method::POST, &app.sam.path("/conversation"))
        .json(&json!({"message": "Hello"}));
    let mut stream = request.send().await.expect("a stream");
    gate.reached(1).await;
    assert_eq!(app.sam.post_nothing("/api/auth/logout-everywhere").await.status, 204);

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

    // The turn goes on for its owner.
    gate.open();
    let admin = app.admin.on_plan(app.sam.plan);
    crate::support::eventually("the turn is stored", async || admin.history().await.len() == 2).await;
}
