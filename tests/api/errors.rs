//! Every failure has one shape, whoever found it, and the checks come in one order.

use crate::support::{Client, Reply, TestApp, eventually, says};
use insta::assert_snapshot;
use reqwest::{Method, header};
use serde_json::json;

async fn send(
    client: &Client,
    method: Method,
    path: &str,
    headers: &[(&str, &str)],
    body: impl Into<reqwest::Body>,
) -> Reply {
    let mut request = client.request(method, path);
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    client.fetch(request.body(body)).await
}

/// Method, path, headers, body, status, code.
type Case<'a> = (Method, String, Vec<(&'a str, &'a str)>, String, u16, &'a str);

const JSON: (&str, &str) = ("content-type", "application/json");

#[tokio::test]
#[expect(clippy::too_many_lines, reason = "a table of requests")]
async fn what_the_framework_would_answer_by_itself_has_our_shape_too() {
    let app = TestApp::spawn().await;
    let inputs = app.sam.path("/financial-inputs");
    let table: Vec<Case<'_>> = vec![
        (Method::GET, "/nowhere".into(), vec![], String::new(), 404, "NOT_FOUND"),
        (Method::POST, "/nowhere".into(), vec![], String::new(), 404, "NOT_FOUND"),
        (
            Method::GET,
            "/api/nowhere".into(),
            vec![],
            String::new(),
            404,
            "NOT_FOUND",
        ),
        (
            Method::GET,
            "/../Cargo.toml".into(),
            vec![],
            String::new(),
            404,
            "NOT_FOUND",
        ),
        (
            Method::DELETE,
            "/api/plans".into(),
            vec![],
            String::new(),
            405,
            "METHOD_NOT_ALLOWED",
        ),
        (
            Method::POST,
            "/".into(),
            vec![],
            String::new(),
            405,
            "METHOD_NOT_ALLOWED",
        ),
        (
            Method::TRACE,
            "/healthz".into(),
            vec![],
            String::new(),
            405,
            "METHOD_NOT_ALLOWED",
        ),
        (
            Method::GET,
            "/api/plans/7".into(),
            vec![],
            String::new(),
            400,
            "VALIDATION_ERROR",
        ),
        (
            Method::GET,
            "/api/plans/%FF".into(),
            vec![],
            String::new(),
            400,
            "VALIDATION_ERROR",
        ),
        (
            Method::GET,
            "/api/brands/7".into(),
            vec![],
            String::new(),
            400,
            "VALIDATION_ERROR",
        ),
        (
            Method::POST,
            app.sam.path("/changes/7/undo"),
            vec![],
            String::new(),
            400,
            "VALIDATION_ERROR",
        ),
        (
            Method::GET,
            app.sam.path("/changes?limit=0"),
            vec![],
            String::new(),
            400,
            "VALIDATION_ERROR",
        ),
        (
            Method::GET,
            app.sam.path("/changes?offset=x"),
            vec![],
            String::new(),
            400,
            "VALIDATION_ERROR",
        ),
        (
            Method::PATCH,
            inputs.clone(),
            vec![],
            "{}".into(),
            415,
            "UNSUPPORTED_MEDIA_TYPE",
        ),
        (
            Method::PATCH,
            inputs.clone(),
            vec![("content-type", "text/plain")],
            "{}".into(),
            415,
            "UNSUPPORTED_MEDIA_TYPE",
        ),
        (
            Method::PATCH,
            inputs.clone(),
            vec![("content-type", "application/json; charset=utf-16")],
            "{}".into(),
            415,
            "UNSUPPORTED_MEDIA_TYPE",
        ),
        (
            Method::PATCH,
            inputs.clone(),
            vec![JSON, ("content-encoding", "gzip")],
            "{}".into(),
            415,
            "UNSUPPORTED_MEDIA_TYPE",
        ),
        (
            Method::PATCH,
            inputs.clone(),
            vec![JSON],
            String::new(),
            400,
            "VALIDATION_ERROR",
        ),
        (
            Method::PATCH,
            inputs.clone(),
            vec![JSON],
            "{".into(),
            400,
            "VALIDATION_ERROR",
        ),
        (
            Method::PATCH,
            inputs.clone(),
            vec![JSON],
            "[]".into(),
            400,
            "VALIDATION_ERROR",
        ),
        (
            Method::PATCH,
            inputs.clone(),
            vec![JSON],
            "{} x".into(),
            400,
            "VALIDATION_ERROR",
        ),
        (
            Method::PATCH,
            inputs.clone(),
            vec![JSON],
            r#"{"a":1,"a":2}"#.into(),
            400,
            "VALIDATION_ERROR",
        ),
        (
            Method::PATCH,
            inputs.clone(),
            vec![JSON],
            format!("{}{}", "[".repeat(17), "]".repeat(17)),
            400,
            "VALIDATION_ERROR",
        ),
        (
            Method::PATCH,
            inputs.clone(),
            vec![JSON, ("if-match", "7")],
            "{}".into(),
            400,
            "VALIDATION_ERROR",
        ),
        (
            Method::PATCH,
            inputs.clone(),
            vec![JSON],
            " ".repeat(65_537),
            413,
            "PAYLOAD_TOO_LARGE",
        ),
        (
            Method::PATCH,
            inputs,
            vec![],
            " ".repeat(2_000_000),
            413,
            "PAYLOAD_TOO_LARGE",
        ),
        (
            Method::POST,
            "/api/plans".into(),
            vec![JSON, ("origin", "https://evil.example")],
            "{}".into(),
            403,
            "FORBIDDEN",
        ),
        (
            Method::POST,
            "/api/plans".into(),
            vec![JSON, ("sec-fetch-site", "cross-site")],
            "{}".into(),
            403,
            "FORBIDDEN",
        ),
    ];
    for (method, path, headers, body, status, code) in table {
        let reply = send(&app.sam, method.clone(), &path, &headers, body.clone()).await;
        assert_eq!(
            reply.failure(),
            (status, code.to_owned()),
            "{method} {path} {headers:?} {}",
            &body[..body.len().min(40)]
        );
        assert!(reply.header("x-request-id").is_some(), "{path}");
    }
}

#[tokio::test]
async fn a_body_that_is_not_utf_8_is_refused_and_odd_escapes_are_not() {
    let app = TestApp::spawn().await;
    let broken = send(
        &app.sam,
        Method::POST,
        "/api/plans",
        &[JSON],
        b"{\"name\":\"\xff\"}".to_vec(),
    )
    .await;
    assert_eq!(broken.failure(), (400, "VALIDATION_ERROR".to_owned()));

    let brand = app.sam.get_plan().await["brandId"].as_str().expect("an id").to_owned();
    let body = format!(r#"{{"name":"a\u0000b \ud83d \ud83d\ude00","brandId":"{brand}"}}"#);
    let made = send(&app.sam, Method::POST, "/api/plans", &[JSON], body).await;
    assert_eq!(made.data()["name"], "a\u{FFFD}b \u{FFFD} \u{1F600}");
}

#[tokio::test]
async fn a_message_of_the_longest_kind_arrives_however_json_writes_it() {
    let app = TestApp::spawn().await;
    let path = app.sam.path("/conversation");
    let message = |chars: usize| format!(r#"{{"message":"{}"}}"#, r"\ud83d\ude00".repeat(chars));
    let sent = async |body: String| {
        send(
            &app.sam,
            Method::POST,
            &path,
            &[JSON, ("prefer", "respond-async")],
            body,
        )
        .await
    };

    app.llm.script([says("A long row of faces.")]);
    assert_eq!(sent(message(8_000)).await.status, 202);
    eventually("the turn has ended", async || {
        let history = app.sam.conversation().await;
        history["data"].as_array().is_some_and(|messages| messages.len() == 2)
    })
    .await;
    assert_eq!(sent(message(8_001)).await.failure().0, 400);
    assert_eq!(sent(message(9_000)).await.failure().0, 413);
    let elsewhere = format!(r#"{{"name":"{}"}}"#, "x".repeat(70_000));
    assert_eq!(
        send(&app.sam, Method::PATCH, &app.sam.path(""), &[JSON], elsewhere)
            .await
            .failure()
            .0,
        413
    );
}

#[tokio::test]
async fn the_checks_come_in_the_order_of_the_contract() {
    let app = TestApp::spawn().await;
    let anonymous = app.anonymous();
    let evil = ("sec-fetch-site", "cross-site");
    let missing = format!("/api/plans/{}", app.sam.id);
    let status = async |client: &Client, path: &str, headers: &[(&str, &str)], body: &str| {
        send(
            client,
            Method::PATCH,
            &format!("{path}/financial-inputs"),
            headers,
            body.to_owned(),
        )
        .await
        .status
    };

    assert_eq!(status(&anonymous, &missing, &[evil], "{").await, 401);
    assert_eq!(status(&anonymous, "/api/plans/7", &[], "").await, 401);
    assert_eq!(status(&app.sam, &missing, &[evil], "{").await, 403);
    assert_eq!(status(&app.sam, &missing, &[], "{").await, 404);
    assert_eq!(status(&app.sam, &app.riley.path(""), &[], "{").await, 403);
    assert_eq!(status(&app.sam, &app.sam.path(""), &[], &"x".repeat(70_000)).await, 413);
    assert_eq!(status(&app.sam, &app.sam.path(""), &[], "{").await, 415);
    assert_eq!(
        status(&app.sam, &app.sam.path(""), &[JSON, ("if-match", "\"99\"")], "{").await,
        400
    );
    assert_eq!(
        status(&app.sam, &app.sam.path(""), &[JSON, ("if-match", "\"99\"")], "{}").await,
        412
    );
}

#[tokio::test]
async fn everything_under_api_needs_a_session_also_what_does_not_exist() {
    let app = TestApp::spawn().await;
    let anonymous = app.anonymous();
    for (method, path) in [
        (Method::GET, "/api"),
        (Method::GET, "/api/nowhere"),
        (Method::DELETE, "/api/plans"),
        (Method::GET, "/api//plans"),
    ] {
        assert_eq!(
            send(&anonymous, method, path, &[], "").await.failure(),
            (401, "UNAUTHENTICATED".to_owned()),
            "{path}"
        );
    }
    let mut forged = app.anonymous();
    for cookie in [
        "session=",
        "session=nonsense",
        "session=AAAAAAAAAAAAAAAAAAAAAA",
        "__Host-session=AAAAAAAAAAAAAAAAAAAAAA",
    ] {
        forged.cookie = Some(cookie.to_owned());
        assert_eq!(forged.get("/api/plans").await.failure().0, 401, "{cookie}");
    }
}

#[tokio::test]
async fn a_wrong_method_names_the_right_ones() {
    let app = TestApp::spawn().await;
    let reply = app.sam.delete("/api/plans").await;
    let mut allowed: Vec<&str> = reply.header("allow").expect("a header").split(',').collect();
    allowed.sort_unstable();
    assert_eq!(allowed, ["GET", "HEAD", "POST"]);
}

#[tokio::test]
async fn a_request_keeps_its_id_if_that_is_sane() {
    let app = TestApp::spawn().await;
    let id = async |sent: &str| {
        let reply = send(&app.sam, Method::GET, "/healthz", &[("x-request-id", sent)], "").await;
        reply.header("x-request-id").expect("an id").to_owned()
    };
    assert_eq!(id("abc-123_x.y:z").await, "abc-123_x.y:z");
    for odd in ["", "two words", "<script>", &"x".repeat(129)] {
        assert_eq!(id(odd).await.len(), 36, "{odd}");
    }
}

#[tokio::test]
async fn every_answer_carries_what_makes_browsers_careful() {
    let app = TestApp::spawn().await;
    for path in [
        "/",
        "/app.js",
        "/api/plans",
        "/api/nowhere",
        "/healthz",
        "/docs",
        "/nowhere",
    ] {
        let reply = app.sam.get(path).await;
        for name in [
            "content-security-policy",
            "referrer-policy",
            "cross-origin-opener-policy",
            "cross-origin-resource-policy",
            "x-request-id",
        ] {
            assert!(reply.header(name).is_some(), "{path} lacks {name}");
        }
        assert_eq!(reply.header("x-content-type-options"), Some("nosniff"), "{path}");
        assert!(
            reply
                .header("content-security-policy")
                .is_some_and(|policy| policy.contains("frame-ancestors 'none'")),
            "{path}"
        );
        assert_eq!(
            reply.header("cache-control") == Some("no-store"),
            path.starts_with("/api"),
            "{path}"
        );
    }
    let policy = app.sam.get("/").await;
    let policy = policy.header("content-security-policy").expect("a policy");
    for rule in [
        "default-src 'none'",
        "script-src 'self'",
        "img-src 'self'",
        "base-uri 'none'",
        "require-trusted-types-for 'script'",
    ] {
        assert!(policy.contains(rule) && !policy.contains("unsafe"), "{policy}");
    }
}

#[tokio::test]
async fn a_page_of_the_same_host_by_another_scheme_is_another_site() {
    let app = TestApp::spawn().await;
    let host = app.sam.address().to_owned();
    let renamed = async |origin: &str, forwarded: &[(&str, &str)]| {
        let origin = format!("{origin}://{host}");
        let headers = [&[JSON, ("origin", origin.as_str())], forwarded].concat();
        let body = r#"{"name":"By another scheme"}"#;
        send(&app.sam, Method::PATCH, &app.sam.path(""), &headers, body)
            .await
            .status
    };
    assert_eq!(renamed("http", &[]).await, 200);
    assert_eq!(renamed("https", &[]).await, 403);

    let secure = app.anonymous();
    let body = json!({"email": "sam@demo.test", "password": TestApp::PASSWORD});
    let log_in = async |origin: &str| {
        let request = secure
            .request(Method::POST, "/api/auth/login")
            .header("x-forwarded-proto", "https")
            .header("origin", format!("{origin}://{host}"));
        secure.fetch(request.json(&body)).await.status
    };
    assert_eq!(log_in("http").await, 403);
    assert_eq!(log_in("https").await, 200);
}

#[tokio::test]
async fn only_listed_origins_may_call_from_a_browser() {
    let app = TestApp::builder()
        .config(|config| config.http.allowed_origins = vec!["https://app.example".into()])
        .spawn()
        .await;
    let preflight = async |origin: &str| {
        let headers = [
            ("origin", origin),
            ("access-control-request-method", "POST"),
            ("access-control-request-headers", "authorization, content-type"),
        ];
        send(&app.anonymous(), Method::OPTIONS, "/api/plans", &headers, "").await
    };

    let allowed = preflight("https://app.example").await;
    assert_eq!(allowed.status, 200);
    assert_eq!(
        allowed.header("access-control-allow-origin"),
        Some("https://app.example")
    );
    assert_eq!(allowed.header("access-control-allow-credentials"), Some("true"));
    assert_eq!(
        preflight("https://evil.example")
            .await
            .header("access-control-allow-origin"),
        None
    );

    let read = send(
        &app.sam,
        Method::GET,
        "/api/plans",
        &[("origin", "https://app.example")],
        "",
    )
    .await;
    assert_eq!(read.header("access-control-allow-origin"), Some("https://app.example"));
    let exposed = read.header("access-control-expose-headers").expect("a list");
    for name in [
        "x-request-id",
        "x-turn-id",
        "location",
        "etag",
        "retry-after",
        "idempotency-replayed",
    ] {
        assert!(exposed.contains(name), "{exposed}");
    }
    let write = [JSON, ("origin", "https://app.example"), ("sec-fetch-site", "same-site")];
    assert_eq!(
        send(&app.sam, Method::POST, "/api/plans", &write, "{}")
            .await
            .failure()
            .0,
        400
    );
}

#[tokio::test]
async fn the_page_is_served_once_and_then_confirmed() {
    let app = TestApp::spawn().await;
    let page = app.anonymous().get("/").await;
    assert_eq!(
        (page.status, page.header("content-type")),
        (200, Some("text/html; charset=utf-8"))
    );
    let etag = page.header("etag").expect("a tag").to_owned();
    assert_eq!(page.text, app.anonymous().get("/index.html").await.text);

    let again = send(&app.anonymous(), Method::GET, "/", &[("if-none-match", &etag)], "").await;

    assert_eq!(
        (again.status, again.text.as_str(), again.header("etag")),
        (304, "", Some(etag.as_str()))
    );
    let request = app
        .anonymous()
        .request(Method::GET, "/app.js")
        .header(header::ACCEPT_ENCODING, "gzip");
    let response = request.send().await.expect("an answer");
    assert_eq!(response.headers()["content-encoding"], "gzip");
}

#[tokio::test]
async fn operators_see_numbers_and_nobodys_names() {
    let app = TestApp::spawn().await;
    app.sam.get(&app.sam.path("")).await;
    app.sam.get("/api/plans/7").await;

    let metrics = app.anonymous().get("/metrics").await.text;

    assert!(
        metrics.contains("http_requests_total{method=\"GET\",route=\"/api/plans/{id}\",status=\"200\"}"),
        "{metrics}"
    );
    assert!(metrics.contains("http_request_duration_seconds_bucket"), "{metrics}");
    for secret in [
        app.sam.plan.to_string(),
        app.sam.id.to_string(),
        "Sam".to_owned(),
        "/api/plans/7".to_owned(),
    ] {
        assert!(!metrics.contains(&secret), "{secret}");
    }
    assert_eq!(app.anonymous().get("/healthz").await.data(), json!({"status": "ok"}));
    assert_eq!(app.anonymous().get("/readyz").await.status, 200);
    assert_eq!(
        app.sam.get("/api/status").await.data(),
        json!({"database": "ok", "model": "ok", "modelName": "mock-model"})
    );
}

#[tokio::test]
async fn without_a_database_everything_says_so_and_status_still_answers() {
    let app = TestApp::spawn().await;
    let nowhere = "postgresql://postgres@127.0.0.1:1/nothing?sslmode=disable";
    let mut config = plan_advisor::config::Config::for_testing(nowhere);
    config.database.pool_size = 2;
    let llm = app.main.state.llm.clone();
    let address = crate::support::on_server(async move {
        let db = plan_advisor::store::Db::connect(nowhere, 2).expect("a pool");
        let state = plan_advisor::app::App::new(config, db, llm, plan_model::clock::Clock::System, None);
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = listener.local_addr().expect("bound");
        let service = plan_advisor::http::router(state, plan_advisor::http::streams::Streams::default())
            .into_make_service_with_connect_info::<std::net::SocketAddr>();
        tokio::spawn(async move { axum::serve(listener, service).await });
        address
    })
    .await;
    let get = async |path: &str| {
        let request = app.sam.request(Method::GET, "/").build().expect("a request");
        let cookie = request.headers()["cookie"].clone();
        let url = format!("http://{address}{path}");
        let response = reqwest::Client::builder()
            .tls_certs_only([])
            .build()
            .expect("a client")
            .get(url)
            .header("cookie", cookie)
            .send()
            .await
            .expect("an answer");
        let retry = response.headers().contains_key("retry-after");
        (
            response.status().as_u16(),
            retry,
            response.json::<serde_json::Value>().await.expect("JSON"),
        )
    };

    let (status, retry, body) = get("/api/plans").await;
    assert_eq!(
        (status, retry, &body["error"]["code"]),
        (503, true, &json!("UNAVAILABLE"))
    );
    assert_eq!(get("/readyz").await.0, 503);
    assert_eq!(get("/healthz").await.0, 200);
    let (status, _, body) = get("/api/status").await;
    assert_eq!((status, &body["data"]["database"]), (200, &json!("down")));
}

#[tokio::test]
async fn the_demos_logins_exist_in_the_demo_only() {
    let app = TestApp::spawn().await;
    assert_snapshot!(app.anonymous().get("/demo.json").await.refusal(), @"404 NOT_FOUND: This address does not exist.");

    let demo = TestApp::builder().demo().spawn().await;
    let offered = demo.anonymous().get("/demo.json").await.json();
    assert_eq!(offered["logins"].as_array().map(Vec::len), Some(5));
    assert_eq!(offered["password"], TestApp::PASSWORD);
}

#[tokio::test]
async fn the_document_is_served_and_the_page_leads_to_it() {
    let app = TestApp::spawn().await;
    let yaml = app.anonymous().get("/openapi.yaml").await;
    assert_eq!(yaml.text, plan_advisor::http::openapi_yaml());
    let docs = app.anonymous().get("/docs").await;
    assert_eq!(docs.header("content-type"), Some("text/html; charset=utf-8"));
    assert!(docs.text.contains("href=\"/openapi.yaml\"") && !docs.text.contains("<script"));
}
