//! Who is answered: tokens with their scopes and plans, from which host and origin, how often; and what the audit keeps.

use super::{ALL, Assistant, ENDPOINT, READ, RENT, TALK, world};
use crate::support::{Client, TestApp, shown};
use insta::assert_snapshot;
use reqwest::Method;
use serde_json::{Value, json};

const LIST: &str = r#"{"jsonrpc":"2.0","id":7,"method":"tools/list"}"#;

fn listing() -> Value {
    serde_json::from_str(LIST).unwrap()
}

#[tokio::test]
async fn nothing_answers_where_it_is_not_switched_on() {
    let app = TestApp::spawn().await;
    let assistant = Assistant::of(&app.sam, ALL).await;
    let reply = assistant.fetch(assistant.request(&listing())).await;
    assert_snapshot!(reply.refusal(), @"404 NOT_FOUND: This address does not exist.");
    for path in [
        "/.well-known/oauth-protected-resource",
        "/.well-known/oauth-protected-resource/mcp",
    ] {
        assert_eq!(app.anonymous().get(path).await.status, 404, "{path}");
    }
    assert_eq!(app.sam.get("/api/me/account").await.data()["mcp"], Value::Null);
}

#[tokio::test]
async fn only_a_token_opens_and_whoever_has_none_is_told_where_the_description_is() {
    let app = world().await;
    let base = app.main.url("");
    let told = format!(r#"Bearer resource_metadata="{base}/.well-known/oauth-protected-resource/mcp""#);
    let refused = async |client: Client| {
        let assistant = Assistant(client);
        let reply = assistant.fetch(assistant.request(&listing())).await;
        assert_eq!(reply.header("set-cookie"), None);
        (
            reply.refusal(),
            reply.header("www-authenticate").unwrap_or_default().to_owned(),
        )
    };
    let none = "401 UNAUTHENTICATED: Send an access token: `Authorization: Bearer pat_…`. It is made on the page, under Account.";
    assert_eq!(refused(app.anonymous()).await, (none.to_owned(), told.clone()));
    assert_eq!(
        refused(app.sam.clone()).await,
        (none.to_owned(), told.clone()),
        "a cookie is nothing here"
    );
    let mut made_up = app.sam.clone();
    made_up.token = Some(format!("pat_{}_{}", uuid::Uuid::now_v7().simple(), "a".repeat(43)));
    let (refusal, header) = refused(made_up.clone()).await;
    assert!(
        refusal.starts_with("401 UNAUTHENTICATED: This access token is not valid"),
        "{refusal}"
    );
    assert_eq!(header, format!(r#"{told}, error="invalid_token""#));
    made_up.token = Some("a.b.c".to_owned());
    assert_eq!(refused(made_up).await.1, header, "nobody signs tokens here");

    for path in [
        "/.well-known/oauth-protected-resource",
        "/.well-known/oauth-protected-resource/mcp",
    ] {
        let metadata = app.anonymous().get(path).await.json();
        assert_eq!(metadata["resource"], format!("{base}/mcp"));
        assert_eq!(
            shown(crate::support::without(&metadata, "resource")),
            r#"{"authorization_servers":[],"bearer_methods_supported":["header"],"resource_name":"Plan Advisor","scopes_supported":["read","chat","write"]}"#
        );
    }
    assert_eq!(
        app.sam.get("/api/me/account").await.data()["mcp"],
        format!("{base}/mcp")
    );
}

#[tokio::test]
async fn there_is_no_stream_and_no_session_to_open_or_to_end() {
    let app = world().await;
    let assistant = Assistant::of(&app.sam, READ).await;
    for method in [Method::GET, Method::DELETE, Method::PUT] {
        let reply = assistant.fetch(assistant.0.request(method.clone(), ENDPOINT)).await;
        assert_eq!(reply.failure(), (405, "METHOD_NOT_ALLOWED".to_owned()), "{method}");
        assert_eq!(reply.header("allow"), Some("POST"), "{method}");
    }
    let reply = assistant.fetch(assistant.request(&listing())).await;
    assert_eq!((reply.status, reply.header("mcp-session-id")), (200, None));
}

#[tokio::test]
async fn another_sites_page_and_a_name_that_was_made_to_lead_here_are_refused_in_spite_of_the_token() {
    let app = TestApp::builder()
        .config(|config| {
            config.http.mcp = true;
            config.http.public_url = Some("https://plans.example".into());
            config.http.allowed_origins = vec!["https://app.example".into()];
        })
        .spawn()
        .await;
    let assistant = Assistant::of(&app.sam, READ).await;
    let with = async |headers: &[(&str, &str)]| {
        let request = headers
            .iter()
            .fold(assistant.request(&listing()), |request, (name, value)| {
                request.header(*name, *value)
            });
        assistant.fetch(request).await
    };
    for origin in ["https://evil.example", "null", "http://localhost:6274"] {
        assert_eq!(
            with(&[("origin", origin)]).await.refusal(),
            "403 FORBIDDEN: Requests from another site are refused."
        );
    }
    let cross = [("origin", "https://plans.example"), ("sec-fetch-site", "cross-site")];
    assert_eq!(with(&cross).await.status, 403);
    for host in ["evil.example", "plans.example.evil.example", "169.254.1.1.nip.example"] {
        assert_eq!(
            with(&[("host", host)]).await.refusal(),
            "403 FORBIDDEN: Assistants are not answered under this host name: it is not the one of PUBLIC_URL."
        );
    }
    // Before anybody is asked for a token.
    let anonymous = Assistant(app.anonymous());
    let rebinding = anonymous.request(&listing()).header("host", "evil.example");
    assert_eq!(anonymous.fetch(rebinding).await.status, 403);
    for headers in [
        &[("host", "plans.example"), ("origin", "https://plans.example")][..],
        &[("host", "app.example"), ("origin", "https://app.example")],
        &[("host", "localhost:3000")],
        &[],
    ] {
        assert_eq!(with(headers).await.status, 200, "{headers:?}");
    }
}

#[tokio::test]
async fn a_token_does_what_its_scopes_say_on_the_plan_that_it_is_for() {
    let app = world().await;
    let plan = app.sam.plan;
    let reading = Assistant::of(&app.sam, READ).await;
    assert_snapshot!(reading.refusal("ask_advisor", json!({"planId": plan, "message": "Hi"})).await, @"This access token lacks the scope `chat`.");
    let proposal = json!({"planId": plan, "path": RENT, "value": 4200, "quote": "rent is $4,200"});
    assert_snapshot!(reading.refusal("propose_value", proposal).await, @"This access token lacks the scope `chat` or `write`.");

    let other = app.add_franchisee("Two").await;
    let token = json!({"name": "Claude", "scopes": ALL, "planId": plan});
    let bound = Assistant::with(&app.sam, &token).await;
    app.database
        .run(&format!(
            "UPDATE plans SET user_id = '{}' WHERE id = '{}'",
            app.sam.id, other.plan
        ))
        .await;
    assert_eq!(
        bound.read("list_plans", json!({})).await["plans"]
            .as_array()
            .unwrap()
            .len(),
        1
    );
    let whole = Assistant::of(&app.sam, READ).await;
    assert_eq!(
        whole.read("list_plans", json!({})).await["plans"]
            .as_array()
            .unwrap()
            .len(),
        2
    );
    assert!(whole.read("get_plan", json!({"planId": other.plan})).await["fields"].is_array());
    assert_eq!(
        no_plan(&bound, &json!(other.plan)).await,
        no_plan(&bound, &json!(app.sam.id)).await
    );
}

async fn no_plan(assistant: &Assistant, plan: &Value) -> String {
    assistant.refusal("get_plan", json!({ "planId": plan })).await
}

#[tokio::test]
async fn a_plan_of_somebody_else_is_as_one_that_does_not_exist() {
    let app = world().await;
    let assistant = Assistant::of(&app.sam, ALL).await;
    let brand = Assistant::of(&app.morgan, ALL).await;
    assert_eq!(brand.read("list_plans", json!({})).await, json!({"plans": []}));
    for plan in [
        json!(app.riley.plan),
        json!(app.sam.id),
        json!("mine"),
        json!(7),
        Value::Null,
    ] {
        assert_eq!(
            no_plan(&assistant, &plan).await,
            "There is no such plan here. `list_plans` gives the ids of those that this token opens."
        );
    }
    assert_snapshot!(no_plan(&brand, &json!(app.sam.plan)).await, @"There is no such plan here. `list_plans` gives the ids of those that this token opens.");
    for uri in [
        format!("plan://{}", app.riley.plan),
        format!("plan://{}/projection.csv", app.sam.id),
        "plan://".into(),
        "file:///etc/passwd".into(),
    ] {
        let answer = assistant.ask("resources/read", json!({ "uri": uri })).await;
        assert_eq!(answer["error"]["code"], -32_002, "{answer}");
        assert!(
            answer["error"]["message"]
                .as_str()
                .unwrap()
                .starts_with("There is no such plan"),
            "{answer}"
        );
    }
    let prompt = assistant
        .ask(
            "prompts/get",
            json!({"name": "interview", "arguments": {"planId": app.riley.plan}}),
        )
        .await;
    assert_eq!(prompt["error"]["code"], -32_602, "{prompt}");

    let admin = Assistant::of(&app.admin, READ).await;
    assert!(admin.read("get_plan", json!({"planId": app.sam.plan})).await["fields"].is_array());
}

#[tokio::test]
async fn calls_count_as_a_persons_requests_and_the_refusal_is_a_sentence() {
    let app = TestApp::builder()
        .config(|config| {
            config.http.mcp = true;
            config.limits.rate_limit_reads_per_minute = 4;
            config.limits.rate_limit_writes_per_minute = 1;
        })
        .spawn()
        .await;
    let assistant = Assistant::of(&app.riley, ALL).await;
    let what_if = json!({"planId": app.riley.plan, "changes": [{"path": RENT, "value": 4000}]});
    let words = assistant.refusal("what_if", what_if).await;
    assert!(
        words.starts_with("That was a lot of changes. Wait a moment. Try again in "),
        "making the token was one: {words}"
    );
    for _ in 0..4 {
        assistant.read("list_plans", json!({})).await;
    }
    let words = assistant.refusal("list_plans", json!({})).await;
    assert!(
        words.starts_with("That was a lot of requests. Wait a moment. Try again in "),
        "{words}"
    );
    assert_eq!(
        app.riley.get("/api/plans").await.status,
        429,
        "the person and the assistant share them"
    );
}

#[tokio::test]
async fn the_audit_has_one_row_for_each_token_tool_plan_and_hour_with_the_number_of_calls() {
    let app = world().await;
    let (first, second) = (Assistant::of(&app.sam, TALK).await, Assistant::of(&app.sam, READ).await);
    let plan = json!({"planId": app.sam.plan});
    for _ in 0..3 {
        first.read("get_plan", plan.clone()).await;
    }
    second.read("get_plan", plan.clone()).await;
    first.read("list_plans", json!({})).await;
    for made_up in 0..5 {
        let id = format!("0199c0de-0000-7000-8000-00000000000{made_up}");
        first.refusal("get_plan", json!({ "planId": id })).await;
    }
    let rows = "SELECT kind || ' ' || (plan_id IS NOT NULL) || ' ' || calls FROM audit_events WHERE kind LIKE 'mcp.%' ORDER BY 1";
    let rows: Vec<String> = app.database.values(rows).await.into_iter().flatten().collect();
    assert_eq!(
        rows,
        [
            "mcp.get_plan false 5",
            "mcp.get_plan true 1",
            "mcp.get_plan true 3",
            "mcp.list_plans false 1"
        ]
    );
    let told = "SELECT count(*) FROM audit_events e JOIN access_tokens t ON t.id::text = e.detail ->> 'tokenId' \
                WHERE e.kind LIKE 'mcp.%' AND e.actor_id = t.user_id AND e.detail::text NOT LIKE '%Claude%'";
    assert_eq!(app.database.count(told).await, 4);

    let one = "UPDATE audit_events SET calls = calls + 1 WHERE kind = 'mcp.list_plans'";
    app.database.run(one).await;
    for rewriting in [
        "UPDATE audit_events SET calls = calls + 2 WHERE kind = 'mcp.list_plans'",
        "UPDATE audit_events SET calls = calls - 1 WHERE kind = 'mcp.list_plans'",
        "UPDATE audit_events SET calls = calls + 1, plan_id = NULL WHERE kind = 'mcp.get_plan'",
        "UPDATE audit_events SET calls = calls + 1 WHERE kind = 'token_created'",
        "DELETE FROM audit_events WHERE kind = 'mcp.list_plans'",
    ] {
        let refusal = app.database.refusal(rewriting).await;
        assert!(refusal.contains("append-only"), "{rewriting}: {refusal}");
    }
}
