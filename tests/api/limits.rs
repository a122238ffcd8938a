//! What each limit answers, and what it never touches.

use crate::support::client::Streamed;
use crate::support::transcript::Listening;
use crate::support::{Answer, Client, Gate, TestApp, refuses, says};
use insta::assert_snapshot;
use reqwest::Method;
use serde_json::json;
use uuid::Uuid;

#[tokio::test]
async fn too_many_turns_a_minute_wait_and_replays_do_not() {
    let app = TestApp::builder()
        .config(|config| config.limits.rate_limit_turns_per_minute = 2)
        .spawn()
        .await;
    app.llm.always(says("Noted."));
    app.sam.post_with_key("One", "a").await.stream().rest().await;
    app.sam.send("Two").await;

    let refused = app.sam.post_message("Three", &[]).await.reply();
    assert_snapshot!(refused.refusal(), @"429 RATE_LIMITED: That was a lot of messages at once. Give the advisor a moment.");
    let wait: u64 = refused.header("retry-after").expect("a time").parse().unwrap();
    assert!((1..=30).contains(&wait), "{wait}");

    let replay = app.sam.post_with_key("One", "a").await.stream().rest().await;
    assert_eq!(replay.text(), "Noted.");
    assert_eq!(app.sam.get(&app.sam.path("/conversation")).await.status, 200);
    assert_eq!(app.sam.prompts().await.len(), 2);
}

#[tokio::test]
async fn a_person_may_have_so_many_turns_at_once() {
    let app = TestApp::builder()
        .config(|config| config.limits.rate_limit_running_turns_per_user = 1)
        .spawn()
        .await;
    let gate = Gate::new();
    app.llm.script([says("Slowly.").wait_before_head(&gate), says("Now.")]);
    let plan = json!({"name": "Second", "brandId": app.sam.get("/api/brands").await.data()[0]["id"]});
    let second = app.sam.post("/api/plans", &plan).await.data()["id"]
        .as_str()
        .unwrap()
        .parse()
        .unwrap();
    let first = app.sam.open("Hello").await;
    gate.reached(1).await;

    let elsewhere = app.sam.on_plan(second);
    assert_snapshot!(elsewhere.post_message("Hello", &[]).await.reply().refusal(), @"429 RATE_LIMITED: That was a lot of messages at once. Give the advisor a moment.");

    gate.open();
    assert_eq!(first.rest().await.text(), "Slowly.");
    assert_eq!(elsewhere.send("Hello").await.text(), "Now.");
}

#[tokio::test]
async fn a_person_may_listen_to_so_many_streams() {
    let app = TestApp::builder()
        .config(|config| config.limits.rate_limit_streams_per_user = 1)
        .spawn()
        .await;
    let gate = Gate::new();
    app.llm.always(says("Slowly.").wait_before_head(&gate));
    let first = app.sam.open("Hello").await;
    gate.reached(1).await;

    // The second stream is one too many, for something new and for what runs.
    let elsewhere = plans(&app.sam, 1).await.remove(0);
    assert_snapshot!(elsewhere.post_message("Hello", &[]).await.reply().refusal(), @"429 RATE_LIMITED: That was a lot of messages at once. Give the advisor a moment.");
    let again = app.sam.attach(None).await.reply();
    assert_snapshot!(again.refusal(), @"429 RATE_LIMITED: Too many streams are open. Close another tab first.");
    assert!(again.header("retry-after").is_some());

    gate.open();
    assert_eq!(first.rest().await.text(), "Slowly.");
}

/// The person's tabs on new plans of theirs.
async fn plans(person: &Client, count: usize) -> Vec<Client> {
    let brand = person.get("/api/brands").await.data()[0]["id"].take();
    let mut tabs = Vec::new();
    for nth in 0..count {
        let plan = json!({"name": format!("Plan {nth}"), "brandId": brand});
        let plan = person.post("/api/plans", &plan).await.data()["id"].take();
        tabs.push(person.on_plan(plan.as_str().unwrap().parse().unwrap()));
    }
    tabs
}

/// How many of the messages, all sent at once, were let in; all others were refused by a limit.
async fn let_in(tabs: &[Client]) -> (usize, Vec<Listening>) {
    let sent = tabs.iter().map(|tab| tab.post_message("Hello", &[]));
    let mut streams = Vec::new();
    for answer in futures_util::future::join_all(sent).await {
        match answer {
            Streamed::Stream(stream) => streams.push(*stream),
            Streamed::Reply(reply) => assert_eq!(reply.failure(), (429, "RATE_LIMITED".into())),
        }
    }
    (streams.len(), streams)
}

#[tokio::test]
async fn of_thirty_turns_at_once_over_two_instances_no_more_run_than_allowed() {
    let app = TestApp::builder()
        .config(|config| {
            config.limits.rate_limit_running_turns_per_user = 2;
            config.limits.rate_limit_turns_per_minute = 0;
        })
        .spawn()
        .await;
    let sibling = app.sibling().await;
    let gate = Gate::new();
    app.llm.always(says("Slowly.").wait_before_head(&gate));
    let here = plans(&app.sam, 30).await;
    let tabs: Vec<Client> = (here.iter().enumerate())
        .map(|(nth, tab)| if nth % 2 == 0 { tab.clone() } else { tab.at(&sibling) })
        .collect();
    let (count, streams) = let_in(&tabs).await;
    assert_eq!(count, 2);
    assert_eq!(
        app.database
            .count("SELECT count(*) FROM prompts WHERE state = 'running'")
            .await,
        2
    );
    for _ in 0..4 {
        gate.open();
    }
    for stream in streams {
        assert_eq!(stream.rest().await.text(), "Slowly.");
    }
    // A turn that has ended counts no longer, on either instance.
    assert_eq!(here[0].send("Hello").await.text(), "Slowly.");
    assert_eq!(here[1].at(&sibling).send("Hello").await.text(), "Slowly.");
}

#[tokio::test]
async fn a_failed_turn_that_is_sent_again_counts_as_running() {
    let app = TestApp::builder()
        .config(|config| config.limits.rate_limit_running_turns_per_user = 1)
        .spawn()
        .await;
    let gate = Gate::new();
    app.llm
        .script([says("I").cut(), says("Slowly.").wait_before_head(&gate), says("Now.")]);
    let failed = app.sam.post_with_key("Hello", "k").await.stream().rest().await;
    assert_eq!(failed.error().0, "LLM_UNAVAILABLE");
    let again = app.sam.post_with_key("Hello", "k").await.stream();
    gate.reached(1).await;
    let elsewhere = plans(&app.sam, 1).await.remove(0);
    assert_snapshot!(elsewhere.post_message("Hello", &[]).await.reply().refusal(), @"429 RATE_LIMITED: That was a lot of messages at once. Give the advisor a moment.");
    gate.open();
    assert_eq!(again.rest().await.text(), "Slowly.");
    assert_eq!(elsewhere.send("Hello").await.text(), "Now.");
}

#[tokio::test]
async fn turns_a_minute_are_counted_over_all_instances() {
    let app = TestApp::builder()
        .config(|config| config.limits.rate_limit_turns_per_minute = 3)
        .spawn()
        .await;
    let sibling = app.sibling().await;
    app.llm.always(says("Noted."));
    let there = app.sam.at(&sibling);
    for person in [&app.sam, &there, &app.sam] {
        assert_eq!(person.send("Hello").await.text(), "Noted.");
    }
    for person in [&app.sam, &there] {
        let refused = person.post_message("Hello", &[]).await.reply();
        assert_eq!(refused.failure(), (429, "RATE_LIMITED".into()));
        let wait: u64 = refused.header("retry-after").expect("a time").parse().unwrap();
        assert!((1..=20).contains(&wait), "{wait}");
    }
    assert_eq!(app.riley.at(&sibling).send("Hello").await.text(), "Noted.");
}

/// The exact number over all instances is not worth what it costs.
#[tokio::test]
async fn attached_streams_count_in_each_process() {
    let app = TestApp::builder()
        .config(|config| config.limits.rate_limit_streams_per_user = 2)
        .spawn()
        .await;
    let sibling = app.sibling().await;
    crate::instances::acquainted(&app, &sibling).await;
    let gate = Gate::new();
    app.llm.script([says("Slowly.").wait_before_head(&gate)]);
    let turn = app.sam.open("Hello").await;
    gate.reached(1).await;

    let mut attached = Vec::new();
    // The turn's own stream counts, too.
    for (person, most) in [(&app.sam, 1), (&app.sam.at(&sibling), 2)] {
        let mut count = 0;
        for _ in 0..10 {
            match person.attach(None).await {
                Streamed::Stream(stream) => {
                    attached.push(stream);
                    count += 1;
                }
                Streamed::Reply(reply) => assert_eq!(reply.failure(), (429, "RATE_LIMITED".into())),
            }
        }
        assert_eq!(count, most);
    }

    // Whoever goes away makes place.
    drop(attached);
    crate::support::eventually("the server has noticed that they are gone", async || {
        matches!(app.sam.attach(None).await, Streamed::Stream(_))
    })
    .await;
    gate.open();
    assert_eq!(turn.rest().await.text(), "Slowly.");
}

#[tokio::test]
async fn writes_a_minute_are_counted_over_all_instances_and_reading_is_free() {
    let app = TestApp::builder()
        .config(|config| config.limits.rate_limit_writes_per_minute = 4)
        .spawn()
        .await;
    let sibling = app.sibling().await;
    app.llm.always(says("Noted."));
    let rent = json!({"operatingCosts.rentMonthly": 420_000});
    let (path, there) = (app.sam.path("/financial-inputs"), app.sam.at(&sibling));
    for person in [&app.sam, &there, &app.sam, &there] {
        assert_eq!(person.patch(&path, &rent).await.status, 200);
    }
    for person in [&app.sam, &there] {
        let refused = person.patch(&path, &rent).await;
        assert_eq!(refused.failure(), (429, "RATE_LIMITED".into()));
        let wait: u64 = refused.header("retry-after").expect("a time").parse().unwrap();
        assert!((1..=15).contains(&wait), "{wait}");
        assert_eq!(person.get(&app.sam.path("")).await.status, 200);
        person.cancel().await;
    }
    assert_eq!(app.sam.send("Hello").await.text(), "Noted.");
    assert_eq!(
        app.riley
            .at(&sibling)
            .patch(&app.riley.path("/financial-inputs"), &rent)
            .await
            .status,
        200
    );
    assert_eq!(app.sam.post_nothing("/api/auth/logout").await.status, 204);
}

/// The contract's order: 404 and 403, 413, 415, 400, then 429.
#[tokio::test]
async fn what_is_wrong_with_a_write_is_said_before_the_limit() {
    let app = TestApp::builder()
        .config(|config| config.limits.rate_limit_writes_per_minute = 1)
        .spawn()
        .await;
    let path = app.sam.path("/financial-inputs");
    let rent = json!({"operatingCosts.rentMonthly": 420_000});
    let nowhere = format!("/api/plans/{}/financial-inputs", Uuid::nil());
    assert_eq!(app.sam.patch(&path, &rent).await.status, 200);
    assert_eq!(app.sam.patch(&path, &rent).await.status, 429);

    assert_eq!(app.sam.patch(&nowhere, &rent).await.status, 404);
    assert_eq!(
        app.sam.patch(&app.riley.path("/financial-inputs"), &rent).await.status,
        403
    );
    assert_eq!(app.sam.delete(&app.riley.path("")).await.status, 403);
    let body = |body: String, kind: &'static str| {
        app.sam
            .request(Method::PATCH, &path)
            .header("content-type", kind)
            .body(body)
    };
    assert_eq!(
        app.sam
            .fetch(body("x".repeat(100_000), "application/json"))
            .await
            .status,
        413
    );
    assert_eq!(app.sam.fetch(body("{}".into(), "text/plain")).await.status, 415);
    assert_eq!(app.sam.fetch(body("{".into(), "application/json")).await.status, 400);
    for wrong in [
        json!({"operatingCosts.rentMonthly": 1.5}),
        json!({"no.such": 1}),
        json!({"operatingCosts.rentMonthly": "much"}),
    ] {
        assert_eq!(app.sam.patch(&path, &wrong).await.status, 400, "{wrong}");
    }
    let scenario = app.sam.path("/scenarios");
    let one = json!({"name": "One", "overrides": {}});
    assert_eq!(app.sam.post(&scenario, &one).await.status, 429);
    for (path, wrong) in [
        (scenario, json!({"name": "", "overrides": {}})),
        ("/api/plans".into(), json!({"name": " ", "brandId": Uuid::nil()})),
        (app.sam.path("/changes/undo"), json!({})),
        (
            app.sam.path("/what-if"),
            json!({"overrides": {"operatingCosts.rentMonthly": -1}}),
        ),
        (
            app.sam.path("/goal-seek"),
            json!({"metric": "none", "path": "no.such", "target": 1}),
        ),
        (app.sam.path("/proposals/resolve"), json!({})),
        (
            "/api/me/tokens".into(),
            json!({"name": "", "scopes": [], "password": "?"}),
        ),
        (app.sam.path("/changes/7/undo"), json!({})),
    ] {
        assert_eq!(app.sam.post(&path, &wrong).await.status, 400, "{path}");
    }
    assert_eq!(
        app.sam.patch(&app.sam.path(""), &json!({"name": "\n"})).await.status,
        400
    );
    for nothing in ["/api/plans/7", "/api/me/tokens/7"] {
        assert_eq!(app.sam.delete(nothing).await.status, 400, "{nothing}");
    }
    assert_eq!(app.sam.patch(&path, &rent).await.status, 429);
}

#[tokio::test]
async fn a_body_that_nobody_reads_does_not_get_around_the_limit() {
    let app = TestApp::builder()
        .config(|config| config.limits.rate_limit_writes_per_minute = 2)
        .spawn()
        .await;
    let delete = || {
        app.sam
            .request(Method::DELETE, &app.sam.path("/conversation"))
            .json(&json!({"not": "read"}))
    };
    let mut statuses = Vec::new();
    for _ in 0..5 {
        statuses.push(app.sam.fetch(delete()).await.status);
    }
    assert_eq!(statuses, [204, 204, 429, 429, 429]);
}

#[tokio::test]
async fn a_day_has_so_many_tokens() {
    let app = TestApp::builder()
        .config(|config| config.limits.token_budget_per_user_per_day = 100)
        .spawn()
        .await;
    app.llm.always(says("Noted.").usage(90, 20));
    app.sam.post_with_key("One", "a").await.stream().rest().await;

    let refused = app.sam.post_message("Two", &[]).await.reply();
    assert_snapshot!(refused.refusal(), @"429 BUDGET_EXHAUSTED: Today's share of the advisor is used up. Your plan can still be edited.");
    let wait: u64 = refused.header("retry-after").expect("a time").parse().unwrap();
    assert!((1..=86_400).contains(&wait), "{wait}");

    let replay = app.sam.post_with_key("One", "a").await.stream().rest().await;
    assert_eq!(replay.text(), "Noted.");
    app.llm.always(says("Hello.").usage(9, 1));
    assert_eq!(app.riley.send("Hello").await.text(), "Hello.");
}

#[tokio::test]
async fn a_deleted_plan_gives_no_tokens_back() {
    let app = TestApp::builder()
        .config(|config| config.limits.token_budget_per_user_per_day = 100)
        .spawn()
        .await;
    app.llm.always(says("Noted.").usage(90, 20));
    let [used, other] = plans(&app.sam, 2).await.try_into().expect("two plans");
    used.send("One").await;
    assert_eq!(used.delete(&used.path("")).await.status, 204);
    let refused = other.post_message("Two", &[]).await.reply();
    assert_eq!(refused.failure(), (429, "BUDGET_EXHAUSTED".into()));
}

#[tokio::test]
async fn a_turn_counts_on_the_day_on_which_it_was_started() {
    let app = TestApp::spawn().await;
    let gate = Gate::new();
    app.llm.script([says("Noted.").usage(90, 20).wait_before_head(&gate)]);
    let turn = app.sam.open("Hello").await;
    gate.reached(1).await;
    app.database
        .run("UPDATE prompts SET created_at = created_at - interval '1 day'")
        .await;
    gate.open();
    turn.rest().await;
    let yesterday = "SELECT tokens FROM spent_tokens WHERE day = (now() AT TIME ZONE 'UTC')::date - 1";
    assert_eq!(app.database.count(yesterday).await, 110);
}

#[tokio::test]
async fn a_stream_breaks_when_the_right_to_listen_is_gone() {
    let app = TestApp::spawn().await;
    let gate = Gate::new();
    app.llm.script([says("This is never sent.").wait_before_head(&gate)]);
    let request = app
        .sam
        .request(Method::POST, &app.sam.path("/conversation"))
        .json(&json!({"message": "Hello"}));
    let mut stream = request.send().await.expect("a stream");
    gate.reached(1).await;
    assert_eq!(app.sam.post_nothing("/api/auth/logout-everywhere").await.status, 204);

    let mut heard = Vec::new();
    let broken = loop {
        match stream.chunk().await {
            Ok(Some(bytes)) => heard.extend_from_slice(&bytes),
            Ok(None) => break false,
            Err(_) => break true,
        }
    };
    assert!(broken, "the stream ended as if it were whole");
    assert!(!String::from_utf8_lossy(&heard).contains("data:"), "{heard:?}");

    // The turn goes on for its owner.
    gate.open();
    let admin = app.admin.on_plan(app.sam.plan);
    crate::support::eventually("the turn is stored", async || admin.history().await.len() == 2).await;
}

/// The tokens of the newest turn's last attempt, and those of the newest day.
async fn spent(app: &TestApp) -> (i64, i64) {
    let last = "SELECT total_tokens FROM prompts ORDER BY id DESC LIMIT 1";
    let day = "SELECT tokens FROM spent_tokens ORDER BY day DESC LIMIT 1";
    (app.database.count(last).await, app.database.count(day).await)
}

/// An answer that is counted and then cut.
fn cut_after(tokens: i64) -> Answer {
    let usage = json!({"prompt_tokens": tokens - 1, "completion_tokens": 1, "total_tokens": tokens});
    says("I've no")
        .raw(&format!("data: {}\n\n", json!({"choices": [], "usage": usage})))
        .cut()
}

#[tokio::test]
async fn a_turn_that_fails_again_and_again_uses_up_the_budget() {
    let app = TestApp::builder()
        .config(|config| config.limits.token_budget_per_user_per_day = 100)
        .spawn()
        .await;
    app.llm.script([cut_after(60), cut_after(60)]);
    app.sam.post_with_key("One", "a").await.stream().rest().await;
    assert_eq!(spent(&app).await, (60, 60));
    app.sam.post_with_key("One", "a").await.stream().rest().await;
    assert_eq!(spent(&app).await, (60, 120));

    let refused = app.sam.post_with_key("One", "a").await.reply();
    assert_snapshot!(refused.refusal(), @"429 BUDGET_EXHAUSTED: Today's share of the advisor is used up. Your plan can still be edited.");
    assert_eq!(app.llm.request_count(), 2);
}

#[tokio::test]
async fn an_answer_that_is_cut_before_it_was_counted_is_estimated() {
    let app = TestApp::spawn().await;
    app.llm.script([says(&"word ".repeat(200)).cut()]);
    app.sam.send("Hello").await;

    let prompt = app.sam.settled_prompt().await;
    assert_eq!(prompt["state"], "failed");
    assert_eq!(prompt["usage"]["estimated"], true);
    assert!(prompt["usage"]["completionTokens"].as_i64().unwrap() >= 200, "{prompt}");
    assert!(prompt["usage"]["promptTokens"].as_i64().unwrap() > 100, "{prompt}");
}

#[tokio::test]
async fn a_refused_request_costs_nothing() {
    let app = TestApp::spawn().await;
    app.llm.always(refuses(401));
    app.sam.send("Hello").await;
    assert_eq!(app.sam.settled_prompt().await["usage"]["totalTokens"], 0);
}

#[tokio::test]
async fn an_attempt_counts_on_the_day_it_was_started() {
    let app = TestApp::builder()
        .config(|config| config.limits.token_budget_per_user_per_day = 100)
        .spawn()
        .await;
    app.llm
        .script([cut_after(500), cut_after(60), says("Now.").usage(90, 20)]);
    app.sam.post_with_key("One", "a").await.stream().rest().await;
    app.database
        .run(
            "UPDATE prompts SET created_at = created_at - interval '2 days'; \
             UPDATE spent_tokens SET day = day - 2",
        )
        .await;
    // What was used two days ago does not count today.
    app.sam.post_with_key("One", "a").await.stream().rest().await;
    assert_eq!(spent(&app).await, (60, 60));
    let again = app.sam.post_with_key("One", "a").await.stream().rest().await;
    assert_eq!(again.text(), "Now.");
    assert_eq!(spent(&app).await, (110, 170));

    // What was used today of a turn of another day does.
    let refused = app.sam.post_message("Two", &[]).await.reply();
    assert_snapshot!(refused.refusal(), @"429 BUDGET_EXHAUSTED: Today's share of the advisor is used up. Your plan can still be edited.");
}

#[tokio::test]
async fn a_burst_within_the_promise_passes() {
    let app = TestApp::builder()
        .config(|config| config.limits.rate_limit_writes_per_minute = 600)
        .spawn()
        .await;
    let path = app.sam.path("/financial-inputs");
    let body = json!({"operatingCosts.rentMonthly": 420_000});
    let sent = (0..60).map(|_| app.sam.patch(&path, &body));
    let refused: Vec<u16> = futures_util::future::join_all(sent)
        .await
        .iter()
        .map(|reply| reply.status)
        .filter(|status| *status == 429)
        .collect();
    assert_eq!(refused, [] as [u16; 0]);
}

#[tokio::test]
async fn changes_of_values_are_limited_by_the_hour() {
    let app = TestApp::spawn().await;
    let path = app.sam.path("/financial-inputs");
    assert_eq!(
        app.sam
            .patch(&path, &json!({"operatingCosts.rentMonthly": 1}))
            .await
            .status,
        200
    );
    app.database
        .run("UPDATE rate_limits SET tokens = 2, refilled_at = now() + interval '1 hour' WHERE kind = 'changes'")
        .await;
    let three = json!({"operatingCosts.rentMonthly": 2, "operatingCosts.insuranceMonthly": 2, "operatingCosts.utilitiesMonthly": 2});
    let refused = app.sam.patch(&path, &three).await;
    assert_snapshot!(refused.refusal(), @"429 RATE_LIMITED: That was a lot of changes. Wait a moment.");
    assert!(refused.header("retry-after").is_some());
    assert_eq!(
        app.sam.held("operatingCosts.rentMonthly").await.0,
        json!(1),
        "all or nothing"
    );
    assert_eq!(
        app.riley
            .patch(&app.riley.path("/financial-inputs"), &three)
            .await
            .status,
        200
    );
    // What moves nothing costs nothing.
    assert_eq!(
        app.sam
            .patch(&path, &json!({"operatingCosts.rentMonthly": 1}))
            .await
            .status,
        200
    );
    assert_eq!(
        app.sam
            .patch(&path, &json!({"operatingCosts.rentMonthly": 3}))
            .await
            .status,
        200
    );
}

#[tokio::test]
async fn turns_of_deleted_plans_do_not_count_as_running() {
    let app = TestApp::builder()
        .config(|config| config.limits.rate_limit_running_turns_per_user = 2)
        .spawn()
        .await;
    app.llm.always(says("Noted."));
    for _ in 0..6 {
        let plan = plans(&app.sam, 1).await.remove(0);
        assert_eq!(plan.send("Hello").await.text(), "Noted.");
        assert_eq!(plan.delete(&plan.path("")).await.status, 204);
    }
    // Also where the turn was running when its plan went.
    for _ in 0..3 {
        let plan = plans(&app.sam, 1).await.remove(0);
        let (user, plan) = (app.sam.id, plan.plan);
        app.database
            .run(&format!(
                "INSERT INTO prompts (id, plan_id, user_id, model, state, input, owner, lease_until) \
                 VALUES (gen_random_uuid(), '{plan}', '{user}', 'm', 'running', 'Hello', gen_random_uuid(), now() + interval '1 minute'); \
                 DELETE FROM plans WHERE id = '{plan}'"
            ))
            .await;
    }
    assert_eq!(app.sam.send("Hello").await.text(), "Noted.");
}

#[tokio::test]
async fn the_days_tokens_stay_spent_when_the_plan_is_deleted() {
    let app = TestApp::builder()
        .config(|config| config.limits.token_budget_per_user_per_day = 100_000)
        .spawn()
        .await;
    app.llm.always(says("Noted.").usage(90_000, 10));
    let spent = async || {
        let plan = plans(&app.sam, 1).await.remove(0);
        let answer = plan.post_message("Hello", &[]).await;
        let status = match answer {
            Streamed::Stream(stream) => {
                stream.rest().await;
                200
            }
            Streamed::Reply(reply) => reply.failure().0,
        };
        assert_eq!(plan.delete(&plan.path("")).await.status, 204);
        status
    };
    assert_eq!([spent().await, spent().await, spent().await], [200, 200, 429]);
}

#[tokio::test]
async fn what_is_known_of_an_interrupted_turn_counts_as_spent() {
    let app = TestApp::spawn().await;
    let lost = format!(
        "INSERT INTO prompts (id, plan_id, user_id, model, state, input, owner, lease_until) \
         VALUES ('{0}', '{1}', '{2}', 'm', 'running', repeat('x', 400), gen_random_uuid(), now() + interval '1 minute'); \
         INSERT INTO turn_progress (turn_id, attempt, content) VALUES ('{0}', 1, repeat('y', 800)); \
         UPDATE prompts SET lease_until = now() - interval '1 minute' WHERE id = '{0}'",
        Uuid::now_v7(),
        app.sam.plan,
        app.sam.id
    );
    app.database.run(&lost).await;
    crate::support::eventually("the turn is interrupted", async || {
        app.database
            .count("SELECT count(*) FROM prompts WHERE state = 'interrupted'")
            .await
            == 1
    })
    .await;
    let spent = "SELECT tokens::text AS x FROM spent_tokens";
    assert_eq!(app.database.value(spent).await.as_deref(), Some("301"));
}

#[derive(diesel::QueryableByName)]
struct Line {
    #[diesel(sql_type = diesel::sql_types::Text, column_name = "QUERY PLAN")]
    line: String,
}

#[tokio::test]
async fn the_group_of_a_change_is_found_by_an_index() {
    let app = TestApp::spawn().await;
    app.database
        .run(&format!(
            "INSERT INTO plan_changes (id, plan_id, field, new_value, source, reason, group_id) \
             SELECT gen_random_uuid(), '{}', 'operatingCosts.rentMonthly', '{{}}', 'user_entry', 'entry', gen_random_uuid() \
             FROM generate_series(1, 20000); ANALYZE plan_changes",
            app.sam.plan
        ))
        .await;
    let plan = format!(
        "EXPLAIN SELECT * FROM plan_changes WHERE plan_id = '{}' AND coalesce(group_id, CASE WHEN reason IN ('turn', 'reset') \
         THEN turn_id END, plan_changes.id) = '0199c0de-0000-7000-8000-000000000021' ORDER BY seq",
        app.sam.plan
    );
    let mut conn = app.database.open().await;
    let lines: Vec<Line> = diesel_async::RunQueryDsl::load(diesel::sql_query(plan), &mut conn)
        .await
        .unwrap();
    let plan: String = lines.into_iter().map(|line| line.line).collect();
    assert!(plan.contains("plan_changes_group"), "{plan}");
}
