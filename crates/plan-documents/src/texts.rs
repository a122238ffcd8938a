//! The words of a document, by language: one file each, a line a text.

use plan_engine::{labels, lines};
use plan_model::clean;
use plan_model::field::Field;
use plan_model::language::Language;
use std::collections::HashMap;
use std::sync::LazyLock;

type Words = HashMap<&'static str, &'static str>;

static EN: LazyLock<Words> = LazyLock::new(|| read(include_str!("../texts/en.txt")));
static ES: LazyLock<Words> = LazyLock::new(|| read(include_str!("../texts/es.txt")));

fn read(file: &'static str) -> Words {
    let lines = file
        .lines()
        .filter(|line| !line.trim().is_empty() && !line.starts_with('#'));
    lines.filter_map(|line| line.split_once(": ")).collect()
}

/// The texts of one language.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Texts(pub Language);

impl Texts {
    /// A text; empty for a key that there is not.
    pub(crate) fn get(self, key: &str) -> &'static str {
        let words = match self.0 {
            Language::English => &EN,
            Language::Spanish => &ES,
        };
        words.get(key).copied().unwrap_or_default()
    }

    /// A text with its slots filled.
    pub(crate) fn say(self, key: &str, slots: &[(&str, &str)]) -> String {
        let mut rest = self.get(key);
        let mut said = String::with_capacity(rest.len());
        // From left to right, so that what is filled in is never taken for a slot.
        while let Some((before, behind)) = rest.split_once('{') {
            let (slot, behind) = behind.split_once('}').unwrap_or((behind, ""));
            said.push_str(before);
            said.extend(slots.iter().find(|(name, _)| *name == slot).map(|(_, value)| *value));
            rest = behind;
        }
        said + rest
    }

    /// What people read of a field: the brand's own words where it has some.
    pub(crate) fn field(self, field: &Field) -> String {
        readable(&labels::of_field(self.0, field))
    }

    /// The name of a line of a statement.
    pub(crate) fn line(self, name: &str) -> String {
        let heading = lines::find(name).and_then(|line| line.heading_in(self.0));
        heading.unwrap_or(name).to_owned()
    }
}

/// Letters of a word behind which it may be broken: names are up to 200 letters without a space.
const LONGEST_WORD: usize = 24;

/// Directional controls, marks included: they would reorder what stands around a text.
const fn reorders(c: char) -> bool {
    clean::reorders(c) || matches!(c, '\u{200E}' | '\u{200F}' | '\u{061C}')
}

/// A text that somebody wrote, on one line.
pub(crate) fn readable(text: &str) -> String {
    let spaced = text.chars().filter(|c| !reorders(*c));
    let spaced: String = spaced.map(|c| if c.is_control() { ' ' } else { c }).collect();
    let words: Vec<String> = spaced.split_whitespace().map(breakable).collect();
    words.join(" ")
}

/// The paragraphs of a text that somebody wrote.
pub(crate) fn paragraphs(text: &str) -> Vec<String> {
    let text = clean::paragraphs(text);
    text.lines().map(readable).filter(|line| !line.is_empty()).collect()
}

/// A word with places where a line may end, if it is very long.
fn breakable(word: &str) -> String {
    if word.chars().count() <= LONGEST_WORD {
        return word.to_owned();
    }
    let mut broken = String::with_capacity(word.len() + word.len() / 8);
    for (at, c) in word.chars().enumerate() {
        // Never before what belongs to the letter in front of it.
        if at > 0 && at % (LONGEST_WORD / 2) == 0 && c.is_alphanumeric() {
            broken.push('\u{200B}');
        }
        broken.push(c);
    }
    broken
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    fn slots(text: &str) -> BTreeSet<&str> {
        let parts = text.split('{').skip(1);
        parts.filter_map(|part| Some(part.split_once('}')?.0)).collect()
    }

    #[test]
    fn both_languages_have_the_same_texts_with_the_same_slots() {
        let keys: BTreeSet<_> = EN.keys().collect();
        assert_eq!(keys, ES.keys().collect());
        for key in keys {
            assert_eq!(slots(EN[key]), slots(ES[key]), "{key}");
        }
    }

    #[test]
    fn a_lender_is_not_addressed() {
        for text in EN.values() {
            let words = text.to_lowercase();
            let addressed = words
                .split(|c: char| !c.is_alphabetic())
                .any(|word| matches!(word, "you" | "your" | "yours"));
            assert!(!addressed, "{text}");
        }
        for text in ES.values() {
            assert!(!text.to_lowercase().contains("usted"), "{text}");
        }
    }

    #[test]
    fn a_slot_takes_any_text_as_it_is() {
        let said = Texts(Language::English).say("title", &[("plan", "{version} $1"), ("version", "7")]);
        assert_eq!(said, "{version} $1, version 7");
    }

    #[test]
    fn what_reorders_or_cannot_be_seen_is_gone_and_long_words_can_end_a_line() {
        assert_eq!(readable(" a\u{202E}b\u{0}\tc\n "), "ab c");
        assert_eq!(
            paragraphs("One.\r\n\r\n Two.\u{2028}Three.\u{7}"),
            ["One.", "Two.", "Three."]
        );
        assert_eq!(readable("👩‍🍳 é نص"), "👩‍🍳 é نص");
        let long = readable(&"x".repeat(200));
        assert!(long.split('\u{200B}').all(|piece| piece.len() <= LONGEST_WORD));
        assert_eq!(long.replace('\u{200B}', ""), "x".repeat(200));
    }
}
