//! The form of requests to a model.

use clap::ValueEnum;

/// In which form a model is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum LlmApi {
    /// By the host, and by what the server refuses
    Auto,
    /// OpenAI's chat completions
    Chat,
    /// OpenAI's responses
    Responses,
    /// Anthropic's messages
    Messages,
}
