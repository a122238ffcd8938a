//! What a server's error says, read by the shapes that are known. Its text is searched for known phrases and is passed on to
//! nobody but an operator who asked with words of ours.

mod echo;
mod wordings;

use super::StatusReason;
pub(crate) use echo::Echo;
use serde_json::{Map, Value, value::RawValue};
use std::fmt;
use wordings::{CODES, NO_TOOLS, OTHERS, TOO_LONG, UNKNOWN_MODEL, Wording};

/// Words of a refusal.
const REFUSES: [&str; 9] = [
    "extra",
    "unknown",
    "unrecognized",
    "unsupported",
    "not support",
    "not permitted",
    "unexpected",
    "not allowed",
    "invalid",
];
/// Errors inside of errors: proxies put the one they got into theirs.
const MAX_DEPTH: u8 = 6;
/// Bytes of a sentence that are read. Longer ones hold more than the server's own words.
const MAX_SENTENCE: usize = 2_000;
/// Bytes of a sentence that an operator is shown.
const MAX_SHOWN: usize = 300;
/// A context that does not hold the compact prompt is of no use, and most probably none.
const MIN_CONTEXT: u32 = 1_024;

/// What a server's error says: its codes, the parameter it is about, its sentence. Nothing else of the body is read, so
/// nothing of what it repeats of the request (`input`) or of the model's answer (`failed_generation`).
#[derive(Clone, Default, PartialEq, Eq)]
pub struct ErrorBody {
    /// The HTTP status it names.
    pub(crate) status: Option<u16>,
    /// Code, type and status, as [`CODES`] has them.
    codes: Vec<String>,
    param: Option<String>,
    sentence: String,
    /// llama.cpp's member for the size of its context.
    n_ctx: Option<u32>,
    /// What was asked, while the error is judged.
    echo: Echo,
    /// The size of the context that this error names, where it can be believed.
    pub(crate) context_tokens: Option<u32>,
    /// The sentence is the answer to words of ours, and may be shown.
    is_shown: bool,
}

impl ErrorBody {
    /// Reads an error in any shape: object, array, text. A web page says nothing.
    pub(crate) fn read(error: &str) -> Self {
        let error = error.trim();
        let mut body = Self::default();
        match serde_json::from_str::<Value>(error) {
            Ok(value) => body.take(&value, MAX_DEPTH),
            Err(_) if error.starts_with(['{', '[']) => {
                if let Some(value) = of_cut(error) {
                    body.take(&value, MAX_DEPTH);
                }
            }
            Err(_) if error.starts_with('<') => {}
            Err(_) => body.take_sentence(error, MAX_DEPTH),
        }
        body
    }

    fn take(&mut self, value: &Value, depth: u8) {
        let Some(depth) = depth.checked_sub(1) else { return };
        match value {
            Value::Object(object) => self.take_object(object, depth),
            Value::Array(list) => list.iter().take(1).for_each(|first| self.take(first, depth)),
            Value::String(text) => self.take_sentence(text, depth),
            _ => {}
        }
    }

    /// What stands deeper is the cause, and read first.
    fn take_object(&mut self, object: &Map<String, Value>, depth: u8) {
        for name in ["error", "errors", "detail"] {
            if let Some(inner) = object.get(name).filter(|inner| !inner.is_null()) {
                self.take(inner, depth);
            }
        }
        // OpenRouter's place for what the provider said.
        if let Some(raw) = object.get("metadata").and_then(|metadata| metadata.get("raw")) {
            self.take(raw, depth);
        }
        for name in ["code", "type", "status", "status_code", "error_type", "error_code"] {
            self.take_code(object.get(name));
        }
        let text = |name: &str| object.get(name).and_then(Value::as_str);
        if self.param.is_none() {
            // The last member of a place is the parameter: `["body", "stream_options"]`.
            let place = object.get("loc").and_then(Value::as_array).and_then(|loc| loc.last());
            let param = text("param").or(place.and_then(Value::as_str));
            self.param = param.filter(|param| !param.is_empty()).map(str::to_owned);
        }
        for name in ["message", "error_message", "msg"] {
            if let Some(message) = text(name) {
                self.take_sentence(message, depth);
            }
        }
        let n_ctx = object.get("n_ctx").and_then(Value::as_u64);
        self.n_ctx = self.n_ctx.or(n_ctx.and_then(|tokens| u32::try_from(tokens).ok()));
    }

    fn take_code(&mut self, code: Option<&Value>) {
        let code = match code {
            Some(Value::String(code)) => code.clone(),
            Some(Value::Number(code)) => code.to_string(),
            _ => return,
        };
        self.status = self.status.or(http_status(&code));
        let code: String = code
            .chars()
            .filter(|c| c.is_alphanumeric())
            .map(|c| c.to_ascii_lowercase())
            .collect();
        self.codes.push(code);
    }

    fn take_sentence(&mut self, sentence: &str, depth: u8) {
        const REPEATED: [&str; 4] = ["'input'", "\"input\"", "input_value", "failed_generation"];
        // Proxies put the error they got behind a few words of theirs.
        if let Some(at) = sentence.find('{')
            && let Ok(inner) = serde_json::from_str::<Value>(&sentence[at..])
        {
            self.take(&inner, depth);
            return self.add_sentence(&sentence[..at]);
        }
        // Python prints it in a way that is no JSON, the request included.
        let end = REPEATED.iter().filter_map(|name| sentence.find(name)).min();
        self.add_sentence(&sentence[..end.unwrap_or(sentence.len())]);
    }

    fn add_sentence(&mut self, sentence: &str) {
        let room = MAX_SENTENCE.saturating_sub(self.sentence.len());
        let end = sentence.floor_char_boundary(room);
        if !sentence.trim().is_empty() && end > 0 {
            if !self.sentence.is_empty() {
                self.sentence.push(' ');
            }
            self.sentence.push_str(sentence[..end].trim());
        }
    }

    /// From here on what the request says itself teaches nothing; nor does a sentence with its key.
    pub(crate) fn judge(&mut self, request: &Echo, key: &str) {
        self.echo = request.clone();
        if self.echo.is_in(&self.sentence) || (!key.is_empty() && self.sentence.contains(key)) {
            self.sentence.clear();
        }
    }

    /// Lets the operator read the sentence, which answers words of ours.
    pub(crate) fn show(&mut self) {
        self.is_shown = self.own_sentence().is_some();
    }

    /// The sentence, where it holds neither words of a person nor what the model wrote.
    pub(crate) fn own_sentence(&self) -> Option<&str> {
        let is_of_model = self.codes.iter().any(|code| code == "toolusefailed");
        let sentence = self.sentence();
        (!is_of_model && !sentence.is_empty() && !self.echo.is_near(sentence)).then_some(sentence)
    }

    /// The server's own sentence, for an operator.
    fn sentence(&self) -> &str {
        &self.sentence[..self.sentence.floor_char_boundary(MAX_SHOWN)]
    }

    /// What it is about: by its codes, where they say something, else by its sentence.
    pub(crate) fn reason(&self) -> Option<StatusReason> {
        let has = |known: &&str| self.codes.iter().any(|code| code == known);
        let by_code = CODES.iter().find(|(_, known)| known.iter().any(has));
        match by_code.map(|(reason, _)| *reason) {
            // Some servers call everything so.
            Some(StatusReason::BadRequest) | None => {}
            telling => return telling,
        }
        if self.too_long().is_some() {
            return Some(StatusReason::ContextLength);
        }
        let words = self.sentence.to_ascii_lowercase();
        let signs = OTHERS
            .iter()
            .flat_map(|(reason, signs)| signs.iter().map(move |sign| (*reason, *sign)));
        let said = signs.into_iter().find(|(_, sign)| self.says(&words, sign));
        said.map(|(reason, _)| reason).or(by_code.map(|(reason, _)| *reason))
    }

    /// What a refusal with this status is about.
    pub(crate) fn refusal_reason(&self, status: u16) -> StatusReason {
        use StatusReason as R;
        let by_status = R::of_status(status);
        match (by_status, self.reason()) {
            (R::RateLimited | R::Forbidden, Some(R::Quota)) => R::Quota,
            (R::BadRequest | R::Server, Some(R::ContextLength)) => R::ContextLength,
            (R::BadRequest | R::Forbidden, Some(R::ContentFilter)) => R::ContentFilter,
            _ => by_status,
        }
    }

    /// What it is about where it came inside of an answer.
    pub(crate) fn event_reason(&self) -> StatusReason {
        let reason = self.reason().or(self.status.map(StatusReason::of_status));
        reason.unwrap_or(StatusReason::Other)
    }

    fn says(&self, words: &str, sign: &str) -> bool {
        words
            .find(sign)
            .is_some_and(|at| !self.echo.has(words, at..at + sign.len()))
    }

    /// The wording by which the sentence says that the request is too long, and the size it names.
    #[expect(clippy::option_option, reason = "a wording may name no size")]
    fn too_long(&self) -> Option<Option<u32>> {
        let words = self.sentence.to_ascii_lowercase();
        let found = TOO_LONG.iter().filter_map(|wording: &Wording| wording.find(&words));
        let own = found.filter(|(part, _)| !self.echo.has(&words, part.clone()));
        // A wording with a number says more than one without.
        own.map(|(_, size)| size).max()
    }

    /// How many tokens question and answer may have together, where the error names it.
    pub(crate) fn size(&self) -> Option<u32> {
        let size = self.n_ctx.or(self.too_long()?);
        size.filter(|tokens| *tokens >= MIN_CONTEXT)
    }

    /// Whether no tools are taken.
    pub(crate) fn refuses_tools(&self) -> bool {
        self.says_any(&NO_TOOLS)
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
    /// count only in quotes.
    pub(crate) fn names(&self, name: &str) -> bool {
        match &self.param {
            Some(param) => is_name(param, name),
            None => self.mentions(name),
        }
    }

    /// Whether it refuses the reasoning effort, in any spelling. To be asked where one was sent.
    pub(crate) fn refuses_effort(&self) -> bool {
        let by_name = ["reasoning", "reasoning_effort", "output_config", "effort", "thinking"];
        by_name.iter().any(|name| self.names(name)) || (self.says_any(&["effort"]) && self.says_any(&REFUSES))
    }

    /// Whether it refuses a member of an earlier message, as in `messages.2.reasoning_content: Extra inputs are not
    /// permitted`. That one is missing is no refusal.
    pub(crate) fn refuses_member(&self, name: &str) -> bool {
        let places = [self.param.as_deref().unwrap_or_default(), &self.sentence];
        let is_between = |c: char| !c.is_alphanumeric() && c != '_';
        let has = |place: &str| {
            place.split(is_between).any(|word| word == name) && (name != "messages" || place.contains(['.', '[']))
        };
        self.says_any(&REFUSES) && places.into_iter().any(has)
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
        let is_ordinary = matches!(name, "include" | "store" | "reasoning" | "effort" | "thinking");
        let is_in_name = |c: char| c.is_alphanumeric() || "_./".contains(c);
        let text = &self.sentence;
        let mut from = 0;
        while let Some(start) = text[from..].find(is_in_name).map(|at| from + at) {
            let end = text[start..]
                .find(|c| !is_in_name(c))
                .map_or(text.len(), |at| start + at);
            let word = text[start..end].trim_end_matches('.');
            let is_quoted = text[..start].ends_with(['\'', '"', '`']) && text[end..].starts_with(['\'', '"', '`']);
            if (is_quoted || !is_ordinary) && is_name(word, name) && !self.echo.has(text, start..start + word.len()) {
                return true;
            }
            from = end;
        }
        false
    }
}

/// Whether a name, or a place in a request, is that of a parameter: `reasoningEffort` and `reasoning.effort` are
/// `reasoning_effort`, and `stream_options.include_usage` is a part of `stream_options`.
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
            '[' => snake.push('.'),
            c => snake.push(c),
        }
    }
    let Some(rest) = snake
        .replace('.', "_")
        .strip_prefix(&name.replace('.', "_"))
        .map(str::len)
    else {
        return false;
    };
    let rest = &snake[snake.len() - rest..];
    rest.is_empty() || rest.starts_with('.')
}

/// What a document says that was cut off, as large errors are when they are read: its whole members, and the beginning of
/// the text in which it ends.
fn of_cut(json: &str) -> Option<Value> {
    let (mut open, mut in_string, mut is_escaped) = (Vec::new(), false, false);
    // Behind which member it is whole, and what is open there.
    let mut whole = (0, Vec::new());
    for (at, byte) in json.bytes().enumerate() {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' if in_string => is_escaped = true,
            b'"' => in_string = !in_string,
            b'{' if !in_string => open.push('}'),
            b'[' if !in_string => open.push(']'),
            b'}' | b']' if !in_string => drop(open.pop()),
            b',' if !in_string && open.len() <= usize::from(MAX_DEPTH) => whole = (at, open.clone()),
            _ => {}
        }
    }
    let close = |text: &str, open: &[char]| {
        let end: String = open.iter().rev().collect();
        serde_json::from_str(&format!("{text}{end}")).ok()
    };
    let text = &json[..json.len() - usize::from(is_escaped)];
    let ended = in_string.then(|| close(&format!("{text}\""), &open)).flatten();
    ended.or_else(|| close(&json[..whole.0], &whole.1))
}

/// Never the server's words, unless they answer ours.
impl fmt::Debug for ErrorBody {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ErrorBody({:?})", self.reason())
    }
}

impl fmt::Display for ErrorBody {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.is_shown && !self.sentence.is_empty() {
            true => write!(f, ": {}", self.sentence()),
            false => Ok(()),
        }
    }
}

/// The HTTP status that a code stands for, if it is that of an error.
pub(crate) fn http_status(code: &str) -> Option<u16> {
    code.parse().ok().filter(|status| (400..=599).contains(status))
}

/// An error value that is more than a placeholder.
pub(crate) fn says_something(error: &RawValue) -> bool {
    !matches!(error.get().trim(), "null" | "\"\"" | "{}" | "[]" | "false")
}

#[cfg(test)]
mod tests;
