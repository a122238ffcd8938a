//! What is read of the errors of many servers, and what is not.

use super::*;

fn said(message: &str) -> Echo {
    let mut echo = Echo::default();
    echo.push_person(message);
    echo
}

#[test]
fn errors_of_all_shapes_are_sorted() {
    let cases = [
        (r#"{"code":429}"#, Some(429), None),
        (
            r#"{"code":"503","message":"Overloaded"}"#,
            Some(503),
            Some(StatusReason::Server),
        ),
        (
            r#"{"status":"RESOURCE_EXHAUSTED"}"#,
            None,
            Some(StatusReason::RateLimited),
        ),
        (
            r#"{"status_code":400,"message":"maximum context length is 8192"}"#,
            Some(400),
            Some(StatusReason::ContextLength),
        ),
        (
            r#"{"code":12,"type":"insufficient_quota"}"#,
            None,
            Some(StatusReason::Quota),
        ),
        (
            r#"{"error":{"type":"invalid_request_error","code":"request_timeout","message":"x"}}"#,
            None,
            Some(StatusReason::Timeout),
        ),
        (
            r#"{"error_type":"context_length_exceeded","error_message":"x"}"#,
            None,
            Some(StatusReason::ContextLength),
        ),
        (r#""a text""#, None, None),
        ("Too Many Requests", None, Some(StatusReason::RateLimited)),
        ("<html>Too Many Requests</html>", None, None),
        ("", None, None),
    ];
    for (error, status, reason) in cases {
        let body = ErrorBody::read(error);
        assert_eq!((body.status, body.reason()), (status, reason), "{error}");
    }
}

/// The refusal of one server after another, as it was read in public, and the size it names.
const TOO_LONG_BODIES: &[(&str, &str, Option<u32>)] = &[
    (
        "llama.cpp",
        r#"{"error":{"code":400,"message":"the request exceeds the available context size. try increasing the context size or enable context shift","type":"exceed_context_size_error","n_prompt_tokens":9350,"n_ctx":4096}}"#,
        Some(4096),
    ),
    (
        "llama.cpp of old",
        r#"{"error":{"message":"request (9350 tokens) exceeds the available context size (4,096 tokens), try increasing it"}}"#,
        Some(4096),
    ),
    (
        "OpenAI",
        r#"{"error":{"message":"This model's maximum context length is 8192 tokens. However, your messages resulted in 9350 tokens.","code":"context_length_exceeded"}}"#,
        Some(8192),
    ),
    (
        "vLLM",
        r#"{"error":{"message":"You passed 7169 input tokens and requested 1024 output tokens. However, the model's context length is only 8192 tokens, resulting in a maximum input length of 7168 tokens. Please reduce the length of the input prompt.","type":"BadRequestError","param":"input_tokens","code":400}}"#,
        Some(8192),
    ),
    (
        "LM Studio",
        r#"{"error":"The number of tokens to keep from the initial prompt is greater than the context length (n_keep: 9350>= n_ctx: 4096). Try to load the model with a larger context length, or provide a shorter input."}"#,
        Some(4096),
    ),
    (
        "LM Studio, another build",
        r#"{"error":"Cannot truncate prompt with n_keep (15028) >= n_ctx (7424)"}"#,
        Some(7424),
    ),
    (
        "LM Studio of old",
        "Trying to keep the first 9350 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens",
        Some(4096),
    ),
    (
        "Anthropic",
        r#"{"type":"error","error":{"type":"invalid_request_error","message":"prompt is too long: 210000 tokens > 200000 maximum"}}"#,
        Some(200_000),
    ),
    (
        "Gemini",
        r#"[{"error":{"code":400,"message":"The input token count (40000) exceeds the maximum number of tokens allowed (32768).","status":"INVALID_ARGUMENT"}}]"#,
        Some(32_768),
    ),
    (
        "Text Generation Inference",
        r#"{"error":"Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4096. Given: 9000","error_type":"validation"}"#,
        Some(4096),
    ),
    (
        "Text Generation Inference, the question alone",
        r#"{"error":"Input validation error: `inputs` must have less than 4095 tokens. Given: 9000","error_type":"validation"}"#,
        Some(4095),
    ),
    (
        "xAI",
        r#"{"code":"Client specified an invalid argument","error":"This model's maximum prompt length is 131072 but the request contains 140000 tokens"}"#,
        Some(131_072),
    ),
    (
        "Kimi",
        r#"{"error":{"message":"Invalid request: Your request exceeded model token limit: 8192 (requested: 9350)","type":"invalid_request_error"}}"#,
        Some(8192),
    ),
    (
        "Z.ai",
        r#"{"error":{"code":"1261","message":"Prompt exceeds max length"}}"#,
        None,
    ),
    (
        "DashScope",
        r#"{"error":{"code":"invalid_parameter_error","param":null,"message":"<400> InternalError.Algo.InvalidParameter: Range of input length should be [1, 30720]","type":"invalid_request_error"}}"#,
        Some(30_720),
    ),
    (
        "Mistral",
        r#"{"object":"error","message":"Prompt contains 40000 tokens and 0 draft tokens, too large for model with 32768 maximum context length","type":"invalid_request_prompt","code":3051}"#,
        Some(32_768),
    ),
    (
        "Bedrock",
        r#"{"message":"Input is too long for requested model."}"#,
        None,
    ),
    (
        "Groq and Cerebras",
        r#"{"message":"Please reduce the length of the messages or completion. Current length is 42328 while limit is 40000","type":"invalid_request_error","param":"messages","code":"context_length_exceeded"}"#,
        Some(40_000),
    ),
    (
        "Perplexity",
        r#"{"error":{"message":"The total length of all messages is too long.","type":"invalid_request","code":400}}"#,
        None,
    ),
    (
        "SGLang",
        r#"{"object":"error","message":"The input (9350 tokens) is longer than the model's context length (8192 tokens).","type":"BadRequestError","code":400}"#,
        Some(8192),
    ),
    (
        "vLLM behind Venice, inside of a 200",
        r#"{"error_type":"context_length_exceeded","error_message":"This model's maximum context length is 8192 tokens."}"#,
        Some(8192),
    ),
    (
        "OpenRouter, with the provider's inside",
        r#"{"error":{"message":"Provider returned error","code":400,"metadata":{"raw":"{\"error\":{\"message\":\"This model's maximum context length is 16384 tokens. However, your messages resulted in 20000 tokens.\"}}","provider_name":"Nvidia"}}}"#,
        Some(16_384),
    ),
    (
        "LiteLLM, with the provider's inside",
        r#"{"error":{"message":"litellm.BadRequestError: OpenAIException - Error code: 400 - {'error': {'message': \"This model's maximum context length is 4096 tokens.\", 'code': 400}}","type":null,"param":null,"code":"400"}}"#,
        Some(4096),
    ),
    (
        "Anthropic, with the limit of the answer",
        r#"{"type":"error","error":{"type":"invalid_request_error","message":"input length and `max_tokens` exceed context limit: 86888 + 119866 > 204648, decrease input length or `max_tokens` and try again"}}"#,
        Some(204_648),
    ),
    (
        "Cohere",
        r#"{"message":"too many tokens: total number of tokens (prompt and prediction) cannot exceed 2048 - received 6354. Try using a shorter prompt or a smaller max_tokens value."}"#,
        Some(2048),
    ),
    (
        "Cloudflare",
        r#"{"errors":[{"message":"AiError: The estimated number of input and maximum output tokens (10000) exceeded this model context window limit (8192).","code":5021}]}"#,
        Some(8192),
    ),
    (
        "a gateway",
        r#"{"error":"Request input tokens exceed model token limit. Reduce the input size."}"#,
        None,
    ),
    (
        "a proxy",
        r#"{"error":{"message":"upstream: context_length_exceeded"}}"#,
        None,
    ),
    (
        "llama.cpp, as a failure of its own",
        r#"{"error":{"code":500,"message":"the request exceeds the available context size. try increasing the context size or enable context shift","type":"server_error"}}"#,
        None,
    ),
    (
        "DeepInfra",
        r#"{"detail":{"error":"Requested input length 5423 exceeds maximum input length 4096"}}"#,
        Some(4096),
    ),
    (
        "watsonx.ai",
        r#"{"errors":[{"code":"invalid_input_argument","message":"the number of input tokens 5200 cannot exceed the total tokens limit 4096 for this model"}],"status_code":400}"#,
        Some(4096),
    ),
    (
        "Bedrock",
        r#"{"message":"expected maxLength: 20000, actual: 29999"}"#,
        None,
    ),
    (
        "MiniMax",
        r#"{"base_resp":{"status_code":2013,"status_msg":"invalid params, context window exceeds limit (2013)"}}"#,
        None,
    ),
    (
        "TabbyAPI",
        r#"{"error":"Request length 71599 + 2048 is greater than max_seq_len 65536"}"#,
        Some(65536),
    ),
    ("Z.ai", r#"{"error":{"code":"1261","message":"Prompt 超长"}}"#, None),
    (
        "Azure's Llama deployments",
        r#"{"error":{"code":"Invalid input","status":422,"message":"invalid input error","details":"The prompt token length (5211) exceeds the maximum context length 4096"}}"#,
        Some(4096),
    ),
    (
        "a server that no row knows",
        r#"{"message":"Your conversation of 5,120 tokens is larger than the 4,096 tokens this deployment was given"}"#,
        Some(4096),
    ),
    (
        "another one",
        r#"{"error":"the input has too many tokens for this deployment"}"#,
        None,
    ),
];

#[test]
fn a_request_that_is_too_long_is_known_by_the_words_of_many_servers() {
    for (server, body, size) in TOO_LONG_BODIES {
        let read = ErrorBody::read(body);
        assert_eq!(
            (read.reason(), read.size()),
            (Some(StatusReason::ContextLength), *size),
            "{server}"
        );
    }
    assert!(TOO_LONG.iter().all(|row| !row.source.is_empty()));
}

#[test]
fn what_is_no_size_is_not_taken_for_one() {
    for body in [
        "maximum context length is 3",
        r#"{"error":{"message":"bad request","n_ctx":12}}"#,
        r#"{"error":{"message":"max_tokens is too large: 99999"}}"#,
    ] {
        assert_eq!(ErrorBody::read(body).size(), None, "{body}");
    }
    for body in [
        "context deadline exceeded while reading 4096 tokens",
        "Too many tokens per minute for your prompt, limit 30000, requested 40000",
        "max_tokens is too large: 4096. This model supports at most 2048 completion tokens for an input",
        "Tool name too long: the input of 5000 tokens",
        r#"{"error":{"message":"Request queue length exceeds the maximum of 256.","type":"overloaded"}}"#,
        "This request exceeds the limit of 30000 tokens per minute",
        r#"{"error":{"message":"The number of requests in the queue exceeds the maximum length 128","code":"queue_full"}}"#,
    ] {
        assert_ne!(
            ErrorBody::read(body).reason(),
            Some(StatusReason::ContextLength),
            "{body}"
        );
    }
}

#[test]
fn what_a_filter_holds_back_is_known_by_code_or_by_words() {
    for body in [
        r#"{"error":{"message":"Content Exists Risk","type":"invalid_request_error","code":"invalid_request_error"}}"#,
        r#"{"error":{"code":"1301","message":"系统检测到输入或生成内容可能包含不安全或敏感内容"}}"#,
        r#"{"error":{"message":"Invalid prompt","code":"invalid_prompt"}}"#,
        r#"{"code":"permission-denied","error":"Content violates usage guidelines."}"#,
        r#"{"error":{"code":403,"message":"m requires moderation. Your input was flagged for \"violence\"."}}"#,
        r#"{"message":"The request was blocked by guardrail","__type":"GuardrailException"}"#,
        r#"{"error":{"message":"Your request was rejected as a result of our safety system.","type":"invalid_request_error"}}"#,
        r#"{"error":{"code":"BadRequest","message":"x","innererror":{"code":"ResponsibleAIPolicyViolation"}}}"#,
        r#"{"error":{"code":"SensitiveContentDetected","message":"x"}}"#,
        r#"{"error":{"message":"{'error': 'Violated guardrail policy', 'guardrail_name': 'x'}"}}"#,
        r#"{"error":[{"code":2016,"message":"Prompt blocked due to security configurations"}]}"#,
        r#"{"base_resp":{"status_code":1026,"status_msg":"input new_sensitive"}}"#,
        r#"{"code":10013,"message":"输入内容审核不通过，涉嫌违规，请重新调整输入内容"}"#,
    ] {
        let read = ErrorBody::read(body);
        assert_eq!(read.refusal_reason(400), StatusReason::ContentFilter, "{body}");
        assert_eq!(read.refusal_reason(403), StatusReason::ContentFilter, "{body}");
    }
    for body in [
        r#"{"code":"permission-denied","error":"The key may not use this model."}"#,
        r#"{"error":{"message":"Your organization's API access has been disabled for violations of our usage policies.","type":"permission_error","code":"organization_restricted"}}"#,
        r#"{"error":{"message":"We have blocked further requests because prior requests violated our usage policy."}}"#,
    ] {
        assert_eq!(
            ErrorBody::read(body).refusal_reason(403),
            StatusReason::Forbidden,
            "{body}"
        );
    }
}

#[test]
fn a_call_that_was_none_is_the_models_fault_and_asked_for_again() {
    let body = r#"{"error":{"message":"Failed to call a function.","type":"invalid_request_error","code":"tool_use_failed","failed_generation":"x"}}"#;
    let read = ErrorBody::read(body);
    assert_eq!(read.refusal_reason(400), StatusReason::MalformedCall);
    assert_eq!(read.event_reason(), StatusReason::MalformedCall);
}

#[test]
fn an_error_inside_an_answer_that_refuses_what_was_sent_is_a_refusal() {
    for body in [
        r#"{"error":{"message":"m does not support tools","type":"api_error"}}"#,
        r#"{"error":"m does not support tools"}"#,
        r#"{"detail":[{"loc":["body","stream_options"],"msg":"extra fields not permitted"}]}"#,
    ] {
        assert_eq!(ErrorBody::read(body).event_reason(), StatusReason::BadRequest, "{body}");
    }
}

#[test]
fn refused_tools_are_known_in_any_words() {
    for body in [
        "`tools` is not supported with this model",
        "Function calling is not enabled for this model",
        "This model does not support tool calls.",
        "This model doesn't support tool use in streaming mode.",
        "Tool call parser is not set: start the server with --tool-call-parser to use tools",
        r#"{"error":{"code":500,"message":"tools param requires --jinja flag","type":"server_error"}}"#,
        r#"{"error":"Template error: template not found for tools","error_type":"template_error"}"#,
        r#"{"error":{"message":"Unsupported parameter: 'tools'","param":"tools"}}"#,
        "tools: Extra inputs are not permitted",
        "This model doesn't support the toolConfig field. Remove toolConfig and try again.",
        r#"{"errors":[{"code":"model_no_support_for_function","message":"Model 'm' does not support 'x'"}]}"#,
        r#"{"detail":[{"type":"extra_forbidden","loc":["body","tools"],"msg":"Extra inputs are not permitted"}]}"#,
        "litellm.UnsupportedParamsError: x does not support parameters: ['tools'], for model=m. To drop these, set `litellm.drop_params=True`",
        "litellm.UnsupportedParamsError: x does not support parameters: {'tools': [{'type': 'function', 'function': {'name': 'what_if'}}]}",
    ] {
        let mut read = ErrorBody::read(body);
        let mut asked = Echo::default();
        asked.push("Use the tools for values, with parameters that fit.");
        read.judge(&asked, "");
        assert!(read.refuses_tools(), "{body}");
        assert_eq!(read.refusal_reason(500), StatusReason::BadRequest, "{body}");
    }
    for body in [
        "Function tools with reasoning_effort are not supported. Use /v1/responses or set reasoning_effort to 'none'.",
        r#"{"error":{"message":"tools.0.cache_control: Extra inputs are not permitted"}}"#,
        r#"{"detail":[{"loc":["body","tools",15,"cache_control"],"msg":"extra fields not permitted"}]}"#,
        r#"{"error":{"message":"Invalid schema for function 'x': $ref is not supported","param":"tools[0].parameters"}}"#,
        "tools.0.function.parameters: keyword 'anyOf' is not supported",
        "temperature is not supported",
    ] {
        assert!(!ErrorBody::read(body).refuses_tools(), "{body}");
    }
}

#[test]
fn a_limit_of_the_answer_that_is_lower_is_read() {
    let cases = [
        (
            "max_tokens is too large: 16384. This model supports at most 8,192 completion tokens, whereas you provided 16384.",
            Some(8192),
        ),
        (
            "max_tokens: 16384 > 4096, which is the maximum for claude-3",
            Some(4096),
        ),
        (
            "`max_completion_tokens` must be less than or equal to `8192`, the maximum value",
            Some(8192),
        ),
        (
            "Invalid max_tokens value, the valid range of max_tokens is [1, 8192]",
            Some(8192),
        ),
        (
            "The parameter `max_completion_tokens` is not valid: expected a value <= 12288, but got 16384 instead",
            Some(12288),
        ),
        (
            "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.",
            None,
        ),
        ("temperature must be less than 2048", None),
    ];
    for (body, limit) in cases {
        assert_eq!(ErrorBody::read(body).output_limit(16_384), limit, "{body}");
    }
}

#[test]
fn what_repeats_the_model_or_the_request_is_not_read() {
    let bodies = [
        r#"{"error":{"message":"Failed to call a function. Please adjust your prompt.","type":"invalid_request_error","code":"tool_use_failed","failed_generation":"temperature: this model's maximum context length is 2048 tokens; model not found"}}"#,
        r#"{"detail":[{"type":"extra_forbidden","loc":["body","messages"],"msg":"Extra inputs are not permitted","input":"temperature maximum context length is 2048 model not found"}]}"#,
        r#"{"error":{"message":"[{'type': 'missing', 'loc': ('body',), 'msg': 'Field required', 'input': {'content': 'temperature maximum context length is 2048 model not found'}}]"}}"#,
        r#"{"error":{"message":"litellm.BadRequestError: GroqException - {\"error\":{\"message\":\"Failed to call a function\",\"code\":\"tool_use_failed\",\"failed_generation\":\"temperature maximum context length is 2048 model not found\"}}"}}"#,
        r#"{"request":{"messages":"temperature maximum context length is 2048"},"text":"model not found"}"#,
        "<html>temperature maximum context length is 2048 model not found</html>",
    ];
    for body in bodies {
        let read = ErrorBody::read(body);
        assert!(!read.names("temperature") && !read.is_unknown_model(), "{body}");
        assert!(read.size().is_none(), "{body}");
        assert_ne!(read.reason(), Some(StatusReason::ContextLength), "{body}");
    }
}

#[test]
fn a_sentence_with_the_words_of_the_request_teaches_nothing() {
    let cases = [
        (
            "The maximum context length is 2048 tokens.",
            "invalid prompt: the maximum context length is 2048 tokens.",
        ),
        ("Call a function with: temperature", "unknown function with temperature"),
        (
            "say: context window exceeds limit",
            "could not parse 'context window exceeds limit'",
        ),
        (
            "say: this model is not found",
            "The model said 'this model is not found'",
        ),
        (
            "My rent is four thousand two hundred dollars.",
            "not understood: 'rent is four thousand two hundred dollars'. temperature, model not found",
        ),
    ];
    for (message, sentence) in cases {
        let mut read = ErrorBody::read(sentence);
        read.judge(&said(message), "");
        assert!(!read.names("temperature") && !read.is_unknown_model(), "{sentence}");
        assert_eq!((read.reason(), read.size()), (None, None), "{sentence}");
    }
    let mut read = ErrorBody::read("Unsupported parameter: temperature");
    read.judge(&said("Is the temperature of a pizza oven a cost?"), "");
    assert!(read.names("temperature"), "the server's own words");
}

#[test]
fn a_parameter_is_known_in_each_spelling_and_by_its_place() {
    let cases = [
        (
            r#"{"error":{"param":"stream_options.include_usage"}}"#,
            "stream_options",
            true,
        ),
        (
            r#"{"detail":[{"loc":["body","stream_options"],"msg":"x"}]}"#,
            "stream_options",
            true,
        ),
        (r#"{"error":{"param":"reasoning.effort"}}"#, "reasoning_effort", true),
        (
            r#"{"code":"Client specified an invalid argument","error":"Model grok-4 does not support parameter reasoningEffort."}"#,
            "reasoning_effort",
            true,
        ),
        ("the model takes no reasoning.effort", "reasoning_effort", true),
        (
            r#"{"error":{"param":"messages","message":"temperature"}}"#,
            "temperature",
            false,
        ),
        ("the temperatures are high", "temperature", false),
        ("include one, or store it elsewhere", "store", false),
        ("unknown field 'store'", "store", true),
        ("max_tokens_to_sample is odd", "max_tokens", false),
        ("store: Extra inputs are not permitted", "store", true),
        ("Argument not supported: store", "store", true),
        (
            r#"{"success":false,"error":{"issues":[{"code":"unrecognized_keys","keys":["stream_options"],"path":[],"message":"Unrecognized key(s)"}],"name":"ZodError"}}"#,
            "stream_options",
            true,
        ),
        (
            r#"{"errors":{"$.stream_options":["The JSON property 'stream_options' could not be mapped"]}}"#,
            "stream_options",
            true,
        ),
        (
            "system.0.cache_control: Extra inputs are not permitted",
            "cache_control",
            true,
        ),
        (
            r#"{"detail":[{"loc":["body","tools",15,"cache_control"],"msg":"x"}]}"#,
            "cache_control",
            true,
        ),
        (
            "parameter \"reasoning-effort\" is not recognised",
            "reasoning_effort",
            true,
        ),
        (
            r#"[{"error":{"code":400,"message":"Invalid.","details":[{"fieldViolations":[{"field":"generation_config.temperature"}]}]}}]"#,
            "temperature",
            true,
        ),
        (
            r#"{"error":{"param":"messages[1].reasoning","message":"x"}}"#,
            "reasoning",
            false,
        ),
        (
            r#"{"message":{"detail":[{"loc":["body","stream_options"],"msg":"Extra inputs are not permitted"}]}}"#,
            "stream_options",
            true,
        ),
    ];
    for (body, name, is_named) in cases {
        assert_eq!(ErrorBody::read(body).names(name), is_named, "{body}");
    }
}

#[test]
fn a_model_that_is_not_there_is_told_from_an_address_that_is_not_there() {
    for body in [
        r#"{"error":{"message":"model \"gpt-4o\" not found, try pulling it first"}}"#,
        r#"{"object":"error","message":"The model `gpt-4o` does not exist.","type":"NotFoundError"}"#,
        r#"{"error":{"message":"The model `gpt-9` does not exist or you do not have access to it.","code":"model_not_found"}}"#,
        r#"{"type":"error","error":{"type":"not_found_error","message":"model: gpt-4o"}}"#,
        r#"{"error":{"message":"Model Not Exist","type":"invalid_request_error"}}"#,
        r#"{"error":{"message":"gpt-4o is not a valid model ID","code":400}}"#,
        r#"{"error":"model 'gpt-4o' not found"}"#,
        "could not find real modelID for gpt-4o",
    ] {
        assert!(ErrorBody::read(body).is_unknown_model(), "{body}");
    }
    for body in [
        "404 page not found",
        r#"{"detail":"Not Found"}"#,
        r#"{"error":"unauthorized"}"#,
    ] {
        assert!(!ErrorBody::read(body).is_unknown_model(), "{body}");
    }
}

#[test]
fn neither_words_nor_figures_are_printed() {
    let mut read = ErrorBody::read(r#"{"error":{"message":"secret sentence","code":"secret_code"}}"#);
    assert!(!format!("{read:?}{read}").contains("secret"));
    read.show();
    assert_eq!(read.to_string(), ": secret sentence");
}

#[test]
fn errors_that_are_deep_or_long_are_read_in_bounds() {
    let deep = format!("{}1{}", "{\"error\":".repeat(90), "}".repeat(90));
    assert_eq!(ErrorBody::read(&deep), ErrorBody::default());
    let long = format!(
        r#"{{"error":{{"message":"{}maximum context length is 4096"}}}}"#,
        "x ".repeat(9_000)
    );
    assert_eq!(ErrorBody::read(&long).size(), None);
}

#[test]
fn an_error_that_was_cut_off_is_read_as_far_as_it_is_whole() {
    let echo = r#"My rent is \"4,200\" "#.repeat(1_000);
    for body in [
        format!(r#"{{"error":{{"code":"context_length_exceeded","message":"too long","input":"{echo}"#),
        format!(r#"{{"error":{{"code":"context_length_exceeded","input":["a",{{"content":"{echo}"#),
        format!(r#"[{{"error":{{"code":"context_length_exceeded","message":"{echo}\"#),
        r#"{"error":{"code":"context_length_exceeded","message":"#.to_owned(),
    ] {
        let read = ErrorBody::read(&body);
        assert_eq!(read.reason(), Some(StatusReason::ContextLength), "{}", &body[..60]);
        assert!(read.sentence.len() <= shapes::MAX_SENTENCE);
    }
    for body in [
        "{",
        "[",
        r#"{"a"#,
        r#"{"error":"#,
        &"[".repeat(60_000),
        &r#"{"error":"#.repeat(6_000),
    ] {
        assert_eq!(ErrorBody::read(body).reason(), None);
    }
}
