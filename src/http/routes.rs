//! Every address of the server, and what may be done there: one row for each operation, and nowhere else.
//!
//! A row says method, address, handler, who may call, what an access token needs, and for writes whether the request counts
//! against the user's writes per minute. What differs from the usual follows: largest body, messages, failures of its own. A table is
//! read by its lines, so rustfmt leaves the rows alone.

use crate::app::AppState;
use crate::http::handlers::{
    access::{account, admin, auth, data_rights, identities, invitations, me, people, tokens},
    dialogue::{ag_ui, chat, conversation, prompts},
    operation::{batch, demo, docs, health, prometheus},
    planning::{
        analysis, brands, cases, changes, corrections, documents, fields, inputs, metrics, outputs, plans, proposals,
        scenarios, story,
    },
};
use crate::http::mcp;
use crate::http::policy::Who::{Anyone, BrandAdmin, Person, Plan, PlatformAdmin, Program};
use crate::http::policy::{Count, Policy, Route, Token, delete, get, page, patch, post, put};
use axum::extract::{MatchedPath, Request};
use axum::http::Method;
use axum::routing::{self, MethodRouter};
use plan_model::access::TokenScope;
use plan_model::error::ErrorCode::{
    self, BudgetExhausted, Conflict, IdempotencyKeyReused, NotFound, NotImplemented, RateLimited, TurnInProgress,
    Unauthenticated, Unavailable, VersionMismatch,
};
use std::collections::HashMap;
use std::sync::LazyLock;
use tower_http::CompressionLevel;
use tower_http::compression::CompressionLayer;
use utoipa::openapi::path::Paths;
use utoipa_axum::router::{OpenApiRouter, UtoipaMethodRouter};
use utoipa_axum::routes;

#[cfg(test)]
mod tests;

const READ: Token = Token::Scope(TokenScope::Read);
const CHAT: Token = Token::Scope(TokenScope::Chat);
const WRITE: Token = Token::Scope(TokenScope::Write);
const WRITE_ALL_PLANS: Token = Token::ScopeForAllPlans(TokenScope::Write);
const LOGIN: Token = Token::Login;

const COUNTS: Count = Count::Write;
const FREE: Count = Count::Nothing;

/// A login is an address and a password.
const SMALL: usize = 4 * 1024;
const LOGOUT_TOKEN: usize = 16 * 1024;
/// A brand is a whole document.
const BRAND: usize = 256 * 1024;
/// Six texts of 2,000 characters, each of which JSON may write as twelve bytes.
const STORY: usize = 6 * 2_000 * 12 + 1_024;
/// Clients of the dialects send the whole conversation with each message, though only the last one is read.
const DIALECT: usize = 4 * 1024 * 1024;

/// How a turn is refused.
const TURN: &[ErrorCode] = &[
    TurnInProgress,
    Conflict,
    IdempotencyKeyReused,
    RateLimited,
    BudgetExhausted,
];

/// Signing in and out.
#[rustfmt::skip]
static SIGN_IN: &[Route] = &[
    post("/api/auth/login", || routes!(auth::log_in), Anyone, LOGIN, FREE).body(SMALL).fails(&[Unauthenticated, NotFound, RateLimited]),
    post("/api/auth/logout", || routes!(auth::log_out), Person, LOGIN, FREE).ends_impersonation(),
    get("/api/auth/methods", || routes!(auth::methods::get_sign_in_methods), Anyone, LOGIN),
    get("/api/auth/oidc/start", || routes!(auth::oidc::start_single_sign_on), Anyone, LOGIN).fails(&[NotFound]),
    get("/api/auth/oidc/callback", || routes!(auth::oidc::finish_single_sign_on), Anyone, LOGIN).fails(&[NotFound]),
    post("/api/auth/oidc/link", || routes!(auth::oidc::link::link_identity), Person, LOGIN, FREE)
        .body(SMALL).fails(&[NotFound, RateLimited, Unavailable]),
    post("/api/auth/oidc/backchannel-logout", || routes!(auth::oidc::backchannel_logout), Anyone, LOGIN, FREE)
        .body(LOGOUT_TOKEN).fails(&[NotFound]),
    post("/api/auth/logout-everywhere", || routes!(auth::log_out_everywhere), Person, LOGIN, FREE).ends_impersonation(),
    get("/api/auth/me", || routes!(auth::get_me), Person, LOGIN),
    post("/api/auth/invitations/look", || routes!(auth::invitations::look_at_invitation), Anyone, LOGIN, FREE)
        .body(SMALL).fails(&[NotFound, RateLimited]),
    post("/api/auth/invitations/accept", || routes!(auth::invitations::accept_invitation), Anyone, LOGIN, FREE)
        .body(SMALL).fails(&[NotFound, RateLimited]),
    post("/api/auth/password-reset", || routes!(auth::password::reset_password), Anyone, LOGIN, FREE)
        .body(SMALL).fails(&[NotFound, Conflict, RateLimited]),
    post("/api/auth/password", || routes!(auth::password::change_password), Person, LOGIN, FREE)
        .body(SMALL).fails(&[NotFound, RateLimited]),
];

/// The person who has signed in.
#[rustfmt::skip]
static ACCOUNT: &[Route] = &[
    get("/api/me/account", || routes!(account::get_account), Person, LOGIN),
    get("/api/me/sessions", || routes!(account::list_sessions), Person, LOGIN),
    delete("/api/me/sessions/{id}", || routes!(account::revoke_session), Person, LOGIN, COUNTS).no_body(),
    get("/api/me/identities", || routes!(identities::list_identities), Person, LOGIN),
    delete("/api/me/identities/{id}", || routes!(identities::unlink_identity), Person, LOGIN, COUNTS)
        .body(SMALL).fails(&[Conflict, RateLimited]),
    get("/api/me/active-plan", || routes!(me::get_active_plan), Person, READ),
    put("/api/me/active-plan", || routes!(me::set_active_plan), Person, WRITE, COUNTS).fails(&[NotFound]),
    get("/api/me/export", || routes!(data_rights::export_data), Person, LOGIN),
    delete("/api/me", || routes!(data_rights::remove_account), Person, LOGIN, COUNTS)
        .fails(&[Conflict, TurnInProgress, RateLimited]),
    get("/api/me/tokens", || routes!(tokens::list_tokens), Person, LOGIN),
    post("/api/me/tokens", || routes!(tokens::create_token), Person, LOGIN, COUNTS)
        .fails(&[NotFound, Conflict, RateLimited]),
    delete("/api/me/tokens/{id}", || routes!(tokens::delete_token), Person, LOGIN, COUNTS).no_body(),
];

/// Administration and brands.
#[rustfmt::skip]
static ADMINISTRATION: &[Route] = &[
    post("/api/admin/impersonation", || routes!(admin::start_impersonation), PlatformAdmin, LOGIN, FREE)
        .ends_impersonation().fails(&[NotFound]),
    delete("/api/admin/impersonation", || routes!(admin::end_impersonation), PlatformAdmin, LOGIN, FREE)
        .ends_impersonation(),
    get("/api/admin/users", || routes!(people::list_users), PlatformAdmin, LOGIN).query(),
    patch("/api/admin/users/{id}", || routes!(people::change_user), PlatformAdmin, LOGIN, COUNTS).fails(&[Conflict]),
    delete("/api/admin/users/{id}", || routes!(people::remove_user), PlatformAdmin, LOGIN, COUNTS)
        .fails(&[Conflict, TurnInProgress]),
    post("/api/admin/users/{id}/password-reset", || routes!(people::issue_password_reset), PlatformAdmin, LOGIN, COUNTS).no_body()
        .fails(&[Conflict]),
    get("/api/admin/users/{id}/identities", || routes!(identities::list_identities_of_user), PlatformAdmin, LOGIN),
    delete("/api/admin/users/{id}/identities/{identity_id}", || routes!(identities::unlink_identity_of_user), PlatformAdmin, LOGIN, COUNTS)
        .no_body().fails(&[Conflict]),
    post("/api/admin/users/{id}/password-reset/approval", || routes!(people::approve_password_reset), PlatformAdmin, LOGIN, COUNTS).no_body()
        .fails(&[Conflict]),
    get("/api/admin/invitations", || routes!(invitations::list_invitations), BrandAdmin, LOGIN),
    post("/api/admin/invitations", || routes!(invitations::create_invitation), BrandAdmin, LOGIN, COUNTS)
        .fails(&[Conflict]),
    delete("/api/admin/invitations/{id}", || routes!(invitations::revoke_invitation), BrandAdmin, LOGIN, COUNTS).no_body(),
    get("/api/brands", || routes!(brands::list_brands), Person, READ),
    post("/api/brands", || routes!(brands::create_brand), PlatformAdmin, LOGIN, COUNTS).body(BRAND).fails(&[Conflict]),
    get("/api/brands/{id}", || routes!(brands::get_brand), Person, READ),
    put("/api/brands/{id}", || routes!(brands::replace_brand), BrandAdmin, LOGIN, COUNTS).body(BRAND).fails(&[VersionMismatch]),
    post("/api/brands/{id}/preview", || routes!(brands::preview::preview_brand), BrandAdmin, LOGIN, COUNTS).body(BRAND)
        .fails(&[VersionMismatch]),
    get("/api/brands/{id}/editions", || routes!(brands::editions::list_editions), BrandAdmin, LOGIN),
    get("/api/brands/{id}/editions/{edition_id}", || routes!(brands::editions::get_edition), BrandAdmin, LOGIN),
    get("/api/brands/{id}/members", || routes!(brands::members::list_members), BrandAdmin, LOGIN),
];

/// Plans, their values and what is computed from them.
#[rustfmt::skip]
static PLANS: &[Route] = &[
    get("/api/plans", || routes!(plans::list_plans), Person, READ).query(),
    post("/api/plans", || routes!(plans::create_plan), Person, WRITE_ALL_PLANS, COUNTS)
        .fails(&[Conflict, IdempotencyKeyReused]),
    get("/api/plans/{id}", || routes!(plans::get_plan), Plan, READ),
    patch("/api/plans/{id}", || routes!(plans::describe_plan), Plan, WRITE, COUNTS),
    delete("/api/plans/{id}", || routes!(plans::delete_plan), Plan, WRITE, COUNTS).no_body().fails(&[TurnInProgress]),
    patch("/api/plans/{id}/financial-inputs", || routes!(inputs::update_financial_inputs), Plan, WRITE, COUNTS)
        .fails(&[VersionMismatch]),
    get("/api/plans/{id}/outputs", || routes!(outputs::get_outputs), Plan, READ).query(),
    get("/api/plans/{id}/outputs.csv", || routes!(outputs::get_outputs_csv), Plan, READ).query(),
    get("/api/plans/{id}/outputs.xlsx", || routes!(outputs::get_outputs_xlsx), Plan, READ).query(),
    get("/api/plans/{id}/charts/{file}", || routes!(outputs::get_chart), Plan, READ).query(),
    get("/api/plans/{id}/story", || routes!(story::get_story), Plan, READ),
    put("/api/plans/{id}/story", || routes!(story::replace_story), Plan, WRITE, COUNTS).body(STORY).fails(&[VersionMismatch]),
    get("/api/plans/{id}/changes", || routes!(changes::list_changes), Plan, READ).query(),
    post("/api/plans/{id}/changes/{change_id}/undo", || routes!(changes::undo_change), Plan, WRITE, COUNTS).no_body()
        .fails(&[Conflict]),
    post("/api/plans/{id}/changes/undo", || routes!(changes::undo_changes), Plan, WRITE, COUNTS).fails(&[Conflict]),
    get("/api/plans/{id}/corrections", || routes!(corrections::list_corrections), Plan, READ),
    post("/api/plans/{id}/corrections/leave", || routes!(corrections::leave_corrections), Plan, WRITE, COUNTS),
    get("/api/plans/{id}/proposals", || routes!(proposals::list_proposals), Plan, READ),
    post("/api/plans/{id}/proposals/resolve", || routes!(proposals::resolve_proposals), Plan, WRITE, COUNTS).fails(&[Conflict]),
    get("/api/plans/{id}/scenarios", || routes!(scenarios::list_scenarios), Plan, READ),
    post("/api/plans/{id}/scenarios", || routes!(scenarios::create_scenario), Plan, WRITE, COUNTS).fails(&[Conflict]),
    put("/api/plans/{id}/scenarios/{scenario_id}", || routes!(scenarios::replace_scenario), Plan, WRITE, COUNTS)
        .fails(&[Conflict]),
    delete("/api/plans/{id}/scenarios/{scenario_id}", || routes!(scenarios::delete_scenario), Plan, WRITE, COUNTS).no_body(),
    post("/api/plans/{id}/scenarios/{scenario_id}/adopt", || routes!(scenarios::adopt_scenario), Plan, WRITE, COUNTS).no_body()
        .fails(&[Conflict, VersionMismatch]),
    get("/api/plans/{id}/compare", || routes!(scenarios::compare_scenarios), Plan, READ).query().fails(&[Conflict]),
    get("/api/plans/{id}/cases", || routes!(cases::list_cases), Plan, READ).query(),
    get("/api/plans/{id}/sensitivity", || routes!(analysis::get_sensitivity), Plan, READ).query().fails(&[Conflict]),
    post("/api/plans/{id}/goal-seek", || routes!(analysis::seek_goal), Plan, READ, COUNTS).fails(&[Conflict]),
    post("/api/plans/{id}/what-if", || routes!(outputs::project_what_if), Plan, READ, COUNTS).fails(&[Conflict]),
    get("/api/metrics", || routes!(metrics::list_metrics), Person, READ),
    get("/api/fields", || routes!(fields::list_fields), Person, READ).query().fails(&[NotFound]),
];

/// What was printed of a plan, and who may read it without an account.
#[rustfmt::skip]
static DOCUMENTS: &[Route] = &[
    get("/api/plans/{id}/documents", || routes!(documents::list_documents), Plan, READ),
    post("/api/plans/{id}/documents", || routes!(documents::create_document), Plan, WRITE, COUNTS).body(SMALL)
        .fails(&[Conflict, IdempotencyKeyReused, NotImplemented, Unavailable]),
    get("/api/plans/{id}/documents/{document_id}", || routes!(documents::get_document), Plan, READ).packed(),
    get("/api/plans/{id}/documents/{document_id}/links", || routes!(documents::links::list_document_links), Plan, READ),
    post("/api/plans/{id}/documents/{document_id}/links", || routes!(documents::links::create_document_link), Plan, WRITE, COUNTS)
        .body(SMALL).fails(&[Conflict]),
    delete("/api/plans/{id}/documents/{document_id}/links/{link_id}", || routes!(documents::links::revoke_document_link), Plan, WRITE, COUNTS)
        .no_body(),
    page("/d/{token}", || routes!(documents::shared::open_shared_document)).packed().fails(&[RateLimited, Unavailable]),
];

/// Talking to the advisor.
#[rustfmt::skip]
static CONVERSATION: &[Route] = &[
    get("/api/plans/{id}/conversation", || routes!(conversation::get_conversation), Plan, READ).query(),
    delete("/api/plans/{id}/conversation", || routes!(conversation::clear_conversation), Plan, WRITE, COUNTS).no_body()
        .fails(&[TurnInProgress]),
    post("/api/plans/{id}/conversation/cancel", || routes!(conversation::cancel_turn), Plan, CHAT, FREE).fails(&[Conflict]),
    post("/api/plans/{id}/conversation/erase", || routes!(conversation::erase_words), Plan, WRITE, COUNTS).no_body()
        .fails(&[TurnInProgress]),
    post("/api/plans/{id}/conversation/extractions/{extraction_id}/accept", || routes!(conversation::accept_extraction), Plan, CHAT, COUNTS)
        .fails(&[Conflict]),
    post("/api/plans/{id}/conversation/extractions/{extraction_id}/dismiss", || routes!(conversation::dismiss_extraction), Plan, CHAT, COUNTS).no_body()
        .fails(&[Conflict]),
    get("/api/plans/{id}/conversation/confirmation", || routes!(conversation::get_confirmation), Plan, READ),
    post("/api/plans/{id}/conversation/confirmation", || routes!(conversation::resolve_confirmation), Plan, CHAT, COUNTS)
        .fails(&[Conflict, TurnInProgress]),
    get("/api/plans/{id}/chat", || routes!(chat::get_chat), Plan, READ).query(),
    get("/api/plans/{id}/ag-ui/capabilities", || routes!(ag_ui::get_agent_capabilities), Plan, READ),
    get("/api/prompts", || routes!(prompts::list_prompts), Person, READ).query(),
    post("/api/plans/{id}/conversation", || routes!(conversation::send_message), Plan, CHAT, FREE)
        .message().streams().fails(TURN),
    get("/api/plans/{id}/conversation/stream", || routes!(conversation::stream_conversation), Plan, READ).query()
        .streams(),
    post("/api/plans/{id}/chat", || routes!(chat::send_chat), Plan, CHAT, FREE)
        .body(DIALECT).message().streams().fails(TURN),
    get("/api/plans/{id}/chat/{chatId}/stream", || routes!(chat::resume_chat), Plan, READ).query()
        .streams(),
    post("/api/plans/{id}/ag-ui", || routes!(ag_ui::run_agent), Plan, CHAT, FREE)
        .body(DIALECT).message().streams().fails(TURN),
];

/// For people's own assistants: only with `MCP=on`.
#[rustfmt::skip]
static ASSISTANTS: &[Route] = &[
    post("/mcp", || routes!(mcp::ask_as_assistant), Program, READ, FREE).body(mcp::LARGEST_MESSAGE).streams().fails(&[NotFound]),
    page("/.well-known/oauth-protected-resource", || routes!(mcp::get_resource_metadata)).fails(&[NotFound]),
    page("/.well-known/oauth-protected-resource/mcp", || undocumented(routing::get(mcp::get_resource_metadata))),
];

/// For those who run the server, and what no document lists.
#[rustfmt::skip]
static OPERATION: &[Route] = &[
    get("/api/batch", || routes!(batch::get_batch), Person, READ).query(),
    get("/api/status", || routes!(health::get_status), Person, READ).works_without_database(),
    page("/healthz", || routes!(health::get_health)),
    page("/readyz", || routes!(health::get_readiness)).fails(&[Unavailable]),
    page("/metrics", || routes!(prometheus::get_metrics)),
    page("/openapi.yaml", || routes!(docs::get_openapi)),
    page("/docs", || undocumented(routing::get(docs::get_docs))),
    page("/demo.json", || undocumented(routing::get(demo::get_demo))),
];

/// All rows.
pub(crate) fn all() -> impl Iterator<Item = &'static Route> {
    [
        SIGN_IN,
        ACCOUNT,
        ADMINISTRATION,
        PLANS,
        DOCUMENTS,
        CONVERSATION,
        ASSISTANTS,
        OPERATION,
    ]
    .into_iter()
    .flatten()
}

/// The rows as a router and as a document, with those for assistants or without. The document is made anew with each call.
pub(crate) fn router(for_assistants: bool) -> OpenApiRouter<AppState> {
    let is_served = |route: &&Route| for_assistants || ASSISTANTS.iter().all(|one| one.address != route.address);
    let (streams, documents): (Vec<_>, Vec<_>) = all().filter(is_served).partition(|route| route.streams);
    router_of(documents.into_iter())
        .layer(compression())
        .merge(router_of(streams.into_iter()))
}

/// For answers that come as one document.
pub(crate) fn compression() -> CompressionLayer {
    CompressionLayer::new().quality(CompressionLevel::Fastest)
}

fn router_of(rows: impl Iterator<Item = &'static Route>) -> OpenApiRouter<AppState> {
    rows.fold(OpenApiRouter::default(), |router, route| match (route.handler)() {
        (_, paths, handler) if paths.paths.is_empty() => router.route(route.address, handler),
        described => router.routes(described),
    })
}

/// A handler that the document does not list.
fn undocumented(handler: MethodRouter<AppState>) -> UtoipaMethodRouter<AppState> {
    (Vec::new(), Paths::new(), handler)
}

/// Gives the request the policy of its route, for the layers behind this one.
pub(crate) fn attach_policy(mut request: Request, max_message_chars: u32) -> Request {
    let policy = match request.extensions().get::<MatchedPath>() {
        Some(address) => policy_of(request.method(), address.as_str()),
        // No route, so only the path can say whether it is a wrong address of the API or one of the page.
        None => match request.uri().path() {
            path if path == "/api" || path.starts_with("/api/") => Policy::UNKNOWN,
            _ => Policy::PAGE,
        },
    };
    request
        .extensions_mut()
        .insert(policy.for_messages_of(max_message_chars));
    request
}

/// The policy of an address that the router knows.
pub(crate) fn policy_of(method: &Method, address: &str) -> Policy {
    static BY_ADDRESS: LazyLock<HashMap<&str, Vec<(Method, Policy)>>> = LazyLock::new(|| {
        let mut found = HashMap::<_, Vec<_>>::new();
        for route in all() {
            let methods = found.entry(route.address).or_default();
            methods.push((route.method(), route.policy));
        }
        found
    });
    let method = if method == Method::HEAD { &Method::GET } else { method };
    let Some(methods) = BY_ADDRESS.get(address) else {
        return Policy::STRICTEST;
    };
    let own = methods.iter().find(|(known, _)| known == method);
    match (own, methods.first()) {
        (Some((_, policy)), _) => *policy,
        (None, Some((_, policy))) => policy.of_other_methods(),
        (None, None) => Policy::STRICTEST,
    }
}
