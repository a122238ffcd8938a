//! Products of what was said: "40 dogs a week at 75". A week and a day are no month: what the product is per is said with it.

use crate::offline::situation::Situation;
use crate::offline::step::Step;
use crate::offline::{miss, record, results, talk};
use crate::wording;
use plan_model::field::{Field, FieldPath, Kind};
use plan_model::number::Number;
use plan_model::period::Period;
use plan_reader::{Mention, Unit};
use rust_decimal::Decimal;
use serde_json::{Value, json};

/// What a product is of, where that is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Per {
    Day,
    Week,
    Month,
    Year,
}

/// What customers pay.
pub(super) const SALES: &str = "revenue.monthlyAuv";

/// What staff is paid.
const WAGES: &str = "operatingCosts.laborPct";

/// Numbers that a message or a piece of it multiplies, with its words.
#[derive(Clone, Copy)]
pub(super) struct Said<'m> {
    pub message: &'m str,
    pub mentions: &'m [Mention],
    pub factors: &'m [Number],
    pub counts_customers: bool,
}

/// Products of one line: of wages each group of people has its own.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Product {
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
    fn line(&self) -> Option<&'static str> {
        match self.says("w.an_hour") {
            true => Some(WAGES),
            false => Some(SALES).filter(|_| self.counts_customers),
        }
    }

    /// What it is per, as the message says: up to seven days are a week's, more weeks or days than a month has a year's.
    pub(super) fn per(&self) -> Option<Per> {
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
    fn per_of_wages(&self) -> Option<Per> {
        const A_YEAR: i64 = 12_000;
        let counts_hours = self.says("w.hours") || self.is_full_time();
        let is_salary = |factor: &Number| factor.decimal() >= Decimal::from(A_YEAR);
        match () {
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
    pub(super) fn product(&self, named: Option<&FieldPath>, field: impl Fn(&str) -> Option<Kept>) -> Option<Product> {
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
pub(super) enum Kept {
    Amount,
    /// A cost as a share of sales.
    Share,
}

/// How a field is kept; nothing where it is no amount of dollars.
pub(super) fn kept(field: &Field) -> Option<Kept> {
    match field.kind {
        Kind::Money => Some(Kept::Amount),
        Kind::Percent if field.is_share_in_dollars() => Some(Kept::Share),
        _ => None,
    }
}

impl Product {
    /// As the tool takes it.
    pub(super) fn arguments(&self) -> Value {
        let sum = |all: Decimal, group: &Vec<Number>| all.checked_add(product_of(group)?);
        let factors = match &self.groups[..] {
            [factors] => factors.clone(),
            groups => groups
                .iter()
                .try_fold(Decimal::ZERO, sum)
                .map(Number::new)
                .into_iter()
                .collect(),
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

pub(super) fn estimate(situation: &Situation<'_>) -> Step {
    let slots = situation.slots();
    let none = || {
        let text = situation.say("estimate.none", &[]);
        Step::say([text, miss::again(situation)], Vec::new())
    };
    if slots.product.len() < 2 {
        return none();
    }
    if let Some(quotient) = quotient(situation) {
        return Step::say([quotient], Vec::new());
    }
    // "Those are the sales" completes the message before.
    let own = &situation.understanding;
    let before = situation.message_before().filter(|_| own.mentions.is_empty());
    let said = Said {
        message: before.as_ref().map_or(situation.message(), |(message, _)| message),
        mentions: before.as_ref().map_or(&own.mentions, |(_, mentions)| mentions),
        factors: &slots.product,
        counts_customers: own.counts_customers,
    };
    let is_yearly = said.per().is_none() && talk::says(situation, "w.yearly");
    let field = |path: &str| situation.field(path);
    let named = slots.field.as_ref().map(FieldPath::as_str).or_else(|| said.line());
    let wages = named
        .and_then(field)
        .is_some_and(|field| kept(field) == Some(Kept::Share));
    if wages && said.per().or_else(|| said.per_of_wages()).is_none() {
        let sum = sum(&slots.product);
        return Step::say([situation.say("estimate.hours", &[("sum", &sum)])], Vec::new());
    }
    // A share that nobody tells in dollars, or an amount a year for a monthly field, is no product of the message's numbers.
    let kept_as = |path: &str| {
        let field = field(path)?;
        let is_of_year = field.period == Some(Period::Monthly) && is_yearly;
        kept(field).filter(|kept| *kept == Kept::Share || !is_of_year)
    };
    let product = said.product(slots.field.as_ref(), kept_as);
    let per = product.as_ref().map_or(said.per(), |product| product.per);
    let groups = product.as_ref().map_or(&[][..], |product| &product.groups);
    let arguments = product
        .as_ref()
        .map_or_else(|| json!({ "factors": slots.product }), Product::arguments);
    if let Some(step) = Step::ask(situation, &[("estimate", arguments)]) {
        return step;
    }
    let Some(result) = situation
        .result("estimate")
        .filter(|result| results::text(result, "sum").is_some())
    else {
        return none();
    };
    let shown = in_words(situation, result, groups, per);
    let proposed = results::text(result, "path").zip(results::text(result, "value"));
    match proposed {
        Some((path, value)) => {
            let share = record::in_share(situation, result);
            let (name, value) = (situation.named(path), situation.value(path, value));
            let confirm = wording::confirm(situation.language, &value, &name);
            let parts = [Some(shown), share, Some(confirm)];
            Step::say(parts.into_iter().flatten(), situation.suggest(&["s.yes", "s.no"]))
        }
        // It asks for the days already.
        None if per == Some(Per::Day) => Step::say([shown], Vec::new()),
        None => Step::say([shown, situation.say("estimate.line", &[])], Vec::new()),
    }
}

/// "44,444 a month, how many dogs is that at 75?" asks for no product.
fn quotient(situation: &Situation<'_>) -> Option<String> {
    let [one, other] = situation.slots().product[..] else {
        return None;
    };
    if !talk::says(situation, "w.how_many") {
        return None;
    }
    let (one, other) = (one.decimal().max(other.decimal()), one.decimal().min(other.decimal()));
    let value = one.checked_div(other)?;
    let weeks = value.checked_mul(Decimal::from(12))?.checked_div(Decimal::from(52))?;
    let is_monthly = talk::says(situation, "w.monthly");
    let week = weeks.round().to_string();
    let per = match is_monthly {
        true => situation.say("estimate.quotient.month", &[("week", &week)]),
        false => String::new(),
    };
    let shown = |number: Decimal| number.round_dp(1).normalize().to_string();
    let slots = [
        ("one", &*shown(one)),
        ("other", &*shown(other)),
        ("value", &*shown(value)),
        ("per", &*per),
    ];
    Some(situation.say("estimate.quotient", &slots))
}

fn product_of(factors: &[Number]) -> Option<Decimal> {
    factors
        .iter()
        .try_fold(Decimal::ONE, |all, one| all.checked_mul(one.decimal()))
}

/// "2 × 17"
fn times(factors: &[Number]) -> String {
    factors.iter().map(ToString::to_string).collect::<Vec<_>>().join(" × ")
}

/// "2 × 17 = $34"
fn sum(factors: &[Number]) -> String {
    let product = product_of(factors).map(|product| format!(" = ${}", product.normalize()));
    format!("{}{}", times(factors), product.unwrap_or_default())
}

/// "40 × 75 = $3,000 a week, $13,000 a month or $156,000 a year."
pub(super) fn in_words(situation: &Situation<'_>, result: &Value, groups: &[Vec<Number>], per: Option<Per>) -> String {
    let sum = results::text(result, "sum").unwrap_or_default();
    let sum = match groups {
        [] | [_] => sum.to_owned(),
        groups => format!(
            "{} = {sum}",
            groups.iter().map(|group| times(group)).collect::<Vec<_>>().join(" + ")
        ),
    };
    let spread = per.and_then(|per| spread(situation, (&sum, result), per));
    spread.unwrap_or_else(|| situation.say("estimate", &[("sum", &sum)]))
}

fn spread(situation: &Situation<'_>, (sum, result): (&str, &Value), per: Per) -> Option<String> {
    let product = results::dollars(results::text(result, "product")?)?;
    let show = |amount: Decimal| Some(situation.figure(&results::shown(amount)?));
    let twelve = Decimal::from(12);
    let (key, year) = match per {
        Per::Day => ("estimate.day", product),
        Per::Week => ("estimate.week", product.checked_mul(Decimal::from(52))?),
        Per::Month => ("estimate.month", product.checked_mul(twelve)?),
        Per::Year => ("estimate.year", product),
    };
    let month = show(year.checked_div(twelve)?)?;
    Some(situation.say(key, &[("sum", sum), ("month", &month), ("year", &show(year)?)]))
}
