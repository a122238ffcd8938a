//! Messages that want several things: "do I make a profit, and what is my coverage?", "Rent is 4,250. And how do I print this?" Each part
//! that is plain by itself is answered, in the order of the message.

use crate::offline::lead;
use crate::offline::reading::{Reader, Reading};
use crate::wording;
use plan_model::language::Language;
use plan_reader::{Heard, Intent, Slots, Wish};

/// Parts that one answer bears.
const MOST: usize = 4;

/// How sure it must be that a piece takes something back.
const SURELY_UNDONE: f32 = 0.9;

/// How sure a question beside a value must be.
const SURE_BESIDE_A_VALUE: f32 = 0.75;

/// A piece of a message that may be a part.
#[derive(Debug, PartialEq, Eq)]
struct Piece<'a> {
    text: &'a str,
    /// Whether a word such as "and" adds it to what was said before.
    is_added: bool,
}

impl Piece<'_> {
    /// Whether it ends or begins as a question, or as a request.
    fn asks(&self) -> bool {
        self.text.ends_with('?') || begins_a_question(self.text)
    }
}

/// The parts of a message; the whole of it where it does not have several.
pub(super) fn of<'a>(reader: &Reader<'_, 'a>, whole: Reading<'a>) -> Vec<Reading<'a>> {
    let pieces = pieces(whole.texts.message);
    if pieces.len() < 2 {
        return vec![whole];
    }
    let read: Vec<(&Piece<'_>, Reading<'a>)> = pieces
        .iter()
        .map(|piece| (piece, reader.piece(&whole.texts, piece.text)))
        .collect();
    let mut parts: Vec<Reading<'a>> = Vec::new();
    let statement = stated(reader, &whole, &read);
    let mut unanswered = None;
    for (piece, mut one) in read {
        let Some(heard) = wanted(piece, &one) else {
            let is_left = piece.is_added && piece.asks() && !one.has_values();
            unanswered = unanswered.or(Some(piece.text).filter(|_| is_left));
            continue;
        };
        one.heard = heard;
        if let Some(statement) = &statement
            && !stands_beside_a_value(&one)
        {
            return match answers_question(statement) {
                true => vec![Reading {
                    unanswered: Some(piece.text),
                    ..statement.clone()
                }],
                false => vec![whole],
            };
        }
        let refers = refer(&mut one.heard, parts.last());
        if !repeats(&one.heard, piece.is_added || refers, &parts) {
            parts.push(one);
        }
    }
    let count = parts.len() + usize::from(statement.is_some());
    let is_case = matches!(whole.heard.intent, Intent::WhatIf | Intent::Goal | Intent::Estimate);
    if count == 1 && !is_case {
        let one = statement.filter(answers_question).unwrap_or(whole);
        return vec![Reading { unanswered, ..one }];
    }
    if !(2..=MOST).contains(&count) || !covers(&parts, &whole, statement.is_some()) {
        return vec![whole];
    }
    parts.splice(0..0, statement);
    if let Some(last) = parts.last_mut() {
        last.unanswered = unanswered;
    }
    for (at, part) in parts.iter_mut().enumerate() {
        part.lead = whole.lead.filter(|_| at == 0);
    }
    parts
}

/// What the message states, from the first piece with a value to the last.
fn stated<'a>(reader: &Reader<'_, 'a>, whole: &Reading<'a>, read: &[(&Piece<'_>, Reading<'a>)]) -> Option<Reading<'a>> {
    let states = |one: &Reading<'_>| {
        let is_heard_so = matches!(one.heard.intent, Intent::State | Intent::Correct);
        one.has_values() && (is_heard_so || answers_question(one))
    };
    let first = read.iter().position(|(_, one)| states(one))?;
    let last = read.iter().rposition(|(_, one)| states(one))?;
    let message = whole.texts.message;
    let at = |piece: &str| piece.as_ptr().addr() - message.as_ptr().addr();
    let (begins, ends) = (read[first].1.texts.message, read[last].1.texts.message);
    let text = message.get(at(begins)..at(ends) + ends.len())?;
    let heard = Heard::known(Intent::State, Slots::default());
    let statement = reader.piece(&whole.texts, text);
    // Where the message as a whole asks for a figure, only what is plain by itself is a statement beside the question.
    let is_plain = !statement.understanding.plain.is_empty() || answers_question(&statement);
    let records = is_plain || !asks_for_a_figure(&whole.heard);
    (records && statement.has_values()).then_some(Reading { heard, ..statement })
}

fn asks_for_a_figure(heard: &Heard) -> bool {
    matches!(
        heard.intent,
        Intent::Figure
            | Intent::Why
            | Intent::Value
            | Intent::IsHigh
            | Intent::WhoSet
            | Intent::WhatIf
            | Intent::Goal
            | Intent::Estimate
    )
}

/// What a piece wants, where it is plain by itself.
fn wanted(piece: &Piece<'_>, one: &Reading<'_>) -> Option<Heard> {
    let undoes = one.understanding.wish == Some(Wish::Undo)
        || one.heard.intent == Intent::Undo && one.heard.probability >= SURELY_UNDONE;
    let is_request = matches!(one.heard.intent, Intent::Scenario | Intent::Place) || piece.asks();
    let asks = is_request && lead::goes_on(&one.heard) && one.heard.is_sure_of_figures();
    let heard = if undoes {
        Heard::known(Intent::Undo, Slots::default())
    } else {
        one.heard.clone()
    };
    ((asks || undoes) && !one.has_values()).then_some(heard)
}

/// Whether it gives the value that the advisor asked for: a question about it does not take it back.
fn answers_question(statement: &Reading<'_>) -> bool {
    let given = &statement.understanding;
    let plain = given.plain.iter().map(|one| &one.field);
    let mut heard = plain.chain(
        given
            .candidates
            .iter()
            .filter_map(|one| one.choices.first())
            .map(|one| &one.field),
    );
    heard.any(|field| Some(field) == statement.texts.asked.as_ref())
}

/// A question beside a value is not about the value, and has no number of its own: "Rent is 4,000. Is that high?" states nothing.
fn stands_beside_a_value(one: &Reading<'_>) -> bool {
    let is_about_it = matches!(
        one.heard.intent,
        Intent::IsHigh | Intent::Why | Intent::WhatIf | Intent::Goal | Intent::Estimate
    );
    !is_about_it && one.heard.probability >= SURE_BESIDE_A_VALUE && one.understanding.mentions.is_empty()
}

/// "And what does it mean?" is about the part before it; whether it is.
fn refer(heard: &mut Heard, before: Option<&Reading<'_>>) -> bool {
    let names_nothing = heard.slots.line.is_none() && heard.slots.field.is_none();
    match before.and_then(|before| before.heard.slots.line.clone()) {
        Some(line) if heard.intent == Intent::Define && names_nothing => {
            let slots = Slots {
                line: Some(line),
                ..Slots::default()
            };
            *heard = Heard::known(Intent::Define, slots);
            true
        }
        _ => false,
    }
}

/// Whether a part wants what another one does: the reason of a figure is said with it, and a second question for something of the plan
/// is the first in other words where nothing adds it.
fn repeats(heard: &Heard, is_added: bool, parts: &[Reading<'_>]) -> bool {
    let group = |one: &Heard| match one.intent {
        Intent::Figure | Intent::Why | Intent::Value | Intent::IsHigh | Intent::Define | Intent::WhatIf => {
            Intent::Figure
        }
        other => other,
    };
    parts.iter().map(|one| &one.heard).any(|other| {
        let is_same_line = other.slots.line == heard.slots.line && other.slots.field == heard.slots.field;
        let is_same = other.intent == heard.intent && is_same_line;
        is_same || group(other) == group(heard) && !is_added
    })
}

/// Whether the parts are what the message says as a whole: no number is outside of them, and what it is surely taken for is among
/// them, unless that is a mixture of them. A case stands at the end: a figure that is asked for behind it is one of the case.
fn covers(wanted: &[Reading<'_>], whole: &Reading<'_>, has_values: bool) -> bool {
    let numbers: usize = wanted.iter().map(|one| one.understanding.mentions.len()).sum();
    let is_case = |one: &Reading<'_>| matches!(one.heard.intent, Intent::WhatIf | Intent::Goal | Intent::Estimate);
    let case = wanted.iter().position(is_case);
    let is_among = has_values || wanted.iter().any(|one| one.heard.intent == whole.heard.intent);
    (has_values || numbers == whole.understanding.mentions.len())
        && case.is_none_or(|at| at + 1 == wanted.len())
        && (is_among || !whole.is_heard() || !whole.heard.is_sure_of_figures())
}

/// The sentences of a message, parted again where a word adds a question: ", and what is".
fn pieces(message: &str) -> Vec<Piece<'_>> {
    let mut pieces = Vec::new();
    for sentence in sentences(message) {
        let mut rest = sentence;
        let mut is_added = false;
        if let Some(behind) = added(rest) {
            (rest, is_added) = (behind, true);
        }
        while let Some((before, behind)) = next_question(rest) {
            pieces.push(Piece { text: before, is_added });
            (rest, is_added) = (behind, true);
        }
        pieces.push(Piece { text: rest, is_added });
    }
    pieces.retain(|piece| piece.text.contains(char::is_alphanumeric));
    pieces
}

fn sentences(message: &str) -> impl Iterator<Item = &str> {
    let is_end = |at: usize, c: char| {
        let behind = &message[at + c.len_utf8()..];
        matches!(c, '.' | '!' | '?' | ';' | '\n')
            && (c == '\n' || behind.is_empty() || behind.starts_with(char::is_whitespace))
    };
    let mut ends: Vec<usize> = message
        .char_indices()
        .filter(|(at, c)| is_end(*at, *c))
        .map(|(at, c)| at + c.len_utf8())
        .collect();
    ends.push(message.len());
    ends.into_iter().scan(0, |start, end| {
        let sentence = &message[*start..end];
        *start = end;
        Some(sentence.trim())
    })
}

fn words_of(key: &str) -> impl Iterator<Item = String> {
    let texts = Language::ALL.iter().map(|language| wording::say(*language, key, &[]));
    texts
        .collect::<Vec<_>>()
        .join("|")
        .split('|')
        .map(str::to_owned)
        .collect::<Vec<_>>()
        .into_iter()
}

/// What follows the words that add a sentence.
fn added(sentence: &str) -> Option<&str> {
    let lower = sentence.to_lowercase();
    let word = words_of("w.adds").find(|word| lower.starts_with(&format!("{word} ")))?;
    // Lower case may be longer than what it is of.
    sentence.get(word.len()..).map(str::trim_start)
}

fn begins_a_question(text: &str) -> bool {
    let text = text.trim_start_matches('¿').to_lowercase();
    words_of("w.asks").any(|word| {
        text.strip_prefix(word.as_str())
            .is_some_and(|rest| rest.starts_with(' '))
    })
}

/// A sentence parted before the first question that a word adds.
fn next_question(sentence: &str) -> Option<(&str, &str)> {
    let joins: Vec<String> = words_of("w.adds").map(|word| format!(" {word} ")).collect();
    let found = joins.iter().flat_map(|join| sentence.match_indices(join.as_str()));
    let found = found.filter(|(at, join)| begins_a_question(&sentence[at + join.len()..]));
    let (at, join) = found.min_by_key(|(at, _)| *at)?;
    Some((
        sentence[..at].trim_end_matches([',', ' ']),
        &sentence[at + join.len()..],
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_is_parted_at_its_ends_and_where_a_question_is_added() {
        let texts = |message| pieces(message).iter().map(|piece| piece.text).collect::<Vec<_>>();
        assert_eq!(
            texts("do I make a profit, and what's left for me?"),
            ["do I make a profit", "what's left for me?"]
        );
        assert_eq!(
            texts("Rent is 4,250.50 a month. And how do I print this?"),
            ["Rent is 4,250.50 a month.", "how do I print this?"]
        );
        assert_eq!(texts("rent and utilities are 5,000"), ["rent and utilities are 5,000"]);
        assert_eq!(
            texts("¿cuál es mi cobertura y qué significa?"),
            ["¿cuál es mi cobertura", "qué significa?"]
        );
    }
}
