//! What the advisor can see: the last messages, the tools, the results of its own calls.

use super::content;
use crate::extraction::{Heard, Reading, Words};
use crate::llm::{ChatMessage, LlmRequest};
use crate::model::field::{self, Field, FieldPath, STARTUP_PREFIX};
use serde_json::Value;
use std::borrow::Cow;

/// A call that was made in this turn, and what came back.
#[derive(Debug)]
pub struct ToolResult {
    pub tool: String,
    /// JSON, or null where the result was none.
    pub content: Value,
}

/// One request, understood.
pub struct Situation<'a> {
    pub fields: Vec<Field>,
    words: Words<'a>,
    pub results: Vec<ToolResult>,
    tools: Vec<&'a str>,
}

impl<'a> Situation<'a> {
    #[must_use]
    pub fn of(request: &'a LlmRequest) -> Self {
        let messages = &request.messages;
        let last = messages
            .iter()
            .rposition(|message| matches!(message, ChatMessage::User(_)));
        let message = last.map_or("", |i| content(&messages[i]));
        let before = &messages[..last.unwrap_or(0)];
        let previous = before
            .iter()
            .rev()
            .find(|message| matches!(message, ChatMessage::User(_)))
            .map(content);
        let advisor = before
            .iter()
            .rev()
            .find(|message| matches!(message, ChatMessage::Assistant { content, .. } if !content.is_empty()));
        let tools = request.tools.iter().map(|tool| tool.name.as_str()).collect();
        Self {
            fields: fields(request),
            words: Words::new(message, previous, advisor.map(content)),
            results: results(&messages[last.map_or(0, |i| i + 1)..]),
            tools,
        }
    }

    #[must_use]
    pub fn message(&self) -> &'a str {
        self.words.message
    }

    #[must_use]
    pub fn advisor(&self) -> Option<&'a str> {
        self.words.advisor
    }

    #[must_use]
    pub fn heard(&self) -> &Heard {
        self.words.heard(&self.fields)
    }

    /// The grammar's reading of the user's message.
    #[must_use]
    pub fn reading(&self) -> &Reading {
        static NOTHING: std::sync::LazyLock<Reading> = std::sync::LazyLock::new(Reading::default);
        self.heard().parts.first().map_or(&NOTHING, |part| &part.reading)
    }

    #[must_use]
    pub fn offers(&self, tool: &str) -> bool {
        self.tools.contains(&tool)
    }

    /// The result of the last call of a tool.
    #[must_use]
    pub fn result(&self, tool: &str) -> Option<&Value> {
        self.results
            .iter()
            .rev()
            .find(|result| result.tool == tool)
            .map(|result| &result.content)
    }
}

/// The fields of this plan: the paths of the tool's schema, with the labels that the system prompt gives to a brand's own rows.
fn fields(request: &LlmRequest) -> Vec<Field> {
    let schema = request
        .tools
        .iter()
        .find(|tool| tool.name == "set_financial_field")
        .map(|tool| &tool.parameters);
    let paths = schema
        .and_then(|schema| schema.pointer("/properties/path/enum"))
        .and_then(Value::as_array);
    let Some(paths) = paths else {
        return field::catalogue().to_vec();
    };
    paths
        .iter()
        .filter_map(Value::as_str)
        .filter_map(|path| described(path, request))
        .collect()
}

fn described(path: &str, request: &LlmRequest) -> Option<Field> {
    let label = label_of(path, request);
    match field::find(path) {
        Some(known) => Some(Field {
            label: label.map_or_else(|| known.label.clone(), Cow::Owned),
            ..known.clone()
        }),
        None => {
            let slug = path.strip_prefix(STARTUP_PREFIX)?;
            let own = Field::custom_startup(slug, &label.unwrap_or_else(|| spaced(slug)));
            Some(Field {
                path: FieldPath::new(path),
                ..own
            })
        }
    }
}

/// The label in a line `path | "label" | …` of the system prompt.
fn label_of(path: &str, request: &LlmRequest) -> Option<String> {
    request
        .messages
        .iter()
        .filter(|message| matches!(message, ChatMessage::System(_) | ChatMessage::Stable(_)))
        .find_map(|message| {
            let text = content(message);
            let line = text.match_indices(path).find_map(|(at, _)| {
                let starts = at == 0 || text.as_bytes()[at - 1] == b'\n';
                text[at + path.len()..].strip_prefix(" | ").filter(|_| starts)
            })?;
            serde_json::from_str(line.lines().next()?.split(" | ").next()?).ok()
        })
}

/// `kennelRuns` as "kennel runs".
fn spaced(slug: &str) -> String {
    let mut out = String::with_capacity(slug.len() + 4);
    for c in slug.chars() {
        if c.is_ascii_uppercase() {
            out.push(' ');
        }
        out.extend(c.to_lowercase());
    }
    out
}

/// Calls behind the last user message, each with its result.
fn results(messages: &[ChatMessage]) -> Vec<ToolResult> {
    let mut calls = Vec::new();
    let mut out = Vec::new();
    for message in messages {
        match message {
            ChatMessage::Assistant { tool_calls, .. } => calls.extend(tool_calls),
            ChatMessage::Tool { call_id, content } => {
                let Some(call) = calls.iter().rev().find(|call| &call.id == call_id) else {
                    continue;
                };
                out.push(ToolResult {
                    tool: call.name.clone(),
                    content: serde_json::from_str(content).unwrap_or_default(),
                });
            }
            ChatMessage::System(_) | ChatMessage::Stable(_) | ChatMessage::User(_) => {}
        }
    }
    out
}
