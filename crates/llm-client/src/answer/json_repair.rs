//! JSON of servers that write it by hand, made readable. Pure.

use plan_model::clean;
use std::borrow::Cow;

/// Joins a character that was cut between two frames, as two escapes: the first half waits for a string that begins with the
/// second: <https://github.com/elie222/rakazo/issues/416>.
#[derive(Debug, Default)]
pub(crate) struct HalfCharacter(Option<[u8; 6]>);

impl HalfCharacter {
    /// Whether the second half has not come.
    pub(crate) fn is_open(&self) -> bool {
        self.0.is_some()
    }

    pub(crate) fn join<'a>(&mut self, payload: &'a [u8]) -> Cow<'a, [u8]> {
        const ESCAPE: usize = 6;
        if memchr::memmem::find(payload, b"\\u").is_none() {
            return Cow::Borrowed(payload);
        }
        let mut out = Vec::with_capacity(payload.len() + ESCAPE);
        let (mut at, mut is_begin) = (0, false);
        while at < payload.len() {
            let begins = std::mem::take(&mut is_begin);
            if payload[at] != b'\\' {
                is_begin = payload[at] == b'"';
                out.push(payload[at]);
                at += 1;
                continue;
            }
            let escape = payload
                .get(at..at + ESCAPE)
                .and_then(|bytes| <[u8; ESCAPE]>::try_from(bytes).ok());
            match escape.and_then(|escape| Some((escape, unit(escape)?))) {
                Some((escape, 0xD800..=0xDBFF)) if payload.get(at + ESCAPE) == Some(&b'"') => {
                    self.0 = Some(escape);
                    at += ESCAPE;
                }
                Some((escape, low)) => {
                    if let Some(high) = self.0.filter(|_| begins && (0xDC00..=0xDFFF).contains(&low)) {
                        self.0 = None;
                        out.extend_from_slice(&high);
                    }
                    out.extend_from_slice(&escape);
                    at += ESCAPE;
                }
                None => {
                    let end = payload.len().min(at + 2);
                    out.extend_from_slice(&payload[at..end]);
                    at = end;
                }
            }
        }
        Cow::Owned(out)
    }
}

/// The number of a `\\uXXXX`.
fn unit(escape: [u8; 6]) -> Option<u16> {
    let digits = std::str::from_utf8(escape.strip_prefix(b"\\u")?).ok()?;
    u16::from_str_radix(digits, 16).ok()
}

/// JSON as text that serde accepts: UTF-8, no lone surrogates, no U+0000.
pub(crate) fn readable(payload: &[u8]) -> Cow<'_, str> {
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
pub(crate) fn mended(json: &str) -> String {
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

    #[test]
    fn a_character_in_two_frames_is_joined() {
        let mut half = HalfCharacter::default();
        let first = half.join(br#"{"a":"Great \ud83d"}"#).into_owned();
        assert_eq!(first, br#"{"a":"Great "}"#);
        assert_eq!(&*half.join(br#"{"b":"between"}"#), br#"{"b":"between"}"#);
        assert_eq!(&*half.join(br#"{"a":"\ude00 news"}"#), br#"{"a":"\ud83d\ude00 news"}"#);
        for same in [
            &br#"{"a":"\ud83d\ude00"}"#[..],
            br#"{"a":"\\ud83d"}"#,
            br#"{"a":"\ude00"}"#,
            br#"{"a":"\u00"#,
        ] {
            assert_eq!(&*half.join(same), same);
        }
    }
}
