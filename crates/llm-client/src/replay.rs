//! What a model sent together with its calls, kept as it came, so that it can go back with their results: thinking, reasoning
//! items, text between them, and every member beside those we know. Never stored, shown or logged.

use crate::ApiKind;
use plan_model::json_text::push_string;
use serde::Deserialize;
use serde_json::value::RawValue;
use std::{collections::BTreeMap, fmt};

/// Bytes kept of one answer. Of a larger one nothing is sent back but text and calls.
const MAX_BYTES: usize = 1024 * 1024;
/// Members that are nested deeper are not kept.
const MAX_DEPTH: usize = 64;

/// An answer as its format had it. It belongs to the assistant message behind it, and to the turn.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Replay {
    pub(crate) api: ApiKind,
    /// In the order in which they came.
    pub(crate) items: Vec<ReplayItem>,
    bytes: usize,
}

/// A part of an answer.
#[derive(Clone, PartialEq, Eq)]
pub(crate) enum ReplayItem {
    /// A block or item, word for word.
    Raw(String),
    /// A block of text.
    Text(String),
    /// The call at this place among those of the answer, with what stood beside its id, its name and its arguments, and
    /// inside of its `function`.
    Call {
        at: usize,
        members: Members,
        in_function: Members,
    },
    /// What stood in the message itself (chat format).
    Message(Members),
}

/// Members of an object.
#[derive(Clone, Default, PartialEq, Eq)]
pub(crate) struct Members(Vec<(String, Kept)>);

/// The value of a member.
#[derive(Clone, PartialEq, Eq)]
enum Kept {
    /// As JSON.
    Value(String),
    /// Entries of a list, so that one more costs no reading of those before.
    List(Vec<Entry>),
}

/// An entry of a list.
#[derive(Clone, PartialEq, Eq)]
enum Entry {
    /// As JSON.
    Value(String),
    /// Put together of several pieces: its members as JSON.
    Joined(BTreeMap<String, String>),
}

/// The members of an object as they come.
pub(crate) type RawMembers<'a> = BTreeMap<String, &'a RawValue>;

impl Replay {
    #[cfg(test)]
    pub(crate) fn new(api: ApiKind) -> Self {
        Self { api, ..Self::default() }
    }

    /// Adds a part at the end.
    pub(crate) fn push(&mut self, item: ReplayItem) {
        if matches!(&item, ReplayItem::Raw(json) if is_too_deep(json)) {
            return;
        }
        // The limit of the whole answer bounds its text.
        let bytes = item.size();
        self.items.push(item);
        self.grow(bytes);
    }

    /// Counts what was added to a part.
    pub(crate) fn grow(&mut self, bytes: usize) {
        self.bytes = self.bytes.saturating_add(bytes);
        if self.is_too_large() {
            self.items.clear();
        }
    }

    /// Whether there was more than is kept.
    pub(crate) fn is_too_large(&self) -> bool {
        self.bytes > MAX_BYTES
    }

    /// The members of the message; made where there are none yet.
    pub(crate) fn message(&mut self) -> &mut Members {
        let is_message = |item: &ReplayItem| matches!(item, ReplayItem::Message(_));
        let at = self.items.iter().position(is_message).unwrap_or_else(|| {
            self.items.push(ReplayItem::Message(Members::default()));
            self.items.len() - 1
        });
        match &mut self.items[at] {
            ReplayItem::Message(members) => members,
            _ => unreachable!("it was found or made"),
        }
    }

    /// The members of a call and of its function; made where there are none yet.
    pub(crate) fn call(&mut self, place: usize) -> (&mut Members, &mut Members) {
        let is_call = |item: &ReplayItem| matches!(item, ReplayItem::Call { at, .. } if *at == place);
        let at = self.items.iter().position(is_call).unwrap_or_else(|| {
            self.items.push(ReplayItem::Call {
                at: place,
                members: Members::default(),
                in_function: Members::default(),
            });
            self.items.len() - 1
        });
        match &mut self.items[at] {
            ReplayItem::Call {
                members, in_function, ..
            } => (members, in_function),
            _ => unreachable!("it was found or made"),
        }
    }

    /// The calls have got other places: `places` has where each one was. One that was dropped goes; one that is not in here
    /// comes last.
    pub(crate) fn settle(&mut self, places: &[usize]) {
        self.items.retain_mut(|item| match item {
            ReplayItem::Call { at, .. } => match places.iter().position(|place| place == at) {
                Some(new) => {
                    *at = new;
                    true
                }
                None => false,
            },
            _ => true,
        });
        for place in 0..places.len() {
            self.call(place);
        }
    }

    /// Whether a message is in it (Responses format).
    pub(crate) fn has_text(&self) -> bool {
        self.messages().next().is_some()
    }

    /// Whether the model says of all its text that more of it is to follow: `phase` of the Responses format,
    /// <https://github.com/stacklok/mecatl/issues/46>.
    pub fn is_preamble(&self) -> bool {
        let mut messages = self.messages().peekable();
        messages.peek().is_some() && messages.all(|message| message.phase == Some("commentary"))
    }

    fn messages(&self) -> impl Iterator<Item = Head<'_>> {
        let heads = self.items.iter().filter_map(|item| match item {
            ReplayItem::Raw(raw) => serde_json::from_str::<Head<'_>>(raw).ok(),
            _ => None,
        });
        heads.filter(|head| head.r#type == "message")
    }

    /// Its size in bytes, without what the message behind it says as well.
    pub(crate) fn size(&self) -> usize {
        self.items.iter().map(ReplayItem::size).sum()
    }
}

/// What kind of an item it is.
#[derive(Deserialize)]
struct Head<'a> {
    r#type: &'a str,
    #[serde(default)]
    phase: Option<&'a str>,
}

impl ReplayItem {
    /// Without its text, which the message behind it says as well.
    fn size(&self) -> usize {
        match self {
            Self::Raw(json) => json.len(),
            Self::Text(_) => 0,
            Self::Call {
                members, in_function, ..
            } => members.size() + in_function.size(),
            Self::Message(members) => members.size(),
        }
    }
}

impl Members {
    /// Adds a piece of a member: texts and lists grow, anything else is replaced. What is empty says nothing. Gives the
    /// bytes that were added.
    pub(crate) fn add(&mut self, name: &str, value: &RawValue) -> usize {
        let value = value.get().trim();
        if matches!(value, "null" | "\"\"" | "[]" | "{}") || is_too_deep(value) {
            return 0;
        }
        let list = || {
            serde_json::from_str::<Vec<&RawValue>>(value)
                .ok()
                .filter(|_| value.starts_with('['))
        };
        let Some((_, known)) = self.0.iter_mut().find(|(known, _)| known == name) else {
            let kept = match list() {
                Some(entries) => Kept::List(entries.into_iter().map(Entry::new).collect()),
                None => Kept::Value(value.to_owned()),
            };
            self.0.push((name.to_owned(), kept));
            return name.len() + value.len();
        };
        match known {
            Kept::List(entries) => match list() {
                Some(more) => return more.into_iter().map(|piece| add_entry(entries, piece)).sum(),
                None => *known = Kept::Value(value.to_owned()),
            },
            // Both end with their quote. A signature comes whole, also where it comes again with every piece.
            Kept::Value(known) if known.starts_with('"') && value.starts_with('"') && !is_signature(name) => {
                known.pop();
                known.push_str(&value[1..]);
            }
            Kept::Value(known) => value.clone_into(known),
        }
        value.len()
    }

    /// Adds all of an object's members but those of these names.
    pub(crate) fn add_all_but(&mut self, members: &RawMembers<'_>, known: &[&str]) -> usize {
        let unknown = members.iter().filter(|(name, _)| !known.contains(&name.as_str()));
        unknown.map(|(name, value)| self.add(name, value)).sum()
    }

    fn size(&self) -> usize {
        self.0.iter().map(|(name, value)| name.len() + value.size()).sum()
    }

    /// Writes each as `,"name":value`, but those that `is_sent` refuses.
    pub(crate) fn write(&self, json: &mut String, is_sent: impl Fn(&str) -> bool) {
        for (name, value) in self.0.iter().filter(|(name, _)| is_sent(name)) {
            json.push(',');
            push_string(json, name);
            json.push(':');
            match value {
                Kept::Value(value) => json.push_str(value),
                Kept::List(entries) => {
                    json.push('[');
                    for (nth, entry) in entries.iter().enumerate() {
                        json.push_str(if nth == 0 { "" } else { "," });
                        entry.write(json);
                    }
                    json.push(']');
                }
            }
        }
    }
}

impl Kept {
    fn size(&self) -> usize {
        match self {
            Self::Value(value) => value.len(),
            Self::List(entries) => entries.iter().map(Entry::size).sum(),
        }
    }
}

impl Entry {
    fn new(value: &RawValue) -> Self {
        Self::Value(value.get().to_owned())
    }

    fn size(&self) -> usize {
        match self {
            Self::Value(value) => value.len(),
            Self::Joined(members) => members.iter().map(|(name, value)| name.len() + value.len()).sum(),
        }
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
/// (<https://openrouter.ai/docs/use-cases/reasoning-tokens>); one that says the same again is dropped. Gives the bytes that
/// were added.
fn add_entry(entries: &mut Vec<Entry>, piece: &RawValue) -> usize {
    let bytes = piece.get().len();
    if let Some(last) = entries.last_mut()
        && (is_joined(last, piece) || *last == Entry::new(piece))
    {
        return bytes;
    }
    entries.push(Entry::new(piece));
    bytes
}

fn is_joined(last: &mut Entry, piece: &RawValue) -> bool {
    let Ok(more) = serde_json::from_str::<RawMembers<'_>>(piece.get()) else {
        return false;
    };
    let is_text = |name: &&str| more.contains_key(*name) || more.contains_key("signature");
    let is_held = |entry: &Entry, name: &str| match entry {
        Entry::Value(value) => members_of(value).contains_key(name),
        Entry::Joined(members) => members.contains_key(name),
    };
    let mut names = ["text", "summary"].into_iter().filter(is_text);
    let Some(name) = names.find(|name| is_held(last, name)) else {
        return false;
    };
    let Some(known) = last.members() else { return false };
    let is_same = |name: &str| known.get(name).map(String::as_str) == more.get(name).map(|value| value.get());
    if !["type", "index", "id"].into_iter().all(is_same) {
        return false;
    }
    for (member, value) in more {
        let value = value.get();
        match known.get_mut(&member) {
            _ if value == "null" => {}
            Some(text) if member == name && text.starts_with('"') && value.starts_with('"') => {
                text.pop();
                text.push_str(&value[1..]);
            }
            _ => {
                known.insert(member, value.to_owned());
            }
        }
    }
    true
}

fn is_signature(name: &str) -> bool {
    name.to_ascii_lowercase().ends_with("signature")
}

fn is_too_deep(json: &str) -> bool {
    let (mut depth, mut in_string, mut is_escaped) = (0_usize, false, false);
    for byte in json.bytes() {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' if in_string => is_escaped = true,
            b'"' => in_string = !in_string,
            b'[' | b'{' if !in_string => depth += 1,
            b']' | b'}' if !in_string => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth > MAX_DEPTH {
            return true;
        }
    }
    false
}

/// The members of an object; none where it is no object.
pub(crate) fn members_of(json: &str) -> RawMembers<'_> {
    serde_json::from_str(json).unwrap_or_default()
}

/// The members of the parts of a chat chunk that may hold more than we know.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(crate) struct ChunkMembers<'a> {
    #[serde(borrow)]
    choices: Vec<ChoiceMembers<'a>>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct ChoiceMembers<'a> {
    #[serde(borrow)]
    delta: Option<RawMembers<'a>>,
    #[serde(borrow)]
    message: Option<RawMembers<'a>>,
}

impl<'a> ChunkMembers<'a> {
    /// What cannot be read has none.
    pub(crate) fn read(json: &'a str) -> Self {
        serde_json::from_str(json).unwrap_or_default()
    }

    /// The members of the message, or of its piece, in the choice at this position.
    pub(crate) fn of(&self, position: usize) -> Option<&RawMembers<'a>> {
        let choice = self.choices.get(position)?;
        choice.delta.as_ref().or(choice.message.as_ref())
    }
}

impl fmt::Debug for Members {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Members({} bytes)", self.size())
    }
}

impl fmt::Debug for Replay {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "Replay({:?}, {} parts, {} bytes)",
            self.api,
            self.items.len(),
            self.bytes
        )
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
        let cases: [(&[(&str, &str)], &str); 10] = [
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

    #[test]
    fn many_pieces_cost_as_much_as_they_hold() {
        let piece = raw(r#"[{"type":"reasoning.text","index":0,"text":"a few words","signature":"S"}]"#);
        let mut members = Members::default();
        let begun = std::time::Instant::now();
        for _ in 0..50_000 {
            members.add("reasoning_details", &piece);
        }
        assert!(members.size() > 500_000);
        // To read all of it again with each piece took minutes.
        assert!(
            begun.elapsed() < std::time::Duration::from_secs(10),
            "{:?}",
            begun.elapsed()
        );
    }

    #[test]
    fn what_is_nested_too_deep_or_too_large_is_not_kept() {
        let deep = format!("{}1{}", "[".repeat(90), "]".repeat(90));
        assert_eq!(written(&[("a", &deep)]), "");
        assert_eq!(written(&[("a", "\"[[[[\"")]), r#","a":"[[[[""#);
        let mut replay = Replay::new(ApiKind::Chat);
        replay.push(ReplayItem::Raw(deep));
        assert!(replay.items.is_empty());
        let large = ReplayItem::Raw("x".repeat(MAX_BYTES));
        replay.push(large.clone());
        assert!(!replay.is_too_large() && replay.items.len() == 1);
        replay.push(large);
        assert!(replay.is_too_large() && replay.items.is_empty());
        assert!(!format!("{replay:?}").contains("xx"));
    }
}
