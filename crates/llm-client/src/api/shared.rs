//! What the bodies of all formats have in common.

use crate::{
    ChatMessage, LlmRequest, ToolDefinition,
    answer::tool_calls::is_object,
    quirks::{Effort, Optional, Quirks},
    settings::ModelOptions,
    settings::reasoning_effort::ReasoningEffort,
};
use plan_model::json_text::{push_escaped, push_string};
use plan_model::message::ToolCall;

/// Enough in nearly every case, so that the body is not moved while it is written.
pub(crate) fn capacity(request: &LlmRequest) -> usize {
    let messages: usize = request.messages.iter().map(|message| message.size() + 64).sum();
    let tools: usize = request.tools.iter().map(|tool| tool.size() + 64).sum();
    512 + messages + messages / 16 + tools
}

/// The system messages at the front, and the rest.
pub(crate) fn split_system(messages: &[ChatMessage]) -> (&[ChatMessage], &[ChatMessage]) {
    let is_system = |message: &&ChatMessage| matches!(message, ChatMessage::System(_) | ChatMessage::Stable(_));
    messages.split_at(messages.iter().take_while(is_system).count())
}

/// The temperature, unless the server takes none. Reasoning models take none with their effort.
pub(crate) fn push_temperature(json: &mut String, request: &LlmRequest, options: &ModelOptions, quirks: Quirks) {
    let reasons = quirks.effort == Effort::Configured && options.effort.is_some_and(|e| e != ReasoningEffort::None);
    let temperature = request
        .temperature
        .filter(|t| t.is_finite() && !reasons && quirks.sends(Optional::Temperature));
    if let Some(temperature) = temperature {
        json.push_str(",\"temperature\":");
        json.push_str(&temperature.to_string());
    }
}

/// The service tier, where one is configured and the server takes it.
pub(crate) fn push_service_tier(json: &mut String, options: &ModelOptions, quirks: Quirks) {
    let tier = options.service_tier.as_deref();
    if let Some(tier) = tier.filter(|_| quirks.sends(Optional::ServiceTier)) {
        json.push_str(",\"service_tier\":");
        push_string(json, tier);
    }
}

/// The list of tools, each as `push` writes it; left out where there are none, or the model takes none.
pub(crate) fn push_tools(
    json: &mut String,
    request: &LlmRequest,
    quirks: Quirks,
    push: impl Fn(&mut String, &ToolDefinition),
) {
    if !quirks.sends(Optional::Tools) {
        return;
    }
    let tools = &request.tools;
    for (nth, tool) in tools.iter().enumerate() {
        json.push_str(if nth == 0 { ",\"tools\":[" } else { "," });
        push(json, tool);
    }
    if !tools.is_empty() {
        json.push(']');
    }
}

/// System messages as one text inside of quotes, a blank line between them.
pub(crate) fn push_joined(json: &mut String, system: &[ChatMessage]) {
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

/// The arguments of an earlier call as a JSON object: servers parse the history and fail on what the model once got wrong.
pub(crate) fn object_arguments(call: &ToolCall) -> &str {
    if is_object(&call.arguments) {
        &call.arguments
    } else {
        "{}"
    }
}

/// The name of a call in a form that every provider takes, whatever the model wrote.
pub(crate) fn push_name(json: &mut String, name: &str) {
    push_plain(json, name, "unknown");
}

/// An id in a form that every provider takes; the same id always gives the same form.
pub(crate) fn push_id(json: &mut String, id: &str) {
    push_plain(json, id, "call");
}

fn push_plain(json: &mut String, text: &str, empty: &str) {
    let plain = |c: char| {
        if c.is_ascii_alphanumeric() || "_-".contains(c) {
            c
        } else {
            '_'
        }
    };
    let plain: String = text.chars().take(64).map(plain).collect();
    push_string(json, if plain.is_empty() { empty } else { &plain });
}
