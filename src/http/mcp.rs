//! The plan for the assistant that a person has already: a server of the Model Context Protocol, off unless `MCP=on`.
//!
//! Streamable HTTP without sessions, so any instance answers any request. `rmcp` reads messages, negotiates revisions and holds headers
//! against bodies; who asks, from where, how much and how often is decided by the layers, as everywhere. What an assistant sends is
//! evidence of nothing: no call writes a value, see `proposals.rs`.

mod assistant;
mod plans;
mod proposals;
mod resources;
mod server;
mod tools;

use crate::app::AppState;
use crate::http::error::AppError;
use crate::http::extract::{Credential, json};
use crate::http::layers::resource;
use crate::http::reads::Reads;
use assistant::Assistant;
use axum::body::Body;
use axum::extract::Request;
use axum::http::{HeaderMap, Response, header};
use axum::{Extension, Json};
use bytes::Bytes;
use http_body_util::combinators::BoxBody;
use http_body_util::{BodyExt, Full};
use plan_model::access::{Caller, TokenScope};
use plan_model::error::ErrorCode;
use rmcp::transport::streamable_http_server::session::never::NeverSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use serde_json::{Value, json};
use std::convert::Infallible;
use std::sync::Arc;

/// The largest message in bytes.
pub(crate) const LARGEST_MESSAGE: usize = 256 * 1024;

/// Answers a message of the Model Context Protocol, for a person's own assistant. 404 unless `MCP=on`.
///
/// JSON-RPC by streamable HTTP, without sessions: tools, resources and a prompt around the person's plans. No tool writes a value; what
/// an assistant names waits as a proposal.
#[utoipa::path(post, path = "/mcp", tag = "assistants",
    request_body(content = Object, content_type = "application/json", description = "One JSON-RPC message of at most 256 KiB"),
    responses(
        (status = 200, description = "The JSON-RPC answer, of `ask_advisor` as an event stream", body = Object),
        (status = 202, description = "A notification was taken"),
    ))]
pub(crate) async fn ask_as_assistant(
    app: AppState,
    caller: Caller,
    credential: Credential,
    Extension(reads): Extension<Reads>,
    request: Request,
) -> Result<Response<Body>, AppError> {
    let headers = request.headers().clone();
    let message = json::read_bytes(request).await?;
    let assistant = Assistant::new(app, caller, credential, reads)?;
    let config = StreamableHttpServerConfig::default()
        .with_legacy_session_mode(false)
        // A turn lasts longer than proxies let a connection be silent.
        .with_json_response(!String::from_utf8_lossy(&message).contains(tools::ASK))
        // A layer of ours has looked at it.
        .disable_allowed_hosts();
    let sessions = Arc::new(NeverSessionManager::default());
    let service = StreamableHttpService::new(move || Ok(assistant.clone()), sessions, config);
    let mut asked = http::Request::new(Full::new(message));
    (*asked.method_mut(), *asked.headers_mut()) = (http::Method::POST, headers);
    with_words(service.handle(asked).await).await
}

/// Puts a refusal in plain text into our envelope, with its words.
async fn with_words(response: Response<BoxBody<Bytes, Infallible>>) -> Result<Response<Body>, AppError> {
    let kind = response.headers().get(header::CONTENT_TYPE);
    let is_json = kind.is_some_and(|kind| kind.as_bytes().starts_with(b"application/json"));
    if is_json || !response.status().is_client_error() {
        return Ok(response.map(Body::new));
    }
    let Ok(text) = response.into_body().collect().await;
    let text = String::from_utf8_lossy(&text.to_bytes()).into_owned();
    Err(AppError::new(ErrorCode::ValidationError, text))
}

/// Describes the endpoint for assistants to their clients (RFC 9728). 404 unless `MCP=on`.
///
/// `authorization_servers` has the identity provider, with single sign-on; without it there are only tokens that people make on the page.
#[utoipa::path(get, path = "/.well-known/oauth-protected-resource", tag = "assistants", responses((status = 200, body = Object)))]
pub(crate) async fn get_resource_metadata(app: AppState, headers: HeaderMap) -> Json<Value> {
    Json(json!({
        "resource": resource::address(&app.config, &headers),
        "resource_name": "Plan Advisor",
        "authorization_servers": app.oidc.iter().map(oidc_login::Oidc::issuer).collect::<Vec<_>>(),
        "scopes_supported": TokenScope::ALL,
        "bearer_methods_supported": ["header"],
    }))
}
