//! The HTTP layer. Everything that depends on axum is here; this file lists every route.
//!
//! A handler's signature says who is asking, what they may touch and what they sent; its body says what happens.

use crate::app::AppState;
use crate::http::handlers::{
    account, admin, ag_ui, analysis, auth, brands, changes, chat, conversation, data_rights, demo, docs, fields,
    health, inputs, invitations, me, metrics, outputs, page, people, plans, prometheus, prompts, scenarios, tokens,
};
use axum::middleware::{from_fn, from_fn_with_state};
use axum::{Extension, Router, routing::get};
use endpoints::{Endpoints, routes};
use extract::{BodyLimit, RefuseNul};
use layers::session::SessionLayer;
use tower::ServiceBuilder;
use tower_http::CompressionLevel;
use tower_http::compression::CompressionLayer;

pub mod challenge;
pub mod dialect;
mod endpoints;
pub mod error;
pub mod etag;
pub mod extract;
pub mod handlers;
pub mod layers;
pub mod links;
pub mod openapi;
pub mod scopes;
pub mod sse;
pub mod streams;
pub mod throttle;
pub mod wire;

pub use openapi::{openapi, openapi_yaml};

/// A login is an address and a password, a brand is a whole document.
const LOGIN_LIMIT: BodyLimit = BodyLimit(4 * 1024);
const LOGOUT_TOKEN_LIMIT: BodyLimit = BodyLimit(16 * 1024);
const BRAND_LIMIT: BodyLimit = BodyLimit(256 * 1024);

/// Clients of the dialects send the whole conversation with each message, though only the last one is read.
const DIALECT_LIMIT: BodyLimit = BodyLimit(4 * 1024 * 1024);

/// The documented addresses.
fn routes() -> Endpoints {
    Endpoints::default()
        .merge(documents().layer(compression()))
        .merge(streams())
}

/// Those that answer with one document each.
fn documents() -> Endpoints {
    Endpoints::default()
        .routes(routes!(auth::log_in).layer(Extension(LOGIN_LIMIT)))
        .routes(routes!(auth::log_out))
        .routes(routes!(auth::methods::get_sign_in_methods))
        .routes(routes!(auth::oidc::start_single_sign_on))
        .routes(routes!(auth::oidc::finish_single_sign_on))
        .routes(routes!(auth::oidc::backchannel_logout).layer(Extension(LOGOUT_TOKEN_LIMIT)))
        .routes(routes!(auth::log_out_everywhere))
        .routes(routes!(auth::get_me))
        .routes(routes!(auth::invitations::look_at_invitation).layer(Extension(LOGIN_LIMIT)))
        .routes(routes!(auth::invitations::accept_invitation).layer(Extension(LOGIN_LIMIT)))
        .routes(routes!(auth::password::reset_password).layer(Extension(LOGIN_LIMIT)))
        .routes(routes!(auth::password::change_password).layer(Extension(LOGIN_LIMIT)))
        .routes(routes!(account::get_account))
        .routes(routes!(account::list_sessions))
        .routes(routes!(account::revoke_session))
        .routes(routes!(me::get_active_plan, me::set_active_plan))
        .routes(routes!(data_rights::export_data))
        .routes(routes!(data_rights::remove_account))
        .routes(routes!(tokens::list_tokens, tokens::create_token))
        .routes(routes!(tokens::delete_token))
        .routes(routes!(admin::start_impersonation, admin::end_impersonation))
        .routes(routes!(people::list_users))
        .routes(routes!(people::change_user, people::remove_user))
        .routes(routes!(people::issue_password_reset))
        .routes(routes!(invitations::list_invitations, invitations::create_invitation))
        .routes(routes!(invitations::revoke_invitation))
        .routes(routes!(brands::list_brands, brands::create_brand).layer(Extension(BRAND_LIMIT)))
        .routes(routes!(brands::get_brand, brands::replace_brand).layer(Extension(BRAND_LIMIT)))
        .routes(routes!(plans::list_plans, plans::create_plan))
        .routes(routes!(plans::get_plan, plans::rename_plan, plans::delete_plan))
        .routes(routes!(inputs::update_financial_inputs))
        .routes(routes!(outputs::get_outputs))
        .routes(routes!(outputs::get_outputs_csv))
        .routes(routes!(outputs::get_outputs_xlsx))
        .routes(routes!(outputs::get_chart))
        .routes(routes!(changes::list_changes))
        .routes(routes!(changes::undo_change))
        .routes(routes!(changes::undo_changes))
        .routes(routes!(scenarios::list_scenarios, scenarios::create_scenario))
        .routes(routes!(scenarios::replace_scenario, scenarios::delete_scenario))
        .routes(routes!(scenarios::adopt_scenario))
        .routes(routes!(scenarios::compare_scenarios))
        .routes(routes!(analysis::get_sensitivity))
        .routes(routes!(analysis::seek_goal))
        .routes(routes!(outputs::project_what_if))
        .routes(routes!(fields::list_fields))
        .routes(routes!(metrics::list_metrics))
        .routes(routes!(conversation::get_conversation, conversation::clear_conversation).layer(Extension(RefuseNul)))
        .routes(routes!(conversation::cancel_turn))
        .routes(routes!(conversation::erase_words))
        .routes(routes!(conversation::accept_extraction))
        .routes(routes!(conversation::dismiss_extraction))
        .routes(routes!(
            conversation::get_confirmation,
            conversation::resolve_confirmation
        ))
        .routes(routes!(chat::get_chat).layer((Extension(DIALECT_LIMIT), Extension(RefuseNul))))
        .routes(routes!(ag_ui::get_agent_capabilities))
        .routes(routes!(prompts::list_prompts))
        .routes(routes!(health::get_status))
        .routes(routes!(health::get_health))
        .routes(routes!(health::get_readiness))
        .routes(routes!(prometheus::get_metrics))
        .routes(routes!(openapi::get_openapi))
}

/// Those that answer with events as they come. They are never compressed, and a layer that could would cost each of their
/// tokens something.
fn streams() -> Endpoints {
    Endpoints::default()
        .routes(routes!(conversation::send_message).layer(Extension(RefuseNul)))
        .routes(routes!(conversation::stream_conversation))
        .routes(routes!(chat::send_chat).layer((Extension(DIALECT_LIMIT), Extension(RefuseNul))))
        .routes(routes!(chat::resume_chat))
        .routes(routes!(ag_ui::run_agent).layer((Extension(DIALECT_LIMIT), Extension(RefuseNul))))
}

fn compression() -> CompressionLayer {
    CompressionLayer::new().quality(CompressionLevel::Fastest)
}

/// The whole door: addresses, page and what every request passes, outermost first.
pub fn router(app: AppState, streams: streams::Streams) -> Router {
    prometheus::install();
    let api = routes().into_router();
    let cors = layers::cors::layer(&app.config.http);
    let writes = layers::writes::WriteLimit::new(&app.config.limits);
    // In one stack: each `Router::layer` would box the ones below anew, and clone the boxes with every request.
    let layers = ServiceBuilder::new()
        .layer(from_fn_with_state(app.clone(), layers::forwarded::forwarded))
        .layer(from_fn(layers::observe::observe))
        .layer(from_fn(layers::headers::security_headers))
        .option_layer(cors)
        .layer(from_fn(layers::envelope::envelope))
        .layer(SessionLayer::new(app.db.clone(), &app.config.session))
        .layer(from_fn_with_state(app.clone(), layers::authenticate::authenticate))
        .layer(from_fn_with_state((app.clone(), writes), layers::writes::limit_writes))
        .layer(Extension(streams))
        .layer(Extension(health::ModelProbe::default()))
        .layer(Extension(throttle::Logins::new(&app.config.limits)))
        .layer(Extension(crate::password::Passwords::default()));
    let undocumented = Router::new()
        .route("/docs", get(docs::get_docs))
        .route("/docs/style.css", get(docs::get_style))
        .route("/demo.json", get(demo::get_demo))
        .fallback(page::serve)
        .layer(compression());
    api.merge(undocumented).layer(layers).with_state(app)
}
