//! The arguments of one call, as providers write them.

use crate::answer::wire::Word;
use serde_json::value::RawValue;
use std::borrow::Cow;

/// The text of an `arguments` value: a piece of JSON in a string, or the JSON itself, as llama.cpp once sent it:
/// <https://github.com/ggml-org/llama.cpp/issues/20198>.
pub(crate) fn arguments(raw: Option<&RawValue>) -> Cow<'_, str> {
    let Some(json) = raw.map(|raw| raw.get().trim()) else {
        return Cow::Borrowed("");
    };
    if json.starts_with('"') {
        return serde_json::from_str::<Word>(json)
            .ok()
            .and_then(|word| word.0)
            .unwrap_or_default();
    }
    Cow::Borrowed(if json == "null" { "" } else { json })
}

pub(crate) fn is_object(json: &str) -> bool {
    json.trim_start().starts_with('{') && serde_json::from_str::<&RawValue>(json).is_ok()
}

/// The arguments as one JSON object; what is no object is passed on as it is, for the tool to refuse. `None`: cut off.
pub(super) fn whole(arguments: &str) -> Option<String> {
    let text = arguments.trim();
    if text.is_empty() || text == "null" {
        return Some("{}".to_owned());
    }
    if is_object(text) {
        return Some(text.to_owned());
    }
    if let Ok(inner) = serde_json::from_str::<String>(text) {
        return Some(if is_object(inner.trim()) {
            inner.trim().to_owned()
        } else {
            text.to_owned()
        });
    }
    // Several values in a row: an empty object sent ahead of the real one, or the same one sent again.
    let mut values: Vec<&str> = Vec::new();
    for value in serde_json::Deserializer::from_str(text).into_iter::<&RawValue>() {
        match value {
            Ok(value) => values.push(value.get()),
            Err(error) if error.is_eof() => return None,
            Err(_) => return Some(text.to_owned()),
        }
    }
    values.retain(|value| !matches!(*value, "{}" | "null"));
    values.dedup();
    match values.as_slice() {
        [] => Some("{}".to_owned()),
        [one] if is_object(one) => Some((*one).to_owned()),
        _ => Some(text.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_become_one_object_or_stay_for_the_tool_to_refuse() {
        let cases = [
            ("", Some("{}")),
            (" null ", Some("{}")),
            (
                r#"{"a":12345678901234567890123}"#,
                Some(r#"{"a":12345678901234567890123}"#),
            ),
            (r#""{\"a\":1}""#, Some(r#"{"a":1}"#)),
            (r#"{}{"a":1}"#, Some(r#"{"a":1}"#)),
            (r#"{"a":1}{"a":1}"#, Some(r#"{"a":1}"#)),
            (r#"{"a":1}{"a":2}"#, Some(r#"{"a":1}{"a":2}"#)),
            ("[1]", Some("[1]")),
            ("{a:1}", Some("{a:1}")),
            (r#"{"a":NaN}"#, Some(r#"{"a":NaN}"#)),
            (r#"{"a":1"#, None),
            (r#"{"a":"x"#, None),
            (r#"{"a":1}{"b"#, None),
            ("{}{", None),
            ("[1,", None),
        ];
        for (arguments, want) in cases {
            assert_eq!(whole(arguments).as_deref(), want, "{arguments}");
        }
    }
}
