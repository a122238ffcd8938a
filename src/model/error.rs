//! Every public error code, once, and the body that carries it through JSON and SSE alike.

use serde::Serialize;

/// The sentence a franchisee reads when the model does not answer.
pub const LLM_UNAVAILABLE_MESSAGE: &str =
    "AI advisor is temporarily unavailable. Continue using My Plan forms or Reports to build your plan.";

/// Codes that clients may rely on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum ErrorCode {
    ValidationError,
    Unauthenticated,
    Forbidden,
    NotFound,
    MethodNotAllowed,
    Conflict,
    TurnInProgress,
    VersionMismatch,
    PayloadTooLarge,
    UnsupportedMediaType,
    IdempotencyKeyReused,
    RateLimited,
    BudgetExhausted,
    InternalError,
    Unavailable,
    LlmUnavailable,
    Stopped,
    ServerRestarting,
}

impl ErrorCode {
    /// As it is written on the wire.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::ValidationError => "VALIDATION_ERROR",
            Self::Unauthenticated => "UNAUTHENTICATED",
            Self::Forbidden => "FORBIDDEN",
            Self::NotFound => "NOT_FOUND",
            Self::MethodNotAllowed => "METHOD_NOT_ALLOWED",
            Self::Conflict => "CONFLICT",
            Self::TurnInProgress => "TURN_IN_PROGRESS",
            Self::VersionMismatch => "VERSION_MISMATCH",
            Self::PayloadTooLarge => "PAYLOAD_TOO_LARGE",
            Self::UnsupportedMediaType => "UNSUPPORTED_MEDIA_TYPE",
            Self::IdempotencyKeyReused => "IDEMPOTENCY_KEY_REUSED",
            Self::RateLimited => "RATE_LIMITED",
            Self::BudgetExhausted => "BUDGET_EXHAUSTED",
            Self::InternalError => "INTERNAL_ERROR",
            Self::Unavailable => "UNAVAILABLE",
            Self::LlmUnavailable => "LLM_UNAVAILABLE",
            Self::Stopped => "STOPPED",
            Self::ServerRestarting => "SERVER_RESTARTING",
        }
    }
}

/// What is wrong with one field of a request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, utoipa::ToSchema)]
pub struct FieldError {
    /// Where: a path into the body, a query parameter or a header.
    pub field: String,
    /// What, in words for the caller.
    pub message: String,
}

impl FieldError {
    pub fn new(field: impl Into<String>, message: impl Into<String>) -> Self {
        Self {
            field: field.into(),
            message: message.into(),
        }
    }
}
