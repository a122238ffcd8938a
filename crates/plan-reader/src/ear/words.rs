//! A message's words as numbers.

use super::linear::hash_of;
use crate::grammar::text_of;
use crate::lex::{Kind, Token};

/// Letters of a word's beginning that often are its root, in both languages.
const ROOT: usize = 5;

/// A token as features see it: each word for itself, any number alike.
pub(crate) fn word(token: &Token) -> u32 {
    match &token.kind {
        Kind::Figure(_) => hash_of("#"),
        Kind::Odd => hash_of("?!"),
        _ => hash_of(text_of(token)),
    }
}

/// The beginning of a word; the whole of a short one.
pub(crate) fn root(token: &Token) -> u32 {
    let word = token.word();
    let end = word.char_indices().nth(ROOT).map_or(word.len(), |(at, _)| at);
    hash_of(&word[..end])
}
