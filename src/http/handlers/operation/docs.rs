//! The API document, and where to read it.

use axum::Extension;
use axum::http::{HeaderName, header};
use axum::response::IntoResponse;

const POLICY: &str = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const PAGE: &str = "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\">\
    <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\
    <title>API reference · plan-advisor</title></head><body><main><h1>API reference</h1>\
    <p>Every operation with its parameters, bodies and answers is in <a href=\"/openapi.yaml\">openapi.yaml</a>, an OpenAPI 3.1 document.</p>\
    <p>Any viewer of OpenAPI shows it, for example Redoc (<code>npx @redocly/cli preview-docs openapi.yaml</code>) \
    or Swagger UI (npm package <code>swagger-ui-dist</code>).</p></main></body></html>\n";

/// Makes the text of the document when it is asked for.
#[derive(Clone, Copy)]
pub(crate) struct ApiDocument(pub fn() -> &'static str);

/// This document.
#[utoipa::path(get, path = "/openapi.yaml", tag = "operation", responses((status = 200, body = Object, content_type = "application/yaml")))]
pub(crate) async fn get_openapi(Extension(ApiDocument(text)): Extension<ApiDocument>) -> impl IntoResponse {
    (
        [
            (header::CONTENT_TYPE, "application/yaml; charset=utf-8"),
            (header::CACHE_CONTROL, "no-cache"),
        ],
        text(),
    )
}

/// A page that leads to the document.
pub(crate) async fn get_docs() -> impl IntoResponse {
    const HEADERS: [(HeaderName, &str); 3] = [
        (header::CONTENT_TYPE, "text/html; charset=utf-8"),
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::CACHE_CONTROL, "no-cache"),
    ];
    (HEADERS, PAGE)
}
