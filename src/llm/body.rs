//! The request as JSON: borrowed from [`LlmRequest`], written once, straight into the body.
//!
//! Some 45 KB of it are the same in most calls and lie ready in their escaped form; a serializer would look at every byte
//! of them again. Never sends `tool_choice` or `parallel_tool_calls`: too many servers refuse them.

use super::{
    ChatMessage, LlmRequest, ToolDefinition,
    adapt::{Dialect, TokenLimit},
};
use crate::model::{json_text::push_escaped, json_text::push_string, message::ToolCall};
use serde_json::value::RawValue;

/// The body of `POST /chat/completions`.
pub(super) fn body(model: &str, request: &LlmRequest, dialect: Dialect) -> String {
    let mut json = String::with_capacity(length(request));
    json.push_str("{\"model\":");
    push_string(&mut json, model);
    json.push_str(",\"messages\":[");
    push_messages(&mut json, &request.messages);
    json.push_str("],\"stream\":true");
    if !dialect.without_stream_options {
        json.push_str(",\"stream_options\":{\"include_usage\":true}");
    }
    if let Some(temperature) = request
        .temperature
        .filter(|t| t.is_finite() && !dialect.without_temperature)
    {
        json.push_str(",\"temperature\":");
        json.push_str(&temperature.to_string());
    }
    match dialect.token_limit {
        TokenLimit::Old => json.push_str(&format!(",\"max_tokens\":{}", request.max_output_tokens)),
        TokenLimit::New => json.push_str(&format!(",\"max_completion_tokens\":{}", request.max_output_tokens)),
        TokenLimit::Unsent => {}
    }
    push_tools(&mut json, &request.tools);
    json.push('}');
    json
}

/// Enough in nearly every case, so that the body is not moved while it is written.
fn length(request: &LlmRequest) -> usize {
    let messages: usize = request.messages.iter().map(|message| message.size() + 64).sum();
    let tools: usize = request.tools.iter().map(|tool| tool.wire.get().len() + 1).sum();
    512 + messages + messages / 16 + tools
}

/// The system messages at the front as one, then the rest.
fn push_messages(json: &mut String, messages: &[ChatMessage]) {
    let is_system = |message: &&ChatMessage| matches!(message, ChatMessage::System(_) | ChatMessage::Stable(_));
    let (system, rest) = messages.split_at(messages.iter().take_while(is_system).count());
    if !system.is_empty() {
        json.push_str("{\"role\":\"system\",\"content\":\"");
        push_joined(json, system);
        json.push_str("\"}");
    }
    for (nth, message) in rest.iter().enumerate() {
        if nth > 0 || !system.is_empty() {
            json.push(',');
        }
        push_message(json, message);
    }
}

/// System messages as one text, a blank line between them.
fn push_joined(json: &mut String, system: &[ChatMessage]) {
    let mut is_first = true;
    for message in system.iter().filter(|message| !message.is_blank()) {
        if !std::mem::take(&mut is_first) {
            json.push_str("\\n\\n");
        }
        match message {
            ChatMessage::Stable(text) => json.push_str(text.escaped()),
            other => push_escaped(json, other.content()),
        }
    }
}

fn push_message(json: &mut String, message: &ChatMessage) {
    let role = match message {
        ChatMessage::System(_) | ChatMessage::Stable(_) => "system",
        ChatMessage::User(_) => "user",
        ChatMessage::Assistant { .. } => "assistant",
        ChatMessage::Tool { .. } => "tool",
    };
    json.push_str("{\"role\":\"");
    json.push_str(role);
    // An empty text, not null: some templates print "None" for null.
    json.push_str("\",\"content\":");
    push_string(json, message.content());
    match message {
        ChatMessage::Assistant { tool_calls, .. } if !tool_calls.is_empty() => push_calls(json, tool_calls),
        ChatMessage::Tool { call_id, .. } => {
            json.push_str(",\"tool_call_id\":");
            push_string(json, call_id);
        }
        _ => {}
    }
    json.push('}');
}

fn push_calls(json: &mut String, calls: &[ToolCall]) {
    for (nth, call) in calls.iter().enumerate() {
        json.push_str(if nth == 0 { ",\"tool_calls\":[" } else { "," });
        json.push_str("{\"id\":");
        push_string(json, &call.id);
        json.push_str(",\"type\":\"function\",\"function\":{\"name\":");
        push_string(json, &call.name);
        json.push_str(",\"arguments\":");
        // Servers parse the arguments of the history and fail on what the model once got wrong.
        push_string(
            json,
            if is_object(&call.arguments) {
                &call.arguments
            } else {
                "{}"
            },
        );
        json.push_str("}}");
    }
    json.push(']');
}

fn is_object(json: &str) -> bool {
    json.trim_start().starts_with('{') && serde_json::from_str::<&RawValue>(json).is_ok()
}

fn push_tools(json: &mut String, tools: &[ToolDefinition]) {
    for (nth, tool) in tools.iter().enumerate() {
        json.push_str(if nth == 0 { ",\"tools\":[" } else { "," });
        json.push_str(tool.wire.get());
    }
    if !tools.is_empty() {
        json.push(']');
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::llm::StableText;
    use async_openai::types::chat::CreateChatCompletionRequest;
    use serde_json::json;
    use std::sync::Arc;

    fn request() -> LlmRequest {
        let call = |id: &str, arguments: &str| ToolCall {
            id: id.into(),
            name: "note".into(),
            arguments: arguments.into(),
        };
        LlmRequest {
            messages: vec![
                ChatMessage::Stable(Arc::new(StableText::new("Be \"kind\".".into()))),
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
            tools: Arc::new([ToolDefinition::new(
                "note",
                "Notes",
                json!({"type": "object", "properties": {}}),
            )]),
            temperature: Some(0.3),
            max_output_tokens: 1024,
        }
    }

    fn written(request: &LlmRequest, dialect: Dialect) -> serde_json::Value {
        let body = body("m", request, dialect);
        serde_json::from_str(&body).expect("is JSON")
    }

    #[test]
    fn the_whole_body() {
        let call = |id: &str, arguments: &str| json!({"id": id, "type": "function", "function": {"name": "note", "arguments": arguments}});
        let body = body("m", &request(), Dialect::default());
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
