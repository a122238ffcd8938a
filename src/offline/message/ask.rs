//! Questions: one field, one sentence, no number in it.

use crate::wording;
use plan_model::field::Field;
use plan_model::language::Language;
use plan_reader::Line;

/// The field that a text of this advisor asks for at its end.
pub(in crate::offline) fn asked(text: &str, fields: &[Field]) -> Option<usize> {
    let text = text.trim_end();
    let ends = |field: &Field| {
        [Language::English, Language::Spanish]
            .into_iter()
            .any(|language| text.ends_with(&wording::question(language, field)))
    };
    fields.iter().position(ends)
}

/// Whether an answer asks back which figure was meant, if behind what it settles.
pub(in crate::offline) fn asks_back(text: &str) -> bool {
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
pub(in crate::offline) fn asks_case(text: &str) -> bool {
    case_asked(text).is_some()
}

/// The case that an answer asks about, in the words of a message: "What if rent per month is $5,000?"
pub(in crate::offline) fn case_asked(text: &str) -> Option<&str> {
    let behind = |language: &Language| {
        let begins = wording::beginning(*language, "unsure.case");
        Some(text.split_once(begins.as_str())?.1)
    };
    let quoted = Language::ALL.iter().find_map(behind)?;
    let quoted = quoted.trim_start_matches(['“', '«']);
    Some(&quoted[..quoted.find(['”', '»'])?])
}

/// Whether an answer shows, keeps or would adopt a case, wherever in it, or asks about one.
pub(in crate::offline) fn shows_case(text: &str) -> bool {
    let keys = ["whatif", "whatif.already", "saved", "ask.adopt", "figure.in_plan"];
    keys.iter().any(|key| wording::shows(text, key)) || asks_case(text)
}

/// Whether an answer asks back whether a line is the one that was meant.
pub(in crate::offline) fn asks_for(text: &str, line: &Line, fields: &[Field]) -> bool {
    said_of(line, "unsure.line", fields).any(|asked| text.contains(&asked))
}

/// The line that a message asks for in the words in which the advisor offers it: "Show me break-even".
pub(in crate::offline) fn line_offered(message: &str, fields: &[Field]) -> Option<Line> {
    if !wording::begins(message.trim(), "s.line") {
        return None;
    }
    let lines = Line::NAMED.iter().map(|(_, line)| line.clone());
    let mut lines = lines.chain(fields.iter().map(|field| Line::Field(field.path.clone())));
    lines.find(|line| said_of(line, "s.line", fields).any(|offered| offered == message.trim()))
}

/// A text with the name of a line, in each language.
fn said_of<'a>(line: &'a Line, key: &'a str, fields: &'a [Field]) -> impl Iterator<Item = String> + 'a {
    Language::ALL.iter().filter_map(move |language| {
        let label = match line {
            Line::Field(path) => {
                let field = fields.iter().find(|field| field.path == *path)?;
                wording::name(*language, field)
            }
            line => wording::line(*language, line.as_str()),
        };
        Some(wording::say(*language, key, &[("label", &label)]))
    })
}

/// Whether an answer compares own money with what opening takes of it.
pub(in crate::offline) fn compares_own_cash(text: &str) -> bool {
    let keys = ["own_cash.short", "own_cash.over", "own_cash.same"];
    keys.iter().any(|key| wording::shows(text, key))
}

/// Whether the answers to a message show that it was understood, if only as a case that is asked about.
pub(in crate::offline) fn are_understood<'t>(answers: impl IntoIterator<Item = &'t str>) -> bool {
    let mut answers = answers.into_iter();
    answers.all(|text| !was_missed(text) || asks_case(text))
}

/// Whether an answer asks which line a product belongs to.
pub(in crate::offline) fn asks_for_line(text: &str) -> bool {
    let ends = |language| text.trim_end().ends_with(&wording::say(language, "estimate.line", &[]));
    Language::ALL.iter().any(|language| ends(*language))
}

/// Whether an answer counts the customers that bring sales at a price.
pub(in crate::offline) fn counts_customers(text: &str) -> bool {
    let is_told = |language: &Language| {
        let slots = ["price", "month", "week", "day"].map(|slot| (slot, "|"));
        let told = wording::say(*language, "goal.customers", &slots);
        told.split('|').nth(1).is_some_and(|words| text.contains(words))
    };
    Language::ALL.iter().any(is_told)
}

/// The price at which an answer counts customers, as it is shown.
pub(in crate::offline) fn price_counted(text: &str) -> Option<&str> {
    let shown = |language: &Language| {
        let slots = ["month", "week", "day"].map(|slot| (slot, ""));
        let told = wording::say(
            *language,
            "goal.customers",
            &[slots.as_slice(), &[("price", "|")]].concat(),
        );
        let (before, behind) = told.split_once('|')?;
        let behind = behind.split_whitespace().next()?;
        let (_, rest) = text.split_once(before)?;
        let price = rest.split_whitespace().next()?;
        rest[price.len()..].trim_start().starts_with(behind).then_some(price)
    };
    Language::ALL.iter().find_map(shown)
}

/// Whether an answer asks what a customer pays.
pub(in crate::offline) fn asks_for_price(text: &str) -> bool {
    ["goal.customers.price", "customers.price"]
        .iter()
        .any(|key| wording::shows(text, key))
}

/// Whether a tool of the server asks for a yes: "This writes 1 value of lean into your plan. Shall I do that?" A message that says more than
/// yes or no drops it.
pub(in crate::offline) fn asks_by_server(answer: &str) -> bool {
    ["ask.adopt", "ask.reset"].iter().any(|key| wording::shows(answer, key))
}

/// Whether an answer ends with a question, or with how to answer one.
pub(in crate::offline) fn asks(text: &str) -> bool {
    text.trim_end().ends_with('?') || asks_back(text) || wording::asks_for_yes(text) || asks_by_server(text)
}

/// Whether an answer of the advisor was a miss: by its first sentence.
pub(in crate::offline) fn was_missed(text: &str) -> bool {
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
