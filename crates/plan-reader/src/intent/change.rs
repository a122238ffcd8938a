//! How values are to differ: "10 % less", "20,000 less", "double", "three months later", "without the van", "at 5,000".

use super::calendar::When;
use super::phrasebook::CHANGES;
use super::slots::{Change, FieldChange};
use crate::convert;
use crate::ear::Ear;
use crate::ear::names::Named;
use crate::ear::spots::{Spot, Spots};
use crate::grammar::Message;
use crate::lex::Unit;
use plan_model::field::{Field, FieldRole, Kind};
use plan_model::number::Number;
use rust_decimal::Decimal;
use std::ops::Range;

/// Words on each side of a number that say how it is meant.
const AROUND: usize = 5;

/// Points from which a change of a share in percent is meant of the share itself: "10 % less labor" is nine tenths of it, "labor 2 %
/// lower" two points.
const OF_ITSELF: Decimal = Decimal::TEN;

/// A number that is less likely of any field is beside the point.
const ASIDE: f32 = 0.3;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Direction {
    Less,
    More,
}

/// Reads the changes of one message.
pub(super) struct Changes<'m> {
    pub ear: &'m Ear,
    pub message: &'m Message<'m>,
    pub spots: &'m Spots<'m>,
    pub when: &'m When,
    /// What a change without a name is of.
    pub about: Option<usize>,
}

impl Changes<'_> {
    /// Each change, in the order of the message; none where a number or a name beside them is not understood: half a case is another
    /// case.
    pub(super) fn all(&self) -> Vec<FieldChange> {
        let mut out: Vec<FieldChange> = Vec::new();
        let mut used: Vec<Range<usize>> = Vec::new();
        for (at, spot) in self.spots.all.iter().enumerate() {
            let range = spot.amount.from..spot.amount.to;
            let is_date = self
                .when
                .said
                .iter()
                .any(|said| said.start < range.end && range.start < said.end);
            if spot.is_word || is_date && !self.is_start(at) || self.is_replaced(spot) {
                continue;
            }
            let found = self.field(at);
            let change = found.as_ref().and_then(|(field, _)| self.of_number(*field, at));
            match (found, change) {
                (Some((field, name)), Some(change)) => {
                    used.extend(name);
                    if !self.add(&mut out, field, change) {
                        return Vec::new();
                    }
                }
                _ if self.is_aside(at) => {}
                _ => return Vec::new(),
            }
        }
        for (field, name) in self.names() {
            if used.contains(&name) {
                continue;
            }
            if let Some(change) = self.of_words(field, &name, out.is_empty()) {
                self.add(&mut out, field, change);
            }
        }
        if out.is_empty()
            && let Some(field) = self.about
            && let Some(change) = self.of_words(field, &(0..0), true)
        {
            self.add(&mut out, field, change);
        }
        out
    }

    /// Whether it is the first change of its field, or says the same again.
    fn add(&self, out: &mut Vec<FieldChange>, field: usize, change: Change) -> bool {
        let field = self.described(field).path.clone();
        match out.iter().find(|known| known.field == field) {
            Some(known) => known.change == change,
            None => {
                out.push(FieldChange { field, change });
                true
            }
        }
    }

    /// A number that surely belongs to no field and is no change: "my 2 kids".
    fn is_aside(&self, at: usize) -> bool {
        let likely = self.ear.fields(self.spots, at, self.message.vocabulary);
        let some: f32 = likely.iter().map(|(_, probability)| probability).sum();
        some < ASIDE && self.direction(at).is_none() && self.spots.all[at].amount.unit == Unit::Bare
    }

    /// Whether a field can be changed by what is said: a share of an amount, but no months of it.
    fn fits(&self, field: usize, at: usize) -> bool {
        let amount = &self.spots.all[at].amount;
        let is_share = matches!(amount.unit, Unit::Percent | Unit::Fraction);
        match self.described(field).kind {
            Kind::Percent => is_share || amount.unit == Unit::Bare,
            _ if self.word(amount.to) == "again" => false,
            _ if amount.unit == Unit::Fraction => true,
            _ if is_share => {
                self.direction(at).is_some() || self.word(amount.to) == "of" || self.word(amount.to) == "de"
            }
            Kind::Money => self.time(at).is_none() || amount.marked,
            Kind::Count => amount.unit == Unit::Bare,
            Kind::Multiple => matches!(amount.unit, Unit::Bare | Unit::Multiple),
            Kind::Months | Kind::Days | Kind::Years => {
                matches!(
                    amount.unit,
                    Unit::Bare | Unit::Months | Unit::Years | Unit::Weeks | Unit::Days
                )
            }
        }
    }

    /// The unit of a time: "six months", "six more months".
    fn time(&self, at: usize) -> Option<Unit> {
        let amount = &self.spots.all[at].amount;
        let is_way = ["less", "more"]
            .iter()
            .any(|way| CHANGES.has(way, self.word(amount.to)));
        let behind = match amount.unit {
            Unit::Bare if is_way => self.word(amount.to + 1),
            unit => {
                return Some(unit).filter(|unit| matches!(unit, Unit::Months | Unit::Years | Unit::Weeks | Unit::Days));
            }
        };
        match behind {
            "months" | "month" | "meses" | "mes" => Some(Unit::Months),
            "years" | "year" | "anos" | "ano" => Some(Unit::Years),
            _ => None,
        }
    }

    /// "the manager three months later", "the loan over ten years": a time beside the name of an amount is of its start or its term.
    fn time_of(&self, field: usize, at: usize) -> Option<usize> {
        let described = self.described(field);
        let vocabulary = self.message.vocabulary;
        self.time(at)?;
        let start = described.start_month.as_ref();
        start.and_then(|path| vocabulary.position(path.as_str())).or_else(|| {
            let mut fields = vocabulary.fields().iter();
            let is_loan = described.role == FieldRole::Loan;
            fields.position(|field| is_loan && field.role == FieldRole::LoanTerm)
        })
    }

    fn described(&self, field: usize) -> &Field {
        &self.message.vocabulary.fields()[field]
    }

    /// The names of fields. "Down" is one where it stands alone, and says which way beside another.
    fn named(&self) -> impl Iterator<Item = &Named> + Clone {
        let is_way = |name: &Named| {
            let mut words = name.range.clone().map(|at| self.word(at));
            words.all(|word| CHANGES.has("less", word) || CHANGES.has("more", word))
        };
        let names = self.spots.names.iter().flatten();
        let has_other = names.clone().any(|name| !is_way(name));
        names.filter(move |name| !has_other || !is_way(name))
    }

    fn names(&self) -> impl Iterator<Item = (usize, Range<usize>)> {
        self.named()
            .map(|name| (self.of_year(name.fields[0].0), name.range.clone()))
    }

    /// "growth in year two": the growth of that year.
    fn of_year(&self, field: usize) -> usize {
        let year = self.when.year.filter(|_| self.described(field).is_growth());
        year.and_then(|year| self.message.vocabulary.growth(year))
            .unwrap_or(field)
    }

    /// "the manager in month 4": a month is the value of a field that is one.
    fn is_start(&self, at: usize) -> bool {
        let likely = self.ear.fields(self.spots, at, self.message.vocabulary);
        likely.first().is_some_and(|(choice, probability)| {
            *probability >= 0.4 && self.described(choice.field).kind == Kind::Months
        })
    }

    /// "three free months rather than two": the value that is not meant.
    fn is_replaced(&self, spot: &Spot) -> bool {
        let from = spot.amount.from;
        let before = from.checked_sub(1).map_or("", |at| self.message.tokens[at].word());
        before == "than" && from >= 2 && matches!(self.message.tokens[from - 2].word(), "rather" | "instead")
    }

    /// The field that a number changes: the likeliest, where it is likely or the only one that is named.
    fn field(&self, at: usize) -> Option<(usize, Option<Range<usize>>)> {
        let spot = &self.spots.all[at];
        let likely = self.ear.fields(self.spots, at, self.message.vocabulary);
        let heard = likely
            .first()
            .filter(|(_, probability)| *probability >= 0.5)
            .map(|(choice, _)| choice.field);
        let distance = |range: &Range<usize>| {
            if range.end <= spot.amount.from {
                spot.amount.from - range.end
            } else {
                range.start.saturating_sub(spot.amount.to) + 1
            }
        };
        let nearest = self.names().min_by_key(|(_, range)| distance(range));
        let named = |field: usize| {
            let own = self
                .named()
                .filter(|name| name.fields.iter().any(|(of, _)| *of == field));
            own.map(|name| name.range.clone()).min_by_key(distance)
        };
        // What is named goes before what is only likely, where it can be meant.
        match (heard, nearest) {
            (Some(heard), None) => Some((heard, None)),
            (Some(heard), Some((field, range))) => match named(heard) {
                Some(own) => Some((heard, Some(own))),
                None if self.fits(field, at) && self.direction(at).is_some() => Some((field, Some(range))),
                None => Some((heard, Some(range))),
            },
            (None, Some((field, range))) => {
                let field = Some(field)
                    .filter(|field| self.fits(*field, at))
                    .or_else(|| self.time_of(field, at))?;
                Some((field, Some(range)))
            }
            (None, None) => self
                .about
                .filter(|field| self.fits(*field, at))
                .map(|field| (field, None)),
        }
    }

    fn word(&self, at: usize) -> &str {
        self.message.tokens.get(at).map_or("", |token| token.word())
    }

    /// Which way, by the nearest word of direction around the number that no other number stands before.
    fn direction(&self, at: usize) -> Option<Direction> {
        let spot = &self.spots.all[at];
        let (from, to) = (spot.amount.from, spot.amount.to);
        let others = |at: usize| {
            self.spots
                .all
                .iter()
                .any(|other| !other.is_word && other.amount.from == at)
        };
        let names: Vec<&Named> = self.named().collect();
        let of = |at: usize| match self.word(at) {
            // "over 7 years", "30 down"
            "over" | "under" | "above" | "below" if at < from => None,
            _ if names.iter().any(|name| name.range.contains(&at)) => None,
            word if CHANGES.has("less", word) => Some(Direction::Less),
            word if CHANGES.has("more", word) => Some(Direction::More),
            _ => None,
        };
        let behind = (to..self.message.tokens.len().min(to + AROUND)).take_while(|at| !others(*at));
        let before = (from.saturating_sub(AROUND)..from).rev().take_while(|at| !others(*at));
        let behind = behind.zip(1..).find_map(|(at, steps)| Some((steps, of(at)?)));
        let before = before.zip(1..).find_map(|(at, steps)| Some((steps, of(at)?)));
        // "+150 bps"
        let signed = from
            .checked_sub(1)
            .is_some_and(|at| self.message.tokens[at].is_mark('+'));
        let nearest = behind.into_iter().chain(before).min_by_key(|(steps, _)| *steps);
        nearest
            .map(|(_, direction)| direction)
            .or(signed.then_some(Direction::More))
    }

    fn of_number(&self, field: usize, at: usize) -> Option<Change> {
        let spot = &self.spots.all[at];
        let described = self.described(field);
        let said = spot.amount.value;
        let direction = self.direction(at);
        let before = spot.amount.from.checked_sub(1).map_or("", |at| self.word(at));
        let is_goal = matches!(before, "to" | "at" | "only" | "en");
        let sign = match direction.filter(|_| !is_goal) {
            Some(Direction::Less) => -Decimal::ONE,
            Some(Direction::More) => Decimal::ONE,
            None => return self.to(field, at),
        };
        let is_point = CHANGES.has("point", self.word(spot.amount.to));
        let hundredth = Decimal::ONE_HUNDRED;
        let share = match spot.amount.unit {
            Unit::Percent => Some(said / hundredth),
            Unit::Fraction => Some(said),
            _ => None,
        };
        match (described.kind, share) {
            // A hundred points and more are another field's dollars.
            (Kind::Percent, _) if is_point || spot.amount.unit == Unit::Bare && said < hundredth => {
                let size = if self.word(spot.amount.to) == "bps" {
                    hundredth * hundredth
                } else {
                    hundredth
                };
                Some(Change::By(Number::new(sign * said / size)))
            }
            (Kind::Percent, Some(share)) if spot.amount.unit == Unit::Percent && said < OF_ITSELF => {
                Some(Change::By(Number::new(sign * share)))
            }
            (_, Some(share)) => Some(Change::Times(Number::new(Decimal::ONE + sign * share))),
            (Kind::Money, None) => {
                let cents = convert::cents(said, self.spots.period(spot), described)?;
                Some(Change::By(Number::new(sign * cents.decimal())))
            }
            (_, None) => {
                let value = self.to(field, at)?;
                let Change::To(value) = value else { return None };
                Some(Change::By(Number::new(sign * value.decimal())))
            }
        }
    }

    fn to(&self, field: usize, at: usize) -> Option<Change> {
        let amount = &self.spots.all[at].amount;
        // "sales at 85 % of plan"
        let share = match amount.unit {
            Unit::Fraction => Some(amount.value),
            Unit::Percent => Some(amount.value / Decimal::ONE_HUNDRED),
            _ => None,
        };
        if let Some(share) = share.filter(|_| self.described(field).kind == Kind::Money) {
            return Some(Change::Times(Number::new(share)));
        }
        let choices = self.spots.choices(at);
        let choice = choices.into_iter().find(|choice| choice.field == field)?;
        Some(Change::To(choice.value))
    }

    /// A change in words: "double", "half", "without", "a point lower", "one month later".
    fn of_words(&self, field: usize, name: &Range<usize>, alone: bool) -> Option<Change> {
        let message = self.message;
        let part = message
            .parts
            .iter()
            .find(|part| part.sentence.tokens.contains(&name.start));
        let range = match part {
            Some(part) if alone => part.sentence.tokens.clone(),
            // "sales up 10 % and food cost one point down": beside another change only the words at the name count.
            Some(part) => {
                let sentence = &part.sentence.tokens;
                let others = self.spots.all.iter().filter(|spot| !spot.is_word);
                let before = others.clone().filter(|spot| spot.amount.to <= name.start);
                let from = before.map(|spot| spot.amount.to).max().unwrap_or(sentence.start);
                let behind = others.filter(|spot| spot.amount.from >= name.end);
                let to = behind.map(|spot| spot.amount.from).min().unwrap_or(sentence.end);
                from.max(name.start.saturating_sub(2)).max(sentence.start)..to.min(name.end + 5).min(sentence.end)
            }
            None => 0..message.tokens.len(),
        };
        let words = || range.clone().map(|at| self.word(at));
        let has = |kind: &str| words().any(|word| CHANGES.has(kind, word));
        let times = |number: i64, scale: u32| Some(Change::Times(Number::new(Decimal::new(number, scale))));
        if has("double") {
            return times(2, 0);
        }
        if has("triple") {
            return times(3, 0);
        }
        if has("half") && !has("point") {
            return times(5, 1);
        }
        let kind = self.described(field).kind;
        let sign = if has("less") {
            Some(-1)
        } else {
            has("more").then_some(1)
        };
        if let Some(sign) = sign.filter(|_| kind == Kind::Percent && has("point")) {
            let points = if has("half") {
                Decimal::new(5 * sign, 3)
            } else {
                Decimal::new(sign, 2)
            };
            return Some(Change::By(Number::new(points)));
        }
        let counted = words().any(|word| matches!(word, "one" | "a" | "an" | "un" | "una"));
        if let Some(sign) = sign.filter(|_| alone && counted && kind != Kind::Money && kind != Kind::Percent) {
            let year = kind == Kind::Months && words().any(|word| matches!(word, "year" | "ano"));
            return Some(Change::By(Number::whole(sign * if year { 12 } else { 1 })));
        }
        let before = name.start.saturating_sub(4).max(range.start)..name.start;
        let near = before.chain(name.end..(name.end + 3).min(range.end));
        let is_nothing = near.into_iter().any(|at| CHANGES.has("nothing", self.word(at)));
        (is_nothing && !name.is_empty()).then_some(Change::To(Number::ZERO))
    }
}
