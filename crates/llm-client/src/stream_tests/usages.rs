//! Token counts.

use super::{events, quirks};

const HI: &str = r#"{"choices":[{"index":0,"delta":{"content":"Hi"}}]}"#;
const STOP: &str = r#"{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}"#;

quirks! {
    usage_missing: "Ollama of old, most small servers", "none; the caller estimates and flags it",
        events(&[HI, STOP, "[DONE]"]).says("Hi");
    usage_behind_the_finish: "OpenAI", "read",
        events(&[HI, STOP, r#"{"choices":[],"usage":{"prompt_tokens":7,"completion_tokens":2,"total_tokens":9,"prompt_tokens_details":{"cached_tokens":3}}}"#, "[DONE]"]).says("Hi").counts(7, 2, 9);
    usage_without_choices: "Groq, Together", "read",
        events(&[HI, STOP, r#"{"usage":{"prompt_tokens":7,"completion_tokens":2,"total_tokens":9}}"#]).says("Hi").counts(7, 2, 9);
    usage_in_the_finish_frame: "DeepSeek, Mistral", "read",
        events(&[HI, r#"{"choices":[{"delta":{},"finish_reason":"stop"}],"usage":{"prompt_tokens":7,"completion_tokens":2,"total_tokens":9}}"#]).says("Hi").counts(7, 2, 9);
    usage_growing_in_every_frame: "xAI, vLLM with continuous usage", "the last one counts",
        events(&[
            r#"{"choices":[{"delta":{"content":"Hi"}}],"usage":{"prompt_tokens":7,"completion_tokens":1,"total_tokens":8}}"#,
            r#"{"choices":[{"delta":{"content":"!"}}],"usage":{"prompt_tokens":7,"completion_tokens":2,"total_tokens":9}}"#, STOP,
        ]).says("Hi!").counts(7, 2, 9);
    usage_with_nulls: "SGLang, OpenRouter", "what is there counts",
        events(&[HI, STOP, r#"{"choices":[],"usage":{"prompt_tokens":7,"completion_tokens":2,"total_tokens":null,"prompt_tokens_details":null}}"#]).says("Hi").counts(7, 2, 9);
    usage_null_or_empty_at_the_end: "vLLM, llama.cpp", "the last one that says something counts",
        events(&[HI, r#"{"choices":[],"usage":{"prompt_tokens":7,"completion_tokens":2}}"#, STOP, r#"{"choices":[],"usage":null}"#, r#"{"choices":[],"usage":{"prompt_tokens":0,"completion_tokens":0,"total_tokens":0}}"#]).says("Hi").counts(7, 2, 9);
    usage_total_with_thoughts: "Gemini", "the total as given",
        events(&[HI, STOP, r#"{"choices":[],"usage":{"prompt_tokens":7,"completion_tokens":2,"total_tokens":50}}"#]).says("Hi").counts(7, 2, 50);
    usage_by_other_names: "Anthropic, Cohere through proxies", "read",
        events(&[HI, STOP, r#"{"usage":{"input_tokens":7,"output_tokens":2}}"#]).says("Hi").counts(7, 2, 9);
    usage_in_x_groq: "Groq", "read",
        events(&[HI, STOP, r#"{"choices":[],"x_groq":{"id":"r","usage":{"prompt_tokens":7,"completion_tokens":2,"total_tokens":9}}}"#]).says("Hi").counts(7, 2, 9);
    usage_inside_the_choice: "Moonshot", "read",
        events(&[HI, r#"{"choices":[{"delta":{},"finish_reason":"stop","usage":{"prompt_tokens":7,"completion_tokens":2,"total_tokens":9}}]}"#]).says("Hi").counts(7, 2, 9);
    timings_instead_of_usage: "llama.cpp", "read",
        events(&[HI, r#"{"choices":[{"delta":{},"finish_reason":"stop"}],"timings":{"cache_n":5,"prompt_n":2,"predicted_n":2,"predicted_ms":9.5}}"#]).says("Hi").counts(7, 2, 9);
    usage_as_texts_and_floats: "small servers", "read",
        events(&[HI, STOP, r#"{"choices":[],"usage":{"prompt_tokens":"7","completion_tokens":2.0,"total_tokens":"many"}}"#]).says("Hi").counts(7, 2, 9);
    usage_that_cannot_be_true: "broken counters", "negative and absurd counts are ignored",
        events(&[HI, STOP, r#"{"choices":[],"usage":{"prompt_tokens":-7,"completion_tokens":1000000000000000000,"total_tokens":1e300}}"#]).says("Hi");
}
