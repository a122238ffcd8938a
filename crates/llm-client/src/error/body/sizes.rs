//! How servers say that a request is too long, and which size they name, as data: one row a server, with where it was read.

use std::ops::Range;

/// A sentence of a server, in lower case.
pub(super) struct Wording {
    /// What tells it from others.
    pub sign: &'static str,
    /// What stands before the number of tokens that the model takes; empty where no number is named.
    pub before_size: &'static str,
    /// Who says so, and where it was read.
    #[cfg_attr(not(test), expect(dead_code, reason = "for readers and for the test"))]
    pub source: &'static str,
}

const fn row(sign: &'static str, before_size: &'static str, source: &'static str) -> Wording {
    Wording {
        sign,
        before_size,
        source,
    }
}

/// The request is too long for the model.
pub(super) const TOO_LONG: &[Wording] = &[
    row(
        "maximum context length is",
        "maximum context length is ",
        "OpenAI; vLLM of old: vllm-project/vllm#20409; OpenRouter: refly-ai/refly#1177",
    ),
    row(
        "maximum context length",
        "maximum context length of ",
        "vLLM: vllm-project/vllm#20409",
    ),
    row(
        "model's context length is only",
        "context length is only ",
        "vLLM: anomalyco/opencode#17762",
    ),
    row(
        "longer than the maximum model length of",
        "maximum model length of ",
        "vLLM: vllm-project/vllm PR#12600",
    ),
    row(
        "is longer than the model's context length",
        "context length (",
        "SGLang: sgl-project/sglang#4048",
    ),
    row(
        "exceeds the maximum allowed length",
        "maximum allowed length (",
        "SGLang: sgl-project/sglang#4048",
    ),
    row(
        "exceeds the available context size",
        "available context size (",
        "llama.cpp: tools/server/README.md",
    ),
    row("context size has been exceeded", "", "LM Studio"),
    row("n_keep", "n_ctx: ", "LM Studio: lmstudio-ai/lmstudio-bug-tracker#2256"),
    row("n_keep", "n_ctx (", "LM Studio: anomalyco/opencode#11141"),
    row(
        "context length of only",
        "context length of only ",
        "LM Studio: lmstudio-ai/lmstudio-bug-tracker#546",
    ),
    row(
        "exceeded max context length",
        "",
        "Ollama: its API answers 400 where truncation is off",
    ),
    row(
        "input length exceeds the context length",
        "",
        "Ollama: its embeddings and chat",
    ),
    row(
        "prompt is too long",
        "tokens > ",
        "Anthropic; Vertex: BerriAI/litellm PR#21647",
    ),
    row(
        "input is too long",
        "",
        "Bedrock: continuedev/continue#9592; Replicate: BerriAI/litellm PR#21647",
    ),
    row("too many input tokens", "", "Bedrock: BerriAI/litellm PR#21647"),
    row(
        "input token count",
        "maximum number of tokens allowed (",
        "Gemini: google-gemini/gemini-cli's error table",
    ),
    row(
        "maximum prompt length is",
        "maximum prompt length is ",
        "xAI: UKGovernmentBEIS/inspect_ai PR#1665",
    ),
    row(
        "too large for model with",
        "too large for model with ",
        "Mistral: BerriAI/litellm PR#21647",
    ),
    row(
        "reduce the length of the messages",
        "while limit is ",
        "Groq; Cerebras: cline/cline#5140",
    ),
    row(
        "length of all messages is too long",
        "",
        "Perplexity: BerriAI/litellm PR#21647",
    ),
    row(
        "exceeded model token limit",
        "model token limit: ",
        "Kimi: MoonshotAI/kimi-cli#2011",
    ),
    row("prompt exceeds max length", "", "Z.ai, code 1261"),
    row(
        "exceeds maximum input length",
        "maximum input length ",
        "DeepInfra, with 500: langchain-ai/langchain PR#25671",
    ),
    row(
        "maximum allowed input length of",
        "maximum allowed input length of ",
        "Poolside: earendil-works/pi#4943",
    ),
    row(
        "exceeds the maximum context length ",
        "exceeds the maximum context length ",
        "Azure's Llama deployments, in `details`",
    ),
    row(
        "maximum context length (",
        "maximum context length (",
        "a gateway: earendil-works/pi#5677",
    ),
    row(
        "exceeds the maximum length",
        "exceeds the maximum length ",
        "Volcengine's Ark: langgenius/dify#32221",
    ),
    row("exceed max message tokens", "", "Volcengine's Ark"),
    row(
        "exceeds max_seq_len",
        "exceeds max_seq_len ",
        "Atlas: 0xBakeer/inference-atlas PR#186",
    ),
    row(
        "greater than max_seq_len",
        "greater than max_seq_len ",
        "TabbyAPI: SillyTavern/SillyTavern#3543",
    ),
    row(
        "cannot exceed the total tokens limit",
        "total tokens limit ",
        "watsonx.ai",
    ),
    row("expected maxlength", "", "Bedrock, in characters"),
    row("prompt length exceeds the maximum allowed", " > ", "AI21"),
    row("exceeds context length", "exceeds context length ", "Databricks"),
    row("length of messages exceeds the maximum limit", "", "Hunyuan"),
    row("exceeds max context", "exceeds max context ", "local servers"),
    row("max_seq_len exceeded", " > ", "a local server"),
    row(
        "must be less than max_seq_len",
        "less than max_seq_len (",
        "SiliconFlow, code 20015",
    ),
    row("sum of prompt length", "max_num_tokens (", "TensorRT-LLM"),
    row("splited_prompt_len", "max_seq_len (", "TensorRT-LLM"),
    row("max tokens of", "max tokens of ", "Snowflake"),
    row("超过模型最大上下文长度", "", "proxies before Chinese models"),
    row(
        "range of input length should be",
        "range of input length should be [1, ",
        "DashScope: QwenLM/Qwen-Agent#615, QwenLM/qwen-code#98",
    ),
    row(
        "`inputs` must have less than",
        "must have less than ",
        "Text Generation Inference: its validation",
    ),
    row(
        "`max_new_tokens` must be <=",
        "must be <= ",
        "Text Generation Inference: its validation",
    ),
    row(
        "configured context size is",
        "configured context size is ",
        "a local server of DeepSeek's models",
    ),
    // The number behind it is no size: NousResearch/hermes-agent PR#14743.
    row(
        "context window exceeds limit",
        "",
        "MiniMax, error 2013: MiniMax-AI/MiniMax-M2#119",
    ),
    row("exceeds the context window", "", "OpenAI's Responses"),
    row("exceed context window", "", "llama-cpp-python"),
    row(
        "exceeds the limit of",
        "exceeds the limit of ",
        "GitHub Copilot's models",
    ),
    row("prompt too long", "", "proxies before Ollama"),
    row(
        "exceed context limit",
        "> ",
        "Anthropic, with the limit of the answer: stackblitz/bolt.new#7422",
    ),
    row(
        "too many tokens: total number",
        "cannot exceed ",
        "Cohere: cohere-ai/sandbox-topically#4",
    ),
    row(
        "context window limit",
        "context window limit (",
        "Cloudflare: UKGovernmentBEIS/inspect_ai PR#1665",
    ),
    row(
        "greater than the context length",
        "",
        "LM Studio of old: lmstudio-ai/lmstudio-bug-tracker#2256",
    ),
    row(
        "input tokens exceed",
        "",
        "OpenAI; a gateway: forcedotcom/Einstein-GPT-for-Developers#228",
    ),
    row(
        "context length exceeded",
        "",
        "proxies: None9527/NGOClaw overflow_detect.go",
    ),
    row(
        "context_length_exceeded",
        "",
        "proxies that put the code into a sentence",
    ),
    row(
        "exceeds model context window",
        "",
        "proxies: None9527/NGOClaw overflow_detect.go",
    ),
];

/// What a sentence holds that says so in words of no row: what is too long, the measure, that it is too much.
pub(super) const TOO_LONG_PARTS: [&[&str]; 3] = [
    &["prompt", "input", "context", "message", "conversation", "request"],
    &[
        "token",
        "length",
        "context size",
        "context window",
        "context limit",
        "max context",
        "maximum context",
    ],
    &[
        "exceed",
        "too long",
        "too large",
        "too many",
        "longer than",
        "greater than",
        "larger than",
        "more than",
        "over the limit",
        "beyond",
        "overflow",
        "does not fit",
    ],
];

/// What such a sentence must not hold: then it is about the answer's limit, about something else than the text, or about nothing
/// that is too long.
pub(super) const NOT_TOO_LONG: [&str; 11] = [
    "max_tokens",
    "max_completion_tokens",
    "max_output_tokens",
    "output tokens",
    "completion tokens",
    "deadline",
    "timeout",
    "tool",
    "image",
    "header",
    "string too long",
];

/// No sentence about how much may be asked in a time, or about those who wait, is about one that is too long:
/// code-yeongyu/senpi PR#1466.
pub(super) const PACE: [&str; 9] = [
    "per minute",
    "per day",
    "per hour",
    "per second",
    "rate limit",
    "quota",
    "queue",
    "concurren",
    "too many requests",
];

impl Wording {
    /// Where it stands in a sentence (lower case), and the number of tokens that it names.
    pub(super) fn find(&self, words: &str) -> Option<(Range<usize>, Option<u32>)> {
        let at = words.find(self.sign)?;
        let sign = at..at + self.sign.len();
        let Some(before) = words.find(self.before_size).filter(|_| !self.before_size.is_empty()) else {
            return Some((sign, None));
        };
        let from = before + self.before_size.len();
        let (size, length) = number(&words[from..]);
        // With the number, so that a text which names another one is told from it.
        let to = if size.is_some() { from + length } else { sign.end };
        Some((sign.start.min(before)..sign.end.max(to), size))
    }
}

/// The numbers in a sentence, each with its place.
pub(super) fn numbers(words: &str) -> impl Iterator<Item = (Range<usize>, u32)> {
    let is_between = |c: char| !c.is_ascii_alphanumeric() && !"_-,.".contains(c);
    words.split(is_between).filter_map(|word| {
        // `mx-9` and `v1.5` are names.
        let word = word.trim_matches([',', '.', '-']);
        let (value, length) = number(word);
        let at = word.as_ptr().addr() - words.as_ptr().addr();
        // Gemini: "from 1 (inclusive) to 8193 (exclusive)".
        let is_beyond = words[at + length..].starts_with(" (exclusive)");
        value
            .filter(|_| length == word.len())
            .map(|value| (at..at + length, value.saturating_sub(u32::from(is_beyond))))
    })
}

/// A number, perhaps with commas in it, and its length.
fn number(text: &str) -> (Option<u32>, usize) {
    let length = text
        .find(|c: char| !c.is_ascii_digit() && c != ',')
        .unwrap_or(text.len());
    let digits: String = text[..length].chars().filter(char::is_ascii_digit).collect();
    (digits.parse().ok(), length)
}
