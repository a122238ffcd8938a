//! Errors of the API: the only place where they are mapped to status codes.
//!
//! The message is for the person, the source chain for the log. Logged once, here: what is our fault as an error, what is
//! the caller's at debug.

use crate::http::challenge::{self, Challenge};
use crate::password::PasswordError;
use crate::plans::EditError;
use crate::store::StoreError;
use axum::Json;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use plan_model::error::{ErrorCode, FieldError};
use serde::Serialize;
use serde_json::Value;

/// Seconds after which a request that found the database gone may try again.
const DATABASE_RETRY_SECONDS: u64 = 2;

/// A refusal or a failure, on its way to the client.
#[derive(Debug)]
pub struct AppError {
    code: ErrorCode,
    message: String,
    details: Option<Value>,
    retry_after: Option<u64>,
    /// Nothing more is to come on this connection.
    closes: bool,
    challenge: Option<Challenge>,
    /// Of a resource for programs: where it is described.
    resource: Option<String>,
    source: Option<Box<dyn std::error::Error + Send + Sync>>,
}

/// What every failure looks like.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub(crate) struct ErrorEnvelope {
    pub error: ErrorBody,
}

/// The message is for people, the code for programs.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[schema(example = json!({"message": "The request has 1 error.", "code": "VALIDATION_ERROR", "details": [{"field": "message", "message": "is required"}]}))]
pub(crate) struct ErrorBody {
    pub message: String,
    pub code: ErrorCode,
    /// For `VALIDATION_ERROR` a list of `{field, message}`, for `TURN_IN_PROGRESS` of `{turnId}`, for the `CONFLICT` of a stop that
    /// came too late the turn's `done` event.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Vec<Object>>)]
    pub details: Option<Value>,
}

/// The status of every code.
pub(crate) const fn status_of(code: ErrorCode) -> StatusCode {
    match code {
        ErrorCode::ValidationError => StatusCode::BAD_REQUEST,
        ErrorCode::Unauthenticated => StatusCode::UNAUTHORIZED,
        ErrorCode::Forbidden => StatusCode::FORBIDDEN,
        ErrorCode::NotFound => StatusCode::NOT_FOUND,
        ErrorCode::MethodNotAllowed => StatusCode::METHOD_NOT_ALLOWED,
        ErrorCode::Conflict | ErrorCode::TurnInProgress => StatusCode::CONFLICT,
        ErrorCode::VersionMismatch => StatusCode::PRECONDITION_FAILED,
        ErrorCode::PayloadTooLarge => StatusCode::PAYLOAD_TOO_LARGE,
        ErrorCode::UnsupportedMediaType => StatusCode::UNSUPPORTED_MEDIA_TYPE,
        ErrorCode::IdempotencyKeyReused => StatusCode::UNPROCESSABLE_ENTITY,
        ErrorCode::RateLimited | ErrorCode::BudgetExhausted => StatusCode::TOO_MANY_REQUESTS,
        ErrorCode::InternalError => StatusCode::INTERNAL_SERVER_ERROR,
        ErrorCode::NotImplemented => StatusCode::NOT_IMPLEMENTED,
        ErrorCode::Unavailable | ErrorCode::LlmUnavailable | ErrorCode::Stopped | ErrorCode::ServerRestarting => {
            StatusCode::SERVICE_UNAVAILABLE
        }
    }
}

impl AppError {
    pub fn new(code: ErrorCode, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
            details: None,
            retry_after: None,
            closes: code == ErrorCode::PayloadTooLarge,
            challenge: None,
            resource: None,
            source: None,
        }
    }

    /// What is wrong with which part of the request.
    pub fn validation(errors: Vec<FieldError>) -> Self {
        let message = match errors.len() {
            1 => "The request has 1 error.".to_owned(),
            count => format!("The request has {count} errors."),
        };
        Self::new(ErrorCode::ValidationError, message).with_details(errors)
    }

    /// One thing that is wrong.
    pub fn invalid(field: impl Into<String>, message: impl Into<String>) -> Self {
        Self::validation(vec![FieldError::new(field, message)])
    }

    /// `what` begins the sentence: `The plan`.
    pub fn not_found(what: &str) -> Self {
        Self::new(ErrorCode::NotFound, format!("{what} does not exist."))
    }

    pub fn forbidden(message: impl Into<String>) -> Self {
        Self::new(ErrorCode::Forbidden, message)
    }

    pub fn conflict(message: impl Into<String>) -> Self {
        Self::new(ErrorCode::Conflict, message)
    }

    pub fn unauthenticated() -> Self {
        Self::new(ErrorCode::Unauthenticated, "Log in first.")
    }

    /// Something of ours went wrong; the client learns no more than that.
    pub fn internal(source: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Self {
        let message = "Something went wrong on our side. The request's id helps us to find out what.";
        Self {
            source: Some(source.into()),
            ..Self::new(ErrorCode::InternalError, message)
        }
    }

    /// Adds particulars for programs; a list, by contract.
    #[must_use]
    pub fn with_details(mut self, details: impl Serialize) -> Self {
        self.details = serde_json::to_value(details).ok();
        self
    }

    /// Seconds after which trying again makes sense.
    #[must_use]
    pub fn retry_after(mut self, seconds: u64) -> Self {
        self.retry_after = Some(seconds.max(1));
        self
    }

    /// Closes the connection behind the answer.
    #[must_use]
    pub fn closing(mut self) -> Self {
        self.closes = true;
        self
    }

    /// Says what is wrong with the access token.
    #[must_use]
    pub fn challenge(mut self, challenge: Challenge) -> Self {
        self.challenge = Some(challenge);
        self
    }

    /// Tells a program that comes without a valid token where the resource is described. Nothing is said beside other errors.
    #[must_use]
    pub fn for_resource(mut self, address: String) -> Self {
        self.resource = (self.code == ErrorCode::Unauthenticated).then_some(address);
        self
    }

    #[must_use]
    pub fn with_source(mut self, source: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Self {
        self.source = Some(source.into());
        self
    }

    pub fn code(&self) -> ErrorCode {
        self.code
    }

    /// As [`AppError::with_details`] was given them.
    pub fn details(&self) -> &Value {
        self.details.as_ref().unwrap_or(&Value::Null)
    }

    /// For readers without a status: the message, what is wrong with which part, and when to try again. Logged as an answer is.
    pub fn into_words(self) -> String {
        self.log(status_of(self.code));
        let mut words = self.message;
        for detail in self.details.iter().filter_map(Value::as_array).flatten() {
            if let (Some(field), Some(problem)) = (detail["field"].as_str(), detail["message"].as_str()) {
                words.push_str(&format!(" `{field}` {problem}."));
            }
        }
        if let Some(seconds) = self.retry_after {
            words.push_str(&format!(" Try again in {seconds} s."));
        }
        words
    }

    fn log(&self, status: StatusCode) {
        let code = self.code.as_str();
        let source = self.source.as_deref().map(chain).unwrap_or_default();
        if status == StatusCode::INTERNAL_SERVER_ERROR {
            tracing::error!(error.code = code, error.source = source, "A request failed: {source}");
        } else if status.is_server_error() {
            tracing::warn!(
                error.code = code,
                error.source = source,
                "A request was turned away ({code}): {source}"
            );
        } else {
            tracing::debug!(error.code = code, "A request was refused ({code})");
        }
    }
}

/// An error and what caused it, outermost first.
fn chain(error: &(dyn std::error::Error + Send + Sync + 'static)) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        text.push_str(": ");
        text.push_str(&error.to_string());
        cause = error.source();
    }
    text
}

impl std::fmt::Display for AppError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {}", self.code.as_str(), self.message)
    }
}

impl IntoResponse for AppError {
    fn into_response(self) -> Response {
        let status = status_of(self.code);
        self.log(status);
        let retry_after = self
            .retry_after
            .or((status == StatusCode::SERVICE_UNAVAILABLE).then_some(DATABASE_RETRY_SECONDS));
        let body = ErrorEnvelope {
            error: ErrorBody {
                message: self.message,
                code: self.code,
                details: self.details,
            },
        };
        let mut response = (status, Json(body)).into_response();
        if let Some(seconds) = retry_after {
            response
                .headers_mut()
                .insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        let challenge = challenge::header(self.challenge, self.resource.as_deref());
        response
            .headers_mut()
            .extend(challenge.map(|found| (header::WWW_AUTHENTICATE, found)));
        // The rest of a body that is too large is not read, so nothing else can come on this connection.
        if self.closes {
            response
                .headers_mut()
                .insert(header::CONNECTION, HeaderValue::from_static("close"));
        }
        response
    }
}

impl From<StoreError> for AppError {
    fn from(error: StoreError) -> Self {
        let transient = error.is_transient();
        match error {
            StoreError::NotFound => Self::new(ErrorCode::NotFound, "It does not exist any more."),
            StoreError::Conflict(_) => {
                Self::conflict("It exists already, or something else changed it meanwhile.").with_source(error)
            }
            StoreError::Unavailable(_) => Self::unavailable().with_source(error),
            StoreError::Query(_) if transient => Self::unavailable().with_source(error),
            StoreError::Query(_) => Self::internal(error),
        }
    }
}

impl From<EditError> for AppError {
    fn from(error: EditError) -> Self {
        match error {
            EditError::UnknownField(path) => Self::invalid(path.to_string(), "is not a field of this plan"),
            EditError::TooManyChanges(wait) => {
                Self::new(ErrorCode::RateLimited, "That was a lot of changes. Wait a moment.")
                    .retry_after(wait.as_secs() + 1)
            }
            EditError::Store(error) => error.into(),
        }
    }
}

impl From<diesel::result::Error> for AppError {
    fn from(error: diesel::result::Error) -> Self {
        StoreError::from(error).into()
    }
}

impl From<tower_sessions::session::Error> for AppError {
    fn from(error: tower_sessions::session::Error) -> Self {
        Self::unavailable().with_source(error)
    }
}

impl From<PasswordError> for AppError {
    fn from(error: PasswordError) -> Self {
        match error {
            PasswordError::Busy => Self::new(
                ErrorCode::Unavailable,
                "Many people are logging in. Try again in a moment.",
            )
            .with_source(error),
            PasswordError::Hashing(_) => Self::internal(error),
        }
    }
}

impl AppError {
    /// The database is away; trying again soon makes sense.
    pub fn unavailable() -> Self {
        Self::new(
            ErrorCode::Unavailable,
            "The service is not available right now. Try again in a moment.",
        )
    }
}
