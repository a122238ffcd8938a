use super::*;
use crate::http::policy::{NO_BODY, Who};
use std::collections::BTreeSet;

/// The rows below `/api/`.
fn api() -> impl Iterator<Item = &'static Route> {
    all().filter(|route| route.address.starts_with("/api/"))
}

fn name(route: &Route) -> String {
    format!("{} {}", route.method(), route.address)
}

#[test]
fn each_row_says_method_and_address_of_its_handler() {
    let mut seen = BTreeSet::new();
    for route in all() {
        assert!(seen.insert(name(route)), "{} stands twice", name(route));
        let (_, mut paths, _) = (route.handler)();
        let Some((address, item)) = paths.paths.pop_first() else {
            continue;
        };
        assert_eq!(address, route.address);
        let item = serde_json::to_value(item).expect("plain data");
        let verb = route.method().as_str().to_lowercase();
        assert!(item[&verb].is_object(), "{} is not {item}", name(route));
    }
}

#[test]
fn everything_below_api_is_checked_and_nothing_else() {
    for route in all() {
        assert_eq!(
            route.policy.is_api(),
            route.address.starts_with("/api/") || route.address == "/mcp",
            "{}",
            name(route)
        );
        let is_of_plan = route.address.starts_with("/api/plans/{id}");
        assert_eq!(route.policy.who == Who::Plan, is_of_plan, "{}", name(route));
        let is_for_administrators = route.address.starts_with("/api/admin/");
        let only_administrators = matches!(route.policy.who, Who::PlatformAdmin | Who::BrandAdmin);
        assert!(!is_for_administrators || only_administrators, "{}", name(route));
    }
}

#[test]
fn only_ways_to_sign_in_need_no_session() {
    let open: Vec<&str> = all()
        .filter(|route| route.policy.who == Who::Anyone)
        .map(|route| route.address)
        .collect();
    let expected = [
        "/api/auth/login",
        "/api/auth/methods",
        "/api/auth/oidc/start",
        "/api/auth/oidc/callback",
        "/api/auth/oidc/backchannel-logout",
        "/api/auth/invitations/look",
        "/api/auth/invitations/accept",
        "/api/auth/password-reset",
    ];
    assert_eq!(open, expected);
}

#[test]
fn each_scope_opens_what_the_contract_says() {
    let mut opened = [0; 3];
    for route in api() {
        let (method, address) = (route.method(), route.address);
        let is_of_plan = address.starts_with("/api/plans");
        let is_talk = ["/conversation", "/chat", "/ag-ui"]
            .iter()
            .any(|part| address.contains(part));
        match route.policy.token {
            Token::Scope(TokenScope::Read) => {
                let calculates = address.ends_with("-seek") || address.ends_with("what-if");
                assert!(method == Method::GET || calculates, "{}", name(route));
                opened[0] += 1;
            }
            Token::Scope(TokenScope::Chat) => {
                assert!(method == Method::POST && is_talk && is_of_plan, "{}", name(route));
                opened[1] += 1;
            }
            Token::Scope(TokenScope::Write) => {
                let is_of_person = address.ends_with("active-plan");
                assert!(method != Method::GET && (is_of_plan || is_of_person), "{}", name(route));
                opened[2] += 1;
            }
            Token::ScopeForAllPlans(scope) => {
                assert_eq!((name(route).as_str(), scope), ("POST /api/plans", TokenScope::Write));
            }
            Token::Login => assert!(!is_of_plan, "{}", name(route)),
            Token::Any => panic!("{} asks nothing of a token", name(route)),
        }
    }
    assert!(opened.iter().all(|count| *count >= 7), "{opened:?}");
}

#[test]
fn accounts_keys_brands_and_administration_need_a_login() {
    for (method, address) in [
        (Method::GET, "/api/admin/users"),
        (Method::POST, "/api/admin/impersonation"),
        (Method::POST, "/api/auth/logout"),
        (Method::GET, "/api/auth/me"),
        (Method::POST, "/api/auth/me"),
        (Method::POST, "/api/auth/password"),
        (Method::GET, "/api/me/tokens"),
        (Method::DELETE, "/api/me/tokens/{id}"),
        (Method::GET, "/api/me/export"),
        (Method::GET, "/api/me/sessions"),
        (Method::DELETE, "/api/me"),
        (Method::PUT, "/api/brands/{id}"),
        (Method::POST, "/api/brands"),
        (Method::GET, "/api/something/new"),
        (Method::GET, "/api/plans/{id}/something-new"),
        (Method::OPTIONS, "/api/plans/{id}"),
    ] {
        assert_eq!(policy_of(&method, address).token, Token::Login, "{method} {address}");
    }
}

#[test]
fn a_wrong_method_is_known_by_the_address_and_opens_nothing() {
    let policy = policy_of(&Method::PUT, "/api/plans/{id}");
    assert_eq!((policy.who, policy.token, policy.count), (Who::Plan, LOGIN, FREE));
    assert_eq!(policy_of(&Method::GET, "/api/auth/login").who, Who::Anyone);
    assert_eq!(policy_of(&Method::GET, "/api/nowhere"), Policy::STRICTEST);
    assert_eq!(
        policy_of(&Method::HEAD, "/api/plans"),
        policy_of(&Method::GET, "/api/plans")
    );
}

#[test]
fn reads_turns_stops_and_sessions_are_not_counted() {
    let free: Vec<&str> = api()
        .filter(|route| route.method() != Method::GET && route.policy.count == Count::Nothing)
        .map(|route| route.address)
        .filter(|address| !address.starts_with("/api/auth/"))
        .collect();
    let expected = [
        "/api/admin/impersonation",
        "/api/admin/impersonation",
        "/api/plans/{id}/conversation/cancel",
        "/api/plans/{id}/conversation",
        "/api/plans/{id}/chat",
        "/api/plans/{id}/ag-ui",
    ];
    assert_eq!(free, expected);
    let counts = |route: &Route| route.policy.count == Count::Write;
    assert!(all().all(|route| !counts(route) || route.method() != Method::GET));
    assert!(api().all(|route| !counts(route) || !route.address.starts_with("/api/auth/")));
}

/// Who counts a write depends on it: see `layers/writes.rs`.
#[test]
fn a_write_says_whether_its_handler_reads_a_body() {
    for route in all().filter(|route| route.policy.count == Count::Write) {
        let (_, mut paths, _) = (route.handler)();
        let (_, item) = paths.paths.pop_first().expect("a described operation");
        let item = serde_json::to_value(item).expect("plain data");
        let verb = route.method().as_str().to_lowercase();
        let reads_a_body = item[&verb]["requestBody"].is_object();
        assert_eq!(route.policy.body != NO_BODY, reads_a_body, "{}", name(route));
    }
}

/// Who counts a read depends on it: see `layers/reads.rs`.
#[test]
fn a_read_says_whether_its_handler_reads_a_query() {
    for route in api().filter(|route| route.method() == Method::GET && route.policy.needs_caller()) {
        let (_, mut paths, _) = (route.handler)();
        let (_, item) = paths.paths.pop_first().expect("a described operation");
        let item = serde_json::to_value(item).expect("plain data");
        let parameters = item["get"]["parameters"].as_array().into_iter().flatten();
        let reads_a_query = parameters.into_iter().any(|parameter| parameter["in"] == "query");
        assert_eq!(route.policy.reads_query, reads_a_query, "{}", name(route));
    }
}
