//! Which figure a message is about, as features: its words, and what the phrases of the vocabulary make of them.

use super::Intent;
use super::slots::Line;
use super::talked_about::TalkedAbout;
use crate::ear::linear::hash;
use crate::ear::sentence;
use crate::ear::spots::Spots;
use crate::grammar::Message;
use rust_decimal::Decimal;

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

/// The classes of figures, each with what speaks for it alone: that the message names it, or that it was talked about before.
pub(crate) fn choices(
    message: &Message<'_>,
    spots: &Spots<'_>,
    intent: Intent,
    (lines, before): (&[Line], &TalkedAbout<'_>),
) -> Vec<(u8, Vec<u32>)> {
    let named = spots.names.iter().map(Vec::len).sum::<usize>().min(2) as u32;
    let own = u32::from(!lines.is_empty()) | named.min(1) << 1;
    let length = message.tokens.len().min(9) as u32 / 3;
    let kind = own << 2 | length;
    let intent = intent as u32;
    let of = |origin| before.lines.iter().filter(|(_, other)| *other == origin).count();
    let of_class = |class: u8| {
        let mut out = Vec::new();
        if let Some(rank) = lines.iter().position(|line| class_of(Some(line)) == class) {
            out.push(hash(150, rank.min(2) as u32, lines.len().min(3) as u32));
        }
        if let Some(rank) = before.lines.iter().position(|(line, _)| class_of(Some(line)) == class) {
            let origin = before.lines[rank].1;
            let rank = rank.min(2) as u32;
            out.push(hash(147, (origin as u32) << 2 | rank, kind));
            out.push(hash(148, (origin as u32) << 2 | of(origin).min(3) as u32, own));
            out.push(hash(149, intent, rank << 2 | own));
        }
        if class >= OF_FIELD {
            let fields = before.fields.len().min(2) as u32;
            out.push(hash(151, u32::from(class) << 2 | fields, kind));
            out.push(hash(
                152,
                u32::from(class) << 2 | before.lines.len().min(2) as u32,
                kind,
            ));
            out.push(hash(153, u32::from(class) << 2 | fields, intent));
        }
        out
    };
    classes().into_iter().map(|class| (class, of_class(class))).collect()
}

/// Whether the answers to both tell the same: "am I going to make money?" asks for the profit as much as for the plan as a whole.
pub(crate) fn answers_alike(one: u8, other: u8) -> bool {
    let profit = class_of(Some(&Line::NetProfit));
    (one, other) == (profit, NO_LINE) || (one, other) == (NO_LINE, profit)
}

/// What describes a message that is heard to be about a figure; the lines are those that phrases name, the likeliest first.
pub(crate) fn features(
    message: &Message<'_>,
    spots: &Spots<'_>,
    intent: Intent,
    (lines, before): (&[Line], &TalkedAbout<'_>),
) -> Vec<u32> {
    let mut out = sentence::of_question(message, [90, 91, 92, 93]);
    let named = spots.names.iter().map(Vec::len).sum::<usize>().min(2) as u32;
    out.push(hash(94, intent as u32, named));
    out.push(hash(95, u32::from(class_of(lines.first())), named));
    out.extend(lines.iter().map(|line| hash(96, u32::from(class_of(Some(line))), 0)));
    out.push(hash(97, lines.len().min(3) as u32, named));
    out.extend(numbers(spots).map(|number| hash(154, number, intent as u32)));
    if lines.is_empty() && named == 0 {
        out.extend(before.words([90, 91, 92, 93]));
    }
    out.push(hash(
        99,
        before.lines.len().min(2) as u32,
        u32::from(before.fields.is_empty()),
    ));
    out.sort_unstable();
    out.dedup();
    out
}

/// What numbers look like: 1.25 is a coverage, 36 a month, 40,000 an amount.
fn numbers(spots: &Spots<'_>) -> impl Iterator<Item = u32> {
    let all = spots.all.iter().filter(|spot| !spot.is_word);
    all.map(|spot| {
        let value = spot.amount.value;
        let size = match () {
            () if value < Decimal::ONE => 0,
            () if value <= Decimal::from(4) && !value.is_integer() => 1,
            () if value <= Decimal::from(5) => 2,
            () if value <= Decimal::from(60) => 3,
            () if value < Decimal::from(1000) => 4,
            () => 5,
        };
        size << 4 | spot.amount.unit as u32
    })
}
