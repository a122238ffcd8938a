//! Tool calls, in all the ways they come.

use super::{FinishReason, case, events, quirks};

const STOP: &str = r#"{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}"#;
const CALLS: &str = r#"{"choices":[{"index":0,"delta":{},"finish_reason":"tool_calls"}]}"#;

/// A frame with these elements of `tool_calls`.
macro_rules! tool {
    ($json:literal) => {
        concat!(r#"{"choices":[{"index":0,"delta":{"tool_calls":["#, $json, r#"]}}]}"#)
    };
}

quirks! {
    fragmented_call: "OpenAI", "joined by index",
        case(include_str!("../../fixtures/openai_tool_calls.sse")).says("Noted.")
            .calls("record_value", r#"{"field":"operatingCosts.rentMonthly","amount":"4200"}"#)
            .calls("record_value", r#"{"field":"revenue.monthlyAuv","amount":"85,000"}"#).counts(1310, 61, 1371);
    parallel_calls_interleaved: "OpenAI, vLLM", "joined by index",
        events(&[
            tool!(r#"{"index":0,"id":"a","type":"function","function":{"name":"f","arguments":""}}"#),
            tool!(r#"{"index":1,"id":"b","type":"function","function":{"name":"g","arguments":""}}"#),
            tool!(r#"{"index":0,"function":{"arguments":"{\"x\""}},{"index":1,"function":{"arguments":"{\"y\":"}}"#),
            tool!(r#"{"index":1,"function":{"arguments":"2}"}}"#), tool!(r#"{"index":0,"function":{"arguments":":1}"}}"#), CALLS,
        ]).calls("f", r#"{"x":1}"#).calls("g", r#"{"y":2}"#);
    whole_call_in_one_frame: "Ollama, Mistral", "read",
        events(&[tool!(r#"{"index":0,"id":"a","type":"function","function":{"name":"f","arguments":"{\"x\":1}"}}"#), CALLS]).calls("f", r#"{"x":1}"#);
    all_calls_at_index_0_with_different_ids: "Ollama issue 7881", "another id with a name is another call",
        events(&[
            tool!(r#"{"index":0,"id":"a","function":{"name":"f","arguments":"{}"}}"#),
            tool!(r#"{"index":0,"id":"b","function":{"name":"f","arguments":"{}"}}"#), CALLS,
        ]).calls("f", "{}").calls("f", "{}");
    all_calls_at_index_0_without_ids: "Gemini, Ollama", "a name behind whole arguments is another call",
        events(&[
            tool!(r#"{"index":0,"id":"","function":{"name":"f","arguments":"{\"x\":1}"}}"#),
            tool!(r#"{"index":0,"function":{"name":"g","arguments":"{}"}}"#), CALLS,
        ]).calls("f", r#"{"x":1}"#).calls("g", "{}");
    several_calls_in_one_frame_at_index_0: "Ollama", "each named element is a call",
        events(&[tool!(r#"{"index":0,"function":{"name":"f","arguments":""}},{"index":0,"function":{"name":"g","arguments":""}}"#), CALLS])
            .calls("f", "{}").calls("g", "{}");
    interleaved_at_index_0_by_id: "proxies that lose the index", "joined by id",
        events(&[
            tool!(r#"{"index":0,"id":"a","function":{"name":"f","arguments":"{\"x\""}}"#),
            tool!(r#"{"index":0,"id":"b","function":{"name":"g","arguments":"{\"y\""}}"#),
            tool!(r#"{"index":0,"id":"a","function":{"arguments":":1}"}}"#),
            tool!(r#"{"index":0,"id":"b","function":{"arguments":":2}"}}"#), CALLS,
        ]).calls("f", r#"{"x":1}"#).calls("g", r#"{"y":2}"#);
    no_index: "Gemini", "joined by id, then by name",
        events(&[
            tool!(r#"{"id":"a","function":{"name":"f","arguments":"{\"x\":1}"}},{"id":"b","function":{"name":"g","arguments":"{}"}}"#), STOP,
        ]).calls("f", r#"{"x":1}"#).calls("g", "{}");
    no_index_and_no_id: "Gemini, LM Studio", "a name opens a call, the rest continues the last",
        events(&[
            tool!(r#"{"function":{"name":"f","arguments":"{\"x\""}}"#), tool!(r#"{"function":{"arguments":":1}"}}"#),
            tool!(r#"{"function":{"name":"g","arguments":"{}"}}"#), CALLS,
        ]).calls("f", r#"{"x":1}"#).calls("g", "{}");
    index_only_in_the_first_fragment: "small servers", "continues the last call",
        events(&[
            tool!(r#"{"index":0,"id":"a","function":{"name":"f","arguments":"{\"x\""}}"#), tool!(r#"{"function":{"arguments":":1}"}}"#), CALLS,
        ]).calls("f", r#"{"x":1}"#);
    index_only_in_later_fragments: "small servers", "continues the last call",
        events(&[
            tool!(r#"{"id":"a","function":{"name":"f","arguments":"{\"x\""}}"#), tool!(r#"{"index":0,"function":{"arguments":":1}"}}"#), CALLS,
        ]).calls("f", r#"{"x":1}"#);
    id_and_name_in_every_fragment: "vLLM, Fireworks, DeepSeek", "joined",
        events(&[
            tool!(r#"{"index":0,"id":"a","function":{"name":"f","arguments":"{\"x\""}}"#),
            tool!(r#"{"index":0,"id":"a","function":{"name":"f","arguments":":1}"}}"#), CALLS,
        ]).calls("f", r#"{"x":1}"#);
    a_new_id_in_every_fragment: "proxies that make up ids", "joined by index",
        events(&[
            tool!(r#"{"index":0,"id":"a","function":{"name":"f","arguments":"{\"x\""}}"#),
            tool!(r#"{"index":0,"id":"b","function":{"name":"f","arguments":":1"}}"#),
            tool!(r#"{"index":0,"id":"c","function":{"name":"","arguments":"}"}}"#), CALLS,
        ]).calls("f", r#"{"x":1}"#);
    the_same_id_for_two_calls: "Gemini (the name as id)", "separated by index; the second gets an id of its own",
        events(&[
            tool!(r#"{"index":0,"id":"f","function":{"name":"f","arguments":"{\"x\":1}"}}"#),
            tool!(r#"{"index":1,"id":"f","function":{"name":"f","arguments":"{\"x\":2}"}}"#), CALLS,
        ]).calls("f", r#"{"x":1}"#).calls("f", r#"{"x":2}"#);
    ids_as_numbers_and_null: "small servers", "read as their digits; a missing one is made up",
        events(&[
            tool!(r#"{"index":0,"id":7,"function":{"name":"f","arguments":"{}"}}"#), tool!(r#"{"index":1,"id":null,"function":{"name":"g","arguments":"{}"}}"#), CALLS,
        ]).calls("f", "{}").calls("g", "{}");
    the_whole_call_again: "proxies that add a summary", "not made twice",
        events(&[
            tool!(r#"{"index":0,"id":"a","function":{"name":"f","arguments":"{\"x\":1}"}}"#),
            tool!(r#"{"index":0,"id":"a","function":{"name":"f","arguments":"{\"x\":1}"}}"#), CALLS,
        ]).calls("f", r#"{"x":1}"#);
    white_space_behind_a_whole_call: "vLLM, small models", "no call of its own, whatever id and name come with it",
        events(&[
            tool!(r#"{"index":0,"id":"a","function":{"name":"f","arguments":"{\"x\":1}"}}"#), tool!(r#"{"index":0,"id":"a","function":{"name":"f","arguments":"\n"}}"#),
            tool!(r#"{"index":0,"id":"b","function":{"arguments":" "}}"#), tool!(r#"{"index":0,"function":{"name":"f","arguments":""}}"#), CALLS,
        ]).calls("f", r#"{"x":1}"#);
    empty_object_before_the_arguments: "Anthropic through proxies", "the empty one is dropped",
        events(&[
            tool!(r#"{"index":0,"id":"a","function":{"name":"f","arguments":"{}"}}"#), tool!(r#"{"index":0,"function":{"arguments":"{\"x\":1}"}}"#), CALLS,
        ]).calls("f", r#"{"x":1}"#);
    arguments_as_an_object: "Ollama, Cohere", "taken as they are, digit by digit",
        events(&[tool!(r#"{"index":0,"id":"a","function":{"name":"f","arguments":{"x":12345678901234567890.10,"y":["é"]}}}"#), CALLS])
            .calls("f", r#"{"x":12345678901234567890.10,"y":["é"]}"#);
    arguments_null_or_missing: "Gemini, LM Studio", "an empty object",
        events(&[tool!(r#"{"index":0,"id":"a","function":{"name":"f","arguments":null}},{"index":1,"id":"b","function":{"name":"g"}}"#), CALLS])
            .calls("f", "{}").calls("g", "{}");
    arguments_encoded_twice: "small models", "unpacked",
        events(&[tool!(r#"{"index":0,"id":"a","function":{"name":"f","arguments":"\"{\\\"x\\\":1}\""}}"#), CALLS]).calls("f", r#"{"x":1}"#);
    nul_and_surrogates_in_arguments: "small models", "replaced by U+FFFD",
        events(&[tool!(r#"{"index":0,"id":"a","function":{"name":"f","arguments":"{\"x\":\"a\\u0000\\ud800\"}"}}"#), CALLS]).calls("f", r#"{"x":"a\uFFFD\uFFFD"}"#);
    arguments_that_are_no_object: "small models", "passed on for the tool to refuse",
        events(&[tool!(r#"{"index":0,"id":"a","function":{"name":"f","arguments":"[1]"}},{"index":1,"id":"b","function":{"name":"g","arguments":"x=1"}}"#), CALLS])
            .calls("f", "[1]").calls("g", "x=1");
    function_fields_outside_function: "small servers", "read",
        events(&[tool!(r#"{"index":0,"id":"a","name":"f","arguments":"{}"}"#), CALLS]).calls("f", "{}");
    empty_type_on_later_fragments: "vLLM, SGLang", "ignored",
        events(&[
            tool!(r#"{"index":0,"id":"a","type":"function","function":{"name":"f","arguments":"{\"x\""}}"#),
            tool!(r#"{"index":0,"id":"","type":"","function":{"name":"","arguments":":1}"}}"#), CALLS,
        ]).calls("f", r#"{"x":1}"#);
    null_name_on_later_fragments: "vLLM, LiteLLM", "ignored",
        events(&[
            tool!(r#"{"index":0,"id":"a","function":{"name":"f","arguments":null}}"#),
            tool!(r#"{"index":0,"id":null,"type":null,"function":{"name":null,"arguments":"{}"}}"#), CALLS,
        ]).calls("f", "{}");
    a_name_in_pieces: "the standard allows it", "joined",
        events(&[
            tool!(r#"{"index":0,"id":"a","function":{"name":"rec"}}"#), tool!(r#"{"index":0,"function":{"name":"ord","arguments":"{}"}}"#), CALLS,
        ]).calls("record", "{}");
    finish_stop_with_calls: "Ollama, Gemini, llama.cpp", "the calls count",
        events(&[tool!(r#"{"index":0,"id":"a","function":{"name":"f","arguments":"{}"}}"#), STOP]).calls("f", "{}");
    call_in_the_finish_frame: "Mistral, Groq", "read before the finish",
        events(&[r#"{"choices":[{"delta":{"content":"Ok","tool_calls":[{"id":"a","function":{"name":"f","arguments":"{}"}}]},"finish_reason":"tool_calls"}]}"#])
            .says("Ok").calls("f", "{}");
    gaps_and_odd_indexes: "small servers", "an index is only a name",
        events(&[
            tool!(r#"{"index":7,"id":"a","function":{"name":"f","arguments":"{"}}"#), tool!(r#"{"index":-2,"id":"b","function":{"name":"g","arguments":"{}"}}"#),
            tool!(r#"{"index":"7","function":{"arguments":"}"}}"#), CALLS,
        ]).calls("f", "{}").calls("g", "{}");
    function_call_of_old: "old servers", "read as one call",
        events(&[
            r#"{"choices":[{"delta":{"function_call":{"name":"f","arguments":""}}}]}"#,
            r#"{"choices":[{"delta":{"function_call":{"arguments":"{\"x\":1}"}}}]}"#,
            r#"{"choices":[{"delta":{},"finish_reason":"function_call"}]}"#,
        ]).calls("f", r#"{"x":1}"#);
    whole_json_answer_with_calls: "servers that ignore stream", "taken with its calls",
        case(r#"{"choices":[{"message":{"content":null,"tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":"{}"}}]},"finish_reason":"tool_calls"}]}"#).calls("f", "{}");
    finish_tool_calls_without_calls: "vLLM, Qwen", "a plain answer, if there is text",
        events(&[r#"{"choices":[{"delta":{"content":"Hi"}}]}"#, CALLS]).says("Hi");
    finish_tool_calls_without_anything: "vLLM when its parser fails", "an error: the call is lost",
        events(&[r#"{"choices":[{"delta":{"content":""}}]}"#, CALLS]).fails("malformed");
    length_cuts_a_call: "every server", "the unfinished call is dropped, whole ones stay",
        events(&[
            tool!(r#"{"index":0,"id":"a","function":{"name":"f","arguments":"{}"}}"#), tool!(r#"{"index":1,"id":"b","function":{"name":"g","arguments":"{\"x\":1"}}"#),
            r#"{"choices":[{"delta":{},"finish_reason":"length"}]}"#,
        ]).calls("f", "{}").ends(FinishReason::Length);
    half_a_call_with_finish: "servers that lose the end", "passed on for the tool to refuse, never half a value",
        events(&[tool!(r#"{"index":0,"id":"a","function":{"name":"f","arguments":"{\"x\":12"}}"#), CALLS]).calls("f", "{\"x\":12");
    half_a_call_without_finish: "servers that lose the end", "an error: the end of the answer is missing",
        events(&[tool!(r#"{"index":0,"id":"a","function":{"name":"f","arguments":"{\"x\":12"}}"#), "[DONE]"]).fails("malformed");
    arguments_without_a_name: "servers that lose the start", "passed on for the tool to refuse",
        events(&[tool!(r#"{"index":0,"function":{"arguments":"{\"x\":12}"}}"#), CALLS]).calls("", "{\"x\":12}");
    several_calls_wrapped_into_one: "gpt-5 (`multi_tool_use.parallel`)", "unwrapped",
        events(&[tool!(r#"{"index":0,"id":"a","function":{"name":"multi_tool_use.parallel","arguments":"{\"tool_uses\":[{\"recipient_name\":\"functions.f\",\"parameters\":{\"x\":1}},{\"recipient_name\":\"functions.g\",\"parameters\":{}}]}"}}"#), CALLS]).calls("f", "{\"x\":1}").calls("g", "{}");
    a_name_with_its_namespace: "small models", "the namespace is dropped",
        events(&[tool!(r#"{"index":0,"id":"a","function":{"name":"functions.f","arguments":"{}"}}"#), CALLS]).calls("f", "{}");
    empty_tool_calls: "vLLM, SGLang", "skipped",
        events(&[r#"{"choices":[{"delta":{"content":"Hi","tool_calls":[]}}]}"#, tool!("{}"), tool!("null"), STOP]).says("Hi");
}
