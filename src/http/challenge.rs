//! The header `WWW-Authenticate` of refused access tokens, as RFC 6750 has it.

use axum::http::HeaderValue;
use plan_model::access::TokenScope;

/// What is wrong with a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Challenge {
    InvalidToken,
    /// It lacks this scope.
    InsufficientScope(TokenScope),
}

impl Challenge {
    fn parameters(self) -> String {
        match self {
            Self::InvalidToken => "error=\"invalid_token\"".to_owned(),
            Self::InsufficientScope(scope) => format!("error=\"insufficient_scope\", scope=\"{}\"", scope.as_str()),
        }
    }
}

/// The header, with the address of what describes the resource (RFC 9728) where there is one; `None` where there is nothing to say.
pub(crate) fn header(challenge: Option<Challenge>, resource: Option<&str>) -> Option<HeaderValue> {
    let described = resource.map(|address| format!("resource_metadata=\"{address}\""));
    let parameters: Vec<String> = described
        .into_iter()
        .chain(challenge.map(Challenge::parameters))
        .collect();
    if parameters.is_empty() {
        return None;
    }
    HeaderValue::try_from(format!("Bearer {}", parameters.join(", "))).ok()
}
