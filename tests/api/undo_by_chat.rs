//! "Undo that" in the chat: the newest change returns with the turn, and the history says which values were taken back.

use crate::support::{Gate, TestApp, calls, says, sets};
use serde_json::{Value, json};

const RENT: &str = "operatingCosts.rentMonthly";

async fn with_rent(app: &TestApp) {
    app.llm.script([sets(RENT, 4200, "high"), says("Noted.")]);
    app.sam.send("My rent is $4,200").await;
}

#[tokio::test]
async fn the_newest_change_returns_with_the_turn() {
    let app = TestApp::spawn().await;
    with_rent(&app).await;
    app.llm
        .script([calls("undo_last_change", json!({})), says("Your rent is back.")]);

    let turn = app.sam.send("undo that").await;

    assert_eq!(
        app.llm.last_result(),
        json!({"status": "will_undo", "changes": [
            {"field": RENT, "label": "Rent per month", "value": "$4,200", "returnsTo": "$4,500"}
        ]})
    );
    assert_eq!(app.sam.held(RENT).await, (450_000.into(), "brand_default".into()));
    assert!(!turn.done()["updatedOutputs"]["changes"].as_array().unwrap().is_empty());
    let missing = turn.done()["missingFields"].as_array().unwrap();
    assert!(missing.contains(&json!(RENT)), "it is a placeholder again");
    let changes = app.sam.changes().await;
    assert_eq!((changes.len(), &changes[0]["reason"]), (2, &json!("undo")));

    let value = app.sam.history().await[1]["extractedValues"][0].clone();
    assert_eq!(value["changeId"], changes[1]["id"]);
    assert!(value["undoneAt"].is_string(), "{value}");
    assert_eq!(value["status"], "applied");
}

#[tokio::test]
async fn what_is_read_behind_an_undo_is_the_plan_without_it() {
    let app = TestApp::spawn().await;
    with_rent(&app).await;
    let rent = json!({"section": RENT}).to_string();
    app.llm.script([
        calls("undo_last_change", json!({})).calls("get_plan_summary", &rent),
        says("Your rent is back."),
    ]);

    app.sam.send("undo that, and what is my rent?").await;

    assert_eq!(app.llm.last_result()["fields"][0]["value"], "$4,500");
}

#[tokio::test]
async fn an_undo_that_is_undone_counts_again() {
    let app = TestApp::spawn().await;
    with_rent(&app).await;
    let path = |id: &Value| {
        let id = id.as_str().unwrap();
        app.sam.path(&format!("/changes/{id}/undo"))
    };
    for is_undone in [true, false] {
        let newest = app.sam.changes().await[0]["id"].clone();
        assert_eq!(app.sam.post_nothing(&path(&newest)).await.status, 200);
        let value = app.sam.history().await[1]["extractedValues"][0].clone();
        assert_eq!(value["undoneAt"].is_string(), is_undone, "{value}");
    }
    assert_eq!(app.sam.held(RENT).await.0, 420_000);
}

#[tokio::test]
async fn without_a_change_there_is_nothing_to_undo() {
    let app = TestApp::spawn().await;
    app.llm
        .script([calls("undo_last_change", json!({})), says("There is nothing.")]);
    app.sam.send("undo that").await;
    assert_eq!(app.llm.last_result(), json!({"status": "nothing_to_undo"}));
    assert_eq!(app.sam.get_plan().await["version"], 1);
}

#[tokio::test]
async fn a_turn_takes_back_one_change_and_can_write_another_value() {
    let app = TestApp::spawn().await;
    app.sam.set("operatingCosts.utilitiesMonthly", 70_000).await;
    with_rent(&app).await;
    app.llm.script([
        calls("undo_last_change", json!({})).calls("undo_last_change", "{}"),
        sets(RENT, 4300, "high"),
        says("Changed."),
    ]);
    app.sam.send("Undo that. My rent is $4,300").await;
    assert_eq!(app.sam.held(RENT).await, (430_000.into(), "ai_populated".into()));
    assert_eq!(app.sam.held("operatingCosts.utilitiesMonthly").await.0, 70_000);
}

#[tokio::test]
async fn what_moved_while_the_turn_ran_stays() {
    let app = TestApp::spawn().await;
    with_rent(&app).await;
    let gate = Gate::new();
    app.llm.script([
        calls("undo_last_change", json!({})),
        says("It is ").wait(&gate).says("back."),
    ]);
    let mut stream = app.sam.open("undo that").await;
    stream.until("It is").await;
    app.sam.set(RENT, 480_000).await;
    gate.open();
    stream.rest().await;
    assert_eq!(app.sam.held(RENT).await, (480_000.into(), "user_entry".into()));
}

#[tokio::test]
async fn a_stopped_or_cut_turn_takes_nothing_back() {
    let app = TestApp::spawn().await;
    with_rent(&app).await;
    app.llm.script([
        calls("undo_last_change", json!({})),
        says("Your rent is").finish("length"),
    ]);
    app.sam.send("undo that").await;
    assert_eq!(app.sam.held(RENT).await.0, 420_000);
}
