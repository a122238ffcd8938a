//! A message that is nothing but a word about what is open: all, both, none, the first.
//!
//! Closed lists, one phrase a line: what is not in them settles nothing. Of dropping the list says how it begins: what it drops is
//! looked for among what is open.

use plan_model::language::Language;
use std::collections::HashMap;
use std::sync::LazyLock;

/// What becomes of open values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Act {
    /// Yes to what was just asked, in a language that the closed grammar does not read.
    Yes,
    /// No to what was just asked.
    No,
    /// Each of them.
    All,
    /// Two of them, where there are two.
    Both,
    /// Not one of them.
    None,
    /// One by its place in the list, from 0.
    Nth(usize),
    /// The one at the end of the list.
    Last,
    /// Those that the rest of the message names: "forget the 120k", "no to the extra cash".
    Drop,
}

static PHRASES: LazyLock<HashMap<&'static str, (Act, Language)>> = LazyLock::new(|| {
    let mut language = Language::English;
    let mut act = Act::All;
    let mut phrases = HashMap::new();
    for line in include_str!("vocabulary/acts.txt").lines().map(str::trim) {
        match line.strip_prefix('[').and_then(|line| line.strip_suffix(']')) {
            Some(head) => (act, language) = section(head),
            None if line.is_empty() || line.starts_with('#') => {}
            None => drop(phrases.insert(line, (act, language))),
        }
    }
    phrases
});

fn section(head: &str) -> (Act, Language) {
    let (name, language) = head.split_once(' ').unwrap_or((head, "en"));
    let act = match name {
        "yes" => Act::Yes,
        "no" => Act::No,
        "both" => Act::Both,
        "none" => Act::None,
        "first" => Act::Nth(0),
        "second" => Act::Nth(1),
        "third" => Act::Nth(2),
        "last" => Act::Last,
        "drop" => Act::Drop,
        _ => Act::All,
    };
    let language = if language == "es" {
        Language::Spanish
    } else {
        Language::English
    };
    (act, language)
}

/// The act that a message is, and in which language.
pub fn act(text: &str) -> Option<(Act, Language)> {
    if text.len() > 80 || text.contains('?') {
        return None;
    }
    let text = plain(text);
    let whole = PHRASES.get(text.as_str()).copied();
    whole.or_else(|| dropping(&text))
}

/// The longest beginning of a message that drops what follows it.
fn dropping(text: &str) -> Option<(Act, Language)> {
    let ends = text.match_indices(' ').map(|(at, _)| at).rev();
    let mut known = ends.filter_map(|at| PHRASES.get(&text[..at]).copied());
    known.find(|(act, _)| *act == Act::Drop)
}

/// Lower case, one blank between words, no marks, no "please".
fn plain(text: &str) -> String {
    let text = text.to_lowercase().replace('’', "'");
    let words = text
        .split(|c: char| !(c.is_alphanumeric() || c == '\''))
        .filter(|word| !word.is_empty() && *word != "please");
    let text = words.collect::<Vec<_>>().join(" ");
    text.strip_suffix(" por favor").unwrap_or(&text).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn acts_are_known_and_nothing_else_is() {
        let of = |text: &str| act(text).map(|(act, _)| act);
        for text in ["Yes to all!", "all of them, please", "use all", "Sí a todo", "todas"] {
            assert_eq!(of(text), Some(Act::All), "{text}");
        }
        assert_eq!(of("yes to both"), Some(Act::Both));
        for text in [
            "None of those.",
            "Ignore all",
            "ignore these, please",
            "drop them",
            "ignore todos",
        ] {
            assert_eq!(of(text), Some(Act::None), "{text}");
        }
        assert_eq!(of("Ignore it."), Some(Act::No));
        assert_eq!(of("the second one"), Some(Act::Nth(1)));
        assert_eq!(of("el primero"), Some(Act::Nth(0)));
        assert_eq!(of("Sí, por favor"), Some(Act::Yes));
        for text in [
            "no, drop both 120k ones",
            "Forget about the rent.",
            "no to the extra owner cash",
            "olvida los 120 mil extra",
        ] {
            assert_eq!(of(text), Some(Act::Drop), "{text}");
        }
        for text in [
            "yes",
            "all?",
            "all but rent",
            "not all of them",
            "yes to all of that except rent",
            "is that all",
            "",
            "the first of May",
        ] {
            assert_eq!(of(text), None, "{text}");
        }
    }

    #[test]
    fn every_phrase_reads_as_itself() {
        for (phrase, expected) in PHRASES.iter() {
            assert_eq!(act(phrase).as_ref(), Some(expected), "{phrase}");
        }
        assert!(PHRASES.len() > 100);
    }
}
