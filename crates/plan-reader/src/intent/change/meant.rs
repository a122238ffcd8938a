//! Which field a number of a case is meant for.

use super::{ASIDE, CHANGES, Change, Changes};
use crate::ear::names::Named;
use crate::ear::spots::Spot;
use crate::lex::Unit;
use plan_model::field::{FieldRole, Kind};
use plan_model::number::Number;
use rust_decimal::Decimal;
use std::ops::Range;

/// So likely a number's field is where what is named cannot hold it.
const LIKELY: f32 = 0.15;

impl Changes<'_> {
    /// A number that surely belongs to no field and is no change: "my 2 kids".
    pub(super) fn is_aside(&self, at: usize) -> bool {
        let likely = self.ear.fields(self.spots, at, self.message.vocabulary);
        let some: f32 = likely.iter().map(|(_, probability)| probability).sum();
        let unit = self.spots.all[at].amount.unit;
        let is_time = matches!(unit, Unit::Years | Unit::Months | Unit::Weeks | Unit::Days);
        some < ASIDE && self.direction(None, at).is_none() && (unit == Unit::Bare || is_time)
    }

    /// "without the van", "no truck": right before a name, where nothing but an article stands between.
    pub(super) fn is_without(&self, name: &Range<usize>) -> bool {
        let before = |steps: usize| name.start.checked_sub(steps).map_or("", |at| self.word(at));
        let is_article = matches!(before(1), "the" | "a" | "any" | "la" | "el" | "un" | "una");
        let word = if is_article { before(2) } else { before(1) };
        matches!(word, "without" | "no" | "sin")
    }

    /// "up 4 % every year" is a growth, which fields have of their own.
    pub(super) fn is_a_year(&self, at: usize) -> bool {
        let to = self.spots.all[at].amount.to;
        let is_share = self.spots.all[at].amount.unit == Unit::Percent;
        let field = self.field(at).map(|(field, _)| field);
        is_share && self.is_yearly(to) && !field.is_some_and(|field| self.grows(field))
    }

    /// "a year", "every year": right behind a number.
    pub(super) fn is_yearly(&self, to: usize) -> bool {
        let (one, two) = (self.word(to), self.word(to + 1));
        let every = matches!(
            (one, two),
            ("a" | "per" | "each" | "every", "year" | "yr") | ("al" | "cada" | "por", "ano")
        );
        every || matches!(one, "yearly" | "annually")
    }

    pub(super) fn grows(&self, field: usize) -> bool {
        let field = self.described(field);
        field.is_growth() || field.role == FieldRole::Escalation
    }

    /// Without the month of its start nothing is paid: "no hiring of a manager" is no salary.
    pub(super) fn paid_from(&self, month: usize) -> usize {
        let path = &self.described(month).path;
        let mut fields = self.message.vocabulary.fields().iter();
        let paid = fields.position(|field| field.start_month.as_ref() == Some(path));
        paid.unwrap_or(month)
    }

    /// "half a year longer" is six months, and a part of no amount.
    pub(super) fn is_part_of_a_time(&self, at: usize) -> bool {
        let amount = &self.spots.all[at].amount;
        let (one, two) = (self.word(amount.to), self.word(amount.to + 1));
        let is_time = matches!(one, "a" | "of") && matches!(two, "a" | "year" | "month");
        self.is_part(at) && is_time && !self.is_of_a_point(amount.to)
    }

    /// What is left of something: "cut in half", "half the days".
    pub(super) fn of_part(&self, at: usize, before: &str) -> Option<Change> {
        let amount = &self.spots.all[at].amount;
        let is_left = before == "in" || matches!(self.word(amount.to), "the" | "my" | "our" | "as");
        (self.is_part(at) && is_left).then(|| Change::Times(Number::new(amount.value)))
    }

    fn is_part(&self, at: usize) -> bool {
        let amount = &self.spots.all[at].amount;
        amount.unit == Unit::Fraction && amount.value < Decimal::ONE
    }

    /// Whether a field can be changed by what is said: a share of an amount, but no months of it.
    pub(super) fn fits(&self, field: usize, at: usize) -> bool {
        let amount = &self.spots.all[at].amount;
        let is_share = matches!(amount.unit, Unit::Percent | Unit::Fraction);
        match self.described(field).kind {
            Kind::Percent => is_share || amount.unit == Unit::Bare,
            _ if self.word(amount.to) == "again" => false,
            _ if amount.unit == Unit::Fraction => true,
            _ if is_share => {
                self.direction(None, at).is_some() || self.word(amount.to) == "of" || self.word(amount.to) == "de"
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
    pub(super) fn time(&self, at: usize) -> Option<Unit> {
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
    pub(super) fn time_of(&self, field: usize, at: usize) -> Option<usize> {
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

    /// The names of fields. "Down" is one where it stands alone, and says which way beside another.
    pub(super) fn named(&self) -> impl Iterator<Item = &Named> + Clone {
        let is_way = |name: &Named| {
            let mut words = name.range.clone().map(|at| self.word(at));
            words.all(|word| CHANGES.has("less", word) || CHANGES.has("more", word))
        };
        // What no result uses cannot be tried.
        let is_used = |name: &&Named| self.described(name.fields[0].0).affects_results();
        let names = self.names.iter().filter(is_used);
        let has_other = names.clone().any(|name| !is_way(name));
        names.filter(move |name| !has_other || !is_way(name))
    }

    pub(super) fn names(&self) -> impl Iterator<Item = (usize, Range<usize>)> {
        self.named()
            .map(|name| (self.of_year(name.fields[0].0), name.range.clone()))
    }

    /// "growth in year two": the growth of that year.
    pub(super) fn of_year(&self, field: usize) -> usize {
        let year = self.when.year.filter(|_| self.described(field).is_growth());
        year.and_then(|year| self.message.vocabulary.growth(year))
            .unwrap_or(field)
    }

    /// "the manager in month 4": a month is the value of a field that is one.
    pub(super) fn is_start(&self, at: usize) -> bool {
        let likely = self.ear.fields(self.spots, at, self.message.vocabulary);
        likely.first().is_some_and(|(choice, probability)| {
            *probability >= 0.4 && self.described(choice.field).kind == Kind::Months
        })
    }

    /// "three free months rather than two", "5 not 6", "from 7 years to 10": the value that is not meant.
    pub(super) fn is_replaced(&self, spot: &Spot) -> bool {
        let before = |steps: usize| spot.amount.from.checked_sub(steps).map_or("", |at| self.word(at));
        let skip = usize::from(matches!(before(1), "the" | "los" | "las" | "el"));
        let is_other = matches!(
            (before(skip + 2), before(skip + 1)),
            ("rather" | "instead", "than" | "of") | ("vez" | "lugar", "de")
        );
        let is_first = self
            .spots
            .all
            .first()
            .is_some_and(|first| first.amount.from == spot.amount.from);
        let (next, words) = (spot.amount.to..spot.amount.to + 4, |at: usize| self.word(at));
        let goes_on = || next.clone().any(|at| matches!(words(at), "to" | "a"));
        let is_start = matches!(before(skip + 1), "from" | "de") && self.spots.all.len() > 1 && goes_on();
        is_other || before(1) == "not" && !is_first || is_start
    }

    /// Words between a number and a name; what stands behind an "and" or a comma is of the next number.
    fn steps(&self, spot: &Spot, name: &Range<usize>) -> usize {
        const JOINED: usize = 3;
        let between = if name.end <= spot.amount.from {
            name.end..spot.amount.from
        } else {
            spot.amount.to..name.start
        };
        let parts = |at: &usize| self.joins(*at) || self.message.tokens[*at].is_mark(',');
        spot.steps_to(name) + JOINED * between.filter(parts).count()
    }

    fn is_share_of_money(&self, field: usize, at: usize) -> bool {
        let is_share = matches!(self.spots.all[at].amount.unit, Unit::Percent | Unit::Fraction);
        is_share && self.described(field).kind == Kind::Money && self.direction(Some(field), at).is_some()
    }

    /// The field that a number changes: the likeliest, where it is likely or the only one that is named.
    pub(super) fn field(&self, at: usize) -> Option<(usize, Option<Range<usize>>)> {
        let spot = &self.spots.all[at];
        let likely = self.ear.fields(self.spots, at, self.message.vocabulary);
        let heard = likely
            .first()
            .filter(|(_, probability)| *probability >= 0.5)
            .map(|(choice, _)| choice.field);
        let nearest = self.names().min_by_key(|(_, range)| self.steps(spot, range));
        let named = |field: usize| {
            let own = self.names.iter();
            let own = own.filter(|name| name.fields.iter().any(|(of, _)| *of == field));
            own.map(|name| name.range.clone())
                .min_by_key(|range| spot.steps_to(range))
        };
        // What is named goes before what is only likely, where it can be meant.
        match (heard, nearest) {
            (Some(heard), None) => Some((heard, None)),
            (Some(heard), Some((field, range))) => match named(heard) {
                // "Rent up 10 % and labor …": a share of dollars is of what stands nearest.
                Some(own) if self.is_share_of_money(field, at) && self.steps(spot, &range) < self.steps(spot, &own) => {
                    Some((field, Some(range)))
                }
                Some(own) => Some((heard, Some(own))),
                None if self.fits(field, at) && self.direction(None, at).is_some() => Some((field, Some(range))),
                None => Some((heard, Some(range))),
            },
            (None, Some((field, range))) => {
                // "Rent goes up 600": the likeliest is meant where the name is of a share.
                let likeliest = || {
                    let (choice, probability) = likely.first()?;
                    (*probability >= LIKELY).then_some(choice.field)
                };
                let field = Some(field)
                    .filter(|field| self.fits(*field, at))
                    .or_else(|| self.time_of(field, at))
                    .or_else(likeliest)?;
                Some((field, Some(range)))
            }
            (None, None) => self
                .about
                .filter(|field| self.fits(*field, at))
                .map(|field| (field, None)),
        }
    }
}
