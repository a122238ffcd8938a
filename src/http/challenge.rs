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
    pub fn header(self) -> HeaderValue {
        HeaderValue::from_static(match self {
            Self::InvalidToken => "Bearer error=\"invalid_token\"",
            Self::InsufficientScope(TokenScope::Read) => "Bearer error=\"insufficient_scope\", scope=\"read\"",
            Self::InsufficientScope(TokenScope::Chat) => "Bearer error=\"insufficient_scope\", scope=\"chat\"",
            Self::InsufficientScope(TokenScope::Write) => "Bearer error=\"insufficient_scope\", scope=\"write\"",
        })
    }
}
