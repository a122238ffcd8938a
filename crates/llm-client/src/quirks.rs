//! Capabilities of a server, learned from its refusals. Kept per model for the life of the process, shared by all calls.

mod learned;
mod optional;
mod refusal;

pub use learned::LearnedQuirks;
pub use optional::Optional;

use super::{ApiKind, error_body};
use refusal::Refusal;
use std::cmp::Ordering;

/// How the token limit is sent in the chat format.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum TokenLimit {
    /// `max_tokens`, which nearly every server knows.
    #[default]
    Old,
    /// `max_completion_tokens`, which OpenAI's reasoning models want instead:
    /// <https://github.com/teilomillet/gollm/issues/33>.
    New,
    Unsent,
}

/// How the reasoning effort is sent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Effort {
    /// As `LLM_REASONING_EFFORT` says; not at all where it is unset.
    #[default]
    Configured,
    /// `none`, without which some models refuse tools in the chat format:
    /// <https://github.com/laurent22/joplin/pull/16451>.
    None,
    Unsent,
}

/// The form of our requests to one model.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Quirks {
    pub route: Route,
    pub token_limit: TokenLimit,
    pub effort: Effort,
    pub left_out: u8,
}

/// In which format a model is asked, and why. Ordered by what is known: what has been learned is never taken back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Route {
    /// As `LLM_API` says; no refusal changes it.
    Fixed(ApiKind),
    /// As the host suggests.
    ByHost(ApiKind),
    /// Through `/responses`, because the model takes no tools with reasoning in the chat format:
    /// <https://github.com/openai/openai-openapi/issues/541>.
    SentToResponses,
    /// In the chat format, because the server has no `/responses`.
    WithoutResponses,
}

impl Default for Route {
    fn default() -> Self {
        Self::ByHost(ApiKind::Chat)
    }
}

impl Route {
    fn api(self) -> ApiKind {
        match self {
            Self::Fixed(api) | Self::ByHost(api) => api,
            Self::SentToResponses => ApiKind::Responses,
            Self::WithoutResponses => ApiKind::Chat,
        }
    }

    /// How far it is from where every call begins.
    fn step(self) -> u8 {
        match self {
            Self::Fixed(_) | Self::ByHost(_) => 0,
            Self::SentToResponses => 1,
            Self::WithoutResponses => 2,
        }
    }
}

/// What a change was about; a refusal that names it again says that the change did not help.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    TokenLimit,
    Effort,
    Api,
    LeftOut(Optional),
}

impl Quirks {
    pub fn new(route: Route) -> Self {
        Self {
            route,
            ..Self::default()
        }
    }

    /// The format of the next request.
    pub fn api(self) -> ApiKind {
        self.route.api()
    }

    pub fn sends(self, optional: Optional) -> bool {
        optional.is_sent_in(self.api()) && self.left_out & optional.bit() == 0
    }

    #[must_use]
    pub fn without(self, optional: Optional) -> Self {
        Self {
            left_out: self.left_out | optional.bit(),
            ..self
        }
    }

    /// What to change after a refusal (400 or 422) with this body: the first thing it names that was sent.
    pub fn after_refusal(self, body: &str) -> Option<(Self, Change)> {
        let refusal = Refusal::read(body);
        if self.api() == ApiKind::Chat
            && (refusal.names("reasoning_effort") || refusal.mentions("v1/responses"))
            && let Some(next) = self.after_refused_effort(body)
        {
            return Some(next);
        }
        if self.api() != ApiKind::Chat
            && self.effort != Effort::Unsent
            && ["reasoning", "reasoning_effort", "output_config", "effort"]
                .iter()
                .any(|name| refusal.names(name))
        {
            let effort = Effort::Unsent;
            return Some((Self { effort, ..self }, Change::Effort));
        }
        if self.api() == ApiKind::Chat && self.token_limit == TokenLimit::Old && refusal.names("max_tokens") {
            let token_limit = TokenLimit::New;
            return Some((Self { token_limit, ..self }, Change::TokenLimit));
        }
        if self.api() == ApiKind::Chat && self.token_limit == TokenLimit::New && refusal.names("max_completion_tokens")
        {
            let token_limit = TokenLimit::Unsent;
            return Some((Self { token_limit, ..self }, Change::TokenLimit));
        }
        let optional = Optional::ALL
            .into_iter()
            .find(|optional| self.sends(*optional) && refusal.names(optional.name()))?;
        Some((self.without(optional), Change::LeftOut(optional)))
    }

    /// Models that refuse tools with reasoning in the chat format are asked through `/responses` where the refusal names it,
    /// else without reasoning.
    fn after_refused_effort(self, body: &str) -> Option<(Self, Change)> {
        let may_switch = matches!(self.route, Route::ByHost(_));
        let names_responses = body.contains("v1/responses");
        let to_responses = Self {
            route: Route::SentToResponses,
            effort: Effort::Configured,
            ..self
        };
        if may_switch && (names_responses || self.effort == Effort::None) {
            return Some((to_responses, Change::Api));
        }
        let effort = match self.effort {
            Effort::Configured => Effort::None,
            Effort::None => Effort::Unsent,
            Effort::Unsent => return None,
        };
        Some((Self { effort, ..self }, Change::Effort))
    }

    /// What to change after a 404 or 405: this server has no such address.
    pub fn after_missing_path(self, body: &str) -> Option<(Self, Change)> {
        let effort = match self.route {
            _ if error_body::is_unknown_model(body) => return None,
            Route::SentToResponses => Effort::None,
            Route::ByHost(ApiKind::Responses) => self.effort,
            Route::ByHost(_) | Route::Fixed(_) | Route::WithoutResponses => return None,
        };
        let chat = Self {
            route: Route::WithoutResponses,
            effort,
            ..self
        };
        Some((chat, Change::Api))
    }

    /// What two calls have learned, together.
    fn join(self, other: Self) -> Self {
        let (route, effort) = match self.route.step().cmp(&other.route.step()) {
            Ordering::Less => (other.route, other.effort),
            Ordering::Greater => (self.route, self.effort),
            Ordering::Equal if other.effort == Effort::Configured => (self.route, self.effort),
            Ordering::Equal => (self.route, other.effort),
        };
        Self {
            route,
            effort,
            token_limit: self.token_limit.max(other.token_limit),
            left_out: self.left_out | other.left_out,
        }
    }
}

impl Change {
    /// Whether a refusal is about this change again.
    pub fn is_refused_again(self, status: Option<u16>, body: &str) -> bool {
        let refusal = Refusal::read(body);
        match (status, self) {
            (Some(404 | 405), Self::Api) => true,
            (Some(400 | 422), Self::TokenLimit) => {
                refusal.names("max_tokens") || refusal.names("max_completion_tokens")
            }
            (Some(400 | 422), Self::Effort) => refusal.names("reasoning_effort"),
            (Some(400 | 422), Self::LeftOut(optional)) => refusal.names(optional.name()),
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CHAT: Quirks = Quirks {
        route: Route::ByHost(ApiKind::Chat),
        token_limit: TokenLimit::Old,
        effort: Effort::Configured,
        left_out: 0,
    };

    fn next(quirks: Quirks, body: &str) -> Option<Quirks> {
        quirks.after_refusal(body).map(|(next, _)| next)
    }

    #[test]
    fn a_refusal_that_names_a_parameter_changes_that_parameter() {
        let new = Quirks {
            token_limit: TokenLimit::New,
            ..CHAT
        };
        let cases = [
            (
                CHAT,
                r#"{"error":{"message":"Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.","param":"max_tokens"}}"#,
                Some(new),
            ),
            (CHAT, "Unsupported parameter: max_tokens", Some(new)),
            (
                new,
                "unknown field `max_completion_tokens`",
                Some(Quirks {
                    token_limit: TokenLimit::Unsent,
                    ..CHAT
                }),
            ),
            (
                CHAT,
                r#"{"error":{"param":"temperature","message":"max_tokens is fine"}}"#,
                Some(CHAT.without(Optional::Temperature)),
            ),
            (
                CHAT,
                r#"{"detail":[{"type":"extra_forbidden","loc":["body","stream_options"]}]}"#,
                Some(CHAT.without(Optional::StreamOptions)),
            ),
            (
                CHAT,
                r#"{"error":{"param":"stream_options.include_usage"}}"#,
                Some(CHAT.without(Optional::StreamOptions)),
            ),
            (CHAT, r#"{"error":{"param":"messages","message":"temperature"}}"#, None),
            (CHAT, "the temperatures are high", None),
            (CHAT.without(Optional::Temperature), "temperature", None),
            (
                CHAT,
                "messages must not be empty; include one, or store it elsewhere",
                None,
            ),
            (CHAT, "", None),
        ];
        for (quirks, body, want) in cases {
            assert_eq!(next(quirks, body), want, "{body}");
        }
    }

    #[test]
    fn a_model_that_takes_no_tools_with_reasoning_is_asked_otherwise() {
        let named = r#"{"error":{"message":"Function tools with reasoning_effort are not supported for gpt-5.6-terra in /v1/chat/completions. To use function tools, use /v1/responses or set reasoning_effort to 'none'.","type":"invalid_request_error","param":"reasoning_effort","code":null}}"#;
        let fixed = Quirks::new(Route::Fixed(ApiKind::Chat));
        let responses = next(CHAT, named).expect("changes");
        assert_eq!(responses.api(), ApiKind::Responses);
        assert_eq!(
            next(fixed, named).expect("changes").effort,
            Effort::None,
            "a fixed format stays"
        );
        let (back, _) = responses.after_missing_path("404 page not found").expect("changes");
        assert_eq!((back.api(), back.effort), (ApiKind::Chat, Effort::None));
        assert_eq!(
            next(back, named).expect("changes").api(),
            ApiKind::Chat,
            "not there and back again"
        );

        let unnamed = r#"{"error":{"message":"Unsupported value: 'reasoning_effort'","param":"reasoning_effort"}}"#;
        let without = next(CHAT, unnamed).expect("changes");
        assert_eq!((without.api(), without.effort), (ApiKind::Chat, Effort::None));
        let refuses_none = r#"{"error":{"message":"'reasoning_effort' does not support 'none' with this model.","param":"reasoning_effort"}}"#;
        assert_eq!(next(without, refuses_none).expect("changes").api(), ApiKind::Responses);
    }
}
