//! Every public error code, once, and the body that carries it through JSON and SSE alike.

use super::text_enum::text_enum;
use serde::Serialize;

/// The sentence a franchisee reads when the model does not answer.
pub const LLM_UNAVAILABLE_MESSAGE: &str =
    "AI advisor is temporarily unavailable. Continue using My Plan forms or Reports to build your plan.";

/// Only the newest stored turn can be replaced: what came after it was said in answer to it.
pub const NOT_NEWEST_MESSAGE: &str = "Only the newest message can be edited or answered again.";

text_enum! {
    /// Codes that clients may rely on.
    #[derive(utoipa::ToSchema)]
    pub enum ErrorCode {
        ValidationError = "VALIDATION_ERROR",
        Unauthenticated = "UNAUTHENTICATED",
        Forbidden = "FORBIDDEN",
        NotFound = "NOT_FOUND",
        MethodNotAllowed = "METHOD_NOT_ALLOWED",
        Conflict = "CONFLICT",
        TurnInProgress = "TURN_IN_PROGRESS",
        VersionMismatch = "VERSION_MISMATCH",
        PayloadTooLarge = "PAYLOAD_TOO_LARGE",
        UnsupportedMediaType = "UNSUPPORTED_MEDIA_TYPE",
        IdempotencyKeyReused = "IDEMPOTENCY_KEY_REUSED",
        RateLimited = "RATE_LIMITED",
        BudgetExhausted = "BUDGET_EXHAUSTED",
        InternalError = "INTERNAL_ERROR",
        Unavailable = "UNAVAILABLE",
        LlmUnavailable = "LLM_UNAVAILABLE",
        Stopped = "STOPPED",
        ServerRestarting = "SERVER_RESTARTING",
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
