//! Goals for what a year leaves: "to take home 80,000 a year", "para que me queden 6 mil al mes". The plan as a whole has no such result.

use crate::offline::results;
use crate::offline::situation::Situation;
use plan_model::field::show_dollars;
use plan_model::number::Number;
use plan_model::period::Period;
use plan_reader::Line;
use rust_decimal::Decimal;

/// The year that is meant where none is said: the first one is short of sales that still grow.
const ESTABLISHED: u8 = 2;

/// Below this, in cents, nobody wants so little of a year: it is of a month. The answer says which.
const LEAST: i64 = 1_200_000;

pub(super) fn is_of_year(line: &Line) -> bool {
    matches!(line, Line::OwnerLeft | Line::NetProfit | Line::Ebitda)
}

/// What the tool calls a line in a year.
pub(super) fn sought(line: &Line, year: Option<u8>) -> String {
    format!("{}Year{}", line.as_str(), year.unwrap_or(ESTABLISHED))
}

/// "What is left for you in year 2".
pub(super) fn label(situation: &Situation<'_>, line: &Line) -> String {
    in_year(
        situation,
        line,
        &situation.slots().year.unwrap_or(ESTABLISHED).to_string(),
    )
}

/// The same of what the tool calls "ownerLeftYear2".
pub(super) fn named(situation: &Situation<'_>, name: &str) -> String {
    let (line, year) = name.split_once("Year").unwrap_or_default();
    let known = Line::NAMED.iter().find(|(named, _)| *named == line);
    known
        .map(|(_, line)| in_year(situation, line, year))
        .unwrap_or_default()
}

fn in_year(situation: &Situation<'_>, line: &Line, year: &str) -> String {
    let label = situation.line_label(line);
    situation.say("in_year", &[("label", &label), ("year", year)])
}

/// The target of a year, in cents: what is said of a month, or can only be of one, twelve times.
pub(super) fn target(situation: &Situation<'_>, target: Number) -> Number {
    let dollars = target.decimal().checked_div(Decimal::ONE_HUNDRED);
    let said = situation.understanding.mentions.iter();
    let mut said = said.filter(|mention| Some(mention.value) == dollars);
    let period = said.find_map(|mention| mention.period.or(mention.or_period));
    let is_of_month = match period {
        Some(period) => period == Period::Monthly,
        None => target < Number::whole(LEAST),
    };
    let months = Decimal::from(if is_of_month { 12 } else { 1 });
    target.decimal().checked_mul(months).map_or(target, Number::new)
}

/// The target of a year, with what it is a month: "$72,000 ($6,000 a month)".
pub(super) fn with_month(situation: &Situation<'_>, target: &str) -> String {
    let year = situation.figure(target);
    let Some(dollars) = results::digits(target) else {
        return year;
    };
    // Far below what an integer holds: what is sought is at most a thousand billion dollars.
    let month = situation.figure(&show_dollars((dollars * 100.0 / 12.0).round() as i64));
    situation.say("goal.a_month", &[("year", &year), ("month", &month)])
}
