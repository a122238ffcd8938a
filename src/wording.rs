//! What the advisor without a model and the server itself say, as data: one file a language, a line a text.
//!
//! `key: text with {slots}`. A test holds the languages to the same keys and slots.

use plan_engine::labels::Labels;
use plan_engine::lines;
use plan_model::field::{self, Field, FieldRole};
use plan_model::language::{Language, without_accent};
use plan_model::number::Number;
use std::collections::HashMap;
use std::sync::LazyLock;

mod remarks;
pub(crate) use remarks::{broken, is_below_one, is_negative, next_question, out_of_range, question};

type Texts = HashMap<&'static str, &'static str>;

static EN: LazyLock<Texts> = LazyLock::new(|| read(include_str!("wording/en.txt")));
static ES: LazyLock<Texts> = LazyLock::new(|| read(include_str!("wording/es.txt")));
static ES_HELP: LazyLock<Texts> = LazyLock::new(|| read(include_str!("wording/es-help.txt")));
static TERMS: LazyLock<Vec<(&str, &str)>> = LazyLock::new(|| {
    let lines = read(include_str!("wording/terms.txt")).into_iter();
    let mut names: Vec<(&str, &str)> = lines
        .flat_map(|(key, names)| names.split('|').map(move |name| (name, key)))
        .collect();
    names.sort_by_key(|(name, _)| (std::cmp::Reverse(name.len()), *name));
    names
});
static ES_NAMES: LazyLock<Texts> = LazyLock::new(|| read(include_str!("wording/es-names.txt")));

fn read(file: &'static str) -> Texts {
    let lines = file
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines.filter_map(|line| line.split_once(": ")).collect()
}

/// A text with its slots filled; empty for a key that there is not.
pub(crate) fn say(language: Language, key: &str, slots: &[(&str, &str)]) -> String {
    let texts = match language {
        Language::English => &EN,
        Language::Spanish => &ES,
    };
    let mut text = texts.get(key).copied().unwrap_or_default().to_owned();
    for (slot, value) in slots {
        text = text.replace(&format!("{{{slot}}}"), value);
    }
    agreeing(text, slots)
}

/// Verbs of Spanish texts: the slot, and what fills it for one and for many.
const VERBS: [[&str; 3]; 3] = [
    ["{es}", "es", "son"],
    ["{Es}", "Es", "Son"],
    ["{está}", "está", "están"],
];

/// The verbs of a text in the number of what it is about: "la renta es", "los seguros son".
fn agreeing(text: String, slots: &[(&str, &str)]) -> String {
    let mut about = slots.iter().filter(|(slot, _)| matches!(*slot, "name" | "label"));
    let is_many = about.next().is_some_and(|(_, name)| {
        let name = name.to_lowercase();
        name.starts_with("los ") || name.starts_with("las ")
    });
    VERBS.iter().fold(text, |text, [slot, one, many]| {
        text.replace(slot, if is_many { many } else { one })
    })
}

/// The term of the glossary with the longest name that stands in a text, by the key of its text. The text has one blank between words.
pub(crate) fn term(text: &str) -> Option<&'static str> {
    let text = format!(" {text} ");
    let mut names = TERMS.iter();
    names
        .find(|(name, _)| text.contains(&format!(" {name} ")))
        .map(|(_, key)| *key)
}

/// Whether a text is the name of a term.
pub(crate) fn is_term(name: &str) -> bool {
    TERMS.iter().any(|(known, _)| *known == name)
}

/// Lower case without accents, one blank between words, without an article.
pub(crate) fn plain(term: &str) -> String {
    let lower: String = term.to_lowercase().chars().map(without_accent).collect();
    let words: Vec<&str> = lower
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty() && !["the", "a", "an", "el", "la", "un", "una"].contains(word))
        .collect();
    words.join(" ")
}

/// The phrases of a key in all languages, which bars part.
pub(crate) fn phrases(key: &str) -> impl Iterator<Item = &'static str> {
    let texts = [&EN, &ES].map(|texts| texts.get(key).copied().unwrap_or_default());
    texts
        .into_iter()
        .flat_map(|text| text.split('|'))
        .filter(|phrase| !phrase.is_empty())
}

/// What a text of this key begins with, before its first slot.
pub(crate) fn beginning(language: Language, key: &str) -> String {
    let text = say(language, key, &[]);
    text.split('{').next().unwrap_or_default().to_owned()
}

/// Whether an answer begins as the text of a key does, in any language.
pub(crate) fn begins(answer: &str, key: &str) -> bool {
    Language::ALL
        .iter()
        .any(|language| answer.starts_with(&beginning(*language, key)))
}

/// Whether the text of a key stands in an answer, wherever, in any language: all that is fixed in it, in its order.
pub(crate) fn shows(answer: &str, key: &str) -> bool {
    let stands = |language: &Language| {
        let text = say(*language, key, &[]);
        debug_assert!(!text.is_empty(), "no text of {key}");
        let fixed = text
            .split('{')
            .map(|part| part.split_once('}').map_or(part, |(_, fixed)| fixed));
        let behind = |rest: &'_ str, fixed: &str| Some(rest.find(fixed)?.saturating_add(fixed.len()));
        let mut at = 0;
        fixed.filter(|fixed| !fixed.is_empty()).all(|fixed| {
            let found = answer.get(at..).and_then(|rest| behind(rest, fixed));
            at = at.saturating_add(found.unwrap_or_default());
            found.is_some()
        })
    };
    Language::ALL.iter().any(stands)
}

/// The language of an answer that ends by asking for a yes to all, or for names.
pub(crate) fn asks_for_names(answer: &str) -> Option<Language> {
    let ends = |language: &&Language| answer.trim_end().ends_with(&say(**language, "all_or_name", &[]));
    Language::ALL.iter().find(ends).copied()
}

/// Whether an answer ends by asking for a yes to values.
pub(crate) fn asks_for_yes(answer: &str) -> bool {
    let answer = answer.trim_end();
    let asks_one = |language: &Language| {
        let question = answer.rsplit_once(&beginning(*language, "confirm"));
        question.is_some_and(|(_, rest)| rest.ends_with('?'))
    };
    Language::ALL.iter().any(asks_one) || asks_for_names(answer).is_some()
}

/// The name of a monthly amount as a sum over a time: "rent", of "rent per month".
pub(crate) fn over_time(language: Language, name: &str) -> &str {
    name.strip_suffix(&say(language, "w.per_month", &[]))
        .map_or(name, str::trim_end)
}

/// Whether a message has one of the phrases of a key.
pub(crate) fn says(message: &str, key: &str) -> bool {
    let message = message.to_lowercase();
    phrases(key).any(|phrase| contains(&message, phrase))
}

/// A message in lower case behind the "and" that it begins with; `None` where it begins otherwise.
pub(crate) fn behind_and(message: &str) -> Option<String> {
    let said = message.trim_start_matches('¿').to_lowercase();
    let mut joins = ["and ", "n ", "y "].iter();
    joins.find_map(|join| said.strip_prefix(join)).map(str::to_owned)
}

/// Whether a message begins with one of the phrases of a key.
pub(crate) fn says_first(message: &str, key: &str) -> bool {
    let message = message.trim_start().to_lowercase();
    phrases(key).any(|phrase| {
        let rest = message.strip_prefix(phrase);
        rest.is_some_and(|rest| !rest.starts_with(char::is_alphanumeric))
    })
}

/// Whether a phrase occurs as whole words.
pub(crate) fn contains(message: &str, phrase: &str) -> bool {
    // "32hrs", "18/h"
    let is_joined = |c: Option<char>| {
        c.is_some_and(|c| c.is_alphabetic() || phrase.starts_with(|c: char| c.is_ascii_digit()) && c.is_numeric())
    };
    let begins = phrase.starts_with(char::is_alphanumeric);
    message.match_indices(phrase).any(|(at, found)| {
        let (before, after) = (&message[..at], &message[at + found.len()..]);
        let is_begun = !begins || !is_joined(before.chars().next_back());
        is_begun && after.chars().next().is_none_or(|c| !c.is_alphanumeric())
    })
}

/// Whether there is a text of this key.
pub(crate) fn has(key: &str) -> bool {
    EN.contains_key(key)
}

/// What tables are labeled with.
pub(crate) fn labels(language: Language) -> Labels {
    match language {
        Language::English => Labels::ENGLISH,
        Language::Spanish => Labels {
            language,
            metric_name: |key| ES_NAMES.get(key).map(|name| sentence(without_article(name))),
            metric_help: help,
        },
    }
}

/// A Spanish name as it stands alone: "renta por mes" of "la renta por mes".
fn without_article(name: &str) -> &str {
    let articles = ["el ", "la ", "los ", "las "];
    articles
        .iter()
        .find_map(|article| name.strip_prefix(article))
        .unwrap_or(name)
}

/// The name of a field inside a sentence.
pub(crate) fn name(language: Language, field: &Field) -> String {
    match language {
        Language::English => field.name_in_sentence(),
        Language::Spanish => named(language, field.path.as_str(), || field.name_in_sentence()),
    }
}

/// The name of a line or a field, by its key.
pub(crate) fn named(language: Language, key: &str, english: impl FnOnce() -> String) -> String {
    match language {
        Language::English => english(),
        Language::Spanish => {
            let name = field::spanish(key).map(|words| words.name);
            name.or_else(|| ES_NAMES.get(key).copied())
                .map_or_else(english, str::to_owned)
        }
    }
}

/// The name of a figure of the projection, by its key.
pub(crate) fn line(language: Language, key: &str) -> String {
    named(language, key, || {
        lines::find(key)
            .map_or("the biggest cost", |line| line.label)
            .to_owned()
    })
}

/// What a field is called, plain, the longest first: its name, without "per month" too, its label and its aliases.
pub(crate) fn names(field: &Field) -> Vec<String> {
    let own = Language::ALL.iter().flat_map(|language| {
        let name = name(*language, field);
        let short = over_time(*language, &name).to_owned();
        [name, short]
    });
    let aliases = field.aliases.iter().map(ToString::to_string);
    let all = own.chain([field.label.to_string()]).chain(aliases);
    let mut names: Vec<String> = all.map(|name| plain(&name)).filter(|name| !name.is_empty()).collect();
    names.sort_by_key(|name| std::cmp::Reverse(name.len()));
    names.dedup();
    names
}

/// A value of a field as it is spoken of: the number of a month is "month 13", not "13 months".
pub(crate) fn value(language: Language, field: &Field, value: Number) -> String {
    let shown = match field.role {
        FieldRole::StartMonth => format!("month {value}"),
        _ => field.kind.show(value),
    };
    figure(language, &shown)
}

/// The same of a value that was written before.
pub(crate) fn shown(language: Language, field: &Field, shown: &str) -> String {
    let number = shown.split(' ').next().unwrap_or_default();
    match field.role {
        FieldRole::StartMonth => figure(language, &format!("month {number}")),
        _ => figure(language, shown),
    }
}

/// What a field or a result means, in Spanish.
pub(crate) fn help(key: &str) -> Option<&'static str> {
    field::spanish(key)
        .map(|words| words.help)
        .or_else(|| ES_HELP.get(key).copied())
}

/// A value in the language's units: "18 meses", "mes 13".
pub(crate) fn figure(language: Language, shown: &str) -> String {
    if language == Language::English {
        return shown.to_owned();
    }
    let units = [
        (" months", " meses"),
        (" month", " mes"),
        ("month ", "mes "),
        (" years", " años"),
        (" year", " año"),
        (" days", " días"),
        (" day", " día"),
        ("not covered", "sin cubrir"),
    ];
    let found = units.iter().find(|(english, _)| shown.contains(english));
    found.map_or_else(
        || shown.to_owned(),
        |(english, spanish)| shown.replacen(english, spanish, 1),
    )
}

/// "a", "a and b", "a, b and c".
pub(crate) fn list(language: Language, items: &[String]) -> String {
    let and = match language {
        Language::English => "and",
        Language::Spanish => "y",
    };
    match items {
        [] => String::new(),
        [only] => only.clone(),
        [head @ .., last] => format!("{} {and} {last}", head.join(", ")),
    }
}

/// The first letter large.
pub(crate) fn sentence(text: &str) -> String {
    let mut chars = text.chars();
    chars
        .next()
        .map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}

/// The question whose yes writes a value.
pub(crate) fn confirm(language: Language, value: &str, name: &str) -> String {
    say(language, "confirm", &[("value", value), ("name", name)])
}

#[cfg(test)]
mod tests {
    use super::*;
    use plan_engine::lines::LINES;
    use std::collections::BTreeSet;

    fn slots(text: &str) -> BTreeSet<&str> {
        let parts = text.split('{').skip(1);
        parts
            .filter_map(|part| part.split_once('}').map(|(slot, _)| slot))
            .collect()
    }

    #[test]
    fn both_languages_have_the_same_texts_with_the_same_slots() {
        let keys: BTreeSet<_> = EN.keys().collect();
        assert_eq!(keys, ES.keys().collect());
        for key in keys {
            let mut spanish = slots(ES[key]);
            spanish.retain(|slot| !VERBS.iter().any(|[verb, ..]| verb.trim_matches(['{', '}']) == *slot));
            assert_eq!(slots(EN[key]), spanish, "{key}");
        }
        for (file, texts) in [
            (include_str!("wording/en.txt"), &EN),
            (include_str!("wording/es.txt"), &ES),
        ] {
            let lines = file
                .lines()
                .filter(|line| !line.trim().is_empty() && !line.starts_with('#'));
            assert_eq!(lines.count(), texts.len(), "a key twice, or a line without one");
        }
    }

    #[test]
    fn each_line_has_a_spanish_name() {
        for key in LINES.iter().map(|line| line.name).chain(["biggestCost", "writtenOff"]) {
            assert!(ES_NAMES.contains_key(key), "{key}");
        }
    }

    #[test]
    fn the_compliance_sentence_is_the_one_that_a_model_is_told() {
        assert_eq!(say(Language::English, "footer", &[]), plan_engine::describe::FOOTER);
    }

    #[test]
    fn slots_are_filled_and_values_are_said_in_the_units_of_the_language() {
        assert_eq!(
            confirm(Language::English, "$4,200", "rent per month"),
            "Shall I write down $4,200 for rent per month?"
        );
        assert_eq!(figure(Language::Spanish, "18 months"), "18 meses");
        assert_eq!(figure(Language::Spanish, "1 month"), "1 mes");
        assert_eq!(figure(Language::Spanish, "month 13"), "mes 13");
        assert_eq!(figure(Language::Spanish, "$4,200"), "$4,200");
        assert_eq!(list(Language::Spanish, &["a".into(), "b".into()]), "a y b");
    }

    #[test]
    fn each_term_has_its_text_and_each_name_one_term() {
        let mut seen = std::collections::HashSet::new();
        for (name, key) in TERMS.iter() {
            assert!(has(&format!("term.{key}")), "{key} has no text");
            assert!(seen.insert(*name), "{name} stands for two terms");
        }
        let texts = EN.keys().filter_map(|key| key.strip_prefix("term."));
        texts.for_each(|key| assert!(TERMS.iter().any(|(_, of)| *of == key), "{key} has no name"));
        assert_eq!(term("so what is the protected territory then"), Some("territory"));
        assert_eq!(term("qué es eso"), None);
    }
}
