//! What words are about, in both languages: "landlord" and "casero" are one. What is learned of one of them holds for all, also
//! for those that no labeled message has.

use super::linear::hash_of;
use crate::lex::{Table, Token};
use std::sync::LazyLock;

/// A concept a line, a colon, its words.
pub(crate) const WORDS: &str = include_str!("../vocabulary/concepts.txt");

static CONCEPTS: LazyLock<Table<u32, Vec<u8>>> = LazyLock::new(|| {
    let mut out: Table<u32, Vec<u8>> = Table::default();
    for (concept, _, words) in all() {
        for word in words.split_whitespace() {
            out.entry(hash_of(word)).or_default().push(concept);
        }
    }
    out
});

/// Each concept's number, name and words.
fn all() -> impl Iterator<Item = (u8, &'static str, &'static str)> {
    let lines = WORDS.lines();
    let lines = lines.filter_map(|line| line.split_once(':').filter(|(name, _)| !name.starts_with('#')));
    (1..=u8::MAX).zip(lines).map(|(at, (name, words))| (at, name, words))
}

/// The concepts of a word, which may be several.
pub(crate) fn of(token: &Token) -> &'static [u8] {
    let known = CONCEPTS.get(&hash_of(token.word()));
    known.map_or(&[], Vec::as_slice)
}

/// Whether a word is for those who buy, or for what each of them buys one of: "dogs", "haircuts".
pub(crate) fn is_customers(token: &Token) -> bool {
    static CUSTOMERS: LazyLock<Option<u8>> =
        LazyLock::new(|| all().find_map(|(at, name, _)| (name == "customers").then_some(at)));
    CUSTOMERS.is_some_and(|customers| of(token).contains(&customers))
}

/// The concepts of words, one after the other.
pub(crate) fn in_order(tokens: &[Token]) -> Vec<&'static [u8]> {
    tokens.iter().map(of).filter(|concepts| !concepts.is_empty()).collect()
}
