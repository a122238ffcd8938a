//! How a model is asked, and what to change after a refusal.

mod describe;
mod optional;

pub(crate) use optional::Optional;

use super::{
    ApiKind, LlmError, error::body::ErrorBody, settings::ModelOptions, settings::reasoning_effort::ReasoningEffort,
};

/// How the token limit is sent in the chat format.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum TokenLimit {
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
pub(crate) enum Effort {
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
pub(crate) struct Quirks {
    pub route: Route,
    pub token_limit: TokenLimit,
    pub effort: Effort,
    pub left_out: u16,
    /// The most tokens of an answer that the model takes, where it takes fewer than were asked for.
    pub most_output: Option<u32>,
}

/// In which format a model is asked, and why.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Route {
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
}

/// One step away from the usual request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Change {
    TokenLimit(TokenLimit),
    OutputLimit(u32),
    Effort(Effort),
    Api(Route, Effort),
    LeftOut(Optional),
    /// What was left out is missed: a gateway's next server may want what the last one refused.
    SentAgain(Optional),
}

impl Quirks {
    pub(crate) fn new(route: Route) -> Self {
        Self {
            route,
            ..Self::default()
        }
    }

    /// The format of the next request.
    pub(crate) fn api(self) -> ApiKind {
        self.route.api()
    }

    pub(crate) fn sends(self, optional: Optional) -> bool {
        optional.is_sent_in(self.api()) && self.left_out & optional.bit() == 0
    }

    /// How many tokens an answer may have, of so many that are wanted.
    pub(crate) fn output_tokens(self, wanted: u32) -> u32 {
        self.most_output.map_or(wanted, |most| most.min(wanted))
    }

    /// Changed so.
    #[must_use]
    pub(crate) fn with(self, change: Change) -> Self {
        match change {
            Change::TokenLimit(token_limit) => Self { token_limit, ..self },
            Change::OutputLimit(tokens) => Self {
                most_output: Some(tokens),
                ..self
            },
            Change::Effort(effort) => Self { effort, ..self },
            Change::Api(route, effort) => Self { route, effort, ..self },
            Change::LeftOut(optional) => Self {
                left_out: self.left_out | optional.bit(),
                ..self
            },
            Change::SentAgain(optional) => Self {
                left_out: self.left_out & !optional.bit(),
                ..self
            },
        }
    }

    /// What to change after this refusal of a request for an answer of `wanted` tokens, if it is about how we ask. Each step
    /// leaves out more or is taken once, so it ends.
    pub(crate) fn after(self, refused: &LlmError, options: &ModelOptions, wanted: u32) -> Option<Change> {
        let said = refused.said()?;
        match refused.refusal_status() {
            // It may name the token limit, but the conversation is what is too long.
            _ if refused.is_context_length() || refused.is_malformed_call() => None,
            Some(400 | 404 | 405 | 422) if said.refuses_tools() => {
                self.sends(Optional::Tools).then_some(Change::LeftOut(Optional::Tools))
            }
            // Bedrock's status for a model that caches no prompts.
            Some(403) => (self.sends(Optional::CacheControl) && Optional::CacheControl.is_refused_by(said))
                .then_some(Change::LeftOut(Optional::CacheControl)),
            Some(400 | 422) => self.after_refusal(said, options, wanted),
            Some(404 | 405) => self.after_missing_path(said),
            _ => None,
        }
    }

    /// What to change after a refusal (400 or 422): the first thing it names that was sent.
    fn after_refusal(self, said: &ErrorBody, options: &ModelOptions, wanted: u32) -> Option<Change> {
        if let Some(most) = said.output_limit(wanted).filter(|_| self.most_output.is_none()) {
            return Some(Change::OutputLimit(most));
        }
        let is_chat = self.api() == ApiKind::Chat;
        let refuses_effort = match options.effort {
            Some(ReasoningEffort::None) if self.api() == ApiKind::Messages => {
                said.refuses_effort() || said.says_any(&["thinking"])
            }
            Some(_) => said.refuses_effort(),
            None => is_chat && said.names("reasoning_effort"),
        };
        if is_chat
            && (refuses_effort || said.mentions("v1/responses"))
            && let Some(change) = self.after_refused_effort(said, options)
        {
            return Some(change);
        }
        if !is_chat && refuses_effort && self.effort != Effort::Unsent {
            return Some(Change::Effort(Effort::Unsent));
        }
        match self.token_limit {
            TokenLimit::Old if is_chat && said.names("max_tokens") => return Some(Change::TokenLimit(TokenLimit::New)),
            TokenLimit::New if is_chat && said.names("max_completion_tokens") => {
                return Some(Change::TokenLimit(TokenLimit::Unsent));
            }
            _ => {}
        }
        let is_missed = |optional: &Optional| {
            optional.is_member() && self.left_out & optional.bit() != 0 && said.misses_member(optional.name())
        };
        if let Some(missed) = Optional::ALL.into_iter().find(is_missed) {
            return Some(Change::SentAgain(missed));
        }
        let is_refused = |optional: &Optional| self.sends(*optional) && optional.is_refused_by(said);
        Optional::ALL.into_iter().find(is_refused).map(Change::LeftOut)
    }

    /// Models that refuse tools with reasoning in the chat format are asked through `/responses` where the refusal names it,
    /// else without reasoning.
    fn after_refused_effort(self, said: &ErrorBody, options: &ModelOptions) -> Option<Change> {
        let may_switch = matches!(self.route, Route::ByHost(_));
        if may_switch && (said.mentions("v1/responses") || self.effort == Effort::None) {
            return Some(Change::Api(Route::SentToResponses, Effort::Configured));
        }
        // Refused as such or for its value, not with tools.
        let is_unknown = options.effort.is_some_and(|effort| {
            let value = effort.as_str();
            let quoted = [format!("'{value}'"), format!("\"{value}\""), format!("`{value}`")];
            said.says_any(&quoted.each_ref().map(String::as_str)) || !said.says_any(&["tool", "function", "'none'"])
        });
        Some(Change::Effort(match self.effort {
            Effort::Configured if is_unknown => Effort::Unsent,
            Effort::Configured => Effort::None,
            Effort::None => Effort::Unsent,
            Effort::Unsent => return None,
        }))
    }

    /// What to change after a 404 or 405: this server has no such address.
    fn after_missing_path(self, said: &ErrorBody) -> Option<Change> {
        let effort = match self.route {
            _ if said.is_unknown_model() => return None,
            Route::SentToResponses => Effort::None,
            Route::ByHost(ApiKind::Responses) => self.effort,
            Route::ByHost(_) | Route::Fixed(_) | Route::WithoutResponses => return None,
        };
        Some(Change::Api(Route::WithoutResponses, effort))
    }
}

impl Change {
    /// Whether a refusal is about this change again, so that it did not help.
    pub(crate) fn is_refused_again(self, refused: &LlmError) -> bool {
        let Some(said) = refused.said() else { return false };
        match (refused.refusal_status(), self) {
            (_, Self::LeftOut(Optional::Tools)) => said.refuses_tools(),
            (Some(404 | 405), Self::Api(..)) => true,
            (Some(400 | 422), Self::OutputLimit(tokens)) => said.output_limit(tokens).is_some(),
            (Some(400 | 422), Self::TokenLimit(_)) => said.names("max_tokens") || said.names("max_completion_tokens"),
            (Some(400 | 422), Self::Effort(_)) => said.refuses_effort(),
            (Some(400 | 422), Self::SentAgain(optional)) => said.misses_member(optional.name()),
            (Some(400 | 403 | 422), Self::LeftOut(optional)) => optional.is_refused_by(said),
            _ => false,
        }
    }

    /// Whether it takes back another.
    pub(crate) fn takes_back(self, other: Self) -> bool {
        match (self, other) {
            (Self::LeftOut(one), Self::SentAgain(other)) | (Self::SentAgain(one), Self::LeftOut(other)) => one == other,
            _ => false,
        }
    }

    /// Whether it is about requests with tools only.
    pub(crate) fn needs_tools(self) -> bool {
        matches!(self, Self::Effort(Effort::None) | Self::Api(Route::SentToResponses, _))
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
        most_output: None,
    };

    fn refused(status: u16, body: &str) -> LlmError {
        let said = ErrorBody::read(body);
        LlmError::Status {
            status,
            reason: said.refusal_reason(status),
            retry_after: None,
            said: Box::new(said),
        }
    }

    fn next(quirks: Quirks, body: &str) -> Option<Quirks> {
        let change = quirks.after(&refused(400, body), &ModelOptions::default(), 4_096)?;
        Some(quirks.with(change))
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
                Some(CHAT.with(Change::LeftOut(Optional::Temperature))),
            ),
            (
                CHAT,
                r#"{"detail":[{"type":"extra_forbidden","loc":["body","stream_options"]}]}"#,
                Some(CHAT.with(Change::LeftOut(Optional::StreamOptions))),
            ),
            (
                CHAT,
                r#"{"error":{"param":"stream_options.include_usage"}}"#,
                Some(CHAT.with(Change::LeftOut(Optional::StreamOptions))),
            ),
            (CHAT, r#"{"error":{"param":"messages","message":"temperature"}}"#, None),
            (CHAT, "the temperatures are high", None),
            (CHAT.with(Change::LeftOut(Optional::Temperature)), "temperature", None),
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
    fn a_model_without_a_prompt_cache_is_asked_without_one() {
        let said = r#"{"message":"You invoked an unsupported model or your request did not allow prompt caching."}"#;
        let messages = Quirks::new(Route::Fixed(ApiKind::Messages));
        let without = Some(Change::LeftOut(Optional::CacheControl));
        let after = |quirks: Quirks, status| quirks.after(&refused(status, said), &ModelOptions::default(), 4_096);
        assert_eq!((after(messages, 403), after(messages, 400)), (without, without));
        let changed = messages.with(Change::LeftOut(Optional::CacheControl));
        assert_eq!((after(changed, 403), after(CHAT, 403)), (None, None));
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
        let missing = refused(404, "404 page not found");
        let back = responses
            .after(&missing, &ModelOptions::default(), 4_096)
            .expect("changes");
        let back = responses.with(back);
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
    #[test]
    fn an_effort_that_the_model_does_not_know_is_left_out_at_once() {
        let options = ModelOptions {
            effort: Some(crate::ReasoningEffort::Low),
            ..ModelOptions::default()
        };
        let unsent = Some(Change::Effort(Effort::Unsent));
        for body in [
            r#"{"code":"Client specified an invalid argument","error":"Model grok-4 does not support parameter reasoningEffort."}"#,
            r#"{"error":{"message":"Unrecognized request argument supplied: reasoning_effort"}}"#,
            r#"{"error":{"message":"Argument not supported on this model: reasoning.effort"}}"#,
            r#"{"error":{"message":"Reasoning effort is not supported by this model."}}"#,
            r#"{"error":{"message":"Unsupported value: 'reasoning_effort' does not support 'low' with this model. Supported values are: 'medium'."}}"#,
            r#"{"detail":[{"type":"extra_forbidden","loc":["body","reasoning_effort"],"msg":"Extra inputs are not permitted"}]}"#,
        ] {
            assert_eq!(CHAT.after(&refused(400, body), &options, 4_096), unsent, "{body}");
        }
        let other = [ApiKind::Responses, ApiKind::Messages].map(|api| Quirks::new(Route::Fixed(api)));
        for body in [
            r#"{"error":{"message":"This model does not support the effort parameter."}}"#,
            r#"{"error":{"message":"output_config: Extra inputs are not permitted"}}"#,
            r#"{"error":{"message":"Unsupported parameter: 'reasoning.effort' is not supported with this model.","param":"reasoning.effort"}}"#,
        ] {
            for quirks in other {
                assert_eq!(quirks.after(&refused(400, body), &options, 4_096), unsent, "{body}");
                let change = quirks.after(&refused(400, body), &ModelOptions::default(), 4_096);
                assert_ne!(change, unsent, "none is sent");
            }
        }
        let missing = "The `reasoning_content` in the thinking mode must be passed back to the API.";
        assert_eq!(CHAT.after(&refused(400, missing), &options, 4_096), None);
    }

    #[test]
    fn a_server_that_does_not_let_thinking_be_switched_off_is_asked_without_that() {
        let options = ModelOptions {
            effort: Some(ReasoningEffort::None),
            ..ModelOptions::default()
        };
        let messages = Quirks::new(Route::Fixed(ApiKind::Messages));
        for said in [
            "thinking: Extra inputs are not permitted",
            "thinking.type: Input should be 'enabled' or 'adaptive'",
            "Thinking cannot be disabled for this model.",
        ] {
            let body = format!(r#"{{"type":"error","error":{{"type":"invalid_request_error","message":"{said}"}}}}"#);
            let change = messages.after(&refused(400, &body), &options, 4_096);
            assert_eq!(change, Some(Change::Effort(Effort::Unsent)), "{said}");
        }
    }
}
