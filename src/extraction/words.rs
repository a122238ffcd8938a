//! The words that count: what the user said now, what they said before when this answers a question about it, and a number the
//! advisor named when the user plainly agreed to it.

use super::agree::{agrees, is_no};
use super::doubt::Doubts;
use super::reading::{Reading, Span, read};
use super::unit::{Period, Unit};
use crate::model::field::Field;
use std::sync::OnceLock;

/// The texts of one turn. Read once, with the fields of the turn's plan, however many calls are judged.
#[derive(Debug, Default)]
pub struct Words<'a> {
    pub message: &'a str,
    /// The user's message before this one.
    pub previous_message: Option<&'a str>,
    /// What the advisor answered to it.
    pub advisor: Option<&'a str>,
    heard: OnceLock<Heard>,
}

/// Where a number was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Origin {
    PreviousMessage,
    /// Named by the advisor, agreed to by the user.
    Advisor,
    Message,
}

/// One text that counts.
#[derive(Debug)]
pub struct Part {
    pub origin: Origin,
    pub reading: Reading,
}

/// Everything that counts in this turn.
#[derive(Debug, Default)]
pub struct Heard {
    /// The latest first.
    pub parts: Vec<Part>,
    /// Fields that the advisor's last question names.
    pub asked: Vec<usize>,
    /// Fields that the advisor's last text gives a number of, which a correction may mean.
    pub noted: Vec<usize>,
}

impl<'a> Words<'a> {
    #[must_use]
    pub fn new(message: &'a str, previous_message: Option<&'a str>, advisor: Option<&'a str>) -> Self {
        Self {
            message,
            previous_message,
            advisor,
            heard: OnceLock::new(),
        }
    }

    /// Reads what counts.
    pub fn heard(&self, fields: &[Field]) -> &Heard {
        self.heard.get_or_init(|| self.listen(fields))
    }

    /// The text an origin stands for.
    #[must_use]
    pub fn text(&self, origin: Origin) -> &'a str {
        match origin {
            Origin::Message => self.message,
            Origin::PreviousMessage => self.previous_message.unwrap_or_default(),
            Origin::Advisor => self.advisor.unwrap_or_default(),
        }
    }

    fn listen(&self, fields: &[Field]) -> Heard {
        let message = read(self.message, fields);
        let question = self.advisor.and_then(last_question);
        let asked_of = question.map(|(text, _)| read(text, fields));
        let mut heard = Heard::default();
        if let Some(asked) = &asked_of {
            heard.asked = asked
                .mentions
                .iter()
                .flat_map(|mention| mention.fields.iter().copied())
                .collect();
        }
        if !message.corrections.is_empty() {
            let said = self.advisor.map(|text| read(text, fields));
            heard.noted = said
                .iter()
                .flat_map(|said| said.spans.iter().filter_map(Span::field))
                .collect();
        }
        let answers = question.is_some() && is_short_answer(self.message, &message);
        let previous = self.previous_message.filter(|_| answers && !message.asks);
        let agreed = self.advisor.filter(|_| agrees(self.message));
        if let Some(text) = previous {
            let mut reading = read(text, fields);
            let said = message.periods.first().copied();
            let offered =
                asked_of
                    .as_ref()
                    .filter(|_| agrees(self.message))
                    .and_then(|asked| match asked.periods[..] {
                        [period] => Some(period),
                        _ => None,
                    });
            clarify(&mut reading, said.or(offered), is_no(first_word(self.message)));
            heard.parts.push(Part {
                origin: Origin::PreviousMessage,
                reading,
            });
        }
        if let Some(text) = agreed {
            heard.parts.push(Part {
                origin: Origin::Advisor,
                reading: named(text, question.map_or(0, |(_, start)| start), fields),
            });
        }
        heard.parts.insert(
            0,
            Part {
                origin: Origin::Message,
                reading: message,
            },
        );
        heard
    }
}

/// The last sentence with a question mark, and where it begins.
fn last_question(text: &str) -> Option<(&str, usize)> {
    let end = text.rfind('?')?;
    let bytes = text.as_bytes();
    let ends = |i: usize| {
        matches!(bytes[i], b'!' | b'?' | b'\n')
            || (bytes[i] == b'.' && bytes.get(i + 1).is_none_or(u8::is_ascii_whitespace))
    };
    let start = (0..end).rev().find(|&i| ends(i)).map_or(0, |i| i + 1);
    Some((&text[start..=end], start))
}

/// Few words and no number of its own: "yes, monthly", "a year", "that's right".
fn is_short_answer(text: &str, reading: &Reading) -> bool {
    reading.spans.is_empty() && text.split_whitespace().take(9).count() <= 8
}

fn first_word(text: &str) -> &str {
    text.trim_start()
        .split(|c: char| !c.is_alphanumeric())
        .next()
        .unwrap_or_default()
}

/// A period that was asked for completes amounts that had none; a bare "no" leaves them in doubt.
fn clarify(reading: &mut Reading, period: Option<Period>, refused: bool) {
    for span in &mut reading.spans {
        let money = matches!(span.unit, Unit::Money | Unit::Bare);
        match period {
            Some(_) if money && span.period.is_none() => span.period = period,
            Some(_) => {}
            None if refused => span.doubts.add(Doubts::NEGATED),
            None => {}
        }
    }
}

/// The number the advisor named last: in its question, or before it when the question has none.
fn named(text: &str, question: usize, fields: &[Field]) -> Reading {
    let mut reading = read(text, fields);
    let in_question = |span: &&Span| span.start >= question;
    let asked: Vec<&Span> = reading.spans.iter().filter(in_question).collect();
    let last = match asked.as_slice() {
        [] => reading.spans.last().filter(|span| span.field().is_some()).cloned(),
        [first, rest @ ..] => {
            let mut chosen = (*first).clone();
            if rest.iter().any(|other| other.value != chosen.value) {
                chosen.doubts.add(Doubts::CONTESTED);
            }
            Some(chosen)
        }
    };
    reading.spans = last
        .into_iter()
        .map(|mut span| {
            span.doubts = span
                .doubts
                .without(Doubts::QUESTION.with(Doubts::CONDITIONAL).with(Doubts::OTHERS));
            span
        })
        .collect();
    reading.denials.clear();
    reading
}
