//! What the refusals of a server have taught, kept per model for the life of the process and shared by all calls.

use super::{Effort, Optional, Quirks, Route, TokenLimit};
use crate::ApiKind;
use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
};

/// What has been learned about each model of the server. A call that began before another one learned something takes
/// nothing back.
#[derive(Debug)]
pub struct LearnedQuirks {
    first: Quirks,
    by_model: Mutex<HashMap<Arc<str>, Quirks>>,
}

impl LearnedQuirks {
    pub fn new(first: Quirks) -> Self {
        Self {
            first,
            by_model: Mutex::default(),
        }
    }

    pub fn of(&self, model: &str) -> Quirks {
        let known = self.by_model.lock().unwrap_or_else(PoisonError::into_inner);
        known.get(model).copied().unwrap_or(self.first)
    }

    pub fn remember(&self, model: &str, quirks: Quirks) {
        let mut known = self.by_model.lock().unwrap_or_else(PoisonError::into_inner);
        let joined = known.get(model).copied().unwrap_or(self.first).join(quirks);
        known.insert(Arc::from(model), joined);
    }

    /// For operators, one line each; empty when the server takes everything.
    pub fn describe(&self, model: &str) -> Vec<String> {
        self.of(model).describe()
    }
}

impl Quirks {
    /// What differs from the usual request, for operators.
    fn describe(self) -> Vec<String> {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_learned_can_be_read_and_is_not_taken_back() {
        let learned = LearnedQuirks::new(Quirks::default());
        assert!(learned.describe("m").is_empty());
        let all = Quirks {
            token_limit: TokenLimit::New,
            ..Quirks::default()
                .without(Optional::Temperature)
                .without(Optional::StreamOptions)
        };
        learned.remember("m", all);
        assert_eq!(learned.describe("m").len(), 3);
        assert!(learned.describe("another").is_empty(), "another model may take it");
        learned.remember("m", Quirks::default());
        assert_eq!(learned.describe("m").len(), 3, "by a call that was still running");
        learned.remember(
            "m",
            Quirks {
                route: Route::SentToResponses,
                ..Quirks::default()
            },
        );
        learned.remember("m", Quirks::default());
        assert_eq!(learned.of("m").api(), ApiKind::Responses);
    }
}
