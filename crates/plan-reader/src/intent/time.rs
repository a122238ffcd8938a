//! The year or month that a question is about, learned: of the numbers, ordinals and words that can be times, and of the time that was
//! talked about before, the one that is meant, or none.

use super::Intent;
use super::calendar::{MONTHS, Time, YEARS, is_unit, nth, tens};
use super::line::class_of;
use super::phrasebook::CHANGES;
use super::slots::Line;
use super::talked_about::TalkedAbout;
use crate::ear::candidates::LOOKED_AT;
use crate::ear::linear::hash;
use crate::ear::sentence::MOST_WORDS;
use crate::ear::words::{root, word};
use crate::ear::{Ear, concepts};
use crate::grammar::Message;
use crate::lex::{Amount, Unit};
use rust_decimal::Decimal;
use rust_decimal::prelude::ToPrimitive;
use std::ops::Range;

/// How a time is said; behind the other classes of the ways of numbers.
#[derive(Clone, Copy)]
enum Said {
    /// Not at all.
    Not = 20,
    /// A number of a year.
    Year,
    /// A number of a month.
    Month,
    /// So many years from the opening.
    AfterYears,
    /// "Two years and three months in".
    AfterBoth,
    /// The plan's end.
    LastYear,
    LastMonth,
    /// Its beginning.
    FirstYear,
    FirstMonth,
    /// "After a year".
    Twelfth,
    /// What was talked about.
    Before,
    /// "And the year after?"
    Next,
    Previous,
    /// "And six months later?"
    Later,
    Sooner,
    YearLater,
    YearSooner,
}

/// A question, ready to be looked through for its time.
pub(crate) struct TimeQuestion<'m> {
    message: &'m Message<'m>,
    intent: Intent,
    line: Option<&'m Line>,
    before: &'m TalkedAbout<'m>,
    /// Its numbers and ordinals that can be times, in their order.
    mentions: Vec<SaidTime>,
}

/// A time that may be meant: its class, and what speaks for it.
pub(crate) struct TimeChoice {
    pub time: Time,
    pub class: u8,
    pub features: Vec<u32>,
}

/// A number that can be a time, or part of one.
struct SaidTime {
    tokens: Range<usize>,
    value: Decimal,
    unit: Unit,
}

impl<'m> TimeQuestion<'m> {
    pub(crate) fn of(
        message: &'m Message<'m>,
        intent: Intent,
        line: Option<&'m Line>,
        before: &'m TalkedAbout<'m>,
    ) -> Self {
        Self {
            mentions: mentions(message),
            message,
            intent,
            line,
            before,
        }
    }

    /// The time that is meant, and how likely it is that one.
    pub(crate) fn answer(&self, ear: &Ear) -> (Time, f32) {
        let choices = self.choices();
        let likely = ear.ways.choose(
            &self.features(),
            choices.iter().map(|one| (one.class, one.features.as_slice())),
        );
        let same = |time: Time| {
            let all = choices.iter().zip(&likely);
            let same = all.filter(|(one, _)| is_same(self.line, one.time, time));
            same.map(|(_, likely)| likely).sum::<f32>()
        };
        // Of those that are one for the figure the first.
        let all = choices.iter().rev().map(|one| (one.time, same(one.time)));
        let most = all.max_by(|(_, one), (_, other)| one.total_cmp(other));
        most.unwrap_or(((None, None), 0.0))
    }

    /// What describes the question, whatever time it is about.
    pub(crate) fn features(&self) -> Vec<u32> {
        let line = self.line_class();
        let count = self.mentions.len().min(3) as u32;
        vec![
            hash(200, line, self.intent as u32),
            hash(201, self.before_kind(), line),
            hash(202, self.before_kind(), count << 4 | self.length()),
            hash(203, count, self.intent as u32),
        ]
    }

    fn length(&self) -> u32 {
        self.message.tokens.len().min(12) as u32 / 3
    }

    /// What the words say of a time that is no number.
    fn of_words(&self, said: Said) -> Vec<u32> {
        let tokens = &self.message.tokens[..self.message.tokens.len().min(MOST_WORDS)];
        let said = said as u32;
        let mut out = vec![
            hash(211, said, self.before_kind() << 4 | self.length()),
            hash(212, said, self.line_class()),
        ];
        for (at, token) in tokens.iter().enumerate() {
            out.push(hash(204, word(token), said));
            out.push(hash(
                205,
                hash(0, word(token), tokens.get(at + 1).map_or(1, word)),
                said,
            ));
            out.push(hash(206, root(token), said));
            out.extend(concepts::of(token).iter().map(|one| hash(207, u32::from(*one), said)));
        }
        out
    }

    fn line_class(&self) -> u32 {
        u32::from(class_of(self.line))
    }

    /// Which times were talked about before, 0 for none.
    fn before_kind(&self) -> u32 {
        let (year, month) = self.before.time;
        u32::from(year.is_some()) | u32::from(month.is_some()) << 1
    }

    /// Every time that can be meant, none of them first.
    pub(crate) fn choices(&self) -> Vec<TimeChoice> {
        let mentions = &self.mentions;
        let count = mentions.len().min(3) as u32;
        let mut out = Vec::new();
        let mut push = |said: Said, time: Time, features: Vec<u32>| {
            out.push(TimeChoice {
                time,
                class: said as u8,
                features,
            });
        };
        push(Said::Not, (None, None), vec![hash(210, count, self.intent as u32)]);
        for (nth, mention) in mentions.iter().enumerate() {
            let place = u32::from(nth == 0) | u32::from(nth + 1 == mentions.len()) << 1;
            let features = |said| self.of_mention(mention, said, place);
            let whole = mention.value.to_u8().filter(|whole| mention.value == (*whole).into());
            if let Some(year) = whole.filter(|year| (1..=YEARS).contains(year)) {
                push(Said::Year, (Some(year), None), features(Said::Year));
            }
            if let Some(month) = whole.filter(|month| (1..=MONTHS).contains(month)) {
                push(Said::Month, (None, Some(month)), features(Said::Month));
            }
            let months = mention
                .value
                .checked_mul(Decimal::from(12))
                .filter(|_| mention.unit == Unit::Years);
            let months = months.and_then(|months| months.to_u8());
            if let Some(months) = months.filter(|months| (1..=MONTHS).contains(months)) {
                push(Said::AfterYears, (None, Some(months)), features(Said::AfterYears));
                let more = mentions.get(nth + 1).filter(|more| more.unit == Unit::Months);
                let more = more.and_then(|more| months.checked_add(more.value.to_u8()?));
                if let Some(both) = more.filter(|both| *both <= MONTHS) {
                    push(Said::AfterBoth, (None, Some(both)), features(Said::AfterBoth));
                }
            }
        }
        for (nth, mention) in mentions.iter().enumerate() {
            let place = u32::from(nth == 0) | u32::from(nth + 1 == mentions.len()) << 1;
            for (said, sign) in [(Said::Later, 1), (Said::Sooner, -1)] {
                if let Some(time) = self.before.later(mention.value * Decimal::from(sign), mention.unit) {
                    push(said, time, self.of_mention(mention, said, place));
                }
            }
        }
        let fixed = [
            (Said::LastYear, (Some(YEARS), None)),
            (Said::LastMonth, (None, Some(MONTHS))),
            (Said::FirstYear, (Some(1), None)),
            (Said::FirstMonth, (None, Some(1))),
            (Said::Twelfth, (None, Some(12))),
        ];
        for (said, time) in fixed {
            push(said, time, self.of_words(said));
        }
        let (year, month) = self.before.time;
        // What was talked about of a year goes on by years, else by months.
        let unit = if year.is_some() { Unit::Years } else { Unit::Months };
        let moves = [
            (Said::Before, 0, unit),
            (Said::Next, 1, unit),
            (Said::Previous, -1, unit),
            (Said::YearLater, 1, Unit::Years),
            (Said::YearSooner, -1, Unit::Years),
        ];
        for (said, by, unit) in moves {
            let is_known = matches!(said, Said::YearLater | Said::YearSooner) && month.is_none();
            if let Some(time) = self.before.later(by.into(), unit).filter(|_| !is_known) {
                push(said, time, self.of_words(said));
            }
        }
        out
    }

    /// The words around a number that may be a time.
    fn of_mention(&self, mention: &SaidTime, said: Said, place: u32) -> Vec<u32> {
        let tokens = &self.message.tokens;
        let (said, unit) = (said as u32, mention.unit as u32);
        let near = |at: Option<usize>| at.and_then(|at| tokens.get(at)).map_or(1, word);
        let before = |steps| near(mention.tokens.start.checked_sub(steps));
        let behind = |steps: usize| near(Some(mention.tokens.end + steps - 1));
        let is_small = u32::from(mention.value <= Decimal::from(YEARS));
        vec![
            hash(220, said, before(1)),
            hash(221, said, behind(1)),
            hash(222, said, hash(0, before(2), before(1))),
            hash(223, said, hash(0, behind(1), behind(2))),
            hash(224, said, hash(0, before(1), behind(1))),
            hash(225, said, unit << 3 | place << 1 | is_small),
            hash(226, said, self.line_class() << 4 | unit),
            hash(227, said, hash(unit, before(1), behind(1))),
            hash(228, said, before(2)),
            hash(229, said, place << 4 | unit),
            hash(256, said, u32::from(self.message.is_shown(mention.value)) << 4 | unit),
        ]
    }
}

/// The numbers and ordinals of a message that can be times. More of one message are no question's.
fn mentions(message: &Message<'_>) -> Vec<SaidTime> {
    let can_be = |amount: &&Amount| !amount.marked && matches!(amount.unit, Unit::Bare | Unit::Months | Unit::Years);
    // "Down 4 points" is no year.
    let counts_points = |amount: &&Amount| {
        let behind = message.tokens.get(amount.to);
        behind.is_some_and(|token| CHANGES.has("point", token.word()))
    };
    let numbers = message
        .amounts
        .iter()
        .filter(can_be)
        .filter(|amount| !counts_points(amount))
        .take(LOOKED_AT)
        .map(|amount| SaidTime {
            tokens: amount.from..amount.to,
            value: amount.value,
            unit: amount.unit,
        });
    let mut out: Vec<SaidTime> = numbers.collect();
    for (at, token) in message.tokens.iter().enumerate() {
        let is_known = out.iter().any(|mention| mention.tokens.contains(&at));
        // "Year one"; a coverage "under one" is no time.
        let one = matches!(token.word(), "one" | "uno") && at > 0 && is_unit(&message.tokens[at - 1]);
        if let Some(nth) = nth(token).or(one.then_some(1)).filter(|_| !is_known) {
            let tens = at.checked_sub(1).and_then(|at| tens(&message.tokens[at]));
            out.push(SaidTime {
                tokens: at..at + 1,
                value: (nth + tens.filter(|_| nth < 10).unwrap_or(0)).into(),
                unit: Unit::Multiple,
            });
        }
    }
    out.sort_by_key(|mention| mention.tokens.start);
    out.truncate(LOOKED_AT);
    out
}

/// Whether a figure has a time: it is none itself, and not of the opening.
pub(crate) fn has_one(line: Option<&Line>) -> bool {
    !matches!(
        line,
        Some(
            Line::BreakEvenMonth
                | Line::FirstNegativeMonth
                | Line::Payback
                | Line::LowestCash
                | Line::MoneyToOpen
                | Line::OwnCash
        )
    )
}

/// Whether two times are one for a figure: the balance of a year is that of its last month.
pub(crate) fn is_same(line: Option<&Line>, one: Time, other: Time) -> bool {
    let is_balance = matches!(line, Some(Line::Cash | Line::LoanBalance));
    let end = |(year, month): Time| {
        if is_balance {
            month.or(year.map(|year| year * 12))
        } else {
            None
        }
    };
    one == other || end(one).is_some() && end(one) == end(other)
}
