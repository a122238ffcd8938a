//! Bodies of requests: read into their type, or refused in the error envelope with a code the contract gives for bodies.
#![no_main]

use axum::body::{Body, to_bytes};
use axum::extract::{FromRequest, Request};
use axum::http::StatusCode;
use axum::response::IntoResponse;
use libfuzzer_sys::fuzz_target;
use plan_advisor::http::extract::{JsonBody, ValidJson};
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
            0 => send::<ValidJson<conversation::SendMessageRequest>>(body, content_type).await,
            1 => send::<JsonBody<inputs::UpdateInputsRequest>>(body, content_type).await,
            2 => send::<ValidJson<auth::LoginRequest>>(body, content_type).await,
            3 => send::<JsonBody<plans::CreatePlanRequest>>(body, content_type).await,
            4 => send::<JsonBody<me::SetActivePlanRequest>>(body, content_type).await,
            5 => send::<JsonBody<conversation::AcceptRequest>>(body, content_type).await,
            6 => send::<JsonBody<conversation::ResolveRequest>>(body, content_type).await,
            7 => send::<JsonBody<brands::ReplaceBrandRequest>>(body, content_type).await,
            8 => send::<JsonBody<plans::RenamePlanRequest>>(body, content_type).await,
            _ => send::<ValidJson<admin::StartImpersonationRequest>>(body, content_type).await,
        }
    });
});

async fn send<T>(body: &[u8], content_type: &str)
where
    T: FromRequest<()>,
    T::Rejection: IntoResponse,
{
    let request = Request::post("/")
        .header("content-type", content_type)
        .extension(POLICY)
        .body(Body::from(body.to_vec()))
        .expect("a request");
    match T::from_request(request, &()).await {
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
