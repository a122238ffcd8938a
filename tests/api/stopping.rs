//! Stopping on purpose.

use crate::support::{Gate, TestApp, says, sets};
use serde_json::{Value, json};

#[tokio::test]
async fn a_stopped_turn_keeps_its_text_and_applies_nothing() {
    let app = TestApp::spawn().await;
    app.llm.script([
        sets("operatingCosts.rentMonthly", 4200, "high"),
        says("I've noted").hang(),
    ]);
    let mut stream = app.sam.open("My rent is $4,200").await;
    stream.until("noted").await;

    app.sam.cancel().await;
    app.llm.client_gone().await;

    let turn = stream.rest().await;
    assert_eq!((turn.error(), turn.text().as_str()), (("STOPPED", false), "I've noted"));
    let history = app.sam.history().await;
    assert_eq!(
        (&history[0]["content"], &history[1]["content"]),
        (&json!("My rent is $4,200"), &json!("I've noted"))
    );
    assert_eq!(
        (&history[0]["stopped"], &history[1]["stopped"]),
        (&Value::Null, &json!(true))
    );
    assert_eq!(history[1]["extractedValues"], Value::Null);
    assert_eq!(
        app.sam.held("operatingCosts.rentMonthly").await,
        (450_000.into(), "brand_default".into())
    );
    assert!(app.sam.changes().await.is_empty());
    let prompt = app.sam.prompts().await.swap_remove(0);
    assert_eq!(
        (&prompt["state"], &prompt["output"]),
        (&json!("stopped"), &json!("I've noted"))
    );
    assert_eq!(prompt["usage"]["estimated"], true);
    assert_eq!(
        app.sam.conversation().await["meta"]["totalTokensUsed"],
        prompt["usage"]["totalTokens"]
    );
}

#[tokio::test]
async fn stopped_before_any_text_the_history_is_unchanged() {
    let app = TestApp::spawn().await;
    let gate = Gate::new();
    app.llm.script([says("Never heard.").wait_before_head(&gate)]);
    let mut stream = app.sam.open("Hello").await;
    stream.opened().await;
    gate.reached(1).await;

    app.sam.cancel().await;

    assert_eq!(stream.rest().await.error(), ("STOPPED", false));
    app.llm.client_gone().await;
    assert_eq!(app.sam.conversation().await["data"], json!([]));
    assert_eq!(app.sam.prompts().await[0]["state"], "stopped");
}

#[tokio::test]
async fn stopping_what_does_not_run_is_fine() {
    let app = TestApp::spawn().await;
    app.llm.script([says("Hello.")]);
    app.sam.cancel().await;
    app.sam.send("Hello").await;
    app.sam.cancel().await;
    assert_eq!(app.sam.history().await.len(), 2);
}

#[tokio::test]
async fn after_a_stop_the_conversation_goes_on_with_what_was_said() {
    let app = TestApp::spawn().await;
    app.llm.script([says("I was going to").hang(), says("Rent it is.")]);
    let mut stream = app.sam.open("Tell me everything").await;
    stream.until("going").await;
    app.sam.cancel().await;
    stream.rest().await;

    let turn = app.sam.send("Just the rent").await;

    assert_eq!(turn.text(), "Rent it is.");
    let messages = app.llm.requests().pop().unwrap()["messages"].clone();
    assert_eq!(messages[2]["content"], "I was going to");
}

#[tokio::test]
async fn a_stopped_turn_is_replayed_under_its_key_not_run_again() {
    let app = TestApp::spawn().await;
    app.llm.script([says("I was").hang()]);
    let mut stream = app.sam.post_with_key("Hello", "k1").await.stream();
    stream.until("I was").await;
    app.sam.cancel().await;
    let stopped = stream.rest().await;

    let again = app.sam.post_with_key("Hello", "k1").await.stream().rest().await;

    assert_eq!(
        (again.text(), again.error(), again.id()),
        ("I was".into(), ("STOPPED", false), stopped.id())
    );
    assert_eq!(app.llm.request_count(), 1);
}

#[tokio::test]
async fn many_stops_at_once_stop_once() {
    let app = TestApp::spawn().await;
    app.llm.script([says("I was").hang()]);
    let mut stream = app.sam.open("Hello").await;
    stream.until("I was").await;
    futures_util::future::join_all((0..10).map(|_| app.sam.cancel())).await;
    assert_eq!(stream.rest().await.error().0, "STOPPED");
    assert_eq!(app.sam.history().await.len(), 2);
}
