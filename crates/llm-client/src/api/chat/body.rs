//! The chat request as JSON: borrowed from [`LlmRequest`], written once, straight into the body.
//!
//! Most of it is the same in most calls and lies ready in its escaped form; a serializer would look at every byte of it
//! again. What is the same comes first, so that the second request of a turn begins like the first. Never sends
//! `tool_choice` or `parallel_tool_calls`: too many servers refuse them.

use crate::{
    ApiKind, ChatMessage, LlmRequest,
    answer::replay::{Replay, ReplayItem},
    api::shared::{
        capacity, object_arguments, push_joined, push_name, push_service_tier, push_temperature, push_tools,
        split_system,
    },
    quirks::{Effort, Optional, Quirks, TokenLimit},
    settings::ModelOptions,
    settings::reasoning_effort::ReasoningEffort,
};
use plan_model::json_text::push_string;
use plan_model::message::ToolCall;

/// The body of `POST /chat/completions`.
pub(crate) fn body(model: &str, request: &LlmRequest, options: &ModelOptions, quirks: Quirks) -> String {
    let mut json = String::with_capacity(capacity(request));
    json.push_str("{\"model\":");
    push_string(&mut json, model);
    json.push_str(",\"stream\":true");
    if quirks.sends(Optional::StreamOptions) {
        json.push_str(",\"stream_options\":{\"include_usage\":true}");
    }
    push_temperature(&mut json, request, options, quirks);
    let most = quirks.output_tokens(request.max_output_tokens);
    match quirks.token_limit {
        TokenLimit::Old => json.push_str(&format!(",\"max_tokens\":{most}")),
        TokenLimit::New => json.push_str(&format!(",\"max_completion_tokens\":{most}")),
        TokenLimit::Unsent => {}
    }
    let effort = match quirks.effort {
        Effort::Configured => options.effort.map(ReasoningEffort::as_str),
        Effort::None => Some("none"),
        Effort::Unsent => None,
    };
    if let Some(effort) = effort {
        json.push_str(&format!(",\"reasoning_effort\":\"{effort}\""));
    }
    push_service_tier(&mut json, options, quirks);
    push_tools(&mut json, request, quirks, |json, tool| {
        json.push_str("{\"type\":\"function\",\"function\":{");
        json.push_str(&tool.head);
        json.push_str(",\"parameters\":");
        json.push_str(&tool.schema);
        json.push_str("}}");
    });
    json.push_str(",\"messages\":[");
    push_messages(&mut json, &request.messages, quirks);
    json.push_str("]}");
    json
}

/// The system messages at the front as one, then the rest.
fn push_messages(json: &mut String, messages: &[ChatMessage], quirks: Quirks) {
    let (system, rest) = split_system(messages);
    if !system.is_empty() {
        json.push_str("{\"role\":\"system\",\"content\":\"");
        push_joined(json, system);
        json.push_str("\"}");
    }
    let mut is_first = system.is_empty();
    let mut replay: Option<&Replay> = None;
    for message in rest {
        if let ChatMessage::Replay(kept) = message {
            replay = Some(&**kept).filter(|kept| kept.api == ApiKind::Chat);
            continue;
        }
        if !std::mem::take(&mut is_first) {
            json.push(',');
        }
        push_message(json, message, replay.take(), quirks);
    }
}

/// `replay`: what the message had beside text and calls.
fn push_message(json: &mut String, message: &ChatMessage, replay: Option<&Replay>, quirks: Quirks) {
    let role = match message {
        ChatMessage::System(_) | ChatMessage::Stable(_) => "system",
        ChatMessage::User(_) | ChatMessage::Replay(_) => "user",
        ChatMessage::Assistant { .. } => "assistant",
        ChatMessage::Tool { .. } => "tool",
    };
    json.push_str("{\"role\":\"");
    json.push_str(role);
    // An empty text, not null: some templates print "None" for null.
    json.push_str("\",\"content\":");
    let is_sent = |name: &str| quirks.sends(Optional::of_member(name));
    let kept = replay.map(|replay| replay.items.as_slice()).unwrap_or_default();
    let thinking = kept.iter().find_map(|item| match item {
        ReplayItem::Thinking(text) => Some(text),
        _ => None,
    });
    match thinking.filter(|_| quirks.sends(Optional::OtherMembers)) {
        Some(thinking) => push_parts(json, thinking, message.content()),
        None => push_string(json, message.content()),
    }
    for item in kept {
        if let ReplayItem::Message(members) = item {
            members.write(json, is_sent);
        }
    }
    match message {
        ChatMessage::Assistant { tool_calls, .. } if !tool_calls.is_empty() => {
            push_calls(json, tool_calls, kept, is_sent);
        }
        ChatMessage::Tool { call_id, .. } => {
            json.push_str(",\"tool_call_id\":");
            push_string(json, call_id);
        }
        _ => {}
    }
    json.push('}');
}

/// Content with thoughts, as Magistral sends it.
fn push_parts(json: &mut String, thinking: &str, text: &str) {
    json.push_str("[{\"type\":\"thinking\",\"thinking\":[{\"type\":\"text\",\"text\":");
    push_string(json, thinking);
    json.push_str("}]}");
    if !text.is_empty() {
        json.push_str(",{\"type\":\"text\",\"text\":");
        push_string(json, text);
        json.push('}');
    }
    json.push(']');
}

fn push_calls(json: &mut String, calls: &[ToolCall], kept: &[ReplayItem], is_sent: impl Fn(&str) -> bool) {
    for (nth, call) in calls.iter().enumerate() {
        let beside = kept.iter().find_map(|item| match item {
            ReplayItem::Call {
                at,
                members,
                in_function,
            } if *at == nth => Some((members, in_function)),
            _ => None,
        });
        json.push_str(if nth == 0 { ",\"tool_calls\":[" } else { "," });
        json.push_str("{\"id\":");
        push_string(json, &call.id);
        json.push_str(",\"type\":\"function\",\"function\":{\"name\":");
        push_name(json, &call.name);
        json.push_str(",\"arguments\":");
        push_string(json, object_arguments(call));
        if let Some((_, in_function)) = beside {
            in_function.write(json, &is_sent);
        }
        json.push('}');
        if let Some((members, _)) = beside {
            members.write(json, &is_sent);
        }
        json.push('}');
    }
    json.push(']');
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::quirks::Change;
    use crate::{StableText, ToolDefinition};
    use async_openai::types::chat::CreateChatCompletionRequest;
    use serde_json::json;
    use std::sync::Arc;

    pub(crate) fn request() -> LlmRequest {
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
            ..LlmRequest::default()
        }
    }

    fn written(request: &LlmRequest, quirks: Quirks) -> serde_json::Value {
        let body = body("m", request, &ModelOptions::default(), quirks);
        serde_json::from_str(&body).expect("is JSON")
    }

    #[test]
    fn the_whole_body() {
        let call = |id: &str, arguments: &str| json!({"id": id, "type": "function", "function": {"name": "note", "arguments": arguments}});
        let body = body("m", &request(), &ModelOptions::default(), Quirks::default());
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
            Quirks {
                token_limit: TokenLimit::New,
                ..Quirks::default()
            },
        );
        let typed: CreateChatCompletionRequest = serde_json::from_value(body).expect("the official shape");
        assert_eq!(typed.messages.len(), 5);
        assert_eq!(typed.max_completion_tokens, Some(1024));
        assert_eq!(typed.stream, Some(true));
    }

    #[test]
    fn what_a_provider_does_not_take_is_left_out() {
        let quirks = Quirks {
            token_limit: TokenLimit::Unsent,
            ..Quirks::default()
                .with(Change::LeftOut(Optional::Temperature))
                .with(Change::LeftOut(Optional::StreamOptions))
        };
        let mut bare = request();
        bare.tools = Arc::new([]);
        let body = written(&bare, quirks);
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

    #[test]
    fn effort_and_tier_are_sent_where_they_are_set_and_effort_leaves_no_temperature() {
        let options = ModelOptions {
            effort: Some(ReasoningEffort::Low),
            service_tier: Some("flex".into()),
        };
        let sent = |quirks| -> serde_json::Value {
            serde_json::from_str(&body("m", &request(), &options, quirks)).expect("is JSON")
        };
        let plain = sent(Quirks::default());
        assert_eq!(
            (&plain["reasoning_effort"], &plain["service_tier"]),
            (&json!("low"), &json!("flex"))
        );
        assert!(plain.get("temperature").is_none());
        let without = sent(Quirks {
            effort: Effort::None,
            ..Quirks::default().with(Change::LeftOut(Optional::ServiceTier))
        });
        assert_eq!(without["reasoning_effort"], "none");
        assert!(without.get("service_tier").is_none());
    }

    #[test]
    fn the_next_request_of_a_turn_begins_like_the_one_before() {
        let mut longer = request();
        longer.messages.push(ChatMessage::User("And then?".into()));
        let write = |request| body("m", request, &ModelOptions::default(), Quirks::default());
        let (first, second) = (write(&request()), write(&longer));
        assert!(second.starts_with(&first[..first.len() - 2]));
    }
}
