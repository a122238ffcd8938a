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
    /// So many of them, where there are so many: "both", "yes to all three".
    Several(usize),
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
        "both" => Act::Several(2),
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
    whole.or_else(|| counted(&text)).or_else(|| dropping(&text))
}

/// The act that a message begins with as a sentence of its own: "Yes to all. And what is left for me?"
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LeadingAct<'a> {
    /// What becomes of open values.
    pub act: Act,
    /// The language that it was said in.
    pub language: Language,
    /// The sentence.
    pub words: &'a str,
    /// What follows it.
    pub rest: &'a str,
}

/// Words behind a yes that may take it back, or part of it.
const TAKES_BACK: &str = "but except wait no not nor only unless instead actually rather change wrong meant mean sorry correction hold though \
    however maybe perhaps pero salvo excepto espera solo sólo cambie cambia mal error aunque quizás tampoco nunca menos";

/// What a message does with open values in its first sentence, where the rest neither has a number nor takes anything back. Both are
/// needed of a yes alone, but a no with a number behind it is a correction.
pub fn leading_act(text: &str) -> Option<LeadingAct<'_>> {
    let text = text.trim();
    let end = text.find(['.', '!', ';', '\n'])?;
    let (words, rest) = (&text[..end], text[end + 1..].trim());
    let is_yes = crate::agree::is_yes(words).then_some((Act::Yes, Language::English));
    let (act, language) = act(words).or(is_yes)?;
    let numbers = [Language::English, Language::Spanish].map(|language| crate::numbers(rest, language));
    let has_number = numbers
        .iter()
        .any(|found| found.as_ref().is_none_or(|found| !found.is_empty()));
    let lower = rest.to_lowercase().replace('’', "'");
    let mut words_of_rest = lower
        .split(|c: char| !(c.is_alphanumeric() || c == '\''))
        .filter(|word| !word.is_empty());
    let is_conditional = matches!(
        words_of_rest.clone().next(),
        Some("if" | "si" | "cuando" | "when" | "once" | "as") | None
    );
    let takes_back = |word: &str| word.ends_with("n't") || TAKES_BACK.split_whitespace().any(|known| known == word);
    let drops = matches!(act, Act::No | Act::None | Act::Drop);
    let is_plain = !has_number && (drops || !is_conditional && !words_of_rest.any(takes_back));
    (is_plain && !rest.is_empty()).then_some(LeadingAct {
        act,
        language,
        words,
        rest,
    })
}

/// "Yes to all five": what counts the values that were listed.
fn counted(text: &str) -> Option<(Act, Language)> {
    const COUNTS: [[&str; 3]; 9] = [
        ["2", "two", "dos"],
        ["3", "three", "tres"],
        ["4", "four", "cuatro"],
        ["5", "five", "cinco"],
        ["6", "six", "seis"],
        ["7", "seven", "siete"],
        ["8", "eight", "ocho"],
        ["9", "nine", "nueve"],
        ["10", "ten", "diez"],
    ];
    const ENGLISH: &str = "yes ok okay sure to use accept all of the them those these";
    const SPANISH: &str = "sí si a los las todos todas usa acepto anota";
    let mut count = None;
    let (mut is_said, mut is_spanish) = (false, false);
    for word in text.split(' ') {
        let known = |words: &str| words.split(' ').any(|known| known == word);
        match COUNTS.iter().position(|names| names.contains(&word)) {
            Some(at) if count.is_none() => count = Some(at + 2),
            None if known(ENGLISH) => is_said |= matches!(word, "yes" | "use" | "accept" | "all"),
            None if known(SPANISH) => (is_said, is_spanish) = (true, true),
            _ => return None,
        }
    }
    let language = if is_spanish {
        Language::Spanish
    } else {
        Language::English
    };
    count.filter(|_| is_said).map(|count| (Act::Several(count), language))
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
        assert_eq!(of("yes to both"), Some(Act::Several(2)));
        for text in [
            "Yes to all five.",
            "yes, all 5 of them",
            "use all five",
            "sí a los cinco",
        ] {
            assert_eq!(of(text), Some(Act::Several(5)), "{text}");
        }
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

    #[test]
    fn an_act_may_lead_a_message_whose_rest_neither_counts_nor_takes_back() {
        let of = |text| leading_act(text).map(|one| (one.act, one.rest));
        assert_eq!(
            of("Yes. And what is left for me?"),
            Some((Act::Yes, "And what is left for me?"))
        );
        assert_eq!(of("Yes to all. Thank you!"), Some((Act::All, "Thank you!")));
        assert_eq!(
            of("Sí, anótelo. ¿Cuánto necesito para abrir?").map(|one| one.0),
            Some(Act::Yes)
        );
        assert_eq!(of("no, not yet. how do I print this?").map(|one| one.0), Some(Act::No));
        for text in [
            "Yes.",
            "Yes. Rent is 4,000 though.",
            "Yes. But make it five hundred more.",
            "Yes. If it is a month.",
            "Yes to all. Except the rent.",
            "Yes to all. No, wait.",
            "Yes to all. Not the loan.",
            "Yes to all. I don't want the sign.",
            "No. 4,500.",
            "Sí. Pero la renta está mal.",
            "How much is it. Yes.",
            "Yes? Really.",
        ] {
            assert_eq!(of(text), None, "{text}");
        }
    }
}
