//! `RETENTION_DAYS_WORDS`: words are erased for their age, wherever they are.

use super::{RENT, said, talked};
use crate::archive::{layout, spoken};
use crate::support::database::TestDatabase;
use crate::support::{Gate, TestApp, eventually, says, sets};
use diesel_async::SimpleAsyncConnection;
use plan_advisor::store::retention::Aged;
use serde_json::{Value, json};

/// Everything that is kept about plans, as if it had been said `days` ago.
async fn age(database: &TestDatabase, days: u32) {
    let message = "message || jsonb_build_object('timestamp', to_char(((message ->> 'timestamp')::timestamptz - k.age) AT TIME ZONE 'UTC', \
         'YYYY-MM-DD\"T\"HH24:MI:SS.US\"Z\"'))";
    let messages = format!(
        "(SELECT jsonb_agg({message} ORDER BY n) FROM jsonb_array_elements(messages) WITH ORDINALITY x (message, n))"
    );
    let k = format!("(SELECT interval '{days} days' AS age) k");
    database
        .run(&format!(
            "BEGIN; SET LOCAL session_replication_role = replica; \
             UPDATE prompts SET created_at = created_at - k.age, started_at = started_at - k.age FROM {k}; \
             UPDATE extractions SET created_at = created_at - k.age FROM {k}; \
             UPDATE plan_changes SET created_at = created_at - k.age FROM {k}; \
             UPDATE ai_conversations SET words_from = words_from - k.age, messages = {messages} FROM {k} WHERE messages <> '[]'; \
             UPDATE ai_conversation_archive SET message = {message} FROM {k}; COMMIT"
        ))
        .await;
}

/// Runs the retention of words until there is no more to do.
async fn forget(database: &TestDatabase, days: u32) {
    let conn = pg_link::establish(&database.url()).await.expect("a connection");
    for what in Aged::WORDS {
        while what
            .forget_some(&conn, days)
            .await
            .unwrap_or_else(|error| panic!("{what:?}: {}", error.chain()))
        {}
    }
}

const CHANGED: &str = "SELECT updated_at::text AS x FROM ai_conversations";

#[tokio::test]
async fn words_go_by_their_age_and_the_numbers_stay() {
    let app = TestApp::builder()
        .config(|config| config.limits.retention_days_words = 30)
        .spawn()
        .await;
    talked(&app).await;
    let sam = &app.sam;
    let (held, count) = (sam.held(RENT).await, sam.changes().await.len());
    age(&app.database, 31).await;
    app.llm
        .script([sets("operatingCosts.insuranceMonthly", 250, "high"), says("Noted.")]);
    sam.send("The insurance is $250 a month").await;

    eventually("the old words are gone", async || said(&app.database).await.is_empty()).await;

    assert_eq!(sam.held(RENT).await, held);
    let history = sam.history().await;
    for message in &history[..6] {
        assert_eq!((&message["content"], &message["erased"]), (&json!(""), &json!(true)));
    }
    assert_eq!(history[3]["extractedValues"][0]["value"], 444_000);
    assert_eq!(history[3]["extractedValues"][0]["evidence"], Value::Null);
    assert_eq!(history[6]["content"], "The insurance is $250 a month");
    assert_ne!(history[7]["extractedValues"][0]["evidence"], Value::Null);
    let changes = sam.changes().await;
    assert_eq!((changes.len(), &changes[1]["evidence"]), (count + 1, &Value::Null));
    assert_ne!(changes[0]["evidence"], Value::Null);
    let prompts = sam.prompts().await;
    assert_eq!(
        (&prompts[0]["input"], &prompts[1]["input"]),
        (&json!("The insurance is $250 a month"), &Value::Null)
    );
    app.llm.script([says("Hello.")]);
    sam.send("Hello").await;
    let request = app.llm.requests().pop().expect("a request").to_string();
    assert!(request.contains("The insurance is") && !request.contains("Frieda"));
}

#[tokio::test]
async fn nothing_is_written_where_nothing_is_old() {
    let app = TestApp::spawn().await;
    talked(&app).await;
    let (before, changed) = (said(&app.database).await, app.database.value(CHANGED).await);
    app.database
        .run("UPDATE ai_conversations SET words_from = '-infinity'")
        .await;
    forget(&app.database, 30).await;
    assert_eq!(
        (said(&app.database).await, app.database.value(CHANGED).await),
        (before, changed)
    );
    let from =
        "SELECT count(*) FROM ai_conversations WHERE words_from > now() - interval '1 day' AND words_from < now()";
    assert_eq!(
        app.database.count(from).await,
        1,
        "it is not looked at again before they are old"
    );

    age(&app.database, 31).await;
    forget(&app.database, 30).await;
    let rows = "SELECT sum(n)::text AS x FROM (SELECT xmin::text::bigint AS n FROM prompts UNION ALL SELECT xmin::text::bigint FROM extractions \
         UNION ALL SELECT xmin::text::bigint FROM plan_changes UNION ALL SELECT xmin::text::bigint FROM ai_conversations) x";
    let once = app.database.value(rows).await;
    assert_eq!(said(&app.database).await, [] as [&str; 0]);
    forget(&app.database, 30).await;
    assert_eq!(app.database.value(rows).await, once, "a second time writes nothing");
}

#[tokio::test]
async fn a_running_turn_keeps_its_words() {
    let app = TestApp::spawn().await;
    let gate = Gate::new();
    app.llm.script([says("Slowly.").wait(&gate)]);
    let turn = app.sam.open("Hello").await;
    gate.reached(1).await;
    app.database
        .run("UPDATE prompts SET created_at = created_at - interval '40 days'")
        .await;
    forget(&app.database, 30).await;
    assert_eq!(app.sam.prompts().await[0]["input"], "Hello");
    gate.open();
    assert_eq!(turn.rest().await.text(), "Slowly.");
    assert_eq!(app.sam.said().await[0].1, "Hello");
}

#[tokio::test]
async fn the_archive_is_erased_message_by_message() {
    let app = TestApp::spawn().await;
    app.llm.always(says("Noted."));
    spoken(&app.database, app.sam.plan, 698).await;
    app.sam.send("The 699th").await;
    assert_eq!(layout(&app.database).await, (10, 690));
    // The n-th message of the archive is 700 - n hours old.
    app.database
        .run(
            "UPDATE ai_conversation_archive SET message = message || jsonb_build_object('timestamp', \
             to_char((now() - (700 - position) * interval '1 hour') AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS\"Z\"'))",
        )
        .await;
    // 23 days are 552 hours: the messages before the 148th.
    forget(&app.database, 23).await;

    let erased: Vec<bool> = app
        .sam
        .history()
        .await
        .iter()
        .map(|message| message["erased"] == true)
        .collect();
    let count = erased.iter().filter(|erased| **erased).count();
    assert!((147..=148).contains(&count), "{count}");
    assert!(erased[..count].iter().all(|erased| *erased), "from the oldest on");
    assert_eq!(layout(&app.database).await, (10, 690));
    forget(&app.database, 22).await;
    let further = app
        .sam
        .history()
        .await
        .iter()
        .filter(|message| message["erased"] == true)
        .count();
    assert_eq!(further, count + 24);
    forget(&app.database, 0).await;
    assert!(
        app.sam.history().await[..690]
            .iter()
            .all(|message| message["erased"] == true)
    );
    let left = "SELECT count(*) FROM ai_conversation_archive WHERE NOT message ? 'erased'";
    assert_eq!(app.database.count(left).await, 0);
}

#[tokio::test]
async fn instances_do_not_wait_for_each_other_nor_for_anybody_else() {
    let app = TestApp::spawn().await;
    talked(&app).await;
    age(&app.database, 31).await;
    let mut holder = app.database.open().await;
    holder
        .batch_execute(
            "BEGIN; SELECT FROM (SELECT id FROM prompts ORDER BY id LIMIT 1) x JOIN prompts USING (id) FOR UPDATE OF prompts; \
             SELECT FROM ai_conversations FOR UPDATE; SELECT FROM extractions FOR UPDATE; SELECT FROM plan_changes FOR UPDATE",
        )
        .await
        .unwrap();
    forget(&app.database, 30).await;
    let left = "SELECT count(*) FROM prompts WHERE input <> ''";
    assert_eq!(app.database.count(left).await, 1, "the one that is locked");
    assert!(
        said(&app.database)
            .await
            .contains(&"ai_conversations.messages".to_owned())
    );
    holder.batch_execute("COMMIT").await.unwrap();

    let url = app.database.url();
    let both = (0..2).map(|_| {
        let url = url.clone();
        async move {
            let conn = pg_link::establish(&url).await.expect("a connection");
            for what in Aged::WORDS {
                what.forget_some(&conn, 30).await.expect("no conflict");
            }
        }
    });
    futures_util::future::join_all(both).await;
    forget(&app.database, 30).await;
    assert_eq!(said(&app.database).await, [] as [&str; 0]);
}
