//! Where a request brings its token, and what else it may bring.

use super::{ALL, RENT, is_no_token, program};
use crate::support::raw::RawExchange;
use crate::support::{Client, TestApp};
use insta::assert_snapshot;
use reqwest::Method;
use serde_json::json;
use uuid::Uuid;

#[tokio::test]
async fn what_is_no_token_of_ours_is_refused() {
    let app = TestApp::spawn().await;
    let (sam, riley) = (program(&app.sam, ALL).await, program(&app.riley, ALL).await);
    let (own, other) = (sam.token.clone().expect("a token"), riley.token.expect("a token"));
    let mut client = app.sam.clone();
    for (what, token) in [
        ("nothing", String::new()),
        ("another kind", "eyJhbGciOiJub25lIn0.e30.".to_owned()),
        ("another person's secret", format!("{}{}", &own[..37], &other[37..])),
        (
            "one character changed",
            format!("{}{}", &own[..79], if own.ends_with('A') { 'B' } else { 'A' }),
        ),
        (
            "an unknown id",
            format!("pat_{}_{}", Uuid::now_v7().simple(), &own[37..]),
        ),
        (
            "the id in capitals",
            own.replacen(&own[4..36], &own[4..36].to_uppercase(), 1),
        ),
        ("too long", format!("{own}x")),
        ("too short", own[..79].to_owned()),
        ("an injection", "pat_' OR 1=1 --".to_owned()),
    ] {
        // The cookie is good, but the token decides.
        client.token = Some(token);
        is_no_token(&client.get("/api/plans").await, what);
        is_no_token(&client.get("/api/nowhere").await, what);
    }
    client.token = Some(own);
    assert_eq!(client.get("/api/plans").await.status, 200);
    assert_snapshot!(client.get("/api/nowhere").await.refusal(), @"404 NOT_FOUND: This address does not exist.");
    assert_eq!(app.anonymous().get("/api/plans").await.header("www-authenticate"), None);
}

/// A request with these headers beside or instead of the client's own.
async fn status(client: &Client, method: Method, headers: &[(&str, &str)]) -> u16 {
    let mut request = client.request(method.clone(), &client.path("/financial-inputs"));
    if method == Method::GET {
        request = client.request(method, "/api/plans");
    }
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    client.fetch(request.json(&json!({ RENT: 410_000 }))).await.status
}

#[tokio::test]
async fn the_header_counts_once_and_in_any_case_and_other_schemes_not_at_all() {
    let app = TestApp::spawn().await;
    let token = program(&app.sam, ALL).await.token.expect("a token");
    let (bearer, lower) = (format!("Bearer {token}"), format!("bearer  {token}"));
    let nobody = app.anonymous();
    for value in [&bearer, &lower, &bearer.replace("Bearer", "BEARER")] {
        assert_eq!(
            status(&nobody, Method::GET, &[("authorization", value)]).await,
            200,
            "{value}"
        );
    }
    for second in [bearer.as_str(), "Basic eDp5", "Bearer x"] {
        let both = [("authorization", bearer.as_str()), ("authorization", second)];
        assert_eq!(status(&nobody, Method::GET, &both).await, 400, "{second}");
        assert_eq!(status(&app.sam, Method::GET, &both).await, 400, "{second}");
    }
    // A proxy's own login means nothing to us.
    for proxys in ["Basic eDp5", "Digest x", "Negotiate YII="] {
        assert_eq!(
            status(&app.sam, Method::GET, &[("authorization", proxys)]).await,
            200,
            "{proxys}"
        );
        assert_eq!(
            status(&nobody, Method::GET, &[("authorization", proxys)]).await,
            401,
            "{proxys}"
        );
    }
}

#[tokio::test]
async fn a_token_wins_over_a_cookie_and_leaves_it_alone() {
    let app = TestApp::spawn().await;
    let mut both = program(&app.sam, ALL).await;
    for cookie in [
        app.riley.cookie.clone().expect("a cookie"),
        "session=nonsense; device=x".to_owned(),
    ] {
        both.cookie = Some(cookie);
        let own = both.get(&app.sam.path("")).await;
        assert_eq!((own.status, own.header("set-cookie")), (200, None));
        assert_eq!(both.get(&app.riley.path("")).await.failure().0, 403);
        let refused = both.post_nothing("/api/auth/logout").await;
        assert_eq!((refused.failure().0, refused.header("set-cookie")), (403, None));
    }
    assert_eq!(
        app.riley.get("/api/auth/me").await.status,
        200,
        "riley is still signed in"
    );
    both.cookie = None;
    let signed_in = both.log_in("riley@demo.test", TestApp::PASSWORD).await;
    assert_eq!(
        signed_in.status, 200,
        "whoever signs in needs no token: {}",
        signed_in.text
    );
}

#[tokio::test]
async fn another_sites_page_may_use_a_token_that_it_was_given() {
    let app = TestApp::spawn().await;
    let program = program(&app.sam, ALL).await;
    for headers in [
        &[("origin", "https://tools.example")][..],
        &[("origin", "null")],
        &[("origin", "https://tools.example"), ("sec-fetch-site", "cross-site")],
    ] {
        assert_eq!(status(&program, Method::PATCH, headers).await, 200, "{headers:?}");
        assert_eq!(status(&app.sam, Method::PATCH, headers).await, 403, "{headers:?}");
    }
}

#[tokio::test]
async fn a_token_in_an_address_is_refused() {
    let app = TestApp::spawn().await;
    let program = program(&app.sam, ALL).await;
    let token = program.token.clone().expect("a token");
    let stream = app.sam.path("/conversation/stream");
    for path in [
        format!("/api/plans?access_token={token}"),
        format!("{stream}?after=x&key={token}"),
        format!("{stream}?{}", token.replace("pat_", "p%61t%5f")),
        "/api/auth/me?Access_Token=anything".to_owned(),
        format!("/api/nowhere?x=Bearer%20{token}"),
    ] {
        for client in [&app.anonymous(), &app.sam, &program] {
            let refused = client.get(&path).await;
            assert_eq!(refused.failure(), (400, "VALIDATION_ERROR".to_owned()), "{path}");
            assert!(refused.text.contains("Authorization: Bearer"), "{}", refused.text);
            assert!(!refused.text.contains(&token[37..]), "{}", refused.text);
        }
    }
    assert_eq!(app.admin.get("/api/admin/users?email=pat_smith").await.status, 200);
}

/// The status of a raw request with this `Authorization` header.
async fn raw_status(client: &Client, value: &str) -> u16 {
    let headers = [("authorization", value), ("connection", "close")];
    RawExchange::send(client, "GET", "/api/plans", &headers, "")
        .await
        .status()
}

#[tokio::test]
async fn odd_headers_are_refused() {
    let app = TestApp::spawn().await;
    let program = program(&app.sam, ALL).await;
    let token = program.token.clone().expect("a token");
    let anonymous = app.anonymous();
    assert_eq!(raw_status(&anonymous, &format!("Bearer {token}")).await, 200);
    for (value, status) in [
        (format!("Bearer {token}\0"), 400),
        (format!("Bearer {}", "x".repeat(10_000)), 401),
        (format!("Bearer {}", "x".repeat(40_000)), 431),
        (format!("Bearer {token}{token}"), 401),
        ("Bearer pat_\u{fffd}".to_owned(), 401),
    ] {
        assert_eq!(raw_status(&anonymous, &value).await, status, "{} bytes", value.len());
    }
}
