//! What the advisor does next: calls tools, or says its answer.

use crate::offline::situation::Situation;
use plan_model::message::ToolCall;
use serde_json::Value;

/// Calls, or words.
#[derive(Debug)]
pub(super) enum Step {
    Call(Vec<ToolCall>),
    Say(Answer),
}

/// Words, and what one could ask next.
#[derive(Debug, Default)]
pub(super) struct Answer {
    pub text: String,
    pub suggestions: Vec<String>,
}

impl Step {
    /// Says the parts that have words.
    pub(super) fn say(parts: impl IntoIterator<Item = String>, suggestions: Vec<String>) -> Self {
        let parts: Vec<String> = parts.into_iter().filter(|part| !part.trim().is_empty()).collect();
        Self::Say(Answer {
            text: parts.join(" ").replace("\n ", "\n"),
            suggestions,
        })
    }

    /// Calls the tools, where one of them is offered and none has been called in this turn.
    pub(super) fn ask(situation: &Situation<'_>, calls: &[(&str, Value)]) -> Option<Self> {
        let open = calls
            .iter()
            .filter(|(tool, _)| situation.offers(tool) && !situation.has_called(tool));
        let calls: Vec<ToolCall> = open
            .enumerate()
            .map(|(at, (tool, arguments))| ToolCall {
                id: format!("offline-{}", situation.results.len() + at + 1),
                name: (*tool).to_owned(),
                arguments: arguments.to_string(),
            })
            .collect();
        (!calls.is_empty()).then_some(Self::Call(calls))
    }
}
