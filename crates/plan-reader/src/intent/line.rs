//! Which figure a message is about, as features: its words, and what the phrases of the vocabulary make of them.

use super::Intent;
use super::slots::Line;
use crate::ear::linear::{hash, hash_of};
use crate::ear::sentence::{self, MOST_WORDS, PIECE};
use crate::ear::spots::Spots;
use crate::ear::words::{root, word};
use crate::grammar::Message;

/// The class of a line of a field, behind those of [`Line::NAMED`].
pub(crate) const OF_FIELD: usize = Line::NAMED.len();

/// The class of a message that names no figure, the last one.
pub(crate) const NO_LINE: usize = OF_FIELD + 1;

/// The class of a figure.
pub(crate) fn class_of(line: Option<&Line>) -> usize {
    let named = |line| Line::NAMED.iter().position(|(_, named)| named == line);
    line.map_or(NO_LINE, |line| named(line).unwrap_or(OF_FIELD))
}

/// What describes a message that is heard to be about a figure; the lines are those that phrases name, the likeliest first.
pub(crate) fn features(message: &Message<'_>, spots: &Spots<'_>, intent: Intent, lines: &[Line]) -> Vec<u32> {
    let tokens = &message.tokens[..message.tokens.len().min(MOST_WORDS)];
    let words: Vec<u32> = tokens.iter().map(word).collect();
    let mut out = Vec::with_capacity(words.len() * 6 + 8);
    for (at, token) in tokens.iter().enumerate() {
        let next = words.get(at + 1).copied().unwrap_or(1);
        out.push(hash(90, words[at], 0));
        out.push(hash(91, words[at], next));
        out.push(hash(92, root(token), 0));
        let pieces = token.word().as_bytes().windows(PIECE);
        out.extend(pieces.map(|piece| hash(93, hash_of(&String::from_utf8_lossy(piece)), 0)));
    }
    out.extend(sentence::of_last(message));
    let named = spots.names.iter().map(Vec::len).sum::<usize>().min(2) as u32;
    out.push(hash(94, intent as u32, named));
    out.push(hash(95, class_of(lines.first()) as u32, named));
    out.extend(lines.iter().map(|line| hash(96, class_of(Some(line)) as u32, 0)));
    out.push(hash(97, lines.len().min(3) as u32, named));
    out.sort_unstable();
    out.dedup();
    out
}
