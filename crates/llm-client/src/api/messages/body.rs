//! The Messages request as JSON, written once.
//!
//! Two cache breakpoints: behind the last tool, and behind the first stable text, which is the same for every plan of a
//! brand version. Roles alternate strictly, and the results of calls stand first in the turn behind them.

use crate::{
    ApiKind, ChatMessage, LlmRequest,
    answer::replay::{Members, Replay, ReplayItem, bare, kind},
    api::shared::{
        capacity, object_arguments, push_id, push_joined, push_name, push_service_tier, push_temperature, push_tools,
        split_system,
    },
    quirks::{Effort, Optional, Quirks},
    settings::ModelOptions,
    settings::reasoning_effort::ReasoningEffort,
};
use plan_model::json_text::push_string;
use plan_model::message::ToolCall;

const CACHED: &str = ",\"cache_control\":{\"type\":\"ephemeral\"}";

/// The body of `POST /messages`.
pub(crate) fn body(model: &str, request: &LlmRequest, options: &ModelOptions, quirks: Quirks) -> String {
    let mut json = String::with_capacity(capacity(request));
    json.push_str("{\"model\":");
    push_string(&mut json, model);
    json.push_str(",\"stream\":true");
    push_temperature(&mut json, request, options, quirks);
    json.push_str(&format!(
        ",\"max_tokens\":{}",
        quirks.output_tokens(request.max_output_tokens)
    ));
    if let Some(effort) = options.effort.filter(|_| quirks.effort == Effort::Configured) {
        json.push_str(effort_member(effort));
    }
    push_service_tier(&mut json, options, quirks);
    let cached = if quirks.sends(Optional::CacheControl) {
        CACHED
    } else {
        ""
    };
    let last = request.tools.last();
    push_tools(&mut json, request, quirks, |json, tool| {
        json.push('{');
        json.push_str(&tool.head);
        json.push_str(",\"input_schema\":");
        json.push_str(&tool.schema);
        if last.is_some_and(|last| std::ptr::eq(last, tool)) {
            json.push_str(cached);
        }
        json.push('}');
    });
    let (system, rest) = split_system(&request.messages);
    push_system(&mut json, system, cached);
    json.push_str(",\"messages\":[");
    push_turns(&mut json, rest, quirks.sends(Optional::OtherMembers));
    json.push_str("]}");
    json
}

/// Anthropic's names for the effort. Claude Opus 5 thinks unless the request disables it:
/// <https://github.com/turnstonelabs/turnstone/pull/912>.
fn effort_member(effort: ReasoningEffort) -> &'static str {
    match effort {
        ReasoningEffort::None => r#","thinking":{"type":"disabled"}"#,
        ReasoningEffort::Minimal | ReasoningEffort::Low => r#","output_config":{"effort":"low"}"#,
        ReasoningEffort::Medium => r#","output_config":{"effort":"medium"}"#,
        ReasoningEffort::High => r#","output_config":{"effort":"high"}"#,
        ReasoningEffort::Xhigh => r#","output_config":{"effort":"xhigh"}"#,
    }
}

/// The first stable text as a block of its own, the rest as another.
fn push_system(json: &mut String, system: &[ChatMessage], cached: &str) {
    let stable = usize::from(matches!(system.first(), Some(ChatMessage::Stable(_))));
    let mut is_first = true;
    for (part, cached) in [(&system[..stable], cached), (&system[stable..], "")] {
        if part.iter().all(ChatMessage::is_blank) {
            continue;
        }
        json.push_str(if std::mem::take(&mut is_first) {
            ",\"system\":[{\"type\":\"text\",\"text\":\""
        } else {
            ",{\"type\":\"text\",\"text\":\""
        });
        push_joined(json, part);
        json.push('"');
        json.push_str(cached);
        json.push('}');
    }
    if !is_first {
        json.push(']');
    }
}

/// The role of a message.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    User,
    Assistant,
}

/// Writes turns, each with its blocks.
struct Turns<'a> {
    json: &'a mut String,
    role: Option<Role>,
}

impl Turns<'_> {
    /// The place for the next block of this role.
    fn block(&mut self, role: Role) -> &mut String {
        if self.role == Some(role) {
            self.json.push(',');
            return self.json;
        }
        if self.role.replace(role).is_some() {
            self.json.push_str("]},");
        }
        self.json.push_str("{\"role\":\"");
        self.json.push_str(match role {
            Role::User => "user",
            Role::Assistant => "assistant",
        });
        self.json.push_str("\",\"content\":[");
        self.json
    }

    fn text(&mut self, role: Role, text: &str) {
        // A block of blanks is refused.
        if text.trim().is_empty() {
            return;
        }
        let json = self.block(role);
        json.push_str("{\"type\":\"text\",\"text\":");
        push_string(json, text);
        json.push('}');
    }
}

/// `is_whole`: whether what we know nothing of goes back as well.
fn push_turns(json: &mut String, messages: &[ChatMessage], is_whole: bool) {
    let mut turns = Turns { json, role: None };
    let mut replay: Option<&Replay> = None;
    for message in messages {
        match message {
            ChatMessage::System(_) | ChatMessage::Stable(_) | ChatMessage::User(_) => {
                turns.text(Role::User, message.content());
            }
            ChatMessage::Assistant { content, tool_calls } => match replay.take() {
                Some(replay) => push_replay(&mut turns, replay, tool_calls, is_whole),
                None => {
                    turns.text(Role::Assistant, content);
                    tool_calls
                        .iter()
                        .for_each(|call| push_call(turns.block(Role::Assistant), call, None));
                }
            },
            ChatMessage::Tool { call_id, content } => {
                let json = turns.block(Role::User);
                json.push_str("{\"type\":\"tool_result\",\"tool_use_id\":");
                push_id(json, call_id);
                json.push_str(",\"content\":");
                push_string(json, content);
                json.push('}');
            }
            ChatMessage::Replay(kept) => replay = Some(&**kept).filter(|kept| kept.api == ApiKind::Messages),
        }
    }
    if turns.role.is_some() {
        turns.json.push_str("]}");
    }
}

/// The blocks of an earlier answer in their order: a provider that has signed its thinking refuses another one.
fn push_replay(turns: &mut Turns<'_>, replay: &Replay, calls: &[ToolCall], is_whole: bool) {
    for item in &replay.items {
        match item {
            ReplayItem::Raw(block) if !is_whole => {
                if matches!(kind(block), "thinking" | "redacted_thinking") {
                    turns.block(Role::Assistant).push_str(&bare(block));
                }
            }
            ReplayItem::Raw(block) => turns.block(Role::Assistant).push_str(block),
            ReplayItem::Text(text) => turns.text(Role::Assistant, text),
            ReplayItem::Call { at, members, .. } => {
                if let Some(call) = calls.get(*at) {
                    push_call(turns.block(Role::Assistant), call, Some(members).filter(|_| is_whole));
                }
            }
            ReplayItem::Message(_) | ReplayItem::Thinking(_) => {}
        }
    }
}

fn push_call(json: &mut String, call: &ToolCall, members: Option<&Members>) {
    json.push_str("{\"type\":\"tool_use\",\"id\":");
    push_id(json, &call.id);
    json.push_str(",\"name\":");
    push_name(json, &call.name);
    json.push_str(",\"input\":");
    json.push_str(object_arguments(call));
    if let Some(members) = members {
        members.write(json, |_| true);
    }
    json.push('}');
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::chat::body::tests::request;
    use crate::quirks::Change;
    use serde_json::{Value, json};
    use std::sync::Arc;

    fn written(request: &LlmRequest, quirks: Quirks) -> Value {
        let mut body: Value =
            serde_json::from_str(&body("m", request, &ModelOptions::default(), quirks)).expect("is JSON");
        if body.get("temperature").is_some() {
            body["temperature"] = json!(0.3);
        }
        body
    }

    #[test]
    fn the_whole_body() {
        let mut request = request();
        let mut kept = Replay::new(ApiKind::Messages);
        let thinking =
            |text: &str| ReplayItem::Raw(format!(r#"{{"type":"thinking","thinking":"{text}","signature":"s"}}"#));
        kept.push(thinking("hm"));
        kept.push(ReplayItem::Text("Let me see.".into()));
        kept.push(thinking("well"));
        kept.settle(&[0, 1]);
        request.messages.insert(4, ChatMessage::Replay(Arc::new(kept)));
        request.messages.push(ChatMessage::User("And now?".into()));
        let cached = json!({"type": "ephemeral"});
        let want = json!({
            "model": "m",
            "stream": true,
            "temperature": 0.3,
            "max_tokens": 1024,
            "tools": [{"name": "note", "description": "Notes", "input_schema": {"type": "object", "properties": {}},
                "cache_control": cached}],
            "system": [
                {"type": "text", "text": "Be \"kind\".", "cache_control": cached},
                {"type": "text", "text": "Plan:\nempty"},
            ],
            "messages": [
                {"role": "user", "content": [{"type": "text", "text": "Rent is $4,200"}]},
                {"role": "assistant", "content": [
                    {"type": "thinking", "thinking": "hm", "signature": "s"},
                    {"type": "text", "text": "Let me see."},
                    {"type": "thinking", "thinking": "well", "signature": "s"},
                    {"type": "tool_use", "id": "a", "name": "note", "input": {"x": 1}},
                    {"type": "tool_use", "id": "b", "name": "note", "input": {}},
                ]},
                {"role": "user", "content": [
                    {"type": "tool_result", "tool_use_id": "a", "content": "ok"},
                    {"type": "tool_result", "tool_use_id": "b", "content": "error"},
                    {"type": "text", "text": "And now?"},
                ]},
            ],
        });
        assert_eq!(
            written(&request, Quirks::new(crate::quirks::Route::ByHost(ApiKind::Messages))),
            want
        );
    }

    #[test]
    fn no_effort_switches_thinking_off_and_is_left_out_where_that_is_refused() {
        let request = LlmRequest {
            temperature: Some(0.3),
            ..LlmRequest::default()
        };
        let options = |effort| ModelOptions {
            effort,
            ..ModelOptions::default()
        };
        let sent = |effort, quirks: Quirks| -> serde_json::Value {
            serde_json::from_str(&body("m", &request, &options(effort), quirks)).expect("JSON")
        };
        let usual = Quirks::new(crate::quirks::Route::ByHost(ApiKind::Messages));
        let off = sent(Some(ReasoningEffort::None), usual);
        assert_eq!(
            (&off["thinking"], off.get("output_config")),
            (&json!({"type": "disabled"}), None)
        );
        assert!(off.get("temperature").is_some());
        assert_eq!(
            sent(Some(ReasoningEffort::Minimal), usual)["output_config"],
            json!({"effort": "low"})
        );
        let refused = usual.with(Change::Effort(Effort::Unsent));
        assert!(sent(Some(ReasoningEffort::None), refused).get("thinking").is_none());
        assert!(sent(None, usual).get("thinking").is_none());
    }

    #[test]
    fn roles_alternate_and_names_and_ids_are_plain_whatever_the_model_wrote() {
        let request = LlmRequest {
            messages: vec![
                ChatMessage::User("a".into()),
                ChatMessage::Assistant {
                    content: " ".into(),
                    tool_calls: Vec::new(),
                },
                ChatMessage::User("b".into()),
                ChatMessage::Assistant {
                    content: "c".into(),
                    tool_calls: vec![ToolCall {
                        id: "call:1/x".into(),
                        name: String::new(),
                        arguments: "{".into(),
                    }],
                },
                ChatMessage::Tool {
                    call_id: "call:1/x".into(),
                    content: "no".into(),
                },
            ],
            ..LlmRequest::default()
        };
        let quirks =
            Quirks::new(crate::quirks::Route::ByHost(ApiKind::Messages)).with(Change::LeftOut(Optional::CacheControl));
        let text = |text| json!({"type": "text", "text": text});
        let want = json!({"model": "m", "stream": true, "max_tokens": 0, "messages": [
            {"role": "user", "content": [text("a"), text("b")]},
            {"role": "assistant", "content": [text("c"), {"type": "tool_use", "id": "call_1_x", "name": "unknown", "input": {}}]},
            {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "call_1_x", "content": "no"}]},
        ]});
        assert_eq!(written(&request, quirks), want);
    }
}
