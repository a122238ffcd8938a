//! What differs from the usual request, for operators.

use super::{Effort, Optional, Quirks, Route, TokenLimit};
use crate::ApiKind;

impl Quirks {
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
        let left_out = Optional::ALL
            .into_iter()
            .filter(|optional| optional.is_sent_in(self.api()) && !self.sends(*optional));
        lines.extend(left_out.map(|optional| optional.consequence().to_owned()));
        lines
    }
}
