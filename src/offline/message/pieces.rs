//! A message in pieces: its sentences, and what a word such as "and" adds to one.

use crate::wording;

/// A piece of a message that may be a part.
#[derive(Debug, PartialEq, Eq)]
pub(in crate::offline) struct Piece<'a> {
    pub text: &'a str,
    /// Whether a word such as "and" adds it to what was said before.
    pub is_added: bool,
    /// Whether it is known to want something by itself.
    pub stands: bool,
}

/// Words that may stand before the word that asks.
const BEFORE: [&str; 13] = [
    "at", "in", "over", "for", "on", "from", "of", "with", "por", "a", "en", "de", "con",
];

impl<'a> Piece<'a> {
    fn new(text: &'a str, is_added: bool) -> Self {
        Self {
            text,
            is_added,
            stands: false,
        }
    }

    /// Whether it ends or begins as a question, or as a request.
    pub(in crate::offline) fn asks(&self) -> bool {
        self.stands || self.text.ends_with('?') || begins_a_question(self.text)
    }
}

/// The sentences of a message, parted again where a word adds a question (", and what is"), and at the numbers of a list.
pub(in crate::offline) fn pieces(message: &str) -> Vec<Piece<'_>> {
    let items = items(message);
    let is_list = items.len() > 1;
    let has_intro = !message.trim_start().starts_with('1');
    let of_item = |(nth, item)| {
        let mut pieces = of_sentences(item);
        let is_item = is_list && (nth > 0 || !has_intro);
        if let Some(first) = pieces.first_mut().filter(|_| is_item) {
            (first.is_added, first.stands) = (true, true);
        }
        pieces
    };
    items.into_iter().enumerate().flat_map(of_item).collect()
}

/// Whether a message numbers what it wants.
pub(in crate::offline) fn is_list(message: &str) -> bool {
    items(message).len() > 1
}

fn of_sentences(text: &str) -> Vec<Piece<'_>> {
    let mut pieces = Vec::new();
    for sentence in sentences(text) {
        let mut rest = sentence;
        let mut is_added = false;
        if let Some(behind) = added(rest) {
            (rest, is_added) = (behind, true);
        }
        while let Some((before, behind)) = next_question(rest) {
            pieces.push(Piece::new(before, is_added));
            (rest, is_added) = (behind, true);
        }
        pieces.push(Piece::new(rest, is_added));
    }
    pieces.retain(|piece| piece.text.contains(char::is_alphanumeric));
    pieces
}

/// The items of a list, with what introduces them: "1) total cost with its parts 2) loan amount, rate, term? 3) monthly payment?"
fn items(message: &str) -> Vec<&str> {
    let mut from = 0;
    let mut out: Vec<&str> = Vec::new();
    for mark in plan_reader::list_marks(message) {
        out.push(&message[from..mark.start]);
        from = mark.end;
    }
    out.push(&message[from..]);
    let trimmed = out
        .into_iter()
        .map(|item| item.trim_start().trim_end_matches([' ', ',', ';', ':', '\n']));
    trimmed.filter(|item| !item.is_empty()).collect()
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

/// What follows the words that add a sentence.
fn added(sentence: &str) -> Option<&str> {
    let lower = sentence.to_lowercase();
    let word = wording::phrases("w.adds").find(|word| lower.starts_with(&format!("{word} ")))?;
    // Lower case may be longer than what it is of.
    sentence.get(word.len()..).map(str::trim_start)
}

pub(in crate::offline) fn begins_a_question(text: &str) -> bool {
    let text = text.trim_start_matches('¿').to_lowercase();
    let asks = |text: &str, key| {
        wording::phrases(key).any(|word| {
            text.strip_prefix(word)
                .is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
        })
    };
    // "At which rate and over how many years"
    let behind = text.split_once(' ').filter(|(first, _)| BEFORE.contains(first));
    asks(&text, "w.asks") || behind.is_some_and(|(_, behind)| asks(behind, "w.asks_of"))
}

/// A sentence parted before the first question that a word adds.
fn next_question(sentence: &str) -> Option<(&str, &str)> {
    let joins: Vec<String> = wording::phrases("w.adds").map(|word| format!(" {word} ")).collect();
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
            texts("Please tell: 1) total cost with its parts? 2) loan amount, rate, term? 3) monthly payment?"),
            [
                "Please tell",
                "total cost with its parts?",
                "loan amount, rate, term?",
                "monthly payment?"
            ]
        );
        assert_eq!(
            texts("Set 1. sales 55,000, 2. goods 9%"),
            ["Set", "sales 55,000", "goods 9%"]
        );
        assert_eq!(
            texts("profit in year 1. And in year 2?"),
            ["profit in year 1.", "in year 2?"]
        );
        assert_eq!(
            texts("¿cuál es mi cobertura y qué significa?"),
            ["¿cuál es mi cobertura", "qué significa?"]
        );
    }
}
