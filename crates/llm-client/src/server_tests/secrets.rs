//! Tests of secrets that must never be logged or sent.

use super::{HI, KEY, SSE, ask, ask_with, client, request, settings};
use crate::mock_server::{MockServer, response, streamed};
use crate::{Asker, LlmRequest, LlmSettings, OpenAiLlm};
use std::{
    io::Write,
    sync::{Arc, Mutex},
};

/// Collects everything that is logged.
#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<u8>>>);

impl Write for Log {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().expect("lock").extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[tokio::test]
async fn the_key_and_peoples_words_are_in_no_log_and_no_error() {
    let echo = format!("Bearer {KEY} is wrong for 'private words'");
    let in_stream = format!("data: {{\"error\":{{\"message\":\"{echo}\"}}}}\n\n");
    let scripts = [
        response(401, "", &format!(r#"{{"error":{{"message":"{echo}"}}}}"#)),
        response(500, "", &echo),
        response(400, "", &echo),
        response(400, "", "no plan has 'private words' in it"),
        response(200, "content-type: text/html\r\n", &echo),
        streamed(&[HI, &in_stream]),
        streamed(&[&format!("data: {{broken {echo}\n\n")]),
        response(200, SSE, &format!("{{\"error\":\"{echo}\"}}")),
    ];
    for log_raw in [false, true] {
        let log = Log::default();
        let writer = log.clone();
        let subscriber = tracing_subscriber::fmt()
            .with_max_level(tracing::Level::TRACE)
            .with_writer(move || writer.clone())
            .finish();
        let _guard = tracing::subscriber::set_default(subscriber);
        let mut said = String::new();
        for script in scripts.clone() {
            let server = MockServer::always(script).await;
            let llm = OpenAiLlm::new(LlmSettings {
                log_raw,
                ..settings(server.address)
            })
            .expect("valid");
            let asked = LlmRequest {
                asker: Asker::person(1),
                ..request()
            };
            let error = anyhow::Error::from(ask_with(&llm, asked).await.1.expect_err("must fail"));
            said.push_str(&format!(
                "{error} {error:?} {error:#} {llm:?} {:?}\n",
                settings(server.address)
            ));
        }
        let logged = String::from_utf8_lossy(&log.0.lock().expect("lock")).into_owned();
        assert!(!said.contains(KEY) && !said.contains("private words"), "{said}");
        assert!(!logged.contains(KEY), "{logged}");
        assert_eq!(
            logged.contains("private words"),
            log_raw,
            "raw logging shows words only when asked for: {logged}"
        );
    }
}

#[tokio::test]
async fn an_operator_reads_what_the_server_says_to_words_of_ours() {
    let body = r#"{"error":{"message":"Unknown model family: upgrade your plan"}}"#;
    let server = MockServer::always(response(400, "", body)).await;
    let error = ask(&client(&server)).await.1.expect_err("refused");
    assert!(
        error
            .to_string()
            .ends_with("(bad_request): Unknown model family: upgrade your plan"),
        "{error}"
    );
    let server = MockServer::always(response(400, "", &format!("the key {KEY} is odd"))).await;
    let error = ask(&client(&server)).await.1.expect_err("refused");
    assert!(error.to_string().ends_with("(bad_request)"), "{error}");
}
