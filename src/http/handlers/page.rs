//! The page: files of `web/` inside the binary, bundled so that a browser needs two round trips before it paints.
//!
//! `index.html` has a tag and is asked for each time. What it names lies under `/assets/` with the hash of its content in
//! its name, and is kept by browsers for a year. The sources stay reachable at their own paths, also for whoever wants the
//! reference client alone.

use crate::http::error::AppError;
use crate::http::etag;
use axum::extract::Request;
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::response::{IntoResponse, Response};
use bundle::Bundle;
use bytes::Bytes;
use rust_embed::RustEmbed;
use std::sync::{Arc, Mutex, PoisonError};
use uuid::Uuid;

mod bundle;
mod module;

/// No inline script or style, nothing from elsewhere, no text turned into markup.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; \
    font-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; require-trusted-types-for 'script'";

/// The content is in the name, so it never changes under it.
const FOR_GOOD: HeaderValue = HeaderValue::from_static("public, max-age=31536000, immutable");

#[derive(RustEmbed)]
#[folder = "web/"]
struct Web;

/// A file of the page, or the 404 of everything that is no other address.
pub async fn serve(request: Request) -> Result<Response, AppError> {
    let found = find(request.uri().path(), request.headers()).ok_or_else(|| AppError::not_found("This address"))?;
    Ok(match *request.method() {
        Method::GET | Method::HEAD => found,
        _ => (StatusCode::METHOD_NOT_ALLOWED, [(header::ALLOW, "GET,HEAD")]).into_response(),
    })
}

fn find(path: &str, asked: &HeaderMap) -> Option<Response> {
    if path == "/" || path == "/index.html" || is_page_of_a_plan(path) {
        return Some(index(asked));
    }
    let name = path.trim_start_matches('/');
    if let Some(asset) = current().assets.get(name) {
        return Some(asset.respond(asked));
    }
    let file = Web::get(name)?;
    Some(source(name, file.data.into_owned().into(), asked))
}

/// `/plans/<uuid>` and its sub-pages, which the page itself distinguishes.
fn is_page_of_a_plan(path: &str) -> bool {
    let Some(rest) = path.strip_prefix("/plans/") else {
        return false;
    };
    let (id, view) = rest.split_once('/').unwrap_or((rest, ""));
    let is_view = view.len() <= 32 && view.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-');
    is_view && Uuid::try_parse(id).is_ok()
}

fn index(asked: &HeaderMap) -> Response {
    let html = current().index.clone();
    let mut response = source("index.html", html, asked);
    response
        .headers_mut()
        .insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY));
    response
}

/// A file under a name that says nothing about its content.
fn source(name: &str, content: Bytes, asked: &HeaderMap) -> Response {
    let tag = etag::of_content(&content);
    let mut response = etag::respond(asked, tag, || content);
    let headers = response.headers_mut();
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    headers.insert(header::CONTENT_TYPE, mime(name));
    response
}

fn mime(name: &str) -> HeaderValue {
    HeaderValue::from_static(match name.rsplit('.').next() {
        Some("html") => "text/html; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("svg") => "image/svg+xml",
        Some("json" | "webmanifest") => "application/json",
        _ => "application/octet-stream",
    })
}

/// The bundle of the files as they are: made once, and in a debug build again when a file has changed on disk.
fn current() -> Arc<Bundle> {
    static BUNDLE: Mutex<Option<Arc<Bundle>>> = Mutex::new(None);
    let mut kept = BUNDLE.lock().unwrap_or_else(PoisonError::into_inner);
    let bundle = match kept.take() {
        Some(bundle) if !cfg!(debug_assertions) || bundle.is_of(&read) => bundle,
        _ => Arc::new(Bundle::of(&read)),
    };
    *kept = Some(Arc::clone(&bundle));
    bundle
}

fn read(path: &str) -> Option<String> {
    String::from_utf8(Web::get(path)?.data.into_owned()).ok()
}

impl bundle::Asset {
    fn respond(&self, asked: &HeaderMap) -> Response {
        let takes_gzip = asked
            .get_all(header::ACCEPT_ENCODING)
            .iter()
            .filter_map(|value| value.to_str().ok())
            .flat_map(|value| value.split(','))
            .any(|coding| coding.trim().eq_ignore_ascii_case("gzip"));
        let content = if takes_gzip { &self.gzip } else { &self.content };
        let mut response = content.clone().into_response();
        let headers = response.headers_mut();
        headers.insert(header::CACHE_CONTROL, FOR_GOOD);
        headers.insert(header::CONTENT_TYPE, mime(&self.name));
        headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
        if takes_gzip {
            headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
        }
        response
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_plans_pages_are_pages() {
        let id = "0199c0de-0000-7000-8000-000000000001";
        for page in ["", "/", "/print", "/key-numbers"] {
            assert!(is_page_of_a_plan(&format!("/plans/{id}{page}")), "{page}");
        }
        for other in ["/plans", "/plans/", "/plans/7", "/plans/x/print"] {
            assert!(!is_page_of_a_plan(other), "{other}");
        }
        for odd in ["/a/b", "/Print", "/print.json", "/%2e"] {
            assert!(!is_page_of_a_plan(&format!("/plans/{id}{odd}")), "{odd}");
        }
    }

    #[test]
    fn the_page_is_bundled_within_its_budget() {
        let bundle = Bundle::of(&read);
        let html = std::str::from_utf8(&bundle.index).expect("text");
        let first: usize = bundle
            .assets
            .iter()
            .filter(|(path, _)| html.contains(path.as_str()) && !html.contains(&format!("prefetch\" href=\"/{path}")))
            .map(|(_, asset)| asset.gzip.len())
            .sum();
        assert!(bundle.assets.len() >= 2, "{:?}", bundle.assets.keys());
        assert!(
            first + bundle.index.len() <= 30_000,
            "{first} bytes before the first paint"
        );
    }
}
