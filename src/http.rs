//! Floor 4: the front door. Everything that knows axum lives here; every route is on this screen.
//!
//! A handler's signature says who is asking, what they may touch and what they sent; its body says what happens.

use crate::app::AppState;
use axum::middleware::{from_fn, from_fn_with_state};
use axum::{Extension, Router, routing::get};
use extract::{BodyLimit, RefuseNul};
use layers::session::SessionLayer;
use tower::ServiceBuilder;
use tower_http::CompressionLevel;
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::compression::CompressionLayer;
use utoipa_axum::router::{OpenApiRouter, UtoipaMethodRouterExt};
use utoipa_axum::routes;

pub mod admin;
pub mod auth;
pub mod brands;
pub mod changes;
pub mod conversation;
pub mod demo;
pub mod docs;
pub mod edit;
pub mod error;
pub mod extract;
pub mod fields;
pub mod health;
pub mod inputs;
pub mod layers;
pub mod me;
pub mod metrics;
pub mod openapi;
pub mod outputs;
pub mod page;
pub mod plans;
pub mod prompts;
pub mod sse;
pub mod streams;
pub mod throttle;
pub mod wire;

pub use openapi::{openapi, openapi_yaml};

/// A login is an address and a password, a brand is a whole document.
const LOGIN_LIMIT: BodyLimit = BodyLimit(4 * 1024);
const BRAND_LIMIT: BodyLimit = BodyLimit(256 * 1024);

/// The documented addresses.
fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(auth::log_in).layer(Extension(LOGIN_LIMIT)))
        .routes(routes!(auth::log_out))
        .routes(routes!(auth::log_out_everywhere))
        .routes(routes!(auth::get_me))
        .routes(routes!(me::get_active_plan, me::set_active_plan))
        .routes(routes!(admin::start_impersonation, admin::end_impersonation))
        .routes(routes!(admin::list_users))
        .routes(routes!(brands::list_brands))
        .routes(routes!(brands::get_brand, brands::replace_brand).layer(Extension(BRAND_LIMIT)))
        .routes(routes!(plans::list_plans, plans::create_plan))
        .routes(routes!(plans::get_plan, plans::delete_plan))
        .routes(routes!(inputs::update_financial_inputs))
        .routes(routes!(outputs::get_outputs))
        .routes(routes!(outputs::get_outputs_csv))
        .routes(routes!(outputs::get_chart))
        .routes(routes!(changes::list_changes))
        .routes(routes!(changes::undo_change))
        .routes(routes!(fields::list_fields))
        .routes(
            routes!(
                conversation::send_message,
                conversation::get_conversation,
                conversation::clear_conversation
            )
            .layer(Extension(RefuseNul)),
        )
        .routes(routes!(conversation::stream_conversation))
        .routes(routes!(conversation::cancel_turn))
        .routes(routes!(conversation::accept_extraction))
        .routes(routes!(conversation::dismiss_extraction))
        .routes(routes!(
            conversation::get_confirmation,
            conversation::settle_confirmation
        ))
        .routes(routes!(prompts::list_prompts))
        .routes(routes!(health::get_status))
        .routes(routes!(health::get_health))
        .routes(routes!(health::get_readiness))
        .routes(routes!(metrics::get_metrics))
        .routes(routes!(openapi::get_openapi))
}

/// The whole door: addresses, page and what every request passes, outermost first.
pub fn router(app: AppState, streams: streams::Streams) -> Router {
    metrics::install();
    let (api, _) = routes().split_for_parts();
    let cors = layers::cors::layer(&app.config.http);
    // In one stack: each `Router::layer` would box the ones below anew, and clone the boxes with every request.
    let layers = ServiceBuilder::new()
        .layer(from_fn(layers::observe::observe))
        .layer(from_fn(layers::headers::security_headers))
        .option_layer(cors)
        .layer(CompressionLayer::new().quality(CompressionLevel::Fastest))
        .layer(from_fn(layers::envelope::envelope))
        .layer(CatchPanicLayer::custom(layers::envelope::panicked))
        .layer(SessionLayer::new(app.db.clone(), &app.config.session))
        .layer(from_fn_with_state(app.clone(), layers::authenticate::authenticate))
        .layer(Extension(streams))
        .layer(Extension(health::ModelProbe::default()))
        .layer(Extension(throttle::Logins::new(
            app.config.limits.rate_limit_logins_per_15_minutes,
        )))
        .layer(Extension(crate::password::Passwords::default()));
    api.route("/docs", get(docs::get_docs))
        .route("/docs/style.css", get(docs::get_style))
        .route("/demo.json", get(demo::get_demo))
        .fallback(page::serve)
        .layer(layers)
        .with_state(app)
}
