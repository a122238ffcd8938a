//! Cross-site protection: state-changing requests must come from the page's own origin, a listed origin, or a non-browser client.

use crate::config::{Config, HttpConfig, SecureCookie};
use crate::http::error::AppError;
use crate::http::layers::{is_https, peer};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderName, Method, header};

const SEC_FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

/// Refuses cross-site requests.
pub(crate) fn check(config: &Config, parts: &Parts) -> Result<(), AppError> {
    if matches!(parts.method, Method::GET | Method::HEAD | Method::OPTIONS) || is_trusted(config, parts) {
        return Ok(());
    }
    Err(AppError::forbidden("Requests from another site are refused."))
}

fn is_trusted(config: &Config, parts: &Parts) -> bool {
    let origin = text(&parts.headers, &header::ORIGIN);
    if origin.is_some_and(|origin| is_allowed(&config.http, origin)) {
        return true;
    }
    match (text(&parts.headers, &SEC_FETCH_SITE), origin) {
        // `Sec-Fetch-Site` is sent by browsers only, and scripts cannot set it.
        (Some(site), _) => matches!(site, "same-origin" | "none"),
        (None, Some(origin)) => is_ours(config, parts, origin),
        // Neither header: not a browser, so no ambient cookie can be abused.
        (None, None) => !parts.headers.contains_key(header::ORIGIN) && !parts.headers.contains_key(SEC_FETCH_SITE),
    }
}

/// Whether it is the origin that the browser asked: host, port and scheme.
fn is_ours(config: &Config, parts: &Parts, origin: &str) -> bool {
    let Some(((scheme, authority), host)) = split(origin).zip(host(parts)) else {
        return false;
    };
    let is_host = same_host(scheme, authority, host);
    is_host && served_by(config, parts, host).is_none_or(|served| served == scheme)
}

/// The scheme under which the page is served. `None` where nothing tells: a proxy that says nothing may have the certificate.
fn served_by(config: &Config, parts: &Parts, host: &str) -> Option<&'static str> {
    let public = config.http.public_url.as_deref().and_then(split);
    let public = public.filter(|(scheme, rest)| same_host(scheme, rest.split('/').next().unwrap_or_default(), host));
    let public = public.map(|(scheme, _)| scheme);
    if is_https(&parts.headers) || public == Some("https") || config.session.secure_cookie == SecureCookie::On {
        return Some("https");
    }
    let is_told = public.is_some() || parts.headers.contains_key("x-forwarded-proto");
    (is_told || peer(&parts.extensions).is_some_and(|peer| peer.is_loopback())).then_some("http")
}

/// Browsers leave out the port that the scheme implies; some proxies write it.
fn same_host(scheme: &str, authority: &str, host: &str) -> bool {
    let implied = if scheme == "https" { ":443" } else { ":80" };
    let bare = |text| str::strip_suffix(text, implied).unwrap_or(text);
    bare(authority).eq_ignore_ascii_case(bare(host))
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

fn split(url: &str) -> Option<(&str, &str)> {
    let parts = url.split_once("://");
    parts.filter(|(scheme, _)| matches!(*scheme, "https" | "http"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Config;
    use axum::http::Request;

    fn asked(config: &Config, method: &str, headers: &[(&str, &str)]) -> bool {
        let mut request = Request::builder()
            .method(method)
            .uri("/api/plans")
            .header("host", "plans.example:3000");
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        check(config, &request.body(()).expect("a request").into_parts().0).is_ok()
    }

    fn config() -> Config {
        Config::for_testing("postgresql://nowhere")
    }

    fn passes(method: &str, headers: &[(&str, &str)]) -> bool {
        let mut config = config();
        config.http.allowed_origins = vec!["https://app.example".into()];
        asked(&config, method, headers)
    }

    /// Whether our host passes as the origin by http, and by https.
    fn schemes(config: &Config, more: &[(&str, &str)]) -> (bool, bool) {
        let by = |origin| asked(config, "POST", &[&[("origin", origin)], more].concat());
        (by("http://plans.example:3000"), by("https://plans.example:3000"))
    }

    #[test]
    fn another_scheme_is_another_origin() {
        let (plain, secure) = ((true, false), (false, true));
        assert_eq!(schemes(&config(), &[]), (true, true), "nothing says it");
        assert_eq!(schemes(&config(), &[("x-forwarded-proto", "https")]), secure);
        assert_eq!(schemes(&config(), &[("x-forwarded-proto", "http")]), plain);

        let with = |public: &str, cookie| {
            let mut config = config();
            config.http.public_url = (!public.is_empty()).then(|| public.to_owned());
            config.session.secure_cookie = cookie;
            config
        };
        let public = with("https://Plans.example:3000/app", SecureCookie::Auto);
        assert_eq!(schemes(&public, &[]), secure);
        // A proxy behind the one with the certificate.
        assert_eq!(schemes(&public, &[("x-forwarded-proto", "http")]), secure);
        let elsewhere = with("https://other.example", SecureCookie::Auto);
        assert_eq!(schemes(&elsewhere, &[("x-forwarded-proto", "http")]), plain);
        assert_eq!(
            schemes(&with("http://plans.example:3000", SecureCookie::Auto), &[]),
            plain
        );
        assert_eq!(schemes(&with("", SecureCookie::On), &[]), secure);
        assert_eq!(schemes(&with("", SecureCookie::Off), &[]), (true, true));
    }

    #[test]
    fn the_port_that_a_scheme_implies_may_be_written() {
        assert!(same_host("https", "plans.example", "plans.example:443"));
        assert!(same_host("http", "plans.example", "Plans.example:80"));
        assert!(!same_host("http", "plans.example", "plans.example:443"));
        assert!(!same_host("https", "plans.example", "plans.example:3000"));
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
