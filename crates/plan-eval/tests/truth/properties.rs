//! What holds for every call, every reviewer and every message that real ones can be made into.

use super::numbers::{Counted, is_said, numbers};
use super::{Case, Plan, SUITES, Speaker, as_called};
use plan_model::field::{Field, FieldPath, catalogue};
use plan_model::number::Number;
use plan_reader::review::{self, Verdict};
use plan_reader::{Decision, Outcome, Texts, understand};
use proptest::prelude::*;
use proptest::sample::Index;
use proptest::test_runner::RngSeed;
use rust_decimal::Decimal;
use std::sync::LazyLock;

static PLAN: LazyLock<Plan> = LazyLock::new(Plan::demo);

/// The messages that the grammar may be tuned to, so that a failure may print one.
static CASES: LazyLock<Vec<Case>> = LazyLock::new(|| {
    let read = |(_, suite): (&str, &str)| Case::read(suite).expect("a suite");
    SUITES.into_iter().flat_map(read).collect()
});

/// Messages of parts that lean on each other, where leaving one out changes what the rest means.
const LINKED: [&str; 14] = [
    "Our rent is 4,200 a month.",
    "Royalty is 6%, ad fund is 2%",
    "The loan is 280k over ten years at 9.5%",
    "rent is 4,200, no wait, 4,500",
    "Manager salary is 48,000 a year, starting month 7",
    "insurance 800 a month, supplies 300 a month",
    "Put the build-out at $140,000 please",
    "Rent is 4,200 a month. Sorry, I meant 4,500.",
    "Insurance is 5,400 a year. Sorry, 4,800.",
    "insurance 520 a month\n*420",
    "Rent is 4,200 a month. Scratch that. It is 4,500 a month.",
    "The tech fee went from 299 to 339 a month.",
    "electric 310 water 90 gas 120 thats every utility we got per month",
    "Lease is 6,000 a month. So for now it's the full 6,000.",
];

/// Words of statements, to be put together at random.
const WORDS: [&str; 60] = [
    "rent",
    "is",
    "the",
    "our",
    "a",
    "month",
    "year",
    "per",
    "4,200",
    "$4,200",
    "50,400",
    "6%",
    "six",
    "percent",
    "royalty",
    "loan",
    "280k",
    "at",
    "over",
    "ten",
    "years",
    "no",
    "not",
    "sorry",
    "I",
    "meant",
    "wait",
    "4,500",
    "insurance",
    "and",
    "but",
    ",",
    ".",
    "?",
    "\n",
    "for",
    "of",
    "we",
    "pay",
    "put",
    "to",
    "in",
    "total",
    "each",
    "manager",
    "starts",
    "month 4",
    "draw",
    "yes",
    "hundred",
    "thousand",
    "two",
    "3x",
    "multiple",
    "labor",
    "33",
    "of sales",
    "if",
    "maybe",
    "9,600",
];

/// Turns that plainly state a value.
static PLAIN: LazyLock<Vec<Words>> = LazyLock::new(|| {
    // The linked ones count as often as all others together.
    let linked = LINKED.iter().cycle().take(200).map(|message| Words::of(message));
    let all = CASES.iter().map(words).chain(linked);
    all.filter(|words| !stated(words).is_empty()).collect()
});

/// The words of a turn.
#[derive(Clone, Debug)]
struct Words {
    message: String,
    previous: Option<String>,
    advisor: Option<String>,
}

impl Words {
    fn of(message: &str) -> Self {
        Self {
            message: message.to_owned(),
            previous: None,
            advisor: None,
        }
    }

    /// The number finder of these tests knows English number words only.
    fn is_spanish(&self) -> bool {
        let all = format!(" {} ", self.all().to_lowercase());
        [" de ", " del ", " que ", " el ", " es ", " por "]
            .iter()
            .any(|word| all.contains(word))
    }

    fn texts(&self) -> Texts<'_> {
        Texts {
            message: &self.message,
            previous_message: self.previous.as_deref(),
            advisor: self.advisor.as_deref(),
            asked: None,
            about: None,
        }
    }

    fn all(&self) -> String {
        let earlier = [&self.previous, &self.advisor].into_iter().flatten();
        earlier
            .chain([&self.message])
            .map(String::as_str)
            .collect::<Vec<_>>()
            .join("\n")
    }

    /// What may hold a number: the message; where it has none, what it may agree to or complete.
    fn that_count(&self) -> String {
        match numbers(&self.message).is_empty() {
            true => self.all(),
            false => self.message.clone(),
        }
    }
}

fn words(case: &Case) -> Words {
    let last = |speaker| case.last(speaker).map(str::to_owned);
    Words {
        message: case.message.clone(),
        previous: last(Speaker::User),
        advisor: last(Speaker::Assistant),
    }
}

fn stated(words: &Words) -> Vec<(String, Number)> {
    let understood = understand(&words.texts(), &PLAN.vocabulary);
    understood
        .plain
        .into_iter()
        .map(|one| (one.field.to_string(), one.value))
        .collect()
}

/// A change to a message: what, where, and with what of another one.
type Change = (u8, Index, Index);

/// Puts pieces of another message into this one, or leaves some out.
fn changed(message: &str, other: &str, (kind, at, with): Change) -> String {
    let separator = if kind % 2 == 0 { " " } else { "\n" };
    let mut mine: Vec<&str> = message.split(separator).collect();
    let others: Vec<&str> = other.split(separator).collect();
    let (at, piece) = (at.index(mine.len()), others[with.index(others.len())]);
    match kind / 2 {
        0 => mine[at] = piece,
        1 => mine.insert(at, piece),
        2 => drop(mine.remove(at)),
        3 => mine.swap(at, with.index(message.split(separator).count())),
        4 => mine.extend(others),
        _ => mine.truncate(at + 1),
    }
    mine.join(separator)
}

/// A real turn with up to four changes and the case that it was made from; or words of statements at random.
fn turn() -> impl Strategy<Value = (&'static Case, Words)> {
    let changes = prop::collection::vec((0u8..12, any::<Index>(), any::<Index>()), 0..4);
    let case = || any::<Index>().prop_map(|at| &CASES[at.index(CASES.len())]);
    let random = prop::collection::vec(prop::sample::select(WORDS.as_slice()), 1..14).prop_map(|words| words.join(" "));
    let random = prop_oneof![4 => Just(None), 1 => random.prop_map(Some)];
    (case(), case(), changes, random).prop_map(|(case, other, changes, random)| {
        let mut words = random.map_or_else(|| words(case), |message| Words::of(&message));
        for change in changes {
            words.message = changed(&words.message, &other.message, change);
        }
        (case, words)
    })
}

/// The parts of an arbitrary call.
type CallParts = (
    u8,
    Index,
    Index,
    (i64, i64),
    Option<&'static str>,
    Option<&'static str>,
    Option<(Index, Index)>,
);

fn call_parts() -> impl Strategy<Value = CallParts> {
    let some = |names: &'static [&'static str]| prop::option::weighted(0.2, prop::sample::select(names));
    (
        0u8..9,
        any::<Index>(),
        any::<Index>(),
        (
            -2i64..400_000,
            prop::sample::select(vec![100, 100, 200, 50, 1_200, 110]),
        ),
        some(&[
            "dollars", "percent", "months", "years", "weeks", "days", "count", "multiple",
        ]),
        some(&["once", "weekly", "biweekly", "monthly", "quarterly", "annual"]),
        prop::option::weighted(0.3, (any::<Index>(), any::<Index>())),
    )
}

/// A call of a labeled value or a trap of the case, of a number of the message, or of any number.
fn call(case: &Case, words: &Words, parts: CallParts) -> (&'static Field, Counted, String) {
    let (kind, first, second, (any_value, factor), unit, period, quote) = parts;
    let labels = case.labels.iter().map(|one| (&one.field, one.value));
    let labeled: Vec<_> = labels
        .chain(case.traps.iter().map(|one| (&one.field, one.value)))
        .collect();
    let named = |path: &FieldPath| catalogue().iter().find(|field| field.path == *path).expect("a field");
    let known = labeled.get(first.index(labeled.len().max(1))).copied();
    let field = match known.filter(|_| kind < 7) {
        Some((path, _)) => named(path),
        None => &catalogue()[second.index(catalogue().len())],
    };
    let said = numbers(&words.message);
    let said = said
        .get(second.index(said.len().max(1)))
        .and_then(|values| values.first());
    let number = said.copied().filter(|_| kind < 8).unwrap_or_else(|| any_value.into()) * Decimal::new(factor, 2);
    let mut arguments = match known.filter(|_| kind < 4) {
        Some((path, value)) => serde_json::from_str(&as_called(path, value).expect("a field")).expect("JSON"),
        None => serde_json::json!({"path": field.path, "value": number.normalize(), "confidence": "high"}),
    };
    if let Some(unit) = unit.filter(|_| kind >= 4) {
        arguments["unit"] = unit.into();
    }
    if let Some(period) = period.filter(|_| kind % 2 == 0) {
        arguments["period"] = period.into();
    }
    if let Some((from, to)) = quote {
        let ends: Vec<usize> = words
            .message
            .char_indices()
            .map(|(at, _)| at)
            .chain([words.message.len()])
            .collect();
        let (from, to) = (ends[from.index(ends.len())], ends[to.index(ends.len())]);
        arguments["quote"] = words.message[from.min(to)..from.max(to)].into();
    }
    let text = |name: &str| arguments[name].as_str().unwrap_or_default().to_owned();
    let counted = Counted {
        unit: text("unit"),
        period: text("period"),
    };
    (field, counted, arguments.to_string())
}

fn verdict() -> impl Strategy<Value = Verdict> {
    prop::sample::select(vec![Verdict::Stated, Verdict::Stated, Verdict::Stated, Verdict::Wrong])
}

/// The same cases in every run, because what judges them is a number finder with mistakes of its own; others with
/// `PROPTEST_RNG_SEED`.
fn config() -> ProptestConfig {
    let standard = ProptestConfig::default();
    ProptestConfig {
        cases: 2_000,
        failure_persistence: None,
        rng_seed: match standard.rng_seed {
            RngSeed::Random => RngSeed::Fixed(1),
            chosen @ RngSeed::Fixed(_) => chosen,
        },
        ..standard
    }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn only_numbers_that_were_said_are_applied((case, words) in turn(), parts in call_parts(), verdict in verdict()) {
        prop_assume!(!words.is_spanish());
        let (field, counted, arguments) = call(case, &words, parts);
        if let Ok(decision) = PLAN.decide(&words.texts(), &arguments) {
            let decision = decision.reviewed(verdict);
            let value = decision.value.decimal();
            let is_said = || is_said(value, field, &counted, &words.that_count(), &words.all());
            prop_assert!(decision.outcome != Outcome::Apply || is_said(), "{words:?}\n{arguments}\n{decision:?}");
        }
    }

    #[test]
    fn an_unknown_word_never_turns_a_plain_value_into_another(
        at in any::<Index>(),
        place in any::<Index>(),
        word in "[b-df-hj-np-tv-xz]{4,9}q",
    ) {
        let mut words = PLAIN[at.index(PLAIN.len())].clone();
        let before = stated(&words);
        let gaps = words.message.match_indices(char::is_whitespace).map(|(at, _)| at);
        let gaps: Vec<usize> = gaps.chain([0, words.message.len()]).collect();
        words.message.insert_str(gaps[place.index(gaps.len())], &format!(" {word} "));
        for value in stated(&words) {
            prop_assert!(before.contains(&value), "{words:?}: {value:?} instead of {before:?}");
        }
    }

    #[test]
    fn what_is_plain_is_a_number_of_the_words_and_stands_where_it_says((_, words) in turn()) {
        let texts = words.texts();
        for one in understand(&texts, &PLAN.vocabulary).plain {
            let text = texts.text(one.source);
            prop_assert!(text.get(one.start..one.end).is_some() && text.get(one.number.0..one.number.1).is_some());
            let field = catalogue().iter().find(|field| field.path == one.field).expect("a field");
            let is_said = is_said(one.value.decimal(), field, &Counted::default(), &words.that_count(), &words.all());
            prop_assert!(is_said, "{words:?} {one:?}");
        }
    }

    /// Whatever a reviewer answers: a claim is applied only where a line of the answer begins with its number and says `stated`.
    #[test]
    fn a_reviewer_applies_only_what_it_was_asked_about(
        (_, words) in turn(),
        calls in prop::collection::vec(call_parts(), 1..6),
        lines in prop::collection::vec(prop_oneof!["\\PC{0,40}", "(claim |- |\\*\\*)?[0-9]{1,2}[ .:)=]{1,2}(stated|unsure|wrong|Stated|yes)( \\PC{0,9})?"], 0..8),
    ) {
        let answer = lines.join("\n");
        let decisions: Vec<Decision> = calls
            .into_iter()
            .filter_map(|parts| PLAN.decide(&words.texts(), &call(&CASES[0], &words, parts).2).ok())
            .collect();
        let asked: Vec<usize> = (0..decisions.len()).filter(|at| decisions[*at].outcome == Outcome::NeedsReview).collect();
        let verdicts = review::parse(&answer, asked.len());
        prop_assert_eq!(verdicts.len(), asked.len());
        for (number, (at, verdict)) in (1_usize..).zip(asked.iter().zip(verdicts)) {
            let says_so = |line: &str| {
                let digits: String = line.chars().skip_while(|c| !c.is_ascii_digit()).take_while(char::is_ascii_digit).collect();
                digits.parse() == Ok(number) && line.to_lowercase().contains("stated")
            };
            let applied = decisions[*at].clone().reviewed(verdict).outcome == Outcome::Apply;
            prop_assert!(!applied || answer.lines().any(says_so), "claim {number} by {answer:?}");
        }
        // What was refused or proposed before the second look stays so.
        for decision in decisions.iter().filter(|one| one.outcome == Outcome::Propose) {
            prop_assert_eq!(decision.clone().reviewed(Verdict::Stated).outcome, Outcome::Propose);
        }
    }
}
