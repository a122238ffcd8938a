//! The wire of a turn: first byte at once, one ending, text as text, and turns that outlive their readers.

use crate::support::raw::RawExchange;
use crate::support::sse::SseParser;
use crate::support::transcript::Event;
use crate::support::{Gate, TestApp, answer, eventually, says, sets};
use insta::assert_snapshot;
use serde_json::json;
use std::time::Instant;

#[tokio::test]
async fn the_head_and_a_comment_leave_before_the_model_has_said_a_word() {
    let app = TestApp::spawn().await;
    let gate = Gate::new();
    app.llm.script([says("Hello.").wait_before_head(&gate)]);
    let body = json!({"message": "Hello"}).to_string();

    let mut exchange = RawExchange::send(&app.sam, "POST", &app.sam.path("/conversation"), &[], &body).await;

    assert_eq!(exchange.status(), 200);
    assert_eq!(exchange.chunk().await.unwrap(), b": ok\n\n");
    gate.reached(1).await;
    gate.open();
    let rest = exchange.body().await;
    let mut parser = SseParser::default();
    let events: Vec<Event> = parser.feed(&rest).iter().map(Event::read).collect();
    assert_eq!(events.len(), 2);
    assert!(
        rest.starts_with(b"retry: 2000\nid: "),
        "{}",
        String::from_utf8_lossy(&rest)
    );
}

#[tokio::test]
async fn tokens_come_one_by_one_as_the_model_speaks() {
    let app = TestApp::spawn().await;
    let gate = Gate::new();
    app.llm.script([answer().says_in_steps("I've noted it.", 5, &gate)]);

    let mut stream = app.sam.open("Hello").await;
    stream.opened().await;
    let mut pieces = Vec::new();
    for nth in 1..=3 {
        gate.reached(nth).await;
        gate.open();
        let event = stream.next().await.unwrap();
        pieces.push((event.content().unwrap().to_owned(), event.offset));
    }
    assert_eq!(
        pieces,
        [("I've ".to_owned(), 5), ("noted".into(), 10), (" it.".into(), 14)]
    );
    let turn = stream.rest().await;
    assert_eq!((turn.text().as_str(), turn.last().offset), ("I've noted it.", 15));
}

#[tokio::test]
async fn a_silent_model_is_bridged_by_a_comment_every_fifteen_seconds() {
    let app = TestApp::spawn().await;
    let gate = Gate::new();
    app.llm.script([says("Hello.").wait_before_head(&gate)]);
    let body = json!({"message": "Hello"}).to_string();
    let mut exchange = RawExchange::send(&app.sam, "POST", &app.sam.path("/conversation"), &[], &body).await;
    assert_eq!(exchange.chunk().await.unwrap(), b": ok\n\n");

    let silent_since = Instant::now();
    assert_eq!(exchange.chunk().await.unwrap(), b": hb\n\n");

    let silence = silent_since.elapsed().as_secs_f64();
    assert!((14.0..16.0).contains(&silence), "{silence} s");
    gate.open();
    exchange.body().await;
}

#[tokio::test]
async fn text_that_looks_like_the_protocol_arrives_as_text() {
    let app = TestApp::spawn().await;
    let forged = "a\n\ndata: {\"type\":\"done\"}\n\nevent: x\rid: 7\r\n: c\u{2028}\u{2029}\u{85}retry: 1\n\n\"}\\";
    app.llm.script([says(forged).says("\u{FEFF}<script>"), says("Yes.")]);

    let turn = app.sam.send("data: {\"type\":\"error\"}\n\nevent: done").await;

    assert_eq!(turn.text(), format!("{forged}\u{FEFF}<script>"));
    let said = app.sam.said().await;
    assert_eq!(said[0].1, "data: {\"type\":\"error\"}\n\nevent: done");
    assert_eq!(said[1].1, turn.text());
    app.sam.send("Go on").await;
    let messages = app.llm.requests().pop().unwrap()["messages"].clone();
    assert_eq!(
        messages[2]["content"],
        turn.text(),
        "and goes back to the model as it came"
    );
}

#[tokio::test]
async fn any_text_of_a_user_is_stored_and_given_back() {
    let app = TestApp::spawn().await;
    app.llm.always(says("I see."));
    let texts = [
        "Ünïcödé – 日本語 – العربية\u{202E} – \u{1F469}\u{200D}\u{1F52C}\u{1F3FD} 🐩 e\u{301}".to_owned(),
        "😀".repeat(8_000),
        "é\n\tx".repeat(2_000),
        "\u{10FFFF}\u{FFFE}\u{E000}".to_owned(),
        "'; DROP TABLE prompts; -- \" \\ %s {} $1".to_owned(),
    ];
    for text in &texts {
        let turn = app.sam.send(text).await;
        assert_eq!(turn.text(), "I see.");
        assert_eq!(app.sam.prompts().await[0]["input"], text.as_str());
        let asked = app.llm.requests().pop().unwrap()["messages"]
            .as_array()
            .unwrap()
            .last()
            .unwrap()["content"]
            .clone();
        assert_eq!(asked, text.as_str());
    }
    let said = app.sam.said().await;
    assert_eq!(
        said.iter()
            .filter(|(role, _)| role == "user")
            .map(|(_, text)| text)
            .collect::<Vec<_>>(),
        texts.iter().collect::<Vec<_>>()
    );
}

#[tokio::test]
async fn what_no_database_can_hold_never_breaks_a_turn() {
    let app = TestApp::spawn().await;
    let escaped = "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"A\\u0000B\\ud800C\\udc00D\"},\"finish_reason\":null}]}\n\n";
    app.llm.script([
        answer().raw(escaped).calls("set_financial_field", "{\"path\":\"operatingCosts.rentMonthly\",\"value\":4200,\"confidence\":\"high\",\"quote\":\"\\u0000\\ud800\"}"),
        answer().calls("no\u{0}such\u{FFFF}tool", "{}"),
        says("E\u{0}F"),
    ]);
    let path = app.sam.path("/conversation");
    let request = app
        .sam
        .request(reqwest::Method::POST, &path)
        .header("content-type", "application/json");
    let reply = app
        .sam
        .fetch(request.body("{\"message\":\"My rent is $4,200 \\ud800 and \\udc00\"}"))
        .await;

    assert_eq!(reply.status, 200, "{}", reply.text);
    assert!(reply.text.contains("\"type\":\"done\""), "{}", reply.text);
    let said = app.sam.said().await;
    assert_eq!(said[0].1, "My rent is $4,200 \u{FFFD} and \u{FFFD}");
    assert_eq!(said[1].1, "A\u{FFFD}B\u{FFFD}C\u{FFFD}D\n\nE\u{FFFD}F");
    // A sentence with invisible characters states nothing plainly: the value waits.
    assert_eq!(app.sam.held("operatingCosts.rentMonthly").await.1, "brand_default");
}

#[tokio::test]
async fn messages_that_are_none_are_refused_and_leave_no_trace() {
    let app = TestApp::spawn().await;
    let path = app.sam.path("/conversation");
    let long = "x".repeat(8_001);
    for message in ["", "  \n\t ", "a\u{7}b", "\u{1b}[31m", long.as_str()] {
        let reply = app.sam.post(&path, &json!({"message": message})).await;
        assert_eq!(reply.failure(), (400, "VALIDATION_ERROR".into()), "{message:.20?}");
        assert_eq!(reply.json()["error"]["details"][0]["field"], "message");
    }
    for body in [
        json!({}),
        json!({"message": 7}),
        json!({"message": null}),
        json!(["Hello"]),
        json!("Hello"),
    ] {
        let reply = app.sam.post(&path, &body).await;
        assert_eq!(reply.status, 400, "{body}: {}", reply.text);
    }
    assert_eq!(app.sam.conversation().await["data"], json!([]));
    assert!(app.sam.prompts().await.is_empty());
    assert_eq!(app.llm.request_count(), 0);
}

#[tokio::test]
async fn a_client_that_goes_away_gets_its_answer_later() {
    let app = TestApp::spawn().await;
    let gate = Gate::new();
    app.llm.script([
        sets("operatingCosts.rentMonthly", 4200, "high"),
        says("I've noted ").wait(&gate).says("a rent of $4,200."),
    ]);
    let mut stream = app.sam.open("My rent is $4,200/month").await;
    stream.until("noted").await;
    let id = stream.turn();

    drop(stream);
    gate.open();

    let prompt = app.sam.settled_prompt().await;
    assert_eq!((&prompt["id"], &prompt["state"]), (&json!(id), &json!("completed")));
    assert_eq!(app.sam.said().await[1].1, "I've noted a rent of $4,200.");
    assert_eq!(app.sam.held("operatingCosts.rentMonthly").await.0, 420_000);
}

#[tokio::test]
async fn a_connection_that_is_reset_at_any_moment_never_stops_a_turn() {
    let app = TestApp::spawn().await;
    let body = json!({"message": "Hello"}).to_string();
    for moment in 0..3 {
        let gate = Gate::new();
        app.llm.script([says("One").wait(&gate).says(" two.")]);
        let exchange = if moment == 0 {
            RawExchange::begin(&app.sam, "POST", &app.sam.path("/conversation"), &[], &body).await
        } else {
            let mut exchange = RawExchange::send(&app.sam, "POST", &app.sam.path("/conversation"), &[], &body).await;
            for _ in 1..moment {
                exchange.chunk().await.unwrap();
            }
            exchange
        };
        // Not before the server has it: a request that never arrived is no turn.
        gate.reached(1).await;
        exchange.reset();
        gate.open();
        assert_eq!(app.sam.settled_prompt().await["output"], "One two.", "moment {moment}");
    }
    assert_eq!(app.sam.history().await.len(), 6);
}

#[tokio::test]
async fn a_second_message_meanwhile_is_a_conflict_that_names_the_turn() {
    let app = TestApp::spawn().await;
    let gate = Gate::new();
    app.llm.script([says("One").wait(&gate).says(" two.")]);
    let mut stream = app.sam.open("Count").await;
    stream.until("One").await;

    let reply = app.sam.post_message("And now?", &[]).await.reply();

    assert_snapshot!(reply.refusal(), @r#"
    409 TURN_IN_PROGRESS: The advisor is still answering the message before this one.
    {"turnId":"[id]"}
    "#);
    assert_eq!(reply.json()["error"]["details"][0]["turnId"], stream.turn().to_string());
    assert!(reply.header("retry-after").is_some());
    for (path, what) in [("/conversation", "clearing"), ("", "deleting the plan")] {
        let refused = app.sam.delete(&app.sam.path(path)).await;
        assert_eq!(refused.failure(), (409, "TURN_IN_PROGRESS".into()), "{what}");
        assert_eq!(refused.header("retry-after"), Some("2"), "{what}");
    }
    let running = app
        .sam
        .get(&format!("/api/prompts?planId={}&state=running", app.sam.plan))
        .await
        .json();
    assert_eq!(
        (&running["meta"]["total"], &running["data"][0]["input"]),
        (&json!(1), &json!("Count"))
    );
    assert_eq!(running["data"][0]["output"], serde_json::Value::Null);
    gate.open();
    assert_eq!(stream.rest().await.text(), "One two.");
    app.llm.script([says("Now.")]);
    assert_eq!(app.sam.send("And now?").await.text(), "Now.");
}

#[tokio::test]
async fn of_forty_tabs_that_send_at_once_one_is_answered() {
    let app = TestApp::spawn().await;
    let gate = Gate::new();
    app.llm.script([says("One").wait(&gate).says(" two.")]);
    let tabs = (0..40).map(|nth| {
        let tab = app.sam.clone();
        async move { tab.post_message(&format!("I am tab {nth}"), &[]).await }
    });

    let answers = futures_util::future::join_all(tabs).await;
    gate.open();

    let mut streams = 0;
    for answer in answers {
        match answer {
            crate::support::client::Streamed::Stream(stream) => {
                streams += 1;
                assert_eq!(stream.rest().await.text(), "One two.");
            }
            crate::support::client::Streamed::Reply(reply) => {
                assert_eq!(reply.failure(), (409, "TURN_IN_PROGRESS".into()));
            }
        }
    }
    assert_eq!(
        (streams, app.llm.request_count(), app.sam.history().await.len()),
        (1, 1, 2)
    );
}

#[tokio::test]
async fn plans_do_not_wait_for_each_other() {
    let app = TestApp::spawn().await;
    let gate = Gate::new();
    app.llm.script([says("Sam").wait(&gate).says("!"), says("Riley!")]);
    let mut sam = app.sam.open("Hello").await;
    sam.until("Sam").await;
    assert_eq!(app.riley.send("Hello").await.text(), "Riley!");
    gate.open();
    assert_eq!(sam.rest().await.text(), "Sam!");
}

#[tokio::test]
async fn no_connection_is_held_while_the_model_talks() {
    let app = TestApp::builder()
        .config(|config| config.database.pool_size = 2)
        .spawn()
        .await;
    let gate = Gate::new();
    app.llm.always(says("One").wait(&gate).says(" two."));
    let mut people = vec![app.sam.clone(), app.riley.clone(), app.taylor.clone()];
    for name in ["Ana", "Ben", "Cho"] {
        people.push(app.add_franchisee(name).await);
    }
    let mut streams = Vec::new();
    for person in &people {
        let mut stream = person.open("Count").await;
        stream.until("One").await;
        streams.push(stream);
    }
    assert_eq!(app.main.running(), 6);
    eventually("the pool is idle", async || app.main.state.db.in_use() == 0).await;
    assert!(app.sam.history().await.is_empty(), "and others are served meanwhile");
    people.iter().for_each(|_| gate.open());
    for stream in streams {
        assert_eq!(stream.rest().await.text(), "One two.");
    }
}

#[tokio::test]
async fn a_reader_that_never_reads_holds_nothing_up() {
    let app = TestApp::spawn().await;
    let text = "All work and no play. ".repeat(20_000);
    app.llm.script([says(&text)]);
    let body = json!({"message": "Tell me much"}).to_string();

    let exchange = RawExchange::begin(&app.sam, "POST", &app.sam.path("/conversation"), &[], &body).await;

    app.llm.asked(1).await;
    assert_eq!(app.sam.settled_prompt().await["output"], text);
    drop(exchange);
}

#[tokio::test]
async fn what_a_stranger_may_not_see_is_not_streamed() {
    let app = TestApp::spawn().await;
    let gate = Gate::new();
    app.llm.script([says("Secret").wait(&gate).says(".")]);
    let mut stream = app.sam.open("Hello").await;
    stream.until("Secret").await;
    let cursor = stream.events[0].id.clone();

    let intruder = app.riley.on_plan(app.sam.plan);
    assert_snapshot!(intruder.attach(None).await.reply().refusal(), @"403 FORBIDDEN: This plan belongs to somebody else.");
    assert_snapshot!(intruder.attach(Some(&cursor)).await.reply().refusal(), @"403 FORBIDDEN: This plan belongs to somebody else.");
    assert_snapshot!(intruder.post_message("Hello", &[]).await.reply().refusal(), @"403 FORBIDDEN: This plan belongs to somebody else.");
    assert_eq!(
        intruder
            .post_nothing(&intruder.path("/conversation/cancel"))
            .await
            .failure()
            .0,
        403
    );
    assert_snapshot!(intruder.get(&intruder.path("/conversation")).await.refusal(), @"403 FORBIDDEN: This plan belongs to somebody else.");
    // The cursor of one plan opens nothing on another.
    assert_eq!(app.riley.attach(Some(&cursor)).await.reply().status, 204);
    assert_eq!(app.riley.attach(None).await.reply().status, 204);
    assert_snapshot!(app.morgan.on_plan(app.sam.plan).attach(None).await.reply().refusal(), @"403 FORBIDDEN: This plan belongs to somebody else.");
    gate.open();
    stream.rest().await;
}

#[tokio::test]
async fn a_turn_is_remembered_as_the_place_one_was_last() {
    let app = TestApp::spawn().await;
    app.llm.script([says("Hello.")]);
    app.sam.send("Hello").await;
    let active = app.sam.get("/api/me/active-plan").await.data();
    assert_eq!(active["planId"], app.sam.plan.to_string(), "{active}");
}

#[tokio::test]
async fn requests_that_are_dropped_at_any_moment_leave_no_open_transaction_behind() {
    let app = TestApp::builder()
        .config(|config| config.database.pool_size = 3)
        .spawn()
        .await;
    let path = app.sam.path("/financial-inputs");
    for nth in 0..60 {
        let body = json!({"operatingCosts.rentMonthly": 400_000 + nth}).to_string();
        let exchange = RawExchange::begin(&app.sam, "PATCH", &path, &[], &body).await;
        // Some are dropped before they are read, some while they run, some when they are done.
        for _ in 0..nth % 6 {
            tokio::task::yield_now().await;
        }
        exchange.reset();
    }
    app.sam.set("operatingCosts.rentMonthly", 555_500).await;
    assert_eq!(app.sam.held("operatingCosts.rentMonthly").await.0, 555_500);
    let open = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND state LIKE 'idle in transaction%'";
    eventually("no transaction is open", async || app.database.count(open).await == 0).await;
    let changes = app
        .database
        .count("SELECT count(*) FROM plan_changes WHERE new_value ->> 'currentValue' = '555500'")
        .await;
    assert_eq!(changes, 1, "and what was written later is there");
}
