//! Tests of complete answers.

use super::{FinishReason, case, events, quirks};

const HI: &str = r#"{"choices":[{"index":0,"delta":{"content":"Hi"}}]}"#;
const CALL: &str = r#"{"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"a","function":{"name":"f","arguments":"{}"}}]}}]}"#;
const STOP: &str = r#"{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}"#;

quirks! {
    no_done: "Gemini, Perplexity, Cohere", "the finish reason is enough",
        events(&[HI, STOP]).says("Hi");
    no_finish_reason: "small servers", "`[DONE]` is enough, unless a frame was skipped",
        events(&[HI, "[DONE]"]).says("Hi");
    frames_behind_done: "proxies", "not read",
        events(&[HI, STOP, "[DONE]", HI, "{broken"]).says("Hi");
    text_in_the_finish_frame: "Gemini, Together", "read",
        events(&[HI, r#"{"choices":[{"delta":{"content":"!"},"finish_reason":"stop"}]}"#]).says("Hi!");
    text_behind_the_finish: "Azure's asynchronous filter", "read",
        events(&[r#"{"choices":[{"delta":{"content":"Hi"},"finish_reason":"stop"}]}"#, r#"{"choices":[{"delta":{"content":" you"}}]}"#, "[DONE]"]).says("Hi you");
    empty_finish_reason: "Ollama issue 4357, SGLang issue 3912", "none yet",
        events(&[r#"{"choices":[{"delta":{"content":"Hi"},"finish_reason":""}]}"#, STOP]).says("Hi");
    unknown_finish_reason: "Together (`eos`), others", "a normal end",
        events(&[HI, r#"{"choices":[{"delta":{},"finish_reason":"eos"}]}"#]).says("Hi");
    unknown_finish_reason_with_calls: "not seen yet", "the calls wait for the person, as those of a cut answer",
        events(&[CALL, r#"{"choices":[{"delta":{},"finish_reason":"mystery"}]}"#]).calls("f", "{}").ends(FinishReason::Length);
    compound_filter: "Gemini (`content_filter: SAFETY`)", "ends well, with the reason before the colon",
        events(&[HI, CALL, r#"{"choices":[{"delta":{},"finish_reason":"content_filter: SAFETY"}]}"#]).says("Hi").calls("f", "{}").ends(FinishReason::ContentFilter);
    compound_lost_call: "Gemini (`function_call_filter: MALFORMED_FUNCTION_CALL`)", "an error",
        events(&[r#"{"choices":[{"delta":{},"finish_reason":"function_call_filter: MALFORMED_FUNCTION_CALL"}]}"#]).fails("malformed_call");
    repetition: "Moonshot, Alibaba", "ends well, as cut by a limit",
        events(&[HI, r#"{"choices":[{"delta":{},"finish_reason":"repetition"}]}"#]).says("Hi").ends(FinishReason::Length);
    finish_reason_in_capitals: "Gemini through proxies", "read",
        events(&[HI, r#"{"choices":[{"delta":{},"finish_reason":"MAX_TOKENS"}]}"#]).says("Hi").ends(FinishReason::Length);
    finish_twice: "OpenRouter", "the last one counts",
        events(&[HI, STOP, r#"{"choices":[{"delta":{"content":""},"finish_reason":"length"}]}"#]).says("Hi").ends(FinishReason::Length);
    length: "every server", "ends well, with the reason",
        events(&[HI, r#"{"choices":[{"delta":{},"finish_reason":"length"}]}"#]).says("Hi").ends(FinishReason::Length);
    content_filter: "Azure, OpenAI", "ends well, with the reason",
        events(&[HI, r#"{"choices":[{"delta":{},"finish_reason":"content_filter"}]}"#]).says("Hi").ends(FinishReason::ContentFilter);
    filter_by_other_names: "Gemini (`SAFETY`), Zhipu (`sensitive`)", "ends well, with the reason",
        events(&[r#"{"choices":[{"delta":{},"finish_reason":"SAFETY"}]}"#]).ends(FinishReason::ContentFilter);
    broken_frame_behind_the_finish: "proxies", "counted; the answer was whole",
        events(&[HI, STOP, "{\"usage\":{\"prompt", "[DONE]"]).says("Hi").ignores(1);
    error_behind_the_finish: "gateways whose upstream breaks at the end", "an error: what was said may not be all",
        events(&[HI, STOP, r#"{"error":{"message":"upstream lost"}}"#]).says("Hi").fails("provider_error");
    empty_error_field: "SiliconFlow, small servers", "no error",
        events(&[r#"{"error":{},"choices":[{"delta":{"content":"Hi"}}]}"#, r#"{"error":"","choices":[{"delta":{},"finish_reason":"stop"}]}"#]).says("Hi");
    white_space_before_the_stream: "proxies", "skipped",
        case(format!("\n\n  \ndata: {HI}\n\ndata: {STOP}\n\n")).says("Hi").ignores(0);
}
