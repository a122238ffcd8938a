//! Lines, places and other slots by what people call them: `vocabulary/*/intents.txt`.

use crate::grammar::{Message, text_of};
use crate::lex::{Kind, Suffix, Token};
use std::ops::Range;
use std::sync::LazyLock;

/// Words of a message that are looked at.
const MOST_WORDS: usize = 120;

/// Phrases of one file by their sections, the longest first.
pub(super) struct Phrasebook {
    /// Kind and value of the section, and the phrase between blanks.
    phrases: Vec<(&'static str, &'static str, String)>,
}

/// What slots are called, in all languages.
pub(super) static SLOTS: LazyLock<Phrasebook> = LazyLock::new(|| {
    Phrasebook::read(&[
        include_str!("../vocabulary/en/intents.txt"),
        include_str!("../vocabulary/es/intents.txt"),
    ])
});

/// How values are said to differ.
pub(super) static CHANGES: LazyLock<Phrasebook> =
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
    pub(super) fn all(&self, kind: &str, words: &str) -> Vec<&'static str> {
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
    pub(super) fn first(&self, kind: &str, words: &str) -> Option<&'static str> {
        self.all(kind, words).first().copied()
    }

    /// Where phrases of a kind stand among the tokens, the longest first; none within a longer one.
    pub(super) fn places(&self, kind: &str, tokens: &[Token]) -> Vec<(&'static str, Range<usize>)> {
        let mut out: Vec<(&'static str, Range<usize>)> = Vec::new();
        for (_, value, phrase) in self.phrases.iter().filter(|(known, ..)| *known == kind) {
            let words: Vec<&str> = phrase.split_whitespace().collect();
            let tokens = &tokens[..tokens.len().min(MOST_WORDS)];
            for (at, here) in tokens.windows(words.len()).enumerate() {
                let range = at..at + words.len();
                let is_free = !out
                    .iter()
                    .any(|(_, known)| known.start < range.end && range.start < known.end);
                if is_free && here.iter().map(text_of).eq(words.iter().copied()) {
                    out.push((*value, range));
                }
            }
        }
        out
    }

    /// Whether a word is one of a kind.
    pub(super) fn has(&self, kind: &str, word: &str) -> bool {
        let mut phrases = self.phrases.iter();
        phrases.any(|(known, _, phrase)| *known == kind && phrase.trim() == word)
    }
}

/// The words of a message between blanks, without accents and marks.
pub(super) fn words(message: &Message<'_>) -> String {
    let tokens = message.tokens.iter().take(MOST_WORDS);
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
