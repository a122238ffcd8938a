//! The request as JSON: borrowed from [`LlmRequest`], written once, straight into the body.
//!
//! Never sends `tool_choice` or `parallel_tool_calls`: too many servers refuse them.

use super::{
    ChatMessage, LlmRequest, ToolDefinition,
    adapt::{Dialect, TokenLimit},
};
use crate::model::message::ToolCall;
use serde::{Serialize, Serializer, ser::SerializeSeq};
use serde_json::value::RawValue;
use std::{fmt, sync::Arc};

/// The body of `POST /chat/completions`.
#[derive(Serialize)]
pub(super) struct Body<'a> {
    model: &'a str,
    #[serde(serialize_with = "messages")]
    messages: &'a [ChatMessage],
    stream: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    stream_options: Option<StreamOptions>,
    #[serde(skip_serializing_if = "Option::is_none")]
    temperature: Option<f32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_tokens: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_completion_tokens: Option<u32>,
    #[serde(skip_serializing_if = "<[_]>::is_empty", serialize_with = "tools")]
    tools: &'a [ToolDefinition],
}

#[derive(Serialize)]
struct StreamOptions {
    include_usage: bool,
}

impl<'a> Body<'a> {
    pub fn new(model: &'a str, request: &'a LlmRequest, dialect: Dialect) -> Self {
        let limit = |form| (dialect.token_limit == form).then_some(request.max_output_tokens);
        Self {
            model,
            messages: &request.messages,
            stream: true,
            stream_options: (!dialect.without_stream_options).then_some(StreamOptions { include_usage: true }),
            temperature: request
                .temperature
                .filter(|t| t.is_finite() && !dialect.without_temperature),
            max_tokens: limit(TokenLimit::Old),
            max_completion_tokens: limit(TokenLimit::New),
            tools: &request.tools,
        }
    }
}

/// The system messages at the front as one, then the rest.
fn messages<S: Serializer>(messages: &[ChatMessage], serializer: S) -> Result<S::Ok, S::Error> {
    let front = messages
        .iter()
        .take_while(|message| matches!(message, ChatMessage::System(_)))
        .count();
    let (system, rest) = messages.split_at(front);
    let mut seq = serializer.serialize_seq(Some(rest.len() + usize::from(front > 0)))?;
    if front > 0 {
        seq.serialize_element(&Message {
            role: "system",
            content: Joined(system),
            tool_calls: &[],
            tool_call_id: None,
        })?;
    }
    for message in rest {
        seq.serialize_element(&Message::from(message))?;
    }
    seq.end()
}

#[derive(Serialize)]
struct Message<'a, T> {
    role: &'static str,
    content: T,
    #[serde(skip_serializing_if = "<[_]>::is_empty", serialize_with = "tool_calls")]
    tool_calls: &'a [ToolCall],
    #[serde(skip_serializing_if = "Option::is_none")]
    tool_call_id: Option<&'a str>,
}

impl<'a> From<&'a ChatMessage> for Message<'a, &'a str> {
    fn from(message: &'a ChatMessage) -> Self {
        let plain = |role, content: &'a str| Message {
            role,
            content,
            tool_calls: &[],
            tool_call_id: None,
        };
        match message {
            ChatMessage::System(text) => plain("system", text),
            ChatMessage::User(text) => plain("user", text),
            // An empty text, not null: some templates print "None" for null.
            ChatMessage::Assistant { content, tool_calls } => Message {
                tool_calls,
                ..plain("assistant", content)
            },
            ChatMessage::Tool { call_id, content } => Message {
                tool_call_id: Some(call_id),
                ..plain("tool", content)
            },
        }
    }
}

/// System messages as one text, written without being put together first.
struct Joined<'a>(&'a [ChatMessage]);

impl fmt::Display for Joined<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let texts = self.0.iter().filter_map(|message| match message {
            ChatMessage::System(text) if !text.trim().is_empty() => Some(Arc::as_ref(text)),
            _ => None,
        });
        for (at, text) in texts.enumerate() {
            f.write_str(if at > 0 { "\n\n" } else { "" })?;
            f.write_str(text)?;
        }
        Ok(())
    }
}

impl Serialize for Joined<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

#[derive(Serialize)]
struct Call<'a> {
    id: &'a str,
    r#type: &'static str,
    function: Function<'a>,
}

#[derive(Serialize)]
struct Function<'a> {
    name: &'a str,
    arguments: &'a str,
}

fn tool_calls<S: Serializer>(calls: &[ToolCall], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(calls.iter().map(|call| Call {
        id: &call.id,
        r#type: "function",
        // Servers parse the arguments of the history and fail on what the model once got wrong.
        function: Function {
            name: &call.name,
            arguments: if is_object(&call.arguments) {
                &call.arguments
            } else {
                "{}"
            },
        },
    }))
}

fn is_object(json: &str) -> bool {
    json.trim_start().starts_with('{') && serde_json::from_str::<&RawValue>(json).is_ok()
}

fn tools<S: Serializer>(tools: &[ToolDefinition], serializer: S) -> Result<S::Ok, S::Error> {
    #[derive(Serialize)]
    struct Tool<'a> {
        r#type: &'static str,
        function: Definition<'a>,
    }
    #[derive(Serialize)]
    struct Definition<'a> {
        name: &'a str,
        description: &'a str,
        parameters: &'a serde_json::Value,
    }
    serializer.collect_seq(tools.iter().map(|tool| Tool {
        r#type: "function",
        function: Definition {
            name: &tool.name,
            description: &tool.description,
            parameters: &tool.parameters,
        },
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use async_openai::types::chat::CreateChatCompletionRequest;
    use serde_json::json;

    fn request() -> LlmRequest {
        let call = |id: &str, arguments: &str| ToolCall {
            id: id.into(),
            name: "note".into(),
            arguments: arguments.into(),
        };
        LlmRequest {
            messages: vec![
                ChatMessage::System("Be \"kind\".".into()),
                ChatMessage::System("".into()),
                ChatMessage::System("Plan:\nempty".into()),
                ChatMessage::User("Rent is $4,200".into()),
                ChatMessage::Assistant {
                    content: "".into(),
                    tool_calls: vec![call("a", "{\"x\":1}"), call("b", "{x")],
                },
                ChatMessage::Tool {
                    call_id: "a".into(),
                    content: "ok".into(),
                },
                ChatMessage::Tool {
                    call_id: "b".into(),
                    content: "error".into(),
                },
            ],
            tools: Arc::new([ToolDefinition {
                name: "note".into(),
                description: "Notes".into(),
                parameters: json!({"type": "object", "properties": {}}),
            }]),
            temperature: Some(0.3),
            max_output_tokens: 1024,
        }
    }

    fn written(request: &LlmRequest, dialect: Dialect) -> serde_json::Value {
        let body = serde_json::to_string(&Body::new("m", request, dialect)).expect("writes");
        serde_json::from_str(&body).expect("is JSON")
    }

    #[test]
    fn the_whole_body() {
        let call = |id: &str, arguments: &str| json!({"id": id, "type": "function", "function": {"name": "note", "arguments": arguments}});
        let body = serde_json::to_string(&Body::new("m", &request(), Dialect::default())).expect("writes");
        assert!(body.contains(r#""temperature":0.3,"#), "not 0.30000001192092896");
        let want = json!({
            "model": "m",
            "messages": [
                {"role": "system", "content": "Be \"kind\".\n\nPlan:\nempty"},
                {"role": "user", "content": "Rent is $4,200"},
                {"role": "assistant", "content": "", "tool_calls": [call("a", "{\"x\":1}"), call("b", "{}")]},
                {"role": "tool", "content": "ok", "tool_call_id": "a"},
                {"role": "tool", "content": "error", "tool_call_id": "b"},
            ],
            "stream": true,
            "stream_options": {"include_usage": true},
            "temperature": 0.3,
            "max_tokens": 1024,
            "tools": [{"type": "function", "function": {
                "name": "note", "description": "Notes", "parameters": {"type": "object", "properties": {}}}}],
        });
        let mut body: serde_json::Value = serde_json::from_str(&body).expect("is JSON");
        body["temperature"] = json!(0.3);
        assert_eq!(body, want);
    }

    #[test]
    fn async_openai_reads_it_as_a_request_of_openai() {
        let body = written(
            &request(),
            Dialect {
                token_limit: TokenLimit::New,
                ..Dialect::default()
            },
        );
        let typed: CreateChatCompletionRequest = serde_json::from_value(body).expect("the official shape");
        assert_eq!(typed.messages.len(), 5);
        assert_eq!(typed.max_completion_tokens, Some(1024));
        assert_eq!(typed.stream, Some(true));
    }

    #[test]
    fn what_a_provider_does_not_take_is_left_out() {
        let dialect = Dialect {
            token_limit: TokenLimit::Unsent,
            without_temperature: true,
            without_stream_options: true,
        };
        let mut bare = request();
        bare.tools = Arc::new([]);
        let body = written(&bare, dialect);
        let keys: Vec<&String> = body.as_object().expect("object").keys().collect();
        assert_eq!(keys, ["messages", "model", "stream"]);
    }

    #[test]
    fn debug_output_holds_nobodys_words() {
        let shown = format!("{:?}", request());
        for words in ["kind", "Plan", "4,200", "error"] {
            assert!(!shown.contains(words), "{shown}");
        }
    }
}
