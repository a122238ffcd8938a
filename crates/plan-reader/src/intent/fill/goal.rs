//! What is to be reached, and what may move for it.

use super::{Intent, Line, Reader, Slots};
use crate::ear::spots::Spot;
use crate::intent::phrasebook::{CHANGES, SLOTS};
use crate::lex::{Kind, Unit};
use plan_model::field::FieldPath;
use plan_model::number::Number;
use rust_decimal::Decimal;

const DRAW: &str = "profitabilityAndDistributions.ownerDrawMonthly";

/// A target of twelve months.
const A_YEAR: [&str; 5] = [" a year ", " one year ", " un ano ", " the first year ", " year one "];

impl Reader<'_> {
    /// The figure with its target, and the field that may move.
    pub(super) fn goal(&self, out: &mut Slots) {
        let lines = &self.lines;
        out.metric = self.metric(Intent::Goal);
        // "Sell it for half a million" is of no sales.
        let says_sales = ["sales", "revenue", "ventas"]
            .iter()
            .any(|word| self.words.contains(word));
        let sells = lines.contains(&Line::Sales) && (out.metric != Some(Line::Valuation) || says_sales);
        let down = |name: &&crate::ear::names::Named| self.words_of(name).all(|word| CHANGES.has("less", word));
        let named = self.spots.names.iter().flatten().filter(|name| !down(name));
        let named = named.map(|name| name.fields[0]);
        // A word that seldom means a field means none beside a figure: "payback in 3 years" is of no loan's term.
        let named = named
            .filter(|(_, is_guess)| !is_guess)
            .map(|(field, _)| self.path(field));
        let is_payback = out.metric == Some(Line::Payback);
        let named = named.filter(|path| !is_payback || path.as_str() != "financing.loanTermMonths");
        let mut named: Vec<FieldPath> = named.collect();
        let metric = out.metric.as_ref();
        // "the loan payment" and "what the bank wants" name no loan.
        let has_other = named.iter().any(|path| path.as_str() != "financing.loanAmount");
        let of_loan = self.words.matches(" loan payment").count();
        let is_of_loan = matches!(metric, Some(Line::LoanBalance | Line::LoanPayment))
            && self.words.matches(" loan ").count() <= of_loan;
        // "First loan of my life": a loan moves where it is asked how large it may be.
        let asks = SLOTS.first("asks", &self.words).is_some();
        let borrows = self.words.contains("borrow")
            || asks && (self.words.contains(" loan ") || self.words.contains(" prestamo "));
        named.retain(|path| path.as_str() != "financing.loanAmount" || borrows && !has_other && !is_of_loan);
        let moves = SLOTS.first("moves", &self.words).map(FieldPath::read);
        out.field = moves.clone().or_else(|| named.into_iter().next());
        let is_draw = |path: &FieldPath| path.as_str() == DRAW;
        // "Coverage after our draw": what is taken is known, and does not move.
        if out.metric == Some(Line::DscrAfterOwner) && !asks && moves.is_none() {
            out.field.take_if(|path| is_draw(path));
        }
        let is_salary = [" salary ", " sueldo ", " salario "]
            .iter()
            .any(|word| self.words.contains(word));
        if is_salary && out.field.as_ref().is_some_and(is_draw) {
            out.field = Some(FieldPath::from_static("operatingCosts.ownerSalaryAnnual"));
        }
        if out.field.is_none() && sells && out.metric.is_some() {
            out.field = Some(FieldPath::from_static("revenue.monthlyAuv"));
        }
        // The only cash that can be sought.
        if matches!(out.metric, Some(Line::Cash | Line::FirstNegativeMonth)) {
            out.metric = Some(Line::LowestCash);
        }
        // "EBITDA at 120k" names no multiple of it.
        let of_multiple = ["multiple", "times", "multiplo", "veces"]
            .iter()
            .any(|word| self.words.contains(word));
        if out.metric == Some(Line::Ebitda) && !of_multiple {
            out.field
                .take_if(|path| path.as_str() == "workingCapitalAndValuation.ebitdaMultiple");
        }
        // "How late may the manager start": the month, and not what is paid from then on.
        if ["how late", "how early", "how soon", "que tan tarde", "que tan pronto"]
            .iter()
            .any(|asked| self.words.contains(asked))
        {
            let start = |path: &FieldPath| {
                let position = self.message.vocabulary.position(path.as_str())?;
                self.message.vocabulary.fields()[position].start_month.clone()
            };
            out.field = out.field.take().map(|path| start(&path).unwrap_or(path));
        }
        if out.metric.is_none() && sells {
            out.metric = Some(Line::Sales);
        }
        let is_guess = out.metric.is_none() || lines.is_empty() && out.metric != Some(Line::DscrAfterOwner);
        if is_guess && out.field.is_none() && self.names_a_ratio() {
            out.metric = Some(Line::Dscr);
        }
        out.target = self.target(out.metric.as_ref()).or_else(|| {
            let by_itself = out.metric == Some(Line::LowestCash) || out.metric == Some(Line::NetProfit);
            by_itself.then_some(Number::ZERO)
        });
        out.year = self.when.year;
        if self.is_half_a_goal(out) {
            *out = Slots::default();
        }
    }

    /// A value is asked for and not of what, or a number and no target: the answer would be to another question.
    fn is_half_a_goal(&self, out: &Slots) -> bool {
        let asks_value = SLOTS.first("asks", &self.words).is_some();
        let of_nothing = out.field.is_none() && asks_value;
        let numbers = self.spots.all.iter().filter(|spot| !spot.is_word).count();
        // "1 point 5" is one number in two.
        let is_figure = |at: usize| {
            self.message
                .tokens
                .get(at)
                .is_some_and(|token| matches!(token.kind, Kind::Figure(_)))
        };
        let is_point = |at: usize| matches!(self.message.tokens[at].word(), "point" | "punto");
        let is_split = (1..self.message.tokens.len()).any(|at| is_point(at) && is_figure(at - 1) && is_figure(at + 1));
        let by_itself = out.target == Some(Number::ZERO);
        // "1,30" is none of the forms that are read, and "two years and a half" no 24 months.
        let is_odd = self.message.tokens.iter().any(|token| matches!(token.kind, Kind::Odd));
        let has_half = [" y medio ", " and a half "]
            .iter()
            .any(|half| self.words.contains(half));
        of_nothing
            || is_odd
            || has_half && Self::is_in_months(out.metric.as_ref())
            || is_split
            || numbers > 0 && (out.target.is_none() || by_itself && self.figure_said_zero())
            || !self.is_possible(out)
    }

    /// Zero was taken because none of the numbers is a target.
    fn figure_said_zero(&self) -> bool {
        let spots = self.spots.all.iter();
        !spots
            .filter(|spot| !spot.is_word)
            .all(|spot| spot.amount.value < Decimal::from(100))
    }

    /// No plan breaks even in month 35,000, and no coverage is a dollar amount.
    fn is_possible(&self, out: &Slots) -> bool {
        let Some(target) = out.target.map(Number::decimal) else {
            return true;
        };
        match out.metric {
            Some(Line::BreakEvenMonth | Line::Payback | Line::FirstNegativeMonth) => target <= Decimal::from(60),
            Some(Line::Dscr | Line::DscrAfterOwner) => target <= Decimal::from(4),
            Some(Line::LoanPayment) => target >= Decimal::from(10_000),
            Some(Line::MoneyToOpen | Line::OwnCash | Line::Sales) => target >= Decimal::from(100_000),
            Some(Line::LowestCash | Line::OwnerLeft | Line::NetProfit | Line::Ebitda | Line::Valuation) => {
                target.is_zero() || target >= Decimal::from(10_000)
            }
            _ => true,
        }
    }

    fn words_of<'n>(&'n self, name: &'n crate::ear::names::Named) -> impl Iterator<Item = &'n str> {
        name.range.clone().map(|at| self.message.tokens[at].word())
    }

    /// Whether a number can only be a coverage ratio: "what would it take to reach 1.25". No other figure of a plan is that small.
    pub(super) fn names_a_ratio(&self) -> bool {
        let (low, high) = (Decimal::new(5, 1), Decimal::from(5));
        let mut numbers = self.spots.all.iter().filter(|spot| !spot.is_word);
        let is_ratio = |spot: &Spot| {
            let (value, unit) = (spot.amount.value, spot.amount.unit);
            matches!(unit, Unit::Bare | Unit::Multiple) && (low..=high).contains(&value)
        };
        // "90k a year between us 2"
        let is_large = |spot: &Spot| spot.amount.value >= Decimal::ONE_THOUSAND;
        numbers.clone().any(is_ratio) && !numbers.any(is_large)
    }

    /// Whether a month or a number of months stands beside a figure that is a month itself.
    pub(super) fn has_target(&self, line: Option<&Line>) -> bool {
        let mut spots = self.spots.all.iter().filter(|spot| !spot.is_word);
        let is_time = |spot: &Spot| matches!(spot.amount.unit, Unit::Months | Unit::Years);
        let can_be = matches!(line, Some(Line::BreakEvenMonth | Line::Payback));
        can_be && (self.when.month.is_some() || spots.any(is_time))
    }

    fn is_in_months(metric: Option<&Line>) -> bool {
        matches!(
            metric,
            Some(Line::BreakEvenMonth | Line::Payback | Line::FirstNegativeMonth)
        )
    }

    /// The number that the figure is to reach, in its unit.
    pub(super) fn target(&self, metric: Option<&Line>) -> Option<Number> {
        let in_months = Self::is_in_months(metric);
        if let Some(month) = self.when.month.filter(|_| in_months) {
            return Some(Number::whole(i64::from(month)));
        }
        if in_months && (self.words.contains(" half a year ") || self.words.contains(" medio ano ")) {
            return Some(Number::whole(6));
        }
        if in_months && A_YEAR.iter().any(|said| self.words.contains(said)) {
            return Some(Number::whole(12));
        }
        let is_date = |spot: &&Spot| {
            let amount = &spot.amount;
            let mut said = self.when.said.iter();
            said.any(|said| said.start < amount.to && amount.from < said.end)
        };
        // "Saving since 2016"
        let is_calendar_year = |spot: &&Spot| {
            let amount = &spot.amount;
            let years = Decimal::from(1950)..=Decimal::from(2060);
            amount.unit == Unit::Bare
                && !amount.marked
                && years.contains(&amount.value)
                && amount.from.checked_sub(1).is_some_and(|at| {
                    matches!(self.message.tokens[at].word(), "since" | "in" | "from" | "desde" | "en")
                })
        };
        let spots = self.spots.all.iter();
        let spots = spots.filter(|spot| !spot.is_word && !is_date(spot) && !is_calendar_year(spot));
        let of = |spot: &Spot| {
            let (value, unit) = (spot.amount.value, spot.amount.unit);
            match (metric?, unit) {
                (Line::BreakEvenMonth | Line::Payback, Unit::Years) => Some(value * Decimal::from(12)),
                (
                    Line::BreakEvenMonth | Line::Payback | Line::Dscr | Line::DscrAfterOwner,
                    Unit::Bare | Unit::Months | Unit::Multiple,
                ) => Some(value),
                (Line::BreakEvenMonth | Line::Payback | Line::Dscr | Line::DscrAfterOwner, _) => None,
                (_, Unit::Bare | Unit::Money) => value.checked_mul(Decimal::ONE_HUNDRED),
                _ => None,
            }
        };
        spots.rev().find_map(of).map(Number::new)
    }
}
