//! What was talked about before a message, where the message does not name it itself.

use super::calendar::{self, MONTHS, Time, YEARS};
use super::phrasebook::{lines, words_of_tokens};
use super::slots::Line;
use crate::ear::names::names;
use crate::ear::sentence;
use crate::grammar::{Message, Vocabulary};
use crate::lex::Unit;
use crate::texts::Texts;
use rust_decimal::Decimal;
use rust_decimal::prelude::ToPrimitive;
use std::iter::{once, repeat};

/// What was talked about before a message: "and in year two?"
#[derive(Default)]
pub(crate) struct TalkedAbout<'v> {
    /// The person's last message.
    person: Option<Message<'v>>,
    /// The figures that it and the advisor named, each with where: those of the person first, then those of the advisor's first
    /// sentence.
    pub lines: Vec<(Line, Origin)>,
    /// Places of the fields that they named, in the same order.
    pub fields: Vec<(usize, Origin)>,
    /// The year and the month that they named.
    pub time: Time,
}

/// Where something was named.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Origin {
    Person,
    FirstSentence,
    Behind,
}

impl<'v> TalkedAbout<'v> {
    /// Whether neither a figure nor a field was named.
    pub(crate) fn is_empty(&self) -> bool {
        self.lines.is_empty() && self.fields.is_empty()
    }

    /// Of the last message of each.
    pub(crate) fn of(texts: &Texts<'_>, vocabulary: &'v Vocabulary) -> Self {
        let mut out = Self::default();
        let read = |text: &str| Message::read(&Texts::of(text), vocabulary);
        if let Some(person) = texts.previous_message.map(read) {
            out.hear(&person, [Origin::Person; 2]);
            out.person = Some(person);
        }
        if let Some(advisor) = texts.advisor.map(read) {
            out.hear(&advisor, [Origin::FirstSentence, Origin::Behind]);
        }
        out
    }

    fn hear(&mut self, message: &Message<'_>, [first, behind]: [Origin; 2]) {
        let origins = once(first).chain(repeat(behind));
        for (part, origin) in message.parts.iter().zip(origins) {
            let words = words_of_tokens(&message.tokens[part.sentence.tokens.clone()]);
            for line in lines(&words) {
                if !self.lines.iter().any(|(known, _)| *known == line) {
                    self.lines.push((line, origin));
                }
            }
        }
        let when = calendar::when(message);
        if self.time == (None, None) {
            self.time = (when.year, when.month);
        }
        let end = message.parts.first().map_or(0, |part| part.sentence.tokens.end);
        for name in names(message).into_iter().flatten() {
            let origin = if name.range.start < end { first } else { behind };
            self.fields.push((name.fields[0].0, origin));
        }
    }

    /// The time that was talked about, so many months or years later; `None` outside the plan and without a unit.
    pub(crate) fn later(&self, by: Decimal, unit: Unit) -> Option<Time> {
        let (year, month) = self.time;
        let moved = |from: u8, by: Decimal, most: u8| {
            let moved = Decimal::from(from).checked_add(by)?.to_u8()?;
            (1..=most).contains(&moved).then_some(moved)
        };
        let months = match (year, unit) {
            (Some(year), Unit::Years) => return Some((Some(moved(year, by, YEARS)?), None)),
            (None, Unit::Years) => by.checked_mul(Decimal::from(12))?,
            (_, Unit::Months) => by,
            _ => return None,
        };
        let from = month.or(year.map(|year| year * 12))?;
        Some((None, Some(moved(from, months, MONTHS)?)))
    }

    /// The words of the person's message, as if they were said again: what "and why so high?" is about.
    pub(crate) fn words(&self, kinds: [u32; 4]) -> Vec<u32> {
        let person = self.person.as_ref();
        person.map_or_else(Vec::new, |person| sentence::of_question(person, kinds))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_goes_on_in_its_own_unit_and_ends_with_the_plan() {
        let after = |time, by: i64, unit| {
            let before = TalkedAbout {
                time,
                ..TalkedAbout::default()
            };
            before.later(by.into(), unit)
        };
        let (year, month) = (|year| (Some(year), None), |month| (None, Some(month)));
        assert_eq!(after(year(2), 1, Unit::Years), Some(year(3)));
        assert_eq!(
            after(year(2), 6, Unit::Months),
            Some(month(30)),
            "six months after year 2"
        );
        assert_eq!(after(month(8), 6, Unit::Months), Some(month(14)));
        assert_eq!(after(month(8), 1, Unit::Years), Some(month(20)));
        assert_eq!(after(month(8), -8, Unit::Months), None);
        assert_eq!(after(year(5), 1, Unit::Years), None);
        assert_eq!(after(month(60), i64::MAX, Unit::Years), None);
        assert_eq!(after(month(8), 6, Unit::Bare), None);
        assert_eq!(after((None, None), 6, Unit::Months), None, "nothing was talked about");
    }
}
