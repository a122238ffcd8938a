//! JSON of servers that write it by hand, made readable. Pure.

use plan_model::clean;
use std::borrow::Cow;

/// JSON as text that serde accepts: UTF-8, no lone surrogates, no U+0000.
pub fn readable(payload: &[u8]) -> Cow<'_, str> {
    match clean::json_escapes(payload) {
        // The lossy reading takes ten times as long over what has no loss.
        Cow::Borrowed(bytes) => {
            std::str::from_utf8(bytes).map_or_else(|_| String::from_utf8_lossy(bytes), Cow::Borrowed)
        }
        Cow::Owned(bytes) => Cow::Owned(match String::from_utf8(bytes) {
            Ok(text) => text,
            Err(broken) => String::from_utf8_lossy(broken.as_bytes()).into_owned(),
        }),
    }
}

/// A second try for JSON that is nearly JSON: raw control characters in strings become escapes, `NaN` and `Infinity`
/// become null.
pub fn mended(json: &str) -> String {
    let mut out = String::with_capacity(json.len() + 16);
    let (mut in_string, mut escaped) = (false, false);
    let mut rest = json.chars();
    while let Some(c) = rest.next() {
        if in_string {
            match c {
                '\0' => out.push('\u{FFFD}'),
                c if c.is_ascii_control() && c < ' ' => out.push_str(&format!("\\u{:04x}", u32::from(c))),
                c => out.push(c),
            }
            in_string = escaped || c != '"';
            escaped = !escaped && c == '\\';
            continue;
        }
        in_string = c == '"';
        let tail = rest.as_str();
        match (c, tail) {
            ('N', tail) if tail.starts_with("aN") => {
                out.push_str("null");
                rest = tail[2..].chars();
            }
            ('I', tail) if tail.starts_with("nfinity") => {
                out.push_str("null");
                rest = tail[7..].chars();
            }
            ('-', tail) if tail.starts_with("Infinity") => {}
            (c, _) => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nearly_json_is_mended() {
        let broken = "{\"a\":\"x\ny\\\"\0\",\"b\":NaN,\"c\":-Infinity,\"d\":\"NaN\"}";
        let value: serde_json::Value = serde_json::from_str(&mended(broken)).expect("mended");
        assert_eq!(
            value,
            serde_json::json!({"a": "x\ny\"\u{FFFD}", "b": null, "c": null, "d": "NaN"})
        );
    }
}
