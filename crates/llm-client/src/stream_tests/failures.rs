//! Answers that are none.

use super::{case, events, quirks};

const HI: &str = r#"{"choices":[{"index":0,"delta":{"content":"Hi"}}]}"#;
const STOP: &str = r#"{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}"#;

quirks! {
    nothing_at_all: "overloaded proxies", "an error: cut",
        case("").fails("cut");
    only_white_space_and_comments: "OpenRouter when its provider dies", "an error: cut",
        case("\n: OPENROUTER PROCESSING\n\n").fails("cut");
    only_done: "servers that swallow their error", "an error: cut",
        events(&["[DONE]"]).fails("cut");
    neither_finish_nor_done: "every server that dies", "an error: cut, never a short answer",
        events(&[HI]).says("Hi").fails("cut");
    done_behind_a_skipped_frame: "a proxy that fails half-way", "an error: the skipped frame may have been the rest",
        events(&[HI, "Internal Server Error", "[DONE]"]).says("Hi").fails("cut");
    broken_json_in_the_middle: "servers that lose bytes", "an error: text may be lost",
        events(&[HI, r#"{"choices":[{"delta":{"content":"yo"#, STOP]).says("Hi").fails("malformed");
    error_object_with_a_number: "OpenRouter, Gemini", "an error of that class",
        events(&[HI, r#"{"error":{"code":429,"message":"slow down"}}"#, STOP]).says("Hi").fails("rate_limited");
    error_object_with_a_word: "OpenAI, DeepSeek", "an error of that class",
        events(&[r#"{"error":{"message":"x","type":"server_error","code":null}}"#]).fails("server_error");
    error_object_beside_choices: "OpenRouter", "an error",
        events(&[HI, r#"{"id":"1","error":{"code":502,"message":"upstream"},"choices":[{"index":0,"delta":{"content":""},"finish_reason":"error"}]}"#]).says("Hi").fails("server_error");
    error_as_a_text: "Ollama", "an error",
        events(&[r#"{"error":"model runner has unexpectedly stopped"}"#]).fails("provider_error");
    error_inside_the_choice: "Cerebras, proxies", "an error",
        events(&[r#"{"choices":[{"error":{"code":503},"delta":{}}]}"#]).fails("server_error");
    error_event: "Groq, Azure", "an error, also with data that is no JSON",
        case("event: error\ndata: overloaded\n\n").fails("server_error");
    error_event_with_json: "Groq", "an error",
        case("event: error\ndata: {\"message\":\"Too many requests\"}\n\n").fails("rate_limited");
    error_line: "llama.cpp", "an error",
        case("error: {\"code\":500,\"message\":\"slot unavailable\"}\n\n").fails("server_error");
    bare_json_error_line_in_the_stream: "vLLM", "an error",
        case(format!("data: {HI}\n\n{{\"error\":{{\"code\":400}}}}\n\n")).says("Hi").fails("bad_request");
    object_error: "vLLM of old", "an error",
        events(&[r#"{"object":"error","message":"too long","code":400}"#]).fails("bad_request");
    error_in_members_of_its_own: "vLLM behind Venice", "an error of that class",
        events(&[r#"{"error_type":"context_length_exceeded","error_message":"x"}"#]).fails("context_length");
    type_error: "Anthropic", "an error",
        events(&[r#"{"type":"error","message":"Overloaded"}"#]).fails("server_error");
    detail_of_a_framework: "FastAPI servers", "an error",
        events(&[r#"{"detail":"Not Found"}"#]).fails("provider_error");
    finish_reason_error: "OpenRouter, Zhipu, DeepSeek", "an error",
        events(&[HI, r#"{"choices":[{"delta":{},"finish_reason":"network_error"}]}"#]).says("Hi").fails("server_error");
    finish_reason_malformed_call: "Gemini", "an error",
        events(&[r#"{"choices":[{"delta":{},"finish_reason":"MALFORMED_FUNCTION_CALL"}]}"#]).fails("malformed_call");
    quota_inside_the_stream: "DeepSeek, OpenAI", "an error that is never retried",
        events(&[r#"{"error":{"code":"insufficient_quota","message":"x"}}"#]).fails("quota");
    json_error_instead_of_a_stream: "proxies with status 200", "an error",
        case(r#"{"error":{"message":"bad key","code":401}}"#).fails("unauthorized");
    json_array_error_instead_of_a_stream: "Gemini", "an error",
        case(r#"[{"error":{"code":404,"status":"NOT_FOUND"}}]"#).fails("not_found");
    other_json_instead_of_a_stream: "a wrong base URL", "an error",
        case(r#"{"status":"ok"}"#).fails("not_a_stream");
    half_a_json_document: "every server that dies", "an error",
        case(r#"{"choices":[{"message":{"content":"Hi"#).fails("not_a_stream");
    html_instead_of_a_stream: "a wrong base URL, a captive portal", "an error",
        case("<!doctype html><title>Sign in</title>").fails("not_a_stream");
    plain_text_instead_of_a_stream: "proxies", "an error: cut",
        case("upstream connect error or disconnect").fails("cut");
    ollamas_own_format: "`/api/chat` as base URL", "an error",
        case("{\"message\":{\"content\":\"Hi\"},\"done\":false}\n{\"message\":{\"content\":\"\"},\"done\":true}\n").fails("not_a_stream");
}

#[test]
fn more_calls_and_longer_arguments_than_honest_are_refused() {
    let call = |index: usize| {
        format!(
            r#"{{"choices":[{{"delta":{{"tool_calls":[{{"index":{index},"id":"c{index}","function":{{"name":"f","arguments":"{{"}}}}]}}}}]}}"#
        )
    };
    let frames: Vec<String> = (0..10_000).map(call).collect();
    let frames: Vec<&str> = frames.iter().map(String::as_str).collect();
    let (_, result) = super::play(&[&events(&frames).stream]);
    assert_eq!(result.expect_err("too many").class(), "too_large");
    let piece = format!(
        r#"{{"choices":[{{"delta":{{"tool_calls":[{{"index":0,"id":"a","function":{{"name":"f","arguments":"{}"}}}}]}}}}]}}"#,
        "1".repeat(10_000)
    );
    let (_, result) = super::play(&[&events(&[piece.as_str(); 40]).stream]);
    assert_eq!(result.expect_err("too long").class(), "too_large");
}

#[test]
fn endless_answers_lines_and_comments_are_refused() {
    for piece in [
        format!("data: {HI}\n\n"),
        "x".repeat(9_999),
        ": hb\n\n".repeat(999),
        "data: {}\n\n".repeat(999),
    ] {
        let pieces = vec![piece.as_bytes(); 8 * 1024 * 1024 / piece.len()];
        let (_, result) = super::play(&pieces);
        assert_eq!(result.expect_err("endless").class(), "too_large");
    }
}

#[test]
fn errors_of_the_responses_format_are_read_nested_or_flat() {
    let cases = [
        (
            r#"{"type":"error","code":"rate_limit_exceeded","message":"x","param":null,"sequence_number":2}"#,
            "rate_limited",
        ),
        (
            r#"{"type":"error","error":{"type":"invalid_request_error","code":"context_length_exceeded","message":"x"}}"#,
            "context_length",
        ),
        (
            r#"{"type":"error","code":"context_length_exceeded","message":"x","param":null}"#,
            "context_length",
        ),
        (
            r#"{"type":"error","error":{"type":"invalid_request_error","code":"request_timeout","message":"stream disconnected"}}"#,
            "provider_timeout",
        ),
        (
            r#"{"type":"error","code":"server_error","message":"x"}"#,
            "server_error",
        ),
    ];
    for (event, want) in cases {
        let stream = format!("data: {event}\n\n");
        let (_, result) = super::play_as(crate::ApiKind::Responses, &[stream.as_bytes()]);
        assert_eq!(result.expect_err("an error").class(), want, "{event}");
    }
}
