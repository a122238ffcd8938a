//! Two servers on one database are one advisor; what a dead one left is taken over, and a zombie writes nothing.

use crate::support::{Gate, TestApp, eventually, on_server, says, sets, soon};
use insta::assert_snapshot;
use reqwest::Method;
use serde_json::{Value, json};
use std::time::{Duration, Instant};
use uuid::Uuid;

const RENT: &str = "operatingCosts.rentMonthly";

/// Waits until both know of each other.
pub async fn acquainted(app: &TestApp, sibling: &crate::support::Instance) {
    let knows = |state: &plan_advisor::app::AppState| {
        state
            .conversations
            .engine()
            .has_siblings
            .load(std::sync::atomic::Ordering::Relaxed)
    };
    eventually("the instances see each other", async || {
        knows(&app.main.state) && knows(&sibling.state)
    })
    .await;
}

#[tokio::test]
async fn a_turn_is_followed_from_another_instance_without_a_lost_or_doubled_character() {
    let app = TestApp::spawn().await;
    let sibling = app.sibling().await;
    acquainted(&app, &sibling).await;
    let gate = Gate::new();
    app.llm
        .script([says("Ré 🐩 one, ").wait(&gate).says("two, ").wait(&gate).says("three.")]);
    let mut here = app.sam.open("Count").await;
    here.until("one").await;

    let mut there = app.sam.at(&sibling).attach(None).await.stream();
    there.until("one").await;
    gate.open();
    there.until("two").await;
    let middle = there.events.last().unwrap().id.clone();
    let late = app.sam.at(&sibling).attach(Some(&middle)).await.stream();
    gate.open();

    let whole = here.rest().await;
    let seen = there.rest().await;
    assert_eq!(
        (seen.text(), &seen.last().json, seen.id()),
        (whole.text(), whole.done(), whole.id())
    );
    assert_eq!(late.rest().await.text(), "three.");
}

#[tokio::test]
async fn readers_of_a_turn_of_another_instance_share_one_poll() {
    let app = TestApp::spawn().await;
    let sibling = app.sibling().await;
    acquainted(&app, &sibling).await;
    let gate = Gate::new();
    app.llm.script([says("One ").wait(&gate).says("two.")]);
    let mut here = app.sam.open("Count").await;
    here.until("One").await;
    let there = app.sam.at(&sibling);
    let mut readers = Vec::new();
    for _ in 0..20 {
        let mut reader = there.attach(None).await.stream();
        reader.until("One").await;
        readers.push(reader);
    }
    let remote = &sibling.state.conversations.engine().remote;
    assert_eq!(remote.count(), 1);
    gate.open();
    let whole = here.rest().await;
    for reader in readers {
        let read = reader.rest().await;
        assert_eq!((read.text(), read.done()), (whole.text(), whole.done()));
    }
    eventually("nothing is polled any more", async || remote.count() == 0).await;
}

#[tokio::test]
async fn a_plan_that_is_busy_here_is_busy_there() {
    let app = TestApp::spawn().await;
    let sibling = app.sibling().await;
    let there = app.sam.at(&sibling);
    let gate = Gate::new();
    app.llm.script([says("One").wait(&gate).says(" two.")]);
    let mut here = app.sam.post_with_key("Count", "k1").await.stream();
    here.until("One").await;

    let busy = there.post_message("And now?", &[]).await.reply();
    assert_snapshot!(busy.refusal(), @r#"
    409 TURN_IN_PROGRESS: The advisor is still answering the message before this one.
    {"turnId":"[id]"}
    "#);
    assert_eq!(busy.json()["error"]["details"][0]["turnId"], here.turn().to_string());
    let same_key = there.post_with_key("Count", "k1").await.stream();
    assert_eq!(same_key.headers["idempotency-replayed"], "true");
    gate.open();

    assert_eq!(here.rest().await.text(), "One two.");
    assert_eq!(same_key.rest().await.text(), "One two.");
    assert_eq!(
        there.post_with_key("Count", "k1").await.stream().rest().await.text(),
        "One two.",
        "and replayed there"
    );
    assert_eq!(app.llm.request_count(), 1);
}

#[tokio::test]
async fn an_instance_short_of_memory_starts_no_turn_and_serves_everything_else() {
    let app = TestApp::spawn().await;
    // Any process has more.
    let short = app.sibling_with(|config| config.limits.memory_limit_mib = 1).await;
    let there = app.sam.at(&short);
    let gate = Gate::new();
    app.llm.script([says("One").wait(&gate).says(" two."), says("Three.")]);
    let mut here = app.sam.post_with_key("Count", "k1").await.stream();
    here.until("One").await;

    let known = there.post_with_key("Count", "k1").await.stream();
    gate.open();
    assert_eq!(here.rest().await.text(), "One two.");
    assert_eq!(known.rest().await.text(), "One two.", "a turn that runs is followed");
    let refused = there.post_message("And now?", &[]).await.reply();
    assert_snapshot!(refused.refusal(), @"503 UNAVAILABLE: The advisor is very busy. Your plan can still be edited. Try again in a moment.");
    assert_eq!(refused.header("retry-after"), Some("2"));
    assert_eq!(
        refused.header("connection"),
        Some("close"),
        "the next attempt may find another instance"
    );
    assert_eq!(
        there
            .patch(&app.sam.path("/financial-inputs"), &json!({ RENT: 420_000 }))
            .await
            .status,
        200
    );
    assert_eq!(there.history().await.len(), 2, "the refused message is in no history");
    assert_eq!(app.sam.send("And now?").await.text(), "Three.");
}

#[tokio::test]
async fn of_many_posts_over_both_one_is_answered() {
    let app = TestApp::spawn().await;
    let sibling = app.sibling().await;
    let gate = Gate::new();
    app.llm.script([says("One").wait(&gate).says(" two.")]);
    let tabs = (0..30).map(|nth| {
        let tab = if nth % 2 == 0 {
            app.sam.clone()
        } else {
            app.sam.at(&sibling)
        };
        async move { tab.post_message(&format!("I am tab {nth}"), &[]).await }
    });
    let answers = futures_util::future::join_all(tabs).await;
    gate.open();
    let mut codes: Vec<u16> = Vec::new();
    for answer in answers {
        match answer {
            crate::support::client::Streamed::Stream(stream) => codes.push(stream.rest().await.status),
            crate::support::client::Streamed::Reply(reply) => codes.push(reply.failure().0),
        }
    }
    codes.sort_unstable();
    assert_eq!(
        (codes[0], codes[1..].iter().all(|code| *code == 409)),
        (200, true),
        "{codes:?}"
    );
    assert_eq!((app.llm.request_count(), app.sam.history().await.len()), (1, 2));
}

#[tokio::test]
async fn a_stop_reaches_the_turn_of_another_instance() {
    let app = TestApp::spawn().await;
    let sibling = app.sibling().await;
    acquainted(&app, &sibling).await;
    app.llm.script([says("I was").hang()]);
    let mut here = app.sam.open("Hello").await;
    here.until("I was").await;

    let asked = Instant::now();
    app.sam.at(&sibling).cancel().await;
    app.llm.client_gone().await;

    assert!(asked.elapsed() < Duration::from_secs(2), "{:?}", asked.elapsed());
    assert_eq!(here.rest().await.error(), ("STOPPED", false));
    assert_eq!(app.sam.at(&sibling).history().await[1]["stopped"], true);
}

#[tokio::test]
async fn a_zombie_writes_nothing() {
    let app = TestApp::spawn().await;
    let sibling = app.sibling().await;
    let gate = Gate::new();
    app.llm.script([
        sets(RENT, 4200, "high"),
        says("I've noted").wait(&gate).says(" it."),
        says("Here I am."),
    ]);
    let mut zombie = app.sam.open("My rent is $4,200").await;
    zombie.until("noted").await;
    // Its lease runs out unseen, and the other instance is asked.
    app.database
        .run("UPDATE prompts SET lease_until = now() - interval '1 minute' WHERE state = 'running'")
        .await;
    let turn = app.sam.at(&sibling).send("Are you there?").await;
    assert_eq!(turn.text(), "Here I am.");

    gate.open();

    let ended = zombie.rest().await;
    assert_eq!(ended.error(), ("SERVER_RESTARTING", true));
    assert_eq!(
        app.sam
            .said()
            .await
            .iter()
            .map(|(_, text)| text.as_str())
            .collect::<Vec<_>>(),
        ["Are you there?", "Here I am."]
    );
    assert_eq!(app.sam.held(RENT).await, (450_000.into(), "brand_default".into()));
    assert_eq!(app.sam.conversation().await["meta"]["totalTokensUsed"], 120);
    let states: Vec<Value> = app
        .sam
        .prompts()
        .await
        .iter()
        .map(|prompt| prompt["state"].clone())
        .collect();
    assert_eq!(json!(states), json!(["completed", "interrupted"]));
}

#[tokio::test]
async fn an_interrupted_attempt_does_not_end_as_the_one_before_it() {
    let app = TestApp::spawn().await;
    let sibling = app.sibling().await;
    let gate = Gate::new();
    app.llm.script([says("I've no").cut()]);
    let failed = app.sam.post_with_key("Count", "k1").await.stream().rest().await;
    assert_eq!(failed.error(), ("LLM_UNAVAILABLE", true));
    app.llm
        .script([says("One").wait(&gate).says(" two."), says("Here I am.")]);
    let mut again = app.sam.post_with_key("Count", "k1").await.stream();
    again.until("One").await;
    app.database
        .run("UPDATE prompts SET lease_until = now() - interval '1 minute' WHERE state = 'running'")
        .await;
    let there = app.sam.at(&sibling);
    assert_eq!(there.send("Are you there?").await.text(), "Here I am.");

    let cursor = format!("{}:2.0", failed.id());
    let late = there.attach(Some(&cursor)).await.stream().rest().await;
    assert_eq!(late.error(), ("SERVER_RESTARTING", true));
    gate.open();
    again.rest().await;
}

#[tokio::test]
async fn a_turn_whose_fence_was_moved_commits_nothing() {
    let app = TestApp::spawn().await;
    let gate = Gate::new();
    app.llm
        .script([sets(RENT, 4200, "high"), says("I've noted").wait(&gate).says(" it.")]);
    let mut stream = app.sam.open("My rent is $4,200").await;
    stream.until("noted").await;
    app.database.run("UPDATE prompts SET fence = fence + 1").await;
    gate.open();
    assert_eq!(stream.rest().await.error(), ("SERVER_RESTARTING", true));
    assert_eq!(app.sam.conversation().await["data"], json!([]));
    assert_eq!(app.sam.held(RENT).await.1, "brand_default");
    for table in ["extractions", "plan_changes WHERE turn_id IS NOT NULL"] {
        assert_eq!(
            app.database.count(&format!("SELECT count(*) FROM {table}")).await,
            0,
            "{table}"
        );
    }
}

/// A turn that a process left behind when it died this long ago.
async fn orphan(app: &TestApp, key: &str, ago: &str) -> Uuid {
    let id = Uuid::now_v7();
    let (plan, user) = (app.sam.plan, app.sam.id);
    app.database
        .run(&format!(
            "INSERT INTO prompts (id, plan_id, user_id, actor_id, model, state, input, idempotency_key, fingerprint, owner, lease_until) \
             VALUES ('{id}', '{plan}', '{user}', '{user}', 'mock-model', 'running', 'My rent is $4,200', '{key}', sha256('My rent is $4,200'), \
             gen_random_uuid(), now() - interval '{ago}')"
        ))
        .await;
    id
}

#[tokio::test]
async fn an_orphan_is_found_listed_and_retried_with_one_call() {
    let app = TestApp::spawn().await;
    app.llm.script([sets(RENT, 4200, "high"), says("Noted.")]);
    let id = orphan(&app, "k1", "1 second").await;

    let state = app.main.state.clone();
    let _ = on_server(async move { state.conversations.recover(false).await.expect("a database") }).await;
    let prompt = app.sam.settled_prompt().await;
    assert_eq!(
        (&prompt["state"], &prompt["input"], &prompt["errorCode"]),
        (
            &json!("interrupted"),
            &json!("My rent is $4,200"),
            &json!("SERVER_RESTARTING")
        )
    );
    assert_eq!(app.sam.conversation().await["data"], json!([]));
    let seen = app.sam.attach(Some(&format!("{id}:1.0"))).await.stream().rest().await;
    assert_eq!(seen.error(), ("SERVER_RESTARTING", true));

    let turn = app
        .sam
        .post_with_key("My rent is $4,200", "k1")
        .await
        .stream()
        .rest()
        .await;

    assert_eq!((turn.id(), turn.last().attempt), (id, 2));
    assert_eq!(app.sam.held(RENT).await.0, 420_000);
    assert_eq!(app.sam.prompts().await.len(), 1);
}

#[tokio::test]
async fn nobody_has_to_wait_for_the_reaper_to_take_over_an_orphan() {
    let app = TestApp::spawn().await;
    app.llm.script([says("Noted."), says("Hello.")]);
    let id = orphan(&app, "k1", "1 millisecond").await;
    let turn = app
        .sam
        .post_with_key("My rent is $4,200", "k1")
        .await
        .stream()
        .rest()
        .await;
    assert_eq!((turn.id(), turn.last().attempt), (id, 2));

    orphan(&app, "k2", "1 millisecond").await;
    assert_eq!(
        app.sam.send("Hello").await.text(),
        "Hello.",
        "another message takes the plan over, too"
    );
}

#[tokio::test]
async fn a_turn_that_may_still_be_alive_is_left_alone() {
    let app = TestApp::spawn().await;
    orphan(&app, "k1", "-20 seconds").await;
    let state = app.main.state.clone();
    assert_eq!(
        on_server(async move { state.conversations.recover(false).await.expect("a database") }).await,
        0
    );
    assert_snapshot!(app.sam.post_message("Hello", &[]).await.reply().refusal(), @r#"
    409 TURN_IN_PROGRESS: The advisor is still answering the message before this one.
    {"turnId":"[id]"}
    "#);
    // Who knows to be alone need not wait.
    let state = app.main.state.clone();
    assert_eq!(
        on_server(async move { state.conversations.recover(true).await.expect("a database") }).await,
        1
    );
    assert_eq!(app.sam.prompts().await[0]["state"], "interrupted");
}

#[tokio::test]
async fn ten_thousand_orphans_are_taken_over_in_one_go() {
    let app = TestApp::spawn().await;
    app.database
        .run(
            "INSERT INTO plans (id, user_id, brand_version_id, name) SELECT gen_random_uuid(), user_id, brand_version_id, 'x' FROM plans, generate_series(1, 10000) WHERE name LIKE 'Sam%'; \
             INSERT INTO prompts (id, plan_id, user_id, actor_id, model, state, input, owner, lease_until) \
             SELECT gen_random_uuid(), id, user_id, user_id, 'm', 'running', 'Hello', gen_random_uuid(), now() - interval '1 minute' FROM plans WHERE name = 'x'",
        )
        .await;
    let state = app.main.state.clone();
    on_server(async move { state.conversations.recover(false).await.expect("a database") }).await;
    assert_eq!(
        app.database
            .count("SELECT count(*) FROM prompts WHERE state = 'running'")
            .await,
        0
    );
}

#[tokio::test]
async fn a_drain_that_takes_too_long_interrupts_what_still_runs() {
    let app = TestApp::spawn().await;
    let sibling = app.sibling().await;
    app.llm.script([says("I was").hang(), says("Here I am.")]);
    let mut stream = app.sam.post_with_key("Hello", "k1").await.stream();
    stream.until("I was").await;

    let state = app.main.state.clone();
    let drained = on_server(async move { state.conversations.drain(Duration::from_millis(50)).await });
    let (turn, ()) = tokio::join!(stream.rest(), drained);

    assert_eq!(turn.error(), ("SERVER_RESTARTING", true));
    assert_eq!(app.sam.prompts().await[0]["state"], "interrupted");
    assert_eq!(app.sam.conversation().await["data"], json!([]));
    let refused = app.sam.post_message("Hello?", &[]).await.reply();
    assert_snapshot!(refused.refusal(), @"503 UNAVAILABLE: The server is restarting. Try again in a moment.");
    assert!(refused.header("retry-after").is_some());
    assert_eq!(refused.header("connection"), Some("close"));
    let again = app
        .sam
        .at(&sibling)
        .post_with_key("Hello", "k1")
        .await
        .stream()
        .rest()
        .await;
    assert_eq!(
        (again.id(), again.last().attempt, again.text().as_str()),
        (turn.id(), 2, "Here I am.")
    );
}

#[tokio::test]
async fn a_row_in_our_name_that_nobody_runs_is_not_kept_alive() {
    let app = TestApp::spawn().await;
    let owner = app.main.state.conversations.engine().instance;
    // What a claim leaves behind whose answer was lost with its connection.
    app.database
        .run(&format!(
            "INSERT INTO prompts (id, plan_id, user_id, actor_id, model, state, input, owner, lease_until) \
             SELECT gen_random_uuid(), id, user_id, user_id, 'm', 'running', 'Hello', '{owner}', now() FROM plans WHERE name LIKE 'Sam%'"
        ))
        .await;
    let gate = Gate::new();
    app.llm.script([says("Hello").wait(&gate)]);
    let riley = app.riley.clone();
    let mut stream = riley.post_with_key("Hello", "k1").await.stream();
    stream.until("Hello").await;
    let running = stream.turn();
    let state = app.main.state.clone();
    let renewed = on_server(async move {
        let conn = state.db.conn().await.expect("a database");
        plan_advisor::store::turns::prompts::Prompt::renew_leases(&conn, owner, &[running]).await
    })
    .await
    .expect("renewed");
    gate.open();
    assert_eq!(renewed.iter().map(|held| held.id).collect::<Vec<_>>(), [running]);
    stream.rest().await;
}

#[tokio::test]
async fn who_listens_across_is_sent_away_at_once_when_an_instance_ends() {
    let app = TestApp::spawn().await;
    let sibling = app.sibling().await;
    let gate = Gate::new();
    app.llm.script([says("On the first.").wait_before_head(&gate)]);
    let first = app.sam.open("Hello").await;
    gate.reached(1).await;
    app.llm.script([says("On the").wait(&gate).says(" second.")]);
    let mut own = app.riley.at(&sibling).open("Hello").await;
    own.until("On the").await;
    let path = app.sam.path("/conversation/stream");
    let mut across = app
        .sam
        .at(&sibling)
        .request(Method::GET, &path)
        .send()
        .await
        .expect("a stream");
    assert_eq!(
        across.chunk().await.expect("the head").as_deref(),
        Some(b": ok\n\n".as_slice())
    );

    sibling.begin_to_end();

    let broken = soon("it breaks", async {
        loop {
            match across.chunk().await {
                Ok(Some(_)) => {}
                ended => break ended.is_err(),
            }
        }
    });
    assert!(broken.await, "the stream ended as if the turn were over");
    gate.open();
    gate.open();
    assert_eq!(own.rest().await.text(), "On the second.");
    assert_eq!(first.rest().await.text(), "On the first.");
}
