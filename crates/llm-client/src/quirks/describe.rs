//! How a model is asked, and what differs from the usual request, for operators.

use super::{Effort, Optional, Quirks, Route, TokenLimit};
use crate::{ApiKind, settings::ModelOptions};

impl Quirks {
    /// Format, tools and effort, in a sentence each.
    pub(crate) fn facts(self, options: &ModelOptions) -> Vec<(&'static str, String)> {
        let format = match self.api() {
            ApiKind::Chat => "OpenAI's chat completions",
            ApiKind::Responses => "OpenAI's Responses",
            ApiKind::Messages => "Anthropic's Messages",
        };
        let why = match self.route {
            Route::Fixed(_) => "as LLM_API says",
            Route::ByHost(_) => "as the address suggests",
            Route::SentToResponses | Route::WithoutResponses => "as the server's refusal asks",
        };
        let tools = match self.sends(Optional::Tools) {
            true => "taken",
            false => "refused: it talks, and plainly stated values wait for the franchisee; take another model",
        };
        let effort = match (self.effort, options.effort) {
            (Effort::None, _) => "none is sent, which this model wants beside tools".to_owned(),
            (Effort::Unsent, _) => "refused, so that none is sent: take LLM_REASONING_EFFORT away".to_owned(),
            (Effort::Configured, Some(effort)) => format!("{}, as LLM_REASONING_EFFORT says", effort.as_str()),
            (Effort::Configured, None) => "the model's own; LLM_REASONING_EFFORT sets one".to_owned(),
        };
        vec![
            ("format", format!("{format}, {why}")),
            ("tools", tools.to_owned()),
            ("effort", effort),
        ]
    }

    /// One line each; empty when the server takes everything.
    pub(crate) fn describe(self) -> Vec<String> {
        let mut lines = Vec::new();
        if self.route == Route::SentToResponses {
            lines.push(
                "asked through /responses: this model takes no tools on /chat/completions; LLM_API=responses saves the first refusal"
                    .to_owned(),
            );
        }
        if self.route == Route::WithoutResponses {
            lines.push("asked through /chat/completions: the server has no /responses; set LLM_API=chat".to_owned());
        }
        match self.effort {
            Effort::Configured => {}
            Effort::None => lines.push(
                "reasoning_effort is sent as none: this model takes no tools with reasoning on /chat/completions"
                    .to_owned(),
            ),
            Effort::Unsent => {
                lines.push("the reasoning effort is not sent: the model does not take LLM_REASONING_EFFORT".to_owned());
            }
        }
        if self.api() == ApiKind::Chat {
            match self.token_limit {
                TokenLimit::Old => {}
                TokenLimit::New => lines.push("max_tokens is sent as max_completion_tokens".to_owned()),
                TokenLimit::Unsent => {
                    lines.push("no token limit is sent: LLM_MAX_OUTPUT_TOKENS has no effect".to_owned());
                }
            }
        }
        if let Some(most) = self.most_output {
            lines.push(format!(
                "an answer has at most {most} tokens: the model takes no higher limit; set LLM_MAX_OUTPUT_TOKENS={most}"
            ));
        }
        let left_out = Optional::ALL
            .into_iter()
            .filter(|optional| optional.is_sent_in(self.api()) && !self.sends(*optional));
        lines.extend(left_out.map(|optional| optional.consequence().to_owned()));
        lines
    }
}
