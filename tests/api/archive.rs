//! Long conversations: older messages move to rows of the archive, which the API does not show.

use crate::support::database::TestDatabase;
use crate::support::{TestApp, says};
use diesel::QueryableByName;
use diesel_async::{RunQueryDsl, SimpleAsyncConnection};
use plan_advisor::store::turns::turn_snapshot::SnapshotQuery;
use plan_model::ids::{PlanId, TurnId, UserId};
use serde_json::{Value, json};

/// Gives the plan a conversation of so many messages, the n-th saying "message n", counted from 1.
pub async fn spoken(database: &TestDatabase, plan: uuid::Uuid, messages: usize) {
    database
        .run(&format!(
            "INSERT INTO ai_conversations (id, plan_id, messages, total_tokens_used) \
             SELECT gen_random_uuid(), '{plan}', jsonb_agg(jsonb_build_object('id', gen_random_uuid(), 'turnId', gen_random_uuid(), \
             'role', CASE WHEN n % 2 = 1 THEN 'user' ELSE 'assistant' END, 'content', 'message ' || n, 'extractedValues', NULL, \
             'timestamp', '2026-01-01T00:00:00Z') ORDER BY n), 7 FROM generate_series(1, {messages}) n"
        ))
        .await;
}

/// Messages in the row, and in the archive.
pub async fn layout(database: &TestDatabase) -> (i64, i64) {
    (
        database
            .count("SELECT jsonb_array_length(messages) FROM ai_conversations")
            .await,
        database.count("SELECT count(*) FROM ai_conversation_archive").await,
    )
}

/// Pages of the database that an `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON)` behind the first statement has touched.
async fn pages_read(database: &TestDatabase, prepare: &str, explain: &str) -> i64 {
    #[derive(QueryableByName)]
    struct Plan {
        #[diesel(sql_type = diesel::sql_types::Text, column_name = "QUERY PLAN")]
        plan: String,
    }
    let mut conn = pg_link::establish(&database.url()).await.expect("a connection");
    conn.batch_execute(prepare).await.expect("prepared");
    let rows: Vec<Plan> = diesel::sql_query(explain).load(&mut conn).await.expect("a plan");
    let plan: Value = serde_json::from_str(&rows[0].plan).expect("JSON");
    ["Shared Hit Blocks", "Shared Read Blocks"]
        .iter()
        .map(|kind| plan[0]["Plan"][kind].as_i64().unwrap())
        .sum()
}

fn contents(messages: &[Value]) -> Vec<&str> {
    messages
        .iter()
        .map(|message| message["content"].as_str().unwrap())
        .collect()
}

fn numbered(range: std::ops::RangeInclusive<usize>) -> Vec<String> {
    range.map(|n| format!("message {n}")).collect()
}

#[tokio::test]
async fn messages_leave_the_row_past_100_and_the_history_stays_whole() {
    let app = TestApp::spawn().await;
    app.llm.always(says("Noted."));
    spoken(&app.database, app.sam.plan, 98).await;

    app.sam.send("The 99th").await;
    assert_eq!(
        layout(&app.database).await,
        (100, 0),
        "up to 100 the row is the conversation"
    );
    app.sam.send("The 101st").await;
    assert_eq!(layout(&app.database).await, (10, 92), "all but the newest ten");
    for n in 0..25 {
        app.sam.send(&format!("Further {n}")).await;
    }
    assert_eq!(
        layout(&app.database).await,
        (18, 134),
        "again when there are more than 50"
    );

    let history = app.sam.conversation().await;
    assert_eq!(history["meta"]["total"], 152);
    let messages = history["data"].as_array().unwrap();
    let texts = contents(messages);
    assert_eq!(texts[..98], numbered(1..=98));
    assert_eq!(texts[98..102], ["The 99th", "Noted.", "The 101st", "Noted."]);
    assert_eq!((texts.len(), texts[150]), (152, "Further 24"));
    let in_sql = "SELECT string_agg(content, '|' ORDER BY position) = (SELECT string_agg(content, '|' ORDER BY n) FROM \
         (SELECT content, row_number() OVER (ORDER BY position) AS n FROM ai_conversation_messages) x) AND max(position) = 152 \
         AND min(position) = 1 AND count(DISTINCT position) = 152 AS x FROM ai_conversation_messages";
    assert_eq!(app.database.value(in_sql).await.as_deref(), Some("true"));
}

#[tokio::test]
async fn pages_cross_the_border_between_row_and_archive() {
    let app = TestApp::spawn().await;
    app.llm.always(says("Noted."));
    spoken(&app.database, app.sam.plan, 218).await;
    app.sam.send("The 219th").await;
    assert_eq!(layout(&app.database).await, (10, 210), "all but the newest ten");

    let whole = app.sam.history().await;
    for limit in [1, 39, 40, 41, 64, 100] {
        let mut collected: Vec<Value> = Vec::new();
        let mut before = String::new();
        loop {
            let page = app
                .sam
                .get(&app.sam.path(&format!("/conversation?limit={limit}{before}")))
                .await
                .json();
            assert_eq!(page["meta"]["total"], 220, "{limit}");
            let mut messages = page["data"].as_array().unwrap().clone();
            let next = page["meta"]["nextBefore"].as_str().map(str::to_owned);
            assert!(
                messages.len() == limit || next.is_none(),
                "{limit}: a short page before the end"
            );
            messages.append(&mut collected);
            collected = messages;
            let Some(next) = next else { break };
            before = format!("&before={next}");
        }
        assert_eq!(contents(&collected), contents(&whole), "{limit}");
    }
    let unknown = app.sam.path(&format!("/conversation?before={}", uuid::Uuid::now_v7()));
    assert_eq!(app.sam.get(&unknown).await.json()["data"], json!([]));
}

#[tokio::test]
async fn a_window_reaches_into_the_archive_where_the_row_is_too_short() {
    let app = TestApp::spawn().await;
    app.llm.always(says("Noted."));
    spoken(&app.database, app.sam.plan, 118).await;
    app.sam.send("The 119th").await;
    assert_eq!(layout(&app.database).await, (10, 110));

    let conn = pg_link::establish(&app.database.url()).await.expect("a connection");
    for count in [1, 9, 10, 11, 20, 40, 81, 119, 120, 500] {
        let query = SnapshotQuery {
            plan: PlanId(app.sam.plan),
            user: UserId(app.sam.id),
            turn: TurnId::fresh(),
            count,
            known: None,
            known_plan: None,
        };
        let window = query
            .load(&conn)
            .await
            .expect("a snapshot")
            .window
            .expect("unknown so far");
        let texts: Vec<&str> = window.messages.iter().map(|message| &*message.content).collect();
        let mut whole = numbered(1..=118);
        whole.extend(["The 119th".to_owned(), "Noted.".to_owned()]);
        let from = whole.len().saturating_sub(usize::try_from(count).expect("small"));
        assert_eq!(texts, whole[from..], "{count}");
    }
}

#[tokio::test]
async fn clearing_and_deleting_leave_nothing_in_the_archive() {
    let app = TestApp::spawn().await;
    app.llm.always(says("Noted."));
    spoken(&app.database, app.sam.plan, 118).await;
    app.sam.send("The 119th").await;
    assert!(layout(&app.database).await.1 > 0);

    app.sam.delete(&app.sam.path("/conversation")).await;
    assert_eq!(layout(&app.database).await, (0, 0));
    assert!(app.sam.history().await.is_empty());
    app.sam.send("A new start").await;
    assert_eq!(contents(&app.sam.history().await), ["A new start", "Noted."]);

    app.database
        .run(
            "UPDATE ai_conversations SET archived_count = 1; \
             INSERT INTO ai_conversation_archive SELECT plan_id, 1, messages -> 0 FROM ai_conversations",
        )
        .await;
    assert_eq!(app.sam.delete(&app.sam.path("")).await.status, 204);
    assert_eq!(
        app.database.count("SELECT count(*) FROM ai_conversation_archive").await,
        0
    );
}

#[tokio::test]
async fn a_page_reads_its_own_messages_and_not_the_whole_conversation() {
    let app = TestApp::spawn().await;
    let plan = app.sam.plan;
    let filled = |how: &str| {
        format!(
            "WITH m AS (SELECT n, jsonb_build_object('id', ('019a0000-0000-7000-8000-' || lpad(to_hex(n), 12, '0')), 'turnId', gen_random_uuid(), \
             'role', CASE WHEN n % 2 = 1 THEN 'user' ELSE 'assistant' END, 'content', 'message ' || n || (SELECT string_agg(md5(n || '-' || i), '') \
             FROM generate_series(1, 40) i), 'extractedValues', NULL, 'timestamp', '2026-01-01T00:00:00Z') AS message FROM generate_series(1, 4010) n) {how}"
        )
    };
    app.database
        .run(&filled(&format!(
            "INSERT INTO ai_conversation_archive (plan_id, position, message) SELECT '{plan}', n, message FROM m WHERE n <= 4000"
        )))
        .await;
    app.database
        .run(&filled(&format!(
            "INSERT INTO ai_conversations (id, plan_id, archived_count, messages) SELECT gen_random_uuid(), '{plan}', 4000, jsonb_agg(message ORDER BY n) \
             FROM m WHERE n > 4000"
        )))
        .await;
    for before in [2, 40, 41, 42, 2_000, 3_999, 4_001, 4_002, 4_010] {
        let cursor = format!("019a0000-0000-7000-8000-{before:012x}");
        let page = app
            .sam
            .get(&app.sam.path(&format!("/conversation?limit=10&before={cursor}")))
            .await
            .json();
        let data = page["data"].as_array().unwrap();
        assert_eq!(data.len(), 10.min(before - 1), "{before}");
        let last = data.last().unwrap()["content"].as_str().unwrap();
        assert!(
            last.starts_with(&format!("message {}", before - 1)),
            "{before}: {last:.20}"
        );

        let outline = concat!(
            "PREPARE page AS ",
            include_str!("../../src/store/plans/conversations/outline.sql")
        );
        let explain =
            format!("EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) EXECUTE page('{plan}', NULL, '{cursor}', NULL, NULL, 10)");
        let mut buffers = pages_read(&app.database, outline, &explain).await;
        let block = concat!(
            "PREPARE page AS ",
            include_str!("../../src/store/plans/conversations/block.sql")
        );
        let first = 1.max(before.saturating_sub(10));
        let explain =
            format!("EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) EXECUTE page('{plan}', {first}, {before}, 25, 262144)");
        buffers += pages_read(&app.database, block, &explain).await;
        assert!(buffers < 100, "{before}: {buffers} of about 1,000 pages were read");
    }
}
