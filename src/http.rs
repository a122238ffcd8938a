//! The HTTP layer. Everything that depends on axum is here; `routes.rs` lists every route.
//!
//! A handler's signature says who is asking, what they may touch and what they sent; its body says what happens.

use crate::app::AppState;
use crate::config::FontFolder;
use crate::http::handlers::operation::{batch, docs, health, page, prometheus};
use crate::http::handlers::planning::documents;
use crate::plans::documents::Press;
use axum::middleware::{from_fn, from_fn_with_state};
use axum::{Extension, Router};
use layers::session::SessionLayer;
use tower::ServiceBuilder;

pub(crate) mod attachment;
#[cfg(feature = "fuzzing")]
pub mod bodies;
pub(crate) mod challenge;
pub mod dialect;
pub(crate) mod error;
pub(crate) mod etag;
pub(crate) mod extract;
pub(crate) mod handlers;
pub(crate) mod history;
pub mod layers;
pub(crate) mod links;
pub(crate) mod mcp;
pub mod openapi;
pub(crate) mod policy;
pub(crate) mod reads;
pub(crate) mod routes;
pub(crate) mod sse;
pub mod streams;
pub(crate) mod throttle;
pub(crate) mod wire;

pub use openapi::{openapi, openapi_yaml};

/// Routes, page and the layers that every request passes, outermost first.
pub fn router(app: AppState, streams: streams::Streams) -> Router {
    prometheus::install();
    let api = Router::from(routes::router(app.config.http.mcp));
    let reads = reads::Reads::new(&app.config.limits);
    let max_message_chars = app.config.llm.max_message_chars;
    let press = Press::new(app.config.documents.fonts.as_ref().map_or(&[], FontFolder::files));
    let cors = layers::cors::layer(&app.config.http);
    // In one stack: each `Router::layer` would box the ones below anew, and clone the boxes with every request.
    let layers = ServiceBuilder::new()
        .map_request(move |request| routes::attach_policy(request, max_message_chars))
        .layer(from_fn_with_state(app.clone(), layers::forwarded::forwarded))
        .layer(from_fn(layers::observe::observe))
        .layer(from_fn(layers::headers::security_headers))
        .option_layer(cors)
        .layer(from_fn(layers::envelope::envelope))
        .layer(from_fn_with_state(app.clone(), layers::host::refuse_strange_hosts))
        .layer(SessionLayer::new(app.db.clone(), &app.config.session))
        .layer(from_fn_with_state(app.clone(), layers::authenticate::authenticate))
        .layer(from_fn_with_state(app.clone(), layers::writes::limit_writes))
        .layer(from_fn_with_state(reads.clone(), layers::reads::limit_reads))
        .layer(Extension(reads))
        .layer(Extension(streams))
        .layer(Extension(docs::ApiDocument(openapi_yaml)))
        .layer(Extension(health::ModelProbe::default()))
        .layer(Extension(press))
        .layer(Extension(documents::shared::Visitors::default()))
        .layer(Extension(throttle::Logins::new(&app.config.limits)))
        .layer(Extension(crate::password::Passwords::default()));
    let page = Router::new().fallback(page::serve).layer(routes::compression());
    let server = api.merge(page).layer(layers).with_state(app);
    // A copy that knows the server, so that none knows itself: that would never be dropped.
    let itself = batch::Itself(server.clone());
    server.layer(Extension(itself))
}
