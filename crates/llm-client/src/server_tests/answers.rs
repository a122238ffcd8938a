//! Calls that work.

use super::{DONE, HI, KEY, SSE, STOP, ask, class, client, request};
use crate::mock_server::{MockServer, Step, begun, response, streamed};
use crate::{Attempts, FinishReason, Llm, LlmEvent, LlmRequest, LlmSettings, OpenAiLlm};
use futures_util::StreamExt;
use std::sync::Arc;
use std::time::{Duration, Instant};

#[tokio::test]
async fn one_call_sends_the_key_in_the_header_and_gets_text_and_completion() {
    let server = MockServer::always(streamed(&[HI, HI, STOP, DONE])).await;
    let (text, finish) = ask(&client(&server)).await;
    assert_eq!((text.as_str(), finish.expect("whole")), ("HiHi", FinishReason::Stop));

    let requests = server.requests();
    let head = requests[0].head.to_lowercase();
    assert!(head.starts_with("post /v1/chat/completions http/1.1"), "{head}");
    assert!(
        head.contains(&format!("authorization: bearer {KEY}")) && head.contains("accept-encoding: identity"),
        "{head}"
    );
    assert_eq!(head.matches(KEY).count() + requests[0].body.matches(KEY).count(), 1);
    let body = requests[0].json();
    assert_eq!(body["model"], "test-model");
    assert_eq!(body["stream"], true);
    assert!(body.get("tool_choice").is_none() && body.get("parallel_tool_calls").is_none());
}

#[tokio::test]
async fn a_burst_arrives_whole_and_in_order() {
    let pieces: Vec<&str> = std::iter::repeat_n(HI, 50).chain([STOP, DONE]).collect();
    let server = MockServer::always(streamed(&pieces)).await;
    let llm = client(&server);
    let mut texts = Vec::new();
    let mut stream = llm.stream(request()).await.expect("begun");
    while let Some(Ok(LlmEvent::Text(text))) = stream.next().await {
        texts.push(text);
    }
    assert_eq!(texts.concat(), "Hi".repeat(50));
    assert!(texts.iter().all(|text| !text.is_empty()));
}

#[tokio::test]
async fn a_server_that_does_not_hang_up_is_not_waited_for() {
    for (body, at_most) in [(format!("{HI}{STOP}{DONE}"), 2), (format!("{HI}{STOP}"), 5)] {
        let mut server = MockServer::start(move |_| vec![Step::Send(begun(&body)), Step::Silence]).await;
        let start = Instant::now();
        ask(&client(&server)).await.1.expect("whole");
        assert!(start.elapsed() < Duration::from_secs(at_most), "{:?}", start.elapsed());
        server.client_gone().await;
    }
}

#[tokio::test]
async fn the_connection_serves_the_next_call() {
    let server = MockServer::always(streamed(&[HI, STOP, DONE])).await;
    let llm = client(&server);
    for _ in 0..4 {
        ask(&llm).await.1.expect("whole");
    }
    assert_eq!((server.requests().len(), server.connections()), (4, 1));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn many_answers_at_once_arrive_whole_piece_by_piece() {
    const PIECES: usize = 20;
    let server = MockServer::start(|_| {
        let whole = streamed(&[&[HI; PIECES][..], &[STOP, DONE]].concat());
        whole.chunks(37).map(|bytes| Step::Send(bytes.to_vec())).collect()
    })
    .await;
    let llm = Arc::new(client(&server));
    let readers: Vec<_> = (0..8)
        .map(|_| {
            let llm = Arc::clone(&llm);
            tokio::spawn(async move {
                for _ in 0..25 {
                    let (text, ended) = ask(&llm).await;
                    assert_eq!(text, "Hi".repeat(PIECES));
                    ended.expect("whole");
                }
            })
        })
        .collect();
    for reader in readers {
        reader.await.expect("all answers");
    }
    assert!(server.connections() <= 16, "{}", server.connections());
}

#[tokio::test]
async fn bodies_that_are_no_stream_are_told_apart() {
    let json = r#"{"choices":[{"message":{"content":"Hi"},"finish_reason":"stop"}]}"#;
    let server = MockServer::always(response(200, "content-type: application/json\r\n", json)).await;
    assert_eq!(ask(&client(&server)).await.0, "Hi");
    let server = MockServer::always(response(200, SSE, json)).await;
    assert_eq!(ask(&client(&server)).await.0, "Hi");

    let cases = [
        ("content-type: text/html\r\n", HI, "not_a_stream"),
        (SSE, "<html>sign in</html>", "not_a_stream"),
        ("content-type: image/png\r\n", HI, "not_a_stream"),
        (
            "content-type: text/event-stream\r\ncontent-encoding: gzip\r\n",
            "\u{1f}",
            "not_a_stream",
        ),
        (
            "content-type: application/json\r\n",
            r#"{"error":{"code":"invalid_api_key","status":401}}"#,
            "unauthorized",
        ),
        (SSE, "", "cut"),
    ];
    for (headers, body, want) in cases {
        let server = MockServer::always(response(200, headers, body)).await;
        assert_eq!(class(&client(&server)).await, want, "{headers}{body}");
    }
}

#[tokio::test]
async fn reachable_means_that_it_answers_and_takes_the_key() {
    for (status, reachable) in [
        (200, true),
        (404, true),
        (405, true),
        (401, false),
        (403, false),
        (500, false),
        (302, false),
    ] {
        let server = MockServer::always(response(status, "", "{}")).await;
        assert_eq!(client(&server).is_reachable().await, reachable, "{status}");
        assert!(server.requests()[0].head.starts_with("GET /v1/models"));
    }
}

#[tokio::test]
async fn without_key_and_address_every_call_says_so() {
    let llm = OpenAiLlm::new(LlmSettings::default()).expect("valid");
    assert!(!llm.is_configured() && !llm.is_reachable().await);
    let error = ask(&llm).await.1.expect_err("not configured");
    assert_eq!(error.class(), "not_configured");
    assert!(!error.is_retryable_by_user());
}

#[tokio::test]
async fn a_call_asked_once_names_its_own_model_is_not_repeated_and_not_counted() {
    let server = MockServer::always(response(500, "", "{}")).await;
    let llm = client(&server);
    for _ in 0..6 {
        let once = LlmRequest {
            model: Some("small-reviewer".into()),
            temperature: Some(0.0),
            attempts: Attempts::Once,
            ..request()
        };
        let error = llm.stream(once).await.err().expect("the server fails");
        assert_eq!(error.class(), "server_error", "never an open circuit");
    }
    let requests = server.requests();
    assert_eq!(requests.len(), 6, "one request each");
    let body = requests[0].json();
    assert_eq!(body["model"], "small-reviewer");
    assert_eq!(body["temperature"], 0);
    assert!(body.get("tools").is_none());
}
