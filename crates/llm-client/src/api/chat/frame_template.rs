//! The template that the frames of one answer share. Providers repeat some three hundred bytes around each word; where a frame
//! differs from one that was parsed only in its word (and its padding), the word can be taken without parsing again. Pure.

use memchr::{memchr2, memmem};

/// The key of the padding with which OpenAI hides the length of a word. No parser of ours reads it.
const PADDING: &[u8] = b"\"obfuscation\":\"";

/// A frame with two gaps: the text, and the padding where there is one. Each gap is the inside of one JSON string, so whatever
/// plain string stands there, the JSON around it means the same.
#[derive(Debug)]
pub(crate) struct FrameTemplate {
    /// Up to and with the quote before the text.
    before: Vec<u8>,
    /// From the quote behind the text to the end, or to the quote before the padding.
    between: Vec<u8>,
    /// From the quote behind the padding to the end.
    after: Option<Vec<u8>>,
}

impl FrameTemplate {
    /// The template of a frame that held nothing but `text`, which is a part of `json`.
    pub(crate) fn of(json: &str, text: &str) -> Option<Self> {
        let start = (text.as_ptr().addr()).checked_sub(json.as_ptr().addr())?;
        let (before, rest) = json.split_at_checked(start)?;
        let behind = rest.strip_prefix(text)?;
        if !before.ends_with('"') || !behind.starts_with('"') {
            return None;
        }
        let (between, after) = match padding(behind.as_bytes()) {
            Some((between, after)) => (between, Some(after.to_vec())),
            None => (behind.as_bytes(), None),
        };
        Some(Self {
            before: before.as_bytes().to_vec(),
            between: between.to_vec(),
            after,
        })
    }

    /// The text of a frame of this template; `None` if it may have another.
    pub(crate) fn text<'a>(&self, payload: &'a [u8]) -> Option<&'a str> {
        let (text, rest) = plain_string(payload.strip_prefix(self.before.as_slice())?)?;
        let rest = rest.strip_prefix(self.between.as_slice())?;
        let rest_is_known = match &self.after {
            None => rest.is_empty(),
            Some(after) => plain_string(rest)?.1 == after.as_slice(),
        };
        rest_is_known.then_some(text)
    }
}

/// Parts what stands behind the text at the inside of its padding. With a backslash about, a quote may not be one.
fn padding(behind: &[u8]) -> Option<(&[u8], &[u8])> {
    if behind.contains(&b'\\') {
        return None;
    }
    let inside = memmem::find(behind, PADDING)? + PADDING.len();
    let (_, after) = plain_string(&behind[inside..])?;
    Some((&behind[..inside], after))
}

/// The inside of a JSON string that means itself, and what follows from its closing quote on.
fn plain_string(bytes: &[u8]) -> Option<(&str, &[u8])> {
    let (inside, rest) = bytes.split_at(memchr2(b'"', b'\\', bytes)?);
    let is_plain = rest[0] == b'"' && !inside.iter().any(|b| *b < b' ');
    let text = std::str::from_utf8(inside).ok()?;
    is_plain.then_some((text, rest))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reader::AnswerReader;
    use proptest::prelude::*;
    use serde_json::json;

    fn frame(text: &str, padding: &str) -> String {
        format!(r#"{{"id":"a","choices":[{{"delta":{{"content":"{text}"}}}}],"obfuscation":"{padding}"}}"#)
    }

    fn form(json: &str, text: &str) -> FrameTemplate {
        let at = json.find(text).expect("the text is there");
        FrameTemplate::of(json, &json[at..at + text.len()]).expect("a form")
    }

    #[test]
    fn a_frame_in_the_form_gives_its_text() {
        let form = form(&frame("Rent", "xK3v"), "Rent");
        for (text, padding) in [("is", "x"), ("", ""), (" 4,200 \u{20AC}", "\u{20AC}")] {
            assert_eq!(form.text(frame(text, padding).as_bytes()), Some(text));
        }
    }

    #[test]
    fn a_frame_that_may_mean_something_else_gives_nothing() {
        let form = form(&frame("Rent", "xK3v"), "Rent");
        for other in [
            frame("a\\nb", "x"),
            frame("a\nb", "x"),
            frame("a\"},\"finish_reason\":\"stop", "x"),
            frame("a", "x\",\"error\":\"y"),
            frame("a", "x\\"),
            frame("a", "x").replace("\"a\"", "\"b\""),
            frame("a", "x") + " ",
            frame("a", "x").replace('}', ""),
            String::new(),
        ] {
            assert_eq!(form.text(other.as_bytes()), None, "{other}");
        }
        let broken: Vec<u8> = frame("a?", "x")
            .bytes()
            .map(|b| if b == b'?' { 0xFF } else { b })
            .collect();
        assert_eq!(form.text(&broken), None, "no UTF-8");
    }

    #[test]
    fn only_a_part_of_the_json_has_a_form() {
        let json = frame("Rent", "x");
        assert!(
            FrameTemplate::of(&json, "Rent").is_none(),
            "another text at another place"
        );
        assert!(FrameTemplate::of(&json, &json[1..3]).is_none(), "no inside of a string");
    }

    /// What an answer of these frames is, word by word and at its end.
    fn heard(frames: &[String]) -> String {
        let mut reader = AnswerReader::default();
        let mut heard = Vec::new();
        for frame in frames {
            let fed = reader.feed(format!("data: {frame}\n\n").as_bytes());
            heard.push(format!("{fed:?} {} {}", reader.take_text(), reader.progress()));
        }
        heard.push(format!("{:?}", reader.end()));
        heard.push(format!("{:?}", reader.finish()));
        heard.join("\n")
    }

    fn any_frame() -> impl Strategy<Value = String> {
        let text = r#"[a-c "<>/\\\u{0}\u{e9}]{0,4}|<think>|</think>"#;
        (0..9, text, "[xyz]{0,3}").prop_map(|(kind, text, padding)| {
            let text = json!(text).to_string();
            let plain =
                |delta: &str| format!(r#"{{"choices":[{{"index":0,"delta":{{{delta}}}}}],"obfuscation":"{padding}"}}"#);
            match kind {
                0..4 => plain(&format!(r#""content":{text}"#)),
                4 => plain(&format!(r#""content":"b","reasoning":{text}"#)),
                5 => plain(&format!(
                    r#""tool_calls":[{{"index":0,"function":{{"name":"n","arguments":{text}}}}}]"#
                )),
                6 => format!(r#"{{"choices":[{{"index":1,"delta":{{"content":{text}}}}}]}}"#),
                7 => format!(r#"{{"choices":[{{"delta":{{"content":{text}}},"finish_reason":"stop"}}]}}"#),
                _ => format!(r#"{{"error":{text},"choices":[{{"delta":{{"content":"c"}}}}]}}"#),
            }
        })
    }

    proptest! {
        #[test]
        fn an_answer_is_the_same_where_no_frame_has_the_form_of_another(frames in prop::collection::vec(any_frame(), 0..12)) {
            let spaced = |(at, frame): (usize, &String)| frame.replacen('{', &format!("{{{}", " ".repeat(at)), 1);
            let each_its_own: Vec<String> = frames.iter().enumerate().map(spaced).collect();
            prop_assert_eq!(heard(&frames), heard(&each_its_own));
        }
    }
}
