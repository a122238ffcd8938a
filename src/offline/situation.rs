//! What the advisor can see: the last messages, the tools, the results of its own calls.

use crate::offline::waiting::{self, Waiting};
use crate::offline::{ask, content, correction};
use llm_client::{ChatMessage, LlmRequest};
use plan_model::field::{self, Field, FieldPath};
use plan_reader::{Source, Texts, Understanding, Vocabulary, Wish, understand};
use serde_json::Value;
use std::sync::Arc;

/// A call that was made in this turn, and what came back.
#[derive(Debug)]
pub struct ToolResult {
    pub tool: String,
    /// JSON, or null where the result was none.
    pub content: Value,
}

/// One request, understood.
pub struct Situation<'a> {
    pub fields: Arc<[Field]>,
    texts: Texts<'a>,
    pub understanding: Understanding,
    /// A case as if it were so: "were" is of the past elsewhere.
    pub supposed: Option<Understanding>,
    /// "actually make it 4,300": read as about the field of the message before.
    pub corrected: Option<Understanding>,
    /// The field that the advisor's last question asked for, by its place in `fields`.
    pub asked: Option<usize>,
    /// What was said before and is still to be asked about.
    pub waiting: Waiting,
    pub results: Vec<ToolResult>,
    tools: Vec<&'a str>,
}

impl<'a> Situation<'a> {
    pub fn of(request: &'a LlmRequest) -> Self {
        let messages = &request.messages;
        let last = last_of_user(messages);
        let before = &messages[..last.unwrap_or(0)];
        let tools = request.tools.iter().map(|tool| tool.name.as_str()).collect();
        let fields = match &request.fields {
            none if none.is_empty() => field::catalogue().into(),
            fields => Arc::clone(fields),
        };
        let texts = texts_at(messages, last, &fields);
        let message = texts.message;
        let asked = texts.asked.as_ref();
        let asked = asked.and_then(|path| fields.iter().position(|field| field.path == *path));
        let vocabulary = Vocabulary::new(&fields);
        let understanding = understand(&texts, &vocabulary);
        let corrected = correction::of(&texts, &understanding, || {
            let previous = texts_at(messages, last_of_user(before), &fields);
            (understand(&previous, &vocabulary), &vocabulary)
        });
        let present = message.replace(" were ", " is ").replace(" was ", " is ");
        let supposed = (present != message).then(|| {
            let texts = Texts {
                message: &present,
                ..texts.clone()
            };
            understand(&texts, &vocabulary)
        });
        let waiting = match understanding.wish {
            Some(wish @ (Wish::Yes | Wish::No)) => waiting::after(before, wish, &vocabulary),
            _ => Waiting::default(),
        };
        Self {
            understanding,
            supposed,
            corrected,
            asked,
            waiting,
            fields,
            texts,
            results: results(&messages[last.map_or(0, |i| i + 1)..]),
            tools,
        }
    }

    pub fn message(&self) -> &'a str {
        self.texts.message
    }

    pub fn advisor(&self) -> Option<&'a str> {
        self.texts.advisor
    }

    /// The words of a span of one of the turn's texts, at most 200 characters of them.
    pub fn quote(&self, source: Source, start: usize, end: usize) -> String {
        self.texts
            .text(source)
            .get(start..end)
            .unwrap_or_default()
            .chars()
            .take(200)
            .collect()
    }

    /// Where a path stands in the fields.
    pub fn position(&self, path: &FieldPath) -> Option<usize> {
        self.fields.iter().position(|field| field.path == *path)
    }

    pub fn offers(&self, tool: &str) -> bool {
        self.tools.contains(&tool)
    }

    /// The result of the last call of a tool.
    pub fn result(&self, tool: &str) -> Option<&Value> {
        self.results
            .iter()
            .rev()
            .find(|result| result.tool == tool)
            .map(|result| &result.content)
    }
}

fn last_of_user(messages: &[ChatMessage]) -> Option<usize> {
    messages
        .iter()
        .rposition(|message| matches!(message, ChatMessage::User(_)))
}

/// The user's message at a place, with what was said before it.
fn texts_at<'a>(messages: &'a [ChatMessage], at: Option<usize>, fields: &[Field]) -> Texts<'a> {
    let before = &messages[..at.unwrap_or(0)];
    let advisor = before
        .iter()
        .rev()
        .find(|message| matches!(message, ChatMessage::Assistant { content, .. } if !content.is_empty()))
        .map(content);
    let asked = advisor.and_then(|text| ask::asked(text, fields));
    Texts {
        message: at.map_or("", |at| content(&messages[at])),
        previous_message: last_of_user(before).map(|at| content(&messages[at])),
        advisor,
        asked: asked.map(|at| fields[at].path.clone()),
        about: None,
    }
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
            ChatMessage::System(_) | ChatMessage::Stable(_) | ChatMessage::User(_) | ChatMessage::Opaque(_) => {}
        }
    }
    out
}
