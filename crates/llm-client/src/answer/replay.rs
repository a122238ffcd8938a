//! What a model sent together with its calls, kept as it came, so that it can go back with their results: thinking, reasoning
//! items, text between them, and every member beside those we know. Never stored, shown or logged.

mod members;

use crate::ApiKind;
pub(crate) use members::{Members, go_on, is_empty};
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
    /// In the order in which they came, after [`Replay::settle`] in that of their blocks.
    pub(crate) items: Vec<ReplayItem>,
    /// The number of the block or item that each is, where the format numbers them.
    blocks: Vec<i64>,
    /// That of what comes next.
    block: i64,
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
    /// Thoughts that were parts of its content (chat format).
    Thinking(String),
}

/// The members of an object as they come.
pub(crate) type RawMembers<'a> = BTreeMap<String, &'a RawValue>;

impl Replay {
    #[cfg(test)]
    pub(crate) fn new(api: ApiKind) -> Self {
        Self { api, ..Self::default() }
    }

    /// Adds a part at the end, unless it is larger than all that is kept.
    pub(crate) fn push(&mut self, item: ReplayItem) {
        if matches!(&item, ReplayItem::Raw(json) if is_too_deep(json) || json.len() > MAX_BYTES) {
            return;
        }
        // The limit of the whole answer bounds its text.
        let bytes = item.size();
        self.append(item);
        self.grow(bytes);
    }

    /// What comes next is the block or item of this number. Several may be open at once, and end in any order.
    pub(crate) const fn in_block(&mut self, number: i64) -> &mut Self {
        self.block = number;
        self
    }

    fn append(&mut self, item: ReplayItem) -> usize {
        self.items.push(item);
        self.blocks.push(self.block);
        self.items.len() - 1
    }

    /// Counts what was added to a part.
    pub(crate) fn grow(&mut self, bytes: usize) {
        if self.is_too_large() {
            return;
        }
        self.bytes = self.bytes.saturating_add(bytes);
        if self.is_too_large() {
            // Of what was added something may have been too large to keep.
            self.bytes = self.size();
        }
        if self.is_too_large() {
            self.items.clear();
            self.blocks.clear();
        }
    }

    /// Whether there was more than is kept.
    pub(crate) fn is_too_large(&self) -> bool {
        self.bytes > MAX_BYTES
    }

    /// The members of the message; made where there are none yet.
    pub(crate) fn message(&mut self) -> &mut Members {
        let is_message = |item: &ReplayItem| matches!(item, ReplayItem::Message(_));
        let known = self.items.iter().position(is_message);
        let at = known.unwrap_or_else(|| self.append(ReplayItem::Message(Members::default())));
        match &mut self.items[at] {
            ReplayItem::Message(members) => members,
            _ => unreachable!("it was found or made"),
        }
    }

    /// Adds to the thoughts that are parts of the content.
    pub(crate) fn add_thinking(&mut self, text: &str) {
        let thinking = self.items.iter_mut().find_map(|item| match item {
            ReplayItem::Thinking(known) => Some(known),
            _ => None,
        });
        match thinking {
            Some(known) => known.push_str(text),
            None => drop(self.append(ReplayItem::Thinking(text.to_owned()))),
        }
        self.grow(text.len());
    }

    /// The members of a call and of its function; made where there are none yet.
    pub(crate) fn call(&mut self, place: usize) -> (&mut Members, &mut Members) {
        let is_call = |item: &ReplayItem| matches!(item, ReplayItem::Call { at, .. } if *at == place);
        let known = self.items.iter().position(is_call);
        let at = known.unwrap_or_else(|| {
            self.append(ReplayItem::Call {
                at: place,
                members: Members::default(),
                in_function: Members::default(),
            })
        });
        match &mut self.items[at] {
            ReplayItem::Call {
                members, in_function, ..
            } => (members, in_function),
            _ => unreachable!("it was found or made"),
        }
    }

    /// All is there: the parts get the order of their blocks. The calls have got other places: `places` has where each one was. One
    /// that was dropped goes; one that is not in here comes last.
    pub(crate) fn settle(&mut self, places: &[usize]) {
        let mut parts: Vec<_> = self.blocks.drain(..).zip(self.items.drain(..)).collect();
        parts.sort_by_key(|(block, _)| *block);
        parts.retain_mut(|(_, item)| match item {
            ReplayItem::Call { at, .. } => match places.iter().position(|place| place == at) {
                Some(new) => {
                    *at = new;
                    true
                }
                None => false,
            },
            _ => true,
        });
        (self.blocks, self.items) = parts.into_iter().unzip();
        self.block = i64::MAX;
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

/// A block or an item with those of its members that every server takes.
pub(crate) fn bare(raw: &str) -> String {
    const KNOWN: [&str; 9] = [
        "type",
        "id",
        "text",
        "thinking",
        "signature",
        "data",
        "summary",
        "content",
        "encrypted_content",
    ];
    let mut members = Members::default();
    let known: RawMembers<'_> = members_of(raw)
        .into_iter()
        .filter(|(name, _)| KNOWN.contains(&name.as_str()))
        .collect();
    members.add_verbatim(&known);
    members.object()
}

/// The kind of a block or an item.
pub(crate) fn kind(raw: &str) -> &str {
    serde_json::from_str::<Head<'_>>(raw).map_or("", |head| head.r#type)
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
            Self::Thinking(text) => text.len(),
        }
    }
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

    #[test]
    fn blocks_go_back_in_their_order_whenever_they_ended() {
        let raw = |json: &str| ReplayItem::Raw(json.to_owned());
        let mut replay = Replay::new(ApiKind::Messages);
        replay.in_block(2).call(0);
        replay.in_block(1).push(ReplayItem::Text("b".into()));
        replay.in_block(0).push(raw("{}"));
        replay.settle(&[0]);
        assert!(
            matches!(
                &*replay.items,
                [ReplayItem::Raw(_), ReplayItem::Text(_), ReplayItem::Call { at: 0, .. }]
            ),
            "{:?}",
            replay.items.len()
        );
    }

    #[test]
    fn what_is_nested_too_deep_or_too_large_is_not_kept() {
        let deep = format!("{}1{}", "[".repeat(90), "]".repeat(90));
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
