//! Which field a number of a case is meant for.

use super::{ASIDE, CHANGES, Change, Changes};
use crate::ear::names::Named;
use crate::ear::spots::Spot;
use crate::lex::Unit;
use plan_model::field::{FieldRole, Kind};
use plan_model::number::Number;
use rust_decimal::Decimal;
use std::ops::Range;

impl Changes<'_> {
    /// A number that surely belongs to no field and is no change: "my 2 kids".
    pub(super) fn is_aside(&self, at: usize) -> bool {
        let likely = self.ear.fields(self.spots, at, self.message.vocabulary);
        let some: f32 = likely.iter().map(|(_, probability)| probability).sum();
        some < ASIDE && self.direction(at).is_none() && self.spots.all[at].amount.unit == Unit::Bare
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
        let (one, two) = (self.word(to), self.word(to + 1));
        let yearly = matches!(
            (one, two),
            ("a" | "per" | "each" | "every", "year" | "yr") | ("al" | "cada" | "por", "ano")
        );
        let field = self.field(at).map(|(field, _)| self.described(field));
        let grows = field.is_some_and(|field| field.is_growth() || field.role == FieldRole::Escalation);
        is_share && (yearly || matches!(one, "yearly" | "annually")) && !grows
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
        let is_used = |name: &&Named| {
            let field = self.described(name.fields[0].0);
            field.controlled || field.kind != Kind::Count
        };
        let names = self.spots.names.iter().flatten().filter(is_used);
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

    /// "three free months rather than two": the value that is not meant.
    pub(super) fn is_replaced(&self, spot: &Spot) -> bool {
        let from = spot.amount.from;
        let before = from.checked_sub(1).map_or("", |at| self.message.tokens[at].word());
        before == "than" && from >= 2 && matches!(self.message.tokens[from - 2].word(), "rather" | "instead")
    }

    /// The field that a number changes: the likeliest, where it is likely or the only one that is named.
    pub(super) fn field(&self, at: usize) -> Option<(usize, Option<Range<usize>>)> {
        let spot = &self.spots.all[at];
        let likely = self.ear.fields(self.spots, at, self.message.vocabulary);
        let heard = likely
            .first()
            .filter(|(_, probability)| *probability >= 0.5)
            .map(|(choice, _)| choice.field);
        let nearest = self.names().min_by_key(|(_, range)| spot.steps_to(range));
        let named = |field: usize| {
            let own = self
                .named()
                .filter(|name| name.fields.iter().any(|(of, _)| *of == field));
            own.map(|name| name.range.clone())
                .min_by_key(|range| spot.steps_to(range))
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
}
