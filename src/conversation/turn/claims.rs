//! Looks over a finished answer for words that the Franchise Rule makes dangerous (16 CFR 436.9). Nothing is held back: a
//! code goes to log and metrics, never the text, so that operators see when a model needs another prompt.

use memchr::memmem::Finder;
use std::sync::LazyLock;

/// Phrases that state or promise results, with the code each is reported under. Lower case, single spaces.
const PHRASES: [(&str, &str); 14] = [
    ("franchisees typically", "typical_results"),
    ("franchisees usually", "typical_results"),
    ("franchisees on average", "typical_results"),
    ("typical franchisee", "typical_results"),
    ("average franchisee", "typical_results"),
    ("most franchisees make", "typical_results"),
    ("you will make", "promised_results"),
    ("you will earn", "promised_results"),
    ("you can expect to make", "promised_results"),
    ("you can expect to earn", "promised_results"),
    ("you should expect to make", "promised_results"),
    ("guaranteed", "guarantee"),
    ("i guarantee", "guarantee"),
    ("we guarantee", "guarantee"),
];

/// Finds the last words of the phrases, which are rarer than the first. Made once: a search is short against its preparation.
static LAST_WORDS: LazyLock<[Finder<'static>; PHRASES.len()]> =
    LazyLock::new(|| PHRASES.map(|(phrase, _)| Finder::new(phrase.rsplit(' ').next().unwrap_or(phrase))));

/// The codes an answer earns, each once. Only brands without an Item 19 block are looked at.
pub fn flags(answer: &str, has_item19: bool) -> Vec<&'static str> {
    if has_item19 {
        return Vec::new();
    }
    let answer = answer.to_lowercase();
    let mut codes: Vec<_> = PHRASES
        .iter()
        .zip(&*LAST_WORDS)
        .filter(|((phrase, _), last)| {
            let mut found = last.find_iter(answer.as_bytes());
            found.any(|at| ends_with(&answer[..at + last.needle().len()], phrase))
        })
        .map(|((_, code), _)| *code)
        .collect();
    codes.dedup();
    codes
}

/// Whether a text ends with the words of a phrase, with any space between them.
fn ends_with(mut text: &str, phrase: &str) -> bool {
    phrase.rsplit(' ').enumerate().all(|(nth, word)| {
        let before = text.trim_end();
        let is_apart = nth == 0 || before.len() < text.len();
        before
            .strip_suffix(word)
            .filter(|_| is_apart)
            .map(|rest| text = rest)
            .is_some()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn claims_are_flagged_and_plain_answers_are_not() {
        assert_eq!(
            flags("Franchisees  typically\nsee $60,000 and you will make more.", false),
            ["typical_results", "promised_results"]
        );
        assert_eq!(flags("That is guaranteed.", false), ["guarantee"]);
        assert!(flags("Your rent is $4,200 a month. What do you pay for insurance?", false).is_empty());
        assert!(flags("Franchisees typically see", true).is_empty());
        assert!(flags(plan_engine::describe::FOOTER, false).is_empty());
    }
}
