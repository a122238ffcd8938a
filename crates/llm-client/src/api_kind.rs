//! Which wire format a model is asked in, and what only one of them can read.

use std::{fmt, sync::Arc};

/// A wire format.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum ApiKind {
    /// OpenAI's `/chat/completions`, which nearly every server offers.
    #[default]
    Chat,
    /// OpenAI's `/responses`.
    Responses,
    /// Anthropic's `/messages`.
    Messages,
}

impl ApiKind {
    /// The path below the base URL.
    pub fn path(self) -> &'static str {
        match self {
            Self::Chat => "/chat/completions",
            Self::Responses => "/responses",
            Self::Messages => "/messages",
        }
    }
}

/// `LLM_API`: which wire format is used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ApiChoice {
    /// By the host, and by what the server refuses.
    #[default]
    Auto,
    /// Always this one.
    Fixed(ApiKind),
}

/// A piece of a model's reasoning that only its provider can read. It goes back verbatim with the results of the calls it
/// belongs to, within the same turn: never stored, shown or logged.
#[derive(Clone, PartialEq, Eq)]
pub struct Opaque {
    pub(super) api: ApiKind,
    pub(super) json: Arc<str>,
}

impl Opaque {
    /// Its size in bytes.
    pub fn size(&self) -> usize {
        self.json.len()
    }
}

impl fmt::Debug for Opaque {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Opaque({:?}, {} bytes)", self.api, self.json.len())
    }
}
