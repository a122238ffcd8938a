//! Optional parameters of requests, and what is lost without each.

use crate::{ApiKind, error::body::ErrorBody};

/// An optional parameter that can be left out without another in its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Optional {
    /// Models without a template for them: <https://github.com/ollama/ollama/issues/6027>.
    Tools,
    /// Reasoning models take their own only: <https://github.com/BeehiveInnovations/pal-mcp-server/issues/78>.
    Temperature,
    /// Mistral refused it: <https://github.com/openai/openai-agents-python/issues/442>.
    StreamOptions,
    /// <https://github.com/browserbase/stagehand/issues/670>.
    ServiceTier,
    PromptCacheKey,
    /// Encrypted reasoning, which comes back with the results of calls:
    /// <https://cookbook.openai.com/examples/responses_api/reasoning_items>.
    Include,
    /// Azure's o1 refused it: <https://github.com/microsoft/sample-app-aoai-chatGPT/issues/1260>.
    Store,
    /// Gateways refuse what only Anthropic knows: <https://github.com/caozhiyuan/copilot-api/issues/145>.
    CacheControl,
    MaxOutputTokens,
    /// What an earlier answer of the turn had beside its text and its calls: in these members of the chat format …
    ReasoningContent,
    Reasoning,
    ReasoningDetails,
    ExtraContent,
    /// … or in others.
    OtherMembers,
}

impl Optional {
    pub(super) const ALL: [Self; 14] = [
        Self::Tools,
        Self::StreamOptions,
        Self::Temperature,
        Self::ServiceTier,
        Self::PromptCacheKey,
        Self::Include,
        Self::Store,
        Self::CacheControl,
        Self::MaxOutputTokens,
        Self::ReasoningContent,
        Self::Reasoning,
        Self::ReasoningDetails,
        Self::ExtraContent,
        Self::OtherMembers,
    ];

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Tools => "tools",
            Self::Temperature => "temperature",
            Self::StreamOptions => "stream_options",
            Self::ServiceTier => "service_tier",
            Self::PromptCacheKey => "prompt_cache_key",
            Self::Include => "include",
            Self::Store => "store",
            Self::CacheControl => "cache_control",
            Self::MaxOutputTokens => "max_output_tokens",
            Self::ReasoningContent => "reasoning_content",
            Self::Reasoning => "reasoning",
            Self::ReasoningDetails => "reasoning_details",
            Self::ExtraContent => "extra_content",
            Self::OtherMembers => "messages",
        }
    }

    /// The one that a member of an earlier answer is left out with.
    pub(crate) fn of_member(name: &str) -> Self {
        let is_it = |optional: &Self| optional.is_member() && optional.name() == name;
        Self::ALL.into_iter().find(is_it).unwrap_or(Self::OtherMembers)
    }

    /// Whether it is a member of an earlier answer.
    pub(super) fn is_member(self) -> bool {
        matches!(
            self,
            Self::ReasoningContent | Self::Reasoning | Self::ReasoningDetails | Self::ExtraContent | Self::OtherMembers
        )
    }

    /// Whether this refusal is about it. That tools are refused has words of its own.
    pub(super) fn is_refused_by(self, said: &ErrorBody) -> bool {
        match self {
            Self::Tools => false,
            // The last one asked about: by then it is about nothing that we know.
            Self::OtherMembers => said.refuses_unknown_member(),
            Self::Reasoning => said.refuses_member("reasoning") || said.refuses_member("encrypted_content"),
            // Bedrock: "your request did not allow prompt caching".
            Self::CacheControl => said.names("cache_control") || said.says_any(&["prompt caching"]),
            member if member.is_member() => said.refuses_member(member.name()),
            parameter => said.names(parameter.name()),
        }
    }

    pub(super) fn is_sent_in(self, api: ApiKind) -> bool {
        match self {
            Self::Tools | Self::Temperature | Self::ServiceTier | Self::OtherMembers => true,
            Self::Reasoning => api != ApiKind::Messages,
            Self::StreamOptions | Self::ReasoningContent | Self::ReasoningDetails | Self::ExtraContent => {
                api == ApiKind::Chat
            }
            Self::PromptCacheKey | Self::Include | Self::Store | Self::MaxOutputTokens => api == ApiKind::Responses,
            Self::CacheControl => api == ApiKind::Messages,
        }
    }

    /// What an operator should know.
    pub(super) fn consequence(self) -> &'static str {
        match self {
            Self::Tools => {
                "no tools are sent: the model takes none, so that values of the conversation are only proposed"
            }
            Self::Temperature => "temperature is not sent: the model takes none, and LLM_TEMPERATURE has no effect",
            Self::StreamOptions => {
                "stream_options is not sent: tokens are estimated unless the server counts them unasked"
            }
            Self::ServiceTier => "service_tier is not sent: the server takes none, and LLM_SERVICE_TIER has no effect",
            Self::PromptCacheKey => "prompt_cache_key is not sent: the server decides alone what it caches",
            Self::Include => "encrypted reasoning is not asked for: the model does not offer it",
            Self::Store => "store is not sent: the server may keep what it is asked, see its own settings",
            Self::CacheControl => "cache_control is not sent: the server caches no prompts",
            Self::ReasoningContent => {
                "reasoning_content is not sent back with the results of calls: the server takes none"
            }
            Self::Reasoning => "reasoning is not sent back with the results of calls: the server takes none",
            Self::ReasoningDetails => {
                "reasoning_details is not sent back with the results of calls: the server takes none"
            }
            Self::ExtraContent => "extra_content is not sent back with the results of calls: the server takes none",
            Self::OtherMembers => "unknown members are not sent back with the results of calls: the server takes none",
            Self::MaxOutputTokens => "no token limit is sent: LLM_MAX_OUTPUT_TOKENS has no effect",
        }
    }

    /// Its place in the set of those left out.
    pub(super) fn bit(self) -> u16 {
        1 << self as u8
    }
}
