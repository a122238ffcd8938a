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
        /// The request is malformed or a value is out of bounds; `details` says which.
        ValidationError = "VALIDATION_ERROR",
        /// No session and no valid token.
        Unauthenticated = "UNAUTHENTICATED",
        /// Known, but not allowed.
        Forbidden = "FORBIDDEN",
        /// There is no such thing, or not for this person.
        NotFound = "NOT_FOUND",
        /// The address has other methods.
        MethodNotAllowed = "METHOD_NOT_ALLOWED",
        /// The state does not allow it.
        Conflict = "CONFLICT",
        /// A turn of this plan is running.
        TurnInProgress = "TURN_IN_PROGRESS",
        /// The plan was changed since it was read.
        VersionMismatch = "VERSION_MISMATCH",
        /// The body is larger than the address takes.
        PayloadTooLarge = "PAYLOAD_TOO_LARGE",
        /// The body is not JSON.
        UnsupportedMediaType = "UNSUPPORTED_MEDIA_TYPE",
        /// The key belongs to another request.
        IdempotencyKeyReused = "IDEMPOTENCY_KEY_REUSED",
        /// Too many requests; `Retry-After` says when.
        RateLimited = "RATE_LIMITED",
        /// The tokens of the day are used up.
        BudgetExhausted = "BUDGET_EXHAUSTED",
        /// A fault of the server.
        InternalError = "INTERNAL_ERROR",
        /// This build of the server cannot do it.
        NotImplemented = "NOT_IMPLEMENTED",
        /// The database does not answer.
        Unavailable = "UNAVAILABLE",
        /// The model does not answer.
        LlmUnavailable = "LLM_UNAVAILABLE",
        /// The user stopped the turn before it had a text.
        Stopped = "STOPPED",
        /// The server ended the turn because it is restarting.
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
    /// What is wrong, and where.
    pub fn new(field: impl Into<String>, message: impl Into<String>) -> Self {
        Self {
            field: field.into(),
            message: message.into(),
        }
    }
}
