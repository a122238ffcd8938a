//! Whether a case has one change or several, learned: half of a case is another case.

use crate::ear::linear::hash;
use crate::ear::sentence::MOST_WORDS;
use crate::ear::spots::Spots;
use crate::ear::words::{root, word};
use crate::grammar::Message;
use crate::lex::Token;

/// Words between the first and the last number of a message that are looked at.
const BETWEEN: usize = 40;

/// Words that join two changes.
const JOINS: [&str; 7] = ["and", "y", "plus", "while", "both", "ambas", "ademas"];

/// What says whether a case has one change or several: its numbers, and what stands between the first and the last of them.
pub(crate) fn features(spots: &Spots<'_>, message: &Message<'_>) -> Vec<u32> {
    let numbers = spots.all.iter().filter(|spot| !spot.is_word).count().min(4) as u32;
    let words = spots.all.len().min(6) as u32 - numbers;
    let names = spots.names.iter().map(Vec::len).sum::<usize>().min(4) as u32;
    let mut out = vec![
        hash(230, numbers, names),
        hash(231, numbers, words),
        hash(232, names, words),
    ];
    let units = spots
        .all
        .iter()
        .take(3)
        .fold(0, |all, spot| hash(233, all, spot.amount.unit as u32 + 1));
    out.push(units);
    let (first, last) = (spots.all.first(), spots.all.last());
    let between = first.zip(last).map_or(0..0, |(first, last)| {
        first.amount.to..last.amount.from.max(first.amount.to)
    });
    let tokens = &message.tokens[between];
    for (at, token) in tokens.iter().take(BETWEEN).enumerate() {
        out.push(hash(234, word(token), numbers));
        out.push(hash(235, word(token), tokens.get(at + 1).map_or(1, word)));
        out.push(hash(236, root(token), 0));
    }
    let count = |is: &dyn Fn(&Token) -> bool| message.tokens.iter().filter(|token| is(token)).count().min(3) as u32;
    out.push(hash(
        237,
        count(&|token| JOINS.contains(&token.word())),
        numbers << 4 | names,
    ));
    out.push(hash(238, count(&|token| token.is_mark(',')), numbers));
    out.extend(
        message
            .tokens
            .iter()
            .take(MOST_WORDS)
            .map(|token| hash(239, word(token), 0)),
    );
    out.sort_unstable();
    out.dedup();
    out
}
