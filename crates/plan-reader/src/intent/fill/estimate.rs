//! The factors of a product, and the field that a number or a product belongs to.

use super::Reader;
use crate::ear::spots::Spot;
use crate::lex::{self, Unit};
use plan_model::field::{FieldPath, Kind};
use plan_model::number::Number;
use rust_decimal::Decimal;

impl Reader<'_> {
    /// "10.75 for a loan, is that normal?", "8 % of sales on rent": the field of the only number, where the named one cannot hold it;
    /// none where it is not sure which other one does.
    pub(super) fn of_number(&self, named: Option<FieldPath>) -> Option<FieldPath> {
        const SURELY: f32 = 0.5;
        let mut numbers = (0..self.spots.all.len()).filter(|at| !self.spots.all[*at].is_word);
        let (Some(at), None) = (numbers.next(), numbers.next()) else {
            return named;
        };
        let likely = self.ear.fields(self.spots, at, self.message.vocabulary);
        // "10.75 for a loan": so few dollars are none.
        let amount = &self.spots.all[at].amount;
        let is_small = amount.unit == Unit::Bare && !amount.marked && amount.value < Decimal::ONE_HUNDRED;
        let is_money = |field: usize| self.message.vocabulary.fields()[field].kind == Kind::Money;
        let can_be = |field: usize| !(is_small && is_money(field));
        let holding = likely.iter().filter(|(choice, _)| can_be(choice.field));
        let holds = |field: &FieldPath| {
            let mut holding = holding.clone();
            holding.any(|(choice, _)| self.path(choice.field) == *field)
        };
        if named.as_ref().is_some_and(&holds) {
            return named;
        }
        let names = self
            .spots
            .names
            .iter()
            .flatten()
            .map(|name| self.path(name.fields[0].0));
        let best = holding.clone().next().filter(|(_, probability)| *probability >= SURELY);
        let is_share = matches!(self.spots.all[at].amount.unit, Unit::Percent);
        let mut others = names.filter(|path| holds(path) || is_share && Some(path) != named.as_ref());
        best.map(|(choice, _)| self.path(choice.field))
            .or_else(|| others.next())
    }

    /// The factors of a product; none where a number cannot be read, or one is said twice: which of them count is then not known
    /// but where signs join them.
    pub(super) fn factors(&self) -> Vec<Number> {
        const MOST: usize = 5;
        // "3 % × 75 % × $325,000"
        let number = |spot: &&Spot| match spot.amount.unit {
            Unit::Percent => Number::new(spot.amount.value / Decimal::ONE_HUNDRED),
            _ => Number::new(spot.amount.value),
        };
        let numbers = |spots: &[&Spot]| -> Vec<Number> { spots.iter().map(number).collect() };
        let all: Vec<&Spot> = self.spots.all.iter().filter(|spot| !spot.is_word).collect();
        let factors = numbers(&all);
        let is_odd = self
            .message
            .tokens
            .iter()
            .any(|token| matches!(token.kind, lex::Kind::Odd));
        let figures = self
            .message
            .tokens
            .iter()
            .filter(|token| matches!(token.kind, lex::Kind::Figure(_)));
        let repeats = factors
            .iter()
            .enumerate()
            .any(|(at, factor)| factors[..at].contains(factor));
        let is_unread = figures.count() > factors.len() + self.split_figures();
        let has_cents = self.words.contains(" dollars and ") || self.words.contains(" dolares con ");
        if has_cents || is_odd || is_unread || factors.len() > MOST {
            return Vec::new();
        }
        if !repeats {
            return factors;
        }
        // "I counted 40 cars. So 40 x 18 dollars x 24 days"
        let joined = all.chunk_by(|one, other| self.are_multiplied(one, other));
        joined
            .map(numbers)
            .find(|factors| factors.len() > 1)
            .unwrap_or_default()
    }

    /// Whether two numbers are joined by a multiplication sign: "40 x 18", "9 times $145". In "40x 18" it is the unit of the first one.
    fn are_multiplied(&self, one: &Spot, other: &Spot) -> bool {
        let mut between = one.amount.from + 1..other.amount.from;
        let is_sign = |at: usize| matches!(self.message.tokens[at].word(), "x" | "times" | "veces");
        let is_unit = one.amount.unit == Unit::Multiple && one.amount.to == other.amount.from;
        is_unit || between.len() < 4 && between.any(is_sign)
    }

    /// Figures beyond the first of amounts of several: "two and a half", "6 1/2".
    fn split_figures(&self) -> usize {
        let of = |amount: &crate::lex::Amount| {
            let tokens = self.message.tokens.get(amount.from..amount.to).unwrap_or_default();
            tokens
                .iter()
                .filter(|token| matches!(token.kind, lex::Kind::Figure(_)))
                .count()
                .saturating_sub(1)
        };
        self.spots.all.iter().map(|spot| of(&spot.amount)).sum()
    }

    /// "25 dogs a day at 70, 26 days": so many a day or a week are sales, unless it is a wage.
    pub(super) fn sold(&self) -> Option<FieldPath> {
        const OFTEN: [&str; 8] = [
            " a day ",
            " per day ",
            " daily ",
            " a week ",
            " al dia ",
            " diari",
            " por semana ",
            " per week ",
        ];
        const PAID: [&str; 6] = [" hour", " hr", " hora", " wage", " night", " noche"];
        let says = |words: &[&str]| words.iter().any(|word| self.words.contains(word));
        (says(&OFTEN) && !says(&PAID)).then(|| FieldPath::from_static("revenue.monthlyAuv"))
    }
}
