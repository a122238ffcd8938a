//! What a request with a token may do.

use super::{ADDRESS, ALL, RENT, is_no_token, make, program, with};
use crate::support::client::Streamed;
use crate::support::{TestApp, says};
use insta::assert_snapshot;
use reqwest::Method;
use serde_json::{Value, json};
use uuid::Uuid;

#[tokio::test]
async fn a_scope_is_needed_for_each_kind_of_request() {
    let app = TestApp::spawn().await;
    app.llm.always(says("Hello."));
    let message = json!({"message": "Hello"});
    let rent = json!({ RENT: 420_000 });
    let inputs = app.sam.path("/financial-inputs");
    let talk = app.sam.path("/conversation");
    let mut refused = Vec::new();
    for scopes in [&["read"][..], &["read", "chat"], &["read", "write"]] {
        let program = program(&app.sam, scopes).await;
        assert_eq!(program.get(&talk).await.status, 200);
        assert_eq!(program.get("/api/brands").await.status, 200);
        assert_eq!(
            program
                .post(&program.path("/what-if"), &json!({"overrides": rent}))
                .await
                .status,
            200
        );
        for (needs, reply) in [("chat", program.post_message("Hello", &[]).await)] {
            match reply {
                Streamed::Stream(stream) => assert_eq!(stream.rest().await.text(), "Hello."),
                Streamed::Reply(reply) => refused.push((scopes, needs, reply)),
            }
        }
        for (needs, method, path, body) in [
            ("chat", Method::POST, app.sam.path("/conversation/cancel"), &message),
            ("write", Method::PATCH, inputs.clone(), &rent),
            ("write", Method::DELETE, talk.clone(), &message),
            (
                "write",
                Method::PUT,
                "/api/me/active-plan".to_owned(),
                &json!({"planId": app.sam.plan}),
            ),
        ] {
            let reply = program.fetch(program.request(method, &path).json(body)).await;
            if reply.status >= 300 {
                refused.push((scopes, needs, reply));
            }
        }
    }
    let found: Vec<_> = refused
        .iter()
        .map(|(scopes, needs, _)| (scopes.join(" "), *needs))
        .collect();
    let expected = [
        ("read", "chat"),
        ("read", "chat"),
        ("read", "write"),
        ("read", "write"),
        ("read", "write"),
        ("read chat", "write"),
        ("read chat", "write"),
        ("read chat", "write"),
        ("read write", "chat"),
        ("read write", "chat"),
    ];
    assert_eq!(found, expected.map(|(scopes, needs)| (scopes.to_owned(), needs)));
    for (_, needs, reply) in refused {
        assert_eq!(reply.failure(), (403, "FORBIDDEN".to_owned()));
        assert!(reply.text.contains(&format!("`{needs}`")), "{}", reply.text);
        let challenge = format!("Bearer error=\"insufficient_scope\", scope=\"{needs}\"");
        assert_eq!(reply.header("www-authenticate"), Some(challenge.as_str()));
    }
}

/// Every operation of the document, with whether a token can be enough for it.
fn operations() -> Vec<(Method, String, bool)> {
    let document = serde_json::to_value(plan_advisor::http::openapi()).expect("plain data");
    let mut found = Vec::new();
    for (path, item) in document["paths"].as_object().expect("paths") {
        for (method, operation) in item.as_object().expect("an item") {
            let schemes = operation["security"].as_array().map(Vec::as_slice).unwrap_or_default();
            let is_public = schemes
                .iter()
                .any(|scheme| scheme.as_object().is_some_and(serde_json::Map::is_empty));
            if !is_public {
                let with_token = schemes.iter().any(|scheme| scheme["token"].is_array());
                found.push((
                    method.to_uppercase().parse().expect("a method"),
                    path.clone(),
                    with_token,
                ));
            }
        }
    }
    found
}

#[tokio::test]
async fn what_needs_a_login_is_closed_even_to_an_administrators_token() {
    let app = TestApp::spawn().await;
    app.llm.always(says("Hello."));
    let mut closed = 0;
    for (method, path, with_token) in operations() {
        let admin = app
            .admin
            .on_plan(app.add_franchisee(&format!("P{}", Uuid::now_v7().simple())).await.plan);
        let program = program(&app.session_of(&admin).await, ALL).await;
        let path = path
            .replace("/plans/{id}", &format!("/plans/{}", admin.plan))
            .replace("{name}", "cash");
        let path = path.replace("{chatId}", &admin.plan.to_string());
        let parts = path.split('/').map(|part| match part.starts_with('{') {
            true => "0199c0de-0000-7000-8000-0000000000aa",
            false => part,
        });
        let path = parts.collect::<Vec<_>>().join("/");
        let reply = program
            .fetch(program.request(method.clone(), &path).json(&json!({})))
            .await;
        assert_eq!(
            reply.status == 403,
            !with_token,
            "{method} {path}: {} {}",
            reply.status,
            reply.text
        );
        closed += usize::from(!with_token);
        app.database.run("DELETE FROM access_tokens").await;
    }
    assert!(closed >= 10, "{closed}");
}

#[tokio::test]
async fn an_administrators_token_reaches_all_plans_but_acts_for_nobody() {
    let app = TestApp::spawn().await;
    let program = program(&app.admin.on_plan(app.sam.plan), ALL).await;
    program.set(RENT, 420_000).await;
    assert_eq!(
        app.sam.held(RENT).await,
        (json!(420_000), "admin:Avery Stone".to_owned())
    );
    let start = json!({"userId": app.sam.id, "reason": "x"});
    let refused = program.post("/api/admin/impersonation", &start).await;
    assert_snapshot!(refused.refusal(), @"403 FORBIDDEN: No access token may do this. Sign in for it.");
    assert_snapshot!(program.get("/api/admin/users").await.refusal(), @"403 FORBIDDEN: No access token may do this. Sign in for it.");
    let of_morgan = super::program(&app.morgan, ALL).await;
    assert_eq!(of_morgan.get("/api/brands").await.status, 200);
    assert_snapshot!(of_morgan.get(&app.sam.path("")).await.refusal(), @"403 FORBIDDEN: This plan belongs to somebody else.");
}

#[tokio::test]
async fn a_token_for_one_plan_opens_no_other() {
    let app = TestApp::spawn().await;
    app.llm.always(says("Hello."));
    app.sam.send("Hello").await;
    let brand = app.sam.get_plan().await["brandId"].take();
    let second = app
        .sam
        .post("/api/plans", &json!({"name": "Second", "brandId": brand}))
        .await
        .data();
    let second = app.sam.on_plan(second["id"].as_str().unwrap().parse().unwrap());
    let made = make(&app.sam, &json!({"name": "n", "scopes": ALL, "planId": second.plan})).await;
    let program = with(&second, &made);

    assert_eq!(program.get(&program.path("/outputs")).await.status, 200);
    assert_eq!(program.send("Hello").await.text(), "Hello.");
    let listed = program.get("/api/plans").await.data();
    assert_eq!(listed.as_array().map(Vec::len), Some(1));
    assert_eq!(listed[0]["id"], json!(second.plan));
    let prompts = program.get("/api/prompts").await.data();
    assert_eq!(prompts.as_array().map(Vec::len), Some(1));
    assert_eq!(prompts[0]["planId"], json!(second.plan));

    for path in [
        app.sam.path(""),
        app.sam.path("/conversation"),
        app.sam.path("/conversation/stream"),
        format!("/api/fields?planId={}", app.sam.plan),
        format!("/api/prompts?planId={}", app.sam.plan),
        app.riley.path(""),
    ] {
        let refused = program.get(&path).await;
        assert_eq!(refused.failure(), (403, "FORBIDDEN".to_owned()), "{path}");
        assert!(refused.text.contains("another plan"), "{}", refused.text);
    }
    let other = json!({"planId": app.sam.plan});
    assert_snapshot!(program.put("/api/me/active-plan", &other).await.refusal(), @"403 FORBIDDEN: This access token is for another plan.");
    let create = json!({"name": "Third", "brandId": brand});
    assert_snapshot!(program.post("/api/plans", &create).await.refusal(), @"403 FORBIDDEN: This access token is for one plan and makes no others.");
    assert_snapshot!(program.get(&app.sam.on_plan(app.sam.id).path("")).await.refusal(), @"404 NOT_FOUND: The plan does not exist.");
    app.sam.put("/api/me/active-plan", &other).await.data();
    assert_eq!(program.get("/api/me/active-plan").await.data()["planId"], Value::Null);

    assert_eq!(program.delete(&program.path("")).await.status, 204);
    is_no_token(&program.get("/api/plans").await, "its plan is gone");
    assert_eq!(app.sam.get(ADDRESS).await.data(), json!([]));
}
