//! The API document, made from the handlers. `openapi.yaml` at the top level is this text.

use super::error::ErrorEnvelope;
use super::layers::session::SECURE_NAME;
use axum::http::header;
use axum::response::IntoResponse;
use std::sync::LazyLock;
use utoipa::openapi::path::Operation;
use utoipa::openapi::security::{ApiKey, ApiKeyValue, SecurityRequirement, SecurityScheme};
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
        (name = "plans", description = "Plans, their values, their projection and their history"),
        (name = "conversation", description = "Talking to the advisor"),
        (name = "prompts", description = "Every turn from its first moment"),
        (name = "brands", description = "Planning defaults and Item 7 ranges"),
        (name = "administration", description = "For platform administrators"),
        (name = "operation", description = "For those who run the server"),
    ),
    components(schemas(ErrorEnvelope)),
)]
struct Document;

const SCHEME: &str = "session";

/// The whole document.
#[must_use]
pub fn openapi() -> OpenApi {
    let mut document = Document::openapi();
    document.merge(super::routes().into_openapi());
    let components = document.components.get_or_insert_default();
    let cookie = ApiKeyValue::with_description(
        SECURE_NAME,
        "Set by POST /api/auth/login; `session` over plain http on one's own machine",
    );
    components.add_security_scheme(SCHEME, SecurityScheme::ApiKey(ApiKey::Cookie(cookie)));
    document.security = Some(vec![SecurityRequirement::new(SCHEME, Vec::<String>::new())]);
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
#[must_use]
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

fn rename(operation: &mut Operation, from: &str, to: &str) {
    for parameter in operation.parameters.iter_mut().flatten() {
        if let RefOr::T(parameter) = parameter
            && parameter.name == from
        {
            to.clone_into(&mut parameter.name);
        }
    }
}

/// What every operation of its kind may answer, said once.
fn add_failures(path: &str, method: &HttpMethod, operation: &mut Operation) {
    let (is_api, is_login) = (path.starts_with("/api/"), path == "/api/auth/login");
    let writes = !matches!(method, HttpMethod::Get);
    let has_body = operation.request_body.is_some();
    let takes = has_body
        || operation
            .parameters
            .as_ref()
            .is_some_and(|parameters| !parameters.is_empty());
    let of_plan = path.starts_with("/api/plans/{id}");
    let rules = [
        (takes, "400", "VALIDATION_ERROR"),
        (is_api, "401", "UNAUTHENTICATED"),
        (
            is_api && (writes || of_plan || path.starts_with("/api/admin")),
            "403",
            "FORBIDDEN",
        ),
        (
            path.contains('{') || path.ends_with("active-plan") && writes,
            "404",
            "NOT_FOUND",
        ),
        (
            method == &HttpMethod::Delete && path.ends_with("/plans/{id}"),
            "409",
            "TURN_IN_PROGRESS",
        ),
        (has_body, "413", "PAYLOAD_TOO_LARGE"),
        (has_body, "415", "UNSUPPORTED_MEDIA_TYPE"),
        (is_login, "429", "RATE_LIMITED, with Retry-After"),
        (is_api, "500", "INTERNAL_ERROR"),
        (is_api || path == "/readyz", "503", "UNAVAILABLE, with Retry-After"),
    ];
    for (applies, status, description) in rules {
        if applies {
            operation
                .responses
                .responses
                .entry(status.to_owned())
                .or_insert_with(|| failure(description));
        }
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
