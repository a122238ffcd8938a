//! Messages that answer the advisor's question in their first words and go on: "not sure, what does cost of goods mean?"
//!
//! The rest is read by itself. A yes writes nothing here: where it was to a value that is open, the value is asked about again
//! behind the answer.

use crate::wording;
use plan_model::field::FieldPath;
use plan_reader::{
    Act, Candidate, Heard, Intent, ScenarioAct, Slots, Texts, Understanding, Vocabulary, Wish, understand,
};

mod aside;
mod candidates;

pub(in crate::offline) use aside::{condition, without_aside};
pub(in crate::offline) use candidates::{
    as_named, as_salary, case_in_thousands, in_thousands, is_of_another, is_own_money, without_absurd,
    without_corrected, without_denied, without_months,
};

/// What the first words are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::offline) enum Lead {
    Yes,
    No,
    /// "not sure", "skip that"
    Later,
}

impl Lead {
    /// What the first words say by themselves, where what follows is not understood and a value was asked about.
    pub(in crate::offline) fn alone(self, advisor: Option<&str>) -> Option<Heard> {
        let intent = match self {
            Self::Yes => Intent::Accept,
            Self::No => Intent::Decline,
            Self::Later => return None,
        };
        advisor.filter(|text| wording::asks_for_yes(text))?;
        Some(Heard::known(intent, Slots::default()))
    }
}

/// From this probability on an intent is taken for what was meant.
pub(in crate::offline) const SURE: f32 = 0.6;

/// First words are no longer than this, in bytes.
const LONGEST: usize = 40;

/// The first words of a message and what follows them, where they are an answer by themselves.
pub(in crate::offline) fn split<'a>(message: &'a str, vocabulary: &Vocabulary) -> Option<(Lead, &'a str)> {
    let message = message.trim();
    let ends = message.match_indices(|c: char| ".,;!…\n".contains(c)).map(|(at, _)| at);
    let ends = ends.chain(
        [" but ", " and ", " pero "]
            .iter()
            .filter_map(|word| message.find(word)),
    );
    let mut found = ends.filter(|at| *at <= LONGEST).filter_map(|at| {
        let rest = message[at..].trim_start_matches(|c: char| !c.is_alphanumeric() && c != '¿');
        let lead = lead(&message[..at], vocabulary).filter(|_| rest.contains(' '))?;
        (lead != Lead::No || !agrees(rest)).then_some((lead, rest))
    });
    found.next()
}

/// "No, but yes to the other one", "no. Use the rent": more than a no.
pub(in crate::offline) fn agrees(rest: &str) -> bool {
    wording::says_first(rest, "w.uses") || wording::says(rest, "w.agrees")
}

/// Whether its first word is a no.
pub(in crate::offline) fn begins_with_no(message: &str) -> bool {
    const BEFORE: [&str; 12] = [
        "oh", "ah", "ay", "uh", "um", "hm", "hmm", "well", "wait", "q", "que", "pues",
    ];
    let words = message
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty());
    let first = words
        .map(str::to_lowercase)
        .find(|word| !BEFORE.contains(&word.as_str()));
    first.is_some_and(|first| plan_reader::act(&first).is_some_and(|(act, _)| act == Act::No))
}

/// What follows the no of a message.
pub(in crate::offline) fn behind_no(message: &str) -> &str {
    let first = message.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
    let rest = if first.eq_ignore_ascii_case("no") {
        &message[first.len()..]
    } else {
        message
    };
    rest.trim_start_matches(|c: char| !c.is_alphanumeric())
}

fn lead(words: &str, vocabulary: &Vocabulary) -> Option<Lead> {
    if plan_reader::says_yes(words) {
        return Some(Lead::Yes);
    }
    if plan_reader::act(words).is_some_and(|(act, _)| act == Act::No) {
        return Some(Lead::No);
    }
    // Neither a no nor a yes to what was asked.
    if ["not yet", "todavia no", "aun no"].contains(&&*wording::plain(words)) {
        return Some(Lead::Later);
    }
    match understand(&Texts::of(words), vocabulary).wish? {
        Wish::No => Some(Lead::No),
        Wish::Skip | Wish::Unknown => Some(Lead::Later),
        Wish::Yes | Wish::Why | Wish::Undo => None,
    }
}

/// Whether what follows the first words wants something of its own.
pub(in crate::offline) fn goes_on(rest: &Heard) -> bool {
    let says_nothing = matches!(
        rest.intent,
        Intent::State
            | Intent::Correct
            | Intent::Accept
            | Intent::Decline
            | Intent::Skip
            | Intent::DontKnow
            | Intent::WhyAsk
            | Intent::Undo
            | Intent::Social
            | Intent::Other
    );
    !says_nothing && rest.probability >= SURE
}

/// An answer to the advisor's question that is put as one: "maybe around 45 percent?" It is asked about, as all that is heard.
pub(in crate::offline) fn guess(
    texts: &Texts<'_>,
    understanding: &Understanding,
    asked: &FieldPath,
) -> Option<Candidate> {
    if !understanding.plain.is_empty() || understanding.has_heard() {
        return None;
    }
    let [only] = &understanding.supposed[..] else {
        return None;
    };
    let before = wording::plain(texts.message.get(..only.number.0)?);
    let is_hedge = |word: &str| wording::phrases("w.guess").any(|hedge| hedge == word);
    let choice = only.choices.iter().find(|choice| choice.field == *asked)?;
    before.split_whitespace().all(is_hedge).then(|| Candidate {
        choices: vec![choice.clone()],
        ..only.clone()
    })
}

/// The sentences of a message that has several: each may be understood by itself where the whole is not. The point of "4.200" ends none.
pub(in crate::offline) fn sentences(message: &str) -> impl Iterator<Item = &str> {
    let message = message.trim();
    let mut rest = message;
    std::iter::from_fn(move || {
        let ends = |(at, end): (usize, &str)| {
            let behind = &rest[at + end.len()..];
            behind.starts_with(char::is_whitespace).then_some(at + end.len())
        };
        let end = rest.match_indices(['.', '!', '?', '\n']).find_map(ends);
        let (sentence, behind) = rest.split_at(end.unwrap_or(rest.len()));
        rest = behind.trim_start();
        (!sentence.is_empty() && sentence.len() < message.len()).then_some(sentence)
    })
}

/// Whether a message refuses in so many words: what only sounds like a no to the ear ("perfect, my landlord will laugh") drops nothing.
pub(in crate::offline) fn refuses_in_words(message: &str) -> bool {
    wording::says(message, "w.refuses")
}

/// "Leave it like that in my plan" behind a case adopts it.
pub(in crate::offline) fn leaves_it(texts: &Texts<'_>) -> Option<Heard> {
    const LONGEST: usize = 10;
    let message = texts.message;
    let is_behind_case = texts
        .advisor
        .is_some_and(|text| wording::shows(text, "whatif") || wording::shows(text, "goal.reached"));
    let is_short = message.split_whitespace().count() <= LONGEST && !message.contains(|c: char| c.is_ascii_digit());
    let slots = Slots {
        act: Some(ScenarioAct::Adopt),
        ..Slots::default()
    };
    let takes = ["w.put_it", "w.take_it"].iter().any(|key| wording::says(message, key));
    let denies = wording::says(message, "w.denies");
    let leaves = is_behind_case && is_short && takes && !denies && !message.contains('?');
    leaves.then(|| Heard::known(Intent::Scenario, slots))
}

/// Whether what sounds like taking something back is an order. "Should I undo that?" asks, "don't undo that" forbids, and of "if you did that,
/// undo it" it is not known whether it was done.
pub(in crate::offline) fn tells_to_undo(message: &str) -> bool {
    const ASKS: [&str; 11] = [
        "should", "shall", "what", "why", "how", "when", "did", "was", "debo", "deberia", "debería",
    ];
    const FORBIDS: [&str; 7] = ["don't", "dont", "not", "never", "nunca", "cannot", "can't"];
    const VERBS: [&str; 7] = ["undo", "revert", "take", "put ", "deshac", "deshag", "deshaz"];
    let message = message.to_lowercase().replace('’', "'");
    let words = |text: &str| {
        let words = text.split(|c: char| !(c.is_alphanumeric() || c == '\''));
        words
            .filter(|word| !word.is_empty())
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    let asks = words(&message).first().is_some_and(|first| ASKS.contains(&&**first));
    let is_conditional = wording::says_first(&message, "w.if");
    // "He told me to undo that", "would you undo that if you were me"
    let is_of_others = wording::says(&message, "w.of_others");
    // "That is not right, undo it" forbids nothing: what forbids stands right before the verb.
    let before = VERBS
        .iter()
        .filter_map(|verb| message.find(verb))
        .min()
        .map_or("", |at| &message[..at]);
    let clause = words(before.rsplit([',', '.', '!', ';', ':']).next().unwrap_or_default());
    let forbids = clause.iter().rev().take(2).any(|word| FORBIDS.contains(&&**word));
    // "Undo everything except utilities" is of many, "go back to the first question" of none.
    let is_of_others = is_of_others || wording::says(&message, "w.undoes_other");
    // "Undo the last thing. Actually no, leave it."
    let at = VERBS
        .iter()
        .filter_map(|verb| message.find(verb))
        .min()
        .unwrap_or_default();
    let takes_it_back = wording::says(message.get(at..).unwrap_or_default(), "w.after_all_not");
    // "No, deshaz eso" and "no lo deshagas".
    let is_spanish_no = message.contains("deshag") && clause.iter().any(|word| word == "no");
    !(asks || is_conditional || forbids || is_spanish_no || takes_it_back || is_of_others)
}
