//! What the advisor does not understand.

use crate::offline::situation::Situation;
use crate::offline::step::Step;
use crate::wording;
use plan_model::language::Language;

/// Nothing that is known: near questions instead of a guess, from the second time on the guide.
pub(super) fn other(situation: &Situation<'_>) -> Step {
    let has_number = !situation.understanding.mentions.is_empty();
    let key = if has_number { "other.number" } else { "other" };
    let again = situation.advisor().filter(|text| was_missed(text));
    let again = again.map(|_| situation.say("other.again", &[]));
    let near: &[&str] = match situation.understanding.named.first() {
        Some(path) if path.section() == "financing" => &["s.payment", "s.less_loan", "s.open"],
        Some(path) if path.section() == "revenue" => &["s.more_sales", "s.breakeven", "s.profit"],
        _ => &["s.open", "s.profit", "s.missing"],
    };
    Step::say(
        [situation.say(key, &[]), again.unwrap_or_default()],
        situation.suggest(near),
    )
}

/// Whether an answer of the advisor was one of these.
fn was_missed(text: &str) -> bool {
    let begins = |language| {
        ["other", "other.number"]
            .iter()
            .any(|key| text.starts_with(&wording::say(language, key, &[])))
    };
    begins(Language::English) || begins(Language::Spanish)
}
