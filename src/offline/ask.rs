//! Questions: one field, one sentence, no number in it.

use crate::wording;
use plan_model::field::Field;
use plan_model::language::Language;
use plan_reader::Line;

/// The field that a text of this advisor asks for at its end.
pub(super) fn asked(text: &str, fields: &[Field]) -> Option<usize> {
    let text = text.trim_end();
    let ends = |field: &Field| {
        [Language::English, Language::Spanish]
            .into_iter()
            .any(|language| text.ends_with(&wording::question(language, field)))
    };
    fields.iter().position(ends)
}

/// Whether an answer asks back which figure was meant, if behind what it settles.
pub(super) fn asks_back(text: &str) -> bool {
    // "¿Es …?", "¿Son los …?"
    let begins = |language, label| {
        let said = wording::say(language, "unsure.line", &[("label", label)]);
        text.contains(said.trim_end_matches(['?', ' ']))
    };
    let labels = ["", "los ", "las "];
    Language::ALL
        .iter()
        .any(|language| labels.iter().any(|label| begins(*language, label)))
}

/// Whether an answer asks back whether a case is the one that was meant.
pub(super) fn asks_case(text: &str) -> bool {
    let begins = |language: &Language| text.contains(&wording::beginning(*language, "unsure.case"));
    Language::ALL.iter().any(begins)
}

/// Whether an answer shows or keeps a case, or asks about one.
pub(super) fn shows_case(text: &str) -> bool {
    let begins = |part: &str| {
        ["whatif", "whatif.already", "saved"]
            .iter()
            .any(|key| wording::begins(part, key))
            || asks_case(part)
    };
    text.split("\n\n").any(begins)
}

/// Whether an answer asks back whether a line is the one that was meant.
pub(super) fn asks_for(text: &str, line: &Line, fields: &[Field]) -> bool {
    Language::ALL.iter().any(|language| {
        let label = match line {
            Line::Field(path) => fields
                .iter()
                .find(|field| field.path == *path)
                .map(|field| wording::name(*language, field)),
            line => Some(wording::line(*language, line.as_str())),
        };
        label.is_some_and(|label| text.contains(&wording::say(*language, "unsure.line", &[("label", &label)])))
    })
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

/// Whether an answer asks what a customer pays.
pub(super) fn asks_for_price(text: &str) -> bool {
    let asks = |language: &Language| text.contains(&wording::say(*language, "goal.customers.price", &[]));
    Language::ALL.iter().any(asks)
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
