//! Numbers that are not plain, with the fields they may belong to: the nearest name that the unit fits.

use super::class_set::ClassSet;
use super::edges::{EdgePayload, amounts_in};
use super::fit::{AmountReading, Strictness, fits};
use super::mentions::Place;
use super::message::{Message, Part, SentenceResult};
use super::near_number::{base, decidedness, is_code, years};
use super::productions::GRAMMAR;
use crate::lex::{Amount, Unit};
use crate::texts::Source;
use crate::understanding::{Candidate, Choice, IgnoredNumber, Statement};
use plan_model::extracted::NoteCode;
use plan_model::field::FieldPath;
use plan_model::number::Number;
use rust_decimal::Decimal;
use std::collections::BTreeSet;
use std::ops::Range;

/// More numbers of one message are not asked about.
const MOST: usize = 12;

/// Behind so many numbers that may belong to fields the message is not searched for more.
const ENOUGH: usize = 5 * MOST;

/// What is asked about and what is left alone.
#[derive(Default)]
pub struct Found {
    pub candidates: Vec<Candidate>,
    pub ignored: Vec<IgnoredNumber>,
    /// Names that numbers were compared with.
    pub work: usize,
}

/// A name in a sentence, by the message's tokens.
#[derive(Clone, Debug)]
pub struct Named {
    key: u16,
    range: Range<usize>,
}

/// What to ask about, in the order of the message, and what is left alone.
pub fn candidates(message: &Message<'_>, names: &[Vec<Named>], plain: &[Statement], source: Source) -> Found {
    let finder = Finder {
        message,
        names,
        plain: plain.iter().map(|one| one.field.as_str()).collect(),
    };
    let mut found = Found::default();
    let mut ranks: Vec<i32> = Vec::new();
    for (at, part) in message.parts.iter().enumerate() {
        let range = &part.sentence.tokens;
        for (number, amount) in message.amounts_of(range) {
            let said = message.bytes(amount);
            if plain.iter().any(|one| one.number == said) || is_denied(part, number) || ranks.len() == ENOUGH {
                continue;
            }
            if let Some(aside) = finder.aside(at, amount) {
                found.ignored.push(aside);
                continue;
            }
            let near = finder.near(at, amount);
            found.work += near.len();
            let choices = finder.choices(at, number, amount, near);
            let known = |choice: &Choice| {
                let mut others = found.candidates.iter();
                others.any(|other| other.choices.first() == Some(choice))
            };
            if choices.first().is_none_or(known) {
                continue;
            }
            ranks.push(finder.decidedness(part, amount));
            found.candidates.push(Candidate {
                choices,
                source,
                start: message.tokens[range.start].start,
                end: message.tokens[range.end - 1].end,
                number: said,
                reason: NoteCode::Unclear,
            });
        }
    }
    found.candidates = decided_first(found.candidates, &ranks);
    found.candidates.truncate(MOST);
    found
}

/// Whether the sentence itself says that a number is not the value.
fn is_denied(part: &Part, number: u16) -> bool {
    matches!(&part.result, SentenceResult::Understood(meaning) if meaning.denied.contains(&number))
}

/// Numbers for one field change places so that the most decided, else the latest, comes first.
fn decided_first(all: Vec<Candidate>, ranks: &[i32]) -> Vec<Candidate> {
    let field = |at: usize| all[at].choices.first().map(|choice| &choice.field);
    let mut order: Vec<usize> = (0..all.len()).collect();
    for first in 0..order.len() {
        let same = (first..order.len()).filter(|at| field(order[*at]) == field(order[first]));
        let best = same.max_by_key(|at| (ranks[order[*at]], order[*at]));
        order[first..=best.unwrap_or(first)].rotate_right(1);
    }
    order.into_iter().map(|at| all[at].clone()).collect()
}

/// The fields that a message names, in its order.
pub fn named(message: &Message<'_>, names: &[Vec<Named>]) -> Vec<FieldPath> {
    let mut out: Vec<FieldPath> = Vec::new();
    for name in names.iter().flatten() {
        let first = message.vocabulary.key(name.key).fields.first();
        let path = first.and_then(|field| message.vocabulary.position(&field.path));
        let path = path.map(|at| message.vocabulary.fields()[at].path.clone());
        out.extend(path.filter(|path| !out.contains(path)));
    }
    out
}

/// The names of each sentence.
pub fn names(message: &Message<'_>) -> Vec<Vec<Named>> {
    let classes = [
        "NAME", "PART", "PAYEE", "DO", "LENDS", "LENDER", "AFTER", "LANDLORD", "NETTERM", "STAFFOF", "QUESTION", "HINT",
    ];
    let classes = classes.iter().filter_map(|class| GRAMMAR.known(class)).collect();
    message.parts.iter().map(|part| names_of(part, &classes)).collect()
}

/// The longest names of a sentence, from left to right.
fn names_of(part: &Part, classes: &ClassSet) -> Vec<Named> {
    let Some(edges) = &part.edges else {
        return Vec::new();
    };
    let start = part.sentence.tokens.start;
    let (mut out, mut at): (Vec<Named>, usize) = (Vec::new(), 0);
    while at < edges.at.len() {
        let here = edges.at[at].iter().filter(|edge| classes.contains(edge.class));
        let Some(end) = here.clone().map(|edge| edge.end).max() else {
            at += 1;
            continue;
        };
        for edge in here.filter(|edge| edge.end == end) {
            if let EdgePayload::Key(key) = edge.payload
                && !out
                    .iter()
                    .any(|known| known.key == key && known.range.start == at + start)
            {
                out.push(Named {
                    key,
                    range: at + start..end + start,
                });
            }
        }
        at = end;
    }
    out
}

struct Finder<'a> {
    message: &'a Message<'a>,
    names: &'a [Vec<Named>],
    plain: BTreeSet<&'a str>,
}

impl Finder<'_> {
    /// By the words between the number before and the number behind.
    fn decidedness(&self, part: &Part, amount: &Amount) -> i32 {
        let range = &part.sentence.tokens;
        let others = || self.message.amounts_of(range).map(|(_, other)| other);
        let from = others().map(|other| other.to).filter(|to| *to <= amount.from).max();
        let to = others().map(|other| other.from).filter(|from| *from >= amount.to).min();
        let (from, to) = (from.unwrap_or(range.start), to.unwrap_or(range.end));
        let edges = part.edges.as_ref();
        edges.map_or(0, |edges| decidedness(edges, from - range.start, to - range.start))
    }

    fn place<'p>(&'p self, at: usize, amount: &'p Amount) -> Place<'p> {
        let part = &self.message.parts[at];
        Place {
            tokens: &self.message.tokens,
            edges: part.edges.as_ref(),
            range: &part.sentence.tokens,
            amount,
        }
    }

    /// Why an amount is left alone, where its sentence says so.
    fn aside(&self, at: usize, amount: &Amount) -> Option<IgnoredNumber> {
        let part = &self.message.parts[at];
        let place = self.place(at, amount);
        let edges = part.edges.as_ref()?;
        let has = |class: &str| edges.has(GRAMMAR.known(class));
        if amount.unit == Unit::Foreign {
            return Some(IgnoredNumber::Foreign);
        }
        if self.names[at].is_empty() {
            return None;
        }
        if has("OTHERS") && !has("OURS") {
            return Some(IgnoredNumber::Others);
        }
        let money = matches!(amount.unit, Unit::Money | Unit::Bare);
        if money && place.ends_at("CHANGEBY", amount.from) {
            return Some(IgnoredNumber::Change);
        }
        let before: Vec<&Named> = self.names[at]
            .iter()
            .filter(|name| name.range.end <= amount.from)
            .collect();
        let recurring = |name: &Named| {
            let vocabulary = self.message.vocabulary;
            let fields = vocabulary.key(name.key).fields.iter();
            fields
                .filter_map(|field| vocabulary.position(&field.path))
                .any(|at| vocabulary.fields()[at].is_paid_regularly())
        };
        // "what if rent were 5,000?" is not about the past.
        let supposes = part.sentence.asks || has("ALLDOUBT");
        if !supposes && place.ends_at("PASTBE", amount.from) && before.last().is_some_and(|name| recurring(name)) {
            return Some(IgnoredNumber::Past);
        }
        let [.., first, second] = before[..] else { return None };
        let joined = second.range.start == first.range.end + 1 && place.word_at("AND", first.range.end);
        let one = |name: &Named| {
            self.message
                .vocabulary
                .key(name.key)
                .fields
                .first()
                .map(|field| field.path.clone())
        };
        let alone = self.message.amounts_of(&part.sentence.tokens).count() == 1;
        (joined && alone && one(first) != one(second) && amount.from - second.range.end <= 2)
            .then_some(IgnoredNumber::Shared)
    }

    /// The likeliest fields of an amount, at most three.
    fn choices(&self, at: usize, number: u16, amount: &Amount, near: Vec<(usize, u16)>) -> Vec<Choice> {
        let part = &self.message.parts[at];
        let place = self.place(at, amount);
        if amount.unit == Unit::Foreign
            || (amount.year_like && place.period().is_none())
            || place.is_per_unit()
            || is_code(&place)
        {
            return Vec::new();
        }
        let as_said = AmountReading {
            amount: number,
            period: place.period(),
            base: part
                .edges
                .as_ref()
                .and_then(|edges| base(edges, amount.to - part.sentence.tokens.start)),
            years: part
                .edges
                .as_ref()
                .map_or(0, |edges| years(edges, amount, part.sentence.tokens.start)),
            percent: false,
            past: false,
            sure: false,
            asked: false,
        };
        let mut found: Vec<(usize, usize, Number)> = Vec::new();
        let mut add = |distance: usize, values: Vec<(usize, Number)>| {
            for (field, value) in values {
                if self.is_usual(field, value) {
                    found.push((distance, field, value));
                }
            }
        };
        for (distance, key) in near {
            let key = self.message.vocabulary.key(key);
            if place.is_month() {
                add(distance, self.start_month(key, amount));
            } else {
                add(
                    distance,
                    fits(key, &as_said, amount, self.message.vocabulary, Strictness::Guess),
                );
            }
        }
        if let Some(asked) = &self.message.before.asked {
            let key = super::language::Key::of(self.message.vocabulary.fields()[asked.field].path.as_str());
            let mut as_said = as_said.clone();
            as_said.period = as_said.period.or(asked.period);
            let mut amount = amount.clone();
            if amount.unit == Unit::Bare {
                amount.unit = asked.unit.unwrap_or(Unit::Bare);
            }
            add(
                25,
                fits(&key, &as_said, &amount, self.message.vocabulary, Strictness::Guess),
            );
        }
        found.sort_by_key(|(distance, ..)| *distance);
        let mut out: Vec<Choice> = Vec::new();
        for (_, field, value) in found {
            let field = self.message.vocabulary.fields()[field].path.clone();
            let is_new = !out.iter().any(|known| known.field == field);
            if is_new && !self.plain.contains(field.as_str()) {
                out.push(Choice { field, value });
            }
        }
        out.truncate(3);
        out
    }

    /// Names with their distance: in the sentence, then in those before, then in the next.
    fn near(&self, at: usize, amount: &Amount) -> Vec<(usize, u16)> {
        let between = |from: usize, to: usize| amounts_in(&self.message.amounts, &(from..to)).count();
        let mut out: Vec<(usize, u16)> = Vec::new();
        for name in &self.names[at] {
            let distance = if name.range.end <= amount.from {
                amount.from - name.range.end + 8 * between(name.range.end, amount.from)
            } else {
                name.range.start.saturating_sub(amount.to) + 1 + 8 * between(amount.to, name.range.start)
            };
            out.push((distance, name.key));
        }
        for (back, names) in self.names[..at].iter().rev().take(4).enumerate() {
            let last = names.iter().rev().enumerate();
            out.extend(last.map(|(nth, name)| (30 + 6 * back + nth, name.key)));
        }
        if let Some(names) = self.names.get(at + 1) {
            out.extend(names.iter().map(|name| (50, name.key)));
        }
        out
    }

    fn start_month(&self, key: &super::language::Key, amount: &Amount) -> Vec<(usize, Number)> {
        let field = self.message.vocabulary.start_month(key);
        field
            .map(|field| (field, Number::new(amount.value)))
            .into_iter()
            .collect()
    }

    /// A value that is ten times too large or too small is not asked about.
    fn is_usual(&self, field: usize, value: Number) -> bool {
        let Some(range) = self.message.vocabulary.range(field) else {
            return true;
        };
        let ten = Decimal::TEN;
        let (value, low, high) = (value.decimal(), range.low.decimal(), range.high.decimal());
        let field = &self.message.vocabulary.fields()[field];
        value.is_zero() || field.is_growth() || (value * ten >= low && (high.is_zero() || value <= high * ten))
    }
}
