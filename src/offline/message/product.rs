//! A product of what was said: its factors, its line, and what it is per.

use crate::wording;
use plan_model::field::{Field, FieldPath, Kind};
use plan_model::inputs::SALES;
use plan_model::number::Number;
use plan_reader::{Mention, Unit};
use rust_decimal::Decimal;
use serde_json::{Value, json};

/// What a product is of, where that is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::offline) enum Per {
    Day,
    Week,
    Month,
    Year,
}

/// What staff is paid.
pub(in crate::offline) const WAGES: &str = "operatingCosts.laborPct";

/// Numbers that a message or a piece of it multiplies, with its words.
#[derive(Clone, Copy)]
pub(in crate::offline) struct Said<'m> {
    pub message: &'m str,
    pub mentions: &'m [Mention],
    pub factors: &'m [Number],
    pub counts_customers: bool,
}

/// Products of one line: of wages each group of people has its own.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::offline) struct Product {
    pub groups: Vec<Vec<Number>>,
    pub field: FieldPath,
    pub per: Option<Per>,
}

/// Hours a week of who works full time.
const FULL_TIME: i64 = 40;

impl Said<'_> {
    fn says(&self, key: &str) -> bool {
        wording::says(self.message, key)
    }

    /// The line that it belongs to where none is named: an hour's pay is of wages, customers at a price are sales.
    pub(in crate::offline) fn line(&self) -> Option<&'static str> {
        match self.says("w.an_hour") {
            true => Some(WAGES),
            false => Some(SALES).filter(|_| self.counts_customers),
        }
    }

    /// What it is per, as the message says: up to seven days are a week's, more weeks or days than a month has a year's.
    pub(in crate::offline) fn per(&self) -> Option<Per> {
        let counted = |unit: Unit| self.mentions.iter().find(|mention| mention.unit == unit);
        match (counted(Unit::Days), counted(Unit::Weeks)) {
            (_, Some(weeks)) => Some(Per::Year).filter(|_| weeks.value > Decimal::from(6)),
            (Some(days), None) if days.value <= Decimal::from(7) => Some(Per::Week),
            (Some(days), None) => Some(Per::Year).filter(|_| days.value > Decimal::from(31)),
            (None, None) if self.says("w.daily") => Some(Per::Day),
            (None, None) => Some(Per::Week).filter(|_| self.says("w.weekly")),
        }
    }

    /// The same of wages where no time is said: hours are a week's, and so much for each person a year's or a month's. `None` where an
    /// hour's pay has no hours.
    pub(in crate::offline) fn per_of_wages(&self) -> Option<Per> {
        const A_YEAR: i64 = 12_000;
        const HOURS_A_WEEK: i64 = 80;
        let counts_hours = self.says("w.hours") || self.is_full_time();
        let is_salary = |factor: &Number| factor.decimal() >= Decimal::from(A_YEAR);
        // "3 groomers at 18 an hour, 35 hours each. How much is that a month?"
        let are_weekly = self.says("w.hours")
            && self.says("w.an_hour")
            && !self.says("w.hours_a_month")
            && self
                .factors
                .iter()
                .all(|factor| factor.decimal() <= Decimal::from(HOURS_A_WEEK));
        match () {
            () if are_weekly => Some(Per::Week),
            () if self.says("w.monthly") => Some(Per::Month),
            () if self.factors.iter().any(is_salary) => Some(Per::Year),
            () if counts_hours || self.factors.len() > 2 => Some(Per::Week),
            () => Some(Per::Month).filter(|_| !self.says("w.an_hour")),
        }
    }

    /// "2 people at 18 an hour, full time"
    fn is_full_time(&self) -> bool {
        self.says("w.full_time") && self.says("w.an_hour") && !self.says("w.hours")
    }

    /// The product with its line; `None` where no line is known, or what it is per.
    pub(in crate::offline) fn product(
        &self,
        named: Option<&FieldPath>,
        field: impl Fn(&str) -> Option<Kept>,
    ) -> Option<Product> {
        // "4 groomers x 35 hours x $19 an hour, as a % of sales" is of no sales.
        let is_of_wages = self.says("w.an_hour") && self.says("w.hours") && !self.counts_customers;
        let named = named.filter(|path| !(is_of_wages && path.as_str() == SALES));
        let path = named.map(FieldPath::as_str).or_else(|| self.line())?;
        let kept = field(path)?;
        let per = match kept {
            Kept::Share => Some(self.per().or_else(|| self.per_of_wages())?),
            Kept::Amount => self
                .per()
                .or_else(|| self.per_of_wages().filter(|_| self.says("w.an_hour"))),
        };
        let full_time = Some(Number::whole(FULL_TIME)).filter(|_| kept == Kept::Share && self.is_full_time());
        Some(Product {
            groups: vec![self.factors.iter().copied().chain(full_time).collect()],
            field: FieldPath::read(path),
            per,
        })
    }
}

/// How the plan keeps what a product may be of.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(in crate::offline) enum Kept {
    Amount,
    /// A cost as a share of sales.
    Share,
}

/// How a field is kept; nothing where it is no amount of dollars.
pub(in crate::offline) fn kept(field: &Field) -> Option<Kept> {
    match field.kind {
        Kind::Money => Some(Kept::Amount),
        Kind::Percent if field.is_share_in_dollars() => Some(Kept::Share),
        _ => None,
    }
}

impl Product {
    /// The sum of its groups.
    pub(in crate::offline) fn total(&self) -> Option<Decimal> {
        let sum = |all: Decimal, group: &Vec<Number>| all.checked_add(product_of(group)?);
        self.groups.iter().try_fold(Decimal::ZERO, sum)
    }

    /// As the tool takes it.
    pub(in crate::offline) fn arguments(&self) -> Value {
        let factors = match &self.groups[..] {
            [factors] => factors.clone(),
            _ => self.total().map(Number::new).into_iter().collect(),
        };
        let mut arguments = json!({ "factors": factors });
        // On how many days of a month they are open nobody has said.
        if self.per != Some(Per::Day) {
            arguments["path"] = json!(self.field);
        }
        match self.per {
            Some(Per::Week) => arguments["per"] = json!("week"),
            Some(Per::Year) => arguments["per"] = json!("year"),
            Some(Per::Day | Per::Month) | None => {}
        }
        arguments
    }
}

fn product_of(factors: &[Number]) -> Option<Decimal> {
    factors
        .iter()
        .try_fold(Decimal::ONE, |all, one| all.checked_mul(one.decimal()))
}

/// "2 × 17"
pub(in crate::offline) fn times(factors: &[Number]) -> String {
    factors.iter().map(ToString::to_string).collect::<Vec<_>>().join(" × ")
}

/// "2 × 17 = $34"
pub(in crate::offline) fn sum(factors: &[Number]) -> String {
    let product = product_of(factors).map(|product| format!(" = ${}", product.normalize()));
    format!("{}{}", times(factors), product.unwrap_or_default())
}

/// "At 70 each" and "x 70" is a price.
pub(in crate::offline) fn is_at(message: &str, number: &Mention) -> bool {
    let before = message.get(..number.number.0).unwrap_or_default();
    let last = before.trim_end_matches('$').split_whitespace().next_back();
    last.is_some_and(|last| wording::phrases("w.at_pay").any(|word| last.eq_ignore_ascii_case(word)))
}
