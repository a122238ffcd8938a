//! Pieces parted again where each side wants something of its own: "break even month pls and lowest cash", "landlord came back at 3,950 so
//! put that in and tell me what I clear", "make it 4,400, what's the payment".

use crate::offline::message::lead;
use crate::offline::message::pieces::{Piece, begins_a_question};
use crate::offline::message::reading::{Reader, Reading};
use crate::wording;
use plan_reader::{Intent, ScenarioAct, Wish};

/// A message with more places to part is read as it stands.
const MOST: usize = 8;

/// How sure either side must be of what it wants.
const SURELY: f32 = 0.95;

/// The pieces, each parted where both sides stand by themselves.
pub(in crate::offline) fn refined<'a>(
    reader: &Reader<'_, 'a>,
    whole: &Reading<'a>,
    pieces: Vec<Piece<'a>>,
) -> Vec<Piece<'a>> {
    pieces
        .into_iter()
        .flat_map(|piece| parted(reader, whole, piece))
        .collect()
}

fn parted<'a>(reader: &Reader<'_, 'a>, whole: &Reading<'a>, piece: Piece<'a>) -> Vec<Piece<'a>> {
    let cuts = cuts(piece.text);
    if cuts.is_empty() || cuts.len() > MOST {
        return vec![piece];
    }
    let text = piece.text;
    let (mut out, mut from): (Vec<Piece<'a>>, _) = (Vec::new(), 0);
    for (nth, (end, start)) in cuts.iter().copied().enumerate() {
        // "Who set the rent, me or you?"
        let is_comma = text[end..start].trim() == ",";
        let keeps = wording::says_first(&text[start..], "w.save");
        if is_comma && !keeps && !begins_a_question(&text[start..]) {
            continue;
        }
        let Some(before) = text.get(from..end) else {
            continue;
        };
        let left = reader.piece(&whole.texts, before);
        // Up to the next place, and all that follows.
        let until = cuts.get(nth + 1).map(|(end, _)| &text[start..*end]);
        let right = until.into_iter().chain([&text[start..]]);
        let mut right = right.map(|text| reader.piece(&whole.texts, text));
        // "Ok do it, and my draw at 3,500" goes on from the case.
        let takes = lead::leaves_it(&left.texts).is_some();
        let goes_on =
            |right: Reading<'a>| (stands(&right) || takes && right.changes_something()) && differ(&left, &right);
        if stands(&left) && (keeps || !left.is_case()) && right.any(goes_on) {
            let is_added = piece.is_added || !out.is_empty();
            out.push(Piece {
                text: before.trim(),
                is_added,
                stands: true,
            });
            from = start;
        }
    }
    let is_parted = !out.is_empty();
    out.push(Piece {
        text: &text[from..],
        is_added: piece.is_added || is_parted,
        stands: piece.stands || is_parted,
    });
    out
}

/// Whether it states a value, or surely asks for something.
fn stands(one: &Reading<'_>) -> bool {
    let states = matches!(one.heard.intent, Intent::State | Intent::Correct) && one.has_values();
    let asks =
        lead::goes_on(&one.heard) && one.heard.certainty() >= SURELY || one.understanding.wish == Some(Wish::Undo);
    let saves = one.heard.slots.act == Some(ScenarioAct::Save) && wording::says_first(one.texts.message, "w.save");
    states || saves || asks && !one.has_values()
}

/// Two statements are one list, and a question in two halves is one.
fn differ(left: &Reading<'_>, right: &Reading<'_>) -> bool {
    let (one, other) = (&left.heard, &right.heard);
    let is_same = one.intent == other.intent && one.slots == other.slots;
    !(is_same || left.has_values() && right.has_values())
}

/// Where a comma or a word may join two wants: the end of the first, and the start of the second.
fn cuts(text: &str) -> Vec<(usize, usize)> {
    let lower = text.to_lowercase();
    // A letter may be longer in lower case.
    let is_place = |(end, start): &(usize, usize)| text.is_char_boundary(*end) && text.is_char_boundary(*start);
    if lower.len() != text.len() {
        return Vec::new();
    }
    let joins: Vec<String> = wording::phrases("w.adds").map(|word| format!(" {word} ")).collect();
    let words = joins.iter().flat_map(|join| lower.match_indices(join.as_str()));
    let marks = lower.match_indices(", ");
    let mut all: Vec<(usize, usize)> = words.chain(marks).map(|(at, join)| (at, at + join.len())).collect();
    all.retain(is_place);
    all.sort_unstable();
    // ", and then": as one.
    let mut out: Vec<(usize, usize)> = Vec::new();
    for (end, start) in all {
        match out.last_mut() {
            Some((_, last)) if end < *last || text[*last..end.max(*last)].trim().is_empty() => *last = start.max(*last),
            _ => out.push((end, start)),
        }
    }
    out
}
