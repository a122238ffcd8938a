//! What the franchisee wants.

use super::phrases;
use super::situation::Situation;
use crate::extraction::{Doubts, Link, Origin, Span, agrees, convert, is_no};
use crate::model::extracted::Confidence;
use crate::model::number::Number;

/// A value to be recorded.
#[derive(Debug, Clone, PartialEq)]
pub struct Statement {
    pub field: usize,
    pub value: Number,
    pub confidence: Confidence,
    pub quote: String,
}

/// Something said that is not recorded, and why.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Aside {
    Others,
    Past,
    Foreign,
    Shared,
    Change,
    Unclear,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Intent {
    /// Values, and numbers that are none.
    Record(Vec<Statement>, Vec<(Aside, Option<usize>)>),
    /// "what if rent is 5,000": fields with values.
    WhatIf(Vec<(usize, Number)>),
    /// The advisor asked, the answer is no.
    Refuse,
    /// Fields to reset; none means all.
    Reset(Vec<usize>),
    ClearConversation,
    Missing,
    Results,
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
}

/// Reads the request for what it wants.
#[must_use]
pub fn of(situation: &Situation<'_>) -> Intent {
    let said = Said::new(situation.message());
    let reading = situation.reading();
    if reading.spans.iter().any(|span| span.doubts.has(Doubts::INSTRUCTED)) || said.is_about_internals() {
        return Intent::Fixed(Topic::Internals);
    }
    if let Some(agreed) = agreed(situation) {
        return Intent::Record(vec![agreed], Vec::new());
    }
    let (statements, asides) = statements(situation);
    let named: Vec<usize> = reading
        .mentions
        .iter()
        .filter_map(|mention| mention.fields.first().copied())
        .collect();
    if statements.is_empty() {
        let supposed = supposed(situation);
        if !supposed.is_empty() && !said.wants_advice() {
            return Intent::WhatIf(supposed);
        }
        if let Some(intent) = said.wish(&named) {
            return intent;
        }
        if is_no(situation.message()) && situation.advisor().is_some_and(|text| text.contains('?')) {
            return Intent::Refuse;
        }
    }
    if !statements.is_empty() || !asides.is_empty() {
        return Intent::Record(statements, asides);
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

/// "yes" to a number the advisor named, or to a question about what was said before.
fn agreed(situation: &Situation<'_>) -> Option<Statement> {
    let heard = situation.heard();
    let yes = agrees(situation.message());
    let clarified = heard.parts.iter().find(|part| part.origin == Origin::PreviousMessage);
    let named = heard
        .parts
        .iter()
        .find(|part| part.origin == Origin::Advisor)
        .filter(|_| yes);
    for part in [
        named,
        clarified.filter(|_| yes || !situation.reading().periods.is_empty()),
    ]
    .into_iter()
    .flatten()
    {
        let span = part
            .reading
            .spans
            .iter()
            .rev()
            .find(|span| span.field().is_some() || !heard.asked.is_empty());
        let found = span.and_then(|span| {
            let field = span.field().or_else(|| heard.asked.first().copied())?;
            let value = convert::values(span, &situation.fields[field]).first().copied()?;
            let confidence = if span.doubts.is_none() {
                Confidence::High
            } else {
                Confidence::Tentative
            };
            Some(Statement {
                field,
                value,
                confidence,
                quote: situation.message().chars().take(200).collect(),
            })
        });
        if found.is_some() {
            return found;
        }
    }
    None
}

const UNSAID: Doubts = Doubts::QUESTION.with(Doubts::CONDITIONAL);

fn statements(situation: &Situation<'_>) -> (Vec<Statement>, Vec<(Aside, Option<usize>)>) {
    let reading = situation.reading();
    let (mut out, mut asides) = (Vec::new(), Vec::new());
    for span in &reading.spans {
        if span.link == Link::Elsewhere && span.doubts.has(Doubts::RELATIVE) && !span.doubts.has(UNSAID) {
            asides.push((Aside::Change, None));
        }
        let Some(field) = span.field().or_else(|| expected(situation, span)) else {
            continue;
        };
        if span.doubts.has(UNSAID) || span.doubts.has(Doubts::NEGATED.with(Doubts::REPLACED)) {
            continue;
        }
        if let Some(aside) = aside(span) {
            asides.push((aside, Some(field)));
            continue;
        }
        match statement(situation, span, field) {
            Some(statement) => out.push(statement),
            None => asides.push((Aside::Unclear, Some(field))),
        }
    }
    for denial in reading
        .denials
        .iter()
        .filter(|denial| !denial.doubts.has(UNSAID.with(Doubts::OTHERS).with(Doubts::PAST)))
    {
        let Some(&field) = denial.fields.first() else { continue };
        let quote = situation.message()[denial.start..denial.end]
            .chars()
            .take(200)
            .collect();
        out.push(Statement {
            field,
            value: Number::ZERO,
            confidence: Confidence::Tentative,
            quote,
        });
    }
    (out, asides)
}

/// Why a number is not this plan's value, or not yet.
fn aside(span: &Span) -> Option<Aside> {
    let has = |doubts: Doubts| span.doubts.has(doubts);
    if has(Doubts::OTHERS) {
        Some(Aside::Others)
    } else if has(Doubts::PAST.with(Doubts::WAS)) {
        Some(Aside::Past)
    } else if has(Doubts::FOREIGN) {
        Some(Aside::Foreign)
    } else if has(Doubts::SHARED) {
        Some(Aside::Shared)
    } else {
        has(Doubts::RELATIVE).then_some(Aside::Change)
    }
}

fn statement(situation: &Situation<'_>, span: &Span, field: usize) -> Option<Statement> {
    let values = convert::values(span, &situation.fields[field]);
    let value = *values.first()?;
    let exact = span.doubts.is_none() && values.len() == 1;
    let quote = situation.message()[span.clause.0..span.clause.1]
        .chars()
        .take(200)
        .collect();
    Some(Statement {
        field,
        value,
        confidence: if exact { Confidence::High } else { Confidence::Tentative },
        quote,
    })
}

/// The field a number without a name answers: what was just asked for, or what is being corrected.
fn expected(situation: &Situation<'_>, span: &Span) -> Option<usize> {
    if span.link != Link::Free
        || situation
            .reading()
            .spans
            .iter()
            .filter(|span| span.link == Link::Free)
            .count()
            > 2
    {
        return None;
    }
    let heard = situation.heard();
    let fits = |field: &&usize| !convert::values(span, &situation.fields[**field]).is_empty();
    let noted = heard
        .noted
        .iter()
        .filter(|field| !heard.asked.contains(field))
        .find(fits);
    let asked = heard.asked.iter().find(fits);
    if situation.reading().corrections.is_empty() {
        asked
    } else {
        noted.or(asked)
    }
    .copied()
}

/// Values of a question or a condition.
fn supposed(situation: &Situation<'_>) -> Vec<(usize, Number)> {
    let spans = situation
        .reading()
        .spans
        .iter()
        .filter(|span| span.doubts.has(UNSAID) && !span.doubts.has(Doubts::OTHERS));
    spans
        .filter_map(|span| {
            let field = span.field()?;
            Some((field, *convert::values(span, &situation.fields[field]).first()?))
        })
        .take(20)
        .collect()
}

/// The message in plain lower-case words between blanks.
struct Said(String);

impl Said {
    fn new(text: &str) -> Self {
        let text = text.to_lowercase().replace('’', "'");
        let words: Vec<&str> = text
            .split(|c: char| !(c.is_alphanumeric() || c == '\''))
            .filter(|word| !word.is_empty())
            .take(200)
            .collect();
        Self(format!(" {} ", words.join(" ")))
    }

    /// Whether one of the phrases, parted by bars, occurs as whole words.
    fn any(&self, phrases: &str) -> bool {
        phrases.split('|').any(|phrase| {
            self.0.match_indices(phrase).any(|(at, _)| {
                let end = at + phrase.len();
                self.0.as_bytes()[at - usize::from(at > 0)] == b' '
                    && self.0.as_bytes().get(end).is_none_or(|byte| *byte == b' ')
            })
        })
    }

    fn is_about_internals(&self) -> bool {
        self.any(phrases::INTERNALS)
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
        if self.wants_advice() {
            return Some(Intent::Advice(named()));
        }
        if self.any(phrases::RESULTS) && !self.any("target pre tax profit|profit goal|target profit") {
            return Some(Intent::Results);
        }
        if self.any(phrases::STATUS) {
            return Some(Intent::Status);
        }
        self.topic().map(Intent::Fixed)
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
