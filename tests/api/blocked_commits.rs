//! Answers that cannot be stored because somebody holds what is to be written.

use crate::support::transcript::Listening;
use crate::support::{Client, TestApp, eventually, says, sets, soon};
use diesel_async::SimpleAsyncConnection;
use futures_util::future::join_all;

const RENT: &str = "operatingCosts.rentMonthly";

/// Turns whose answer is complete and not stored.
async fn answered(app: &TestApp, count: usize) {
    eventually("all answers are complete", async || {
        let logs = app.main.state.conversations.engine().live.all();
        logs.iter().filter(|log| log.text() == "Noted.").count() == count
    })
    .await;
}

#[tokio::test]
async fn turns_that_wait_for_a_lock_delay_nobody_else() {
    let app = TestApp::spawn().await;
    let mut people: Vec<Client> = Vec::new();
    for nth in 0..10 {
        people.push(app.add_franchisee(&format!("Waiting{nth}")).await);
    }
    let mut lock = app.database.open().await;
    // What a plain CREATE INDEX takes.
    lock.batch_execute("BEGIN; LOCK TABLE plan_changes IN SHARE MODE")
        .await
        .unwrap();
    app.llm.always(says("Noted."));
    let mut waiting = Vec::new();
    for person in &people {
        app.llm.script([sets(RENT, 4200, "high")]);
        waiting.push(person.open("My rent is $4,200").await);
        answered(&app, waiting.len()).await;
    }

    let turn = soon("an answer that needs nothing of it", app.sam.send("Hello")).await;
    assert_eq!(turn.text(), "Noted.");
    assert_eq!(app.main.running(), people.len(), "the others still wait");
    lock.batch_execute("COMMIT").await.unwrap();

    for turn in join_all(waiting.into_iter().map(Listening::rest)).await {
        assert_eq!(turn.value()["status"], "applied", "{turn}");
    }
}
