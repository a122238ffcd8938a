//! Lines, places and other slots by what people call them: `vocabulary/*/intents.txt`.

use super::slots::Line;
use crate::grammar::{Message, text_of};
use crate::lex::{Kind, Suffix, Token};
use std::sync::LazyLock;

/// Words of a message that are looked at.
const MOST_WORDS: usize = 120;

/// Phrases of one file by their sections, the longest first.
pub(crate) struct Phrasebook {
    /// Kind and value of the section, and the phrase between blanks.
    phrases: Vec<(&'static str, &'static str, String)>,
}

/// What slots are called, in all languages.
pub(crate) static SLOTS: LazyLock<Phrasebook> = LazyLock::new(|| {
    Phrasebook::read(&[
        include_str!("../vocabulary/en/intents.txt"),
        include_str!("../vocabulary/es/intents.txt"),
    ])
});

/// How values are said to differ.
pub(crate) static CHANGES: LazyLock<Phrasebook> =
    LazyLock::new(|| Phrasebook::read(&[include_str!("../vocabulary/change.txt")]));

impl Phrasebook {
    fn read(files: &[&'static str]) -> Self {
        let mut phrases = Vec::new();
        for file in files {
            let mut section = ("", "");
            let lines = file.lines().map(str::trim);
            for line in lines.filter(|line| !line.is_empty() && !line.starts_with('#')) {
                match line.strip_prefix('[').and_then(|line| line.strip_suffix(']')) {
                    Some(name) => section = name.split_once(' ').unwrap_or((name, "")),
                    None => phrases.push((section.0, section.1, format!(" {line} "))),
                }
            }
        }
        phrases.sort_by_key(|(.., phrase)| std::cmp::Reverse(phrase.len()));
        Self { phrases }
    }

    /// The values of a kind that occur in words, each once, the longest phrase first. What a longer phrase covers does not count
    /// for a shorter one.
    pub(crate) fn all(&self, kind: &str, words: &str) -> Vec<&'static str> {
        let mut words = words.to_owned();
        let mut out = Vec::new();
        for (_, value, phrase) in self.phrases.iter().filter(|(known, ..)| *known == kind) {
            while let Some(at) = words.find(phrase.as_str()) {
                let hidden = "~".repeat(phrase.len() - 2);
                words.replace_range(at + 1..at + phrase.len() - 1, &hidden);
                if !out.contains(value) {
                    out.push(*value);
                }
            }
        }
        out
    }

    /// The value of the longest phrase.
    pub(crate) fn first(&self, kind: &str, words: &str) -> Option<&'static str> {
        self.all(kind, words).first().copied()
    }

    /// Whether a word is one of a kind.
    pub(crate) fn has(&self, kind: &str, word: &str) -> bool {
        let mut phrases = self.phrases.iter();
        phrases.any(|(known, _, phrase)| *known == kind && phrase.trim() == word)
    }
}

/// The figures that phrases name, the longest first.
pub(crate) fn lines(words: &str) -> Vec<Line> {
    SLOTS.all("line", words).into_iter().map(Line::read).collect()
}

/// The words of a message between blanks, without accents and marks.
pub(crate) fn words(message: &Message<'_>) -> String {
    words_of_tokens(&message.tokens)
}

/// The same of a part of one.
pub(crate) fn words_of_tokens(tokens: &[Token]) -> String {
    let tokens = tokens.iter().take(MOST_WORDS);
    let words = tokens.filter(|token| !matches!(token.kind, Kind::Mark(_)));
    let words: Vec<&str> = words
        .map(|token| match (&token.kind, text_of(token)) {
            (Kind::Figure(figure), text) if figure.suffix == Suffix::Ordinal => nth(text),
            (_, "") => "#",
            (_, text) => text,
        })
        .collect();
    format!(" {} ", words.join(" "))
}

/// "2nd" is read as the number that it is.
fn nth(number: &str) -> &'static str {
    match number {
        "1" => "1st",
        "2" => "2nd",
        "3" => "3rd",
        "4" => "4th",
        "5" => "5th",
        _ => "#",
    }
}
