//! Reads an error in any of the shapes that servers give it.

use super::{ErrorBody, http_status};
use serde_json::{Map, Value};

/// Errors inside of errors: proxies put the one they got into theirs.
const MAX_DEPTH: u8 = 6;
/// Bytes of a sentence that are read. Longer ones hold more than the server's own words.
pub(super) const MAX_SENTENCE: usize = 2_000;

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
        // `base_resp` is MiniMax's; Mistral puts a whole list into `message`.
        for name in [
            "error",
            "errors",
            "detail",
            "details",
            "issues",
            "innererror",
            "base_resp",
            "message",
        ] {
            match object.get(name) {
                None | Some(Value::Null) => {}
                Some(Value::String(_)) if matches!(name, "message" | "details") => {}
                Some(Value::Object(places)) if name == "errors" && !places.contains_key("message") => {
                    self.take_places(places, depth);
                }
                Some(inner) => self.take(inner, depth),
            }
        }
        // OpenRouter's place for what the provider said.
        if let Some(raw) = object.get("metadata").and_then(|metadata| metadata.get("raw")) {
            self.take(raw, depth);
        }
        // `__type` is Amazon's.
        for name in [
            "code",
            "type",
            "status",
            "status_code",
            "error_type",
            "error_code",
            "__type",
        ] {
            self.take_code(object.get(name));
        }
        let text = |name: &str| object.get(name).and_then(Value::as_str);
        if self.param.is_none() {
            // Some put their sentence there: AQBot-Desktop/AQBot#93.
            let is_name = |param: &&str| !param.is_empty() && !param.contains(' ');
            let param = text("param").filter(is_name).map(str::to_owned);
            self.param = param.or_else(|| place(object)).filter(|param| !param.is_empty());
        }
        if let Some(sentence) = text("param").filter(|param| param.contains(' ')) {
            self.take_sentence(sentence, depth);
        }
        // Azure's Llama deployments say in `details` what `message` only calls invalid.
        for name in ["message", "error_message", "msg", "status_msg", "details"] {
            if let Some(message) = text(name) {
                self.take_sentence(message, depth);
            }
        }
        let n_ctx = object.get("n_ctx").and_then(Value::as_u64);
        self.n_ctx = self.n_ctx.or(n_ctx.and_then(|tokens| u32::try_from(tokens).ok()));
    }

    /// .NET's form: the places in the request, each with its sentences.
    fn take_places(&mut self, places: &Map<String, Value>, depth: u8) {
        if let Some((place, sentences)) = places.iter().next() {
            self.param = self
                .param
                .take()
                .or_else(|| Some(place.trim_start_matches("$.").to_owned()));
            self.take(sentences, depth);
        }
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
        let left = MAX_SENTENCE.saturating_sub(self.sentence.len());
        let end = sentence.floor_char_boundary(left);
        if !sentence.trim().is_empty() && end > 0 {
            if !self.sentence.is_empty() {
                self.sentence.push(' ');
            }
            self.sentence.push_str(sentence[..end].trim());
        }
    }
}

/// The place in a request that an error names: `["body", "stream_options"]` of pydantic, `fieldViolations` of `google.rpc`.
fn place(object: &Map<String, Value>) -> Option<String> {
    if let Some(place) = object.get("loc").and_then(Value::as_array) {
        let names = place.iter().skip_while(|part| part.as_str() == Some("body"));
        let names: Vec<String> = names
            .map(|part| part.as_str().map_or_else(|| part.to_string(), str::to_owned))
            .collect();
        return Some(names.join("."));
    }
    // Zod's keys that are none.
    if let Some(keys) = object.get("keys").and_then(Value::as_array) {
        let path = object.get("path").and_then(Value::as_array);
        let names = path.into_iter().flatten().chain(keys.first());
        let names: Vec<String> = names
            .map(|part| part.as_str().map_or_else(|| part.to_string(), str::to_owned))
            .collect();
        return Some(names.join("."));
    }
    let details = object.get("details")?.as_array()?;
    let violation = details.iter().find_map(|detail| detail.get("fieldViolations")?.get(0));
    violation?.get("field")?.as_str().map(str::to_owned)
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
