//! Coming back: at every place of every turn, and to turns that are over.

use crate::support::client::Streamed;
use crate::support::{Gate, TestApp, answer, says, sets};
use serde_json::{Value, json};
use uuid::Uuid;

/// Characters of one to four bytes, in several pieces.
const TEXT: &str = "Ré: 4,200 $ – 日本 🐩🏽 ok\n\nnext";

#[tokio::test]
async fn reading_on_behind_any_event_gives_the_rest_and_nothing_twice() {
    let app = TestApp::spawn().await;
    let gate = Gate::new();
    app.llm.script([
        sets("operatingCosts.rentMonthly", 4200, "high"),
        answer().says_in_steps(TEXT, 3, &gate),
    ]);
    let mut first = app.sam.open("My rent is $4,200").await;
    let pieces = TEXT.chars().count().div_ceil(3);
    let mut tabs = Vec::new();
    for nth in 1..=pieces {
        gate.reached(nth).await;
        gate.open();
        let event = first.next().await.unwrap();
        // While the turn runs, another tab takes over behind every event.
        tabs.push((event.clone(), app.sam.attach(Some(&event.id)).await.stream()));
    }
    let whole = first.rest().await;
    assert_eq!(whole.text(), TEXT);
    for (event, tab) in tabs {
        assert_eq!(tab.turn(), whole.id());
        let turn = tab.rest().await;
        assert_eq!(turn.text(), TEXT[event.offset..], "behind {}", event.id);
        assert_eq!(turn.last().json, whole.last().json);
        assert_eq!(turn.last().id, whole.last().id);
    }
    // Now it is over: from the database, behind every event.
    for event in &whole.events {
        let answer = app.sam.attach(Some(&event.id)).await;
        if event.is_terminal() {
            assert_eq!(answer.reply().status, 204, "who has the end needs nothing");
        } else {
            let turn = answer.stream().rest().await;
            assert_eq!(
                (turn.text().as_str(), &turn.last().json),
                (&TEXT[event.offset..], whole.done())
            );
        }
    }
}

#[tokio::test]
async fn every_byte_between_two_characters_is_a_place_to_read_on_from() {
    let app = TestApp::spawn().await;
    let gate = Gate::new();
    app.llm.script([says(TEXT).wait(&gate).says(".")]);
    let mut first = app.sam.open("Hello").await;
    first.until(TEXT).await;
    let id = |offset: usize| format!("{}:1.{offset}", first.turn());
    let mut live = Vec::new();
    for offset in 0..=TEXT.len() {
        let answer = app.sam.attach(Some(&id(offset))).await;
        match answer {
            Streamed::Stream(stream) => live.push((offset, stream)),
            Streamed::Reply(reply) => {
                assert!(!TEXT.is_char_boundary(offset), "{offset}");
                assert_eq!(reply.status, 204);
            }
        }
    }
    assert_eq!(live.len(), TEXT.chars().count() + 1);
    assert_eq!(
        app.sam.attach(Some(&id(TEXT.len() + 2))).await.reply().status,
        204,
        "a place that is not there yet"
    );
    gate.open();
    for (offset, stream) in live {
        assert_eq!(
            stream.rest().await.text(),
            format!("{}.", &TEXT[offset..]),
            "live from {offset}"
        );
    }
    for offset in (0..=TEXT.len()).filter(|offset| TEXT.is_char_boundary(*offset)) {
        let turn = app.sam.attach_after(&id(offset)).await.stream().rest().await;
        assert_eq!(turn.text(), format!("{}.", &TEXT[offset..]), "stored from {offset}");
    }
    assert_eq!(
        app.sam.attach(Some(&id(1))).await.stream().rest().await.text(),
        format!("{}.", &TEXT[1..])
    );
    assert_eq!(
        app.sam.attach(Some(&id(2))).await.reply().status,
        204,
        "within a character"
    );
    first.rest().await;
}

#[tokio::test]
async fn attaching_without_a_cursor_begins_at_the_beginning() {
    let app = TestApp::spawn().await;
    let gate = Gate::new();
    app.llm.script([says("One").wait(&gate).says(" two.")]);
    assert_eq!(app.sam.attach(None).await.reply().status, 204, "nothing runs");
    let mut first = app.sam.open("Count").await;
    first.until("One").await;

    let mut second = app.sam.attach(None).await.stream();
    second.until("One").await;
    assert_eq!(second.turn(), first.turn());
    gate.open();

    assert_eq!(second.rest().await.text(), "One two.");
    first.rest().await;
    assert_eq!(app.sam.attach(None).await.reply().status, 204, "nothing runs any more");
}

#[tokio::test]
async fn cursors_that_name_nothing_stop_an_event_source() {
    let app = TestApp::spawn().await;
    app.llm.script([says("Hello."), says("Hello Riley.")]);
    let turn = app.sam.send("Hello").await;
    let other = app.riley.send("Hello").await;
    let stranger = Uuid::now_v7();
    let cursors = [
        format!("{}:2.0", turn.id()),
        format!("{}:0.0", turn.id()),
        format!("{}:1.8", turn.id()),
        format!("{}:1.99999999999999999999", turn.id()),
        format!("{stranger}:1.0"),
        other.events[0].id.clone(),
        "7".into(),
        "nonsense".into(),
        format!("{}", turn.id()),
    ];
    for cursor in cursors {
        let reply = app.sam.attach(Some(&cursor)).await.reply();
        assert_eq!((reply.status, reply.text.as_str()), (204, ""), "{cursor}");
        assert_eq!(app.sam.attach_after(&cursor).await.reply().status, 204, "{cursor}");
    }
}

#[tokio::test]
async fn a_failed_turn_ends_the_same_for_whoever_comes_back() {
    let app = TestApp::spawn().await;
    app.llm.script([says("I've no").cut()]);
    let turn = app.sam.send("Hello").await;
    let again = app.sam.attach(Some(&turn.events[0].id)).await.stream().rest().await;
    assert_eq!((again.text().as_str(), &again.last().json), ("", &turn.last().json));
    let begun = app
        .sam
        .attach(Some(&format!("{}:1.0", turn.id())))
        .await
        .stream()
        .rest()
        .await;
    assert_eq!(
        (begun.text().as_str(), begun.error()),
        ("I've no", ("LLM_UNAVAILABLE", true))
    );
}

#[tokio::test]
async fn who_would_rather_listen_elsewhere_gets_an_address() {
    let app = TestApp::spawn().await;
    let gate = Gate::new();
    app.llm.script([says("One").wait(&gate).says(" two."), says("Fast.")]);

    let reply = app
        .sam
        .post_message("Count", &[("prefer", "respond-async, wait=5")])
        .await
        .reply();
    assert_eq!(reply.status, 202);
    let id = reply.data()["turnId"].as_str().unwrap().to_owned();
    let location = reply.header("location").unwrap().to_owned();
    assert_eq!(
        location,
        format!("/api/plans/{}/conversation/stream?after={id}:1.0", app.sam.plan)
    );
    let mut stream = app.sam.follow(&location).await.stream();
    stream.until("One").await;
    gate.open();
    assert_eq!(stream.rest().await.text(), "One two.");

    // A turn that is over before anybody attaches.
    let reply = app
        .sam
        .post_message("Quick", &[("prefer", "respond-async")])
        .await
        .reply();
    app.sam.settled_prompt().await;
    let turn = app
        .sam
        .follow(reply.header("location").unwrap())
        .await
        .stream()
        .rest()
        .await;
    assert_eq!(
        (turn.text().as_str(), &turn.done()["finishReason"]),
        ("Fast.", &json!("stop"))
    );
}

#[tokio::test]
async fn a_post_that_connects_again_never_starts_a_turn() {
    let app = TestApp::spawn().await;
    app.llm.script([says("Hello.")]);
    let turn = app.sam.send("Hello").await;
    let first = &turn.events[0].id;

    let again = app
        .sam
        .post_message("Hello", &[("last-event-id", first)])
        .await
        .stream()
        .rest()
        .await;
    assert_eq!((again.text().as_str(), &again.last().json), ("", turn.done()));
    let over = app
        .sam
        .post_message("Hello", &[("last-event-id", &turn.last().id)])
        .await
        .reply();
    assert_eq!(over.status, 204);
    let unknown = app.sam.post_message("Hello", &[("last-event-id", "x")]).await.reply();
    assert_eq!(unknown.status, 204);
    assert_eq!((app.llm.request_count(), app.sam.history().await.len()), (1, 2));
}

mod keys {
    use super::*;
    use crate::support::refuses;

    #[tokio::test]
    async fn the_same_key_and_message_replays_the_finished_turn_without_asking_again() {
        let app = TestApp::spawn().await;
        app.llm
            .script([sets("operatingCosts.rentMonthly", 4200, "high"), says("Noted.")]);
        let first = app
            .sam
            .post_with_key("My rent is $4,200", "k1")
            .await
            .stream()
            .rest()
            .await;
        assert_eq!(first.header("idempotency-replayed"), None);

        for _ in 0..3 {
            let again = app
                .sam
                .post_with_key("My rent is $4,200", "k1")
                .await
                .stream()
                .rest()
                .await;
            assert_eq!(again.header("idempotency-replayed"), Some("true"));
            assert_eq!((again.text(), &again.last().json), (first.text(), first.done()));
        }
        let trimmed = app
            .sam
            .post_with_key("  My rent is $4,200\n", "k1")
            .await
            .stream()
            .rest()
            .await;
        assert_eq!(trimmed.id(), first.id(), "the same message after trimming");
        assert_eq!(
            (
                app.llm.request_count(),
                app.sam.history().await.len(),
                app.sam.changes().await.len()
            ),
            (2, 2, 1)
        );
    }

    /// The JSON of the terminal event, byte for byte.
    fn ending_of(turn: &crate::support::Turn) -> String {
        let raw = String::from_utf8_lossy(&turn.parser.raw).into_owned();
        let last = raw.lines().rfind(|line| line.starts_with("data: "));
        last.expect("an event").to_owned()
    }

    #[tokio::test]
    async fn the_answer_is_stored_once_in_the_turn_and_its_end_is_replayed_as_it_was() {
        let app = TestApp::spawn().await;
        let text = "Noted: \"rent\" \u{2013} 4,200 \u{1F4B0}\n\\ end.";
        app.llm
            .script([sets("operatingCosts.rentMonthly", 4200, "high"), says(text)]);
        let first = app.sam.post_with_key("My rent is $4,200", "k1").await;
        let first = first.stream().rest().await;
        assert_eq!(first.done()["fullResponse"], text);

        let ending = app.database.value("SELECT ending::text FROM prompts").await.unwrap();
        assert!(!ending.contains("4,200 "), "the answer is in `output`: {ending}");
        assert!(ending.contains("updatedOutputs"), "{ending}");
        let again = app.sam.post_with_key("My rent is $4,200", "k1").await;
        assert_eq!(ending_of(&again.stream().rest().await), ending_of(&first));
        let cursor = first.events[0].id.clone();
        let rest = app.sam.attach(Some(&cursor)).await.stream().rest().await;
        assert_eq!(ending_of(&rest), ending_of(&first));
    }

    #[tokio::test]
    async fn endings_of_earlier_releases_and_those_with_unknown_keys_are_replayed_whole() {
        let app = TestApp::spawn().await;
        app.llm.script([says("Noted.")]);
        let first = app.sam.post_with_key("Hello", "k1").await.stream().rest().await;
        app.database
            .run("UPDATE prompts SET ending = ending || '{\"fullResponse\": \"Noted.\"}'")
            .await;
        let again = app.sam.post_with_key("Hello", "k1").await.stream().rest().await;
        assert_eq!(ending_of(&again), ending_of(&first));

        app.database
            .run("UPDATE prompts SET ending = ending - 'fullResponse' - 'usage' || '{\"ofTheFuture\": {\"a\": [1]}}'")
            .await;
        let again = app.sam.post_with_key("Hello", "k1").await.stream().rest().await;
        assert_eq!(again.done()["fullResponse"], "Noted.");
        assert_eq!(again.done()["ofTheFuture"], json!({"a": [1]}));
    }

    #[tokio::test]
    async fn another_message_under_the_key_is_refused() {
        let app = TestApp::spawn().await;
        app.llm.script([says("Hello.")]);
        app.sam.post_with_key("Hello", "k1").await.stream().rest().await;
        let reply = app.sam.post_with_key("Goodbye", "k1").await.reply();
        assert_eq!(reply.failure(), (422, "IDEMPOTENCY_KEY_REUSED".into()));
        assert_eq!(app.sam.history().await.len(), 2);
    }

    #[tokio::test]
    async fn a_key_belongs_to_one_person_and_one_plan() {
        let app = TestApp::spawn().await;
        app.llm.script([says("Hello Sam."), says("Hello Riley.")]);
        app.sam.post_with_key("Hello", "k1").await.stream().rest().await;
        let riley = app.riley.post_with_key("Hello", "k1").await.stream().rest().await;
        assert_eq!(riley.text(), "Hello Riley.");
    }

    #[tokio::test]
    async fn the_key_of_a_running_turn_attaches_to_it() {
        let app = TestApp::spawn().await;
        let gate = Gate::new();
        app.llm.script([says("One").wait(&gate).says(" two.")]);
        let mut first = app.sam.post_with_key("Count", "k1").await.stream();
        first.until("One").await;

        let mut second = app.sam.post_with_key("Count", "k1").await.stream();
        assert_eq!(second.headers["idempotency-replayed"], "true");
        second.until("One").await;
        let other = app.sam.post_with_key("Count more", "k1").await.reply();
        assert_eq!(other.failure(), (422, "IDEMPOTENCY_KEY_REUSED".into()));
        gate.open();

        assert_eq!(
            (first.rest().await.text(), second.rest().await.text()),
            ("One two.".into(), "One two.".into())
        );
        assert_eq!(app.llm.request_count(), 1);
    }

    #[tokio::test]
    async fn a_failed_turn_is_run_again_under_its_key_as_the_next_attempt() {
        let app = TestApp::spawn().await;
        app.llm.script([says("I've no").cut(), says("Here you are.")]);
        let failed = app.sam.post_with_key("Hello", "k1").await.stream().rest().await;
        assert_eq!(failed.error(), ("LLM_UNAVAILABLE", true));

        let again = app.sam.post_with_key("Hello", "k1").await.stream().rest().await;

        assert_eq!(
            (again.id(), again.last().attempt, again.text().as_str()),
            (failed.id(), 2, "Here you are.")
        );
        assert_eq!(app.sam.prompts().await.len(), 1, "one prompt, two attempts");
        assert_eq!(app.sam.prompts().await[0]["errorCode"], Value::Null);
        assert_eq!(
            app.sam.attach(Some(&failed.events[0].id)).await.reply().status,
            204,
            "the old attempt's cursor is stale"
        );
        let replay = app.sam.post_with_key("Hello", "k1").await.stream().rest().await;
        assert_eq!(replay.text(), "Here you are.");
    }

    #[tokio::test]
    async fn a_refused_request_uses_no_key_up() {
        let app = TestApp::spawn().await;
        app.llm.script([refuses(401), says("Hello.")]);
        assert_eq!(app.sam.post_with_key("", "k1").await.reply().failure().0, 400);
        app.sam.post_with_key("Hello", "k1").await.stream().rest().await;
        assert_eq!(
            app.sam.post_with_key("Hello", "k1").await.stream().rest().await.text(),
            "Hello."
        );
        let long = "k".repeat(256);
        assert_eq!(
            app.sam.post_with_key("Hello", &long).await.reply().failure(),
            (400, "VALIDATION_ERROR".into())
        );
    }

    #[tokio::test]
    async fn fifty_parallel_posts_of_one_key_are_one_turn_with_fifty_readers() {
        let app = TestApp::spawn().await;
        let gate = Gate::new();
        app.llm.script([says("One").wait(&gate).says(" two.")]);
        let posts = (0..50).map(|_| {
            let tab = app.sam.clone();
            async move { tab.post_with_key("Count", "k1").await.stream() }
        });

        let streams = futures_util::future::join_all(posts).await;
        gate.open();

        let mut turns = Vec::new();
        let mut started = 0;
        for stream in streams {
            started += usize::from(!stream.headers.contains_key("idempotency-replayed"));
            let turn = stream.rest().await;
            assert_eq!(turn.text(), "One two.");
            turns.push(turn.id());
        }
        turns.dedup();
        assert_eq!(
            (
                turns.len(),
                started,
                app.llm.request_count(),
                app.sam.history().await.len()
            ),
            (1, 1, 1, 2)
        );
    }
}
