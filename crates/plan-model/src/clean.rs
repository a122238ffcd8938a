//! Text that PostgreSQL and JSON can hold: the one choke point before anything is hashed, stored or sent.

use validator::ValidateEmail;

/// U+0000 breaks `text` and `jsonb`; it becomes U+FFFD. Everything else is kept as it came.
pub fn storable(text: String) -> String {
    if text.contains('\0') {
        text.replace('\0', "\u{FFFD}")
    } else {
        text
    }
}

/// JSON text may escape what UTF-8 cannot hold: lone surrogates and U+0000. They become U+FFFD before parsing, so that
/// one odd character in a model's or a user's text never costs the whole turn.
pub fn json_escapes(json: &[u8]) -> std::borrow::Cow<'_, [u8]> {
    use std::borrow::Cow;
    if !json.windows(2).any(|pair| pair == b"\\u") {
        return Cow::Borrowed(json);
    }
    let mut out = Vec::with_capacity(json.len());
    let mut i = 0;
    while i < json.len() {
        if json[i] != b'\\' || i + 1 >= json.len() {
            out.push(json[i]);
            i += 1;
            continue;
        }
        match unit(json, i) {
            Some(0) => {
                out.extend_from_slice(b"\\uFFFD");
                i += 6;
            }
            Some(0xD800..=0xDBFF) => match unit(json, i + 6) {
                Some(0xDC00..=0xDFFF) => {
                    out.extend_from_slice(&json[i..i + 12]);
                    i += 12;
                }
                _ => {
                    out.extend_from_slice(b"\\uFFFD");
                    i += 6;
                }
            },
            Some(0xDC00..=0xDFFF) => {
                out.extend_from_slice(b"\\uFFFD");
                i += 6;
            }
            Some(_) => {
                out.extend_from_slice(&json[i..i + 6]);
                i += 6;
            }
            // Another escape: two bytes, so that `\\u0000` (a backslash and text) stays text.
            None => {
                out.extend_from_slice(&json[i..i + 2]);
                i += 2;
            }
        }
    }
    Cow::Owned(out)
}

/// Whether JSON text holds U+0000, as a byte or as an escape.
pub fn holds_nul(json: &[u8]) -> bool {
    let mut i = 0;
    while i < json.len() {
        match json[i] {
            0 => return true,
            b'\\' if unit(json, i) == Some(0) => return true,
            b'\\' => i += 2,
            _ => i += 1,
        }
    }
    false
}

/// The code unit of a `\uXXXX` escape at `at`.
fn unit(json: &[u8], at: usize) -> Option<u16> {
    let escape = json.get(at..at + 6)?;
    if &escape[..2] != b"\\u" || !escape[2..].iter().all(u8::is_ascii_hexdigit) {
        return None;
    }
    std::str::from_utf8(&escape[2..])
        .ok()
        .and_then(|hex| u16::from_str_radix(hex, 16).ok())
}

/// Characters that render as nothing or reorder what is read: zero width, bidi controls, tags, variation selectors.
pub fn is_invisible(c: char) -> bool {
    matches!(c,
        '\u{00AD}' | '\u{034F}' | '\u{061C}' | '\u{115F}' | '\u{1160}' | '\u{17B4}' | '\u{17B5}' | '\u{180B}'..='\u{180F}'
        | '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2060}'..='\u{206F}' | '\u{3164}' | '\u{FE00}'..='\u{FE0F}'
        | '\u{FEFF}' | '\u{FFA0}' | '\u{FFF9}'..='\u{FFFB}' | '\u{E0000}'..='\u{E0FFF}')
}

/// A label that people will read: one line, nothing invisible.
pub fn label(text: &str) -> String {
    let visible: String = text
        .chars()
        .map(|c| if c.is_control() { ' ' } else { c })
        .filter(|c| !is_invisible(*c))
        .collect();
    visible.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// What turns the direction of text around, so that a printed line would say something else than was written.
pub const fn reorders(c: char) -> bool {
    matches!(c, '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
}

/// A text of several paragraphs: other line ends as newlines, at most one empty line between two, no control characters. Joined
/// emoji keep their joiners.
pub fn paragraphs(text: &str) -> String {
    let text = text.replace("\r\n", "\n");
    let plain = text.chars().filter(|c| !reorders(*c)).map(|c| match c {
        '\r' | '\u{B}' | '\u{C}' | '\u{85}' | '\u{2028}' | '\u{2029}' => '\n',
        c if c.is_control() && c != '\n' => ' ',
        c => c,
    });
    let plain: String = plain.collect();
    let lines = plain
        .lines()
        .map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "));
    let mut paragraphs = String::with_capacity(plain.len());
    for line in lines {
        if !(line.is_empty() && (paragraphs.is_empty() || paragraphs.ends_with("\n\n"))) {
            paragraphs += &line;
            paragraphs.push('\n');
        }
    }
    paragraphs.trim_end().to_owned()
}

/// The longest e-mail address.
const EMAIL_CHARACTERS: usize = 254;

/// An e-mail address as it is stored: lower case, without space around it. `None` if it is not one.
pub fn email(text: &str) -> Option<String> {
    let email = typed_email(text);
    // ASCII only, so that two addresses that look alike are the same.
    let is_one = email.len() <= EMAIL_CHARACTERS && email.is_ascii() && email.validate_email();
    is_one.then_some(email)
}

/// An e-mail address to look for or to compare with a stored one, whether it is one or not. Only ASCII letters have two cases
/// here: U+212A is no `k`.
pub fn typed_email(text: &str) -> String {
    text.trim().to_ascii_lowercase()
}

/// The longest name of a person.
const NAME_CHARACTERS: usize = 100;

/// A person's name as it is stored, a [`label`]. `None` if nothing is left of it or it is too long.
pub fn person_name(text: &str) -> Option<String> {
    let name = label(text);
    (1..=NAME_CHARACTERS).contains(&name.chars().count()).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lone_surrogates_and_nul_are_replaced_and_pairs_kept() {
        let cases: &[(&str, &str)] = &[
            (r#""a\u0000b""#, "a\u{FFFD}b"),
            (r#""\ud83d\ude00""#, "\u{1F600}"),
            (r#""\ud83d!""#, "\u{FFFD}!"),
            (r#""\ude00""#, "\u{FFFD}"),
            (r#""\ud83d\ud83d\ude00""#, "\u{FFFD}\u{1F600}"),
            (r#""\\u0000""#, "\\u0000"),
            (r#""plain""#, "plain"),
        ];
        for (json, text) in cases {
            let cleaned = json_escapes(json.as_bytes());
            assert_eq!(&serde_json::from_slice::<String>(&cleaned).expect(json), text, "{json}");
        }
    }

    #[test]
    fn nul_is_found_however_it_is_written() {
        assert!(holds_nul(br#""a\u0000b""#) && holds_nul(b"\"\0\""));
        assert!(!holds_nul(br#""a\\u0000b""#) && !holds_nul(br#""\u0001\n""#));
    }

    #[test]
    fn addresses_are_stored_in_one_form() {
        assert_eq!(
            email(" Ann.Lee+x@Example.COM\n").as_deref(),
            Some("ann.lee+x@example.com")
        );
        let long = format!("{}@example.com", "a".repeat(250));
        assert_eq!(typed_email(" Mi\u{212A}e@Kiosk.Test "), "mi\u{212A}e@kiosk.test");
        for text in [
            "",
            "ann",
            "mi\u{212A}e@kiosk.test",
            "ann\u{202E}@example.com",
            "ann@",
            "@example.com",
            "a b@example.com",
            "a@b@c.d",
            "\u{430}nn@example.com",
            "a\0@b.c",
            &long,
        ] {
            assert_eq!(email(text), None, "{text:?}");
        }
    }

    #[test]
    fn names_are_short_and_can_be_seen() {
        assert_eq!(person_name(" Ann\u{200B}  Lee ").as_deref(), Some("Ann Lee"));
        assert_eq!(person_name("\u{200B} \n"), None);
        assert_eq!(person_name(&"x".repeat(101)), None);
    }

    #[test]
    fn labels_lose_what_cannot_be_seen() {
        assert_eq!(label("Re\u{202E}nt\u{200B}\n per  month"), "Rent per month");
    }
}
