//! The API document, made from the handlers. `openapi.yaml` at the top level is this text.

use crate::http::error::{ErrorEnvelope, status_of};
use crate::http::layers::session::SECURE_NAME;
use crate::http::policy::{Count, Route, Token, Who};
use crate::http::routes;
use plan_model::error::ErrorCode;
use std::collections::BTreeMap;
use std::sync::LazyLock;
use utoipa::openapi::path::{Operation, ParameterIn};
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
        (name = "documents", description = "What was printed of a plan, and links to it"),
        (name = "scenarios", description = "Other cases beside the plan, what matters in it, and what would have to change"),
        (name = "conversation", description = "Talking to the advisor"),
        (name = "prompts", description = "Every turn from its first moment"),
        (name = "assistants", description = "People's own assistants, by the Model Context Protocol"),
        (name = "brands", description = "Planning defaults and Item 7 ranges"),
        (name = "administration", description = "For platform administrators"),
        (name = "operation", description = "For those who run the server"),
    ),
    components(schemas(ErrorEnvelope, crate::http::handlers::dialogue::chat::Approvals)),
)]
struct Document;

const SCHEME: &str = "session";
const TOKEN_SCHEME: &str = "token";

/// The whole document.
pub fn openapi() -> OpenApi {
    let mut document = Document::openapi();
    document.merge(routes::router(true).into_openapi());
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
    for route in routes::all() {
        let item = document.paths.paths.get_mut(route.address);
        if let Some(operation) = item.and_then(|item| operation_of(item, &route.method)) {
            add_security(route, operation);
            add_failures(route, operation);
        }
    }
    // The router knows no suffix behind a parameter; clients see the address as it is used.
    if let Some(mut chart) = document.paths.paths.remove("/api/plans/{id}/charts/{file}") {
        if let Some(operation) = &mut chart.get {
            rename(operation, "file", "name");
        }
        document
            .paths
            .paths
            .insert("/api/plans/{id}/charts/{name}.svg".to_owned(), chart);
    }
    document
}

/// The document as it is served and kept.
pub fn openapi_yaml() -> &'static str {
    static YAML: LazyLock<String> = LazyLock::new(|| {
        openapi()
            .to_yaml()
            .expect("the document is plain data; a test writes it")
    });
    &YAML
}

fn operation_of<'a>(item: &'a mut PathItem, method: &HttpMethod) -> Option<&'a mut Operation> {
    match method {
        HttpMethod::Get => item.get.as_mut(),
        HttpMethod::Put => item.put.as_mut(),
        HttpMethod::Post => item.post.as_mut(),
        HttpMethod::Delete => item.delete.as_mut(),
        HttpMethod::Patch => item.patch.as_mut(),
        HttpMethod::Options | HttpMethod::Head | HttpMethod::Trace => None,
    }
}

/// Says where nothing is needed, and with which scope a token is enough; everywhere else only a session is.
fn add_security(route: &Route, operation: &mut Operation) {
    let policy = route.policy;
    if !policy.needs_caller() {
        operation.security = Some(vec![SecurityRequirement::default()]);
    } else if let Token::Scope(scope) | Token::ScopeForAllPlans(scope) = policy.token {
        let session = SecurityRequirement::new(SCHEME, Vec::<String>::new());
        let token = SecurityRequirement::new(TOKEN_SCHEME, [scope.as_str()]);
        operation.security = Some(match policy.who {
            Who::Program => vec![token],
            _ => vec![session, token],
        });
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

/// Lists what an operation may answer besides its success: what follows from its policy, method and body, and its own.
fn add_failures(route: &Route, operation: &mut Operation) {
    let policy = route.policy;
    let is_api = policy.is_api();
    let writes = route.method != HttpMethod::Get;
    let has_body = operation.request_body.is_some();
    let parameters = operation.parameters.as_deref().unwrap_or_default();
    let names_one = parameters
        .iter()
        .any(|parameter| matches!(parameter, RefOr::T(one) if one.parameter_in == ParameterIn::Path));
    let rules = [
        // A token in the address, or beside another credential.
        (is_api || !parameters.is_empty(), ErrorCode::ValidationError),
        (policy.needs_caller(), ErrorCode::Unauthenticated),
        // Another origin; a token that is not for this; and the demo's strange host names, whatever the address.
        (true, ErrorCode::Forbidden),
        (names_one, ErrorCode::NotFound),
        (has_body, ErrorCode::PayloadTooLarge),
        (has_body, ErrorCode::UnsupportedMediaType),
        (
            policy.count == Count::Write || policy.needs_caller() && !writes && !policy.works_without_database,
            ErrorCode::RateLimited,
        ),
        (is_api, ErrorCode::InternalError),
        (is_api, ErrorCode::Unavailable),
    ];
    let common = rules.iter().filter(|(applies, _)| *applies).map(|(_, code)| code);
    let mut by_status = BTreeMap::<u16, Vec<&str>>::new();
    for code in common.chain(route.failures) {
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
