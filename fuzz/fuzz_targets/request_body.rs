//! Bodies of requests: read into their type, or refused in the error envelope with a code the contract gives for bodies.
#![no_main]

use axum::body::{Body, to_bytes};
use axum::extract::Request;
use axum::http::StatusCode;
use axum::response::IntoResponse;
use libfuzzer_sys::fuzz_target;
use plan_advisor::http::error::AppError;
use plan_advisor::http::extract::{read_json, read_valid_json};
use plan_advisor::http::handlers::{admin, auth, brands, conversation, inputs, me, plans};
use plan_advisor::http::policy::Policy;
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

const POLICY: Policy = Policy {
    body: 2_048,
    refuses_nul: true,
    ..Policy::STRICTEST
};

fuzz_target!(|data: &[u8]| {
    let [route, kind, body @ ..] = data else { return };
    // Most inputs are sent as JSON, or there would be little to find.
    let content_type = CONTENT_TYPES[usize::from(kind.saturating_sub(250)) % CONTENT_TYPES.len()];
    RUNTIME.block_on(async {
        match route % 10 {
            0 => {
                seen(
                    body,
                    content_type,
                    read_valid_json::<conversation::SendMessageRequest>(request(body, content_type)).await,
                )
                .await
            }
            1 => {
                seen(
                    body,
                    content_type,
                    read_json::<inputs::UpdateInputsRequest>(request(body, content_type)).await,
                )
                .await
            }
            2 => {
                seen(
                    body,
                    content_type,
                    read_valid_json::<auth::LoginRequest>(request(body, content_type)).await,
                )
                .await
            }
            3 => {
                seen(
                    body,
                    content_type,
                    read_json::<plans::CreatePlanRequest>(request(body, content_type)).await,
                )
                .await
            }
            4 => {
                seen(
                    body,
                    content_type,
                    read_json::<me::SetActivePlanRequest>(request(body, content_type)).await,
                )
                .await
            }
            5 => {
                seen(
                    body,
                    content_type,
                    read_json::<conversation::AcceptRequest>(request(body, content_type)).await,
                )
                .await
            }
            6 => {
                seen(
                    body,
                    content_type,
                    read_json::<conversation::ResolveRequest>(request(body, content_type)).await,
                )
                .await
            }
            7 => {
                seen(
                    body,
                    content_type,
                    read_json::<brands::ReplaceBrandRequest>(request(body, content_type)).await,
                )
                .await
            }
            8 => {
                seen(
                    body,
                    content_type,
                    read_json::<plans::RenamePlanRequest>(request(body, content_type)).await,
                )
                .await
            }
            _ => {
                seen(
                    body,
                    content_type,
                    read_valid_json::<admin::StartImpersonationRequest>(request(body, content_type)).await,
                )
                .await
            }
        }
    });
});

fn request(body: &[u8], content_type: &str) -> Request {
    Request::post("/")
        .header("content-type", content_type)
        .extension(POLICY)
        .body(Body::from(body.to_vec()))
        .expect("a request")
}

async fn seen<T>(body: &[u8], content_type: &str, read: Result<T, AppError>) {
    match read {
        Ok(_) => {
            let json = plan_model::clean::json_escapes(body);
            let json = Json::read(&json).expect("accepted bodies are JSON with each key once");
            assert!(matches!(json, Json::Object(_)) && json.depth() <= 16);
            assert!(content_type.starts_with("application/json") && !content_type.ends_with("latin1"));
            assert!(body.len() <= 2_048);
        }
        Err(refusal) => refused(refusal.into_response()).await,
    }
}

async fn refused(response: axum::response::Response) {
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
