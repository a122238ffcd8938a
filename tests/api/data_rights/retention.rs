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
            .forget_some(&conn, days, 0)
            .await
            .unwrap_or_else(|error| panic!("{what:?}: {}", error.chain()))
            .may_be_more
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
                what.forget_some(&conn, 30, 0).await.expect("no conflict");
            }
        }
    });
    futures_util::future::join_all(both).await;
    forget(&app.database, 30).await;
    assert_eq!(said(&app.database).await, [] as [&str; 0]);
}

/// One message with a time that no calendar has, one without a time, and what is no message at all.
const DAMAGE: &str = "UPDATE ai_conversations SET words_from = '2026-01-01', messages = messages || \
     '[{\"id\": 7, \"content\": \"secret-1\", \"timestamp\": \"2027-13-45T00:00:00Z\"}, {\"content\": \"secret-2\"}, \"secret-3\", \
     {\"content\": \"secret-4\", \"timestamp\": 7, \"extractedValues\": [\"secret-5\", 7]}]'::jsonb";

#[tokio::test]
async fn a_message_without_a_readable_time_stops_no_erasure_and_keeps_no_words() {
    let app = TestApp::spawn().await;
    talked(&app).await;
    age(&app.database, 31).await;
    app.database.run(DAMAGE).await;
    app.database
        .run(&format!(
            "INSERT INTO ai_conversation_archive (plan_id, position, message) SELECT plan_id, n, \
             (messages -> -n) FROM ai_conversations, generate_series(1, 4) n WHERE plan_id = '{}'",
            app.sam.plan
        ))
        .await;
    forget(&app.database, 30).await;
    assert_eq!(said(&app.database).await, [] as [&str; 0]);
    let left = "SELECT (SELECT string_agg(messages::text, '') FROM ai_conversations) || \
                (SELECT string_agg(message::text, '') FROM ai_conversation_archive) AS x";
    let left = app.database.value(left).await.expect("conversations");
    assert!(!left.contains("secret"), "{left}");
}

#[tokio::test]
async fn a_row_that_cannot_be_erased_is_found_reported_and_passed_over() {
    let app = TestApp::builder()
        .config(|config| config.limits.retention_days_words = 30)
        .spawn()
        .await;
    talked(&app).await;
    app.llm.always(says("Noted."));
    app.riley.send("I am Frieda, too").await;
    // Whatever it is that refuses the row, it is not known beforehand.
    app.database
        .run(&format!(
            "CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'damaged'; END $$; \
             CREATE TRIGGER refuse BEFORE UPDATE ON ai_conversations FOR EACH ROW WHEN (OLD.plan_id = '{0}') EXECUTE FUNCTION refuse(); \
             CREATE TRIGGER refuse BEFORE UPDATE ON prompts FOR EACH ROW WHEN (OLD.plan_id = '{0}') EXECUTE FUNCTION refuse(); \
             ALTER TABLE ai_conversations DISABLE TRIGGER refuse; ALTER TABLE prompts DISABLE TRIGGER refuse",
            app.sam.plan
        ))
        .await;
    age(&app.database, 31).await;
    app.database
        .run("ALTER TABLE ai_conversations ENABLE TRIGGER refuse; ALTER TABLE prompts ENABLE TRIGGER refuse")
        .await;
    let conn = pg_link::establish(&app.database.url()).await.expect("a connection");
    for (what, expected) in [(Aged::TurnWords, "prompts"), (Aged::MessageWords, "ai_conversations")] {
        let oldest = what
            .oldest(&conn, 30, 0)
            .await
            .expect("an answer")
            .expect("words that are due");
        assert!(oldest.overdue_seconds > 0.0, "{expected}");
    }

    // The other classes, and the other rows of these, go on.
    eventually("all words but Sam's are gone", async || {
        let left = "SELECT count(*) FROM (SELECT plan_id FROM prompts WHERE input <> '' UNION SELECT plan_id FROM ai_conversations, \
                    jsonb_array_elements(messages) m WHERE NOT m ? 'erased') x";
        let evidence = "SELECT count(*) FROM plan_changes WHERE evidence IS NOT NULL";
        app.database.count(left).await == 1 && app.database.count(evidence).await == 0
    })
    .await;
    let batch = Aged::MessageWords.forget_some(&conn, 30, 0).await.expect("an answer");
    let failed: Vec<&str> = batch.failed.iter().map(|(row, _)| row.as_str()).collect();
    assert_eq!(failed, [app.sam.plan.to_string()]);
    let metrics = app.sam.get("/metrics").await.text;
    assert!(
        metrics.contains("plan_advisor_retention_failures_total{kind=\"message_words\"}"),
        "{metrics}"
    );
    assert!(
        metrics.contains("plan_advisor_retention_overdue_seconds{kind=\"message_words\"}"),
        "{metrics}"
    );
}
