//! Which wire format a model is asked in.

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
