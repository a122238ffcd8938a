//! The Responses request as JSON, written once. Nothing is kept at the provider (`store: false`); reasoning comes back
//! encrypted, so that it can be sent along with the results of the calls.

use crate::{
    ApiKind, ChatMessage, LlmRequest,
    answer::replay::{Members, Replay, ReplayItem, bare, kind},
    api::shared::{
        capacity, object_arguments, push_joined, push_name, push_service_tier, push_temperature, push_tools,
        split_system,
    },
    quirks::{Effort, Optional, Quirks},
    settings::ModelOptions,
};
use plan_model::json_text::push_string;
use plan_model::message::ToolCall;

/// The body of `POST /responses`.
pub(crate) fn body(model: &str, request: &LlmRequest, options: &ModelOptions, quirks: Quirks) -> String {
    let mut json = String::with_capacity(capacity(request));
    json.push_str("{\"model\":");
    push_string(&mut json, model);
    json.push_str(",\"stream\":true");
    if quirks.sends(Optional::Store) {
        json.push_str(",\"store\":false");
    }
    if quirks.sends(Optional::Include) {
        json.push_str(",\"include\":[\"reasoning.encrypted_content\"]");
    }
    push_temperature(&mut json, request, options, quirks);
    if quirks.sends(Optional::MaxOutputTokens) {
        json.push_str(&format!(
            ",\"max_output_tokens\":{}",
            quirks.output_tokens(request.max_output_tokens)
        ));
    }
    if let Some(effort) = options.effort.filter(|_| quirks.effort == Effort::Configured) {
        json.push_str(&format!(",\"reasoning\":{{\"effort\":\"{}\"}}", effort.as_str()));
    }
    push_service_tier(&mut json, options, quirks);
    if let Some(key) = request
        .cache_key
        .as_deref()
        .filter(|_| quirks.sends(Optional::PromptCacheKey))
    {
        json.push_str(",\"prompt_cache_key\":");
        push_string(&mut json, key);
    }
    push_tools(&mut json, request, quirks, |json, tool| {
        json.push_str("{\"type\":\"function\",");
        json.push_str(&tool.head);
        json.push_str(",\"parameters\":");
        json.push_str(&tool.schema);
        json.push_str(",\"strict\":false}");
    });
    let (system, rest) = split_system(&request.messages);
    if !system.is_empty() {
        json.push_str(",\"instructions\":\"");
        push_joined(&mut json, system);
        json.push('"');
    }
    json.push_str(",\"input\":[");
    let mut is_first = true;
    let mut replay: Option<&Replay> = None;
    for message in rest {
        match message {
            ChatMessage::Replay(kept) => replay = Some(&**kept).filter(|kept| kept.api == ApiKind::Responses),
            message => push_items(&mut json, message, replay.take(), &mut is_first, quirks),
        }
    }
    json.push_str("]}");
    json
}

/// One message as items of the input; an earlier answer as the items that it was, in their order.
fn push_items(json: &mut String, message: &ChatMessage, replay: Option<&Replay>, is_first: &mut bool, quirks: Quirks) {
    // Whether what we know nothing of goes back as well.
    let is_whole = quirks.sends(Optional::OtherMembers);
    let mut begin = |json: &mut String| {
        if !std::mem::take(is_first) {
            json.push(',');
        }
    };
    match message {
        ChatMessage::System(_) | ChatMessage::Stable(_) => {
            begin(json);
            push_message(json, "system", message.content());
        }
        ChatMessage::User(content) => {
            begin(json);
            push_message(json, "user", content);
        }
        ChatMessage::Assistant { content, tool_calls } => {
            let is_in_replay = is_whole && replay.is_some_and(Replay::has_text);
            if !content.is_empty() && !is_in_replay {
                begin(json);
                push_message(json, "assistant", content);
            }
            let Some(replay) = replay else {
                for call in tool_calls {
                    begin(json);
                    push_call(json, call, None);
                }
                return;
            };
            for item in &replay.items {
                match item {
                    ReplayItem::Raw(item) if kind(item) == "reasoning" && !quirks.sends(Optional::Reasoning) => {}
                    ReplayItem::Raw(item) if !is_whole => {
                        if kind(item) == "reasoning" {
                            begin(json);
                            json.push_str(&bare(item));
                        }
                    }
                    ReplayItem::Raw(item) => {
                        begin(json);
                        json.push_str(item);
                    }
                    ReplayItem::Call { at, members, .. } => {
                        if let Some(call) = tool_calls.get(*at) {
                            begin(json);
                            push_call(json, call, Some(members).filter(|_| is_whole));
                        }
                    }
                    ReplayItem::Text(_) | ReplayItem::Message(_) | ReplayItem::Thinking(_) => {}
                }
            }
        }
        ChatMessage::Tool { call_id, content } => {
            begin(json);
            json.push_str("{\"type\":\"function_call_output\",\"call_id\":");
            push_string(json, call_id);
            json.push_str(",\"output\":");
            push_string(json, content);
            json.push('}');
        }
        ChatMessage::Replay(_) => {}
    }
}

fn push_message(json: &mut String, role: &str, content: &str) {
    json.push_str("{\"type\":\"message\",\"role\":\"");
    json.push_str(role);
    json.push_str("\",\"content\":");
    push_string(json, content);
    json.push('}');
}

fn push_call(json: &mut String, call: &ToolCall, members: Option<&Members>) {
    json.push_str("{\"type\":\"function_call\",\"call_id\":");
    push_string(json, &call.id);
    json.push_str(",\"name\":");
    push_name(json, &call.name);
    json.push_str(",\"arguments\":");
    push_string(json, object_arguments(call));
    if let Some(members) = members {
        members.write(json, |_| true);
    }
    json.push('}');
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ReasoningEffort;
    use crate::api::chat::body::tests::request;
    use crate::quirks::Change;
    use async_openai::types::responses::CreateResponse;
    use serde_json::{Value, json};
    use std::sync::Arc;

    fn with_reasoning() -> LlmRequest {
        let mut request = request();
        let reasoning = r#"{"id":"rs_1","type":"reasoning","summary":[],"encrypted_content":"gAAA"}"#;
        let said = r#"{"id":"msg_1","type":"message","role":"assistant","phase":"commentary","content":[]}"#;
        let mut kept = Replay::new(ApiKind::Responses);
        kept.push(ReplayItem::Raw(reasoning.into()));
        kept.push(ReplayItem::Raw(said.into()));
        kept.settle(&[0, 1]);
        let other = Replay::new(ApiKind::Messages);
        request.messages.insert(4, ChatMessage::Replay(Arc::new(kept)));
        request.messages.insert(3, ChatMessage::Replay(Arc::new(other)));
        request.cache_key = Some("edition-7".into());
        request
    }

    fn written(options: &ModelOptions, quirks: Quirks) -> Value {
        serde_json::from_str(&body("m", &with_reasoning(), options, quirks)).expect("is JSON")
    }

    const QUIRKS: fn() -> Quirks = || Quirks::new(crate::quirks::Route::ByHost(ApiKind::Responses));

    #[test]
    fn the_whole_body() {
        let mut body = written(&ModelOptions::default(), QUIRKS());
        body["temperature"] = json!(0.3);
        let want = json!({
            "model": "m",
            "stream": true,
            "store": false,
            "include": ["reasoning.encrypted_content"],
            "temperature": 0.3,
            "max_output_tokens": 1024,
            "prompt_cache_key": "edition-7",
            "tools": [{"type": "function", "name": "note", "description": "Notes",
                "parameters": {"type": "object", "properties": {}}, "strict": false}],
            "instructions": "Be \"kind\".\n\nPlan:\nempty",
            "input": [
                {"type": "message", "role": "user", "content": "Rent is $4,200"},
                {"id": "rs_1", "type": "reasoning", "summary": [], "encrypted_content": "gAAA"},
                {"id": "msg_1", "type": "message", "role": "assistant", "phase": "commentary", "content": []},
                {"type": "function_call", "call_id": "a", "name": "note", "arguments": "{\"x\":1}"},
                {"type": "function_call", "call_id": "b", "name": "note", "arguments": "{}"},
                {"type": "function_call_output", "call_id": "a", "output": "ok"},
                {"type": "function_call_output", "call_id": "b", "output": "error"},
            ],
        });
        assert_eq!(body, want);
    }

    #[test]
    fn async_openai_reads_it_as_a_request_of_openai() {
        let options = ModelOptions {
            effort: Some(ReasoningEffort::Low),
            service_tier: Some("flex".into()),
        };
        let body = written(&options, QUIRKS());
        assert_eq!(body["reasoning"], json!({"effort": "low"}));
        assert!(body.get("temperature").is_none(), "none with an effort");
        let typed: CreateResponse = serde_json::from_value(body).expect("the official shape");
        assert_eq!((typed.max_output_tokens, typed.store), (Some(1024), Some(false)));
    }

    #[test]
    fn what_a_provider_does_not_take_is_left_out() {
        let quirks = [
            Optional::Temperature,
            Optional::Include,
            Optional::Store,
            Optional::PromptCacheKey,
            Optional::MaxOutputTokens,
        ]
        .into_iter()
        .map(Change::LeftOut)
        .fold(QUIRKS(), Quirks::with);
        let body = written(&ModelOptions::default(), quirks);
        let keys: Vec<&String> = body.as_object().expect("object").keys().collect();
        assert_eq!(keys, ["input", "instructions", "model", "stream", "tools"]);
    }
}
