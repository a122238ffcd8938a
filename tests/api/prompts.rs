//! The prompt store: every turn from its first moment, found by what is known of it.

use crate::support::{Gate, TestApp, refuses, says};
use insta::assert_snapshot;
use serde_json::{Value, json};

/// Inputs of the prompts that a query finds, and how many there are in all pages.
async fn found(client: &crate::support::Client, query: &str) -> (Vec<String>, i64) {
    let reply = client.get(&format!("/api/prompts{query}")).await;
    assert_eq!(reply.status, 200, "{query}: {}", reply.text);
    let json = reply.json();
    let inputs = json["data"]
        .as_array()
        .unwrap()
        .iter()
        .map(|prompt| prompt["input"].as_str().unwrap().to_owned());
    (inputs.collect(), json["meta"]["total"].as_i64().unwrap())
}

#[tokio::test]
async fn prompts_are_found_newest_first_by_state_time_and_id() {
    let app = TestApp::spawn().await;
    app.llm.script([says("One."), refuses(401), says("Three.")]);
    let first = app.sam.send("First").await.id();
    let second = app.sam.send("Second").await.id();
    app.sam.send("Third").await;
    let plan = app.sam.plan;

    assert_eq!(
        found(&app.sam, "").await,
        (vec!["Third".into(), "Second".into(), "First".into()], 3)
    );
    assert_eq!(found(&app.sam, "?state=failed").await, (vec!["Second".into()], 1));
    assert_eq!(found(&app.sam, "?state=running").await, (vec![], 0));
    assert_eq!(
        found(&app.sam, &format!("?planId={plan}&limit=1&offset=1")).await,
        (vec!["Second".into()], 3)
    );
    assert_eq!(
        found(&app.sam, &format!("?ids={first},{second}")).await,
        (vec!["Second".into(), "First".into()], 2)
    );
    let times = app.sam.prompts().await;
    let middle = times[1]["createdAt"].as_str().unwrap();
    assert_eq!(
        found(&app.sam, &format!("?before={middle}")).await,
        (vec!["First".into()], 1)
    );
    assert_eq!(
        found(&app.sam, &format!("?after={middle}")).await,
        (vec!["Third".into()], 1)
    );
    for wrong in [
        "?limit=0",
        "?limit=x",
        "?offset=-1",
        "?state=odd",
        "?ids=7",
        "?before=yesterday",
        "?planId=7",
    ] {
        assert_eq!(
            app.sam.get(&format!("/api/prompts{wrong}")).await.failure(),
            (400, "VALIDATION_ERROR".into()),
            "{wrong}"
        );
    }
}

#[tokio::test]
async fn everybody_finds_their_own_and_administrators_all() {
    let app = TestApp::spawn().await;
    app.llm.script([says("Hello Sam."), says("Hello Riley.")]);
    let sams = app.sam.send("I am Sam").await.id();
    app.riley.send("I am Riley").await;
    assert_eq!(found(&app.riley, "").await, (vec!["I am Riley".into()], 1));
    assert_eq!(found(&app.riley, &format!("?ids={sams}")).await, (vec![], 0));
    assert_eq!(
        found(&app.admin, "").await,
        (vec!["I am Riley".into(), "I am Sam".into()], 2)
    );
}

#[tokio::test]
async fn a_running_turn_is_listed_with_what_was_asked() {
    let app = TestApp::spawn().await;
    let gate = Gate::new();
    app.llm.script([says("One").wait(&gate).says(" two.")]);
    let mut stream = app.sam.open("Count").await;
    stream.until("One").await;
    let prompt = app.sam.prompts().await.swap_remove(0);
    assert_eq!(
        (&prompt["state"], &prompt["input"], &prompt["completedAt"]),
        (&json!("running"), &json!("Count"), &Value::Null)
    );
    gate.open();
    stream.rest().await;
}

#[tokio::test]
async fn one_is_brought_back_to_where_one_was_last() {
    let app = TestApp::spawn().await;
    app.llm.script([says("Hello.")]);
    let brand = app.sam.get_plan().await["brandId"].clone();
    let made = app
        .sam
        .post("/api/plans", &json!({"name": "Second", "brandId": brand}))
        .await;
    assert_eq!(made.status, 201, "{}", made.text);
    let second: uuid::Uuid = made.data()["id"].as_str().unwrap().parse().unwrap();
    let active = async || app.sam.get("/api/me/active-plan").await.data()["planId"].clone();

    app.sam.on_plan(second).send("Hello").await;
    assert_eq!(active().await, second.to_string());
    let moved = app
        .sam
        .put("/api/me/active-plan", &json!({"planId": app.sam.plan}))
        .await;
    assert!((200..300).contains(&moved.status), "{}", moved.text);
    assert_eq!(active().await, app.sam.plan.to_string());
    let strange = app
        .sam
        .put("/api/me/active-plan", &json!({"planId": app.riley.plan}))
        .await;
    assert_snapshot!(strange.refusal(), @"403 FORBIDDEN: This plan belongs to somebody else.");
}

#[tokio::test]
async fn pages_follow_each_other_by_cursor_also_where_times_are_equal() {
    let app = TestApp::spawn().await;
    app.llm.always(says("Noted."));
    for n in 1..=5 {
        app.sam.send(&format!("Message {n}")).await;
    }
    let rileys = app.riley.send("Hello").await.id();
    app.database.run("UPDATE prompts SET created_at = '2026-01-01'").await;

    for (client, total) in [(&app.sam, 5), (&app.admin, 6)] {
        let (mut inputs, mut cursor) = (Vec::new(), String::new());
        loop {
            let page = client.get(&format!("/api/prompts?limit=2{cursor}")).await.json();
            assert_eq!(page["meta"]["total"], total);
            let rows = page["data"].as_array().unwrap();
            inputs.extend(rows.iter().map(|prompt| prompt["input"].as_str().unwrap().to_owned()));
            let Some(next) = page["meta"]["next"].as_str() else {
                break;
            };
            assert_eq!(rows.len(), 2);
            cursor = format!("&cursor={next}");
        }
        let mut expected: Vec<String> = (1..=5).rev().map(|n| format!("Message {n}")).collect();
        if total == 6 {
            expected.insert(0, "Hello".into());
        }
        assert_eq!(inputs, expected);
    }
    for cursor in [rileys.to_string(), uuid::Uuid::now_v7().to_string(), "7".into()] {
        let refused = app.sam.get(&format!("/api/prompts?cursor={cursor}")).await;
        assert_eq!(refused.failure(), (400, "VALIDATION_ERROR".into()), "{cursor}");
    }
}

#[tokio::test]
async fn many_prompts_are_not_counted_one_by_one() {
    let app = TestApp::spawn().await;
    app.database
        .run(&format!(
            "INSERT INTO prompts (id, plan_id, user_id, actor_id, model, state, input, owner, lease_until) \
             SELECT gen_random_uuid(), '{plan}', '{user}', '{user}', 'm', CASE WHEN n % 100 = 0 THEN 'failed' ELSE 'completed' END, 'Hello', \
             gen_random_uuid(), now() FROM generate_series(1, 20000) n",
            plan = app.sam.plan,
            user = app.sam.id
        ))
        .await;
    app.database.run("ANALYZE prompts").await;
    for client in [&app.sam, &app.admin] {
        let page = client.get("/api/prompts?limit=1").await.json();
        assert_eq!(page["meta"]["estimated"], true, "{}", page["meta"]);
        let total = page["meta"]["total"].as_i64().unwrap();
        assert!((15_000..=25_000).contains(&total), "{total}");
        let failed = client.get("/api/prompts?limit=1&state=failed").await.json();
        assert_eq!(
            (&failed["meta"]["total"], &failed["meta"]["estimated"]),
            (&json!(200), &Value::Null)
        );
    }
    let index = "SELECT count(*) FROM pg_class WHERE relname IN ('prompts_created_at', 'prompts_unfinished', 'prompts_unfinished_of_user')";
    assert_eq!(app.database.count(index).await, 3);
    assert_eq!(app.sam.get("/api/prompts?offset=10000&limit=1").await.status, 200);
    let far = app.sam.get("/api/prompts?offset=10001").await;
    assert_snapshot!(far.refusal(), @r#"
    400 VALIDATION_ERROR: The request has 1 error.
    {"field":"offset","message":"must be between 0 and 10,000; use cursor for more"}
    "#);
}
