//! What a provider's error is about.

/// What a provider's error is about, from a closed list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StatusReason {
    /// The server does not take what we sent.
    BadRequest,
    /// The conversation does not fit the model.
    ContextLength,
    /// The key is wrong or missing.
    Unauthorized,
    /// The key may not do this.
    Forbidden,
    /// There is no such address or model.
    NotFound,
    /// The server gave up.
    Timeout,
    /// Too many calls for now.
    RateLimited,
    /// The account has no money or quota left; trying again is of no use.
    Quota,
    /// The provider's filter refuses what was asked.
    ContentFilter,
    /// The model wrote a call that its own server could not read.
    MalformedCall,
    /// The server is elsewhere; we do not follow.
    Redirect,
    /// The server failed.
    Server,
    /// None of these.
    Other,
}

impl StatusReason {
    pub(crate) fn of_status(status: u16) -> Self {
        match status {
            300..=399 => Self::Redirect,
            401 => Self::Unauthorized,
            402 => Self::Quota,
            403 => Self::Forbidden,
            404 => Self::NotFound,
            408 => Self::Timeout,
            413 => Self::ContextLength,
            429 => Self::RateLimited,
            400..=499 => Self::BadRequest,
            500..=599 => Self::Server,
            _ => Self::Other,
        }
    }

    /// A word for logs and metrics.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::BadRequest => "bad_request",
            Self::ContextLength => "context_length",
            Self::Unauthorized => "unauthorized",
            Self::Forbidden => "forbidden",
            Self::NotFound => "not_found",
            Self::Timeout => "provider_timeout",
            Self::RateLimited => "rate_limited",
            Self::Quota => "quota",
            Self::ContentFilter => "content_filter",
            Self::MalformedCall => "malformed_call",
            Self::Redirect => "redirect",
            Self::Server => "server_error",
            Self::Other => "provider_error",
        }
    }
}

impl std::fmt::Display for StatusReason {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}
