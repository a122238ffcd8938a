//! The API document, made from the handlers. `openapi.yaml` at the top level is this text.

use crate::http::error::{ErrorEnvelope, status_of};
use crate::http::layers::session::SECURE_NAME;
use crate::http::layers::writes::is_counted;
use crate::http::scopes::{TokenNeed, needed};
use axum::http::{Method, header};
use axum::response::IntoResponse;
use plan_model::error::ErrorCode;
use std::collections::BTreeMap;
use std::sync::LazyLock;
use utoipa::openapi::path::Operation;
use utoipa::openapi::security::{
    ApiKey, ApiKeyValue, HttpAuthScheme, HttpBuilder, SecurityRequirement, SecurityScheme,
};
use utoipa::openapi::{ContentBuilder, HttpMethod, OpenApi, PathItem, Ref, RefOr, Response, ResponseBuilder};
use utoipa::{OpenApi as _, ToSchema};

#[derive(utoipa::OpenApi)]
#[openapi(
    info(
        title = "plan-advisor",
        description = "A planning assistant for franchisees: chat becomes exact plan values, a 60-month projection and an audit trail.\n\n\
            Successes are `{\"data\": …}`, failures `{\"error\": {\"message\", \"code\", \"details\"?}}`. Money is integer cents, \
            percentages are decimals (5% is `0.05`), times are RFC 3339 in UTC, ids are UUIDs. Every answer carries `X-Request-Id`.",
    ),
    tags(
        (name = "session", description = "Logging in and out"),
        (name = "tokens", description = "Access tokens for programs"),
        (name = "plans", description = "Plans, their values, their projection and their history"),
        (name = "scenarios", description = "Other cases beside the plan, what matters in it, and what would have to change"),
        (name = "conversation", description = "Talking to the advisor"),
        (name = "prompts", description = "Every turn from its first moment"),
        (name = "brands", description = "Planning defaults and Item 7 ranges"),
        (name = "administration", description = "For platform administrators"),
        (name = "operation", description = "For those who run the server"),
    ),
    components(schemas(ErrorEnvelope, crate::http::handlers::chat::Approvals)),
)]
struct Document;

const SCHEME: &str = "session";
const TOKEN_SCHEME: &str = "token";

/// The whole document.
pub fn openapi() -> OpenApi {
    let mut document = Document::openapi();
    document.merge(crate::http::routes().into_openapi());
    let components = document.components.get_or_insert_default();
    let cookie = ApiKeyValue::with_description(
        SECURE_NAME,
        "Set by POST /api/auth/login; `session` over plain http on one's own machine",
    );
    components.add_security_scheme(SCHEME, SecurityScheme::ApiKey(ApiKey::Cookie(cookie)));
    let bearer = HttpBuilder::new()
        .scheme(HttpAuthScheme::Bearer)
        .bearer_format("pat_…")
        .description(Some(
            "A personal access token; the scope that an operation needs stands with it",
        ));
    components.add_security_scheme(TOKEN_SCHEME, SecurityScheme::Http(bearer.build()));
    document.security = Some(vec![SecurityRequirement::new(SCHEME, Vec::<String>::new())]);
    for (path, item) in &mut document.paths.paths {
        operations(item).for_each(|(method, operation)| add_security(path, &method, operation));
    }
    // The router knows no suffix behind a parameter; clients see the address as it is used.
    if let Some(mut chart) = document.paths.paths.remove("/api/plans/{id}/charts/{file}") {
        operations(&mut chart).for_each(|(_, operation)| rename(operation, "file", "name"));
        document
            .paths
            .paths
            .insert("/api/plans/{id}/charts/{name}.svg".to_owned(), chart);
    }
    for (path, item) in &mut document.paths.paths {
        operations(item).for_each(|(method, operation)| add_failures(path, &method, operation));
    }
    document
}

/// The document as it is served and kept.
pub fn openapi_yaml() -> String {
    static YAML: LazyLock<String> = LazyLock::new(|| {
        openapi()
            .to_yaml()
            .expect("the document is plain data; a test writes it")
    });
    YAML.clone()
}

/// This document.
#[utoipa::path(get, path = "/openapi.yaml", tag = "operation", security(()), responses((status = 200, body = Object, content_type = "application/yaml")))]
pub async fn get_openapi() -> impl IntoResponse {
    (
        [
            (header::CONTENT_TYPE, "application/yaml; charset=utf-8"),
            (header::CACHE_CONTROL, "no-cache"),
        ],
        openapi_yaml(),
    )
}

/// The operations of one address.
pub fn operations(item: &mut PathItem) -> impl Iterator<Item = (HttpMethod, &mut Operation)> {
    [
        (HttpMethod::Get, item.get.as_mut()),
        (HttpMethod::Put, item.put.as_mut()),
        (HttpMethod::Post, item.post.as_mut()),
        (HttpMethod::Delete, item.delete.as_mut()),
        (HttpMethod::Patch, item.patch.as_mut()),
    ]
    .into_iter()
    .filter_map(|(method, operation)| operation.map(|operation| (method, operation)))
}

/// Adds the scope with which a token is enough; without one only a session is.
fn add_security(path: &str, method: &HttpMethod, operation: &mut Operation) {
    let verb = match method {
        HttpMethod::Put => Method::PUT,
        HttpMethod::Post => Method::POST,
        HttpMethod::Delete => Method::DELETE,
        HttpMethod::Patch => Method::PATCH,
        _ => Method::GET,
    };
    if let Some(TokenNeed::Scope(scope)) = needed(&verb, path) {
        operation.security = Some(vec![
            SecurityRequirement::new(SCHEME, Vec::<String>::new()),
            SecurityRequirement::new(TOKEN_SCHEME, [scope.as_str()]),
        ]);
    }
}

fn rename(operation: &mut Operation, from: &str, to: &str) {
    for parameter in operation.parameters.iter_mut().flatten() {
        if let RefOr::T(parameter) = parameter
            && parameter.name == from
        {
            to.clone_into(&mut parameter.name);
        }
    }
}

/// Failures of single operations, besides those that `add_failures` gives to all of a kind.
const OWN_FAILURES: &[(&str, &[ErrorCode])] = &[
    ("log_in", &[ErrorCode::NotFound, ErrorCode::RateLimited]),
    ("start_single_sign_on", &[ErrorCode::NotFound, ErrorCode::Forbidden]),
    ("finish_single_sign_on", &[ErrorCode::NotFound]),
    ("backchannel_logout", &[ErrorCode::NotFound]),
    ("look_at_invitation", &[ErrorCode::NotFound, ErrorCode::RateLimited]),
    ("accept_invitation", &[ErrorCode::NotFound, ErrorCode::RateLimited]),
    ("reset_password", &[ErrorCode::NotFound, ErrorCode::RateLimited]),
    ("change_password", &[ErrorCode::RateLimited]),
    ("get_account", &[ErrorCode::Forbidden]),
    ("list_sessions", &[ErrorCode::Forbidden]),
    ("create_invitation", &[ErrorCode::Conflict]),
    ("change_user", &[ErrorCode::Conflict]),
    ("remove_user", &[ErrorCode::Conflict, ErrorCode::TurnInProgress]),
    ("issue_password_reset", &[ErrorCode::Conflict]),
    ("create_token", &[ErrorCode::NotFound, ErrorCode::Conflict]),
    ("set_active_plan", &[ErrorCode::NotFound]),
    (
        "remove_account",
        &[ErrorCode::Conflict, ErrorCode::TurnInProgress, ErrorCode::RateLimited],
    ),
    ("export_data", &[ErrorCode::Forbidden, ErrorCode::RateLimited]),
    ("start_impersonation", &[ErrorCode::NotFound]),
    ("create_brand", &[ErrorCode::Conflict]),
    ("list_fields", &[ErrorCode::Forbidden, ErrorCode::NotFound]),
    ("create_plan", &[ErrorCode::Conflict, ErrorCode::IdempotencyKeyReused]),
    ("delete_plan", &[ErrorCode::TurnInProgress]),
    ("update_financial_inputs", &[ErrorCode::VersionMismatch]),
    ("create_scenario", &[ErrorCode::Conflict]),
    ("replace_scenario", &[ErrorCode::Conflict]),
    ("adopt_scenario", &[ErrorCode::Conflict, ErrorCode::VersionMismatch]),
    ("compare_scenarios", &[ErrorCode::Conflict]),
    ("get_sensitivity", &[ErrorCode::Conflict]),
    ("seek_goal", &[ErrorCode::Conflict]),
    ("undo_change", &[ErrorCode::Conflict]),
    ("undo_changes", &[ErrorCode::Conflict]),
    (
        "send_message",
        &[
            ErrorCode::TurnInProgress,
            ErrorCode::Conflict,
            ErrorCode::IdempotencyKeyReused,
            ErrorCode::RateLimited,
            ErrorCode::BudgetExhausted,
        ],
    ),
    (
        "send_chat",
        &[
            ErrorCode::TurnInProgress,
            ErrorCode::Conflict,
            ErrorCode::IdempotencyKeyReused,
            ErrorCode::RateLimited,
            ErrorCode::BudgetExhausted,
        ],
    ),
    (
        "run_agent",
        &[
            ErrorCode::TurnInProgress,
            ErrorCode::Conflict,
            ErrorCode::IdempotencyKeyReused,
            ErrorCode::RateLimited,
            ErrorCode::BudgetExhausted,
        ],
    ),
    ("stream_conversation", &[ErrorCode::RateLimited]),
    ("resume_chat", &[ErrorCode::RateLimited]),
    ("clear_conversation", &[ErrorCode::TurnInProgress]),
    ("erase_words", &[ErrorCode::TurnInProgress]),
    ("accept_extraction", &[ErrorCode::Conflict]),
    ("dismiss_extraction", &[ErrorCode::Conflict]),
    (
        "resolve_confirmation",
        &[ErrorCode::Conflict, ErrorCode::TurnInProgress],
    ),
    ("get_readiness", &[ErrorCode::Unavailable]),
];

/// Lists what an operation may answer besides its success: by its path, its method and its body, and from [`OWN_FAILURES`].
fn add_failures(path: &str, method: &HttpMethod, operation: &mut Operation) {
    let is_api = path.starts_with("/api/");
    let writes = !matches!(method, HttpMethod::Get);
    let has_body = operation.request_body.is_some();
    let has_parameters = operation.parameters.as_ref().is_some_and(|list| !list.is_empty());
    let of_plan = path.starts_with("/api/plans/{id}");
    let rules = [
        (has_body || has_parameters, ErrorCode::ValidationError),
        (is_api, ErrorCode::Unauthenticated),
        (
            is_api && (writes || of_plan || path.starts_with("/api/admin") || path == "/api/me/tokens"),
            ErrorCode::Forbidden,
        ),
        (path.contains('{'), ErrorCode::NotFound),
        (has_body, ErrorCode::PayloadTooLarge),
        (has_body, ErrorCode::UnsupportedMediaType),
        (
            is_api && is_counted(writes, *method == HttpMethod::Post, path),
            ErrorCode::RateLimited,
        ),
        (is_api, ErrorCode::InternalError),
        (is_api, ErrorCode::Unavailable),
    ];
    let id = operation.operation_id.as_deref().unwrap_or_default();
    let own = OWN_FAILURES.iter().filter(|(operation, _)| *operation == id);
    let common = rules.iter().filter(|(applies, _)| *applies).map(|(_, code)| code);
    let mut by_status = BTreeMap::<u16, Vec<&str>>::new();
    for code in common.chain(own.flat_map(|(_, codes)| *codes)) {
        by_status
            .entry(status_of(*code).as_u16())
            .or_default()
            .push(code.as_str());
    }
    for (status, codes) in by_status {
        let waits = if matches!(status, 429 | 503) {
            ", with Retry-After"
        } else {
            ""
        };
        let description = format!("{}{waits}", codes.join(" or "));
        operation
            .responses
            .responses
            .insert(status.to_string(), failure(&description));
    }
}

fn failure(description: &str) -> RefOr<Response> {
    let content = ContentBuilder::new()
        .schema(Some(Ref::from_schema_name(ErrorEnvelope::name())))
        .build();
    ResponseBuilder::new()
        .description(description)
        .content("application/json", content)
        .build()
        .into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_operation_with_failures_of_its_own_exists() {
        let mut document = crate::http::routes().into_openapi();
        let ids: Vec<String> = document
            .paths
            .paths
            .values_mut()
            .flat_map(|item| {
                operations(item)
                    .filter_map(|(_, operation)| operation.operation_id.clone())
                    .collect::<Vec<_>>()
            })
            .collect();
        for (operation, _) in OWN_FAILURES {
            assert!(ids.iter().any(|id| id == operation), "{operation}");
        }
    }
}
