//! Messages that answer the advisor's question in their first words and go on: "not sure, what does cost of goods mean?"
//!
//! The rest is read by itself. A yes writes nothing here: where it was to a value that is open, the value is asked about again
//! behind the answer.

use crate::wording;
use plan_model::field::FieldPath;
use plan_reader::{
    Act, Candidate, Heard, Intent, Line, ScenarioAct, Slots, Texts, Understanding, Vocabulary, Wish, understand,
};

mod candidates;

pub(super) use candidates::{in_thousands, is_of_another, is_own_money, without_absurd, without_denied};

/// What the first words are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Lead {
    Yes,
    No,
    /// "not sure", "skip that"
    Later,
}

impl Lead {
    /// What the first words say by themselves, where what follows is not understood and a value was asked about.
    pub(super) fn alone(self, advisor: Option<&str>) -> Option<Heard> {
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
pub(super) const SURE: f32 = 0.6;

/// First words are no longer than this, in bytes.
const LONGEST: usize = 40;

/// The first words of a message and what follows them, where they are an answer by themselves.
pub(super) fn split<'a>(message: &'a str, vocabulary: &Vocabulary) -> Option<(Lead, &'a str)> {
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
pub(super) fn agrees(rest: &str) -> bool {
    wording::says_first(rest, "w.uses") || wording::says(rest, "w.agrees")
}

/// What follows the no of a message.
pub(super) fn behind_no(message: &str) -> &str {
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
    match understand(&Texts::of(words), vocabulary).wish? {
        Wish::No => Some(Lead::No),
        Wish::Skip | Wish::Unknown => Some(Lead::Later),
        Wish::Yes | Wish::Why | Wish::Undo => None,
    }
}

/// Whether what follows the first words wants something of its own.
pub(super) fn goes_on(rest: &Heard) -> bool {
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
pub(super) fn guess(texts: &Texts<'_>, understanding: &Understanding, asked: &FieldPath) -> Option<Candidate> {
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

/// The questions of a message that says more: each may be understood by itself where the whole is not.
pub(super) fn questions(message: &str) -> impl Iterator<Item = &str> {
    let sentences = message.split_inclusive(['.', '!', '?', '\n']).map(str::trim);
    let count = message
        .trim_end_matches(['.', '!', '?', '\n'])
        .matches(['.', '!', '?', '\n'])
        .count();
    sentences.filter(move |sentence| count > 0 && sentence.ends_with('?'))
}

/// "How do you get to 281,500?", "de dónde sale ese 90": nothing but a question for where a number comes from, which states none.
pub(super) fn asks_for_origin(message: &str) -> bool {
    let asks = message.trim().trim_start_matches('¿');
    let is_one = !asks.trim_end_matches(['?', '.', '!']).contains([';', '\n', '!', '?']) && !asks.contains(". ");
    is_one && wording::says_first(asks, "w.origin")
}

/// "Adopt 80 dogs", "save that as 80 dogs": as the advisor says how to keep a case, whatever the name is. Behind a case "leave it like
/// that" adopts it.
pub(super) fn of_cases(texts: &Texts<'_>) -> Option<Heard> {
    const LONGEST: usize = 8;
    const MOST_WORDS: usize = 4;
    let message = texts.message.trim();
    let act = |act, name: Option<String>| {
        let act = Some(act);
        Heard::known(
            Intent::Scenario,
            Slots {
                act,
                name,
                ..Slots::default()
            },
        )
    };
    let lower = message.to_lowercase();
    let called = wording::says_first(message, "w.saves") && wording::says(message, "w.called");
    let phrases = if called { "w.called" } else { "w.save_as" };
    let named = wording::phrases(phrases).find_map(|phrase| {
        let name = message.get(lower.find(phrase)? + phrase.len()..)?;
        // "Save that as lean and then compare it"
        let until = wording::phrases("w.then").filter_map(|join| name.find(join)).min();
        let name = name[..until.unwrap_or(name.len())].trim_matches(|c: char| !c.is_alphanumeric());
        let is_name = name.split_whitespace().count() <= MOST_WORDS && !name.contains([',', ';', '.', '?', '\n']);
        let goes_on = [" and ", " y "].iter().any(|join| name.contains(join));
        (!name.is_empty() && is_name && !goes_on).then(|| name.to_owned())
    });
    let keeps = called && !message.contains(|c: char| c.is_ascii_digit());
    if named.is_some() && (keeps || wording::says_first(message, "w.save_as")) {
        return Some(act(ScenarioAct::Save, named));
    }
    let is_behind_case = texts.advisor.is_some_and(|text| wording::begins(text, "whatif"));
    // "Guárdame ese caso pa compararlo con el mío": its name is asked for.
    let keeps_it =
        is_behind_case && wording::says_first(message, "w.saves") && !message.contains(|c: char| c.is_ascii_digit());
    if keeps_it && !wording::says(message, "w.this_plan") && !wording::says(message, "w.save_as") {
        return Some(act(ScenarioAct::Save, None));
    }
    let is_short = message.split_whitespace().count() <= LONGEST && !message.contains(|c: char| c.is_ascii_digit());
    let leaves_it = is_behind_case && is_short && wording::says(message, "w.put_it") && !message.contains('?');
    (wording::says(message, "w.adopt") || leaves_it).then(|| act(ScenarioAct::Adopt, None))
}

/// "Whats dscr", "qué es la regalía": a term and nothing else. With "the" it is asked how much it is: "what's the royalty".
pub(super) fn of_meaning(message: &str) -> Option<Heard> {
    const ASKS: [&str; 5] = ["whats ", "what s ", "what is ", "que es ", "que son "];
    let said = wording::plain(message);
    let term = ASKS.iter().find_map(|asks| said.strip_prefix(asks))?;
    let asks_how_much = message.to_lowercase().contains(" the ");
    let slots = Slots {
        term: Some(term.to_owned()),
        ..Slots::default()
    };
    (!asks_how_much && wording::is_term(term)).then(|| Heard::known(Intent::Define, slots))
}

/// "How many dogs a week do I need to break even?", "how many customers is that?" behind it: break-even sales, in customers.
pub(super) fn of_customers(texts: &Texts<'_>) -> Option<Heard> {
    const TIMES: [&str; 6] = ["month", "year", "week", "mes", "ano", "semana"];
    let plain = wording::plain(texts.message);
    let counted = wording::phrases("w.how_many").find_map(|words| Some(plain.split_once(&*wording::plain(words))?.1));
    let counted = counted.filter(|counted| !TIMES.iter().any(|time| counted.trim_start().starts_with(time)))?;
    let is_behind = texts
        .advisor
        .is_some_and(|text| wording::begins(text, "figure.breakEvenSales"));
    let is_meant = wording::says(texts.message, "w.break_even") || is_behind && counted.trim_start().contains(' ');
    let slots = Slots {
        metric: Some(Line::BreakEvenSales),
        ..Slots::default()
    };
    is_meant.then(|| Heard::known(Intent::Goal, slots))
}

/// "316 mil? ¿De dónde sale tanto?", "I only told you 75k, where is the rest from?" behind what opening takes: its parts.
pub(super) fn of_opening(texts: &Texts<'_>) -> Option<Heard> {
    let shows = |key: &str| {
        texts
            .advisor
            .is_some_and(|text| text.split("\n\n").any(|part| wording::begins(part, key)))
    };
    let is_behind = ["own_cash", "figure.moneyToOpen"].iter().any(|key| shows(key));
    let slots = || Slots {
        line: Some(Line::MoneyToOpen),
        ..Slots::default()
    };
    (is_behind && wording::says(texts.message, "w.all_parts")).then(|| Heard::known(Intent::Figure, slots()))
}
