//! Why a call of the model failed. Says classes and numbers, never a person's words, and the provider's only where they answer
//! words of ours.

pub(crate) mod body;
pub(crate) mod status_reason;

use crate::StatusReason;
use crate::error::body::{Echo, ErrorBody};
use plan_model::usage::Usage;
use std::ops::Range;
use std::time::Duration;

/// What broke underneath.
type BoxError = Box<dyn std::error::Error + Send + Sync>;

/// A failed call. People always read the same sentence (`LLM_UNAVAILABLE`); this is for logs, metrics and decisions.
#[derive(Debug, thiserror::Error)]
pub enum LlmError {
    /// Neither key nor base URL is set.
    #[error("no model is configured: set LLM_API_KEY or LLM_BASE_URL")]
    NotConfigured,
    #[error("the model failed several times in a row; not asked for the next {retry_in:?}")]
    /// The breaker is open: nothing was sent.
    CircuitOpen {
        /// When the next call is let through.
        retry_in: Duration,
    },
    /// No connection came about.
    #[error("the model's server could not be reached ({kind})")]
    Connect {
        /// A word for logs: `tls`, `timeout`, `refused` or `network`.
        kind: &'static str,
        /// What the client says.
        #[source]
        source: BoxError,
    },
    /// It broke before the answer was whole.
    #[error("the connection to the model broke")]
    Connection(#[source] BoxError),
    /// The limit from the call to the first piece of the answer.
    #[error("nothing came from the model within {0:?}")]
    FirstToken(Duration),
    /// The limit between two pieces of the answer.
    #[error("the model fell silent for {0:?} in the middle of its answer")]
    Gap(Duration),
    /// A refusal: the answer had not begun.
    #[error("the model's server answered {status} ({reason}){said}")]
    Status {
        /// The HTTP status.
        status: u16,
        /// What the refusal is about.
        reason: StatusReason,
        /// How long the server asks to be left alone.
        retry_after: Option<Duration>,
        /// What the body says.
        said: Box<ErrorBody>,
    },
    /// An error object inside an answer that had begun with 200.
    #[error("the model's server reported an error inside its answer (status {status:?}, {reason}){said}")]
    InStream {
        /// As the error object says, where it does.
        status: Option<u16>,
        /// What it is about.
        reason: StatusReason,
        /// What the error object says.
        said: Box<ErrorBody>,
    },
    /// A web page, a picture or JSON of another kind.
    #[error("the answer is no stream of chat completion chunks ({0})")]
    NotAStream(&'static str),
    /// The body ended, the answer did not.
    #[error("the answer ended before it was finished")]
    Cut,
    /// Something of the answer is not what its format says.
    #[error("the answer could not be read ({0})")]
    Malformed(&'static str),
    /// A limit of ours, named.
    #[error("the answer is larger than allowed ({0})")]
    TooLarge(&'static str),
    /// Nothing was sent.
    #[error("the request could not be made ({0})")]
    Request(&'static str),
    /// The call failed after the provider had already counted tokens.
    #[error("{cause}")]
    AfterUsage {
        /// As counted until then.
        usage: Usage,
        /// Why it failed.
        #[source]
        cause: Box<LlmError>,
    },
}

impl From<ErrorBody> for LlmError {
    fn from(error: ErrorBody) -> Self {
        Self::InStream {
            status: error.status,
            reason: error.event_reason(),
            said: Box::new(error),
        }
    }
}

impl LlmError {
    /// Whether the same message may work when it is sent again later; false only where the configuration has to change.
    pub fn is_retryable_by_user(&self) -> bool {
        !matches!(self.root(), Self::NotConfigured) && !self.is_context_length() && !self.is_filtered()
    }

    /// Whether the provider's filter refused what was asked.
    pub fn is_filtered(&self) -> bool {
        matches!(
            self.root(),
            Self::Status {
                reason: StatusReason::ContentFilter,
                ..
            } | Self::InStream {
                reason: StatusReason::ContentFilter,
                ..
            }
        )
    }

    /// Whether the server answered and did not take the request as it was.
    pub fn is_refusal(&self) -> bool {
        matches!(self.refusal_status(), Some(400 | 413 | 422))
    }

    /// Whether the model wrote a call that its own server could not read.
    pub fn is_malformed_call(&self) -> bool {
        matches!(
            self.root(),
            Self::InStream {
                reason: StatusReason::MalformedCall,
                ..
            } | Self::Status {
                reason: StatusReason::MalformedCall,
                ..
            }
        )
    }

    /// Whether the request was too long for the model.
    pub fn is_context_length(&self) -> bool {
        matches!(
            self.root(),
            Self::Status {
                reason: StatusReason::ContextLength,
                ..
            } | Self::InStream {
                reason: StatusReason::ContextLength,
                ..
            }
        )
    }

    /// Tokens that question and answer may have together, as this refusal says; `None` where it says nothing that can be
    /// believed. True of this call alone.
    pub fn context_tokens(&self) -> Option<u32> {
        self.said()?.context_tokens
    }

    /// What the server's error says.
    pub(super) fn said(&self) -> Option<&ErrorBody> {
        match self.root() {
            Self::Status { said, .. } | Self::InStream { said, .. } => Some(said),
            _ => None,
        }
    }

    /// Reads it once more: what repeats the request teaches nothing, and only a size below `sent` and above `accepted`
    /// tokens is one. `is_shown`: the request held no person's words, so that the operator may read the answer.
    pub(super) fn judge(&mut self, request: &Echo, key: &str, sizes: Range<u32>, is_shown: bool) {
        match self {
            Self::AfterUsage { cause, .. } => cause.judge(request, key, sizes, is_shown),
            Self::Status {
                status, reason, said, ..
            } => {
                said.judge(request, key);
                *reason = said.refusal_reason(*status);
                said.context_tokens = said.size().filter(|size| sizes.contains(size));
                if is_shown {
                    said.show();
                }
            }
            // What the end of an answer says has no words.
            Self::InStream { said, .. } if said.is_empty() => {}
            Self::InStream { reason, said, .. } => {
                said.judge(request, key);
                *reason = said.event_reason();
                said.context_tokens = said.size().filter(|size| sizes.contains(size));
                if is_shown {
                    said.show();
                }
            }
            _ => {}
        }
    }

    /// The server's own sentence, where nothing in it is known and nothing of it is a person's.
    pub(super) fn unknown_sentence(&self) -> Option<&str> {
        match self.root() {
            Self::Status {
                reason: StatusReason::BadRequest,
                said,
                ..
            } => said.own_sentence(),
            _ => None,
        }
    }

    /// The HTTP status of a refusal.
    pub fn status(&self) -> Option<u16> {
        match self.root() {
            Self::Status { status, .. } => Some(*status),
            _ => None,
        }
    }

    /// The status of a refusal by what it is about: some servers say that they have failed, or refuse inside of an answer.
    pub(super) fn refusal_status(&self) -> Option<u16> {
        match self.root() {
            Self::Status {
                status: 500..,
                reason: StatusReason::BadRequest,
                ..
            } => Some(400),
            Self::Status { status, .. } => Some(*status),
            Self::InStream { status, reason, .. } => status.or((*reason == StatusReason::BadRequest).then_some(400)),
            _ => None,
        }
    }

    /// A short word from a closed list, for logs and metrics.
    pub fn class(&self) -> &'static str {
        match self {
            Self::NotConfigured => "not_configured",
            Self::CircuitOpen { .. } => "circuit_open",
            Self::Connect { .. } => "connect",
            Self::Connection(_) => "connection",
            Self::FirstToken(_) => "first_token_timeout",
            Self::Gap(_) => "gap_timeout",
            Self::Status { reason, .. } | Self::InStream { reason, .. } => reason.as_str(),
            Self::NotAStream(_) => "not_a_stream",
            Self::Cut => "cut",
            Self::Malformed(_) => "malformed",
            Self::TooLarge(_) => "too_large",
            Self::Request(_) => "request",
            Self::AfterUsage { cause, .. } => cause.class(),
        }
    }

    /// Tokens the provider had counted before the call failed.
    pub fn usage(&self) -> Option<Usage> {
        match self {
            Self::AfterUsage { usage, .. } => Some(*usage),
            _ => None,
        }
    }

    pub(super) fn with_usage(self, usage: Option<Usage>) -> Self {
        match usage {
            Some(usage) => Self::AfterUsage {
                usage,
                cause: Box::new(self),
            },
            None => self,
        }
    }

    fn root(&self) -> &Self {
        match self {
            Self::AfterUsage { cause, .. } => cause.root(),
            other => other,
        }
    }

    /// Whether the breaker counts it: the model or the way to it is broken, not our request.
    pub(super) fn counts_against_model(&self) -> bool {
        match self.root() {
            Self::NotConfigured | Self::CircuitOpen { .. } | Self::Request(_) => false,
            _ if self.is_context_length() || self.is_filtered() || self.is_malformed_call() => false,
            Self::Status {
                reason: StatusReason::BadRequest,
                ..
            } => false,
            Self::Status { status, .. }
            | Self::InStream {
                status: Some(status), ..
            } => !matches!(status, 400..=499) || matches!(status, 401 | 403 | 408 | 429),
            Self::InStream { reason, .. } => !matches!(
                reason,
                StatusReason::BadRequest | StatusReason::NotFound | StatusReason::Quota
            ),
            _ => true,
        }
    }

    /// Whether trying again at once may help, provided nothing of the answer has been seen.
    pub(super) fn is_transient(&self) -> bool {
        match self.root() {
            Self::Connect { kind, .. } => *kind != "tls",
            Self::Connection(_) | Self::Cut => true,
            Self::Status { reason, .. } | Self::InStream { reason, .. }
                if matches!(
                    reason,
                    StatusReason::Quota | StatusReason::ContextLength | StatusReason::ContentFilter
                ) =>
            {
                false
            }
            Self::Status {
                status: 500..,
                reason: StatusReason::BadRequest,
                ..
            } => false,
            _ if self.is_malformed_call() => true,
            Self::Status { status, .. }
            | Self::InStream {
                status: Some(status), ..
            } => {
                matches!(status, 408 | 409 | 425 | 429 | 500..=599)
            }
            Self::InStream { reason, .. } => {
                matches!(
                    reason,
                    StatusReason::RateLimited | StatusReason::Server | StatusReason::Timeout
                )
            }
            _ => false,
        }
    }
}
