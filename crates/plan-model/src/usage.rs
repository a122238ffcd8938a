//! Token usage of a turn.

use serde::{Deserialize, Serialize};

/// Tokens of a turn, as the provider counted them, or estimated and flagged. The optional counts are parts of the others
/// and left out where the provider says nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Usage {
    /// What was sent.
    pub prompt_tokens: i64,
    /// What was answered.
    pub completion_tokens: i64,
    /// Both.
    pub total_tokens: i64,
    /// Whether the provider did not count.
    pub estimated: bool,
    /// Of the prompt: read from the provider's cache
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cached_prompt_tokens: Option<i64>,
    /// Of the prompt: written to the provider's cache
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cache_write_tokens: Option<i64>,
    /// Of the completion: the model's reasoning
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reasoning_tokens: Option<i64>,
}

impl Usage {
    /// Adds the usage of another round.
    pub fn add(&mut self, other: Self) {
        self.prompt_tokens = self.prompt_tokens.saturating_add(other.prompt_tokens);
        self.completion_tokens = self.completion_tokens.saturating_add(other.completion_tokens);
        self.total_tokens = self.total_tokens.saturating_add(other.total_tokens);
        self.estimated |= other.estimated;
        let add = |one: Option<i64>, other: Option<i64>| match (one, other) {
            (Some(one), Some(other)) => Some(one.saturating_add(other)),
            (one, other) => one.or(other),
        };
        self.cached_prompt_tokens = add(self.cached_prompt_tokens, other.cached_prompt_tokens);
        self.cache_write_tokens = add(self.cache_write_tokens, other.cache_write_tokens);
        self.reasoning_tokens = add(self.reasoning_tokens, other.reasoning_tokens);
    }
}
