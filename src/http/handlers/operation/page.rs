//! The page: files of `web/` inside the binary, bundled by `build.rs` so that a browser needs two round trips before it
//! paints. Nothing here knows what is in them.
//!
//! `index.html` has a tag and is asked for each time. What it names lies under `/assets/` with the hash of its content in
//! its name, and is kept by browsers for a year. The sources stay reachable at their own paths, also for whoever wants the
//! reference client alone.

use crate::http::error::AppError;
use crate::http::etag;
use axum::extract::Request;
use axum::http::{HeaderMap, Method, StatusCode, header};
use axum::response::{IntoResponse, Response};
use uuid::Uuid;

/// A build script's tests run nowhere, so they run here.
#[cfg(test)]
#[path = "../../../../build/bundle.rs"]
mod bundle;

/// No inline script or style, nothing from elsewhere, no text turned into markup.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; \
    font-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; require-trusted-types-for 'script'";

/// The content is in the name, so it never changes under it.
const FOR_GOOD: &str = "public, max-age=31536000, immutable";

struct File {
    /// Without the leading slash.
    path: &'static str,
    content: &'static [u8],
    /// Only of a file with the hash of its content in its name.
    gzip: Option<&'static [u8]>,
}

/// Sorted by path.
static FILES: &[File] = &include!(concat!(env!("OUT_DIR"), "/page.rs"));

/// A file of the page, or the 404 of everything that is no other address.
pub(crate) async fn serve(request: Request) -> Result<Response, AppError> {
    let found = find(request.uri().path(), request.headers()).ok_or_else(|| AppError::not_found("This address"))?;
    Ok(match *request.method() {
        Method::GET | Method::HEAD => found,
        _ => (StatusCode::METHOD_NOT_ALLOWED, [(header::ALLOW, "GET,HEAD")]).into_response(),
    })
}

fn find(path: &str, asked: &HeaderMap) -> Option<Response> {
    let name = match path == "/" || is_page_of_a_plan(path) {
        true => "index.html",
        false => path.trim_start_matches('/'),
    };
    let at = FILES.binary_search_by_key(&name, |file| file.path).ok()?;
    let policy = (name == "index.html").then_some([(header::CONTENT_SECURITY_POLICY, POLICY)]);
    Some((policy, FILES[at].respond(asked)).into_response())
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

fn mime(name: &str) -> &'static str {
    match name.rsplit('.').next() {
        Some("html") => "text/html; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("svg") => "image/svg+xml",
        Some("json" | "webmanifest") => "application/json",
        _ => "application/octet-stream",
    }
}

impl File {
    fn respond(&self, asked: &HeaderMap) -> Response {
        let kind = [(header::CONTENT_TYPE, mime(self.path))];
        let Some(gzip) = self.gzip else {
            let content = etag::respond(asked, etag::of_content(self.content), || self.content);
            return (kind, [(header::CACHE_CONTROL, "no-cache")], content).into_response();
        };
        let takes_gzip = asked
            .get_all(header::ACCEPT_ENCODING)
            .iter()
            .filter_map(|value| value.to_str().ok())
            .flat_map(|value| value.split(','))
            .any(|coding| coding.trim().eq_ignore_ascii_case("gzip"));
        let kept = [(header::CACHE_CONTROL, FOR_GOOD), (header::VARY, "accept-encoding")];
        match takes_gzip {
            true => (kind, kept, [(header::CONTENT_ENCODING, "gzip")], gzip).into_response(),
            false => (kind, kept, self.content).into_response(),
        }
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
        let index = FILES.iter().find(|file| file.path == "index.html").expect("a page");
        let html = std::str::from_utf8(index.content).expect("text");
        let assets: Vec<_> = FILES
            .iter()
            .filter(|file| html.contains(file.path) && file.gzip.is_some())
            .collect();
        let first: usize = assets
            .iter()
            .filter(|file| !html.contains(&format!("prefetch\" href=\"/{}", file.path)))
            .filter_map(|file| file.gzip)
            .map(<[u8]>::len)
            .sum();
        assert!(assets.len() >= 2, "{html}");
        assert!(
            first + index.content.len() <= 58_000,
            "{first} bytes until the conversation can be used; the rest may come later"
        );
    }
}
