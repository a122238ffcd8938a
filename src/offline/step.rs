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
    /// What it asks at its end, behind all other words of the turn.
    pub question: String,
    pub suggestions: Vec<String>,
}

impl Step {
    /// Says the parts that have words.
    pub(super) fn say(parts: impl IntoIterator<Item = String>, suggestions: Vec<String>) -> Self {
        Self::say_and_ask(parts, String::new(), suggestions)
    }

    /// The same with a question at the end.
    pub(super) fn say_and_ask(
        parts: impl IntoIterator<Item = String>,
        question: String,
        suggestions: Vec<String>,
    ) -> Self {
        Self::Say(Answer {
            text: joined(parts),
            question,
            suggestions,
        })
    }

    /// The same answer with words before it; calls as they are.
    pub(super) fn opened_by(self, words: &str) -> Self {
        match self {
            Self::Say(answer) => Self::Say(Answer {
                text: format!("{words}{}", answer.text),
                ..answer
            }),
            calls @ Self::Call(_) => calls,
        }
    }

    /// Calls the tools, where one of them is offered and none has been called in this turn.
    pub(super) fn ask(situation: &Situation<'_>, calls: &[(&str, Value)]) -> Option<Self> {
        let open = calls
            .iter()
            .filter(|(tool, _)| situation.offers(tool) && !situation.has_called(tool));
        let calls: Vec<ToolCall> = open.map(|(tool, arguments)| call(tool, arguments)).collect();
        (!calls.is_empty()).then_some(Self::Call(calls))
    }

    /// Calls a tool, whether it has been called or not.
    pub(super) fn call(tool: &str, arguments: &Value) -> Self {
        Self::Call(vec![call(tool, arguments)])
    }
}

fn call(tool: &str, arguments: &Value) -> ToolCall {
    ToolCall {
        // Given where the calls of all parts are put together.
        id: String::new(),
        name: tool.to_owned(),
        arguments: arguments.to_string(),
    }
}

/// Those that have words, a blank between them but behind a line's end.
pub(super) fn joined(parts: impl IntoIterator<Item = String>) -> String {
    let parts: Vec<String> = parts.into_iter().filter(|part| !part.trim().is_empty()).collect();
    parts.join(" ").replace("\n ", "\n")
}
