//! What an access token must be allowed for which operation: one decision for each, and none by default.

use crate::http::challenge::Challenge;
use crate::http::error::AppError;
use axum::http::Method;
use plan_model::access::{TokenGrant, TokenScope};

/// What an operation asks of a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TokenNeed {
    Scope(TokenScope),
    /// No token is enough: accounts, keys and brands are for people who have signed in.
    Login,
}

/// Reading what belongs to no plan.
const READ: [&str; 8] = [
    "/api/brands",
    "/api/brands/{id}",
    "/api/fields",
    "/api/me/active-plan",
    "/api/metrics",
    "/api/plans",
    "/api/prompts",
    "/api/status",
];

/// Reading a plan and what belongs to it.
const READ_OF_PLAN: [&str; 15] = [
    "",
    "/ag-ui/capabilities",
    "/changes",
    "/charts/{file}",
    "/chat",
    "/chat/{chatId}/stream",
    "/compare",
    "/conversation",
    "/conversation/confirmation",
    "/conversation/stream",
    "/outputs",
    "/outputs.csv",
    "/outputs.xlsx",
    "/scenarios",
    "/sensitivity",
];

/// Calculating with values that the request brings; nothing is stored.
const CALCULATE: [&str; 2] = ["/goal-seek", "/what-if"];

/// Talking to the advisor, and deciding on what it heard.
const CHAT: [&str; 7] = [
    "/ag-ui",
    "/chat",
    "/conversation",
    "/conversation/cancel",
    "/conversation/confirmation",
    "/conversation/extractions/{extraction_id}/accept",
    "/conversation/extractions/{extraction_id}/dismiss",
];

/// Every other change of a plan.
const WRITE: [(&str, &str); 11] = [
    ("DELETE", ""),
    ("PATCH", ""),
    ("DELETE", "/conversation"),
    ("PATCH", "/financial-inputs"),
    ("POST", "/changes/undo"),
    ("POST", "/changes/{change_id}/undo"),
    ("POST", "/scenarios"),
    ("PUT", "/scenarios/{scenario_id}"),
    ("DELETE", "/scenarios/{scenario_id}"),
    ("POST", "/scenarios/{scenario_id}/adopt"),
    ("POST", "/conversation/erase"),
];

/// Addresses of accounts, keys and administration.
const LOGIN: [&str; 3] = ["/api/admin/", "/api/auth/", "/api/me"];

/// What the operation asks of a token; `None` if nobody has decided, which is a refusal too. `route` is the router's pattern.
pub fn needed(method: &Method, route: &str) -> Option<TokenNeed> {
    let verb = if method == Method::HEAD { "GET" } else { method.as_str() };
    let scope = match (verb, route.strip_prefix("/api/plans/{id}")) {
        ("GET", Some(rest)) if READ_OF_PLAN.contains(&rest) => Some(TokenScope::Read),
        ("POST", Some(rest)) if CALCULATE.contains(&rest) => Some(TokenScope::Read),
        ("POST", Some(rest)) if CHAT.contains(&rest) => Some(TokenScope::Chat),
        (_, Some(rest)) if WRITE.contains(&(verb, rest)) => Some(TokenScope::Write),
        ("GET", None) if READ.contains(&route) => Some(TokenScope::Read),
        ("POST", None) if route == "/api/plans" => Some(TokenScope::Write),
        ("PUT", None) if route == "/api/me/active-plan" => Some(TokenScope::Write),
        _ => None,
    };
    let is_for_people = LOGIN.iter().any(|prefix| route.starts_with(prefix))
        || route.starts_with("/api/brands") && matches!(verb, "POST" | "PUT");
    scope
        .map(TokenNeed::Scope)
        .or(is_for_people.then_some(TokenNeed::Login))
}

/// Refuses what the token is not for.
///
/// # Errors
/// 403 that names what is needed.
pub fn check(token: &TokenGrant, method: &Method, route: &str) -> Result<(), AppError> {
    let Some(TokenNeed::Scope(scope)) = needed(method, route) else {
        return Err(AppError::forbidden("No access token may do this. Sign in for it."));
    };
    if !token.scopes.contains(&scope) {
        let message = format!("This access token lacks the scope `{}`.", scope.as_str());
        return Err(AppError::forbidden(message).challenge(Challenge::InsufficientScope(scope)));
    }
    if token.plan.is_some() && method == Method::POST && route == "/api/plans" {
        return Err(AppError::forbidden(
            "This access token is for one plan and makes no others.",
        ));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::http::openapi::operations;
    use plan_model::ids::PlanId;

    /// Method and route of every operation below `/api/`.
    fn all() -> Vec<(Method, String)> {
        let mut document = crate::http::routes().into_openapi();
        let mut found = Vec::new();
        for (path, item) in &mut document.paths.paths {
            for (method, _) in operations(item) {
                let verb = serde_json::to_value(method).expect("a name");
                let verb = verb.as_str().expect("a text").to_uppercase();
                found.push((verb.parse().expect("a method"), path.clone()));
            }
        }
        found.retain(|(_, path)| path.starts_with("/api/"));
        found
    }

    #[test]
    fn every_operation_has_a_decision() {
        let undecided: Vec<_> = all()
            .into_iter()
            .filter(|(method, route)| needed(method, route).is_none())
            .collect();
        assert!(undecided.is_empty(), "add to src/http/scopes.rs: {undecided:#?}");
    }

    #[test]
    fn each_scope_opens_what_the_contract_says() {
        let mut opened = [0; 3];
        for (method, route) in all() {
            let need = needed(&method, &route).expect("a decision");
            let is_of_plan = route.starts_with("/api/plans");
            let is_talk = ["/conversation", "/chat", "/ag-ui"]
                .iter()
                .any(|part| route.contains(part));
            match need {
                TokenNeed::Scope(TokenScope::Read) => {
                    assert!(
                        method == Method::GET || route.ends_with("-seek") || route.ends_with("what-if"),
                        "{method} {route}"
                    );
                    opened[0] += 1;
                }
                TokenNeed::Scope(TokenScope::Chat) => {
                    assert!(method == Method::POST && is_talk && is_of_plan, "{method} {route}");
                    opened[1] += 1;
                }
                TokenNeed::Scope(TokenScope::Write) => {
                    assert!(
                        method != Method::GET && (is_of_plan || route.ends_with("active-plan")),
                        "{method} {route}"
                    );
                    opened[2] += 1;
                }
                TokenNeed::Login => assert!(!is_of_plan, "{method} {route}"),
            }
        }
        assert!(opened.iter().all(|count| *count >= 7), "{opened:?}");
    }

    #[test]
    fn accounts_keys_brands_and_administration_need_a_login() {
        for (method, route) in [
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
        ] {
            assert_eq!(needed(&method, route), Some(TokenNeed::Login), "{method} {route}");
        }
        assert_eq!(needed(&Method::GET, "/api/something/new"), None);
        assert_eq!(needed(&Method::GET, "/api/plans/{id}/something-new"), None);
    }

    #[test]
    fn a_refusal_names_the_scope() {
        let token = |scopes: &[TokenScope], plan| TokenGrant {
            scopes: scopes.to_vec(),
            plan,
        };
        let read = token(&[TokenScope::Read], None);
        let plan = "/api/plans/{id}";
        assert!(check(&read, &Method::GET, plan).is_ok() && check(&read, &Method::HEAD, plan).is_ok());
        let refusal = check(&read, &Method::DELETE, plan).expect_err("a refusal").to_string();
        assert!(refusal.contains("`write`"), "{refusal}");
        let refusal = check(&read, &Method::POST, "/api/plans/{id}/chat").expect_err("a refusal");
        assert!(refusal.to_string().contains("`chat`"), "{refusal}");
        assert!(check(&read, &Method::OPTIONS, plan).is_err());
        let all = token(TokenScope::ALL, None);
        assert!(check(&all, &Method::POST, "/api/plans").is_ok());
        assert!(check(&all, &Method::GET, "/api/admin/users").is_err());
        let of_one = token(TokenScope::ALL, Some(PlanId::fresh()));
        assert!(check(&of_one, &Method::GET, "/api/plans").is_ok());
        assert!(check(&of_one, &Method::POST, "/api/plans").is_err());
    }
}
