//! Why a sign-in did not come about. The text is the operator's, for the log: it names the cause and holds no secret.

/// See the variants; the page has a sentence for each.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SsoError {
    /// The provider does not answer, or says nothing that can be used: later it may work.
    #[error("{0}")]
    Unavailable(String),
    /// The person or the provider said no.
    #[error("the provider refused: {0}")]
    Refused(String),
    /// Something is not what it should be: begin again.
    #[error("{0}")]
    Failed(String),
    /// It took longer than [`super::PATIENCE`].
    #[error("it took longer than 10 minutes")]
    Expired,
}

pub(crate) type SsoResult<T> = Result<T, SsoError>;

pub(crate) fn failed(cause: impl Into<String>) -> SsoError {
    SsoError::Failed(cause.into())
}

pub(crate) fn unavailable(cause: impl Into<String>) -> SsoError {
    SsoError::Unavailable(cause.into())
}

/// A word that somebody else chose, as far as a log may have it: error codes are such words, tokens are longer.
pub fn word(text: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.');
    let kept: String = text.chars().filter(|c| is_plain(*c)).take(40).collect();
    if kept.is_empty() {
        "without a code".to_owned()
    } else {
        kept
    }
}
