//! Members of an object that a model sent, put together of the pieces in which they came.

use super::{MAX_BYTES, RawMembers, is_too_deep, members_of};
use plan_model::json_text::push_string;
use serde_json::value::RawValue;
use std::{collections::BTreeMap, fmt};

/// Members of an object.
#[derive(Clone, Default, PartialEq, Eq)]
pub(crate) struct Members(Vec<(String, Kept)>);

/// The value of a member.
#[derive(Clone, PartialEq, Eq)]
enum Kept {
    /// As JSON.
    Value(String),
    /// Entries of a list, and their bytes, so that one more costs no reading of those before.
    List(Vec<Entry>, usize),
    /// It was larger than all that is kept.
    TooLarge,
}

/// An entry of a list.
#[derive(Clone, PartialEq, Eq)]
enum Entry {
    /// As JSON.
    Value(String),
    /// Put together of several pieces: its members as JSON.
    Joined(BTreeMap<String, String>),
}

impl Members {
    /// Adds a piece of a member: texts and lists grow, anything else is replaced. What is empty says nothing, but of thoughts
    /// it says that there were none: <https://github.com/danny-avila/LibreChat/issues/13366>. Gives the bytes that were added.
    pub(crate) fn add(&mut self, name: &str, value: &RawValue) -> usize {
        let value = value.get().trim();
        let says_nothing = is_empty(value) && !(value == "\"\"" && is_text(name));
        if says_nothing || is_too_deep(value) {
            return 0;
        }
        let known = match self.0.iter().position(|(known, _)| known == name) {
            Some(at) => &mut self.0[at].1,
            None => {
                self.0.push((name.to_owned(), Kept::new(value)));
                return name.len() + value.len();
            }
        };
        known.add(name, value);
        value.len()
    }

    /// Takes an object's members as they are, empty ones included.
    pub(crate) fn add_verbatim(&mut self, members: &RawMembers<'_>) {
        let values = members.iter();
        self.0
            .extend(values.map(|(name, value)| (name.clone(), Kept::Value(value.get().to_owned()))));
    }

    /// Adds all of an object's members but those of these names.
    pub(crate) fn add_all_but(&mut self, members: &RawMembers<'_>, known: &[&str]) -> usize {
        let unknown = members.iter().filter(|(name, _)| !known.contains(&name.as_str()));
        unknown.map(|(name, value)| self.add(name, value)).sum()
    }

    pub(super) fn size(&self) -> usize {
        self.0.iter().map(|(name, value)| name.len() + value.size()).sum()
    }

    /// Writes each as `,"name":value`, but those that `is_sent` refuses.
    pub(crate) fn write(&self, json: &mut String, is_sent: impl Fn(&str) -> bool) {
        let is_kept = |value: &Kept| *value != Kept::TooLarge;
        for (name, value) in self.0.iter().filter(|(name, value)| is_kept(value) && is_sent(name)) {
            json.push(',');
            push_string(json, name);
            json.push(':');
            value.write(json);
        }
    }

    /// Writes them as an object.
    pub(crate) fn object(&self) -> String {
        let mut json = String::from("{");
        self.write(&mut json, |_| true);
        if json.len() > 1 {
            json.remove(1);
        }
        json.push('}');
        json
    }
}

impl Kept {
    fn new(value: &str) -> Self {
        if value.len() > MAX_BYTES {
            return Self::TooLarge;
        }
        match entries(value) {
            Some(entries) => Self::List(entries.into_iter().map(Entry::new).collect(), value.len()),
            None => Self::Value(value.to_owned()),
        }
    }

    fn add(&mut self, name: &str, value: &str) {
        match self {
            Self::TooLarge => return,
            Self::List(known, bytes) => match entries(value) {
                Some(more) => {
                    more.into_iter().for_each(|piece| add_entry(known, piece));
                    *bytes += value.len();
                }
                None => *self = Self::new(value),
            },
            // Both end with their quote.
            Self::Value(known) if known.starts_with('"') && value.starts_with('"') => {
                known.pop();
                match is_text(name) {
                    true => known.push_str(&value[1..]),
                    false => {
                        go_on(known, &value[..value.len() - 1]);
                        known.push('"');
                    }
                }
            }
            Self::Value(_) => *self = Self::new(value),
        }
        if matches!(self, Self::Value(value) if value.len() > MAX_BYTES)
            || matches!(self, Self::List(_, bytes) if *bytes > MAX_BYTES)
        {
            *self = Self::TooLarge;
        }
    }

    fn size(&self) -> usize {
        match self {
            Self::Value(value) => value.len(),
            Self::List(_, bytes) => *bytes,
            Self::TooLarge => 0,
        }
    }

    fn write(&self, json: &mut String) {
        match self {
            Self::Value(value) => json.push_str(value),
            Self::List(entries, _) => {
                json.push('[');
                for (nth, entry) in entries.iter().enumerate() {
                    json.push_str(if nth == 0 { "" } else { "," });
                    entry.write(json);
                }
                json.push(']');
            }
            Self::TooLarge => {}
        }
    }
}

/// A list's entries; `None` where it is no list.
fn entries(value: &str) -> Option<Vec<&RawValue>> {
    let list = serde_json::from_str(value).ok();
    list.filter(|_| value.starts_with('['))
}

/// Adds a piece to a text that is no prose, both with their opening quote or both without. Such texts come in pieces, or whole
/// with every piece, or longer each time.
pub(crate) fn go_on(known: &mut String, piece: &str) {
    let quote = usize::from(piece.starts_with('"'));
    match piece.strip_prefix(known.as_str()) {
        Some(more) => known.push_str(more),
        None => known.push_str(&piece[quote..]),
    }
}

/// Whether a value, as JSON, holds nothing.
pub(crate) fn is_empty(json: &str) -> bool {
    matches!(json.trim(), "null" | "\"\"" | "[]" | "{}")
}

/// Whether a member holds prose, of which the same piece may come twice.
fn is_text(name: &str) -> bool {
    const PROSE: [&str; 6] = ["reasoning", "thinking", "thought", "text", "content", "summary"];
    const OTHERS: [&str; 6] = ["signature", "id", "type", "format", "status", "effort"];
    let name = name.to_ascii_lowercase();
    PROSE.iter().any(|word| name.contains(word)) && !OTHERS.iter().any(|word| name.ends_with(word))
}

impl Entry {
    fn new(value: &RawValue) -> Self {
        Self::Value(value.get().to_owned())
    }

    fn write(&self, json: &mut String) {
        match self {
            Self::Value(value) => json.push_str(value),
            Self::Joined(members) => {
                for (nth, (name, value)) in members.iter().enumerate() {
                    json.push(if nth == 0 { '{' } else { ',' });
                    push_string(json, name);
                    json.push(':');
                    json.push_str(value);
                }
                json.push('}');
            }
        }
    }

    /// Its members, to be added to; `None` where it is no object.
    fn members(&mut self) -> Option<&mut BTreeMap<String, String>> {
        if let Self::Value(value) = self {
            let members = serde_json::from_str::<RawMembers<'_>>(value).ok()?;
            let owned = members.into_iter().map(|(name, value)| (name, value.get().to_owned()));
            *self = Self::Joined(owned.collect());
        }
        match self {
            Self::Joined(members) => Some(members),
            Self::Value(_) => None,
        }
    }
}

/// Adds an entry to a list. One that continues the last, both plain text of the same kind and index, becomes a part of it
/// (<https://openrouter.ai/docs/use-cases/reasoning-tokens>); one that says the same again is dropped.
fn add_entry(entries: &mut Vec<Entry>, piece: &RawValue) {
    if let Some(last) = entries.last_mut() {
        let more = members_of(piece.get());
        let text = match last {
            Entry::Value(value) => {
                let known = members_of(value);
                continued_text(|name| known.get(name).map(|value| value.get()), &more)
            }
            Entry::Joined(known) => continued_text(|name| known.get(name).map(String::as_str), &more),
        };
        if let Some(known) = text.and_then(|_| last.members()) {
            return join(known, text.unwrap_or_default(), more);
        }
        if *last == Entry::new(piece) {
            return;
        }
    }
    entries.push(Entry::new(piece));
}

/// The member with the text that a piece continues, or whose signature it brings; `None` where it is another entry.
fn continued_text<'a>(known: impl Fn(&str) -> Option<&'a str>, more: &RawMembers<'_>) -> Option<&'static str> {
    let is_continued = |name: &&str| more.contains_key(*name) || more.contains_key("signature");
    let text = ["text", "summary"]
        .into_iter()
        .filter(is_continued)
        .find(|name| known(name).is_some())?;
    let is_same = |name: &str| known(name) == more.get(name).map(|value| value.get());
    ["type", "index", "id"].into_iter().all(is_same).then_some(text)
}

fn join(known: &mut BTreeMap<String, String>, text: &str, more: RawMembers<'_>) {
    for (member, value) in more {
        let value = value.get();
        match known.get_mut(&member) {
            _ if value == "null" => {}
            Some(known) if member == text && known.starts_with('"') && value.starts_with('"') => {
                known.pop();
                known.push_str(&value[1..]);
            }
            _ => {
                known.insert(member, value.to_owned());
            }
        }
    }
}

impl fmt::Debug for Members {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Members({} bytes)", self.size())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn raw(json: &str) -> Box<RawValue> {
        RawValue::from_string(json.to_owned()).expect("JSON")
    }

    fn written(pieces: &[(&str, &str)]) -> String {
        let mut members = Members::default();
        for (name, json) in pieces {
            members.add(name, &raw(json));
        }
        let mut json = String::new();
        members.write(&mut json, |_| true);
        json
    }

    #[test]
    fn texts_and_lists_grow_and_the_rest_is_kept_as_it_came() {
        let cases: [(&[(&str, &str)], &str); 16] = [
            (
                &[("thought_signature", "\"S\""), ("thought_signature", "\"S\"")],
                r#","thought_signature":"S""#,
            ),
            (
                &[
                    ("d", r#"[{"type":"reasoning.text","text":"a","signature":"S1"}]"#),
                    ("d", r#"[{"type":"reasoning.text","text":"b","signature":"S2"}]"#),
                    ("d", r#"[{"type":"reasoning.text","text":null,"signature":"S3"}]"#),
                ],
                r#","d":[{"signature":"S3","text":"ab","type":"reasoning.text"}]"#,
            ),
            (
                &[
                    ("d", r#"[{"type":"reasoning.encrypted","data":"E"}]"#),
                    ("d", r#"[{"type":"reasoning.encrypted","data":"E"}]"#),
                    ("d", r#"[{"type":"reasoning.encrypted","data":"F"}]"#),
                ],
                r#","d":[{"type":"reasoning.encrypted","data":"E"},{"type":"reasoning.encrypted","data":"F"}]"#,
            ),
            (&[("a", "[1]"), ("a", "\"x\"")], r#","a":"x""#),
            (&[("a", "\"x\""), ("a", "\"\\u0041\"")], r#","a":"x\u0041""#),
            (&[("a", "[1]"), ("a", "[2,3]")], r#","a":[1,2,3]"#),
            (&[("a", "{\"b\":1.00}"), ("a", "null")], r#","a":{"b":1.00}"#),
            (&[("a", "{\"b\":1}"), ("a", "{\"b\":2}")], r#","a":{"b":2}"#),
            (&[("a", "\"\""), ("b", "[]"), ("c", "{}")], ""),
            (&[("reasoning_content", "\"\"")], r#","reasoning_content":"""#),
            (
                &[("reasoning_content", "\"ha\""), ("reasoning_content", "\"ha\"")],
                r#","reasoning_content":"haha""#,
            ),
            (&[("trace", "\"T\""), ("trace", "\"T\"")], r#","trace":"T""#),
            (&[("trace", "\"T1\""), ("trace", "\"T1T2\"")], r#","trace":"T1T2""#),
            (
                &[("signature", "\"AB\""), ("signature", "\"CD==\"")],
                r#","signature":"ABCD==""#,
            ),
            (
                &[("d", r#"[{"type":"b","a":1}]"#), ("d", r#"[{"type":"c","text":"x"}]"#)],
                r#","d":[{"type":"b","a":1},{"type":"c","text":"x"}]"#,
            ),
            (
                &[
                    ("d", r#"[{"type":"reasoning.text","index":0,"text":"a"}]"#),
                    (
                        "d",
                        r#"[{"type":"reasoning.text","index":0,"text":"b","signature":"S"},{"type":"reasoning.encrypted","data":"E"}]"#,
                    ),
                ],
                r#","d":[{"index":0,"signature":"S","text":"ab","type":"reasoning.text"},{"type":"reasoning.encrypted","data":"E"}]"#,
            ),
        ];
        for (pieces, want) in cases {
            assert_eq!(written(pieces), want);
        }
    }

    /// To read all of it again with each piece took minutes.
    #[test]
    fn ten_thousand_pieces_of_one_text_are_one_entry() {
        let piece = raw(r#"[{"type":"reasoning.text","index":0,"text":"a few","signature":"S"}]"#);
        let mut members = Members::default();
        for _ in 0..10_000 {
            members.add("reasoning_details", &piece);
        }
        let json = members.object();
        assert_eq!(json.matches("reasoning.text").count(), 1);
        assert_eq!(json.matches("a few").count(), 10_000);
    }

    #[test]
    fn what_is_nested_too_deep_is_not_kept() {
        let deep = format!("{}1{}", "[".repeat(90), "]".repeat(90));
        assert_eq!(written(&[("a", &deep)]), "");
        assert_eq!(written(&[("a", "\"[[[[\"")]), r#","a":"[[[[""#);
    }

    #[test]
    fn a_member_that_is_too_large_is_left_out_alone() {
        let mut members = Members::default();
        let large = raw(&format!("\"{}\"", "x".repeat(MAX_BYTES / 2 + 1)));
        for (name, value) in [
            ("text", &large),
            ("text", &large),
            ("text", &large),
            ("sig", &raw("\"S\"")),
        ] {
            members.add(name, value);
        }
        assert_eq!(members.object(), r#"{"sig":"S"}"#);
    }
}
