//! Spans of a turn for traces, by the names of the OpenTelemetry conventions for generative AI. Never a word of what was
//! said, never a figure: the conventions' optional content attributes are left out on purpose.
//!
//! Their target is off in the log, so without an exporter they are not even made.

use llm_client::{Completion, FinishReason};
use plan_model::event::SPANS;
use plan_model::ids::{PlanId, TurnId};
use plan_model::usage::Usage;
use tracing::Span;
use tracing::field::Empty;

/// The whole turn.
pub(super) fn turn(turn: TurnId, plan: PlanId) -> Span {
    tracing::trace_span!(
        target: SPANS,
        "invoke_agent plan-advisor",
        otel.kind = "internal",
        gen_ai.operation.name = "invoke_agent",
        gen_ai.agent.name = "plan-advisor",
        gen_ai.conversation.id = %plan,
        turn.id = %turn,
        gen_ai.usage.input_tokens = Empty,
        gen_ai.usage.output_tokens = Empty,
    )
}

/// One call of the model.
pub(super) fn chat(model: &str, max_tokens: u32, temperature: f32) -> Span {
    tracing::trace_span!(
        target: SPANS,
        "chat",
        otel.name = format!("chat {model}"),
        otel.kind = "client",
        gen_ai.operation.name = "chat",
        gen_ai.provider.name = "openai",
        gen_ai.request.model = model,
        gen_ai.request.max_tokens = max_tokens,
        gen_ai.request.temperature = f64::from(temperature),
        gen_ai.request.stream = true,
        gen_ai.response.finish_reasons = Empty,
        gen_ai.usage.input_tokens = Empty,
        gen_ai.usage.output_tokens = Empty,
        otel.status_code = Empty,
        error.r#type = Empty,
    )
}

/// One tool; its name is one of ours, whatever the model wrote.
pub(super) fn tool(name: &'static str) -> Span {
    tracing::trace_span!(
        target: SPANS,
        "execute_tool",
        otel.name = format!("execute_tool {name}"),
        otel.kind = "internal",
        gen_ai.operation.name = "execute_tool",
        gen_ai.tool.name = name,
        gen_ai.tool.r#type = "function",
    )
}

/// Puts down how a call ended.
pub(super) fn completed(span: &Span, completion: &Completion) {
    let reason = match completion.finish {
        FinishReason::Stop => "stop",
        FinishReason::Length => "length",
        FinishReason::ContentFilter => "content_filter",
        FinishReason::ToolCalls => "tool_calls",
    };
    span.record("gen_ai.response.finish_reasons", reason);
    if let Some(usage) = completion.usage {
        used(span, usage);
    }
}

/// Counts what a call has cost, by kind. Cached and written tokens are parts of the prompt, reasoning is a part of the
/// completion.
pub(super) fn spent(usage: Usage) {
    let kinds = [
        ("prompt", Some(usage.prompt_tokens)),
        ("completion", Some(usage.completion_tokens)),
        ("cached_prompt", usage.cached_prompt_tokens),
        ("cache_write", usage.cache_write_tokens),
        ("reasoning", usage.reasoning_tokens),
    ];
    for (kind, tokens) in kinds {
        let tokens = tokens.and_then(|tokens| u64::try_from(tokens).ok()).unwrap_or(0);
        metrics::counter!("plan_advisor_tokens_total", "kind" => kind).increment(tokens);
    }
}

/// Puts down what it cost.
pub(super) fn used(span: &Span, usage: Usage) {
    span.record("gen_ai.usage.input_tokens", usage.prompt_tokens);
    span.record("gen_ai.usage.output_tokens", usage.completion_tokens);
}

/// Puts down why it failed, by class only.
pub(super) fn failed(span: &Span, class: &str) {
    span.record("otel.status_code", "ERROR");
    span.record("error.type", class);
}
