//! A message as a whole, as features of what it wants.

use super::concepts;
use super::linear::{hash, hash_of};
use super::spots::Spots;
use super::words::{root, word};
use crate::grammar::{Message, Part};
use crate::lex::{Kind, Token};
use crate::understanding::Wish;

/// Words of a message that are looked at.
pub(crate) const MOST_WORDS: usize = 60;

/// Letters of the pieces of long words, which typing errors leave whole.
const PIECE: usize = 4;

/// What describes a message.
pub(crate) fn features(message: &Message<'_>, spots: &Spots<'_>, wish: Option<Wish>, is_plain: bool) -> Vec<u32> {
    let tokens = &message.tokens[..message.tokens.len().min(MOST_WORDS)];
    let words: Vec<u32> = tokens.iter().map(word).collect();
    let mut out = Vec::with_capacity(words.len() * 8 + 16);
    for (at, token) in tokens.iter().enumerate() {
        let of = |at: usize| words.get(at).copied().unwrap_or(1);
        out.push(hash(60, of(at), 0));
        out.push(hash(61, of(at), of(at + 1)));
        out.push(hash(62, hash(0, of(at), of(at + 1)), of(at + 2)));
        out.push(hash(63, root(token), 0));
        let letters = token.word().as_bytes();
        if letters.len() > PIECE {
            out.extend(
                letters
                    .windows(PIECE)
                    .map(|piece| hash(64, hash_of(&String::from_utf8_lossy(piece)), 0)),
            );
        }
    }
    let of = |at: usize| words.get(at).copied().unwrap_or(1);
    out.push(hash(65, of(0), 0));
    out.push(hash(66, of(0), of(1)));
    let length = match words.len() {
        0..=2 => 0,
        3..=5 => 1,
        6..=10 => 2,
        11..=20 => 3,
        _ => 4,
    };
    let numbers = spots.all.iter().filter(|spot| !spot.is_word).count().min(3) as u32;
    let asks = tokens.iter().any(|token| token.is_mark('?'));
    let named = spots.names.iter().map(Vec::len).sum::<usize>().min(3) as u32;
    let has_question = !message.question.is_empty();
    out.push(hash(70, length, numbers));
    out.push(hash(71, u32::from(asks), numbers));
    out.push(hash(72, named, numbers));
    out.push(hash(73, u32::from(asks), named));
    out.push(hash(74, u32::from(has_question), length));
    out.push(hash(75, wish.map_or(9, |wish| wish as u32), u32::from(has_question)));
    out.push(hash(76, u32::from(is_plain), u32::from(asks)));
    out.push(hash(77, u32::from(message.before.noted.is_some()), numbers));
    if let Some(last) = tokens.iter().rev().find(|token| !matches!(token.kind, Kind::Mark(_))) {
        out.push(hash(78, word(last), u32::from(asks)));
    }
    // What stands before: nothing, a value that was noted, one that is asked about, a question.
    let before = match (message.advisor_numbers.as_deref(), has_question) {
        (None, _) => 0,
        (Some([]), false) => 1,
        (Some(_), false) => 2,
        (Some([]), true) => 3,
        (Some(_), true) => 4,
    };
    let own = spots.all.iter().filter(|spot| !spot.is_word);
    let shown = own.filter(|spot| message.is_shown(spot.amount.value)).count().min(3) as u32;
    out.push(hash(250, shown, numbers));
    out.push(hash(251, shown, u32::from(asks)));
    out.push(hash(80, before, length));
    out.push(hash(81, before, numbers));
    out.push(hash(82, before, of(0)));
    out.push(hash(83, before, u32::from(asks)));
    out.extend(words.iter().map(|word| hash(84, *word, before)));
    let signs = tokens.iter().filter(|token| token.is_mark('+')).count().min(2) as u32;
    out.push(hash(85, signs, numbers));
    out.push(hash(86, u32::from(spots.names_noted()), before));
    if length <= 1 {
        out.extend(message.question.iter().take(40).map(|text| hash(79, hash_of(text), 0)));
    }
    out.extend(of_last(message));
    out.extend(of_concepts(message));
    out.extend(of_shape(message, spots));
    // What is plainly stated is stated whatever was said before.
    if !is_plain {
        out.extend(of_previous(message, length));
    }
    out.sort_unstable();
    out.dedup();
    out
}

/// Each word, each with the next one, its root and its pieces, as features of four kinds of their own, and the words of the sentence
/// that asks: what a question is about.
pub(crate) fn of_question(message: &Message<'_>, [single, pair, rooted, pieced]: [u32; 4]) -> Vec<u32> {
    let tokens = &message.tokens[..message.tokens.len().min(MOST_WORDS)];
    let words: Vec<u32> = tokens.iter().map(word).collect();
    let mut out = Vec::with_capacity(words.len() * 6 + 16);
    for (at, token) in tokens.iter().enumerate() {
        let next = words.get(at + 1).copied().unwrap_or(1);
        out.push(hash(single, words[at], 0));
        out.push(hash(pair, words[at], next));
        out.push(hash(rooted, root(token), 0));
        let pieces = token.word().as_bytes().windows(PIECE);
        out.extend(pieces.map(|piece| hash(pieced, hash_of(&String::from_utf8_lossy(piece)), 0)));
    }
    out.extend(of_last(message));
    out.extend(of_concepts(message));
    out
}

/// What words are about, each and with the next one that is about something; those of the sentence that asks once more.
fn of_concepts(message: &Message<'_>) -> Vec<u32> {
    let mut out = Vec::new();
    let tokens = &message.tokens[..message.tokens.len().min(MOST_WORDS)];
    pairs(tokens, 160, &mut out);
    if let Some(tokens) = asking(message) {
        pairs(tokens, 165, &mut out);
    }
    out
}

/// Each concept of words, with the next one and the one behind it, and the first and the last; as features of five kinds.
fn pairs(tokens: &[Token], kind: u32, out: &mut Vec<u32>) {
    let all = concepts::in_order(tokens);
    for (at, here) in all.iter().enumerate() {
        out.extend(here.iter().map(|one| hash(kind, u32::from(*one), 0)));
        for (next, steps) in all[at + 1..].iter().take(2).zip(0..) {
            let pairs = here.iter().flat_map(|one| next.iter().map(move |other| (*one, *other)));
            out.extend(pairs.map(|(one, other)| hash(kind + 1 + steps, u32::from(one), u32::from(other))));
        }
    }
    for (end, nth) in [all.first(), all.last()].into_iter().zip(3..) {
        let concepts = end.into_iter().flat_map(|end| end.iter());
        out.extend(concepts.map(|one| hash(kind + nth, u32::from(*one), 0)));
    }
}

/// The words of the sentence that asks, else of the last one: what a long story wants, it says at its end.
fn of_last(message: &Message<'_>) -> Vec<u32> {
    let Some(tokens) = asking(message) else {
        return Vec::new();
    };
    let words: Vec<u32> = tokens.iter().map(word).collect();
    let of = |at: usize| words.get(at).copied().unwrap_or(1);
    let first = [hash(102, of(0), 0), hash(103, of(0), of(1))];
    let pairs = (0..words.len()).flat_map(|at| [hash(100, of(at), 0), hash(101, of(at), of(at + 1))]);
    first.into_iter().chain(pairs).collect()
}

/// What the person's message before began with and was about: "and 5,000?" behind a case is another case.
fn of_previous(message: &Message<'_>, length: u32) -> Vec<u32> {
    let tokens = &message.previous[..message.previous.len().min(MOST_WORDS)];
    let Some(first) = tokens.first() else {
        return Vec::new();
    };
    let second = tokens.get(1).map_or(1, word);
    let asks = tokens.iter().any(|token| token.is_mark('?'));
    let has_numbers = tokens.iter().any(|token| matches!(token.kind, Kind::Figure(_)));
    let kind = u32::from(asks) | u32::from(has_numbers) << 1;
    let mut out = vec![
        hash(140, word(first), 0),
        hash(141, word(first), second),
        hash(142, about(first), length),
        hash(143, kind, length),
        hash(144, kind, message.tokens.first().map_or(1, word)),
    ];
    for token in tokens {
        out.push(hash(145, word(token), 0));
        out.extend(concepts::of(token).iter().map(|one| hash(146, u32::from(*one), 0)));
    }
    out
}

/// The sentence that asks, else the last one.
pub(crate) fn asking_part<'m>(message: &'m Message<'_>) -> Option<&'m Part> {
    let parts = &message.parts;
    parts.iter().rev().find(|part| part.sentence.asks).or(parts.last())
}

/// The words of that sentence, where there are others.
fn asking<'m>(message: &'m Message<'_>) -> Option<&'m [Token]> {
    let part = asking_part(message).filter(|_| message.parts.len() > 1)?;
    let range = part.sentence.tokens.clone();
    Some(&message.tokens[range.start..range.end.min(range.start + MOST_WORDS)])
}

/// What a word is about, else the word.
fn about(token: &Token) -> u32 {
    match concepts::of(token) {
        [first, ..] => hash(107, u32::from(*first), 0),
        [] => word(token),
    }
}

/// Pairs, threes and fours of a message in which every name of a field is one word, and so is every concept, and every number its
/// unit: "what if FIELD is $".
fn of_shape(message: &Message<'_>, spots: &Spots<'_>) -> Vec<u32> {
    const FIELD: u32 = 2;
    let names: Vec<_> = spots.names.iter().flatten().map(|name| &name.range).collect();
    let mut shape = vec![0];
    let mut at = 0;
    while at < message.tokens.len().min(MOST_WORDS) {
        let name = names.iter().find(|range| range.start == at);
        let amount = spots
            .all
            .iter()
            .map(|spot| &spot.amount)
            .find(|amount| amount.from == at);
        let (word, end) = match (name, amount) {
            (Some(range), _) => (FIELD, range.end),
            (None, Some(amount)) => (3 + amount.unit as u32, amount.to),
            (None, None) => (about(&message.tokens[at]), at + 1),
        };
        shape.push(word);
        at = end.max(at + 1);
    }
    shape.push(1);
    let of = |at: usize| shape.get(at).copied().unwrap_or(1);
    let at = |at: usize| {
        let two = hash(104, of(at), of(at + 1));
        let three = hash(105, two, of(at + 2));
        [two, three, hash(106, three, of(at + 3))]
    };
    (0..shape.len()).flat_map(at).collect()
}
