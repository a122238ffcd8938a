//! Damaged rows: they cost their plan nothing but themselves.

use crate::support::{TestApp, says, sets};
use serde_json::{Value, json};

const RENT: &str = "operatingCosts.rentMonthly";
const UNREADABLE: &str = "This message cannot be read.";

/// Replaces the messages of Sam's conversation, the n-th by the n-th of these, in the row or in the archive.
async fn damage(app: &TestApp, messages: &[Value], archived: usize) {
    let (old, new) = messages.split_at(archived);
    let (old, new) = (json!(old).to_string(), json!(new).to_string());
    app.database
        .run(&format!(
            "DELETE FROM ai_conversations; DELETE FROM ai_conversation_archive; \
             INSERT INTO ai_conversations (id, plan_id, messages, archived_count) SELECT gen_random_uuid(), '{0}', $${new}$$::jsonb, {archived}; \
             INSERT INTO ai_conversation_archive (plan_id, position, message) \
             SELECT '{0}', n, m FROM jsonb_array_elements($${old}$$::jsonb) WITH ORDINALITY x (m, n)",
            app.sam.plan
        ))
        .await;
}

fn message(changes: &Value) -> Value {
    let mut message = json!({"id": uuid::Uuid::now_v7(), "turnId": uuid::Uuid::now_v7(), "role": "user", "content": "Good",
        "extractedValues": null, "timestamp": "2026-01-01T00:00:00Z"});
    for (key, value) in changes.as_object().into_iter().flatten() {
        message[key] = value.clone();
    }
    message
}

#[tokio::test]
async fn messages_that_cannot_be_read_are_shown_as_such_and_everything_else_works() {
    let app = TestApp::spawn().await;
    app.llm.always(says("Noted."));
    let bad = [
        json!({"role": "system"}),
        json!({"role": 7}),
        json!({"content": null}),
        json!({"content": {"text": "Hi"}}),
        json!({"timestamp": "2027-13-45T99:00:00Z"}),
        json!({"timestamp": null}),
        json!({"id": "no id", "turnId": 9}),
        json!({"extractedValues": [{"status": "new"}]}),
        json!({"finishReason": "unknown"}),
    ];
    let mut messages: Vec<Value> = bad.iter().map(message).collect();
    messages.extend([json!(7), json!("words"), json!(null), json!([]), json!({})]);
    let count = messages.len();
    messages.push(message(&json!({})));
    messages.push(message(&json!({"role": "assistant", "content": "Fine"})));
    for archived in [0, 5, count] {
        damage(&app, &messages, archived).await;
        let shown = app.sam.history().await;
        assert_eq!(shown.len(), count + 2, "{archived}");
        assert!(
            shown[..count].iter().all(|message| message["content"] == UNREADABLE),
            "{shown:#?}"
        );
        assert_eq!(
            (&shown[count]["content"], &shown[count + 1]["content"]),
            (&json!("Good"), &json!("Fine"))
        );
        let chat = app.sam.get(&app.sam.path("/chat")).await;
        assert_eq!(chat.text.matches(UNREADABLE).count(), count, "{}", chat.text);
        let run = json!({"threadId": app.sam.plan, "runId": format!("r{archived}"), "messages": []});
        let run = app.sam.post(&app.sam.path("/ag-ui"), &run).await;
        assert_eq!(run.text.matches(UNREADABLE).count(), count, "{}", run.text);
        // Pages pass them, too.
        let (mut collected, mut before) = (0, String::new());
        loop {
            let page = app
                .sam
                .get(&app.sam.path(&format!("/conversation?limit=1{before}")))
                .await
                .json();
            collected += page["data"].as_array().unwrap().len();
            let Some(next) = page["meta"]["before"].as_str() else {
                break;
            };
            before = format!("&before={next}");
        }
        assert_eq!(collected, count + 2, "{archived}");
        assert_eq!(app.sam.get("/api/me/export").await.status, 200);
        assert_eq!(app.sam.send("Hello").await.text(), "Noted.");
    }
    let request = app.llm.requests().pop().expect("a request").to_string();
    assert!(request.contains(UNREADABLE) && request.contains("Good"), "{request}");
    // They can be erased and cleared like all others.
    assert_eq!(
        app.sam.post_nothing(&app.sam.path("/conversation/erase")).await.status,
        204
    );
    let left = app
        .database
        .value("SELECT string_agg(messages::text, '') AS x FROM ai_conversations")
        .await;
    assert!(!left.unwrap().contains("words"));
    assert_eq!(app.sam.delete(&app.sam.path("/conversation")).await.status, 204);
    assert!(app.sam.history().await.is_empty());
}

#[tokio::test]
async fn a_damaged_last_message_does_not_keep_a_turn_from_being_replaced() {
    let app = TestApp::spawn().await;
    app.llm.always(says("Noted."));
    damage(&app, &[json!(7), message(&json!({"turnId": "no turn"}))], 0).await;
    let replaces = json!({"message": "Hello", "replaces": uuid::Uuid::now_v7()});
    let refused = app.sam.post(&app.sam.path("/conversation"), &replaces).await;
    assert_eq!(refused.failure(), (409, "CONFLICT".into()));
    let turn = app.sam.send("First").await;
    assert_eq!(turn.text(), "Noted.");
    let newest = app.sam.history().await.last().unwrap()["turnId"].clone();
    let again = json!({"message": "Second", "replaces": newest});
    assert_eq!(app.sam.post(&app.sam.path("/conversation"), &again).await.status, 200);
    let texts: Vec<Value> = app
        .sam
        .history()
        .await
        .iter()
        .map(|message| message["content"].clone())
        .collect();
    assert_eq!(texts, [UNREADABLE, UNREADABLE, "Second", "Noted."]);
}

#[tokio::test]
async fn changes_proposals_and_scenarios_that_cannot_be_read_are_left_out() {
    let app = TestApp::spawn().await;
    app.llm.script([
        sets(RENT, 4_440, "tentative"),
        says("Perhaps."),
        sets("operatingCosts.insuranceMonthly", 250, "tentative"),
        says("Perhaps."),
    ]);
    app.sam.send("Maybe the rent will be about $4,440").await;
    app.sam.send("Maybe the insurance is about $250").await;
    app.sam.set(RENT, 430_000).await;
    app.sam.set("operatingCosts.utilitiesMonthly", 70_000).await;
    for name in ["One", "Two"] {
        let scenario = json!({"name": name, "overrides": {RENT: 400_000}});
        assert_eq!(app.sam.post(&app.sam.path("/scenarios"), &scenario).await.status, 201);
    }
    app.database
        .run(
            "BEGIN; SET LOCAL session_replication_role = replica; \
             UPDATE plan_changes SET new_value = '{\"currentValue\": \"many\"}' WHERE field = 'operatingCosts.utilitiesMonthly'; \
             UPDATE plan_scenarios SET overrides = '{\"operatingCosts.rentMonthly\": \"much\"}' WHERE name = 'One'; \
             UPDATE extractions SET details = '{\"status\": \"new\"}', settled_at = now() WHERE field = 'operatingCosts.insuranceMonthly'; COMMIT",
        )
        .await;
    let changes = app.sam.changes().await;
    assert_eq!(
        changes.iter().map(|change| change["field"].clone()).collect::<Vec<_>>(),
        [RENT]
    );
    let scenarios = app.sam.get(&app.sam.path("/scenarios")).await.data();
    assert_eq!(
        scenarios
            .as_array()
            .unwrap()
            .iter()
            .map(|one| one["name"].clone())
            .collect::<Vec<_>>(),
        ["Two"]
    );
    let history = app.sam.history().await;
    assert_eq!(history.len(), 4);
    let damaged = history[3]["extractedValues"][0]["id"].as_str().unwrap();
    for decision in ["accept", "dismiss"] {
        let path = app.sam.path(&format!("/conversation/extractions/{damaged}/{decision}"));
        assert_eq!(app.sam.post(&path, &json!({})).await.failure().0, 404, "{decision}");
    }
    app.llm.always(says("Noted."));
    assert_eq!(app.sam.send("Hello").await.text(), "Noted.");
    assert_eq!(app.sam.get("/api/me/export").await.status, 200);
}
