//! Questions: one field, one sentence, no number in it.

use crate::wording;
use plan_model::field::Field;
use plan_model::language::Language;

/// The field that a text of this advisor asks for at its end.
pub(super) fn asked(text: &str, fields: &[Field]) -> Option<usize> {
    let text = text.trim_end();
    let ends = |field: &Field| {
        [Language::English, Language::Spanish]
            .into_iter()
            .any(|language| text.ends_with(&question(language, field)))
    };
    fields.iter().position(ends)
}

/// Asks for a field in plain words. The grammar reads the field back out of the question too: the decision on the answer does not
/// know what was asked.
pub(super) fn question(language: Language, field: &Field) -> String {
    let key = format!("q.{}", field.path);
    if wording::has(&key) {
        return wording::say(language, &key, &[]);
    }
    wording::say(language, "q.other", &[("name", &wording::name(language, field))])
}

/// Whether an answer asks back which figure was meant.
pub(super) fn asks_back(text: &str) -> bool {
    // "¿Es …?", "¿Son los …?"
    let begins = |language, label| {
        let said = wording::say(language, "unsure.line", &[("label", label)]);
        text.starts_with(said.trim_end_matches(['?', ' ']))
    };
    let labels = ["", "los ", "las "];
    Language::ALL
        .iter()
        .any(|language| labels.iter().any(|label| begins(*language, label)))
}

/// Whether an answer asks back whether a case is the one that was meant.
pub(super) fn asks_case(text: &str) -> bool {
    wording::begins(text, "unsure.case")
}

/// Whether the answers to a message show that it was understood, if only as a case that is asked about.
pub(super) fn are_understood<'t>(answers: impl IntoIterator<Item = &'t str>) -> bool {
    let mut answers = answers.into_iter();
    answers.all(|text| !was_missed(text) || asks_case(text))
}

/// Whether an answer asks which line a product belongs to.
pub(super) fn asks_for_line(text: &str) -> bool {
    let ends = |language| text.trim_end().ends_with(&wording::say(language, "estimate.line", &[]));
    Language::ALL.iter().any(|language| ends(*language))
}

/// Whether an answer ends with a question, or with how to answer one.
pub(super) fn asks(text: &str) -> bool {
    text.trim_end().ends_with('?') || asks_back(text) || wording::asks_for_yes(text)
}

/// Whether an answer of the advisor was a miss: by its first sentence.
pub(super) fn was_missed(text: &str) -> bool {
    const MISSES: [&str; 7] = [
        "other",
        "other.number",
        "unsure",
        "whatif.unclear",
        "goal.unclear",
        "estimate.none",
        "define.unknown",
    ];
    let begins = |language| {
        MISSES.iter().any(|key| {
            let said = wording::say(language, key, &[]);
            text.starts_with(said.split(['.', '?']).next().unwrap_or(&said))
        })
    };
    begins(Language::English) || begins(Language::Spanish)
}
