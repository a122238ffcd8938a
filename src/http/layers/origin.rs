//! Cross-site protection: state-changing requests must come from the page's own origin, a listed origin, or a non-browser client.

use crate::config::HttpConfig;
use crate::http::error::AppError;
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderName, Method, header};

const SEC_FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

/// Refuses cross-site requests.
pub(crate) fn check(config: &HttpConfig, parts: &Parts) -> Result<(), AppError> {
    if matches!(parts.method, Method::GET | Method::HEAD | Method::OPTIONS) || is_trusted(config, parts) {
        return Ok(());
    }
    Err(AppError::forbidden("Requests from another site are refused."))
}

fn is_trusted(config: &HttpConfig, parts: &Parts) -> bool {
    let origin = text(&parts.headers, &header::ORIGIN);
    if origin.is_some_and(|origin| is_allowed(config, origin)) {
        return true;
    }
    match (text(&parts.headers, &SEC_FETCH_SITE), origin) {
        // `Sec-Fetch-Site` is sent by browsers only, and scripts cannot set it.
        (Some(site), _) => matches!(site, "same-origin" | "none"),
        (None, Some(origin)) => {
            host(parts).is_some_and(|host| authority(origin).is_some_and(|origin| origin.eq_ignore_ascii_case(host)))
        }
        // Neither header: not a browser, so no ambient cookie can be abused.
        (None, None) => !parts.headers.contains_key(header::ORIGIN) && !parts.headers.contains_key(SEC_FETCH_SITE),
    }
}

/// Whether a browser says that another site caused the request, a navigation among them. One that the person typed or chose
/// is no other site's; older browsers and programs say nothing.
pub(crate) fn is_of_another_site(headers: &HeaderMap) -> bool {
    headers.contains_key(SEC_FETCH_SITE) && !matches!(text(headers, &SEC_FETCH_SITE), Some("same-origin" | "none"))
}

/// Whether the origin is in `ALLOWED_ORIGINS`.
pub(crate) fn is_allowed(config: &HttpConfig, origin: &str) -> bool {
    config
        .allowed_origins
        .iter()
        .any(|allowed| allowed.trim().trim_end_matches('/').eq_ignore_ascii_case(origin))
}

fn text<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Option<&'a str> {
    headers.get(name).and_then(|value| value.to_str().ok())
}

fn host(parts: &Parts) -> Option<&str> {
    text(&parts.headers, &header::HOST).or_else(|| parts.uri.authority().map(http::uri::Authority::as_str))
}

fn authority(origin: &str) -> Option<&str> {
    origin
        .strip_prefix("https://")
        .or_else(|| origin.strip_prefix("http://"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Config;
    use axum::http::Request;

    fn passes(method: &str, headers: &[(&str, &str)]) -> bool {
        let mut config = Config::for_testing("postgresql://nowhere").http;
        config.allowed_origins = vec!["https://app.example".into()];
        let mut request = Request::builder()
            .method(method)
            .uri("/api/plans")
            .header("host", "plans.example:3000");
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        check(&config, &request.body(()).expect("a request").into_parts().0).is_ok()
    }

    #[test]
    fn other_sites_are_refused_in_every_way_a_browser_tells_of_them() {
        for site in ["cross-site", "same-site", "", "nonsense"] {
            assert!(!passes("POST", &[("sec-fetch-site", site)]), "{site}");
            assert!(
                !passes(
                    "DELETE",
                    &[("sec-fetch-site", site), ("origin", "http://plans.example:3000")]
                ),
                "{site}"
            );
        }
        for origin in [
            "https://evil.example",
            "null",
            "http://plans.example",
            "plans.example:3000",
            "http://plans.example:3000.evil",
        ] {
            assert!(!passes("PUT", &[("origin", origin)]), "{origin}");
        }
    }

    #[test]
    fn our_page_listed_origins_and_programs_pass() {
        assert!(passes("POST", &[]));
        assert!(passes(
            "POST",
            &[
                ("sec-fetch-site", "same-origin"),
                ("origin", "https://plans.example:3000")
            ]
        ));
        assert!(passes("POST", &[("sec-fetch-site", "none")]));
        assert!(passes("PATCH", &[("origin", "http://plans.example:3000")]));
        assert!(passes(
            "PATCH",
            &[("origin", "https://app.example"), ("sec-fetch-site", "same-site")]
        ));
        assert!(passes("GET", &[("sec-fetch-site", "cross-site")]));
    }
}
