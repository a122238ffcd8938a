//! Which figure a message is about, as features: its words, and what the phrases of the vocabulary make of them.

use super::phrasebook::{SLOTS, words as words_of};
use super::slots::Line;
use super::{Intent, calendar};
use crate::ear::linear::{hash, hash_of};
use crate::ear::names::names;
use crate::ear::sentence;
use crate::ear::spots::Spots;
use crate::grammar::{Message, Vocabulary};
use crate::texts::Texts;

/// The class of a line of a field, behind those of [`Line::NAMED`].
pub(crate) const OF_FIELD: u8 = Line::NAMED.len() as u8;

/// The class of a message that names no figure.
pub(crate) const NO_LINE: u8 = OF_FIELD + 1;

/// The class of a figure.
pub(crate) fn class_of(line: Option<&Line>) -> u8 {
    let named = |line| (0..).zip(&Line::NAMED).find(|(_, (_, named))| named == line);
    line.map_or(NO_LINE, |line| named(line).map_or(OF_FIELD, |(class, _)| class))
}

/// The classes of figures, that of a field's line and that of none.
pub(crate) fn classes() -> Vec<u8> {
    (0..=NO_LINE).collect()
}

/// What was talked about before a message: "and in year two?"
#[derive(Default)]
pub(crate) struct TalkedAbout {
    /// The figures that the person and the advisor named, the likeliest first.
    lines: Vec<Line>,
    /// Places of the fields that they named.
    pub fields: Vec<usize>,
    /// The year and the month that they named.
    pub time: (Option<u8>, Option<u8>),
}

impl TalkedAbout {
    /// Whether neither a figure nor a field was named.
    pub(crate) fn is_empty(&self) -> bool {
        self.lines.is_empty() && self.fields.is_empty()
    }

    /// Of the last message of each.
    pub(crate) fn of(texts: &Texts<'_>, vocabulary: &Vocabulary) -> Self {
        let mut out = Self::default();
        for text in [texts.previous_message, texts.advisor].into_iter().flatten() {
            let message = Message::read(&Texts::of(text), vocabulary);
            out.lines.extend(super::lines(&message));
            let when = calendar::when(&message);
            if out.time == (None, None) {
                out.time = (when.year, when.month);
            }
            let names = names(&message).into_iter().flatten();
            out.fields.extend(names.map(|name| name.fields[0].0));
        }
        out
    }
}

/// What describes a message that is heard to be about a figure; the lines are those that phrases name, the likeliest first.
pub(crate) fn features(
    message: &Message<'_>,
    spots: &Spots<'_>,
    intent: Intent,
    (lines, before): (&[Line], &TalkedAbout),
) -> Vec<u32> {
    let mut out = sentence::of_question(message, [90, 91, 92, 93]);
    let named = spots.names.iter().map(Vec::len).sum::<usize>().min(2) as u32;
    out.push(hash(94, intent as u32, named));
    out.push(hash(95, u32::from(class_of(lines.first())), named));
    out.extend(lines.iter().map(|line| hash(96, u32::from(class_of(Some(line))), 0)));
    out.push(hash(97, lines.len().min(3) as u32, named));
    if intent == Intent::Place {
        let places = SLOTS.all("place", &words_of(message));
        out.extend(places.into_iter().map(|place| hash(137, hash_of(place), 0)));
    }
    let own = u32::from(!lines.is_empty()) | named.min(1) << 1;
    let length = message.tokens.len().min(9) as u32 / 3;
    out.extend(
        before
            .lines
            .iter()
            .map(|line| hash(98, u32::from(class_of(Some(line))), own << 2 | length)),
    );
    if let Some(first) = before.lines.first() {
        out.push(hash(89, u32::from(class_of(Some(first))), own << 2 | length));
    }
    out.push(hash(
        99,
        before.lines.len().min(2) as u32,
        own << 4 | length << 1 | u32::from(before.fields.is_empty()),
    ));
    out.sort_unstable();
    out.dedup();
    out
}
