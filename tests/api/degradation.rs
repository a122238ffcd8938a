//! A model that fails costs one turn: one error event, a history as it was, and a retry that works.

use crate::support::app::Builder;
use crate::support::client::Streamed;
use crate::support::mock_llm::Answer;
use crate::support::{Gate, TestApp, answer, eventually, refuses, says, sets};
use insta::assert_snapshot;
use llm_client::{Llm, LlmError, LlmEvent, LlmRequest, LlmStream};
use plan_model::clock::Clock;
use serde_json::{Value, json};
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use time::OffsetDateTime;

const SENTENCE: &str =
    "AI advisor is temporarily unavailable. Continue using My Plan forms or Reports to build your plan.";

/// Sends a message that must fail, checks everything a failure leaves behind, and gives the text that had come.
async fn fails(app: &TestApp, retryable: bool) -> String {
    let (history, plan) = (app.sam.conversation().await, app.sam.get_plan().await);

    let turn = app.sam.send("My rent is $4,200/month").await;

    let event = &turn.last().json;
    assert_eq!(
        *event,
        json!({"type": "error", "message": SENTENCE, "code": "LLM_UNAVAILABLE", "retryable": retryable})
    );
    assert_eq!(app.sam.conversation().await, history, "the history is as it was");
    assert_eq!(app.sam.get_plan().await, plan, "the plan is as it was");
    let prompt = app.sam.prompts().await.swap_remove(0);
    assert_eq!(prompt["id"], turn.id().to_string());
    assert_eq!(prompt["state"], "failed");
    assert_eq!(prompt["errorCode"], "LLM_UNAVAILABLE");
    assert_eq!(prompt["input"], "My rent is $4,200/month", "what was typed is not lost");
    assert!(prompt["completedAt"].is_string());
    turn.text()
}

/// The provider fails with this, and the next message is answered.
async fn fails_once(builder: Builder, failures: Vec<Answer>) -> String {
    let app = builder.spawn().await;
    app.llm.script([says("Hello Sam.")]);
    app.sam.send("Hello").await;
    app.llm.script(failures);

    let text = fails(&app, true).await;

    app.llm
        .script([sets("operatingCosts.rentMonthly", 4200, "high"), says("Noted.")]);
    let turn = app.sam.send("My rent is $4,200/month").await;
    assert_eq!(turn.value()["status"], "applied");
    assert_eq!(app.sam.history().await.len(), 4);
    text
}

#[tokio::test]
async fn without_a_key_every_turn_says_so_and_everything_else_works() {
    let app = TestApp::builder().no_model().spawn().await;
    fails(&app, false).await;
    app.sam.set("operatingCosts.rentMonthly", 420_000).await;
    assert_eq!(app.sam.get("/api/status").await.data()["model"], "unconfigured");
}

#[tokio::test]
async fn a_provider_that_nobody_listens_at() {
    let app = TestApp::builder().unreachable_model().spawn().await;
    fails(&app, true).await;
    assert_eq!(app.sam.get("/api/status").await.data()["model"], "down");
}

#[tokio::test]
async fn a_key_that_is_refused() {
    fails_once(TestApp::builder(), vec![refuses(401)]).await;
}

#[tokio::test]
async fn a_provider_that_limits_us() {
    fails_once(TestApp::builder(), vec![refuses(429), refuses(429), refuses(429)]).await;
}

#[tokio::test]
async fn a_provider_that_breaks() {
    fails_once(TestApp::builder(), vec![refuses(500), refuses(503), refuses(500)]).await;
}

#[tokio::test]
async fn a_provider_that_recovers_within_the_turn_is_not_even_noticed() {
    let app = TestApp::spawn().await;
    app.llm.script([refuses(503), says("Here I am.")]);
    assert_eq!(app.sam.send("Hello").await.text(), "Here I am.");
}

#[tokio::test]
async fn no_first_token_in_time() {
    let builder = TestApp::builder().patience_with_the_model(Duration::from_millis(400));
    assert_eq!(fails_once(builder, vec![answer().hang_before_head()]).await, "");
    let builder = TestApp::builder().patience_with_the_model(Duration::from_millis(400));
    assert_eq!(
        fails_once(builder, vec![answer().raw(": thinking\n\n").hang()]).await,
        ""
    );
}

#[tokio::test]
async fn a_model_that_falls_silent_in_mid_answer() {
    let builder = TestApp::builder().patience_with_the_model(Duration::from_millis(400));
    assert_eq!(fails_once(builder, vec![says("I've no").hang()]).await, "I've no");
}

#[tokio::test]
async fn an_answer_that_is_cut_off() {
    assert_eq!(
        fails_once(TestApp::builder(), vec![says("I've no").cut()]).await,
        "I've no"
    );
}

#[tokio::test]
async fn an_answer_that_ends_in_good_order_but_not_whole() {
    assert_eq!(
        fails_once(TestApp::builder(), vec![says("I've no").ends_early()]).await,
        "I've no"
    );
}

#[tokio::test]
async fn an_answer_that_is_cut_within_a_tool_call_applies_nothing() {
    let cut = sets("operatingCosts.rentMonthly", 4200, "high").ends_early();
    assert_eq!(fails_once(TestApp::builder(), vec![cut]).await, "");
    // Values of an earlier round go with the turn, too.
    let rounds = vec![sets("operatingCosts.rentMonthly", 4200, "high"), says("I've no").cut()];
    assert_eq!(fails_once(TestApp::builder(), rounds).await, "I've no");
}

#[tokio::test]
async fn junk_instead_of_an_answer() {
    fails_once(
        TestApp::builder(),
        vec![answer().raw("data: {not json\n\n").ends_early()],
    )
    .await;
    fails_once(
        TestApp::builder(),
        vec![
            says("I've no")
                .raw("data: {\"error\": {\"message\": \"overloaded\"}}\n\n")
                .ends_early(),
        ],
    )
    .await;
}

#[tokio::test]
async fn a_frame_that_means_nothing_is_left_out() {
    let app = TestApp::spawn().await;
    app.llm.script([says("One,")
        .raw("data: {\"object\":\"something.else\",\"x\":[]}\n\n: ping\n\nevent: ping\ndata: {}\n\n")
        .says(" two.")]);
    assert_eq!(app.sam.send("Count").await.text(), "One, two.");
}

#[tokio::test]
async fn the_providers_own_words_never_reach_anybody() {
    let app = TestApp::spawn().await;
    app.llm.script([refuses(400)]);
    let turn = app.sam.send("Hello").await;
    assert!(!String::from_utf8_lossy(&turn.parser.raw).contains("own words"));
    assert!(
        !app.database
            .value("SELECT row_to_json(p)::text FROM prompts p")
            .await
            .unwrap()
            .contains("own words")
    );
}

#[tokio::test]
async fn usage_of_a_failed_turn_stays_on_its_prompt_and_off_the_conversation() {
    let app = TestApp::spawn().await;
    app.llm.script([
        sets("operatingCosts.rentMonthly", 4200, "high").usage(500, 40),
        says("I've no").cut(),
    ]);

    app.sam.send("My rent is $4,200").await;

    assert!(app.sam.prompts().await[0]["usage"]["totalTokens"].as_i64().unwrap() >= 540);
    assert_eq!(app.sam.conversation().await["meta"]["totalTokensUsed"], 0);
}

/// A model of the test's own that panics at some point of its first calls.
struct Panics {
    at: &'static str,
    calls: AtomicUsize,
}

#[async_trait::async_trait]
impl Llm for Panics {
    fn model_name(&self) -> Arc<str> {
        "panics".into()
    }

    async fn stream(&self, _: LlmRequest) -> Result<LlmStream, LlmError> {
        let first = self.calls.fetch_add(1, Ordering::Relaxed) == 0;
        assert!(!(first && self.at == "before the answer"), "on purpose");
        let at = self.at;
        Ok(Box::pin(async_stream::stream! {
            yield Ok(LlmEvent::Text("I've no".into()));
            assert!(!(first && at == "within the answer"), "on purpose");
            yield Ok(LlmEvent::Text("ted it.".into()));
            yield Ok(LlmEvent::Completed(llm_client::Completion::default()));
        }))
    }

    async fn is_reachable(&self) -> bool {
        true
    }
}

#[tokio::test]
async fn a_panic_in_a_turn_ends_that_turn_with_one_error_and_nothing_else() {
    for at in ["before the answer", "within the answer"] {
        let app = TestApp::builder()
            .model(Arc::new(Panics {
                at,
                calls: AtomicUsize::new(0),
            }))
            .spawn()
            .await;

        let turn = app.sam.send("Hello").await;

        assert_eq!(turn.error(), ("INTERNAL_ERROR", true), "{at}");
        assert_eq!(app.sam.conversation().await["data"], json!([]), "{at}");
        let prompt = app.sam.prompts().await.swap_remove(0);
        assert_eq!(
            (&prompt["state"], &prompt["errorCode"]),
            (&Value::from("failed"), &Value::from("INTERNAL_ERROR")),
            "{at}"
        );
        assert_eq!(app.sam.send("Hello").await.text(), "I've noted it.", "{at}");
    }
}

#[tokio::test]
async fn after_five_failures_in_a_row_turns_fail_at_once_without_asking() {
    let app = TestApp::spawn().await;
    app.llm.always(refuses(401));
    for _ in 0..5 {
        fails(&app, true).await;
    }
    let asked = app.llm.request_count();
    assert_eq!(asked, 5, "one person's failures may be about that person's words");
    assert_eq!(app.riley.send("Hello").await.error(), ("LLM_UNAVAILABLE", true));
    let asked = asked + 1;
    fails(&app, true).await;
    assert_eq!(app.llm.request_count(), asked, "no request was sent");
}

#[tokio::test]
async fn a_database_that_is_away_costs_a_503_and_comes_back_without_help() {
    let app = TestApp::spawn().await;
    app.llm.script([says("Hello.")]);
    app.database.close().await;
    let path = app.sam.path("/conversation");

    let asked = Instant::now();
    let refused = app.sam.post(&path, &json!({"message": "Hello"})).await;

    assert_snapshot!(refused.refusal(), @"503 UNAVAILABLE: The service is not available right now. Try again in a moment.");
    assert!(asked.elapsed() < Duration::from_secs(4), "{:?}", asked.elapsed());
    assert!(refused.header("retry-after").is_some(), "{:?}", refused.headers);
    assert_eq!(app.sam.get("/healthz").await.status, 200);
    eventually("the server is not ready", async || {
        app.sam.get("/readyz").await.status == 503
    })
    .await;

    app.database.reopen().await;
    eventually("the server is ready", async || {
        app.sam.get("/readyz").await.status == 200
    })
    .await;
    assert_eq!(app.sam.send("Hello").await.text(), "Hello.");
    assert_eq!(app.sam.history().await.len(), 2);
}

#[tokio::test]
async fn a_finished_answer_waits_for_a_database_that_is_away_and_is_stored_once() {
    let app = TestApp::spawn().await;
    let gate = Gate::new();
    app.llm.script([
        sets("operatingCosts.rentMonthly", 4200, "high"),
        says("I've noted").wait(&gate).says(" it."),
    ]);
    let mut stream = app.sam.open("My rent is $4,200").await;
    stream.until("noted").await;

    app.database.close().await;
    gate.open();
    stream.until("noted it.").await;
    app.database.reopen().await;

    let turn = stream.rest().await;
    assert_eq!(turn.value()["status"], "applied");
    eventually("the pool is back", async || app.sam.get("/readyz").await.status == 200).await;
    assert_eq!(app.sam.history().await.len(), 2);
    assert_eq!(app.sam.changes().await.len(), 1);
}

#[tokio::test]
async fn counts_that_no_provider_can_mean_never_break_a_turn() {
    let app = TestApp::spawn().await;
    let odd = [
        json!({"prompt_tokens": -5, "completion_tokens": -7, "total_tokens": -12}),
        json!({"prompt_tokens": 1_000_000_000_000_000_000_i64, "completion_tokens": 1, "total_tokens": 1_000_000_000_000_000_001_i64}),
        json!({"prompt_tokens": "many", "completion_tokens": null, "total_tokens": [1]}),
        json!({"prompt_tokens": 1e300, "completion_tokens": 2.5}),
        json!({}),
        json!("none"),
    ];
    for usage in odd {
        app.llm.script([says("Hello.").odd_usage(usage.clone())]);
        let turn = app.sam.send("Hello").await;
        let counted = &turn.done()["usage"];
        assert!(
            ["promptTokens", "completionTokens", "totalTokens"]
                .iter()
                .all(|name| counted[*name].as_i64().is_some_and(|n| n >= 0)),
            "{usage}: {counted}"
        );
    }
    let sum = app.database.count("SELECT sum(total_tokens) FROM prompts").await;
    assert_eq!(
        app.sam.conversation().await["meta"]["totalTokensUsed"],
        sum,
        "the total is the sum of its turns"
    );
}

#[tokio::test]
async fn a_plan_that_changes_hands_meanwhile_is_not_written_by_the_old_ones_turn() {
    let app = TestApp::spawn().await;
    let gate = Gate::new();
    app.llm.script([
        sets("operatingCosts.rentMonthly", 4200, "high"),
        says("I've noted").wait(&gate).says(" it."),
    ]);
    let mut stream = app.sam.open("My rent is $4,200").await;
    stream.until("noted").await;
    app.database
        .run(&format!(
            "UPDATE plans SET user_id = '{}' WHERE id = '{}'",
            app.riley.id, app.sam.plan
        ))
        .await;
    gate.open();
    eventually("the turn ends", async || app.main.running() == 0).await;
    drop(stream);
    assert_eq!(
        app.database.value("SELECT state FROM prompts").await.as_deref(),
        Some("failed")
    );
    assert_eq!(app.database.count("SELECT count(*) FROM ai_conversations").await, 0);
    assert_eq!(
        app.riley
            .on_plan(app.sam.plan)
            .held("operatingCosts.rentMonthly")
            .await
            .1,
        "brand_default"
    );
}

#[tokio::test]
async fn the_built_in_advisor_does_the_main_job_without_any_provider() {
    let app = TestApp::builder().offline_model().spawn().await;

    let turn = app.sam.send("My rent is $4,200/month").await;

    assert_eq!(turn.value()["status"], "applied", "{turn}");
    assert_eq!(
        app.sam.held("operatingCosts.rentMonthly").await,
        (420_000.into(), "ai_populated".into())
    );
    assert_eq!(app.llm.request_count(), 0);
    let status = app.sam.get("/api/status").await.data();
    assert_eq!((&status["database"], &status["model"]), (&json!("ok"), &json!("ok")));
}

#[tokio::test]
async fn a_panic_in_any_stage_ends_that_request_only() {
    let left = Arc::new(AtomicI64::new(0));
    let app = TestApp::builder()
        .clock(Clock::Source(Arc::new({
            let left = Arc::clone(&left);
            move || {
                assert!(left.fetch_sub(1, Ordering::SeqCst) != 1, "the clock breaks");
                OffsetDateTime::now_utc()
            }
        })))
        .spawn()
        .await;
    app.llm.always(says("Noted."));
    let (mut refused, mut failed) = (0, 0);
    for nth in 1..20 {
        left.store(nth, Ordering::SeqCst);
        let listening = match app.sam.post_message("Hello", &[]).await {
            Streamed::Reply(reply) => {
                assert_eq!(reply.failure(), (500, "INTERNAL_ERROR".into()));
                refused += 1;
                None
            }
            Streamed::Stream(listening) => Some(listening),
        };
        if let Some(listening) = listening {
            let turn = listening.rest().await;
            if left.load(Ordering::SeqCst) > 0 {
                // The turn needed fewer looks at the clock: every stage has had its panic.
                assert!(
                    refused > 0 && failed > 1,
                    "{refused} requests and {failed} turns panicked"
                );
                assert_eq!(turn.text(), "Noted.");
                return;
            }
            assert_eq!(turn.error(), ("INTERNAL_ERROR", true));
            failed += 1;
        }
        left.store(0, Ordering::SeqCst);
        eventually("no turn runs", async || {
            app.sam
                .prompts()
                .await
                .iter()
                .all(|prompt| prompt["state"] != "running")
        })
        .await;
        assert!(
            app.sam.history().await.is_empty(),
            "stage {nth} left something in the history"
        );
    }
    panic!("the clock was asked too often");
}
