//! Reading a lot: long conversations come block by block, and one person's reading costs nobody else anything.

use crate::archive::spoken;
use crate::support::client::Streamed;
use crate::support::raw::RawExchange;
use crate::support::{Gate, TestApp, eventually, says, soon};
use insta::assert_snapshot;
use reqwest::Method;
use serde_json::{Value, json};

/// Gives the plan `count` archived messages of so many KiB each, before a row of ten short ones.
async fn long(app: &TestApp, plan: uuid::Uuid, count: usize, kib: usize) {
    app.database
        .run(&format!(
            "INSERT INTO ai_conversation_archive (plan_id, position, message) SELECT '{plan}', n, jsonb_build_object('id', gen_random_uuid(), \
             'turnId', gen_random_uuid(), 'role', CASE WHEN n % 2 = 1 THEN 'user' ELSE 'assistant' END, \
             'content', n || repeat('x', {kib} * 1024), 'extractedValues', NULL, 'timestamp', '2026-01-01T00:00:00Z') \
             FROM generate_series(1, {count}) n"
        ))
        .await;
    spoken(&app.database, plan, 10).await;
    app.database
        .run(&format!(
            "UPDATE ai_conversations SET archived_count = {count} WHERE plan_id = '{plan}'"
        ))
        .await;
}

/// Resident memory of this process, which the server is a part of, in MiB.
fn resident_mib() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
    line.trim().trim_end_matches(" kB").parse::<u64>().unwrap() / 1024
}

#[tokio::test]
async fn a_long_history_is_streamed_in_constant_memory() {
    let app = TestApp::spawn().await;
    long(&app, app.sam.plan, 160, 1024).await;
    app.sam.history().await;
    let (before, mut most, mut bytes) = (resident_mib(), 0, 0);
    for path in ["/conversation", "/chat"] {
        let request = app.sam.request(Method::GET, &app.sam.path(path));
        let mut response = soon("a head", request.send()).await.unwrap();
        assert_eq!((response.status().as_u16(), response.content_length()), (200, None));
        while let Some(piece) = soon("a piece", response.chunk()).await.unwrap() {
            bytes += piece.len();
            most = most.max(resident_mib());
        }
    }
    assert!(bytes > 320 << 20, "{bytes}");
    assert!(most < before + 48, "from {before} to {most} MiB for {bytes} bytes");
}

#[tokio::test]
async fn a_streamed_history_is_whole_and_in_order_in_every_dialect() {
    let app = TestApp::spawn().await;
    long(&app, app.sam.plan, 300, 5).await;
    let numbers = |texts: Vec<String>| -> Vec<usize> {
        let digits = |text: &str| {
            text.trim_start_matches("message ")
                .chars()
                .take_while(char::is_ascii_digit)
                .collect::<String>()
        };
        texts.iter().map(|text| digits(text).parse().unwrap()).collect()
    };
    let expected: Vec<usize> = (1..=300).chain(1..=10).collect();
    let texts = |messages: &Value, at: &str| -> Vec<String> {
        let messages = messages.as_array().unwrap().iter();
        messages
            .map(|message| message.pointer(at).unwrap().as_str().unwrap().to_owned())
            .collect()
    };

    let native = app.sam.conversation().await;
    assert_eq!(numbers(texts(&native["data"], "/content")), expected);
    assert_eq!(
        (&native["meta"]["total"], &native["meta"]["before"]),
        (&json!(310), &Value::Null)
    );
    let chat = app.sam.get(&app.sam.path("/chat")).await.json();
    let parts = chat["data"].as_array().unwrap().iter().map(|message| {
        let parts = message["parts"].as_array().unwrap().iter();
        parts.filter_map(|part| part["text"].as_str()).collect::<String>()
    });
    assert_eq!(numbers(parts.collect()), expected);

    // By pages, from the newest end.
    for (path, limit) in [("/conversation", 200), ("/chat", 117)] {
        let (mut collected, mut before) = (Vec::new(), String::new());
        loop {
            let page = app
                .sam
                .get(&app.sam.path(&format!("{path}?limit={limit}{before}")))
                .await
                .json();
            let mut ids = texts(&page["data"], "/id");
            assert_eq!(page["meta"]["total"], 310, "{path}");
            ids.append(&mut collected);
            collected = ids;
            let Some(next) = page["meta"]["before"].as_str() else {
                break;
            };
            before = format!("&before={next}");
        }
        let whole = app.sam.get(&app.sam.path(path)).await.json();
        assert_eq!(collected, texts(&whole["data"], "/id"), "{path}");
    }

    let run = json!({"threadId": app.sam.plan, "runId": "r1", "messages": []});
    let snapshot = |text: &str| -> Value {
        let events = text.lines().filter_map(|line| line.strip_prefix("data: "));
        let events = events.map(|json| serde_json::from_str::<Value>(json).unwrap());
        events
            .into_iter()
            .find(|event| event["type"] == "MESSAGES_SNAPSHOT")
            .unwrap()["messages"]
            .take()
    };
    let whole = snapshot(&app.sam.post(&app.sam.path("/ag-ui"), &run).await.text);
    assert_eq!(numbers(texts(&whole, "/content")), expected);
    let newest = snapshot(&app.sam.post(&app.sam.path("/ag-ui?limit=12"), &run).await.text);
    assert_eq!(newest.as_array().unwrap()[..], whole.as_array().unwrap()[298..]);
    let before = format!("/ag-ui?limit=12&before={}", newest[0]["id"].as_str().unwrap());
    let older = snapshot(&app.sam.post(&app.sam.path(&before), &run).await.text);
    assert_eq!(older.as_array().unwrap()[..], whole.as_array().unwrap()[286..298]);
    for wrong in [
        "/chat?limit=0",
        "/chat?limit=201",
        "/chat?before=7",
        "/conversation?limit=201",
    ] {
        assert_eq!(
            app.sam.get(&app.sam.path(wrong)).await.failure(),
            (400, "VALIDATION_ERROR".into()),
            "{wrong}"
        );
    }
}

#[tokio::test]
async fn a_tag_follows_messages_and_statuses_and_not_the_bytes() {
    let app = TestApp::spawn().await;
    app.llm.script([
        crate::support::sets("operatingCosts.rentMonthly", 4_440, "tentative"),
        says("Perhaps."),
    ]);
    let tag = async |path: &str| {
        let reply = app.sam.get(&app.sam.path(path)).await;
        reply.header("etag").unwrap().to_owned()
    };
    let unused = tag("/conversation").await;
    app.sam.send("Maybe the rent will be about $4,440").await;
    let known = tag("/conversation").await;
    assert_ne!(known, unused);
    assert_ne!(tag("/conversation?limit=1").await, known, "a page is something else");
    let again = app
        .sam
        .request(Method::GET, &app.sam.path("/conversation"))
        .header("if-none-match", &known);
    assert_eq!(app.sam.fetch(again).await.status, 304);
    let value = app.sam.history().await[1]["extractedValues"][0]["id"]
        .as_str()
        .unwrap()
        .to_owned();
    let dismiss = format!("/conversation/extractions/{value}/dismiss");
    assert_eq!(app.sam.post_nothing(&app.sam.path(&dismiss)).await.status, 200);
    assert_ne!(tag("/conversation").await, known);
}

#[tokio::test]
async fn four_long_answers_at_once_and_others_are_not_kept_waiting() {
    let app = TestApp::spawn().await;
    long(&app, app.sam.plan, 64, 1024).await;
    let path = app.sam.path("/conversation");
    let mut readers = Vec::new();
    for _ in 0..4 {
        // They read the head and nothing else.
        readers.push(RawExchange::send(&app.sam, "GET", &path, &[], "").await);
    }
    for path in [path.clone(), app.sam.path("/chat"), "/api/me/export".to_owned()] {
        let refused = app.sam.get(&path).await;
        assert_eq!(refused.failure(), (429, "RATE_LIMITED".into()), "{path}");
        assert!(refused.header("retry-after").is_some());
    }
    assert_eq!(app.sam.get(&app.sam.path("/conversation?limit=5")).await.status, 200);
    assert_eq!(app.riley.history().await.len(), 0);
    assert_eq!(app.riley.get("/api/plans").await.status, 200);
    readers.pop();
    eventually("the server has noticed that one is gone", async || {
        app.sam.get(&path).await.status == 200
    })
    .await;
}

#[tokio::test]
async fn reads_a_minute_are_limited_for_each_person() {
    let app = TestApp::builder()
        .config(|config| config.limits.rate_limit_reads_per_minute = 5)
        .spawn()
        .await;
    for _ in 0..5 {
        assert_eq!(app.sam.get("/api/plans").await.status, 200);
    }
    let refused = app.sam.get(&app.sam.path("/outputs")).await;
    assert_snapshot!(refused.refusal(), @"429 RATE_LIMITED: That was a lot of requests. Wait a moment.");
    let wait: u64 = refused.header("retry-after").unwrap().parse().unwrap();
    assert!((1..=13).contains(&wait), "{wait}");
    assert_eq!(app.riley.get("/api/plans").await.status, 200);
    // What comes first in the contract's order, and what must always work.
    assert_eq!(app.sam.get(&app.riley.path("")).await.status, 403);
    assert_eq!(
        app.sam.get(&format!("/api/plans/{}", uuid::Uuid::nil())).await.status,
        404
    );
    for wrong in ["/api/plans/7", "/api/plans?limit=0", "/api/prompts?limit=x"] {
        assert_eq!(app.sam.get(wrong).await.status, 400, "{wrong}");
    }
    assert_eq!(app.sam.get("/api/plans?limit=1").await.status, 429);
    assert_eq!(app.sam.get("/api/status").await.status, 200);
    assert_eq!(
        app.sam
            .patch(
                &app.sam.path("/financial-inputs"),
                &json!({"operatingCosts.rentMonthly": 1})
            )
            .await
            .status,
        200
    );
}

#[tokio::test]
async fn streams_by_a_repeated_key_have_a_higher_limit() {
    let app = TestApp::builder()
        .config(|config| config.limits.rate_limit_streams_per_user = 2)
        .spawn()
        .await;
    let gate = Gate::new();
    app.llm.always(says("Slowly.").wait_before_head(&gate));
    let mut streams = vec![app.sam.post_with_key("Hello", "k").await.stream()];
    gate.reached(1).await;
    for _ in 0..20 {
        match app.sam.post_with_key("Hello", "k").await {
            Streamed::Stream(stream) => streams.push(*stream),
            Streamed::Reply(reply) => assert_eq!(reply.failure(), (429, "RATE_LIMITED".into())),
        }
    }
    assert_eq!(streams.len(), 8);
    assert!(matches!(
        app.riley.post_with_key("Hello", "k").await,
        Streamed::Stream(_)
    ));
    gate.open();
    gate.open();
    assert_eq!(streams.remove(0).rest().await.text(), "Slowly.");
}
