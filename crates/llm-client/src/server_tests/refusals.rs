//! Tests of refusals.

use super::{HI, STOP, ask, ask_with, class, client, request};
use crate::mock_server::{MockServer, Step, response, streamed};
use crate::{Asker, LlmRequest};
use std::time::{Duration, Instant};

#[tokio::test]
async fn each_status_has_its_class_and_only_passing_ones_are_tried_again() {
    let cases = [
        (400, "bad_request", 1),
        (401, "unauthorized", 1),
        (402, "quota", 1),
        (403, "forbidden", 1),
        (404, "not_found", 1),
        (408, "provider_timeout", 3),
        (413, "context_length", 1),
        (429, "rate_limited", 3),
        (500, "server_error", 3),
        (502, "server_error", 3),
        (503, "server_error", 3),
        (529, "server_error", 3),
    ];
    for (status, want, tries) in cases {
        let server = MockServer::always(response(status, "", "<html>no</html>")).await;
        assert_eq!(class(&client(&server)).await, want, "{status}");
        assert_eq!(server.requests().len(), tries, "{status}");
    }
}

#[tokio::test]
async fn what_the_body_says_sharpens_the_status() {
    let cases = [
        (429, r#"{"error":{"code":"insufficient_quota"}}"#, "quota", 1),
        (
            400,
            r#"{"error":{"code":"context_length_exceeded"}}"#,
            "context_length",
            1,
        ),
        (
            400,
            r#"[{"error":{"code":400,"status":"INVALID_ARGUMENT"}}]"#,
            "bad_request",
            1,
        ),
        (
            429,
            r#"[{"error":{"code":429,"status":"RESOURCE_EXHAUSTED"}}]"#,
            "rate_limited",
            3,
        ),
        (404, r#"{"error":"model not found"}"#, "not_found", 1),
        (
            400,
            "max_tokens is too large: the maximum context length is 8192",
            "context_length",
            1,
        ),
    ];
    for (status, body, want, tries) in cases {
        let server = MockServer::always(response(status, "", body)).await;
        assert_eq!(class(&client(&server)).await, want, "{body}");
        assert_eq!(server.requests().len(), tries, "{body}");
    }
}

#[tokio::test]
async fn retry_after_is_kept_where_it_fits_and_fails_at_once_where_not() {
    let second = Duration::from_secs(1);
    let cases = [
        ("0", true, Duration::ZERO),
        ("1", true, second),
        ("Sat, 21 Nov 2015 10:00:00 GMT", true, Duration::ZERO),
        ("86400", false, Duration::ZERO),
        ("Wed, 21 Nov 2125 10:00:00 GMT", false, Duration::ZERO),
    ];
    for (value, recovers, at_least) in cases {
        let server = MockServer::start(move |number| {
            let refused = response(429, &format!("retry-after: {value}\r\n"), "");
            vec![Step::Send(if number == 0 { refused } else { streamed(&[HI, STOP]) })]
        })
        .await;
        let start = Instant::now();
        let (_, result) = ask(&client(&server)).await;
        assert_eq!(result.is_ok(), recovers, "{value}");
        assert!(
            start.elapsed() >= at_least && start.elapsed() < at_least + second,
            "{value}: {:?}",
            start.elapsed()
        );
    }
}

#[tokio::test]
async fn a_redirect_is_not_followed() {
    let canary = MockServer::always(streamed(&[HI, STOP])).await;
    for status in [301, 302, 303, 307, 308] {
        let location = format!("location: http://{}/v1/chat/completions\r\n", canary.address);
        let server = MockServer::always(response(status, &location, "")).await;
        assert_eq!(class(&client(&server)).await, "redirect", "{status}");
    }
    assert_eq!(canary.connections(), 0);
}

#[tokio::test]
async fn five_failures_of_several_people_open_the_circuit_and_the_server_is_left_alone() {
    let server = MockServer::always(response(401, "", "")).await;
    let llm = client(&server);
    for person in 0..5 {
        let asked = LlmRequest {
            asker: Asker::person(person),
            ..request()
        };
        let error = ask_with(&llm, asked).await.1.expect_err("must fail");
        assert_eq!(error.class(), "unauthorized");
    }
    // The fastest of a few: the machine may be busy.
    let mut fastest = Duration::MAX;
    for _ in 0..5 {
        let start = Instant::now();
        assert_eq!(class(&llm).await, "circuit_open");
        fastest = fastest.min(start.elapsed());
    }
    assert!(fastest < Duration::from_millis(50), "{fastest:?}");
    assert_eq!(server.requests().len(), 5);
}

#[tokio::test]
async fn a_refused_parameter_is_left_out_once_and_remembered() {
    let server = MockServer::start(|number| {
        let refuse = |param| response(400, "", &format!(r#"{{"error":{{"message":"no","param":"{param}"}}}}"#));
        vec![Step::Send(match number {
            0 => refuse("max_tokens"),
            1 => refuse("temperature"),
            2 => refuse("stream_options"),
            _ => streamed(&[HI, STOP]),
        })]
    })
    .await;
    let llm = client(&server);
    assert!(llm.adaptations().is_empty());
    ask(&llm).await.1.expect("adapts");
    ask(&llm).await.1.expect("knows");
    assert_eq!(llm.adaptations().len(), 3);

    let bodies: Vec<_> = server
        .requests()
        .iter()
        .map(crate::mock_server::Request::json)
        .collect();
    assert_eq!(bodies.len(), 5);
    assert_eq!(bodies[0]["max_tokens"], 100);
    assert!(bodies[0].get("temperature").is_some() && bodies[0].get("stream_options").is_some());
    assert_eq!(bodies[1]["max_completion_tokens"], 100);
    assert_eq!(bodies[3], bodies[4]);
    for left_out in ["max_tokens", "temperature", "stream_options"] {
        assert!(bodies[4].get(left_out).is_none(), "{left_out}");
    }
}

#[tokio::test]
async fn a_parameter_is_not_given_up_where_that_did_not_help() {
    let server = MockServer::always(response(400, "", "max_tokens is too large for this model")).await;
    let llm = client(&server);
    assert_eq!(class(&llm).await, "bad_request");
    assert_eq!(server.requests().len(), 2, "once as usual, once in the other form");
    assert!(llm.adaptations().is_empty());
}

#[tokio::test]
async fn a_pause_in_milliseconds_is_kept() {
    for header in ["retry-after-ms", "x-ms-retry-after-ms"] {
        let server = MockServer::start(move |number| {
            let refused = response(429, &format!("{header}: 700\r\nretry-after: 86400\r\n"), "");
            vec![Step::Send(if number == 0 { refused } else { streamed(&[HI, STOP]) })]
        })
        .await;
        let start = Instant::now();
        ask(&client(&server)).await.1.expect("waits");
        assert!(start.elapsed() >= Duration::from_millis(700), "{header}");
    }
}
