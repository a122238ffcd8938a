//! Every kind of body by number, for the fuzz target that sends them.

use crate::http::extract::json::{read_json, read_valid_json};
use crate::http::handlers::{
    access::{admin, auth, me},
    dialogue::conversation,
    planning::{brands, inputs, plans},
};
use crate::http::policy::Policy;
use axum::body::Body;
use axum::extract::Request;
use axum::response::{IntoResponse, Response};

/// The largest body that is read here, in bytes.
pub const LARGEST: usize = 2_048;

/// Reads a body as one of the requests; which, says the number.
///
/// # Errors
/// The answer that refuses it.
pub async fn read(which: u8, content_type: &str, body: &[u8]) -> Result<(), Response> {
    let policy = Policy {
        body: LARGEST,
        is_message: true,
        ..Policy::STRICTEST
    };
    let request = Request::post("/")
        .header("content-type", content_type)
        .extension(policy)
        .body(Body::from(body.to_vec()))
        .map_err(|error| error.to_string().into_response())?;
    let read = match which % 10 {
        0 => read_valid_json::<conversation::SendMessageRequest>(request)
            .await
            .map(drop),
        1 => read_json::<inputs::UpdateInputsRequest>(request).await.map(drop),
        2 => read_valid_json::<auth::LoginRequest>(request).await.map(drop),
        3 => read_json::<plans::CreatePlanRequest>(request).await.map(drop),
        4 => read_json::<me::SetActivePlanRequest>(request).await.map(drop),
        5 => read_json::<conversation::AcceptRequest>(request).await.map(drop),
        6 => read_json::<conversation::ResolveRequest>(request).await.map(drop),
        7 => read_json::<brands::ReplaceBrandRequest>(request).await.map(drop),
        8 => read_json::<plans::DescribePlanRequest>(request).await.map(drop),
        _ => read_valid_json::<admin::StartImpersonationRequest>(request)
            .await
            .map(drop),
    };
    read.map_err(IntoResponse::into_response)
}
