//! Bodies of requests: read into their type, or refused in the error envelope with a code the contract gives for bodies.
#![no_main]

use axum::body::to_bytes;
use axum::http::StatusCode;
use axum::response::Response;
use libfuzzer_sys::fuzz_target;
use plan_advisor::http::bodies;
use plan_advisor_fuzz::Json;
use serde_json::Value;
use std::sync::LazyLock;
use tokio::runtime::{Builder, Runtime};

static RUNTIME: LazyLock<Runtime> =
    LazyLock::new(|| Builder::new_current_thread().enable_time().build().expect("a runtime"));

const CONTENT_TYPES: [&str; 4] = [
    "application/json",
    "application/json; charset=utf-8",
    "application/json; charset=latin1",
    "text/plain",
];

fuzz_target!(|data: &[u8]| {
    let [which, kind, body @ ..] = data else { return };
    // Most inputs are sent as JSON, or there would be little to find.
    let content_type = CONTENT_TYPES[usize::from(kind.saturating_sub(250)) % CONTENT_TYPES.len()];
    RUNTIME.block_on(async {
        match bodies::read(*which, content_type, body).await {
            Ok(()) => {
                let json = plan_model::clean::json_escapes(body);
                let json = Json::read(&json).expect("accepted bodies are JSON with each key once");
                assert!(matches!(json, Json::Object(_)) && json.depth() <= 16);
                assert!(content_type.starts_with("application/json") && !content_type.ends_with("latin1"));
                assert!(body.len() <= bodies::LARGEST);
            }
            Err(refusal) => refused(refusal).await,
        }
    });
});

async fn refused(response: Response) {
    let status = response.status();
    let body = to_bytes(response.into_body(), 1 << 20).await.expect("a short body");
    let error = &serde_json::from_slice::<Value>(&body).expect("the envelope")["error"];
    let expected = match error["code"].as_str() {
        Some("VALIDATION_ERROR") => StatusCode::BAD_REQUEST,
        Some("PAYLOAD_TOO_LARGE") => StatusCode::PAYLOAD_TOO_LARGE,
        Some("UNSUPPORTED_MEDIA_TYPE") => StatusCode::UNSUPPORTED_MEDIA_TYPE,
        code => panic!("the code {code:?}"),
    };
    assert_eq!(status, expected);
    assert!(error["message"].as_str().is_some_and(|message| !message.is_empty()));
    for detail in error["details"].as_array().into_iter().flatten() {
        assert!(detail["field"].is_string() && detail["message"].is_string(), "{detail}");
    }
}
