//! What the franchisee wants.

use crate::offline::phrases::{self, Words};
use crate::offline::scenario_wish::{self, ScenarioWish};
use crate::offline::situation::Situation;
use plan_model::extracted::Confidence;
use plan_model::field::FieldPath;
use plan_model::metrics::{METRICS, Metric};
use plan_model::number::Number;
use plan_reader::{IgnoredNumber, Understanding, Wish};

/// A value to be recorded.
#[derive(Debug, Clone, PartialEq)]
pub struct Statement {
    pub field: usize,
    pub value: Number,
    pub confidence: Confidence,
    pub quote: String,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Intent {
    /// Values, and numbers that are none.
    Record(Vec<Statement>, Vec<(IgnoredNumber, Option<usize>)>),
    /// "what if rent is 5,000": fields with values.
    WhatIf(Vec<(usize, Number)>),
    /// "save it as lean": the name, and the case that was asked about before.
    Save(Option<String>, Vec<(usize, Number)>),
    /// Names of scenarios; none means the newest.
    Compare(Vec<String>),
    /// The name of a scenario; empty means the only one.
    Adopt(String),
    /// What moves the results most.
    Levers,
    /// The advisor asked, the answer is no.
    Refuse,
    /// "I don't know" or "skip": the question is left for later.
    Later,
    /// "why do you ask?": of the field that was asked for.
    Why(usize),
    /// "undo that"
    Undo,
    /// Fields to reset; none means all.
    Reset(Vec<usize>),
    ClearConversation,
    Missing,
    Results,
    /// "what is loan coverage?": the key in `metrics`.
    Metric(&'static str),
    /// The range, the value or the meaning of fields.
    About(Vec<usize>),
    /// Wants a number from us.
    Advice(Vec<usize>),
    Status,
    Fixed(Topic),
    /// Nothing we know.
    Unknown,
}

/// Subjects with one answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Topic {
    Identity,
    Greeting,
    Help,
    Thanks,
    Privacy,
    Counsel,
    Expansion,
    OtherPeople,
    Internals,
    Performance,
    Item7,
}

/// Reads the request for what it wants.
pub fn of(situation: &Situation<'_>) -> Intent {
    let said = Words::new(situation.message());
    if said.is_about_internals() {
        return Intent::Fixed(Topic::Internals);
    }
    let understood = &situation.understanding;
    let named: Vec<usize> = understood
        .named
        .iter()
        .filter_map(|path| situation.position(path))
        .collect();
    if let Some(corrected) = &situation.corrected {
        let statements = stated(situation, corrected, Confidence::Tentative);
        if !statements.is_empty() {
            return Intent::Record(statements, Vec::new());
        }
    }
    if understood.plain.is_empty() {
        if let Some(wish) = scenario_wish::wish(situation.message()).filter(|_| !said.any(phrases::OTHER_PEOPLE)) {
            return match wish {
                ScenarioWish::Save(name) => Intent::Save(name, Vec::new()),
                ScenarioWish::Compare(names) => Intent::Compare(names),
                ScenarioWish::Adopt(name) => Intent::Adopt(name),
            };
        }
        if said.supposes() && !said.wants_advice() {
            let of_case = situation.supposed.as_ref().unwrap_or(understood);
            let choices = of_case.candidates.iter().filter_map(|one| one.choices.first());
            let supposed = choices.filter_map(|choice| Some((situation.position(&choice.field)?, choice.value)));
            let supposed: Vec<(usize, Number)> = supposed.take(20).collect();
            if !supposed.is_empty() {
                return Intent::WhatIf(supposed);
            }
        }
        if understood.wish == Some(Wish::Undo) {
            return Intent::Undo;
        }
        let why = situation.asked.filter(|_| understood.wish == Some(Wish::Why));
        if let Some(field) = why {
            return Intent::Why(field);
        }
        if let Some(intent) = said.wish(&named) {
            return intent;
        }
        if let Some(intent) = short(situation) {
            return intent;
        }
    }
    let line = named.first().copied();
    let ignored: Vec<(IgnoredNumber, Option<usize>)> = understood.ignored.iter().map(|aside| (*aside, line)).collect();
    let statements = stated(situation, understood, Confidence::High);
    if !statements.is_empty() || !ignored.is_empty() {
        return Intent::Record(statements, ignored);
    }
    if let Some(topic) = said.topic() {
        return Intent::Fixed(topic);
    }
    if named.is_empty() {
        Intent::Unknown
    } else {
        Intent::About(named)
    }
}

/// Whether the message asks what a word means, rather than for a value.
pub fn asks_meaning(message: &str) -> bool {
    let said = Words::new(message);
    said.any("mean|means|meaning|stand for|stands for|explain|define")
}

/// Whether the message supposes fewer people.
pub fn is_about_one_less(message: &str) -> bool {
    Words::new(message).any(phrases::ONE_LESS)
}

/// An answer without a number to a question of the advisor.
fn short(situation: &Situation<'_>) -> Option<Intent> {
    situation.advisor().filter(|text| text.contains('?'))?;
    match situation.understanding.wish? {
        Wish::No => Some(Intent::Refuse),
        Wish::Unknown | Wish::Skip => Some(Intent::Later),
        Wish::Yes | Wish::Why | Wish::Undo => None,
    }
}

/// What is plainly stated, with the given confidence; then what has to be asked back, each number with its likeliest field.
fn stated(situation: &Situation<'_>, understood: &Understanding, plain: Confidence) -> Vec<Statement> {
    let statement = |field: &FieldPath, value, confidence, (source, start, end)| {
        Some(Statement {
            field: situation.position(field)?,
            value,
            confidence,
            quote: situation.quote(source, start, end),
        })
    };
    let plain = understood
        .plain
        .iter()
        .filter_map(|one| statement(&one.field, one.value, plain, (one.source, one.start, one.end)));
    let heard = understood.candidates.iter().filter_map(|one| {
        let choice = one.choices.first()?;
        let place = (one.source, one.start, one.end);
        statement(&choice.field, choice.value, Confidence::Tentative, place)
    });
    plain.chain(heard).collect()
}

impl Words {
    fn is_about_internals(&self) -> bool {
        self.any(phrases::INTERNALS)
    }

    /// A question or a condition.
    fn supposes(&self) -> bool {
        self.any(phrases::SUPPOSES)
    }

    fn wants_advice(&self) -> bool {
        let ask = self.any(phrases::ADVICE);
        ask && !self.any("range|item 7")
    }

    fn wish(&self, named: &[usize]) -> Option<Intent> {
        let named = || named.to_vec();
        if self.any(phrases::CLEAR) {
            return Some(Intent::ClearConversation);
        }
        if self.any(phrases::RESET) {
            return Some(Intent::Reset(named()));
        }
        let performance = self.any(phrases::PERFORMANCE);
        if performance {
            return Some(Intent::Fixed(Topic::Performance));
        }
        if self.any(phrases::MISSING) {
            return Some(Intent::Missing);
        }
        if let Some(topic) = self
            .topic()
            .filter(|topic| matches!(topic, Topic::Expansion | Topic::Counsel | Topic::OtherPeople))
        {
            return Some(Intent::Fixed(topic));
        }
        if self.subject() == Some("item 7") {
            return Some(Intent::Fixed(Topic::Item7));
        }
        if self.wants_advice() {
            return Some(Intent::Advice(named()));
        }
        if self.any(phrases::LEVERS) {
            return Some(Intent::Levers);
        }
        if let Some(metric) = self.metric().filter(|_| named().len() != 1) {
            return Some(Intent::Metric(metric.name));
        }
        if self.any(phrases::RESULTS) && !self.any("target pre tax profit|profit goal|target profit") {
            return Some(Intent::Results);
        }
        if self.any(phrases::STATUS) {
            return Some(Intent::Status);
        }
        self.topic().map(Intent::Fixed)
    }

    /// What is asked about, with nothing else in the message.
    fn subject(&self) -> Option<&str> {
        let words = self.0.trim();
        let begin = phrases::MEANING
            .split('|')
            .find_map(|phrase| words.strip_prefix(phrase))?;
        Some(begin.trim().trim_end_matches(" mean").trim_start_matches("the "))
    }

    /// The key figure whose meaning is asked for.
    fn metric(&self) -> Option<&'static Metric> {
        let subject = self.subject()?;
        METRICS
            .iter()
            .find(|metric| metric.aliases().any(|alias| alias == subject))
    }

    fn topic(&self) -> Option<Topic> {
        let words = self.0.split_whitespace().count();
        if self.any(phrases::IDENTITY) {
            Some(Topic::Identity)
        } else if self.any(phrases::PRIVACY) {
            Some(Topic::Privacy)
        } else if self.any(phrases::EXPANSION) {
            Some(Topic::Expansion)
        } else if self.any(phrases::OTHER_PEOPLE) {
            Some(Topic::OtherPeople)
        } else if self.any(phrases::COUNSEL) {
            Some(Topic::Counsel)
        } else if self.any(phrases::THANKS) && words <= 8 {
            Some(Topic::Thanks)
        } else if self.any(phrases::HELP) {
            Some(Topic::Help)
        } else {
            (self.any(phrases::GREETING) && words <= 6).then_some(Topic::Greeting)
        }
    }
}
