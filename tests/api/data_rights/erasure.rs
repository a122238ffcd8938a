//! Erasing the words of a plan.

use super::{RENT, said, talked};
use crate::admin::begin;
use crate::archive::{layout, spoken};
use crate::confirmation::asks_to_reset;
use crate::support::{Client, Gate, Reply, TestApp, says};
use insta::assert_snapshot;
use serde_json::{Value, json};

pub async fn erase(client: &Client) -> Reply {
    client.post_nothing(&client.path("/conversation/erase")).await
}

const EVENTS: &str = "SELECT count(*) FROM audit_events WHERE kind = 'words_erased'";

#[tokio::test]
async fn the_words_go_and_the_numbers_stay() {
    let app = TestApp::spawn().await;
    talked(&app).await;
    let sam = &app.sam;
    let before = sam.get(&sam.path("/conversation")).await;
    let (changes, prompts, held) = (sam.changes().await, sam.prompts().await, sam.held(RENT).await);

    assert_eq!(
        (erase(sam).await.status, erase(sam).await.status),
        (204, 204),
        "also again"
    );

    assert_eq!(said(&app.database).await, [] as [&str; 0]);
    let after = sam.get(&sam.path("/conversation")).await;
    assert_ne!(before.header("etag"), after.header("etag"));
    let (before, after) = (before.json(), after.json());
    assert_eq!(before["meta"], after["meta"]);
    for (old, new) in before["data"]
        .as_array()
        .unwrap()
        .iter()
        .zip(after["data"].as_array().unwrap())
    {
        assert_eq!((&new["content"], &new["erased"]), (&json!(""), &json!(true)));
        assert_eq!(without_words(old), without_words(new));
    }
    assert_eq!(sam.held(RENT).await, held);
    for (old, new) in changes.iter().zip(sam.changes().await) {
        assert_eq!(new["evidence"], Value::Null);
        assert_eq!(without_words(old), without_words(&new));
    }
    for (old, new) in prompts.iter().zip(sam.prompts().await) {
        assert_eq!((&new["input"], &new["output"]), (&Value::Null, &Value::Null));
        assert_eq!(
            (&old["id"], &old["usage"], &old["state"]),
            (&new["id"], &new["usage"], &new["state"])
        );
    }
    assert_eq!(app.database.count(EVENTS).await, 2);
}

/// A message or a change as it is without what was said.
fn without_words(of: &Value) -> Value {
    let mut of = of.clone();
    let object = of.as_object_mut().expect("an object");
    for key in ["content", "erased", "evidence"] {
        object.remove(key);
    }
    for value in object
        .get_mut("extractedValues")
        .and_then(Value::as_array_mut)
        .into_iter()
        .flatten()
    {
        value["evidence"] = Value::Null;
    }
    of
}

#[tokio::test]
async fn what_was_erased_is_neither_sent_to_the_model_nor_shown_to_clients_of_the_dialects() {
    let app = TestApp::spawn().await;
    talked(&app).await;
    let sam = &app.sam;
    erase(sam).await;

    let shown = sam.get(&sam.path("/chat")).await;
    assert!(!shown.text.contains("Frieda"), "{}", shown.text);
    let messages = shown.data();
    let messages = messages.as_array().expect("messages");
    assert_eq!(messages.len(), 6);
    for message in messages {
        assert_eq!(message["metadata"]["erased"], true);
    }
    let input = json!({"threadId": sam.plan, "runId": "r1", "messages": [], "tools": [], "context": [], "state": {}, "forwardedProps": {}});
    let run = sam.post(&sam.path("/ag-ui"), &input).await;
    assert_eq!(run.status, 200);
    assert!(
        run.text.contains("MESSAGES_SNAPSHOT") && !run.text.contains("Frieda"),
        "{}",
        run.text
    );

    app.llm.script([says("I am here.")]);
    sam.send("Are you there?").await;
    let request = app.llm.requests().pop().expect("a request");
    let spoken: Vec<&Value> = request["messages"]
        .as_array()
        .expect("messages")
        .iter()
        .filter(|message| message["role"] != "system")
        .collect();
    assert!(!request.to_string().contains("Frieda"));
    assert_eq!(spoken.len(), 1, "{spoken:?}");
    let said = sam.said().await;
    assert_eq!(
        (said[6].1.as_str(), said[7].1.as_str()),
        ("Are you there?", "I am here.")
    );
}

#[tokio::test]
async fn a_repeated_request_of_an_erased_turn_gets_its_numbers_without_its_words() {
    let app = TestApp::spawn().await;
    talked(&app).await;
    let sam = &app.sam;
    erase(sam).await;

    let again = sam.post_with_key("Hello from Frieda", "k").await.stream().rest().await;
    assert_eq!(again.header("idempotency-replayed"), Some("true"));
    assert_eq!(
        (again.text(), &again.done()["fullResponse"]),
        (String::new(), &json!(""))
    );
    assert!(again.done()["usage"]["totalTokens"].as_i64() > Some(0));
    let other = sam.post_with_key("Hello from somebody else", "k").await.reply();
    assert_eq!(other.failure().0, 422, "the hash of the message stays");

    // A failed one is run again, with the words that come with the request.
    app.llm.script([says("Now.")]);
    sam.post_with_key("Frieda once more", "f").await.stream().rest().await;
    assert_eq!(sam.prompts().await[0]["input"], "Frieda once more");
    assert_eq!(sam.said().await[6].1, "Frieda once more");
}

#[tokio::test]
async fn what_waited_for_a_decision_still_does_and_what_was_changed_is_undone() {
    let app = TestApp::spawn().await;
    talked(&app).await;
    let sam = &app.sam;
    erase(sam).await;
    let proposed = sam.history().await[5]["extractedValues"][0]["id"].clone();
    let accept = format!("/conversation/extractions/{}/accept", proposed.as_str().expect("an id"));
    let accepted = sam.post(&sam.path(&accept), &json!({})).await;
    assert_eq!(
        (accepted.status, &accepted.data()["extractedValue"]["evidence"]),
        (200, &Value::Null)
    );
    assert_eq!(sam.held(RENT).await.0, json!(555_000));
    let change = sam.changes().await[0].clone();
    assert_eq!(change["evidence"], Value::Null);
    let undo = format!("/changes/{}/undo", change["id"].as_str().expect("an id"));
    assert_eq!(sam.post_nothing(&sam.path(&undo)).await.status, 200);
    assert_eq!(sam.held(RENT).await.0, json!(444_000));
}

#[tokio::test]
async fn a_confirmation_that_waits_is_dropped() {
    let app = TestApp::spawn().await;
    let asked = asks_to_reset(&app, &[RENT]).await;
    assert_eq!(erase(&app.riley).await.status, 204);
    let body = json!({"id": asked["id"], "decision": "approve"});
    let riley = &app.riley;
    let late = riley.post(&riley.path("/conversation/confirmation"), &body).await;
    assert_snapshot!(late.refusal(), @"409 CONFLICT: No such question waits for you: it is decided already, its time is over, or it was put to somebody else.");
    assert_eq!(app.database.count("SELECT count(*) FROM pending_actions").await, 0);
}

#[tokio::test]
async fn the_archive_is_erased_too() {
    let app = TestApp::spawn().await;
    app.llm.always(says("Noted."));
    spoken(&app.database, app.sam.plan, 118).await;
    app.sam.send("The 119th").await;
    let before = layout(&app.database).await;
    assert!(before.1 > 0);

    assert_eq!(erase(&app.sam).await.status, 204);

    assert_eq!(layout(&app.database).await, before);
    let history = app.sam.history().await;
    assert_eq!(history.len(), 120);
    assert!(
        history
            .iter()
            .all(|message| message["content"] == "" && message["erased"] == true)
    );
    let ids: Vec<&Value> = history.iter().map(|message| &message["id"]).collect();
    let page = app
        .sam
        .path(&format!("/conversation?limit=10&before={}", ids[50].as_str().unwrap()));
    let page = app.sam.get(&page).await.json();
    assert_eq!(
        page["data"]
            .as_array()
            .unwrap()
            .iter()
            .map(|one| &one["id"])
            .collect::<Vec<_>>(),
        ids[40..50]
    );
}

#[tokio::test]
async fn a_request_to_make_a_plan_is_still_known_by_its_key() {
    let app = TestApp::spawn().await;
    let brand = app.sam.get("/api/brands").await.data()[0]["id"].clone();
    let make = async || {
        let body = json!({"name": "Frieda's plan", "brandId": brand});
        let request = app.sam.request(reqwest::Method::POST, "/api/plans").json(&body);
        app.sam.fetch(request.header("idempotency-key", "p")).await
    };
    let made = make().await;
    let plan = made.data()["id"].clone();
    let client = app.sam.on_plan(plan.as_str().unwrap().parse().unwrap());
    assert_eq!(erase(&client).await.status, 204);
    assert_eq!(make().await.data()["id"], plan);
    assert_eq!(
        super::found(&app.database, "Frieda").await,
        ["plans.name"],
        "names stay"
    );
}

#[tokio::test]
async fn who_only_looks_erases_nothing_and_who_acts_for_somebody_is_recorded() {
    let app = TestApp::spawn().await;
    talked(&app).await;
    let (looking, _) = begin(&app, &app.sam, "read").await;
    assert_snapshot!(erase(&looking).await.refusal(), @"403 FORBIDDEN: You are looking only. Begin again in edit mode to change something.");
    assert_snapshot!(erase(&app.riley.on_plan(app.sam.plan)).await.refusal(), @"403 FORBIDDEN: This plan belongs to somebody else.");
    assert_snapshot!(erase(&app.morgan.on_plan(app.sam.plan)).await.refusal(), @"403 FORBIDDEN: This plan belongs to somebody else.");
    assert!(!said(&app.database).await.is_empty());

    let admin = app.session_of(&app.admin).await;
    assert_eq!(erase(&admin.on_plan(app.sam.plan)).await.status, 204);
    assert_eq!(said(&app.database).await, [] as [&str; 0]);
    let by = "SELECT u.email || ' ' || (e.plan_id IS NOT NULL) FROM audit_events e JOIN users u ON u.id = e.actor_id WHERE kind = 'words_erased'";
    assert_eq!(app.database.value(by).await.as_deref(), Some("admin@demo.test true"));
}

#[tokio::test]
async fn nothing_is_erased_while_a_turn_runs() {
    let app = TestApp::spawn().await;
    talked(&app).await;
    let gate = Gate::new();
    app.llm.script([says("Slowly.").wait(&gate)]);
    let turn = app.sam.open("Hello again").await;
    gate.reached(1).await;

    let refused = erase(&app.sam).await;

    assert_snapshot!(refused.refusal(), @r#"
    409 TURN_IN_PROGRESS: The advisor is still answering the message before this one.
    {"turnId":"[id]"}
    "#);
    assert_eq!(refused.json()["error"]["details"][0]["turnId"], json!(turn.turn()));
    assert_eq!(app.sam.said().await[0].1, "Hello from Frieda");
    assert_eq!(app.database.count(EVENTS).await, 0);
    gate.open();
    assert_eq!(turn.rest().await.text(), "Slowly.");
    assert_eq!(erase(&app.sam).await.status, 204);
}
