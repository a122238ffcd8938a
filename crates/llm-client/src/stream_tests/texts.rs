//! Text, thoughts, refusals, and the fields around them.

use super::{case, events, quirks};

const STOP: &str = r#"{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}"#;

quirks! {
    only_the_delta: "Perplexity, small servers", "id, object, created, model, index and usage are not needed",
        events(&[r#"{"choices":[{"delta":{"content":"Hi"}}]}"#, r#"{"choices":[{"finish_reason":"stop"}]}"#]).says("Hi");
    nulls_everywhere: "SGLang, vLLM", "read as absent",
        events(&[
            r#"{"id":null,"object":null,"usage":null,"error":null,"choices":[{"index":null,"delta":{"role":null,"content":null,"tool_calls":null,"refusal":null},"finish_reason":null}]}"#,
            r#"{"choices":[{"index":0,"delta":{"content":"Hi"},"logprobs":null,"finish_reason":null}]}"#,
            r#"{"choices":null,"usage":null}"#, STOP,
        ]).says("Hi").ignores(1);
    unknown_fields_and_tiers: "Groq, OpenAI", "ignored",
        events(&[r#"{"service_tier":"on_demand","created":1.5,"system_fingerprint":7,"x":{"y":[]},"choices":[{"delta":{"content":"Hi","audio":{"id":1}},"content_filter_results":{}}]}"#, STOP]).says("Hi");
    odd_kinds_of_known_fields: "not seen yet", "read as absent",
        events(&[
            r#"{"choices":[{"delta":{"content":"Hi","tool_calls":"none","function_call":[]},"index":"0","finish_reason":{}}],"usage":"n/a","object":5}"#,
            r#"{"choices":[{"delta":"x"},null,3]}"#, STOP,
        ]).says("Hi");
    azure_filter_frames: "Azure", "skipped",
        events(&[
            r#"{"choices":[],"created":0,"id":"","model":"","object":"","prompt_filter_results":[{"prompt_index":0}]}"#,
            r#"{"choices":[{"index":0,"delta":{"content":"Hi"}}]}"#, STOP,
            r#"{"choices":[{"content_filter_offsets":{"check_offset":1},"content_filter_results":{},"finish_reason":null,"index":0}]}"#,
        ]).says("Hi");
    content_as_parts: "Mistral, Anthropic's compatible API", "texts joined",
        events(&[r#"{"choices":[{"delta":{"content":[{"type":"text","text":"Hi"},"!",{"type":"output_text","text":" you"}]}}]}"#, STOP]).says("Hi! you");
    content_as_one_part: "gateways", "read",
        events(&[r#"{"choices":[{"delta":{"content":{"type":"text","text":"Hi"}}}]}"#, STOP]).says("Hi");
    content_as_a_number: "small servers that decode tokens as JSON", "its digits",
        events(&[r#"{"choices":[{"delta":{"content":4200}}]}"#, r#"{"choices":[{"delta":{"content":"!"}}]}"#, STOP]).says("4200!");
    unknown_content_parts: "multimodal models", "skipped and counted",
        events(&[r#"{"choices":[{"delta":{"content":[{"type":"image_url","image_url":{}},{"type":"text","text":"Hi"}]}}]}"#, STOP]).says("Hi").ignores(1);
    reasoning_content: "DeepSeek, vLLM, llama.cpp", "never shown; counts as progress",
        events(&[r#"{"choices":[{"delta":{"content":null,"reasoning_content":"hm"}}]}"#, r#"{"choices":[{"delta":{"content":"Hi","reasoning_content":null}}]}"#, STOP]).says("Hi");
    reasoning: "OpenRouter, Ollama, Groq", "never shown; counts as progress",
        events(&[r#"{"choices":[{"delta":{"content":"","reasoning":"hm","reasoning_details":[{"text":"hm"}]}}]}"#, r#"{"choices":[{"delta":{"content":"Hi"}}]}"#, STOP]).says("Hi");
    thinking_parts: "Mistral Magistral", "never shown; count as progress",
        events(&[r#"{"choices":[{"delta":{"content":[{"type":"thinking","thinking":[{"type":"text","text":"hm"}]}]}}]}"#, r#"{"choices":[{"delta":{"content":"Hi"}}]}"#, STOP]).says("Hi");
    think_tags_in_the_text: "DeepSeek R1 and Qwen without a reasoning parser", "hidden at the start of the answer",
        events(&[
            r#"{"choices":[{"delta":{"content":"<th"}}]}"#, r#"{"choices":[{"delta":{"content":"ink>hm</thi"}}]}"#,
            r#"{"choices":[{"delta":{"content":"nk>\n\nHi"}}]}"#, r#"{"choices":[{"delta":{"content":" you"}}]}"#, STOP,
        ]).says("Hi you");
    half_a_think_tag: "not seen yet", "shown, as it was none",
        events(&[r#"{"choices":[{"delta":{"content":"<thi"}}]}"#, STOP]).says("<thi");
    refusal_text: "OpenAI", "shown as text",
        events(&[r#"{"choices":[{"delta":{"refusal":"I can't "}}]}"#, r#"{"choices":[{"delta":{"refusal":"help."}}]}"#, STOP]).says("I can't help.");
    several_choices: "proxies that add n", "only the first one heard is read",
        events(&[
            r#"{"choices":[{"index":0,"delta":{"content":"Hi"}},{"index":1,"delta":{"content":"Ho"}}]}"#,
            r#"{"choices":[{"index":1,"delta":{"content":"!"},"finish_reason":null}]}"#,
            r#"{"choices":[{"index":0,"delta":{"content":" you"}}]}"#, STOP,
        ]).says("Hi you").ignores(1);
    choices_numbered_from_one: "small servers", "read",
        events(&[r#"{"choices":[{"index":1,"delta":{"content":"Hi"}}]}"#, r#"{"choices":[{"index":1,"delta":{},"finish_reason":"stop"}]}"#]).says("Hi");
    choices_as_an_object: "small servers", "read",
        events(&[r#"{"choices":{"delta":{"content":"Hi"}}}"#, STOP]).says("Hi");
    text_beside_the_delta: "servers of the old completions API", "read",
        events(&[r#"{"choices":[{"text":"Hi","index":0}]}"#, STOP]).says("Hi");
    message_repeated_at_the_end: "LocalAI, proxies", "not read twice",
        events(&[r#"{"choices":[{"delta":{"content":"Hi"}}]}"#, r#"{"choices":[{"delta":{},"message":{"content":"Hi"},"finish_reason":"stop"}]}"#]).says("Hi");
    message_instead_of_delta: "servers that stream one frame", "read",
        events(&[r#"{"choices":[{"message":{"role":"assistant","content":"Hi"},"finish_reason":"stop"}]}"#]).says("Hi");
    whole_json_answer: "servers that ignore stream", "taken as one text",
        case(r#"{"id":"1","object":"chat.completion","choices":[{"index":0,"message":{"role":"assistant","content":"Hi"},"finish_reason":"stop"}],"usage":{"prompt_tokens":3,"completion_tokens":1,"total_tokens":4}}"#).says("Hi").counts(3, 1, 4);
    whole_json_answer_without_finish: "servers that ignore stream", "whole, as the JSON is whole",
        case("\n {\"choices\":[{\"message\":{\"content\":\"Hi\"}}]} \n").says("Hi");
    empty_answer_with_finish: "every model, sometimes", "whole and empty; the caller decides",
        events(&[r#"{"choices":[{"delta":{"role":"assistant","content":""}}]}"#, STOP]);
}
