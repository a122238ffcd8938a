//! Connections that break, fall silent or never end.

use super::{DONE, HI, STOP, ask, class, client, impatient, request, settings};
use crate::mock_server::{MockServer, Step, begun, response, streamed};
use crate::{Llm, LlmError, LlmEvent, LlmSettings, OpenAiLlm};
use futures_util::StreamExt;
use std::{
    net::SocketAddr,
    time::{Duration, Instant},
};
use tokio::io::{AsyncReadExt, AsyncWriteExt};

#[tokio::test]
async fn what_breaks_before_the_first_word_is_tried_again_and_never_shown_twice() {
    let error = "data: {\"error\":{\"code\":503}}\n\n";
    let beginnings: Vec<Vec<Step>> = vec![
        vec![Step::Close],
        vec![Step::Reset],
        vec![Step::Send(begun("")), Step::Close],
        vec![Step::Send(begun(": hb\n\n")), Step::Reset],
        vec![Step::Send(streamed(&[error]))],
        vec![Step::Send(response(
            200,
            "content-type: application/json\r\n",
            r#"{"error":{"code":503}}"#,
        ))],
        vec![Step::Send(streamed(&[DONE]))],
    ];
    for (at, beginning) in beginnings.into_iter().enumerate() {
        let server = MockServer::start(move |number| match number {
            0 => beginning.clone(),
            _ => vec![Step::Send(streamed(&[HI, STOP, DONE]))],
        })
        .await;
        let (text, result) = ask(&client(&server)).await;
        assert_eq!(text, "Hi", "beginning {at}");
        result.expect("the second try works");
        assert_eq!(server.requests().len(), 2, "beginning {at}");
    }
}

#[tokio::test]
async fn what_breaks_behind_the_first_word_ends_the_call() {
    let endings: Vec<(Vec<Step>, &str)> = vec![
        (vec![Step::Close], "cut"),
        (vec![Step::Reset], "connection"),
        (
            vec![Step::Send(b"data: {\"error\":{\"code\":503}}\n\n".to_vec())],
            "server_error",
        ),
        (vec![Step::Send(b"data: {\"choices\":[{\n\n".to_vec())], "malformed"),
        (vec![Step::Silence], "gap_timeout"),
        (
            vec![Step::Repeat(": hb\n\n".into(), Duration::from_millis(20))],
            "gap_timeout",
        ),
        (
            vec![Step::Repeat(
                "data: {\"choices\":[{\"delta\":{\"content\":\"\"}}]}\n\n".into(),
                Duration::from_millis(20),
            )],
            "gap_timeout",
        ),
    ];
    for (ending, want) in endings {
        let server = MockServer::start(move |_| {
            let usage = "data: {\"usage\":{\"prompt_tokens\":7,\"completion_tokens\":1}}\n\n";
            let beginning = Step::Send(begun(&format!("{HI}{usage}")));
            std::iter::once(beginning).chain(ending.clone()).collect()
        })
        .await;
        let llm = client(&server);
        let (text, result) = ask(&llm).await;
        let error = result.expect_err("must fail");
        assert_eq!(error.class(), want);
        // A reset may overtake what was sent before it.
        if want != "connection" {
            assert_eq!(text, "Hi", "{want}");
            assert_eq!(error.usage().map(|usage| usage.total_tokens), Some(8), "{want}");
            assert_eq!(server.requests().len(), 1, "{want}");
        }
    }
}

#[tokio::test]
async fn silence_before_the_first_word_ends_in_time_comments_or_not() {
    let silences: Vec<Vec<Step>> = vec![
        vec![Step::Silence],
        vec![Step::Send(begun("")), Step::Silence],
        vec![
            Step::Send(begun("")),
            Step::Repeat(": hb\n\n".into(), Duration::from_millis(20)),
        ],
        vec![
            Step::Send(begun("")),
            Step::Repeat("data: {\"choices\":[]}\n\n".into(), Duration::from_millis(20)),
        ],
        vec![
            Step::Send(b"HTTP/1.1 503 X\r\ncontent-length: 9\r\n\r\n".to_vec()),
            Step::Silence,
        ],
    ];
    for silence in silences {
        let mut server = MockServer::start(move |_| silence.clone()).await;
        let start = Instant::now();
        assert_eq!(class(&impatient(&server)).await, "first_token_timeout");
        assert!(start.elapsed() < Duration::from_secs(2), "{:?}", start.elapsed());
        server.client_gone().await;
        assert_eq!(server.requests().len(), 1);
    }
}

#[tokio::test]
async fn reasoning_keeps_a_call_alive_and_is_never_shown() {
    let thought = "data: {\"choices\":[{\"delta\":{\"reasoning_content\":\"secret thought\"}}]}\n\n";
    let server = MockServer::start(move |_| vec![Step::Send(begun(thought)), Step::Silence]).await;
    let llm = impatient(&server);
    let mut stream = llm.stream(request()).await.expect("thoughts are a beginning");
    let error = stream.next().await.expect("an item").expect_err("falls silent");
    assert_eq!(error.class(), "gap_timeout");
}

#[tokio::test]
async fn dropping_the_future_or_the_stream_drops_the_request() {
    let mut silent = MockServer::start(|_| vec![Step::Silence]).await;
    let llm = client(&silent);
    let asked = tokio::time::timeout(Duration::from_millis(100), llm.stream(request())).await;
    assert!(asked.is_err(), "still waiting");
    silent.client_gone().await;

    let mut talking = MockServer::start(|_| vec![Step::Send(begun(HI)), Step::Silence]).await;
    let llm = client(&talking);
    let mut stream = llm.stream(request()).await.expect("begun");
    assert_eq!(
        stream.next().await.expect("an item").expect("text"),
        LlmEvent::Text("Hi".into())
    );
    drop(stream);
    talking.client_gone().await;
    for _ in 0..6 {
        drop(
            llm.stream(request())
                .await
                .expect("stopped turns do not open the circuit"),
        );
    }
}

#[tokio::test]
async fn endless_bodies_are_cut_at_the_cap() {
    let server = MockServer::start(|_| {
        vec![
            Step::Send(begun(HI)),
            Step::Repeat(format!(": {}\n\n", "x".repeat(32_768)), Duration::ZERO),
        ]
    })
    .await;
    // Reading megabytes takes its time in a debug build.
    let patient = LlmSettings {
        gap_timeout: Duration::from_secs(20),
        ..settings(server.address)
    };
    let patient = OpenAiLlm::new(patient).expect("valid settings");
    let (text, result) = ask(&patient).await;
    assert_eq!(
        (text.as_str(), result.expect_err("endless").class()),
        ("Hi", "too_large")
    );

    let endless_error = b"HTTP/1.1 400 X\r\nconnection: close\r\n\r\n".to_vec();
    let mut server = MockServer::start(move |_| {
        vec![
            Step::Send(endless_error.clone()),
            Step::Repeat(format!(": {}\n\n", "x".repeat(32_768)), Duration::ZERO),
        ]
    })
    .await;
    assert_eq!(class(&client(&server)).await, "bad_request");
    server.client_gone().await;
}

#[tokio::test]
async fn nobody_there_is_told_at_once() {
    // No service has port 1, and no test gets it.
    let free = SocketAddr::from(([127, 0, 0, 1], 1));
    let llm = OpenAiLlm::new(settings(free)).expect("valid");
    let (_, result) = ask(&llm).await;
    assert!(
        matches!(result, Err(LlmError::Connect { kind: "refused", .. })),
        "{result:?}"
    );
    assert!(!llm.is_reachable().await);
}

#[tokio::test]
async fn a_tls_error_is_told_at_once_and_not_tried_again() {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("bound");
    let connections = tokio::spawn(async move {
        let mut count = 0;
        while let Ok(Ok((mut socket, _))) = tokio::time::timeout(Duration::from_millis(900), listener.accept()).await {
            count += 1;
            let _ = socket.write_all(b"HTTP/1.1 400 This is no TLS\r\n\r\n").await;
            let _ = socket.read(&mut [0; 512]).await;
        }
        count
    });
    let https = LlmSettings {
        base_url: Some(format!("https://{address}/v1")),
        ..settings(address)
    };
    // Without CA certificates there is no client to try with.
    let Ok(llm) = OpenAiLlm::new(https) else { return };
    let (_, result) = ask(&llm).await;
    assert!(
        matches!(result, Err(LlmError::Connect { kind: "tls", .. })),
        "{result:?}"
    );
    assert_eq!(connections.await.expect("counted"), 1);
}

#[tokio::test]
async fn a_slow_reader_is_not_taken_for_a_silent_provider() {
    let server = MockServer::always(streamed(&[HI, HI, STOP, DONE])).await;
    let llm = client(&server);
    let mut stream = llm.stream(request()).await.expect("begun");
    // Longer than the gap between two pieces may be.
    tokio::time::sleep(Duration::from_millis(400)).await;
    while let Some(item) = stream.next().await {
        item.expect("all of it is there");
    }
}

#[tokio::test]
async fn a_model_that_thinks_may_be_silent_for_longer() {
    let message = |rest: &str| {
        let start = r#"{"type":"message_start","message":{}}"#;
        let text = r#"{"type":"content_block_start","index":0,"content_block":{"type":"text","text":"Hi"}}"#;
        let stop = r#"{"type":"content_block_stop","index":0}"#;
        format!("data: {start}\n\ndata: {text}\n\ndata: {stop}\n\n{rest}")
    };
    let thinking =
        r#"data: {"type":"content_block_start","index":1,"content_block":{"type":"thinking","thinking":""}}"#;
    let item = r#"data: {"type":"response.output_item.added","output_index":1,"item":{"type":"reasoning"}}"#;
    let said = r#"data: {"type":"response.output_text.delta","output_index":0,"delta":"Hi"}"#;
    let cases = [
        (message(""), 300),
        (message(&format!("{thinking}\n\n")), 600),
        (message("data: {\"type\":\"ping\"}\n\n"), 600),
        (format!("{said}\n\n"), 300),
        (format!("{said}\n\n{item}\n\n"), 600),
        (format!("{said}\n\ndata: {{\"type\":\"keepalive\"}}\n\n"), 600),
    ];
    for (stream, limit) in cases {
        let sent = stream.clone();
        let server = MockServer::start(move |_| vec![Step::Send(begun(&sent)), Step::Silence]).await;
        let error = ask(&client(&server)).await.1.expect_err("falls silent");
        assert!(
            matches!(error, LlmError::Gap(gap) if gap == Duration::from_millis(limit)),
            "{error:?} {stream}"
        );
    }
}
