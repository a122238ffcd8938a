//! What of a request an error refuses.

use super::{
    ErrorBody,
    wordings::{NO_TOOLS, NO_TOOLS_PARTS, OF_SCHEMA, OUTPUT_LIMIT_SIGNS, REFUSES, UNKNOWN_MODEL},
};

/// The parameters that limit the answer.
const OUTPUT_LIMITS: [&str; 3] = ["max_tokens", "max_completion_tokens", "max_output_tokens"];
/// An answer of fewer tokens says nothing.
const MIN_OUTPUT: u32 = 64;

impl ErrorBody {
    /// Whether no tools are taken.
    pub(crate) fn refuses_tools(&self) -> bool {
        if self.says_any(&NO_TOOLS) {
            return true;
        }
        // Tools may be refused only together with an effort, or only here.
        if self.mentions("reasoning_effort") || self.mentions("v1/responses") || self.says_any(&OF_SCHEMA) {
            return false;
        }
        // watsonx.ai: `model_no_support_for_function`.
        if self.codes.iter().any(|code| code.ends_with("nosupportforfunction")) {
            return true;
        }
        let is_head = self.param.is_none() && self.sentence.starts_with("tools:");
        let is_param = is_head || matches!(self.param.as_deref(), Some("tools" | "functions"));
        let [tools, refused] = NO_TOOLS_PARTS;
        let says_so = self.says_any(tools) && self.says_any(refused);
        (is_param && self.says_any(&REFUSES)) || (self.param.is_none() && says_so)
    }

    /// The most tokens of an answer that the model takes, where the error says that `asked` are too many.
    pub(crate) fn output_limit(&self, asked: u32) -> Option<u32> {
        let is_named = OUTPUT_LIMITS.iter().any(|name| self.names(name));
        if !(is_named || self.says_any(&["max_new_tokens", "completion tokens", "output tokens"])) {
            return None;
        }
        let words = self.sentence.to_ascii_lowercase();
        let says_limit = OUTPUT_LIMIT_SIGNS.iter().any(|sign| self.says(&words, sign));
        let smaller = self.own_numbers(&words).filter(|n| (MIN_OUTPUT..asked).contains(n));
        smaller.max().filter(|_| says_limit)
    }

    /// Whether the server has no such model.
    pub(crate) fn is_unknown_model(&self) -> bool {
        if self.codes.iter().any(|code| code == "modelnotfound") {
            return true;
        }
        let words = self.sentence.to_ascii_lowercase();
        // Anthropic's sentence is the model's name alone.
        if words.starts_with("model:") && self.codes.iter().any(|code| code == "notfounderror") {
            return true;
        }
        words.contains("model") && UNKNOWN_MODEL.iter().any(|sign| self.says(&words, sign))
    }

    /// Whether the sentence holds one of these words, in lower case.
    pub(crate) fn says_any(&self, signs: &[&str]) -> bool {
        let words = self.sentence.to_ascii_lowercase();
        signs.iter().any(|sign| self.says(&words, sign))
    }

    /// Whether it is about this parameter: by the parameter it names, else by its sentence. Names that are ordinary words
    /// count only in quotes, or in front of a colon.
    pub(crate) fn names(&self, name: &str) -> bool {
        match &self.param {
            Some(param) => is_name(param, name),
            None => self.mentions(name),
        }
    }

    /// Whether it refuses the reasoning effort, in any spelling. To be asked where one was sent.
    pub(crate) fn refuses_effort(&self) -> bool {
        let by_name = ["reasoning", "reasoning_effort", "output_config", "effort", "thinking"];
        by_name.iter().any(|name| self.names(name))
            || (self.says_any(&["effort"]) && self.says_any(&REFUSES))
            || self.says_any(&["think value"])
            || (self.says_any(&["thinking", "reasoning"]) && self.says_any(&["not support", "unsupported"]))
    }

    /// Whether it refuses a member of an earlier message, as in `messages.2.reasoning_content: Extra inputs are not
    /// permitted`. That one is missing is no refusal.
    pub(crate) fn refuses_member(&self, name: &str) -> bool {
        let places = [self.param.as_deref().unwrap_or_default(), &self.sentence];
        let is_between = |c: char| !c.is_alphanumeric() && c != '_';
        let has = |place: &str| place.split(is_between).any(|word| word == name);
        self.says_any(&REFUSES) && places.into_iter().any(has)
    }

    /// Whether it refuses a member that we know nothing of: one in a message, or one by a name that is none of our parameters'.
    pub(crate) fn refuses_unknown_member(&self) -> bool {
        const UNKNOWN: [&str; 9] = [
            "unknown field",
            "unknown name",
            "unknown parameter",
            "unrecognized",
            "unexpected",
            "extra",
            "additional propert",
            "not permitted",
            "does not match any of the expected",
        ];
        self.says_any(&UNKNOWN)
    }

    /// Whether it says that a member of an earlier message is missing.
    pub(crate) fn misses_member(&self, name: &str) -> bool {
        const MISSES: [&str; 6] = ["missing", "must be", "required", "passed back", "pass back", "needs"];
        // Gemini's name for what is in that member.
        let is_signature =
            name == "extra_content" && (self.mentions("thought_signature") || self.says_any(&["thought signature"]));
        (is_signature || self.names(name)) && self.says_any(&MISSES)
    }

    /// Whether the sentence mentions it as a word of its own, in this spelling or another (`reasoningEffort`).
    pub(crate) fn mentions(&self, name: &str) -> bool {
        let is_ordinary = matches!(
            name,
            "include" | "store" | "reasoning" | "effort" | "thinking" | "tools"
        );
        let is_in_name = |c: char| c.is_alphanumeric() || "_./-".contains(c);
        let text = &self.sentence;
        let mut from = 0;
        while let Some(start) = text[from..].find(is_in_name).map(|at| from + at) {
            let end = text[start..]
                .find(|c| !is_in_name(c))
                .map_or(text.len(), |at| start + at);
            let word = text[start..end].trim_end_matches(['.', '-']);
            let is_quoted = text[..start].ends_with(['\'', '"', '`']) && text[end..].starts_with(['\'', '"', '`']);
            // pydantic's form: `store: Extra inputs are not permitted`.
            let is_head = start == 0 && text[end..].starts_with(':');
            // xAI's: `Argument not supported: store`.
            let is_tail = text[..start].ends_with(": ") && text[end..].trim_end_matches('.').is_empty();
            if (is_quoted || is_head || is_tail || !is_ordinary)
                && is_name(word, name)
                && !self.echo.has(text, start..start + word.len())
            {
                return true;
            }
            from = end;
        }
        false
    }
}

/// Whether a name, or a place in a request, is that of a parameter: `reasoningEffort`, `reasoning-effort` and
/// `reasoning.effort` are `reasoning_effort`, `stream_options.include_usage` is a part of `stream_options`, and
/// `generation_config.temperature` and `tools.0.cache_control` end in theirs. What stands in a message is no parameter.
fn is_name(found: &str, name: &str) -> bool {
    let mut snake = String::new();
    for c in found.trim_start_matches('/').chars() {
        match c {
            'A'..='Z' => {
                if snake.ends_with(|c: char| c.is_ascii_lowercase()) {
                    snake.push('_');
                }
                snake.push(c.to_ascii_lowercase());
            }
            '[' | '/' => snake.push('.'),
            '-' => snake.push('_'),
            c => snake.push(c),
        }
    }
    let name = name.replace(['.', '/'], "_");
    let flat = snake.replace('.', "_");
    let is_head = flat.starts_with(&name) && matches!(snake.as_bytes().get(name.len()), None | Some(b'.'));
    let mut parts = snake.rsplit('.');
    let is_tail = parts.next() == Some(name.as_str()) && !matches!(parts.next_back(), Some("messages" | "input"));
    is_head || is_tail
}
