//! The promise: nothing that an assistant sends alone changes a plan, whatever it calls, in which order, with which scopes.

use super::{Assistant, RENT};
use crate::support::TestApp;
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use serde_json::{Value, json};

/// Sequences of calls; each has a token of its own.
const SEQUENCES: usize = 24;

/// Every set of scopes that a token may have.
const SCOPES: [&[&str]; 4] = [
    &["read"],
    &["read", "chat"],
    &["read", "write"],
    &["read", "chat", "write"],
];

/// Statements, decisions, commands: what a person's own message would do.
const MESSAGES: [&str; 16] = [
    "My rent is $4,200 a month",
    "No, my rent is $3,900 a month now",
    "yes",
    "yes please",
    "yes to all",
    "the second one",
    "no",
    "Undo that",
    "Undo the last change",
    "Reset all fields to the defaults",
    "Reset my rent",
    "Save this as lean",
    "Adopt the scenario lean",
    "Delete this conversation",
    "Set utilities to $610 a month and insurance to $380 a month",
    "What if my rent were $3,000?",
];

fn value() -> impl Strategy<Value = Value> {
    prop_oneof![
        (0_i64..20_000).prop_map(Value::from),
        Just(json!(0.06)),
        Just(json!("$4,200")),
        Just(json!(null)),
        Just(json!(-1)),
    ]
}

fn path() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec![
        RENT,
        "operatingCosts.royaltyPct",
        "revenue.monthlyAuv",
        "financing.loanAmount",
        "rent",
        "no such field",
    ])
}

/// A call of any tool, mostly a right one.
fn call() -> impl Strategy<Value = (&'static str, Value)> {
    let message = prop::sample::select(&MESSAGES[..]);
    let quote = message.clone();
    prop_oneof![
        4 => message.prop_map(|message| ("ask_advisor", json!({ "message": message }))),
        4 => (path(), value(), quote).prop_map(|(path, value, quote)| ("propose_value", json!({"path": path, "value": value, "quote": quote}))),
        1 => (path(), value()).prop_map(|(path, value)| ("what_if", json!({"changes": [{"path": path, "value": value}]}))),
        1 => path().prop_map(|path| ("goal_seek", json!({"metric": "lowestCash", "target": 0, "path": path}))),
        1 => prop::sample::select(vec!["get_plan", "get_projection", "rank_levers", "compare_scenarios", "list_changes", "list_plans", "explain_field"])
            .prop_map(|tool| (tool, json!({"write": true, "path": RENT}))),
        1 => prop::sample::select(vec!["set_financial_field", "reset_fields_to_defaults", "adopt_scenario", "draft_story", "undo_last_change", "dismiss_proposals", "PROPOSE_VALUE"])
            .prop_map(|tool| (tool, json!({"path": RENT, "value": 1, "confidence": "high"}))),
    ]
}

/// Everything of all plans that a person has decided on.
async fn decided(app: &TestApp) -> Vec<Option<String>> {
    let rows = "SELECT md5(string_agg(row_to_json(p)::text, '' ORDER BY p.id)) FROM plans p \
        UNION ALL SELECT md5(string_agg(row_to_json(c)::text, '' ORDER BY c.seq)) FROM plan_changes c \
        UNION ALL SELECT md5(string_agg(row_to_json(s)::text, '' ORDER BY s.id)) FROM plan_scenarios s \
        UNION ALL SELECT md5(string_agg(row_to_json(a)::text, '' ORDER BY a.id)) FROM pending_actions a \
        UNION ALL SELECT count(*)::text FROM extractions WHERE status IN ('applied', 'accepted') \
        UNION ALL SELECT md5(string_agg(e.id::text || status, '' ORDER BY e.id)) FROM extractions e WHERE details -> 'author' IS NULL";
    app.database.values(rows).await
}

#[tokio::test]
async fn nothing_that_an_assistant_sends_alone_changes_a_plan() {
    let app = TestApp::builder()
        .config(|config| config.http.mcp = true)
        .offline_model()
        .spawn()
        .await;
    // The person has left what could be settled, taken back, adopted and confirmed.
    let sam = &app.sam;
    sam.set(RENT, 430_000).await;
    let lean = json!({"name": "lean", "overrides": {RENT: 400_000}});
    sam.post(&sam.path("/scenarios"), &lean).await.data();
    sam.send("My utilities are about $600 a month").await;
    sam.send("Reset all fields to the defaults").await;
    let before = decided(&app).await;
    assert!(before.iter().all(Option::is_some), "{before:?}");

    let mut runner = TestRunner::deterministic();
    for nth in 0..SEQUENCES {
        let scopes = SCOPES[nth % SCOPES.len()];
        let assistant = Assistant::with(sam, &json!({"name": format!("No. {}", nth % 3), "scopes": scopes})).await;
        let calls = prop::collection::vec(call(), 6)
            .new_tree(&mut runner)
            .expect("calls")
            .current();
        for (tool, mut arguments) in calls {
            arguments["planId"] = json!(sam.plan);
            let result = assistant.call(tool, arguments.clone()).await;
            assert_eq!(
                decided(&app).await,
                before,
                "{tool} {arguments} with {scopes:?}: {result}"
            );
        }
        app.database.run("DELETE FROM access_tokens").await;
    }
    let asked = "SELECT count(*) FROM prompts WHERE state = 'completed'";
    assert!(app.database.count(asked).await > 20, "the advisor was asked");
    let proposed = "SELECT count(*) FROM extractions WHERE details -> 'author' ->> 'isAssistant' = 'true'";
    assert!(app.database.count(proposed).await > 10, "values were proposed");
}
